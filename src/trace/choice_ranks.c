#include "trace/choice.h"

#include "trace/log_head.h"
#include "trace/source.h"

void choice_ranks_find(const struct choice *choice, struct choice_rank *ranks) {
    struct map seen = {0}; /* rank → number of logs */
    for (size_t i = 0; i < choice->count; i++) {
        const struct choice_log *log = &choice->items[i];
        struct choice_rank *found = &ranks[i];
        *found = (struct choice_rank){log->has_rank, log->has_rank, log->rank};
        if (!log->has_rank && strcmp(log->path, "-") != 0 && !source_is_address(log->path))
            found->known = log_rank_read(log->path, &found->rank);
        if (found->known)
            ++*map_put(&seen, slice_make((const char *)&found->rank, sizeof found->rank), 0, NULL);
    }
    for (size_t i = 0; i < choice->count; i++) {
        struct choice_rank *found = &ranks[i];
        bool alone = found->known && map_get(&seen, slice_make((const char *)&found->rank, sizeof found->rank)) == 1;
        found->known = found->named || (alone && choice->count > 1);
    }
    map_free(&seen);
}

#include "facts/rank_parts.h"

enum { RANGES_MAX = 8 };

void rank_words_add(struct buf *out, const struct rank_facts *const *facts, const uint32_t *places, size_t count) {
    size_t ranges = 0, i = 0;
    buf_add_str(out, count == 1 ? "rank " : "ranks ");
    while (i < count && ranges < RANGES_MAX) {
        size_t last = i;
        while (last + 1 < count && facts[places[last + 1]]->rank == facts[places[last]]->rank + 1)
            last++;
        size_t end = last > i + 1 ? last : i; /* two adjacent ranks do not form a range */
        if (ranges++)
            buf_add_str(out, end + 1 == count ? " and " : ", ");
        buf_addf(out, "%" PRIu64, facts[places[i]]->rank);
        if (end > i)
            buf_addf(out, "–%" PRIu64, facts[places[end]]->rank);
        i = end + 1;
    }
    if (i < count)
        buf_addf(out, " and %zu more", count - i);
}

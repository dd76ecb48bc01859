/* Helpers that the lines of the explained compile time share. */

#include "savings/compile_time.h"

bool compile_had(const struct compile *compile, enum cache cache, enum cache_outcome outcome) {
    for (size_t i = 0; i < compile->caches.count; i++)
        if (compile->caches.items[i].cache == cache && compile->caches.items[i].outcome == outcome)
            return true;
    return false;
}

bool compile_had_hit(const struct compile *compile) {
    return compile_had(compile, CACHE_FX_GRAPH, OUTCOME_HIT) || compile_had(compile, CACHE_AOTAUTOGRAD, OUTCOME_HIT);
}

void time_line_add(struct compile_time *time, struct time_line *line, uint32_t compile, int64_t us) {
    line->us += us;
    line->compile_count++;
    if (line->compiles.count == TIME_COMPILES_MAX)
        return;
    ARENA_ADD(&time->arena, &line->compiles, compile);
}

struct slice time_text(struct compile_time *time, struct buf *text) {
    struct slice kept = arena_slice(&time->arena, buf_slice(text));
    buf_free(text);
    return kept;
}

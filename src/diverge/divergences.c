#include "diverge/diverge.h"

#include "diverge/cause.h"

void divergences_find(struct divergences *divergences, const struct rank_facts *const *facts, size_t count) {
    AUTO_ARENA scratch = {0};
    const uint32_t *alike = ranks_alike(facts, count, &scratch);
    divergences->arena = (struct arena){0};
    for (int aspect = 0; aspect < ASPECTS; aspect++)
        diverge_find(&divergences->of[aspect], facts, alike, count, aspect, &divergences->arena);
    divergences->causes = arena_zalloc(&divergences->arena, sizeof *divergences->causes);
    root_causes_find(divergences->causes, facts, alike, count, divergences);
}

void divergences_finish(struct divergences *divergences) {
    root_causes_finish(divergences->causes);
    arena_free(&divergences->arena);
}

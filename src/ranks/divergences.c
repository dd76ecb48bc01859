#include "ranks/divergences.h"

#include "base/mem.h"
#include "ranks/causes.h"

void divergences_find(struct divergences *divergences, const struct rank_facts *const *facts, size_t count) {
    divergences->arena = (struct arena){0};
    for (int aspect = 0; aspect < ASPECTS; aspect++)
        diverge_find(&divergences->of[aspect], facts, count, aspect, &divergences->arena);
    divergences->causes = mem_zalloc(1, sizeof *divergences->causes);
    root_causes_find(divergences->causes, facts, count, divergences);
}

void divergences_finish(struct divergences *divergences) {
    for (int aspect = 0; aspect < ASPECTS; aspect++)
        diverge_finish(&divergences->of[aspect]);
    root_causes_finish(divergences->causes);
    mem_free(divergences->causes);
    arena_free(&divergences->arena);
}

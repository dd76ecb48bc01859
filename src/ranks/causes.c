#include "ranks/causes.h"

#include "ranks/cause_finder.h"

static void look_at_slot(struct finder *f, const struct slot *slot) {
    static const struct {
        enum root_cause_kind kind;
        enum aspect aspect;
    } others[] = {{CAUSE_REASON, ASPECT_RECOMPILES},
                  {CAUSE_GUARDS, ASPECT_GUARDS},
                  {CAUSE_COLLECTIVES, ASPECT_COLLECTIVES},
                  {CAUSE_CACHE, ASPECT_CACHE},
                  {CAUSE_TENSOR_META, ASPECT_TENSOR_META}};
    arena_reset(&f->scratch);
    f->here.items = NULL;
    f->here.count = f->here.cap = 0;
    if (slot->have < f->compared)
        look_at_presence(f, slot);
    if (slot->have < 2)
        return;
    look_at_backward(f, slot);
    uint32_t *graphs = arena_alloc(&f->scratch, (f->count + 1) * sizeof *graphs);
    look_at_failures(f, slot);
    uint64_t *values = slot_values(f, slot, ASPECT_GRAPHS);
    uint32_t count = split(f, values, graphs);
    look_at_graphs(f, slot, values);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        look_at_aspect(f, slot, graphs, count, others[i].kind, others[i].aspect);
    look_at_time(f, slot);
}

void root_causes_find(struct root_causes *causes, const struct rank_facts *const *facts, const uint32_t *alike,
                      size_t count, const struct divergences *divergences) {
    *causes = (struct root_causes){0};
    struct finder f = {.causes = causes, .facts = facts, .count = count, .divergences = divergences};
    values_prepare(&f, alike);
    if (f.compared > 1) {
        slots_find(&f);
        look_at_configuration(&f);
        look_at_ends(&f);
        look_at_stops(&f);
        look_at_parts(&f);
        for (f.at = 0; f.at < f.slots.count; f.at++)
            look_at_slot(&f, &f.slots.items[f.order[f.at]]);
        for (size_t i = 0; i < causes->list.count; i++)
            look_at_ids(&f, causes->list.items[i]);
        look_at_order(&f, false);
        look_at_order(&f, true);
        for (size_t i = 0; i < causes->list.count; i++)
            cause_name(causes, causes->list.items[i], facts);
    }
    arena_free(&f.scratch);
    arena_free(&f.arena);
}

void root_causes_finish(struct root_causes *causes) {
    arena_free(&causes->arena);
}

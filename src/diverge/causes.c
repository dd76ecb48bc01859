#include "diverge/cause.h"

#include "diverge/cause_finder.h"

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

/* ---- whether ranks went on after different collectives ---- */

/* Whether the log shows that the graph runs on the CPU. There, a collective is complete when its result is used. On
 * other devices, a program continues while its collectives wait. */
static bool is_of_cpu(const struct rank_compile *c) {
    bool cpu = false;
    for (uint32_t i = 0; c->trace && i < c->trace->count; i++) {
        struct slice type = c->trace->steps[i].type;
        bool here = slice_ends(type, SLICE("cpu"));
        cpu |= here;
        if (type.len && !here && type.ptr[type.len - 1] != ']' && type.ptr[type.len - 1] != ')')
            return false;
    }
    return cpu && !c->trace->cut;
}

/* Whether the rank ran the graph, if its log has an execution order. */
static bool has_run(const struct rank_facts *facts, const struct rank_compile *c) {
    for (size_t i = 0; i < facts->execution.count; i++) {
        uint32_t place = rank_compile_place(facts, facts->execution.items[i]);
        if (place != MAP_NONE && facts->compiles.items[place] == c)
            return true;
    }
    return !facts->execution_said;
}

/* Whether all ranks have a compile after this position. Its function is only called after everything before it has run.
 */
static bool all_compile_after(const struct finder *f, size_t at) {
    for (size_t i = at + 1; i < f->slots.count; i++)
        if (f->slots.items[f->order[i]].have == f->compared)
            return true;
    return false;
}

/* A backward may run after the next function was compiled. */
static bool went_on(const struct finder *f, const struct root_cause *cause) {
    if (!cause->calls || cause->calls_at >= f->slots.count || !all_compile_after(f, cause->calls_at))
        return false;
    const struct rank_compile *last = NULL;
    const void *ran = NULL;
    for (size_t r = 0; r < f->count; r++) {
        const struct rank_facts *facts = f->facts[r];
        const struct rank_compile *c = slot_at(&f->slots.items[f->order[cause->calls_at]], r);
        if (!rank_is_compared(facts))
            continue;
        if (!c && cause->kind == CAUSE_RECOMPILE && !facts->unfinished.count && rank_is_read_whole(facts))
            continue; /* the rank has no such version */
        if (!c || c->backward || facts->unfinished.count || !rank_is_read_whole(facts))
            return false;
        bool same = c == last && facts->execution.items == ran; /* merged ranks share their lists */
        if (!same && (!is_of_cpu(c) || !has_run(facts, c)))
            return false;
        last = c;
        ran = facts->execution.items;
    }
    return true;
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
        look_at_order(&f, false);
        for (f.at = 0; f.at < f.slots.count; f.at++)
            look_at_slot(&f, &f.slots.items[f.order[f.at]]);
        for (size_t i = 0; i < causes->list.count; i++)
            look_at_ids(&f, causes->list.items[i]);
        look_at_order(&f, true);
        for (size_t i = 0; i < causes->list.count; i++)
            causes->list.items[i]->went_on = went_on(&f, causes->list.items[i]);
        for (size_t i = 0; i < causes->list.count; i++)
            cause_name(causes, causes->list.items[i], facts);
    }
    arena_free(&f.scratch);
    arena_free(&f.arena);
}

void root_causes_finish(struct root_causes *causes) {
    arena_free(&causes->arena);
}

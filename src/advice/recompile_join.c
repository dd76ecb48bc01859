/* Merges advice on several steps of a chain into one sentence: equal notes on two causes, and numbers to make dynamic,
 * which share one value. */
#include "advice/recompile_advice.h"

/* Whether one sentence can cover the numbers of both. Further instructions, and records beyond the listed ones, prevent
 * that. */
static bool can_join(const struct advice *advice, const struct advice *other) {
    const struct dynamic_advice *a = advice->dynamic, *b = other->dynamic;
    bool alike = a && b && !a->lead.len && !b->lead.len && !a->tail.len && !b->tail.len && a->variable == b->variable;
    return alike && (a->variable || (a->marks && b->marks)) &&
           advice->evidence_count + other->evidence_count <= EVIDENCE_MAX;
}

static bool is_equal(const struct advice *advice, const struct advice *other) {
    return slice_eq(advice->text, other->text) && advice->expected == other->expected && !advice->of_limit;
}

static void join_numbers(struct arena *arena, struct advice *advice, const struct advice *other) {
    struct dynamic_advice *dynamic = advice->dynamic;
    struct buf says = {0};
    dynamic->marks &= other->dynamic->marks; /* the variable also takes sources that cannot be marked */
    dynamic->whole |= other->dynamic->whole;
    for (size_t i = 0; i < other->dynamic->numbers.count; i++)
        dynamic_add_number(arena, dynamic, &other->dynamic->numbers.items[i]);
    buf_addf(&says, "%.*s %.*s", SLICE_ARG(dynamic->says), SLICE_ARG(other->dynamic->says));
    dynamic->says = arena_keep(arena, &says);
    dynamic_write(arena, advice);
}

static void join_evidence(struct advice *advice, const struct advice *other) {
    for (size_t i = 0; i < other->evidence_count; i++)
        advice_cite(advice, other->evidence[i].record, other->evidence[i].compile, other->evidence[i].says);
    advice->evidence_more += other->evidence_more;
    advice->steps += other->steps;
    advice->saves += other->saves;
}

void advice_join(struct arena *arena, struct chain *chain) {
    size_t kept = 0;
    for (size_t i = 0; i < chain->advice.count; i++) {
        const struct advice *advice = &chain->advice.items[i];
        struct advice *into = NULL;
        bool equal = false;
        for (size_t n = 0; n < kept && !into && !advice->but_first; n++) {
            struct advice *earlier = &chain->advice.items[n];
            equal = is_equal(earlier, advice);
            into = !earlier->but_first && (equal || can_join(earlier, advice)) ? earlier : NULL;
        }
        if (!into) {
            chain->advice.items[kept++] = *advice;
            continue;
        }
        if (!equal)
            join_numbers(arena, into, advice);
        join_evidence(into, advice);
    }
    chain->advice.count = kept;
}

/* Finds chains that recompiled for the cause of an earlier chain: one change of the program fixes both. */
#include "analysis/identity.h"
#include "recompiles/chains.h"
#include "scan/guard_text.h"

/* The source of "Cache line invalidated because L['optimizer'] got deallocated"; empty: another cause. */
static struct slice deallocated(const struct cause *cause) {
    return text_between(cause->first, SLICE("Cache line invalidated because "), SLICE(" got deallocated"));
}

/* "1401… torch.optim.sgd.SGD": the object in the version that the first step did not match. */
static struct slice object_of(const struct model *model, const struct chain *chain) {
    struct slice source = chain->causes.count == 1 ? deallocated(&chain->causes.items[0]) : (struct slice){0};
    uint32_t version = chain->steps.count ? chain->steps.items[0].nearest : NO_VERSION;
    if (!source.len || version == NO_VERSION)
        return (struct slice){0};
    return guard_set_get(model, model->compiles.items[version], ASPECT_OBJECT, (struct slice){0}, source);
}

static bool same_values(const struct cause *a, const struct cause *b) {
    bool same = a->type == b->type && a->subject.ptr && slice_eq(a->subject, b->subject) &&
                a->value_count == b->value_count && a->values_end == b->values_end;
    for (size_t i = 0; i < a->value_count && same; i++)
        same = slice_eq(a->values[i].text, b->values[i].text);
    return same;
}

/* Whether the chain is for a part after a graph break in the other chain's function, and the same values changed. */
static bool is_part(const struct chain *chain, const struct chain *other) {
    uint64_t line, unused;
    struct slice function = resumed_function(chain->frame.function, &line);
    if (!line || !slice_eq(chain->frame.file, other->frame.file) ||
        !slice_eq(function, resumed_function(other->frame.function, &unused)))
        return false;
    for (size_t i = 0; i < chain->causes.count; i++) {
        bool found = false;
        for (size_t n = 0; n < other->causes.count && !found; n++)
            found = same_values(&chain->causes.items[i], &other->causes.items[n]);
        if (!found)
            return false;
    }
    return chain->causes.count > 0;
}

/* Whether its advice saves all recompiles of the chain. */
static bool is_saved(const struct chain *chain) {
    size_t saves = 0;
    for (size_t i = 0; i < chain->advice.count; i++)
        saves += chain->advice.items[i].saves;
    return chain->recompiles && saves == chain->recompiles && !chain->limit_hit;
}

/* The advice on a graph break, if it is the only advice and saves all recompiles of the chain; ptr NULL: there is other
 * advice. */
static struct slice break_advice(const struct chain *chain) {
    const struct advice *advice = chain->advice.count == 1 ? &chain->advice.items[0] : NULL;
    bool all = advice && advice->of_break && advice->steps == chain->recompiles && !chain->limit_hit;
    return all ? advice->text : (struct slice){0};
}

struct same_cause chain_same_cause(const struct model *model, const struct chains *chains, size_t nth) {
    const struct chain *chain = &chains->list.items[nth];
    const struct compile *first = model->compiles.items[chain->compiles.items[0]];
    struct slice object = object_of(model, chain);
    struct slice fix = break_advice(chain);
    for (size_t i = 0; i < nth && (fix.len || is_saved(chain)); i++) {
        const struct chain *other = &chains->list.items[i];
        const struct compile *compile = model->compiles.items[other->compiles.items[0]];
        if (compile->process != first->process || compile->epoch != first->epoch ||
            !(fix.len ? slice_eq(fix, break_advice(other)) : is_saved(other)))
            continue;
        if (object.len && slice_eq(object, object_of(model, other)))
            return (struct same_cause){.chain = i, .object = true};
        if (is_part(chain, other))
            return (struct same_cause){.chain = i};
    }
    return (struct same_cause){.chain = SIZE_MAX};
}

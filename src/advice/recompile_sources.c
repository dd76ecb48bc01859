/* TORCH_COMPILE_DYNAMIC_SOURCES is one list for all functions: its value needs the sources of all advice, because the
 * last value set replaces the others. The advice on each function shows a short value. A long value is shown once, for
 * the function whose compiles took longest; the advice on other functions refers to it. */
#include "advice/advice.h"
#include "advice/recompile_advice.h"
#include "base/renames.h"

enum { SHORT_MAX = 4 /* sources */, NAME_MAX_BYTES = 200 };

struct joined {
    struct chains *chains; /* `sources` has those that were added */
    struct buf text;
    struct slice shown[SHORT_MAX]; /* the first ones */
    size_t count, functions;
    size_t holder; /* the chain that shows a long value */
};

static void add_source(struct joined *joined, struct slice source) {
    bool added;
    map_put_in(&joined->chains->arena, &joined->chains->sources, source, 0, &added);
    if (!added)
        return;
    buf_addf(&joined->text, "%s%.*s", joined->text.len ? "," : "", SLICE_ARG(source));
    if (joined->count < SHORT_MAX)
        joined->shown[joined->count] = source;
    joined->count++;
}

bool advice_has_variable(const struct advice *advice) {
    return advice->dynamic && advice->dynamic->variable;
}

/* The first such advice of the chain, in the order of a finding; NULL: none. */
static const struct advice *first_of(const struct chain *chain) {
    const struct advice *first = NULL;
    for (size_t i = 0; i < chain->advice.count; i++) {
        const struct advice *advice = &chain->advice.items[i];
        if (advice_has_variable(advice) && (!first || (advice->saves && !first->saves)))
            first = advice;
    }
    return first;
}

static void collect(struct joined *joined, const struct chain *chain) {
    for (size_t i = 0; i < chain->advice.count; i++) {
        const struct dynamic_advice *dynamic = chain->advice.items[i].dynamic;
        for (size_t n = 0; dynamic && dynamic->variable && n < dynamic->numbers.count; n++)
            add_source(joined, dynamic->numbers.items[n].source);
    }
}

static bool has_source(const struct model *model, const struct compile *compile, struct slice source) {
    static const enum guard_aspect aspects[] = {ASPECT_TYPE, ASPECT_RANK, ASPECT_VALUE};
    for (size_t i = 0; i < sizeof aspects / sizeof *aspects; i++)
        if (guard_set_get(model, compile, aspects[i], (struct slice){0}, source).ptr)
            return true;
    return false;
}

/* "L['x']" of "L['x']:0" */
static struct slice without_dimension(struct slice source) {
    size_t colon = slice_rfind_byte(source, ':');
    return colon != SIZE_MAX && !slice_ends(source, SLICE("]")) ? slice_first(source, colon) : source;
}

/* Whether two functions have the source. The part after a graph break does not count as another function. */
static bool is_shared(const struct model *model, struct slice source) {
    const struct compile *first = NULL;
    for (size_t i = 0; i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[i];
        if (!compile->framed || name_is_resumed(compile->frame.function) || !has_source(model, compile, source))
            continue;
        if (first && (!slice_eq(first->frame.function, compile->frame.function) ||
                      !slice_eq(first->frame.file, compile->frame.file) || first->frame.line != compile->frame.line))
            return true;
        first = first ? first : compile;
    }
    return false;
}

/* The chain whose compiles took longest, or, if its issue belongs to another chain, that chain. */
static size_t find_holder(const struct chains *chains, const struct model *model) {
    size_t holder = SIZE_MAX;
    for (size_t i = 0; i < chains->list.count; i++)
        if (first_of(&chains->list.items[i]) &&
            (holder == SIZE_MAX || chains->list.items[holder].time_us < chains->list.items[i].time_us))
            holder = i;
    for (size_t same = holder; same != SIZE_MAX;) {
        same = chain_same_cause(model, chains, same).chain;
        holder = same != SIZE_MAX && first_of(&chains->list.items[same]) ? same : holder;
    }
    return holder;
}

/* "`forward` (0/0)", or its label, because two functions may share a name. */
static struct slice name_of(const struct model *model, const struct chain *chain, struct arena *arena) {
    const struct compile *compile = model->compiles.items[chain->compiles.items[0]];
    struct slice name = slice_first(compile->label.ptr ? compile->label : compile->frame.function, NAME_MAX_BYTES);
    struct buf text = {0};
    if (name.len)
        buf_addf(&text, "`%.*s` (%.*s)", SLICE_ARG(name), SLICE_ARG(compile->key));
    else
        buf_add(&text, compile->key);
    return arena_keep(arena, &text);
}

static void put(struct chains *chains, size_t nth, const struct dynamic_value *all, const struct joined *joined) {
    struct chain *chain = &chains->list.items[nth];
    const struct advice *first = first_of(chain);
    for (size_t i = 0; i < chain->advice.count; i++) {
        struct advice *advice = &chain->advice.items[i];
        struct dynamic_value value = *all;
        struct buf text = {0};
        if (!advice_has_variable(advice))
            continue;
        if (joined->count <= SHORT_MAX || nth == joined->holder)
            value.holder = (struct slice){0};
        value.above = advice != first;
        dynamic_add_text(&text, advice->dynamic, &value);
        advice->text = arena_keep(&chains->arena, &text);
    }
}

/* Whether the code makes the size constant. */
static bool is_specialized(const struct compile *compile, struct slice expression) {
    for (const struct shape_record *fact = compile->shapes[SHAPE_SPECIALIZATION].first; fact; fact = fact->next)
        if (slice_eq(fact->source, expression))
            return true;
    return false;
}

/* Whether the value has the number, or the size if `dimension` is not empty. In older versions, a tensor stands for all
 * of its dimensions. */
static bool is_in_value(const struct chains *chains, struct slice source, struct slice dimension) {
    AUTO_BUF text = {0};
    dynamic_add_source(&text, source);
    bool in = map_get(&chains->sources, buf_slice(&text)) != MAP_NONE;
    if (dimension.len)
        buf_addf(&text, ":%.*s", SLICE_ARG(dimension));
    in |= map_get(&chains->sources, buf_slice(&text)) != MAP_NONE;
    return in;
}

/* Whether the value makes the number dynamic. A size of 0 or 1 stays constant, and so does one that mark_static() marks. */
static bool is_made_dynamic(const struct model *model, const struct chains *chains, const struct step *step,
                            const struct guard_change *change) {
    uint64_t had, has;
    bool size = change->type == GUARD_SIZE;
    if (!change->key.ptr || (!size && change->type != GUARD_VALUE) || !slice_to_u64(change->had, &had) ||
        !slice_to_u64(change->has, &has) || (size && (had < 2 || has < 2)))
        return false;
    struct guard_fact fact = guard_key_read(change->key);
    AUTO_BUF expression = {0};
    buf_addf(&expression, size ? "%.*s.size()[%.*s]" : "%.*s", SLICE_ARG(fact.source), SLICE_ARG(fact.detail));
    bool made = is_in_value(chains, fact.source, size ? fact.detail : (struct slice){0}) &&
                !is_specialized(model->compiles.items[step->compile], buf_slice(&expression)) &&
                !(size && is_marked_static(model, step->nearest, &fact));
    return made;
}

/* Whether one size of an equality is in the value: PyTorch then assumes none. */
static bool is_apart(const struct chains *chains, struct slice equality) {
    static const struct slice size = SLICE_INIT(".size()[");
    for (size_t at; (at = slice_find(equality, size)) != SIZE_MAX; equality = slice_from(equality, at + size.len)) {
        struct slice dimension = slice_from(equality, at + size.len), source = slice_first(equality, at);
        size_t space = slice_rfind_byte(source, ' ');
        source = space == SIZE_MAX ? source : slice_from(source, space + 1);
        if (is_in_value(chains, source, slice_first(dimension, slice_find(dimension, SLICE("]")))))
            return true;
    }
    return false;
}

bool recompile_is_covered(const struct model *model, const struct chains *chains, const struct step *step) {
    bool all = step->changes.count && step->change_count == step->changes.count && step->nearest != NO_VERSION;
    if (all && step->changes.items[0].key.ptr && step_is_of_equal(step))
        return is_apart(chains, guard_key_read(step->changes.items[0].key).source);
    for (size_t i = 0; i < step->changes.count && all; i++)
        all = is_made_dynamic(model, chains, step, &step->changes.items[i]);
    return all;
}

void recompile_join_sources(struct chains *chains, const struct model *model) {
    struct joined joined = {.chains = chains};
    struct dynamic_value value = {0};
    for (size_t i = 0; i < chains->list.count; i++) {
        advice_join(&chains->arena, &chains->list.items[i]);
        joined.functions += first_of(&chains->list.items[i]) != NULL;
        collect(&joined, &chains->list.items[i]);
    }
    joined.holder = find_holder(chains, model);
    chains->holder = joined.functions > 1 ? joined.holder : SIZE_MAX;
    value.text = buf_slice(&joined.text);
    if (joined.count > SHORT_MAX) {
        value.holder = name_of(model, &chains->list.items[joined.holder], &chains->arena);
        value.functions = joined.functions;
    }
    for (size_t i = 0; i < joined.count && joined.count <= SHORT_MAX && !value.shared; i++)
        value.shared = is_shared(model, without_dimension(joined.shown[i]));
    for (size_t i = 0; i < chains->list.count; i++)
        put(chains, i, &value, &joined);
    buf_free(&joined.text);
}

/* One recompile: the nearest earlier version, and the differences to it. */
#include <stdlib.h>
#include <string.h>

#include "analysis/chains.h"
#include "base/mem.h"

static const struct compile *compile_at(const struct model *model, const struct chain *chain, size_t place) {
    return model->compiles.items[chain->compiles.items[place]];
}

/* "0/1": the index of this compile in the chain, before `end`; SIZE_MAX: none. */
static size_t place_of(const struct model *model, const struct chain *chain, size_t end, struct slice id) {
    uint64_t number;
    size_t low = 0, high = end, slash = slice_rfind_byte(id, '/');
    struct slice digits = slash != SIZE_MAX ? slice_from(id, slash + 1) : (struct slice){0};
    if (!slice_to_u64(slice_first(digits, slice_find(digits, SLICE("_"))), &number))
        return SIZE_MAX;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compile_at(model, chain, middle)->frame_compile_id < (int64_t)number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && compile_at(model, chain, low)->frame_compile_id == (int64_t)number ? low : SIZE_MAX;
}

static enum guard_aspect aspect_of(const struct guard_failure *failure) {
    switch (failure->type) {
    case GUARD_SIZE:
        return ASPECT_SIZE;
    case GUARD_STRIDE:
        return ASPECT_STRIDE;
    case GUARD_RANK:
        return ASPECT_RANK;
    case GUARD_DTYPE:
        return ASPECT_DTYPE;
    case GUARD_DEVICE:
        return ASPECT_DEVICE;
    case GUARD_REQUIRES_GRAD:
        return ASPECT_GRAD;
    case GUARD_DISPATCH_KEY:
        return ASPECT_KEYSET;
    case GUARD_LENGTH:
        return ASPECT_LENGTH;
    case GUARD_TYPE:
        return ASPECT_CLASS;
    case GUARD_IDENTITY:
        return ASPECT_OBJECT;
    case GUARD_ATTRIBUTE:
        return ASPECT_ATTRIBUTE;
    case GUARD_DICT:
        return failure->detail.ptr ? ASPECT_KEY : ASPECT_VALUE;
    case GUARD_RELATION:
    case GUARD_DIVISIBILITY:
        return ASPECT_RELATION;
    case GUARD_ALIAS:
        return ASPECT_ALIAS;
    default:
        return ASPECT_VALUE;
    }
}

/* The key of the reason's subject, from the guards of one of the compiles; ptr NULL: neither has it. */
static struct slice key_of(const struct model *model, const struct compile *from, const struct compile *to,
                           const struct guard_failure *failure) {
    enum guard_aspect aspect = aspect_of(failure), aspects[] = {aspect, ASPECT_TYPE};
    const struct compile *compiles[] = {from, to};
    struct slice detail = failure->dimension.ptr ? failure->dimension : failure->detail;
    struct slice source = aspect == ASPECT_RELATION ? failure->guard : failure->source;
    bool typed = aspect == ASPECT_CLASS || aspect == ASPECT_VALUE || aspect == ASPECT_OBJECT || aspect == ASPECT_LENGTH;
    if (!source.ptr || failure->type == GUARD_GLOBAL_STATE || failure->type == GUARD_GRAD_MODE ||
        failure->type == GUARD_BACKEND)
        return (struct slice){0};
    for (size_t a = 0; a < 1 + (size_t)typed; a++)
        for (size_t i = 0; i < 2; i++) {
            struct slice key =
                compiles[i] ? guard_set_key(model, compiles[i], aspects[a], detail, source) : (struct slice){0};
            if (key.ptr)
                return key;
        }
    return (struct slice){0};
}

static struct slice kept(struct arena *arena, struct buf *text) {
    struct slice slice = text->len ? arena_slice(arena, buf_slice(text)) : (struct slice){0};
    buf_free(text);
    return slice;
}

static struct slice class_of(const struct model *model, const struct compile *compile, struct slice source) {
    struct slice none = {0}, type = guard_set_get(model, compile, ASPECT_TYPE, none, source);
    if (!type.ptr) {
        struct slice guarded = guard_set_get(model, compile, ASPECT_CLASS, none, source);
        size_t space = slice_find(guarded, SLICE(" "));
        type = space == SIZE_MAX || space + 1 == guarded.len ? none : slice_from(guarded, space + 1);
    }
    if (!type.ptr && guard_set_get(model, compile, ASPECT_DTYPE, none, source).ptr)
        return SLICE("a tensor"); /* up to PyTorch 2.8, guards do not have the class */
    return slice_is(type, "NoneType") ? SLICE("None") : type;
}

/* The object of the source in a compile: the guard on its identity, else its class; ptr NULL: unknown. */
static struct slice identity_of(const struct model *model, const struct compile *compile, struct slice source,
                                enum identity_side side, struct arena *arena) {
    struct slice none = {0}, object = guard_set_get(model, compile, ASPECT_OBJECT, none, source);
    struct buf text = {0};
    if (!object.ptr)
        return class_of(model, compile, source);
    guard_identity_add(&text, object, ASPECT_OBJECT, side, true);
    return kept(arena, &text);
}

/* For a dict with guards on its items: the minimum length, because there may be items without guards. */
static struct slice length_of(const struct model *model, const struct compile *compile, struct slice source,
                              struct slice had, struct arena *arena) {
    struct slice none = {0}, length = guard_set_get(model, compile, ASPECT_LENGTH, none, source);
    struct slice pairs = guard_set_get(model, compile, ASPECT_PAIRS, none, source);
    uint64_t wanted, least;
    struct buf text = {0};
    if (!length.ptr && slice_to_u64(pairs, &least) && slice_to_u64(had, &wanted) && least > wanted) {
        buf_addf(&text, "at least %llu", (unsigned long long)least);
        return kept(arena, &text);
    }
    return length;
}

/* "torch.float64" for "Double": reasons use one name, and guards the other. */
static struct slice state_of(const struct model *model, const struct compile *compile, const struct guard_fact *fact) {
    return guard_set_get(model, compile, fact->aspect, fact->detail, fact->source);
}

/* The value in the compile if the reason only says that it was not nan, or not None: the number for which it was
 * compiled, or a class. ptr NULL: not logged. */
static struct slice value_before(const struct model *model, const struct compile *from,
                                 const struct guard_failure *failure) {
    static const enum guard_aspect aspects[] = {ASPECT_SYMBOL, ASPECT_VALUE, ASPECT_TYPE};
    for (size_t i = 0; i < sizeof aspects / sizeof *aspects; i++) {
        struct slice none = {0}, key = guard_set_key(model, from, aspects[i], none, failure->source);
        struct slice source = guard_key_read(key).source;
        struct slice value = !key.ptr                  ? none
                           : aspects[i] == ASPECT_TYPE ? class_of(model, from, source)
                                                       : guard_set_value(model, from, source, NULL);
        if (value.ptr && !slice_eq(value, failure->has) && !slice_is(value, "float"))
            return value;
    }
    return (struct slice){0};
}

/* Completes a reason with the guards of the two compiles. `to` may have none. */
static void complete(const struct model *model, const struct compile *from, const struct compile *to,
                     struct guard_failure *failure, struct arena *arena) {
    struct slice key = key_of(model, from, to, failure);
    struct guard_fact fact = guard_key_read(key);
    if (failure->type == GUARD_GLOBAL_STATE || failure->type == GUARD_GRAD_MODE) {
        fact = (struct guard_fact){.aspect = ASPECT_GLOBAL, .source = failure->source};
        failure->had = from ? state_of(model, from, &fact) : (struct slice){0};
        failure->has = state_of(model, to, &fact);
        return;
    }
    if (aspect_of(failure) == ASPECT_RELATION) {
        struct guard_change said = {0};
        failure->had = SLICE("True");
        if (key.ptr && guard_set_known(to)) {
            guard_relation_say(&said, model, to, fact.source, arena);
            failure->has = said.has;
        }
        return;
    }
    if (from && failure->source.ptr && failure->has.ptr && !failure->had.ptr &&
        (failure->type == GUARD_FLOAT || failure->type == GUARD_VALUE))
        failure->had = value_before(model, from, failure);
    if (key.ptr && failure->type == GUARD_IDENTITY) {
        struct slice had = from ? identity_of(model, from, fact.source, IDENTITY_WAS, arena) : (struct slice){0};
        failure->had = had.ptr ? had : failure->had;
    }
    if (!key.ptr || !guard_set_known(to))
        return;
    if (failure->type == GUARD_IDENTITY) {
        failure->has = identity_of(model, to, fact.source, IDENTITY_IS, arena);
    } else if (failure->has.ptr) {
        return;
    } else if (failure->type == GUARD_TYPE) {
        failure->has = class_of(model, to, fact.source);
        if (slice_eq(failure->had, failure->has)) /* two classes with the same name */
            failure->has = (struct slice){0};
    } else if (failure->type == GUARD_LENGTH) {
        failure->has = length_of(model, to, fact.source, failure->had, arena);
    } else if (aspect_of(failure) == ASPECT_VALUE) {
        failure->has = guard_set_value(model, to, fact.source, NULL);
        if (!failure->has.ptr || slice_eq(failure->has, failure->had)) {
            struct slice before = from ? class_of(model, from, fact.source) : (struct slice){0},
                         now = class_of(model, to, fact.source);
            failure->has = !slice_eq(before, now) ? now : (struct slice){0};
        }
    } else {
        failure->has = state_of(model, to, &fact);
    }
}

/* The new value of a Python variable may not be in the guards of the new compile. The next compile has it if it fails
 * at them. */
static struct slice next_value(const struct model *model, const struct chain *chain, size_t place,
                               const struct guard_failure *failure) {
    if (failure->has.ptr || !failure->source.ptr || place + 1 >= chain->compiles.count)
        return failure->has;
    const struct compile *compile = compile_at(model, chain, place), *next = compile_at(model, chain, place + 1);
    for (size_t i = 0; i < next->reasons.count && i < EVIDENCE_MAX; i++) {
        struct guard_failure later = guard_failure_read(next->reasons.items[i]);
        if (later.type == failure->type && slice_eq(later.against, compile->id) &&
            slice_eq(later.source, failure->source) && later.had.ptr && !slice_eq(later.had, failure->had))
            return later.had;
    }
    return (struct slice){0};
}

/* "grad_mode False, default_dtype torch.float64"; ptr NULL: not all are known. */
static struct slice states_of(const struct model *model, const struct compile *compile, struct slice names,
                              struct arena *arena) {
    struct buf text = {0};
    while (names.len) {
        size_t space = slice_find(names, SLICE(" "));
        struct guard_fact fact = {.aspect = ASPECT_GLOBAL, .source = slice_first(names, space)};
        struct slice state = state_of(model, compile, &fact);
        if (!state.ptr) {
            buf_free(&text);
            return (struct slice){0};
        }
        buf_add_str(&text, text.len ? ", " : "");
        buf_addf(&text, "%.*s %.*s", SLICE_ARG(fact.source), SLICE_ARG(state));
        names = space != SIZE_MAX ? slice_trim(slice_from(names, space)) : (struct slice){0};
    }
    return kept(arena, &text);
}

struct guard_failure recompile_reason(const struct model *model, const struct chain *chain, size_t place, size_t nth,
                                      struct arena *arena) {
    const struct compile *to = compile_at(model, chain, place);
    struct guard_failure failure = guard_failure_read(to->reasons.items[nth]);
    size_t against = place_of(model, chain, place, failure.against);
    size_t space = failure.type == GUARD_GLOBAL_STATE ? slice_find(failure.source, SLICE(" ")) : SIZE_MAX;
    const struct compile *from = against == SIZE_MAX ? NULL : compile_at(model, chain, against);
    if (space == SIZE_MAX) {
        complete(model, from, to, &failure, arena);
        failure.has = next_value(model, chain, place, &failure);
    } else {
        failure.had = from ? states_of(model, from, failure.source, arena) : (struct slice){0};
        failure.has = states_of(model, to, failure.source, arena);
    }
    return failure;
}

/* "x.size()[0]" for tensor 'x', in the notation of guard_change.source. */
static struct slice subject(const struct guard_failure *failure, struct arena *arena) {
    static const struct {
        enum guard_type type;
        const char *before, *after;
    } kinds[] = {{GUARD_SIZE, "", ".size()["},
                 {GUARD_STRIDE, "", ".stride()["},
                 {GUARD_RANK, "", ".dim()"},
                 {GUARD_DTYPE, "", ".dtype"},
                 {GUARD_DEVICE, "", ".device"},
                 {GUARD_REQUIRES_GRAD, "", ".requires_grad"},
                 {GUARD_DISPATCH_KEY, "torch._C._dispatch_keys(", ")"},
                 {GUARD_LENGTH, "len(", ")"},
                 {GUARD_TYPE, "type(", ")"}};
    struct buf text = {0};
    size_t k = 0;
    if (aspect_of(failure) == ASPECT_RELATION) {
        guard_readable_add(&text, failure->guard);
        return kept(arena, &text);
    }
    if (failure->type == GUARD_ALIAS && failure->source.ptr) {
        guard_readable_add(&text, failure->source);
        if (failure->detail.ptr) {
            buf_add_lit(&text, " is ");
            guard_readable_add(&text, failure->detail);
        }
        return kept(arena, &text);
    }
    if (!failure->source.ptr)
        return failure->source;
    while (k < sizeof kinds / sizeof *kinds && kinds[k].type != failure->type)
        k++;
    bool kind = k < sizeof kinds / sizeof *kinds && !slice_starts(failure->source, SLICE("type("));
    if (failure->type == GUARD_DICT && failure->detail.ptr)
        buf_addf(&text, "%.*s in ", SLICE_ARG(failure->detail));
    if (failure->type == GUARD_ATTRIBUTE)
        buf_add_lit(&text, "hasattr(");
    buf_add_str(&text, kind ? kinds[k].before : "");
    guard_readable_add(&text, failure->source);
    buf_add_str(&text, kind ? kinds[k].after : "");
    if (failure->type == GUARD_SIZE || failure->type == GUARD_STRIDE)
        buf_addf(&text, "%.*s]", SLICE_ARG(failure->dimension));
    if (failure->type == GUARD_ATTRIBUTE)
        buf_addf(&text, ", %.*s)", SLICE_ARG(failure->detail));
    return kept(arena, &text);
}

/* Moves the change in the reason before those from `at` on. Creates it if the guards do not show it. */
static void lead(const struct model *model, const struct compile *from, const struct compile *to,
                 const struct guard_failure *failure, struct arena *arena, struct step *step, size_t at) {
    struct slice key = from ? key_of(model, from, to, failure) : (struct slice){0}, wanted = subject(failure, arena);
    struct guard_fact fact = guard_key_read(key);
    size_t i = at;
    for (; i < step->changes.count; i++) {
        const struct guard_change *seen = &step->changes.items[i];
        if ((key.ptr && slice_eq(seen->key, key)) || (wanted.ptr && slice_eq(seen->source, wanted)))
            break;
        if (key.ptr && seen->type == GUARD_TYPE && slice_eq(guard_key_read(seen->key).source, fact.source))
            break; /* for example, the value was None and is a tensor */
        if (key.ptr && seen->whole && slice_find(key, guard_key_read(seen->key).source) != SIZE_MAX)
            break; /* a member of a replaced object */
    }
    struct guard_change first;
    if (i == step->changes.count) {
        struct slice has = failure->has;
        first =
            (struct guard_change){.type = failure->type, .key = key, .source = wanted, .had = failure->had, .has = has};
        if (failure->type == GUARD_SIZE && fact.source.ptr) {
            struct buf size = {0};
            buf_add(&size, fact.source);
            buf_addf(&size, ".size()[%.*s]", SLICE_ARG(failure->dimension));
            guard_set_value(model, to, buf_slice(&size), &first.symbol);
            buf_free(&size);
        }
        ARENA_GROW(arena, &step->changes);
        step->changes.count++;
        step->change_count++;
        step->reason_alone = true;
    } else {
        first = step->changes.items[i];
        if (!first.has.ptr && first.type != GUARD_MODULE_MODE)
            first.has = failure->has;
    }
    first.guard = failure->guard;
    memmove(step->changes.items + at + 1, step->changes.items + at, (i - at) * sizeof *step->changes.items);
    step->changes.items[at] = first;
}

/* Puts the reason's guard, and each of the modes in it, before all other differences. */
static void put_reason_first(const struct model *model, const struct compile *from, const struct compile *to,
                             struct guard_failure failure, struct arena *arena, struct step *step) {
    if (failure.type != GUARD_GLOBAL_STATE) {
        lead(model, from, to, &failure, arena, step, 0);
        return;
    }
    struct slice names = failure.source;
    for (size_t at = 0; names.len && at < GUARD_CHANGES_MAX; at++) {
        size_t space = slice_find(names, SLICE(" "));
        struct guard_failure one = failure;
        one.source = slice_first(names, space);
        one.type = slice_is(one.source, "grad_mode") ? GUARD_GRAD_MODE : GUARD_GLOBAL_STATE;
        complete(model, from, to, &one, arena);
        lead(model, from, to, &one, arena, step, at);
        names = space != SIZE_MAX ? slice_trim(slice_from(names, space)) : (struct slice){0};
    }
}

/* The reason against the version at `place`; SIZE_MAX: none. */
static size_t reason_against(const struct model *model, const struct chain *chain, size_t to, size_t place) {
    const struct compile *compile = compile_at(model, chain, to);
    for (size_t i = 0; i < compile->reasons.count && i < NEAREST_MAX; i++) {
        struct guard_failure failure = guard_failure_read(compile->reasons.items[i]);
        if (place_of(model, chain, to, failure.against) == place)
            return i;
    }
    return SIZE_MAX;
}

/* Whether the log's reason against the version says that its arguments have another structure, which the guards of the
 * new version may not show. */
static bool is_other_call(const struct model *model, const struct chain *chain, size_t place, size_t version) {
    size_t reason = reason_against(model, chain, place, version);
    if (reason == SIZE_MAX)
        return false;
    struct guard_failure failure = guard_failure_read(compile_at(model, chain, place)->reasons.items[reason]);
    return failure.type == GUARD_TYPE || failure.type == GUARD_RANK || failure.type == GUARD_LENGTH;
}

/* The nearest versions, the latest first. A version without known differences is as near as one that differs in one
 * guard. */
struct near {
    size_t places[1 + ALSO_NEAR_MAX];
    size_t count;
};

static struct near find_nearest(const struct model *model, const struct chain *chain, size_t place) {
    const struct compile *to = compile_at(model, chain, place);
    struct near near = {.count = 0};
    size_t least = SIZE_MAX;
    if (!guard_set_known(to) || place > STEPS_COMPARED_MAX)
        return near;
    for (size_t back = 1; back <= place && back <= NEAREST_MAX; back++) {
        const struct compile *from = compile_at(model, chain, place - back);
        if (!guard_set_known(from))
            continue;
        size_t differ = guard_changes_distance(model, from, to);
        if (differ < GUARD_DISTANCE_STRUCTURE && is_other_call(model, chain, place, place - back))
            differ += GUARD_DISTANCE_STRUCTURE;
        differ = differ ? differ : 1;
        if (differ < least)
            near.count = 0;
        if (differ <= least && near.count < sizeof near.places / sizeof *near.places)
            near.places[near.count++] = place - back;
        least = differ < least ? differ : least;
    }
    return near;
}

/* Changes that follow from a replaced object come first, unless the log's reason states another guard. */
static void put_objects_first(struct step *step) {
    size_t i = step->reason_leads ? step->changes.count : 0;
    while (i < step->changes.count && !step->changes.items[i].whole)
        i++;
    if (i == 0 || i == step->changes.count)
        return;
    struct guard_change object = step->changes.items[i];
    memmove(step->changes.items + 1, step->changes.items, i * sizeof *step->changes.items);
    step->changes.items[0] = object;
}

/* A symbol that was finally specialized is a constant of this version, not dynamic. */
static void drop_specialized(const struct compile *to, struct step *step) {
    for (size_t i = 0; i < step->changes.count; i++) {
        struct guard_change *change = &step->changes.items[i];
        const struct shape_record *fact = change->symbol.ptr ? to->shapes[SHAPE_SPECIALIZATION].first : NULL;
        while (fact && !slice_eq(fact->symbol, change->symbol))
            fact = fact->next;
        if (fact)
            change->symbol = (struct slice){0};
    }
}

/* Compares the compile at `place` with the version at `nearest`; SIZE_MAX: its guards are unknown. */
static struct step step_from(const struct model *model, const struct chain *chain, size_t place, size_t nearest,
                             struct arena *arena) {
    const struct compile *to = compile_at(model, chain, place);
    struct step step = {.compile = chain->compiles.items[place], .nearest = NO_VERSION};
    size_t reason = SIZE_MAX;
    if (nearest != SIZE_MAX)
        reason = reason_against(model, chain, place, nearest);
    else if (to->reasons.count)
        nearest = place_of(model, chain, place, guard_failure_read(to->reasons.items[0]).against);
    if (reason == SIZE_MAX && to->reasons.count && (nearest == SIZE_MAX || !guard_set_known(to)))
        reason = 0;
    const struct compile *from = nearest == SIZE_MAX ? NULL : compile_at(model, chain, nearest);
    if (from) {
        step.nearest = chain->compiles.items[nearest];
        step.change_count = guard_changes_find(model, from, to, arena, &step.changes);
    }
    if (!step.changes.count && reason == SIZE_MAX && to->reasons.count)
        reason = 0;
    if (reason != SIZE_MAX) {
        struct guard_failure failure = recompile_reason(model, chain, place, reason, arena);
        size_t against = place_of(model, chain, place, failure.against);
        step.reason = to->reasons.items[reason];
        if (against != nearest && against != SIZE_MAX) { /* it is only known that the nearest one did not match */
            from = compile_at(model, chain, against);
            step.nearest = chain->compiles.items[against];
        }
        step.reason_leads = true;
        put_reason_first(model, from, to, failure, arena, &step);
    }
    put_objects_first(&step);
    drop_specialized(to, &step);
    return step;
}

static bool same_subject(const struct guard_change *a, const struct guard_change *b) {
    return a->type == b->type && slice_eq(a->source, b->source);
}

/* Keeps a version that is as near, if something else differs in it: either may be the cause. */
static void add_also_near(struct step *step, const struct step *other) {
    const struct guard_change *change = other->changes.count ? &other->changes.items[0] : NULL;
    bool known = !change || !change->source.ptr || !step->changes.count || step->also_count == ALSO_NEAR_MAX ||
                 same_subject(change, &step->changes.items[0]);
    for (size_t i = 0; i < step->also_count && !known; i++)
        known = same_subject(change, &step->also[i].change);
    if (!known)
        step->also[step->also_count++] = (struct also_near){other->nearest, *change};
}

/* Whether the log's reason states one difference more than those by which the guards measure the distance. */
static bool is_farther(const struct step *step) {
    return step->reason_alone && step->change_count > 1;
}

struct step recompile_step(const struct model *model, const struct chain *chain, size_t place, struct arena *arena) {
    struct near near = find_nearest(model, chain, place);
    struct step step = step_from(model, chain, place, near.count ? near.places[0] : SIZE_MAX, arena);
    for (size_t i = 1; i < near.count; i++) {
        struct step other = step_from(model, chain, place, near.places[i], arena);
        if (is_farther(&step) && !is_farther(&other))
            step = other;
        else if (is_farther(&step) == is_farther(&other))
            add_also_near(&step, &other);
    }
    if (place > STEPS_COMPARED_MAX && step.changes.count > 1) {
        step.changes.count = 1;
        step.changes.items = mem_realloc(step.changes.items, 1, sizeof *step.changes.items);
        step.changes.cap = 1;
    }
    return step;
}

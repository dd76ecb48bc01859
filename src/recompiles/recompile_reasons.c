/* The reasons in the log for one recompile, completed with values from the guards of both versions. */

#include "recompiles/recompile_reasons.h"

#include "recompiles/object_names.h"
#include "scan/guard_text.h"

const struct compile *chain_compile(const struct model *model, const struct chain *chain, size_t place) {
    return model->compiles.items[chain->compiles.items[place]];
}

/* The index in the chain of the compile "0/1", before `end`; SIZE_MAX: none. */
size_t chain_place(const struct model *model, const struct chain *chain, size_t end, struct slice id) {
    uint64_t number;
    size_t low = 0, slash = slice_rfind_byte(id, '/');
    struct slice digits = slash != SIZE_MAX ? slice_from(id, slash + 1) : (struct slice){0};
    if (!slice_to_u64(slice_first(digits, slice_find(digits, SLICE("_"))), &number))
        return SIZE_MAX;
    SEARCH(low, end, middle, chain_compile(model, chain, middle)->frame_compile_id < (int64_t)number);
    return low < end && chain_compile(model, chain, low)->frame_compile_id == (int64_t)number ? low : SIZE_MAX;
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
struct slice reason_key(const struct model *model, const struct compile *from, const struct compile *to,
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
static struct slice identity_of(const struct model *model, const struct chain *chain, const struct compile *compile,
                                struct slice source, struct arena *arena) {
    struct slice object = object_name(model, chain, compile, ASPECT_OBJECT, source, arena);
    return object.ptr ? object : class_of(model, compile, source);
}

/* For a dict with guards on its items: the minimum length, because there may be items without guards. */
static struct slice length_of(const struct model *model, const struct compile *compile, struct slice source,
                              struct slice had, struct arena *arena) {
    struct slice none = {0}, length = guard_set_get(model, compile, ASPECT_LENGTH, none, source);
    struct slice pairs = guard_set_get(model, compile, ASPECT_PAIRS, none, source);
    uint64_t wanted, least;
    struct buf text = {0};
    if (!length.ptr && slice_to_u64(pairs, &least) && slice_to_u64(had, &wanted) && least > wanted) {
        buf_addf(&text, "at least %" PRIu64, least);
        return kept(arena, &text);
    }
    return length;
}

/* "torch.float64" for "Double": reasons use one name, guards the other. */
static struct slice state_of(const struct model *model, const struct compile *compile, const struct guard_fact *fact) {
    return guard_set_get(model, compile, fact->aspect, fact->detail, fact->source);
}

/* The value in the compile if the reason only says that it was not nan, or not None: the number that the compile was
 * for, or a class. ptr NULL: not logged. */
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

/* "8", "-2.5", "1e-05" */
static bool is_number(struct slice text) {
    bool digits = false;
    for (size_t i = 0; i < text.len; i++) {
        bool digit = text.ptr[i] >= '0' && text.ptr[i] <= '9';
        if (!digit && slice_find(SLICE(".-+e"), slice_make(text.ptr + i, 1)) == SIZE_MAX)
            return false;
        digits |= digit;
    }
    return digits;
}

/* "8" for L['n'] if a condition among the guards is "L['n'] == 8", as for a number that was dynamic and is a constant. */
static struct slice constant_in(const struct model *model, const struct compile *compile, struct slice source) {
    static const struct slice equals = SLICE_INIT(" == ");
    struct slice key, holds, found = {0};
    AUTO_BUF name = {0};
    for (uint32_t i = 0; source.len && !found.ptr && guard_set_fact(model, compile, i, &key, &holds); i++) {
        struct guard_fact fact = guard_key_read(key);
        size_t at = fact.aspect == ASPECT_RELATION ? slice_find(fact.source, equals) : SIZE_MAX;
        struct slice number = at == SIZE_MAX ? found : slice_from(fact.source, at + equals.len);
        if (!is_number(number))
            continue;
        struct slice left = guard_float_name(slice_first(fact.source, at));
        name.len = 0;
        guard_readable_add(&name, left);
        if (slice_eq(left, source) || slice_eq(buf_slice(&name), source))
            found = number;
    }
    return found;
}

/* Finds the new value of a number that only occurs in conditions of the guards. */
static void complete_number(const struct model *model, const struct compile *to, struct guard_failure *failure) {
    if (failure->has.ptr || !guard_set_known(to) || (failure->type != GUARD_VALUE && failure->type != GUARD_FLOAT))
        return;
    struct slice value = constant_in(model, to, failure->source);
    if (!value.ptr)
        value = guard_set_value(model, to, failure->source, NULL);
    failure->has = slice_eq(value, failure->had) ? (struct slice){0} : value;
}

/* A mode that is no longer True is False, and vice versa; ptr NULL: it was neither. */
static struct slice other_of_two(struct slice had) {
    return slice_is(had, "True") ? SLICE("False") : slice_is(had, "False") ? SLICE("True") : (struct slice){0};
}

/* Completes a reason with the guards of the two compiles. `to` may have none. */
void reason_complete(const struct model *model, const struct chain *chain, const struct compile *from,
                     const struct compile *to, struct guard_failure *failure, struct arena *arena) {
    struct slice key = reason_key(model, from, to, failure);
    struct guard_fact fact = guard_key_read(key);
    if (failure->type == GUARD_GLOBAL_STATE || failure->type == GUARD_GRAD_MODE) {
        fact = (struct guard_fact){.aspect = ASPECT_GLOBAL, .source = failure->source};
        failure->had = from ? state_of(model, from, &fact) : (struct slice){0};
        failure->has = state_of(model, to, &fact);
        if (!failure->has.ptr)
            failure->has = other_of_two(failure->had);
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
        struct slice had = from ? identity_of(model, chain, from, fact.source, arena) : (struct slice){0};
        failure->had = had.ptr ? had : failure->had;
    }
    if (!key.ptr)
        complete_number(model, to, failure);
    if (!key.ptr || !guard_set_known(to))
        return;
    if (failure->type == GUARD_IDENTITY) {
        failure->has = identity_of(model, chain, to, fact.source, arena);
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
 * on these guards. */
static struct slice next_value(const struct model *model, const struct chain *chain, size_t place,
                               const struct guard_failure *failure) {
    if (failure->has.ptr || !failure->source.ptr || place + 1 >= chain->compiles.count)
        return failure->has;
    const struct compile *compile = chain_compile(model, chain, place), *next = chain_compile(model, chain, place + 1);
    for (size_t i = 0; i < next->reasons.count && i < EVIDENCE_MAX; i++) {
        struct guard_failure later = guard_failure_read(next->reasons.items[i]);
        if (later.type == failure->type && slice_eq(later.against, compile->id) &&
            slice_eq(later.source, failure->source) && later.had.ptr && !slice_eq(later.had, failure->had))
            return later.had;
    }
    return (struct slice){0};
}

/* "grad_mode False, default_dtype torch.float64"; ptr NULL: some are unknown. */
static struct slice states_of(const struct model *model, const struct compile *compile, struct slice names,
                              struct arena *arena) {
    AUTO_BUF text = {0};
    while (names.len) {
        size_t space = slice_find(names, SLICE(" "));
        struct guard_fact fact = {.aspect = ASPECT_GLOBAL, .source = slice_first(names, space)};
        struct slice state = state_of(model, compile, &fact);
        if (!state.ptr) {
            return (struct slice){0};
        }
        BUF_ADD(&text, text.len ? ", " : "", fact.source, " ", state);
        names = space != SIZE_MAX ? slice_trim(slice_from(names, space)) : (struct slice){0};
    }
    return kept(arena, &text);
}

struct guard_failure recompile_reason(const struct model *model, const struct chain *chain, size_t place, size_t nth,
                                      struct arena *arena) {
    const struct compile *to = chain_compile(model, chain, place);
    struct guard_failure failure = guard_failure_read(to->reasons.items[nth]);
    size_t against = chain_place(model, chain, place, failure.against);
    size_t space = failure.type == GUARD_GLOBAL_STATE ? slice_find(failure.source, SLICE(" ")) : SIZE_MAX;
    const struct compile *from = against == SIZE_MAX ? NULL : chain_compile(model, chain, against);
    if (space == SIZE_MAX) {
        reason_complete(model, chain, from, to, &failure, arena);
        failure.has = next_value(model, chain, place, &failure);
        if (failure.type == GUARD_LENGTH && !failure.has.ptr && slice_is(failure.had, "0"))
            failure.has = SLICE("at least 1");
    } else {
        failure.had = from ? states_of(model, from, failure.source, arena) : (struct slice){0};
        failure.has = states_of(model, to, failure.source, arena);
    }
    if (failure.type == GUARD_TYPE) {
        failure.had = slice_is(failure.had, "NoneType") ? SLICE("None") : failure.had;
        failure.has = slice_is(failure.has, "NoneType") ? SLICE("None") : failure.has;
    }
    return failure;
}

/* "x.size()[0]" for tensor 'x', in the notation of guard_change.source. */
struct slice reason_subject(const struct guard_failure *failure, struct arena *arena) {
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

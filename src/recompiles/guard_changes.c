
#include "recompiles/guard_changes.h"

#include "recompiles/guard_relations.h"
#include "scan/guard_text.h"
#include "scan/library.h"

enum { RELATIONS_MAX = 1000, SAME_SIZES_MAX = 16, SEEN_MAX = 16 };
enum { OBJECTS_MAX = 8, OBJECTS_TRIED_MAX = 64 };

static struct slice get(const struct model *model, const struct compile *compile, enum guard_aspect aspect,
                        struct slice source) {
    return guard_set_get(model, compile, aspect, (struct slice){0}, source);
}

/* A failing condition: the values of its sizes, and the condition with these values. */
struct failing {
    struct buf values, numbers;
};

/* The same size in several tensors, such as the batch, is one difference. */
struct seen_change {
    enum guard_type type;
    struct slice had, has;
};

struct comparison {
    const struct model *model;
    const struct compile *from, *to;
    struct arena *arena;
    guard_changes *changes;
    size_t count, relations;
    uint64_t *suspects; /* facts of `from` that may fail in `to` */
    size_t suspect_count;
    struct slice typed; /* the source whose type change was counted most recently */
    /* Sources whose object or class changed; guards on their members follow from that */
    struct slice objects[OBJECTS_MAX];
    size_t object_count;
    struct failing failing[SAME_SIZES_MAX]; /* if `distance` is wanted */
    size_t failing_count, repeated;         /* repeated: changes that follow from one that was counted */
    struct buf dynamic[SAME_SIZES_MAX]; /* constant sizes and numbers that became symbols, if the caller wants them */
    size_t dynamic_count;
    size_t structures, states; /* changes in the structure of the arguments, and of the state of `self` */
    struct seen_change seen[SEEN_MAX];
    size_t seen_count;
    bool distance;
};

static struct slice keep(struct comparison *c, struct buf *text) {
    struct slice kept = arena_slice(c->arena, buf_slice(text));
    buf_free(text);
    return kept;
}

bool guard_is_state(struct slice source) {
    static const struct slice self = SLICE_INIT("self"), local = SLICE_INIT("L['self']"),
                              modules = SLICE_INIT("._modules[");
    struct slice rest = slice_starts(source, local) ? slice_from(source, local.len)
                      : slice_starts(source, self)  ? slice_from(source, self.len)
                                                    : (struct slice){0};
    for (size_t at; rest.len && (at = slice_find(rest, modules)) != SIZE_MAX;) {
        rest = slice_from(rest, at + modules.len);
        at = slice_find(rest, SLICE("]"));
        rest = at == SIZE_MAX ? (struct slice){0} : slice_from(rest, at + 1);
    }
    return rest.len && rest.ptr[0] == '.';
}

/* Whether a call with such a difference is another kind of call: it has other arguments, types, ranks, or members. */
static bool is_structure(enum guard_type type, const struct guard_fact *fact, struct slice had, struct slice has) {
    return type == GUARD_TYPE || type == GUARD_RANK || type == GUARD_LENGTH || type == GUARD_DICT ||
           (type == GUARD_ATTRIBUTE && fact->aspect != ASPECT_MARK) ||
           (type == GUARD_VALUE && slice_is(had, "None") != slice_is(has, "None"));
}

static void note_structure(struct comparison *c, const struct guard_fact *fact) {
    if (guard_is_state(fact->source))
        c->states++;
    else
        c->structures++;
}

/* Whether the difference was already counted for another source: the same sizes, dtypes, devices, or dispatch keys (a
 * mode changes them for all tensors). All strides of a tensor are one difference, too. */
static bool is_repeated(struct comparison *c, enum guard_type type, struct slice had, struct slice has) {
    if (type != GUARD_SIZE && type != GUARD_STRIDE && type != GUARD_DTYPE && type != GUARD_DEVICE &&
        type != GUARD_DISPATCH_KEY)
        return false;
    for (size_t i = 0; i < c->seen_count; i++)
        if (c->seen[i].type == type && slice_eq(c->seen[i].had, had) && slice_eq(c->seen[i].has, has))
            return true;
    if (c->seen_count < SEEN_MAX)
        c->seen[c->seen_count++] = (struct seen_change){type, had, has};
    return false;
}

static struct guard_change *change(struct comparison *c, enum guard_type type, struct slice key, struct slice had,
                                   struct slice has) {
    struct guard_fact fact = guard_key_read(key);
    c->count++;
    if (c->distance) {
        if (is_structure(type, &fact, had, has))
            note_structure(c, &fact);
        c->repeated +=
            type == GUARD_STRIDE ? is_repeated(c, type, fact.source, fact.source) : is_repeated(c, type, had, has);
    }
    if (!c->changes || c->changes->count == GUARD_CHANGES_MAX)
        return NULL;
    ARENA_GROW(c->arena, c->changes);
    struct guard_change *made = &c->changes->items[c->changes->count++];
    *made = (struct guard_change){.type = type, .aspect = fact.aspect, .key = key, .had = had, .has = has};
    return made;
}

/* "x.dtype" and "L['x'].dtype" from a format with one source. */
static struct slice say(struct comparison *c, const char *before, struct slice source, const char *after, bool plain) {
    struct buf text = {0};
    buf_add_str(&text, before);
    if (plain)
        guard_readable_add(&text, source);
    else
        buf_add(&text, source);
    buf_add_str(&text, after);
    return keep(c, &text);
}

static void add_other_type(struct comparison *c, struct slice key, const struct guard_fact *fact, struct slice had,
                           struct slice has) {
    if (slice_eq(c->typed, fact->source))
        return;
    c->typed = fact->source;
    struct guard_change *made = change(c, GUARD_TYPE, key, slice_is(had, "NoneType") ? SLICE("None") : had,
                                       slice_is(has, "NoneType") ? SLICE("None") : has);
    if (!made)
        return;
    made->guard = say(c, "type(", fact->source, ")", false);
    made->source = say(c, "type(", fact->source, ")", true);
}

/* Reports that the value has another type. Returns false if that is unknown. */
static bool compare_type(struct comparison *c, struct slice key, const struct guard_fact *fact) {
    struct slice had = get(c->model, c->from, ASPECT_TYPE, fact->source),
                 has = get(c->model, c->to, ASPECT_TYPE, fact->source);
    if (!had.ptr || !has.ptr || slice_eq(had, has))
        return false;
    add_other_type(c, key, fact, had, has);
    return true;
}

/* Notes the name of a number that is constant in `from` and a symbol in `to`. */
static void note_dynamic(struct comparison *c, struct slice expression, struct slice symbol) {
    if (c->distance && symbol.ptr && c->dynamic_count < SAME_SIZES_MAX)
        buf_add(&c->dynamic[c->dynamic_count++], expression);
}

static void compare_value(struct comparison *c, struct slice key, const struct guard_fact *fact, struct slice had) {
    struct slice symbol = {0}, has = get(c->model, c->to, ASPECT_VALUE, fact->source);
    if (!has.ptr) {
        if (compare_type(c, key, fact))
            return;
        has = guard_set_value(c->model, c->to, fact->source, &symbol);
    } else if (slice_is(had, "None") != slice_is(has, "None") && compare_type(c, key, fact)) {
        return;
    }
    if (!has.ptr || slice_eq(has, had))
        return;
    note_dynamic(c, fact->source, symbol);
    struct guard_change *made = change(c, guard_type_of_value(fact->source, had), key, had, has);
    if (!made)
        return;
    struct buf guard = {0};
    buf_add(&guard, fact->source);
    buf_addf(&guard, slice_is(had, "None") ? " is %.*s" : " == %.*s", SLICE_ARG(had));
    made->guard = keep(c, &guard);
    made->source = say(c, "", fact->source, "", true);
    made->symbol = symbol;
    if (slice_starts(fact->source, SLICE("list(dict.keys(")))
        made->type = GUARD_DICT;
}

/* The class in a fact "1396… code"; "an object" or "a class" if it is not logged, as up to PyTorch 2.8. */
static struct slice class_in(struct slice value, enum guard_aspect aspect) {
    size_t space = slice_find(value, SLICE(" "));
    struct slice name = space != SIZE_MAX ? slice_from(value, space + 1) : (struct slice){0};
    return name.len ? name : aspect == ASPECT_CLASS ? SLICE("a class") : SLICE("an object");
}

static void compare_identity(struct comparison *c, struct slice key, const struct guard_fact *fact, struct slice had) {
    bool object = fact->aspect == ASPECT_OBJECT;
    struct slice none = {0}, has = get(c->model, c->to, fact->aspect, fact->source);
    if (!has.ptr) {
        compare_type(c, key, fact);
        return;
    }
    if (slice_eq(had, has) || (slice_eq(c->typed, fact->source) && !object))
        return;
    struct guard_change *made = change(c, object ? GUARD_IDENTITY : GUARD_TYPE, key, none, none);
    if (!object)
        c->typed = fact->source;
    if (!made)
        return;
    made->guard = say(c, object ? "___check_obj_id(" : "___check_type_id(", fact->source, ")", false);
    made->source = say(c, object ? "" : "type(", fact->source, object ? "" : ")", true);
    if (object && slice_ends(fact->source,
                             SLICE(".training"))) { /* True or False; up to PyTorch 2.6, the log does not show which */
        made->type = GUARD_MODULE_MODE;
        return;
    }
    made->had = class_in(had, fact->aspect);
    made->has = class_in(has, fact->aspect);
}

/* The number of items of a dict whose keys are strings: if the code iterates over it, PyTorch guards on each key. 0:
 * unknown. */
static size_t count_keys(const struct model *model, const struct compile *compile, struct slice source) {
    AUTO_BUF key = {0};
    size_t count = 0;
    for (bool more = true; more; count += more) {
        key.len = 0;
        buf_addf(&key, "list(dict.keys(%.*s))[%zu]", SLICE_ARG(source), count);
        struct slice name = get(model, compile, ASPECT_VALUE, buf_slice(&key));
        more = name.len && (name.ptr[0] == '\'' || name.ptr[0] == '"');
    }
    return count;
}

static void add_length(struct comparison *c, struct slice key, const struct guard_fact *fact, size_t had, size_t has) {
    AUTO_BUF before = {0}, now = {0}, guard = {0};
    buf_addf(&before, "%zu", had);
    buf_addf(&now, "%zu", has);
    buf_addf(&guard, "len(%.*s) == %zu", SLICE_ARG(fact->source), had);
    struct guard_change *made = change(c, GUARD_LENGTH, key, buf_slice(&before), buf_slice(&now));
    if (made) {
        made->source = say(c, "len(", fact->source, ")", true);
        made->had = arena_slice(c->arena, made->had);
        made->has = arena_slice(c->arena, made->has);
        made->guard = arena_slice(c->arena, buf_slice(&guard));
    }
}

/* For a dict with guards on its items, the tree does not state the length: different items make another kind of call.
 */
static void compare_items(struct comparison *c, struct slice key, const struct guard_fact *fact, struct slice had) {
    size_t before = count_keys(c->model, c->from, fact->source),
           now = before ? count_keys(c->model, c->to, fact->source) : 0;
    if (now && now != before && fact->aspect == ASPECT_PAIRS) {
        add_length(c, key, fact, before, now);
        return;
    }
    struct slice pairs = get(c->model, c->to, ASPECT_PAIRS, fact->source);
    struct slice has = pairs.ptr ? pairs : get(c->model, c->to, ASPECT_LENGTH, fact->source);
    if (c->distance && has.ptr && !slice_eq(had, has)) {
        c->count++;
        note_structure(c, fact);
    }
}

/* Whether `to` reads an attribute that the object itself did not have: L['m'].k for "'k' in L['m'].__dict__". An
 * attribute of the class is read from type(L['m']). */
static bool has_got(const struct comparison *c, const struct guard_fact *fact, struct slice had) {
    static const struct slice members = SLICE_INIT(".__dict__");
    if (fact->aspect != ASPECT_KEY || !slice_is(had, "False") || fact->detail.len < 3 ||
        !slice_ends(fact->source, members))
        return false;
    AUTO_BUF text = {0};
    buf_addf(&text, "%.*s.%.*s", (int)(fact->source.len - members.len), fact->source.ptr, (int)(fact->detail.len - 2),
             fact->detail.ptr + 1);
    bool got = get(c->model, c->to, ASPECT_TYPE, buf_slice(&text)).ptr ||
               get(c->model, c->to, ASPECT_VALUE, buf_slice(&text)).ptr;
    return got;
}

/* Facts that both compiles must have to differ in them, and their readable form. */
static void compare_plain(struct comparison *c, struct slice key, const struct guard_fact *fact, struct slice had) {
    static const struct {
        enum guard_aspect aspect;
        enum guard_type type;
        const char *before, *after;
    } kinds[] = {{ASPECT_LENGTH, GUARD_LENGTH, "len(", ")"},
                 {ASPECT_KEY, GUARD_DICT, "", ""},
                 {ASPECT_ATTRIBUTE, GUARD_ATTRIBUTE, "", ""},
                 {ASPECT_MARK, GUARD_ATTRIBUTE, "", ""},
                 {ASPECT_KEYSET, GUARD_DISPATCH_KEY, "torch._C._dispatch_keys(", ")"},
                 {ASPECT_DTYPE, GUARD_DTYPE, "", ".dtype"},
                 {ASPECT_DEVICE, GUARD_DEVICE, "", ".device"},
                 {ASPECT_GRAD, GUARD_REQUIRES_GRAD, "", ".requires_grad"},
                 {ASPECT_RANK, GUARD_RANK, "", ".dim()"},
                 {ASPECT_GLOBAL, GUARD_GLOBAL_STATE, "", ""}};
    struct slice has = guard_set_get(c->model, c->to, fact->aspect, fact->detail, fact->source);
    size_t k = 0;
    if (!has.ptr && has_got(c, fact, had))
        has = SLICE("True");
    if (fact->aspect == ASPECT_LENGTH && !has.ptr)
        compare_items(c, key, fact, had);
    while (k < sizeof kinds / sizeof *kinds && kinds[k].aspect != fact->aspect)
        k++;
    if (!has.ptr || slice_eq(had, has) || k == sizeof kinds / sizeof *kinds ||
        (fact->aspect == ASPECT_MARK && had.len)) /* a mark may be removed */
        return;
    struct guard_change *made = change(c, kinds[k].type, key, had, has);
    if (!made)
        return;
    made->source = say(c, kinds[k].before, fact->source, kinds[k].after, true);
    struct buf text = {0}, guard = {0};
    if (fact->aspect == ASPECT_KEY) {
        buf_addf(&text, "%.*s in ", SLICE_ARG(fact->detail));
        guard_readable_add(&text, fact->source);
    } else if (fact->aspect == ASPECT_ATTRIBUTE) {
        buf_add_lit(&text, "hasattr(");
        guard_readable_add(&text, fact->source);
        buf_addf(&text, ", %.*s)", SLICE_ARG(fact->detail));
    } else if (fact->aspect == ASPECT_MARK) {
        guard_readable_add(&text, fact->source);
        buf_addf(&text, ".%.*s", SLICE_ARG(fact->detail));
        made->had = SLICE("not set");
    } else if (fact->aspect == ASPECT_KEYSET) {
        struct slice before = slice_first(had, slice_find(had, SLICE(", "))),
                     after = slice_first(has, slice_find(has, SLICE(", ")));
        if (!slice_eq(before, after)) { /* the backend comes first */
            made->type = GUARD_DEVICE;
            made->source = say(c, "", fact->source, ".device", true);
            made->had = before;
            made->has = after;
        }
    }
    if (text.len)
        made->source = keep(c, &text);
    if (slice_is(fact->source, "grad_mode") && fact->aspect == ASPECT_GLOBAL)
        made->type = GUARD_GRAD_MODE;
    BUF_ADD(&guard, made->source, " == ", made->had);
    made->guard = keep(c, &guard);
}

static bool size_of(const struct model *model, const struct compile *compile, struct slice source, uint64_t dimension,
                    uint64_t *size) {
    AUTO_BUF expression = {0};
    BUF_ADD(&expression, source, ".size()[", dimension, "]");
    struct slice value = guard_set_value(model, compile, buf_slice(&expression), NULL);
    return slice_to_u64(value, size);
}

/* Strides of a contiguous tensor follow from its sizes and are not separate changes. The stride of a dimension of size
 * 1 is never used, so it may have any value. */
static bool follows_sizes(const struct model *model, const struct compile *compile, struct slice source,
                          uint64_t dimension, struct slice stride) {
    uint64_t rank, wanted = 1, size, is;
    struct slice text = get(model, compile, ASPECT_RANK, source);
    if (!slice_to_u64(text, &rank) || rank > 64 || !slice_to_u64(stride, &is))
        return false;
    if (size_of(model, compile, source, dimension, &size) && size == 1)
        return true;
    for (uint64_t d = dimension + 1; d < rank; d++) {
        if (!size_of(model, compile, source, d, &size) || (size && wanted > UINT64_MAX / size))
            return false;
        wanted *= size;
    }
    return wanted == is;
}

static void compare_dimension(struct comparison *c, struct slice key, const struct guard_fact *fact, struct slice had) {
    bool size = fact->aspect == ASPECT_SIZE;
    struct slice symbol = {0}, rank = get(c->model, c->from, ASPECT_RANK, fact->source);
    AUTO_BUF expression = {0};
    uint64_t dimension = 0;
    slice_to_u64(fact->detail, &dimension);
    if (slice_is(had, "None") || !slice_eq(rank, get(c->model, c->to, ASPECT_RANK, fact->source)))
        return;
    BUF_ADD(&expression, fact->source, size ? ".size()[" : ".stride()[", fact->detail, "]");
    struct slice has = guard_set_value(c->model, c->to, buf_slice(&expression), &symbol);
    bool follows = !size && has.ptr && follows_sizes(c->model, c->from, fact->source, dimension, had) &&
                   follows_sizes(c->model, c->to, fact->source, dimension, has);
    if (size && has.ptr && !slice_eq(has, had))
        note_dynamic(c, buf_slice(&expression), symbol);
    struct guard_change *made =
        !has.ptr || slice_eq(has, had) || follows ? NULL : change(c, size ? GUARD_SIZE : GUARD_STRIDE, key, had, has);
    if (made) {
        made->source = say(c, "", buf_slice(&expression), "", true);
        made->symbol = symbol;
        buf_addf(&expression, " == %.*s", SLICE_ARG(had));
        made->guard = arena_slice(c->arena, buf_slice(&expression));
    }
}

/* A size that fails one condition fails every related one: x % 2 == 0, and x == 2*(x // 2), which PyTorch 2.6 adds. The
 * same size in several tensors fails the same condition on each. */
static void note_repeated(struct comparison *c, struct slice code) {
    struct failing failing = {0};
    bool seen = false;
    guard_relation_add_values(&failing.values, c->model, c->to, code);
    guard_relation_add_numbers(&failing.numbers, c->model, c->to, code);
    for (size_t i = 0; i < c->failing_count && !seen; i++)
        seen = slice_eq(buf_slice(&c->failing[i].values), buf_slice(&failing.values)) ||
               (failing.numbers.len && slice_eq(buf_slice(&c->failing[i].numbers), buf_slice(&failing.numbers)));
    c->repeated += seen;
    if (!seen && failing.values.len && c->failing_count < SAME_SIZES_MAX) {
        c->failing[c->failing_count++] = failing;
        return;
    }
    buf_free(&failing.values);
    buf_free(&failing.numbers);
}

/* "L['t'] == 0.25": a float that began as a symbol and is a constant of the version. */
static bool compare_float(struct comparison *c, struct slice relation, struct slice code) {
    struct fixed_float fixed;
    if (!guard_relation_float(c->model, c->to, code, &fixed))
        return false;
    struct guard_change *made = change(c, GUARD_FLOAT, relation, fixed.had, fixed.has);
    struct buf key = {0};
    if (made) {
        guard_key_add(&key, ASPECT_VALUE, (struct slice){0}, fixed.name);
        made->key = keep(c, &key);
        made->aspect = ASPECT_VALUE;
        made->source = say(c, "", fixed.name, "", true);
        made->symbol = fixed.symbol;
        made->guard = code;
    }
    return true;
}

static void compare_relation(struct comparison *c, struct slice key, struct slice code) {
    if (++c->relations > RELATIONS_MAX || compare_float(c, key, code))
        return;
    int holds = guard_relation_holds(c->model, c->to, code);
    if (holds > 0 || (holds < 0 && !guard_relation_opposite_known(c->model, c->to, code)))
        return;
    if (c->distance)
        note_repeated(c, code);
    struct guard_change *made =
        change(c, slice_find(code, SLICE(" % ")) == SIZE_MAX ? GUARD_RELATION : GUARD_DIVISIBILITY, key,
               (struct slice){0}, (struct slice){0});
    if (made)
        guard_relation_say(made, c->model, c->to, code, c->arena);
}

void guard_relation_say(struct guard_change *made, const struct model *model, const struct compile *to,
                        struct slice code, struct arena *arena) {
    AUTO_BUF source = {0}, values = {0};
    guard_readable_add(&source, code);
    guard_relation_add_values(&values, model, to, code);
    if (!made->guard.ptr)
        made->guard = code;
    made->source = arena_slice(arena, buf_slice(&source));
    made->had = SLICE("True");
    if (values.len)
        made->has = arena_slice(arena, buf_slice(&values));
    else if (guard_set_known(to))
        made->has = SLICE("False");
}

static void say_alias(struct comparison *c, struct slice key, bool was) {
    struct guard_fact fact = guard_key_read(key);
    struct guard_change *made =
        change(c, GUARD_ALIAS, key, was ? SLICE("True") : SLICE("False"), was ? SLICE("False") : SLICE("True"));
    struct buf guard = {0}, source = {0};
    if (!made)
        return;
    buf_addf(&guard, "%.*s is %.*s", SLICE_ARG(fact.source), SLICE_ARG(fact.detail));
    guard_readable_add(&source, fact.source);
    buf_add_lit(&source, " is ");
    guard_readable_add(&source, fact.detail);
    made->guard = keep(c, &guard);
    made->source = keep(c, &source);
}

static bool are_distinct(const struct model *model, const struct compile *compile, const struct guard_fact *fact) {
    return get(model, compile, ASPECT_DISTINCT, fact->source).ptr &&
           get(model, compile, ASPECT_DISTINCT, fact->detail).ptr;
}

static bool is_none(const struct model *model, const struct compile *compile, struct slice source) {
    return slice_is(get(model, compile, ASPECT_VALUE, source), "None");
}

/* Two sources that were the same object are two tensors now, or one of them is None. */
static void compare_alias(struct comparison *c, struct slice key, const struct guard_fact *fact) {
    if (are_distinct(c->model, c->to, fact) ||
        is_none(c->model, c->to, fact->source) != is_none(c->model, c->to, fact->detail))
        say_alias(c, key, true);
}

/* Whether the code names the source or a member of it: L['m'].k names L['m'], but L['m'].inner does not name
 * L['m'].inn. */
static bool names_source(struct slice code, struct slice source) {
    for (size_t at; (at = slice_find(code, source)) != SIZE_MAX;) {
        code = slice_from(code, at + source.len);
        if (!code.len || !is_word(code.ptr[0]))
            return true;
    }
    return false;
}

/* Whether the guard is on an object that was replaced, or on its members. */
static bool is_consequence(const struct comparison *c, struct slice key) {
    for (size_t i = 0; i < c->object_count; i++)
        if (names_source(key, c->objects[i]))
            return true;
    return false;
}

/* Reports that two tensors are the same object now. */
static void compare_distinct(struct comparison *c) {
    for (uint32_t i = 0; i < c->to->guard_fact_count; i++) {
        struct slice key = guard_set_key_of(c->model, c->to->guard_facts[i]);
        struct guard_fact fact;
        if (!key.len || key.ptr[0] != ASPECT_ALIAS || is_consequence(c, key))
            continue;
        fact = guard_key_read(key);
        if (are_distinct(c->model, c->from, &fact))
            say_alias(c, key, false);
    }
}

static void compare_fact(struct comparison *c, struct slice key, struct slice had) {
    struct guard_fact fact = guard_key_read(key);
    switch (fact.aspect) {
    case ASPECT_VALUE:
        compare_value(c, key, &fact, had);
        break;
    case ASPECT_CLASS:
    case ASPECT_OBJECT:
        compare_identity(c, key, &fact, had);
        break;
    case ASPECT_SIZE:
    case ASPECT_STRIDE:
        compare_dimension(c, key, &fact, had);
        break;
    case ASPECT_RELATION:
        compare_relation(c, key, fact.source);
        break;
    case ASPECT_DTYPE:
        if (!get(c->model, c->to, ASPECT_DTYPE, fact.source).ptr)
            compare_type(c, key, &fact);
        compare_plain(c, key, &fact, had);
        break;
    case ASPECT_ALIAS:
        compare_alias(c, key, &fact);
        break;
    case ASPECT_PAIRS:
        compare_items(c, key, &fact, had);
        break;
    case ASPECT_TYPE:
    case ASPECT_EQUAL:
    case ASPECT_SYMBOL:
    case ASPECT_DISTINCT:
        break;
    default:
        compare_plain(c, key, &fact, had);
        break;
    }
}

/* The fact with the identity or class of the source's object, if it differs between the compiles; ptr NULL: it does
 * not. */
static struct slice other_object(const struct comparison *c, struct slice source, struct slice *had) {
    static const enum guard_aspect aspects[] = {ASPECT_CLASS, ASPECT_TYPE, ASPECT_OBJECT};
    struct slice found = {0};
    for (size_t i = 0; i < sizeof aspects / sizeof *aspects && !found.ptr; i++) {
        struct slice was = get(c->model, c->from, aspects[i], source), is = get(c->model, c->to, aspects[i], source);
        if (!was.ptr || !is.ptr || slice_eq(was, is))
            continue;
        found = guard_set_stored_key(c->model, c->from, aspects[i], (struct slice){0}, source);
        *had = was;
    }
    return found;
}

/* Reports that the source is another object, and skips its members. */
static void add_other_object(struct comparison *c, struct slice key, struct slice had) {
    struct guard_fact fact = guard_key_read(key);
    size_t before = c->changes ? c->changes->count : 0;
    if (fact.aspect == ASPECT_TYPE)
        compare_type(c, key, &fact);
    else
        compare_identity(c, key, &fact, had);
    c->objects[c->object_count++] = fact.source;
    if (c->changes && c->changes->count > before)
        c->changes->items[before].whole = true;
}

/* The object whose code runs is `self`, or `fn` in the frame that PyTorch wraps around an inlined module or function.
 * If the object is another one, that is the change. */
static void compare_object(struct comparison *c) {
    static const struct slice self = SLICE_INIT("L['self']"), fn = SLICE_INIT("L['fn']");
    bool wraps = slice_is(c->to->frame.function, "inner") && is_library_file(c->to->frame.file);
    struct slice had = {0}, key = other_object(c, wraps ? fn : self, &had);
    if (key.ptr)
        add_other_object(c, key, had);
}

/* Whether the compile has a guard on an attribute of the source, which is not a tensor: such objects are compared by
 * their contents. */
static bool has_attributes(const struct model *model, const struct compile *compile, struct slice source) {
    if (get(model, compile, ASPECT_DTYPE, source).ptr || get(model, compile, ASPECT_RANK, source).ptr)
        return false;
    for (uint32_t i = 0; i < compile->guard_fact_count; i++) {
        struct slice of = guard_key_read(guard_set_key_of(model, compile->guard_facts[i])).source;
        if (slice_starts(of, source) && of.len > source.len && of.ptr[source.len] == '.')
            return true;
    }
    return false;
}

/* Lists the facts of `from` that may fail in `to`: those that it lacks, and those whose value is None, because it may
 * be a dynamic size there, which has no guard. Both compiles have at most one fact per key, and most facts are equal. */
static void list_suspects(struct comparison *c) {
    const uint64_t *facts = c->from->guard_facts, *others = c->to->guard_facts;
    uint32_t count = c->from->guard_fact_count, other_count = c->to->guard_fact_count;
    uint32_t none = guard_set_value_number(c->model, SLICE("None"));
    c->suspects = mem_alloc(count * sizeof *c->suspects);
    for (uint32_t i = 0, k = 0; i < count; i++) {
        while (i < count && k < other_count && facts[i] == others[k] && (uint32_t)facts[i] != none)
            i++, k++;
        while (i < count && k < other_count && others[k] < facts[i])
            k++;
        if (i < count && (k == other_count || others[k] != facts[i] || (uint32_t)facts[i] == none))
            c->suspects[c->suspect_count++] = facts[i];
    }
}

/* Reports modules and other objects with attributes whose class changed: only the outermost ones. */
static void compare_classes(struct comparison *c) {
    struct slice found[OBJECTS_MAX];
    size_t found_count = 0;
    uint32_t tried = 0;
    for (size_t i = 0; i < c->suspect_count && found_count < OBJECTS_MAX && tried < OBJECTS_TRIED_MAX; i++) {
        struct slice key = guard_set_key_of(c->model, c->suspects[i]), had;
        enum guard_aspect aspect = key.len ? (enum guard_aspect)key.ptr[0] : ASPECT_VALUE;
        bool known = (aspect != ASPECT_CLASS && aspect != ASPECT_TYPE) || is_consequence(c, key);
        struct slice source = guard_key_read(key).source;
        for (size_t f = 0; f < found_count && !known; f++)
            known = slice_eq(found[f], source);
        if (known || !other_object(c, source, &had).ptr || (tried++, !has_attributes(c->model, c->from, source)))
            continue;
        found[found_count++] = source;
    }
    for (size_t i = 0; i < found_count; i++) {
        struct slice had, key = other_object(c, found[i], &had);
        bool outermost = !is_consequence(c, found[i]);
        for (size_t f = 0; f < found_count && outermost; f++)
            outermost = f == i || !names_source(found[i], found[f]);
        if (outermost && c->object_count < OBJECTS_MAX)
            add_other_object(c, key, had);
    }
}

static void compare(struct comparison *c) {
    list_suspects(c);
    compare_object(c);
    compare_classes(c);
    for (size_t i = 0; i < c->suspect_count; i++) {
        uint64_t fact = c->suspects[i];
        if (!is_consequence(c, guard_set_key_of(c->model, fact)))
            compare_fact(c, guard_set_key_of(c->model, fact), guard_set_value_of(c->model, fact));
    }
    compare_distinct(c);
    mem_free(c->suspects);
}

size_t guard_changes_find(const struct model *model, const struct compile *from, const struct compile *to,
                          struct arena *arena, guard_changes *changes) {
    struct comparison c = {.model = model, .from = from, .to = to, .arena = arena, .changes = changes};
    compare(&c);
    return c.count;
}

size_t guard_changes_distance(const struct model *model, const struct compile *from, const struct compile *to) {
    struct comparison c = {.model = model, .from = from, .to = to, .distance = true};
    compare(&c);
    size_t structures = c.structures + guard_branches_unread(model, from, to);
    size_t branches = guard_branches_differ(model, from, to, c.dynamic, c.dynamic_count);
    for (size_t i = 0; i < c.failing_count; i++) {
        buf_free(&c.failing[i].values);
        buf_free(&c.failing[i].numbers);
    }
    for (size_t i = 0; i < c.dynamic_count; i++)
        buf_free(&c.dynamic[i]);
    return (c.count - c.repeated + c.states) * GUARD_DISTANCE_CHANGE + branches +
           structures * GUARD_DISTANCE_STRUCTURE + c.object_count * GUARD_DISTANCE_OBJECT;
}

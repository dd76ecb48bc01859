#include "recompiles/object_names.h"

enum { OBJECTS_COUNTED_MAX = STEPS_COMPARED_MAX, STEPS_READ_MAX = 256, FUNCTIONS_TRIED_MAX = 16 };

static const struct slice code_of = SLICE_INIT(".__code__");

static struct slice id_of(struct slice value) {
    return slice_first(value, slice_find(value, SLICE(" ")));
}

/* The class in a fact "1396… code"; empty: not logged. */
static struct slice class_in(struct slice value) {
    size_t space = slice_find(value, SLICE(" "));
    return space != SIZE_MAX ? slice_from(value, space + 1) : (struct slice){0};
}

/* The same as the name of a class, because PyTorch 2.11 logs the repr() of the object instead. Empty: unknown. */
static struct slice class_named(struct slice logged) {
    static const struct {
        struct slice start, name;
    } reprs[] = {{SLICE_INIT("<function "), SLICE_INIT("function")},
                 {SLICE_INIT("<built-in "), SLICE_INIT("builtin_function_or_method")},
                 {SLICE_INIT("<bound method "), SLICE_INIT("method")},
                 {SLICE_INIT("<code object "), SLICE_INIT("code")},
                 {SLICE_INIT("<module "), SLICE_INIT("module")}};
    for (size_t i = 0; i < sizeof reprs / sizeof *reprs; i++)
        if (slice_starts(logged, reprs[i].start))
            return reprs[i].name;
    return slice_starts(logged, SLICE("<")) ? (struct slice){0} : logged;
}

struct slice class_short_name(struct slice name) {
    if (slice_is(name, "builtin_function_or_method"))
        return SLICE("function");
    size_t dot = slice_rfind_byte(name, '.');
    return dot == SIZE_MAX || slice_find(name, SLICE(" ")) != SIZE_MAX ? name : slice_from(name, dot + 1);
}

static struct slice get(const struct model *model, const struct compile *compile, enum guard_aspect aspect,
                        struct slice source) {
    return guard_set_get(model, compile, aspect, (struct slice){0}, source);
}

struct slice object_class(const struct model *model, const struct compile *compile, struct slice source) {
    struct slice name = class_named(class_in(get(model, compile, ASPECT_OBJECT, source)));
    return name.len ? name : (struct slice){0};
}

bool object_is_member(const struct model *model, const struct compile *compile, struct slice source) {
    return slice_starts(get(model, compile, ASPECT_TYPE, source), SLICE("<enum "));
}

/* "TRAIN" of G['Stage'].TRAIN, if it has this id and Stage is an enum; ptr NULL: no guard of the compile shows that. */
static struct slice member_name(const struct model *model, const struct compile *compile, struct slice id) {
    for (uint32_t i = 0; i < compile->guard_fact_count; i++) {
        struct slice key = guard_set_key_of(model, compile->guard_facts[i]);
        if (!key.len || key.ptr[0] != ASPECT_OBJECT ||
            !slice_eq(id_of(guard_set_value_of(model, compile->guard_facts[i])), id))
            continue;
        struct slice source = guard_key_read(key).source;
        size_t dot = slice_rfind_byte(source, '.');
        if (dot == SIZE_MAX)
            continue;
        struct slice type = get(model, compile, ASPECT_TYPE, slice_first(source, dot));
        if (slice_is(type, "enum.EnumType") || slice_is(type, "enum.EnumMeta"))
            return slice_from(source, dot + 1);
    }
    return (struct slice){0};
}

static bool add_member(struct buf *out, const struct model *model, const struct compile *compile, struct slice source,
                       struct slice value) {
    struct slice type = class_short_name(class_in(value)), name = member_name(model, compile, id_of(value));
    AUTO_BUF of_value = {0};
    if (!type.len || !object_is_member(model, compile, source))
        return false;
    BUF_ADD(&of_value, source, "._value_");
    struct slice known = guard_set_value(model, compile, buf_slice(&of_value), NULL);
    if (name.ptr)
        buf_addf(out, "%.*s.%.*s", SLICE_ARG(type), SLICE_ARG(name));
    else if (known.ptr)
        buf_addf(out, "%.*s(%.*s)", SLICE_ARG(type), SLICE_ARG(known));
    return name.ptr || known.ptr;
}

/* Counts the different objects of the source with this class, and finds the number of the one with the id; 0: not among
 * the first. */
static size_t count_objects(const struct model *model, const struct chain *chain, enum guard_aspect aspect,
                            struct slice source, struct slice value, size_t *nth) {
    AUTO_MAP seen = {0};
    size_t count = 0;
    *nth = 0;
    for (size_t i = 0; i < chain->compiles.count && i < OBJECTS_COUNTED_MAX; i++) {
        struct slice other = get(model, model->compiles.items[chain->compiles.items[i]], aspect, source);
        bool added = false;
        if (other.ptr && slice_eq(class_in(other), class_in(value)))
            map_put(&seen, id_of(other), 0, &added);
        count += added;
        if (added && slice_eq(id_of(other), id_of(value)))
            *nth = count;
    }
    return count;
}

/* Whether the step is in a function. A lambda is identified by its line. */
static bool is_function(const struct graph_step *a, const struct graph_step *b) {
    return slice_eq(a->function, b->function) && slice_eq(a->file, b->file) &&
           (a->line == b->line || !slice_starts(a->function, SLICE("<")));
}

static bool has_function(const struct graph_trace *trace, const struct graph_step *step) {
    for (uint32_t i = 0; i < trace->count; i++)
        if (is_function(&trace->steps[i], step))
            return true;
    return false;
}

/* Whether the graphs of all versions with this code contain operations of the function, and the graphs of versions with
 * other code do not. */
static bool belongs(const struct model *model, const struct chain *chain, struct slice source, struct slice value,
                    const struct graph_step *step) {
    for (size_t i = 0; i < chain->compiles.count && i < OBJECTS_COUNTED_MAX; i++) {
        const struct compile *compile = model->compiles.items[chain->compiles.items[i]];
        struct slice other = get(model, compile, ASPECT_OBJECT, source);
        if (!other.ptr)
            continue;
        if (!compile->trace || compile->trace->cut || compile->trace->count > STEPS_READ_MAX ||
            has_function(compile->trace, step) != slice_eq(id_of(other), id_of(value)))
            return false;
    }
    return true;
}

/* Whether the source's function may have called this function: a guard reaches its code by its name, or from the
 * source. */
static bool may_be_called(const struct model *model, const struct compile *compile, struct slice source,
                          struct slice function) {
    struct slice object = slice_first(source, source.len - code_of.len);
    for (uint32_t i = 0; i < compile->guard_fact_count; i++) {
        struct slice key = guard_set_key_of(model, compile->guard_facts[i]);
        struct slice other = key.len && key.ptr[0] == ASPECT_OBJECT ? guard_key_read(key).source : (struct slice){0};
        if (!slice_ends(other, code_of) || slice_eq(other, source))
            continue;
        struct slice name = slice_first(other, other.len - code_of.len);
        name.len -= slice_ends(name, SLICE("']")) ? 2 : 0;
        if (slice_starts(other, object) || slice_ends(name, function))
            return true;
    }
    return false;
}

/* "causal (masks.py:10)": the only function that occurs in the graphs of all versions with this code and in no others.
 * Returns false if there is none, or several. */
static bool add_function(struct buf *out, const struct model *model, const struct chain *chain,
                         const struct compile *compile, struct slice source, struct slice value) {
    const struct graph_step *found = NULL;
    size_t tried = 0;
    if (!slice_ends(source, code_of) || !compile->trace || compile->trace->count > STEPS_READ_MAX)
        return false;
    for (uint32_t i = 0; i < compile->trace->count; i++) {
        const struct graph_step *step = &compile->trace->steps[i];
        bool known = found && is_function(found, step);
        for (uint32_t k = 0; k < i && !known; k++)
            known = is_function(&compile->trace->steps[k], step);
        if (known || !step->file.ptr || !step->function.len)
            continue;
        if (tried++ == FUNCTIONS_TRIED_MAX)
            return false;
        if (!belongs(model, chain, source, value, step))
            continue;
        if (found)
            return false;
        found = step;
    }
    if (!found || may_be_called(model, compile, source, found->function))
        return false;
    buf_addf(out, "%.*s (%.*s:%" PRIu32 ")", SLICE_ARG(found->function), SLICE_ARG(path_last(found->file)),
             found->line);
    return true;
}

/* The text after a word in a repr(), up to the end mark; ptr NULL: another kind of repr(). */
static struct slice between(struct slice text, struct slice start, struct slice end) {
    size_t at = slice_starts(text, start) ? slice_find(text, end) : SIZE_MAX;
    return at == SIZE_MAX || at < start.len ? (struct slice){0}
                                            : slice_first(slice_from(text, start.len), at - start.len);
}

/* "causal (masks.py:10)" of `<code object causal at 0x…, file "masks.py", line 10>`. */
static bool add_code(struct buf *out, struct slice repr) {
    struct slice name = between(repr, SLICE("<code object "), SLICE(" at 0x"));
    size_t file_at = slice_find(repr, SLICE(", file \"")), line_at = slice_find(repr, SLICE("\", line "));
    if (!name.len || file_at == SIZE_MAX || line_at == SIZE_MAX || line_at < file_at)
        return false;
    struct slice file = slice_from(slice_first(repr, line_at), file_at + strlen(", file \""));
    struct slice line = slice_from(repr, line_at + strlen("\", line "));
    buf_addf(out, "%.*s (%.*s:%.*s)", SLICE_ARG(name), SLICE_ARG(path_last(file)),
             SLICE_ARG(slice_first(line, digits_length(line))));
    return true;
}

/* The repr() of an object, which PyTorch 2.11 logs instead of its class, without its address. */
static struct slice without_address(struct slice repr, struct buf *text) {
    struct slice method = between(repr, SLICE("<built-in method "), SLICE(" of "));
    struct slice function = between(repr, SLICE("<function "), SLICE(" at 0x"));
    struct slice module = between(repr, SLICE("<module '"), SLICE("' "));
    size_t address = slice_find(repr, SLICE(" object at 0x"));
    if (method.len) {
        struct slice of = slice_from(repr, slice_find(repr, SLICE(" of ")) + strlen(" of "));
        size_t object = slice_find(of, SLICE(" object at 0x"));
        if (object != SIZE_MAX && !slice_is(slice_first(of, object), "type"))
            buf_addf(text, "%.*s.", SLICE_ARG(slice_first(of, object)));
        buf_add(text, method);
        return buf_slice(text);
    }
    if (function.len || module.len)
        return function.len ? function : module;
    return slice_starts(repr, SLICE("<")) && address != SIZE_MAX ? slice_from(slice_first(repr, address), 1) : repr;
}

struct slice object_name(const struct model *model, const struct chain *chain, const struct compile *compile,
                         enum guard_aspect aspect, struct slice source, struct arena *arena) {
    struct slice value = get(model, compile, aspect, source), name = class_in(value);
    bool object = aspect == ASPECT_OBJECT;
    struct buf text = {0}, repr = {0};
    size_t nth;
    if (!value.ptr)
        return value;
    if (!object || (!add_member(&text, model, compile, source, value) && !add_code(&text, name))) {
        size_t count = count_objects(model, chain, aspect, source, value, &nth);
        name = without_address(name, &repr);
        if (count < 2 || !nth)
            buf_add(&text, name.len ? name : object ? SLICE("an object") : SLICE("a class"));
        else if (!add_function(&text, model, chain, compile, source, value))
            buf_addf(&text, "%.*s #%zu",
                     SLICE_ARG(name.len ? class_short_name(name)
                               : object ? SLICE("object")
                                        : SLICE("class")),
                     nth);
    }
    struct slice kept = arena_keep(arena, &text);
    buf_free(&repr);
    return kept;
}

size_t objects_met(const struct model *model, const struct chain *chain, struct slice source,
                   struct slice *class_name) {
    AUTO_MAP seen = {0};
    struct slice name = {0};
    bool several = false;
    size_t count = 0;
    for (size_t i = 0; i < chain->compiles.count && i < OBJECTS_COUNTED_MAX; i++) {
        struct slice value = get(model, model->compiles.items[chain->compiles.items[i]], ASPECT_OBJECT, source);
        bool added = false;
        if (!value.ptr)
            continue;
        map_put(&seen, id_of(value), 0, &added);
        count += added;
        struct slice class = class_named(class_in(value));
        several |= name.ptr && !slice_eq(name, class);
        name = class;
    }
    *class_name = several || !name.len ? (struct slice){0} : name;
    return count;
}

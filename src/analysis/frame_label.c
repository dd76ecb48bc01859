/* Labels of frames: see model_label_frames() in identity.h.
 *
 * A code object of a process has one label, so that its compiles are recognized as the same function. The class comes
 * from guards on the type of the local `self`: it is the class of the called object, which is not necessarily the class
 * that defines the function. A failed compile has no guards, so it gets the class of the other compiles, unless it is
 * known to be for a different class. A resume function gets the function's class, because it may not use `self`.
 * Without a class, a method gets the file and the line, because a file may have many methods of that name. PyTorch's
 * wrapper gets the name of the function that it calls, if that is known for all of its compiles with guards. Two
 * functions that would get the same dotted name (a method, and the method of the base class that it calls) get no
 * class. Two code objects whose labels would still be equal also get the file, or the file and the line if both are in
 * one file. */

#include "analysis/identity.h"
#include "model/guard_sets.h"
#include "scan/guard_failure.h"
#include "scan/library.h"

enum name_kind {
    NAME_SAYS_IT, /* the function's name is unambiguous */
    NAME_METHOD,  /* a method that many classes have: "Net.forward" */
    NAME_GENERAL, /* the function of a decorator: "wrapper (Net)" */
    NAME_VERB,    /* a method, or a function with a meaningful name: "step (AdamW)" or "step" */
};

struct code {
    uint32_t compile; /* the first compile of this code */
    struct slice class_name, label;
    enum name_kind kind;
    bool disagree; /* its compiles have different classes */
    bool taken;    /* another code object has the same class and function */
};

static bool is_one_of(struct slice name, const char *const *names, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (slice_is(name, names[i]))
            return true;
    return false;
}

static enum name_kind name_kind(struct slice name) {
    static const struct slice resumed = SLICE_INIT("torch_dynamo_resume_in_");
    static const char *const wrappers[] = {"wrapper", "_wrapper", "wrapped", "inner", "_inner", "decorated",
                                           "closure", "fn",       "_fn",     "func",  "_func"};
    static const char *const verbs[] = {"backward", "step", "call", "run"};
    if (slice_starts(name, resumed)) {
        struct slice inner = slice_from(name, resumed.len);
        size_t at = SIZE_MAX;
        for (size_t i = 0; i + 4 <= inner.len; i++)
            if (slice_starts(slice_from(inner, i), SLICE("_at_")))
                at = i;
        return at != SIZE_MAX && name_kind(slice_first(inner, at)) != NAME_SAYS_IT ? NAME_GENERAL : NAME_SAYS_IT;
    }
    if (slice_is(name, "forward") || (name.len > 4 && slice_starts(name, SLICE("__")) && slice_ends(name, SLICE("__"))))
        return NAME_METHOD;
    if (slice_starts(name, SLICE("<")) || is_one_of(name, wrappers, sizeof wrappers / sizeof *wrappers))
        return NAME_GENERAL;
    if (is_one_of(name, verbs, sizeof verbs / sizeof *verbs))
        return NAME_VERB;
    return NAME_SAYS_IT;
}

/* "__main__.Net" → "Net"; ptr NULL: a builtin, or not the name of a class. */
static struct slice short_class(struct slice type) {
    size_t dot = slice_rfind_byte(type, '.');
    struct slice name = dot != SIZE_MAX ? slice_from(type, dot + 1) : (struct slice){0};
    bool general = slice_starts(type, SLICE("builtins.")) || slice_starts(type, SLICE("functools.")) ||
                   slice_starts(type, SLICE("types."));
    return name.len && word_length(name) == name.len && !general ? name : (struct slice){0};
}

static bool is_labelled(const struct compile *compile) {
    return compile->framed && compile->frame.function.len && compile->frame.file.len;
}

static struct slice type_of(const struct model *model, const struct compile *compile, struct slice source) {
    static const struct slice none = {0};
    return guard_set_get(model, compile, ASPECT_TYPE, none, source);
}

/* Whether this is the frame that PyTorch wraps around a module, a functools.partial, or a function that it would not
 * compile. It calls only the wrapped object. */
static bool is_wrapper(const struct compile *compile) {
    return slice_is(compile->frame.function, "inner") && is_library_file(compile->frame.file);
}

/* The class of the object that the frame runs for; ptr NULL: not in its guards. */
static struct slice class_of(const struct model *model, const struct compile *compile) {
    struct slice type = type_of(model, compile, SLICE("L['self']"));
    if (!type.ptr && is_wrapper(compile))
        type = type_of(model, compile, SLICE("L['fn']"));
    if (slice_is(type, "functools.partial"))
        type = type_of(model, compile, SLICE("L['fn'].func"));
    return short_class(type);
}

/* The class of the object whose method is wrapped. */
static struct slice class_of_method(const struct model *model, const struct compile *compile) {
    struct slice type = type_of(model, compile, SLICE("L['fn'].func.__self__"));
    return short_class(type.ptr ? type : type_of(model, compile, SLICE("L['fn'].__self__")));
}

/* Whether a function's name is specific enough to name its wrapper. */
static bool names_it(struct slice function) {
    enum name_kind kind = name_kind(function);
    return function.len && (kind == NAME_SAYS_IT || kind == NAME_VERB);
}

static bool is_frame_of(const struct compile *compile, struct slice file, struct slice function) {
    return slice_eq(file, compile->frame.file) && slice_eq(function, compile->frame.function);
}

/* The function that the frame calls, from the stack of a symbol, a guard or a graph break; ptr NULL: unknown. */
static struct slice called_by(const struct model *model, const struct compile *compile) {
    struct slice found = {0};
    for (size_t kind = 0; kind < SHAPE_KINDS; kind++) {
        const struct shape_record *record = compile->shapes[kind].first;
        const struct stack_node *called = NULL;
        for (const struct stack_node *node = record ? record->user_stack : NULL; node; node = node->parent) {
            if (called && is_frame_of(compile, node->frame->file, node->frame->function))
                found = called->frame->function;
            called = node;
        }
    }
    for (size_t i = 0; i < compile->breaks.count && !found.ptr; i++) {
        const struct graph_break *split = model->breaks.items[compile->breaks.items[i]];
        if (split->compiles.count == 1 && split->stack.count > 1 &&
            is_frame_of(compile, split->stack.items[0].file, split->stack.items[0].function))
            found = split->stack.items[1].function;
    }
    return names_it(found) ? found : (struct slice){0};
}

/* The code of the wrapped function, or of the method that a partial calls; ptr NULL: there is no guard on it. */
static struct slice wrapped_code(const struct model *model, const struct compile *compile) {
    static const struct slice none = {0};
    static const struct slice sources[] = {SLICE_INIT("L['fn'].__code__"), SLICE_INIT("L['fn'].func.__code__"),
                                           SLICE_INIT("L['fn'].func.__func__.__code__")};
    struct slice code = none;
    for (size_t i = 0; i < sizeof sources / sizeof *sources && !code.ptr; i++)
        code = guard_set_get(model, compile, ASPECT_OBJECT, none, sources[i]);
    return code;
}

/* The function that PyTorch's wrapper calls in each compile; ptr NULL: unknown, or not a function. If the records of a
 * compile do not show it, it is that of another compile with a guard on the same code. */
static struct slice *wrapped_names(const struct model *model) {
    struct slice *names = mem_zalloc(model->compiles.count + 1, sizeof *names);
    AUTO_MAP codes = {0};
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < model->compiles.count; i++) {
            const struct compile *compile = model->compiles.items[i];
            if (!is_labelled(compile) || !is_wrapper(compile))
                continue;
            struct slice code = wrapped_code(model, compile);
            AUTO_BUF key = {0};
            BUF_ADD(&key, (size_t)compile->process, " ", code);
            if (pass == 0)
                names[i] = called_by(model, compile);
            if (pass == 0 && code.ptr && names[i].ptr)
                map_put(&codes, buf_slice(&key), i, NULL);
            uint32_t other = pass == 1 && code.ptr && !names[i].ptr ? map_get(&codes, buf_slice(&key)) : MAP_NONE;
            if (other != MAP_NONE)
                names[i] = names[other];
        }
    return names;
}

struct slice resumed_function(struct slice name, uint64_t *line) {
    static const struct slice mark = SLICE_INIT("torch_dynamo_resume_in_"), at = SLICE_INIT("_at_");
    size_t end = name.len;
    *line = 0;
    if (!slice_starts(name, mark))
        return name;
    while (end > mark.len && name.ptr[end - 1] >= '0' && name.ptr[end - 1] <= '9')
        end--;
    if (end == name.len || end <= mark.len + at.len || !slice_ends(slice_first(name, end), at))
        return name;
    for (size_t i = end; i < name.len && *line < UINT64_MAX / 100; i++)
        *line = *line * 10 + (uint64_t)(name.ptr[i] - '0');
    return slice_make(name.ptr + mark.len, end - at.len - mark.len);
}

static uint32_t *slot_of(struct map *codes, const struct compile *compile, uint32_t fresh, bool *added) {
    AUTO_BUF key = {0};
    BUF_ADD(&key, (size_t)compile->process, " ", compile->frame.line, " ", compile->frame.file);
    buf_add_byte(&key, 0);
    buf_add(&key, compile->frame.function);
    uint32_t *slot = map_put(codes, buf_slice(&key), fresh, added);
    return slot;
}

/* A function, or a part of it that runs after a graph break. */
struct part {
    struct code *code;
    const struct compile *compile;
    struct slice function; /* without torch_dynamo_resume_in_ */
    bool resumed;
};

static int by_function(const void *a, const void *b) {
    const struct part *x = a, *y = b;
    const struct place *p = &x->compile->frame, *q = &y->compile->frame;
    int order = slice_cmp(p->file, q->file);
    if (x->compile->process != y->compile->process)
        return x->compile->process < y->compile->process ? -1 : 1;
    if (!order)
        order = slice_cmp(x->function, y->function);
    if (!order && p->line != q->line)
        order = p->line < q->line ? -1 : 1;
    return order ? order : x->resumed - y->resumed;
}

/* Whether y is a part of the function x, which begins above it in the file. */
static bool continues(const struct part *x, const struct part *y) {
    return !x->resumed && y->resumed && x->compile->process == y->compile->process &&
           slice_eq(x->compile->frame.file, y->compile->frame.file) && slice_eq(x->function, y->function);
}

/* Gives a function and all of its parts the class that some of them have, or none if their classes differ. */
static void agree(struct part *parts, size_t count) {
    struct slice class_name = {0};
    bool disagree = false;
    for (size_t i = 0; i < count; i++) {
        struct slice own = parts[i].code->class_name;
        disagree |= parts[i].code->disagree || (own.ptr && class_name.ptr && !slice_eq(own, class_name));
        class_name = class_name.ptr ? class_name : own;
    }
    for (size_t i = 0; i < count; i++) {
        parts[i].code->class_name = class_name;
        parts[i].code->disagree = disagree;
    }
}

static struct slice epoch_key(const struct compile *compile, int64_t key[2]) {
    key[0] = (int64_t)compile->process;
    key[1] = compile->epoch;
    return slice_make((char *)key, 2 * sizeof *key);
}

/* A part belongs to the nearest function of its name that begins above it. That is certain only if the log has all
 * functions since the last reset, including the first one. */
static void share_classes(const struct model *model, struct code *codes, uint32_t count) {
    struct part *parts = mem_zalloc(count + 1, sizeof *parts);
    AUTO_MAP begun = {0};
    size_t known = 0;
    int64_t key[2];
    uint64_t line;
    for (size_t i = 0; i < model->compiles.count; i++)
        if (model->compiles.items[i]->framed && model->compiles.items[i]->frame_id == 0)
            map_put(&begun, epoch_key(model->compiles.items[i], key), 0, NULL);
    for (uint32_t i = 0; i < count; i++) {
        const struct compile *compile = model->compiles.items[codes[i].compile];
        struct slice function = resumed_function(compile->frame.function, &line);
        if (codes[i].kind != NAME_SAYS_IT && map_get(&begun, epoch_key(compile, key)) != MAP_NONE)
            parts[known++] = (struct part){&codes[i], compile, function, line > 0};
    }
    if (known)
        qsort(parts, known, sizeof *parts, by_function);
    for (size_t i = 0, end; i < known; i = end) {
        for (end = i + 1; end < known && continues(&parts[i], &parts[end]); end++)
            ;
        agree(&parts[i], end - i);
    }
    mem_free(parts);
}

static void add_label(struct buf *out, const struct compile *compile, const struct code *code) {
    bool known = code->class_name.ptr && !code->disagree && !code->taken;
    if (code->kind == NAME_SAYS_IT)
        return;
    if (known && code->kind == NAME_METHOD) {
        BUF_ADD(out, code->class_name, ".", compile->frame.function);
    } else if (known || (code->kind != NAME_VERB && compile->frame.file.ptr[0] != '<')) {
        BUF_ADD(out, compile->frame.function, " (", known ? code->class_name : path_last(compile->frame.file));
        if (!known && code->kind == NAME_METHOD) /* a file has many */
            buf_addf(out, ":%" PRIu64, compile->frame.line);
        buf_add_byte(out, ')');
    }
}

/* The text by which readers identify the code. */
static struct slice shown(const struct model *model, const struct code *code) {
    return code->label.ptr ? code->label : model->compiles.items[code->compile]->frame.function;
}

/* Adds what distinguishes code objects with the same text: the file, or the file and the line. */
static void add_place(struct buf *out, const struct compile *compile, struct slice text, bool with_line) {
    size_t space = slice_find(text, SLICE(" ("));
    buf_add(out, slice_first(text, space)); /* "wrapper (model.py)" becomes "wrapper (model.py:10)" */
    BUF_ADD(out, " (", path_last(compile->frame.file));
    if (with_line)
        buf_addf(out, ":%" PRIu64, compile->frame.line);
    buf_add_byte(out, ')');
}

/* Adds the place to each text that several code objects share. Returns whether there was such a text. */
static bool separate(struct model *model, struct code *codes, uint32_t count, bool with_line) {
    AUTO_MAP texts = {0};
    bool *shared = mem_zalloc(count + 1, sizeof *shared), any = false, added;
    for (uint32_t i = 0; i < count; i++) {
        AUTO_BUF key = {0};
        BUF_ADD(&key, (size_t)model->compiles.items[codes[i].compile]->process, " ", shown(model, &codes[i]));
        uint32_t first = *map_put(&texts, buf_slice(&key), i, &added);
        shared[i] |= !added;
        shared[first] |= !added;
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct compile *compile = model->compiles.items[codes[i].compile];
        struct buf label = {0};
        if (!shared[i])
            continue;
        any = true;
        add_place(&label, compile, shown(model, &codes[i]), with_line);
        codes[i].label = arena_keep(&model->arena, &label);
    }
    mem_free(shared);
    return any;
}

/* Whether a compile that failed, and so has no guards, is known to be for an object of another class: the guard on the
 * type of `self` in an earlier version did not hold. */
static bool is_of_other_class(const struct compile *compile) {
    for (size_t i = 0; i < compile->reasons.count && !guard_set_known(compile); i++) {
        struct guard_failure failure = guard_failure_read(compile->reasons.items[i]);
        if (failure.type == GUARD_TYPE && (slice_is(failure.source, "self") || slice_is(failure.source, "L['self']")))
            return true;
    }
    return false;
}

void model_label_frames(struct model *model) {
    AUTO_MAP places = {0}, names = {0};
    struct code *codes = mem_zalloc(model->compiles.count + 1, sizeof *codes);
    struct slice *wrapped = wrapped_names(model);
    uint32_t count = 0;
    for (uint32_t i = 0; i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[i];
        bool added;
        if (!is_labelled(compile))
            continue;
        enum name_kind kind = name_kind(compile->frame.function);
        struct slice class_name = kind == NAME_SAYS_IT ? (struct slice){0} : class_of(model, compile);
        uint32_t index = *slot_of(&places, compile, count, &added);
        if (!class_name.ptr && is_wrapper(compile))
            class_name = wrapped[i].ptr ? wrapped[i] : class_of_method(model, compile);
        bool unknown = !class_name.ptr && ((is_wrapper(compile) && guard_set_known(compile)) ||
                                           (kind != NAME_SAYS_IT && is_of_other_class(compile)));
        if (added) {
            codes[count++] = (struct code){.compile = i, .class_name = class_name, .kind = kind, .disagree = unknown};
            continue;
        }
        struct code *code = &codes[index];
        code->disagree |= class_name.ptr && code->class_name.ptr && !slice_eq(class_name, code->class_name);
        code->disagree |= unknown; /* it may be for anything */
        code->class_name = code->class_name.ptr ? code->class_name : class_name;
    }
    share_classes(model, codes, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct slice function = model->compiles.items[codes[i].compile]->frame.function;
        AUTO_BUF name = {0};
        bool added;
        if (!codes[i].class_name.ptr)
            continue;
        buf_addf(&name, "%zu ", (size_t)model->compiles.items[codes[i].compile]->process);
        BUF_ADD(&name, codes[i].class_name, ".", function);
        uint32_t other = *map_put(&names, buf_slice(&name), i, &added);
        codes[i].taken = codes[other].taken = !added || codes[other].taken;
    }
    for (uint32_t i = 0; i < count; i++) {
        AUTO_BUF label = {0};
        add_label(&label, model->compiles.items[codes[i].compile], &codes[i]);
        if (label.len)
            codes[i].label = arena_slice(&model->arena, buf_slice(&label));
    }
    if (separate(model, codes, count, false))
        separate(model, codes, count, true);
    for (size_t i = 0; i < model->compiles.count; i++) {
        struct compile *compile = model->compiles.items[i];
        bool added;
        if (is_labelled(compile))
            compile->label = codes[*slot_of(&places, compile, 0, &added)].label;
    }
    mem_free(codes);
    mem_free(wrapped);
}

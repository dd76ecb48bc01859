/* Equal modules in one graph, such as the layers of a transformer: the compiler processes each of them. */

#include "model/guard_sets.h"
#include "savings/compile_time.h"

enum {
    FEWEST = 4,      /* modules */
    MOST = 999,      /* that are looked for */
    TIME_PARTS = 4,  /* compiles below 1/TIME_PARTS of the compile time are not examined */
    STEPS_PARTS = 2, /* modules below 1/STEPS_PARTS of the graph are not reported */
    CONTAINERS_MAX = 64,
};

/* Modules of one class in one container, "self.blocks[0]" to "self.blocks[11]". Texts are from guards. */
struct layers {
    struct slice container; /* L['self']._modules['blocks'] */
    struct slice class_name;
    struct slice differs, one, other; /* a value that differs between modules, such as "attn.index"; ptr NULL: none */
    uint32_t count;                   /* number of modules with equal steps in the graph */
    uint32_t steps;                   /* of one of them */
};

static void module_add(struct buf *out, struct slice container, uint32_t number, struct slice rest) {
    buf_add(out, container);
    buf_addf(out, "._modules['%" PRIu32 "']", number);
    buf_add(out, rest);
}

static struct slice value_of(const struct model *model, const struct compile *compile, enum guard_aspect aspect,
                             struct slice container, uint32_t number, struct slice rest) {
    AUTO_BUF source = {0};
    module_add(&source, container, number, rest);
    struct slice value = guard_set_get(model, compile, aspect, (struct slice){0}, buf_slice(&source));
    return value;
}

/* The prefix of the names that the modules' parameters have in the graph: L['self']._modules['blocks'] →
 * "l_self_modules_blocks_modules_". */
static void parameter_prefix_add(struct buf *out, struct slice container) {
    bool apart = false;
    for (size_t i = 0; i < container.len; i++) {
        char c = container.ptr[i];
        bool is_name = is_digit(c) || ((c | 32) >= 'a' && (c | 32) <= 'z');
        if (is_name && apart && out->len)
            buf_add_byte(out, '_');
        if (is_name)
            buf_add_byte(out, (char)(c >= 'A' && c <= 'Z' ? c | 32 : c));
        apart = !is_name;
    }
    buf_add_lit(out, "_modules_");
}

/* The module of the first parameter in a step; UINT32_MAX: none. */
static uint32_t module_of(struct slice text, struct slice prefix) {
    size_t at = slice_find(text, prefix), start = at == SIZE_MAX ? 0 : at + prefix.len, end = start;
    uint64_t number;
    end += digits_length(slice_from(text, end));
    if (at == SIZE_MAX || (at > 0 && is_word(text.ptr[at - 1])) ||
        !slice_to_u64(slice_make(text.ptr + start, end - start), &number) || number > MOST)
        return UINT32_MAX;
    return (uint32_t)number;
}

static bool steps_equal(const struct graph_step *a, const struct graph_step *b, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (a[i].line != b[i].line || a[i].types != b[i].types || !slice_eq(a[i].file, b[i].file))
            return false;
    return true;
}

static bool has_class(const struct layers *layers, const struct model *model, const struct compile *compile,
                      uint32_t number) {
    return slice_eq(value_of(model, compile, ASPECT_TYPE, layers->container, number, (struct slice){0}),
                    layers->class_name);
}

/* Counts the modules whose steps equal those of the second one. Not those of the first one, because earlier steps may
 * have the same lines. The last module gets as many steps as the others, whatever follows. */
static void count_equal(struct layers *layers, const struct model *model, const struct compile *compile) {
    const struct graph_trace *trace = compile->trace;
    uint32_t starts[MOST + 2], found = 0;
    struct buf prefix = {0};
    parameter_prefix_add(&prefix, layers->container);
    for (uint32_t i = 0; i < trace->count && found <= MOST; i++)
        if (module_of(trace->steps[i].text, buf_slice(&prefix)) == found)
            starts[found++] = i;
    buf_free(&prefix);
    layers->count = layers->steps = 0;
    if (found < FEWEST)
        return;
    layers->steps = starts[2] - starts[1];
    for (uint32_t k = 0; k < found; k++) {
        uint32_t end = k + 1 < found ? starts[k + 1] : starts[k] + layers->steps;
        layers->count += end - starts[k] == layers->steps && end <= trace->count &&
                         has_class(layers, model, compile, k) &&
                         steps_equal(&trace->steps[starts[1]], &trace->steps[starts[k]], layers->steps);
    }
}

/* Finds a value in the guards of the first module that differs in the second. */
static void find_difference(struct layers *layers, const struct model *model, const struct compile *compile) {
    AUTO_BUF second = {0};
    struct slice key, value;
    module_add(&second, layers->container, 1, (struct slice){0});
    for (uint32_t i = 0; !layers->differs.ptr && guard_set_fact(model, compile, i, &key, &value); i++) {
        struct guard_fact fact = guard_key_read(key);
        if (fact.aspect != ASPECT_VALUE || !slice_starts(fact.source, buf_slice(&second)))
            continue;
        struct slice rest = slice_from(fact.source, second.len);
        struct slice other = value_of(model, compile, ASPECT_VALUE, layers->container, 2, rest);
        if (!other.ptr || slice_eq(value, other))
            continue;
        layers->differs = rest;
        layers->one = value;
        layers->other = other;
    }
}

/* The modules of one container that make up the largest part of the graph, and at least half of it. */
static bool find_layers(struct layers *best, const struct model *model, const struct compile *compile) {
    static const struct slice second = SLICE_INIT("._modules['1']");
    struct slice key, value;
    uint32_t containers = 0;
    *best = (struct layers){0};
    for (uint32_t i = 0; guard_set_fact(model, compile, i, &key, &value); i++) {
        struct guard_fact fact = {0};
        if (slice_ends(key, second))
            fact = guard_key_read(key);
        if (fact.aspect != ASPECT_TYPE)
            continue;
        struct layers layers = {.container = slice_first(fact.source, fact.source.len - second.len),
                                .class_name = value};
        if (!has_class(&layers, model, compile, 2) || containers++ >= CONTAINERS_MAX)
            continue;
        count_equal(&layers, model, compile);
        if (layers.count >= FEWEST && layers.count * layers.steps > best->count * best->steps)
            *best = layers;
    }
    if (best->count * best->steps < compile->trace->count / STEPS_PARTS || !best->count)
        return false;
    find_difference(best, model, compile);
    return true;
}

static void say_layers(struct compile_time *time, struct time_line *line, const struct layers *layers) {
    struct buf title = {0}, why = {0}, action = {0}, name = {0};
    guard_readable_add(&name, layers->container);
    struct slice container = buf_slice(&name);
    buf_addf(&title, "%" PRIu32 " equal modules of `%.*s` in one graph", layers->count, SLICE_ARG(container));
    buf_addf(&why,
             "Each of them (`%.*s`) has the same operations on the same shapes, and all are in one graph: the "
             "compiler works on each.",
             SLICE_ARG(layers->class_name));
    if (layers->differs.ptr) {
        AUTO_BUF plain = {0};
        guard_readable_add(&plain, layers->differs);
        struct slice attribute = buf_slice(&plain);
        buf_addf(&why,
                 " Compiled one by one, each would still need a version of its own: `%.*s` is %.*s in one and "
                 "%.*s in the next.",
                 SLICE_ARG(slice_starts(attribute, SLICE(".")) ? slice_from(attribute, 1) : attribute),
                 SLICE_ARG(layers->one), SLICE_ARG(layers->other));
    } else {
        buf_addf(&action,
                 "Compile the modules instead of what contains them, with the same options: `for module in %.*s: "
                 "module.compile()`. One compile then serves all that pass its guards. Operations of different modules "
                 "are no longer fused.",
                 SLICE_ARG(container));
        line->saves_us = line->us / layers->count * (layers->count - 1);
    }
    buf_free(&name);
    line->title = time_text(time, &title);
    line->why = time_text(time, &why);
    if (action.len)
        line->action = time_text(time, &action);
    buf_free(&action);
}

void compile_time_layers(struct compile_time *time, const struct model *model) {
    struct layers first = {0}, layers;
    struct time_line line = {.key = "equal_modules",
                             .saves_us = -1,
                             .link = SLICE("#/compiles"),
                             .evidence = SLICE("`dynamo_output_graph`: lines and shapes of the operations; "
                                               "`dynamo_cpp_guards_str`: classes and values of the modules")};
    for (uint32_t i = 0; i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[i];
        if (compile->framed && !compile->failed && !compile->ends_export && !compile->exported && compile->trace &&
            compile->time_us > time->total_us / TIME_PARTS && !compile_had_hit(compile) && guard_set_known(compile) &&
            find_layers(&layers, model, compile)) {
            first = first.count ? first : layers;
            if (slice_eq(first.container, layers.container) && first.count == layers.count)
                time_line_add(time, &line, i, compile->time_us);
        }
    }
    if (!line.us)
        return;
    say_layers(time, &line, &first);
    ARENA_ADD(&time->arena, &time->hints, line);
}

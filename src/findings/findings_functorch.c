/* findings_functorch.c - frames that eager vmap, grad or jvp call, which Dynamo does not compile: "Unsupported functorch
 * tracing attempt". Either the program applies the transform to a compiled function, or the function that applies it
 * runs eagerly because of another failure or graph break. */

#include "analysis/identity.h"
#include "findings/findings_failures.h"
#include "scan/guard_text.h"

enum { TRANSFORMS_MAX = 4, COMPILES_MAX = 16, EARLIER_MAX = 256, DEPTH_MAX = 64 };

/* Why a transform runs eagerly. */
struct eager_transform {
    const struct compile *failed;    /* the failed compile of the function that applies it */
    const struct graph_break *split; /* the break on the line that applies it */
    const struct frame *line; /* the line in that function that applies it; NULL: a compiled function is transformed */
    const struct compile *mapped; /* if there is no line: the compiled function */
};

static bool is_function_of(const struct place *place, const struct frame *frame) {
    uint64_t unused;
    return slice_eq(place->file, frame->file) &&
           slice_eq(resumed_function(place->function, &unused), resumed_function(frame->function, &unused));
}

static bool leads_through(const struct graph_break *found, const struct frame *frame) {
    for (size_t i = 0; i + 1 < found->stack.count; i++)
        if (found->stack.items[i].line == frame->line && slice_eq(found->stack.items[i].file, frame->file))
            return true;
    return false;
}

/* The last break of the compile, or of its breaks through this line if there is one; NULL: none. */
static const struct graph_break *break_of(const struct model *model, const struct graph_break *found,
                                          const struct compile *compile, const struct frame *line) {
    for (size_t b = compile->breaks.count; b-- > 0;) {
        const struct graph_break *other = model->breaks.items[compile->breaks.items[b]];
        if (other != found && (!line || leads_through(other, line)))
            return other;
    }
    return NULL;
}

/* Whether the file implements vmap, grad or jvp. */
static bool is_of_transforms(struct slice file) {
    return slice_find(file, SLICE("/torch/_functorch/")) != SIZE_MAX && !slice_ends(file, SLICE("/functional_call.py"));
}

/* Finds the first compile before this one in which this user line runs eagerly. */
static bool find_cause(const struct model *model, const struct graph_break *found, const struct compile *compile,
                       const struct frame *line, struct eager_transform *cause) {
    uint32_t from = compile->index > EARLIER_MAX ? compile->index - EARLIER_MAX : 0;
    for (uint32_t i = from; i < compile->index; i++) {
        const struct compile *earlier = model->compiles.items[i];
        if (!earlier->framed || earlier->process != compile->process || earlier->resets != compile->resets)
            continue;
        bool failed = earlier->failed && is_function_of(&earlier->frame, line);
        const struct graph_break *split = break_of(model, found, earlier, failed ? NULL : line);
        if (!failed && !split)
            continue;
        *cause = (struct eager_transform){.failed = failed ? earlier : NULL, .split = split, .line = line};
        return true;
    }
    return false;
}

static void find_transform(const struct model *model, const struct graph_break *found, const struct compile *compile,
                           struct eager_transform *cause) {
    const struct stack_node *node = compile->stack ? compile->stack->parent : NULL;
    bool transformed = false;
    *cause = (struct eager_transform){.mapped = compile};
    for (size_t depth = 0; node && depth < DEPTH_MAX; node = node->parent, depth++)
        if (is_library_file(node->frame->file))
            transformed = is_of_transforms(node->frame->file);
        else if (transformed && find_cause(model, found, compile, node->frame, cause))
            return;
        else
            transformed = false;
}

/* "vmap" of "Calling torch.func.vmap(compiled_fn) function from eager mode is not supported." */
static struct slice transform_of(const struct graph_break *found) {
    struct slice name = text_between(found->explanation, SLICE("Calling torch.func."), SLICE("(compiled_fn)"));
    return slice_is(found->reason, "Unsupported functorch tracing attempt") ? name : (struct slice){0};
}

static void add_cause(struct findings *findings, struct buf *text, struct slice transform,
                      const struct eager_transform *cause) {
    const struct graph_break *split = cause->split;
    uint64_t unused;
    if (!cause->line) {
        struct slice function = finding_function(findings, cause->mapped);
        buf_addf(
            text,
            "Compile the result of `torch.func.%.*s`, or the function that calls it, instead of %.*s: Dynamo skips "
            "compiled functions that eager `%.*s` calls.",
            SLICE_ARG(transform), SLICE_ARG(function), SLICE_ARG(transform));
        return;
    }
    struct slice function = resumed_function(cause->line->function, &unused);
    buf_add_lit(text, "Fix ");
    if (cause->failed)
        buf_addf(text, "what ended [%.*s]", SLICE_ARG(cause->failed->key));
    else
        buf_add_lit(text, "the graph break");
    if (split && split->place.file.ptr)
        buf_addf(text, " at %.*s:%" PRIu64, SLICE_ARG(path_last(split->place.file)), split->place.line);
    buf_addf(text, " first: because of it, `%.*s` runs `torch.func.%.*s` eagerly at %.*s:%" PRIu64 ".",
             SLICE_ARG(function), SLICE_ARG(transform), SLICE_ARG(path_last(cause->line->file)), cause->line->line);
}

struct slice failure_functorch(struct findings *findings, const struct model *model, const struct graph_break *found) {
    struct eager_transform causes[TRANSFORMS_MAX], cause;
    struct slice transform = transform_of(found);
    struct buf text = {0};
    size_t count = 0;
    for (size_t i = 0; transform.len && i < found->compiles.count && i < COMPILES_MAX && count < TRANSFORMS_MAX; i++) {
        bool known = false;
        find_transform(model, found, model->compiles.items[found->compiles.items[i]], &cause);
        for (size_t k = 0; k < count && !known; k++)
            known = cause.line
                      ? causes[k].failed == cause.failed && causes[k].split == cause.split && causes[k].line
                      : causes[k].mapped && slice_eq(causes[k].mapped->frame.function, cause.mapped->frame.function);
        if (known)
            continue;
        causes[count++] = cause;
        failure_add_sentence(&text, "");
        add_cause(findings, &text, transform, &cause);
    }
    return finding_keep(findings, &text);
}

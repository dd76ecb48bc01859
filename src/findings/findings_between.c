/* Frames that are compiled within the call of a frame that a break splits: after it, and before the first rest of it.
 * The stack of a compile may lack the line that leads to it, because Dynamo leaves out callers that it does not trace.
 */
#include "analysis/identity.h"
#include "findings/findings_failures.h"

enum { LATER_MAX = 1024, DEPTH_MAX = 256 };

static bool is_rest(const struct graph_break *found, const struct compile *broken, const struct compile *later) {
    uint64_t line, unused;
    struct slice split = resumed_function(broken->frame.function, &unused);
    bool within = false; /* inside the function of the split frame, or one that was traced as a part of it */
    resumed_function(later->frame.function, &line);
    if (!line || later->process != broken->process || !later->stack || !later->stack->parent)
        return false;
    for (size_t i = 0; i < found->stack.count; i++) {
        const struct frame *frame = &found->stack.items[i];
        within |=
            slice_eq(frame->file, broken->frame.file) && slice_eq(resumed_function(frame->function, &unused), split);
        if (within && found->stack.items[i].line == line && slice_eq(found->stack.items[i].file, later->frame.file))
            return true;
    }
    return false;
}

const struct compile *failure_first_rest(const struct model *model, const struct graph_break *found) {
    const struct compile *broken = found->compiles.count ? model->compiles.items[found->compiles.items[0]] : NULL;
    for (size_t i = broken ? (size_t)broken->index + 1 : model->compiles.count;
         i < model->compiles.count && i - broken->index <= LATER_MAX; i++)
        if (is_rest(found, broken, model->compiles.items[i]))
            return model->compiles.items[i];
    return NULL;
}

/* Whether another thread than the main one called it: frames that are compiled meanwhile may be those of further threads. */
static bool is_in_thread(const struct stack_node *node) {
    for (size_t depth = 0; node && depth < DEPTH_MAX; node = node->parent, depth++)
        if (slice_is(node->frame->function, "_bootstrap_inner") &&
            slice_is(path_last(node->frame->file), "threading.py"))
            return true;
    return false;
}

bool failure_is_between(const struct model *model, const struct graph_break *found, const struct compile *rest,
                        const struct compile *compile) {
    if (!rest || !compile->stack || compile->process != rest->process || compile->index >= rest->index ||
        compile->index <= model->compiles.items[found->compiles.items[0]]->index)
        return false;
    const struct stack_node *node = compile->stack->parent;
    for (size_t depth = 0; node && depth < DEPTH_MAX; node = node->parent, depth++)
        if (node == rest->stack->parent)
            return !is_in_thread(node);
    return false;
}

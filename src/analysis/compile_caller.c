#include "analysis/compile_caller.h"

#include "base/mem.h"
#include "scan/library.h"

/* The user's frame that is next above this one, or the frame itself. NULL: none. */
static const struct frame *own_frame(const struct stack_node *node) {
    while (node && is_library_file(node->frame->file))
        node = node->parent;
    return node ? node->frame : NULL;
}

/* The outermost frame of Dynamo: what is above it called the compiled frame. */
static const struct stack_node *entry_of(const struct stack_node *node) {
    const struct stack_node *entry = NULL;
    for (; node; node = node->parent)
        if (slice_find(node->frame->file, SLICE("torch/_dynamo/")) != SIZE_MAX)
            entry = node;
    return entry;
}

/* Adds the frames of a stack, outermost first; stacks may be 20,000 deep. */
static const struct stack_node *copy_stack(struct stacks *stacks, const struct stack_node *from) {
    const struct frame **frames = mem_alloc(from->depth * sizeof *frames);
    const struct stack_node *node = NULL;
    size_t count = 0;
    for (const struct stack_node *at = from; at; at = at->parent)
        frames[count++] = at->frame;
    while (count-- > 0)
        node = stacks_add_frame(stacks, node, frames[count]);
    mem_free(frames);
    return node;
}

/* The stack while it was traced. NULL: none has a caller. */
static const struct stack_node *from_trace(struct model *model, struct compile *compile) {
    static const struct {
        enum shape_kind kind;
        const char *name;
    } kinds[] = {{SHAPE_SYMBOL, "create_symbol"},
                 {SHAPE_GUARD, "guard_added_fast"},
                 {SHAPE_SPECIALIZATION, "symbolic_shape_specialization"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const struct shape_record *record = compile->shapes[kinds[i].kind].first;
        const struct stack_node *entry = record ? entry_of(record->stack) : NULL;
        if (!entry || !own_frame(entry->parent))
            continue;
        compile->caller_from = kinds[i].name;
        return copy_stack(&model->starts, entry->parent);
    }
    return NULL;
}

/* The stack of a graph break that only this compile has: the user's frames above the compiled one. NULL: none. */
static const struct stack_node *from_break(struct model *model, struct compile *compile) {
    for (size_t i = 0; i < compile->breaks.count; i++) {
        const struct graph_break *found = model->breaks.items[compile->breaks.items[i]];
        const struct stack_node *node = compile->stack->parent;
        size_t at = 0;
        while (at < found->stack.count && (!slice_eq(found->stack.items[at].file, compile->frame.file) ||
                                           !slice_eq(found->stack.items[at].function, compile->frame.function)))
            at++;
        if (found->compiles.count != 1 || at == found->stack.count)
            continue;
        for (size_t k = 0; k < at; k++)
            if (!is_library_file(found->stack.items[k].file))
                node = stacks_add_frame(&model->starts, node, &found->stack.items[k]);
        if (node == compile->stack->parent)
            continue;
        compile->caller_from = "graph break";
        return node;
    }
    return NULL;
}

/* Removes nodes that have no compile since theirs was moved, and the frames of libraries above them. */
static void remove_left(struct model *model, const struct stack_node *const *moved, size_t count) {
    size_t nodes = model->starts.nodes.count;
    bool *left = mem_zalloc(nodes + 1, sizeof *left), *keep = mem_zalloc(nodes + 1, sizeof *keep);
    for (size_t i = 0; i < count; i++)
        left[moved[i]->index] = true;
    for (size_t i = 0; i < model->compiles.count; i++)
        if (model->compiles.items[i]->stack)
            keep[model->compiles.items[i]->stack->index] = true;
    for (size_t i = nodes; i-- > 0;) { /* children come after their parents */
        const struct stack_node *parent = model->starts.nodes.items[i]->parent;
        keep[i] |= !left[i];
        if (parent)
            (keep[i] ? keep : left)[parent->index] = true;
    }
    stacks_keep(&model->starts, keep);
    mem_free(left);
    mem_free(keep);
}

void compile_callers_find(struct model *model) {
    const struct stack_node **moved = mem_zalloc(model->compiles.count + 1, sizeof *moved);
    size_t count = 0;
    for (size_t i = 0; i < model->compiles.count; i++) {
        struct compile *compile = model->compiles.items[i];
        if (!compile->framed || !compile->stack || own_frame(compile->stack->parent))
            continue;
        const struct stack_node *caller = from_trace(model, compile);
        if (!caller)
            caller = from_break(model, compile);
        if (!caller)
            continue;
        moved[count++] = compile->stack;
        compile->stack = stacks_add_frame(&model->starts, caller, compile->stack->frame);
    }
    if (count)
        remove_left(model, moved, count);
    mem_free(moved);
}

struct place compile_caller(const struct compile *compile) {
    const struct frame *frame = compile->caller_from ? own_frame(compile->stack->parent) : NULL;
    return frame ? (struct place){.file = frame->file, .function = frame->function, .line = frame->line}
                 : (struct place){0};
}

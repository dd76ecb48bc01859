#include "analysis/identity.h"

#include "scan/library.h"

/* The next frame of the user above this one, or the frame itself. NULL: none. */
static const struct frame *own_frame(const struct stack_node *node) {
    while (node && is_library_file(node->frame->file))
        node = node->parent;
    return node ? node->frame : NULL;
}

/* The outermost frame of Dynamo: the frames above it called the compiled frame. */
static const struct stack_node *entry_of(const struct stack_node *node) {
    const struct stack_node *entry = NULL;
    for (; node; node = node->parent)
        if (slice_find(node->frame->file, SLICE("torch/_dynamo/")) != SIZE_MAX)
            entry = node;
    return entry;
}

/* The outermost of the adjacent Dynamo frames in which the compile began, without frames of other compiles further out:
 * the frame above it called the compiled frame. */
static const struct stack_node *own_entry(const struct stack_node *node) {
    while (node && slice_find(node->frame->file, SLICE("torch/_dynamo/convert_frame.py")) == SIZE_MAX)
        node = node->parent;
    while (node && node->parent &&
           (slice_find(node->parent->frame->file, SLICE("torch/_dynamo/")) != SIZE_MAX ||
            slice_find(node->parent->frame->file, SLICE("torch/_utils_internal.py")) != SIZE_MAX))
        node = node->parent;
    return node;
}

static bool is_same_frame(const struct frame *a, const struct frame *b) {
    return a == b || (a->line == b->line && slice_eq(a->file, b->file) && slice_eq(a->function, b->function));
}

/* Whether the longer stack begins with the other one and continues with a frame of the user. */
static bool goes_on(const struct stack_node *longer, const struct stack_node *shorter) {
    bool own = false;
    for (; longer && longer->depth > shorter->depth; longer = longer->parent)
        own |= !is_library_file(longer->frame->file);
    while (own && longer && shorter && is_same_frame(longer->frame, shorter->frame)) {
        longer = longer->parent;
        shorter = shorter->parent;
    }
    return own && !longer && !shorter;
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

/* The stack during the trace. Later records with its id belong to another trace, such as that of an export. NULL: no
 * record has a caller, or only the one in dynamo_start. */
static const struct stack_node *from_trace(struct model *model, struct compile *compile) {
    static const struct {
        enum shape_kind kind;
        const char *name;
    } kinds[] = {{SHAPE_SYMBOL, "create_symbol"},
                 {SHAPE_GUARD, "guard_added_fast"},
                 {SHAPE_SPECIALIZATION, "symbolic_shape_specialization"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const struct shape_record *record = compile->shapes[kinds[i].kind].first;
        const struct stack_node *cut = own_frame(compile->stack->parent) ? compile->stack->parent : NULL;
        const struct stack_node *entry = !record ? NULL : cut ? own_entry(record->stack) : entry_of(record->stack);
        if (!entry || (cut ? !goes_on(entry->parent, cut) : !own_frame(entry->parent)) ||
            (compile->metrics_line && record->line > compile->metrics_line))
            continue;
        compile->caller_from = kinds[i].name;
        return copy_stack(&model->starts, entry->parent);
    }
    return NULL;
}

/* How many of the frames, outermost first, are the user's frames of the stack; SIZE_MAX: they begin with different
 * frames. */
static size_t begin_alike(const struct frame *const *own, size_t count, const struct stack_node *node) {
    size_t length = 0;
    for (const struct stack_node *at = node; at; at = at->parent)
        length += !is_library_file(at->frame->file);
    if (length > count)
        return SIZE_MAX;
    for (size_t i = length; node; node = node->parent)
        if (!is_library_file(node->frame->file) && !is_same_frame(node->frame, own[--i]))
            return SIZE_MAX;
    return length;
}

/* The stack of a graph break that only this compile has, for the user's frames above the compiled frame, which
 * dynamo_start lacks. NULL: none. */
static const struct stack_node *from_break(struct model *model, struct compile *compile) {
    enum { BREAKS_MAX = 16 }; /* each is compared with the whole stack */
    const struct stack_node *caller = NULL;
    for (size_t i = 0; i < compile->breaks.count && i < BREAKS_MAX && !caller; i++) {
        const struct graph_break *found = model->breaks.items[compile->breaks.items[i]];
        const struct frame **own = mem_alloc((found->stack.count + 1) * sizeof *own);
        size_t at = 0, count = 0, known = SIZE_MAX;
        for (; at < found->stack.count && (!slice_eq(found->stack.items[at].file, compile->frame.file) ||
                                           !slice_eq(found->stack.items[at].function, compile->frame.function));
             at++)
            if (!is_library_file(found->stack.items[at].file))
                own[count++] = &found->stack.items[at];
        if (found->compiles.count == 1 && at < found->stack.count)
            known = begin_alike(own, count, compile->stack->parent);
        if (known < count) {
            caller = compile->stack->parent;
            while (known < count)
                caller = stacks_add_frame(&model->starts, caller, own[known++]);
            compile->caller_from = "graph break";
        }
        mem_free(own);
    }
    return caller;
}

/* Removes nodes that no compile uses any more, and the library frames above them. */
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
        if (!compile->framed || !compile->stack)
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

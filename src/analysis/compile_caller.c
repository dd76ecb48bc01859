#include "analysis/compile_caller.h"

#include "scan/library.h"

static struct place place_of(const struct frame *frame) {
    return (struct place){.file = frame->file, .function = frame->function, .line = frame->line};
}

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

static bool from_trace(const struct compile *compile, struct compile_caller *caller) {
    static const struct {
        enum shape_kind kind;
        const char *name;
    } kinds[] = {{SHAPE_SYMBOL, "create_symbol"},
                 {SHAPE_GUARD, "guard_added_fast"},
                 {SHAPE_SPECIALIZATION, "symbolic_shape_specialization"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const struct shape_record *record = compile->shapes[kinds[i].kind].first;
        const struct stack_node *entry = record ? entry_of(record->stack) : NULL;
        const struct frame *frame = entry ? own_frame(entry->parent) : NULL;
        if (!frame)
            continue;
        *caller = (struct compile_caller){.place = place_of(frame), .from = kinds[i].name};
        return true;
    }
    return false;
}

/* The stack of a graph break that only this compile has: the frame above the compiled one. */
static bool from_break(const struct model *model, const struct compile *compile, struct compile_caller *caller) {
    for (size_t i = 0; i < compile->breaks.count; i++) {
        const struct graph_break *found = model->breaks.items[compile->breaks.items[i]];
        size_t at = 0;
        while (at < found->stack.count && (!slice_eq(found->stack.items[at].file, compile->frame.file) ||
                                           !slice_eq(found->stack.items[at].function, compile->frame.function)))
            at++;
        if (found->compiles.count != 1 || at == found->stack.count)
            continue;
        while (at-- > 0) {
            if (is_library_file(found->stack.items[at].file))
                continue;
            *caller = (struct compile_caller){.place = place_of(&found->stack.items[at]), .from = "graph break"};
            return true;
        }
    }
    return false;
}

struct compile_caller compile_caller(const struct model *model, const struct compile *compile) {
    struct compile_caller caller = {0};
    bool alone = compile->framed && compile->stack && !own_frame(compile->stack->parent);
    if (alone && !from_trace(compile, &caller))
        from_break(model, compile, &caller);
    return caller;
}

#include "model/model.h"

/* The source text of the line of the break; ptr NULL: not logged. */
static struct slice own_code(const struct graph_break *found) {
    if (!found->stack.count)
        return (struct slice){0};
    const struct frame *inner = &found->stack.items[found->stack.count - 1];
    bool at = inner->line == found->place.line && slice_eq(inner->file, found->place.file);
    return at ? slice_trim(inner->code) : (struct slice){0};
}

bool graph_break_is_assertion(const struct graph_break *found) {
    bool constant = !found->skipped && slice_find(found->context, SLICE("ConstantVariable(bool: False)")) != SIZE_MAX,
         symbolic = slice_is(found->reason, "Assertion failed on symbolic shapes");
    return (constant || symbolic) && slice_starts(own_code(found), SLICE("assert "));
}

bool graph_break_is_fake(const struct graph_break *found) {
    return slice_find(found->raised, SLICE("failed to run FX node with fake tensors")) != SIZE_MAX;
}

/* Whether the line itself raises the exception: "raise Full(n)", or "if n > 2: raise Full(n)". */
static bool raises_own(struct slice code, struct slice raised) {
    static const struct slice conditional = SLICE_INIT(": raise ");
    size_t at = slice_find(code, conditional);
    struct slice name = at == SIZE_MAX ? (struct slice){0} : slice_from(code, at + conditional.len);
    name = slice_first(name, word_length(name));
    return slice_is(code, "raise") || slice_starts(code, SLICE("raise ")) || slice_starts(code, SLICE("assert ")) ||
           (name.len && slice_starts(raised, name) && word_length(raised) == name.len);
}

bool graph_break_is_raised(const struct graph_break *found) {
    bool raises = raises_own(own_code(found), found->raised);
    return found->raised.len && (raises || (found->library && !graph_break_is_fake(found)));
}

bool graph_break_counts(const struct graph_break *found) {
    return !graph_break_is_raised(found) && !graph_break_is_assertion(found);
}

uint64_t model_graph_breaks(const struct model *model) {
    uint64_t count = 0;
    for (size_t i = 0; i < model->breaks.count; i++)
        count += graph_break_counts(model->breaks.items[i]);
    return count;
}

uint64_t compile_graph_breaks(const struct model *model, const struct compile *compile) {
    uint64_t count = 0;
    for (size_t i = 0; i < compile->breaks.count; i++)
        count += graph_break_counts(model->breaks.items[compile->breaks.items[i]]);
    return count;
}

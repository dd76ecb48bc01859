/* findings_arguments.c - graph breaks at arguments that a graph cannot pass to an operator, at functions without a
 * counterpart in PyTorch, and at conditions that an argument decides. */
#include "analysis/identity.h"
#include "findings/findings_failures.h"
#include "scan/guard_text.h"
#include "scan/library.h"

/* "Generator" of "call_function args: SizeVariable(length=2) UserDefinedObjectVariable(Generator) …": the class of the
 * only object whose class Dynamo does not model; "": none, or several. */
static struct slice object_class(struct slice context) {
    static const struct slice object = SLICE_INIT("UserDefinedObjectVariable(");
    size_t at = slice_find(context, object);
    struct slice rest = at == SIZE_MAX ? (struct slice){0} : slice_from(context, at + object.len);
    if (slice_find(rest, object) != SIZE_MAX)
        return (struct slice){0};
    struct slice name = slice_first(rest, word_length(rest));
    return slice_starts(slice_from(rest, name.len), SLICE(")")) ? name : (struct slice){0};
}

/* The innermost line of the user that calls a function which breaks the graph; NULL: the user's line breaks it. */
static const struct frame *calling_line(const struct graph_break *found) {
    for (size_t i = found->stack.count - 1; i-- > 0;)
        if (!is_library_file(found->stack.items[i].file))
            return slice_eq(found->stack.items[i].file, found->place.file) ? NULL : &found->stack.items[i];
    return NULL;
}

struct slice failure_argument(struct findings *findings, const struct graph_break *found) {
    struct buf text = {0};
    struct slice class = object_class(found->context);
    if (!slice_is(found->reason, "Failed to convert args/kwargs to proxy") || !found->stack.count)
        return (struct slice){0};
    const struct frame *user = calling_line(found);
    if (class.len) {
        buf_add_str(&text, user ? "Call " : "Make this call");
        if (user)
            failure_add_called(&text, user + 1, user);
        buf_addf(&text, " outside of the compiled function: Dynamo cannot pass a `%s%.*s` to an operator.",
                 slice_is(class, "Generator") ? "torch." : "", SLICE_ARG(class));
        return finding_keep(findings, &text);
    }
    buf_add_lit(&text, "Look at the arguments of ");
    if (user)
        failure_add_called(&text, user + 1, user);
    else
        buf_add_lit(&text, "this call");
    buf_add_lit(&text,
                ": one of them is neither a tensor nor a constant for Dynamo, such as a property of an object. If it "
                "is a size, take it from a tensor (`x.shape[0]`).");
    return finding_keep(findings, &text);
}

/* "default_rng" of "Can't find numpy numpy function <cyfunction default_rng at 0x…> in torch._numpy." */
struct slice failure_numpy(struct findings *findings, const struct graph_break *found) {
    struct slice name = text_between(found->explanation, SLICE("function "), SLICE(" at 0x"));
    name = slice_starts(name, SLICE("<cyfunction ")) ? slice_from(name, sizeof "<cyfunction " - 1) : name;
    name = slice_starts(name, SLICE("<function ")) ? slice_from(name, sizeof "<function " - 1) : name;
    if (!name.len || slice_find(name, SLICE(" ")) != SIZE_MAX)
        return (struct slice){0};
    return finding_say(findings,
                       "Call NumPy's `%.*s` outside of the compiled function, or use a function of PyTorch: "
                       "`torch._numpy`, to which Dynamo translates NumPy, has none of this name.",
                       SLICE_ARG(name));
}

/* The argument that decides a condition: "timestep" if its only input is "graph input (L_timestep_)". An input with a
 * longer name is a member of something; ptr NULL: several inputs, or none. */
static struct slice deciding_argument(const struct graph_break *found) {
    static const struct slice input = SLICE_INIT("graph input (");
    size_t at = slice_find(found->explanation, input);
    if (at == SIZE_MAX || slice_find(slice_from(found->explanation, at + input.len), input) != SIZE_MAX)
        return (struct slice){0};
    struct slice name = text_between(slice_from(found->explanation, at), SLICE("(L_"), SLICE("_)"));
    return name.len && word_length(name) == name.len && !is_digit(name.ptr[name.len - 1]) ? name : (struct slice){0};
}

/* Whether the user calls the function, as far as the stack shows, and not a function of a library other than PyTorch.
 */
static bool is_called_by_user(const struct compile *compile) {
    enum { DEPTH_MAX = 64 };
    uint64_t line;
    resumed_function(compile->frame.function, &line);
    const struct stack_node *node = compile->stack ? compile->stack->parent : NULL;
    for (size_t depth = 0; node && depth < DEPTH_MAX; node = node->parent, depth++)
        if (is_library_file(node->frame->file) && slice_find(node->frame->file, SLICE("/torch/")) == SIZE_MAX)
            return false;
    return !line;
}

struct slice failure_condition_of_argument(struct findings *findings, const struct model *model,
                                           const struct graph_break *found) {
    struct slice name = deciding_argument(found);
    if (!found->compiles.count || !is_called_by_user(model->compiles.items[found->compiles.items[0]]) || !name.len ||
        !slice_is(found->reason, "Data-dependent branching") || !found->library)
        return (struct slice){0};
    return finding_say(findings,
                       "Pass `%.*s` as a number instead of a tensor (`.item()` before the call), if the function takes "
                       "one: Dynamo then decides the condition. A version may then fit only some of the numbers.",
                       SLICE_ARG(name));
}

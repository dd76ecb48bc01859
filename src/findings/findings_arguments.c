/* findings_arguments.c - graph breaks at arguments of an operator that a graph cannot have. */
#include "analysis/identity.h"
#include "base/word.h"
#include "findings/findings_failures.h"

/* "Generator" of "call_function args: SizeVariable(length=2) UserDefinedObjectVariable(Generator) …": the class of the only
 * object of a class that Dynamo has no model for; "": none, or several. */
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

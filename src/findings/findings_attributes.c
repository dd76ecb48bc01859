/* findings_attributes.c - graph breaks at attributes that Dynamo cannot read or set: on the class of an
 * autograd.Function, and tensor methods that are referenced but not called. */
#include "findings/findings_failures.h"
#include "scan/guard_text.h"

/* "calls" of "GetAttrVariable(AutogradFunctionVariable(), calls) does not implement python_type()". */
static struct slice attribute_of(struct slice context, struct slice owner) {
    size_t at = slice_find(context, owner);
    struct slice rest = at == SIZE_MAX ? (struct slice){0} : slice_from(context, at + owner.len);
    return slice_first(rest, word_length(rest));
}

/* "Quant.calls += 1", "Quant.last = x": not "y = Quant.scale", nor "Quant.scale == y". */
static bool is_set(struct slice code, struct slice name) {
    size_t at = slice_find(code, name);
    struct slice rest = at == SIZE_MAX ? (struct slice){0} : slice_trim(slice_from(code, at + name.len));
    size_t sign = 0;
    while (sign < rest.len && sign < 3 && slice_find(SLICE("+-*/|&%^@"), slice_make(rest.ptr + sign, 1)) != SIZE_MAX)
        sign++;
    rest = slice_from(rest, sign);
    return slice_starts(rest, SLICE("=")) && !slice_starts(rest, SLICE("=="));
}

struct slice failure_attribute(struct findings *findings, const struct graph_break *found) {
    static const struct slice function = SLICE_INIT("GetAttrVariable(AutogradFunctionVariable(), "),
                              tensor = SLICE_INIT("GetAttrVariable(TensorVariable(), "),
                              set = SLICE_INIT("setattr(AutogradFunctionVariable(), ConstantVariable(str: '");
    struct slice code = found->stack.count ? found->stack.items[found->stack.count - 1].code : (struct slice){0};
    struct slice name = attribute_of(found->context, set);
    bool sets = name.len > 0;
    name = sets ? name : attribute_of(found->context, function);
    if (name.len && (sets || is_set(code, name)))
        return finding_say(
            findings,
            "Change `%.*s` outside of the compiled function: Dynamo neither reads nor sets attributes of an "
            "`autograd.Function`.",
            SLICE_ARG(name));
    if (name.len)
        return finding_say(findings,
                           "Pass `%.*s` to `apply()`, and keep it on `ctx` for the backward, or use a global constant: "
                           "Dynamo cannot read attributes of an `autograd.Function`.",
                           SLICE_ARG(name));
    name = attribute_of(found->context, tensor);
    struct buf call = {0};
    buf_addf(&call, ".%.*s(", SLICE_ARG(name));
    bool called = !name.len || slice_find(code, buf_slice(&call)) != SIZE_MAX;
    buf_free(&call);
    if (called || found->library || !slice_is(found->reason, "Unsupported python_type() call"))
        return (struct slice){0};
    return finding_say(findings,
                       "Check the line: it does not call the method `%.*s` of a tensor, but uses it as a value.",
                       SLICE_ARG(name));
}

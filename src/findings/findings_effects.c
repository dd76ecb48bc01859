/* findings_effects.c - side effects, such as changing a list of the program, in functions that PyTorch traces as
 * functions without side effects: tensor hooks, the backward of an autograd.Function, functions that an operator runs.
 */
#include "analysis/break_lines.h"
#include "findings/findings_failures.h"

/* "stats.append(float(grad.norm()))" */
static bool is_adding(struct slice code) {
    return slice_find(code, SLICE(".append(")) != SIZE_MAX || slice_find(code, SLICE(".extend(")) != SIZE_MAX;
}

/* The kind of function that is traced on the line of another frame of the break: a hook, for
 * `hidden.register_hook(noted)`; or a backward, for `F.apply(x)`, whose backward has the break. NULL: another function.
 */
static const char *traced_alone(const struct graph_break *found) {
    for (size_t i = found->stack.count; i-- > 1;) {
        const struct frame *frame = &found->stack.items[i], *call = frame - 1;
        if (slice_find(call->code, SLICE("register_hook(")) != SIZE_MAX)
            return "the hook";
        if (slice_is(frame->function, "backward") && slice_find(call->code, SLICE(".apply(")) != SIZE_MAX)
            return "`backward`";
    }
    return NULL;
}

static bool is_unsafe(struct slice reason) {
    return slice_is(reason, "HOP: Unsafe side effect");
}

/* Tried with PyTorch 2.15: the operator is called in each backward, and no graph break remains. AOTAutograd removes an
 * operator whose results are not used. */
struct slice failure_side_effect(struct findings *findings, const struct graph_break *found, struct slice hint) {
    const char *alone = traced_alone(found);
    bool captures = alone && hint_captures(hint) && is_adding(found->stack.items[found->stack.count - 1].code);
    if (!alone || (!captures && !is_unsafe(found->reason)))
        return (struct slice){0};
    return finding_say(findings,
                       "Let %s only compute: a change of what is outside of it breaks the graph. To collect a value, "
                       "call a custom operator (`torch.library.custom_op`) that returns a copy of the gradient, and go "
                       "on with this copy: an operator without a used result is removed.%s",
                       alone,
                       captures ? " PyTorch's hint, `capture_scalar_outputs`, helps only where the list is local."
                                : "");
}

struct slice failure_operator_effect(struct slice reason) {
    return is_unsafe(reason) ? SLICE("Return the value from the function that the operator runs, and change what is "
                                     "outside of it after the call: the operator captures no side effects.")
                             : (struct slice){0};
}

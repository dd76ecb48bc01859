/* findings_refused.c - calls that raised RecompileError, because torch._dynamo.config.error_on_recompile is set: the
 * nearest version's inputs, and an earlier call that would have made the version.
 *
 * Tried with PyTorch 2.15: after the advised call, this one raises no error. */

#include "advice/advice.h"
#include "advice/recompile_advice.h"
#include "analysis/setting_values.h"
#include "findings/findings_make.h"
#include "scan/guard_facts.h"

/* Whether the call has this value. A reason does not have a mode's new value: it is the opposite. */
static bool is(const struct guard_change *change, const char *value) {
    if (change->type == GUARD_MODULE_MODE && !change->has.len)
        return slice_is(change->had, slice_is(slice_str(value), "True") ? "False" : "True");
    return slice_is(change->has, value);
}

/* "once with gradients enabled": a call that makes the version; ptr NULL: values of this type may differ in each call.
 */
static struct slice warming_call(const struct guard_change *change) {
    switch (change->type) {
    case GUARD_GRAD_MODE:
        return is(change, "True")  ? SLICE("once with gradients enabled")
             : is(change, "False") ? SLICE("once under `torch.no_grad()`")
                                   : SLICE("once in this mode");
    case GUARD_MODULE_MODE:
        return is(change, "True")  ? SLICE("once in training mode")
             : is(change, "False") ? SLICE("once in evaluation mode")
                                   : SLICE("once in this mode");
    case GUARD_DTYPE:
        return SLICE("once with this dtype");
    case GUARD_DEVICE:
        return SLICE("once with tensors on this device");
    case GUARD_REQUIRES_GRAD:
        return is(change, "True") ? SLICE("once with a tensor that requires a gradient")
                                  : SLICE("once with a tensor that requires none");
    case GUARD_RANK:
        return SLICE("once with this number of dimensions");
    case GUARD_GLOBAL_STATE:
        return SLICE("once with these settings");
    default:
        return (struct slice){0};
    }
}

/* Whether the size can be a symbol: it is not 0 or 1, and not a parameter's. */
static bool is_symbolic(const struct guard_change *change) {
    return change->type == GUARD_SIZE && change->source.len && !slice_starts(change->source, SLICE("___")) &&
           !is_weight(change->guard) && !is_weight(change->key) && change->had.len && change->has.len &&
           !slice_is(change->had, "0") && !slice_is(change->had, "1") && !is(change, "0") && !is(change, "1");
}

static void advise(struct findings *findings, struct finding *finding, const struct model *model,
                   const struct step *step) {
    const struct guard_change *change = &step->changes.items[0];
    struct slice key = model->compiles.items[step->nearest]->key, call = warming_call(change);
    struct buf text = {0};
    if (is_symbolic(change)) {
        buf_add_lit(&text, "Make the size dynamic before `error_on_recompile` is set: mark it with "
                           "`torch._dynamo.mark_dynamic()` in the first call");
        if (compile_setting_is(model, step->nearest, "automatic_dynamic_shapes", "true"))
            buf_add_lit(&text, ", or make a call with another size");
    } else if (call.len) {
        if (change->type == GUARD_GRAD_MODE && (is(change, "True") || is(change, "False")))
            buf_addf(&text, "Call it %s, as for [%.*s], or, before `error_on_recompile` is set,",
                     is(change, "True") ? "under `torch.no_grad()`" : "with gradients enabled", SLICE_ARG(key));
        else
            buf_add_lit(&text, "Before `error_on_recompile` is set, call it");
        buf_addf(&text, " %.*s: each needs a version of its own", SLICE_ARG(call));
    }
    if (change->source.len && change->had.len && change->has.len)
        finding->why = finding_say(findings, "%.*s [%.*s] was compiled for `%.*s` %.*s, and this call has %.*s.",
                                   SLICE_ARG(finding->why), SLICE_ARG(key), SLICE_ARG(change->source),
                                   SLICE_ARG(change->had), SLICE_ARG(change->has));
    if (!text.len)
        return;
    buf_add_byte(&text, '.');
    finding->advice = finding_keep(findings, &text);
    finding->evidence = finding_say(findings, "recompile_reasons of %.*s, and the guards of %.*s",
                                    SLICE_ARG(model->compiles.items[step->compile]->key), SLICE_ARG(key));
}

void findings_add_refused(struct findings *findings, const struct model *model, const struct chains *chains) {
    for (size_t c = 0; c < chains->list.count; c++)
        for (size_t s = 0; s < chains->list.items[c].steps.count; s++) {
            const struct step *step = &chains->list.items[c].steps.items[s];
            int64_t failure = model->compiles.items[step->compile]->failure;
            uint32_t place = failure < 0 ? NO_FINDING : findings->of_failures[failure];
            if (place == NO_FINDING || !step->changes.count || step->nearest == NO_VERSION ||
                !slice_is(model->failures.items[failure].type, "RecompileError") ||
                findings->list.items[place].advice.len)
                continue;
            advise(findings, &findings->list.items[place], model, step);
        }
}

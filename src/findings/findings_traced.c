/* findings_traced.c - errors raised by make_fx, the tracer of AOTAutograd. It logs the graph up to the error, as
 * make_fx_fail_partial. */

#include "findings/findings_failures.h"
#include "model/extras.h"
#include "scan/guard_text.h"

bool failure_is_of_trace(const struct model *model, const struct notice *notice) {
    const struct compile *compile = model->compiles.items[notice->compile];
    return notice->kind == NOTICE_PARTIAL_TRACE && compile->failure >= 0 && notice->line < compile->traced_error;
}

/* The latest partial graph of the error; NULL: none. */
static const struct notice *partial_graph(const struct model *model, const struct compile *compile) {
    const struct notice *found = NULL;
    for (size_t i = 0; model->extras && i < model->extras->notices.count; i++) {
        const struct notice *notice = &model->extras->notices.items[i];
        if (notice->compile == compile->index && failure_is_of_trace(model, notice))
            found = notice;
    }
    return found;
}

struct slice failure_traced_up_to(struct findings *findings, const struct model *model, const struct compile *compile,
                                  struct slice why) {
    const struct notice *partial = partial_graph(model, compile);
    struct slice operator= partial ? text_between(partial->message, SLICE("torch.ops."), SLICE("("))
                                   : (struct slice){0};
    struct buf text = {0};
    if (!operator.len)
        return why;
    buf_add(&text, why);
    failure_add_sentence(&text, "");
    buf_addf(&text, "The trace failed after `%.*s`", SLICE_ARG(finding_line(findings, operator)));
    if (partial->place.file.ptr)
        buf_addf(&text, "%s%.*s:%" PRIu64, partial->backward ? ", in the backward of " : ", at ",
                 SLICE_ARG(path_last(partial->place.file)), partial->place.line);
    buf_add_byte(&text, '.');
    return finding_keep(findings, &text);
}

struct slice failure_formula(struct findings *findings, struct slice reason) {
    struct slice operator=
        text_between(reason, SLICE("Trying to backward through "), SLICE(" but no autograd formula"));
    size_t dot = slice_rfind_byte(operator, '.'); /* "shop.smooth.default" */
    if (!operator.len || dot == SIZE_MAX)
        return (struct slice){0};
    return finding_say(
        findings,
        "Register a formula for the backward of `%.*s` with `torch.library.register_autograd`, or call it "
        "under `torch.no_grad()`.",
        SLICE_ARG(finding_line(findings, slice_first(operator, dot))));
}

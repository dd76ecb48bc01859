/* Graph breaks of loops that run over Python numbers, such as those of `tolist()`.
 *
 * PyTorch's hint is a setting that captures such numbers as symbols. A loop can multiply with a symbol, or slice with it;
 * `range(n)` in it ends the trace of the frame, which then runs eagerly as a whole. The log does not show loop lines
 * that were not reached, so the advice covers both cases. */

#include "analysis/break_lines.h"
#include "analysis/identity.h"
#include "findings/findings_failures.h"

/* "for n in lengths.tolist():" */
static bool is_header(struct slice code) {
    return slice_starts(slice_trim(code), SLICE("for ")) && slice_find(code, SLICE(".tolist()")) != SIZE_MAX;
}

/* The line of the break if it is such a loop; NULL: it is not. */
static const struct frame *header_of(const struct graph_break *found) {
    const struct frame *frame = found->stack.count ? &found->stack.items[found->stack.count - 1] : NULL;
    return frame && frame->line == found->place.line && is_header(frame->code) ? frame : NULL;
}

/* Whether a frame of the break is the resume function for this line. */
static bool resumes_at(const struct model *model, const struct graph_break *found, const struct frame *header) {
    enum { COMPILES_MAX = 64 };
    for (size_t i = 0; i < found->compiles.count && i < COMPILES_MAX; i++) {
        const struct place *frame = &model->compiles.items[found->compiles.items[i]]->frame;
        uint64_t line, unused;
        struct slice function = resumed_function(frame->function, &line);
        if (line == header->line && slice_eq(frame->file, header->file) &&
            slice_eq(function, resumed_function(header->function, &unused)))
            return true;
    }
    return false;
}

/* The line of the loop if the frame with the break is its rest, from an earlier break. */
static const struct frame *loop_around(const struct model *model, const struct graph_break *found) {
    enum { BREAKS_MAX = 256 };
    size_t first = found->compiles.count ? found->compiles.items[0] : 0, seen = 0;
    for (size_t c = first; c-- > 0 && seen < BREAKS_MAX;) { /* its header broke the graph shortly before */
        const struct compile *compile = model->compiles.items[c];
        seen++;
        for (size_t b = 0; b < compile->breaks.count && seen < BREAKS_MAX; b++, seen++) {
            const struct frame *header = header_of(model->breaks.items[compile->breaks.items[b]]);
            if (header && resumes_at(model, found, header))
                return header;
        }
    }
    return NULL;
}

/* Whether the frame that resumes at this loop runs eagerly because of a later break in it. */
static bool ends_inside(const struct model *model, const struct graph_break *found, const struct frame *header) {
    enum { LATER_MAX = 256 };
    size_t first = found->compiles.count ? found->compiles.items[0] : model->compiles.count, seen = 0;
    for (size_t c = first; c < model->compiles.count && seen < LATER_MAX; c++) {
        const struct compile *compile = model->compiles.items[c];
        seen++;
        for (size_t b = 0; b < compile->breaks.count && seen < LATER_MAX; b++, seen++) {
            const struct graph_break *later = model->breaks.items[compile->breaks.items[b]];
            if (later != found && later->skipped && resumes_at(model, later, header))
                return true;
        }
    }
    return false;
}

struct slice failure_loop(struct findings *findings, const struct model *model, const struct graph_break *found,
                          struct slice hint, struct finding *finding) {
    const struct frame *header = header_of(found);
    if (!hint_captures(hint))
        return (struct slice){0};
    struct slice listed = failure_listed(findings, model, found, hint);
    if (!listed.len)
        listed = failure_iterated(found, hint);
    if (listed.len)
        return listed;
    if (header && !found->library && !ends_inside(model, found, header)) {
        finding->unsaved = true;
        return finding_say(
            findings,
            "%.*s%s It only helps if the loop computes with the numbers. If it tests them (`if`, `in`) or "
            "needs them (`range(n)`, a set, a key), its frame runs eagerly: keep a tensor instead, for "
            "example a mask (`x == y`, `torch.isin`), or move the loop out of the compiled function.",
            SLICE_ARG(hint), slice_ends(hint, SLICE(".")) ? "" : ".");
    }
    if (!header && found->skipped)
        header = loop_around(model, found);
    if (!header)
        return (struct slice){0};
    finding->stays = true;
    return finding_say(
        findings,
        "Keep the loop at %.*s:%" PRIu64
        " in a function under `torch.compiler.disable()`: it runs over Python numbers, and where it needs "
        "them, as in `range(n)`, it runs eagerly with each setting. If it does not, set "
        "`torch._dynamo.config.capture_scalar_outputs = True`, which makes them symbols.",
        SLICE_ARG(path_last(header->file)), header->line);
}

const char *failure_rows_note(const struct graph_break *found, struct slice setting) {
    bool custom = found && slice_is(setting, "capture_dynamic_output_shape_ops") && found->context.len &&
                  !slice_starts(found->context, SLICE("aten.")) && slice_find(found->context, SLICE(".")) != SIZE_MAX &&
                  slice_find(found->context, SLICE(" ")) == SIZE_MAX;
    return custom ? " A result with fewer than two rows raises an error if the operator's fake implementation calls "
                    "`create_unbacked_symint()` without `min`: `new_dynamic_size()` allows every size."
                  : "";
}

bool failure_is_nms(const struct graph_break *found) {
    return slice_is(found->context, "torchvision.nms.default") || slice_is(found->context, "torchvision.qnms.default");
}

struct slice failure_nms(struct findings *findings, const struct frame *call, bool library) {
    struct buf text = {0};
    if (library && !call)
        buf_add_lit(&text, "A library calls `nms`: compile the part of the model that does not call it, such as the "
                           "backbone of a detector (`model.backbone.compile()`), instead of the whole");
    else
        buf_add_lit(&text, "Call `nms` outside of the compiled function");
    if (call)
        buf_addf(&text, ": %.*s:%" PRIu64 " calls it", SLICE_ARG(path_last(call->file)), call->line);
    buf_add_lit(&text,
                ". `torch._dynamo.config.capture_dynamic_output_shape_ops = True` captures it, but with "
                "torchvision 0.29 a call that keeps fewer than two boxes then raises a RuntimeError (`u0 >= 2`).");
    return finding_keep(findings, &text);
}

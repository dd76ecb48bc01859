/* findings_moved.c - graph breaks at lines that a fix of recompiles moves out of the compiled function.
 *
 * Tried with PyTorch 2.15, for `losses.append(loss.item())`: with capture_scalar_outputs alone, the break is gone, and each
 * call recompiles the whole function; with the line outside, neither remains. */

#include "findings/findings_failures.h"

/* The text in a fix of recompiles that moves a line, or the function that it calls, out of the compiled function. */
struct line {
    const struct place *place;
    struct buf change, resumed; /* "Make the change at a.py:9 outside of …"; "torch_dynamo_resume_in_f_at_9`" */
};

static bool moves(const struct finding *recompiled, const struct line *line) {
    if (slice_starts(recompiled->advice, SLICE("Add to `")) && recompiled->place.line == line->place->line &&
        slice_eq(recompiled->place.file, line->place->file))
        return true;
    return slice_find(recompiled->advice, buf_slice(&line->change)) != SIZE_MAX ||
           (slice_find(recompiled->title, buf_slice(&line->resumed)) != SIZE_MAX &&
            slice_find(recompiled->advice, SLICE(", with or without the graph break.")) != SIZE_MAX);
}

/* The recompiles whose fix also removes the break; NULL: none. */
static const struct finding *moved_by(const struct findings *findings, const struct place *place) {
    enum { FINDINGS_MAX = 1000 };
    struct line line = {.place = place};
    const struct finding *by = NULL;
    buf_addf(&line.change, "Make the change at %.*s:%" PRIu64 " outside of the compiled function",
             SLICE_ARG(path_last(place->file)), place->line);
    buf_addf(&line.resumed, "torch_dynamo_resume_in_%.*s_at_%" PRIu64 "`", SLICE_ARG(place->function), place->line);
    for (size_t i = 0; i < findings->list.count && i < FINDINGS_MAX && !by; i++)
        if (findings->list.items[i].kind == FINDING_RECOMPILE && moves(&findings->list.items[i], &line))
            by = &findings->list.items[i];
    buf_free(&line.change);
    buf_free(&line.resumed);
    return by;
}

void findings_add_moved(struct findings *findings) {
    for (size_t i = 0; i < findings->list.count; i++) {
        struct finding *finding = &findings->list.items[i];
        if (finding->kind != FINDING_GRAPH_BREAK || !finding->place.file.ptr ||
            !slice_starts(finding->advice, SLICE("Set `torch._dynamo.config.capture_scalar_outputs = True`")))
            continue;
        const struct finding *by = moved_by(findings, &finding->place);
        if (by)
            finding->advice =
                finding_say(findings,
                            "Move this line out of the compiled function, as the fix for this issue says: "
                            "%.*s. That also removes the graph break. PyTorch's hint alone does not stop "
                            "the recompiles: %.*s",
                            SLICE_ARG(by->title), SLICE_ARG(finding->advice));
    }
}

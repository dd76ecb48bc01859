/* findings_moved.c - graph breaks at lines that the fix of recompiles moves out of the compiled function.
 *
 * Tried with PyTorch 2.15, for `losses.append(loss.item())`: with capture_scalar_outputs alone, the break is gone, and each
 * call recompiles the whole function; with the line outside, neither is left. */
#include <inttypes.h>

#include "analysis/findings_failures.h"
#include "base/path.h"

/* Whether the fix of the recompiles is to take this line, or what it calls, out of the compiled function. */
static bool moves(const struct finding *recompiled, const struct place *place) {
    struct buf line = {0}, resumed = {0};
    buf_addf(&line, "Make the change at %.*s:%" PRIu64 " outside of the compiled function",
             SLICE_ARG(path_last(place->file)), place->line);
    buf_addf(&resumed, "torch_dynamo_resume_in_%.*s_at_%" PRIu64 "`", SLICE_ARG(place->function), place->line);
    bool found = slice_find(recompiled->advice, buf_slice(&line)) != SIZE_MAX ||
                 (slice_find(recompiled->title, buf_slice(&resumed)) != SIZE_MAX &&
                  slice_find(recompiled->advice, SLICE(", with or without the graph break.")) != SIZE_MAX);
    buf_free(&line);
    buf_free(&resumed);
    return found || (slice_starts(recompiled->advice, SLICE("Add to `")) && recompiled->place.line == place->line &&
                     slice_eq(recompiled->place.file, place->file));
}

void findings_add_moved(struct findings *findings) {
    enum { FINDINGS_MAX = 1000 };
    for (size_t i = 0; i < findings->list.count && i < FINDINGS_MAX; i++) {
        struct finding *finding = &findings->list.items[i];
        const struct finding *by = NULL;
        if (finding->kind != FINDING_GRAPH_BREAK || !finding->place.file.ptr ||
            !slice_starts(finding->advice, SLICE("Set `torch._dynamo.config.capture_scalar_outputs = True`")))
            continue;
        for (size_t k = 0; k < findings->list.count && k < FINDINGS_MAX && !by; k++)
            if (findings->list.items[k].kind == FINDING_RECOMPILE && moves(&findings->list.items[k], &finding->place))
                by = &findings->list.items[k];
        if (by)
            finding->advice = finding_say(findings,
                                          "Take this line out of the compiled function, as the fix of another issue "
                                          "says (%.*s): that removes the "
                                          "break, too. With PyTorch's hint alone, each call still recompiles: %.*s",
                                          SLICE_ARG(by->title), SLICE_ARG(finding->advice));
    }
}

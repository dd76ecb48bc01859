/* Runs in which nothing is compiled although every compile succeeded: all work is in code that breaks the graph. */
#include "findings/findings_failures.h"
#include "findings/findings_make.h"

/* Whether the compile ended with a graph break and without any operators. */
static bool has_only_breaks(const struct compile *compile) {
    return compile->has_metrics && !compile->failed && compile->ops == 0 && compile->breaks.count;
}

void findings_add_coverage(struct findings *findings, const struct model *model) {
    LIST(uint32_t) broken = {0};
    for (uint32_t i = 0; i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[i];
        if (compile->graph_line || compile->ops > 0 || compile->has_code || compile->has_backward_metrics)
            return; /* something is compiled */
        if (!compile->framed)
            continue;
        if (!compile->has_metrics || compile->failed || compile->no_code)
            return; /* its end is not in the log, or another finding explains it */
        if (!has_only_breaks(compile))
            continue;
        ARENA_ADD(&findings->scratch, &broken, i);
    }
    if (!broken.count || model->events_lost || model->faults.count)
        return;
    for (size_t i = 0; i < broken.count; i++) {
        const struct compile *last = model->compiles.items[broken.items[i]];
        for (size_t b = 0; b < last->breaks.count; b++)
            if (failure_is_unfinished(model, model->breaks.items[last->breaks.items[b]], broken.items[i]))
                return; /* the log ends within its first call, as the break's finding reports */
    }
    struct buf why = {0};
    const struct compile *compile = model->compiles.items[broken.items[0]];
    const struct graph_break *found = model->breaks.items[compile->breaks.items[0]];
    struct finding *finding = finding_add(findings, FINDING_FRAME_SKIPPED, SEVERITY_ERROR, IMPACT_EVERY_STEP);
    const compile_list first = {.items = broken.items, .count = 1};
    bool one_call = aftermath_of(model, &first, found) == AFTER_NOTHING; /* it may have ended the program */
    finding->title = one_call ? SLICE("No graph of this log has an operator")
                              : SLICE("Nothing runs compiled: no graph of this log has an operator");
    size_t names = finding_add_functions(&why, model, broken.items, broken.count);
    buf_addf(&why,
             " %s no operators outside of %s graph breaks, and the log has no other graph: %swhat the breaking lines "
             "call runs eagerly.",
             names == 1 ? "has" : "have", names == 1 ? "its" : "their",
             one_call ? "unless the program ended in this call, " : "");
    finding->why = finding_keep(findings, &why);
    finding->place = found->place.file.ptr ? found->place : finding_place(compile->frame, compile->stack);
    finding->library = finding->place.file.ptr && is_library_file(finding->place.file);
    if (finding->library)
        finding->caller = finding_place(compile->frame, compile->stack);
    if (finding->caller.file.ptr && is_library_file(finding->caller.file))
        finding->caller = (struct place){0};
    finding->link = finding_say(findings, "#/breaks?n=%u", (unsigned)compile->breaks.items[0]);
    if (slice_find(found->place.file, SLICE("/torch/distributed/fsdp/_fully_shard/")) != SIZE_MAX) {
        finding->advice = SLICE("Shard the module that `torch.compile()` returns, `fully_shard(torch.compile(block))`: "
                                "FSDP's hooks then run outside of what is compiled.");
        finding->evidence = SLICE("the line of the graph break");
    }
    struct slice advice = failure_quantization(found);
    if (advice.len) {
        finding->advice = advice;
        finding->evidence = SLICE("PyTorch's text for the graph break");
    }
    for (size_t i = 0; i < broken.count; i++)
        finding_name_compile(findings, finding, broken.items[i]);
}

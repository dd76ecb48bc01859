/* Sizes and values: dimensions that were dynamic and became fixed, decisions taken with real data. */
#include <inttypes.h>

#include "model/dynamic.h"
#include "model/export.h"
#include "model/findings_make.h"

static struct place innermost(const struct stack_node *stack) {
    if (!stack)
        return (struct place){0};
    struct place place = {.file = stack->frame->file, .function = stack->frame->function, .line = stack->frame->line};
    return finding_place(place, stack);
}

/* What it means that just this size became fixed. */
static struct slice promise(const struct compile *compile, const struct fact *fixed) {
    struct slice by = {0};
    for (const struct fact *made = compile->facts[FACT_SYMBOL].first; made && !by.ptr; made = made->next)
        if (slice_eq(made->symbol, fixed->symbol) && made->folder == fixed->folder)
            by = dynamic_of(compile, made);
    if (!by.ptr)
        return SLICE("Where the dimension was marked dynamic, it is an error.");
    return slice_is(by, "mark_dynamic") ? SLICE("The dimension was marked dynamic (torch._dynamo.mark_dynamic), "
                                                "which makes this an error.")
         : slice_is(by, "compile")      ? SLICE("torch.compile(dynamic=True) had made it dynamic.")
                                   : SLICE("PyTorch had made it dynamic by itself, since another size came before.");
}

static void add_specialization(struct findings *findings, const struct compile *compile, const struct fact *fact) {
    struct finding *finding = finding_add(findings, "specialization", SEVERITY_WARNING, IMPACT_COMPILE_TIME);
    struct slice promised = promise(compile, fact);
    finding->title = finding_say(findings, "%.*s was dynamic, and was fixed to %.*s", SLICE_ARG(fact->source),
                                 SLICE_ARG(fact->value));
    finding->why = finding_say(
        findings, "The code holds for this one size only (symbol %.*s), so another size compiles the frame again. %.*s",
        SLICE_ARG(fact->symbol), SLICE_ARG(promised));
    finding->advice = SLICE("Look at this line: a comparison, a reshape or a broadcast with a constant fixes the size. "
                            "Where one size is meant, do not "
                            "mark it dynamic.");
    finding->place = innermost(fact->user_stack);
    if (!finding->place.file.ptr)
        finding->place = finding_place(compile->frame, compile->stack);
    finding->link = finding_link(findings, compile);
}

/* Alike in source, value and place is one finding. Tensors that torch makes for itself have no name of the user's. */
static void add_specializations(struct findings *findings, const struct report *report) {
    struct map seen = {0};
    for (size_t i = 0; i < report->compiles.count; i++) {
        const struct compile *compile = report->compiles.items[i];
        for (const struct fact *fact = compile->facts[FACT_SPECIALIZATION].first; fact; fact = fact->next) {
            struct place place = innermost(fact->user_stack);
            struct buf key = {0};
            bool added;
            if (!fact->source.len || slice_find(fact->source, SLICE("__meta_utils_unknown_tensor")) != SIZE_MAX)
                continue;
            buf_addf(&key, "%" PRIu64 " ", place.line);
            buf_add(&key, place.file);
            buf_add_byte(&key, 0);
            buf_add(&key, fact->source);
            buf_add_byte(&key, 0);
            buf_add(&key, fact->value);
            uint32_t index = *map_put(&seen, buf_slice(&key), (uint32_t)findings->list.count, &added);
            buf_free(&key);
            if (added)
                add_specialization(findings, compile, fact);
            finding_add_compile(findings, &findings->list.items[index], report, (uint32_t)i);
        }
    }
    map_free(&seen);
}

/* Decisions that Dynamo took with real data. Those of an export are told by the export's findings. */
static void add_real_tensors(struct findings *findings, const struct report *report) {
    struct map seen = {0};
    for (size_t i = 0; report->exports && !exports_shown(report) && i < report->exports->failures.count; i++) {
        const struct export_failure *failure = report->exports->failures.items[i];
        const struct compile *compile = report->compiles.items[failure->compile];
        struct buf key = {0};
        bool added;
        if (failure->kind != EXPORT_DATA_DEPENDENT || !failure->line || !failure->result.ptr)
            continue;
        buf_addf(&key, "%u ", failure->compile);
        buf_add(&key, failure->expr);
        uint32_t index = *map_put(&seen, buf_slice(&key), (uint32_t)findings->list.count, &added);
        buf_free(&key);
        if (added) {
            struct finding *finding = finding_add(findings, "real_tensors", SEVERITY_WARNING, IMPACT_INFORMATION);
            finding->title = finding_say(findings, "A decision was taken with real data: %.*s is %.*s",
                                         SLICE_ARG(failure->expr), SLICE_ARG(failure->result));
            finding->why = SLICE("The value is not known from shapes. With fake_tensor_propagate_real_tensors Dynamo "
                                 "looked at the data of this call, and the "
                                 "graph goes the way it went then.");
            finding->advice = finding_say(
                findings,
                "If it always is so, say it before this line: torch._check(%.*s); else use torch.cond or torch.where.",
                SLICE_ARG(failure->expr));
            finding->place = finding_place(failure->place.file.ptr
                                               ? failure->place
                                               : innermost(failure->user_stack ? failure->user_stack : failure->stack),
                                           failure->user_stack ? failure->user_stack : failure->stack);
            finding->link = finding_link(findings, compile);
        }
        finding_add_compile(findings, &findings->list.items[index], report, failure->compile);
    }
    map_free(&seen);
}

void findings_add_shapes(struct findings *findings, const struct report *report) {
    add_specializations(findings, report);
    add_real_tensors(findings, report);
}

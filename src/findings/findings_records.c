/* Messages of rare records: a failure, duplicate work, or a result that was not saved (extras.h). Their cost is not
 * logged. */

#include "analysis/advice_words.h"
#include "findings/findings_failures.h"
#include "model/export.h"
#include "model/extras.h"

/* Whether a failure of that compile states the same. It then belongs to that finding. */
static bool in_failure(const struct model *model, uint32_t compile, struct slice message) {
    if (!slice_trim(message).len)
        return false;
    int64_t places[] = {model->compiles.items[compile]->failure, model->compiles.items[compile]->backward_failure};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (places[i] >= 0 &&
            slice_find(model->failures.items[places[i]].reason, slice_first_line(message)) != SIZE_MAX)
            return true;
    return false;
}

struct words {
    enum finding_kind kind;
    enum severity severity;
    enum impact impact;
};

static const struct words words_of[NOTICE_KINDS] = {
    [NOTICE_BACKWARD_FAILURE] = {FINDING_BACKWARD_FAILURE, SEVERITY_WARNING, IMPACT_INFORMATION},
    [NOTICE_INTERPRETER_ERROR] = {FINDING_GRAPH_ERROR, SEVERITY_WARNING, IMPACT_INFORMATION},
    [NOTICE_WORKER_DEATH] = {FINDING_COMPILE_WORKER_DEATH, SEVERITY_ERROR, IMPACT_STOPS},
    [NOTICE_PRECOMPILE_BYPASS] = {FINDING_PRECOMPILE_BYPASS, SEVERITY_INFO, IMPACT_COMPILE_TIME},
    [NOTICE_PACKAGE_BYPASS] = {FINDING_PRECOMPILE_BYPASS, SEVERITY_INFO, IMPACT_COMPILE_TIME},
    [NOTICE_PACKAGE_ERROR] = {FINDING_PRECOMPILE_ERROR, SEVERITY_WARNING, IMPACT_COMPILE_TIME},
    [NOTICE_PICKLE_FAILURE] = {FINDING_CACHE_SAVE_FAILURE, SEVERITY_INFO, IMPACT_COMPILE_TIME},
    [NOTICE_DUPLICATE] = {FINDING_DUPLICATE_BACKWARD, SEVERITY_INFO, IMPACT_COMPILE_TIME},
    [NOTICE_CYCLIC_DEPS] = {FINDING_OVERLAP_CYCLE, SEVERITY_WARNING, IMPACT_INFORMATION},
    [NOTICE_PARTIAL_TRACE] = {FINDING_TRACE_FAILURE, SEVERITY_WARNING, IMPACT_INFORMATION},
};

/* The number after a name: 7 for "pid=" in "sidecar pid=7 returncode=-9". */
static bool number_after(struct slice text, struct slice name, int64_t *number) {
    size_t at = slice_find(text, name), len = 0;
    if (at == SIZE_MAX)
        return false;
    struct slice rest = slice_from(text, at + name.len);
    bool negative = rest.len && rest.ptr[0] == '-';
    uint64_t value;
    rest = slice_from(rest, negative);
    while (len < rest.len && rest.ptr[len] >= '0' && rest.ptr[len] <= '9')
        len++;
    if (!slice_to_u64(slice_first(rest, len), &value) || value > INT32_MAX)
        return false;
    *number = negative ? -(int64_t)value : (int64_t)value;
    return true;
}

static void describe_death(struct findings *findings, struct finding *finding, const struct notice *notice) {
    int64_t pid = 0, code = 0;
    finding->title = SLICE("A compile worker process exited unexpectedly");
    if (number_after(notice->message, SLICE("pid="), &pid) &&
        number_after(notice->message, SLICE("returncode="), &code))
        finding->title =
            code < 0
                ? finding_say(findings, "The compile worker process %" PRId64 " was killed by signal %" PRId64, pid,
                              -code)
                : finding_say(findings, "The compile worker process %" PRId64 " exited unexpectedly with code %" PRId64,
                              pid, code);
    struct slice last = slice_first_line(slice_trim(notice->detail));
    finding->why =
        last.len ? finding_say(findings, "Pending compile jobs failed. Its last output begins: %.*s", SLICE_ARG(last))
                 : SLICE("Pending compile jobs failed. The log has no output of the process.");
    finding->advice = SLICE("Run again with `TORCHINDUCTOR_COMPILE_THREADS=1` to compile in the main process.");
}

static void describe_duplicate(struct findings *findings, struct finding *finding, const struct notice *notice) {
    finding->title = notice->variants > 1 ? finding_say(findings, "Subgraph `%.*s` has %" PRId64 " backward graphs",
                                                        SLICE_ARG(notice->subject), notice->variants)
                                          : finding_say(findings, "Subgraph `%.*s` has several backward graphs",
                                                        SLICE_ARG(notice->subject));
    finding->why = finding_say(
        findings,
        "There is one for each combination of shape, stride, dtype and device of the gradients. The latest is for %.*s",
        SLICE_ARG(slice_first_line(notice->detail)));
}

static void describe(struct findings *findings, struct finding *finding, const struct notice *notice,
                     const struct compile *compile) {
    struct slice function = finding_function(findings, compile);
    finding->why = notice->message.len ? finding_line(findings, notice->message) : SLICE("The log does not say why.");
    switch (notice->kind) {
    case NOTICE_BACKWARD_FAILURE:
        finding->title =
            finding_say(findings, "The backward of %.*s failed to compile ahead of `backward()`", SLICE_ARG(function));
        break;
    case NOTICE_INTERPRETER_ERROR:
        finding->title = finding_say(findings, "An operation raised an error while the graph of %.*s was interpreted",
                                     SLICE_ARG(function));
        break;
    case NOTICE_WORKER_DEATH:
        describe_death(findings, finding, notice);
        break;
    case NOTICE_PRECOMPILE_BYPASS:
        finding->title = finding_say(findings, "Precompile does not save %.*s", SLICE_ARG(function));
        break;
    case NOTICE_PACKAGE_BYPASS:
        if (notice->subject.len)
            function = finding_say(findings, "`%.*s`", SLICE_ARG(notice->subject));
        finding->title = finding_say(findings, "Precompile left out a graph of %.*s", SLICE_ARG(function));
        break;
    case NOTICE_PACKAGE_ERROR:
        finding->title = SLICE("Precompile could not make a cache entry");
        break;
    case NOTICE_PICKLE_FAILURE:
        finding->title = finding_say(findings, "The AOTAutograd cache could not save %.*s", SLICE_ARG(function));
        break;
    case NOTICE_DUPLICATE:
        describe_duplicate(findings, finding, notice);
        break;
    case NOTICE_CYCLIC_DEPS:
        finding->title = SLICE("Overlap scheduling found cyclic dependencies");
        break;
    case NOTICE_PARTIAL_TRACE:
        finding->title = SLICE("`make_fx` failed, and left a partial graph");
        finding->why =
            notice->message.len
                ? finding_say(findings,
                              "The last operation that it traced is `%.*s`%s. The log does not hold the error.",
                              SLICE_ARG(finding_line(findings, notice->message)),
                              notice->backward ? ", in the backward of this line" : "")
                : SLICE("It traced no operation. The log does not hold the error.");
        break;
    default:
        finding->title = slice_str(notice_name(notice->kind));
    }
}

/* The unbacked symbol that a Python test of a tensor created, as in `if x.mean() > 0`: the last symbol before the trace
 * failed, on the last line that it reached. NULL: none. */
static const struct shape_record *tested_tensor(const struct compile *compile, const struct notice *notice) {
    const struct shape_record *last = NULL;
    for (const struct shape_record *fact = compile->shapes[SHAPE_UNBACKED].first; fact; fact = fact->next)
        if (fact->line < notice->line)
            last = fact;
    if (!last || !last->user_stack || !slice_is(last->range, "[0, 1]") ||
        last->user_stack->frame->line != notice->place.line ||
        !slice_eq(last->user_stack->frame->file, notice->place.file))
        return NULL;
    for (const struct stack_node *node = last->stack; node; node = node->parent)
        if (slice_ends(node->frame->file, SLICE("torch/fx/experimental/proxy_tensor.py")) &&
            slice_starts(node->frame->code, SLICE("return (args[0] != 0).item()"))) /* aten.is_nonzero */
            return last;
    return NULL;
}

static bool is_of_export(const struct stack_node *node) {
    while (node && slice_find(node->frame->file, SLICE("torch/_export/")) == SIZE_MAX)
        node = node->parent;
    return node != NULL;
}

/* Describes the test at which the trace most likely failed. */
static void describe_test(struct findings *findings, struct finding *finding, const struct compile *compile,
                          const struct notice *notice, const struct shape_record *symbol) {
    bool exported = is_of_export(symbol->stack);
    finding->why =
        finding_say(findings,
                    "The last operation that it traced is `%.*s`: the line tests a tensor in Python, and %s has no "
                    "values. The log does not hold the error.",
                    SLICE_ARG(finding_line(findings, notice->message)), exported ? "an export" : "such a trace");
    static const struct slice draft =
        SLICE_INIT("`torch.export.draft_export()` goes on past such errors and lists all of them at once.");
    struct slice code = slice_trim(symbol->user_stack->frame->code), also = exported ? draft : (struct slice){0};
    const char *assertion = exported ? ADVICE_ASSERT : ADVICE_ASSERT_TENSOR; /* make_fx drops checks of numbers */
    if (slice_starts(code, SLICE("assert")))
        finding->advice =
            finding_say(findings, "Keep the test in the graph, with `torch._assert_async()`. %.*s", SLICE_ARG(also));
    else if (slice_starts(code, SLICE("while")) || slice_starts(code, SLICE("for")))
        finding->advice = also;
    else if (failure_raises(code))
        finding->advice =
            finding_say(findings,
                        "The branch raises: state the opposite, which the graph then checks, with %s, or move the test "
                        "out of what is traced. %.*s",
                        assertion, SLICE_ARG(also));
    else
        finding->advice = finding_say(findings,
                                      "Keep both ways in the graph: `torch.where`, or " ADVICE_COND
                                      ". If one of them raises, state the opposite instead, with %s. %.*s",
                                      assertion, SLICE_ARG(also));
    finding->advice = slice_trim(finding->advice);
    finding->evidence = finding_say(findings, "make_fx_fail_partial and create_unbacked_symbol of %.*s (%.*s)",
                                    SLICE_ARG(compile->key), SLICE_ARG(symbol->symbol));
}

/* The export whose trace failed, with advice if it read a number from a tensor, because exports cannot branch on that.
 */
static void describe_trace(struct findings *findings, struct finding *finding, const struct model *model,
                           const struct notice *notice) {
    const struct compile *compile = model->compiles.items[notice->compile];
    const struct stack_node *site = export_site_before(compile, notice->line);
    const struct shape_record *symbol = notice->message.len ? tested_tensor(compile, notice) : NULL;
    if (symbol)
        describe_test(findings, finding, compile, notice, symbol);
    bool compared = !symbol && (findings_describe_conversion(findings, finding, compile, notice) ||
                                findings_describe_comparison(findings, finding, compile, notice));
    if (!exports_shown(model) || (compile->framed && !site))
        return;
    if (site)
        finding->caller = (struct place){site->frame->file, site->frame->function, site->frame->line};
    if (symbol || compared || slice_find(notice->message, SLICE("torch.ops.aten.item.")) == SIZE_MAX)
        return;
    finding->advice = SLICE("If the line branches on the number that this operation reads from a tensor, keep both "
                            "ways in the graph: `torch.where`, or " ADVICE_COND
                            ". If one of them raises, state the opposite instead, with " ADVICE_ASSERT ".");
    finding->evidence = finding_say(findings, "make_fx_fail_partial of %.*s", SLICE_ARG(compile->key));
}

static void add_notice(struct findings *findings, const struct model *model, const struct notice *notice) {
    const struct words *words = &words_of[notice->kind];
    const struct compile *compile = model->compiles.items[notice->compile];
    struct finding *finding = finding_add(findings, words->kind, words->severity, words->impact);
    describe(findings, finding, notice, compile);
    finding->place = notice->place.file.ptr ? notice->place : finding_place(compile->frame, compile->stack);
    finding->link = finding_link(findings, compile);
    if (notice->kind == NOTICE_PARTIAL_TRACE)
        describe_trace(findings, finding, model, notice);
}

/* A partial graph results from an error. If an error is on its line, there already is a finding. */
static bool is_reported(const struct findings *findings, const struct notice *notice) {
    for (size_t i = 0; notice->kind == NOTICE_PARTIAL_TRACE && i < findings->list.count; i++) {
        const struct finding *finding = &findings->list.items[i];
        if (finding->severity == SEVERITY_ERROR && finding->place.line == notice->place.line &&
            slice_eq(finding->place.file, notice->place.file))
            return true;
    }
    return false;
}

/* Notices with the same kind, subject and message are one finding; for partial traces, those on one line. */
static void add_notices(struct findings *findings, const struct model *model) {
    struct map seen = {0};
    for (size_t i = 0; i < model->extras->notices.count; i++) {
        const struct notice *notice = &model->extras->notices.items[i];
        AUTO_BUF key = {0};
        bool added;
        if (notice->kind == NOTICE_AUTOGRAD_REASON || notice->in_failure || is_reported(findings, notice) ||
            failure_is_of_trace(model, notice) || in_failure(model, notice->compile, notice->message))
            continue;
        buf_addf(&key, "%d ", (int)notice->kind);
        buf_add(&key, notice->subject);
        buf_add_byte(&key, 0);
        buf_add(&key, notice->message);
        if (notice->kind == NOTICE_PARTIAL_TRACE) /* its message is an operation, which other lines may share */
            buf_addf(&key, "%c%.*s:%" PRIu64, 0, SLICE_ARG(notice->place.file), notice->place.line);
        uint32_t index =
            *map_put_in(&findings->scratch, &seen, buf_slice(&key), (uint32_t)findings->list.count, &added);
        if (added)
            add_notice(findings, model, notice);
        finding_add_compile(findings, &findings->list.items[index], model, notice->compile);
        findings->list.items[index].time_us = -1;
    }
}

void findings_add_records(struct findings *findings, const struct model *model) {
    if (!model->extras)
        return;
    add_notices(findings, model);
}

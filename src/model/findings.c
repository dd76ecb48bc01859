#include "model/findings.h"

#include <inttypes.h>
#include <stdlib.h>

#include "model/export.h"
#include "model/findings_make.h"

enum { REASON_MAX = 300 };

const char *impact_name(enum impact impact) {
    static const char *const names[] = {"stops", "every_step", "compile_time", "information"};
    return names[impact];
}

const char *severity_name(enum severity severity) {
    static const char *const names[] = {"error", "warning", "info"};
    return names[severity];
}

/* Dynamo gave the frame up and left it to Python: it was told to suppress errors, or a break in a place where the frame
 * cannot be cut in two. */
static bool runs_eagerly(const struct compile *compile, const struct failure *failure) {
    return !failure->backward &&
           (compile->suppressed || (slice_is(failure->type, "Unsupported") && compile->breaks.count));
}

static struct slice failure_advice(const struct failure *failure, bool eager) {
    static const struct {
        const char *type, *advice;
    } advice[] = {
        {"BackendCompilerFailed",
         "The backend raised it. Run with backend=\"aot_eager\" to see whether the graph or the backend is at fault; "
         "fx_graph_runnable of the compile reproduces it alone."},
        {"ConstraintViolationError",
         "A dimension was promised to be dynamic, and the code fixes it: take back the promise (mark_dynamic, Dim), or "
         "change "
         "the code that needs one size. Specialisations of the compile say which line does."},
        {"FakeTensorError", "Dynamo ran this operation without data; give it a fake kernel."},
        {"InductorError",
         "Inductor could not lower or compile this graph. The last artifact of the compile tells how far it came; "
         "fx_graph_runnable reproduces it alone."},
        {"TorchRuntimeError", "The operation fails with the shapes and dtypes that Dynamo saw, most likely in eager "
                              "mode too: check the sizes at this line."},
        {"Unsupported", "Dynamo cannot trace this line, and fullgraph=True turns the graph break into an error: "
                        "rewrite the line, or compile without fullgraph."},
        {"UserError",
         "A decision hangs on values of a tensor: say what holds with torch._check, or use torch.cond or torch.where."},
    };
    if (eager)
        return slice_is(failure->type, "Unsupported")
                 ? SLICE("Move the unsupported line out of the loop, the with block or the try, where a frame cannot "
                         "be cut in two.")
                 : SLICE("The error was suppressed. Run without torch._dynamo.config.suppress_errors to see it whole.");
    for (size_t i = 0; i < sizeof advice / sizeof *advice; i++)
        if (slice_is(failure->type, advice[i].type))
            return slice_str(advice[i].advice);
    if (failure->backward)
        return SLICE("The forward is compiled; the error came when its backward was compiled, at the first call of "
                     "backward(). Read the whole reason in the compile.");
    return SLICE(
        "Read the whole reason in the compile; the frame runs in eager mode, or the error reached the program.");
}

static void add_failure(struct findings *findings, const struct failure *failure, const struct compile *compile,
                        bool eager) {
    struct finding *finding = finding_add(findings, eager ? "frame_skipped" : "error", SEVERITY_ERROR,
                                          eager ? IMPACT_EVERY_STEP : IMPACT_STOPS);
    struct slice function = finding_function(compile), line = finding_line(findings, failure->reason);
    finding->title = eager ? finding_say(findings, "%.*s runs eagerly, Dynamo gave it up: %.*s", SLICE_ARG(function),
                                         SLICE_ARG(failure->type))
                           : finding_say(findings, "%.*s%s failed to compile: %.*s", SLICE_ARG(function),
                                         failure->backward ? " (backward)" : "", SLICE_ARG(failure->type));
    finding->why = line.len ? arena_slice(&findings->arena, line) : SLICE("The log does not say why.");
    finding->advice = failure_advice(failure, eager);
    finding->place = finding_place(failure->place.file.ptr ? failure->place : compile->frame, compile->stack);
    if (!finding->place.function.ptr)
        finding->place.function = compile->frame.function;
    finding->link = finding_link(findings, compile);
}

/* Failures alike in type, reason, place and outcome are one finding. */
static void add_failures(struct findings *findings, const struct report *report) {
    struct map seen = {0};
    for (size_t i = 0; i < report->failures.count; i++) {
        const struct failure *failure = &report->failures.items[i];
        const struct compile *compile = report->compiles.items[failure->compile];
        bool added, eager = runs_eagerly(compile, failure);
        struct buf key = {0};
        if (is_limit_hit(failure) ||
            exports_tell(report, failure)) /* told with the frame's recompiles, or the export */
            continue;
        buf_addf(&key, "%d %d %" PRIu64 " ", failure->backward, eager, failure->place.line);
        buf_add(&key, failure->place.file);
        buf_add(&key, failure->type);
        buf_add_byte(&key, 0);
        buf_add(&key, failure->reason);
        uint32_t index = *map_put(&seen, buf_slice(&key), (uint32_t)findings->list.count, &added);
        buf_free(&key);
        if (added)
            add_failure(findings, failure, compile, eager);
        finding_add_compile(findings, &findings->list.items[index], report, failure->compile);
    }
    map_free(&seen);
}

/* The innermost frame of the user's own, else where the frame broke. */
static struct place place_of_break(const struct graph_break *found) {
    if (!is_library_file(found->place.file))
        return found->place;
    for (size_t i = found->stack.count; i-- > 0;) {
        const struct frame *frame = &found->stack.items[i];
        if (!is_library_file(frame->file))
            return (struct place){.file = frame->file, .function = frame->function, .line = frame->line};
    }
    return found->place;
}

static void add_breaks(struct findings *findings, const struct report *report) {
    for (size_t i = 0; i < report->breaks.count; i++) {
        const struct graph_break *found = report->breaks.items[i];
        struct finding *finding = finding_add(findings, "graph_break", SEVERITY_WARNING, IMPACT_EVERY_STEP);
        struct slice reason = finding_line(findings, found->reason.len ? found->reason : SLICE("unknown reason"));
        finding->title = finding_say(findings, "Graph break: %.*s", SLICE_ARG(reason));
        finding->why = found->explanation.len
                         ? found->explanation
                         : SLICE("The frame is cut in two here; what follows is compiled as a frame of its own.");
        if (found->hints.count)
            finding->advice = found->hints.items[0];
        finding->place = place_of_break(found);
        if (is_library_file(finding->place.file) && found->compiles.count)
            finding->place = finding_place(finding->place, report->compiles.items[found->compiles.items[0]]->stack);
        finding->link = finding_say(findings, "#/breaks?n=%zu", i);
        for (size_t c = 0; c < found->compiles.count; c++)
            finding_add_compile(findings, finding, report, found->compiles.items[c]);
    }
}

static void add_chains(struct findings *findings, const struct report *report, const struct chains *chains) {
    for (size_t i = 0; i < chains->list.count; i++) {
        const struct chain *chain = &chains->list.items[i];
        struct finding *finding = finding_add(findings, chain->limit_hit ? "recompile_limit" : "recompile",
                                              chain->limit_hit           ? SEVERITY_ERROR
                                              : chain_is_expected(chain) ? SEVERITY_INFO
                                                                         : SEVERITY_WARNING,
                                              chain->limit_hit ? IMPACT_EVERY_STEP : IMPACT_COMPILE_TIME);
        const struct compile *first = report->compiles.items[chain->compiles.items[0]];
        struct slice function = finding_function(first);
        size_t times = chain->compiles.count - 1;
        finding->title =
            finding_say(findings, "%.*s recompiled %zu %s%s", SLICE_ARG(function), times, times == 1 ? "time" : "times",
                        chain->limit_hit ? ", then hit the recompile limit" : "");
        struct buf why = {0};
        chain_add_why(&why, chain);
        finding->why = arena_slice(&findings->arena, buf_slice(&why));
        buf_free(&why);
        bool placed = chain->causes.count && chain->causes.items[0].place.file.ptr;
        finding->place = finding_place(placed ? chain->causes.items[0].place : chain->frame, first->stack);
        finding->advice = chain_advice(chain);
        finding->link = finding_say(findings, "#/recompiles?n=%zu", i);
        for (size_t c = 0; c < chain->compiles.count; c++)
            finding_add_compile(findings, finding, report, chain->compiles.items[c]);
        finding->time_us = chain->time_us ? chain->time_us : -1;
    }
}

/* Bypasses of one cache for one reason are one finding. */
static void add_bypasses(struct findings *findings, const struct report *report) {
    struct map seen = {0};
    for (size_t i = 0; i < report->compiles.count; i++) {
        const struct compile *compile = report->compiles.items[i];
        for (size_t c = 0; c < compile->caches.count; c++) {
            const struct cache_result *cache = &compile->caches.items[c];
            struct buf key = {0};
            bool added;
            if (!slice_is(slice_str(cache->result), "bypass"))
                continue;
            buf_addf(&key, "%s ", cache->cache);
            buf_add(&key, cache->reason);
            uint32_t index = *map_put(&seen, buf_slice(&key), (uint32_t)findings->list.count, &added);
            buf_free(&key);
            if (added) {
                struct finding *finding = finding_add(findings, "cache_bypass", SEVERITY_INFO, IMPACT_COMPILE_TIME);
                finding->title =
                    finding_say(findings, "The %s cache was bypassed",
                                slice_is(slice_str(cache->cache), "fx_graph") ? "FX graph" : "AOTAutograd");
                finding->why =
                    cache->reason.ptr ? finding_line(findings, cache->reason) : SLICE("The log does not say why.");
                finding->advice = SLICE("This graph is compiled anew in every process.");
                finding->place = compile->frame;
                finding->link = finding_link(findings, compile);
            }
            finding_add_compile(findings, &findings->list.items[index], report, (uint32_t)i);
        }
    }
    map_free(&seen);
}

static struct slice words(struct findings *findings, void add_words(struct buf *, const struct export_failure *),
                          const struct export_failure *failure) {
    struct buf text = {0};
    add_words(&text, failure);
    struct slice kept = arena_slice(&findings->arena, buf_slice(&text));
    buf_free(&text);
    return kept;
}

static void add_export_finding(struct findings *findings, const struct export_failure *failure, size_t n) {
    static const char *const kinds[EXPORT_KINDS] = {"export_data_dependent",       "export_guard",
                                                    "export_missing_fake_kernel",  "export_mismatched_fake_kernel",
                                                    "export_constraint_violation", "export_error"};
    struct finding *finding =
        finding_add(findings, kinds[failure->kind], failure->kind == EXPORT_GUARD ? SEVERITY_WARNING : SEVERITY_ERROR,
                    failure->kind == EXPORT_GUARD ? IMPACT_INFORMATION : IMPACT_STOPS);
    finding->title = words(findings, export_add_title, failure);
    finding->why = words(findings, export_add_reason, failure);
    finding->advice = finding_line(findings, words(findings, export_add_advice, failure)); /* the room has them all */
    finding->place = failure->place;
    finding->link = finding_say(findings, "#/export?n=%zu", n);
}

/* What stood in the way of an export; alike in kind, what it is about and place are one finding. */
static void add_export(struct findings *findings, const struct report *report) {
    struct map seen = {0};
    for (size_t i = 0; exports_shown(report) && i < report->exports->failures.count; i++) {
        const struct export_failure *failure = report->exports->failures.items[i];
        struct buf key = {0};
        bool added;
        buf_addf(&key, "%d %" PRIu64 " ", failure->kind, failure->place.line);
        buf_add(&key, failure->place.file);
        buf_add_byte(&key, 0);
        buf_add(&key, failure->op.len ? failure->op : failure->expr.len ? failure->expr : failure->type);
        uint32_t index = *map_put(&seen, buf_slice(&key), (uint32_t)findings->list.count, &added);
        buf_free(&key);
        if (added)
            add_export_finding(findings, failure, i);
        finding_add_compile(findings, &findings->list.items[index], report, failure->compile);
    }
    map_free(&seen);
}

static int worse(const void *a, const void *b) {
    const struct finding *x = a, *y = b;
    if (x->severity != y->severity)
        return x->severity < y->severity ? -1 : 1;
    if (x->impact != y->impact)
        return x->impact < y->impact ? -1 : 1;
    if (x->time_us != y->time_us)
        return x->time_us > y->time_us ? -1 : 1;
    int order = slice_cmp(x->link, y->link);
    return order ? order : slice_cmp(x->title, y->title);
}

void findings_find(struct findings *findings, const struct report *report, const struct chains *chains) {
    add_failures(findings, report);
    add_breaks(findings, report);
    add_chains(findings, report, chains);
    add_bypasses(findings, report);
    findings_add_costs(findings, report);
    findings_add_shapes(findings, report);
    findings_add_log(findings, report);
    add_export(findings, report);
    if (findings->list.count)
        qsort(findings->list.items, findings->list.count, sizeof *findings->list.items, worse);
}

void findings_finish(struct findings *findings) {
    for (size_t i = 0; i < findings->list.count; i++)
        free(findings->list.items[i].compiles.items);
    free(findings->list.items);
    map_free(&findings->known);
    arena_free(&findings->arena);
    *findings = (struct findings){0};
}

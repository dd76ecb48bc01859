#include "report/findings.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

#include "base/mem.h"
#include "report/export.h"

enum { REASON_MAX = 300 };

const char *severity_name(enum severity severity) {
    static const char *const names[] = {"error", "warning", "info"};
    return names[severity];
}

__attribute__((format(printf, 2, 3))) static struct slice say(struct findings *findings, const char *format, ...) {
    char *text = NULL;
    va_list args;
    va_start(args, format);
    text = mem_vprintf(format, args);
    va_end(args);
    struct slice kept = arena_slice(&findings->arena, slice_str(text));
    mem_free(text);
    return kept;
}

static struct finding *add(struct findings *findings, const char *kind, enum severity severity) {
    MEM_GROW(&findings->list);
    struct finding *finding = &findings->list.items[findings->list.count++];
    *finding = (struct finding){.kind = kind, .severity = severity, .time_us = -1};
    return finding;
}

static void add_compile(struct findings *findings, struct finding *finding, const struct report *report, uint32_t place) {
    uint32_t pair[2] = {(uint32_t)(finding - findings->list.items), place};
    bool added;
    map_put(&findings->known, slice_make((const char *)pair, sizeof pair), 0, &added);
    if (!added)
        return;
    MEM_GROW(&finding->compiles);
    finding->compiles.items[finding->compiles.count++] = place;
    int64_t time = report->compiles.items[place]->time_us;
    if (time >= 0)
        finding->time_us = (finding->time_us < 0 ? 0 : finding->time_us) + time;
}

static struct slice first_line(struct slice text) {
    struct slice rest = slice_trim(text), line = {0};
    slice_next_line(&rest, &line);
    return slice_first(slice_trim(line), REASON_MAX);
}

static struct slice function_of(const struct compile *compile) {
    return compile->frame.function.len ? compile->frame.function : SLICE("a frame");
}

/* The address of a compile in the page; the slash of "0/1" is part of the id. */
static struct slice compile_link(struct findings *findings, const struct compile *compile) {
    struct buf link = {0};
    buf_add_lit(&link, "#/c/");
    for (size_t i = 0; i < compile->id.len; i++)
        compile->id.ptr[i] == '/' ? buf_add_lit(&link, "%2F") : buf_add_byte(&link, compile->id.ptr[i]);
    struct slice kept = arena_slice(&findings->arena, buf_slice(&link));
    buf_free(&link);
    return kept;
}

/* Failures alike in type, reason and place are one finding. */
static void add_failures(struct findings *findings, const struct report *report) {
    struct map seen = {0};
    for (size_t i = 0; i < report->failures.count; i++) {
        const struct failure *failure = &report->failures.items[i];
        const struct compile *compile = report->compiles.items[failure->compile];
        struct buf key = {0};
        bool added;
        if (is_limit_hit(failure)) /* told with the frame's recompiles */
            continue;
        buf_addf(&key, "%d %" PRIu64 " ", failure->backward, failure->place.line);
        buf_add(&key, failure->place.file);
        buf_add(&key, failure->type);
        buf_add_byte(&key, 0);
        buf_add(&key, failure->reason);
        uint32_t index = *map_put(&seen, buf_slice(&key), (uint32_t)findings->list.count, &added);
        buf_free(&key);
        if (added) {
            struct finding *finding = add(findings, "error", SEVERITY_ERROR);
            struct slice function = function_of(compile), line = first_line(failure->reason);
            finding->title = say(findings, "%.*s%s failed to compile: %.*s", SLICE_ARG(function),
                                 failure->backward ? " (backward)" : "", SLICE_ARG(failure->type));
            finding->why = line.len ? arena_slice(&findings->arena, line) : SLICE("The log does not say why.");
            finding->advice = failure->backward ? SLICE("The backward of this graph could not be compiled.")
                                                : SLICE("Read the whole reason in the compile; the frame runs in eager mode, or the error reached the program.");
            finding->place = failure->place.file.ptr ? failure->place : compile->frame;
            if (!finding->place.function.ptr)
                finding->place.function = compile->frame.function;
            finding->link = compile_link(findings, compile);
        }
        add_compile(findings, &findings->list.items[index], report, failure->compile);
    }
    map_free(&seen);
}

static void add_breaks(struct findings *findings, const struct report *report) {
    for (size_t i = 0; i < report->breaks.count; i++) {
        const struct graph_break *found = report->breaks.items[i];
        struct finding *finding = add(findings, "graph_break", SEVERITY_WARNING);
        struct slice reason = first_line(found->reason.len ? found->reason : SLICE("unknown reason"));
        finding->title = say(findings, "Graph break: %.*s", SLICE_ARG(reason));
        finding->why = found->explanation.len ? found->explanation
                                              : SLICE("The frame is cut in two here; what follows is compiled as a frame of its own.");
        if (found->hints.count)
            finding->advice = found->hints.items[0];
        finding->place = found->place;
        finding->link = say(findings, "#/breaks?n=%zu", i);
        for (size_t c = 0; c < found->compiles.count; c++)
            add_compile(findings, finding, report, found->compiles.items[c]);
    }
}

static struct slice recompile_advice(const struct chain *chain) {
    if (chain->causes.count == 0)
        return SLICE("Compare the guards of the compiles.");
    struct slice guard = chain->causes.items[0].guard;
    if (slice_find(guard, SLICE("size mismatch")) != SIZE_MAX)
        return SLICE("Mark the dimension with torch._dynamo.mark_dynamic, or compile with dynamic=True; sizes 0 and 1 are always specialised.");
    if (slice_find(guard, SLICE("grad_mode")) != SIZE_MAX || slice_find(guard, SLICE("requires_grad")) != SIZE_MAX)
        return SLICE("The frame is compiled once for each grad mode and requires_grad; call it in one mode.");
    if (slice_find(guard, SLICE("dtype mismatch")) != SIZE_MAX)
        return SLICE("Each dtype needs a compile of its own; convert the input before the call where one will do.");
    if (slice_find(guard, SLICE(" == ")) != SIZE_MAX)
        return SLICE("A Python value is burnt into the graph: pass it as a tensor, keep it constant, or let Dynamo make it symbolic.");
    return SLICE("Keep what the guard checks the same between calls.");
}

static void add_chains(struct findings *findings, const struct report *report, const struct chains *chains) {
    for (size_t i = 0; i < chains->list.count; i++) {
        const struct chain *chain = &chains->list.items[i];
        struct finding *finding = add(findings, chain->limit_hit ? "recompile_limit" : "recompile",
                                      chain->limit_hit ? SEVERITY_ERROR : SEVERITY_WARNING);
        const struct compile *first = report->compiles.items[chain->compiles.items[0]];
        struct slice function = function_of(first);
        size_t times = chain->compiles.count - 1;
        finding->title = say(findings, "%.*s recompiled %zu %s%s", SLICE_ARG(function), times, times == 1 ? "time" : "times",
                             chain->limit_hit ? ", then hit the recompile limit" : "");
        if (chain->causes.count) {
            const struct cause *cause = &chain->causes.items[0];
            struct slice guard = slice_first(cause->first, REASON_MAX);
            finding->why = chain->causes.count == 1
                               ? say(findings, "Guard that failed: %.*s", SLICE_ARG(guard))
                               : say(findings, "Guard that failed first: %.*s; %zu more", SLICE_ARG(guard), chain->causes.count - 1);
            finding->place = cause->place.file.ptr ? cause->place : chain->frame;
        } else {
            finding->why = SLICE("The log does not say why.");
            finding->place = chain->frame;
        }
        finding->advice = recompile_advice(chain);
        finding->link = say(findings, "#/recompiles?n=%zu", i);
        for (size_t c = 0; c < chain->compiles.count; c++)
            add_compile(findings, finding, report, chain->compiles.items[c]);
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
                struct finding *finding = add(findings, "cache_bypass", SEVERITY_INFO);
                finding->title = say(findings, "The %s cache was bypassed",
                                     slice_is(slice_str(cache->cache), "fx_graph") ? "FX graph" : "AOTAutograd");
                finding->why = cache->reason.ptr ? first_line(cache->reason) : SLICE("The log does not say why.");
                finding->advice = SLICE("This graph is compiled anew in every process.");
                finding->place = compile->frame;
                finding->link = compile_link(findings, compile);
            }
            add_compile(findings, &findings->list.items[index], report, (uint32_t)i);
        }
    }
    map_free(&seen);
}

static void add_missing(struct findings *findings, const struct report *report) {
    struct finding *finding = NULL;
    for (size_t i = 0; i < report->compiles.count; i++) {
        const struct compile *compile = report->compiles.items[i];
        if (!compile->framed || compile->has_metrics)
            continue;
        if (!finding) {
            finding = add(findings, "missing_metrics", SEVERITY_WARNING);
            finding->why = SLICE("They started, but the log holds no metrics of them: the program ended, or the log was cut, in between; "
                                 "some ways of compiling ahead of time write none.");
            finding->advice = SLICE("Look at the last artifact of the compile: it tells how far it came.");
            finding->place = compile->frame;
            finding->link = compile_link(findings, compile);
        }
        add_compile(findings, finding, report, (uint32_t)i);
    }
    if (finding)
        finding->title = say(findings, "%zu %s not finish", finding->compiles.count,
                             finding->compiles.count == 1 ? "compile did" : "compiles did");
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
    static const char *const kinds[EXPORT_KINDS] = {"export_data_dependent",         "export_guard",
                                                    "export_missing_fake_kernel",    "export_mismatched_fake_kernel",
                                                    "export_constraint_violation",   "export_error"};
    struct finding *finding = add(findings, kinds[failure->kind], failure->kind == EXPORT_GUARD ? SEVERITY_WARNING : SEVERITY_ERROR);
    finding->title = words(findings, export_add_title, failure);
    finding->why = words(findings, export_add_reason, failure);
    finding->advice = first_line(words(findings, export_add_advice, failure)); /* the room has them all */
    finding->place = failure->place;
    finding->link = say(findings, "#/export?n=%zu", n);
}

/* What stood in the way of an export; alike in kind, what it is about and place are one finding. The errors are told with
 * the failures already. */
static void add_export(struct findings *findings, const struct report *report) {
    struct map seen = {0};
    for (size_t i = 0; exports_shown(report) && i < report->exports->failures.count; i++) {
        const struct export_failure *failure = report->exports->failures.items[i];
        struct buf key = {0};
        bool added;
        if (!failure->line)
            continue;
        buf_addf(&key, "%d %" PRIu64 " ", failure->kind, failure->place.line);
        buf_add(&key, failure->place.file);
        buf_add_byte(&key, 0);
        buf_add(&key, failure->op.ptr ? failure->op : failure->expr);
        uint32_t index = *map_put(&seen, buf_slice(&key), (uint32_t)findings->list.count, &added);
        buf_free(&key);
        if (added)
            add_export_finding(findings, failure, i);
        add_compile(findings, &findings->list.items[index], report, failure->compile);
    }
    map_free(&seen);
}

static int worse(const void *a, const void *b) {
    const struct finding *x = a, *y = b;
    if (x->severity != y->severity)
        return x->severity < y->severity ? -1 : 1;
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
    add_missing(findings, report);
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

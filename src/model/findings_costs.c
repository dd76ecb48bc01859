/* What costs time without being wrong: CUDA graphs that were not made, slow compiles, traces thrown away, caches. */
#include <stdlib.h>

#include "base/mem.h"
#include "model/findings_make.h"
#include "model/phases.h"

#define SLOW_US INT64_C(5000000)       /* shorter than this is never told */
#define VERY_SLOW_US INT64_C(60000000) /* told whatever the others took */
enum { SLOW_TIMES = 4, SLOW_COMPILES = 3, SLOW_TOLD = 5 };

static uint32_t *index_of(struct map *seen, const char *what, struct slice text, const struct findings *findings,
                          bool *added) {
    struct buf key = {0};
    buf_addf(&key, "%s ", what);
    buf_add(&key, text);
    uint32_t *index = map_put(seen, buf_slice(&key), (uint32_t)findings->list.count, added);
    buf_free(&key);
    return index;
}

static void add_cudagraphs(struct findings *findings, const struct report *report) {
    struct map seen = {0};
    for (size_t i = 0; i < report->compiles.count; i++) {
        const struct compile *compile = report->compiles.items[i];
        bool added;
        if (!compile->cudagraph_skip.len)
            continue;
        uint32_t index = *index_of(&seen, "cudagraph", compile->cudagraph_skip, findings, &added);
        if (added) {
            struct finding *finding = finding_add(findings, "cudagraph_skip", SEVERITY_WARNING, IMPACT_EVERY_STEP);
            finding->title = SLICE("CUDA graphs were asked for, and skipped");
            finding->why = finding_line(findings, compile->cudagraph_skip);
            finding->advice = SLICE("Each kernel is launched from Python again in every step. Take what is named out "
                                    "of the compiled region, or turn "
                                    "CUDA graphs off where they cannot be.");
            finding->place = finding_place(compile->frame, compile->stack);
            finding->link = finding_link(findings, compile);
        }
        finding_add_compile(findings, &findings->list.items[index], report, (uint32_t)i);
    }
    map_free(&seen);
}

static int by_number(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

/* The median of what compiles with a graph took; 0 where too few of them are known. */
static int64_t usual_time(const struct report *report) {
    LIST(int64_t) times = {0};
    int64_t median = 0;
    for (size_t i = 0; i < report->compiles.count; i++)
        if (report->compiles.items[i]->framed && report->compiles.items[i]->ops > 0 &&
            report->compiles.items[i]->time_us >= 0) {
            MEM_GROW(&times);
            times.items[times.count++] = report->compiles.items[i]->time_us;
        }
    if (times.count >= SLOW_COMPILES) {
        qsort(times.items, times.count, sizeof *times.items, by_number);
        median = times.items[times.count / 2];
    }
    free(times.items);
    return median;
}

/* The phase that took most by itself. The timers lie inside one another. */
static enum phase slowest_phase(const struct compile *compile, int64_t *time_us) {
    int64_t own[PHASES];
    enum phase slowest = PHASE_DYNAMO;
    phases_own(compile->phases_us, own);
    for (int phase = 0; phase < PHASES; phase++)
        if (own[phase] > own[slowest])
            slowest = (enum phase)phase;
    *time_us = own[slowest];
    return slowest;
}

static struct slice slow_advice(enum phase phase) {
    switch (phase) {
    case PHASE_CODEGEN:
        return SLICE("Most of it is writing and compiling kernels. The first compile of a machine also makes the "
                     "compiler's precompiled header; a warm "
                     "FX graph cache (a TORCHINDUCTOR_CACHE_DIR that is kept) saves it in later runs.");
    case PHASE_TRITON:
        return SLICE("Most of it is compiling Triton kernels: the room Kernels says which. A kept "
                     "TORCHINDUCTOR_CACHE_DIR saves it in later runs.");
    case PHASE_DYNAMO:
        return SLICE("Most of it is tracing Python: a large model in one frame, or a loop that is unrolled. Compiling "
                     "the repeated block alone "
                     "(regional compilation) traces it once.");
    default:
        return SLICE("Compile a smaller region, or the repeated block alone (regional compilation); caches save it in "
                     "later runs.");
    }
}

static void add_slow(struct findings *findings, const struct report *report) {
    int64_t usual = usual_time(report);
    size_t told = 0;
    for (size_t i = 0; i < report->compiles.count && told < SLOW_TOLD; i++) {
        const struct compile *compile = report->compiles.items[i];
        bool outlier = usual > 0 && compile->time_us >= SLOW_US && compile->time_us / SLOW_TIMES >= usual;
        int64_t part;
        if (!compile->framed || (!outlier && compile->time_us < VERY_SLOW_US))
            continue;
        told++;
        struct finding *finding = finding_add(findings, "slow_compile", SEVERITY_INFO, IMPACT_COMPILE_TIME);
        struct slice function = finding_function(compile);
        enum phase phase = slowest_phase(compile, &part);
        finding->title =
            finding_say(findings,
                        outlier ? "Compiling %.*s took much longer than the other frames" : "Compiling %.*s took long",
                        SLICE_ARG(function));
        finding->why = finding_say(findings, "%.1f s, of which %.1f s in the phase %s", (double)compile->time_us / 1e6,
                                   (double)part / 1e6, phase_name(phase));
        if (outlier)
            finding->why = finding_say(findings, "%.*s; half of the compiles took less than %.2g s.",
                                       SLICE_ARG(finding->why), (double)usual / 1e6);
        finding->advice = slow_advice(phase);
        finding->place = finding_place(compile->frame, compile->stack);
        finding->link = finding_link(findings, compile);
        finding_add_compile(findings, finding, report, (uint32_t)i);
    }
}

/* Dynamo starts over when it learns in the middle of a frame that it should have done otherwise. One finding for all. */
static void add_restarts(struct findings *findings, const struct report *report) {
    struct finding *finding = NULL;
    int64_t lost = -1;
    size_t restarts = 0;
    for (size_t i = 0; i < report->compiles.count; i++) {
        const struct compile *compile = report->compiles.items[i];
        if (!compile->restarts.count)
            continue;
        if (!finding) {
            finding = finding_add(findings, "restart", SEVERITY_INFO, IMPACT_COMPILE_TIME);
            finding->place = finding_place(compile->frame, compile->stack);
            finding->link = SLICE("#/failures");
            finding->advice = SLICE(
                "Most restarts come from a graph break and go with it; what Dynamo traced before is thrown away.");
            finding->why = finding_say(findings, "First reason: %.*s",
                                       SLICE_ARG(finding_line(findings, compile->restarts.items[0])));
        }
        restarts += compile->restarts.count;
        if (compile->restart_us >= 0)
            lost = (lost < 0 ? 0 : lost) + compile->restart_us;
        finding_add_compile(findings, finding, report, (uint32_t)i);
    }
    if (!finding)
        return;
    finding->title = finding_say(findings, "Dynamo traced %zu %s anew", finding->compiles.count,
                                 finding->compiles.count == 1 ? "frame" : "frames");
    if (restarts != finding->compiles.count)
        finding->title = finding_say(findings, "%.*s, %zu times in all", SLICE_ARG(finding->title), restarts);
    finding->time_us = lost; /* not what the whole compiles took */
}

/* That a cold cache misses says nothing. That the same key misses twice, or a graph that is there does not fit, does. */
static void add_misses(struct findings *findings, const struct report *report) {
    struct map missed = {0}, seen = {0};
    for (size_t i = 0; i < report->compiles.count; i++) {
        const struct compile *compile = report->compiles.items[i];
        for (size_t c = 0; c < compile->caches.count; c++) {
            const struct cache_result *cache = &compile->caches.items[c];
            bool first, added, guards = slice_is(cache->detail, "guard_miss");
            if (!slice_is(slice_str(cache->result), "miss") || !cache->key.len)
                continue;
            index_of(&missed, cache->cache, cache->key, findings, &first);
            if (first && !guards)
                continue;
            const char *name = slice_is(slice_str(cache->cache), "fx_graph") ? "FX graph" : "AOTAutograd";
            uint32_t index =
                *index_of(&seen, cache->cache, guards ? SLICE("guards") : SLICE("again"), findings, &added);
            if (added) {
                struct finding *finding = finding_add(findings, "cache_miss", SEVERITY_INFO, IMPACT_COMPILE_TIME);
                finding->title = guards ? finding_say(findings, "The %s cache has the graph, but for other sizes", name)
                                        : finding_say(findings, "The %s cache missed the same key again", name);
                finding->why =
                    guards
                        ? SLICE("Entries with this key were found, and none whose guards hold for these inputs.")
                        : SLICE(
                              "The first miss should have filled it: the entry was not written, or could not be kept.");
                finding->advice = guards ? SLICE("Nothing is wrong: each range of sizes is compiled once. Fewer "
                                                 "specialised sizes make fewer entries.")
                                         : SLICE("Look whether the cache's folder can be written and is not cleared "
                                                 "between compiles, and whether a bypass is logged.");
                finding->place = finding_place(compile->frame, compile->stack);
                finding->link = finding_link(findings, compile);
            }
            finding_add_compile(findings, &findings->list.items[index], report, (uint32_t)i);
        }
    }
    map_free(&missed);
    map_free(&seen);
}

void findings_add_costs(struct findings *findings, const struct report *report) {
    add_cudagraphs(findings, report);
    add_slow(findings, report);
    add_restarts(findings, report);
    add_misses(findings, report);
}

/* What costs time without being wrong: CUDA graphs that were not made, slow compiles. */
#include <stdlib.h>

#include "base/mem.h"
#include "model/error_text.h"
#include "model/findings_make.h"
#include "model/phases.h"

#define SLOW_US INT64_C(5000000)       /* shorter than this is never told */
#define VERY_SLOW_US INT64_C(60000000) /* told whatever the others took */
enum { SLOW_TIMES = 4, SLOW_COMPILES = 3, SLOW_TOLD = 5 };

/* "Found from : File …" is what PyTorch adds to a reason that a line of the user's gives. */
static void set_skip_place(struct finding *finding, const struct compile *compile) {
    struct frame frame;
    if (traceback_user_frame(compile->cudagraph_skip, &frame)) {
        finding->place = (struct place){.file = frame.file, .function = frame.function, .line = frame.line};
        finding->code = frame.code;
    } else {
        finding->place = finding_place(compile->frame, compile->stack);
    }
    finding->library = finding->place.file.ptr && is_library_file(finding->place.file);
}

static void add_cudagraphs(struct findings *findings, const struct report *report) {
    struct map seen = {0};
    for (size_t i = 0; i < report->compiles.count; i++) {
        const struct compile *compile = report->compiles.items[i];
        bool added;
        if (!compile->cudagraph_skip.len)
            continue;
        uint32_t index = *map_put(&seen, compile->cudagraph_skip, (uint32_t)findings->list.count, &added);
        if (added) {
            struct finding *finding = finding_add(findings, "cudagraph_skip", SEVERITY_WARNING, IMPACT_EVERY_STEP);
            finding->title = SLICE("CUDA graphs were skipped");
            finding->why = finding_line(findings, compile->cudagraph_skip);
            finding->link = finding_link(findings, compile);
            set_skip_place(finding, compile);
        }
        finding_name_compile(findings, &findings->list.items[index], (uint32_t)i);
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
    phases_split(compile, own);
    for (int phase = 0; phase < PHASES; phase++)
        if (own[phase] > own[slowest])
            slowest = (enum phase)phase;
    *time_us = own[slowest];
    return slowest;
}

/* What the phases are called where people read of them. PyTorch's timer of AOTAutograd runs for the call of any backend: one
 * without a timer of Inductor may be another. */
static const char *phase_words(const struct compile *compile, enum phase phase) {
    if (phase == PHASE_AOT && compile->phases_us[PHASE_INDUCTOR] < 0)
        return "the backend";
    static const char *const words[PHASES] = {"Dynamo's tracing",
                                              "AOTAutograd",
                                              "pre-grad passes",
                                              "joint graph passes",
                                              "post-grad passes",
                                              "Inductor's lowering",
                                              "code generation and compiling",
                                              "Triton compilation",
                                              "the backward"};
    return words[phase];
}

static bool missed_fx(const struct compile *compile) {
    bool missed = false;
    for (size_t i = 0; i < compile->caches.count; i++) {
        const struct cache_result *cache = &compile->caches.items[i];
        if (strcmp(cache->cache, "fx_graph") == 0 && strcmp(cache->result, "miss") != 0)
            return false;
        missed |= strcmp(cache->cache, "fx_graph") == 0;
    }
    return missed;
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
        struct slice function = finding_subject(compile, false);
        enum phase phase = slowest_phase(compile, &part);
        struct buf why = {0};
        finding->title =
            finding_say(findings,
                        outlier ? "Compiling %.*s took much longer than the others" : "Compiling %.*s took long",
                        SLICE_ARG(function));
        finding_add_duration(&why, compile->time_us);
        if (part > 0) {
            buf_add_lit(&why, ", of which ");
            finding_add_duration(&why, part);
            buf_addf(&why, " in %s", phase_words(compile, phase));
        }
        buf_add_byte(&why, '.');
        if (outlier) {
            buf_add_lit(&why, " The median compile took ");
            finding_add_duration(&why, usual);
            buf_add_byte(&why, '.');
        }
        finding->why = finding_keep(findings, &why);
        if (missed_fx(compile)) {
            finding->advice = SLICE("The FX graph cache missed. A run that keeps this cache directory "
                                    "(`TORCHINDUCTOR_CACHE_DIR`) can load the code instead.");
            finding->evidence = SLICE("fx_graph_cache_miss of this compile");
        }
        finding->place = finding_place(compile->frame, compile->stack);
        finding->library = finding->place.file.ptr && is_library_file(finding->place.file);
        finding->link = finding_link(findings, compile);
        finding_add_compile(findings, finding, report, (uint32_t)i);
    }
}

void findings_add_costs(struct findings *findings, const struct report *report) {
    add_cudagraphs(findings, report);
    add_slow(findings, report);
}

/* Costs without errors: CUDA graphs that were not used, slow compiles. */

#include "analysis/phases.h"
#include "analysis/setting_values.h"
#include "analysis/timeline.h"
#include "findings/findings_make.h"
#include "lowering/kernels.h"
#include "scan/error_text.h"

#define SLOW_US INT64_C(5000000)       /* shorter compiles are never reported */
#define VERY_SLOW_US INT64_C(60000000) /* always reported, regardless of the other compiles */
enum {
    SLOW_TIMES = 4,
    SLOW_COMPILES = 3,
    SLOW_LISTED = 5,
    BACKWARD_PART = 20, /* a backward below 1/BACKWARD_PART of the time is not mentioned */
    SPENT_PART = 3,     /* likewise, for kinds of spent time */
    CPU_LINES = 3,      /* lines that are named */
};

static int by_number(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

/* The median time of compiles with a graph; 0: too few are known. */
static int64_t usual_time(struct findings *findings, const struct model *model) {
    LIST(int64_t) times = {0};
    int64_t median = 0;
    for (size_t i = 0; i < model->compiles.count; i++)
        if (model->compiles.items[i]->framed && model->compiles.items[i]->ops > 0 &&
            model->compiles.items[i]->time_us >= 0) {
            ARENA_ADD(&findings->scratch, &times, model->compiles.items[i]->time_us);
        }
    if (times.count >= SLOW_COMPILES) {
        qsort(times.items, times.count, sizeof *times.items, by_number);
        int64_t upper = times.items[times.count / 2], lower = times.items[(times.count - 1) / 2];
        median = lower + (upper - lower) / 2;
    }
    return median;
}

/* ". The longest phase is code and compiler: 84.1 s; the backward took 71.2 s": the phases are those of the page; the
 * backward has its own. */
static void add_phases(struct buf *why, const struct compile *compile) {
    int64_t own[PHASES], shown[SHOWN_PHASES];
    enum shown_phase longest = SHOWN_DYNAMO;
    int64_t other_us = phases_split(compile, own);
    phases_shown(own, other_us, shown);
    for (int phase = 0; phase < SHOWN_PHASES; phase++)
        if (shown[phase] > shown[longest])
            longest = (enum shown_phase)phase;
    if (shown[longest] <= 0 || longest == SHOWN_NOT_LOGGED)
        return;
    buf_addf(why, ". The longest phase is %s: ", shown_phase_info(longest)->title);
    finding_add_duration(why, shown[longest]);
    if (longest == SHOWN_BACKWARD || shown[SHOWN_BACKWARD] < compile->time_us / BACKWARD_PART)
        return;
    buf_add_lit(why, "; the backward took ");
    finding_add_duration(why, shown[SHOWN_BACKWARD]);
}

static bool missed_fx(const struct compile *compile) {
    bool missed = false;
    for (size_t i = 0; i < compile->caches.count; i++) {
        const struct cache_result *cache = &compile->caches.items[i];
        if (cache->cache != CACHE_FX_GRAPH)
            continue;
        if (cache->outcome != OUTCOME_MISS)
            return false;
        missed = true;
    }
    return missed;
}

/* The time that the compile spent on this kind. `ids`: key of a compile → its number in the timeline. */
static int64_t spent_us(const struct model *model, const struct compile *compile, const struct map *ids,
                        enum spend on) {
    uint32_t id = map_get(ids, compile->key);
    int64_t us = 0;
    for (int phase = 0; id != MAP_NONE && model->timeline->spent.items[id] && phase < PHASES; phase++)
        us += model->timeline->spent.items[id]->us[on][phase];
    return us;
}

/* " Of the whole, autotuning took 67.0 s": kinds that took at least a third of it, longest first. C++ test builds are
 * always mentioned: the first compile of a process makes them, whatever it compiles. */
static void add_spent(struct buf *why, const struct model *model, const struct compile *compile,
                      const struct map *ids) {
    bool said[SPENDS] = {false};
    for (size_t count = 0;; count++) {
        int64_t most = 0;
        int longest = SPENDS;
        for (int spend = 0; spend < SPENDS; spend++) {
            int64_t us = spent_us(model, compile, ids, (enum spend)spend);
            bool much = spend == SPEND_PROBES || us >= compile->time_us / SPENT_PART;
            if (!said[spend] && much && us > most) {
                most = us;
                longest = spend;
            }
        }
        if (longest == SPENDS) {
            buf_add_str(why, count ? "." : "");
            return;
        }
        said[longest] = true;
        buf_addf(why, "%s%s took ", count ? ", and " : " Of the whole, ", spend_title((enum spend)longest));
        finding_add_duration(why, most);
    }
}

/* Whether this is the first compile of its process. */
static bool is_first(const struct model *model, const struct compile *compile) {
    for (size_t i = 0; i < compile->index; i++)
        if (model->compiles.items[i]->framed && model->compiles.items[i]->process == compile->process)
            return false;
    return compile->started;
}

/* Adds the id to titles of versions of one function, which would be equal. The findings from `first` on are about slow
 * compiles. */
static void tell_apart(struct findings *findings, const struct model *model, size_t first) {
    bool alike[SLOW_LISTED] = {false};
    size_t count = findings->list.count - first;
    for (size_t i = 0; i < count; i++)
        for (size_t n = 0; n < count; n++)
            alike[i] |=
                n != i && slice_eq(findings->list.items[first + i].title, findings->list.items[first + n].title);
    for (size_t i = 0; i < count; i++) {
        struct finding *finding = &findings->list.items[first + i];
        if (alike[i])
            finding->title = finding_say(findings, "%.*s (%.*s)", SLICE_ARG(finding->title),
                                         SLICE_ARG(model->compiles.items[finding->compiles.items[0]]->key));
    }
}

static bool runs_on_cpu(const struct kernel *kernel) {
    return kernel->calls && kernel_for_cpu(kernel->kind, kernel->name);
}

/* Adds other compiles of the process that also need the C++ compiler. */
static void add_other_cpu(struct buf *out, const struct model *model, size_t place) {
    AUTO_BUF keys = {0};
    size_t count = 0;
    for (size_t i = 0; i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[i];
        bool own = i != place && compile->process == model->compiles.items[place]->process, found = false;
        for (uint32_t k = own ? kernels_first(model->kernels, i) : UINT32_MAX; k != UINT32_MAX && !found;
             k = model->kernels->list.items[k].next)
            found = runs_on_cpu(&model->kernels->list.items[k]);
        if (found && count++ < CPU_LINES)
            buf_addf(&keys, "%s%.*s", count > 1 ? ", " : "", SLICE_ARG(compile->key));
    }
    if (count)
        buf_addf(out, " Other compiles with C++ kernels: %.*s%s.", SLICE_ARG(buf_slice(&keys)),
                 count > CPU_LINES ? ", and more" : "");
}

/* "`aten.sum` (model.py:21)": the operators that run on the CPU in a graph for the GPU, if known for all such kernels.
 * Only these need the C++ compiler, unless the wrapper is in C++. */
static bool find_cpu_part(struct buf *out, const struct model *model, size_t place) {
    bool gpu = false;
    size_t count = 0;
    if (compile_what(model, model->compiles.items[place]) || has_cpp_wrapper(model) ||
        model->kernels->more) /* not all are listed */
        return false;
    for (uint32_t k = kernels_first(model->kernels, place); k != UINT32_MAX; k = model->kernels->list.items[k].next) {
        const struct kernel *kernel = &model->kernels->list.items[k];
        const struct kernel_source *source = kernel_user_source(kernel);
        gpu |= kernel->kind == KERNEL_TRITON && kernel->calls;
        if (!runs_on_cpu(kernel))
            continue;
        if (!source || !kernel->ops.len || kernel->why != UNKNOWN_NOTHING)
            return false;
        if (count++ < CPU_LINES)
            buf_addf(out, "%s`%.*s` (%.*s:%" PRIu64 ")", count > 1 ? ", " : "", SLICE_ARG(kernel->ops),
                     SLICE_ARG(path_last(source->place.file)), source->place.line);
    }
    if (count > CPU_LINES)
        buf_addf(out, " and %zu more", count - CPU_LINES);
    return gpu && count;
}

/* Advice if the C++ compiler took a large part of a compile for the GPU. */
static void advise_on_cpu(struct findings *findings, struct finding *finding, const struct model *model, size_t place,
                          int64_t cpp_us) {
    struct buf part = {0}, advice = {0};
    if (cpp_us < model->compiles.items[place]->time_us / SPENT_PART ||
        kernels_first(model->kernels, place) == UINT32_MAX || !find_cpu_part(&part, model, place)) {
        buf_free(&part);
        return;
    }
    finding->why = finding_say(findings, "%.*s It needs the C++ compiler only for what runs on the CPU: %.*s.",
                               SLICE_ARG(finding->why), SLICE_ARG(buf_slice(&part)));
    buf_addf(&advice, "Run this on the GPU, with tensors of the GPU: then this compile has no C++ kernels.");
    add_other_cpu(&advice, model, place);
    if (finding->advice.len)
        buf_addf(&advice, " Also keep%.*s", SLICE_ARG(slice_from(finding->advice, sizeof "Keep" - 1)));
    finding->advice = finding_keep(findings, &advice);
    finding->evidence = finding_say(findings, "%.*s%sC++ and Triton kernels in its output code",
                                    SLICE_ARG(finding->evidence), finding->evidence.len ? "; " : "");
    buf_free(&part);
}

static void add_slow(struct findings *findings, const struct model *model) {
    const size_t first = findings->list.count;
    int64_t usual = usual_time(findings, model);
    bool kept = cache_is_kept(model);
    size_t listed = 0;
    struct map ids = {0};
    for (size_t i = 0; i < model->compiles.count && listed < SLOW_LISTED; i++) {
        const struct compile *compile = model->compiles.items[i];
        bool slow = usual > 0 && compile->time_us >= SLOW_US && compile->time_us / SLOW_TIMES >= usual;
        if (!compile->framed || (!slow && compile->time_us < VERY_SLOW_US))
            continue;
        bool first_one = is_first(model, compile);
        if (!ids.count)
            timeline_map_ids(&ids, model->timeline, &findings->scratch);
        int64_t probes = spent_us(model, compile, &ids, SPEND_PROBES), own = compile->time_us - probes;
        bool outlier = slow && !first_one && own >= SLOW_US && own / SLOW_TIMES >= usual;
        if (!outlier && compile->time_us < VERY_SLOW_US)
            continue;
        listed++;
        struct finding *finding = finding_add(findings, FINDING_SLOW_COMPILE, SEVERITY_INFO, IMPACT_COMPILE_TIME);
        struct slice function = finding_subject(findings, compile, false);
        const char *took = outlier ? "much longer than most others" : "long";
        struct buf why = {0};
        finding->title = compile_what(model, compile)
                           ? finding_say(findings, "Compiling with %s took %s", compile_what(model, compile), took)
                       : compile->frame.function.len || compile->frame.file.len
                           ? finding_say(findings, "Compiling %.*s took %s", SLICE_ARG(function), took)
                           : finding_say(findings, "A compile without a frame took %s", took);
        finding_add_duration(&why, compile->time_us);
        add_phases(&why, compile);
        buf_add_byte(&why, '.');
        add_spent(&why, model, compile, &ids);
        if (first_one)
            buf_add_lit(&why, " It is the first compile of its process, which includes work that is done once.");
        if (outlier) {
            buf_add_lit(&why, " The median compile took ");
            finding_add_duration(&why, usual);
            buf_add_byte(&why, '.');
        }
        finding->why = finding_keep(findings, &why);
        if (missed_fx(compile) && !kept) {
            finding->advice =
                SLICE("Keep the cache directory (`TORCHINDUCTOR_CACHE_DIR`) between runs: the FX graph cache "
                      "missed, and a run that keeps this directory can load the code instead.");
            finding->evidence = SLICE("fx_graph_cache_miss of this compile");
        }
        advise_on_cpu(findings, finding, model, i, probes + spent_us(model, compile, &ids, SPEND_KERNELS));
        finding->place = finding_place(compile->frame, compile->stack);
        finding->library = finding->place.file.ptr && is_library_file(finding->place.file);
        finding->link = finding_link(findings, compile);
        finding_add_compile(findings, finding, model, (uint32_t)i);
    }
    tell_apart(findings, model, first);
}

void findings_add_costs(struct findings *findings, const struct model *model) {
    add_slow(findings, model);
}

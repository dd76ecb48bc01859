/* Costs without errors: CUDA graphs that were not used, slow compiles. */
#include <inttypes.h>
#include <stdlib.h>

#include "analysis/findings_make.h"
#include "analysis/phases.h"
#include "analysis/timeline.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "scan/error_text.h"

#define SLOW_US INT64_C(5000000)       /* shorter compiles are never reported */
#define VERY_SLOW_US INT64_C(60000000) /* always reported, regardless of the other compiles */
enum {
    SLOW_TIMES = 4,
    SLOW_COMPILES = 3,
    SLOW_LISTED = 5,
    BACKWARD_PART = 20, /* a smaller one is not named */
    SPENT_PART = 3,     /* the same for what time was spent on */
};

enum { SKIP_TITLE_MAX = 200 };

/* Graphs of compiles that do not use CUDA graphs for the same reason. */
struct skips {
    uint32_t finding;
    LIST(uint32_t) whole;   /* without a backward in the log */
    LIST(uint32_t) forward; /* with a backward in the log */
    LIST(uint32_t) backward;
};

/* PyTorch writes "Found from" before the stack of the line that is the reason. */
static void set_skip_place(struct finding *finding, const struct frame *frame, const struct compile *compile) {
    if (frame->file.ptr) {
        finding->place = (struct place){.file = frame->file, .function = frame->function, .line = frame->line};
        finding->code = frame->code;
    } else {
        finding->place = finding_place(compile->frame, compile->stack);
    }
    finding->library = finding->place.file.ptr && is_library_file(finding->place.file);
}

/* What equal skips share: the line, if there is one, and the reason without the graph's name of the input. */
static void add_skip_key(struct buf *key, struct slice reason, const struct frame *frame) {
    static const struct slice named = {"cpu device (", sizeof "cpu device (" - 1};
    buf_addf(key, "%" PRIu64 " ", frame->line);
    buf_add(key, frame->file);
    buf_add_byte(key, 0);
    buf_add(key, slice_starts(reason, named) ? named : reason);
}

struct all_skips {
    struct map seen;
    LIST(struct skips) list;
};

static void add_skip(struct findings *findings, struct all_skips *all, const struct model *model, uint32_t place,
                     bool backward) {
    const struct compile *compile = model->compiles.items[place];
    struct buf reason = {0}, key = {0};
    struct frame frame = {0};
    struct slice trace;
    bool added;
    cudagraph_skip_read(backward ? compile->backward_cudagraph_skip : compile->cudagraph_skip, &reason, &trace);
    if (!traceback_user_frame(trace, &frame))
        frame = (struct frame){0};
    add_skip_key(&key, buf_slice(&reason), &frame);
    uint32_t index = *map_put_in(&findings->scratch, &all->seen, buf_slice(&key), (uint32_t)all->list.count, &added);
    buf_free(&key);
    if (added) {
        struct skips one = {.finding = (uint32_t)findings->list.count};
        struct finding *finding = finding_add(findings, FINDING_CUDAGRAPH_SKIP, SEVERITY_WARNING, IMPACT_EVERY_STEP);
        finding->title = reason.len ? finding_say(findings, "CUDA graphs were skipped: %.*s",
                                                  SLICE_ARG(utf8_first(buf_slice(&reason), SKIP_TITLE_MAX)))
                                    : SLICE("CUDA graphs were skipped");
        finding->link = finding_link(findings, compile);
        set_skip_place(finding, &frame, compile);
        ARENA_GROW(&findings->scratch, &all->list);
        all->list.items[all->list.count++] = one;
    }
    buf_free(&reason);
    struct skips *skips = &all->list.items[index];
    if (backward) {
        ARENA_GROW(&findings->scratch, &skips->backward);
        skips->backward.items[skips->backward.count++] = place;
    } else if (compile->backward_metrics.len) {
        ARENA_GROW(&findings->scratch, &skips->forward);
        skips->forward.items[skips->forward.count++] = place;
    } else {
        ARENA_GROW(&findings->scratch, &skips->whole);
        skips->whole.items[skips->whole.count++] = place;
    }
    finding_name_compile(findings, &findings->list.items[skips->finding], place);
}

static void add_graphs(struct buf *out, const struct model *model, const uint32_t *items, size_t count,
                       const char *graph) {
    if (!count)
        return;
    buf_addf(out, "%s%s", out->len ? " " : "", graph);
    size_t names = finding_add_functions(out, model, items, count);
    buf_add_str(out, names == 1 ? " runs without CUDA graphs." : " run without CUDA graphs.");
}

static void add_cudagraphs(struct findings *findings, const struct model *model) {
    struct all_skips all = {0};
    for (uint32_t i = 0; i < model->compiles.count; i++) {
        if (model->compiles.items[i]->cudagraph_skip.len)
            add_skip(findings, &all, model, i, false);
        if (model->compiles.items[i]->backward_cudagraph_skip.len)
            add_skip(findings, &all, model, i, true);
    }
    for (size_t i = 0; i < all.list.count; i++) {
        struct skips *skips = &all.list.items[i];
        struct buf why = {0};
        add_graphs(&why, model, skips->whole.items, skips->whole.count, "");
        add_graphs(&why, model, skips->forward.items, skips->forward.count, "The forward of ");
        add_graphs(&why, model, skips->backward.items, skips->backward.count, "The backward of ");
        findings->list.items[skips->finding].why = finding_keep(findings, &why);
    }
}

/* The number of sizes of one graph from which PyTorch warns: `triton.cudagraph_dynamic_shape_warn_limit`. */
enum { MANY_SIZES = 8 };

/* A CUDA graph has fixed sizes, so a graph with dynamic ones needs one for each. */
static void add_cudagraph_sizes(struct findings *findings, const struct model *model) {
    const struct timeline *timeline = model->timeline;
    struct map keys = {0};
    for (size_t i = 0; timeline && i < timeline->cudagraphs.count; i++)
        if (timeline->cudagraphs.items[i] > MANY_SIZES)
            map_put_in(&findings->scratch, &keys, timeline->ids.items[i], timeline->cudagraphs.items[i], NULL);
    for (uint32_t i = 0; keys.head && i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[i];
        uint32_t times = map_get(&keys, compile->key);
        if (times == MAP_NONE || !compile->shapes[SHAPE_SYMBOL].count)
            continue;
        struct finding *finding = finding_add(findings, FINDING_CUDAGRAPH_SIZES, SEVERITY_WARNING, IMPACT_EVERY_STEP);
        finding->title = finding_say(findings, "CUDA graphs of %.*s were prepared %" PRIu32 " times",
                                     SLICE_ARG(finding_subject(findings, compile, false)), times);
        finding->why =
            SLICE("A CUDA graph has fixed sizes: PyTorch records one for each size of a dynamic input, and for "
                  "each part of a graph that is split. Each recording takes time and memory of the device.");
        finding->advice =
            SLICE("Pad inputs to a few sizes, or set "
                  "`torch._inductor.config.triton.cudagraph_skip_dynamic_graphs = True`, which runs graphs "
                  "with dynamic sizes without CUDA graphs.");
        finding->evidence = finding_say(findings, "%" PRIu32 " spans `cudagraphify.get_container` of %.*s", times,
                                        SLICE_ARG(compile->key));
        finding->place = finding_place(compile->frame, compile->stack);
        finding->library = finding->place.file.ptr && is_library_file(finding->place.file);
        finding->link = finding_link(findings, compile);
        finding_name_compile(findings, finding, i);
    }
}

static int by_number(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

/* The median time of compiles with a graph; 0 if too few are known. */
static int64_t usual_time(struct findings *findings, const struct model *model) {
    LIST(int64_t) times = {0};
    int64_t median = 0;
    for (size_t i = 0; i < model->compiles.count; i++)
        if (model->compiles.items[i]->framed && model->compiles.items[i]->ops > 0 &&
            model->compiles.items[i]->time_us >= 0) {
            ARENA_GROW(&findings->scratch, &times);
            times.items[times.count++] = model->compiles.items[i]->time_us;
        }
    if (times.count >= SLOW_COMPILES) {
        qsort(times.items, times.count, sizeof *times.items, by_number);
        int64_t upper = times.items[times.count / 2], lower = times.items[(times.count - 1) / 2];
        median = lower + (upper - lower) / 2;
    }
    return median;
}

/* ". The longest phase is code and compiler: 84.1 s; the backward took 71.2 s": the phases are those of the page, and the
 * backward has such phases of its own. */
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

/* Whether another process of the log loaded what this compile stored: the cache directory is kept already. */
static bool is_reused(const struct model *model, const struct compile *compile) {
    for (size_t c = 0; c < compile->caches.count; c++) {
        const struct cache_result *stored = &compile->caches.items[c];
        for (size_t i = 0; stored->cache == CACHE_FX_GRAPH && stored->key.len && i < model->compiles.count; i++) {
            const struct compile *other = model->compiles.items[i];
            for (size_t k = 0; other->process != compile->process && k < other->caches.count; k++) {
                const struct cache_result *found = &other->caches.items[k];
                if (found->cache == CACHE_FX_GRAPH && found->outcome == OUTCOME_HIT &&
                    slice_eq(found->key, stored->key))
                    return true;
            }
        }
    }
    return false;
}

/* Whether results of an earlier run were found, so the cache directory is kept already. */
static bool is_kept(const struct model *model) {
    struct map missed = {0};
    bool kept = false;
    cache_missed_keys(&missed, model);
    for (size_t i = 0; !kept && i < model->compiles.count; i++)
        kept = cache_had_earlier(model->compiles.items[i], &missed);
    map_free(&missed);
    return kept;
}

/* The time that the compile spent on something. `ids`: key of a compile → its number in the timeline. */
static int64_t spent_us(const struct model *model, const struct compile *compile, const struct map *ids,
                        enum spend on) {
    uint32_t id = map_get(ids, compile->key);
    int64_t us = 0;
    for (int phase = 0; id != MAP_NONE && model->timeline->spent.items[id] && phase < PHASES; phase++)
        us += model->timeline->spent.items[id]->us[on][phase];
    return us;
}

/* " Of the whole, autotuning took 67.0 s": what took a third of it or more, longest first. C++ test builds, which the first
 * compile of a process makes, whatever it compiles, are always said. */
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

static void note_ids(struct findings *findings, const struct timeline *timeline, struct map *ids) {
    for (size_t i = 0; timeline && i < timeline->ids.count; i++)
        map_put_in(&findings->scratch, ids, timeline->ids.items[i], (uint32_t)i, NULL);
}

/* Whether no compile of its process comes before. */
static bool is_first(const struct model *model, const struct compile *compile) {
    for (size_t i = 0; i < compile->index; i++)
        if (model->compiles.items[i]->framed && model->compiles.items[i]->process == compile->process)
            return false;
    return compile->started;
}

/* Versions of one function have the same title: each gets its id. The findings from `first` on are of slow compiles. */
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

static void add_slow(struct findings *findings, const struct model *model) {
    const size_t first = findings->list.count;
    int64_t usual = usual_time(findings, model);
    bool kept = is_kept(model);
    size_t listed = 0;
    struct map ids = {0};
    for (size_t i = 0; i < model->compiles.count && listed < SLOW_LISTED; i++) {
        const struct compile *compile = model->compiles.items[i];
        bool slow = usual > 0 && compile->time_us >= SLOW_US && compile->time_us / SLOW_TIMES >= usual;
        if (!compile->framed || (!slow && compile->time_us < VERY_SLOW_US))
            continue;
        bool first_one = is_first(model, compile);
        if (!ids.head)
            note_ids(findings, model->timeline, &ids);
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
        if (missed_fx(compile) && !kept && !is_reused(model, compile)) {
            finding->advice =
                SLICE("Keep the cache directory (`TORCHINDUCTOR_CACHE_DIR`) between runs: the FX graph cache "
                      "missed, and a run that keeps this directory can load the code instead.");
            finding->evidence = SLICE("fx_graph_cache_miss of this compile");
        }
        finding->place = finding_place(compile->frame, compile->stack);
        finding->library = finding->place.file.ptr && is_library_file(finding->place.file);
        finding->link = finding_link(findings, compile);
        finding_add_compile(findings, finding, model, (uint32_t)i);
    }
    tell_apart(findings, model, first);
}

void findings_add_costs(struct findings *findings, const struct model *model) {
    add_cudagraphs(findings, model);
    add_cudagraph_sizes(findings, model);
    add_slow(findings, model);
}

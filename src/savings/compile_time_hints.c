/* The same time from other perspectives: caches, recompiles, graph breaks, a single graph, overheads. */

#include "analysis/phases.h"
#include "analysis/setting_values.h"
#include "analysis/timeline.h"
#include "findings/findings_make.h"
#include "lowering/stages.h"
#include "savings/compile_time.h"

static void add(struct compile_time *time, const struct time_line *line) {
    if (line->us <= 0)
        return;
    ARENA_ADD(&time->arena, &time->hints, *line);
}

/* The most compile time that the compile could skip if all of its cache misses were hits; -1: it has no misses. */
static int64_t missed_us(const struct compile *compile) {
    int64_t us = -1;
    for (int cache = 0; cache < CACHES_COUNTED; cache++)
        if (compile_had(compile, (enum cache)cache, OUTCOME_MISS))
            add_known(&us, phases_skippable(compile, (enum cache)cache, OUTCOME_MISS));
    return us > compile->time_us ? compile->time_us : us;
}

/* Time to hash PyTorch's files, which a process does before its first cache lookup, even for a hit. */
static int64_t keys_us(const struct model *model, const struct compile *compile, const struct map *ids) {
    uint32_t id = map_get(ids, compile->key);
    const struct spent *spent = id == MAP_NONE || !model->timeline ? NULL : model->timeline->spent.items[id];
    return spent && compile_had(compile, CACHE_AOTAUTOGRAD, OUTCOME_MISS) ? spent->us[SPEND_KEYS][PHASE_AOT] : 0;
}

static bool is_autotuning(const struct time_line *line) {
    return slice_is(slice_str(line->key), "autotuning");
}

static bool is_built(const struct time_line *line) {
    return slice_is(slice_str(line->key), "cpu_probes") || slice_is(slice_str(line->key), "cpp_kernels") ||
           is_autotuning(line);
}

/* Whether the C++ compiler took at least a tenth of this time. */
static bool has_builds(const struct compile_time *time, int64_t of_us) {
    int64_t us = 0;
    for (size_t i = 0; i < time->parts.count; i++)
        us += is_built(&time->parts.items[i]) && !is_autotuning(&time->parts.items[i]) ? time->parts.items[i].us : 0;
    return us >= of_us / 10;
}

static void say_cold(struct compile_time *time, struct time_line *cold, bool kept) {
    struct buf why = {0};
    if (kept)
        buf_add_lit(&why,
                    "A process found what another one or an earlier run stored, so a cache is kept already: these "
                    "results were not in it. A later run with the same keys loads them.");
    else
        buf_add_lit(&why, "A hit would load these results.");
    buf_add_byte(&why, ' ');
    finding_add_duration(&why, time->total_us - cold->us);
    buf_add_lit(&why,
                " of the compile time would remain at least: what Dynamo does is not cached, and hits are loaded.");
    cold->why = time_text(time, &why);
    cold->title = kept ? SLICE("cache misses") : SLICE("cold caches");
    cold->evidence = SLICE("`fx_graph_cache_miss` and `aotautograd_cache_miss` of the compiles");
    if (kept || !cold->us)
        return;
    cold->saves_us = cold->us;
    cold->action =
        has_builds(time, cold->us)
            ? SLICE("Keep `TORCHINDUCTOR_CACHE_DIR` between runs. What `torch.compiler.save_cache_artifacts()` "
                    "carries along has nothing that the C++ compiler built.")
            : SLICE("Keep `TORCHINDUCTOR_CACHE_DIR` between runs, or carry the results along with "
                    "`torch.compiler.save_cache_artifacts()` and `load_cache_artifacts()`.");
}

static void say_warm(struct compile_time *time, struct time_line *warm, size_t earlier) {
    struct buf title = {0}, why = {0};
    buf_addf(&title, "%zu %s from caches", warm->compile_count, warm->compile_count == 1 ? "compile" : "compiles");
    if (earlier == warm->compile_count)
        buf_add_lit(&why, "Earlier runs stored the results.");
    else if (earlier)
        buf_addf(&why, "Earlier runs stored results of %zu, and this run those of the others.", earlier);
    else
        buf_add_lit(&why, "This run stored the results.");
    buf_add_lit(&why, " What is left: Dynamo traces each frame and builds its guards in every process, and results "
                      "are found and loaded. The parts above have the times.");
    warm->title = time_text(time, &title);
    warm->why = time_text(time, &why);
    warm->evidence = SLICE("`fx_graph_cache_hit` or `aotautograd_cache_hit` of the compiles");
}

/* If the FX graph cache is bypassed, its directory still keeps the results of the C++ compiler. */
static void add_builds(struct compile_time *time, const struct model *model) {
    struct time_line line = {.key = "cold_caches",
                             .title = SLICE("cold caches"),
                             .saves_us = -1,
                             .link = SLICE("#/compiles"),
                             .why = SLICE("The FX graph cache was bypassed. Its directory keeps what the C++ compiler "
                                          "built nevertheless: test builds, and kernels, also those of autotuning."),
                             .evidence = SLICE("`fx_graph_cache_bypass`, and the spans `compile_file`")};
    bool bypassed = false;
    for (uint32_t i = 0; i < model->compiles.count; i++) {
        if (compile_had(model->compiles.items[i], CACHE_FX_GRAPH, OUTCOME_MISS))
            return;
        bypassed |= compile_had(model->compiles.items[i], CACHE_FX_GRAPH, OUTCOME_BYPASS);
    }
    for (size_t i = 0; i < time->parts.count; i++) {
        const struct time_line *part = &time->parts.items[i];
        for (size_t c = 0; is_built(part) && c < part->compiles.count; c++)
            time_line_add(time, &line, part->compiles.items[c], 0);
        line.us += is_built(part) ? part->us : 0;
    }
    if (!bypassed || cache_is_kept(model) || !line.us)
        return;
    line.saves_us = line.us;
    line.action = SLICE("Keep `TORCHINDUCTOR_CACHE_DIR` between runs.");
    add(time, &line);
}

/* Adds what a warm start would load instead, and what it would still have to do. */
static void add_caches(struct compile_time *time, const struct model *model) {
    struct time_line cold = {.key = "cold_caches", .saves_us = -1, .link = SLICE("#/compiles")};
    struct time_line warm = {.key = "warm_caches", .saves_us = -1, .link = SLICE("#/compiles")};
    struct map missed = {0}, ids = {0};
    AUTO_ARENA scratch = {0};
    size_t earlier = 0;
    cache_missed_keys(&missed, model);
    if (model->timeline)
        timeline_map_ids(&ids, model->timeline, &scratch);
    for (uint32_t i = 0; i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[i];
        int64_t us = missed_us(compile);
        bool is_kept = cache_had_earlier(compile, &missed);
        if (compile->time_us <= 0)
            continue;
        int64_t keys = us > 0 ? keys_us(model, compile, &ids) : 0;
        if (us > keys) {
            time_line_add(time, &cold, i, us - keys);
        } else if (us < 0 && compile_had_hit(compile)) {
            time_line_add(time, &warm, i, compile->time_us);
            earlier += is_kept;
        }
    }
    map_free(&missed);
    say_cold(time, &cold, cache_is_kept(model));
    say_warm(time, &warm, earlier);
    add(time, &cold);
    add(time, &warm);
    add_builds(time, model);
}

/* The setting that turns Inductor's cache off in all compiles of the log; NULL: none. */
static const char *no_cache(const struct model *model) {
    static const struct slice off = SLICE_INIT("\"fx_graph_cache\":"),
                              disabled = SLICE_INIT("\"force_disable_caches\":");
    if (setting_is(model, CONFIG_INDUCTOR, off, SLICE("false")))
        return "`fx_graph_cache` is false";
    return setting_is(model, CONFIG_COMPILER, disabled, SLICE("true")) ||
                   setting_is(model, CONFIG_INDUCTOR, disabled, SLICE("true")) /* earlier */
             ? "`force_disable_caches` is true"
             : NULL;
}

#define CACHES_ON                                                                                                      \
    "Keep `torch._inductor.config.fx_graph_cache` (`TORCHINDUCTOR_FX_GRAPH_CACHE`) on and `force_disable_caches` "     \
    "(`TORCHINDUCTOR_FORCE_DISABLE_CACHES`) off: "

/* Time of AOTAutograd and Inductor, which cache hits would skip at most; 0: not logged. */
static int64_t backend_us(const struct compile *compile) {
    int64_t us = -1;
    add_known(&us,
              compile->phases_us[PHASE_AOT] > 0 ? compile->phases_us[PHASE_AOT] : compile->phases_us[PHASE_INDUCTOR]);
    add_known(&us, compile->backward_phases_us[PHASE_INDUCTOR]);
    return us <= 0 ? 0 : us > compile->time_us ? compile->time_us : us;
}

/* Compiles by Inductor with its cache off: every run compiles them again. */
static void add_caches_off(struct compile_time *time, const struct model *model) {
    const char *off = no_cache(model);
    struct time_line line = {.key = "caches_off",
                             .title = SLICE("caches that are off"),
                             .link = SLICE("#/config"),
                             .why = SLICE("Inductor keeps no result, so every run compiles all graphs."),
                             .action = SLICE(CACHES_ON "later runs then load the results."),
                             .evidence = slice_str(off ? off : "")};
    for (uint32_t i = 0; off && i < model->compiles.count; i++)
        if (model->compiles.items[i]->phases_us[PHASE_INDUCTOR] > 0 && backend_us(model->compiles.items[i]))
            time_line_add(time, &line, i, backend_us(model->compiles.items[i]));
    line.saves_us = line.us;
    add(time, &line);
}

/* Whether the issue is about the recompiles of this chain. */
static bool is_of(const struct finding *finding, const struct chain *chain) {
    bool recompiles = finding->kind == FINDING_RECOMPILE || finding->kind == FINDING_RECOMPILE_LIMIT;
    for (size_t i = 0; recompiles && i < finding->compiles.count; i++)
        if (finding->compiles.items[i] == chain->compiles.items[chain->compiles.count - 1])
            return true;
    return false;
}

/* The advice. If its value for the environment variable is for several functions, also what the value saves in
 * all of them. */
static struct slice own_action(struct compile_time *time, const struct finding *finding) {
    struct buf action = {0};
    size_t all = slice_find(finding->advice, SLICE(FINDING_IN_ALL));
    if (all == SIZE_MAX)
        return finding->advice;
    BUF_ADD(&action, slice_first(finding->advice, all),
            " The limit here is for this function; in all functions, the fixes save at most ");
    finding_add_duration(&action, finding->fix_us);
    buf_add_byte(&action, '.');
    return time_text(time, &action);
}

/* The function whose recompiles cost the most. */
static void add_recompiles(struct compile_time *time, const struct model *model, const struct chains *chains,
                           const struct findings *findings) {
    size_t most = SIZE_MAX;
    for (size_t i = 0; i < chains->list.count; i++)
        if (chains->list.items[i].time_us > 0 &&
            (most == SIZE_MAX || chains->list.items[i].time_us > chains->list.items[most].time_us))
            most = i;
    if (most == SIZE_MAX)
        return;
    const struct chain *chain = &chains->list.items[most];
    struct buf title = {0}, link = {0};
    struct time_line line = {.key = "recompiles", .saves_us = -1};
    const struct finding *finding = NULL;
    buf_addf(&title, "%zu %s of ", chain->recompiles, chain->recompiles == 1 ? "recompile" : "recompiles");
    finding_add_functions(&title, model, chain->compiles.items, 1);
    buf_addf(&link, "#/recompiles?n=%zu", most);
    line.title = time_text(time, &title);
    line.link = time_text(time, &link);
    line.why = SLICE("Of all functions, its recompiles cost most.");
    line.evidence = SLICE("metrics of the compiles");
    for (size_t i = 1; i < chain->compiles.count; i++)
        time_line_add(time, &line, chain->compiles.items[i], 0);
    line.us = chain->time_us;
    for (size_t i = 0; !finding && i < findings->list.count; i++)
        finding = is_of(&findings->list.items[i], chain) ? &findings->list.items[i] : NULL;
    int64_t own_us = finding ? finding->fix_us - finding->elsewhere_us : 0;
    if (own_us > 0) { /* all fixes as in the issue, without what one of them saves in other functions */
        line.action = own_action(time, finding);
        line.evidence = finding->evidence.len ? finding->evidence : line.evidence;
        line.saves_us = own_us < line.us ? own_us : line.us; /* a fix may be for several functions */
    }
    add(time, &line);
}

/* Frames that continue after a graph break, each with graphs of its own. */
static void add_resumed(struct compile_time *time, const struct model *model, const struct findings *findings) {
    struct time_line line = {.key = "graph_breaks",
                             .saves_us = -1,
                             .link = SLICE("#/breaks"),
                             .evidence = SLICE("frames `torch_dynamo_resume_in_…`")};
    size_t graphs = 0;
    bool unknown = false;
    for (uint32_t i = 0; i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[i];
        if (!compile->framed || compile->time_us <= 0 ||
            !slice_starts(compile->frame.function, SLICE("torch_dynamo_resume_in_")))
            continue;
        time_line_add(time, &line, i, compile->time_us);
        graphs += compile_status(compile) == STATUS_OK || compile_status(compile) == STATUS_RESTART ||
                  compile->graph.graphs > 0;
    }
    struct buf title = {0}, why = {0};
    buf_addf(&title, "%zu %s after graph breaks", line.compile_count, line.compile_count == 1 ? "compile" : "compiles");
    buf_add_lit(&why, "After a graph break, the rest of the function is compiled as a frame of its own.");
    if (graphs < line.compile_count && line.compile_count == 1)
        buf_add_lit(&why, " This one has no graph.");
    else if (graphs < line.compile_count)
        buf_addf(&why, " %zu of these compiles %s no graph.", line.compile_count - graphs,
                 line.compile_count - graphs == 1 ? "has" : "have");
    for (size_t i = 0; i < findings->list.count; i++) {
        const struct finding *finding = &findings->list.items[i];
        int64_t us = finding->unsaved ? finding->unsaved_us : finding->fix_us;
        unknown |= finding->kind == FINDING_GRAPH_BREAK && finding->severity == SEVERITY_ERROR && us <= 0;
        if (finding->kind != FINDING_GRAPH_BREAK || !finding->advice.len || us <= 0 || finding->stays)
            continue;
        line.action = SLICE("Remove the graph breaks: the issues name each. The graph is then one, and larger.");
        line.saves_us = (line.saves_us < 0 ? 0 : line.saves_us) + us;
    }
    if (unknown)
        line.saves_us = -1; /* time of frames that run eagerly because of a break */
    if (line.saves_us > line.us) {
        buf_add_lit(&why, " The issues also count discarded traces, and frames that the split functions call.");
        line.saves_us = line.us;
    }
    line.title = time_text(time, &title);
    line.why = time_text(time, &why);
    add(time, &line);
}

/* First compiles of many frames with few operators each. */
static void add_small(struct compile_time *time, const struct model *model) {
    enum { MANY = 8, FEW_OPS = 10, PART = 4 };
    struct time_line line = {.key = "small_graphs",
                             .saves_us = -1,
                             .link = SLICE("#/compiles"),
                             .evidence = SLICE("`graph_op_count` of the compiles"),
                             .why = SLICE("Each compile has costs that do not depend on its size, and what one graph "
                                          "computes is not fused with another one.")};
    struct buf title = {0};
    for (uint32_t i = 0; i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[i];
        if (compile->framed && compile->frame_compile_id == 0 && compile->time_us > 0 && compile->ops > 0 &&
            compile->ops < FEW_OPS)
            time_line_add(time, &line, i, compile->time_us);
    }
    if (line.compile_count < MANY || line.us < time->total_us / PART)
        return;
    buf_addf(&title, "%zu first compiles of fewer than %d operators", line.compile_count, FEW_OPS);
    line.title = time_text(time, &title);
    add(time, &line);
}

/* A compile that takes more than half of the time of all compiles. */
static void add_largest(struct compile_time *time, const struct model *model) {
    enum { FEW = 3 };
    uint32_t most = UINT32_MAX;
    size_t timed = 0;
    for (uint32_t i = 0; i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[i];
        timed += compile->time_us > 0;
        if (compile->framed && compile->time_us > time->total_us / 2)
            most = i;
    }
    if (most == UINT32_MAX || timed < FEW)
        return;
    const struct compile *compile = model->compiles.items[most];
    struct time_line line = {.key = "largest", .saves_us = -1, .link = SLICE("#/compiles")};
    struct buf title = {0}, evidence = {0};
    buf_addf(&title, "%.*s alone", SLICE_ARG(compile->key));
    buf_addf(&evidence, "metrics of the compile: %" PRId64 " %%", compile->time_us * 100 / time->total_us);
    line.title = time_text(time, &title);
    line.why = SLICE("This compile takes more than all others together.");
    line.evidence = time_text(time, &evidence);
    time_line_add(time, &line, most, compile->time_us);
    add(time, &line);
}

/* Whether its graph was compiled here, so it neither failed nor came from a cache. */
static bool compiled_graph(const struct compile *compile) {
    enum status status = compile_status(compile);
    return compile->framed && (status == STATUS_OK || status == STATUS_RESTART) && compile->ops > 0 &&
           compile->time_us > 0 && !compile_had_hit(compile);
}

/* Compiles with the same Dynamo graph as an earlier compile of the process. */
static void add_equal(struct compile_time *time, const struct model *model) {
    struct map seen = {0};
    struct time_line line = {.key = "equal_graphs",
                             .saves_us = -1,
                             .link = SLICE("#/compiles"),
                             .evidence = SLICE("equal `dynamo_output_graph` of an earlier compile"),
                             .why = SLICE("An earlier compile of this process had the same graph. Its code "
                                          "is not shared: the guards differ.")};
    int64_t saves_us = 0;
    for (uint32_t i = 0; i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[i];
        uint64_t key[2] = {compile->process, compile->graph_hash};
        bool added = true;
        if (compile->graph_hash && compiled_graph(compile))
            map_put_in(&time->arena, &seen, slice_make((const char *)key, sizeof key), i, &added);
        if (added)
            continue;
        time_line_add(time, &line, i, compile->time_us);
        saves_us += compile->phases_us[PHASE_INDUCTOR] > 0 ? backend_us(compile) : 0;
    }
    if (saves_us && no_cache(model)) {
        struct buf evidence = {0};
        buf_addf(&evidence, "%.*s; %s", SLICE_ARG(line.evidence), no_cache(model));
        line.evidence = time_text(time, &evidence);
        line.saves_us = saves_us;
        line.action = SLICE(CACHES_ON "the result of the first compile is then loaded.");
    }
    struct buf title = {0};
    buf_addf(&title, "%zu %s of an equal graph", line.compile_count, line.compile_count == 1 ? "compile" : "compiles");
    line.title = time_text(time, &title);
    add(time, &line);
}

/* Compiles whose graph differs from an earlier one only in the text of a constant. */
static void add_equal_but_constants(struct compile_time *time, const struct model *model) {
    enum { LOOKED_AT = 20000 }; /* compiles */
    struct map seen = {0};
    struct buf title = {0}, evidence = {0};
    struct time_line line = {.key = "equal_but_constants",
                             .saves_us = -1,
                             .link = SLICE("#/compiles"),
                             .why = SLICE("A text that an operator gets, such as the name of a layer, is a part of the "
                                          "graph and of its cache key, so nothing is shared.")};
    for (uint32_t i = 0; i < model->compiles.count && i < LOOKED_AT; i++) {
        const struct compile *compile = model->compiles.items[i], *first = NULL;
        struct slice one, other;
        struct buf key = {0};
        bool added = true;
        buf_addf(&key, "%" PRIu64 "\n", compile->process);
        if (compiled_graph(compile) && equal_graphs_key(&key, compile->trace))
            first = model->compiles.items[*map_put_in(&time->arena, &seen, buf_slice(&key), i, &added)];
        buf_free(&key);
        if (added || !equal_graphs_differ(first->trace, compile->trace, &one, &other))
            continue;
        if (!line.compile_count)
            buf_addf(&evidence, "`dynamo_output_graph` of %.*s has `%.*s`, of %.*s `%.*s`; all else is equal",
                     SLICE_ARG(first->key), SLICE_ARG(slice_first(one, 80)), SLICE_ARG(compile->key),
                     SLICE_ARG(slice_first(other, 80)));
        time_line_add(time, &line, i, compile->time_us);
    }
    buf_addf(&title, "%zu %s of a graph that is equal but for a constant", line.compile_count,
             line.compile_count == 1 ? "compile" : "compiles");
    line.title = time_text(time, &title);
    line.evidence = time_text(time, &evidence);
    add(time, &line);
}

/* Overheads below 1/OVERHEAD_PARTS of the total are not listed. */
enum { OVERHEAD_PARTS = 100 };

static void add_overhead(struct compile_time *time, const struct time_line *line) {
    if (line->us > time->total_us / OVERHEAD_PARTS)
        add(time, line);
}

/* Time outside of the compile time, because PyTorch's timers miss it. */
static void add_untimed(struct compile_time *time, const struct model *model) {
    struct time_line line =
        {.key = "untimed",
         .title = SLICE("outside of the timers"),
         .saves_us = -1,
         .link = SLICE("#/timeline"),
         .evidence = SLICE("`end_time_us` − `start_time_us` − `duration_us` of the metrics"),
         .why = SLICE("Exports, AOTInductor and `aot_compile()` start no timer around all of their work. This time is "
                      "not in the compile time, which is the sum of the timers.")};
    for (uint32_t i = 0; i < model->compiles.count; i++)
        if (model->compiles.items[i]->framed && model->compiles.items[i]->untimed_us > 0)
            time_line_add(time, &line, i, model->compiles.items[i]->untimed_us);
    add_overhead(time, &line);
}

/* Compiled Autograd records the graph of a backward before Dynamo traces it: no frame's time includes this. */
static void add_captures(struct compile_time *time, const struct model *model) {
    struct buf title = {0};
    struct time_line line = {.key = "captures",
                             .saves_us = -1,
                             .link = SLICE("#/timeline"),
                             .evidence = SLICE("self time of the spans `compiled_autograd`"),
                             .why = SLICE("Compiled Autograd records the graph of a backward before Dynamo traces it. "
                                          "This time is not in the compile time, which is the sum of the timers.")};
    uint64_t count = 0;
    for (size_t i = 0; model->timeline && i < model->timeline->totals.count; i++) {
        const struct timeline_total *total = &model->timeline->totals.items[i];
        if (!slice_is(total->name, "compiled_autograd"))
            continue;
        line.us = total->self_us;
        count = total->count;
    }
    if (line.us <= 0)
        return;
    buf_addf(&title, "%" PRIu64 " %s of Compiled Autograd", count, count == 1 ? "capture" : "captures");
    line.title = time_text(time, &title);
    add(time, &line);
}

/* The compile time does not include compiles that did not end either, because their metrics are missing. */
static void add_unfinished(struct compile_time *time, const struct findings *findings) {
    struct time_line line = {.key = "unfinished",
                             .title = SLICE("a compile that did not end"),
                             .saves_us = -1,
                             .evidence = SLICE("spans without an end"),
                             .why = SLICE("This time, up to the last event, is not in the compile time: PyTorch logs "
                                          "the metrics at the end of a compile.")};
    for (size_t i = 0; i < findings->list.count; i++) {
        const struct finding *finding = &findings->list.items[i];
        if (finding->kind != FINDING_UNFINISHED || finding->time_us <= 0)
            continue;
        line.link = finding->link;
        line.us += finding->time_us;
        for (size_t c = 0; c < finding->compiles.count; c++)
            time_line_add(time, &line, finding->compiles.items[c], 0);
    }
    add(time, &line);
}

/* PyTorch counts this time for each id, and never resets the count within a process: a backward includes the time of
 * its forward, and a compile after a reset includes that of the earlier compile with the same id. */
static void add_logging(struct compile_time *time, const struct model *model) {
    AUTO_MAP ids = {0};
    struct time_line line = {.key = "logging",
                             .title = SLICE("structured logging"),
                             .saves_us = -1,
                             .evidence = SLICE("`structured_logging_overhead_us` of the compiles"),
                             .why = SLICE("PyTorch writes this log while it compiles, so this time is in that of the "
                                          "compiles. Without `TORCH_TRACE` there is none of it."),
                             .link = SLICE("#/log")};
    int64_t *counted = arena_alloc(&time->arena, (model->compiles.count + 1) * sizeof *counted);
    for (uint32_t i = 0; i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[i];
        uint64_t id[3] = {compile->process, (uint64_t)compile->frame_id, (uint64_t)compile->frame_compile_id};
        int64_t us = compile->logging_us[compile->logging_us[1] > compile->logging_us[0]];
        bool added;
        if (us <= 0)
            continue;
        uint32_t first = *map_put(&ids, slice_make((const char *)id, sizeof id), i, &added);
        int64_t before = added ? 0 : counted[first];
        counted[first] = us > before ? us : before;
        if (us > before)
            time_line_add(time, &line, i, us - before);
    }
    add_overhead(time, &line);
}

static void add_gc(struct compile_time *time, const struct model *model) {
    struct time_line line = {.key = "gc",
                             .title = SLICE("garbage collection"),
                             .saves_us = -1,
                             .evidence = SLICE("`gc_time_us` of the compiles"),
                             .why = SLICE(
                                 "PyTorch runs Python's garbage collector at the end of each compile of a frame."),
                             .action = SLICE("Set `TORCH_DYNAMO_RUN_GC_AFTER_COMPILE=0` if memory allows it."),
                             .link = SLICE("#/compiles")};
    for (uint32_t i = 0; i < model->compiles.count; i++)
        if (model->compiles.items[i]->gc_us > 0)
            time_line_add(time, &line, i, model->compiles.items[i]->gc_us);
    line.saves_us = line.us;
    add_overhead(time, &line);
}

void compile_time_hints(struct compile_time *time, const struct model *model, const struct chains *chains,
                        const struct findings *findings) {
    if (time->total_us <= 0)
        return;
    add_caches(time, model);
    add_caches_off(time, model);
    add_recompiles(time, model, chains, findings);
    add_resumed(time, model, findings);
    add_small(time, model);
    add_largest(time, model);
    compile_time_layers(time, model);
    compile_time_sizes(time, model, chains);
    add_equal(time, model);
    add_equal_but_constants(time, model);
    add_untimed(time, model);
    add_captures(time, model);
    add_unfinished(time, findings);
    add_logging(time, model);
    add_gc(time, model);
}

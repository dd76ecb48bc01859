/* The same time from other sides: caches, recompiles, graph breaks, one graph, overheads. */
#include <inttypes.h>

#include "analysis/compile_time.h"
#include "analysis/findings_make.h"
#include "analysis/phases.h"

static struct slice keep(struct compile_time *time, struct buf *text) {
    struct slice kept = arena_slice(&time->arena, buf_slice(text));
    buf_free(text);
    return kept;
}

static void add(struct compile_time *time, const struct time_line *line) {
    if (line->us <= 0)
        return;
    ARENA_GROW(&time->arena, &time->hints);
    time->hints.items[time->hints.count++] = *line;
}

static bool had(const struct compile *compile, enum cache cache, enum cache_outcome outcome) {
    for (size_t i = 0; i < compile->caches.count; i++)
        if (compile->caches.items[i].cache == cache && compile->caches.items[i].outcome == outcome)
            return true;
    return false;
}

/* What a warm start would load instead, and what it still has to do. */
static void add_caches(struct compile_time *time, const struct model *model) {
    struct time_line cold = {.key = "cold_caches",
                             .title = SLICE("cold caches"),
                             .saves_us = -1,
                             .why = SLICE("A hit would load these results. Dynamo's trace and guards are not cached."),
                             .link = SLICE("#/compiles")};
    struct time_line warm = {.key = "warm_caches",
                             .title = SLICE("compiles from caches"),
                             .saves_us = -1,
                             .why = SLICE(
                                 "A cache had results of theirs. Dynamo traces each frame and builds its guards in "
                                 "every process; the parts above have what else is left."),
                             .link = SLICE("#/compiles")};
    bool hits = false;
    for (uint32_t i = 0; i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[i];
        int64_t us = -1;
        bool hit = had(compile, CACHE_FX_GRAPH, OUTCOME_HIT) || had(compile, CACHE_AOTAUTOGRAD, OUTCOME_HIT);
        for (int cache = 0; cache < CACHES_COUNTED; cache++)
            if (had(compile, (enum cache)cache, OUTCOME_MISS))
                add_known(&us, phases_skippable(compile, (enum cache)cache, OUTCOME_MISS));
        if (compile->time_us >= 0 && us > compile->time_us)
            us = compile->time_us;
        if (us > 0 && compile->time_us > 0)
            time_line_add(time, &cold, i, us);
        else if (hit && compile->time_us > 0)
            time_line_add(time, &warm, i, compile->time_us);
        hits |= hit;
    }
    cold.evidence = SLICE("`fx_graph_cache_miss` and `aotautograd_cache_miss` of the compiles");
    warm.evidence = SLICE("`fx_graph_cache_hit` or `aotautograd_cache_hit` of the compiles");
    if (!hits && cold.us) { /* otherwise the directory is kept already */
        cold.saves_us = cold.us;
        cold.action = SLICE("Keep `TORCHINDUCTOR_CACHE_DIR` between runs, or carry the results along with "
                            "`torch.compiler.save_cache_artifacts()` and `load_cache_artifacts()`.");
    }
    add(time, &cold);
    add(time, &warm);
}

/* The function whose recompiles cost most. */
static void add_recompiles(struct compile_time *time, const struct model *model, const struct chains *chains) {
    size_t most = SIZE_MAX;
    for (size_t i = 0; i < chains->list.count; i++)
        if (chains->list.items[i].time_us > 0 &&
            (most == SIZE_MAX || chains->list.items[i].time_us > chains->list.items[most].time_us))
            most = i;
    if (most == SIZE_MAX)
        return;
    const struct chain *chain = &chains->list.items[most];
    const struct advice *advice = chain_advice(chain);
    struct buf title = {0}, link = {0};
    struct time_line line = {.key = "recompiles", .saves_us = -1};
    buf_addf(&title, "%zu %s of ", chain->recompiles, chain->recompiles == 1 ? "recompile" : "recompiles");
    finding_add_functions(&title, model, chain->compiles.items, 1);
    buf_addf(&link, "#/recompiles?n=%zu", most);
    line.title = keep(time, &title);
    line.link = keep(time, &link);
    line.why = SLICE("Of all functions, its recompiles cost most.");
    line.evidence = SLICE("metrics of the compiles");
    for (size_t i = 1; i < chain->compiles.count; i++)
        time_line_add(time, &line, chain->compiles.items[i], 0);
    line.us = chain->time_us;
    if (advice && !advice->expected) {
        line.action = advice->text;
        line.saves_us = chain_saves_us(model, chain);
    }
    add(time, &line);
}

/* Frames that continue after a graph break, each with graphs of its own. */
static void add_resumed(struct compile_time *time, const struct model *model) {
    struct time_line line = {.key = "graph_breaks",
                             .saves_us = -1,
                             .link = SLICE("#/breaks"),
                             .why =
                                 SLICE("Each graph break ends a graph and begins another one, which is compiled, too."),
                             .evidence = SLICE("frames `torch_dynamo_resume_in_…`")};
    for (uint32_t i = 0; i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[i];
        if (compile->framed && compile->time_us > 0 &&
            slice_starts(compile->frame.function, SLICE("torch_dynamo_resume_in_")))
            time_line_add(time, &line, i, compile->time_us);
    }
    struct buf title = {0};
    buf_addf(&title, "%zu %s after graph breaks", line.compile_count, line.compile_count == 1 ? "compile" : "compiles");
    line.title = keep(time, &title);
    add(time, &line);
}

/* A compile that takes more than half of the time of several. */
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
    line.title = keep(time, &title);
    line.why = SLICE("This compile takes more than all others together.");
    line.evidence = keep(time, &evidence);
    time_line_add(time, &line, most, compile->time_us);
    add(time, &line);
}

/* Compiles whose Dynamo graph an earlier compile of the process had. */
static void add_equal(struct compile_time *time, const struct model *model) {
    struct map seen = {0};
    struct time_line line = {.key = "equal_graphs",
                             .saves_us = -1,
                             .link = SLICE("#/compiles"),
                             .evidence = SLICE("equal `dynamo_output_graph` of an earlier compile"),
                             .why = SLICE("Their graphs were compiled before in this process.")};
    for (uint32_t i = 0; i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[i];
        uint64_t key[2] = {compile->process, compile->graph_hash};
        bool added = true;
        if (compile->framed && compile->graph_hash && compile->ops > 0 && compile->time_us > 0)
            map_put_in(&time->arena, &seen, slice_make((const char *)key, sizeof key), i, &added);
        if (!added)
            time_line_add(time, &line, i, compile->time_us);
    }
    struct buf title = {0};
    buf_addf(&title, "%zu %s of an equal graph", line.compile_count, line.compile_count == 1 ? "compile" : "compiles");
    line.title = keep(time, &title);
    add(time, &line);
}

/* The sum of a member of the metrics that is a time. */
static void add_metric(struct compile_time *time, const struct model *model, struct slice member,
                       struct time_line line) {
    line.saves_us = -1;
    line.evidence = member;
    for (uint32_t i = 0; i < model->compiles.count; i++) {
        const struct slice metrics[] = {model->compiles.items[i]->metrics, model->compiles.items[i]->backward_metrics};
        int64_t sum_us = 0;
        for (size_t m = 0; m < 2; m++) {
            size_t at = slice_find(metrics[m], member), end = 0;
            struct slice value = at == SIZE_MAX ? (struct slice){0} : slice_from(metrics[m], at + member.len);
            uint64_t us;
            value = slice_trim(slice_from(value, slice_starts(value, SLICE("\":")) ? 2 : value.len));
            while (end < value.len && end < 15 && value.ptr[end] >= '0' && value.ptr[end] <= '9')
                end++;
            if (slice_to_u64(slice_first(value, end), &us))
                sum_us += (int64_t)us;
        }
        if (sum_us)
            time_line_add(time, &line, i, sum_us);
    }
    if (line.us > time->total_us / 100)
        add(time, &line);
}

void compile_time_hints(struct compile_time *time, const struct model *model, const struct chains *chains) {
    if (time->total_us <= 0)
        return;
    add_caches(time, model);
    add_recompiles(time, model, chains);
    add_resumed(time, model);
    add_largest(time, model);
    add_equal(time, model);
    add_metric(time, model, SLICE("structured_logging_overhead_us"),
               (struct time_line){.key = "logging",
                                  .title = SLICE("structured logging"),
                                  .why = SLICE("PyTorch writes this log. Without `TORCH_TRACE` it does not."),
                                  .link = SLICE("#/log")});
    add_metric(time, model, SLICE("gc_time_us"),
               (struct time_line){.key = "gc",
                                  .title = SLICE("garbage collection"),
                                  .why = SLICE("Python collected garbage during compiles."),
                                  .link = SLICE("#/compiles")});
}

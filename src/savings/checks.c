#include "savings/checks.h"

#include "analysis/phases.h"
#include "analysis/timeline.h"

void totals_init(struct totals *totals) {
    *totals = (struct totals){0};
    totals->time_us = totals->forward_us = totals->backward_us = totals->runtime_us = totals->restart_us = -1;
    for (int phase = 0; phase < PHASES; phase++)
        totals->timers[phase] = -1;
}

void totals_add_report(struct totals *totals, const struct model *model) {
    for (size_t i = 0; i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[i];
        if (compile->framed) {
            totals->compiles++;
            totals->statuses[compile_status(compile)]++;
            totals->interrupted += compile_is_interrupted(model, compile);
            totals->ops_unknown += compile_ops_unknown(compile);
            totals->restarts += compile->restarts.count;
        }
        int64_t own[PHASES];
        phases_add(totals->timers, compile->phases_us);
        totals->other_us += phases_split(compile, own);
        for (int phase = 0; phase < PHASES; phase++) {
            totals->own[phase] += own[phase];
            totals->has_phase[phase] |= phases_has(compile, (enum phase)phase);
        }
        add_known(&totals->time_us, compile->time_us);
        add_known(&totals->forward_us, compile->forward_us);
        add_known(&totals->backward_us, compile->backward_us);
        add_known(&totals->runtime_us, compile->runtime_us);
        add_known(&totals->restart_us, compile_lost_us(compile));
    }
}

void totals_add_chains(struct totals *totals, const struct chains *chains) {
    for (size_t i = 0; i < chains->list.count; i++) {
        totals->recompiles += chains->list.items[i].recompiles;
        totals->refused += chains->list.items[i].refused;
    }
}

void totals_add(struct totals *totals, const struct totals *more) {
    totals->compiles += more->compiles;
    totals->interrupted += more->interrupted;
    totals->ops_unknown += more->ops_unknown;
    totals->recompiles += more->recompiles;
    totals->refused += more->refused;
    totals->restarts += more->restarts;
    for (int status = 0; status <= STATUS_ERROR; status++)
        totals->statuses[status] += more->statuses[status];
    add_known(&totals->time_us, more->time_us);
    add_known(&totals->forward_us, more->forward_us);
    add_known(&totals->backward_us, more->backward_us);
    add_known(&totals->runtime_us, more->runtime_us);
    add_known(&totals->restart_us, more->restart_us);
    phases_add(totals->timers, more->timers);
    totals->other_us += more->other_us;
    for (int phase = 0; phase < PHASES; phase++) {
        totals->own[phase] += more->own[phase];
        totals->has_phase[phase] |= more->has_phase[phase];
    }
}

static void fail(struct checks *checks, const char *name, struct slice about, int64_t expected, int64_t found) {
    if (checks->list.count == CHECKS_MAX) {
        checks->more++;
        return;
    }
    LIST_ADD(&checks->list, (struct check){name, about, expected, found});
}

static void expect(struct checks *checks, const char *name, uint64_t expected, uint64_t found) {
    if (expected != found)
        fail(checks, name, (struct slice){0}, (int64_t)expected, (int64_t)found);
}

/* The clocks of metrics and timers are read in sequence, so a difference of up to 1 % plus a millisecond is ignored. */
static bool is_above(int64_t part, int64_t whole) {
    return part > whole + whole / 100 + 1000;
}

/* The self times of the phases must not exceed the compile time, for each compile and in total. */
static void check_phases(struct checks *checks, const struct model *model, const struct totals *totals) {
    int64_t all = 0;
    for (int phase = 0; phase < PHASES; phase++)
        all += totals->own[phase];
    if (totals->time_us >= 0 && is_above(all, totals->time_us))
        fail(checks, "phases", (struct slice){0}, totals->time_us, all);
    for (size_t i = 0; i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[i];
        int64_t own[PHASES], sum = 0;
        phases_split(compile, own);
        for (int phase = 0; phase < PHASES; phase++)
            sum += own[phase];
        if (compile->time_us >= 0 && is_above(sum, compile->time_us))
            fail(checks, "phases", compile->key, compile->time_us, sum);
    }
}

/* The timers in a compile's metrics and the spans of its events come from the same clock. Older versions of PyTorch
 * read it again for the spans, up to 10 % of the compile time later, so only a larger difference is a contradiction.
 * Spans around these, such as the first records of a log, or AOTInductor's spans with the id of the preceding export,
 * are in no timer. */
static bool contradict(int64_t spans, int64_t timers) {
    int64_t more = spans - timers, margin = spans / 8 + 100000;
    return more < -margin || more > margin;
}

/* The timers of the forward and the backward; -1: not logged. */
static int64_t timers_of(const struct compile *compile) {
    int64_t us = -1;
    add_known(&us, compile->phases_us[PHASE_DYNAMO]);
    add_known(&us, compile->phases_us[PHASE_BACKWARD]);
    return us;
}

static void check_spans(struct checks *checks, const struct model *model) {
    const struct timeline *timeline = model->timeline;
    AUTO_MAP keys = {0};
    if (!timeline || model->events_lost || timeline->no_begin || timeline->lost)
        return;
    for (size_t i = 0; i < timeline->ids.count; i++)
        map_put(&keys, timeline->ids.items[i], (uint32_t)i, NULL);
    for (size_t i = 0; i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[i];
        uint32_t id = map_get(&keys, compile->key);
        int64_t spans = id == MAP_NONE ? 0 : timeline->timers_us.items[id], timers = timers_of(compile);
        if (spans && compile->has_metrics && timers >= 0 && contradict(spans, timers))
            fail(checks, "timer_spans", compile->key, spans, timers);
    }
}

/* Some records of a cache are not results, such as fx_graph_cache_hash. */
static bool is_cache_result(struct slice kind) {
    static const char *const kinds[] = {"fx_graph_cache_hit",    "fx_graph_cache_miss",    "fx_graph_cache_bypass",
                                        "aotautograd_cache_hit", "aotautograd_cache_miss", "aotautograd_cache_bypass"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (slice_is(kind, kinds[i]))
            return true;
    return false;
}

/* Compares records by kind, and artifacts, with the counters. */
static void check_counts(struct checks *checks, const struct model *model) {
    uint64_t by_kind = 0, by_compile = 0, breaks = 0, break_records = 0, caches = 0, cache_records = 0;
    for (size_t i = 0; i < model->kinds.count; i++) {
        const struct kind_count *kind = &model->kinds.items[i];
        by_kind += kind->records;
        if (slice_is(kind->name, "dynamo_graph_break_reason"))
            break_records += kind->records;
        else if (is_cache_result(kind->name))
            cache_records += kind->records;
    }
    for (size_t i = 0; i < model->compiles.count; i++)
        by_compile += model->compiles.items[i]->log_records;
    for (size_t i = 0; i < model->breaks.count; i++)
        breaks += model->breaks.items[i]->count;
    for (int cache = 0; cache < CACHES_COUNTED; cache++)
        for (int outcome = 0; outcome < OUTCOMES_COUNTED; outcome++)
            caches += model->cache_counts[cache][outcome];
    expect(checks, "records_by_kind", model->counters[COUNT_OK], by_kind);
    expect(checks, "records_by_compile", model->counters[COUNT_OK], by_compile);
    expect(checks, "graph_breaks", break_records, breaks);
    expect(checks, "caches", cache_records, caches);
}

/* Checks that each id of compile_directory.json belongs to a compile, and that each folder of a compile has its id
 * there. */
static void check_ids(struct checks *checks, const struct model *model) {
    uint64_t entries = 0, used = 0;
    bool *seen = mem_zalloc(model->entries.count + 1, sizeof *seen);
    for (size_t c = 0; c < model->compiles.count; c++)
        for (size_t f = 0; f < model->compiles.items[c]->folders.count; f++)
            seen[model->folders.items[model->compiles.items[c]->folders.items[f]].entry] = true;
    for (size_t i = 0; i < model->entries.count; i++) {
        entries++;
        used += seen[i];
    }
    mem_free(seen);
    expect(checks, "ids", entries, used);
}

void checks_run(struct checks *checks, const struct model *model, const struct totals *totals) {
    check_phases(checks, model, totals);
    check_spans(checks, model);
    check_counts(checks, model);
    check_ids(checks, model);
}

void checks_finish(struct checks *checks) {
    mem_free(checks->list.items);
    *checks = (struct checks){0};
}


#include "answers/check_parts.h"
#include "answers/run_time_parts.h"
#include "answers/sentences.h"
#include "answers/term.h"

/* Sums over all logs. False if a log could not be read. */
static bool sum_over(const struct check_logs *logs, uint64_t (*of)(yyjson_val *root), double *sum) {
    bool all = true;
    *sum = 0;
    for (size_t i = 0; i < logs->count; i++) {
        all = all && logs->items[i].root;
        *sum += (double)of(logs->items[i].root);
    }
    return all;
}

static uint64_t kernels_of(yyjson_val *root) {
    return report_count(json_get(root, "kernels"), "generated");
}

static uint64_t findings_of(yyjson_val *root, const char *severity) {
    size_t i, max;
    uint64_t count = 0;
    yyjson_val *finding;
    yyjson_arr_foreach(json_get(root, "findings"), i, max, finding) {
        count += slice_is(json_get_text(finding, "severity"), severity);
    }
    return count;
}

static uint64_t errors_of(yyjson_val *root) {
    return findings_of(root, "error");
}

static uint64_t warnings_of(yyjson_val *root) {
    return findings_of(root, "warning");
}

static uint64_t untimed_of(yyjson_val *root) {
    size_t i, max;
    uint64_t count = 0;
    yyjson_val *compile;
    yyjson_arr_foreach(json_get(root, "compiles"), i, max, compile) {
        count += json_truthy(json_get(compile, "is_compile")) && !yyjson_is_int(json_get(compile, "time_us"));
    }
    return count;
}

/* The number of compiles that restarted and succeeded, and whose lost time is not logged. */
static uint64_t unlogged_restarts_of(yyjson_val *root) {
    size_t i, max;
    uint64_t count = 0;
    yyjson_val *compile;
    yyjson_arr_foreach(json_get(root, "compiles"), i, max, compile) {
        count += yyjson_arr_size(json_get(compile, "restarts")) &&
                 !slice_is(json_get_text(compile, "status"), "error") &&
                 !yyjson_is_int(json_get(compile, "restart_us"));
    }
    return count;
}

static struct check_value not_known(struct slice why) {
    return (struct check_value){.why = why};
}

/* A value from lists of the logs, all of which must exist. */
static struct check_value from_logs(const struct check_logs *logs, uint64_t (*of)(yyjson_val *root)) {
    struct check_value value = {.known = true};
    if (!sum_over(logs, of, &value.value)) {
        value.at_least = true;
        value.why = SLICE("the report.json of a log could not be read");
    }
    return value;
}

static struct check_value time_total(const struct check_logs *logs, const struct check_metric *metric,
                                     struct arena *arena) {
    yyjson_val *totals = check_totals(logs->report->root);
    bool restarts = slice_is(slice_str(metric->total), "restart_us");
    struct check_value value = {.known = true};
    int64_t us = 0;
    double without = 0;
    AUTO_BUF why = {0};
    bool all = sum_over(logs, restarts ? unlogged_restarts_of : untimed_of, &without);
    if (!all && !restarts) /* the totals know at least which compiles have no metrics */
        without = (double)report_count(json_get(totals, "statuses"), "missing");
    if (report_number(totals, metric->total, &us))
        value.value = (double)us;
    else if (!(without > 0) && (!restarts || report_count(totals, "restarts")))
        return not_known(SLICE("the log has no such time"));
    value.at_least = without > 0;
    if (!(without > 0) && !restarts) {
        buf_add_lit(&why, "summed");
        facts_add_shares(&why, logs->report->root);
        if (why.len > sizeof "summed")
            value.why = check_words(arena, &why);
    }
    if (!(without > 0))
        return value;
    buf_addf(&why, "%.0f of ", without);
    unit_add_plural(&why, report_count(totals, "compiles"), "compile", NULL);
    buf_addf(&why, restarts       ? " restarted without a logged time"
                   : without == 1 ? " has no compile time in the log"
                                  : " have no compile time in the log");
    value.why = check_words(arena, &why);
    return value;
}

static struct check_value misses_total(const struct check_logs *logs) {
    static const char *const caches[] = {"fx_graph", "aotautograd"}, *const results[] = {"hit", "miss", "bypass",
                                                                                         "pickle_failure"};
    yyjson_val *root = logs->report->root;
    struct check_value value = {.known = true};
    uint64_t lookups = 0;
    for (size_t c = 0; c < 2; c++) {
        yyjson_val *counts = json_get(check_caches(root), caches[c]);
        value.value += (double)report_count(counts, "miss");
        for (size_t r = 0; r < sizeof results / sizeof *results; r++)
            lookups += report_count(counts, results[r]);
    }
    if (!lookups && report_count(check_totals(root), "compiles"))
        return not_known(SLICE("the log has no cache results"));
    return value;
}

static bool some_aspect_known(yyjson_val *divergence) {
    size_t i, max;
    yyjson_val *key, *aspect;
    yyjson_obj_foreach(divergence, i, max, key, aspect) {
        if (json_truthy(json_get(aspect, "known")))
            return true;
    }
    return false;
}

/* Marks the ranks that a cause names: the outliers or, without a majority, all of its groups. */
static void mark_ranks(struct map *marked, uint32_t *count, yyjson_val *cause, struct buf *key, size_t job) {
    size_t i, max, s, sides;
    yyjson_val *rank, *side, *ranks = json_get(cause, "ranks");
    bool added;
    yyjson_arr_foreach(ranks, i, max, rank) {
        key->len = 0;
        buf_addf(key, "%zu %" PRIu64, job, yyjson_get_uint(rank));
        map_put(marked, buf_slice(key), 0, &added);
        *count += added;
    }
    if (yyjson_arr_size(ranks))
        return;
    yyjson_arr_foreach(json_get(cause, "evidence"), s, sides, side) {
        yyjson_arr_foreach(json_get(side, "ranks"), i, max, rank) {
            key->len = 0;
            buf_addf(key, "%zu %" PRIu64, job, yyjson_get_uint(rank));
            map_put(marked, buf_slice(key), 0, &added);
            *count += added;
        }
    }
}

static struct check_value diverging_total(const struct check_logs *logs) {
    struct map marked = {0};
    AUTO_BUF key = {0};
    uint32_t count = 0;
    bool known = false, more = false;
    size_t i, max;
    yyjson_val *cause;
    for (size_t job = 0; job < logs->job_count; job++) {
        yyjson_val *divergence = json_get(logs->jobs[job], "divergence");
        known = known || some_aspect_known(divergence);
        more = more || report_count(divergence, "more_root_causes");
        yyjson_arr_foreach(json_get(divergence, "root_causes"), i, max, cause) {
            mark_ranks(&marked, &count, cause, &key, job);
        }
    }
    map_free(&marked);
    if (!logs->job_count || logs->count < 2)
        return not_known(SLICE("there are no logs of several ranks to compare"));
    if (!known)
        return not_known(SLICE("the logs have nothing to compare ranks by"));
    return (struct check_value){true, more, count,
                                more ? SLICE("report.json does not list all causes") : (struct slice){0}};
}

/* The median step of the rank for which it takes the longest. */
static yyjson_val *steps_of(yyjson_val *root) {
    return json_get(json_get(root, "profile"), "step_us");
}

/* The median step of a log, in microseconds; 0: unknown. */
static double step_of(yyjson_val *root) {
    double us;
    return json_to_double(json_get(steps_of(root), "median_us"), &us) && us > 0 ? us : 0;
}

bool check_has_part(const struct check_logs *logs, const struct check_metric *metric, size_t log) {
    if (!slice_is(slice_str(metric->name), "step_time_s"))
        return true;
    for (size_t i = 0; i < logs->count; i++)
        if (step_of(logs->items[i].root) > step_of(logs->items[log].root) ||
            (i < log && step_of(logs->items[i].root) == step_of(logs->items[log].root)))
            return false;
    return true;
}

/* Why no profile marks steps: one may be of another run. */
static struct slice stepless(const struct check_logs *logs, struct arena *arena) {
    struct buf why = {0};
    for (size_t i = 0; i < logs->count; i++) {
        yyjson_val *file;
        size_t k, max;
        yyjson_arr_foreach(json_get(json_get(logs->items[i].root, "profile"), "files"), k, max, file) {
            struct slice refused = json_get_text(file, "refused");
            if (refused.len && !why.len)
                BUF_ADD(&why, json_get_text(file, "name"), " ", refused);
        }
    }
    return why.len ? check_words(arena, &why)
                   : SLICE("no profile marks steps: record one with a schedule and prof.step(), and make a report of "
                           "the log with --profile");
}

static struct check_value step_total(const struct check_logs *logs, struct arena *arena) {
    struct check_value value = {0};
    uint64_t steps = 0;
    for (size_t i = 0; i < logs->count; i++) {
        double us = step_of(logs->items[i].root);
        if (us <= value.value)
            continue;
        value.known = true;
        value.value = us;
        steps = report_count(steps_of(logs->items[i].root), "steps");
    }
    if (!value.known)
        return not_known(stepless(logs, arena));

    AUTO_BUF why = {0};
    buf_add_lit(&why, "the median of ");
    unit_add_plural(&why, steps, "step", NULL);
    value.why = check_words(arena, &why);
    return value;
}

static struct check_value measure(const struct check_logs *logs, const struct check_metric *metric,
                                  struct arena *arena) {
    struct slice name = slice_str(metric->name);
    if (slice_starts(name, SLICE("step_time_")))
        return step_total(logs, arena);
    if (metric->total && metric->unit != UNIT_COUNT)
        return time_total(logs, metric, arena);
    if (metric->total) {
        uint64_t count;
        if (!json_to_u64(json_get(check_totals(logs->report->root), metric->total), &count))
            return not_known(SLICE("report.json does not have it"));
        return (struct check_value){.known = true, .value = (double)count};
    }
    if (slice_is(name, "cache_misses"))
        return misses_total(logs);
    if (slice_is(name, "ranks_diverging"))
        return diverging_total(logs);
    return from_logs(logs, slice_is(name, "kernels") ? kernels_of : slice_is(name, "errors") ? errors_of : warnings_of);
}

struct check_value check_total(const struct check_logs *logs, const struct check_metric *metric, struct arena *arena) {
    struct check_value value = measure(logs, metric, arena);
    if (logs->gap.len) {
        value.at_least = true;
        value.why = logs->gap;
    }
    return value;
}

yyjson_val *check_partner(const struct check_logs *baseline, const struct check_logs *logs, size_t log) {
    const struct check_log *own = &logs->items[log];
    for (size_t i = 0; i < baseline->count; i++) {
        const struct check_log *other = &baseline->items[i];
        if (own->has_rank && other->has_rank && own->rank == other->rank && other->root)
            return other->root;
    }
    return baseline->count ? baseline->items[log < baseline->count ? log : baseline->count - 1].root : NULL;
}

struct slice check_comparable(struct check_results *results, const struct check_metric *metric,
                              const struct check_logs *baseline) {
    struct check_value after = check_total(results->logs, metric, &results->arena);
    struct check_value before = check_total(baseline, metric, &results->arena);
    struct buf why = {0};
    if (!after.known || !before.known) {
        BUF_ADD(&why, before.known ? "" : "baseline: ", before.known ? after.why : before.why);
    } else if (results->logs->count != baseline->count) {
        unit_add_plural(&why, results->logs->count, "log", NULL);
        buf_addf(&why, " cannot be compared with %zu of the baseline", baseline->count);
    } else if (!(before.value > 0)) {
        buf_addf(&why, "the baseline has no %s", metric->one);
    }
    return why.len ? check_words(&results->arena, &why) : (struct slice){0};
}

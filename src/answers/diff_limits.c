#include "answers/diff.h"

#include <math.h>

#include "answers/diff_figures.h"
#include "answers/run_time.h"
#include "answers/term.h"

/* The user's name for a figure, its name in report.json, and whether it is a time. */
static const struct {
    const char *word, *figure;
    bool time;
} words[] = {
    {"time", "compile_time", true},          {"backward_time", "backward_time", true},
    {"restart_time", "restart_time", true},  {"run_time", "run_time", true},
    {"step_time", "step_time", true},        {"compiles", "compiles", false},
    {"recompiles", "recompiles", false},     {"breaks", "graph_breaks", false},
    {"failures", "failures", false},         {"guards", "guards", false},
    {"kernels", "kernels", false},           {"ops", "ops", false},
    {"cache_misses", "cache_misses", false}, {"cache_bypasses", "cache_bypasses", false},
    {"peak_bytes", "peak_bytes", false},     {"saved_bytes", "saved_bytes", false},
};

static bool add_limit(struct diff_limits *limits, struct slice text, struct err *err) {
    static const char usage[] = "expected NAME>CHANGE, for example 'time>+10%', 'time>2s' or 'breaks>0'";
    size_t above = slice_find(text, SLICE(">"));
    struct slice name = slice_trim(slice_first(text, above));
    char number[64];
    if (above == SIZE_MAX)
        return err_set(err, ERR_USAGE, "invalid limit '%.*s': %s", SLICE_ARG(text), usage);
    struct slice value = slice_trim(slice_from(text, above + 1));
    struct diff_limit limit = {.text = text};
    bool time = false;
    for (size_t i = 0; i < sizeof words / sizeof *words && !limit.figure; i++)
        if (slice_is(name, words[i].word)) {
            limit.figure = words[i].figure;
            time = words[i].time;
        }
    if (!limit.figure)
        return err_set(err, ERR_USAGE, "unknown figure '%.*s' in the limit '%.*s'", SLICE_ARG(name), SLICE_ARG(text)) ||
               err_hint(
                   err,
                   "figures are time, backward_time, restart_time, run_time, step_time, compiles, recompiles, breaks, "
                   "failures, guards, kernels, ops, cache_misses, cache_bypasses, peak_bytes, saved_bytes");
    if (!value.len || value.len >= sizeof number)
        return err_set(err, ERR_USAGE, "invalid limit '%.*s': %s", SLICE_ARG(text), usage);
    memcpy(number, value.ptr, value.len);
    number[value.len] = '\0';
    char *end = NULL;
    limit.most = strtod(number, &end);
    if (end == number || !(limit.most > -1e18 && limit.most < 1e18))
        return err_set(err, ERR_USAGE, "invalid limit '%.*s': %s", SLICE_ARG(text), usage);
    limit.percent = strcmp(end, "%") == 0;
    bool good = limit.percent || (!time && *end == '\0');
    if (time && (strcmp(end, "s") == 0 || strcmp(end, "ms") == 0)) {
        limit.most *= end[0] == 's' ? 1e6 : 1e3;
        good = true;
    }
    if (!good)
        return err_set(err, ERR_USAGE, "invalid limit '%.*s': expected a change in %s", SLICE_ARG(text),
                       time ? "%, s or ms" : "% or a count");
    if (limits->count == DIFF_LIMITS_MAX)
        return err_set(err, ERR_USAGE, "too many limits: at most %d", DIFF_LIMITS_MAX);
    limits->items[limits->count++] = limit;
    return true;
}

bool diff_limits_parse(struct diff_limits *limits, const char *text, struct err *err) {
    for (struct slice rest = slice_str(text);;) {
        size_t comma = slice_find(rest, SLICE(","));
        if (!add_limit(limits, slice_trim(slice_first(rest, comma)), err))
            return false;
        if (comma == SIZE_MAX)
            return true;
        rest = slice_from(rest, comma + 1);
    }
}

bool diff_limits_have(const struct diff_limits *limits, const char *figure) {
    for (size_t i = 0; i < limits->count; i++)
        if (strcmp(limits->items[i].figure, figure) == 0)
            return true;
    return false;
}

static yyjson_val *figure_of(yyjson_val *pair, const char *name) {
    size_t i, max;
    yyjson_val *figure;
    yyjson_arr_foreach(json_get(pair, "figures"), i, max, figure) {
        if (slice_is(json_get_text(figure, "name"), name))
            return figure;
    }
    return NULL;
}

/* How a figure changes. within: no change, as far as the runs show. */
struct change {
    double base, delta;
    bool known, within;
    yyjson_val *rank; /* of a step, if there are several */
};

static struct change change_of(yyjson_val *pair, const char *name) {
    yyjson_val *figure = figure_of(pair, name);
    struct change change = {0};
    int64_t delta;
    change.known = report_number(figure, "delta", &delta) &&
                   json_to_double(yyjson_arr_get(json_get(figure, "values"), 0), &change.base);
    change.delta = change.known ? (double)delta : 0;
    change.within = slice_is(json_get_text(figure, "verdict"), "within");
    return change;
}

/* In the unit of the limit. Any change from zero exceeds every percentage. */
static double amount_of(const struct change *change, const struct diff_limit *limit) {
    if (!limit->percent)
        return change->delta;
    return change->base > 0 ? 100 * change->delta / change->base : change->delta > 0 ? 1e18 : 0;
}

/* The change of a step in the profile that exceeds the limit most: each rank has its own. */
static struct change change_of_step(yyjson_val *run_times, const struct diff_limit *limit) {
    struct change most = {0};
    size_t i, max;
    yyjson_val *run_time;
    yyjson_arr_foreach(run_times, i, max, run_time) {
        struct run_time_step step = run_time_step(run_time);
        struct change change = {.known = step.known,
                                .within = step.within,
                                .base = step.base,
                                .delta = step.newer - step.base,
                                .rank = json_get(run_time, "rank")};
        if (!step.known)
            continue;
        if (!most.known || (!change.within && (most.within || amount_of(&change, limit) > amount_of(&most, limit))))
            most = change;
    }
    return most;
}

size_t diff_limits_check(struct diff_limits *limits, yyjson_val *pair, yyjson_val *run_times) {
    size_t exceeded = 0;
    for (size_t i = 0; i < limits->count; i++) {
        struct diff_limit *limit = &limits->items[i];
        bool step = strcmp(limit->figure, "step_time") == 0;
        struct change change = step ? change_of_step(run_times, limit) : change_of(pair, limit->figure);
        limit->known = change.known;
        if (!limit->known)
            continue;
        limit->change = amount_of(&change, limit);
        limit->within = change.within;
        limit->rank = yyjson_arr_size(run_times) > 1 ? change.rank : NULL;

        limit->exceeded = !change.within && limit->change > limit->most;
        exceeded += limit->exceeded;
    }
    return exceeded;
}

void diff_limit_add(struct buf *out, const struct diff_limit *limit) {
    buf_add_str(out, limit_verdict(limit));
    if (!limit->known || strcmp(limit->figure, "step_time") != 0)
        return;
    buf_add_lit(out, " (");
    buf_add_str(out, limit->change < 0 ? "−" : "+");
    if (limit->percent)
        buf_addf(out, "%.0f %%", fabs(limit->change));
    else
        unit_add_us(out, fabs(limit->change));
    if (yyjson_is_uint(limit->rank))
        BUF_ADD(out, " on rank ", yyjson_get_uint(limit->rank));
    BUF_ADD(out, limit->within ? ", within the spread of the steps" : "", ")");
}

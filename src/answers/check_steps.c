/* Growth of the step in profiles, as run_time.h compares them: each log with that of its rank in the baseline. */
#include <math.h>

#include "answers/check_parts.h"
#include "answers/run_time.h"
#include "answers/run_time_parts.h"
#include "answers/term.h"

/* The comparisons of the logs, in their order. */
struct compared {
    yyjson_val *list;
    LIST(size_t) logs; /* of each comparison */
};

static bool compare_logs(struct check_results *results, const struct check_logs *baseline, struct compared *compared) {
    AUTO_BUF json = {0};
    buf_add_byte(&json, '[');
    for (size_t i = 0; i < results->logs->count; i++) {
        yyjson_val *partner = check_partner(baseline, results->logs, i);
        size_t before = json.len;
        if (before > 1)
            buf_add_byte(&json, ',');
        if (run_time_add(&json, NULL, partner, results->logs->items[i].root))
            LIST_ADD(&compared->logs, i);
        else
            json.len = before;
    }
    buf_add_byte(&json, ']');
    struct slice text = arena_slice(&results->arena, buf_slice(&json));
    return json_read_own(&text, JSON_NUMBERS, &results->arena, &compared->list) != JSON_BAD;
}

static double percent_of(const struct run_time_step *step) {
    return 100 * (step->newer - step->base) / step->base;
}

/* The step that grows most. One that stays within the spread of the steps does not grow. */
static struct run_time_step largest_growth(yyjson_val *list, size_t *at) {
    struct run_time_step most = {0};
    yyjson_val *one;
    size_t i, max;
    yyjson_arr_foreach(list, i, max, one) {
        struct run_time_step step = run_time_step(one);
        if (!step.known || step.base <= 0)
            continue;
        if (!most.known || (most.within && !step.within) ||
            (most.within == step.within && percent_of(&step) > percent_of(&most))) {
            most = step;
            *at = i;
        }
    }
    return most;
}

/* "more calls of aten::sort, aten::mul": the operators that run more often, those with most time first. */
static void add_operators(struct buf *out, yyjson_val *run_time) {
    enum { SHOWN = 3 };
    size_t i, max, shown = 0;
    yyjson_val *row;
    yyjson_arr_foreach(json_get(run_time, "changes"), i, max, row) {
        if (!slice_is(json_get_text(row, "kind"), "operator") || run_time_delta(row) <= 0 || shown == SHOWN)
            continue;
        buf_add_str(out, shown++ ? ", " : "more calls of ");
        buf_add(out, json_get_text(row, "name"));
    }
}

static void add_cause(struct causes *causes, struct check_group *group, size_t log, yyjson_val *run_time,
                      yyjson_val *row, const struct log_functions *functions) {
    enum run_time_part part = run_time_part(run_time, row);
    struct check_item item = {.amount = llround(run_time_delta(row)), .label = slice_str(run_time_part_name(part))};
    struct buf text = {0};
    item.compiles = yyjson_arr_get(json_get(row, "compiles"), 1);
    if (part == RUN_TIME_KERNEL)
        buf_add(&text, json_get_text(row, "name"));
    if (part == RUN_TIME_EAGER)
        add_operators(&text, run_time);
    if (part == RUN_TIME_REST)
        buf_add_lit(&text, "Python code, waiting, or compiling");
    if (slice_is(json_get_text(row, "change"), "new"))
        BUF_ADD(&text, text.len ? ", " : "", "which the baseline does not run");
    item.text = check_words(&causes->results->arena, &text);
    causes_add(causes, group, log, &item, functions);
}

/* Adds the parts of a step of this log that take longer. */
static void add_causes(struct check_results *results, struct check_result *result, yyjson_val *run_time, size_t log) {
    struct causes causes;
    struct log_functions functions;
    yyjson_val *row;
    size_t i, max;
    causes_init(&causes, results, result);
    functions_init(&functions, results->logs->items[log].root);
    struct check_group *group = causes_group(&causes, log, NULL, 0);
    yyjson_arr_foreach(json_get(run_time, "changes"), i, max, row) {
        if (run_time_part(run_time, row) != RUN_TIME_PARTS && run_time_delta(row) > 0)
            add_cause(&causes, group, log, run_time, row, &functions);
    }
    functions_finish(&functions);
    causes_finish(&causes);
}

/* Adds what the causes do not say: what takes less, or that they explain little. */
static void add_balance(struct check_results *results, struct check_result *result, yyjson_val *run_time) {
    const struct run_time_sums sums = run_time_sums(run_time);
    struct run_time_step step = run_time_step(run_time);
    double growth = step.newer - step.base;
    struct buf why = {0};
    buf_add(&why, result->why);
    if (10 * sums.less > growth) {
        buf_add_lit(&why, "; other parts take ");
        unit_add_us(&why, sums.less);
        buf_add_lit(&why, " less");
    } else if (run_time_is_vague(run_time)) {
        buf_add_lit(&why, "; more than half of it is in parts whose times vary too much to tell");
    }
    result->why = check_words(&results->arena, &why);
}

/* The comparison whose parts are the causes. Ranks wait for each other, so that the one that grows most may only wait: of those that grow nearly as
 * much, in time, it is the one whose compiled code does. */
static size_t find_cause(yyjson_val *list, size_t most) {
    struct run_time_step largest = run_time_step(yyjson_arr_get(list, most));
    double growth = largest.newer - largest.base;
    size_t best = most, i, max;
    yyjson_val *one;
    yyjson_arr_foreach(list, i, max, one) {
        struct run_time_step step = run_time_step(one);
        bool near = step.known && !step.within && step.newer - step.base > 0.8 * growth;
        if (near && run_time_sums(one).compiled > run_time_sums(yyjson_arr_get(list, best)).compiled + 0.1 * growth)
            best = i;
    }
    return best;
}

/* "the median of 12 steps, on rank 1" */
static struct slice describe(struct check_results *results, const struct compared *compared, size_t at,
                             const struct run_time_step *step) {
    struct buf text = {0};
    if (step->within) {
        buf_add_lit(&text, "a change of ");
        check_value_add(&text, check_metric_find(SLICE("step_time_percent"), SCOPE_NEW), percent_of(step));
        buf_add_lit(&text, " is within the spread of the steps; ");
    }
    buf_add_lit(&text, "the median of ");
    unit_add_plural(&text, step->steps, "step", NULL);
    if (results->logs->count > 1) {
        buf_add_lit(&text, " on ");
        check_logs_add_names(&text, results->logs, &compared->logs.items[at], 1);
    }
    return check_words(&results->arena, &text);
}

void check_steps(struct check_results *results, struct check_result *result, const struct check_logs *baseline) {
    struct compared compared = {0};
    struct check_value value = {.why = check_comparable(results, result->rule->metric, baseline)};
    struct run_time_step step = {0};
    size_t at = 0;
    if (!value.why.len && compare_logs(results, baseline, &compared))
        step = largest_growth(compared.list, &at);
    if (step.known)
        value = (struct check_value){.known = true,
                                     .value = step.within ? 0 : percent_of(&step),
                                     .why = describe(results, &compared, at, &step)};
    else if (!value.why.len)
        value.why = SLICE("no profile of the log has four steps or more as well as that of its baseline");
    check_decide(result, &value);
    if (result->verdict == CHECK_FAILED) {
        size_t cause = find_cause(compared.list, at);
        yyjson_val *run_time = yyjson_arr_get(compared.list, cause);
        if (cause == at)
            add_balance(results, result, run_time);
        add_causes(results, result, run_time, compared.logs.items[cause]);
    }
    mem_free(compared.logs.items);
}

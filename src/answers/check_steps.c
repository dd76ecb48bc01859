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

static double delta_of(yyjson_val *row) {
    double us;
    return json_to_double(json_get(row, "delta_us"), &us) ? us : 0;
}

/* What a step consists of, and of what no other part has: on devices, their kernels stand for the graphs. NULL: a part of others. */
static const char *part_name(yyjson_val *row, bool devices) {
    struct slice kind = json_get_text(row, "kind");
    if (slice_is(kind, "kernel") && devices)
        return "kernel";
    if (slice_is(kind, "graph") && !devices)
        return slice_is(json_get_text(row, "direction"), "backward") ? "backward graph" : "forward graph";
    return slice_is(kind, "guards")   ? "guard checks"
         : slice_is(kind, "overhead") ? "overhead of compiled code"
         : slice_is(kind, "eager")    ? "operators outside of graphs"
                                      : NULL;
}

/* Adds the parts that take longer. Returns by how much the others are faster, and what is left of the growth. */
static double add_parts(struct causes *causes, struct check_group *group, size_t log, yyjson_val *run_time,
                        double *left_us) {
    struct log_functions functions;
    bool devices = yyjson_get_bool(yyjson_arr_get(json_get(run_time, "devices"), 1));
    double saved_us = 0;
    yyjson_val *row;
    size_t i, max;
    functions_init(&functions, causes->results->logs->items[log].root);
    yyjson_arr_foreach(json_get(run_time, "changes"), i, max, row) {
        const char *part = part_name(row, devices);
        double delta = delta_of(row);
        bool is_new = slice_is(json_get_text(row, "change"), "new");
        if (!part)
            continue;
        *left_us -= delta;
        if (delta <= 0) {
            saved_us -= delta;
            continue;
        }
        struct check_item item = {.amount = llround(delta), .label = slice_str(part)};
        struct buf text = {0};
        item.compiles = yyjson_arr_get(json_get(row, "compiles"), 1);
        if (slice_is(json_get_text(row, "kind"), "kernel"))
            buf_add(&text, json_get_text(row, "name"));
        if (is_new)
            BUF_ADD(&text, text.len ? ", " : "", "which the baseline does not run");
        item.text = check_words(&causes->results->arena, &text);
        causes_add(causes, group, log, &item, &functions);
    }
    functions_finish(&functions);
    if (devices)
        *left_us = 0; /* kernels run beside the CPU */
    return saved_us;
}

/* Adds what a step of this log takes more time for. */
static void add_causes(struct check_results *results, struct check_result *result, yyjson_val *run_time, size_t log,
                       double growth_us) {
    enum { SMALL = 10 }; /* percent of the growth: parts are medians, and their sum is not that of the step */
    struct causes causes;
    struct buf why = {0};
    double left_us = growth_us;
    causes_init(&causes, results, result);
    struct check_group *group = causes_group(&causes, log, NULL, 0);
    double saved_us = add_parts(&causes, group, log, run_time, &left_us);
    if (100 * left_us > SMALL * growth_us) {
        static const struct log_functions none;
        causes_add(&causes, group, log,
                   &(struct check_item){.amount = llround(left_us),
                                        .label = SLICE("the rest of the step"),
                                        .text = SLICE("Python code, or waiting")},
                   &none);
    }
    causes_finish(&causes);
    buf_add(&why, result->why);
    if (100 * saved_us > SMALL * growth_us) {
        BUF_ADD(&why, why.len ? "; " : "", "other parts take ");
        unit_add_us(&why, saved_us);
        buf_add_lit(&why, " less");
    }
    result->why = check_words(&results->arena, &why);
}

/* "the median of 12 steps, on rank 1" */
static struct slice describe(struct check_results *results, const struct compared *compared, size_t at,
                             const struct run_time_step *step) {
    struct buf text = {0};
    if (step->within) {
        check_value_add(&text, check_metric_find(SLICE("step_time_percent"), SCOPE_NEW), percent_of(step));
        buf_add_lit(&text, ", within the spread of the steps, is no growth; ");
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
        value.why = SLICE("no rank has four steps or more in both profiles");
    check_decide(result, &value);
    if (result->verdict == CHECK_FAILED) {
        yyjson_val *shown = run_time_shown(compared.list), *one;
        size_t i, max;
        yyjson_arr_foreach(compared.list, i, max, one) if (one == shown) {
            struct run_time_step own = run_time_step(one);
            add_causes(results, result, one, compared.logs.items[i], own.newer - own.base);
        }
    }
    mem_free(compared.logs.items);
}

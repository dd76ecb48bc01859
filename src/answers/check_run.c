#include "answers/check_parts.h"

/* Adds every item of a log to the one group of a rule for the totals. */
struct whole {
    struct causes causes;
    struct log_functions functions;
    size_t log;
};

static void add_item(void *context, const struct check_item *item) {
    struct whole *whole = context;
    causes_add(&whole->causes, causes_group(&whole->causes, whole->log, NULL, 0), whole->log, item, &whole->functions);
}

static void list_causes(struct check_results *results, struct check_result *result) {
    struct whole whole;
    causes_init(&whole.causes, results, result);
    for (whole.log = 0; whole.log < results->logs->count && result->rule->metric->list; whole.log++) {
        yyjson_val *root = results->logs->items[whole.log].root;
        if (!check_has_part(results->logs, result->rule->metric, whole.log))
            continue;
        functions_init(&whole.functions, root);
        result->rule->metric->list(root, &(struct check_items){&whole, add_item});
        functions_finish(&whole.functions);
    }
    causes_finish(&whole.causes);
}

/* Lists rank divergence, whose causes name the ranks themselves. */
static void list_divergence(struct check_results *results, struct check_result *result) {
    struct causes causes;
    struct log_functions none = {0};
    size_t i, max;
    yyjson_val *cause;
    causes_init(&causes, results, result);
    struct check_group *group = causes_group(&causes, 0, NULL, 0);
    for (size_t job = 0; job < results->logs->job_count; job++)
        yyjson_arr_foreach(json_get(json_get(results->logs->jobs[job], "divergence"), "root_causes"), i, max, cause) {
            yyjson_val *place = json_get(cause, "place");
            const struct check_item item = {.place = yyjson_is_obj(place) ? place : NULL,
                                            .text = json_get_text(cause, "title")};
            causes_add(&causes, group, 0, &item, &none);
        }
    for (size_t c = 0; c < group->causes.count; c++)
        group->causes.items[c].logs.count = 0; /* its title names them */
    causes_finish(&causes);
}

static void run_total(struct check_results *results, struct check_result *result) {
    struct check_value value = check_total(results->logs, result->rule->metric, &results->arena);
    check_decide(result, &value);
    if (result->verdict != CHECK_FAILED)
        return;
    if (result->rule->metric->list)
        list_causes(results, result);
    else
        list_divergence(results, result);
}

/* If a rule fails without a cause in the lists, adds one empty group, so every format shows it. */
static void complete(struct check_results *results, struct check_result *result) {
    if (result->verdict == CHECK_FAILED && !result->groups.count) {
        struct causes causes;
        causes_init(&causes, results, result);
        causes_group(&causes, 0, NULL, 0);
        causes_finish(&causes);
    }
    if (result->verdict != CHECK_FAILED)
        result->groups.count = 0;
}

void check_run(struct check_results *results, const struct check_rules *rules, const struct check_logs *logs,
               const struct check_logs *baseline) {
    *results = (struct check_results){.logs = logs, .items = mem_zalloc(rules->count + 1, sizeof(struct check_result))};
    for (size_t i = 0; i < rules->count; i++) {
        struct check_result *result = &results->items[results->count++];
        result->rule = &rules->items[i];
        switch (result->rule->scope) {
        case SCOPE_FUNCTION:
            check_functions(results, result);
            break;
        case SCOPE_NEW:
            check_new(results, result, baseline);
            break;
        default:
            run_total(results, result);
        }
        complete(results, result);
        results->counts[result->verdict]++;
    }
}

void check_finish(struct check_results *results) {
    mem_free(results->items);
    arena_free(&results->arena);
    *results = (struct check_results){0};
}

enum check_verdict check_verdict(const struct check_results *results) {
    return results->counts[CHECK_FAILED]    ? CHECK_FAILED
         : results->counts[CHECK_UNDECIDED] ? CHECK_UNDECIDED
                                            : CHECK_PASSED;
}


#include "answers/check_parts.h"
#include "answers/term.h"

/* The data about all matching functions of all logs. */
struct matched {
    size_t functions, exceeding, undecided;
    bool too_expensive;
    int64_t highest;
    struct slice why;
};

/* Adds the items of a log to their functions or, for functions that exceed the limit, to the causes. */
struct sums {
    struct log_functions *functions;
    struct causes *causes; /* NULL: sum up */
    double most;
    size_t log;
};

/* Whether an earlier compile of the item has the same function as the compile at `index`. */
static bool seen_before(const struct log_functions *functions, yyjson_val *list, size_t index,
                        const struct log_function *function) {
    for (size_t i = 0; i < index; i++)
        if (functions_find(functions, yyjson_arr_get(list, i)) == function)
            return true;
    return false;
}

static void take(const struct sums *sums, const struct check_item *item, struct log_function *function) {
    if (!function || !function->matches)
        return;
    if (!sums->causes)
        function->value += item->amount;
    else if ((double)function->value > sums->most)
        causes_add(sums->causes, causes_group(sums->causes, sums->log, function, function->value), sums->log, item,
                   sums->functions);
}

static void add_item(void *context, const struct check_item *item) {
    const struct sums *sums = context;
    enum {
        LOOK_BACK = 256
    }; /* without a limit, an item in very many compiles of one function would take quadratic
        * time */
    if (!yyjson_is_arr(item->compiles)) {
        take(sums, item, functions_find(sums->functions, item->compiles));
        return;
    }
    size_t i, max;
    yyjson_val *key;
    struct log_function *last = NULL;
    yyjson_arr_foreach(item->compiles, i, max, key) {
        struct log_function *function = functions_find(sums->functions, key);
        if (function == last || !function || !function->matches)
            continue;
        last = function;
        if (i < LOOK_BACK && seen_before(sums->functions, item->compiles, i, function))
            continue;
        take(sums, item, function);
    }
}

/* Matches the pattern with the name and the place. */
static void match(struct log_function *function, const struct pattern *pattern) {
    AUTO_BUF place = {0};
    struct slice texts[3] = {function->name, json_get_text(function->frame, "function")};
    BUF_ADD(&place, function->file, ":", function->line);
    texts[2] = buf_slice(&place);
    function->matches = function->too_expensive = false;
    function->value = 0;
    for (size_t i = 0; i < 3 && !function->matches; i++) {
        enum pattern_found found = texts[i].len ? pattern_search(pattern, texts[i]) : PATTERN_ABSENT;
        function->matches = found == PATTERN_FOUND;
        function->too_expensive = function->too_expensive || found == PATTERN_TOO_EXPENSIVE;
    }
}

/* Why the value of a function may be higher than its count; empty if it is not. */
static struct slice gap_of(const struct log_function *function, const struct check_metric *metric, yyjson_val *root,
                           struct arena *arena) {
    AUTO_BUF text = {0};
    if (metric->unit == UNIT_TIME && slice_is(slice_str(metric->name), "compile_time_s") && function->untimed) {
        buf_addf(&text, "%zu of ", function->untimed);
        unit_add_plural(&text, function->compiles, "compile", NULL);
        buf_add_str(&text,
                    function->untimed == 1 ? " has no compile time in the log" : " have no compile time in the log");
    } else if (slice_is(slice_str(metric->name), "cache_misses") && !function->lookups) {
        buf_add_lit(&text, "the log has no cache results");
    } else if (slice_is(slice_str(metric->name), "kernels") && report_count(json_get(root, "kernels"), "more")) {
        buf_add_lit(&text, "report.json does not list all kernels");
    }
    if (!text.len)
        return (struct slice){0};
    struct buf named = {0};
    BUF_ADD(&named, function->name, ": ", buf_slice(&text));
    return check_words(arena, &named);
}

static void look_at(struct matched *matched, const struct log_function *function, const struct check_rule *rule,
                    yyjson_val *root, struct arena *arena) {
    matched->too_expensive = matched->too_expensive || function->too_expensive;
    if (!function->matches)
        return;
    matched->functions++;
    matched->highest = function->value > matched->highest ? function->value : matched->highest;
    if ((double)function->value > rule->most) {
        matched->exceeding++;
        return;
    }
    struct slice gap = gap_of(function, rule->metric, root, arena);
    matched->undecided += gap.len > 0;
    if (!matched->why.len)
        matched->why = gap;
}

static void check_log(struct causes *causes, struct matched *matched, size_t log) {
    struct check_results *results = causes->results;
    const struct check_rule *rule = causes->result->rule;
    yyjson_val *root = results->logs->items[log].root;
    struct log_functions functions;
    functions_init(&functions, root);
    for (size_t i = 0; i < functions.count; i++)
        match(&functions.items[i], rule->pattern);
    struct sums sums = {&functions, NULL, rule->most, log};
    rule->metric->list(root, &(struct check_items){&sums, add_item});
    size_t before = matched->exceeding;
    for (size_t i = 0; i < functions.count; i++)
        look_at(matched, &functions.items[i], rule, root, &results->arena);
    if (matched->exceeding > before) {
        sums.causes = causes;
        rule->metric->list(root, &(struct check_items){&sums, add_item});
    }
    functions_finish(&functions);
}

void check_functions(struct check_results *results, struct check_result *result) {
    const struct check_logs *logs = results->logs;
    struct matched matched = {0};
    struct causes causes;
    causes_init(&causes, results, result);
    for (size_t i = 0; i < logs->count; i++)
        if (logs->items[i].root)
            check_log(&causes, &matched, i);
    causes_finish(&causes);
    struct check_value value = {matched.functions > 0, matched.undecided || logs->gap.len, (double)matched.highest,
                                matched.why.len ? matched.why : logs->gap};
    if (matched.too_expensive) {
        value.at_least = true;
        value.why = SLICE("the regular expression takes too many steps on the name of a function");
    }
    if (!matched.functions && logs->gap.len)
        value.why = logs->gap;
    else if (!matched.functions)
        value.why = SLICE("no compiled function matches");
    check_decide(result, &value);
    if (!matched.functions && !matched.too_expensive && !logs->gap.len && result->rule->optional)
        result->verdict = CHECK_SKIPPED;
}

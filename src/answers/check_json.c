#include "answers/check_words.h"
#include "base/jsonw.h"

/* With six decimal digits, which are microseconds of seconds; nine if it is small, as a step of a profile may be. */
static void add_number(struct jsonw *w, const char *key, double number) {
    AUTO_BUF digits = {0};
    buf_addf(&digits, "%.*f", number > 0 && number < 0.001 ? 9 : 6, number);
    jsonw_raw(w, key, buf_slice(&digits));
}

/* In the unit of the metric's name: seconds, percent, a count. */
static void add_value(struct jsonw *w, const char *key, const struct check_metric *metric, double value) {
    if (metric->unit == UNIT_COUNT)
        jsonw_i64(w, key, (int64_t)value);
    else
        add_number(w, key, metric->unit == UNIT_TIME ? value / 1e6 : value);
}

static void add_words(struct jsonw *w, const char *key, struct slice text) {
    if (text.len)
        jsonw_text(w, key, text);
    else
        jsonw_null(w, key);
}

/* The names of ranks and runs. */
static void add_logs(struct jsonw *w, const struct check_results *results, const size_t *logs, size_t count) {
    jsonw_array(w, "logs");
    for (size_t i = 0; i < count; i++)
        if (results->logs->items[logs[i]].name.len)
            jsonw_text(w, NULL, results->logs->items[logs[i]].name);
    jsonw_end_array(w);
}

static void add_place(struct jsonw *w, struct slice file, uint64_t line, struct slice function) {
    jsonw_object(w, "place");
    add_words(w, "file", file);
    jsonw_u64(w, "line", line);
    add_words(w, "function", function);
    jsonw_end_object(w);
}

static void add_cause(struct jsonw *w, const struct check_results *results, const struct check_rule *rule,
                      const struct check_cause *cause) {
    jsonw_object(w, NULL);
    if (rule->metric->unit == UNIT_COUNT)
        jsonw_i64(w, "amount", cause->amount);
    else
        add_number(w, "amount", (double)cause->amount / 1e6);
    add_words(w, "text", cause->text);
    add_words(w, "code", cause->code);
    add_place(w, cause->file, cause->line, cause->function);
    add_logs(w, results, cause->logs.items, cause->logs.count);
    jsonw_end_object(w);
}

static void add_causes(struct jsonw *w, const struct check_results *results, const struct check_rule *rule,
                       const struct check_group *group, size_t top) {
    size_t count = group ? group->causes.count : 0;
    jsonw_array(w, "causes");
    for (size_t i = 0; i < count && i < top; i++)
        add_cause(w, results, rule, &group->causes.items[i]);
    jsonw_end_array(w);
    jsonw_u64(w, "more_causes", count > top ? count - top : 0);
}

static void add_functions(struct jsonw *w, const struct check_results *results, const struct check_result *result,
                          size_t top) {
    size_t count = result->groups.count;
    jsonw_array(w, "functions");
    for (size_t g = 0; g < count && g < top; g++) {
        const struct check_group *group = &result->groups.items[g];
        jsonw_object(w, NULL);
        add_value(w, "value", result->rule->metric, (double)group->value);
        add_place(w, group->file, group->line, group->function);
        add_logs(w, results, group->logs.items, group->logs.count);
        add_causes(w, results, result->rule, group, top);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    jsonw_u64(w, "more_functions", count > top ? count - top : 0);
}

static void add_rule(struct jsonw *w, const struct check_results *results, const struct check_result *result,
                     size_t top) {
    static const char *const scopes[SCOPES] =
        {[SCOPE_TOTAL] = "total", [SCOPE_FUNCTION] = "function", [SCOPE_NEW] = "new"};
    const struct check_rule *rule = result->rule;
    jsonw_object(w, NULL);
    JSON_ADD(w, "verdict", verdict_word(result->verdict), "scope", scopes[rule->scope], "metric", rule->metric->name);
    if (rule->scope == SCOPE_FUNCTION)
        jsonw_text(w, "function", rule->function);
    add_value(w, "max", rule->metric, rule->most);
    if (result->known)
        add_value(w, "value", rule->metric, result->value);
    else
        jsonw_null(w, "value");
    jsonw_bool(w, "at_least", result->at_least);
    add_words(w, "why", result->why);
    add_words(w, "budget", rule->budget);
    JSON_MEMBERS(w, rule, file, line);
    if (rule->scope == SCOPE_FUNCTION)
        add_functions(w, results, result, top);
    else
        add_causes(w, results, rule, result->groups.count ? &result->groups.items[0] : NULL, top);
    jsonw_end_object(w);
}

void check_add_json(struct buf *out, const struct check_results *results, const struct check_request *request) {
    struct jsonw w = {.out = out};
    jsonw_object(&w, NULL);
    JSON_ADD(&w, "format", "tlparse-check", "version", 1U, "name", request->name, "verdict",
             verdict_word(check_verdict(results)));
    jsonw_object(&w, "counts");
    for (int verdict = 0; verdict < CHECK_VERDICTS; verdict++)
        jsonw_u64(&w, verdict_word((enum check_verdict)verdict), results->counts[verdict]);
    jsonw_end_object(&w);
    jsonw_array(&w, "rules");
    for (size_t i = 0; i < results->count; i++)
        add_rule(&w, results, &results->items[i], request->top);
    jsonw_end_array(&w);
    jsonw_end_object(&w);
    buf_add_byte(out, '\n');
}

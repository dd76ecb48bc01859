#include "answers/check_words.h"

/* A rule of SARIF: a metric in a scope, which several rules of budgets may limit. */
struct sarif_rules {
    const struct check_rule *items[SCOPES * 32];
    size_t count;
};

static size_t rule_index(const struct sarif_rules *rules, const struct check_rule *rule) {
    size_t i = 0;
    while (i < rules->count && (rules->items[i]->metric != rule->metric || rules->items[i]->scope != rule->scope))
        i++;
    return i;
}

static void find_rules(struct sarif_rules *rules, const struct check_results *results) {
    rules->count = 0;
    for (size_t i = 0; i < results->count; i++) {
        const struct check_rule *rule = results->items[i].rule;
        if (rule_index(rules, rule) == rules->count && rules->count < sizeof rules->items / sizeof *rules->items)
            rules->items[rules->count++] = rule;
    }
}

static void add_id(struct jsonw *w, const char *key, const struct check_rule *rule) {
    AUTO_BUF id = {0};
    check_rule_add_id(&id, rule);
    jsonw_text(w, key, buf_slice(&id));
}

static void add_tool(struct jsonw *w, const struct sarif_rules *rules) {
    jsonw_object(w, "tool");
    jsonw_object(w, "driver");
    JSON_ADD(w, "name", "tlparse", "version", TLPARSE_VERSION);
    jsonw_array(w, "rules");
    for (size_t i = 0; i < rules->count; i++) {
        const struct check_metric *metric = rules->items[i]->metric;
        AUTO_BUF text = {0};
        jsonw_object(w, NULL);
        add_id(w, "id", rules->items[i]);
        buf_addf(&text, "Budget for %s%s%s", rules->items[i]->scope == SCOPE_NEW ? "new " : "", metric->many,
                 rules->items[i]->scope == SCOPE_FUNCTION ? " of a function" : "");
        sarif_add_message(w, "shortDescription", buf_slice(&text));
        sarif_add_message(w, "fullDescription", slice_str(metric->about));
        jsonw_object(w, "defaultConfiguration");
        jsonw_str(w, "level", "error");
        jsonw_end_object(w);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    jsonw_end_object(w);
    jsonw_end_object(w);
}

/* Adds the location of the cause; without a file, the location of the limit, or else of the report, because viewers
 * show no result without a location. */
static void add_locations(struct jsonw *w, const struct check_request *request, const struct check_rule *rule,
                          const struct check_cause *cause) {
    jsonw_array(w, "locations");
    jsonw_object(w, NULL);
    if (cause && cause->file.len)
        sarif_add_place(w, &request->roots, cause->file, cause->line);
    else if (rule->file)
        sarif_add_place(w, &request->roots, slice_str(rule->file), rule->line);
    else
        sarif_add_place(w, &request->roots, slice_str(request->name), 0);
    if (cause && cause->function.len)
        sarif_add_function(w, cause->function);
    jsonw_end_object(w);
    jsonw_end_array(w);
}

static void add_result(struct jsonw *w, const struct sarif_rules *rules, const struct check_results *results,
                       const struct check_request *request, const struct check_result *result,
                       const struct check_cause *cause) {
    AUTO_BUF text = {0};
    jsonw_object(w, NULL);
    add_id(w, "ruleId", result->rule);
    JSON_ADD(w, "ruleIndex", rule_index(rules, result->rule), "level", "error");
    result_add_sentence(&text, result);
    if (cause) {
        buf_add_lit(&text, "\n");
        check_cause_add_message(&text, results, result, cause);
    }
    sarif_add_message(w, "message", buf_slice(&text));
    add_locations(w, request, result->rule, cause);
    jsonw_end_object(w);
}

static void add_results(struct jsonw *w, const struct sarif_rules *rules, const struct check_results *results,
                        const struct check_request *request) {
    jsonw_array(w, "results");
    for (size_t i = 0; i < results->count; i++) {
        const struct check_result *result = &results->items[i];
        bool listed = false;
        for (size_t g = 0; g < result->groups.count; g++)
            for (size_t c = 0; c < result->groups.items[g].causes.count; c++) {
                add_result(w, rules, results, request, result, &result->groups.items[g].causes.items[c]);
                listed = true;
            }
        if (!listed && result->verdict == CHECK_FAILED)
            add_result(w, rules, results, request, result, NULL);
    }
    jsonw_end_array(w);
}

/* Undecided rules are notifications about the tool's run, because a viewer would show a result as an issue in the code.
 */
static void add_invocation(struct jsonw *w, const struct sarif_rules *rules, const struct check_results *results) {
    enum check_verdict verdict = check_verdict(results);
    jsonw_array(w, "invocations");
    jsonw_object(w, NULL);
    jsonw_bool(w, "executionSuccessful", results->counts[CHECK_UNDECIDED] == 0);
    jsonw_u64(w, "exitCode", verdict == CHECK_FAILED ? 1 : verdict == CHECK_UNDECIDED ? 2 : 0);
    jsonw_array(w, "toolExecutionNotifications");
    for (size_t i = 0; i < results->count; i++) {
        const struct check_result *result = &results->items[i];
        AUTO_BUF text = {0};
        if (result->verdict != CHECK_UNDECIDED)
            continue;
        jsonw_object(w, NULL);
        jsonw_str(w, "level", "warning");
        result_add_sentence(&text, result);
        sarif_add_message(w, "message", buf_slice(&text));
        jsonw_object(w, "associatedRule");
        add_id(w, "id", result->rule);
        jsonw_u64(w, "index", rule_index(rules, result->rule));
        jsonw_end_object(w);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    jsonw_end_object(w);
    jsonw_end_array(w);
}

void check_add_sarif(struct buf *out, const struct check_results *results, const struct check_request *request) {
    struct jsonw w = {.out = out};
    struct sarif_rules rules;
    find_rules(&rules, results);
    jsonw_object(&w, NULL);
    JSON_ADD(&w, "$schema", sarif_schema, "version", "2.1.0");
    jsonw_array(&w, "runs");
    jsonw_object(&w, NULL);
    add_tool(&w, &rules);
    add_invocation(&w, &rules, results);
    add_results(&w, &rules, results, request);
    jsonw_end_object(&w);
    jsonw_end_array(&w);
    jsonw_end_object(&w);
    buf_add_byte(out, '\n');
}

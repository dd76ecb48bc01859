#include "answers/diff_figures.h"
#include "answers/line_costs.h"
#include "answers/memory_facts.h"
#include "answers/module_costs.h"
#include "answers/slowest.h"
#include "answers/summary.h"
#include "base/jsonw.h"

/* Adds the first `top` items, and the number of further ones. */
static void add_first(struct jsonw *w, const char *key, const char *more_key, yyjson_val *list, size_t top) {
    size_t i, max, count = yyjson_arr_size(list);
    yyjson_val *item;
    jsonw_array(w, key);
    yyjson_arr_foreach(list, i, max, item) {
        if (i == top)
            break;
        jsonw_value(w, NULL, item);
    }
    jsonw_end_array(w);
    jsonw_u64(w, more_key, count > top ? count - top : 0);
}

static void add_slowest(struct jsonw *w, yyjson_val *compiles, size_t top) {
    static const char *const members[] = {"key", "status", "frame", "time_us", "own_us"};
    struct slowest slowest;
    slowest_find(&slowest, compiles, top);
    jsonw_array(w, "slowest");
    for (size_t i = 0; i < slowest.count; i++) {
        jsonw_object(w, NULL);
        for (size_t m = 0; m < sizeof members / sizeof *members; m++)
            jsonw_value(w, members[m], json_get(slowest.items[i].compile, members[m]));
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    slowest_finish(&slowest);
}

/* Adds the changes from the first run to each other one, as in text and markdown. */
static void add_changes(struct jsonw *w, yyjson_val *root, size_t top) {
    struct diff_request of;
    yyjson_val *pair;
    size_t at = 0, count = 0;
    jsonw_array(w, "changes");
    for (; (pair = next_change(root, &at, &of)); count++) {
        if (count >= top)
            continue;
        jsonw_object(w, NULL);
        JSON_MEMBERS(w, &of, base, new);
        jsonw_value(w, "figures", json_get(pair, "figures"));
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    jsonw_u64(w, "more_changes", count > top ? count - top : 0);
}

static void add_lines(struct jsonw *w, yyjson_val *root, size_t top) {
    struct line_costs costs;
    line_costs_find(&costs, root, top);
    jsonw_array(w, "lines");
    for (size_t i = 0; i < costs.count; i++)
        jsonw_value(w, NULL, costs.items[i]);
    jsonw_end_array(w);
    jsonw_u64(w, "more_lines", costs.all - costs.count);
    line_costs_finish(&costs);
}

static void add_modules(struct jsonw *w, yyjson_val *root, size_t top) {
    struct module_costs costs;
    module_costs_find(&costs, root, top);
    module_costs_add_json(w, &costs);
    module_costs_finish(&costs);
}

void summary_add_json(struct buf *out, const struct report_doc *report, const struct summary_request *request) {
    static const char *const members[] = {"kind", "run", "totals", "caches"};
    static const char *const of_several[] = {"ranks", "missing_ranks", "world"};
    struct jsonw w = {.out = out};
    yyjson_val *root = report->root;
    bool several = report->kind != DOC_RUN;
    jsonw_object(&w, NULL);
    JSON_ADD(&w, "format", "tlparse-summary", "version", 1U, "name", request->name);
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        jsonw_value(&w, members[i], json_get(root, members[i]));
    for (size_t i = 0; several && i < sizeof of_several / sizeof *of_several; i++)
        jsonw_value(&w, of_several[i], json_get(root, of_several[i]));
    static const char *const of_one[] = {"coverage", "compile_time", "profile"};
    for (size_t i = 0; i < sizeof of_one / sizeof *of_one; i++)
        if (json_get(root, of_one[i]))
            jsonw_value(&w, of_one[i], json_get(root, of_one[i]));
    memory_add_json(&w, root);
    if (json_get(json_get(root, "export"), "call_count") && json_truthy(json_get(json_get(root, "export"), "found")))
        jsonw_value(&w, "export_outcomes", json_get(json_get(root, "export"), "outcomes"));
    if (report->kind == DOC_RANKS)
        add_first(&w, "divergence", "more_divergence", json_get(json_get(root, "divergence"), "root_causes"),
                  request->top);
    if (report->kind == DOC_RUNS)
        add_changes(&w, root, request->top);
    add_first(&w, "findings", "more_findings", json_get(root, several ? "rank_findings" : "findings"), request->top);
    if (!several)
        add_slowest(&w, json_get(root, "compiles"), request->top);
    if (request->lines)
        add_lines(&w, root, request->top);
    if (request->modules)
        add_modules(&w, root, request->top);
    jsonw_end_object(&w);
    buf_add_byte(out, '\n');
}

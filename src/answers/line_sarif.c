/* The lines of source as results of SARIF, which editors show beside the code. */
#include "answers/line_costs.h"
#include "answers/report_doc.h"
#include "answers/term.h"

static void add_rule(struct jsonw *w) {
    jsonw_object(w, "tool");
    jsonw_object(w, "driver");
    JSON_ADD(w, "name", "tlparse", "version", TLPARSE_VERSION);
    jsonw_array(w, "rules");
    jsonw_object(w, NULL);
    jsonw_str(w, "id", LINE_RULE);
    sarif_add_message(w, "shortDescription", SLICE("What torch.compile does because of a line"));
    sarif_add_message(
        w, "fullDescription",
        SLICE("Run time of its kernels, compile time of the frames that begin there, recompiles because of its guards, "
              "graph breaks, guards, operations and kernels."));
    jsonw_object(w, "defaultConfiguration");
    jsonw_str(w, "level", "note");
    jsonw_end_object(w);
    jsonw_end_object(w);
    jsonw_end_array(w);
    jsonw_end_object(w);
    jsonw_end_object(w);
}

static bool is_of_library(yyjson_val *line) {
    return json_truthy(json_get(line, "library"));
}

static void add_result(struct jsonw *w, const struct source_roots *roots, yyjson_val *line) {
    AUTO_BUF text = {0};
    struct slice function = json_get_text(line, "function");
    line_costs_say(&text, line);
    if (!text.len)
        return;

    jsonw_object(w, NULL);
    JSON_ADD(w, "ruleId", LINE_RULE, "ruleIndex", 0U, "level", "note");
    sarif_add_message(w, "message", buf_slice(&text));
    jsonw_array(w, "locations");
    jsonw_object(w, NULL);
    sarif_add_place(w, roots, json_get_text(line, "file"), report_count(line, "line"));
    if (function.len)
        sarif_add_function(w, function);
    jsonw_end_object(w);
    jsonw_end_array(w);
    jsonw_end_object(w);
}

void line_costs_add_sarif(struct buf *out, yyjson_val *root, const struct source_roots *roots) {
    struct jsonw w = {.out = out};
    struct line_costs costs;
    bool own = false;
    line_costs_find(&costs, root, SIZE_MAX);
    jsonw_object(&w, NULL);
    JSON_ADD(&w, "$schema", sarif_schema, "version", "2.1.0");
    jsonw_array(&w, "runs");
    jsonw_object(&w, NULL);
    add_rule(&w);
    jsonw_array(&w, "results");
    for (size_t i = 0; i < costs.count; i++)
        own = own || !is_of_library(costs.items[i]);
    for (size_t i = 0; i < costs.count; i++)
        if (!own || !is_of_library(costs.items[i]))
            add_result(&w, roots, costs.items[i]);

    jsonw_end_array(&w);
    jsonw_end_object(&w);
    jsonw_end_array(&w);
    jsonw_end_object(&w);
    buf_add_byte(out, '\n');
    line_costs_finish(&costs);
}

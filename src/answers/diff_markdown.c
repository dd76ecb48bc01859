#include "answers/diff.h"
#include "answers/diff_figures.h"
#include "answers/facts.h"
#include "answers/markdown.h"

static void add_only(struct buf *out, const char *title, yyjson_val *list, const char *member, size_t top) {
    size_t i, max, count = yyjson_arr_size(list);
    yyjson_val *item;
    if (!count)
        return;
    buf_addf(out, "\n**%s** (%zu)\n\n", title, count);
    yyjson_arr_foreach(list, i, max, item) {
        struct slice first, all = json_get_text(item, member);
        struct buf place = {0};
        if (i == top)
            break;
        buf_add_lit(out, "- ");
        if (slice_next_line(&all, &first))
            markdown_add(out, first);
        facts_add_place(&place, json_get(item, "place"));
        if (place.len) {
            buf_add_byte(out, ' ');
            markdown_add_code(out, buf_slice(&place));
        }
        buf_add_byte(out, '\n');
        buf_free(&place);
    }
}

static void add_functions(struct buf *out, yyjson_val *logs, size_t top) {
    struct table table;
    functions_table(&table, logs, top);
    if (table_rows(&table) > 1) {
        uint64_t rank;
        buf_add_lit(out, "\n**Functions**");
        if (json_to_u64(json_get(logs, "rank"), &rank)) /* of jobs, the first rank that both have */
            buf_addf(out, " on rank %llu", (unsigned long long)rank);
        buf_add_lit(out, "\n\n");
        table_add_markdown(&table, out);
    }
    table_finish(&table);
}

static void add_limits(struct buf *out, const struct diff_limits *limits) {
    buf_add_str(out, limits->count ? "\n**Limits**\n\n" : "");
    for (size_t i = 0; i < limits->count; i++) {
        buf_add_str(out, limits->items[i].exceeded ? "- ❌ " : "- ✅ ");
        markdown_add_code(out, limits->items[i].text);
        buf_addf(out, ": %s\n", limit_verdict(&limits->items[i]));
    }
}

void diff_add_markdown(struct buf *out, yyjson_val *pair, const struct diff_request *request) {
    struct table table;
    yyjson_val *logs = yyjson_arr_get_first(json_get(pair, "logs")), *breaks = json_get(logs, "graph_breaks");
    yyjson_val *findings = json_get(pair, "findings");
    figures_table(&table, pair, request);
    table_add_markdown(&table, out);
    table_finish(&table);
    if (json_get(pair, "sides"))
        buf_add_str(out, "\n" DIFF_SPREAD_NOTE "\n");
    if (!request->figures_only) {
        add_only(out, "New issues", json_get(findings, "new"), "title", request->top);
        add_only(out, "Resolved issues", json_get(findings, "gone"), "title", request->top);
        add_functions(out, logs, request->top);
        add_only(out, "New graph breaks", json_get(breaks, "new"), "reason", request->top);
        add_only(out, "Gone graph breaks", json_get(breaks, "gone"), "reason", request->top);
    }
    add_limits(out, request->limits);
}

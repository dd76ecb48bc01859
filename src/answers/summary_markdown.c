#include "answers/diff_figures.h"
#include "answers/line_costs.h"
#include "answers/module_costs.h"
#include "answers/sentences.h"
#include "answers/slowest.h"
#include "answers/summary.h"
#include "answers/term.h"

enum { CODE_BYTES = 300 };

/* "- **Label**: text<br>its continuation" */
static void add_facts(struct buf *out, const struct report_doc *report) {
    struct summary_facts facts;
    summary_facts_find(&facts, report);
    for (size_t i = 0; i < facts.items.count; i++) {
        const struct summary_fact *fact = &facts.items.items[i];
        if (fact->label)
            buf_addf(out, "%s- **%s**: ", i ? "\n" : "", fact->label);
        else
            buf_add_lit(out, "<br>");
        markdown_add(out, fact->text);
    }
    buf_add_str(out, facts.items.count ? "\n" : "");
    summary_facts_finish(&facts);
}

static void add_place(struct buf *out, yyjson_val *place) {
    AUTO_BUF text = {0};
    facts_add_place(&text, place);
    if (text.len) {
        buf_add_lit(out, "<br>");
        markdown_add_code(out, buf_slice(&text));
    }
}

static void add_paragraph(struct buf *out, const char *label, struct slice text) {
    if (!text.len)
        return;
    buf_add_lit(out, "<br>");
    if (label[0])
        buf_addf(out, "**%s** ", label);
    markdown_add(out, text);
}

static void add_finding(struct buf *out, yyjson_val *root, yyjson_val *finding) {
    int64_t us;
    struct buf owners = {0};
    struct slice code = slice_trim(json_get_text(finding, "code"));
    buf_addf(out, "| %s | **", facts_sign(finding));
    markdown_add(out, json_get_text(finding, "title"));
    buf_add_lit(out, "**");
    facts_add_owners(&owners, root, finding);
    markdown_add(out, buf_slice(&owners));
    buf_free(&owners);
    add_place(out, json_get(finding, "place"));
    if (code.len) {
        buf_add_lit(out, "<br>");
        markdown_add_code(out,
                          slice_first(code, slice_find(code, SLICE("\n")) < CODE_BYTES ? slice_find(code, SLICE("\n"))
                                                                                       : CODE_BYTES));
    }
    add_paragraph(out, "", json_get_text(finding, "why"));
    add_paragraph(out, json_truthy(json_get(finding, "expected")) ? "Note:" : "Fix:", json_get_text(finding, "advice"));
    buf_add_lit(out, " | ");
    if (report_number(finding, "time_us", &us) && us > 0) {
        unit_add_time(out, us);
        buf_addf(out, " %s", facts_cost(finding));
    }
    buf_add_lit(out, " |\n");
}

static void add_findings(struct buf *out, yyjson_val *root, yyjson_val *list, size_t top) {
    size_t i, max, count = yyjson_arr_size(list);
    yyjson_val *finding;
    if (!count) {
        buf_addf(out, "\n%s.\n", facts_no_issues(!facts_missing_inputs(root)));
        return;
    }
    buf_add_lit(out, "\n| | Issue | Cost |\n|---|---|---:|\n");
    yyjson_arr_foreach(list, i, max, finding) {
        if (i == top)
            break;
        add_finding(out, root, finding);
    }
    if (count > top)
        buf_addf(out, "\n%zu more %s.\n", count - top, count - top == 1 ? "issue" : "issues");
}

static void add_divergence(struct buf *out, yyjson_val *root, size_t top) {
    yyjson_val *causes = json_get(json_get(root, "divergence"), "root_causes"), *cause;
    size_t i, max;
    if (!yyjson_arr_size(causes))
        return;
    buf_add_lit(out, "\n**Rank divergence**\n\n");
    yyjson_arr_foreach(causes, i, max, cause) {
        if (i == top)
            break;
        buf_add_lit(out, "- ");
        markdown_add(out, json_get_text(cause, "title"));
        add_place(out, json_get(cause, "place"));
        buf_add_str(out, json_truthy(json_get(cause, "may_hang")) ? " **may hang**\n" : "\n");
    }
}

static void add_changes(struct buf *out, yyjson_val *root, size_t top) {
    struct diff_request of;
    yyjson_val *pair;
    size_t at = 0, count = 0;
    for (; count < top && (pair = next_change(root, &at, &of)); count++) {
        buf_add_str(out, count ? "\n" : "\n**Changes**\n\n");
        diff_add_markdown(out, pair, &of);
    }
    while (next_change(root, &at, &of))
        count++;
    if (count > top)
        buf_addf(out, "\n%zu more %s.\n", count - top, count - top == 1 ? "run" : "runs");
}

/* The table of lines or modules by what they cost. */
static void add_costs(struct buf *out, yyjson_val *root, const struct summary_request *request) {
    struct table table;
    if (request->lines) {
        struct line_costs costs;
        line_costs_find(&costs, root, request->top);
        line_costs_table(&table, &costs);
        line_costs_finish(&costs);
    } else {
        struct module_costs costs;
        module_costs_find(&costs, root, request->top);
        module_costs_table(&table, &costs);
        module_costs_finish(&costs);
    }
    table_add_markdown(&table, out);
    table_finish(&table);
}

void summary_add_markdown(struct buf *out, const struct report_doc *report, const struct summary_request *request) {
    yyjson_val *root = report->root;
    AUTO_BUF text = {0};
    buf_add_lit(out, "### ");
    markdown_add(out, slice_str(request->name));
    buf_add_lit(out, "\n\n");
    facts_add_run(&text, report);
    if (text.len) {
        markdown_add(out, buf_slice(&text));
        buf_add_lit(out, "\n\n");
    }
    if (request->lines || request->modules) {
        add_costs(out, root, request);
        return;
    }
    add_facts(out, report);
    if (report->kind == DOC_RUNS) {
        struct table table;
        runs_table(&table, json_get(root, "ranks"));
        buf_add_byte(out, '\n');
        table_add_markdown(&table, out);
        table_finish(&table);
    }
    if (report->kind == DOC_RANKS)
        add_divergence(out, root, request->top);
    add_changes(out, root, request->top);
    yyjson_val *findings = json_get(root, report->kind == DOC_RUN ? "findings" : "rank_findings");
    if (yyjson_arr_size(findings) || !facts_diverge(root)) /* divergence of ranks counts as an issue */
        add_findings(out, root, findings, request->top);
}

#include "answers/check_words.h"
#include "answers/table.h"
#include "answers/term.h"

static const char *const signs[CHECK_VERDICTS] =
    {[CHECK_PASSED] = "✅", [CHECK_FAILED] = "❌", [CHECK_UNDECIDED] = "❔", [CHECK_SKIPPED] = "➖"};

static void add_cell(struct table *table, struct buf *text) {
    table_cell(table, TERM_PLAIN, buf_slice(text));
    text->len = 0;
}

static void add_table(struct buf *out, const struct check_results *results) {
    static const char *const titles[] = {"", "Rule", "Value", "Limit", "Budget"};
    struct table table;
    AUTO_BUF text = {0};
    bool named = false;
    for (size_t i = 0; i < results->count; i++)
        named = named || results->items[i].rule->budget.len;
    table_init(&table, named ? "llrrl" : "llrr");
    for (size_t t = 0; t < 4 + (size_t)named; t++)
        table_cell_str(&table, TERM_PLAIN, titles[t]);
    for (size_t i = 0; i < results->count; i++) {
        const struct check_result *result = &results->items[i];
        table_cell_str(&table, TERM_PLAIN, signs[result->verdict]);
        check_rule_add_title(&text, result->rule);
        add_cell(&table, &text);
        result_add_value(&text, result);
        add_cell(&table, &text);
        result_add_limit(&text, result->rule);
        add_cell(&table, &text);
        if (named)
            table_cell(&table, TERM_PLAIN, result->rule->budget);
    }
    table_add_markdown(&table, out);
    table_finish(&table);
}

/* " on ranks 0 and 1" */
static void add_logs(struct buf *out, const struct check_results *results, const size_t *logs, size_t count) {
    AUTO_BUF text = {0};
    check_logs_add_names(&text, results->logs, logs, count);
    if (text.len) {
        buf_add_lit(out, " on ");
        markdown_add(out, buf_slice(&text));
    }
}

static void add_cause(struct buf *out, const struct check_results *results, const struct check_result *result,
                      const struct check_group *group, const struct check_cause *cause) {
    const char *indent = group->function.len ? "  " : "";
    AUTO_BUF text = {0};
    bool somewhere;
    if (cause_says_nothing(cause, group))
        return;
    buf_addf(out, "%s- ", indent);
    cause_add_amount(&text, result->rule, cause);
    markdown_add(out, buf_slice(&text));
    text.len = 0;
    cause_add_place(&text, cause);
    somewhere = text.len && !cause_is_at_group(cause, group);
    if (somewhere) {
        buf_add_str(out, cause->amount ? " at " : "");
        markdown_add_code(out, buf_slice(&text));
    }
    if (!group->function.len)
        add_logs(out, results, cause->logs.items, cause->logs.count);
    if (cause->text.len) {
        buf_add_lit(out, ": ");
        markdown_add(out, cause->text);
    }
    if (cause->code.len) {
        buf_addf(out, "<br>");
        markdown_add_code(out, cause->code);
    }
    buf_add_byte(out, '\n');
}

static void add_group(struct buf *out, const struct check_results *results, const struct check_result *result,
                      const struct check_group *group, size_t top) {
    AUTO_BUF text = {0};
    if (group->function.len || group->file.len) {
        struct check_cause whole = {.amount = group->value};
        buf_add_lit(out, "- ");
        cause_add_amount(&text, result->rule, &whole);
        markdown_add(out, buf_slice(&text));
        buf_add_lit(out, " in ");
        text.len = 0;
        group_add_name(&text, group);
        markdown_add_code(out, buf_slice(&text));
        add_logs(out, results, group->logs.items, group->logs.count);
        buf_add_byte(out, '\n');
    }
    for (size_t i = 0; i < group->causes.count && i < top; i++)
        add_cause(out, results, result, group, &group->causes.items[i]);
    if (group->causes.count > top)
        buf_addf(out, "%s- … and %zu more\n", group->function.len ? "  " : "", group->causes.count - top);
}

static void add_result(struct buf *out, const struct check_results *results, const struct check_result *result,
                       size_t top) {
    AUTO_BUF text = {0};
    if (result->verdict == CHECK_PASSED)
        return;
    buf_addf(out, "\n%s ", signs[result->verdict]);
    result_add_sentence(&text, result);
    markdown_add(out, buf_slice(&text));
    buf_add_str(out, result->groups.count ? "\n\n" : "\n");
    for (size_t g = 0; g < result->groups.count && g < top; g++)
        add_group(out, results, result, &result->groups.items[g], top);
    if (result->groups.count > top)
        buf_addf(out, "- … and %zu more functions\n", result->groups.count - top);
}

void check_add_markdown(struct buf *out, const struct check_results *results, const struct check_request *request) {
    AUTO_BUF text = {0};
    buf_addf(out, "### %s ", signs[check_verdict(results)]);
    markdown_add(out, slice_str(request->name));
    check_add_counts(&text, results);
    buf_add_lit(out, ": ");
    markdown_add(out, buf_slice(&text));
    buf_add_lit(out, "\n\n");
    add_table(out, results);
    for (size_t i = 0; i < results->count; i++)
        add_result(out, results, &results->items[i], request->top);
}

#include "answers/diff.h"
#include "answers/diff_lists.h"
#include "answers/sentences.h"
#include "answers/term.h"

static void add_title(struct buf *out, const char *title, size_t count, size_t top) {
    buf_addf(out, "\n**%s** (%zu", title, count);
    if (count > top)
        buf_addf(out, ", the first %zu of them", top);
    buf_add_lit(out, ")\n\n");
}

static void add_list(struct buf *out, const struct diff_list *list, size_t top) {
    if (list->count)
        add_title(out, list->title, list->count, top);
    for (size_t i = 0; i < list->items.count; i++) {
        const struct diff_item *item = &list->items.items[i];
        buf_add_lit(out, "- ");
        if (list->settings)
            markdown_add_code(out, item->text);
        else
            markdown_add(out, item->text);
        if (item->place.len) {
            buf_add_byte(out, ' ');
            markdown_add_code(out, item->place);
        }
        BUF_ADD(out, item->ranks.len ? " on " : "", item->ranks, item->why.len ? ". " : "");
        markdown_add(out, item->why);
        buf_add_byte(out, '\n');
    }
}

static void add_functions(struct buf *out, yyjson_val *logs, size_t top) {
    struct diff_entries functions;
    struct table table;
    diff_functions_find(&functions, logs);
    functions_table(&table, &functions, top);
    if (functions.count) {
        buf_add_lit(out, "\n**Functions**");
        if (functions.count > top)
            buf_addf(out, " (the first %zu of %zu)", top, functions.count);
        buf_add_lit(out, "\n\n");
        table_add_markdown(&table, out);
    }
    table_finish(&table);
    diff_entries_finish(&functions);
}

static void add_limits(struct buf *out, const struct diff_limits *limits) {
    buf_add_str(out, limits->count ? "\n**Limits**\n\n" : "");
    for (size_t i = 0; i < limits->count; i++) {
        buf_add_str(out, limits->items[i].exceeded ? "- ❌ " : limits->items[i].known ? "- ✅ " : "- ❔ ");
        markdown_add_code(out, limits->items[i].text);
        buf_add_lit(out, ": ");
        diff_limit_add(out, &limits->items[i]);
        buf_add_byte(out, '\n');
    }
}

void diff_add_markdown(struct buf *out, yyjson_val *pair, const struct diff_request *request) {
    struct table table;
    struct buf note = {0};
    figures_table(&table, pair, request);
    table_add_markdown(&table, out);
    table_finish(&table);
    spread_note_add(&note, pair);
    if (note.len)
        buf_addf(out, "\n%.*s\n", (int)note.len, note.ptr);
    buf_free(&note);
    if (!request->figures_only) {
        run_time_add_markdown(out, request->run_times, request->top);
        struct diff_lists lists;
        diff_lists_find(&lists, pair, request);
        for (int i = 0; i < DIFF_LISTS; i++) {
            if (i == DIFF_ISSUES)
                add_functions(out, json_get(pair, "logs"), request->top);
            add_list(out, &lists.of[i], request->top);
        }
        diff_lists_finish(&lists);
    }
    add_limits(out, request->limits);
}

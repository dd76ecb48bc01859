#include "answers/diff.h"
#include "answers/diff_figures.h"
#include "answers/sentences.h"
#include "answers/term.h"

static void add_title(struct buf *out, const char *title, size_t count, size_t top) {
    buf_addf(out, "\n**%s** (%zu", title, count);
    if (count > top)
        buf_addf(out, ", the first %zu of them", top);
    buf_add_lit(out, ")\n\n");
}

static void add_item(struct buf *out, yyjson_val *item, const char *member, const struct diff_entry *entry) {
    struct slice first, all = json_get_text(item, member);
    struct buf place = {0};
    buf_add_lit(out, "- ");
    if (slice_next_line(&all, &first))
        markdown_add(out, first);
    facts_add_place(&place, json_get(item, "place"));
    if (place.len) {
        buf_add_byte(out, ' ');
        markdown_add_code(out, buf_slice(&place));
    }
    if (entry && entry->ranks.count) {
        buf_add_lit(out, " on ");
        facts_add_rank_list(out, entry->ranks.items, entry->ranks.count);
    }
    buf_add_byte(out, '\n');
    buf_free(&place);
}

static void add_issues(struct buf *out, const char *title, yyjson_val *list, size_t top) {
    size_t i, max, count = yyjson_arr_size(list);
    yyjson_val *item;
    if (count)
        add_title(out, title, count, top);
    yyjson_arr_foreach(list, i, max, item) {
        if (i == top)
            break;
        add_item(out, item, "title", NULL);
    }
}

static void add_misses(struct buf *out, yyjson_val *pair, const struct diff_request *request) {
    size_t at = 0, count = 0;
    while (diff_next_misses(request, pair, &at))
        count++;
    if (count)
        add_title(out, "Cache misses", count, request->top);
    at = 0;
    for (size_t i = 0; i < count && i < request->top; i++) {
        yyjson_val *cause = diff_next_misses(request, pair, &at);
        buf_add_lit(out, "- ");
        markdown_add(out, json_get_text(cause, "title"));
        buf_add_lit(out, ". ");
        markdown_add(out, json_get_text(cause, "why"));
        buf_add_byte(out, '\n');
    }
}

static void add_breaks(struct buf *out, const char *title, yyjson_val *logs, const char *side, size_t top) {
    struct diff_entries breaks;
    diff_breaks_find(&breaks, logs, side);
    if (breaks.count)
        add_title(out, title, breaks.count, top);
    for (size_t i = 0; i < breaks.count && i < top; i++)
        add_item(out, breaks.items[i].item, "reason", &breaks.items[i]);
    diff_entries_finish(&breaks);
}

static void add_settings(struct buf *out, const char *title, const struct diff_entries *settings, size_t top,
                         void (*add)(struct buf *out, const struct diff_entries *settings,
                                     const struct diff_entry *entry)) {
    struct buf text = {0};
    if (settings->count)
        add_title(out, title, settings->count, top);
    for (size_t i = 0; i < settings->count && i < top; i++) {
        text.len = 0;
        add(&text, settings, &settings->items[i]);
        buf_add_lit(out, "- ");
        markdown_add_code(out, buf_slice(&text));
        buf_add_byte(out, '\n');
    }
    buf_free(&text);
}

static void add_all_settings(struct buf *out, yyjson_val *logs, size_t top) {
    struct diff_entries settings;
    diff_settings_find(&settings, logs);
    add_settings(out, "Configuration", &settings, top, setting_add);
    diff_entries_finish(&settings);
    diff_effects_find(&settings, logs);
    add_settings(out, "Settings in effect", &settings, top, effect_add);
    diff_entries_finish(&settings);
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
        buf_addf(out, ": %s\n", limit_verdict(&limits->items[i]));
    }
}

void diff_add_markdown(struct buf *out, yyjson_val *pair, const struct diff_request *request) {
    struct table table;
    struct buf note = {0};
    yyjson_val *logs = json_get(pair, "logs"), *findings = json_get(pair, "findings");
    figures_table(&table, pair, request);
    table_add_markdown(&table, out);
    table_finish(&table);
    spread_note_add(&note, pair);
    if (note.len)
        buf_addf(out, "\n%.*s\n", (int)note.len, note.ptr);
    buf_free(&note);
    if (!request->figures_only) {
        add_issues(out, "New issues", json_get(findings, "new"), request->top);
        add_issues(out, "Resolved issues", json_get(findings, "gone"), request->top);
        add_functions(out, logs, request->top);
        add_misses(out, pair, request);
        add_breaks(out, "New graph breaks", logs, "new", request->top);
        add_breaks(out, "Gone graph breaks", logs, "gone", request->top);
        add_all_settings(out, logs, request->top);
    }
    add_limits(out, request->limits);
}

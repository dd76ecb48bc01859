
#include "answers/diff.h"
#include "answers/diff_lists.h"
#include "answers/sentences.h"
#include "answers/term.h"

enum { INDENT = 2, REASON_LINES = 2 };

static void add_heading(struct term *term, const char *title, struct buf *note) {
    term_newline(term);
    term_add(term, TERM_BOLD, slice_str(title));
    if (note->len) {
        term_spaces(term, 2);
        term_add(term, TERM_DIM, buf_slice(note));
    }
    term_newline(term);
    note->len = 0;
}

static void add_paragraph(struct term *term, enum term_style style, unsigned indent, struct slice text,
                          unsigned lines) {
    term_spaces(term, indent);
    term_prose(term, style, text, (struct term_box){.at = indent, .indent = indent, .lines = lines});
}

static void add_reasons(struct term *term, const char *label, yyjson_val *reasons) {
    AUTO_BUF text = {0};
    size_t i, max;
    yyjson_val *reason;
    yyjson_arr_foreach(reasons, i, max, reason) {
        if (i == REASON_LINES)
            break;
        text.len = 0;
        BUF_ADD(&text, label, ": ", yyjson_is_str(reason) ? json_text(reason) : json_get_text(reason, "reason"));
        add_paragraph(term, TERM_PLAIN, 2 * INDENT, buf_slice(&text), 1);
    }
}

/* Adds the sign of the change, the name, and the place; the place is on its own line if there is no room. */
static void add_function_head(struct term *term, yyjson_val *function) {
    AUTO_BUF text = {0};
    struct slice change = function_change(function);
    bool worse = slice_is(change, "slower") || slice_is(change, "new");
    term_newline(term);
    term_spaces(term, INDENT);
    term_add(term, worse ? TERM_WARNING : slice_is(change, "faster") ? TERM_GOOD : TERM_DIM, change);
    term_spaces(term, 2);
    function_name_add(&text, function);
    term_add(term, TERM_CODE, buf_slice(&text));
    unsigned at = INDENT + term_columns(term, change) + 2 + term_columns(term, buf_slice(&text)) + 2;
    text.len = 0;
    function_place_add(&text, function);
    if (!text.len) {
        term_newline(term);
        return;
    }
    if (at + term_columns(term, buf_slice(&text)) > term->width) {
        term_newline(term);
        term_spaces(term, at = 2 * INDENT);
    } else {
        term_spaces(term, 2);
    }
    term_line(term, TERM_PLAIN, buf_slice(&text), at);
    term_newline(term);
}

/* "98.8 s → 1.31 s"; for jobs, "ranks 0–3, on rank 2 98.8 s → 1.31 s". */
static void add_times(struct term *term, const struct diff_entry *entry) {
    AUTO_BUF times = {0}, text = {0};
    times_add(&times, entry->item);
    facts_add_rank_list(&text, entry->ranks.items, entry->ranks.count);
    if (times.len && entry->ranks.count > 1)
        buf_addf(&text, ", most on rank %" PRIu64, entry->rank);
    BUF_ADD(&text, times.len && text.len ? ": " : "", buf_slice(&times));
    if (text.len)
        add_paragraph(term, TERM_PLAIN, 2 * INDENT, buf_slice(&text), 2);
}

static void add_function(struct term *term, const struct diff_entry *entry) {
    AUTO_BUF text = {0};
    size_t i, max;
    yyjson_val *differs;
    add_function_head(term, entry->item);
    add_times(term, entry);
    yyjson_arr_foreach(json_get(entry->item, "differs"), i, max, differs) {
        yyjson_val *values = json_get(differs, "values");
        struct slice unit = json_get_text(differs, "unit");
        text.len = 0;
        BUF_ADD(&text, json_get_text(differs, "title"), ": ");
        value_add(&text, yyjson_arr_get(values, 0), unit);
        buf_add_lit(&text, " → ");
        value_add(&text, yyjson_arr_get(values, 1), unit);
        add_paragraph(term, TERM_PLAIN, 2 * INDENT, buf_slice(&text), 2);
    }
    add_reasons(term, "new reason", json_get(entry->item, "new_reasons"));
    add_reasons(term, "gone reason", json_get(entry->item, "gone_reasons"));
}

static size_t count_changes(const struct diff_entries *functions, const char *change) {
    size_t count = 0;
    for (size_t i = 0; i < functions->count; i++)
        count += !functions->items[i].again && slice_is(function_change(functions->items[i].item), change);
    return count;
}

/* "1 new, 2 faster, 3 same"; for jobs, without unchanged functions, "1 new, of ranks 0–3". */
static void add_counts(struct buf *out, const struct diff_entries *functions, yyjson_val *logs) {
    static const char *const changes[] = {"new", "gone", "slower", "faster", "changed", "renamed"};
    uint64_t same = report_count(json_get(yyjson_arr_get_first(logs), "function_counts"), "same");
    for (size_t c = 0; c < sizeof changes / sizeof *changes; c++) {
        size_t n = count_changes(functions, changes[c]);
        bool counted_as_same = c > 3;
        if (n)
            buf_addf(out, "%s%zu %s", out->len ? ", " : "", n, changes[c]);
        if (counted_as_same)
            same -= n < same ? n : same;
    }
    if (same && !functions->ranks)
        buf_addf(out, "%s%" PRIu64 " same", out->len ? ", " : "", same);
}

static void add_functions(struct term *term, yyjson_val *logs, size_t top) {
    struct diff_entries functions;
    AUTO_BUF note = {0};
    diff_functions_find(&functions, logs);
    add_counts(&note, &functions, logs);
    if (!note.len)
        buf_add_lit(&note, "no change");
    add_heading(term, "Functions", &note);
    for (size_t i = 0; i < functions.count && i < top; i++)
        add_function(term, &functions.items[i]);
    if (functions.count > top) {
        buf_addf(&note, "%zu more: use --top %zu", functions.count - top, functions.count);
        term_newline(term);
        add_paragraph(term, TERM_DIM, INDENT, buf_slice(&note), 1);
    }
    diff_entries_finish(&functions);
}

static void add_list(struct term *term, const struct diff_list *list, size_t top) {
    AUTO_BUF text = {0};
    if (!list->count)
        return;
    if (list->settings)
        unit_add_plural(&text, list->count, "difference", NULL);
    else
        unit_add_count(&text, list->count);
    if (list->count > top)
        buf_addf(&text, ", the first %zu of them", top);
    add_heading(term, list->title, &text);
    for (size_t i = 0; i < list->items.count; i++) {
        const struct diff_item *item = &list->items.items[i];
        if (item->text.len)
            add_paragraph(term, TERM_PLAIN, INDENT, item->text, list->settings ? 3 : 2);
        text.len = 0;
        BUF_ADD(&text, item->place, !item->ranks.len ? "" : item->place.len ? ", on " : "on ", item->ranks, item->why);
        if (text.len)
            add_paragraph(term, TERM_DIM, 2 * INDENT, buf_slice(&text), item->why.len ? 3 : 2);
    }
}

static void add_limits(struct term *term, const struct diff_limits *limits) {
    AUTO_BUF text = {0};
    for (size_t i = 0; i < limits->count; i++) {
        const struct diff_limit *limit = &limits->items[i];
        if (i == 0)
            add_heading(term, "Limits", &text);
        text.len = 0;
        BUF_ADD(&text, limit->text, ": ");
        diff_limit_add(&text, limit);

        term_spaces(term, INDENT);
        term_add(term, limit->exceeded ? TERM_ERROR : limit->known ? TERM_GOOD : TERM_DIM, buf_slice(&text));
        term_newline(term);
    }
}

void diff_add_text(struct term *term, yyjson_val *pair, const struct diff_request *request) {
    struct table table;
    struct buf note = {0};
    yyjson_val *logs = json_get(pair, "logs");
    figures_table(&table, pair, request);
    table_add_text(&table, term, 0);
    table_finish(&table);
    spread_note_add(&note, pair);
    if (note.len)
        add_paragraph(term, TERM_DIM, 0, buf_slice(&note), 3);
    buf_free(&note);
    if (!request->figures_only) {
        run_time_add_text(term, request->run_times, request->top);
        struct diff_lists lists;
        diff_lists_find(&lists, pair, request);
        for (int i = 0; i < DIFF_LISTS; i++) {
            if (i == DIFF_ISSUES && yyjson_arr_size(logs))
                add_functions(term, logs, request->top);
            add_list(term, &lists.of[i], request->top);
        }
        diff_lists_finish(&lists);
    }
    add_limits(term, request->limits);
}

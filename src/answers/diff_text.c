#include "answers/diff.h"
#include "answers/diff_figures.h"
#include "answers/facts.h"
#include "answers/units.h"

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
    struct buf text = {0};
    size_t i, max;
    yyjson_val *reason;
    yyjson_arr_foreach(reasons, i, max, reason) {
        if (i == REASON_LINES)
            break;
        text.len = 0;
        buf_addf(&text, "%s: ", label);
        buf_add(&text, yyjson_is_str(reason) ? json_text(reason) : json_get_text(reason, "reason"));
        add_paragraph(term, TERM_PLAIN, 2 * INDENT, buf_slice(&text), 1);
    }
    buf_free(&text);
}

static void add_function(struct term *term, yyjson_val *function) {
    struct buf text = {0};
    struct slice change = function_change(function);
    yyjson_val *sides = json_get(function, "sides"), *differs;
    yyjson_val *last = yyjson_arr_get(sides, yyjson_is_obj(yyjson_arr_get(sides, 1)) ? 1 : 0);
    bool worse = slice_is(change, "slower") || slice_is(change, "new");
    size_t i, max;
    term_newline(term);
    term_spaces(term, INDENT);
    term_add(term, worse ? TERM_WARNING : slice_is(change, "faster") ? TERM_GOOD : TERM_DIM, change);
    term_spaces(term, 2);
    function_name_add(&text, function);
    term_add(term, TERM_CODE, buf_slice(&text));
    unsigned at = INDENT + term_columns(term, change) + 2 + term_columns(term, buf_slice(&text)) + 2;
    text.len = 0;
    buf_add(&text, json_get_text(function, "file"));
    if (text.len && report_count(last, "line"))
        buf_addf(&text, ":%llu", (unsigned long long)report_count(last, "line"));
    if (at + term_columns(term, buf_slice(&text)) > term->width) { /* a line of its own */
        term_newline(term);
        term_spaces(term, at = 2 * INDENT);
    } else {
        term_spaces(term, 2);
    }
    term_line(term, TERM_PLAIN, buf_slice(&text), at);
    term_newline(term);
    text.len = 0;
    times_add(&text, function);
    add_paragraph(term, TERM_PLAIN, 2 * INDENT, buf_slice(&text), 1);
    yyjson_arr_foreach(json_get(function, "differs"), i, max, differs) {
        yyjson_val *values = json_get(differs, "values");
        bool time = slice_is(json_get_text(differs, "unit"), "us");
        text.len = 0;
        buf_add(&text, json_get_text(differs, "title"));
        buf_add_lit(&text, ": ");
        value_add(&text, yyjson_arr_get(values, 0), time);
        buf_add_lit(&text, " → ");
        value_add(&text, yyjson_arr_get(values, 1), time);
        add_paragraph(term, TERM_PLAIN, 2 * INDENT, buf_slice(&text), 2);
    }
    add_reasons(term, "new reason", json_get(function, "new_reasons"));
    add_reasons(term, "gone reason", json_get(function, "gone_reasons"));
    buf_free(&text);
}

static void add_functions(struct term *term, yyjson_val *logs, size_t top) {
    static const char *const changes[] = {"new", "gone", "slower", "faster", "same"};
    struct buf note = {0};
    size_t i, max, shown = 0, count = 0;
    yyjson_val *function;
    for (size_t c = 0; c < sizeof changes / sizeof *changes; c++) {
        uint64_t n = report_count(json_get(logs, "function_counts"), changes[c]);
        if (n)
            buf_addf(&note, "%s%llu %s", note.len ? ", " : "", (unsigned long long)n, changes[c]);
    }
    uint64_t rank;
    if (json_to_u64(json_get(logs, "rank"), &rank)) /* of jobs, the first rank that both have */
        buf_addf(&note, "%son rank %llu", note.len ? " " : "", (unsigned long long)rank);
    add_heading(term, "Functions", &note);
    yyjson_arr_foreach(json_get(logs, "functions"), i, max, function) {
        bool same = !function_changed(function);
        count += !same;
        if (same || shown == top)
            continue;
        add_function(term, function);
        shown++;
    }
    if (count > shown) {
        buf_addf(&note, "%zu more: use --top %zu", count - shown, count);
        term_newline(term);
        add_paragraph(term, TERM_DIM, INDENT, buf_slice(&note), 1);
    }
    buf_free(&note);
}

/* Issues or graph breaks of one run only. */
static void add_only(struct term *term, const char *title, yyjson_val *list, const char *member, size_t top) {
    struct buf text = {0};
    size_t i, max, count = yyjson_arr_size(list);
    yyjson_val *item;
    if (!count)
        return;
    unit_add_count(&text, count);
    add_heading(term, title, &text);
    yyjson_arr_foreach(list, i, max, item) {
        if (i == top)
            break;
        struct slice first, all = json_get_text(item, member);
        if (slice_next_line(&all, &first))
            add_paragraph(term, TERM_PLAIN, INDENT, first, 2);
        text.len = 0;
        facts_add_place(&text, json_get(item, "place"));
        if (text.len)
            add_paragraph(term, TERM_DIM, 2 * INDENT, buf_slice(&text), 1);
    }
    buf_free(&text);
}

static void add_settings(struct term *term, yyjson_val *settings, size_t top) {
    struct buf text = {0};
    size_t i, max, count = yyjson_arr_size(settings);
    yyjson_val *setting;
    if (!count)
        return;
    unit_add_plural(&text, count, "difference", NULL);
    add_heading(term, "Configuration", &text);
    yyjson_arr_foreach(settings, i, max, setting) {
        yyjson_val *values = json_get(setting, "values");
        if (i == top)
            break;
        text.len = 0;
        buf_add(&text, json_get_text(setting, "setting"));
        buf_add_lit(&text, ": ");
        json_add_value(&text, yyjson_arr_get(values, 0));
        buf_add_lit(&text, " → ");
        json_add_value(&text, yyjson_arr_get(values, 1));
        add_paragraph(term, TERM_PLAIN, INDENT, buf_slice(&text), 3);
    }
    buf_free(&text);
}

static void add_limits(struct term *term, const struct diff_limits *limits) {
    struct buf text = {0};
    for (size_t i = 0; i < limits->count; i++) {
        const struct diff_limit *limit = &limits->items[i];
        if (i == 0)
            add_heading(term, "Limits", &text);
        text.len = 0;
        buf_addf(&text, "%.*s: %s", SLICE_ARG(limit->text), limit_verdict(limit));
        term_spaces(term, INDENT);
        term_add(term, limit->exceeded ? TERM_ERROR : limit->known ? TERM_GOOD : TERM_DIM, buf_slice(&text));
        term_newline(term);
    }
    buf_free(&text);
}

void diff_add_text(struct term *term, yyjson_val *pair, const struct diff_request *request) {
    struct table table;
    yyjson_val *logs = yyjson_arr_get_first(json_get(pair, "logs")), *breaks = json_get(logs, "graph_breaks");
    figures_table(&table, pair, request);
    table_add_text(&table, term, 0);
    table_finish(&table);
    if (json_get(pair, "sides"))
        add_paragraph(term, TERM_DIM, 0, slice_str(DIFF_SPREAD_NOTE), 2);
    if (!request->figures_only) {
        add_only(term, "New issues", json_get(json_get(pair, "findings"), "new"), "title", request->top);
        add_only(term, "Resolved issues", json_get(json_get(pair, "findings"), "gone"), "title", request->top);
        if (logs)
            add_functions(term, logs, request->top);
        add_only(term, "New graph breaks", json_get(breaks, "new"), "reason", request->top);
        add_only(term, "Gone graph breaks", json_get(breaks, "gone"), "reason", request->top);
        add_settings(term, json_get(logs, "settings"), request->top);
    }
    add_limits(term, request->limits);
}

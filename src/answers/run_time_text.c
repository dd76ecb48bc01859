#include "answers/run_time.h"

#include <math.h>

#include "answers/table.h"

static double us_at(yyjson_val *row, size_t side) {
    double us;
    return json_to_double(yyjson_arr_get(json_get(row, "us"), side), &us) ? us : -1;
}

static bool is_compared(yyjson_val *run_time) {
    return json_get(run_time, "changes") != NULL;
}

yyjson_val *run_time_shown(yyjson_val *run_times) {
    yyjson_val *run_time, *shown = NULL;
    double most = -1;
    size_t i, max;
    yyjson_arr_foreach(run_times, i, max, run_time) {
        yyjson_val *step = json_get(run_time, "step"), *first = yyjson_arr_get_first(json_get(run_time, "changes"));
        /* A step of one rank takes as long as that of another one for which it waits. */
        double size = !is_compared(run_time) ? -0.5
                    : first                  ? fabs(run_time_delta(first))
                                             : fabs(run_time_delta(step)) * 1e-9;
        if (size > most) {
            shown = run_time;
            most = size;
        }
    }
    return shown;
}

/* Why run times are not compared, or the unit of the times: "per step of 20 and 20 steps". */
static void add_note(struct buf *out, yyjson_val *run_times, yyjson_val *run_time) {
    yyjson_val *rank = json_get(run_time, "rank"), *calls = json_get(json_get(run_time, "step"), "calls");
    if (!is_compared(run_time)) {
        bool base = yyjson_get_bool(yyjson_arr_get(json_get(run_time, "profiles"), 0)),
             newer = yyjson_get_bool(yyjson_arr_get(json_get(run_time, "profiles"), 1));
        BUF_ADD(out, "cannot be compared: ",
                base    ? "only the first run has a profile that fits"
                : newer ? "only the second run has a profile that fits"
                        : "no run has a profile that fits");
        return;
    }
    if (yyjson_arr_size(calls)) {
        buf_add_lit(out, "per step, of ");
        unit_add_count(out, yyjson_get_uint(yyjson_arr_get(calls, 0)));
        buf_add_lit(out, " and ");
        unit_add_plural(out, yyjson_get_uint(yyjson_arr_get(calls, 1)), "step", NULL);
    } else {
        buf_add_lit(out, "per call, because a profile marks no steps");
    }
    if (yyjson_is_uint(rank) && yyjson_arr_size(run_times) > 1)
        buf_addf(out, ", on rank %" PRIu64 ", which has the largest change", yyjson_get_uint(rank));
}

/* Its graph of the forward is a part of the function. */
static bool is_shown(yyjson_val *row) {
    return !slice_is(json_get_text(row, "kind"), "graph") || slice_is(json_get_text(row, "direction"), "backward");
}

static void add_place(struct buf *out, yyjson_val *row) {
    yyjson_val *lines = json_get(row, "lines"), *line = yyjson_arr_get(lines, 1);
    struct slice file = path_last(json_get_text(row, "file"));
    line = yyjson_is_uint(line) ? line : yyjson_arr_get(lines, 0);
    if (!file.len)
        return;
    BUF_ADD(out, out->len ? "  " : "", file);
    if (yyjson_is_uint(line))
        buf_addf(out, ":%" PRIu64, yyjson_get_uint(line));
}

/* ", 2 → 12 calls" */
static void add_often(struct buf *out, yyjson_val *often) {
    double from, to;
    if (json_to_double(yyjson_arr_get(often, 0), &from) && json_to_double(yyjson_arr_get(often, 1), &to))
        buf_addf(out, ", %.3g → %.3g calls", from, to);
}

static void add_what(struct buf *out, yyjson_val *row) {
    static const struct {
        const char *kind, *words;
    } all[] = {{"step", "step"},
               {"function", "function "},
               {"graph", "backward of "},
               {"kernel", "kernel "},
               {"line", "line "},
               {"guards", "guard checks"},
               {"overhead", "overhead of compiled code"},
               {"eager", "operators outside of graphs"},
               {"operator", "eager "},
               {"gap", "graph break in "},
               {"rest", "rest: Python, waiting, compiling"}};
    struct slice kind = json_get_text(row, "kind"), code = slice_first_line(json_get_text(row, "code"));
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (slice_is(kind, all[i].kind))
            buf_add_str(out, all[i].words);
    if (slice_is(kind, "line")) {
        AUTO_BUF place = {0};
        add_place(&place, row);
        BUF_ADD(out, buf_slice(&place), code.len ? "  " : "", code);
        return;
    }
    buf_add(out, json_get_text(row, "name"));
    add_often(out, json_get(row, "often"));
    add_place(out, row);
}

static void add_times(struct buf *out, yyjson_val *row) {
    for (size_t side = 0; side < 2; side++) {
        buf_add_str(out, side ? " → " : "");
        if (us_at(row, side) < 0)
            buf_add_lit(out, "–");
        else
            unit_add_us(out, us_at(row, side));
    }
}

static void add_percent(struct buf *out, yyjson_val *row) {
    double from = us_at(row, 0), to = us_at(row, 1);
    if (from > 0 && to >= 0)
        buf_addf(out, "%s%.0f %%", to < from ? "−" : "+", fabs(to - from) / from * 100);
}

static void cell(struct table *table, enum term_style style, struct buf *text) {
    table_cell(table, style, buf_slice(text));
    text->len = 0;
}

static void add_row(struct table *table, yyjson_val *row) {
    AUTO_BUF text = {0};
    struct slice change = json_get_text(row, "change");
    bool worse = slice_is(change, "slower") || slice_is(change, "new");
    table_cell(table,
               worse                        ? TERM_WARNING
               : slice_is(change, "faster") ? TERM_GOOD
                                            : TERM_DIM,
               slice_is(change, "unknown") ? SLICE("unclear") : change);
    add_what(&text, row);
    cell(table, TERM_PLAIN, &text);
    add_times(&text, row);
    cell(table, TERM_PLAIN, &text);
    add_percent(&text, row);
    cell(table, TERM_PLAIN, &text);
}

/* Returns how many changes have no row. */
static size_t fill_table(struct table *table, yyjson_val *run_time, size_t top) {
    static const char *const head[] = {"", "", "run time", "change"};
    yyjson_val *row, *step = json_get(run_time, "step");
    size_t i, max, shown = 0, more = report_count(run_time, "more_changes");

    table_init(table, "lbrr");
    for (size_t h = 0; h < sizeof head / sizeof *head; h++)
        table_cell_str(table, TERM_DIM, head[h]);
    if (yyjson_is_obj(step))
        add_row(table, step);
    yyjson_arr_foreach(json_get(run_time, "changes"), i, max, row) {
        if (!is_shown(row))
            continue;
        if (shown++ < top)
            add_row(table, row);
        else
            more++;
    }
    return more;
}

static bool has_lines(yyjson_val *run_time) {
    yyjson_val *row;
    size_t i, max;
    yyjson_arr_foreach(json_get(run_time, "changes"), i, max, row) {
        if (slice_is(json_get_text(row, "kind"), "line"))
            return true;
    }
    return false;
}

static bool has_rows(yyjson_val *run_time, const char *change) {
    yyjson_val *row;
    size_t i, max;
    yyjson_arr_foreach(json_get(run_time, "changes"), i, max, row) {
        if (slice_is(json_get_text(row, "change"), change))
            return true;
    }
    return false;
}

/* Kernels without a line make other lines look gone, new, or faster. */
static void add_without_line(struct buf *out, yyjson_val *percent) {
    enum { MUCH_PERCENT = 5 };
    double from, to;
    if (!json_to_double(yyjson_arr_get(percent, 0), &from) || !json_to_double(yyjson_arr_get(percent, 1), &to) ||
        fabs(to - from) < MUCH_PERCENT)
        return;
    buf_addf(out,
             " Lines cannot be compared well: %.0f %% of the time of kernels has no line in the first run, %.0f %% in "
             "the second.",
             from, to);
}

static void add_rest(struct buf *out, yyjson_val *run_time, size_t more) {
    yyjson_val *devices = json_get(run_time, "devices");
    uint64_t same = report_count(run_time, "same");
    if (!is_compared(run_time))
        return;
    bool steps = yyjson_is_obj(json_get(run_time, "step"));
    if (more) {
        unit_add_count(out, more);
        buf_add_lit(out, " more differ; ");
    }
    unit_add_plural(out, same, "time is the same", "times are the same");
    buf_add_str(out, steps ? " within the spread of steps." : " within the spread of calls.");
    if (run_time_is_vague(run_time))
        buf_add_lit(out, " More than half of what the step takes more is in parts whose times vary too much to tell.");
    if (has_rows(run_time, "unknown"))
        buf_addf(out,
                 " Unclear: of fewer than four %s, or a line that the other run may have among kernels without one.",
                 steps ? "steps" : "calls");
    if (has_lines(run_time))
        buf_add_lit(out, " A kernel's time is that of its lines, too, divided equally among several: when one of them "
                         "comes or goes, the others change.");
    add_without_line(out, json_get(run_time, "without_line_percent"));
    if (yyjson_get_bool(yyjson_arr_get(devices, 0)) != yyjson_get_bool(yyjson_arr_get(devices, 1)))
        buf_add_lit(out, " Kernels and lines are not compared: only one profile has work on devices.");
}

void run_time_add_text(struct term *term, yyjson_val *run_times, size_t top) {
    yyjson_val *run_time = run_time_shown(run_times);
    AUTO_BUF text = {0};
    struct table table;
    if (!run_time)
        return;
    add_note(&text, run_times, run_time);
    term_newline(term);
    term_add(term, TERM_BOLD, SLICE("Run time"));
    term_spaces(term, 2);
    term_prose(term, TERM_DIM, buf_slice(&text), (struct term_box){.at = 10, .indent = 2});
    if (!is_compared(run_time))
        return;
    size_t more = fill_table(&table, run_time, top);
    if (table_rows(&table) > 1)
        table_add_text(&table, term, 2);
    table_finish(&table);
    text.len = 0;
    add_rest(&text, run_time, more);
    term_spaces(term, 2);
    term_prose(term, TERM_DIM, buf_slice(&text), (struct term_box){.at = 2, .indent = 2});
}

void run_time_add_markdown(struct buf *out, yyjson_val *run_times, size_t top) {
    yyjson_val *run_time = run_time_shown(run_times);
    AUTO_BUF text = {0};
    struct table table;
    if (!run_time)
        return;
    add_note(&text, run_times, run_time);
    buf_addf(out, "\n**Run time** (%.*s)\n", (int)text.len, text.ptr);
    if (!is_compared(run_time))
        return;
    size_t more = fill_table(&table, run_time, top);
    text.len = 0;
    add_rest(&text, run_time, more);
    if (table_rows(&table) > 1) {
        buf_add_byte(out, '\n');
        table_add_markdown(&table, out);
    }
    table_finish(&table);
    buf_addf(out, "\n%.*s\n", (int)text.len, text.ptr);
}

#include "answers/line_costs.h"

#include "answers/report_doc.h"
#include "answers/term.h"
#include "base/path.h"

static const char *const order[] = {"run_us",      "compile_us", "recompiles", "breaks",
                                    "saved_bytes", "kernels",    "guards",     "ops"};

static int by_cost(const void *a, const void *b) {
    yyjson_val *one = *(yyjson_val *const *)a, *other = *(yyjson_val *const *)b;
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        uint64_t cost = report_count(one, order[i]), other_cost = report_count(other, order[i]);
        if (cost != other_cost)
            return cost > other_cost ? -1 : 1;
    }
    int file = slice_cmp(json_get_text(one, "file"), json_get_text(other, "file"));
    uint64_t line = report_count(one, "line"), other_line = report_count(other, "line");
    return file ? file : line < other_line ? -1 : line > other_line;
}

void line_costs_find(struct line_costs *costs, yyjson_val *root, size_t most) {
    yyjson_val *lines = json_get(root, "lines"), *line;
    size_t i, max;
    *costs = (struct line_costs){.items = mem_alloc((yyjson_arr_size(lines) + 1) * sizeof *costs->items)};
    yyjson_arr_foreach(lines, i, max, line) {
        costs->items[costs->count++] = line;
        costs->profiled |= yyjson_is_uint(json_get(line, "run_us"));
    }
    if (costs->count)
        qsort(costs->items, costs->count, sizeof *costs->items, by_cost);
    costs->all = costs->count + (size_t)report_count(root, "more_lines");
    costs->count = costs->count < most ? costs->count : most;
}

void line_costs_finish(struct line_costs *costs) {
    mem_free(costs->items);
    *costs = (struct line_costs){0};
}

static const struct column {
    const char *member, *title;
    enum { COUNT, TIME, BYTES } unit;
    const char *words; /* after the amount, or the noun of a count */
} columns[] = {
    {"run_us", "run", TIME, " of run time"},
    {"compile_us", "compile", TIME, " of compile time"},
    {"recompiles", "recompiles", COUNT, "recompile"},
    {"breaks", "breaks", COUNT, "graph break"},
    {"saved_bytes", "saved", BYTES, " saved for the backward"},
    {"guards", "guards", COUNT, "guard"},
    {"ops", "ops", COUNT, "op"},
    {"kernels", "kernels", COUNT, "kernel"},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static bool is_used(const struct line_costs *costs, const struct column *column) {
    for (size_t i = 0; i < costs->count; i++)
        if (report_count(costs->items[i], column->member))
            return true;
    return false;
}

static void add_amount(struct buf *out, uint64_t value, const struct column *column) {
    if (column->unit == TIME)
        unit_add_time(out, (int64_t)value);
    else if (column->unit == BYTES)
        unit_add_bytes(out, value);
    else
        unit_add_count(out, value);
}

static void add_cell(struct table *table, yyjson_val *line, const struct column *column) {
    AUTO_BUF text = {0};
    uint64_t value = report_count(line, column->member);
    if (value)
        add_amount(&text, value, column);
    table_cell(table, TERM_PLAIN, buf_slice(&text));
}

void line_costs_table(struct table *table, const struct line_costs *costs) {
    static const char *const aligns[] = {"lb",      "rlb",      "rrlb",      "rrrlb",     "rrrrlb",
                                         "rrrrrlb", "rrrrrrlb", "rrrrrrrlb", "rrrrrrrrlb"};
    size_t used = 0;
    for (size_t c = 0; c < COLUMNS; c++)
        used += is_used(costs, &columns[c]);
    table_init(table, aligns[used]);
    for (size_t c = 0; c < COLUMNS; c++)
        if (is_used(costs, &columns[c]))
            table_cell_str(table, TERM_DIM, columns[c].title);
    table_cell_str(table, TERM_DIM, "line");
    table_cell_str(table, TERM_DIM, "code");
    for (size_t i = 0; i < costs->count; i++) {
        yyjson_val *line = costs->items[i];
        AUTO_BUF place = {0};
        for (size_t c = 0; c < COLUMNS; c++)
            if (is_used(costs, &columns[c]))
                add_cell(table, line, &columns[c]);
        BUF_ADD(&place, path_last(json_get_text(line, "file")), ":", report_count(line, "line"));
        table_cell(table, json_truthy(json_get(line, "library")) ? TERM_DIM : TERM_BOLD, buf_slice(&place));
        struct slice code = json_get_text(line, "text"), function = json_get_text(line, "function");
        if (code.len || !function.len) {
            table_cell(table, TERM_CODE, code);
            continue;
        }
        place.len = 0;
        BUF_ADD(&place, function, "()");
        table_cell(table, TERM_DIM, buf_slice(&place));
    }
}

void line_costs_say(struct buf *out, yyjson_val *line) {
    for (size_t c = 0; c < COLUMNS; c++) {
        uint64_t value = report_count(line, columns[c].member);
        if (!value)
            continue;
        buf_add_str(out, out->len ? ", " : "");
        if (columns[c].unit == COUNT) {
            unit_add_plural(out, value, columns[c].words, NULL);
            continue;
        }
        add_amount(out, value, &columns[c]);
        buf_add_str(out, columns[c].words);
    }
}

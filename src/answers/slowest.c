
#include "answers/slowest.h"

#include "answers/sentences.h"
#include "answers/term.h"

static int slowest_first(const void *a, const void *b) {
    const struct slow_compile *x = a, *y = b;
    return x->time_us != y->time_us ? (x->time_us > y->time_us ? -1 : 1) : x->place < y->place ? -1 : 1;
}

void slowest_find(struct slowest *slowest, yyjson_val *compiles, size_t most) {
    size_t i, max;
    yyjson_val *compile;
    *slowest = (struct slowest){.items = mem_alloc((yyjson_arr_size(compiles) + 1) * sizeof *slowest->items)};
    yyjson_arr_foreach(compiles, i, max, compile) {
        struct slow_compile one = {compile, 0, i};
        if (report_number(compile, "time_us", &one.time_us))
            slowest->items[slowest->timed++] = one;
    }
    qsort(slowest->items, slowest->timed, sizeof *slowest->items, slowest_first);
    slowest->count = slowest->timed < most ? slowest->timed : most;
}

void slowest_finish(struct slowest *slowest) {
    mem_free(slowest->items);
    *slowest = (struct slowest){0};
}

static void add_text(struct table *table, enum term_style style, struct buf *text) {
    table_cell(table, style, buf_slice(text));
    text->len = 0;
}

void slowest_table(struct table *table, const struct slowest *slowest) {
    static const char *const titles[] = {"Time", "Compile", "Function", "Place"};
    AUTO_BUF text = {0};
    table_init(table, "rlll");
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        table_cell_str(table, TERM_DIM, titles[i]);
    for (size_t i = 0; i < slowest->count; i++) {
        yyjson_val *compile = slowest->items[i].compile, *frame = json_get(compile, "frame");
        uint64_t line = report_count(frame, "line");
        unit_add_time(&text, slowest->items[i].time_us);
        add_text(table, TERM_PLAIN, &text);
        buf_addf(&text, "[%.*s]", SLICE_ARG(json_get_text(compile, "key")));
        add_text(table, TERM_PLAIN, &text);
        struct slice label = json_get_text(frame, "label"); /* more specific than "forward" */
        buf_add(&text, label.len ? label : json_get_text(frame, "function"));
        if (!text.len)
            buf_add(&text, json_get_text(compile, "what"));
        add_text(table, TERM_CODE, &text);
        buf_add(&text, json_get_text(frame, "file"));
        if (text.len && line)
            buf_addf(&text, ":%" PRIu64, line);
        add_text(table, TERM_PLAIN, &text);
    }
}

void runs_table(struct table *table, yyjson_val *runs) {
    static const char *const titles[] = {"Run", "Compiles", "Failed", "Compile time"};
    AUTO_BUF text = {0};
    size_t i, max;
    yyjson_val *run;
    int64_t us;
    table_init(table, "lrrr");
    for (size_t t = 0; t < sizeof titles / sizeof *titles; t++)
        table_cell_str(table, TERM_DIM, titles[t]);
    yyjson_arr_foreach(runs, i, max, run) {
        bool read = !json_get_text(run, "error").len;
        struct slice name = json_get_text(run, "name");
        table_cell(table, TERM_PLAIN, name.len ? name : json_get_text(run, "dir"));
        if (read)
            unit_add_count(&text, report_count(run, "compiles"));
        add_text(table, TERM_PLAIN, &text);
        if (read)
            unit_add_count(&text, report_count(run, "failed"));
        add_text(table, report_count(run, "failed") ? TERM_ERROR : TERM_PLAIN, &text);
        if (read && report_number(run, "time_us", &us))
            unit_add_time(&text, us);
        else if (!read)
            buf_add(&text, json_get_text(run, "error"));
        add_text(table, TERM_PLAIN, &text);
    }
}

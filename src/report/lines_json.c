#include "report/line_rows.h"
#include "report/members.h"
#include "scan/library.h"

enum { LINES_MAX = 20000, CODE_MAX = 300, COMPILES_MAX = 100, KEYS_MAX = 200000 };

/* keys: how many keys of compiles were written. */
static void write_compiles(struct jsonw *w, const struct line_rows *rows, const struct line_row *row,
                           const struct model *model, size_t *keys) {
    size_t first = rows->starts[row->place], end = rows->starts[row->place + 1];
    jsonw_array(w, "compiles");
    for (size_t i = first; i < end && i < first + COMPILES_MAX && *keys < KEYS_MAX; i++, ++*keys)
        jsonw_text(w, NULL, model->compiles.items[(uint32_t)rows->parts.items[i]]->key);
    jsonw_end_array(w);
    if (row->uncounted)
        jsonw_null(w, "compile_count");
    else
        jsonw_u64(w, "compile_count", end - first);
}

static void write_row(struct jsonw *w, const struct line_rows *rows, const struct line_row *row,
                      const struct report_view *view, size_t *keys) {
    jsonw_object(w, NULL);
    JSON_MEMBERS(w, row, file, line);
    if (row->code.len)
        jsonw_cut(w, "text", slice_first_line(row->code), CODE_MAX);
    else
        jsonw_null(w, "text");
    jsonw_text(w, "function", row->function);
    jsonw_bool(w, "library", is_library_file(row->file) || !line_rows_file_is_whole(row->file));
    JSON_MEMBERS(w, row, breaks, guards, recompiles, ops, kernels, compile_us, saved_bytes);
    if (view->profile)
        jsonw_u64(w, "run_us", (uint64_t)(row->run_ns > 0 ? (row->run_ns + 500) / 1000 : 0));
    else
        jsonw_null(w, "run_us");
    write_compiles(w, rows, row, view->model, keys);
    jsonw_end_object(w);
}

void lines_json_write(struct jsonw *w, const struct report_view *view) {
    struct line_rows rows = {0};
    size_t keys = 0;
    line_rows_find(&rows, view);
    jsonw_array(w, "lines");
    for (size_t i = 0; i < rows.list.count && i < LINES_MAX; i++)
        write_row(w, &rows, &rows.list.items[i], view, &keys);
    jsonw_end_array(w);
    jsonw_u64(w, "more_lines", rows.list.count > LINES_MAX ? rows.list.count - LINES_MAX : 0);
    line_rows_free(&rows);
}

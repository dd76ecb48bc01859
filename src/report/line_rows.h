/* line_rows.h - what each line of source costs, before it is written: for lines_json.c, and for the texts of files that agree with the
 * texts of these lines (source_texts.c).
 *
 * Texts belong to the model. One thread. */
#pragma once

#include "report/view.h"

struct line_row {
    struct slice file, code, function; /* function: a compiled frame that begins here; ptr NULL: none */
    uint64_t line, breaks, guards, recompiles, ops, kernels;
    int64_t compile_us, run_ns, saved_bytes;
    uint32_t place; /* its place in the list before it was sorted */
    bool uncounted; /* not all compiles with operations of the line are known */
};

struct line_rows {
    LIST(struct line_row) list; /* by file and line */
    struct map places;
    LIST(uint64_t)
    parts; /* place of a row, and in the lower half a compile with an operation or kernel of it; sorted, each once */
    size_t *starts; /* by place of a row: its first one of these; at last the end */
};

/* {0} is an empty list. */
void line_rows_find(struct line_rows *rows, const struct report_view *view);
void line_rows_free(struct line_rows *rows);
/* Whether it is a path, and not the end of one: nothing but a guard names the file, so the program's frames are elsewhere. */
bool line_rows_file_is_whole(struct slice file);

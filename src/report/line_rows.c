#include "report/line_rows.h"

#include "lowering/graph_memory.h"
#include "lowering/kernels.h"
#include "model/source_lines.h"
#include "profile/profile.h"

enum { TRIES_MAX = 1000 };

#define NONE UINT32_MAX

static struct line_row *row_at(struct line_rows *rows, struct slice file, uint64_t line, struct slice code) {
    AUTO_BUF key = {0};
    bool added;
    BUF_ADD(&key, line, " ", file);
    uint32_t place = *map_put(&rows->places, buf_slice(&key), (uint32_t)rows->list.count, &added);
    if (added)
        LIST_ADD(&rows->list, (struct line_row){.file = file, .line = line, .place = place});
    struct line_row *row = &rows->list.items[place];
    row->code = row->code.len ? row->code : code;
    return row;
}

/* The rows of lines by the last part of their file, with and without their line. */
struct by_name {
    struct map places;
    uint32_t *next[2]; /* by row: the previous one with the same name; NONE */
};

static uint32_t *place_of(struct by_name *names, struct slice file, uint64_t line, bool *added) {
    AUTO_BUF key = {0};
    BUF_ADD(&key, line, " ", path_last(file));
    return map_put(&names->places, buf_slice(&key), NONE, added);
}

static void index_names(const struct line_rows *rows, struct by_name *names) {
    for (int with_line = 0; with_line < 2; with_line++)
        names->next[with_line] = mem_alloc((rows->list.count + 1) * sizeof **names->next);
    for (uint32_t i = 0; i < rows->list.count; i++)
        for (int with_line = 0; with_line < 2; with_line++) {
            const struct line_row *row = &rows->list.items[i];
            bool added;
            uint32_t *latest = place_of(names, row->file, with_line ? row->line : 0, &added);
            names->next[with_line][i] = added ? NONE : *latest;
            *latest = i;
        }
}

/* The whole path of a file of which a guard names the end: "ome/user/src/model.py". That of a row of the line or, if there is
 * none, of another line. The name itself, if several files fit, or none. */
static struct slice whole_path(const struct line_rows *rows, struct by_name *names, struct slice file, uint64_t line) {
    for (int with_line = 1; with_line >= 0; with_line--) {
        struct slice found = {0};
        bool added, several = false;
        uint32_t row = *place_of(names, file, with_line ? line : 0, &added);
        for (int tries = 0; row != NONE && tries < TRIES_MAX; tries++, row = names->next[with_line][row]) {
            struct slice other = rows->list.items[row].file;
            if (!slice_ends(other, file) || slice_eq(other, found))
                continue;
            several |= found.len > 0;
            found = other;
        }
        if (found.len && !several)
            return found;
    }
    return file;
}

/* The text of the line of a break, which its stack has. */
static struct slice code_of_break(const struct graph_break *found) {
    for (size_t i = 0; i < found->stack.count; i++)
        if (found->stack.items[i].line == found->place.line && slice_eq(found->stack.items[i].file, found->place.file))
            return found->stack.items[i].code;
    return (struct slice){0};
}

static void add_breaks(struct line_rows *rows, const struct model *model) {
    for (size_t i = 0; i < model->breaks.count; i++) {
        const struct graph_break *found = model->breaks.items[i];
        if (found->place.file.ptr && graph_break_counts(found))
            row_at(rows, found->place.file, found->place.line, code_of_break(found))->breaks += found->count;
    }
}

static void add_part(struct line_rows *rows, uint32_t place, uint32_t compile) {
    LIST_ADD(&rows->parts, (uint64_t)place << 32 | compile);
}

static void add_ops(struct line_rows *rows, const struct model *model) {
    const struct source_lines *lines = model->lines;
    if (!lines)
        return;
    uint32_t *places = mem_alloc((lines->list.count + 1) * sizeof *places);
    for (size_t i = 0; i < lines->list.count; i++) {
        const struct source_line *line = &lines->list.items[i];
        if (!line->ops)
            continue;
        struct line_row *row = row_at(rows, line->file, line->line, line->code);
        row->ops += line->ops;
        row->uncounted |= line->uncounted;
        places[i] = row->place;
    }
    for (size_t i = 0; i < lines->parts.count; i++)
        add_part(rows, places[lines->parts.items[i].line], lines->parts.items[i].compile);
    mem_free(places);
}

/* After all others, which know whole paths. */
static void add_guards(struct line_rows *rows, const struct model *model) {
    struct by_name names = {0};
    index_names(rows, &names);
    for (size_t i = 0; model->lines && i < model->lines->list.count; i++) {
        const struct source_line *line = &model->lines->list.items[i];
        if (line->guards)
            row_at(rows, whole_path(rows, &names, line->file, line->line), line->line, line->code)->guards +=
                line->guards;
    }
    map_free(&names.places);
    mem_free(names.next[0]);
    mem_free(names.next[1]);
}

/* Recompiles by the line that made the guard that failed. */
static void add_recompiles(struct line_rows *rows, const struct chains *chains) {
    for (size_t i = 0; i < chains->list.count; i++)
        for (size_t c = 0; c < chains->list.items[i].causes.count; c++) {
            const struct cause *cause = &chains->list.items[i].causes.items[c];
            if (cause->place.file.ptr)
                row_at(rows, cause->place.file, cause->place.line, cause->code)->recompiles += cause->count;
        }
}

static void add_kernels(struct line_rows *rows, const struct kernels *kernels) {
    for (size_t i = 0; kernels && i < kernels->list.count; i++)
        for (uint32_t s = 0; s < kernels->list.items[i].source_count; s++) {
            const struct kernel_source *source = &kernels->list.items[i].sources[s];
            struct line_row *row = row_at(rows, source->place.file, source->place.line, source->code);
            row->kernels++;
            add_part(rows, row->place, kernels->list.items[i].compile);
        }
}

/* What forwards save for their backwards. */
static void add_saved(struct line_rows *rows, const struct graph_memories *memories) {
    for (size_t i = 0; memories && i < memories->list.count; i++)
        for (uint32_t l = 0; l < memories->list.items[i].line_count; l++) {
            const struct saved_line *line = &memories->list.items[i].lines[l];
            if (!line->place.file.ptr)
                continue;
            int64_t *sum = &row_at(rows, line->place.file, line->place.line, line->code)->saved_bytes;
            if (__builtin_add_overflow(*sum, line->bytes, sum))
                *sum = INT64_MAX; /* of a hostile log */
        }
}

/* Compile time by the line where the frame begins. */
static void add_compiles(struct line_rows *rows, const struct model *model) {
    static const struct slice none = {0};
    for (size_t i = 0; i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[i];
        if (!compile->framed || !compile->frame.file.ptr || compile->time_us <= 0)
            continue;
        struct line_row *row = row_at(rows, compile->frame.file, compile->frame.line, none);
        row->compile_us += compile->time_us;
        row->function = compile->frame.function;
    }
}

static void add_run_times(struct line_rows *rows, const struct profile *profile) {
    for (size_t i = 0; profile && i < profile->lines.count; i++) {
        const struct profiled_line *line = &profile->lines.items[i];
        row_at(rows, line->file, line->line, line->code)->run_ns +=
            profile->devices.count ? line->time.device_ns : line->time.ns;
    }
}

static int by_place(const void *a, const void *b) {
    const struct line_row *one = a, *other = b;
    int file = slice_cmp(one->file, other->file);
    return file ? file : one->line < other->line ? -1 : one->line > other->line;
}

static int by_number(const void *a, const void *b) {
    uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;
    return one < other ? -1 : one > other;
}

/* Sorts the pairs by row and compile, each once, and finds those of each row. */
static void sort_parts(struct line_rows *rows) {
    size_t count = 0, row = 0;
    LIST_SORT(&rows->parts, by_number);
    rows->starts = mem_alloc((rows->list.count + 1) * sizeof *rows->starts);
    for (size_t i = 0; i < rows->parts.count; i++) {
        if (i && rows->parts.items[i] == rows->parts.items[i - 1])
            continue;
        while (row <= rows->parts.items[i] >> 32)
            rows->starts[row++] = count;
        rows->parts.items[count++] = rows->parts.items[i];
    }
    while (row <= rows->list.count)
        rows->starts[row++] = count;
    rows->parts.count = count;
}

bool line_rows_file_is_whole(struct slice file) {
    return slice_starts(file, SLICE("/")) || (file.len > 2 && file.ptr[1] == ':');
}

void line_rows_find(struct line_rows *rows, const struct report_view *view) {
    add_ops(rows, view->model);
    add_breaks(rows, view->model);
    add_recompiles(rows, view->chains);
    add_kernels(rows, view->model->kernels);
    add_saved(rows, view->model->memories);
    add_compiles(rows, view->model);
    add_run_times(rows, view->profile);
    add_guards(rows, view->model);
    LIST_SORT(&rows->list, by_place);
    sort_parts(rows);
}

void line_rows_free(struct line_rows *rows) {
    mem_free(rows->list.items);
    mem_free(rows->parts.items);
    mem_free(rows->starts);
    map_free(&rows->places);
    *rows = (struct line_rows){0};
}

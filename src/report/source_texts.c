#include "report/source_texts.h"

#include "base/text.h"
#include "report/line_rows.h"
#include "scan/library.h"
#include "scan/source_folder.h"
#include "sink/script.h"

enum { FILES_MAX = 2000, BYTES_MAX = 64 << 20, SHOWN_MAX = 80 };

/* A line as the log has it. */
struct quote {
    struct slice file, code;
    uint64_t line;
    bool costs; /* it is among the lines that cost something */
};

struct quotes {
    LIST(struct quote) list; /* by file and line */
};

/* ---- what the log quotes ---------------------------------------------------------------------------------------- */

static void add_quote(struct quotes *quotes, struct slice file, uint64_t line, struct slice code, bool costs) {
    struct slice text = slice_first_line(code);
    if (line && text.len && line_rows_file_is_whole(file) && source_path_is_good(file))
        LIST_ADD(&quotes->list, (struct quote){file, text, line, costs});
}

static void add_frames(struct quotes *quotes, const struct stacks *stacks) {
    for (size_t i = 0; i < stacks->frames.count; i++) {
        const struct frame *frame = stacks->frames.items[i];
        add_quote(quotes, frame->file, frame->line, frame->code, false);
    }
}

static int by_place(const void *a, const void *b) {
    const struct quote *one = a, *other = b;
    int file = slice_cmp(one->file, other->file);
    return file ? file : one->line < other->line ? -1 : one->line > other->line;
}

static void find_quotes(struct quotes *quotes, const struct report_view *view) {
    struct line_rows rows = {0};
    line_rows_find(&rows, view);
    for (size_t i = 0; i < rows.list.count; i++)
        add_quote(quotes, rows.list.items[i].file, rows.list.items[i].line, rows.list.items[i].code, true);
    line_rows_free(&rows);
    add_frames(quotes, &view->model->stacks);
    add_frames(quotes, &view->model->starts);
    LIST_SORT(&quotes->list, by_place);
}

/* ---- a file ----------------------------------------------------------------------------------------------------- */

/* The first line that the file does not have like this; NULL: it has all. The quotes are sorted by line. */
static const struct quote *first_difference(struct slice text, const struct quote *quotes, size_t count) {
    uint64_t line = 0;
    struct slice rest = text, current = {0};
    for (size_t i = 0; i < count; i++) {
        for (; line < quotes[i].line; line++)
            if (!slice_next_line(&rest, &current))
                return &quotes[i]; /* it ends before */
        if (!slice_eq(slice_trim(current), quotes[i].code))
            return &quotes[i];
    }
    return NULL;
}

static void say_difference(struct buf *why, const char *folder, struct slice below, const struct quote *different) {
    buf_addf(why, "%s/", folder);
    printable_add(why, below, SHOWN_MAX);
    buf_addf(why, " is not the file of the log: line %" PRIu64 " is not \"", different->line);
    printable_add(why, different->code, SHOWN_MAX);
    buf_add_lit(why, "\"");
}

/* Finds the file; its text is in `text`. why: why it is none. */
static enum source_outcome find_file(const struct source_folders *folders, const struct quote *quotes, size_t count,
                                     struct source_candidate *found, struct buf *text, struct buf *why) {
    why->len = 0;
    while (source_folders_next(folders, quotes->file, found, text)) {
        const struct quote *different = first_difference(buf_slice(text), quotes, count);
        if (!different) {
            why->len = 0;
            return SOURCE_AGREES;
        }
        if (!why->len)
            say_difference(why, folders->list.items[found->folder].path, found->below, different);
    }
    if (why->len)
        return SOURCE_DIFFERS;
    printable_add(why, quotes->file, SHOWN_MAX);
    buf_add_lit(why, " was not found");
    return SOURCE_MISSING;
}

/* Whether the page has a use for the file: not for those of the compiler, which are only in stacks. */
static bool is_wanted(const struct quote *quotes, size_t count) {
    bool wanted = !is_library_file(quotes->file);
    for (size_t i = 0; i < count && !wanted; i++)
        wanted = quotes[i].costs;
    return wanted;
}

static size_t lines_of(const struct quote *quotes, size_t count) {
    size_t lines = 0;
    for (size_t i = 0; i < count; i++)
        lines += !i || quotes[i].line != quotes[i - 1].line;
    return lines;
}

static void write_text(struct files *files, size_t k, struct slice text) {
    AUTO_BUF json = {0};
    struct jsonw w = {.out = &json};
    jsonw_object(&w, NULL);
    jsonw_text(&w, "text", text);
    jsonw_end_object(&w);
    script_write_part(files, "sources", k, buf_slice(&json));
}

/* ---- all of them ------------------------------------------------------------------------------------------------ */

/* What is needed for each file, and what the files have used up. */
struct writer {
    struct source_texts *texts;
    struct source_folders *folders;
    struct files *files;
    struct buf text, why;
    uint64_t bytes;
};

/* Writes the file of these quotes if it is found, and counts what became of it. */
static void write_file(struct writer *writer, const struct quote *quotes, size_t count) {
    struct source_candidate found = {0};
    struct slice file = quotes->file;
    struct source_texts *texts = writer->texts;
    enum source_outcome outcome = find_file(writer->folders, quotes, count, &found, &writer->text, &writer->why);
    if (outcome == SOURCE_AGREES && (texts->list.count == FILES_MAX || writer->bytes + writer->text.len > BYTES_MAX)) {
        outcome = SOURCE_LEFT_OUT;
        printable_add(&writer->why, file, SHOWN_MAX);
        buf_add_lit(&writer->why, " is beyond the limits of a report");
    }
    if (outcome == SOURCE_AGREES || !is_library_file(file)) /* libraries may be elsewhere */
        source_folders_count(writer->folders, file, outcome, buf_slice(&writer->why));
    if (outcome != SOURCE_AGREES)
        return;
    writer->bytes += writer->text.len;
    write_text(writer->files, texts->list.count, buf_slice(&writer->text));
    LIST_ADD(&texts->list, (struct source_text){file, found.below, writer->folders->list.items[found.folder].path,
                                                lines_of(quotes, count)});
}

void source_texts_write(struct source_texts *texts, const struct report_view *view, struct files *files) {
    struct writer writer = {.texts = texts, .folders = view->sources, .files = files};
    struct quotes quotes = {0};
    if (!view->sources)
        return;
    find_quotes(&quotes, view);
    for (size_t i = 0, end; i < quotes.list.count; i = end) {
        const struct quote *first = &quotes.list.items[i];
        for (end = i + 1; end < quotes.list.count && slice_eq(quotes.list.items[end].file, first->file);)
            end++;
        if (is_wanted(first, end - i))
            write_file(&writer, first, end - i);
    }
    buf_free(&writer.text);
    buf_free(&writer.why);
    mem_free(quotes.list.items);
}

void source_texts_add(struct jsonw *w, const char *key, const struct source_texts *texts) {
    if (!texts->list.count)
        return;
    jsonw_array(w, key);
    for (size_t i = 0; i < texts->list.count; i++) {
        const struct source_text *text = &texts->list.items[i];
        jsonw_object(w, NULL);
        JSON_MEMBERS(w, text, file, folder, below, quoted);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
}

void source_texts_free(struct source_texts *texts) {
    mem_free(texts->list.items);
    *texts = (struct source_texts){0};
}

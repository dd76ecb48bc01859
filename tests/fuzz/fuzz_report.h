/* fuzz_report.h - shared by the targets that make whole reports: a report in memory, and what must hold for any report. */
#pragma once

#include <string.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/map.h"
#include "base/mem.h"
#include "fuzz.h"
#include "pipeline/pipeline.h"
#include "sink/sink.h"
#include "trace/source.h"

/* A sink that keeps what is checked: the first bytes of each file, and all of JSON. A memory sink would copy the front end and keep
 * everything, which takes longer than the report of a small log. */
struct fuzz_file {
    struct slice path;
    struct buf content;
    size_t bytes;
};

struct fuzz_files {
    struct arena arena;
    struct fuzz_file *items;
    size_t count, cap;
    struct map folders;
};

struct fuzz_sink {
    struct sink sink;
    struct fuzz_files *files;
    char *prefix; /* "rank_1/" */
};

static inline struct slice fuzz_path(const struct sink *sink, const char *path) {
    const struct fuzz_sink *to = (const struct fuzz_sink *)sink;
    struct buf whole = {0};
    buf_add_str(&whole, to->prefix);
    buf_add_str(&whole, path);
    struct slice kept = arena_slice(&to->files->arena, buf_slice(&whole));
    buf_free(&whole);
    return kept;
}

static inline bool fuzz_make_directory(struct sink *sink, const char *path) {
    bool added;
    struct fuzz_files *files = ((struct fuzz_sink *)sink)->files;
    map_put_in(&files->arena, &files->folders, fuzz_path(sink, path), 0, &added);
    return true;
}

static inline bool fuzz_create(struct sink *sink, const char *path, struct sink_file *file) {
    struct fuzz_files *files = ((struct fuzz_sink *)sink)->files;
    struct slice whole = fuzz_path(sink, path);
    const char *slash = strrchr(path, '/');
    MUST(!slash || map_get(&files->folders, slice_first(whole, whole.len - strlen(slash))) != MAP_NONE);
    if (files->count == files->cap)
        files->items = mem_realloc(files->items, files->cap = files->cap ? 2 * files->cap : 64, sizeof *files->items);
    files->items[files->count] = (struct fuzz_file){.path = whole};
    *file = (struct sink_file){sink, (intptr_t)files->count++};
    return true;
}

static inline bool fuzz_write(struct sink_file *file, struct slice content) {
    struct fuzz_file *to = &((struct fuzz_sink *)file->sink)->files->items[file->handle];
    to->bytes += content.len;
    if (slice_ends(to->path, SLICE(".json")))
        buf_add(&to->content, content);
    return true;
}

static inline bool fuzz_close(struct sink_file *file) {
    (void)file;
    return true;
}

/* Only the front end is shared. */
static inline bool fuzz_share(struct sink *sink, struct sink *from, const char *path) {
    (void)sink, (void)from, (void)path;
    return true;
}

static inline struct sink *fuzz_below(struct sink *sink, const char *directory);

static inline void fuzz_destroy(struct sink *sink) {
    free(((struct fuzz_sink *)sink)->prefix);
    free(sink);
}

static inline struct sink *fuzz_sink(struct fuzz_files *files, const char *prefix) {
    static const struct sink_ops operations = {.make_directory = fuzz_make_directory,
                                               .create = fuzz_create,
                                               .write = fuzz_write,
                                               .close = fuzz_close,
                                               .share = fuzz_share,
                                               .below = fuzz_below,
                                               .destroy = fuzz_destroy};
    struct fuzz_sink *made = mem_zalloc(1, sizeof *made);
    *made = (struct fuzz_sink){.sink = {.ops = &operations}, .files = files, .prefix = mem_strdup(prefix)};
    return &made->sink;
}

static inline struct sink *fuzz_below(struct sink *sink, const char *directory) {
    fuzz_make_directory(sink, directory);
    char *prefix = mem_printf("%s%s/", ((struct fuzz_sink *)sink)->prefix, directory);
    struct sink *made = fuzz_sink(((struct fuzz_sink *)sink)->files, prefix);
    free(prefix);
    return made;
}

/* As a report that has the front end. */
static inline struct sink *fuzz_assets(void) {
    static struct fuzz_files none;
    static struct sink *sink;
    return sink ? sink : (sink = fuzz_sink(&none, ""));
}

static inline int fuzz_by_path(const void *path, const void *file) {
    struct slice a = *(const struct slice *)path, b = ((const struct fuzz_file *)file)->path;
    int order = memcmp(a.ptr, b.ptr, a.len < b.len ? a.len : b.len);
    return order ? order : (a.len > b.len) - (a.len < b.len);
}

static inline int fuzz_in_order(const void *a, const void *b) {
    int order = fuzz_by_path(&((const struct fuzz_file *)a)->path, b);
    return order ? order : (a > b) - (a < b);
}

/* After the last write. */
static inline void fuzz_sort(struct fuzz_files *files) {
    if (files->count)
        qsort(files->items, files->count, sizeof *files->items, fuzz_in_order);
}

static inline void fuzz_free(struct fuzz_files *files) {
    for (size_t i = 0; i < files->count; i++)
        buf_free(&files->items[i].content);
    free(files->items);
    arena_free(&files->arena);
    *files = (struct fuzz_files){0};
}

/* A file, which must exist. */
static inline const struct fuzz_file *fuzz_file_at(const struct fuzz_files *files, struct slice path) {
    MUST(files->items);
    const struct fuzz_file *file = bsearch(&path, files->items, files->count, sizeof *files->items, fuzz_by_path);
    MUST(file);
    return file;
}

static inline struct slice fuzz_content(const struct fuzz_files *files, struct slice path) {
    return buf_slice(&fuzz_file_at(files, path)->content);
}

static inline yyjson_doc *fuzz_json(struct slice text) {
    yyjson_doc *doc = yyjson_read(text.ptr, text.len, YYJSON_READ_BIGNUM_AS_RAW);
    MUST(doc);
    return doc;
}

static inline void fuzz_check_url(const struct fuzz_files *files, struct slice folder, yyjson_val *url) {
    if (!yyjson_is_str(url) || !yyjson_get_len(url) || strstr(yyjson_get_str(url), "://"))
        return;
    struct buf path = {0};
    buf_add(&path, folder);
    buf_add_str(&path, yyjson_get_str(url));
    fuzz_file_at(files, buf_slice(&path));
    buf_free(&path);
}

/* Paths stay within the report, its JSON is valid, and the files of its artifacts exist. folder: "" or "rank_1/". */
static inline void fuzz_check_report(const struct fuzz_files *files, struct slice folder) {
    struct buf path = {0};
    buf_add(&path, folder);
    buf_add_lit(&path, "report.json");
    yyjson_doc *doc = fuzz_json(fuzz_content(files, buf_slice(&path)));
    yyjson_val *compiles = yyjson_obj_get(yyjson_doc_get_root(doc), "compiles"), *compile, *artifact;
    size_t i, max, j, artifacts;
    yyjson_arr_foreach(compiles, i, max, compile) {
        yyjson_val *list = yyjson_obj_get(compile, "artifacts");
        MUST(yyjson_is_arr(list));
        yyjson_arr_foreach(list, j, artifacts, artifact) {
            yyjson_val *kind = yyjson_obj_get(artifact, "kind");
            if (!kind || !yyjson_equals_str(kind, "link"))
                fuzz_check_url(files, folder, yyjson_obj_get(artifact, "url"));
            fuzz_check_url(files, folder, yyjson_obj_get(artifact, "readable_url"));
        }
    }
    yyjson_doc_free(doc);
    buf_free(&path);
}

/* Whether a part of a path is "." or "..". An artifact may have a hidden name, such as ".one", as in the reference. */
static inline bool fuzz_is_dots(struct slice rest) {
    struct slice part = slice_first(rest, slice_find(rest, SLICE("/")));
    return slice_is(part, ".") || slice_is(part, "..");
}

/* Every path is relative, without parts that are empty, "." or "..". */
static inline void fuzz_check_paths(const struct fuzz_files *files) {
    for (size_t i = 0; i < files->count; i++) {
        struct slice path = files->items[i].path;
        for (size_t at = 0; at < path.len; at++) {
            bool starts = at == 0 || path.ptr[at - 1] == '/';
            MUST(path.ptr[at] && !(starts && (path.ptr[at] == '/' || fuzz_is_dots(slice_from(path, at)))));
        }
        MUST(path.len && path.ptr[path.len - 1] != '/');
    }
}

/* support.h - shared by unit tests: cmocka with its headers, slices, synthetic logs, temporary folders.
 *
 * Include it first, after #define _GNU_SOURCE. Everything is static inline: a test is a program with one source file.
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "pipeline/pipeline.h"
#include "sink/sinks.h"
#include "trace/record.h"
#include "trace/source.h"

#define PREFIX "V1206 15:18:15.925000 1500233 torch/_dynamo/utils.py:10] "
#define ID0 "\"frame_id\": 0, \"frame_compile_id\": 0, \"attempt\": 0"

static inline void assert_slice(struct slice got, const char *expected) {
    if (got.len != strlen(expected) || (got.len && memcmp(got.ptr, expected, got.len) != 0))
        fail_msg("\"%.*s\" is not \"%s\"", SLICE_ARG(got), expected);
}

static inline void assert_slices(struct slice got, struct slice expected) {
    assert_int_equal(got.len, expected.len);
    if (got.len)
        assert_memory_equal(got.ptr, expected.ptr, got.len);
}

static inline void assert_buf(const struct buf *got, const char *expected) {
    assert_slice(buf_slice(got), expected);
}

static inline void assert_has(struct slice text, const char *part) {
    if (slice_find(text, slice_str(part)) == SIZE_MAX)
        fail_msg("\"%s\" is not in: %.*s", part, (int)(text.len < 2000 ? text.len : 2000), text.ptr);
}

static inline void assert_has_not(struct slice text, const char *part) {
    if (slice_find(text, slice_str(part)) != SIZE_MAX)
        fail_msg("\"%s\" is in: %.*s", part, (int)(text.len < 2000 ? text.len : 2000), text.ptr);
}

/* Logs. */

static inline void log_line(struct buf *log, const char *text) {
    buf_add_str(log, text);
    buf_add_byte(log, '\n');
}

/* A record without payload. fields is the inside of the envelope: "\"x\": 1". */
static inline void log_record(struct buf *log, const char *fields) {
    buf_addf(log, PREFIX "{%s}\n", fields);
}

/* A record with a payload and a correct MD5. Every line begins with the lead. */
static inline void log_payload_lead(struct buf *log, const char *lead, const char *fields, struct slice payload) {
    unsigned char md5[MD5_BYTES];
    md5_of(payload, md5);
    buf_addf(log, "%s" PREFIX "{%s%s\"has_payload\": \"", lead, fields, *fields ? ", " : "");
    md5_add_hex(log, md5);
    buf_addf(log, "\"}\n%s\t", lead);
    for (size_t i = 0; i < payload.len; i++) {
        buf_add_byte(log, payload.ptr[i]);
        if (payload.ptr[i] == '\n')
            buf_addf(log, "%s\t", lead);
    }
    buf_add_byte(log, '\n');
}

static inline void log_payload(struct buf *log, const char *fields, const char *payload) {
    log_payload_lead(log, "", fields, slice_str(payload));
}

/* An artifact of compile id 0/0. */
static inline void log_artifact(struct buf *log, const char *name, const char *encoding, const char *payload) {
    char fields[1024];
    snprintf(fields, sizeof fields, "\"artifact\": {\"name\": \"%s\", \"encoding\": \"%s\"}, " ID0, name, encoding);
    log_payload(log, fields, payload);
}

/* Folders. */

static char scratch[128]; /* for one run of the test program */

/* Makes a folder below TMPDIR. */
static inline bool make_temporary(char *path, size_t size) {
    const char *tmp = getenv("TMPDIR");
    snprintf(path, size, "%s/tlparse-unit-XXXXXX", tmp && strlen(tmp) < 80 ? tmp : "/tmp");
    return mkdtemp(path) != NULL;
}

static inline int make_scratch(void **state) {
    (void)state;
    return make_temporary(scratch, sizeof scratch) ? 0 : -1;
}

static inline void remove_tree(const char *path) {
    char *paths[] = {(char *)(uintptr_t)path, NULL};
    FTS *fts =
        fts_open(paths, FTS_PHYSICAL, NULL); /* changes directories, because paths may be too long for the system */
    for (FTSENT *entry; fts && (entry = fts_read(fts));)
        if (entry->fts_info != FTS_D)
            remove(entry->fts_accpath);
    if (fts)
        fts_close(fts);
}

static inline int remove_scratch(void **state) {
    (void)state;
    remove_tree(scratch);
    return 0;
}

/* scratch/name. The result is valid until the fourth next call. The group needs make_scratch. */
static inline const char *scratch_path(const char *name) {
    static char paths[4][sizeof scratch + 300];
    static int next;
    char *path = paths[next++ & 3];
    if (!scratch[0]) /* the path would be in the root folder, where runs of this program collide */
        fail_msg("make_scratch did not run");
    snprintf(path, sizeof paths[0], "%s/%s", scratch, name);
    return path;
}

/* Opens a new, empty folder in scratch. */
static inline int fresh_folder(const char *name) {
    const char *path = scratch_path(name);
    remove_tree(path);
    assert_int_equal(mkdir(path, 0777), 0);
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(fd >= 0);
    return fd;
}

static inline void write_file(const char *path, struct slice content) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(content.ptr, 1, content.len, file), content.len);
    assert_int_equal(fclose(file), 0);
}

static inline bool file_exists(int dirfd, const char *path) {
    struct stat stat;
    return fstatat(dirfd, path, &stat, AT_SYMLINK_NOFOLLOW) == 0;
}

static inline struct buf read_file(int dirfd, const char *path) {
    struct buf content = {0};
    int fd = openat(dirfd, path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        fail_msg("there is no file %s", path);
    ssize_t got;
    while ((got = read(fd, buf_reserve(&content, 65536), 65536)) > 0)
        content.len += (size_t)got;
    close(fd);
    return content;
}

static inline void assert_file(int dirfd, const char *path, const char *expected) {
    struct buf content = read_file(dirfd, path);
    assert_buf(&content, expected);
    buf_free(&content);
}

/* Asserts that the file contains the text, or that it does not. */
static inline void assert_file_has(int dirfd, const char *path, const char *part) {
    struct buf content = read_file(dirfd, path);
    assert_has(buf_slice(&content), part);
    buf_free(&content);
}

static inline void assert_file_has_not(int dirfd, const char *path, const char *part) {
    struct buf content = read_file(dirfd, path);
    assert_has_not(buf_slice(&content), part);
    buf_free(&content);
}

static inline int by_name(const FTSENT **a, const FTSENT **b) {
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

/* Names, lengths and contents of all files in scratch/name, sorted by name, without the front end. */
static inline struct buf read_tree(const char *name) {
    struct buf tree = {0};
    const char *top = scratch_path(name);
    size_t skip = strlen(top) + 1;
    char *paths[] = {(char *)(uintptr_t)top, NULL};
    FTS *fts = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, by_name);
    assert_non_null(fts);
    for (FTSENT *entry; (entry = fts_read(fts));) {
        if (entry->fts_info == FTS_D && strcmp(entry->fts_name, "assets") == 0)
            fts_set(fts, entry, FTS_SKIP);
        if (entry->fts_info != FTS_F)
            continue;
        struct buf content = read_file(AT_FDCWD, entry->fts_path);
        buf_addf(&tree, "== %s %zu\n", entry->fts_path + skip, content.len);
        buf_add(&tree, buf_slice(&content));
        buf_add_byte(&tree, '\n');
        buf_free(&content);
    }
    fts_close(fts);
    return tree;
}

/* Whole runs. */

struct run {
    int dirfd; /* of the report */
    bool good;
    struct pipeline_result result;
    struct err err;
};

/* Writes the report of a log to scratch/name. */
static inline struct run run_with(const char *name, struct slice log, const struct reading_options *options,
                                  const struct reading_watcher *watcher) {
    struct run run = {.dirfd = fresh_folder(name)};
    struct source source;
    write_file(scratch_path("in.log"), log);
    assert_true(source_open(&source, scratch_path("in.log"), &run.err));
    struct sink *sink = directory_sink_create(run.dirfd);
    run.good = pipeline_run(&source, sink, options, watcher, &run.result, &run.err);
    sink_destroy(sink);
    source_close(&source);
    return run;
}

/* The same on this thread with default options; fails the test on an error. Frees the log. */
static inline struct run run_log(struct buf *log) {
    struct run run = run_with("out", buf_slice(log), &(struct reading_options){0}, NULL);
    if (!run.good)
        fail_msg("%s", run.err.text);
    buf_free(log);
    return run;
}

static inline void end_run(struct run *run) {
    close(run->dirfd);
    pipeline_result_finish(&run->result);
}

/* A JSON file of the report. The caller frees it. */
static inline yyjson_doc *read_json(int dirfd, const char *path) {
    struct buf content = read_file(dirfd, path);
    yyjson_doc *doc = yyjson_read(content.ptr, content.len, YYJSON_READ_BIGNUM_AS_RAW);
    if (!doc)
        fail_msg("%s is no JSON: %.*s", path, (int)(content.len < 2000 ? content.len : 2000), content.ptr);
    buf_free(&content);
    return doc;
}

/* Set-up and teardown of a test that needs its own folder. */

static char own_folder[128];

static inline int enter_folder(void **state) {
    (void)state;
    return make_temporary(own_folder, sizeof own_folder) && chdir(own_folder) == 0 ? 0 : -1;
}

static inline int leave_folder(void **state) {
    char *const paths[] = {own_folder, NULL};
    FTS *walk = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    (void)state;
    for (FTSENT *entry; walk && (entry = fts_read(walk));)
        if (entry->fts_info != FTS_D)
            remove(entry->fts_accpath);
    if (walk)
        fts_close(walk);
    return chdir("/");
}

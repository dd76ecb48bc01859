/* files.h - writes the files of a report to a sink.
 *
 * Paths are those of path.h: relative, without "..". Nothing is opened through a link. The first failure is kept and
 * stops all further writing: a report that lacks a file is invalid. Nothing reads back what was written: see spool.h.
 *
 * Only the fold's thread calls files_folder(). Any thread may call files_write() and use a stream of its own once the
 * folder of the path exists. */
#pragma once

#include <pthread.h>

#include "sink/sink.h"

struct files {
    struct sink *sink; /* owned by the caller */
    struct map made;
    pthread_mutex_t lock;
    struct err err; /* the first failure, protected by the lock */
};

void files_init(struct files *files, struct sink *sink);
void files_finish(struct files *files);
/* Returns false if the sink discards all files, or all but report.json, so that they need not be rendered. Writing is still
 * allowed. */
static inline bool files_wanted(const struct files *files) {
    return files->sink->keeps == SINK_EVERYTHING;
}
/* Whether report.json is kept. */
static inline bool files_want_report(const struct files *files) {
    return files->sink->keeps != SINK_NOTHING;
}
/* Whether the details of each compile, which only pages and report.json show, are kept. */
static inline bool files_want_details(const struct files *files) {
    return files->sink->keeps == SINK_EVERYTHING || files->sink->keeps == SINK_REPORT_JSON;
}
/* Creates the folders of a path ("a/b/c.txt": a and a/b). */
void files_folder(struct files *files, struct slice path);
/* Writes a whole file. Replaces an older one. */
void files_write(struct files *files, struct slice path, struct slice content);
/* Whether a file that is not yet written would replace another one, because the file system takes both names for the
 * same. */
bool files_is_taken(struct files *files, struct slice path);
/* Returns false, with the first failure, if anything has failed so far. */
bool files_good(struct files *files, struct err *err);
void files_fail(struct files *files, const char *what, struct slice path);

/* A file that is written from start to end. */
struct stream {
    struct files *files;
    struct sink_file file;
    bool open;
    bool kept; /* by the sink */
    const char *path;
    struct buf buf;
    uint64_t bytes; /* so far */
};

void stream_open(struct stream *stream, struct files *files, const char *path);
void stream_add(struct stream *stream, struct slice content);
/* Writes stream->buf if it is large. For callers that add to buf directly. */
void stream_flush_if_full(struct stream *stream);
void stream_close(struct stream *stream);

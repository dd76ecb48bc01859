/* files.h - the files of a report, in a sink.
 *
 * Paths are those of path.h: relative, without "..". Nothing is opened through a link. The first failure is kept and ends
 * all further writing: a report that lacks a file is none. Nothing reads back what was written: see spool.h.
 *
 * files_folder() and streams are the fold's, one thread; files_write() may be called from any thread once the folder of
 * its path has been made. */
#ifndef TLPARSE_SINK_FILES_H
#define TLPARSE_SINK_FILES_H

#include <pthread.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/map.h"
#include "sink/sink.h"

struct files {
    struct sink *sink; /* the caller's */
    struct map made;
    pthread_mutex_t lock;
    struct err err; /* the first failure, under the lock */
};

void files_init(struct files *files, struct sink *sink);
void files_finish(struct files *files);
/* False if the sink drops all files, or all but report.json: they need not be rendered. Writing them is allowed. */
static inline bool files_wanted(const struct files *files) {
    return files->sink->keeps == SINK_EVERYTHING;
}
/* Whether report.json is kept. */
static inline bool files_want_report(const struct files *files) {
    return files->sink->keeps != SINK_NOTHING;
}
/* Makes the folders of a path ("a/b/c.txt": a and a/b). */
void files_folder(struct files *files, struct slice path);
/* Writes a whole file, replacing an older one of that path. */
void files_write(struct files *files, struct slice path, struct slice content);
/* False, with the first failure, when anything failed so far. */
bool files_good(struct files *files, struct err *err);
void files_fail(struct files *files, const char *what, struct slice path);

/* One file written from its start to its end. */
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
/* Writes what is in stream->buf when that is much; for those who add to the buf themselves. */
void stream_flush_if_full(struct stream *stream);
void stream_close(struct stream *stream);

#endif

/* files.h - the files of a report, below one folder.
 *
 * Paths are those of path.h: relative, without "..". Nothing is opened through a link. The first failure is kept and ends
 * all further writing: a report that lacks a file is none.
 *
 * files_folder() and streams are the fold's, one thread; files_write() may be called from any thread once the folder of
 * its path has been made. */
#ifndef TLPARSE_SINK_FILES_H
#define TLPARSE_SINK_FILES_H

#include <pthread.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/map.h"

struct files {
    int dirfd; /* the caller's */
    struct map made;
    pthread_mutex_t lock;
    struct err err; /* the first failure, under the lock */
};

void files_init(struct files *files, int dirfd);
void files_finish(struct files *files);
/* Makes the folders of a path ("a/b/c.txt": a and a/b). */
void files_folder(struct files *files, struct slice path);
/* Writes a whole file, replacing an older one of that path. */
void files_write(struct files *files, struct slice path, struct slice content);
/* Adds the whole content of a file to the buffer; false, and nothing, where there is no such file or it is longer than `most`.
 * For files that are written already; no failure of the report. */
bool files_read(struct files *files, struct slice path, size_t most, struct buf *out);
/* False, with the first failure, when anything failed so far. */
bool files_good(struct files *files, struct err *err);
void files_fail(struct files *files, const char *what, struct slice path);

/* One file written from its start to its end. */
struct stream {
    struct files *files;
    int fd;
    const char *path;
    struct buf buf;
    uint64_t bytes; /* so far */
};

void stream_open(struct stream *stream, struct files *files, const char *path);
void stream_add(struct stream *stream, struct slice content);
/* Writes what is in stream->buf when that is much; for those who add to the buf themselves. */
void stream_flush_if_full(struct stream *stream);
void stream_close(struct stream *stream);
/* Adds the whole content of another, closed file of the report, and removes it. */
void stream_take(struct stream *stream, const char *path);

#endif

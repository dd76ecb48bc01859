/* source.h - the bytes of one log: a file or standard input, plain, gzip or zstd; or several files read one after the other.
 *
 * The packing is detected from magic bytes, never from the name; several gzip members or zstd frames one after
 * the other are one log. A packed log that is cut or damaged gives all that could be unpacked, then ends;
 * source_damage() says what happened. What follows a whole packed log and is not packed is left out (zeros silently,
 * else it is damage). A file that grows or is cut while it is read gives what read() gave: nothing is mapped.
 *
 * Several files are one stream. Where a file does not end with a line end, one is added before the next file, so that no record
 * runs on into another file. A file that cannot be opened is skipped, and says so in its damage.
 *
 * The struct is the caller's (one thread at a time): source_open .. source_close. A failed source_open leaves nothing
 * to close. {0} may be closed. */
#ifndef TLPARSE_TRACE_SOURCE_H
#define TLPARSE_TRACE_SOURCE_H

#include <sys/types.h>
#include <time.h>

#include "base/err.h"
#include "base/slice.h"

struct source_unpacker; /* gzip or zstd state */

/* A file of the stream. What it counts grows while the stream is read. */
struct source_file {
    char *path; /* as given, "(standard input)" for "-" */
    const char
        *label; /* the path without the folder that all files have in common; of a single file its last component */
    bool standard_input;
    uint64_t bytes;      /* unpacked, so far */
    uint64_t first_line; /* of the stream, from 1; 0: not reached yet */
    uint64_t records;    /* that begin in it: the reader's */
    char *damage;        /* why it could not be read, or not to its end; NULL: it could */
};

struct source {
    char *name; /* for messages: the path of a single file, or the name that was given */
    struct source_file *files;
    size_t file_count;
    size_t current;                   /* the file being read */
    size_t reached;                   /* the file of the latest line that was asked for by source_reach() */
    int fd;                           /* -1 between two files */
    uint64_t file_bytes;              /* size on disk of all, 0 where that is not known (a pipe) */
    uint64_t file_read;               /* bytes taken off the files so far, packed */
    uint64_t lines;                   /* line ends given so far */
    bool in_line;                     /* the last byte given is no line end */
    time_t modified;                  /* the latest of the files; now for a pipe */
    struct source_unpacker *unpacker; /* of the current file; NULL for a plain log */
    unsigned char head[8];            /* first bytes, read to tell the packing */
    size_t head_len, head_used;
};

/* "-" is standard input. A folder, a file packed with something else (xz, bzip2, zip), or anything that cannot be read,
 * is an error of code ERR_INPUT. */
bool source_open(struct source *source, const char *path, struct err *err);
/* Several files in that order; name is for messages. Fails where none of them can be read. */
bool source_open_all(struct source *source, const char *name, const char *const *paths, size_t count, struct err *err);
/* Up to `bytes` unpacked bytes; fills the buffer unless the stream ends. 0 at the end, -1 on a failed read (err set). */
ssize_t source_read(struct source *source, char *to, size_t bytes, struct err *err);
/* NULL, or why a packed log ended early, what of it was left out, or that a file could not be read: the first such text. Owned
 * by the source. */
const char *source_damage(const struct source *source);
/* The file of a line of the stream that has been read; never NULL. */
const struct source_file *source_file_at(const struct source *source, uint64_t line);
/* The place among the files of the file with that line of the stream; lines do not go back. */
size_t source_reach(struct source *source, uint64_t line);
/* Records that were counted, of all files. */
uint64_t source_records(const struct source *source);
void source_close(struct source *source);

#endif

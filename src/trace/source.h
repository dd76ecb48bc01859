/* source.h - the bytes of one log: a file or standard input, plain, gzip or zstd.
 *
 * What it is packed with is told by its first bytes, never by its name; several gzip members or zstd frames one after
 * the other are one log. A packed log that is cut or damaged gives all that could be unpacked, then ends;
 * source_damage() says what happened. What follows a whole packed log and is not packed is left out (zeros silently,
 * else it is damage). A file that grows or is cut while it is read gives what read() gave: nothing is mapped.
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

struct source {
    char *name; /* for messages: the path as given, "(standard input)" for "-" */
    int fd;
    uint64_t file_bytes;              /* size on disk, 0 where that is not known (a pipe) */
    uint64_t file_read;               /* bytes taken off the file so far, packed */
    time_t modified;                  /* of the file; now for a pipe */
    struct source_unpacker *unpacker; /* NULL for a plain log */
    char *damage;
    unsigned char head[8]; /* first bytes, read to tell the packing */
    size_t head_len, head_used;
};

/* "-" is standard input. A folder, a file packed with something else (xz, bzip2, zip), or anything that cannot be read,
 * is an error of code ERR_INPUT. */
bool source_open(struct source *source, const char *path, struct err *err);
/* Up to `bytes` unpacked bytes; fills the buffer unless the log ends. 0 at the end, -1 on a failed read (err set). */
ssize_t source_read(struct source *source, char *to, size_t bytes, struct err *err);
/* NULL, or why the packed log ended early or what of it was left out. Owned by the source. */
const char *source_damage(const struct source *source);
void source_close(struct source *source);

#endif

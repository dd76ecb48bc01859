/* source.h - the bytes of a log: a file or standard input, plain, gzip or zstd; or several files read in sequence.
 *
 * The compression is detected from magic bytes, not from the name. Several gzip members or zstd frames in a row form
 * one log. A truncated or corrupt compressed log yields as much as can be decompressed, then ends; source_damage()
 * describes the problem. Data after a complete compressed log is left out: silently if it is zeros, otherwise as
 * damage. A file that grows or shrinks while it is read yields what read() returned: nothing is mapped.
 *
 * Several files form one stream. If a file does not end with a newline, one is added before the next file, so that no
 * record continues in another file. A file that cannot be opened is skipped, with the reason in its damage.
 *
 * An address, such as s3://bucket/key, is read as a stream through the caller's struct source_remote. A stream that
 * fails early counts as a truncated log. To read a file with such a name, write ./s3://bucket/key.
 *
 * The caller owns the struct (one thread at a time): source_open .. source_close. After a failed source_open, there is
 * nothing to close. {0} may be closed. */
#pragma once

#include "base/base.h"
#include <sys/types.h>
#include <time.h>

struct source_unpacker; /* state of gzip or zstd */

/* Reads addresses. hooks/fetch.h implements it with the user's programs. Any thread. */
struct source_remote {
    /* Starts a stream. Returns NULL with ERR_INPUT on failure. */
    void *(*open)(const struct source_remote *remote, const char *address, struct err *err);
    /* Waits for data, and returns up to `bytes` bytes; 0 when the stream has ended, for whatever reason. */
    size_t (*read)(void *stream, char *to, size_t bytes);
    /* Ends the stream and frees it. Returns false if it failed. err is NULL if the reader does not need the rest. */
    bool (*close)(void *stream, struct err *err);
};

/* A file of the stream. Its counters grow while the stream is read. */
struct source_file {
    char *path; /* as given; "(standard input)" for "-"; an address without its query, which may contain secrets */
    const char *address; /* the whole address, owned by the caller; NULL: a file */
    const char *label;   /* the path without the common folder of all files; for a single file, its last component */
    bool standard_input;
    uint64_t bytes;      /* decompressed bytes so far */
    uint64_t first_line; /* in the stream, from 1; 0: not reached yet */
    uint64_t records;    /* records that begin in it; counted by the reader */
    char *damage;        /* why it could not be read completely; NULL: no problem */
};

struct source {
    char *name; /* for messages: the path of a single file, or the given name */
    struct source_file *files;
    size_t file_count;
    size_t current;                     /* index of the file being read */
    size_t reached;                     /* index of the file that contains the line last passed to source_reach() */
    const struct source_remote *remote; /* reads addresses; NULL: addresses cannot be read */
    void *fetched;       /* the stream of the current file if it is an address; NULL: it has ended, or the file is
                          * not an address */
    int fd;              /* -1 between two files, and for an address */
    bool open;           /* not between two files */
    uint64_t file_bytes; /* total size on disk; 0 if unknown (a pipe) */
    uint64_t file_read;  /* compressed bytes read so far */
    uint64_t lines;      /* newlines returned so far */
    bool in_line;        /* the last returned byte is not a newline */
    time_t modified;     /* the latest modification time of the files; the current time for a pipe */
    struct source_unpacker *unpacker; /* for the current file; NULL if it is not compressed */
    unsigned char head[8];            /* magic bytes, read to detect the compression */
    size_t head_len, head_used;
};

/* "-" is standard input. A folder, an unsupported compression (xz, bzip2, zip), or an unreadable file is an error with
 * code ERR_INPUT. */
bool source_open(struct source *source, const char *path, struct err *err);
/* Opens several files in this order; name is for messages. Fails if none of them can be read. */
bool source_open_all(struct source *source, const char *name, const char *const *paths, size_t count, struct err *err);
/* The same for paths that may be addresses. The caller keeps them alive until source_close(). */
bool source_open_from(struct source *source, const struct source_remote *remote, const char *name,
                      const char *const *paths, size_t count, struct err *err);
/* Whether a path is an address: it begins with a scheme and "://". Pure. */
bool source_is_address(const char *path);
/* The path as it may be shown: an address without its query and, if it names a user, without scheme, user and password,
 * which may be secrets. Pure. */
struct slice source_shown(const char *path);
/* Returns up to `bytes` decompressed bytes, fewer only if the stream ends. Returns 0 at the end and -1 if reading
 * failed (err is set). */
ssize_t source_read(struct source *source, char *to, size_t bytes, struct err *err);
/* The first problem: why a compressed log ended early, what was left out of it, or why a file could not be read. NULL:
 * none. Owned by the source. */
const char *source_damage(const struct source *source);
/* Notes that the caller stops reading at this line of the stream: its file and all later ones are damaged, for the
 * reason `why`. */
void source_leave_rest(struct source *source, uint64_t line, const char *why);
/* The file with this line of the stream, which must have been read. Never NULL. */
const struct source_file *source_file_at(const struct source *source, uint64_t line);
/* The index of the file with this line of the stream. Lines must not decrease from call to call. */
size_t source_reach(struct source *source, uint64_t line);
/* The number of counted records in all files. */
uint64_t source_records(const struct source *source);
void source_close(struct source *source);

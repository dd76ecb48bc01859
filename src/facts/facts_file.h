/* facts_file.h - the facts of logs as a file: all data that the comparison of ranks needs, without the logs.
 *
 * A facts file is zstd with JSON on each line (doc/clusters.md). It is read in any packing that logs may have: files of
 * earlier versions are gzip.
 *
 *     {"tlparse_facts": 1, …}      the version of the format, and where and when it was made
 *     ["<hash>", "<kind>", {…}]    a definition: data that several logs may share, once. Lines refer to it by the
 *                                  number of definitions before it, and other definitions by its hash.
 *     {"log": {…}, …}              a log
 *     {"logs": N}                  the end
 *
 * The hash covers the rest of the line, so equal definitions in several files are recognized without being parsed.
 *
 * Files are untrusted. A file that ends early, or has a line that cannot be parsed, counts up to that line. One thread
 * per set. */
#pragma once

#include "base/base.h"
#include "facts/key_store.h"
#include "facts/rank_facts.h"
#include "facts/settings.h"
#include "pipeline/result.h"

struct ranks_facts_out;
struct source;
struct unpacker;
struct choice_paths;

enum { FACTS_VERSION = 1 };

/* Logs with their facts. */
struct facts_of_logs {
    struct rank_facts *const *facts;
    const struct pipeline_result *const *results; /* of the logs */
    const int64_t *made_us;                       /* when the facts of each log were taken; NULL: now */
    size_t count;
    const struct rank_settings *settings;
    const struct key_store *keys;
};

/* Writes a facts file. Returns false if its receiver stopped it. */
bool facts_write(const struct facts_of_logs *logs, const struct ranks_facts_out *out);

/* A log of a facts file. */
struct facts_log {
    struct rank_facts *facts;
    struct pipeline_result *result; /* NULL: forgotten */
    int64_t made_us;                /* when its facts were taken */
    uint32_t file;                  /* the number of the file, in the order in which files were read */
};

/* The logs of several facts files. */
struct facts_set {
    struct arena arena;
    LIST(struct facts_log) logs; /* in the order in which they were read */
    struct rank_stores stores;
    struct rank_settings *settings;
    LIST(struct slice) unread; /* folders that could not be searched for logs, and damaged facts files, with reasons */
    struct facts_known *known;
    uint32_t files;
};

struct facts_set *facts_set_create(void);
/* Adds the logs of a facts file. Returns false, with the reason and the line, if it was not read to its end; the logs
 * up to there are added. */
bool facts_set_read(struct facts_set *set, struct source *source, struct err *err);
/* The same for the text of a whole file. */
bool facts_set_read_text(struct facts_set *set, struct slice text, struct err *err);
/* Frees the log's result after it has been counted. */
void facts_log_forget_result(struct facts_log *log);
/* Adds the cache keys of a log of a set to the store. Call it for all logs, in the order of the report. */
void facts_set_add_keys(struct key_store *keys, const struct rank_facts *facts);
void facts_set_destroy(struct facts_set *set);

/* facts_unpack.c - decompresses the texts of facts files ahead of time, with several threads.
 *
 * Only for complete files on disk that tlparse wrote. All others are left to the general reader (trace/source.h), which
 * is slower and reports errors. One caller. */
/* Keeps the paths. Starts to read with this number of threads; 0: unpacker_next() reads. */
struct unpacker *unpacker_create(const char *const *paths, size_t count, unsigned workers);
/* The text of the next file, in the order of the paths, until the next call. ptr NULL: the file is left to the general
 * reader. Call it once per path. */
struct slice unpacker_next(struct unpacker *unpacker);
void unpacker_destroy(struct unpacker *unpacker);

/* facts_origin.c - where and when the facts in a facts file were taken, and the receiver of the file. */
struct facts_origin {
    struct slice host;                 /* for all logs that do not name a different host; ptr NULL: unknown */
    int64_t made_us;                   /* since the epoch */
    const struct choice_paths *unread; /* folders that could not be searched for logs, with reasons; NULL: none */
};

/* Receives a facts file (facts_file.h). */
struct ranks_facts_out {
    struct facts_origin origin;
    bool (*write)(void *context, struct slice bytes); /* false ends it */
    void *context;
};

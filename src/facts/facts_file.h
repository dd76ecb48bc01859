/* facts_file.h - the facts of logs as a file: what the comparison of ranks needs of each log, without the log.
 *
 * A facts file is gzip with JSON on each line (doc/clusters.md):
 *
 *     {"tlparse_facts": 1, …}      the version of the format, and where and when it was made
 *     ["<hash>", "<kind>", {…}]    a definition: what several logs may have in common, once. Lines refer to it by the
 *                                  number of definitions before it, and other definitions by its hash.
 *     {"log": {…}, …}              a log
 *     {"logs": N}                  the end
 *
 * The hash is that of the rest of the line, so equal definitions of several files are recognized without being parsed.
 *
 * What is read may come from anyone. A file that ends early, or has a line that cannot be understood, counts up to that
 * line. One thread per set. */
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
    const int64_t *made_us;                       /* when the facts of the logs were taken; NULL: now */
    size_t count;
    const struct rank_settings *settings;
    const struct key_store *keys;
};

/* Writes a facts file. Returns false if its receiver ended it. */
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
    LIST(struct slice) unread; /* folders that could not be searched for logs, and facts files, with reasons */
    struct facts_known *known;
    uint32_t files;
};

struct facts_set *facts_set_create(void);
/* Adds the logs of a facts file. Returns false, with the reason and the line, if it was not read to its end; what was
 * read is added. */
bool facts_set_read(struct facts_set *set, struct source *source, struct err *err);
/* The same for the text of a whole file. */
bool facts_set_read_text(struct facts_set *set, struct slice text, struct err *err);
/* Frees the result of the log, when it is counted. */
void facts_log_forget_result(struct facts_log *log);
/* Adds the cache keys of a log of a set to the store. Call it for all logs, in the order of the report. */
void facts_set_add_keys(struct key_store *keys, const struct rank_facts *facts);
void facts_set_destroy(struct facts_set *set);

/* facts_unpack.c - the texts of facts files, decompressed ahead by several threads.
 *
 * Only for files on disk that are whole and as tlparse writes them; all others are left to the general reader
 * (trace/source.h), which is slower, and says what is wrong. One caller. */
/* Keeps the paths. Begins to read with so many threads; 0: unpacker_next() reads. */
struct unpacker *unpacker_create(const char *const *paths, size_t count, unsigned workers);
/* The text of the next file, in the order of the paths, until the next call. ptr NULL: it is left to the general
 * reader. Call it once per path. */
struct slice unpacker_next(struct unpacker *unpacker);
void unpacker_destroy(struct unpacker *unpacker);

/* facts_origin.c - where and when the facts in a facts file were taken, and what receives the file. */
struct facts_origin {
    struct slice host;                 /* of all logs that do not name another; ptr NULL: unknown */
    int64_t made_us;                   /* since the epoch */
    const struct choice_paths *unread; /* folders that could not be searched for logs, with reasons; NULL: none */
};

/* Receives a facts file (facts_file.h). */
struct ranks_facts_out {
    struct facts_origin origin;
    bool (*write)(void *context, struct slice bytes); /* false ends it */
    void *context;
};

/* pipeline.h - one log from the reader to its files.
 *
 *     source ─▶ blocks ─▶ decode (workers) ─▶ fold (this thread, log order) ─▶ render and write (workers)
 *
 * The only caller of the registry of kinds. The thread that calls pipeline_run() reads, folds and talks to the watcher;
 * workers decode and write. Blocks are a fixed number of buffers, so memory does not grow with the log, only with what
 * the model keeps. What is written is the same for any number of workers and any size of block.
 *
 * Ownership: the caller owns all that it passes and frees the result with pipeline_result_finish(). */
#ifndef TLPARSE_PIPELINE_PIPELINE_H
#define TLPARSE_PIPELINE_PIPELINE_H

#include "base/err.h"
#include "base/slice.h"
#include "report/counters.h"

struct buf;
struct processes;
struct report;
struct source;
struct writers;

struct pipeline_options {
    bool plain_text;            /* -p: code as .txt */
    struct slice custom_header; /* HTML of the caller's own, put at the top of index.html as it is */
    unsigned workers;           /* 0: all in the calling thread */
    size_t block_bytes;         /* 0: the usual size */
    bool export;                /* --export: the reference's files of an export, and no numbers for the others */
    bool provenance;            /* -i: provenance pages even where the log holds no mappings */
    bool split;                 /* further ranks in the log get reports of their own, below rank_<N>/ */
    bool has_only_rank;         /* take the records of this rank (and of none), and leave all others without a word */
    uint64_t only_rank;
    const struct writers *writers; /* whose records without a rank are, for split and only_rank; NULL: not known */
    struct processes *processes;   /* tables of strings shared with other logs of these processes; NULL: none */
    bool shares_events; /* the events are written once more, with the rank as pid, to EVENTS_PART: for those who put
                                 * the events of several ranks together, and remove it */
    uint64_t events_pid;
    bool has_assets; /* the front end lies in another report's folder already: it is linked from there */
    int assets_dirfd;
};

/* Events one after the other, with a comma between two. */
#define EVENTS_PART "chromium_events.part"

/* Whom to tell; every function may be NULL. Called by the thread of pipeline_run() only. */
struct pipeline_watcher {
    void *context;
    /* A fault of the log: its kind (the same text each time, reads as a sentence), the 1-based line, and what stands there
     * (detail may be empty; perhaps no UTF-8). */
    void (*fault)(void *context, const char *kind, uint64_t line, struct slice detail);
    /* A report's model is whole; it is freed afterwards. dir is its folder below dirfd, "" for the folder itself, which comes
     * last. What is added to extra are further members of its report.json, each with a comma before it. */
    void (*whole)(void *context, struct report *report, const char *dir, struct buf *extra);
    /* How many bytes of the log (unpacked) have been read. Called for each block. */
    void (*progress)(void *context, uint64_t bytes);
};

struct pipeline_result {
    uint64_t counters[COUNTERS];
    uint64_t no_compile_id; /* records with none of the four keys of a compile id, or with one that cannot be read */
    uint64_t no_compile_id_line; /* the first of them */
    uint64_t compiles, artifacts, bytes;
    bool has_rank;
    uint64_t rank;
    char **unknown_keys; /* in order of first appearance; a NUL in one ends it */
    size_t unknown_key_count, unknown_key_cap;
};

/* Reads the whole source and writes the report into the existing, empty folder dirfd. False when the system refused
 * something (err says what); a log that is bad in any way is no failure. */
bool pipeline_run(struct source *source, int dirfd, const struct pipeline_options *options,
                  const struct pipeline_watcher *watcher, struct pipeline_result *result, struct err *err);
/* For those who add results up: who calls sees to it that a key is not there yet. */
void pipeline_result_add_key(struct pipeline_result *result, struct slice key);
void pipeline_result_finish(struct pipeline_result *result);

#endif

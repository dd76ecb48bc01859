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
#include "kinds/run.h"
#include "model/counters.h"

struct map;
struct source;

struct pipeline_result {
    uint64_t counters[COUNTERS];
    uint64_t no_compile_id;      /* records that have a stack but no compile id, or an id that cannot be read */
    char *no_compile_id_file;    /* of the first of them; NULL: there are none */
    uint64_t no_compile_id_line; /* in that file */
    uint64_t processes;          /* that have compiles, of the report with most of them */
    uint64_t namesakes;          /* processes that have compiles and the number of another process */
    uint64_t namesake;           /* the number of the first of them */
    uint64_t compiles, artifacts, bytes;
    bool has_rank;
    uint64_t rank;
    char **unknown_keys; /* in order of first appearance; a NUL in one ends it */
    size_t unknown_key_count, unknown_key_cap;
};

/* Reads the whole source and writes the report into the existing, empty folder dirfd. False when the system refused
 * something (err says what); a log that is bad in any way is no failure. */
bool pipeline_run(struct source *source, int dirfd, const struct run_options *options,
                  const struct run_watcher *watcher, struct pipeline_result *result, struct err *err);
/* For those who add results up: who calls sees to it that a key is not there yet. */
void pipeline_result_add_key(struct pipeline_result *result, struct slice key);
/* Adds the result of a further log; `known` holds the unknown keys so far. */
void pipeline_result_add(struct pipeline_result *total, const struct pipeline_result *result, struct map *known);
void pipeline_result_finish(struct pipeline_result *result);

#endif

/* lanes.h - the reports that one log becomes: mostly one, and one more for each further rank that wrote into the same file.
 *
 * The first lane is the log's own report, in the sink; the others lie below it, in rank_<N>/. A record of a rank goes to
 * the lane of that rank; one of no rank to the lane of its process, where other records of that tell its rank, or the first. The
 * fold's thread only. */
#ifndef TLPARSE_PIPELINE_LANES_H
#define TLPARSE_PIPELINE_LANES_H

#include "kinds/fold.h"
#include "pipeline/result.h"
#include "trace/process.h"

struct lane {
    struct model model;
    struct sink *sink; /* its own, but for the first lane's */
    struct files files;
    struct fold fold;
    char *dir;      /* below the sink, "" for the first */
    uint64_t bytes; /* of its records */
};

struct lanes {
    struct lane **items;
    size_t count, cap;
    struct source *source;
    const struct run_options *options;
    const struct run_watcher *watcher;
    struct pool *pool;
    struct processes own_processes, *processes;
    struct map process_map; /* process → lane */
    size_t file;            /* of the source, that of the record at hand */
    uint64_t bytes;         /* of all records, of ranks that are not asked for, too */
    struct sink *sink;      /* of the report */
    struct spool *spool;    /* of all lanes */
};

/* What a fold needs of the block at hand. */
struct lanes_block {
    struct outputs *outputs;
    struct arena *arena;
    uint64_t line; /* of the log, from 1 */
};

/* The pointers must stay good until lanes_end(). */
void lanes_start(struct lanes *lanes, struct source *source, struct sink *sink, const struct run_options *options,
                 const struct run_watcher *watcher, struct pool *pool);
struct files *lanes_files(struct lanes *lanes);
void lanes_fold(struct lanes *lanes, const struct lanes_block *block, const struct record *record);
void lanes_fold_strays(struct lanes *lanes, const struct lanes_block *block, const struct stray *stray);
/* False, with the first failure, when anything could not be written. */
bool lanes_good(struct lanes *lanes, struct err *err);
/* Writes the last files of all reports when `write` is true, fills the result (of all lanes together), and frees. */
bool lanes_end(struct lanes *lanes, uint64_t bytes, bool write, struct pipeline_result *result, struct err *err);

#endif

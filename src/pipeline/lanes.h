/* lanes.h - splits one log into reports: usually one, and one more for each further rank that wrote to the same file.
 *
 * The first lane is the log's own report, in the sink. The others are below it, in rank_<N>/. A record with a rank
 * goes to the lane of that rank. A record without a rank goes to the lane of its process if other records show its
 * rank, otherwise to the first lane. Only the fold's thread uses it. */
#pragma once

#include "kinds/fold.h"
#include "pipeline/result.h"
#include "trace/process.h"

struct lane {
    struct model model;
    struct sink *sink; /* owned, except for that of the first lane */
    struct files files;
    struct fold fold;
    char *dir;      /* relative to the sink; "" for the first lane */
    uint64_t bytes; /* of its records */
};

struct lanes {
    struct lane **items;
    size_t count, cap;
    struct source *source;
    const struct reading_options *options;
    const struct reading_watcher *watcher;
    struct pool *pool;
    struct processes own_processes, *processes;
    struct map process_map; /* process → lane */
    size_t file;            /* index of the current record's file in the source */
    uint64_t written;       /* see struct fold */
    uint64_t bytes;         /* of all records, including those of ranks that were not selected */
    struct sink *sink;      /* of the report */
    struct spool *spool;    /* shared by all lanes */
};

/* The data of the current block that a fold needs. */
struct lanes_block {
    struct outputs *outputs;
    struct arena *arena;
    uint64_t line; /* line in the log, from 1 */
    uint64_t room; /* bytes that the reports may still grow by, not counting the copy of the log */
};

/* The pointers must be valid until lanes_end(). */
void lanes_start(struct lanes *lanes, struct source *source, struct sink *sink, const struct reading_options *options,
                 const struct reading_watcher *watcher, struct pool *pool);
struct files *lanes_files(struct lanes *lanes);
/* Folds the records and stray lines of a block in the order of their lines, until the reports have more than
 * block->room bytes. Returns the number of lines that were folded. */
uint64_t lanes_fold_block(struct lanes *lanes, const struct lanes_block *block, const struct records *records);
/* Returns false, with the first failure, if any write failed. */
bool lanes_good(struct lanes *lanes, struct err *err);
/* Ends the log: writes the final files of all reports if `write` is true, sets the result (for all lanes), and frees
 * the lanes. */
bool lanes_end(struct lanes *lanes, uint64_t bytes, bool write, struct pipeline_result *result, struct err *err);

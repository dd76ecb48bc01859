/* result.h - what became of one log, or of several: counts for whoever called, and for the exit status.
 *
 * Life cycle: {0}, pipeline_result_add*, pipeline_result_finish. One thread. */
#ifndef TLPARSE_PIPELINE_RESULT_H
#define TLPARSE_PIPELINE_RESULT_H

#include "base/slice.h"
#include "model/counters.h"

struct map;

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

/* For those who add results up: who calls sees to it that a key is not there yet. */
void pipeline_result_add_key(struct pipeline_result *result, struct slice key);
/* Adds the result of a further log; `known` holds the unknown keys so far. */
void pipeline_result_add(struct pipeline_result *total, const struct pipeline_result *result, struct map *known);
void pipeline_result_finish(struct pipeline_result *result);

#endif

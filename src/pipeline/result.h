/* result.h - the counters of one or several logs, for messages and the exit status.
 *
 * Life cycle: {0}, pipeline_result_add*, pipeline_result_finish. One thread. */
#pragma once

#include "model/counters.h"

struct map;

struct pipeline_result {
    uint64_t counters[COUNTERS];
    uint64_t no_compile_id;      /* records with a stack but without a compile id, or with a malformed one */
    char *no_compile_id_file;    /* file of the first of them; NULL: none */
    uint64_t no_compile_id_line; /* in that file */
    uint64_t processes;          /* number of processes with compiles, in the report with the most of them */
    uint64_t namesakes;          /* number of processes with compiles that share another process's number */
    uint64_t namesake;           /* the number that the first of these shares */
    uint64_t compiles, artifacts, bytes;
    uint64_t missing_inputs; /* files that were not read completely, and folders that were not searched */
    bool has_rank;
    uint64_t rank;
    char **unknown_keys; /* in order of first appearance; a NUL byte ends a key */
    size_t unknown_key_count, unknown_key_cap;
};

/* For code that merges results. The caller ensures that the key is new. */
void pipeline_result_add_key(struct pipeline_result *result, struct slice key);
/* Adds the result of another log. `known` has the unknown keys so far. */
void pipeline_result_add(struct pipeline_result *total, const struct pipeline_result *result, struct map *known);
void pipeline_result_finish(struct pipeline_result *result);

/* job.h - a distributed job whose launcher starts `tlparse run` once per rank: torchrun --no-python tlparse run -- CMD.
 *
 * All ranks on a machine become one run, including those of mpirun, mpiexec and srun. They find each other in the store
 * by a key: the id of the rendezvous or job, the address of the master, and the launcher, which is the nearest ancestor
 * whose environment has no rank. jobs/<key> is a symbolic link to the id of the run. Processes that join are serialized
 * by a lock, which the system releases if one is killed.
 *
 * Life cycle: job_of_environment .. job_finish. One thread. */
#pragma once

#include "base/json.h"
#include "runs/store.h"

struct job {
    char *key;            /* NULL: not one of several ranks */
    bool elastic;         /* torchrun: may restart its processes */
    const char *launcher; /* "torchrun", "mpirun"; NULL: unknown */
    char *run_id;         /* the launcher's name for the job; NULL: none */
    int64_t rank;         /* -1 without a job */
    int64_t world_size;   /* -1: unknown */
    int64_t local_size;   /* number of processes on this machine; -1: unknown */
    int64_t restart;      /* how often the launcher has restarted its processes */
};

void job_of_environment(struct job *job);
void job_finish(struct job *job);

/* Takes the lock of all jobs; the caller closes the descriptor. -1 with errno. */
int job_lock(const struct store *store);
/* Finds the run of the job; call it under the lock. False if there is none. id has room for RUN_ID_LEN + 1 bytes. */
bool job_find(const struct store *store, const struct job *job, char *id);
/* Makes this the run of the job; call it under the lock. */
bool job_set(const struct store *store, const struct job *job, const char *id);
/* Whether a process of the job may join the run with these processes (run.json). It may if one of them lives and none
 * of them has the same rank, or after a restart. Otherwise, they belong to an earlier job of the same launcher, such as
 * a shell. */
bool job_joins(const struct job *job, int run, yyjson_val *processes);
/* Removes links to runs that no longer exist. */
void job_sweep(const struct store *store);

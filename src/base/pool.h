/* pool.h - a pool of worker threads.
 *
 * Jobs start in the order in which they were added and end in any order. A pool of 0 workers runs each job immediately
 * in the calling thread: the same code on one thread, for tests and single-core machines. The pool does not limit the
 * number of jobs. The caller does: the pipeline owns a fixed number of blocks, and each job uses one.
 *
 * The owner calls pool_create() and pool_destroy(), which waits for every job. Any thread may call pool_run(). */
#pragma once

#include "base/err.h"

struct pool;

/* A unit of work. The caller owns it and keeps it alive until run() has returned. */
struct job {
    void (*run)(struct job *job);
    struct job *next; /* used by the pool */
};

struct pool *pool_create(unsigned workers, struct err *err);
void pool_destroy(struct pool *pool);
void pool_run(struct pool *pool, struct job *job);
/* The number of workers for this machine: its cores, from 1 to 64. */
unsigned pool_cores(void);

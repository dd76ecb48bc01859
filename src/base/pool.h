/* pool.h - worker threads that take jobs.
 *
 * Jobs start in the order they were given, and end in any. A pool of 0 workers runs each job at once in the thread that
 * gives it: the same program on one thread, for tests and for machines with one core. Bounds are the giver's business:
 * the pipeline owns a fixed number of blocks, and a job holds one.
 *
 * pool_create/pool_destroy by the owner; pool_run from any thread; pool_destroy waits for every job. */
#ifndef TLPARSE_BASE_POOL_H
#define TLPARSE_BASE_POOL_H

#include "base/err.h"

struct pool;

/* One piece of work. The giver owns it and keeps it alive until run() has returned. */
struct job {
    void (*run)(struct job *job);
    struct job *next; /* the pool's */
};

struct pool *pool_create(unsigned workers, struct err *err);
void pool_destroy(struct pool *pool);
void pool_run(struct pool *pool, struct job *job);
/* How many workers suit this machine: its cores, at least 1 and at most 64. */
unsigned pool_cores(void);

#endif

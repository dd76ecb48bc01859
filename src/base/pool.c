#include "base/pool.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/compat.h"
#include "base/mem.h"

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t work; /* a job was added, or closing was set */
    struct job *first, **last;
    bool closing;
    unsigned count;
    pthread_t threads[];
};

static void *work(void *arg) {
    struct pool *pool = arg;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (!pool->first && !pool->closing)
            pthread_cond_wait(&pool->work, &pool->lock);
        struct job *job = pool->first;
        if (!job)
            break;
        pool->first = job->next;
        if (!pool->first)
            pool->last = &pool->first;
        pthread_mutex_unlock(&pool->lock);
        job->run(job);
        pthread_mutex_lock(&pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

struct pool *pool_create(unsigned workers, struct err *err) {
    struct pool *pool = mem_zalloc(1, sizeof *pool + workers * sizeof(pthread_t));
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->work, NULL);
    pool->last = &pool->first;
    while (pool->count < workers) {
        int failed = pthread_create(&pool->threads[pool->count], NULL, work, pool);
        if (failed && pool->count == 0) {
            errno = failed;
            err_errno(err, "cannot start a thread");
            pool_destroy(pool);
            return NULL;
        }
        if (failed) /* a pool with fewer threads than requested is usable */
            break;
        pool->count++;
    }
    return pool;
}

void pool_destroy(struct pool *pool) {
    if (!pool)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->closing = true;
    pthread_cond_broadcast(&pool->work);
    pthread_mutex_unlock(&pool->lock);
    for (unsigned i = 0; i < pool->count; i++)
        pthread_join(pool->threads[i], NULL);
    pthread_cond_destroy(&pool->work);
    pthread_mutex_destroy(&pool->lock);
    mem_free(pool);
}

void pool_run(struct pool *pool, struct job *job) {
    if (pool->count == 0) {
        job->run(job);
        return;
    }
    job->next = NULL;
    pthread_mutex_lock(&pool->lock);
    *pool->last = job;
    pool->last = &job->next;
    pthread_cond_signal(&pool->work);
    pthread_mutex_unlock(&pool->lock);
}

unsigned pool_cores(void) {
    unsigned cores = compat_cores();
    return cores > 64 ? 64 : cores;
}

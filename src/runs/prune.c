#include "runs/kept.h"

#include "runs/job.h"

static bool stays(const struct kept *run, const char *own) {
    return run->pinned || run->state == KEPT_RUNNING || strcmp(run->id, own) == 0;
}

size_t prune(const struct store *store, size_t keep, const char *own) {
    struct kept_runs runs;
    struct err err;
    size_t count = 0, removed = 0;
    uint64_t bytes = 0;
    store_sweep(store);
    if (!kept_runs_read(&runs, store, &err))
        return 0;
    for (size_t i = 0; i < runs.count; i++)
        if (stays(&runs.items[i], own)) {
            count++;
            bytes += runs.items[i].bytes;
        }
    for (size_t i = 0; i < runs.count; i++) { /* the newest first */
        const struct kept *run = &runs.items[i];
        if (stays(run, own))
            continue;
        if (count < keep && bytes + run->bytes <= PRUNE_BYTES) {
            count++;
            bytes += run->bytes;
        } else {
            removed += store_remove_run(store, run->id);
        }
    }
    kept_runs_finish(&runs);
    job_sweep(store);
    return removed;
}

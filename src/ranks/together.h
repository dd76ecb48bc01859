/* together.h - the report on several logs, made from their facts, without the reports on single logs.
 *
 * Life cycle: fill the members, together_find(), together_write(), together_finish(). One thread. */
#pragma once

#include "diverge/cache_misses.h"
#include "diverge/diverge.h"
#include "facts/settings.h"
#include "pipeline/result.h"
#include "sink/files.h"
#include "sink/spool.h"

struct together {
    /* Set by the caller, who owns the data. */
    struct rank_facts **facts; /* by rank, with logs without a rank last; for one rank, the newest first */
    size_t count;
    size_t base_count; /* as in struct ranks_request */
    const struct pipeline_result *total;
    const struct reading_options *options;
    const struct rank_settings *settings;
    struct key_store *keys;
    const struct spooled *const *events; /* events of each log; NULL: none are kept */
    bool inner;                          /* the report is inside another one */
    /* Set by together_find(). */
    struct buf config_differences;
    struct divergences divergences;
    struct cache_misses misses;
};

/* Decides which logs to compare, and compares them. */
void together_find(struct together *together);
void together_write(const struct together *together, struct files *files);
void together_finish(struct together *together);

/* landing.h - the top of a report of several ranks or runs: report.json, the page's data, index.html. One thread.
 *
 * inner: the folder above has another report. */
#pragma once

#include "diverge/diverge.h"
#include "pipeline/pipeline.h"
#include "sink/files.h"

/* base_count: see struct ranks_request. */
void landing_write(const struct rank_facts *const *facts, size_t count, size_t base_count,
                   const struct pipeline_result *total, const struct run_options *options,
                   const struct divergences *divergences, struct slice config_differences, bool inner,
                   struct files *files);

/* ranks_run.h - for unit tests: the report of several ranks. */
#ifndef TLPARSE_TESTS_UNIT_RANKS_RUN_H
#define TLPARSE_TESTS_UNIT_RANKS_RUN_H

#include "support.h"

#include "ranks/ranks.h"

/* Writes the report into the new folder `out` and reads its report.json, which the caller frees. base_count: as in
 * struct ranks_request. */
static inline yyjson_doc *run_ranks_sides(const struct ranks_log *logs, size_t count, unsigned workers,
                                          size_t base_count, const char *out) {
    struct ranks_request request = {logs, count, {.workers = workers}, base_count};
    struct ranks_watcher watcher = {0};
    struct pipeline_result result = {0};
    struct err err = {0};
    assert_int_equal(mkdir(out, 0777), 0);
    int dirfd = open(out, O_RDONLY | O_DIRECTORY);
    struct sink *sink = directory_sink_create(dirfd);
    if (!ranks_run(&request, sink, &watcher, &result, &err))
        fail_msg("%s", err.text);
    sink_destroy(sink);
    yyjson_doc *doc = read_json(dirfd, "report.json");
    close(dirfd);
    pipeline_result_finish(&result);
    return doc;
}

static inline yyjson_doc *run_ranks(const struct ranks_log *logs, size_t count, unsigned workers, const char *out) {
    return run_ranks_sides(logs, count, workers, 0, out);
}

#endif

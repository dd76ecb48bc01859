/* ranks_run.h - for unit tests: the report of several ranks. */
#pragma once

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

/* Writes the log to scratch/name and frees it. */
static inline void save_log(struct buf *log, const char *name) {
    FILE *file = fopen(scratch_path(name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(log->ptr, 1, log->len, file), log->len);
    assert_int_equal(fclose(file), 0);
    buf_free(log);
}

/* The report of the logs scratch/0, scratch/1, … as runs or as ranks; with base_count, the first of them are runs on
 * one side. */
static inline yyjson_doc *report_of_sides(size_t count, bool ranks, unsigned workers, size_t base_count) {
    static int runs;
    struct ranks_log logs[16];
    char paths[16][300], names[16][8], out[32];
    assert_true(count <= 16);
    for (size_t i = 0; i < count; i++) {
        snprintf(names[i], sizeof names[i], "%u", (unsigned)i % 100);
        snprintf(paths[i], sizeof paths[i], "%s", scratch_path(names[i]));
        logs[i] = (struct ranks_log){.path = paths[i],
                                     .has_rank = ranks,
                                     .rank = ranks ? i : 0,
                                     .place = i,
                                     .name = ranks ? NULL : names[i]};
    }
    snprintf(out, sizeof out, "out%d", runs++);
    return run_ranks_sides(logs, count, workers, base_count, scratch_path(out));
}

static inline yyjson_doc *report_of(size_t count, bool ranks, unsigned workers) {
    return report_of_sides(count, ranks, workers, 0);
}

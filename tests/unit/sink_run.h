/* sink_run.h - for unit tests: reads a log of tests/data/logs into any sink. */
#pragma once

#include "support.h"

#include "ranks/ranks.h"

/* The only log in a directory of tests/data/logs. Valid until the second next call. */
static inline const char *data_log(const char *name) {
    static char paths[2][4096];
    static int next;
    char *path = paths[next++ & 1], *folder[2] = {path, NULL};
    const char *data = getenv("TLPARSE_TEST_DATA");
    if (!data)
        fail_msg("TLPARSE_TEST_DATA is not set");
    snprintf(path, sizeof paths[0], "%s/logs/%s", data, name);
    FTS *fts = fts_open(folder, FTS_PHYSICAL | FTS_NOCHDIR, by_name);
    bool found = false;
    for (FTSENT *entry; fts && (entry = fts_read(fts));)
        if (entry->fts_info == FTS_F && strstr(entry->fts_name, ".log")) {
            found = true;
            memmove(path, entry->fts_path, strlen(entry->fts_path) + 1);
            break;
        }
    if (fts)
        fts_close(fts);
    if (!found)
        fail_msg("there is no log in %s", path);
    return path;
}

/* Reads the log into the sink; fails the test on an error. */
static inline void run_into(struct sink *sink, const char *log, const struct reading_options *options,
                            const struct reading_watcher *watcher) {
    struct source source;
    struct pipeline_result result;
    struct err err = {0};
    assert_true(source_open(&source, log, &err));
    if (!pipeline_run(&source, sink, options, watcher, &result, &err))
        fail_msg("%s: %s", log, err.text);
    source_close(&source);
    pipeline_result_finish(&result);
}

/* Some logs as ranks of a job, or as runs that are compared: a report whose JSON is valid and whose files exist. */
#define _GNU_SOURCE /* memfd_create */
#include "fuzz_report.h"
#include "ranks/ranks.h"

enum { LOGS_MAX = 4, SEPARATOR = 0x1e };
/* The bits of the first byte. */
enum { RUNS = 1, TWO_SIDES = 2, SPLIT = 4 };

static bool is_log(struct slice text) {
    static const struct slice packed[] = {SLICE_INIT("\x1f\x8b"), SLICE_INIT("(\xb5/\xfd"),
                                          SLICE_INIT("\xfd"
                                                     "7zXZ"),
                                          SLICE_INIT("BZh"), SLICE_INIT("PK\3\4")};
    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++)
        if (slice_starts(text, packed[i]))
            return false;
    return text.len < 4 || (text.ptr[1] != 0x2a && text.ptr[2] != 0x4d); /* a skippable frame of zstd */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ranks_log logs[LOGS_MAX];
    char paths[LOGS_MAX][32];
    int fds[LOGS_MAX];
    size_t count = 0;
    if (size < 1)
        return 0;
    bool runs = data[0] & RUNS;
    struct slice rest = {(const char *)data + 1, size - 1};
    while (count < LOGS_MAX && rest.len) {
        const char *end = memchr(rest.ptr, SEPARATOR, rest.len);
        struct slice log = slice_first(rest, end ? (size_t)(end - rest.ptr) : rest.len);
        rest = slice_from(rest, log.len + (end ? 1 : 0));
        if (!is_log(log))
            continue;
        fds[count] = fuzz_file(log, paths[count]);
        logs[count] = (struct ranks_log){.path = paths[count],
                                         .has_rank = !runs,
                                         .rank = runs ? 0 : count,
                                         .place = count,
                                         .name = runs ? paths[count] : NULL};
        count++;
    }
    if (count) {
        struct ranks_request request = {logs, count, {.split = data[0] & SPLIT, .assets = fuzz_assets()}, 0};
        request.base_count = runs && data[0] & TWO_SIDES && count > 1 ? 1 + data[0] / 8 % (count - 1) : 0;
        struct ranks_watcher watcher = {0};
        struct pipeline_result result = {0};
        struct err err = {0};
        struct fuzz_files files = {0};
        struct sink *sink = fuzz_sink(&files, "");
        MUST(ranks_run(&request, sink, &watcher, &result, &err));
        fuzz_sort(&files);
        fuzz_check_paths(&files);
        for (size_t i = 0; i < files.count; i++) {
            struct slice path = files.items[i].path, folder = slice_first(path, path.len - SLICE("report.json").len);
            if (slice_ends(path, SLICE("report.json")))
                fuzz_check_report(&files, folder);
        }
        fuzz_free(&files);
        pipeline_result_finish(&result);
        sink_destroy(sink);
    }
    for (size_t i = 0; i < count; i++)
        close(fds[i]);
    return 0;
}

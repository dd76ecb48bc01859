/* Facts files, merged: a report whose JSON is valid, and one facts file from which the same report is made. */
#define _GNU_SOURCE /* memfd_create */
#include <inttypes.h>

#include "facts/facts_lines.h"
#include "fuzz_report.h"
#include "ranks/merge_facts.h"

enum { FILES_MAX = 4, SEPARATOR = 0x1e };

/* Definitions get the hash that they must have, which the fuzzer does not find. */
static void add_lines(struct buf *out, struct slice text) {
    struct slice line;
    while (slice_next_line(&text, &line)) {
        bool definition = slice_starts(line, SLICE("[\"")) && line.len > HASH_DIGITS + 4;
        if (definition) {
            struct slice rest = slice_from(line, HASH_DIGITS + 4);
            buf_addf(out, "[\"%016" PRIx64 "\",", facts_hash(rest));
            buf_add(out, rest);
        } else {
            buf_add(out, line);
        }
        buf_add_byte(out, '\n');
    }
}

static bool keep(void *context, struct slice bytes) {
    buf_add(context, bytes);
    return true;
}

static struct slice report_of(const struct fuzz_files *files) {
    for (size_t i = 0; i < files->count; i++)
        if (slice_is(files->items[i].path, "report.json"))
            return buf_slice(&files->items[i].content);
    return (struct slice){0};
}

static bool merge(const struct merge_request *request, struct fuzz_files *files) {
    const struct ranks_watcher watcher = {0};
    struct merge_result result = {0};
    struct err err = {0};
    struct sink *sink = fuzz_sink(files, "");
    bool good = ranks_merge(request, sink, &watcher, &result, &err);
    MUST(good || err.code == ERR_INPUT);
    pipeline_result_finish(&result.total);
    sink_destroy(sink);
    return good;
}

/* What is written of the facts is what was read of them. */
static void check_again(const struct merge_request *request, const struct fuzz_files *files) {
    const struct ranks_watcher watcher = {0};
    struct merge_result result = {0};
    struct err err = {0};
    struct buf bytes = {0};
    struct fuzz_files again = {0};
    const struct ranks_facts_out out = {.write = keep, .context = &bytes};
    char path[32];
    MUST(ranks_merge_facts(request, &out, &watcher, &result, &err));
    MUST(result.logs > 0);
    pipeline_result_finish(&result.total);
    int fd = fuzz_file(buf_slice(&bytes), path);
    const char *const paths[] = {path};
    struct merge_request one = *request;
    one.paths = paths;
    one.count = 1;
    MUST(merge(&one, &again));
    bool all_read =
        result.files_unread == 0 && result.total.missing_inputs == 0; /* else the second report misses nothing */
    MUST(!all_read || slice_eq(report_of(files), report_of(&again)));
    fuzz_free(&again);
    buf_free(&bytes);
    close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct slice rest = {(const char *)data, size};
    char paths[FILES_MAX][32];
    const char *list[FILES_MAX];
    int fds[FILES_MAX] = {0};
    struct merge_request request = {.paths = list, .full = MERGE_FULL_NONE};
    struct fuzz_files files = {0};
    while (request.count < FILES_MAX && rest.len) {
        const char *end = memchr(rest.ptr, SEPARATOR, rest.len);
        struct slice text = slice_first(rest, end ? (size_t)(end - rest.ptr) : rest.len);
        struct buf lines = {0};
        rest = slice_from(rest, text.len + (end ? 1 : 0));
        add_lines(&lines, text);
        fds[request.count] = fuzz_file(buf_slice(&lines), paths[request.count]);
        list[request.count] = paths[request.count];
        request.count++;
        buf_free(&lines);
    }
    if (request.count && merge(&request, &files)) {
        fuzz_sort(&files);
        fuzz_check_paths(&files);
        fuzz_check_report(&files, SLICE(""));
        check_again(&request, &files);
    }
    fuzz_free(&files);
    for (size_t i = 0; i < request.count; i++)
        close(fds[i]);
    return 0;
}

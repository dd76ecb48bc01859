/* Any log, in every mode: a complete report within its folder, whose JSON is valid and whose files exist. Nothing is written to
 * a disk. */
#define _GNU_SOURCE /* memfd_create */
#include "fuzz_report.h"

/* The bits of the first byte. */
enum { PLAIN_TEXT = 1, EXPORT = 2, PROVENANCE = 4, SPLIT = 8, ONLY_RANK = 16, SMALL_RECORDS = 32, SMALL_OUTPUT = 64 };

static void check(struct fuzz_files *files, const struct pipeline_result *result, bool split) {
    static const char *const names[] = {"index.html", "failures_and_restarts.html", "raw.jsonl", "data/report.js"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        fuzz_file_at(files, slice_str(names[i]));
    MUST(fuzz_file_at(files, SLICE("raw.log"))->bytes == result->bytes);
    yyjson_doc_free(fuzz_json(fuzz_content(files, SLICE("chromium_events.json"))));
    yyjson_doc_free(fuzz_json(fuzz_content(files, SLICE("compile_directory.json"))));
    fuzz_check_paths(files);
    fuzz_check_report(files, SLICE(""));
    for (size_t i = 0; split && i < files->count; i++) { /* the reports of further ranks */
        struct slice path = files->items[i].path, folder = slice_first(path, path.len - SLICE("report.json").len);
        if (slice_starts(path, SLICE("rank_")) && slice_ends(path, SLICE("/report.json")))
            fuzz_check_report(files, folder);
    }
}

/* The first byte selects the options, the second one the block size. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2)
        return 0;
    struct slice log = {(const char *)data + 2, size - 2};
    struct reading_options options = {.plain_text = data[0] & PLAIN_TEXT,
                                      .export = data[0] & EXPORT,
                                      .provenance = data[0] & PROVENANCE,
                                      .split = data[0] & SPLIT,
                                      .has_only_rank = data[0] & ONLY_RANK,
                                      .only_rank = data[1] >> 4 & 3,
                                      .record_max = data[0] & SMALL_RECORDS ? 300 : 0,
                                      .output_max = data[0] & SMALL_OUTPUT ? 2000 : 0,
                                      .block_bytes = (size_t)16 << (data[1] & 15),
                                      .assets = fuzz_assets()};
    struct pipeline_result result;
    struct source source;
    struct err err = {0};
    char path[32];
    int fd = fuzz_file(log, path);
    if (source_open(&source, path, &err)) {
        bool plain = !source.unpacker; /* compressed ones are for fuzz_source, and may be bombs */
        if (plain) {
            struct fuzz_files files = {0};
            struct sink *sink = fuzz_sink(&files, "");
            MUST(pipeline_run(&source, sink, &options, NULL, &result, &err));
            MUST(result.bytes == log.len || options.output_max);
            fuzz_sort(&files);
            check(&files, &result, options.split);
            fuzz_free(&files);
            pipeline_result_finish(&result);
            sink_destroy(sink);
        }
        source_close(&source);
    }
    close(fd);
    return 0;
}

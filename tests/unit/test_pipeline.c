/* pipeline: whole logs yield the same report for any number of workers and any block size. */
#define _GNU_SOURCE
#include "unpack.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <time.h>

#include "report/view.h"
#include "trace/process_ranks.h"

/* A log with some of everything, and one text larger than a chunk. */
static struct buf make_log(void) {
    struct buf log = {0}, large = {0};
    char fields[400], payload[200];
    for (int i = 0; large.len < (size_t)1200 * 1000; i++)
        buf_addf(&large, "line %d of a large text\n", i);
    buf_add_byte(&large, 0);
    log_record(&log, "\"str\": [\"/home/x/a.py\", 0]");
    for (int i = 0; i < 200; i++) {
        int frame = i % 40;
        char id[100];
        snprintf(id, sizeof id, "\"frame_id\": %d, \"frame_compile_id\": %d, \"attempt\": %d", frame, i / 60, i % 3);
        snprintf(payload, sizeof payload, "payload %d\n\n\tof three lines", i);
        snprintf(fields, sizeof fields, "\"artifact\": {\"name\": \"a%d/b\", \"encoding\": \"string\"}, %s", i % 7, id);
        log_payload(&log, fields, i == 100 ? large.ptr : payload);
        snprintf(fields, sizeof fields, "\"artifact\": {\"name\": \"recompile_reasons\", \"encoding\": \"json\"}, %s",
                 id);
        snprintf(payload, sizeof payload, "[\"0/0: k == %d\"]", i);
        log_payload(&log, fields, payload);
        snprintf(fields, sizeof fields, "\"dump_file\": {\"name\": \"same\"}, %s", id);
        log_payload(&log, fields, payload);
        snprintf(fields, sizeof fields, "\"chromium_event\": {}, %s", id);
        log_payload(&log, fields, "{\"ts\": 1733498295925000}");
        snprintf(fields, sizeof fields,
                 "\"dynamo_start\": {\"stack\": [{\"line\": %d, \"name\": \"f\", \"filename\": 0}]}, %s", frame, id);
        log_record(&log, fields);
        snprintf(fields, sizeof fields, "\"create_symbol\": {\"symbol\": \"s%d\", \"val\": \"3\"}, %s", i, id);
        log_record(&log, fields);
        snprintf(fields, sizeof fields,
                 "\"compilation_metrics\": {\"duration_us\": %d, \"graph_op_count\": 1, \"co_name\": \"f\"}, %s", i,
                 id);
        log_record(&log, fields);
        snprintf(fields, sizeof fields, "\"new_thing_%d\": {}, %s", i % 5, id);
        log_payload(&log, fields, payload);
        if (i % 50 == 0)
            log_line(&log, "junk\n\tmore junk\n" PREFIX "{broken");
    }
    buf_free(&large);
    return log;
}

static struct buf tree_with(struct slice log, unsigned workers, size_t block_bytes) {
    struct run run =
        run_with("out", log, &(struct reading_options){.workers = workers, .block_bytes = block_bytes}, NULL);
    if (!run.good)
        fail_msg("%s", run.err.text);
    end_run(&run);
    return read_tree("out");
}

static void assert_same_trees(const struct buf *a, const struct buf *b, const char *what) {
    size_t at = 0;
    while (at < a->len && at < b->len && a->ptr[at] == b->ptr[at])
        at++;
    if (a->len == b->len && at == a->len)
        return;
    size_t from = at < 300 ? 0 : at - 300;
    fail_msg("%s: trees differ at byte %zu, behind: %.*s", what, at, 350, a->ptr + from);
}

static void is_the_same_for_any_workers(void **state) {
    (void)state;
    struct buf log = make_log();
    struct buf first = tree_with(buf_slice(&log), 0, 64 * 1024);
    assert_has(buf_slice(&first), "== raw.log");
    for (unsigned workers = 1; workers <= 4; workers++) {
        struct buf tree = tree_with(buf_slice(&log), workers, 64 * 1024);
        char what[32];
        snprintf(what, sizeof what, "%u workers", workers);
        assert_same_trees(&first, &tree, what);
        buf_free(&tree);
    }
    buf_free(&first);
    buf_free(&log);
}

static void is_the_same_for_any_block_size(void **state) {
    (void)state;
    static const size_t sizes[] = {300, 4096, 0, (size_t)64 << 20};
    struct buf log = make_log();
    struct buf first = tree_with(buf_slice(&log), 0, 64 * 1024);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct buf tree = tree_with(buf_slice(&log), i & 1 ? 3 : 0, sizes[i]);
        char what[32];
        snprintf(what, sizeof what, "blocks of %zu", sizes[i]);
        assert_same_trees(&first, &tree, what);
        buf_free(&tree);
    }
    buf_free(&first);
    buf_free(&log);
}

/* A log truncated anywhere yields a report with everything before the cut. */
static void takes_truncated_logs(void **state) {
    (void)state;
    struct buf log = {0};
    log_record(&log, "\"str\": [\"/home/x/ü.py\", 0]");
    log_artifact(&log, "first", "string", "payload\nof two lines");
    log_payload(&log, "\"compilation_metrics\": {}, " ID0, "");
    log_artifact(&log, "last", "json", "{\"a\": [1]}");
    size_t first_end = slice_find(buf_slice(&log), SLICE("two lines")) + 10;
    for (size_t len = 0; len <= log.len; len += len + 4 < log.len ? 3 : 1) {
        struct run run = run_with("out", slice_first(buf_slice(&log), len),
                                  &(struct reading_options){.workers = (unsigned)(len % 3)}, NULL);
        assert_true(run.good);
        assert_int_equal(run.result.bytes, len);
        assert_true(len < first_end || file_exists(run.dirfd, "-_0_0_0/first_0.txt"));
        if (len >= first_end)
            assert_file(run.dirfd, "-_0_0_0/first_0.txt", "payload\nof two lines");
        yyjson_doc_free(read_json(run.dirfd, "report.json"));
        yyjson_doc_free(read_json(run.dirfd, "compile_directory.json"));
        yyjson_doc_free(read_json(run.dirfd, "chromium_events.json"));
        struct buf raw = read_file(run.dirfd, "raw.log");
        assert_slices(buf_slice(&raw), slice_first(buf_slice(&log), len));
        buf_free(&raw);
        end_run(&run);
    }
    buf_free(&log);
}

static void writes_all_files(void **state) {
    (void)state;
    static const char *const files[] = {"index.html",
                                        "failures_and_restarts.html",
                                        "chromium_events.json",
                                        "compile_directory.json",
                                        "raw.log",
                                        "raw.jsonl",
                                        "report.json",
                                        "data/report.js",
                                        "assets/app.js",
                                        "assets/app.css"};
    struct buf log = {0};
    struct run run = run_log(&log);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (!file_exists(run.dirfd, files[i]))
            fail_msg("there is no %s", files[i]);
    assert_false(file_exists(run.dirfd, "tlparse_index.html"));
    assert_false(file_exists(run.dirfd, "data/configs.js")); /* there are none */
    assert_int_equal(run.result.bytes, 0);
    assert_false(run.result.has_rank);
    end_run(&run);
}

static void inserts_the_header(void **state) {
    (void)state;
    struct buf log = {0};
    log_record(&log, "\"x\": 1");
    struct run run = run_with("out", buf_slice(&log),
                              &(struct reading_options){.custom_header = SLICE("<b>mine & yours</b>")}, NULL);
    assert_true(run.good);
    assert_file_has(run.dirfd, "index.html", "<b>mine & yours</b>");
    end_run(&run);
    buf_free(&log);
}

/* The page's data equals report.json, and its parts are where it says. */
static void splits_the_data_of_the_page(void **state) {
    (void)state;
    struct buf log = {0};
    for (int i = 0; i < 70; i++) {
        char fields[100];
        snprintf(fields, sizeof fields,
                 "\"compilation_metrics\": {\"n\": %d}, \"frame_id\": %d, \"frame_compile_id\": 0", i, i);
        log_record(&log, fields);
    }
    log_artifact(&log, "a", "string", "the text");
    struct run run = run_log(&log);
    struct buf summary = unpack_file(run.dirfd, "data/report.js", "report");
    assert_has(buf_slice(&summary), "\"parts\":{\"compiles\":32");
    assert_has(buf_slice(&summary), "\"-_0_0_0\":[0,8]");
    assert_has_not(buf_slice(&summary), "\"metrics\":");
    size_t compiles = 0;
    for (int part = 0; part < 3; part++) {
        char path[50], key[50];
        snprintf(path, sizeof path, "data/compiles.%d.js", part);
        snprintf(key, sizeof key, "compiles/%d", part);
        struct buf json = unpack_file(run.dirfd, path, key);
        yyjson_doc *doc = yyjson_read(json.ptr, json.len, 0);
        compiles += yyjson_arr_size(yyjson_doc_get_root(doc));
        yyjson_doc_free(doc);
        buf_free(&json);
    }
    assert_int_equal(compiles, 70);
    assert_false(file_exists(run.dirfd, "data/compiles.3.js"));
    struct buf text = unpack_file(run.dirfd, "data/-_0_0_0.0.js", "-_0_0_0/0");
    assert_buf(&text, "the text");
    buf_free(&text);
    buf_free(&summary);
    end_run(&run);
}

struct heard {
    struct buf text;
    uint64_t bytes;
    int wholes;
};

static void on_fault(void *context, const char *kind, uint64_t line, struct slice detail) {
    struct heard *heard = context;
    buf_addf(&heard->text, "%llu %s: %.*s\n", (unsigned long long)line, kind, SLICE_ARG(detail));
}

static void on_whole(void *context, struct model *model, const char *dir, struct view_together *together) {
    (void)model;
    ((struct heard *)context)->wholes++;
    assert_string_equal(dir, "");
    buf_add_lit(&together->extra, ",\"extra\":[1]");
}

static void on_progress(void *context, uint64_t bytes) {
    struct heard *heard = context;
    assert_true(bytes > heard->bytes);
    heard->bytes = bytes;
}

static void calls_the_watcher(void **state) {
    (void)state;
    struct buf log = {0};
    struct heard heard = {0};
    log_line(&log, "junk");
    log_record(&log, "\"x\": 1");
    log_line(&log, PREFIX "{broken");
    log_line(&log, PREFIX "{\"dynamo_guards\": {}, \"has_payload\": \"zz\"}\n\tno json");
    struct reading_watcher watcher = {.context = &heard, .fault = on_fault, .whole = on_whole, .progress = on_progress};
    for (size_t bytes = 16; bytes <= 4096; bytes *= 256) { /* lines are counted through the whole log */
        heard.text.len = 0;
        heard.bytes = 0;
        struct run run = run_with("out", buf_slice(&log), &(struct reading_options){.block_bytes = bytes}, &watcher);
        assert_true(run.good);
        assert_has(buf_slice(&heard.text), "1 unrecognized line: junk\n3 envelope is not a JSON object: {broken\n4 ");
        assert_int_equal(heard.bytes, log.len);
        yyjson_doc *doc = read_json(run.dirfd, "report.json");
        assert_int_equal(yyjson_arr_size(yyjson_obj_get(yyjson_doc_get_root(doc), "extra")), 1);
        yyjson_doc_free(doc);
        end_run(&run);
    }
    assert_int_equal(heard.wholes, 2);
    buf_free(&heard.text);
    buf_free(&log);
}

/* A full disk: no report, but an error. */
static void ends_when_the_disk_is_full(void **state) {
    (void)state;
    struct buf log = make_log();
    struct rlimit old, small;
    for (unsigned workers = 0; workers < 4; workers += 3) {
        write_file(scratch_path("in.log"), buf_slice(&log));
        int dirfd = fresh_folder("out");
        struct source source;
        struct err err = {0};
        struct pipeline_result result;
        assert_true(source_open(&source, scratch_path("in.log"), &err));
        void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &old);
        small = (struct rlimit){60000, old.rlim_max};
        setrlimit(RLIMIT_FSIZE, &small);
        struct sink *sink = directory_sink_create(dirfd);
        bool good = pipeline_run(&source, sink, &(struct reading_options){.workers = workers, .block_bytes = 16384},
                                 NULL, &result, &err);
        sink_destroy(sink);
        setrlimit(RLIMIT_FSIZE, &old);
        signal(SIGXFSZ, handler);
        assert_false(good);
        assert_int_equal(err.code, ERR_SYSTEM);
        assert_non_null(strstr(err.text, "File too large"));
        pipeline_result_finish(&result);
        source_close(&source);
        close(dirfd);
    }
    buf_free(&log);
}

/* Further ranks in one log get their own reports. */
static void splits_ranks(void **state) {
    (void)state;
    struct buf log = {0};
    log_payload(&log, "\"artifact\": {\"name\": \"one\", \"encoding\": \"string\"}, \"rank\": 3, " ID0, "x");
    log_payload(&log, "\"artifact\": {\"name\": \"two\", \"encoding\": \"string\"}, \"rank\": 1, " ID0, "y");
    struct run run = run_with("out", buf_slice(&log), &(struct reading_options){.split = true}, NULL);
    assert_true(run.good);
    assert_file(run.dirfd, "-_0_0_0/one_0.txt", "x");
    assert_file(run.dirfd, "rank_1/-_0_0_0/two_0.txt", "y");
    assert_false(file_exists(run.dirfd, "-_0_0_0/two_1.txt"));
    assert_true(file_exists(run.dirfd, "rank_1/report.json"));
    assert_int_equal(run.result.counters[COUNT_OTHER_RANK], 0);
    assert_int_equal(run.result.counters[COUNT_OK], 2);
    end_run(&run);
    run = run_with("out", buf_slice(&log), &(struct reading_options){.has_only_rank = true, .only_rank = 1}, NULL);
    assert_file(run.dirfd, "-_0_0_0/two_0.txt", "y");
    assert_int_equal(run.result.counters[COUNT_OK], 1);
    assert_int_equal(run.result.counters[COUNT_OTHER_RANK], 0);
    end_run(&run);
    buf_free(&log);
}

/* What a process wrote before its rank was known goes to that rank if the log shows it later. */
static void assigns_records_without_a_rank(void **state) {
    (void)state;
    struct process_rank items[] = {{.process = 1500233, .rank = 3, .has_rank = true},
                                   {.process = 77, .rank = 1, .has_rank = true}};
    struct process_ranks process_ranks = {.items = items, .count = 2, .has_first = true, .first_rank = 3};
    for (uint32_t i = 0; i < 2; i++) {
        const uint64_t key[2] = {0, items[i].process};
        map_put(&process_ranks.map, slice_make((const char *)key, sizeof key), i, NULL);
    }
    struct buf log = {0};
    log_line(
        &log,
        "V1206 15:18:15.925000 77 torch/a.py:10] {\"artifact\": {\"name\": \"early\", \"encoding\": \"string\"}, " ID0
        ", \"has_payload\": \"9dd4e461268c8034f5c8564e155c67a6\"}\n\tx");
    log_payload(&log, "\"artifact\": {\"name\": \"first\", \"encoding\": \"string\"}, " ID0, "y");
    log_payload(&log, "\"artifact\": {\"name\": \"one\", \"encoding\": \"string\"}, \"rank\": 3, " ID0, "z");
    struct run run = run_with("out", buf_slice(&log),
                              &(struct reading_options){.split = true, .process_ranks = &process_ranks}, NULL);
    assert_true(run.good);
    assert_file(run.dirfd, "rank_1/-_0_0_0/early_0.txt", "x");
    assert_file(run.dirfd, "-_0_0_0/first_0.txt", "y");
    assert_file(run.dirfd, "-_0_0_0/one_1.txt", "z");
    end_run(&run);
    run = run_with("out", buf_slice(&log),
                   &(struct reading_options){.has_only_rank = true, .only_rank = 3, .process_ranks = &process_ranks},
                   NULL);
    assert_file(run.dirfd, "-_0_0_0/first_0.txt", "y");
    assert_int_equal(run.result.counters[COUNT_OK], 2);
    end_run(&run);
    map_free(&process_ranks.map);
    buf_free(&log);
}

/* Arbitrary distinct keys: the run time is not quadratic. */
static void takes_many_unknown_keys(void **state) {
    (void)state;
    enum { KEYS = 60000, LIMIT_S = 5 };
    struct buf log = {0};
    buf_add_lit(&log, PREFIX "{");
    for (int i = 0; i < KEYS; i++)
        buf_addf(&log, "%s\"unknown_key_%d\": 1", i ? ", " : "", i);
    log_line(&log, "}");
    clock_t start = clock();
    struct run run = run_log(&log);
    assert_int_equal(run.result.unknown_key_count, KEYS);
    assert_true(clock() - start < LIMIT_S * CLOCKS_PER_SEC);
    end_run(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_the_same_for_any_workers),
        cmocka_unit_test(is_the_same_for_any_block_size),
        cmocka_unit_test(takes_truncated_logs),
        cmocka_unit_test(writes_all_files),
        cmocka_unit_test(inserts_the_header),
        cmocka_unit_test(splits_the_data_of_the_page),
        cmocka_unit_test(calls_the_watcher),
        cmocka_unit_test(ends_when_the_disk_is_full),
        cmocka_unit_test(splits_ranks),
        cmocka_unit_test(assigns_records_without_a_rank),
        cmocka_unit_test(takes_many_unknown_keys),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}

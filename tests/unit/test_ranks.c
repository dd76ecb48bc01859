/* base/noise, ranks/plan, diverge/diverge and ranks: the logs of several ranks, and where they diverge. */
#define _GNU_SOURCE
#include "ranks_run.h"

#include <yyjson.h>
#include <zlib.h>

#include "base/noise.h"
#include "diverge/diverge.h"
#include "facts/shared_findings.h"
#include "ranks/plan.h"
#include "sink/sinks.h"

static void noise_is_left_out(void **state) {
    struct buf path = {0};
    size_t i, max;
    yyjson_val *row;
    (void)state;
    buf_addf(&path, "%s/noise.json%c", getenv("TLPARSE_TEST_DATA"), 0); /* the page's test uses the same rows */
    yyjson_doc *doc = yyjson_read_file(path.ptr, 0, NULL, NULL);
    assert_non_null(doc);
    assert_true(yyjson_arr_size(yyjson_doc_get_root(doc)) > 5);
    yyjson_arr_foreach(yyjson_doc_get_root(doc), i, max, row) {
        struct buf plain = {0};
        noise_add_without(&plain, json_text(yyjson_arr_get(row, 0)));
        assert_buf(&plain, yyjson_get_str(yyjson_arr_get(row, 1)));
        buf_free(&plain);
    }
    yyjson_doc_free(doc);
    buf_free(&path);
    assert_int_equal(noise_hash(SLICE("f at 0x1 on cuda:0")), noise_hash(SLICE("f at 0xdeadbeef on cuda:7")));
    assert_int_not_equal(noise_hash(SLICE("f(1)")), noise_hash(SLICE("f(2)")));
    assert_int_not_equal(noise_hash(SLICE("")), 0);
}

/* A log of a process, last modified `age` seconds ago. */
static void put(const char *path, int process, int age, const char *records) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "V1206 15:18:15.925000 %d torch/a.py:1] {\"describe_x\": {}}\n%s", process, records);
    fclose(file);
    struct timespec times[2] = {{.tv_sec = 1000000 - age}, {.tv_sec = 1000000 - age}};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void logs_are_planned(void **state) {
    static const struct ranks_log logs[] = {{.path = "none", .has_rank = false, .rank = 0},
                                            {.path = "old", .has_rank = true, .rank = 1},
                                            {.path = "new", .has_rank = true, .rank = 1},
                                            {.path = "zero", .has_rank = true, .rank = 0},
                                            {.path = "gone", .has_rank = true, .rank = 7},
                                            {.path = "early", .has_rank = false, .rank = 0}};
    struct plan plan;
    (void)state;
    put("none", 5, 0,
        "V1206 15:18:15.925000 5 torch/a.py:1] {\"str\": [\"a.py\", 3]}\n"); /* continues the table of strings */
    put("early", 5, 100, "");
    put("old", 9, 50, "");
    put("new", 8, 10, "");
    put("zero", 9, 0, "");
    plan_make(&plan, logs, 6);
    static const char *const dirs[] = {"rank_0", "rank_1", "rank_1-2", "rank_7", "rank_none", "rank_none-2"};
    static const char *const paths[] = {"zero", "new", "old", "gone", "none", "early"};
    for (size_t i = 0; i < 6; i++) {
        assert_string_equal(plan.items[i].dir, dirs[i]);
        assert_string_equal(plan.items[i].log.path, paths[i]);
    }
    assert_false(plan.items[3].readable);
    assert_non_null(strstr(plan.items[3].error, "gone"));
    /* One process wrote "early", then "none": they are read in that order. Two processes wrote logs of rank 1. */
    assert_int_equal(plan.items[5].next, 4);
    assert_true(plan.items[4].follows);
    assert_int_equal(plan.items[2].next, SIZE_MAX);
    assert_false(plan.items[0].follows);
    plan_finish(&plan);
}

/* Facts with compiles "id frame" from the given list; "" for none. */
static struct rank_facts *counts_of(uint64_t rank, const char *const *pairs) {
    struct rank_facts *facts = calloc(1, sizeof *facts);
    assert_non_null(facts);
    facts->has_rank = true;
    facts->rank = rank;
    for (; *pairs; pairs += 2) {
        struct rank_compile *compile = arena_alloc(&facts->arena, sizeof *compile);
        *compile = (struct rank_compile){.id = slice_str(pairs[0]),
                                         .match = slice_str(pairs[0]),
                                         .slot = slice_str(pairs[1]),
                                         .frame = slice_str(pairs[1]),
                                         .status = STATUS_OK};
        ARENA_GROW(&facts->arena, &facts->compiles);
        facts->compiles.items[facts->compiles.count++] = compile;
    }
    return facts;
}

static void groups_diverge_where_they_differ(void **state) {
    static const char *const alike[] = {"0/0", "f", "1/0", "g", NULL}, *const other[] = {"0/0", "f", "1/0", "h",
                                                                                         "2/0", "g", NULL},
                             *const shorter[] = {"0/0", "f", NULL};
    struct rank_facts *facts[] = {counts_of(0, alike), counts_of(1, other), counts_of(2, alike), counts_of(3, shorter),
                                  counts_of(4, alike)};
    struct divergence found;
    struct arena arena = {0};
    (void)state;
    facts[4]->bad = true; /* in no group */
    const struct rank_facts *const *all = (const struct rank_facts *const *)facts;
    const uint32_t *same = ranks_alike(all, 5, &arena);
    assert_int_equal(same[3], 3);
    assert_int_equal(same[4], NO_RANK);
    diverge_find(&found, all, same, 5, ASPECT_COMPILE_IDS, &arena);
    assert_true(found.known);
    assert_int_equal(found.groups.count, 3);
    assert_int_equal(found.groups.items[0].ranks.count, 2);
    assert_int_equal(found.groups.items[0].ranks.items[1], 2);
    assert_int_equal(found.first, 1);
    assert_slice(found.groups.items[0].side.value, "g");
    assert_slice(found.groups.items[1].side.value, "h");
    assert_true(found.groups.items[2].side.ended);
    diverge_find(&found, all, same, 5, ASPECT_COLLECTIVES, &arena);
    assert_false(found.known); /* no rank has any: all are equal */
    assert_int_equal(found.groups.count, 1);
    arena_free(&arena);
    for (size_t i = 0; i < 5; i++) {
        rank_facts_finish(facts[i]);
        free(facts[i]);
    }
}

#define START(frame, name)                                                                                             \
    "V1206 15:18:16.925000 1 torch/a.py:1] {\"rank\": 0, \"compilation_metrics\": {\"co_name\": \"" name               \
    "\", \"co_filename\": \"a.py\", \"co_firstlineno\": 1, \"graph_op_count\": 1}, \"frame_id\": " frame               \
    ", \"frame_compile_id\": 0, \"attempt\": 0}\n"

static void a_bad_log_costs_only_itself(void **state) {
    static const struct ranks_log logs[] = {{.path = "r0", .has_rank = true, .rank = 0},
                                            {.path = "r1", .has_rank = true, .rank = 1},
                                            {.path = "gone", .has_rank = true, .rank = 3}};
    (void)state;
    put("r0", 1, 0, START("0", "f"));
    put("r1", 2, 0, START("0", "f") START("1", "g"));
    for (unsigned workers = 0; workers < 4; workers++) {
        char out[16];
        snprintf(out, sizeof out, "out%u", workers);
        yyjson_doc *doc = run_ranks(logs, 3, workers, out);
        yyjson_val *root = yyjson_doc_get_root(doc), *ranks = yyjson_obj_get(root, "ranks");
        assert_int_equal(yyjson_arr_size(ranks), 3);
        assert_string_equal(yyjson_get_str(yyjson_obj_get(yyjson_arr_get(ranks, 0), "status")), "ok");
        assert_string_equal(yyjson_get_str(yyjson_obj_get(yyjson_arr_get(ranks, 2), "status")), "bad");
        assert_int_equal(yyjson_get_uint(yyjson_arr_get(yyjson_obj_get(root, "missing_ranks"), 0)), 2);
        yyjson_val *ids = yyjson_obj_get(yyjson_obj_get(root, "divergence"), "compile_ids");
        assert_true(yyjson_get_bool(yyjson_obj_get(ids, "diverges")));
        assert_int_equal(yyjson_get_uint(yyjson_obj_get(yyjson_obj_get(ids, "first"), "index")), 1);
        yyjson_doc_free(doc);
    }
}

/* A file about all ranks of one log that cannot be written: the run fails. */
static void a_split_log_reports_a_failed_write(void **state) {
    struct sink *sink = directory_sink_create(AT_FDCWD);
    struct ranks_split *split = ranks_split_create("all.log", sink);
    struct err err = {0};
    struct view_together together = {0};
    (void)state;
    for (uint64_t rank = 0; rank < 2; rank++) {
        struct model model = {.has_rank = true, .rank = rank};
        ranks_split_whole(split, &model, "", &together); /* the only one so far: nothing is written */
        assert_true(ranks_split_good(split, &err));
        model_finish(&model);
    }
    assert_int_equal(mkdir("data", 0777), 0);
    assert_int_equal(mkdir("data/ranks.js", 0777), 0);
    assert_int_equal(mkdir("rank_1", 0777), 0);
    struct model further = {.has_rank = true, .rank = 1, .counters[COUNT_OK] = 1},
                 first = {.has_rank = true, .counters[COUNT_OK] = 1};
    ranks_split_whole(split, &further, "rank_1", &together);
    ranks_split_whole(split, &first, "", &together);
    assert_true(together.known);
    assert_int_equal(together.sums.records, 2);
    assert_buf(&together.unfinished, "[]");
    assert_false(ranks_split_good(split, &err));
    assert_non_null(strstr(err.text, "data/ranks.js"));
    model_finish(&further);
    model_finish(&first);
    ranks_split_destroy(split);
    sink_destroy(sink);
    buf_free(&together.extra);
    buf_free(&together.unfinished);
}

/* The results of all ranks are in the order of ranks, whichever ends first. */
static void results_are_in_order_of_rank(void **state) {
    static const struct ranks_log logs[] = {{.path = "r0", .has_rank = true, .rank = 0},
                                            {.path = "r1", .has_rank = true, .rank = 1}};
    static const char line[] = "V1206 15:18:16.925000 1 torch/a.py:1] {\"rank\": 0, \"describe_tensor\": {}, "
                               "\"frame_id\": 0, \"frame_compile_id\": 0}\n";
    static const char last[] = "V1206 15:18:16.925000 1 torch/a.py:1] {\"late\": {}, \"stack\": [{\"line\": 1}]}\n";
    struct buf slow = {0};
    (void)state;
    for (unsigned i = 0; i < 100000; i++)
        buf_add_lit(&slow, line);
    buf_add_lit(&slow, last);
    buf_add_byte(&slow, 0);
    put("r0", 1, 0, slow.ptr); /* ends long after the other */
    put("r1", 2, 0, "V1206 15:18:16.925000 2 torch/a.py:1] {\"early\": {}, \"stack\": [{\"line\": 1}]}\n");
    for (unsigned workers = 0; workers < 3; workers++) {
        struct ranks_request request = {logs, 2, {.workers = workers}, 0};
        struct ranks_watcher watcher = {0};
        struct pipeline_result result = {0};
        struct err err = {0};
        char out[16];
        snprintf(out, sizeof out, "out%u", workers);
        assert_int_equal(mkdir(out, 0777), 0);
        int dirfd = open(out, O_RDONLY | O_DIRECTORY);
        struct sink *sink = directory_sink_create(dirfd);
        assert_true(ranks_run(&request, sink, &watcher, &result, &err));
        sink_destroy(sink);
        close(dirfd);
        assert_int_equal(result.unknown_key_count, 3); /* the first one is that of put() */
        assert_string_equal(result.unknown_keys[1], "late");
        assert_string_equal(result.unknown_keys[2], "early");
        assert_int_equal(result.no_compile_id, 2);
        assert_string_equal(result.no_compile_id_file, "r0");
        assert_int_equal(result.no_compile_id_line, 100002);
        pipeline_result_finish(&result);
    }
    buf_free(&slow);
}

static void put_bytes(const char *name, const char *bytes, size_t len) {
    FILE *f = fopen(name, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, len, f), len);
    assert_int_equal(fclose(f), 0);
}

static void keep_progress(void *context, const struct ranks_read *read) {
    *(struct ranks_read *)context = *read;
}

/* The progress of all logs ends with the bytes of the files, compressed, and those of the logs. */
static void progress_counts_bytes_of_all_files(void **state) {
    static const struct ranks_log logs[] = {{.path = "r0", .has_rank = true, .rank = 0},
                                            {.path = "r1", .has_rank = true, .rank = 1}};
    static const char line[] = "V1206 15:18:16.925000 1 torch/a.py:1] {\"describe_tensor\": {}}\n";
    uint64_t file_bytes = 0;
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        gzFile file = gzopen(logs[i].path, "wb");
        assert_non_null(file);
        for (unsigned n = 0; n < 1000; n++)
            assert_int_equal(gzwrite(file, line, sizeof line - 1), sizeof line - 1);
        assert_int_equal(gzclose(file), Z_OK);
        struct stat st;
        assert_int_equal(stat(logs[i].path, &st), 0);
        file_bytes += (uint64_t)st.st_size;
    }
    for (unsigned workers = 0; workers < 3; workers++) {
        struct ranks_read last = {0};
        struct ranks_request request = {logs, 2, {.workers = workers, .block_bytes = 4096}, 0};
        struct ranks_watcher watcher = {.context = &last, .progress = keep_progress};
        struct pipeline_result result = {0};
        struct err err = {0};
        struct sink *sink = memory_sink_create();
        assert_true(ranks_run(&request, sink, &watcher, &result, &err));
        sink_destroy(sink);
        pipeline_result_finish(&result);
        assert_int_equal(last.file_bytes, file_bytes);
        assert_int_equal(last.bytes, 2 * 1000 * (sizeof line - 1));
    }
}

static void an_unreadable_compressed_log_is_bad(void **state) {
    static const struct ranks_log logs[] = {{.path = "r0", .has_rank = true, .rank = 0},
                                            {.path = "r1", .has_rank = true, .rank = 1}};
    static const char head[] = "\x1f\x8b\x08\0\0\0\0\0\0\x03"; /* a truncated gzip file */
    (void)state;
    put("r0", 1, 0, START("0", "f"));
    put_bytes("r1", head, sizeof head - 1);
    yyjson_doc *doc = run_ranks(logs, 2, 2, "out");
    yyjson_val *root = yyjson_doc_get_root(doc), *rank = yyjson_arr_get(yyjson_obj_get(root, "ranks"), 1);
    assert_string_equal(yyjson_get_str(yyjson_obj_get(rank, "status")), "bad");
    assert_non_null(strstr(yyjson_get_str(yyjson_obj_get(rank, "error")), "gzip"));
    assert_false(
        yyjson_get_bool(yyjson_obj_get(yyjson_obj_get(yyjson_obj_get(root, "divergence"), "compile_ids"), "diverges")));
    yyjson_doc_free(doc);
}

static void one_rank_may_have_two_logs(void **state) {
    static const struct ranks_log logs[] = {{.path = "first", .has_rank = true, .rank = 0},
                                            {.path = "again", .has_rank = true, .rank = 0}};
    (void)state;
    put("first", 1, 100, START("0", "f"));
    put("again", 2, 0, START("0", "g"));
    yyjson_doc *doc = run_ranks(logs, 2, 1, "two");
    yyjson_val *ranks = yyjson_obj_get(yyjson_doc_get_root(doc), "ranks");
    assert_string_equal(yyjson_get_str(yyjson_arr_get_first(yyjson_obj_get(yyjson_arr_get(ranks, 0), "files"))),
                        "again");
    assert_false(yyjson_get_bool(yyjson_obj_get(yyjson_arr_get(ranks, 0), "older")));
    assert_string_equal(yyjson_get_str(yyjson_obj_get(yyjson_arr_get(ranks, 1), "dir")), "rank_0-2");
    assert_true(yyjson_get_bool(yyjson_obj_get(yyjson_arr_get(ranks, 1), "older")));
    yyjson_doc_free(doc);
    assert_int_equal(access("two/rank_0-2/report.json", F_OK), 0);
}

/* The metrics of a compile with this configuration of Inductor, as JSON in a JSON string. */
#define CONFIGURED(config)                                                                                             \
    "V1206 15:18:16.925000 1 torch/a.py:1] {\"rank\": 0, \"compilation_metrics\": {\"co_name\": \"f\", "               \
    "\"inductor_config\": \"" config "\"}, \"frame_id\": 0, \"frame_compile_id\": 0, \"attempt\": 0}\n"
#define Q "\\\""

/* The array rank_config_differences on one line. */
static void assert_differences(const struct ranks_log *logs, size_t count, const char *expected) {
    for (unsigned workers = 0; workers < 4; workers++) {
        char out[16];
        snprintf(out, sizeof out, "out%u", workers);
        yyjson_doc *doc = run_ranks(logs, count, workers, out);
        yyjson_val *root = yyjson_doc_get_root(doc);
        char *found = yyjson_val_write(yyjson_obj_get(root, "rank_config_differences"), 0, NULL);
        assert_string_equal(found, expected);
        yyjson_val *aspect = yyjson_obj_get(yyjson_obj_get(root, "divergence"), "configuration");
        assert_true(yyjson_get_bool(yyjson_obj_get(aspect, "known")));
        assert_int_equal(yyjson_get_bool(yyjson_obj_get(aspect, "diverges")), strcmp(expected, "[]") != 0);
        free(found);
        yyjson_doc_free(doc);
    }
}

static void settings_differ_between_ranks(void **state) {
    static const struct ranks_log logs[] = {{.path = "r0", .has_rank = true, .rank = 0},
                                            {.path = "r1", .has_rank = true, .rank = 1},
                                            {.path = "r2", .has_rank = true, .rank = 2},
                                            {.path = "r3", .has_rank = true, .rank = 3}};
    (void)state;
    put("r0", 1, 0, CONFIGURED("{" Q "z" Q ": 1, " Q "max_autotune" Q ": false, " Q "only" Q ": [1]}"));
    put("r1", 2, 0, CONFIGURED("{" Q "z" Q ": 1, " Q "max_autotune" Q ": true}"));
    put("r2", 3, 0,
        CONFIGURED("{" Q "z" Q ": 1, " Q "max_autotune" Q ": false, " Q "only" Q ": [1]}")
            CONFIGURED("{" Q "z" Q ": 1, " Q "max_autotune" Q ": true, " Q "only" Q ": [1]}"));
    put("r3", 4, 0, START("0", "f")); /* without a configuration: not compared */
    assert_differences(logs, 4,
                       "[{\"kind\":\"inductor\",\"setting\":\"max_autotune\",\"values\":["
                       "{\"set\":true,\"value\":false,\"ranks\":[0,2]},{\"set\":true,\"value\":true,\"ranks\":[1,2]}]},"
                       "{\"kind\":\"inductor\",\"setting\":\"only\",\"values\":["
                       "{\"set\":true,\"value\":[1],\"ranks\":[0,2]},{\"set\":false,\"value\":null,\"ranks\":[1]}]}]");
}

static void rank_specific_settings_are_not_a_difference(void **state) {
    static const struct ranks_log logs[] = {{.path = "r0", .has_rank = true, .rank = 0},
                                            {.path = "r1", .has_rank = true, .rank = 1}};
    (void)state;
    put("r0", 1, 0,
        CONFIGURED("{" Q "dir" Q ": " Q "/tmp/x_rank0/a" Q ", " Q "cache" Q ": " Q "/data/rank_0/c" Q ", " Q "port" Q
                   ": 29500, " Q "device" Q ": " Q "cuda:0" Q ", " Q "paths" Q ": [" Q "/tmp/a" Q "], " Q "limit" Q
                   ": 8}"));
    put("r1", 2, 0,
        CONFIGURED("{" Q "dir" Q ": " Q "/tmp/x_rank1/a" Q ", " Q "cache" Q ": " Q "/data/rank_1/c" Q ", " Q "port" Q
                   ": 29501, " Q "device" Q ": " Q "cuda:1" Q ", " Q "paths" Q ": [" Q "/tmp/b" Q "], " Q "limit" Q
                   ": 9}"));
    assert_differences(logs, 2,
                       "[{\"kind\":\"inductor\",\"setting\":\"limit\",\"values\":["
                       "{\"set\":true,\"value\":8,\"ranks\":[0]},{\"set\":true,\"value\":9,\"ranks\":[1]}]}]");
}

/* Three ranks are enough to recognize values that are specific to each rank. */
static void settings_that_differ_everywhere_are_not_a_difference(void **state) {
    static const struct ranks_log logs[] = {{.path = "r0", .has_rank = true, .rank = 0},
                                            {.path = "r1", .has_rank = true, .rank = 1},
                                            {.path = "r2", .has_rank = true, .rank = 2}};
    (void)state;
    put("r0", 1, 0, CONFIGURED("{" Q "local" Q ": 0, " Q "host" Q ": " Q "/scratch/n17" Q "}"));
    put("r1", 2, 0, CONFIGURED("{" Q "local" Q ": 1, " Q "host" Q ": " Q "/scratch/n12" Q "}"));
    put("r2", 3, 0, CONFIGURED("{" Q "local" Q ": 2, " Q "host" Q ": " Q "/scratch/n99" Q "}"));
    assert_differences(logs, 3, "[]");
}

/* A number cannot follow the rank if the sum overflows. */
static void a_rank_may_be_any_number(void **state) {
    static const struct ranks_log logs[] = {{.path = "r0", .has_rank = true, .rank = 0},
                                            {.path = "r1", .has_rank = true, .rank = UINT64_C(1) << 63}};
    (void)state;
    put("r0", 1, 0, CONFIGURED("{" Q "port" Q ": 29500}"));
    put("r1", 2, 0, CONFIGURED("{" Q "port" Q ": 29501}"));
    assert_differences(logs, 2,
                       "[{\"kind\":\"inductor\",\"setting\":\"port\",\"values\":["
                       "{\"set\":true,\"value\":29500,\"ranks\":[0]},"
                       "{\"set\":true,\"value\":29501,\"ranks\":[9223372036854775808]}]}]");
}

/* Findings of one rank, in the order of its report. */
static void give(struct rank_facts *facts, const struct rank_finding *findings, size_t count) {
    for (size_t i = 0; i < count; i++) {
        ARENA_GROW(&facts->arena, &facts->findings);
        facts->findings.items[facts->findings.count++] = &findings[i];
    }
}

static void findings_of_ranks_are_merged(void **state) {
    struct rank_facts a = {0}, b = {0};
    const struct rank_facts *const both[] = {&a, &b};
    const struct rank_finding slow[] = {{.kind = FINDING_SLOW_COMPILE,
                                         .severity = SEVERITY_INFO,
                                         .title = SLICE("Compiling `f` took long"),
                                         .place = {SLICE("a.py"), SLICE("f"), 3},
                                         .time_us = 50},
                                        {.kind = FINDING_SLOW_COMPILE,
                                         .severity = SEVERITY_INFO,
                                         .title = SLICE("Compiling `g` took long"),
                                         .place = {SLICE("a.py"), SLICE("f"), 3},
                                         .time_us = 40}};
    const struct rank_finding slower[] = {{.kind = FINDING_SLOW_COMPILE,
                                           .severity = SEVERITY_INFO,
                                           .title = SLICE("Compiling `f` took much longer than most others"),
                                           .place = {SLICE("a.py"), SLICE("f"), 3},
                                           .time_us = 70}};
    struct shared_findings shared;
    (void)state;
    give(&a, slow, 2);
    give(&a, slow, 1); /* another compile of the same function */
    give(&b, slower, 1);
    shared_findings_find(&shared, both, 2);
    assert_int_equal(shared.count, 2);
    assert_slice(shared.items[0].title, "Compiling `f` took long"); /* true on both */
    assert_int_equal(shared.items[0].finding->time_us, 70);
    assert_int_equal(shared.items[0].of, 1);
    assert_int_equal(shared.items[0].ranks.count, 2); /* each rank once */
    assert_slice(shared.items[1].title, "Compiling `g` took long");
    assert_int_equal(shared.items[1].ranks.count, 1);
    shared_findings_finish(&shared);
    arena_free(&a.arena);
    arena_free(&b.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_is_left_out),
        cmocka_unit_test_setup_teardown(logs_are_planned, enter_folder, leave_folder),
        cmocka_unit_test(groups_diverge_where_they_differ),
        cmocka_unit_test(findings_of_ranks_are_merged),
        cmocka_unit_test_setup_teardown(a_bad_log_costs_only_itself, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(progress_counts_bytes_of_all_files, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(an_unreadable_compressed_log_is_bad, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(a_split_log_reports_a_failed_write, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(results_are_in_order_of_rank, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(one_rank_may_have_two_logs, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(settings_differ_between_ranks, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(rank_specific_settings_are_not_a_difference, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(settings_that_differ_everywhere_are_not_a_difference, enter_folder,
                                        leave_folder),
        cmocka_unit_test_setup_teardown(a_rank_may_be_any_number, enter_folder, leave_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* diverge/cache_misses: why a cache missed an entry that another log has. */
#define _GNU_SOURCE
#include "ranks_run.h"

#include <yyjson.h>

static void add(struct buf *log, int64_t rank, int frame, const char *fields, const char *payload) {
    struct buf all = {0};
    buf_addf(&all, "%s, ", fields);
    if (rank >= 0)
        buf_addf(&all, "\"rank\": %lld, ", (long long)rank);
    buf_addf(&all, "\"frame_id\": %d, \"frame_compile_id\": 0, \"attempt\": 0%c", frame, 0);
    if (payload)
        log_payload(log, all.ptr, payload);
    else
        log_record(log, all.ptr);
    buf_free(&all);
}

/* A compile that looked up a key in the FX graph cache. `key` determines the key, its components and the function. */
struct asked {
    const char *result, *key, *graph, *input, *function;
    int line;
    const char *folder; /* of its file; NULL: none */
};

static void compile(struct buf *log, int64_t rank, int frame, struct asked asked) {
    struct buf fields = {0}, json = {0};
    buf_addf(&fields, "\"artifact\": {\"name\": \"fx_graph_cache_%s\", \"encoding\": \"json\"}%c", asked.result, 0);
    buf_addf(&json, "{\"key\": \"%s\", \"time_taken_ns\": 1000000, \"components\": [", asked.key);
    if (asked.graph)
        buf_addf(&json, "\"[%s] gm: f()\", \"[%s] example_inputs[0]: %s\", \"[c] config[a]: 1\", \"[d] config[b]: 2\"",
                 asked.graph, asked.input, asked.input);
    buf_addf(&json, "]}%c", 0);
    add(log, rank, frame, fields.ptr, json.ptr);
    fields.len = 0;
    buf_addf(&fields,
             "\"compilation_metrics\": {\"co_name\": \"%s\", \"co_filename\": \"%sa.py\", \"co_firstlineno\": %d, "
             "\"graph_op_count\": 1}%c",
             asked.function, asked.folder ? asked.folder : "", asked.line, 0);
    add(log, rank, frame, fields.ptr, NULL);
    buf_free(&fields);
    buf_free(&json);
}

static yyjson_val *cause(yyjson_doc *doc, size_t place) {
    return yyjson_arr_get(yyjson_doc_ptr_get(doc, "/cache_misses/list"), place);
}

static size_t causes(yyjson_doc *doc) {
    return yyjson_arr_size(yyjson_doc_ptr_get(doc, "/cache_misses/list"));
}

static void assert_text(yyjson_val *object, const char *pointer, const char *expected) {
    const char *text = yyjson_get_str(yyjson_ptr_get(object, pointer));
    assert_non_null(text);
    assert_string_equal(text, expected);
}

/* The runs are of one program, whose files are in another folder each time. */
static void functions_are_found_in_another_folder(void **state) {
    (void)state;
    struct buf first = {0}, second = {0};
    compile(&first, -1, 0, (struct asked){"miss", "a", "g1", "4", "f", 3, "/one/"});
    compile(&first, -1, 1, (struct asked){"miss", "b", "g2", "4", "moved", 9, "/one/"});
    compile(&first, -1, 2, (struct asked){"miss", "c", "g3", "4", "twice", 12, "/one/x/"});
    compile(&first, -1, 3, (struct asked){"miss", "d", "g4", "4", "twice", 12, "/one/y/"});
    compile(&second, -1, 0, (struct asked){"miss", "a2", "g5", "4", "f", 3, "/two/"});
    compile(&second, -1, 1, (struct asked){"miss", "b2", "g6", "4", "moved", 10, "/two/"});
    compile(&second, -1, 2, (struct asked){"miss", "c2", "g7", "4", "twice", 12, "/two/x/"}); /* of which of them? */
    save_log(&first, "0");
    save_log(&second, "1");
    yyjson_doc *doc = report_of(2, false, 1);
    assert_int_equal(causes(doc), 2);
    assert_text(cause(doc, 0), "/kind", "graph");
    assert_int_equal(yyjson_get_uint(yyjson_ptr_get(cause(doc, 0), "/count")), 2);
    assert_text(cause(doc, 0), "/nearest/compile", "0/0");
    assert_text(cause(doc, 1), "/kind", "new");
    yyjson_doc_free(doc);
}

static void explains_a_warm_start(void **state) {
    (void)state;
    struct buf first = {0}, second = {0};
    compile(&first, -1, 0, (struct asked){"miss", "a", "g1", "4", "f", 3, NULL});
    compile(&first, -1, 1, (struct asked){"miss", "b", "g2", "4", "g", 9, NULL});
    compile(&first, -1, 2, (struct asked){"miss", "c", "g3", "4", "h", 12, NULL});
    compile(&first, -1, 3, (struct asked){"miss", "z", NULL, NULL, "bare", 20, NULL});
    compile(&second, -1, 0, (struct asked){"miss", "a2", "g1", "6", "f", 3, NULL}); /* other inputs */
    compile(&second, -1, 1,
            (struct asked){"miss", "b2", "g9", "4", "g", 10, NULL});                /* another graph, at another line */
    compile(&second, -1, 2, (struct asked){"miss", "c", "g3", "4", "h", 12, NULL}); /* the same key */
    compile(&second, -1, 3, (struct asked){"miss", "z2", NULL, NULL, "bare", 20, NULL}); /* components not logged */
    compile(&second, -1, 4, (struct asked){"miss", "n", "g7", "4", "new", 30, NULL});
    compile(&second, -1, 5, (struct asked){"hit", "d", "g1", "8", "f", 3, NULL}); /* not a miss */
    save_log(&first, "0");
    save_log(&second, "1");
    yyjson_doc *doc = report_of(2, false, 1);
    assert_int_equal(causes(doc), 5);
    assert_text(cause(doc, 4), "/kind", "not_logged");
    assert_text(cause(doc, 4), "/why",
                "The key of [3/0] in 1 differs from that of [3/0] in 0. The log lacks the components of these keys.");
    assert_text(cause(doc, 0), "/kind", "components");
    assert_text(cause(doc, 0), "/title",
                "`example_inputs[0]` differs from an earlier run: 1 miss in the FX graph cache");
    assert_text(cause(doc, 0), "/why",
                "The key of [0/0] in 1 differs from that of [0/0] in 0: `example_inputs[0]` is `6`, in 0 `4`.");
    assert_int_equal(yyjson_get_uint(yyjson_ptr_get(cause(doc, 0), "/time_us")), 1000);
    assert_text(cause(doc, 1), "/kind", "graph");
    assert_text(cause(doc, 1), "/nearest/compile", "1/0");
    assert_text(cause(doc, 2), "/kind", "same_key");
    assert_text(cause(doc, 2), "/nearest/result", "miss");
    assert_text(cause(doc, 3), "/kind", "new");
    assert_text(cause(doc, 3), "/misses/0/compile", "4/0");
    yyjson_doc_free(doc);
}

/* Two functions with the same name in the earlier run: it is unknown which one moved. */
static void ignores_other_functions_of_the_name(void **state) {
    (void)state;
    struct buf first = {0}, second = {0};
    compile(&first, -1, 0, (struct asked){"miss", "a", "g1", "4", "forward", 3, NULL});
    compile(&first, -1, 1, (struct asked){"miss", "b", "g2", "4", "forward", 9, NULL});
    compile(&second, -1, 0, (struct asked){"miss", "c", "g3", "4", "forward", 5, NULL});
    save_log(&first, "0");
    save_log(&second, "1");
    yyjson_doc *doc = report_of(2, false, 1);
    assert_int_equal(causes(doc), 1);
    assert_text(cause(doc, 0), "/kind", "new");
    yyjson_doc_free(doc);
}

/* The second and third of three runs miss for the same reason: each is counted separately. */
static void counts_the_misses_of_one_run(void **state) {
    (void)state;
    static const char *const inputs[] = {"4", "6", "8"};
    for (int run = 0; run < 3; run++) {
        struct buf log = {0};
        char name[4], key[8];
        snprintf(name, sizeof name, "%d", run);
        for (int f = 0; f <= run; f++) {
            const char *const functions[] = {"f", "g", "h"}, *const graphs[] = {"g1", "g2", "g3"};
            snprintf(key, sizeof key, "k%d%d", f, run);
            compile(&log, -1, f, (struct asked){"miss", key, graphs[f], inputs[run], functions[f], 3 + f, NULL});
        }
        save_log(&log, name);
    }
    yyjson_doc *doc = report_of(3, false, 1);
    for (size_t i = 0; i < causes(doc); i++) {
        yyjson_val *found = cause(doc, i);
        const char *run = yyjson_get_str(yyjson_obj_get(found, "run"));
        size_t listed = yyjson_arr_size(yyjson_obj_get(found, "misses"));
        assert_int_equal(yyjson_get_uint(yyjson_obj_get(found, "count")), listed);
        for (size_t m = 0; m < listed; m++)
            assert_string_equal(yyjson_get_str(
                                    yyjson_obj_get(yyjson_arr_get(yyjson_obj_get(found, "misses"), m), "dir")),
                                run);
    }
    assert_int_equal(causes(doc), 4);
    assert_text(cause(doc, 0), "/run", "rank_none-2");
    assert_text(cause(doc, 0), "/title",
                "`example_inputs[0]` differs from an earlier run: 1 miss in the FX graph cache");
    assert_text(cause(doc, 2), "/run", "rank_none-3");
    assert_text(cause(doc, 2), "/title",
                "`example_inputs[0]` differs from an earlier run: 2 misses in the FX graph cache");
    yyjson_doc_free(doc);
}

/* Jobs of two ranks: logs "JOBRANK". */
static yyjson_doc *report_of_jobs(size_t jobs, unsigned workers) {
    static int runs;
    struct ranks_log members[4][2], logs[4];
    char paths[4][2][300], names[4][8], out[32];
    assert_true(jobs <= 4);
    for (size_t j = 0; j < jobs; j++) {
        snprintf(names[j], sizeof names[j], "job%u", (unsigned)j % 10);
        for (size_t r = 0; r < 2; r++) {
            char file[8];
            snprintf(file, sizeof file, "%u%u", (unsigned)j % 10, (unsigned)r % 10);
            snprintf(paths[j][r], sizeof paths[j][r], "%s", scratch_path(file));
            members[j][r] = (struct ranks_log){.path = paths[j][r], .has_rank = true, .rank = r};
        }
        logs[j] = (struct ranks_log){.path = paths[j][0],
                                     .place = j,
                                     .name = names[j],
                                     .members = members[j],
                                     .member_count = 2};
    }
    snprintf(out, sizeof out, "jobs%d", runs++);
    return run_ranks(logs, jobs, workers, scratch_path(out));
}

static void compares_jobs_rank_by_rank(void **state) {
    (void)state;
    for (int job = 0; job < 2; job++)
        for (int rank = 0; rank < 2; rank++) {
            struct buf log = {0};
            char name[8];
            snprintf(name, sizeof name, "%d%d", job, rank);
            compile(&log, rank, 0, (struct asked){job ? "hit" : "miss", "same", "g0", "4", "same", 3, NULL});
            compile(&log, rank, 1, (struct asked){"miss", job ? "k2" : "k1", "g1", job ? "6" : "4", "f", 9, NULL});
            if (rank == 1)
                compile(&log, rank, 2, (struct asked){"miss", "own", "g2", "4", "own", 12, NULL});
            save_log(&log, name);
        }
    for (unsigned workers = 0; workers < 3; workers++) {
        yyjson_doc *doc = report_of_jobs(2, workers);
        assert_int_equal(causes(doc), 2);
        assert_text(cause(doc, 0), "/run", "run_2");
        assert_text(cause(doc, 0), "/title",
                    "`example_inputs[0]` differs from an earlier run: 2 misses in the FX graph cache");
        assert_text(cause(doc, 0), "/why",
                    "The key of [1/0] on rank 0 of job1 differs from that of [1/0] on rank 0 of job0: "
                    "`example_inputs[0]` is `6`, on rank 0 of job0 `4`.");
        assert_text(cause(doc, 0), "/misses/0/dir", "run_2/rank_0");
        assert_text(cause(doc, 0), "/misses/1/dir", "run_2/rank_1");
        assert_text(cause(doc, 0), "/nearest/dir", "run_1/rank_0");
        assert_text(cause(doc, 1), "/kind", "same_key");
        assert_text(cause(doc, 1), "/misses/0/dir", "run_2/rank_1");
        assert_text(cause(doc, 1), "/misses/0/compile", "2/0");
        assert_int_equal(yyjson_get_uint(yyjson_obj_get(cause(doc, 1), "count")), 1);
        yyjson_doc_free(doc);
    }
}

static void make_ranks(void) {
    for (int rank = 0; rank < 8; rank++) {
        struct buf log = {0};
        char name[4], key[16], input[16];
        snprintf(name, sizeof name, "%d", rank);
        compile(&log, rank, 0, (struct asked){rank ? "hit" : "miss", "shared", "g0", "4", "shared", 3, NULL});
        snprintf(key, sizeof key, "k%d", rank);
        snprintf(input, sizeof input, "cuda:%d", rank);
        compile(&log, rank, 1, (struct asked){"miss", key, "g1", input, "each", 9, NULL});
        compile(&log, rank, 2,
                (struct asked){"miss", rank < 7 ? "most" : "odd", "g2", rank < 7 ? "4" : "5", "odd", 12, NULL});
        save_log(&log, name);
    }
}

/* A key that all ranks look up explains nothing. Each other miss is explained by a rank without that key. */
static void explains_misses_between_ranks(void **state) {
    (void)state;
    make_ranks();
    yyjson_doc *doc = report_of(8, true, 4);
    assert_int_equal(causes(doc), 1); /* both functions have the same difference */
    assert_text(cause(doc, 0), "/title", "`example_inputs[0]` differs between ranks: 16 misses in the FX graph cache");
    assert_text(cause(doc, 0), "/why",
                "The key of [1/0] on rank 0 differs from that of [1/0] on rank 1: `example_inputs[0]` is `cuda:0`, on "
                "rank 1 `cuda:1`.");
    yyjson_val *misses = yyjson_obj_get(cause(doc, 0), "misses");
    assert_int_equal(yyjson_arr_size(misses), 16);
    for (size_t i = 0; i < 16; i++)
        assert_string_not_equal(yyjson_get_str(yyjson_obj_get(yyjson_arr_get(misses, i), "compile")), "0/0");
    yyjson_doc_free(doc);
}

static char *misses_with(unsigned workers) {
    yyjson_doc *doc = report_of(8, true, workers);
    char *text = yyjson_val_write(yyjson_doc_ptr_get(doc, "/cache_misses"), 0, NULL);
    assert_non_null(text);
    yyjson_doc_free(doc);
    return text;
}

static void is_the_same_for_any_number_of_threads(void **state) {
    (void)state;
    make_ranks();
    char *one = misses_with(0);
    for (int i = 0; i < 3; i++) {
        char *many = misses_with(8);
        assert_string_equal(one, many);
        free(many);
    }
    free(one);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(explains_a_warm_start),
        cmocka_unit_test(functions_are_found_in_another_folder),
        cmocka_unit_test(ignores_other_functions_of_the_name),
        cmocka_unit_test(counts_the_misses_of_one_run),
        cmocka_unit_test(compares_jobs_rank_by_rank),
        cmocka_unit_test(explains_misses_between_ranks),
        cmocka_unit_test(is_the_same_for_any_number_of_threads),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}

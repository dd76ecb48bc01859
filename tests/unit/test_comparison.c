/* compare/comparison and base/match: differences between runs. */
#define _GNU_SOURCE
#include "ranks_run.h"

#include <yyjson.h>

#include "base/match.h"
#include "compare/comparison.h"

static struct match_item item(const char *key, uint64_t line) {
    return (struct match_item){.key = slice_str(key), .line = line};
}

/* Matches of a and b as pairs of places; -1: none. */
static void assert_found(const struct matches *matches, const char *expected) {
    struct buf text = {0};
    for (size_t i = 0; i < matches->count; i++)
        buf_addf(&text, "%d-%d ", (int)matches->items[i].a, (int)matches->items[i].b);
    assert_buf(&text, expected);
    buf_free(&text);
}

static void assert_matches(const struct match_item *a, size_t a_count, const struct match_item *b, size_t b_count,
                           const char *expected) {
    struct matches matches;
    matches_find(&matches, a, a_count, b, b_count);
    assert_found(&matches, expected);
    matches_finish(&matches);
}

static void matches_by_line_first_and_then_in_order(void **state) {
    (void)state;
    const struct match_item a[] = {item("f", 3), item("forward", 10), item("forward", 20), item("old", 1)};
    const struct match_item b[] = {item("new", 5), item("forward", 20), item("forward", 12), item("f", 4)};
    assert_matches(a, 4, b, 4, "0-3 1-2 2-1 3--1 -1-0 ");
    const struct match_item two[] = {item("g", 7), item("g", 8)}, one[] = {item("g", 8)};
    assert_matches(two, 2, one, 1, "0--1 1-0 ");
    assert_matches(one, 1, two, 2, "0-1 -1-0 ");
    assert_matches(NULL, 0, one, 1, "-1-0 ");
    assert_matches(NULL, 0, NULL, 0, "");
}

/* The matches after renamed items are joined. */
static void assert_joined(const struct match_item *a, size_t a_count, const struct match_item *b, size_t b_count,
                          const char *expected) {
    struct matches matches;
    matches_find(&matches, a, a_count, b, b_count);
    matches_join_renamed(&matches, a, a_count, b, b_count);
    assert_found(&matches, expected);
    matches_finish(&matches);
}

static struct match_item function(const char *key, const char *file, uint64_t line, uint64_t ops) {
    return (struct match_item){.key = slice_str(key), .line = line, .file = slice_str(file), .weight = ops};
}

static void joins_what_was_renamed_in_place(void **state) {
    (void)state;
    const struct match_item a[] = {function("f", "m", 3, 1), function("old", "m", 9, 4), function("g", "m", 20, 2)};
    const struct match_item moved[] = {function("f", "m", 5, 1), function("new", "m", 12, 4),
                                       function("g", "m", 23, 2)};
    assert_joined(a, 3, moved, 3, "0-0 1-1 2-2 "); /* between the same neighbors, as many ops */
    const struct match_item edited[] = {function("f", "m", 3, 1), function("new", "m", 9, 7),
                                        function("g", "m", 23, 2)};
    assert_joined(a, 3, edited, 3, "0-0 1-1 2-2 "); /* on the same line */
    const struct match_item alone[] = {function("old", "m", 9, 4)}, other[] = {function("new", "m", 12, 4)};
    assert_joined(alone, 1, other, 1, "0-0 ");
}

static void joins_nothing_else(void **state) {
    (void)state;
    const struct match_item a[] = {function("f", "m", 3, 1), function("old", "m", 9, 4), function("g", "m", 20, 2)};
    const struct match_item others[][3] = {
        {function("f", "m", 5, 1), function("new", "m", 12, 5), function("g", "m", 23, 2)},         /* other ops */
        {function("f", "m", 5, 1), function("g", "m", 12, 2), function("new", "m", 23, 4)},         /* behind g */
        {function("f", "m", 5, 1), function("new", "n", 12, 4), function("g", "m", 23, 2)},         /* another file */
        {function("f", "m", 5, 1), function("new", "", 9, 4), function("g", "m", 23, 2)},           /* no file */
        {function("f", "m", 5, 1), function("new", "m", UINT64_MAX, 4), function("g", "m", 23, 2)}, /* no line */
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_joined(a, 3, others[i], 3, i == 1 ? "0-0 1--1 2-1 -1-2 " : "0-0 1--1 2-2 -1-1 ");
    const struct match_item unknown[] = {function("old", "m", 9, 0)}, too[] = {function("new", "m", 12, 0)};
    assert_joined(unknown, 1, too, 1, "0--1 -1-0 "); /* the number of ops is unknown */
    const struct match_item two[] = {function("x", "m", 12, 4), function("y", "m", 14, 4)};
    const struct match_item old[] = {function("old", "m", 9, 4)};
    assert_joined(old, 1, two, 2, "0--1 -1-0 -1-1 "); /* it could be either */
}

static struct match_item function_named(const char *name, const char *key, const char *file, uint64_t line,
                                        uint64_t ops) {
    return (struct match_item){slice_str(key), line, slice_str(name), slice_str(file), ops};
}

static void joins_what_resumes_a_renamed_function(void **state) {
    (void)state;
    enum { LINE = 3 };
    const struct match_item a[] = {function_named("old", "old m.py", "/x/m.py", LINE, 2),
                                   function_named("torch_dynamo_resume_in_old_at_4",
                                                  "torch_dynamo_resume_in_old_at_ m.py", "/x/m.py", LINE, 2),
                                   function_named("torch_dynamo_resume_in_old_at_6",
                                                  "torch_dynamo_resume_in_old_at_ m.py", "/x/m.py", LINE, 2)};
    const struct match_item b[] = {function_named("new", "new m.py", "/x/m.py", LINE + 9, 2),
                                   function_named("torch_dynamo_resume_in_new_at_13",
                                                  "torch_dynamo_resume_in_new_at_ m.py", "/x/m.py", LINE + 9, 2),
                                   function_named("torch_dynamo_resume_in_new_at_15",
                                                  "torch_dynamo_resume_in_new_at_ m.py", "/x/m.py", LINE + 9, 2)};
    assert_joined(a, 3, b, 3, "0-0 1-1 2-2 ");
    assert_joined(a, 3, b, 2, "0-0 1-1 2--1 ");
    assert_joined(a, 2, b, 3, "0-0 1-1 -1-2 ");
}

static void joins_in_a_moved_folder(void **state) {
    (void)state;
    const struct match_item a[] = {function("f", "/x/m.py", 3, 1), function("old", "/x/m.py", 9, 4)};
    const struct match_item b[] = {function("f", "/y/m.py", 3, 1), function("new", "/y/m.py", 9, 5)};
    assert_joined(a, 2, b, 2, "0-0 1-1 ");
    const struct match_item two[] = {function("f", "/y/m.py", 3, 1), function("new", "/z/m.py", 9, 5)};
    assert_joined(a, 2, two, 2, "0-0 1--1 -1-1 "); /* which of them it was is not known */
    const struct match_item both[] = {function("f", "/x/m.py", 3, 1), function("new", "/y/m.py", 9, 5)};
    assert_joined(a, 2, both, 2, "0-0 1--1 -1-1 ");
}

static void assert_old(const struct renames *renames, const char *text, const char *expected) {
    struct buf out = {0};
    bool differs = renames_apply(renames, slice_str(text), &out);
    assert_int_equal(differs, strcmp(text, expected) != 0);
    buf_add_byte(&out, 0);
    assert_string_equal(out.ptr, expected);
    buf_free(&out);
}

static void texts_get_the_old_names(void **state) {
    (void)state;
    struct renames renames = {0};
    renames_add(&renames, SLICE("old"), SLICE("new"));
    renames_add(&renames, SLICE("one"), SLICE("both"));
    renames_add(&renames, SLICE("two"), SLICE("both"));
    renames_add(&renames, SLICE("<lambda>"), SLICE("named"));
    renames_add(&renames, SLICE("torch_dynamo_resume_in_x_at_1"), SLICE("y"));
    assert_old(&renames, "`new` at m.py:3 in Model.new, not newer or renew",
               "`old` at m.py:3 in Model.old, not newer or renew");
    assert_old(&renames, "torch_dynamo_resume_in_new_at_12", "torch_dynamo_resume_in_old_at_12");
    assert_old(&renames, "torch_dynamo_resume_in_new_at_ m.py", "torch_dynamo_resume_in_old_at_ m.py");
    assert_old(&renames, "torch_dynamo_resume_in_", "torch_dynamo_resume_in_");
    assert_old(&renames, "torch_dynamo_resume_in__at_", "torch_dynamo_resume_in__at_");
    assert_old(&renames, "both named y", "both named y");
    assert_old(&renames, "", "");
    renames_free(&renames);
}

static void a_name_that_both_runs_have_is_no_new_one(void **state) {
    (void)state;
    /* "g" became "h" in one file; another file has an "h" before, too. */
    const struct match_item a[] = {function_named("f", "f m", "m", 3, 1), function_named("g", "g m", "m", 9, 4),
                                   function_named("h", "h n", "n", 1, 2)};
    const struct match_item b[] = {function_named("f", "f m", "m", 3, 1), function_named("h", "h m", "m", 9, 4),
                                   function_named("h", "h n", "n", 1, 2)};
    for (size_t count = 2; count <= 3; count++) {
        struct renames renames = {0};
        struct matches matches;
        matches_find(&matches, a, count, b, count);
        matches_join_renamed(&matches, a, count, b, count);
        matches_add_renames(&matches, a, count, b, count, &renames);
        assert_old(&renames, "h", count == 2 ? "g" : "h");
        matches_finish(&matches);
        renames_free(&renames);
    }
}

static void metrics(struct buf *log, int frame, int compile, const char *function, int line, int64_t time_us,
                    const char *more) {
    struct buf fields = {0};
    buf_addf(&fields,
             "\"compilation_metrics\": {\"co_name\": \"%s\", \"co_filename\": \"/x/m.py\", \"co_firstlineno\": %d, "
             "\"graph_op_count\": %d, \"guard_count\": 4, \"duration_us\": %lld%s}, \"frame_id\": %d, "
             "\"frame_compile_id\": %d, \"attempt\": 0%c",
             function, line, line, (long long)time_us, more, frame, compile, 0);
    log_record(log, fields.ptr);
    buf_free(&fields);
}

static void reason(struct buf *log, int frame, int compile, const char *text) {
    struct buf fields = {0}, payload = {0};
    buf_addf(&fields,
             "\"artifact\": {\"name\": \"recompile_reasons\", \"encoding\": \"json\"}, \"frame_id\": %d, "
             "\"frame_compile_id\": %d, \"attempt\": 0%c",
             frame, compile, 0);
    buf_addf(&payload, "[\"%s\"]%c", text, 0);
    log_payload(log, fields.ptr, payload.ptr);
    buf_free(&fields);
    buf_free(&payload);
}

static yyjson_val *pair_of(yyjson_doc *doc, size_t place) {
    yyjson_val *pair = yyjson_arr_get(yyjson_doc_ptr_get(doc, "/comparison/pairs"), place);
    assert_non_null(pair);
    return pair;
}

static yyjson_val *named(yyjson_val *list, const char *name) {
    size_t i, max;
    yyjson_val *found;
    yyjson_arr_foreach(list, i, max, found) {
        if (yyjson_equals_str(yyjson_obj_get(found, "name"), name))
            return found;
    }
    fail_msg("there is no %s", name);
    return NULL;
}

/* The value as JSON. */
static void assert_json(yyjson_val *value, const char *pointer, const char *expected) {
    yyjson_val *found = *pointer ? yyjson_ptr_get(value, pointer) : value;
    assert_non_null(found);
    char *text = yyjson_val_write(found, 0, NULL);
    assert_string_equal(text, expected);
    free(text);
}

static void compares_functions(void **state) {
    (void)state;
    struct buf first = {0}, second = {0};
    metrics(&first, 0, 0, "f", 3, 1000, "");
    metrics(&first, 1, 0, "torch_dynamo_resume_in_f_at_5", 5, 100, "");
    metrics(&first, 2, 0, "old", 9, 50, "");
    metrics(&first, 3, 0, "steady", 12, 2000, "");
    metrics(&second, 0, 0, "f", 3, 400, "");
    reason(&second, 0, 1, "0/0: L['x'] == 3");
    metrics(&second, 0, 1, "f", 3, 1600, "");
    metrics(&second, 1, 0, "torch_dynamo_resume_in_f_at_7", 7, 10, "");
    metrics(&second, 2, 0, "added", 20, 60, "");
    metrics(&second, 3, 0, "steady", 12, 2100, ""); /* 5 %: within the tolerance */
    save_log(&first, "0");
    save_log(&second, "1");
    yyjson_doc *doc = report_of(2, false, 1);
    yyjson_val *pair = pair_of(doc, 0), *log = yyjson_ptr_get(pair, "/logs/0"),
               *functions = yyjson_obj_get(log, "functions");
    assert_json(pair, "/a", "\"rank_none\"");
    assert_json(pair, "/b", "\"rank_none-2\"");
    assert_json(pair, "/ranks", "[]");
    assert_json(log, "/rank", "null");
    assert_json(log, "/function_counts", "{\"new\":1,\"gone\":1,\"slower\":1,\"faster\":1,\"same\":1}");
    assert_json(functions, "/0/name", "\"f\""); /* largest change first */
    yyjson_val *f = named(functions, "f");
    assert_json(f, "/change", "\"slower\"");
    assert_json(f, "/delta_us", "1000");
    assert_json(f, "/sides/1/compiles", "[\"0/0\",\"0/1\"]");
    assert_json(f, "/sides/1/recompiles", "1");
    assert_json(f, "/new_reasons", "[\"0/0: L['x'] == 3\"]");
    assert_json(f, "/gone_reasons", "[]");
    assert_json(f, "/compared", "[\"0/0\",\"0/0\"]");
    assert_json(named(yyjson_obj_get(f, "differs"), "guards"), "/values", "[4,8]");
    yyjson_val *moved = named(functions, "torch_dynamo_resume_in_f_at_5");
    assert_json(moved, "/change", "\"faster\"");
    assert_json(moved, "/sides/1/name", "\"torch_dynamo_resume_in_f_at_7\"");
    assert_json(moved, "/sides/1/line", "7");
    assert_json(named(functions, "steady"), "/change", "\"same\"");
    assert_json(named(functions, "steady"), "/differs", "[]");
    assert_json(named(functions, "old"), "/sides/1", "null");
    assert_json(named(functions, "old"), "/compared", "null");
    assert_json(named(functions, "added"), "/change", "\"new\"");
    yyjson_val *figures = yyjson_obj_get(pair, "figures");
    assert_json(named(figures, "compile_time"), "/values", "[3150,4170]");
    assert_json(named(figures, "compile_time"), "/verdict", "\"worse\"");
    assert_json(named(figures, "recompiles"), "/delta", "1");
    assert_json(named(figures, "failures"), "/verdict", "\"same\"");
    assert_json(named(figures, "ops"), "/verdict", "\"more\"");
    yyjson_doc_free(doc);
}

/* After torch._dynamo.reset(), an id is reused: compiles are matched by generation, otherwise the first of each. */
static void pairs_compiles_by_generation(void **state) {
    (void)state;
    struct buf first = {0}, second = {0}, third = {0};
    metrics(&first, 0, 0, "f", 3, 10, "");
    metrics(&first, 0, 0, "f", 3, 10, "");
    metrics(&second, 0, 0, "g", 9, 10, "");
    metrics(&second, 0, 0, "f", 3, 10, "");
    metrics(&third, 3, 0, "f", 3, 10, "");
    save_log(&first, "0");
    save_log(&second, "1");
    save_log(&third, "2");
    yyjson_doc *doc = report_of(3, false, 1);
    assert_json(named(yyjson_ptr_get(pair_of(doc, 0), "/logs/0/functions"), "f"), "/compared", "[\"0/0#2\",\"0/0#2\"]");
    assert_json(named(yyjson_ptr_get(pair_of(doc, 1), "/logs/0/functions"), "f"), "/compared", "[\"0/0\",\"3/0\"]");
    yyjson_doc_free(doc);
}

static void compares_findings_without_their_numbers(void **state) {
    (void)state;
    for (int run = 0; run < 2; run++) {
        struct buf log = {0};
        for (int n = 0; n < 3 + run; n++) {
            if (n)
                reason(&log, 0, n, "0/0: L['x'] == 3");
            metrics(&log, 0, n, "f", 3, 1000, "");
        }
        if (run) {
            metrics(&log, 1, 0, "g", 9, 1000, "");
            reason(&log, 1, 1, "1/0: L['y'] == 4");
            metrics(&log, 1, 1, "g", 9, 1000, "");
        }
        save_log(&log, run ? "1" : "0");
    }
    yyjson_doc *doc = report_of(2, false, 0);
    yyjson_val *findings = yyjson_obj_get(pair_of(doc, 0), "findings");
    assert_int_equal(yyjson_arr_size(yyjson_obj_get(findings, "new")), 1);
    assert_json(findings, "/new/0/title", "\"`g` recompiled once\"");
    assert_json(findings, "/gone", "[]");
    assert_json(findings, "/same", "1"); /* f recompiled 2 times, then 3 times */
    yyjson_doc_free(doc);
}

static void compares_all_values_of_settings(void **state) {
    (void)state;
    static const char config[] = ", \"dynamo_config\": \"{\\\"x\\\": %s, \\\"y\\\": \\\"a\\\", \\\"z\\\": null}\"";
    struct buf first = {0}, second = {0};
    char nine[128], one[128];
    snprintf(nine, sizeof nine, config, "9");
    snprintf(one, sizeof one, config, "1");
    metrics(&first, 0, 0, "f", 3, 10, nine);
    metrics(&first, 1, 0, "g", 4, 10, one);
    metrics(&first, 2, 0, "h", 5, 10, one);
    metrics(&second, 0, 0, "f", 3, 10, ", \"dynamo_config\": \"{\\\"x\\\": 1, \\\"y\\\": \\\"a\\\"}\"");
    save_log(&first, "0");
    save_log(&second, "1");
    struct buf third = {0};
    metrics(&third, 0, 0, "f", 3, 10, "");
    save_log(&third, "2");
    yyjson_doc *doc = report_of(3, false, 1);
    assert_json(pair_of(doc, 0), "/logs/0/settings",
                "[{\"kind\":\"dynamo\",\"setting\":\"x\",\"values\":[[1,9],[1]]},"
                "{\"kind\":\"dynamo\",\"setting\":\"z\",\"values\":[[null],[]]}]");
    assert_json(pair_of(doc, 1), "/logs/0/settings", "null"); /* the third log has none */
    yyjson_doc_free(doc);
}

static void does_not_compare_ranks_as_runs(void **state) {
    (void)state;
    for (int run = 0; run < 2; run++) {
        struct buf log = {0};
        metrics(&log, 0, 0, "f", 3, 10, "");
        save_log(&log, run ? "1" : "0");
    }
    yyjson_doc *doc = report_of(2, true, 1);
    assert_null(yyjson_doc_ptr_get(doc, "/comparison"));
    yyjson_doc_free(doc);
}

/* With many runs, the first is compared with each, and each with the next. */
static void bounds_the_pairs(void **state) {
    (void)state;
    for (int run = 0; run < 14; run++) {
        struct buf log = {0};
        char name[8];
        snprintf(name, sizeof name, "%d", run);
        metrics(&log, 0, 0, "f", 3, 10, "");
        save_log(&log, name);
    }
    yyjson_doc *few = report_of(12, false, 1), *many = report_of(14, false, 1);
    assert_int_equal(yyjson_arr_size(yyjson_doc_ptr_get(few, "/comparison/pairs")), 66);
    assert_int_equal(yyjson_get_uint(yyjson_doc_ptr_get(few, "/comparison/more")), 0);
    assert_int_equal(yyjson_arr_size(yyjson_doc_ptr_get(many, "/comparison/pairs")), 13 + 12);
    assert_int_equal(yyjson_get_uint(yyjson_doc_ptr_get(many, "/comparison/more")), 91 - 25);
    yyjson_doc_free(few);
    yyjson_doc_free(many);
}

/* A job against a job, and against a log: functions are compared for a rank. */
static void compares_jobs_rank_by_rank(void **state) {
    (void)state;
    struct ranks_log members[2], logs[2];
    char paths[3][300];
    for (int n = 0; n < 3; n++) {
        struct buf log = {0};
        char name[8];
        snprintf(name, sizeof name, "j%d", n);
        metrics(&log, 0, 0, "f", 3, 1000 * (n + 1), "");
        if (n == 1)
            metrics(&log, 1, 0, "own", 7, 500, "");
        save_log(&log, name);
        snprintf(paths[n], sizeof paths[n], "%s", scratch_path(name));
    }
    for (size_t r = 0; r < 2; r++)
        members[r] = (struct ranks_log){.path = paths[r], .has_rank = true, .rank = r};
    logs[0] = (struct ranks_log){.path = paths[0], .place = 0, .name = "job", .members = members, .member_count = 2};
    logs[1] = (struct ranks_log){.path = paths[2], .place = 1, .name = "log"};
    for (unsigned workers = 0; workers < 3; workers++) {
        char out[16];
        snprintf(out, sizeof out, "job%u", workers);
        yyjson_doc *doc = run_ranks(logs, 2, workers, scratch_path(out));
        yyjson_val *pair = pair_of(doc, 0), *figures = yyjson_obj_get(pair, "figures");
        assert_json(pair, "/ranks", "[0,1]");
        assert_json(pair, "/logs/1/dirs", "[\"run_1/rank_1\",\"run_2\"]");
        assert_json(pair, "/logs/0/function_counts", "{\"new\":0,\"gone\":0,\"slower\":1,\"faster\":0,\"same\":0}");
        assert_json(pair, "/logs/1/function_counts", "{\"new\":0,\"gone\":1,\"slower\":1,\"faster\":0,\"same\":0}");
        assert_json(named(figures, "ranks"), "/values", "[2,1]");
        assert_json(named(figures, "slowest_rank"), "/values", "[2500,3000]");
        assert_json(named(figures, "guards"), "/values", "[12,4]"); /* of three compiles on two ranks */
        assert_json(named(figures, "guards"), "/title", "\"guards, all logs\"");
        assert_json(named(figures, "compile_time"), "/title", "\"compile time, all logs\"");
        assert_json(named(figures, "compile_time"), "/values", "[3500,3000]");
        assert_json(named(figures, "compile_time"), "/verdict", "\"less\""); /* fewer ranks: not an improvement */
        yyjson_doc_free(doc);
    }
}

/* One run of three functions, with the compile times in milliseconds. `late` compiles only if its time is not 0. */
static void save_run(const char *name, int f_ms, int g_ms, int late_ms) {
    struct buf log = {0};
    metrics(&log, 0, 0, "f", 3, f_ms * 1000, "");
    metrics(&log, 1, 0, "g", 9, g_ms * 1000, "");
    if (late_ms)
        metrics(&log, 2, 0, "late", 20, late_ms * 1000, "");
    save_log(&log, name);
}

static void compares_several_runs_of_each_side(void **state) {
    (void)state;
    save_run("0", 100, 300, 0);
    save_run("1", 140, 310, 5);
    save_run("2", 120, 290, 0);
    save_run("3", 130, 400, 5);
    save_run("4", 90, 420, 5);
    for (unsigned workers = 0; workers < 2; workers++) {
        yyjson_doc *doc = report_of_sides(5, false, workers, 3);
        yyjson_val *pair = pair_of(doc, 0), *functions = yyjson_ptr_get(pair, "/logs/0/functions");
        assert_int_equal(yyjson_arr_size(yyjson_doc_ptr_get(doc, "/comparison/pairs")), 1);
        assert_json(pair, "/sides",
                    "[[\"rank_none\",\"rank_none-2\",\"rank_none-3\"],[\"rank_none-4\",\"rank_none-5\"]]");
        assert_json(pair, "/a", "\"rank_none-3\""); /* 410 ms, between 400 and 455 */
        assert_json(pair, "/b", "\"rank_none-5\""); /* the lower of two */
        yyjson_val *time = named(yyjson_obj_get(pair, "figures"), "compile_time");
        assert_json(time, "/values", "[410000,515000]");
        assert_json(time, "/ranges", "[[400000,455000],[515000,535000]]");
        assert_json(time, "/verdict", "\"worse\"");
        assert_json(named(functions, "f"), "/median_us", "[120000,90000]");
        assert_json(named(functions, "f"), "/change", "\"same\""); /* 120 ± 20 and 90 ± 40 */
        assert_json(named(functions, "g"), "/ranges_us", "[[290000,310000],[400000,420000]]");
        assert_json(named(functions, "g"), "/change", "\"slower\"");
        /* One run before the change has it, though not the one that is shown. */
        assert_json(named(functions, "late"), "/change", "\"same\"");
        assert_json(named(yyjson_obj_get(pair, "figures"), "compiles"), "/verdict", "\"within\"");
        yyjson_doc_free(doc);
    }
}

static void a_change_within_both_spreads_is_none(void **state) {
    (void)state;
    static const int f_ms[] = {100, 200, 210, 216, 217, 215};
    for (int i = 0; i < 6; i++) {
        char name[] = {(char)('0' + i), '\0'};
        save_run(name, f_ms[i], 300, 0);
    }
    yyjson_doc *doc = report_of_sides(6, false, 1, 3);
    yyjson_val *pair = pair_of(doc, 0), *f = named(yyjson_ptr_get(pair, "/logs/0/functions"), "f");
    assert_json(f, "/ranges_us", "[[100000,210000],[215000,217000]]"); /* apart, but 200 ± 100 has 216 */
    assert_json(f, "/change", "\"same\"");
    assert_json(named(yyjson_obj_get(pair, "figures"), "compile_time"), "/verdict", "\"within\"");
    yyjson_doc_free(doc);
}

static void a_single_run_has_no_range(void **state) {
    (void)state;
    save_run("0", 100, 300, 0);
    save_run("1", 105, 400, 0);
    yyjson_doc *doc = report_of_sides(2, false, 1, 1);
    yyjson_val *pair = pair_of(doc, 0);
    assert_null(yyjson_obj_get(pair, "sides"));
    assert_null(yyjson_obj_get(named(yyjson_obj_get(pair, "figures"), "compile_time"), "ranges"));
    assert_null(yyjson_obj_get(named(yyjson_ptr_get(pair, "/logs/0/functions"), "g"), "median_us"));
    yyjson_doc_free(doc);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matches_by_line_first_and_then_in_order),
        cmocka_unit_test(joins_what_was_renamed_in_place),
        cmocka_unit_test(joins_nothing_else),
        cmocka_unit_test(joins_what_resumes_a_renamed_function),
        cmocka_unit_test(joins_in_a_moved_folder),
        cmocka_unit_test(texts_get_the_old_names),
        cmocka_unit_test(a_name_that_both_runs_have_is_no_new_one),
        cmocka_unit_test(compares_several_runs_of_each_side),
        cmocka_unit_test(a_change_within_both_spreads_is_none),
        cmocka_unit_test(a_single_run_has_no_range),
        cmocka_unit_test(compares_functions),
        cmocka_unit_test(pairs_compiles_by_generation),
        cmocka_unit_test(compares_findings_without_their_numbers),
        cmocka_unit_test(compares_all_values_of_settings),
        cmocka_unit_test(does_not_compare_ranks_as_runs),
        cmocka_unit_test(bounds_the_pairs),
        cmocka_unit_test(compares_jobs_rank_by_rank),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}

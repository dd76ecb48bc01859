/* Why ranks diverge: root causes with their places, data that was not logged, the world size, logs of other jobs,
 * where logs end. */
#define _GNU_SOURCE
#include "facts/rank_parts.h"
#include "made_ranks.h"

#include "scan/graph_trace.h"

static void another_branch_is_one_cause(void **state) {
    (void)state;
    for (uint64_t rank = 0; rank < 3; rank++) {
        struct made made = {.rank = rank};
        compile(&made, "f", 8, "4", rank == 2 ? OTHER : USUAL);
        compile(&made, "g", 20, "4", USUAL);
        save(&made);
    }
    yyjson_doc *doc = run(3);
    assert_int_equal(causes(doc), 1);
    assert_string_equal(str(doc, "/divergence/root_causes/0/title"),
                        "rank 2 takes a different branch at `train.py:12`");
    assert_json(doc, "/divergence/root_causes/0/ranks", "[2]");
    assert_int_equal(yyjson_get_uint(at(doc, "/divergence/root_causes/0/place/line")), 12);
    assert_string_equal(str(doc, "/divergence/root_causes/0/compile"), "0/0");
    assert_json(doc, "/divergence/root_causes/0/evidence/0/ranks", "[0,1]");
    assert_string_equal(str(doc, "/divergence/root_causes/0/evidence/0/text"), "y = x.sin()");
    yyjson_doc_free(doc);
}

static void equal_groups_have_no_outlier(void **state) {
    (void)state;
    for (uint64_t rank = 0; rank < 4; rank++) {
        struct made made = {.rank = rank};
        compile(&made, "f", 8, "4", rank < 2 ? USUAL : OTHER);
        save(&made);
    }
    yyjson_doc *doc = run(4);
    assert_int_equal(causes(doc), 1);
    assert_string_equal(
        str(doc, "/divergence/root_causes/0/title"),
        "ranks take different branches: ranks 0 and 1 at `train.py:10`, ranks 2 and 3 at `train.py:12`");
    assert_json(doc, "/divergence/root_causes/0/ranks", "[]");
    yyjson_doc_free(doc);
}

static void settings_of_logs_are_known(void **state) {
    (void)state;
    static const char *const logging[] = {"debug",
                                          "log_file_name",
                                          "trace.enabled",
                                          "trace.debug_dir",
                                          "verbose",
                                          "worker_suppress_logging",
                                          "autoheuristic_log_path",
                                          "warn_mix_layout",
                                          "enabled_metric_tables"};
    static const char *const others[] =
        {"",         "max_autotune", "trace", "debug_index_asserts", "trace_numpy", "reorderable_logging_functions",
         "verbosely"};
    for (size_t i = 0; i < sizeof logging / sizeof *logging; i++)
        assert_true(is_logging_setting(slice_str(logging[i])));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(is_logging_setting(slice_str(others[i])));
}

static void independent_causes_stay_separate(void **state) {
    (void)state;
    for (uint64_t rank = 0; rank < 4; rank++) {
        struct made made = {.rank = rank};
        compile(&made, "f", 8, "4", rank == 1 ? OTHER : USUAL);
        compile(&made, "g", 20, rank == 3 ? "8" : "4", rank == 3 ? LARGE : USUAL);
        compile(&made, "h", 30, rank == 3 ? "8" : "4", rank == 3 ? LARGE : USUAL);
        save(&made);
    }
    yyjson_doc *doc = run(4);
    assert_int_equal(causes(doc), 2);
    assert_string_equal(str(doc, "/divergence/root_causes/0/kind"), "branch");
    assert_string_equal(str(doc, "/divergence/root_causes/1/title"), "rank 3 compiles `g` with different input sizes");
    assert_false(yyjson_get_bool(at(doc, "/divergence/root_causes/1/may_hang")));
    assert_string_equal(str(doc, "/divergence/root_causes/1/evidence/1/text"), "{\"l_x_\": [8]}");
    assert_string_equal(str(doc, "/divergence/root_causes/1/consequences/0/first"),
                        "`h` is compiled with different input sizes, too");
    yyjson_doc_free(doc);
}

static void one_compile_more_shifts_only_ids(void **state) {
    (void)state;
    for (uint64_t rank = 0; rank < 3; rank++) {
        struct made made = {.rank = rank};
        if (rank == 1)
            compile(&made, "extra", 40, "4", OTHER);
        compile(&made, "f", 8, "4", USUAL);
        compile(&made, "g", 20, "4", USUAL);
        save(&made);
    }
    yyjson_doc *doc = run(3);
    assert_int_equal(causes(doc), 1);
    assert_string_equal(str(doc, "/divergence/root_causes/0/title"), "rank 1 compiles `extra`, the others do not");
    assert_int_equal(yyjson_get_uint(at(doc, "/divergence/root_causes/0/place/line")), 40);
    assert_string_equal(str(doc, "/divergence/root_causes/0/consequences/0/first"),
                        "`f` is 0/0 on ranks 0 and 2 and 1/0 on rank 1");
    assert_true(diverges(doc, "compile_ids"));
    assert_false(diverges(doc, "graphs"));
    assert_false(diverges(doc, "status"));
    yyjson_doc_free(doc);
}

static void another_function_in_its_place_is_one_cause(void **state) {
    (void)state;
    for (uint64_t rank = 0; rank < 3; rank++) {
        struct made made = {.rank = rank};
        compile(&made, "f", 8, "4", USUAL);
        compile(&made, rank == 2 ? "other" : "usual", rank == 2 ? 19 : 14, "4", rank == 2 ? OTHER : USUAL);
        compile(&made, "g", 20, "4", USUAL);
        save(&made);
    }
    yyjson_doc *doc = run(3);
    assert_int_equal(causes(doc), 1);
    assert_string_equal(str(doc, "/divergence/root_causes/0/title"),
                        "rank 2 compiles `other` where ranks 0 and 1 compile `usual`");
    assert_int_equal(yyjson_get_uint(at(doc, "/divergence/root_causes/0/place/line")), 19);
    yyjson_doc_free(doc);
}

static void a_recompile_of_one_rank_has_its_reason(void **state) {
    (void)state;
    for (uint64_t rank = 0; rank < 3; rank++) {
        struct made made = {.rank = rank};
        compile(&made, "f", 8, "4", USUAL);
        if (rank == 0) {
            made.frame = 0;
            made.number = 1;
            record(&made, "\"artifact\": {\"name\": \"recompile_reasons\", \"encoding\": \"json\"}",
                   "[\"0/0: tensor 'x' size mismatch at index 0. expected 4, actual 5\"]");
            compile(&made, "f", 8, "5", LARGE);
        }
        save(&made);
    }
    yyjson_doc *doc = run(3);
    assert_int_equal(causes(doc), 1);
    assert_string_equal(str(doc, "/divergence/root_causes/0/title"),
                        "rank 0 recompiles `f` for the size 5 of `x` at index 0, the others do not");
    assert_string_equal(str(doc, "/divergence/root_causes/0/evidence/0/text"),
                        "0/0: tensor 'x' size mismatch at index 0. expected 4, actual 5");
    yyjson_doc_free(doc);
}

/* One batch is the input of several frames; another size, and another dtype, are causes of their own. */
static void one_batch_is_one_cause(void **state) {
    static const struct {
        const char *reason;
        size_t causes;
    } others[] = {{"[\"1/0: tensor 'args[0]' size mismatch at index 0. expected 4, actual 5\"]", 1},
                  {"[\"1/0: tensor 'y' size mismatch at index 0. expected 4, actual 6\"]", 2},
                  {"[\"1/0: tensor 'y' size mismatch at index 1. expected 4, actual 5\"]", 2},
                  {"[\"1/0: tensor 'y' dtype mismatch. expected Float, actual Double\"]", 2}};
    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        for (uint64_t rank = 0; rank < 3; rank++) {
            struct made made = {.rank = rank};
            compile(&made, "f", 8, "4", USUAL);
            compile(&made, "g", 20, "4", USUAL);
            made.number = 1;
            for (made.frame = 0; rank == 0 && made.frame < 2;) {
                bool first = made.frame == 0;
                record(&made, "\"artifact\": {\"name\": \"recompile_reasons\", \"encoding\": \"json\"}",
                       first ? "[\"0/0: tensor 'x' size mismatch at index 0. expected 4, actual 5\"]"
                             : others[i].reason);
                compile(&made, first ? "f" : "g", first ? 8 : 20, "5", LARGE);
            }
            save(&made);
        }
        yyjson_doc *doc = run(3);
        assert_int_equal(causes(doc), others[i].causes);
        yyjson_doc_free(doc);
    }
}

/* Both recompile for the same guard; what is recompiled for another size afterwards belongs to that size. */
static void one_guard_with_other_values_is_said(void **state) {
    static const struct {
        const char *mine, *its, *title;
    } cases[] = {
        {"0/0: tensor 'x' size mismatch at index 1. expected 6, actual 8",
         "0/0: tensor 'x' size mismatch at index 1. expected 6, actual 9",
         "rank 0 and rank 1 recompile `f` for different sizes of `x` at index 1: 8 and 9"},
        {"0/0: x == 6", "0/0: x == 7",
         "rank 0 and rank 1 recompile `f` for different changes of `x`: `x == 6` and `x == 7`"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (uint64_t rank = 0; rank < 2; rank++) {
            struct made made = {.rank = rank};
            compile(&made, "f", 8, "4", USUAL);
            compile(&made, "torch_dynamo_resume_in_f_at_9", 8, "4", USUAL);
            made.frame = 0;
            made.number = 1;
            reason(&made, rank ? cases[i].its : cases[i].mine);
            compile(&made, "f", 8, "5", LARGE);
            made.frame = 0;
            made.number = 2;
            if (rank == 0) {
                reason(&made, "0/1: tensor 'x' size mismatch at index 0. expected 4, actual 2");
                compile(&made, "f", 8, "2", LARGE);
                made.frame = 1;
                made.number = 1;
                reason(&made, "1/0: tensor 'y' size mismatch at index 0. expected 4, actual 2");
                compile(&made, "torch_dynamo_resume_in_f_at_9", 8, "2", LARGE);
            }
            save(&made);
        }
        yyjson_doc *doc = run(2);
        assert_int_equal(causes(doc), 2);
        assert_string_equal(str(doc, "/divergence/root_causes/0/title"), cases[i].title);
        assert_int_equal(yyjson_arr_size(at(doc, "/divergence/root_causes/0/consequences")), 0);
        assert_string_equal(str(doc, "/divergence/root_causes/1/title"),
                            "rank 0 recompiles `f` for the size 2 of `x` at index 0, rank 1 does not");
        assert_string_equal(str(doc, "/divergence/root_causes/1/consequences/0/first"),
                            "rank 0 also recompiles `torch_dynamo_resume_in_f_at_9`");
        yyjson_doc_free(doc);
    }
}

/* A frame of a library is not the function of the user that called it. */
static void a_frame_of_a_library_has_its_own_name(void **state) {
    static const char wrapper[] = "/x/site-packages/torch/_dynamo/external_utils.py";
    (void)state;
    for (uint64_t rank = 0; rank < 2; rank++) {
        struct made made = {.rank = rank};
        for (made.number = 0; made.number < 2; made.number++) {
            struct buf fields = {0};
            if (!made.number)
                record(&made, "\"str\": [\"/home/u/train.py\", 1]", "");
            record(&made, "\"dynamo_start\": {\"stack\": [{\"line\": 36, \"name\": \"loss_fn\", \"filename\": 1}]}",
                   "");
            if (made.number)
                reason(&made, rank ? "0/0: tensor 'args[0]' size mismatch at index 1. expected 6, actual 9"
                                   : "0/0: tensor 'args[0]' size mismatch at index 1. expected 6, actual 8");
            buf_addf(&fields,
                     "\"compilation_metrics\": {\"co_name\": \"inner\", \"co_filename\": \"%s\", "
                     "\"co_firstlineno\": 67}%c",
                     wrapper, 0);
            record(&made, fields.ptr, "");
            buf_free(&fields);
        }
        save(&made);
    }
    yyjson_doc *doc = run(2);
    assert_int_equal(causes(doc), 1);
    assert_string_equal(
        str(doc, "/divergence/root_causes/0/title"),
        "rank 0 and rank 1 recompile `inner (external_utils.py)` for different sizes of `args[0]` at index 1: "
        "8 and 9");
    assert_int_equal(yyjson_get_uint(at(doc, "/divergence/root_causes/0/place/line")), 36);
    yyjson_doc_free(doc);
}

#define TWO_BRANCHES(first, second)                                                                                    \
    first LINE("14", "y = x + 1") "        y: \"f32[4]cpu\" = x + 1;  x = None\n" second                               \
        LINE("20", "y = x * 2") "        y: \"f32[4]cpu\" = x * 2;  x = None\n"

static void a_difference_behind_another_is_listed(void **state) {
    (void)state;
    for (uint64_t rank = 0; rank < 3; rank++) {
        struct made made = {.rank = rank};
        compile(&made, "f", 8, "4",
                rank == 1
                    ? TWO_BRANCHES(OTHER, LINE("16", "y = x.exp()") "        y: \"f32[4]cpu\" = x.exp();  x = None\n")
                    : TWO_BRANCHES(USUAL, LINE("18", "y = x.abs()") "        y: \"f32[4]cpu\" = x.abs();  x = None\n"));
        save(&made);
    }
    yyjson_doc *doc = run(3);
    assert_int_equal(causes(doc), 1);
    assert_int_equal(yyjson_arr_size(at(doc, "/divergence/root_causes/0/consequences")), 1);
    assert_string_equal(str(doc, "/divergence/root_causes/0/consequences/0/first"),
                        "`f` differs again: `train.py:16` on rank 1, `train.py:18` on ranks 0 and 2");
    yyjson_doc_free(doc);
}

/* It may be for the size, so both are listed. */
static void a_branch_does_not_hide_another_size(void **state) {
    (void)state;
    for (uint64_t rank = 0; rank < 3; rank++) {
        struct made made = {.rank = rank};
        compile(&made, "f", 8, rank == 1 ? "8" : "4", rank == 1 ? OTHER : USUAL);
        save(&made);
    }
    yyjson_doc *doc = run(3);
    assert_int_equal(causes(doc), 2);
    assert_string_equal(str(doc, "/divergence/root_causes/0/kind"), "input_sizes");
    assert_string_equal(str(doc, "/divergence/root_causes/1/kind"), "branch");
    yyjson_doc_free(doc);
}

static void missing_data_is_not_a_difference(void **state) {
    (void)state;
    for (uint64_t rank = 0; rank < 3; rank++) {
        struct made made = {.rank = rank};
        if (rank != 1) {
            record(&made, "\"artifact\": {\"name\": \"inductor_collective_schedule\", \"encoding\": \"json\"}",
                   "[\"torch.ops._c10d_functional.all_reduce.default\"]");
            record(&made, "\"dynamo_cpp_guards_str\": {}", "+- GUARD: L['x'] == 1");
            compile(&made, "f", 8, "4", USUAL);
        } else {
            metrics(&made, "f", 8, "");
        }
        save(&made);
    }
    yyjson_doc *doc = run(3);
    assert_int_equal(causes(doc), 0);
    for (size_t i = 0; i < 3; i++) {
        static const char *const aspects[] = {"collectives", "guards", "graphs"};
        char pointer[80];
        assert_false(diverges(doc, aspects[i]));
        snprintf(pointer, sizeof pointer, "/divergence/%s/not_logged", aspects[i]);
        assert_json(doc, pointer, "[1]");
    }
    yyjson_doc_free(doc);
}

#define GATHER(size, group)                                                                                            \
    LINE("10", "y = gather(x)")                                                                                        \
    "        y: \"f32[4]cpu\" = torch.ops._c10d_functional.all_gather_into_tensor(x, " size ", '" group                \
    "');  x = None\n"
#define REDUCE                                                                                                         \
    LINE("12", "y = reduce(x)")                                                                                        \
    "        y: \"f32[4]cpu\" = torch.ops._c10d_functional.all_reduce(x, 'sum', '0');  x = None\n"

static void collectives_are_read_from_graphs(void **state) {
    (void)state;
    for (uint64_t rank = 0; rank < 3; rank++) {
        struct made made = {.rank = rank};
        compile(&made, "f", 8, "4", rank == 1 ? REDUCE : GATHER("3", "0"));
        save(&made);
    }
    yyjson_doc *doc = run(3);
    assert_true(diverges(doc, "collectives"));
    assert_string_equal(str(doc, "/divergence/collectives/from"), "dynamo_graphs");
    assert_int_equal(causes(doc), 1);
    assert_string_equal(str(doc, "/divergence/root_causes/0/consequences/0/aspect"), "collectives");
    assert_true(yyjson_get_bool(at(doc, "/divergence/root_causes/0/may_hang")));
    assert_string_equal(str(doc, "/divergence/root_causes/0/consequences/0/first"),
                        "different collectives in `f` (rank 1: `all_reduce`)");
    yyjson_doc_free(doc);
}

/* Each rank has these graphs; world is the expected result, as JSON. */
static void assert_world(const char *graph, const char *world, const char *missing) {
    for (uint64_t rank = 0; rank < 3; rank++) {
        struct made made = {.rank = rank};
        compile(&made, "f", 8, "4", graph);
        save(&made);
    }
    yyjson_doc *doc = run(3);
    assert_json(doc, "/world", world);
    assert_json(doc, "/missing_ranks", missing);
    yyjson_doc_free(doc);
}

static void the_world_is_as_large_as_the_default_group(void **state) {
    (void)state;
    assert_world(GATHER("4", "0"), "{\"size\":4,\"at_least\":4,\"from\":\"the default process group in the graphs\"}",
                 "[3]");
    assert_world(GATHER("2", "dp_1"), "{\"size\":null,\"at_least\":3,\"from\":\"the highest rank that has a log\"}",
                 "[]");
    assert_world(GATHER("8", "dp_1"), "{\"size\":null,\"at_least\":8,\"from\":\"a process group\"}", "[3,4,5,6,7]");
    assert_world(USUAL, "{\"size\":null,\"at_least\":3,\"from\":\"the highest rank that has a log\"}", "[]");
    /* Smaller than the number of logs: that cannot be the world size. */
    assert_world(GATHER("2", "0"), "{\"size\":null,\"at_least\":3,\"from\":\"the highest rank that has a log\"}", "[]");
}

static void hints_of_the_world(void **state) {
    static const struct {
        const char *text;
        uint64_t size, at_least;
    } rows[] = {
        {"a = torch.ops._c10d_functional.reduce_scatter_tensor.default(x, 'sum', 4, '0');  x = None", 4, 0},
        {"a = torch.ops._c10d_functional.all_gather_into_tensor_coalesced([x, y], 2, \"7\")", 0, 2},
        {"a = torch.ops._c10d_functional.all_reduce(x, 'sum', '0')", 0, 0},
        {"a = torch.ops._c10d_functional.all_gather_into_tensor(x, 99999999999, '0')", 0, 0},
        {"a = torch.ops._c10d_functional.all_gather_into_tensor(x, s0, '0')", 0, 0},
        {"m = DeviceMesh('cuda', [[0, 1], [2, 3]], mesh_dim_names=('dp', 'tp'))", 0, 4},
        {"m = DeviceMesh((dp=2, tp=3), 'cuda', stride=(3, 1))", 0, 6},
        {"m = DeviceMesh('cuda', [0, 1", 0, 0},
        {"# torch.ops._c10d_functional.all_gather_into_tensor(x, 4, '0')", 0, 0},
        {"a = torch.ops._c10d_functional.all_gather_into_tensor(x, 4, '0", 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena arena = {0};
        const struct graph_trace *trace = graph_calls_scan(slice_str(rows[i].text), &arena);
        if ((trace ? trace->world.size : 0) != rows[i].size || (trace ? trace->world.at_least : 0) != rows[i].at_least)
            fail_msg("row %zu: %s", i, rows[i].text);
        arena_free(&arena);
    }
}

/* The program that Inductor writes for a graph creates its process groups. */
static void groups_of_a_runnable(void **state) {
    static const struct {
        const char *text;
        uint64_t size, at_least;
    } rows[] = {
        {"    setup_fake_process_groups({'0': {'size': 4, 'rank': 1}})", 4, 0},
        {"    setup_fake_process_groups({'3': {'size': 2, 'rank': 0}})", 0, 2},
        {"x = 1\n    setup_fake_process_groups({'3': {'size': 2, 'rank': 0}, \"0\": {'size': 8, 'rank': 5}})\n", 8, 2},
        {"    setup_fake_process_groups({'0': {'size': 0, 'rank': 1}})", 0, 0},
        {"    setup_fake_process_groups({'0': {'size': 99999999999, 'rank': 1}})", 0, 0},
        {"    setup_fake_process_groups({'0': {'size': ", 0, 0},
        {"    setup_fake_process_groups({'0", 0, 0},
        {"    setup_fake_process_groups({})", 0, 0},
        {"# setup_fake_process_groups({'0': {'size': 4, 'rank': 1}})", 0, 0},
        {"print(\"setup_fake_process_groups({'0': {'size': 4, 'rank': 1}})\")", 0, 0},
        /* older PyTorch always writes this number */
        {"    dist.init_process_group(backend='fake', rank=0, world_size=2, store=store)", 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena arena = {0};
        const struct graph_trace *trace = runnable_groups_scan(slice_str(rows[i].text), &arena);
        if ((trace ? trace->world.size : 0) != rows[i].size || (trace ? trace->world.at_least : 0) != rows[i].at_least)
            fail_msg("row %zu: %s", i, rows[i].text);
        arena_free(&arena);
    }
}

static void event(struct made *made, const char *name, const char *phase, double us) {
    char payload[200];
    snprintf(payload, sizeof payload,
             "{\"name\": \"%s\", \"ph\": \"%s\", \"ts\": %.0f, \"args\": {\"compile_id\": \"%u/%u\"}, \"pid\": 0, "
             "\"tid\": 0}",
             name, phase, us, made->frame, made->number);
    record(made, "\"chromium_event\": {}", payload);
}

enum { NO_DAYS = 0 };
/* Two ranks that compiled different things; rank 1 the given number of days later, with its own version and file. */
static yyjson_doc *run_apart(double days, const char *version, const char *file) {
    for (uint64_t rank = 0; rank < 3; rank++) {
        struct made made = {.rank = rank};
        double us = 1733498295e6 + (rank == 1 ? days * 86400e6 : 0);
        struct buf torch = {0};
        buf_addf(&torch, "{\"pytorch_version\": \"%s\"}%c", rank == 1 ? version : "2.9.0", 0);
        record(&made, "\"artifact\": {\"name\": \"torch_version\", \"encoding\": \"json\"}", torch.ptr);
        buf_free(&torch);
        event(&made, "dynamo", "B", us);
        event(&made, "dynamo", "E", us + 1000);
        buf_addf(&made.log,
                 PREFIX
                 "{\"compilation_metrics\": {\"co_name\": \"f\", \"co_filename\": \"%s\", \"co_firstlineno\": %d, "
                 "\"graph_op_count\": 1}, \"rank\": %llu, " ID0 "}\n",
                 rank == 1 ? file : "/home/u/train.py", rank == 1 ? 8 : 9, (unsigned long long)rank);
        save(&made);
    }
    return run(3);
}

static void logs_of_another_job_are_not_compared(void **state) {
    static const struct {
        double days;
        const char *version, *file, *title;
    } rows[] = {
        {-0.9, "2.9.0", "/home/u/train.py",
         "the log of rank 1 is from another job: recorded 22 hours before the others"},
        {9, "2.9.0", "/home/u/train.py", "the log of rank 1 is from another job: recorded 9 days after the others"},
        {NO_DAYS, "2.10.0", "/home/u/train.py", "the log of rank 1 is from another job: PyTorch 2.10.0, not 2.9.0"},
        {NO_DAYS, "2.9.0", "/home/u/eval.py",
         "the log of rank 1 is from another job: no compiled frame is in a file in which the others have frames"},
        {NO_DAYS, "2.9.0", "/local/node1/train.py",
         "the log of rank 1 may be from another job: the compiled files have the same names, but are in other folders"},
        {NO_DAYS, "2.9.0", "/home/u/train.py", NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        yyjson_doc *doc = run_apart(rows[i].days, rows[i].version, rows[i].file);
        if (rows[i].title) {
            assert_string_equal(str(doc, "/ranks_notes/0/kind"), "different_jobs");
            assert_string_equal(str(doc, "/ranks_notes/0/title"), rows[i].title);
            assert_int_equal(causes(doc), 0);
            assert_false(diverges(doc, "compile_ids"));
            /* Facts about the job do not come from the other one. */
            assert_string_equal(str(doc, "/run/torch"), "2.9.0");
            assert_string_equal(str(doc, "/run/started"), "2024-12-06T15:18:15Z");
            /* from the first event to the last record */
            assert_int_equal(yyjson_get_int(yyjson_doc_ptr_get(doc, "/run/duration_us")), 925000);
            assert_int_equal(yyjson_get_int(yyjson_doc_ptr_get(doc, "/timeline/duration_us")), 1000);
            assert_int_equal(yyjson_get_int(yyjson_doc_ptr_get(doc, "/timeline/spans")), 2);
        } else {
            assert_int_equal(causes(doc), 1);
            assert_int_equal(yyjson_get_int(yyjson_doc_ptr_get(doc, "/timeline/spans")), 3);
            assert_true(diverges(doc, "compile_ids"));
        }
        yyjson_doc_free(doc);
    }
}

/* A rank that first compiles hours later, and a host whose clock is set to local time: the same job, with a note. */
static void logs_that_are_hours_apart_are_compared(void **state) {
    static const struct {
        double days;
        const char *title;
    } rows[] = {{10.0 / 24, "the log of rank 1 begins 10 hours after the others end"},
                {-8.0 / 24, "the log of rank 1 ends 8 hours before the others begin"},
                {5.0 / 24, NULL}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        yyjson_doc *doc = run_apart(rows[i].days, "2.9.0", "/home/u/train.py");
        if (rows[i].title) {
            assert_string_equal(str(doc, "/ranks_notes/0/kind"), "recorded_apart");
            assert_string_equal(str(doc, "/ranks_notes/0/title"), rows[i].title);
        } else {
            assert_string_equal(str(doc, "/ranks_notes/0/kind"), "copies"); /* ranks 0 and 2 */
        }
        assert_true(diverges(doc, "compile_ids"));
        yyjson_doc_free(doc);
    }
}

/* Ranks 0 and 1 are days apart, and rank 2 wrote all the time in between. */
static void a_long_log_joins_those_at_its_ends(void **state) {
    (void)state;
    for (uint64_t rank = 0; rank < 3; rank++) {
        struct made made = {.rank = rank};
        double us = 1733498295e6 + (rank == 1 ? 3 * 86400e6 : 0);
        event(&made, "dynamo", "B", us);
        event(&made, "dynamo", "E", us + (rank == 2 ? 3 * 86400e6 : 1000));
        compile(&made, "f", 8, "4", USUAL);
        save(&made);
    }
    yyjson_doc *doc = run(3);
    assert_null(yyjson_doc_ptr_get(doc, "/ranks_notes/0"));
    yyjson_doc_free(doc);
}

/* Whether the job may hang in f, whose collectives differ, if all ranks then compile g, and f is of this device. */
static bool may_hang_before(bool next, const char *device) {
    for (uint64_t rank = 0; rank < 3; rank++) {
        struct made made = {.rank = rank};
        struct buf graph = {0};
        buf_addf(&graph, "%s%s        z: \"f32[4]%s\" = y + 1%c", rank == 1 ? REDUCE : GATHER("3", "0"),
                 LINE("14", "z = y + 1"), device, 0);
        compile(&made, "f", 8, "4", graph.ptr);
        if (next)
            compile(&made, "g", 20, "4", USUAL);
        save(&made);
        buf_free(&graph);
    }
    yyjson_doc *doc = run(3);
    bool hang = yyjson_get_bool(at(doc, "/divergence/root_causes/0/may_hang"));
    assert_true(diverges(doc, "collectives"));
    yyjson_doc_free(doc);
    return hang;
}

static void ranks_that_go_on_did_not_hang(void **state) {
    (void)state;
    assert_true(may_hang_before(false, "cpu"));
    assert_false(may_hang_before(true, "cpu"));
    assert_true(may_hang_before(true, "cuda:0")); /* its collectives may still wait */
}

static void a_log_that_ends_in_a_span_is_unfinished(void **state) {
    (void)state;
    for (uint64_t rank = 0; rank < 3; rank++) {
        struct made made = {.rank = rank};
        event(&made, "dynamo", "B", 1733498295e6);
        event(&made, "Scheduler.__init__", "B", 1733498295e6 + 100);
        if (rank != 1) {
            event(&made, "Scheduler.__init__", "E", 1733498295e6 + 200);
            event(&made, "dynamo", "E", 1733498295e6 + 300);
            compile(&made, "f", 8, "4", USUAL);
            compile(&made, "g", 20, "4", USUAL);
        }
        save(&made);
    }
    yyjson_doc *doc = run(3);
    assert_string_equal(str(doc, "/ranks/0/status"), "ok");
    assert_string_equal(str(doc, "/ranks/1/status"), "unfinished");
    assert_int_equal(yyjson_arr_size(at(doc, "/unfinished")), 2);
    assert_int_equal(yyjson_get_uint(at(doc, "/unfinished/1/rank")), 1);
    assert_string_equal(str(doc, "/unfinished/1/name"), "Scheduler.__init__");
    assert_json(doc, "/rank_ends/0/ranks", "[1]");
    assert_string_equal(str(doc, "/rank_ends/0/name"), "Scheduler.__init__");
    assert_int_equal(yyjson_get_uint(at(doc, "/rank_ends/0/before_end_us")), 200);
    assert_json(doc, "/rank_ends/1/ranks", "[0,2]");
    assert_true(yyjson_get_bool(at(doc, "/rank_ends/1/finished")));
    assert_int_equal(causes(doc), 1); /* what rank 1 did not reach follows from it */
    assert_string_equal(str(doc, "/divergence/root_causes/0/kind"), "unfinished");
    assert_true(yyjson_get_bool(at(doc, "/divergence/root_causes/0/may_hang")));
    yyjson_doc_free(doc);
}

static void guards_differ_by_what_they_check(void **state) {
    static const char *const guards[] =
        {"+- TENSOR_MATCH: check_tensor(L['x'], device=%d, size=[4])  # return x  # t.py:1 in f",
         "+- ID_MATCH: ___check_obj_id(G['__builtins_dict___%d'], 7)  # return x  # t.py:1 in f",
         "+- EQUALS_MATCH: L['k'] == 3  # return x  # t.py:%d in f", "+- EQUALS_MATCH: L['k'] == %d"};
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        for (int rank = 0; rank < 3; rank++) {
            struct made made = {.rank = (uint64_t)rank};
            char text[200];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
            snprintf(text, sizeof text, guards[i], rank ? 1 : 0);
#pragma GCC diagnostic pop
            record(&made, "\"dynamo_cpp_guards_str\": {}", text);
            compile(&made, "f", 8, "4", USUAL);
            save(&made);
        }
        yyjson_doc *doc = run(3);
        assert_int_equal(causes(doc), i == 3);
        if (i == 3)
            assert_string_equal(str(doc, "/divergence/root_causes/0/title"), "rank 0 has different guards for `f`");
        yyjson_doc_free(doc);
    }
}

/* The execution order names a graph from a cache by the compile that stored it. */
static void the_order_of_cached_graphs_is_not_compared(void **state) {
    (void)state;
    for (int cached = 0; cached < 2; cached++) {
        for (uint64_t rank = 0; rank < 2; rank++) {
            struct made made = {.rank = rank};
            record(&made,
                   cached ? "\"artifact\": {\"name\": \"fx_graph_cache_hit\", \"encoding\": \"json\"}"
                          : "\"artifact\": {\"name\": \"fx_graph_cache_miss\", \"encoding\": \"json\"}",
                   "{}");
            compile(&made, "f", 8, "4", USUAL);
            compile(&made, "g", 20, "4", USUAL);
            record(&made, "\"artifact\": {\"name\": \"graph_execution\", \"encoding\": \"json\"}",
                   rank ? "{\"graph_execution_order\": [\"1/0\", \"0/0\"]}"
                        : "{\"graph_execution_order\": [\"0/0\", \"1/0\"]}");
            save(&made);
        }
        yyjson_doc *doc = run(2);
        assert_int_equal(diverges(doc, "execution_order"), !cached);
        assert_json(doc, "/divergence/execution_order/uncertain", cached ? "[0,1]" : "[]");
        if (!cached)
            assert_json(doc, "/execution/mismatches/1",
                        "{\"index\":1,\"schedule\":false,\"cache\":false,\"function\":true}");
        else
            assert_json(doc, "/execution/mismatches", "[]");
        assert_int_equal(causes(doc), !cached);
        if (!cached)
            assert_string_equal(str(doc, "/divergence/root_causes/0/kind"), "execution_order");
        yyjson_doc_free(doc);
    }
}

/* Guards on the rank's own number, and on the name of its process group, hold on that rank only. */
static void rank_specific_names_are_not_a_difference(void **state) {
    static const struct {
        const char *guard; /* with the rank's number, and a constant, or vice versa */
        size_t causes;
    } rows[] = {
        {"+- EQUALS_MATCH: L['rank'] == %llu  # if rank == 1:  # t.py:1 in f", 0},
        {"+- EQUALS_MATCH: L['self'].dp_rank == %llu", 0},
        {"+- EQUALS_MATCH: L['mesh'].group_name == '%llu'  # f(x)  # t.py:1 in f", 0},
        {"+- EQUALS_MATCH: L['rank'] == 4%llu", 1},
        {"+- EQUALS_MATCH: L['k'] == %llu", 1},
        {"+- EQUALS_MATCH: L['name'] == '%llu'", 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (uint64_t rank = 0; rank < 3; rank++) {
            struct made made = {.rank = rank};
            char text[200];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
            snprintf(text, sizeof text, rows[i].guard, (unsigned long long)rank);
#pragma GCC diagnostic pop
            record(&made, "\"dynamo_cpp_guards_str\": {}", text);
            compile(&made, "f", 8, "4", USUAL);
            save(&made);
        }
        yyjson_doc *doc = run(3);
        if (causes(doc) != rows[i].causes || diverges(doc, "guards") != (rows[i].causes > 0))
            fail_msg("%s: %zu causes", rows[i].guard, causes(doc));
        yyjson_doc_free(doc);
    }
}

static void groups_of_a_mesh_have_other_names_on_each_rank(void **state) {
    static const struct {
        const char *odd; /* what rank 1 has instead of GATHER("2", "dp_1") */
        size_t causes;
    } rows[] = {
        {GATHER("2", "dp_2"), 0},
        {GATHER("3", "dp_2"), 1}, /* a group of another size */
        {GATHER("2", "0"), 1},    /* all ranks instead of some */
        {GATHER("2", "dp_1") GATHER("2", "dp_2"), 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (uint64_t rank = 0; rank < 3; rank++) {
            struct made made = {.rank = rank};
            compile(&made, "f", 8, "4", rank == 1 ? rows[i].odd : GATHER("2", "dp_1"));
            save(&made);
        }
        yyjson_doc *doc = run(3);
        if (causes(doc) != rows[i].causes || diverges(doc, "graphs") != (rows[i].causes > 0))
            fail_msg("row %zu: %zu causes", i, causes(doc));
        yyjson_doc_free(doc);
    }
}

/* Rank 1 of three compiles only the first `count` of four functions. */
static yyjson_doc *run_stopped(size_t count, bool other, const char *last) {
    static const char *const names[] = {"f", "g", "h", "k"};
    for (uint64_t rank = 0; rank < 3; rank++) {
        struct made made = {.rank = rank};
        for (size_t i = 0; i < (rank == 1 ? count : 4); i++)
            compile(&made, names[i], 10 * (unsigned)i + 8, "4", i < 3 ? USUAL : last);
        if (rank == 1 && other)
            compile(&made, "own", 90, "4", OTHER);
        save(&made);
    }
    return run(3);
}

static void a_rank_that_compiles_nothing_more_is_one_cause(void **state) {
    (void)state;
    yyjson_doc *doc = run_stopped(1, false, USUAL);
    assert_int_equal(causes(doc), 1);
    assert_string_equal(str(doc, "/divergence/root_causes/0/kind"), "stopped");
    assert_false(yyjson_get_bool(at(doc, "/divergence/root_causes/0/may_hang"))); /* no graph has collectives */
    assert_string_equal(str(doc, "/divergence/root_causes/0/title"),
                        "rank 1 compiles nothing after `f`, ranks 0 and 2 continue with `g`");
    assert_json(doc, "/divergence/root_causes/0/ranks", "[1]");
    yyjson_doc_free(doc);
    doc = run_stopped(1, false, REDUCE); /* the others reduce in the last function */
    assert_true(yyjson_get_bool(at(doc, "/divergence/root_causes/0/may_hang")));
    yyjson_doc_free(doc);
    doc = run_stopped(3, false, USUAL); /* one function less may be intended */
    assert_int_equal(causes(doc), 1);
    assert_string_equal(str(doc, "/divergence/root_causes/0/title"), "rank 1 does not compile `k`, the others do");
    yyjson_doc_free(doc);
    doc = run_stopped(2, true, USUAL); /* it continues with something else */
    assert_string_equal(str(doc, "/divergence/root_causes/0/kind"), "other_compile");
    yyjson_doc_free(doc);
}

static void a_compile_of_what_others_compile_less_often_says_so(void **state) {
    (void)state;
    for (uint64_t rank = 0; rank < 3; rank++) {
        struct made made = {.rank = rank};
        for (int i = 0; i < (rank == 1 ? 3 : 2); i++)
            compile(&made, "f", 8, "4", USUAL);
        save(&made);
    }
    yyjson_doc *doc = run(3);
    assert_int_equal(causes(doc), 1);
    assert_string_equal(str(doc, "/divergence/root_causes/0/title"),
                        "rank 1 compiles `f` a 3rd time, the others do not");
    yyjson_doc_free(doc);
}

static void a_backward_that_a_rank_lacks_is_one_cause(void **state) {
    static const char *const names[] = {"f", "g"};
    (void)state;
    for (uint64_t rank = 0; rank < 3; rank++) {
        struct made made = {.rank = rank};
        for (unsigned i = 0; i < 2; i++) {
            compile(&made, names[i], 10 * i + 8, "4", USUAL);
            made.frame = i;
            if (rank != 1)
                metrics(&made, names[i], 10 * i + 8, ", \"duration_us\": 5000000, \"is_forward\": false");
            made.frame = i + 1;
        }
        save(&made);
    }
    yyjson_doc *doc = run(3);
    assert_int_equal(causes(doc), 1); /* not that its compiles take less time */
    assert_string_equal(str(doc, "/divergence/root_causes/0/kind"), "backward");
    assert_string_equal(str(doc, "/divergence/root_causes/0/title"),
                        "rank 1 does not compile the backward of `f`, the others do");
    assert_json(doc, "/divergence/root_causes/0/ranks", "[1]");
    assert_string_equal(str(doc, "/divergence/root_causes/0/consequences/0/first"), "the backward of `g`, too");
    yyjson_doc_free(doc);
}

static void the_order_of_compiles_is_not_a_difference_of_graphs(void **state) {
    (void)state;
    for (uint64_t rank = 0; rank < 3; rank++) {
        struct made made = {.rank = rank};
        for (int i = 0; i < 2; i++) {
            bool f = (i == 0) == (rank != 1);
            record(&made, "\"dynamo_cpp_guards_str\": {}", f ? "+- GUARD: L['x'] == 1" : "+- GUARD: L['x'] == 2");
            compile(&made, f ? "f" : "g", f ? 8 : 20, "4", f ? USUAL : OTHER);
        }
        save(&made);
    }
    yyjson_doc *doc = run(3);
    assert_int_equal(causes(doc), 1);
    assert_string_equal(str(doc, "/divergence/root_causes/0/kind"), "compile_order");
    assert_true(diverges(doc, "compile_ids"));
    assert_false(diverges(doc, "status"));
    assert_false(diverges(doc, "graphs"));
    assert_false(diverges(doc, "guards"));
    yyjson_doc_free(doc);
}

static void a_compile_after_a_reset_is_another_one(void **state) {
    (void)state;
    for (uint64_t rank = 0; rank < 3; rank++) {
        struct made made = {.rank = rank};
        for (int i = 0; i < (rank == 2 ? 2 : 1); i++) {
            made.frame = 0;
            compile(&made, "f", 8, "4", USUAL);
        }
        save(&made);
    }
    yyjson_doc *doc = run(3);
    assert_int_equal(causes(doc), 1);
    assert_string_equal(str(doc, "/divergence/root_causes/0/title"), "rank 2 compiles `f` again, the others do not");
    assert_false(diverges(doc, "status"));
    assert_false(diverges(doc, "graphs"));
    yyjson_doc_free(doc);
}

#define TWICE(last)                                                                                                    \
    LINE("10", "y = x.sin() + x.cos()")                                                                                \
    "        a: \"f32[4]cpu\" = x.sin()\n        y: \"f32[4]cpu\" = " last ";  x = None\n"

static void the_operation_that_differs_is_named(void **state) {
    (void)state;
    for (uint64_t rank = 0; rank < 3; rank++) {
        struct made made = {.rank = rank};
        compile(&made, "f", 8, "4", rank == 0 ? TWICE("a + 2") : TWICE("a + 3"));
        save(&made);
    }
    yyjson_doc *doc = run(3);
    assert_int_equal(causes(doc), 1);
    assert_string_equal(str(doc, "/divergence/root_causes/0/title"),
                        "rank 0 traces different operations at `train.py:10`");
    assert_string_equal(str(doc, "/divergence/root_causes/0/evidence/0/text"), "y = a + 2");
    assert_string_equal(str(doc, "/divergence/root_causes/0/evidence/1/text"), "y = a + 3");
    yyjson_doc_free(doc);
}

static void another_version_of_a_file_is_its_own_cause(void **state) {
    (void)state;
    for (int moved = 0; moved < 2; moved++) {
        for (uint64_t rank = 0; rank < 3; rank++) {
            struct made made = {.rank = rank};
            if (rank != 0)
                compile(&made, "f", 8, "4", USUAL);
            else if (moved)
                compile(&made, "f", 9, "4",
                        LINE("11", "y = x.sin()") "        y: \"f32[4]cpu\" = x.sin();  x = None\n");
            else
                compile(&made, "f", 8, "4",
                        LINE("10", "y = x.tan()") "        y: \"f32[4]cpu\" = x.tan();  x = None\n");
            save(&made);
        }
        yyjson_doc *doc = run(3);
        assert_int_equal(causes(doc), 1);
        assert_string_equal(str(doc, "/divergence/root_causes/0/kind"), "source");
        assert_string_equal(str(doc, "/divergence/root_causes/0/title"),
                            moved ? "rank 0 has `f` at `train.py:9`, ranks 1 and 2 have the same code at `train.py:8`"
                                  : "rank 0 has different code at `train.py:10`");
        yyjson_doc_free(doc);
    }
}

static void a_size_may_be_dynamic_on_one_rank(void **state) {
    static const struct {
        const char *odd, *others, *kind;
    } rows[] = {{"\"s0\", 2", "4, 2", "dynamic_sizes"},
                {"4, \"s1\"", "4, 2", "dynamic_sizes"},
                {"\"s0\", 3", "4, 2", "input_sizes"},
                {"5, 2", "4, 2", "input_sizes"},
                {"\"a/b\"", "\"a b\"", "input_sizes"}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (uint64_t rank = 0; rank < 3; rank++) {
            struct made made = {.rank = rank};
            compile(&made, "f", 8, rank == 1 ? rows[i].odd : rows[i].others, rank == 1 ? LARGE : USUAL);
            save(&made);
        }
        yyjson_doc *doc = run(3);
        assert_int_equal(causes(doc), 1);
        assert_string_equal(str(doc, "/divergence/root_causes/0/kind"), rows[i].kind);
        yyjson_doc_free(doc);
    }
}

/* A title uses the label of the frame: neither "forward" nor its file say which one it is. */
static void a_frame_is_named_by_its_label(void **state) {
    (void)state;
    for (uint64_t rank = 0; rank < 3; rank++) {
        struct made made = {.rank = rank};
        compile(&made, "f", 8, "4", USUAL);
        if (rank != 1)
            compile(&made, "forward", 20, "4", USUAL);
        save(&made);
    }
    yyjson_doc *doc = run(3);
    assert_int_equal(causes(doc), 1);
    assert_string_equal(str(doc, "/divergence/root_causes/0/title"),
                        "rank 1 does not compile `forward (train.py:20)`, the others do");
    yyjson_doc_free(doc);
}

static void groups_beyond_the_listed_ones_are_counted(void **state) {
    enum { RANKS = 20 };
    (void)state;
    for (uint64_t rank = 0; rank < RANKS; rank++) {
        struct made made = {.rank = rank};
        char guard[80];
        snprintf(guard, sizeof guard, "+- EQUALS_MATCH: L['k'] == %llu", 100 + (unsigned long long)rank * rank);
        record(&made, "\"dynamo_cpp_guards_str\": {}", guard);
        compile(&made, "f", 8, "4", USUAL);
        save(&made);
    }
    yyjson_doc *doc = run(RANKS);
    assert_int_equal(causes(doc), 1);
    assert_int_equal(yyjson_arr_size(at(doc, "/divergence/root_causes/0/evidence")), 16);
    assert_json(doc, "/divergence/root_causes/0/more_evidence", "4");
    yyjson_doc_free(doc);
}

/* The order in which ranks are read depends on threads; the output does not. */
static void the_report_does_not_depend_on_threads(void **state) {
    (void)state;
    struct ranks_log logs[8];
    char names[8][8], *expected = NULL;
    for (uint64_t rank = 0; rank < 8; rank++) {
        struct made made = {.rank = rank};
        char guard[80], sizes[20];
        snprintf(guard, sizeof guard, "+- EQUALS_MATCH: L['k'] == %llu", (unsigned long long)rank % 3);
        snprintf(sizes, sizeof sizes, "%llu", 4 + (unsigned long long)rank / 4);
        record(&made, "\"dynamo_cpp_guards_str\": {}", guard);
        compile(&made, "f", 8, sizes, rank % 2 ? OTHER : USUAL);
        compile(&made, rank == 5 ? "other" : "g", 20, "4", rank == 6 ? LARGE : USUAL);
        save(&made);
        snprintf(names[rank], sizeof names[rank], "r%llu", (unsigned long long)rank);
        logs[rank] = (struct ranks_log){.path = names[rank], .has_rank = true, .rank = rank};
    }
    for (unsigned i = 0; i < 6; i++) {
        char out[16];
        snprintf(out, sizeof out, "threads%u", i);
        yyjson_doc *doc = run_ranks(logs, 8, i < 2 ? i : 4, out);
        char *text = yyjson_write(doc, 0, NULL);
        if (expected) {
            assert_string_equal(text, expected);
            free(text);
        } else {
            expected = text;
        }
        yyjson_doc_free(doc);
    }
    assert_non_null(strstr(expected, "root_causes"));
    free(expected);
}

/* A compile with a guard tree. */
static void guarded(struct made *made, const char *guards) {
    record(made, "\"dynamo_cpp_guards_str\": {}", guards);
    compile(made, "f", 8, "4", USUAL);
}

static void guards_that_differ_are_named(void **state) {
    (void)state;
    static const struct {
        const char *guards[3],
            *texts[3]; /* of one side each, after the number of its guards; NULL: like an earlier one */
    } rows[] = {
        {{"+- EQUALS_MATCH: L['k'] == 1", "+- EQUALS_MATCH: L['k'] == 2", "+- EQUALS_MATCH: L['k'] == 1"},
         {"k == 1", "k == 2", NULL}},
        {{"+- EQUALS_MATCH: L['k'] == 1\n+- LENGTH_CHECK: len(L['xs']) == 2", "+- EQUALS_MATCH: L['k'] == 1",
          "+- EQUALS_MATCH: L['k'] == 1"},
         {"len(xs) == 2", "no guard on len(xs)", NULL}},
        {{"+- EQUALS_MATCH: L['k'] == 1", "+- EQUALS_MATCH: L['k'] == 2", "+- EQUALS_MATCH: L['k'] == 3"},
         {"k == 1", "k == 2", "k == 3"}},
        {{"+- EQUALS_MATCH: L['rank'] == 0\n+- EQUALS_MATCH: L['k'] == 1",
          "+- EQUALS_MATCH: L['rank'] == 1\n+- EQUALS_MATCH: L['k'] == 1",
          "+- EQUALS_MATCH: L['rank'] == 2\n+- EQUALS_MATCH: L['k'] == 2"},
         {"k == 1", "k == 2", NULL}},
        {{"+- EQUALS_MATCH: L['a'] == 1\n+- EQUALS_MATCH: L['b'] == 1\n+- EQUALS_MATCH: L['c'] == 1\n"
          "+- EQUALS_MATCH: L['d'] == 1",
          "+- EQUALS_MATCH: L['a'] == 2\n+- EQUALS_MATCH: L['b'] == 2\n+- EQUALS_MATCH: L['c'] == 2\n"
          "+- EQUALS_MATCH: L['d'] == 2",
          "+- EQUALS_MATCH: L['a'] == 1\n+- EQUALS_MATCH: L['b'] == 1\n+- EQUALS_MATCH: L['c'] == 1\n"
          "+- EQUALS_MATCH: L['d'] == 1"},
         {"a == 1, b == 1, c == 1 and 1 more", "a == 2, b == 2, c == 2 and 1 more", NULL}},
        /* guards on modules that PyTorch imports come last */
        {{"+- EQUALS_MATCH: G['__import_a'].x == 1\n+- EQUALS_MATCH: L['k'] == 1",
          "+- EQUALS_MATCH: G['__import_a'].x == 2\n+- EQUALS_MATCH: L['k'] == 2",
          "+- EQUALS_MATCH: G['__import_a'].x == 1\n+- EQUALS_MATCH: L['k'] == 1"},
         {"k == 1, G['__import_a'].x == 1", "k == 2, G['__import_a'].x == 2", NULL}},
        /* an unrecognized guard is not explained */
        {{"+- SOME_GUARD: whatever of this", "+- SOME_GUARD: whatever of that", "+- SOME_GUARD: whatever of this"},
         {NULL}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (uint64_t rank = 0; rank < 3; rank++) {
            struct made made = {.rank = rank};
            guarded(&made, rows[i].guards[rank]);
            save(&made);
        }
        yyjson_doc *doc = run(3);
        assert_int_equal(causes(doc), 1);
        assert_string_equal(str(doc, "/divergence/root_causes/0/kind"), "guards");
        for (size_t side = 0; side < 3 && rows[i].texts[side]; side++) {
            char pointer[80], text[200];
            unsigned count = 1;
            for (const char *at = rows[i].guards[side]; (at = strchr(at, '\n')); at++)
                count++;
            snprintf(text, sizeof text, "%u guard%s: %s", count, count == 1 ? "" : "s", rows[i].texts[side]);
            snprintf(pointer, sizeof pointer, "/divergence/root_causes/0/evidence/%zu/text", side);
            assert_string_equal(str(doc, pointer), text);
            snprintf(pointer, sizeof pointer, "/divergence/guards/first/sides/%zu/value", side);
            assert_string_equal(str(doc, pointer), text);
        }
        yyjson_doc_free(doc);
    }
}

/* The functions that each rank compiles, one letter each; then the titles of the causes. */
static void ranks_may_compute_parts(void **state) {
    (void)state;
    static const struct {
        const char *functions[6];
        const char *titles[4];
    } rows[] = {
        {{"az", "bz", "cz", "dz"}, {"ranks compute different parts: 4 groups of ranks"}},
        {{"az", "az", "bz", "bz", "cz", "cz"}, {"ranks compute different parts: 3 groups of ranks"}},
        /* a block of two stages in the middle */
        {{"az", "bz", "bz", "cz"}, {"ranks compute different parts: 3 groups of ranks"}},
        /* two parts are described by what they compile */
        {{"az", "az", "bz", "bz"}, {"ranks 0 and 1 compile `a` where ranks 2 and 3 compile `b`"}},
        /* a rank that compiles something else, and one that compiles more, are not parts */
        {{"az", "az", "bz", "az"}, {"rank 2 compiles `b` where ranks 0, 1 and 3 compile `a`"}},
        {{"z", "bz", "z", "z"}, {"rank 1 compiles `b`, the others do not"}},
        {{"z", "bz", "cz", "z"}, {"rank 2 compiles `c`, the others do not", "rank 1 compiles `b`, the others do not"}},
        {{"az", "az", "az", "az", "bz", "cz"},
         {"rank 5 compiles `c`, the others do not", "rank 4 compiles `b`, the others do not",
          "ranks 4 and 5 do not compile `a`, the others do"}},
        /* within a part */
        {{"az", "az", "bz", "bwz", "cz", "cz"},
         {"ranks compute different parts: 3 groups of ranks", "rank 3 compiles `w`, rank 2 does not"}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t ranks = 0, titles = 0;
        for (; ranks < 6 && rows[i].functions[ranks]; ranks++) {
            struct made made = {.rank = ranks};
            for (const char *at = rows[i].functions[ranks]; *at; at++) {
                char name[2] = {*at, 0};
                compile(&made, name, (unsigned)*at, "4", USUAL);
            }
            save(&made);
        }
        yyjson_doc *doc = run(ranks);
        for (; titles < 4 && rows[i].titles[titles]; titles++) {
            char pointer[80];
            snprintf(pointer, sizeof pointer, "/divergence/root_causes/%zu/title", titles);
            if (titles < causes(doc))
                assert_string_equal(str(doc, pointer), rows[i].titles[titles]);
        }
        if (causes(doc) != titles)
            fail_msg("row %zu: %zu causes, not %zu", i, causes(doc), titles);
        yyjson_doc_free(doc);
    }
}

#define WEIGHT(name) "        y: \"f32[4]cpu\" = torch.mul(l_x_, l_self_modules_" name "_parameters_weight_)\n"

static void stages_of_one_function_are_parts(void **state) {
    (void)state;
    static const struct {
        const char *graphs[4], *title;
    } rows[] = {
        {{LINE("10", "y = l(x)") WEIGHT("l_modules_0"), LINE("10", "y = l(x)") WEIGHT("l_modules_1"),
          LINE("10", "y = l(x)") WEIGHT("l_modules_2"), LINE("12", "y = h(x)") WEIGHT("h")},
         "ranks compute different parts: 4 groups of ranks"},
        {{LINE("10", "y = l(x)") WEIGHT("l_modules_0"), LINE("10", "y = l(x)") WEIGHT("l_modules_0"),
          LINE("10", "y = l(x)") WEIGHT("l_modules_1"), LINE("10", "y = l(x)") WEIGHT("l_modules_0")},
         "rank 2 traces different operations at `train.py:10`"},
        /* no weights, so no modules: ranks that run the same line are listed together */
        {{LINE("10", "y = g(x)") "        y: \"f32[4]cpu\" = x.sin()\n",
          LINE("10", "y = g(x)") "        y: \"f32[4]cpu\" = x.cos()\n",
          LINE("10", "y = g(x)") "        y: \"f32[4]cpu\" = x.tan()\n",
          LINE("12", "y = h(x)") "        y: \"f32[4]cpu\" = x.exp()\n"},
         "ranks take different branches: ranks 0–2 at `train.py:10`, rank 3 at `train.py:12`"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (uint64_t rank = 0; rank < 4; rank++) {
            struct made made = {.rank = rank};
            compile(&made, "f", 8, "4", rows[i].graphs[rank]);
            save(&made);
        }
        yyjson_doc *doc = run(4);
        assert_int_equal(causes(doc), 1);
        assert_string_equal(str(doc, "/divergence/root_causes/0/title"), rows[i].title);
        yyjson_doc_free(doc);
    }
}

/* "The others" are all other compared ranks. Nothing is known about a rank whose log ends earlier. */
static void the_others_are_all_others(void **state) {
    (void)state;
    for (uint64_t rank = 0; rank < 4; rank++) {
        struct made made = {.rank = rank};
        compile(&made, "f", 8, "4", USUAL);
        if (rank == 3) { /* its log ends within a compile */
            made.frame--;
            event(&made, "dynamo", "B", 1733498295e6);
            save(&made);
            continue;
        }
        compile(&made, "g", 20, "4", USUAL);
        if (rank != 1)
            compile(&made, "h", 30, "4", USUAL);
        save(&made);
    }
    yyjson_doc *doc = run(4);
    bool told = false;
    for (size_t i = 0; i < causes(doc); i++) {
        char pointer[80];
        snprintf(pointer, sizeof pointer, "/divergence/root_causes/%zu/title", i);
        told |= strcmp(str(doc, pointer), "rank 1 does not compile `h`, ranks 0 and 2 do") == 0;
    }
    if (!told)
        fail_msg("%s", yyjson_val_write(at(doc, "/divergence/root_causes"), 0, NULL));
    yyjson_doc_free(doc);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(another_branch_is_one_cause, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(equal_groups_have_no_outlier, enter_folder, leave_folder),
        cmocka_unit_test(settings_of_logs_are_known),
        cmocka_unit_test_setup_teardown(independent_causes_stay_separate, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(one_compile_more_shifts_only_ids, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(another_function_in_its_place_is_one_cause, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(a_recompile_of_one_rank_has_its_reason, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(one_batch_is_one_cause, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(one_guard_with_other_values_is_said, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(a_frame_of_a_library_has_its_own_name, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(a_difference_behind_another_is_listed, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(a_branch_does_not_hide_another_size, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(ranks_that_go_on_did_not_hang, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(missing_data_is_not_a_difference, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(collectives_are_read_from_graphs, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(the_world_is_as_large_as_the_default_group, enter_folder, leave_folder),
        cmocka_unit_test(hints_of_the_world),
        cmocka_unit_test(groups_of_a_runnable),
        cmocka_unit_test_setup_teardown(logs_of_another_job_are_not_compared, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(logs_that_are_hours_apart_are_compared, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(a_long_log_joins_those_at_its_ends, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(a_log_that_ends_in_a_span_is_unfinished, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(guards_differ_by_what_they_check, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(the_order_of_cached_graphs_is_not_compared, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(rank_specific_names_are_not_a_difference, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(groups_of_a_mesh_have_other_names_on_each_rank, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(a_rank_that_compiles_nothing_more_is_one_cause, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(a_compile_of_what_others_compile_less_often_says_so, enter_folder,
                                        leave_folder),
        cmocka_unit_test_setup_teardown(a_backward_that_a_rank_lacks_is_one_cause, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(the_order_of_compiles_is_not_a_difference_of_graphs, enter_folder,
                                        leave_folder),
        cmocka_unit_test_setup_teardown(a_compile_after_a_reset_is_another_one, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(the_operation_that_differs_is_named, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(another_version_of_a_file_is_its_own_cause, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(a_size_may_be_dynamic_on_one_rank, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(a_frame_is_named_by_its_label, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(groups_beyond_the_listed_ones_are_counted, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(the_report_does_not_depend_on_threads, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(guards_that_differ_are_named, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(ranks_may_compute_parts, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(stages_of_one_function_are_parts, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(the_others_are_all_others, enter_folder, leave_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

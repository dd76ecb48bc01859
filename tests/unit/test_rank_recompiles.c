/* Recompiles of ranks are compared by their cause, not by their number. */
#define _GNU_SOURCE
#include "diverge/diverge.h"
#include "made_ranks.h"

#define SIZE(version, from, to) version ": tensor 'x' size mismatch at index 0. expected " from ", actual " to
#define MODE(version) version ": GLOBAL_STATE changed: grad_mode "
#define DTYPE(version) version ": tensor 'x' dtype mismatch. expected Float, actual Double"
#define ALSO "\", \""

/* A version of f. */
struct version {
    const char *reason; /* NULL: none is logged */
    const char *size, *graph;
};

enum { VERSIONS_MAX = 4 };

static void add_versions(struct made *made, const struct version versions[VERSIONS_MAX]) {
    compile(made, "f", 8, "8", USUAL);
    for (unsigned i = 0; i < VERSIONS_MAX && versions[i].graph; i++) {
        made->frame = 0;
        made->number = i + 1;
        if (versions[i].reason)
            reason(made, versions[i].reason);
        compile(made, "f", 8, versions[i].size, versions[i].graph);
    }
    made->frame = 1;
    made->number = 0;
}

/* Two ranks with a first compile of f, and these recompiles. */
static yyjson_doc *compared(const struct version mine[VERSIONS_MAX], const struct version its[VERSIONS_MAX]) {
    for (uint64_t rank = 0; rank < 2; rank++) {
        struct made made = {.rank = rank};
        add_versions(&made, rank ? its : mine);
        compile(&made, "g", 20, "8", USUAL);
        save(&made);
    }
    return run(2);
}

static void assert_cause(yyjson_doc *doc, unsigned i, const char *title) {
    char pointer[80];
    snprintf(pointer, sizeof pointer, "/divergence/root_causes/%u/title", i % 100);
    assert_string_equal(str(doc, pointer), title);
}

static void a_cause_that_one_rank_has_shifts_no_others(void **state) {
    static const struct version mine[VERSIONS_MAX] = {{MODE("0/0"), "8", USUAL}},
                                its[VERSIONS_MAX] = {{SIZE("0/0", "8", "6"), "6", USUAL},
                                                     {MODE("0/1") ALSO MODE("0/0"), "8", USUAL}};
    (void)state;
    for (int swapped = 0; swapped < 2; swapped++) {
        yyjson_doc *doc = swapped ? compared(its, mine) : compared(mine, its);
        assert_int_equal(causes(doc), 1);
        assert_cause(doc, 0,
                     swapped ? "rank 0 recompiles `f` for the size 6 of `x` at index 0, rank 1 does not"
                             : "rank 1 recompiles `f` for the size 6 of `x` at index 0, rank 0 does not");
        assert_string_equal(str(doc, "/divergence/root_causes/0/compile"), "0/1");
        assert_string_equal(str(doc, swapped ? "/divergence/root_causes/0/evidence/0/text"
                                             : "/divergence/root_causes/0/evidence/1/text"),
                            SIZE("0/0", "8", "6"));
        assert_true(diverges(doc, "recompiles"));
        yyjson_doc_free(doc);
    }
}

static void another_order_is_the_only_difference(void **state) {
    static const struct version mine[VERSIONS_MAX] = {{SIZE("0/0", "8", "6"), "6", USUAL},
                                                      {MODE("0/1") ALSO MODE("0/0"), "8", OTHER}},
                                its[VERSIONS_MAX] = {{MODE("0/0"), "8", OTHER},
                                                     {MODE("0/1") ALSO SIZE("0/0", "8", "6"), "6", USUAL}};
    (void)state;
    yyjson_doc *doc = compared(mine, its);
    assert_int_equal(causes(doc), 1);
    assert_cause(doc, 0, "ranks compile functions in a different order, first at `f`");
    assert_string_equal(str(doc, "/divergence/root_causes/0/evidence/0/text"),
                        "tensor 'x' size mismatch at index 0. expected 8, actual 6");
    assert_string_equal(str(doc, "/divergence/root_causes/0/evidence/1/text"), "GLOBAL_STATE changed: grad_mode");
    assert_false(diverges(doc, "recompiles"));
    assert_false(diverges(doc, "graphs"));
    yyjson_doc_free(doc);
}

/* Neither is the counterpart of the other. */
static void two_causes_are_two_differences(void **state) {
    static const struct {
        const char *mine, *its, *titles[2];
    } cases[] = {
        {SIZE("0/0", "8", "6"),
         MODE("0/0"),
         {"rank 0 recompiles `f` for the size 6 of `x` at index 0, rank 1 does not",
          "rank 1 recompiles `f` (`GLOBAL_STATE changed: grad_mode`), rank 0 does not"}},
        {SIZE("0/0", "8", "6"),
         DTYPE("0/0"),
         {"rank 0 recompiles `f` for the size 6 of `x` at index 0, rank 1 does not",
          "rank 1 recompiles `f` for the dtype Double of `x`, rank 0 does not"}},
        {SIZE("0/0", "8", "6"),
         "0/0: tensor 'x' size mismatch at index 1. expected 8, actual 6",
         {"rank 0 recompiles `f` for the size 6 of `x` at index 0, rank 1 does not",
          "rank 1 recompiles `f` for the size 6 of `x` at index 1, rank 0 does not"}},
        {SIZE("0/0", "8", "6"),
         "0/0: tensor 'y' size mismatch at index 0. expected 8, actual 6",
         {"rank 0 recompiles `f` for the size 6 of `x` at index 0, rank 1 does not",
          "rank 1 recompiles `f` for the size 6 of `y` at index 0, rank 0 does not"}},
        {"0/0: k == 1",
         "0/0: n == 1",
         {"rank 0 recompiles `f` (`k == 1`), rank 1 does not", "rank 1 recompiles `f` (`n == 1`), rank 0 does not"}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct version mine[VERSIONS_MAX] = {{cases[i].mine, "8", USUAL}},
                             its[VERSIONS_MAX] = {{cases[i].its, "8", USUAL}};
        yyjson_doc *doc = compared(mine, its);
        bool first = strncmp(str(doc, "/divergence/root_causes/0/title"), "rank 0", 6) == 0;
        assert_int_equal(causes(doc), 2);
        assert_cause(doc, first ? 0 : 1, cases[i].titles[0]);
        assert_cause(doc, first ? 1 : 0, cases[i].titles[1]);
        yyjson_doc_free(doc);
    }
}

/* Two recompiles of one rank for two causes are two differences; a further value of one variable is not. */
static void each_cause_of_one_rank_is_listed(void **state) {
    static const struct version mine[VERSIONS_MAX] = {{0}},
                                its[VERSIONS_MAX] = {{SIZE("0/0", "8", "6"), "6", USUAL},
                                                     {DTYPE("0/0"), "8", USUAL},
                                                     {SIZE("0/1", "6", "5") ALSO SIZE("0/0", "8", "5"), "5", USUAL}};
    (void)state;
    yyjson_doc *doc = compared(mine, its);
    assert_int_equal(causes(doc), 2);
    assert_cause(doc, 0, "rank 1 recompiles `f` for the size 6 of `x` at index 0, rank 0 does not");
    assert_cause(doc, 1, "rank 1 recompiles `f` for the dtype Double of `x`, rank 0 does not");
    assert_int_equal(yyjson_arr_size(at(doc, "/divergence/root_causes/0/consequences")), 1);
    assert_string_equal(str(doc, "/divergence/root_causes/0/consequences/0/first"), "rank 1 also recompiles `f`");
    assert_int_equal(yyjson_arr_size(at(doc, "/divergence/root_causes/1/consequences")), 0);
    yyjson_doc_free(doc);
}

/* If one guard fails twice on a rank, sizes and graphs say which of the two the other rank has. */
static void the_most_alike_match(void **state) {
    static const struct version mine[VERSIONS_MAX] = {{MODE("0/0"), "8", USUAL},
                                                      {SIZE("0/1", "8", "6") ALSO MODE("0/0"), "6", USUAL}},
                                sizes[VERSIONS_MAX] = {{MODE("0/0"), "6", USUAL}},
                                values[VERSIONS_MAX] = {{"0/0: k == 1", "8", USUAL}, {"0/0: k == 1", "8", OTHER}},
                                other[VERSIONS_MAX] = {{"0/0: k == 1", "8", OTHER}};
    (void)state;
    yyjson_doc *doc = compared(mine, sizes);
    assert_int_equal(causes(doc), 1);
    assert_cause(doc, 0, "rank 0 recompiles `f` once more (`GLOBAL_STATE changed: grad_mode`), rank 1 does not");
    assert_string_equal(str(doc, "/divergence/root_causes/0/compile"), "0/1");
    yyjson_doc_free(doc);
    doc = compared(values, other);
    assert_int_equal(causes(doc), 1);
    assert_cause(doc, 0, "rank 0 recompiles `f` once more (`k == 1`), rank 1 does not");
    assert_string_equal(str(doc, "/divergence/root_causes/0/compile"), "0/1");
    yyjson_doc_free(doc);
}

/* Without reasons, nothing but the number is known. */
static void recompiles_without_reasons_match_by_number(void **state) {
    static const struct version one[VERSIONS_MAX] = {{NULL, "6", USUAL}},
                                two[VERSIONS_MAX] = {{NULL, "6", USUAL}, {NULL, "5", USUAL}},
                                known[VERSIONS_MAX] = {{SIZE("0/0", "8", "6"), "6", USUAL}};
    (void)state;
    yyjson_doc *doc = compared(one, two);
    assert_int_equal(causes(doc), 1);
    assert_cause(doc, 0, "rank 1 recompiles `f` a 2nd time, rank 0 does not");
    yyjson_doc_free(doc);
    doc = compared(one, known);
    assert_int_equal(causes(doc), 0);
    yyjson_doc_free(doc);
}

/* One of several ranks, and ranks that each have another value. */
static void many_ranks_match(void **state) {
    (void)state;
    for (uint64_t rank = 0; rank < 4; rank++) {
        struct made made = {.rank = rank};
        struct buf size = {0};
        buf_addf(&size, "0/0: tensor 'x' size mismatch at index 0. expected 8, actual %u%c", (unsigned)rank + 2, 0);
        const struct version usual[VERSIONS_MAX] = {{size.ptr, "8", USUAL}, {MODE("0/0"), "8", USUAL}},
                             fewer[VERSIONS_MAX] = {{MODE("0/0"), "8", USUAL},
                                                    {MODE("0/1") ALSO DTYPE("0/0"), "8", USUAL}};
        add_versions(&made, rank == 2 ? fewer : usual);
        save(&made);
        buf_free(&size);
    }
    yyjson_doc *doc = run(4);
    assert_int_equal(causes(doc), 3);
    assert_cause(doc, 0, "rank 2 does not recompile `f` for the size 2 of `x` at index 0, the others do");
    assert_cause(doc, 1,
                 "rank 0 and rank 1 and rank 3 recompile `f` for different sizes of `x` at index 0: 2 and 3 and 5");
    assert_cause(doc, 2, "rank 2 recompiles `f` for the dtype Double of `x`, the others do not");
    yyjson_doc_free(doc);
}

/* More ranks than a title names. */
static void many_values_are_one_difference(void **state) {
    (void)state;
    for (uint64_t rank = 0; rank < 6; rank++) {
        struct made made = {.rank = rank};
        struct buf value = {0};
        buf_addf(&value, "0/0: k == %u%c", (unsigned)rank, 0);
        const struct version versions[VERSIONS_MAX] = {{value.ptr, "8", USUAL}};
        add_versions(&made, versions);
        save(&made);
        buf_free(&value);
    }
    yyjson_doc *doc = run(6);
    assert_int_equal(causes(doc), 1);
    assert_cause(doc, 0, "ranks recompile `f` for different changes of `k`");
    yyjson_doc_free(doc);
}

static void add_estimated(struct made *made, const char *text, unsigned ns) {
    struct buf estimate = {0};
    buf_addf(&estimate, "{\"ops\": [{\"name\": \"op0\", \"type\": \"compute\", \"estimated_runtime_ns\": %u}]}%c", ns,
             0);
    if (text)
        reason(made, text);
    record(made, "\"artifact\": {\"name\": \"inductor_runtime_and_tensor_meta\", \"encoding\": \"json\"}",
           estimate.ptr);
    compile(made, "f", 8, "8", USUAL);
    made->frame = 0;
    made->number++;
    buf_free(&estimate);
}

/* The estimates of a version are compared with those of the same version. */
static void estimates_are_of_the_same_version(void **state) {
    (void)state;
    for (uint64_t rank = 0; rank < 2; rank++) {
        struct made made = {.rank = rank};
        add_estimated(&made, NULL, 100);
        add_estimated(&made, rank ? SIZE("0/0", "8", "6") : MODE("0/0"), rank ? 900 : 300);
        add_estimated(&made, rank ? MODE("0/1") ALSO MODE("0/0") : DTYPE("0/0"), rank ? 310 : 700);
        save(&made);
    }
    yyjson_doc *doc = run(2);
    assert_int_equal(yyjson_arr_size(at(doc, "/runtime/graphs")), 2);
    assert_string_equal(str(doc, "/runtime/graphs/1/per_rank/0/compile"), "0/1");
    assert_string_equal(str(doc, "/runtime/graphs/1/per_rank/1/compile"), "0/2");
    assert_json(doc, "/runtime/graphs/1/spread_ns", "10.0");
    assert_string_equal(str(doc, "/runtime/reason"),
                        "The ranks do not have the same graphs with estimates in the same order. Graphs of the same "
                        "function are compared.");
    yyjson_doc_free(doc);
}

/* Facts of older programs have the reason for the version that was used last, which says nothing about the cause. */
static void reasons_of_older_facts_are_not_compared(void **state) {
    (void)state;
    for (int earliest = 0; earliest < 2; earliest++) {
        struct rank_facts ranks[2], *facts[2] = {&ranks[0], &ranks[1]};
        struct rank_compile compiles[2];
        memset(ranks, 0, sizeof ranks);
        for (uint64_t rank = 0; rank < 2; rank++) {
            compiles[rank] = (struct rank_compile){.id = SLICE("0/1"),
                                                   .slot = SLICE("f 1"),
                                                   .frame = SLICE("f"),
                                                   .number = 1,
                                                   .reasons = 1,
                                                   .reason = rank ? SLICE(MODE("0/0")) : SLICE(DTYPE("0/0")),
                                                   .earliest = earliest};
            ranks[rank].has_rank = true;
            ranks[rank].rank = rank;
            ARENA_GROW(&ranks[rank].arena, &ranks[rank].compiles);
            ranks[rank].compiles.items[ranks[rank].compiles.count++] = &compiles[rank];
        }
        rank_slots_find(facts, 2);
        assert_int_equal(slice_eq(rank_slot(&ranks[0], 0), rank_slot(&ranks[1], 0)), !earliest);
        arena_free(&ranks[0].arena);
        arena_free(&ranks[1].arena);
    }
}

#define REDUCE                                                                                                         \
    LINE("12", "y = reduce(x)")                                                                                        \
    "        y: \"f32[4]cpu\" = torch.ops._c10d_functional.all_reduce(x, 'sum', '0');  x = None\n"

/* A version that one rank alone has may wait for the others if it alone has the collective. */
static void a_version_with_other_collectives_may_hang(void **state) {
    static const struct version mine[VERSIONS_MAX] = {{SIZE("0/0", "8", "6"), "6", USUAL}},
                                its[VERSIONS_MAX] = {{MODE("0/0"), "8", REDUCE}},
                                none[VERSIONS_MAX] = {{MODE("0/0"), "8", OTHER}};
    (void)state;
    for (int last = 0; last < 2; last++) { /* whether something is compiled afterwards */
        for (uint64_t rank = 0; rank < 2; rank++) {
            struct made made = {.rank = rank};
            add_versions(&made, rank ? its : mine);
            if (!last)
                compile(&made, "g", 20, "8", USUAL);
            save(&made);
        }
        yyjson_doc *doc = run(2);
        assert_true(diverges(doc, "collectives"));
        assert_int_equal(causes(doc), 2);
        for (unsigned i = 0; i < 2; i++) {
            char pointer[80];
            snprintf(pointer, sizeof pointer, "/divergence/root_causes/%u/title", i);
            bool reduces = strstr(str(doc, pointer), "grad_mode") != NULL;
            snprintf(pointer, sizeof pointer, "/divergence/root_causes/%u/may_hang", i);
            assert_int_equal(yyjson_get_bool(at(doc, pointer)), reduces && last);
        }
        yyjson_doc_free(doc);
    }
    yyjson_doc *doc = compared(mine, none);
    assert_false(diverges(doc, "collectives"));
    assert_false(yyjson_get_bool(at(doc, "/divergence/root_causes/0/may_hang")));
    assert_false(yyjson_get_bool(at(doc, "/divergence/root_causes/1/may_hang")));
    yyjson_doc_free(doc);
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_cause_that_one_rank_has_shifts_no_others, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(another_order_is_the_only_difference, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(two_causes_are_two_differences, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(each_cause_of_one_rank_is_listed, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(the_most_alike_match, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(recompiles_without_reasons_match_by_number, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(many_ranks_match, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(many_values_are_one_difference, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(estimates_are_of_the_same_version, enter_folder, leave_folder),
        cmocka_unit_test(reasons_of_older_facts_are_not_compared),
        cmocka_unit_test_setup_teardown(a_version_with_other_collectives_may_hang, enter_folder, leave_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

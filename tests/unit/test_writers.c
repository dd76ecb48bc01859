/* trace/process_ranks: the rank of each process. */
#define _GNU_SOURCE
#include "support.h"

#include "trace/process_ranks.h"

#define RECORD(process, envelope) "V1206 15:18:15.925000 " process " torch/a.py:1] {" envelope "}\n"

static void put(const char *name, const char *first, size_t filler, const char *then) {
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    fputs(first, file);
    for (size_t i = 0; i < filler; i++)
        fputs(RECORD("7", "\"rank\": 5"), file);
    fputs(then, file);
    assert_int_equal(fclose(file), 0);
}

static void expect(const struct process_ranks *process_ranks, uint64_t process, int64_t rank) {
    uint64_t found = 0;
    assert_int_equal(process_ranks_get(process_ranks, 0, process, &found), rank >= 0);
    if (rank >= 0)
        assert_int_equal(found, rank);
}

static void finds_the_rank_of_each_process(void **state) {
    struct process_ranks process_ranks;
    (void)state;
    put("log",
        "some text\n" RECORD("11", "\"str\": [\"a\", 0]") RECORD("12", "\"artifact\": {\"name\": \"\\\"rank\\\": 9\"}")
            RECORD(
                "13",
                "\"x\": 1, \"rank\": 4") "\tV1206 15:18:15.925000 14 torch/a.py:1] {\"rank\": 2}\n"
                                         "[rank1]:" RECORD("12", "\"y\": 1, \"rank\": 1") RECORD(
                                             "12",
                                             "\"y\": 1, \"rank\": 3") "V1206 15:18:15.925000 15 torch/a.py:1] words, "
                                                                      "no record\n" RECORD("11",
                                                                                           "\"rank\": \"no number\""),
        0, "");
    process_ranks_find(&process_ranks, &(const char *){"log"}, 1);
    assert_true(process_ranks.has_first);
    assert_int_equal(process_ranks.first_rank, 4);
    expect(&process_ranks, 11, -1);
    expect(&process_ranks, 12, 1); /* the first one that it wrote */
    expect(&process_ranks, 13, 4);
    expect(&process_ranks, 14, -1); /* a payload */
    expect(&process_ranks, 15, -1);
    process_ranks_finish(&process_ranks);
}

/* A few MiB of a log by one process are read; more of a log by several processes. */
static void reads_more_of_shared_logs(void **state) {
    struct process_ranks process_ranks;
    (void)state;
    put("one", "", 120000, RECORD("8", "\"rank\": 6"));
    process_ranks_find(&process_ranks, &(const char *){"one"}, 1);
    expect(&process_ranks, 7, 5);
    expect(&process_ranks, 8, -1);
    process_ranks_finish(&process_ranks);
    put("two", RECORD("8", "\"x\": 1"), 120000, RECORD("8", "\"rank\": 6"));
    process_ranks_find(&process_ranks, &(const char *){"two"}, 1);
    expect(&process_ranks, 7, 5);
    expect(&process_ranks, 8, 6);
    process_ranks_finish(&process_ranks);
}

/* A pipe can be read only once: it is not opened, and nothing waits for it. */
static void skips_special_files(void **state) {
    struct process_ranks process_ranks;
    (void)state;
    assert_int_equal(mkfifo("pipe", 0600), 0);
    static const char *const names[] = {"pipe", ".", "-", "not there"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        process_ranks_find(&process_ranks, &(const char *){names[i]}, 1);
        assert_int_equal(process_ranks.count, 0);
        assert_false(process_ranks.has_first);
        process_ranks_finish(&process_ranks);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(finds_the_rank_of_each_process, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(reads_more_of_shared_logs, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(skips_special_files, enter_folder, leave_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

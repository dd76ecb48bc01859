/* answers/run_time_measure: what something takes in a step or a call, and which equal kernels are compared. */
#define _GNU_SOURCE
#include "support.h"

#include "answers/run_time_parts.h"
#include "base/json.h"

static void a_step_has_its_median_and_range(void **state) {
    (void)state;
    double times[] = {5, 1, 2, 4, 3}, many[20], rare[] = {0, 0, 18, 12, 0, 0};
    struct measure measure = run_time_of_steps(times, 5);
    assert_true(measure.us == 3 && measure.low == 1 && measure.high == 5 && measure.calls == 5);
    for (size_t i = 0; i < 20; i++)
        many[i] = (double)(i + 1);
    measure = run_time_of_steps(many, 20);
    assert_true(measure.us == 10.5 && measure.low == 5.75 && measure.high == 15.25);
    measure = run_time_of_steps(rare, 6); /* in two steps of six, as an optimizer that runs after several steps */
    assert_true(measure.us == 5 && measure.low == 4 && measure.high == 6 && measure.calls == 2);
    assert_true(run_time_of_steps(rare, 0).calls == 0);
}

static yyjson_val *item_of(struct arena *arena, const char *text) {
    yyjson_val *root;
    struct slice json = slice_str(text);
    assert_int_not_equal(json_read(&json, JSON_NUMBERS, arena, &root), JSON_BAD);
    return root;
}

/* One version of a function has small calls, the other a large one: a step has both. */
static void versions_add_up_in_a_step(void **state) {
    (void)state;
    AUTO_ARENA arena = {0};
    struct part parts[] = {
        {item_of(&arena, "{\"by_step_us\": [10, 12, 10, 11]}"), 1, 8, SLICE("0/0")},
        {item_of(&arena, "{\"by_step_us\": [700, 0, 0, 710]}"), 1, 2, SLICE("0/1")},
        {item_of(&arena, "{\"by_step_us\": [0, 690, 705]}"), 1, 2, SLICE("0/2")}, /* a shorter list is no error */
    };
    struct measure measure = run_time_measure(parts, 3, 4);
    assert_true(measure.us == 712.5 && measure.low == 702 && measure.high == 721);
    parts[0].weight = 0.5; /* of a line that has half of the kernel */
    assert_true(run_time_measure(parts, 1, 4).us == 5.25);
}

static void a_call_is_one_of_a_version(void **state) {
    (void)state;
    AUTO_ARENA arena = {0};
    const char *small =
        "{\"calls\": 10, \"median_us\": 10, \"q1_us\": 9, \"q3_us\": 11, \"min_us\": 8, \"max_us\": 12}";
    const char *large =
        "{\"calls\": 30, \"median_us\": 50, \"q1_us\": 40, \"q3_us\": 60, \"min_us\": 30, \"max_us\": 70}";
    struct part parts[] = {{item_of(&arena, small), 1, 10, SLICE("0/0")},
                           {item_of(&arena, large), 1, 30, SLICE("0/1")}};
    struct measure measure = run_time_measure(parts, 2, 0);
    assert_true(measure.us == 40 && measure.low == 9 && measure.high == 60 && measure.calls == 40);
    parts[1].compile = SLICE("0/0"); /* two kernels of one compile add up */
    parts[1].of_compile = 10;        /* that one runs three times in a call */
    measure = run_time_measure(parts, 2, 0);
    assert_true(measure.us == 160 && measure.low == 129 && measure.high == 191);
}

static void equal_kernels_are_compared_by_their_times(void **state) {
    (void)state;
    const double before[] = {716, 1398, 187}, after[] = {413, 760, 1533, 204};
    uint32_t numbers[2][4];
    run_time_pair((const double *const[]){before, after}, (const size_t[]){3, 4},
                  (uint32_t *const[]){numbers[0], numbers[1]});
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(numbers[0][i], i + 1); /* the first one is new */
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(numbers[1][i], i);
    run_time_pair((const double *const[]){after, after}, (const size_t[]){4, 4},
                  (uint32_t *const[]){numbers[0], numbers[1]});
    assert_int_equal(numbers[0][3], 3);
    run_time_pair((const double *const[]){after, before}, (const size_t[]){4, 0},
                  (uint32_t *const[]){numbers[0], numbers[1]});
    assert_int_equal(numbers[0][3], 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_has_its_median_and_range),
        cmocka_unit_test(versions_add_up_in_a_step),
        cmocka_unit_test(a_call_is_one_of_a_version),
        cmocka_unit_test(equal_kernels_are_compared_by_their_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

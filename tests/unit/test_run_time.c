/* answers/run_time_measure: what something takes in a step or a call, and which equal kernels are compared. */
#define _GNU_SOURCE
#include "support.h"

#include "answers/run_time.h"
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

static bool apart(double *less, size_t few, double *more, size_t many) {
    struct measure a = run_time_of_steps(less, few), b = run_time_of_steps(more, many);
    assert_true(run_time_apart(&a, &b) == run_time_apart(&b, &a));
    return run_time_apart(&a, &b);
}

static void one_slow_step_hides_no_change(void **state) {
    (void)state;
    assert_true(apart((double[]){10, 11, 12, 13, 31}, 5, (double[]){30, 32, 33, 34, 35}, 5));
    assert_false(apart((double[]){10, 11, 12, 31, 33}, 5, (double[]){30, 32, 33, 34, 35}, 5)); /* 4 pairs */
    assert_false(apart((double[]){10, 11, 12, 13}, 4, (double[]){12.5, 20, 21, 22}, 4));       /* 6 % of equal ones */
    assert_true(apart((double[]){10, 11, 12, 12}, 4, (double[]){12.5, 20, 21, 22}, 4));
    assert_false(apart((double[]){10, 10, 10, 10, 10, 10}, 6, (double[]){10, 10, 10, 10, 10, 10}, 6));
    assert_false(apart((double[]){10, 11, 12}, 3, (double[]){11.5, 20, 21}, 3)); /* too few for ranks */
}

/* Counts, for all orders of few times, how often the limits take equal distributions for different ones. */
static void equal_distributions_are_apart_in_few_cases(void **state) {
    (void)state;
    for (size_t m = 4; m <= 9; m++)
        for (size_t n = 4; m + n <= 13; n++) {
            size_t all = 0, wrong = 0;
            for (unsigned set = 0; set < 1U << (m + n); set++) {
                double times[SIDES][9];
                size_t counts[SIDES] = {0};
                if ((size_t)__builtin_popcount(set) != m)
                    continue;
                for (size_t i = 0; i < m + n; i++) {
                    size_t side = set >> i & 1 ? 0 : 1;
                    times[side][counts[side]++] = (double)(i + 1);
                }
                all++;
                wrong += apart(times[0], m, times[1], n);
            }
            assert_true((double)wrong <= 0.03 * (double)all);
            assert_true(wrong >= 2);
        }
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

/* A report with one compile, whose profile has eight equal steps, these kernels and these lines. */
static yyjson_val *profile_of(struct arena *arena, const char *kernels, const char *lines) {
    AUTO_BUF text = {0};
    buf_addf(&text,
             "{\"compiles\": [{\"key\": \"0/0\", \"frame\": {\"function\": \"f\", \"file\": \"m.py\", \"line\": 1}}], "
             "\"profile\": {\"regions\": {\"calls\": 8}, \"graph_calls\": {\"calls\": 8}, \"step_us\": {\"steps\": 8, "
             "\"by_step_us\": [900, 900, 900, 900, 900, 900, 900, 900]}, \"kernels\": [%s], \"lines\": [%s]}}",
             kernels, lines);
    yyjson_val *root;
    struct slice json = arena_slice(arena, buf_slice(&text));
    assert_int_not_equal(json_read(&json, JSON_NUMBERS, arena, &root), JSON_BAD);
    return root;
}

/* "kernel name 400 → 800" for each changed kernel and line. */
static void assert_changes(yyjson_val *base, yyjson_val *newer, const char *expected) {
    AUTO_ARENA arena = {0};
    AUTO_BUF json = {0}, seen = {0};
    yyjson_val *root, *row;
    size_t i, max;
    assert_true(run_time_add(&json, NULL, base, newer));
    struct slice text = buf_slice(&json);
    assert_int_not_equal(json_read(&text, JSON_NUMBERS, &arena, &root), JSON_BAD);
    yyjson_arr_foreach(json_get(root, "changes"), i, max, row) {
        yyjson_val *lines = json_get(row, "lines");
        BUF_ADD(&seen, json_get_text(row, "change"), " ", json_get_text(row, "kind"), " ");
        for (size_t side = 0; side < 2; side++)
            buf_addf(&seen, "%d ", (int)yyjson_get_num(yyjson_arr_get(lines, side)));
        buf_addf(&seen, "%.0f\n", yyjson_get_num(json_get(row, "delta_us")));
    }
    assert_buf(&seen, expected);
}

#define STEPS(us)                                                                                                      \
    "\"by_step_us\": [" #us ", " #us ", " #us ", " #us ", " #us ", " #us ", " #us ", " #us "], \"total_us\": " #us "0"
#define KERNEL(index, calls, line, us)                                                                                 \
    "{\"name\": \"mm\", \"compile\": \"0/0\", \"graph\": \"0_forward\", \"index\": " #index ", \"calls\": " #calls     \
    ", \"places\": [{\"file\": \"m.py\", \"line\": " #line "}], " STEPS(us) "}"
#define LINE(line, code) "{\"file\": \"m.py\", \"line\": " #line ", \"code\": \"" code "\"}"

/* Four copies in one graph, or one that is called four times: only their sums are comparable. */
static void kernels_of_a_line_are_one_if_calls_differ(void **state) {
    (void)state;
    AUTO_ARENA arena = {0};
    const char *line = LINE(5, "y = x @ w");
    yyjson_val *copies =
                   profile_of(&arena, KERNEL(1, 8, 5, 100) "," KERNEL(2, 8, 5, 100) "," KERNEL(3, 8, 5, 100), line),
               *calls = profile_of(&arena, KERNEL(1, 24, 5, 301), line),
               *slower = profile_of(&arena, KERNEL(1, 24, 5, 400), line),
               *more = profile_of(&arena,
                                  KERNEL(1, 8, 5, 100) "," KERNEL(2, 8, 5, 100) "," KERNEL(3, 8, 5,
                                                                                           100) "," KERNEL(4, 8, 5, 90),
                                  line);
    assert_changes(copies, calls, "");
    assert_changes(copies, slower, "slower kernel 5 5 100\nslower line 5 5 100\n");
    assert_changes(copies, more, "new kernel 0 5 90\nslower line 5 5 90\n"); /* one was added */
}

static void only_similar_lines_are_compared(void **state) {
    (void)state;
    AUTO_ARENA arena = {0};
    yyjson_val *before = profile_of(&arena, KERNEL(1, 8, 5, 100), LINE(5, "c = torch.tanh(b) * 2")),
               *edited = profile_of(&arena, KERNEL(1, 8, 9, 200), LINE(9, "c = torch.tanh(b) * scale")),
               *other = profile_of(&arena, KERNEL(1, 8, 5, 200), LINE(5, "return v.log1p()"));
    assert_changes(before, edited, "slower kernel 5 9 100\nslower line 5 9 100\n");
    assert_changes(before, other, "new kernel 0 5 200\nnew line 0 5 200\ngone kernel 5 0 -100\ngone line 5 0 -100\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_has_its_median_and_range),
        cmocka_unit_test(one_slow_step_hides_no_change),
        cmocka_unit_test(equal_distributions_are_apart_in_few_cases),
        cmocka_unit_test(versions_add_up_in_a_step),
        cmocka_unit_test(a_call_is_one_of_a_version),
        cmocka_unit_test(equal_kernels_are_compared_by_their_times),
        cmocka_unit_test(kernels_of_a_line_are_one_if_calls_differ),
        cmocka_unit_test(only_similar_lines_are_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

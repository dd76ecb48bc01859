/* trace/glog: the prefix of a record, anywhere in a line. */
#define _GNU_SOURCE
#include "support.h"

#include "trace/glog.h"

static struct glog parsed(struct slice line) {
    struct glog glog = {0};
    if (!glog_parse(line, &glog))
        fail_msg("no prefix in: %.*s", SLICE_ARG(line));
    return glog;
}

static void assert_no_prefix(const char *line) {
    struct glog glog;
    if (glog_parse(slice_str(line), &glog))
        fail_msg("taken for a prefix: %s", line);
}

static void parses_a_prefix(void **state) {
    (void)state;
    struct glog glog = parsed(SLICE("V1206 15:18:15.925000 1500233 torch/_dynamo/utils.py:1288] {\"a\": \"] \"}"));
    assert_slice(glog.lead, "");
    assert_slice(glog.date, "1206");
    assert_slice(glog.time, "15:18:15.925000");
    assert_int_equal(glog.thread, 1500233);
    assert_slice(glog.pathname, "torch/_dynamo/utils.py");
    assert_int_equal(glog.lineno, 1288);
    assert_slice(glog.rest, "{\"a\": \"] \"}");
}

static void knows_the_levels(void **state) {
    (void)state;
    for (const char *level = "VIWEC"; *level; level++) {
        char line[] = "V0101 00:00:00.000000 1 a:1] x";
        line[0] = *level;
        assert_slice(parsed(slice_str(line)).rest, "x");
    }
    assert_no_prefix("D0101 00:00:00.000000 1 a:1] x");
    assert_no_prefix("v0101 00:00:00.000000 1 a:1] x");
    assert_no_prefix("F0101 00:00:00.000000 1 a:1] x");
}

static void finds_a_prefix_after_other_text(void **state) {
    (void)state;
    static const char *const leads[] = {"[rank0]:",
                                        "[rank12]: ",
                                        "x",
                                        "0:00 1:23:45 ",
                                        "V1206 15:18:15.92500 ",
                                        "V1206 15:18:15.925000 ",
                                        "2024-12-06 15:18:15,925 host:",
                                        "\t",
                                        "\xff\xfe",
                                        "VVVVVVVVVVVVVVVVVVVVVV"};
    for (size_t i = 0; i < sizeof leads / sizeof *leads; i++) {
        char line[200];
        snprintf(line, sizeof line, "%s%s{}", leads[i], PREFIX);
        struct glog glog = parsed(slice_str(line));
        assert_slice(glog.lead, leads[i]);
        assert_slice(glog.rest, "{}");
        assert_int_equal(glog.thread, 1500233);
    }
}

static void takes_the_first_of_two(void **state) {
    (void)state;
    struct glog glog = parsed(SLICE("a " PREFIX PREFIX "{}"));
    assert_slice(glog.lead, "a ");
    assert_slice(glog.rest, PREFIX "{}");
    /* Text that only resembles a prefix is skipped. */
    glog = parsed(SLICE("V1206 15:18:15.925000 no number " PREFIX "{}"));
    assert_slice(glog.lead, "V1206 15:18:15.925000 no number ");
    assert_slice(glog.rest, "{}");
}

static void takes_blanks_before_path_and_thread(void **state) {
    (void)state;
    struct glog glog = parsed(SLICE("I0101 00:00:00.000000    7   a/b.py:3] x"));
    assert_int_equal(glog.thread, 7);
    assert_slice(glog.pathname, "a/b.py");
    assert_slice(parsed(SLICE("I0101 00:00:00.000000 7 a b.py:3] x")).pathname, "a b.py");
}

/* As the reference: the envelope of such a record is whole. */
static void takes_damaged_threads(void **state) {
    (void)state;
    struct glog glog = parsed(SLICE("V0101 00:00:00.000000 28{48 torch/a.py:3] {}"));
    assert_int_equal(glog.thread, 28);
    assert_slice(glog.pathname, "{48 torch/a.py");
    assert_slice(glog.rest, "{}");
}

static void takes_numbers_of_any_length(void **state) {
    (void)state;
#define DIGITS40 "9999999999999999999999999999999999999999"
    struct glog glog = parsed(SLICE("I0101 00:00:00.000000 " DIGITS40 " a:" DIGITS40 "] x"));
    assert_true(glog.thread == UINT64_MAX && glog.lineno == UINT64_MAX);
    glog = parsed(SLICE("I0101 00:00:00.000000 18446744073709551614 a:18446744073709551615] x"));
    assert_true(glog.thread == UINT64_MAX - 1 && glog.lineno == UINT64_MAX);
    assert_int_equal(parsed(SLICE("I0101 00:00:00.000000 007 a:0] x")).thread, 7);
}

static void takes_dates_that_do_not_exist(void **state) {
    (void)state;
    struct glog glog = parsed(SLICE("V9999 99:99:99.999999 1 a:1] "));
    assert_slice(glog.date, "9999");
    assert_slice(glog.time, "99:99:99.999999");
    assert_slice(glog.rest, "");
}

static void refuses_incomplete_prefixes(void **state) {
    (void)state;
    static const char *const lines[] = {
        "",
        "V",
        "hello",
        "V1206 15:18:15.925000",
        "V1206 15:18:15.925000 ",
        "V1206 15:18:15.925000 1500233",
        "V1206 15:18:15.925000 1500233 ",
        "V1206 15:18:15.925000 1500233 torch/_dynamo/utils.py",
        "V1206 15:18:15.925000 1500233 torch/_dynamo/utils.py:",
        "V1206 15:18:15.925000 1500233 torch/_dynamo/utils.py:1288",
        "V1206 15:18:15.925000 1500233 torch/_dynamo/utils.py:1288]",
        "V1206 15:18:15.925000 1500233 torch/_dynamo/utils.py:1288]{}",
        "V1206 15:18:15.925000 1500233 torch/_dynamo/utils.py:1288 ] {}",
        "V1206 15:18:15.925000 1500233 torch/_dynamo/utils.py:x] {}",
        "V1206 15:18:15.925000 1500233 :1288] {}", /* no path */
        "V1206 15:18:15.925000 1500233 torch/_dynamo/utils.py] {}",
        "V1206 15:18:15.925000 x torch/_dynamo/utils.py:1288] {}",
        "V1206 15:18:15.925000 -1 torch/_dynamo/utils.py:1288] {}",
        "V1206 15:18:15.925000torch/_dynamo/utils.py:1288] {}",
        "V126 15:18:15.925000 1500233 torch/_dynamo/utils.py:1288] {}",
        "V1206 15:18:15.92500 1500233 torch/_dynamo/utils.py:1288] {}",
        "V1206 15:18:15,925000 1500233 torch/_dynamo/utils.py:1288] {}",
        "V1206\t15:18:15.925000 1500233 torch/_dynamo/utils.py:1288] {}",
        "::::::::::::::::::::::::::::::",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        assert_no_prefix(lines[i]);
}

/* The line ends at the end of its slice. */
static void does_not_read_past_the_line(void **state) {
    (void)state;
    static const char whole[] = "I0101 00:00:00.000000 12 a:1] x";
    struct glog glog;
    for (size_t len = 0; len < sizeof whole - 2; len++) {
        char *line = malloc(len ? len : 1); /* for the address sanitizer */
        memcpy(line, whole, len);
        assert_false(glog_parse(slice_make(line, len), &glog));
        free(line);
    }
    assert_slice(parsed(slice_make(whole, sizeof whole - 2)).rest, "");
}

/* A long line of false starts takes linear time: 2 MB would take hours in quadratic time. */
static void is_quick_with_false_starts(void **state) {
    (void)state;
    struct buf line = {0};
    struct glog glog;
    while (line.len < 2 << 20)
        buf_add_lit(&line, "V1206 15:18:15.925000 1500233 ");
    assert_false(glog_parse(buf_slice(&line), &glog));
    line.len = 0;
    while (line.len < 2 << 20)
        buf_add_lit(&line, "V1206 15:18:15.925000 1 a:");
    assert_false(glog_parse(buf_slice(&line), &glog));
    buf_free(&line);
}

static void knows_prefixes_that_are_cut(void **state) {
    static const char whole[] = "V1206 15:18:15.925000 1500233 torch/_dynamo/utils.py:1288] ";
    static const char *const others[] = {"",           "hello",   "V1206 15:18:15.925000 1 a:1] {\"x\": 1}",
                                         "Validating", "\tV1206", "V1206x"};
    (void)state;
    for (size_t i = 2; i < sizeof whole - 2; i++)
        assert_true(glog_is_cut(slice_make(whole, i)));
    assert_false(glog_is_cut(slice_str(whole)));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (glog_is_cut(slice_str(others[i])))
            fail_msg("%s is not cut", others[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parses_a_prefix),
        cmocka_unit_test(knows_the_levels),
        cmocka_unit_test(finds_a_prefix_after_other_text),
        cmocka_unit_test(takes_the_first_of_two),
        cmocka_unit_test(takes_blanks_before_path_and_thread),
        cmocka_unit_test(takes_damaged_threads),
        cmocka_unit_test(takes_numbers_of_any_length),
        cmocka_unit_test(takes_dates_that_do_not_exist),
        cmocka_unit_test(refuses_incomplete_prefixes),
        cmocka_unit_test(knows_prefixes_that_are_cut),
        cmocka_unit_test(does_not_read_past_the_line),
        cmocka_unit_test(is_quick_with_false_starts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

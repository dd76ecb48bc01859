/* trace/strings: the interned strings of processes. */
#define _GNU_SOURCE
#include "support.h"

#include "trace/strings.h"

static void keeps_copies(void **state) {
    (void)state;
    struct strings strings = {0};
    char text[] = "first";
    assert_null(strings_get(&strings, 0).ptr);
    assert_true(strings_define(&strings, 0, slice_str(text)));
    memset(text, 'x', 5);
    assert_slice(strings_get(&strings, 0), "first");
    assert_true(strings_define(&strings, 7, SLICE("seventh")));
    assert_int_equal(strings.count, 8);
    for (uint64_t id = 1; id < 7; id++)
        assert_null(strings_get(&strings, id).ptr);
    assert_slice(strings_get(&strings, 7), "seventh");
    assert_null(strings_get(&strings, 8).ptr);
    assert_null(strings_get(&strings, UINT64_MAX).ptr);
    strings_finish(&strings);
    assert_null(strings_get(&strings, 0).ptr);
}

static void tells_empty_from_missing(void **state) {
    (void)state;
    struct strings strings = {0};
    assert_true(strings_define(&strings, 1, SLICE("")));
    assert_non_null(strings_get(&strings, 1).ptr);
    assert_int_equal(strings_get(&strings, 1).len, 0);
    assert_null(strings_get(&strings, 0).ptr);
    strings_finish(&strings);
}

static void replaces(void **state) {
    (void)state;
    struct strings strings = {0};
    assert_true(strings_define(&strings, 3, SLICE("a")) && strings_define(&strings, 3, SLICE("bc")));
    assert_slice(strings_get(&strings, 3), "bc");
    assert_int_equal(strings.count, 4);
    strings_finish(&strings);
}

static void refuses_high_ids(void **state) {
    (void)state;
    struct strings strings = {0};
    assert_false(strings_define(&strings, (uint64_t)STRINGS_ID_MAX + 1, SLICE("a")));
    assert_false(strings_define(&strings, 4000000000, SLICE("a")));
    assert_false(strings_define(&strings, UINT64_MAX, SLICE("a")));
    assert_int_equal(strings.count, 0);
    assert_int_equal(strings.cap, 0);
    assert_true(strings_define(&strings, STRINGS_ID_MAX, SLICE("last")));
    assert_slice(strings_get(&strings, STRINGS_ID_MAX), "last");
    assert_null(strings_get(&strings, STRINGS_ID_MAX - 1).ptr);
    strings_finish(&strings);
}

static void takes_many(void **state) {
    (void)state;
    struct strings strings = {0};
    char text[32];
    for (unsigned i = 0; i < 100000; i++) {
        snprintf(text, sizeof text, "text %u", i);
        assert_true(strings_define(&strings, (i * 7919u) % 100003, slice_str(text)));
    }
    assert_slice(strings_get(&strings, 7919), "text 1");
    assert_slice(strings_get(&strings, (99999u * 7919u) % 100003), "text 99999");
    strings_finish(&strings);
}

static void tells_processes_apart(void **state) {
    (void)state;
    struct processes processes = {0};
    struct strings *one = processes_strings(&processes, 1500233), *two = processes_strings(&processes, 7);
    strings_define(one, 0, SLICE("one"));
    strings_define(two, 0, SLICE("two"));
    assert_ptr_not_equal(one, two);
    for (uint64_t i = 100; i < 200; i++)
        assert_int_equal(processes_strings(&processes, i)->count, 0);
    assert_ptr_equal(processes_strings(&processes, 1500233), one); /* tables stay where they are */
    assert_ptr_equal(processes_strings(&processes, 7), two);
    assert_slice(strings_get(one, 0), "one");
    assert_slice(strings_get(two, 0), "two");
    processes_finish(&processes);
}

/* A forked process has its parent's strings without defining them; what the processes before it do not agree on, it cannot mean. */
static void forks_inherit(void **state) {
    (void)state;
    struct processes processes = {0};
    struct strings *parent = processes_strings(&processes, 1);
    strings_define(parent, 0, SLICE("main.py"));
    strings_define(parent, 1, SLICE("model.py"));
    struct strings *first = processes_strings(&processes, 2);
    strings_define(first, 2, SLICE("contextlib.py"));
    struct strings *second = processes_strings(&processes, 3);
    strings_define(second, 2, SLICE("functools.py"));
    assert_slice(strings_get(first, 1), "model.py");
    assert_slice(strings_get(second, 0), "main.py");
    assert_slice(strings_get(first, 2), "contextlib.py");
    assert_slice(strings_get(second, 2), "functools.py");
    assert_null(strings_get(parent, 2).ptr); /* a parent has nothing of its children */
    struct strings *third = processes_strings(&processes, 4);
    assert_null(strings_get(third, 2).ptr);
    assert_null(strings_get(third, 3).ptr);
    processes_finish(&processes);
}

/* A log that makes processes up does not make memory grow without end. */
static void bounds_processes(void **state) {
    (void)state;
    struct processes processes = {0};
    for (uint64_t i = 0; i < 20000; i++)
        assert_non_null(processes_strings(&processes, i));
    assert_true(processes.count < 10000);
    processes_finish(&processes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_copies),     cmocka_unit_test(tells_empty_from_missing),
        cmocka_unit_test(replaces),         cmocka_unit_test(refuses_high_ids),
        cmocka_unit_test(takes_many),       cmocka_unit_test(tells_processes_apart),
        cmocka_unit_test(bounds_processes), cmocka_unit_test(forks_inherit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

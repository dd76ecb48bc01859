/* trace/strings: the interned strings of processes. */
#define _GNU_SOURCE
#include "support.h"

#include "trace/process.h"

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

static void distinguishes_empty_from_missing(void **state) {
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
    assert_int_equal(strings.list.count, 0);
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

static void distinguishes_processes(void **state) {
    (void)state;
    struct processes processes = {0};
    struct strings *one = &process_of(&processes, 1500233)->strings, *two = &process_of(&processes, 7)->strings;
    strings_define(one, 0, SLICE("one"));
    strings_define(two, 0, SLICE("two"));
    assert_ptr_not_equal(one, two);
    for (uint64_t i = 100; i < 200; i++)
        assert_int_equal(process_of(&processes, i)->strings.count, 0);
    assert_ptr_equal(&process_of(&processes, 1500233)->strings, one); /* tables do not move */
    assert_ptr_equal(&process_of(&processes, 7)->strings, two);
    assert_slice(strings_get(one, 0), "one");
    assert_slice(strings_get(two, 0), "two");
    processes_finish(&processes);
}

/* A forked process has its parent's strings without defining them. It cannot use strings on which the earlier
 * processes disagree. */
static void forks_inherit(void **state) {
    (void)state;
    struct processes processes = {0};
    struct strings *parent = &process_of(&processes, 1)->strings;
    strings_define(parent, 0, SLICE("main.py"));
    strings_define(parent, 1, SLICE("model.py"));
    struct strings *first = &process_of(&processes, 2)->strings;
    strings_define(first, 2, SLICE("contextlib.py"));
    struct strings *second = &process_of(&processes, 3)->strings;
    strings_define(second, 2, SLICE("functools.py"));
    assert_slice(strings_get(first, 1), "model.py");
    assert_slice(strings_get(second, 0), "main.py");
    assert_slice(strings_get(first, 2), "contextlib.py");
    assert_slice(strings_get(second, 2), "functools.py");
    assert_null(strings_get(parent, 2).ptr); /* a parent has no strings of its children */
    struct strings *third = &process_of(&processes, 4)->strings;
    assert_null(strings_get(third, 2).ptr);
    assert_null(strings_get(third, 3).ptr);
    processes_finish(&processes);
}

/* A log with made-up processes does not use unlimited memory. */
static void bounds_processes(void **state) {
    (void)state;
    struct processes processes = {0};
    for (uint64_t i = 0; i < 20000; i++)
        assert_non_null(&process_of(&processes, i)->strings);
    assert_true(processes.count < 10000);
    processes_finish(&processes);
}

static void put(const char *name, const char *text) {
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

#define LINE(envelope) "V1206 15:18:15.925000 7 torch/a.py:1] {" envelope "}\n"

/* A number in another file is another process, unless the file continues the string table of an earlier file. */
static void distinguishes_processes_with_one_number(void **state) {
    (void)state;
    put("fresh", LINE("\"chromium_event\": {}") LINE("\"str\": [\"a.py\", 0]") LINE("\"str\": [\"b.py\", 9]"));
    put("on", LINE("\"chromium_event\": {}") LINE("\"str\": [\"c.py\", 2]"));
    put("refers", LINE("\"dynamo_start\": {\"stack\": [{\"line\": 1, \"filename\": 1, \"name\": \"f\"}]}"));
    put("refers to more", LINE("\"dynamo_start\": {\"stack\": [{\"line\": 1, \"filename\": 8}]}"));
    put("silent", LINE("\"artifact\": {\"name\": \"x\"}"));
    static const struct {
        const char *name;
        bool same;
    } cases[] = {{"fresh", false},          {"on", true},      {"refers", true},
                 {"refers to more", false}, {"silent", false}, {"not there", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct processes processes = {0};
        processes_next_file(&processes, "first");
        struct process *first = process_of(&processes, 7);
        strings_define(&first->strings, 0, SLICE("a.py"));
        strings_define(&first->strings, 1, SLICE("b.py"));
        assert_ptr_equal(process_of(&processes, 7), first);
        assert_int_equal(first->id, 7);
        processes_next_file(&processes, cases[i].name);
        struct process *other = process_of(&processes, 7);
        assert_int_equal(other == first, cases[i].same);
        assert_int_equal(other->number, 7);
        assert_int_equal(other->nth, cases[i].same ? 1 : 2);
        assert_int_equal(other->id == 7, cases[i].same);
        assert_ptr_equal(process_of(&processes, 7), other);
        assert_int_equal(process_of(&processes, 8)->nth, 1);
        assert_ptr_equal(process_of(&processes, 7), other);
        processes_finish(&processes);
    }
}

/* Among several processes with the number, the one whose table is continued. */
static void continues_the_right_one(void **state) {
    (void)state;
    put("on", LINE("\"str\": [\"c.py\", 2]"));
    struct processes processes = {0};
    struct process *made[3];
    for (size_t i = 0; i < 3; i++) {
        processes_next_file(&processes, "not there");
        made[i] = process_of(&processes, 7);
        for (uint64_t id = 0; id <= i * 2; id++)
            strings_define(&made[i]->strings, id, SLICE("text"));
    }
    assert_int_equal(made[2]->nth, 3);
    processes_next_file(&processes, "on");
    assert_ptr_equal(process_of(&processes, 7), made[0]); /* it has one string, the others three and five */
    struct process *renewed = process_renew(&processes, made[0]);
    assert_ptr_equal(process_of(&processes, 7), renewed);
    assert_int_equal(renewed->nth, 4);
    assert_int_equal(renewed->track, made[0]->track);
    processes_finish(&processes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_copies),
        cmocka_unit_test(distinguishes_empty_from_missing),
        cmocka_unit_test(replaces),
        cmocka_unit_test(refuses_high_ids),
        cmocka_unit_test(takes_many),
        cmocka_unit_test(distinguishes_processes),
        cmocka_unit_test(bounds_processes),
        cmocka_unit_test(forks_inherit),
        cmocka_unit_test(distinguishes_processes_with_one_number),
        cmocka_unit_test(continues_the_right_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

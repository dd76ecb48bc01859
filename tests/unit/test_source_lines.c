/* model/source_lines: operations and guards of lines, and the compiles that they are from. */
#define _GNU_SOURCE
#include "support.h"

#include "model/source_lines.h"

static void add(struct model *model, uint64_t line, uint32_t compile) {
    source_lines_add(model, &(struct source_line){.file = SLICE("/m.py"), .line = line, .ops = 1, .compile = compile});
}

static void notes_a_compile_once_in_a_row(void **state) {
    (void)state;
    struct model model = {0};
    add(&model, 3, 0);
    add(&model, 4, 0);
    add(&model, 3, 0);
    source_lines_add(&model, &(struct source_line){.file = SLICE("/m.py"), .line = 3, .guards = 2, .compile = 7});
    add(&model, 3, 1);
    const struct source_lines *lines = model.lines;
    assert_int_equal(lines->list.count, 2);
    assert_int_equal(lines->list.items[0].ops, 3);
    assert_int_equal(lines->list.items[0].guards, 2);
    assert_int_equal(lines->parts.count, 3);
    assert_int_equal(lines->parts.items[2].line, 0);
    assert_int_equal(lines->parts.items[2].compile, 1);
    assert_false(lines->list.items[0].uncounted);
    model_finish(&model);
}

static void stops_at_the_limit_and_says_so(void **state) {
    (void)state;
    struct model model = {0};
    for (uint32_t i = 0; i < LINE_PARTS_MAX; i++)
        add(&model, i % 2, i);
    assert_int_equal(model.lines->parts.count, LINE_PARTS_MAX);
    assert_false(model.lines->list.items[0].uncounted);
    add(&model, 0, LINE_PARTS_MAX);
    assert_int_equal(model.lines->parts.count, LINE_PARTS_MAX);
    assert_true(model.lines->list.items[0].uncounted);
    assert_false(model.lines->list.items[1].uncounted);
    add(&model, 1, LINE_PARTS_MAX - 1); /* the latest one of this line */
    assert_false(model.lines->list.items[1].uncounted);
    assert_int_equal(model.lines->list.items[0].ops, LINE_PARTS_MAX / 2 + 1);
    model_finish(&model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(notes_a_compile_once_in_a_row),
        cmocka_unit_test(stops_at_the_limit_and_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* answers/term, answers/table, answers/markdown and answers/units: text for people. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "answers/table.h"
#include "answers/term.h"

static void assert_text(struct buf *got, const char *expected) {
    buf_add_byte(got, '\0');
    assert_string_equal(got->ptr, expected);
    buf_free(got);
}

static void assert_prose(unsigned width, bool color, struct term_box box, const char *text, const char *expected) {
    struct buf got = {0};
    struct term term;
    term_init(&term, &got, width, color);
    term_prose(&term, TERM_PLAIN, slice_str(text), box);
    term_finish(&term);
    assert_text(&got, expected);
}

static void words_are_wrapped(void **state) {
    (void)state;
    const struct term_box none = {0}, indented = {.indent = 2}, behind = {.at = 36, .indent = 2};
    assert_prose(40, false, none, "", "\n");
    assert_prose(40, false, none, "  one   two  ", "one two\n");
    assert_prose(40, false, indented, "0123456789 0123456789 0123456789 0123456 8",
                 "0123456789 0123456789 0123456789 0123456\n  8\n");
    assert_prose(40, false, behind, "abcd efgh", "abcd\n  efgh\n");
    assert_prose(40, false, none, "first\n\nsecond\n", "first\nsecond\n");
    /* A word longer than a line is broken. */
    assert_prose(40, false, indented, "0123456789012345678901234567890123456789012345 x",
                 "0123456789012345678901234567890123456789\n  012345 x\n");
    /* No wrap between a number and its unit. */
    assert_prose(40, false, none, "0123456789 0123456789 0123456789 01 1.5\u00a0ms",
                 "0123456789 0123456789 0123456789 01\n1.5 ms\n");
}

static void lines_are_limited(void **state) {
    (void)state;
    const struct term_box two = {.lines = 2}, one = {.lines = 1};
    assert_prose(40, false, two, "0123456789 0123456789 0123456789 0123456 a b",
                 "0123456789 0123456789 0123456789 0123456\na b\n");
    assert_prose(40, false, one, "0123456789 0123456789 0123456789 0123456 a b",
                 "0123456789 0123456789 0123456789 …\n");
    assert_prose(40, false, one, "first\nsecond", "first …\n");
    assert_prose(40, false, one, "012345678901234567890123456789012345678901234567",
                 "01234567890123456789012345678901234567 …\n");
}

static void columns_are_those_of_a_terminal(void **state) {
    (void)state;
    struct buf out = {0};
    struct term term;
    term_init(&term, &out, 40, false);
    assert_int_equal(term_columns(&term, SLICE("abc")), 3);
    assert_int_equal(term_columns(&term, SLICE("…→é")), 3);
    assert_int_equal(term_columns(&term, SLICE("模型")), 4);
    assert_int_equal(term_columns(&term, SLICE("e\u0301")), 1);
    assert_int_equal(term_columns(&term, SLICE("\x1b[31m")), 8); /* as it is printed: \x1b[31m */
    term_line(&term, TERM_PLAIN, SLICE("模型模型"), 33);
    term_finish(&term);
    assert_text(&out, "模型模…");
}

static void styles_are_codes_only_with_color(void **state) {
    (void)state;
    const struct term_box none = {0};
    assert_prose(40, false, none, "call `f(x)` twice", "call `f(x)` twice\n");
    assert_prose(40, true, none, "call `f(x) + 1` twice", "call \x1b[36mf(x) + 1 \x1b[0mtwice\n");
    assert_prose(40, true, none, "an open `code", "an open \x1b[36mcode\x1b[0m\n");
    assert_prose(40, true, none, "\x1b[31mred", "\\x1b[31mred\n");
}

static void tables_are_aligned_and_cut(void **state) {
    (void)state;
    struct buf got = {0};
    struct term term;
    struct table table;
    static const char *const cells[] = {"Time", "Place", "N",    "1.2 s", "/a/very/long/path/to/the/model.py:12",
                                        "3",    "10 ms", "b.py", "12"};
    table_init(&table, "rlr");
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        table_cell_str(&table, TERM_PLAIN, cells[i]);
    assert_int_equal(table_rows(&table), 3);
    term_init(&term, &got, 40, false);
    table_add_text(&table, &term, 2);
    term_finish(&term);
    assert_text(&got, "   Time  Place                         N\n"
                      "  1.2 s  …ng/path/to/the/model.py:12   3\n"
                      "  10 ms  b.py                         12\n");
    table_finish(&table);
}

static void markdown_has_no_markup_of_the_text(void **state) {
    (void)state;
    struct buf got = {0};
    markdown_add(&got, SLICE("*a* <b> & [c](d) | @e"));
    assert_text(&got, "\\*a\\* &lt;b\\> &amp; \\[c\\]\\(d\\) \\| &#64;e");
    markdown_add(&got, SLICE("use `x | y` now, ` not this"));
    assert_text(&got, "use `x \\| y` now, \\` not this");
    markdown_add_code(&got, SLICE("a `b` c"));
    assert_text(&got, "`` a `b` c ``");
    markdown_add(&got, SLICE("two\nlines"));
    assert_text(&got, "two\\\\x0alines");
}

static void assert_time(int64_t us, const char *expected) {
    struct buf got = {0};
    unit_add_time(&got, us);
    assert_text(&got, expected);
}

static void numbers_have_three_digits(void **state) {
    (void)state;
    struct buf got = {0};
    assert_time(0, "0");
    assert_time(999, "999\u00a0µs");
    assert_time(1234, "1.23\u00a0ms");
    assert_time(-45600, "-45.6\u00a0ms");
    assert_time(999499, "999\u00a0ms");
    assert_time(999500, "1.00\u00a0s");
    assert_time(119999999, "120\u00a0s");
    assert_time(125000000, "2\u00a0min\u00a05\u00a0s");
    assert_time(INT64_C(7260000000), "2\u00a0h\u00a01\u00a0min");
    unit_add_bytes(&got, 999);
    buf_add_lit(&got, " ");
    unit_add_bytes(&got, 1752167);
    assert_text(&got, "999\u00a0B 1.75\u00a0MB");
    unit_add_plural(&got, 1, "hit", NULL);
    buf_add_lit(&got, " ");
    unit_add_plural(&got, 1234567, "miss", "misses");
    assert_text(&got, "1 hit 1,234,567 misses");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_wrapped),
        cmocka_unit_test(lines_are_limited),
        cmocka_unit_test(columns_are_those_of_a_terminal),
        cmocka_unit_test(styles_are_codes_only_with_color),
        cmocka_unit_test(tables_are_aligned_and_cut),
        cmocka_unit_test(markdown_has_no_markup_of_the_text),
        cmocka_unit_test(numbers_have_three_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* base/pattern: regular expressions of users, in text of logs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/pattern.h"

static enum pattern_found search(const char *pattern, struct slice text) {
    struct buf why = {0};
    struct pattern *made = pattern_create(slice_str(pattern), &why);
    assert_non_null(made);
    assert_int_equal(why.len, 0);
    enum pattern_found found = pattern_search(made, text);
    pattern_destroy(made);
    return found;
}

static void finds_anywhere_unless_anchored(void **state) {
    (void)state;
    assert_int_equal(search("ward", SLICE("Net.forward")), PATTERN_FOUND);
    assert_int_equal(search("^ward", SLICE("Net.forward")), PATTERN_ABSENT);
    assert_int_equal(search("ward$", SLICE("Net.forward")), PATTERN_FOUND);
    assert_int_equal(search("(?i)NET\\.\\w+", SLICE("Net.forward")), PATTERN_FOUND);
    assert_int_equal(search("", SLICE("x")), PATTERN_FOUND);
    assert_int_equal(search("x", (struct slice){0}), PATTERN_ABSENT);
}

static void takes_text_of_any_bytes(void **state) {
    (void)state;
    assert_int_equal(search("b$", SLICE("a\0\xff\xfe b")), PATTERN_FOUND);
    assert_int_equal(search("é", SLICE("caf\xc3\xa9")), PATTERN_FOUND);
    assert_int_equal(search("^.$", SLICE("\xc3\xa9")), PATTERN_FOUND); /* one character, not two bytes */
}

static void names_the_place_of_an_error(void **state) {
    struct buf why = {0};
    (void)state;
    assert_null(pattern_create(SLICE("f("), &why));
    buf_add_byte(&why, '\0');
    assert_string_equal(why.ptr, "missing closing parenthesis at character 3");
    why.len = 0;
    assert_null(pattern_create(SLICE("\xff"), &why));
    assert_true(why.len > 0);
    why.len = 0;
    for (int i = 0; i < 5000; i++)
        buf_add_byte(&why, 'a');
    struct buf long_one = why;
    why = (struct buf){0};
    assert_null(pattern_create(buf_slice(&long_one), &why));
    assert_true(why.len > 0);
    buf_free(&long_one);
    buf_free(&why);
}

static void gives_up_on_endless_searches(void **state) {
    char text[4096];
    (void)state;
    memset(text, 'a', sizeof text);
    assert_int_equal(search("^(a+)+$b", slice_make(text, sizeof text)), PATTERN_ABSENT); /* seen to be impossible */
    assert_int_equal(search("^(a|aa)+[xy]", slice_make(text, sizeof text)), PATTERN_TOO_EXPENSIVE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_anywhere_unless_anchored),
        cmocka_unit_test(takes_text_of_any_bytes),
        cmocka_unit_test(names_the_place_of_an_error),
        cmocka_unit_test(gives_up_on_endless_searches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

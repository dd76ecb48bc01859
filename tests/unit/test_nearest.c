/* base/nearest: what a misspelled name was meant to be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/text.h"

static const char *const names[] = {"overwrite", "serve", NULL, "strict", "strict-compile-id", "host", "top"};

static const char *nearest(const char *name) {
    return nearest_name(slice_str(name), names, sizeof names / sizeof *names);
}

static void finds_one_edit_of_each_kind(void **state) {
    (void)state;
    assert_string_equal(nearest("overwite"), "overwrite");   /* missing */
    assert_string_equal(nearest("overwritte"), "overwrite"); /* too many */
    assert_string_equal(nearest("overwrote"), "overwrite");  /* another */
    assert_string_equal(nearest("overwrtie"), "overwrite");  /* swapped */
    assert_string_equal(nearest("stric"), "strict");
    assert_string_equal(nearest("tpo"), "top");
    assert_string_equal(nearest("strict"), "strict");
}

static void finds_nothing_far_away(void **state) {
    (void)state;
    assert_null(nearest("colour"));
    assert_null(nearest(""));
    assert_null(nearest("xyz"));
    assert_null(nearest("abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnop"));
}

static void takes_the_first_of_equals(void **state) {
    static const char *const equal[] = {"cat", "hat"};
    (void)state;
    assert_string_equal(nearest_name(SLICE("bat"), equal, 2), "cat");
    assert_null(nearest_name(SLICE("bat"), equal, 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_one_edit_of_each_kind),
        cmocka_unit_test(finds_nothing_far_away),
        cmocka_unit_test(takes_the_first_of_equals),
    };
    return cmocka_run_group_tests_name("nearest", tests, NULL, NULL);
}

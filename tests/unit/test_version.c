/* version: the first tlparse on PATH. tests/wheel and tests/cli test what --version prints. */
#define _GNU_SOURCE
#include "support.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "cmd/commands.h"

static void add_file(const char *folder, mode_t mode) {
    char path[512];
    snprintf(path, sizeof path, "%s/tlparse", scratch_path(folder));
    assert_int_equal(mkdir(scratch_path(folder), 0777), 0);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fclose(file);
    assert_int_equal(chmod(path, mode), 0);
}

static void finds_the_first_program(void **state) {
    char path[4096], expected[600], a[512], b[512], none[512], folder[512];
    struct buf found = {0};
    (void)state;
    add_file("data", 0644);
    add_file("first", 0755);
    add_file("second", 0755);
    assert_int_equal(mkdir(scratch_path("folder"), 0777), 0);
    assert_int_equal(mkdir(scratch_path("folder/tlparse"), 0777), 0);
    snprintf(a, sizeof a, "%s", scratch_path("first"));
    snprintf(b, sizeof b, "%s", scratch_path("second"));
    snprintf(none, sizeof none, "%s", scratch_path("data"));
    snprintf(folder, sizeof folder, "%s", scratch_path("folder"));
    snprintf(path, sizeof path, ":/nowhere/at/all:%s:%s:%s:%s", none, folder, a, b);
    snprintf(expected, sizeof expected, "%s/tlparse", a);
    assert_true(version_find(path, &found));
    assert_string_equal(found.ptr, expected);
    snprintf(path, sizeof path, "%s:.:", none);
    assert_false(version_find(path, &found));
    assert_false(version_find("", &found));
    assert_false(version_find(NULL, &found));
    buf_free(&found);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_first_program),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}

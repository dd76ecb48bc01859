/* hooks/source_link, source_template: which templates and commits are valid, and what report.json gets. */
#define _GNU_SOURCE
#include "support.h"

#include "hooks/config.h"
#include "hooks/hooks.h"

static void templates(void **state) {
    static const char *const good[] = {"https://h/{path}", "http://h:80/a/{commit}/{path}#L{line}",
                                       "https://h/?f={path}&h={hash}"};
    static const char *const bad[] = {"",
                                      "{path}",
                                      "ftp://h/{path}",
                                      "javascript:{path}",
                                      "https://h",
                                      "https:///{path}",
                                      "https://{path}/",
                                      "https://h{path}",
                                      "https://h/",
                                      "https://h/{x}{path}",
                                      "https://h/{path",
                                      "https://h/\"{path}",
                                      "https://h/<{path}",
                                      "https://h/\n{path}",
                                      "https://h/\xc3\xa9{path}"};
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_null(source_template_complaint(slice_str(good[i])));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (!source_template_complaint(slice_str(bad[i])))
            fail_msg("%s is valid", bad[i]);
}

static void commits(void **state) {
    (void)state;
    assert_true(source_commit_is_good(SLICE("v1.2/x_y-z+1@2")));
    assert_false(source_commit_is_good(SLICE("")));
    assert_false(source_commit_is_good(SLICE("-x")));
    assert_false(source_commit_is_good(SLICE("a..b")));
    assert_false(source_commit_is_good(SLICE("a b")));
    assert_false(source_commit_is_good(SLICE("a\n")));
    assert_false(source_commit_is_good(SLICE("$(a)")));
}

static void the_member(void **state) {
    char *roots[] = {(char *)"/work/p//", (char *)"/"};
    struct user_config config = {.source_link = (char *)"https://h/{commit}/{path}", .source_roots = {roots, 2, 2}};
    struct buf json = {0};
    struct err err = {0};
    (void)state;
    assert_true(source_link_add(&json, &config, "a/b+c", "/nowhere", &err));
    assert_buf(&json, "{\"template\":\"https://h/a/b%2Bc/{path}\",\"commit\":\"a/b+c\",\"roots\":[\"/work/p\",\"\"]}");
    json.len = 0;
    config.source_commit = (char *)"d";
    assert_true(source_link_add(&json, &config, NULL, "/nowhere", &err));
    assert_has(buf_slice(&json), "https://h/d/{path}");
    json.len = 0;
    config.source_commit = NULL;
    assert_false(source_link_add(&json, &config, NULL, "/nowhere", &err)); /* no root exists, nor a repository */
    assert_int_equal(json.len, 0);
    assert_has(slice_str(err.text), "git: ");
    config.source_link = NULL;
    assert_true(source_link_add(&json, &config, NULL, "/nowhere", &err));
    assert_int_equal(json.len, 0);
    buf_free(&json);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(templates),
        cmocka_unit_test(commits),
        cmocka_unit_test(the_member),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

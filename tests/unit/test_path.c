/* base/path: names from a log as paths of the report, and as addresses. */
#define _GNU_SOURCE
#include "support.h"

#include "base/path.h"
#include "base/text.h"

static struct buf path_of(struct slice name) {
    struct buf path = {0};
    path_add_name(&path, name);
    return path;
}

static void assert_path_of(struct slice name, const char *expected) {
    struct buf path = path_of(name);
    assert_buf(&path, expected);
    buf_free(&path);
}
#define IS(name, expected) assert_path_of(SLICE(name), expected)

static void leaves_ordinary_names(void **state) {
    (void)state;
    static const char *const names[] = {"fx_graph_runnable",
                                        "a/b",
                                        "a/b/c.txt",
                                        "torch._functorch.config",
                                        ".hidden",
                                        "x..y",
                                        "a b",
                                        "ünïcode 😀",
                                        "<script>alert(1)</script>"};
    for (size_t i = 0; i + 1 < sizeof names / sizeof *names; i++)
        assert_path_of(slice_str(names[i]), names[i]);
    IS("torch_dynamo_resume_in_<f>_at_3_ORIGINAL_BYTECODE", "torch_dynamo_resume_in_<f>_at_3_ORIGINAL_BYTECODE");
    IS("C:\\x", "C:\\x"); /* an ordinary name here */
}

static void never_leaves_the_report(void **state) {
    (void)state;
    IS("../../escaped", "_/_/escaped");
    IS("..", "_");
    IS(".", "_");
    IS("...", "_");
    IS("a/..", "a/_");
    IS("a/.", "a/_");
    IS("/tmp/x", "tmp/x");
    IS("//tmp//x", "tmp/x");
    IS("./a/./b", "a/b");
    IS("a/../../../b", "a/_/_/_/b");
}

/* An empty name leaves room for the suffix only; it is never an empty folder. */
static void takes_empty_names(void **state) {
    (void)state;
    IS("", "");
    IS("/", "");
    IS("a/", "a/");
    IS("a//", "a/");
    IS("///", "");
}

static void removes_control_characters(void **state) {
    (void)state;
    IS("nul\0name", "nul_name");
    IS("bell\a\n\t\x1b[31mred\x7f", "bell____[31mred_");
    IS("a\r/b\n", "a_/b_");
}

/* U+0080 to U+009F are control characters, too: terminals interpret U+009B as ESC [. */
static void removes_c1_control_characters(void **state) {
    (void)state;
    IS("a\xc2\x9b"
       "31mb",
       "a_31mb");
    IS("a\xc2\x85"
       "b",
       "a_b");
}

static void removes_direction_marks(void **state) {
    (void)state;
    IS("\u202etxt.exe", "_txt.exe");
    static const char *const marks[] = {"\u200e", "\u200f", "\u202a", "\u202b", "\u202c", "\u202d", "\u202e",
                                        "\u2066", "\u2067", "\u2068", "\u2069", "\u2028", "\u2029", "\ufeff"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        char name[16];
        snprintf(name, sizeof name, "a%sb", marks[i]);
        assert_path_of(slice_str(name), "a_b");
    }
}

/* U+061C, the Arabic letter mark, changes the text direction like U+200F. */
static void removes_the_arabic_letter_mark(void **state) {
    (void)state;
    IS("a\u061c"
       "b",
       "a_b");
}

static void always_makes_utf8(void **state) {
    (void)state;
    IS("caf\xe9", "caf\xef\xbf\xbd");
    IS("\xff/\xfe", "\xef\xbf\xbd/\xef\xbf\xbd");
}

static void shortens_long_parts(void **state) {
    (void)state;
    struct buf name = {0};
    while (name.len < 4000)
        buf_add_byte(&name, 'n');
    struct buf one = path_of(buf_slice(&name));
    assert_true(one.len <= 255 - 64 && one.len > 100 && utf8_is_valid(buf_slice(&one)));
    name.ptr[3999] = 'm'; /* names that differ after the cut stay different */
    struct buf two = path_of(buf_slice(&name));
    assert_false(slice_eq(buf_slice(&one), buf_slice(&two)));
    buf_free(&two);
    two = path_of(buf_slice(&name));
    buf_free(&one);
    one = path_of(buf_slice(&name));
    assert_slices(buf_slice(&one), buf_slice(&two));
    buf_free(&one);
    buf_free(&two);
    name.len = 0;
    while (name.len < 1000)
        buf_add_lit(&name, "é"); /* two bytes each: not cut within one */
    one = path_of(buf_slice(&name));
    assert_true(one.len <= 255 - 64 && utf8_is_valid(buf_slice(&one)));
    assert_has_not(buf_slice(&one), "\xef\xbf\xbd");
    buf_free(&one);
    name.len = 0;
    while (name.len < 180)
        buf_add_byte(&name, 'n');
    one = path_of(buf_slice(&name)); /* just fits */
    assert_slices(buf_slice(&one), buf_slice(&name));
    buf_free(&one);
    buf_free(&name);
}

static void ends_folders_somewhere(void **state) {
    (void)state;
    IS("1/2/3/4/5/6/7/8/x", "1/2/3/4/5/6/7/8/x");
    IS("1/2/3/4/5/6/7/8/9/x", "1/2/3/4/5/6/7/8/9_x");
    IS("1/2/3/4/5/6/7/8/../x", "1/2/3/4/5/6/7/8/.._x");
    IS("1/2/3/4/5/6/7/8//", "1/2/3/4/5/6/7/8/_");
    struct buf name = {0};
    for (int i = 0; i < 500; i++)
        buf_add_lit(&name, "d/");
    buf_add_byte(&name, 'x');
    struct buf path = path_of(buf_slice(&name));
    assert_true(path.len < 300);
    buf_free(&path);
    buf_free(&name);
}

/* A folder never has a name that a file of another artifact could have. */
static void distinguishes_folders_from_files(void **state) {
    (void)state;
    IS("a.txt/b", "a.txt_/b");
    IS("a_0.json/b", "a_0.json_/b");
    IS("a.html/b.html", "a.html_/b.html");
    IS("a.txt", "a.txt");
    IS("a.txt/", "a.txt_/");
    IS("a.TXT/b", "a.TXT_/b");
    IS("a.Json/b", "a.Json_/b");
    IS("a.txt_/b", "a.txt_/b");
}

static void makes_addresses(void **state) {
    (void)state;
    struct buf url = {0};
    path_add_url(&url, SLICE("-_0_0_0/a b#?%&\"'<>~.x_1.txt"));
    assert_buf(&url, "-_0_0_0/a%20b%23%3F%25%26%22%27%3C%3E~.x_1.txt");
    url.len = 0;
    path_add_url(&url, SLICE("javascript:ü\\"));
    assert_buf(&url, "javascript%3A%C3%BC%5C");
    buf_free(&url);
}

static void takes_the_last_part(void **state) {
    (void)state;
    assert_slice(path_last(SLICE("a/b/c.txt")), "c.txt");
    assert_slice(path_last(SLICE("c.txt")), "c.txt");
    assert_slice(path_last(SLICE("a/")), "");
    assert_slice(path_last(SLICE("")), "");
    assert_slice(path_last((struct slice){0}), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leaves_ordinary_names),
        cmocka_unit_test(never_leaves_the_report),
        cmocka_unit_test(takes_empty_names),
        cmocka_unit_test(removes_control_characters),
        cmocka_unit_test(removes_c1_control_characters),
        cmocka_unit_test(removes_direction_marks),
        cmocka_unit_test(removes_the_arabic_letter_mark),
        cmocka_unit_test(always_makes_utf8),
        cmocka_unit_test(shortens_long_parts),
        cmocka_unit_test(ends_folders_somewhere),
        cmocka_unit_test(distinguishes_folders_from_files),
        cmocka_unit_test(makes_addresses),
        cmocka_unit_test(takes_the_last_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

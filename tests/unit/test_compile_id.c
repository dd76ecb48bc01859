/* trace/compile_id: compile ids, as shown and as folder names. */
#define _GNU_SOURCE
#include "support.h"

#include "trace/compile_id.h"

static struct compile_id read_id(const char *envelope) {
    yyjson_doc *doc = yyjson_read(envelope, strlen(envelope), YYJSON_READ_BIGNUM_AS_RAW);
    assert_non_null(doc);
    struct compile_id id = compile_id_read(yyjson_doc_get_root(doc));
    yyjson_doc_free(doc);
    return id;
}

static void assert_id(const char *envelope, enum compile_id_state state, const char *shown, const char *key,
                      const char *folder) {
    struct compile_id id = read_id(envelope);
    struct buf text = {0};
    assert_int_equal(id.state, state);
    compile_id_add(&text, &id);
    assert_buf(&text, shown);
    text.len = 0;
    compile_id_add_key(&text, &id);
    assert_buf(&text, key);
    text.len = 0;
    compile_id_add_folder(&text, &id, 17);
    assert_buf(&text, folder);
    buf_free(&text);
}

static void writes_every_form(void **state) {
    (void)state;
    assert_id("{\"frame_id\": 0, \"frame_compile_id\": 0, \"attempt\": 0}", COMPILE_ID_GOOD, "0/0", "[0/0]", "-_0_0_0");
    assert_id("{\"frame_id\": 2, \"frame_compile_id\": 8, \"attempt\": 1}", COMPILE_ID_GOOD, "2/8", "[2/8_1]",
              "-_2_8_1");
    assert_id("{\"compiled_autograd_id\": 0, \"frame_id\": 1, \"frame_compile_id\": 2, \"attempt\": 0}",
              COMPILE_ID_GOOD, "!0/1/2", "[!0/1/2]", "0_1_2_0");
    assert_id("{\"compiled_autograd_id\": 3, \"frame_id\": 1, \"frame_compile_id\": 2, \"attempt\": 4}",
              COMPILE_ID_GOOD, "!3/1/2", "[!3/1/2_4]", "3_1_2_4");
    assert_id("{\"compiled_autograd_id\": 3, \"frame_id\": null, \"frame_compile_id\": null, \"attempt\": null}",
              COMPILE_ID_GOOD, "!3/-/-", "[!3/-/-]", "3_-_-_-");
    /* Without an attempt: 0 in the directory, "-" in the folder name. */
    assert_id("{\"frame_id\": 5, \"frame_compile_id\": 6}", COMPILE_ID_GOOD, "5/6", "[5/6]", "-_5_6_-");
    assert_id("{\"frame_id\": 5, \"frame_compile_id\": 6, \"attempt\": null}", COMPILE_ID_GOOD, "5/6", "[5/6]",
              "-_5_6_-");
    assert_id("{\"frame_id\": 5}", COMPILE_ID_GOOD, "5/-", "[5/-]", "-_5_-_-");
    assert_id("{\"frame_compile_id\": 5}", COMPILE_ID_GOOD, "-/5", "[-/5]", "-_-_5_-");
    assert_id("{\"attempt\": 1}", COMPILE_ID_GOOD, "-/-", "[-/-_1]", "-_-_-_1");
}

static void distinguishes_none_from_null(void **state) {
    (void)state;
    assert_id("{\"artifact\": {\"frame_id\": 1}}", COMPILE_ID_NONE, "-/-", "[-/-]", "-_-_-_-");
    assert_id("{}", COMPILE_ID_NONE, "-/-", "[-/-]", "-_-_-_-");
    assert_id("{\"frame_id\": null}", COMPILE_ID_GOOD, "-/-", "[-/-]", "-_-_-_-");
    assert_id("[1]", COMPILE_ID_NONE, "-/-", "[-/-]", "-_-_-_-");
}

static void rejects_non_integers(void **state) {
    (void)state;
    static const char *const bad[] = {"\"x\"", "\"0\"", "1.5", "-1",         "-5",
                                      "true",  "[]",    "{}",  "4294967296", "99999999999999999999",
                                      "1e3"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        static const char *const keys[] = {"compiled_autograd_id", "frame_id", "frame_compile_id", "attempt"};
        for (size_t k = 0; k < 4; k++) {
            char envelope[100];
            snprintf(envelope, sizeof envelope, "{\"%s\": %s}", keys[k], bad[i]);
            assert_id(envelope, COMPILE_ID_BAD, "unknown", "unknown", "unknown_17");
        }
    }
    assert_id("{\"frame_id\": 0, \"frame_compile_id\": 0, \"attempt\": \"x\"}", COMPILE_ID_BAD, "unknown", "unknown",
              "unknown_17");
    assert_id("{\"frame_id\": 4294967295}", COMPILE_ID_GOOD, "4294967295/-", "[4294967295/-]", "-_4294967295_-_-");
}

static void compares_all_parts(void **state) {
    (void)state;
    static const char *const all[] = {
        "{}",
        "{\"frame_id\": \"x\"}",
        "{\"frame_id\": null}",
        "{\"frame_id\": 0}",
        "{\"frame_id\": 0, \"frame_compile_id\": 0}",
        "{\"frame_id\": 0, \"frame_compile_id\": 0, \"attempt\": 0}",
        "{\"frame_id\": 0, \"frame_compile_id\": 1, \"attempt\": 0}",
        "{\"frame_id\": 0, \"frame_compile_id\": 0, \"attempt\": 1}",
        "{\"compiled_autograd_id\": 0, \"frame_id\": 0, \"frame_compile_id\": 0, \"attempt\": 0}",
    };
    enum { COUNT = sizeof all / sizeof *all };
    for (int a = 0; a < COUNT; a++)
        for (int b = 0; b < COUNT; b++) {
            struct compile_id one = read_id(all[a]), two = read_id(all[b]);
            assert_int_equal(one.state == two.state && one.autograd == two.autograd && one.frame == two.frame &&
                                 one.compile == two.compile && one.attempt == two.attempt,
                             a == b);
        }
}

static void knows_what_is_shown(void **state) {
    (void)state;
    static const char *const good[] = {"0/0", "12/345", "!0/1/2", "-/-", "!3/-/-", "5/-", "-/5", "unknown"};
    static const char *const bad[] = {"",      "0",      "/",     "0/",   "/0",       "0/0/0",
                                      "!0/1",  "!-/0/1", "!/0/1", "0/0 ", " 0/0",     "--/0",
                                      "[0/0]", "0/0_1",  "0/0#1", "0/x",  "unknown ", "!unknown"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(compile_id_is_shown(slice_str(good[i])));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(compile_id_is_shown(slice_str(bad[i])));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_every_form),    cmocka_unit_test(distinguishes_none_from_null),
        cmocka_unit_test(rejects_non_integers), cmocka_unit_test(compares_all_parts),
        cmocka_unit_test(knows_what_is_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

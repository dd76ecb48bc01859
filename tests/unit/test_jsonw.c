/* base/jsonw: writes JSON piece by piece, including commas. */
#define _GNU_SOURCE
#include "support.h"

#include "base/jsonw.h"

static void puts_commas(void **state) {
    (void)state;
    struct buf out = {0};
    struct jsonw w = {.out = &out};
    jsonw_object(&w, NULL);
    jsonw_u64(&w, "a", UINT64_MAX);
    jsonw_i64(&w, "b", INT64_MIN);
    jsonw_known(&w, "c", -1);
    jsonw_known(&w, "d", 0);
    jsonw_bool(&w, "e", true);
    jsonw_bool(&w, "f", false);
    jsonw_null(&w, "g");
    jsonw_str(&w, "h", "x\"y");
    jsonw_text(&w, "i", (struct slice){0});
    jsonw_text(&w, "j", SLICE(""));
    jsonw_raw(&w, "k", SLICE("[1, 2]"));
    jsonw_raw(&w, "l", (struct slice){0});
    jsonw_texts(&w, "m", (struct slice[]){SLICE("x"), {0}}, 2);
    jsonw_texts(&w, "n", NULL, 0);
    jsonw_end_object(&w);
    assert_buf(
        &out,
        "{\"a\":18446744073709551615,\"b\":-9223372036854775808,\"c\":null,\"d\":0,\"e\":true,\"f\":false,\"g\":null,"
        "\"h\":\"x\\\"y\",\"i\":null,\"j\":\"\",\"k\":[1, 2],\"l\":null,\"m\":[\"x\",null],\"n\":[]}");
    assert_int_equal(w.depth, 0);
    buf_free(&out);
}

static void nests(void **state) {
    (void)state;
    struct buf out = {0};
    struct jsonw w = {.out = &out};
    jsonw_array(&w, NULL);
    jsonw_array(&w, NULL);
    jsonw_end_array(&w);
    jsonw_object(&w, NULL);
    jsonw_array(&w, "l");
    jsonw_u64(&w, NULL, 1);
    jsonw_u64(&w, NULL, 2);
    jsonw_end_array(&w);
    jsonw_object(&w, "o");
    jsonw_end_object(&w);
    jsonw_str(&w, "s", "t");
    jsonw_end_object(&w);
    jsonw_u64(&w, NULL, 3);
    jsonw_end_array(&w);
    assert_buf(&out, "[[],{\"l\":[1,2],\"o\":{},\"s\":\"t\"},3]");
    buf_free(&out);
}

static void cuts_between_characters(void **state) {
    (void)state;
    struct buf out = {0};
    struct jsonw w = {.out = &out};
    jsonw_array(&w, NULL);
    jsonw_cut(&w, NULL, SLICE("abc"), 3);
    jsonw_cut(&w, NULL, SLICE("abcd"), 3);
    jsonw_cut(&w, NULL, SLICE("ab\xc3\xa4z"), 3);
    jsonw_cut(&w, NULL, SLICE("a\xf0\x9f\x98\x80"), 4);
    jsonw_cut(&w, NULL, (struct slice){0}, 3);
    jsonw_end_array(&w);
    assert_buf(&out, "[\"abc\",\"abc…\",\"ab…\",\"a…\",null]");
    buf_free(&out);
}

static void accepts_computed_keys(void **state) {
    (void)state;
    struct buf out = {0};
    struct jsonw w = {.out = &out};
    jsonw_object(&w, NULL);
    jsonw_key(&w, SLICE("[0/0]"));
    jsonw_u64(&w, NULL, 1);
    jsonw_key(&w, SLICE("q\"\xff"));
    jsonw_object(&w, NULL);
    jsonw_u64(&w, "x", 1);
    jsonw_end_object(&w);
    jsonw_key(&w, SLICE("l"));
    jsonw_array(&w, NULL);
    jsonw_end_array(&w);
    jsonw_u64(&w, "last", 2);
    jsonw_end_object(&w);
    assert_buf(&out, "{\"[0/0]\":1,\"q\\\"\xef\xbf\xbd\":{\"x\":1},\"l\":[],\"last\":2}");
    buf_free(&out);
}

static void goes_deep(void **state) {
    (void)state;
    enum { DEPTH = 58 };
    struct buf out = {0};
    struct jsonw w = {.out = &out};
    for (int i = 0; i < DEPTH; i++) {
        jsonw_array(&w, NULL);
        jsonw_u64(&w, NULL, 0);
    }
    for (int i = 0; i < DEPTH; i++) {
        jsonw_u64(&w, NULL, 1);
        jsonw_end_array(&w);
    }
    yyjson_doc *doc = yyjson_read(out.ptr, out.len, 0);
    yyjson_val *array = yyjson_doc_get_root(doc);
    for (int i = 0; i + 1 < DEPTH; i++) {
        assert_int_equal(yyjson_arr_size(array), 3);
        array = yyjson_arr_get(array, 1);
    }
    assert_int_equal(yyjson_arr_size(array), 2);
    yyjson_doc_free(doc);
    buf_free(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(puts_commas),           cmocka_unit_test(nests),     cmocka_unit_test(cuts_between_characters),
        cmocka_unit_test(accepts_computed_keys), cmocka_unit_test(goes_deep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

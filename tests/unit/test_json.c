/* base/json: tolerant reading, strings that are always valid, members by name. */
#define _GNU_SOURCE
#include "support.h"

#include "base/json.h"
#include "base/text.h"

/* The result of json_read for a text, as "state: value". */
static void assert_reads(const char *file, int line, struct slice text, enum json_numbers numbers,
                         enum json_state state, const char *expected) {
    struct arena arena = {0};
    struct buf out = {0};
    yyjson_val *root;
    struct slice given = text;
    enum json_state got = json_read(&text, numbers, &arena, &root);
    if (got != state)
        fail_msg("%s:%d: state %d, not %d: %.*s", file, line, got, state, SLICE_ARG(given));
    if (state == JSON_BAD) {
        assert_null(root);
        assert_ptr_equal(text.ptr, given.ptr);
    } else {
        json_add_value(&out, root);
        assert_buf(&out, expected);
    }
    if (state == JSON_STRICT)
        assert_ptr_equal(text.ptr, given.ptr);
    if (state == JSON_REPAIRED) { /* now strict */
        struct slice repaired = text;
        assert_int_equal(json_read(&repaired, numbers, &arena, &root), JSON_STRICT);
        assert_true(utf8_is_valid(text));
    }
    buf_free(&out);
    arena_free(&arena);
}
#define STRICT(text, expected) assert_reads(__FILE__, __LINE__, SLICE(text), JSON_NUMBERS, JSON_STRICT, expected)
#define REPAIRED(text, expected) assert_reads(__FILE__, __LINE__, SLICE(text), JSON_NUMBERS, JSON_REPAIRED, expected)
#define BAD(text) assert_reads(__FILE__, __LINE__, SLICE(text), JSON_NUMBERS, JSON_BAD, NULL)
#define RAW(text, expected) assert_reads(__FILE__, __LINE__, SLICE(text), JSON_NUMBERS_RAW, JSON_STRICT, expected)

static void reads_strict_json(void **state) {
    (void)state;
    STRICT("{\"a\": [1, -2, true, false, null, \"x\"]}", "{\"a\":[1,-2,true,false,null,\"x\"]}");
    STRICT(" \t\r\n{} \n", "{}");
    STRICT("\"NaN\"", "\"NaN\"");
    STRICT("\"\\ud83d\\ude00\"", "\"😀\"");
    STRICT("\"a\\u0000b\"", "\"a\\u0000b\"");
    STRICT("{\"a\": 1, \"a\": 2}", "{\"a\":1,\"a\":2}");
    STRICT("0", "0");
}

static void repairs_what_python_writes(void **state) {
    (void)state;
    REPAIRED("NaN", "null");
    REPAIRED("[NaN, Infinity, -Infinity]", "[null,null,null]");
    REPAIRED("{\"NaN\": NaN, \"b\": \"Infinity NaN\"}", "{\"NaN\":null,\"b\":\"Infinity NaN\"}");
    REPAIRED("[\"a\\\" NaN\", NaN]", "[\"a\\\" NaN\",null]");
    REPAIRED("[\"\\\\\", NaN, \"\\\\\"]", "[\"\\\\\",null,\"\\\\\"]");
}

static void repairs_unpaired_surrogates(void **state) {
    (void)state;
    REPAIRED("\"\\ud800\"", "\"\xef\xbf\xbd\"");
    REPAIRED("\"\\udc00\"", "\"\xef\xbf\xbd\"");
    REPAIRED("\"\\ud800x\"", "\"\xef\xbf\xbdx\"");
    REPAIRED("\"\\ud800\\n\"", "\"\xef\xbf\xbd\\n\"");
    REPAIRED("\"\\ud800\\u0041\"", "\"\xef\xbf\xbd"
                                   "A\"");
    REPAIRED("\"\\ud800\\ud83d\\ude00\"", "\"\xef\xbf\xbd😀\"");
    REPAIRED("\"\\ud83d\\ude00\\ude00\"", "\"😀\xef\xbf\xbd\"");
    REPAIRED("\"\\\\\\ud800\"", "\"\\\\\xef\xbf\xbd\"");
    REPAIRED("[\"\\\\ud800\", \"\\uD800\"]", "[\"\\\\ud800\",\"\xef\xbf\xbd\"]");
    REPAIRED("{\"\\ud800\": 1}", "{\"\xef\xbf\xbd\":1}");
}

static void repairs_invalid_utf8(void **state) {
    (void)state;
    REPAIRED("\"caf\xe9\"", "\"caf\xef\xbf\xbd\"");
    REPAIRED("\"\xed\xa0\x80\"", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""); /* a surrogate in UTF-8 */
    REPAIRED("[\"\xff\", NaN, \"\\ud800\"]", "[\"\xef\xbf\xbd\",null,\"\xef\xbf\xbd\"]");
}

static void rejects_what_is_not_json(void **state) {
    (void)state;
    static const char *const bad[] = {"",         " ",        "{",
                                      "{\"a\": ", "[1, 2",    "\"abc",
                                      "\"abc\\",  "\"\\u12",  "\"\\ud800",
                                      "{}{}",     "nul",      "Na",
                                      "-",        "-Infinit", "Infinity1",
                                      "{a: 1}",   "[1,]",     "'a'",
                                      "// c\n1",  "\"\\x\"",  "\"\\ud800\\u\""};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_reads(__FILE__, __LINE__, slice_str(bad[i]), JSON_NUMBERS, JSON_BAD, NULL);
    BAD("1\0");
    BAD("\xff");
}

/* No byte after the text is read. */
static void ends_where_the_text_ends(void **state) {
    (void)state;
    static const char whole[] = "{\"a\": [NaN, \"\\ud800\\udc00\\ud800\"]}";
    for (size_t len = 0; len < sizeof whole - 1; len++) {
        struct arena arena = {0};
        yyjson_val *root;
        char *text = malloc(len ? len : 1);
        memcpy(text, whole, len);
        struct slice cut = {text, len};
        assert_int_equal(json_read(&cut, JSON_NUMBERS, &arena, &root), JSON_BAD);
        free(text);
        arena_free(&arena);
    }
}

static void keeps_big_numbers(void **state) {
    (void)state;
    STRICT("18446744073709551615", "18446744073709551615");
    STRICT("-9223372036854775808", "-9223372036854775808");
    STRICT("[99999999999999999999, -99999999999999999999]", "[99999999999999999999,-99999999999999999999]");
    STRICT("1e400", "1e400");
    STRICT("{\"a\": -1e999}", "{\"a\":-1e999}");
    STRICT("0.1", "0.1");
    RAW("[1.10, 1e5, 100000000000000000000, -0]", "[1.10,1e5,100000000000000000000,-0]");
    RAW("1.50", "1.50");
}

static void reads_deep_values(void **state) {
    (void)state;
    enum { DEPTH = 100000 };
    struct buf deep = {0}, out = {0};
    struct arena arena = {0};
    yyjson_val *root;
    for (int i = 0; i < DEPTH; i++)
        buf_add_lit(&deep, "{\"a\":[");
    for (int i = 0; i < DEPTH; i++)
        buf_add_lit(&deep, "]}");
    struct slice text = buf_slice(&deep);
    assert_int_equal(json_read_own(&text, JSON_NUMBERS, &arena, &root), JSON_STRICT);
    json_add_value(&out, root);
    assert_slices(buf_slice(&out), buf_slice(&deep));
    out.len = 0;
    json_add_pretty(&out, root, text);
    assert_true(out.len < 10 * deep.len); /* not indented by 400 000 spaces */
    buf_free(&deep);
    buf_free(&out);
    arena_free(&arena);
}

static void indents(void **state) {
    (void)state;
    struct arena arena = {0};
    struct buf out = {0};
    yyjson_val *root;
    struct slice text = SLICE("{\"a\": [true, {}], \"b\": {}, \"c\": []}");
    json_read(&text, JSON_NUMBERS_RAW, &arena, &root);
    json_add_pretty(&out, root, text);
    assert_buf(&out, "{\n  \"a\": [\n    true,\n    {}\n  ],\n  \"b\": {},\n  \"c\": []\n}");
    buf_free(&out);
    arena_free(&arena);
}

/* Artifacts are read with raw numbers. */
static void indents_raw_numbers(void **state) {
    (void)state;
    struct arena arena = {0};
    struct buf out = {0};
    yyjson_val *root;
    struct slice text = SLICE("{\"a\": [1, 2.50], \"b\": 3}");
    json_read(&text, JSON_NUMBERS_RAW, &arena, &root);
    json_add_pretty(&out, root, text);
    assert_buf(&out, "{\n  \"a\": [\n    1,\n    2.50\n  ],\n  \"b\": 3\n}");
    buf_free(&out);
    arena_free(&arena);
}

static void writes_strings(void **state) {
    (void)state;
    struct buf out = {0};
    json_add_string(&out, SLICE("a\"\\\n\t\r\b\x01\x1f\x7f/</ü"));
    assert_buf(&out, "\"a\\\"\\\\\\n\\t\\r\\u0008\\u0001\\u001f\\u007f/</ü\"");
    out.len = 0;
    json_add_string(&out, SLICE("\0"));
    assert_buf(&out, "\"\\u0000\"");
    out.len = 0;
    json_add_string(&out, SLICE("a\xff\xc3"));
    assert_buf(&out, "\"a\xef\xbf\xbd\xef\xbf\xbd\"");
    out.len = 0;
    json_add_string(&out, SLICE(""));
    json_add_string_or_null(&out, SLICE(""));
    json_add_string_or_null(&out, (struct slice){0});
    json_add_value(&out, NULL);
    assert_buf(&out, "\"\"\"\"nullnull");
    buf_free(&out);
}

static void finds_members(void **state) {
    (void)state;
    static const char text[] = "{\"u\": 7, \"i\": -7, \"whole\": 3.0, \"half\": 3.5, \"big\": 1e300, \"raw\": 1e400, "
                               "\"s\": \"x\", \"e\": \"\","
                               "\"z\": 0, \"n\": null, \"t\": true, \"f\": false, \"l\": [], \"o\": {}, \"l1\": [0]}";
    yyjson_doc *doc = yyjson_read(text, sizeof text - 1, YYJSON_READ_BIGNUM_AS_RAW);
    yyjson_val *root = yyjson_doc_get_root(doc);
    uint64_t n = 99;
    double d;
    assert_true(json_to_u64(json_get(root, "u"), &n) && n == 7);
    assert_true(json_to_u64(json_get(root, "whole"), &n) && n == 3);
    static const char *const none[] = {"i", "half", "big", "raw", "s", "n", "t", "l", "missing"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_false(json_to_u64(json_get(root, none[i]), &n));
    assert_true(n == 3);
    assert_true(json_to_double(json_get(root, "half"), &d) && d == 3.5);
    assert_true(json_to_double(json_get(root, "i"), &d) && d == -7);
    assert_false(json_to_double(json_get(root, "s"), &d));
    assert_slice(json_get_text(root, "s"), "x");
    assert_non_null(json_get_text(root, "e").ptr);
    assert_null(json_get_text(root, "u").ptr);
    assert_null(json_get_text(root, "missing").ptr);
    assert_null(json_get_text(json_get(root, "s"), "x").ptr);
    assert_null(json_get(NULL, "x"));
    static const char *const truthy[] = {"u", "i", "half", "raw", "s", "t", "l1"}, *const falsy[] = {"e", "z", "n", "f",
                                                                                                     "l", "o", "no"};
    for (size_t i = 0; i < sizeof truthy / sizeof *truthy; i++)
        assert_true(json_truthy(json_get(root, truthy[i])));
    for (size_t i = 0; i < sizeof falsy / sizeof *falsy; i++)
        assert_false(json_truthy(json_get(root, falsy[i])));
    yyjson_doc_free(doc);
}

/* Python's json refuses what is nested some 1,000 levels deep. */
static void flattens_what_is_too_deep(void **state) {
    struct arena arena = {0};
    struct buf text = {0}, out = {0};
    (void)state;
    for (int depth = JSON_DEPTH_MAX; depth <= JSON_DEPTH_MAX + 2; depth++) {
        text.len = out.len = 0;
        for (int i = 0; i < depth; i++)
            buf_add_str(&text, i % 2 ? "[" : "{\"]\\\"[\": ");
        buf_add_lit(&text, "7");
        for (int i = depth; i-- > 0;)
            buf_add_str(&text, i % 2 ? ", 1]" : "}");
        struct slice read = buf_slice(&text);
        yyjson_val *root;
        enum json_state got = json_read(&read, JSON_NUMBERS, &arena, &root);
        assert_int_equal(got, depth == JSON_DEPTH_MAX ? JSON_STRICT : JSON_REPAIRED);
        for (int i = 0; i < JSON_DEPTH_MAX; i++)
            root = yyjson_is_arr(root) ? yyjson_arr_get(root, 0) : json_get(root, "]\"[");
        json_add_value(&out, root);
        if (depth == JSON_DEPTH_MAX)
            assert_buf(&out, "7");
        else if (depth == JSON_DEPTH_MAX + 1)
            assert_buf(&out, "\"{\\\"]\\\\\\\"[\\\": 7}\"");
        else
            assert_true(yyjson_is_str(root));
    }
    /* Brackets in texts do not count, nor do many that are not nested. */
    text.len = 0;
    buf_add_lit(&text, "[\"");
    for (int i = 0; i < 1000; i++)
        buf_add_byte(&text, '[');
    buf_add_lit(&text, "\"");
    for (int i = 0; i < 1000; i++)
        buf_add_lit(&text, ", []");
    buf_add_lit(&text, "]");
    struct slice read = buf_slice(&text);
    yyjson_val *root;
    assert_int_equal(json_read(&read, JSON_NUMBERS, &arena, &root), JSON_STRICT);
    for (size_t i = 0; i < text.len; i++) /* cut anywhere */
        text.ptr[i] = '[';
    for (size_t len = 0; len < text.len; len += 97) {
        read = slice_make(text.ptr, len);
        assert_int_equal(json_read(&read, JSON_NUMBERS, &arena, &root), JSON_BAD);
    }
    buf_free(&text);
    buf_free(&out);
    arena_free(&arena);
}

static void refuses_too_many_values(void **state) {
    struct arena arena = {0};
    struct buf text = {0};
    yyjson_val *root;
    (void)state;
    for (int over = 0; over < 2; over++) {
        text.len = 0;
        buf_add_byte(&text, '[');
        for (int i = 0; i < JSON_VALUES_MAX - 1 + over; i++)
            buf_add_lit(&text, "11,");
        buf_add_lit(&text, "1]");
        struct slice read = buf_slice(&text);
        assert_int_equal(json_has_too_many_values(read), over);
        assert_int_equal(json_read(&read, JSON_NUMBERS, &arena, &root), over ? JSON_BAD : JSON_STRICT);
        assert_int_equal(json_read_own(&read, JSON_NUMBERS, &arena, &root), JSON_STRICT);
    }
    memset(text.ptr + 2, ',', text.len - 4); /* one long text */
    text.ptr[1] = text.ptr[text.len - 2] = '"';
    assert_false(json_has_too_many_values(buf_slice(&text)));
    buf_free(&text);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_strict_json),
        cmocka_unit_test(repairs_what_python_writes),
        cmocka_unit_test(repairs_unpaired_surrogates),
        cmocka_unit_test(repairs_invalid_utf8),
        cmocka_unit_test(rejects_what_is_not_json),
        cmocka_unit_test(ends_where_the_text_ends),
        cmocka_unit_test(keeps_big_numbers),
        cmocka_unit_test(reads_deep_values),
        cmocka_unit_test(flattens_what_is_too_deep),
        cmocka_unit_test(refuses_too_many_values),
        cmocka_unit_test(indents),
        cmocka_unit_test(indents_raw_numbers),
        cmocka_unit_test(writes_strings),
        cmocka_unit_test(finds_members),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

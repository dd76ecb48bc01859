/* Any text: what json_read() accepts is strict JSON afterwards and is written as the same value. Any bytes make a
 * string. */
#define _GNU_SOURCE /* memfd_create */
#include "base/json.h"
#include "base/text.h"
#include "fuzz.h"

static yyjson_doc *strict(struct slice text, enum json_numbers numbers) {
    yyjson_read_flag flags = numbers == JSON_NUMBERS_RAW ? YYJSON_READ_NUMBER_AS_RAW : YYJSON_READ_BIGNUM_AS_RAW;
    return yyjson_read(text.ptr, text.len, flags);
}

static void check_written(yyjson_val *root, struct slice text, enum json_numbers numbers) {
    for (int pretty = 0; pretty < 2; pretty++) {
        struct buf out = {0};
        if (pretty)
            json_add_pretty(&out, root, text);
        else
            json_add_value(&out, root);
        MUST(pretty || !memchr(out.ptr, '\n', out.len));
        yyjson_doc *doc = strict(buf_slice(&out), numbers);
        MUST(doc);
        MUST(yyjson_equals(yyjson_doc_get_root(doc), root));
        yyjson_doc_free(doc);
        buf_free(&out);
    }
}

static void check_read(struct slice given, enum json_numbers numbers) {
    struct arena arena = {0};
    yyjson_val *root = NULL;
    struct slice text = given;
    yyjson_doc *doc = strict(given, numbers);
    enum json_state state = json_read(&text, numbers, &arena, &root);
    MUST((state == JSON_STRICT) == (doc != NULL));
    MUST((state == JSON_BAD) == (root == NULL));
    yyjson_doc_free(doc);
    if (state != JSON_REPAIRED)
        MUST(text.ptr == given.ptr && text.len == given.len);
    if (state != JSON_BAD) {
        MUST((doc = strict(text, numbers)) && utf8_is_valid(text));
        MUST(yyjson_equals(yyjson_doc_get_root(doc), root));
        yyjson_doc_free(doc);
        check_written(root, text, numbers);
    }
    arena_free(&arena);
}

static void check_string(struct slice text) {
    struct buf out = {0};
    json_add_string(&out, text);
    yyjson_doc *doc = yyjson_read(out.ptr, out.len, 0);
    MUST(doc && yyjson_is_str(yyjson_doc_get_root(doc)));
    if (utf8_is_valid(text))
        MUST(slice_eq(json_text(yyjson_doc_get_root(doc)), text));
    yyjson_doc_free(doc);
    buf_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct slice text = {(const char *)data, size};
    check_read(text, JSON_NUMBERS);
    check_read(text, JSON_NUMBERS_RAW);
    check_string(text);
    return 0;
}

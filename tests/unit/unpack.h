/* unpack.h - for unit tests: decodes tl.put("key", "base64 of zstd"). */
#pragma once

#include "support.h"

#include <zstd.h>

static inline struct buf unpack_base64(struct slice text) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    struct buf bytes = {0};
    assert_int_equal(text.len % 4, 0);
    for (size_t i = 0; i < text.len; i += 4) {
        uint32_t bits = 0;
        int pad = 0;
        for (size_t j = i; j < i + 4; j++) {
            const char *digit = text.ptr[j] == '=' ? digits : strchr(digits, text.ptr[j]);
            assert_true(digit && text.ptr[j] && (pad == 0 || text.ptr[j] == '='));
            pad += text.ptr[j] == '=';
            bits = bits << 6 | (uint32_t)(digit - digits);
        }
        assert_true(pad == 0 || (i + 4 == text.len && pad < 3));
        for (int j = 0; j < 3 - pad; j++)
            buf_add_byte(&bytes, (char)(bits >> (16 - 8 * j)));
    }
    return bytes;
}

static inline struct buf unpack_zstd(struct slice packed) {
    struct buf bytes = {0};
    ZSTD_DStream *unpacker = ZSTD_createDStream();
    ZSTD_inBuffer in = {packed.ptr, packed.len, 0};
    size_t left;
    do {
        ZSTD_outBuffer out = {buf_reserve(&bytes, 65536), 65536, 0};
        left = ZSTD_decompressStream(unpacker, &out, &in);
        assert_false(ZSTD_isError(left));
        bytes.len += out.pos;
    } while (left && (in.pos < in.size || bytes.len == bytes.cap));
    assert_int_equal(left, 0);
    assert_int_equal(in.pos, in.size);
    ZSTD_freeDStream(unpacker);
    return bytes;
}

/* The bytes and the key of a script with one call of tl.put. */
static inline struct buf unpack_script(struct slice script, char key[64]) {
    struct slice head = SLICE("tl.put(\""), middle = SLICE("\",\""), tail = SLICE("\");\n");
    assert_true(slice_starts(script, head) && slice_ends(script, tail));
    struct slice rest = slice_from(script, head.len);
    size_t quote = slice_find(rest, middle);
    assert_true(quote < 64);
    memcpy(key, rest.ptr, quote);
    key[quote] = 0;
    rest = slice_from(rest, quote + middle.len);
    struct buf packed = unpack_base64(slice_first(rest, rest.len - tail.len)), bytes = unpack_zstd(buf_slice(&packed));
    buf_free(&packed);
    return bytes;
}

/* The same for a file, which must have that key. */
static inline struct buf unpack_file(int dirfd, const char *path, const char *key) {
    char found[64];
    struct buf script = read_file(dirfd, path), bytes = unpack_script(buf_slice(&script), found);
    assert_string_equal(found, key);
    buf_free(&script);
    return bytes;
}

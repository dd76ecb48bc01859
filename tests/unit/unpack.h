/* unpack.h - for unit tests: decodes tl.put("key", "base64 of gzip") with zlib. */
#pragma once

#include "support.h"

#include <zlib.h>

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

static inline struct buf unpack_gzip(struct slice packed) {
    struct buf bytes = {0};
    z_stream z = {0};
    int status;
    assert_int_equal(inflateInit2(&z, 15 + 16), Z_OK);
    z.next_in = (unsigned char *)(uintptr_t)packed.ptr;
    z.avail_in = (uInt)packed.len;
    do {
        z.next_out = (unsigned char *)buf_reserve(&bytes, 65536);
        z.avail_out = 65536;
        status = inflate(&z, Z_NO_FLUSH);
        bytes.len += 65536 - z.avail_out;
    } while (status == Z_OK);
    assert_int_equal(status, Z_STREAM_END);
    assert_int_equal(z.avail_in, 0);
    inflateEnd(&z);
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
    struct buf packed = unpack_base64(slice_first(rest, rest.len - tail.len)), bytes = unpack_gzip(buf_slice(&packed));
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

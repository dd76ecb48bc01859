#include "sink/script.h"

#include <libdeflate.h>

#include "base/mem.h"

enum { LEVEL = 1 };

static void add_base64(struct buf *out, const unsigned char *from, size_t len) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *to = buf_reserve(out, (len + 2) / 3 * 4), *start = to;
    size_t i = 0;
    for (; i + 3 <= len; i += 3) {
        uint32_t bits = (uint32_t)from[i] << 16 | (uint32_t)from[i + 1] << 8 | from[i + 2];
        *to++ = digits[bits >> 18];
        *to++ = digits[bits >> 12 & 63];
        *to++ = digits[bits >> 6 & 63];
        *to++ = digits[bits & 63];
    }
    if (i < len) {
        uint32_t bits = (uint32_t)from[i] << 16 | (i + 1 < len ? (uint32_t)from[i + 1] << 8 : 0);
        *to++ = digits[bits >> 18];
        *to++ = digits[bits >> 12 & 63];
        *to++ = i + 1 < len ? digits[bits >> 6 & 63] : '=';
        *to++ = '=';
    }
    out->len += (size_t)(to - start);
}

void script_pack(struct buf *packed, struct slice bytes) {
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(LEVEL);
    if (!compressor)
        mem_exhausted();
    size_t most = libdeflate_gzip_compress_bound(compressor, bytes.len);
    char *to = buf_reserve(packed, most);
    packed->len += libdeflate_gzip_compress(compressor, bytes.ptr, bytes.len, to, most);
    libdeflate_free_compressor(compressor);
}

bool script_unpack(struct buf *bytes, struct slice packed, size_t len) {
    struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
    if (!decompressor)
        mem_exhausted();
    char *to = buf_reserve(bytes, len);
    bool good = libdeflate_gzip_decompress(decompressor, packed.ptr, packed.len, to, len, NULL) == LIBDEFLATE_SUCCESS;
    libdeflate_free_decompressor(decompressor);
    bytes->len += good ? len : 0;
    return good;
}

void script_add_packed(struct buf *out, struct slice key, struct slice packed) {
    buf_add_lit(out, "tl.put(\"");
    buf_add(out, key);
    buf_add_lit(out, "\",\"");
    add_base64(out, (const unsigned char *)packed.ptr, packed.len);
    buf_add_lit(out, "\");\n");
}

void script_add_put(struct buf *out, struct slice key, struct slice bytes) {
    struct buf packed = {0};
    script_pack(&packed, bytes);
    script_add_packed(out, key, buf_slice(&packed));
    buf_free(&packed);
}

void script_write(struct files *files, struct slice path, struct slice key, struct slice bytes) {
    struct buf script = {0};
    if (!files_wanted(files))
        return;
    script_add_put(&script, key, bytes);
    files_write(files, path, buf_slice(&script));
    buf_free(&script);
}

void script_write_part(struct files *files, const char *what, size_t part, struct slice bytes) {
    struct buf path = {0}, key = {0};
    buf_addf(&path, "data/%s.%zu.js", what, part);
    buf_addf(&key, "%s/%zu", what, part);
    script_write(files, buf_slice(&path), buf_slice(&key), bytes);
    buf_free(&path);
    buf_free(&key);
}

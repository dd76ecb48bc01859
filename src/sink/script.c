#include "sink/script.h"

#include <libdeflate.h>
#include <zlib.h>

enum { LEVEL = 1 };

void script_add_base64(struct buf *out, struct slice bytes) {
    const unsigned char *from = (const unsigned char *)bytes.ptr;
    size_t len = bytes.len;
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

void gzip_add(struct buf *out, struct slice bytes, int level) {
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(level);
    if (!compressor)
        mem_exhausted();
    size_t most = libdeflate_gzip_compress_bound(compressor, bytes.len);
    char *to = buf_reserve(out, most);
    out->len += libdeflate_gzip_compress(compressor, bytes.ptr, bytes.len, to, most);
    libdeflate_free_compressor(compressor);
}

void script_pack(struct buf *packed, struct slice bytes) {
    gzip_add(packed, bytes, LEVEL);
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
    BUF_ADD(out, "tl.put(\"", key, "\",\"");
    script_add_base64(out, packed);
    buf_add_lit(out, "\");\n");
}

void script_add_put(struct buf *out, struct slice key, struct slice bytes) {
    AUTO_BUF packed = {0};
    script_pack(&packed, bytes);
    script_add_packed(out, key, buf_slice(&packed));
}

/* The value of a digit, or 64. */
static unsigned value_of(char digit) {
    return digit >= 'A' && digit <= 'Z' ? (unsigned)(digit - 'A')
         : digit >= 'a' && digit <= 'z' ? (unsigned)(digit - 'a' + 26)
         : digit >= '0' && digit <= '9' ? (unsigned)(digit - '0' + 52)
         : digit == '+'                 ? 62
         : digit == '/'                 ? 63
                                        : 64;
}

static bool add_from_base64(struct buf *out, struct slice text) {
    size_t pad = slice_ends(text, SLICE("==")) ? 2 : slice_ends(text, SLICE("=")) ? 1 : 0;
    uint32_t bits = 0;
    if (text.len % 4 || !text.len)
        return false;
    for (size_t i = 0; i < text.len; i++) {
        unsigned value = i < text.len - pad ? value_of(text.ptr[i]) : 0;
        if (value > 63)
            return false;
        bits = bits << 6 | value;
        if (i % 4 != 3)
            continue;
        for (int shift = 16; shift >= 0; shift -= 8)
            buf_add_byte(out, (char)(bits >> shift & 255));
        bits = 0;
    }
    out->len -= pad;
    return true;
}

/* The length of the content of a gzip stream, from its last four bytes. */
static size_t length_of(struct slice packed) {
    const unsigned char *last = (const unsigned char *)packed.ptr + packed.len - 4;
    return packed.len < 18 ? 0 : last[0] | (size_t)last[1] << 8 | (size_t)last[2] << 16 | (size_t)last[3] << 24;
}

bool script_read(struct slice file, struct slice *key, struct buf *bytes) {
    static const struct slice begin = SLICE_INIT("tl.put(\""), middle = SLICE_INIT("\",\""), end = SLICE_INIT("\");\n");
    enum { MOST_RATIO = 1040 }; /* deflate packs no better than 1032 to 1 */
    AUTO_BUF packed = {0};
    size_t at = slice_starts(file, begin) && slice_ends(file, end) ? slice_find(file, middle) : SIZE_MAX;
    if (at == SIZE_MAX || at + middle.len + end.len > file.len)
        return false;
    struct slice text = slice_make(file.ptr + at + middle.len, file.len - at - middle.len - end.len);
    bool good = add_from_base64(&packed, text);
    size_t len = good ? length_of(buf_slice(&packed)) : 0;
    good = good && len <= packed.len * MOST_RATIO && script_unpack(bytes, buf_slice(&packed), len);
    *key = slice_make(file.ptr + begin.len, at - begin.len);
    return good;
}

void script_write(struct files *files, struct slice path, struct slice key, struct slice bytes) {
    AUTO_BUF script = {0};
    if (!files_wanted(files))
        return;
    script_add_put(&script, key, bytes);
    files_write(files, path, buf_slice(&script));
}

void script_stream_open(struct script_stream *script, struct files *files, const char *path, struct slice key) {
    enum { GZIP_WINDOW = 15 + 16, MEMORY = 8 };
    *script = (struct script_stream){.packer = mem_zalloc(1, sizeof *script->packer)};
    if (deflateInit2(script->packer, LEVEL, Z_DEFLATED, GZIP_WINDOW, MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
        mem_exhausted();
    stream_open(&script->stream, files, path);
    BUF_ADD(&script->stream.buf, "tl.put(\"", key, "\",\"");
}

static void pack(struct script_stream *script, struct slice bytes, int flush) {
    enum { ROOM = 64 * 1024 };
    struct z_stream_s *packer = script->packer;
    packer->next_in = (unsigned char *)(uintptr_t)bytes.ptr;
    packer->avail_in = (unsigned)bytes.len;
    do {
        packer->next_out = (unsigned char *)buf_reserve(&script->packed, ROOM);
        packer->avail_out = ROOM;
        deflate(packer, flush);
        script->packed.len += ROOM - packer->avail_out;
    } while (packer->avail_out == 0);
    size_t whole = flush == Z_FINISH ? script->packed.len : script->packed.len / 3 * 3;
    script_add_base64(&script->stream.buf, slice_make(script->packed.ptr, whole));
    memmove(script->packed.ptr, script->packed.ptr + whole, script->packed.len - whole);
    script->packed.len -= whole;
    stream_flush_if_full(&script->stream);
}

void script_stream_add(struct script_stream *script, struct slice bytes) {
    enum { MOST = 1 << 30 }; /* the most that zlib takes at a time */
    for (; bytes.len; bytes = slice_from(bytes, MOST))
        pack(script, slice_first(bytes, MOST), Z_NO_FLUSH);
}

void script_stream_close(struct script_stream *script) {
    pack(script, SLICE(""), Z_FINISH);
    buf_add_lit(&script->stream.buf, "\");\n");
    stream_close(&script->stream);
    deflateEnd(script->packer);
    mem_free(script->packer);
    buf_free(&script->packed);
}

void script_write_part(struct files *files, const char *what, size_t part, struct slice bytes) {
    AUTO_BUF path = {0}, key = {0};
    buf_addf(&path, "data/%s.%zu.js", what, part);
    buf_addf(&key, "%s/%zu", what, part);
    script_write(files, buf_slice(&path), buf_slice(&key), bytes);
}

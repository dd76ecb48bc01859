#include "sink/script.h"

#include <zstd.h>

/* On texts of a report, it takes 40 % of the time of libdeflate's fastest level, and packs to 65 %. */
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

void zstd_add(struct buf *out, struct slice bytes, int level) {
    size_t most = ZSTD_compressBound(bytes.len);
    size_t len = ZSTD_compress(buf_reserve(out, most), most, bytes.ptr, bytes.len, level);
    if (ZSTD_isError(len)) /* there is room, so only memory can be missing */
        mem_exhausted();
    out->len += len;
}

void script_pack(struct buf *packed, struct slice bytes) {
    zstd_add(packed, bytes, LEVEL);
}

bool script_unpack(struct buf *bytes, struct slice packed, size_t len) {
    size_t found = ZSTD_decompress(buf_reserve(bytes, len), len, packed.ptr, packed.len);
    bytes->len += found == len ? len : 0;
    return found == len;
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

/* Unpacks one frame, whose length may be unknown. */
static bool unpack_any(struct buf *bytes, struct slice packed) {
    enum { MOST = 1 << 30 };
    ZSTD_DStream *unpacker = ZSTD_createDStream();
    ZSTD_inBuffer in = {packed.ptr, packed.len, 0};
    size_t before = bytes->len, room = ZSTD_DStreamOutSize(), left = 1;
    if (!unpacker)
        mem_exhausted();
    while (left && !ZSTD_isError(left) && bytes->len - before <= MOST) {
        ZSTD_outBuffer out = {buf_reserve(bytes, room), room, 0};
        size_t read = in.pos;
        left = ZSTD_decompressStream(unpacker, &out, &in);
        bytes->len += ZSTD_isError(left) ? 0 : out.pos;
        if (left && in.pos == read && !out.pos)
            break; /* truncated */
    }
    ZSTD_freeDStream(unpacker);
    bool good = !left && in.pos == packed.len;
    bytes->len = good ? bytes->len : before;
    return good;
}

bool script_read(struct slice file, struct slice *key, struct buf *bytes) {
    static const struct slice begin = SLICE_INIT("tl.put(\""), middle = SLICE_INIT("\",\""), end = SLICE_INIT("\");\n");
    AUTO_BUF packed = {0};
    size_t at = slice_starts(file, begin) && slice_ends(file, end) ? slice_find(file, middle) : SIZE_MAX;
    if (at == SIZE_MAX || at + middle.len + end.len > file.len)
        return false;
    struct slice text = slice_make(file.ptr + at + middle.len, file.len - at - middle.len - end.len);
    *key = slice_make(file.ptr + begin.len, at - begin.len);
    return add_from_base64(&packed, text) && unpack_any(bytes, buf_slice(&packed));
}

void script_write(struct files *files, struct slice path, struct slice key, struct slice bytes) {
    AUTO_BUF script = {0};
    if (!files_wanted(files))
        return;
    script_add_put(&script, key, bytes);
    files_write(files, path, buf_slice(&script));
}

void script_stream_open(struct script_stream *script, struct files *files, const char *path, struct slice key) {
    *script = (struct script_stream){.packer = ZSTD_createCStream()};
    if (!script->packer || ZSTD_isError(ZSTD_initCStream(script->packer, LEVEL)))
        mem_exhausted();
    stream_open(&script->stream, files, path);
    BUF_ADD(&script->stream.buf, "tl.put(\"", key, "\",\"");
}

static void pack(struct script_stream *script, struct slice bytes, ZSTD_EndDirective end) {
    ZSTD_inBuffer in = {bytes.ptr, bytes.len, 0};
    size_t room = ZSTD_CStreamOutSize(), left;
    do {
        ZSTD_outBuffer out = {buf_reserve(&script->packed, room), room, 0};
        left = ZSTD_compressStream2(script->packer, &out, &in, end);
        if (ZSTD_isError(left))
            mem_exhausted();
        script->packed.len += out.pos;
    } while (in.pos < in.size || (end == ZSTD_e_end && left));
    size_t whole = end == ZSTD_e_end ? script->packed.len : script->packed.len / 3 * 3;
    script_add_base64(&script->stream.buf, slice_make(script->packed.ptr, whole));
    memmove(script->packed.ptr, script->packed.ptr + whole, script->packed.len - whole);
    script->packed.len -= whole;
    stream_flush_if_full(&script->stream);
}

void script_stream_add(struct script_stream *script, struct slice bytes) {
    pack(script, bytes, ZSTD_e_continue);
}

void script_stream_close(struct script_stream *script) {
    pack(script, SLICE(""), ZSTD_e_end);
    buf_add_lit(&script->stream.buf, "\");\n");
    stream_close(&script->stream);
    ZSTD_freeCStream(script->packer);
    buf_free(&script->packed);
}

void script_write_part(struct files *files, const char *what, size_t part, struct slice bytes) {
    AUTO_BUF path = {0}, key = {0};
    buf_addf(&path, "data/%s.%zu.js", what, part);
    buf_addf(&key, "%s/%zu", what, part);
    script_write(files, buf_slice(&path), buf_slice(&key), bytes);
}

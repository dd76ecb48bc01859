#include "base/text.h"

static uint32_t decode(const unsigned char *p, size_t len) {
    if (len == 1)
        return p[0];
    uint32_t code = len == 2 ? p[0] & 0x1fu : len == 3 ? p[0] & 0x0fu : p[0] & 0x07u;
    for (size_t i = 1; i < len; i++)
        code = code << 6 | (p[i] & 0x3fu);
    return code;
}

static bool is_harmful(uint32_t code) {
    return code < 0x20 || (code >= 0x7f && code < 0xa0) /* C0, DEL, C1 */
        || (code >= 0x200b && code <= 0x200f)           /* zero-width characters and direction marks */
        || (code >= 0x2028 && code <= 0x202e)           /* line separators, bidi embeddings and overrides */
        || (code >= 0x2060 && code <= 0x206f) || code == 0x061c || code == 0xfeff ||
           (code >= 0xe0000 && code <= 0xe007f); /* tags: invisible text */
}

size_t harmful_at(struct slice text, size_t at, uint32_t *code) {
    unsigned char first = (unsigned char)text.ptr[at];
    size_t bytes = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    *code = decode((const unsigned char *)text.ptr + at, bytes);
    return is_harmful(*code) ? bytes : 0;
}

void printable_add(struct buf *out, struct slice text, size_t max) {
    AUTO_BUF clean = {0};
    size_t len = utf8_first(text, max).len;
    utf8_add_clean(&clean, slice_first(text, len));
    for (size_t i = 0; i < clean.len;) {
        unsigned char first = (unsigned char)clean.ptr[i];
        size_t bytes = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
        uint32_t code = decode((const unsigned char *)clean.ptr + i, bytes);
        if (code == '\t')
            buf_add_byte(out, ' ');
        else if (is_harmful(code))
            buf_addf(out, code < 0x100 ? "\\x%02x" : "\\u{%x}", (unsigned)code);
        else
            buf_add(out, slice_make(clean.ptr + i, bytes));
        i += bytes;
    }
    if (len < text.len)
        buf_add_lit(out, "…");
}

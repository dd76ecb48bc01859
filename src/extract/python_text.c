#include "extract/python_text.h"

#include "base/json.h"
#include "base/text.h"

void python_add_comment(struct buf *out, struct slice text, size_t max) {
    printable_add(out, text, max);
}

/* The bytes at `at` that a reader of the code does not see as they are; 0: none. */
static size_t hidden_at(struct slice text, size_t at) {
    unsigned char c = (unsigned char)text.ptr[at];
    if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7f)
        return 1;
    if (at + 2 < text.len && c == 0xe2) {
        unsigned char second = (unsigned char)text.ptr[at + 1], third = (unsigned char)text.ptr[at + 2];
        /* U+200B to U+200F, U+2028 to U+202E, U+2060 to U+2069 */
        if (second == 0x80 && ((third >= 0x8b && third <= 0x8f) || (third >= 0xa8 && third <= 0xae)))
            return 3;
        if (second == 0x81 && third >= 0xa0 && third <= 0xa9)
            return 3;
    }
    return at + 1 < text.len && c == 0xc2 && (unsigned char)text.ptr[at + 1] >= 0x80 &&
                   (unsigned char)text.ptr[at + 1] < 0xa0
             ? 2
             : 0;
}

/* The character whose bytes hidden_at() has counted. */
static unsigned character_at(struct slice text, size_t at, size_t bytes) {
    const unsigned char *c = (const unsigned char *)text.ptr + at;
    return bytes == 3 ? (c[0] & 15U) << 12 | (c[1] & 63U) << 6 | (c[2] & 63U) : bytes == 2 ? c[1] : c[0];
}

void python_add_string(struct buf *out, struct slice text) {
    AUTO_BUF quoted = {0};
    json_add_string(&quoted, text); /* a subset of Python's literals */
    struct slice all = buf_slice(&quoted);
    for (size_t i = 0, hidden; i < all.len; i += hidden ? hidden : 1) {
        hidden = hidden_at(all, i);
        if (hidden)
            buf_addf(out, "\\u%04x", character_at(all, i, hidden));
        else
            buf_add_byte(out, all.ptr[i]);
    }
}

void python_add_code(struct buf *out, struct slice text, bool *changed) {
    AUTO_BUF clean = {0};
    if (!utf8_is_valid(text)) {
        utf8_add_clean(&clean, text);
        text = buf_slice(&clean);
        *changed = true;
    }
    struct slice line, rest = text;
    while (slice_next_line(&rest, &line)) {
        if (slice_starts(slice_trim(line), SLICE(PYTHON_HEADING))) {
            buf_add_lit(out, "# ");
            *changed = true;
        }
        for (size_t i = 0, hidden; i < line.len; i += hidden ? hidden : 1) {
            hidden = hidden_at(line, i);
            if (hidden) {
                buf_add_lit(out, "\xef\xbf\xbd");
                *changed = true;
            } else {
                buf_add_byte(out, line.ptr[i]);
            }
        }
        buf_add_byte(out, '\n');
    }
}

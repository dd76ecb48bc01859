/* escape.h - copies text and replaces single bytes, sixteen bytes at a time. For the writers of HTML and JSON.
 *
 * Nearly every byte of a log is written again with escapes, but hardly any needs one. Functions that escape_add() calls
 * are passed by name and inlined. One thread at a time per buffer. */
#pragma once

#include "base/sixteen.h"
#include "base/text.h"

enum {
    ESCAPE_MOST = 64 /* the most bytes that one byte becomes, and more than a step writes */
};

/* The bytes (0xff each) that are replaced. Bytes above 0x7f are never replaced and need not be excluded. */
typedef lanes escape_class(lanes bytes);
/* Writes what the byte becomes, and returns its length: at most ESCAPE_MOST. */
typedef size_t escape_put(char *to, unsigned char byte, void *state);

/* Less than sixteen bytes, followed by spaces. Does not read beyond them. */
static inline lanes escape_load_rest(const char *from, size_t len) {
    char to[sizeof(lanes)];
    memset(to, ' ', sizeof to);
    if (len >= 8) {
        memcpy(to, from, 8);
        memcpy(to + len - 8, from + len - 8, 8);
    } else if (len >= 4) {
        memcpy(to, from, 4);
        memcpy(to + len - 4, from + len - 4, 4);
    } else {
        for (size_t i = 0; i < len; i++)
            to[i] = from[i];
    }
    return lanes_load(to);
}

/* Adds the text. Returns false and adds nothing if it is not UTF-8; put() may have been called then. */
static inline __attribute__((always_inline)) bool escape_add(struct buf *out, struct slice text, escape_class *class_of,
                                                             escape_put *put, void *state) {
    char *to = buf_reserve(out, text.len + 2 * ESCAPE_MOST), *end = out->ptr + out->cap;
    size_t before = out->len;
    bool checked = false;
    for (size_t i = 0; i < text.len;) {
        size_t left = text.len - i;
        bool whole = left >= sizeof(lanes);
        lanes bytes = whole ? lanes_load(text.ptr + i) : escape_load_rest(text.ptr + i, left);
        unsigned stops = lanes_bits(class_of(bytes) | bytes) | (whole ? 0 : 1U << left);
        memcpy(to, &bytes, sizeof bytes); /* there is room, and what is too much is overwritten */
        if (!stops) {
            to += sizeof bytes;
            i += sizeof bytes;
            continue;
        }
        unsigned plain = (unsigned)__builtin_ctz(stops);
        to += plain;
        i += plain;
        if (i == text.len)
            break;
        unsigned char byte = (unsigned char)text.ptr[i];
        if (byte >= 0x80) {
            if (!checked && !utf8_is_valid(slice_from(text, i))) {
                out->len = before;
                return false;
            }
            checked = true;
            while (i < text.len && (unsigned char)text.ptr[i] >= 0x80)
                *to++ = text.ptr[i++];
            continue;
        }
        to += put(to, byte, state);
        i++;
        left = text.len - i;
        if ((size_t)(end - to) < left + 2 * ESCAPE_MOST) {
            out->len = (size_t)(to - out->ptr);
            to = buf_reserve(out, left + left / 4 + 4 * ESCAPE_MOST);
            end = out->ptr + out->cap;
        }
    }
    out->len = (size_t)(to - out->ptr);
    return true;
}

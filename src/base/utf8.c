#include "base/text.h"

/* The length of the well-formed sequence at p, or 0. */
static size_t sequence(const unsigned char *p, size_t left) {
    unsigned char c = p[0];
    if (c < 0x80)
        return 1;
    if (c >= 0xc2 && c <= 0xdf)
        return left >= 2 && (p[1] & 0xc0) == 0x80 ? 2 : 0;
    if (c >= 0xe0 && c <= 0xef) {
        if (left < 3 || (p[1] & 0xc0) != 0x80 || (p[2] & 0xc0) != 0x80)
            return 0;
        if ((c == 0xe0 && p[1] < 0xa0) || (c == 0xed && p[1] > 0x9f))
            return 0;
        return 3;
    }
    if (c >= 0xf0 && c <= 0xf4) {
        if (left < 4 || (p[1] & 0xc0) != 0x80 || (p[2] & 0xc0) != 0x80 || (p[3] & 0xc0) != 0x80)
            return 0;
        if ((c == 0xf0 && p[1] < 0x90) || (c == 0xf4 && p[1] > 0x8f))
            return 0;
        return 4;
    }
    return 0;
}

size_t utf8_valid_len(struct slice s) {
    const unsigned char *p = (const unsigned char *)s.ptr;
    size_t i = 0;
    while (i < s.len) {
        while (i + 8 <= s.len) { /* plain ASCII, eight bytes at a time */
            uint64_t word;
            memcpy(&word, p + i, 8);
            if (word & 0x8080808080808080u)
                break;
            i += 8;
        }
        if (i >= s.len)
            break;
        size_t len = sequence(p + i, s.len - i);
        if (len == 0)
            return i;
        i += len;
    }
    return s.len;
}

struct slice utf8_first(struct slice s, size_t max) {
    size_t len = max;
    if (s.len <= max)
        return s;
    while (len > 0 && max - len < 3 && ((unsigned char)s.ptr[len] & 0xc0) == 0x80)
        len--;
    return slice_first(s, len);
}

void utf8_add_clean(struct buf *out, struct slice s) {
    for (;;) {
        size_t good = utf8_valid_len(s);
        buf_add(out, slice_first(s, good));
        if (good == s.len)
            return;
        buf_add_lit(out, "\xef\xbf\xbd");
        s = slice_from(s, good + 1);
    }
}

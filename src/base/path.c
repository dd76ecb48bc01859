#include "base/path.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/text.h"

enum { PART_MAX = 180, DEPTH_MAX = 8 };

/* The length of the UTF-8 sequence at the start of s if it changes the text direction or is invisible, or 0. */
static size_t unseen_mark(struct slice s) {
    static const struct slice marks[] = {
        SLICE_INIT("\u200e"), SLICE_INIT("\u200f"), SLICE_INIT("\u202a"), SLICE_INIT("\u202b"), SLICE_INIT("\u202c"),
        SLICE_INIT("\u202d"), SLICE_INIT("\u202e"), SLICE_INIT("\u061c"), SLICE_INIT("\u2066"), SLICE_INIT("\u2067"),
        SLICE_INIT("\u2068"), SLICE_INIT("\u2069"), SLICE_INIT("\u2028"), SLICE_INIT("\u2029"), SLICE_INIT("\ufeff"),
    };
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (slice_starts(s, marks[i]))
            return marks[i].len;
    bool c1 =
        s.len >= 2 && (unsigned char)s.ptr[0] == 0xc2 && (unsigned char)s.ptr[1] < 0xa0; /* terminals interpret these */
    return c1 ? 2 : 0;
}

/* Some file systems ignore the case of names. */
static bool ends_in_any_case(struct slice text, struct slice suffix) {
    size_t start = text.len - suffix.len;
    if (text.len < suffix.len)
        return false;
    for (size_t i = 0; i < suffix.len; i++)
        if (text.ptr[start + i] != suffix.ptr[i] && (text.ptr[start + i] | 0x20) != suffix.ptr[i])
            return false;
    return true;
}

static void add_part(struct buf *out, struct slice part, bool folder) {
    AUTO_BUF clean = {0};
    bool dots = part.len > 0;
    for (size_t i = 0; i < part.len; i++)
        dots &= part.ptr[i] == '.';
    if (dots)
        part = SLICE("_");
    for (size_t i = 0; i < part.len;) {
        size_t mark = unseen_mark(slice_from(part, i));
        unsigned char c = (unsigned char)part.ptr[i];
        if (mark || c < 0x20 || c == 0x7f)
            buf_add_byte(&clean, '_');
        else
            buf_add_byte(&clean, (char)c);
        i += mark ? mark : 1;
    }
    struct slice text = buf_slice(&clean);
    if (text.len > PART_MAX) {
        size_t keep = utf8_valid_len(slice_first(text, PART_MAX - 17));
        buf_add(out, slice_first(text, keep));
        buf_addf(out, "_%016llx", (unsigned long long)XXH3_64bits(text.ptr, text.len));
    } else {
        buf_add(out, text);
    }
    /* A folder must not have the name of a numbered file. */
    if (folder && (ends_in_any_case(text, SLICE(".txt")) || ends_in_any_case(text, SLICE(".json")) ||
                   ends_in_any_case(text, SLICE(".html"))))
        buf_add_byte(out, '_');
}

void path_add_name(struct buf *out, struct slice name) {
    AUTO_BUF valid = {0};
    if (!utf8_is_valid(name)) {
        utf8_add_clean(&valid, name);
        name = buf_slice(&valid);
    }
    size_t depth = 0;
    for (;;) {
        const char *slash = name.len && depth < DEPTH_MAX ? memchr(name.ptr, '/', name.len) : NULL;
        if (!slash)
            break;
        struct slice part = slice_make(name.ptr, (size_t)(slash - name.ptr));
        name = slice_from(name, part.len + 1);
        if (part.len == 0 || slice_is(part, "."))
            continue;
        add_part(out, part, true);
        buf_add_byte(out, '/');
        depth++;
    }
    /* Parts beyond the maximum depth are joined into a file name. */
    AUTO_BUF rest = {0};
    for (size_t i = 0; i < name.len; i++)
        buf_add_byte(&rest, name.ptr[i] == '/' ? '_' : name.ptr[i]);
    add_part(out, buf_slice(&rest), false);
}

void path_add_url(struct buf *out, struct slice path) {
    static const char hex[] = "0123456789ABCDEF";
    size_t added = 0;
    for (size_t i = 0; i < path.len; i++) {
        unsigned char c = (unsigned char)path.ptr[i];
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
            c == '.' || c == '~' || c == '/')
            continue;
        BUF_ADD(out, slice_make(path.ptr + added, i - added), slice_make((char[]){'%', hex[c >> 4], hex[c & 15]}, 3));
        added = i + 1;
    }
    buf_add(out, slice_from(path, added));
}

struct slice path_last(struct slice path) {
    size_t slash = slice_rfind_byte(path, '/');
    return slash == SIZE_MAX ? path : slice_from(path, slash + 1);
}

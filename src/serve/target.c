#include "serve/target.h"

#include <strings.h>

static int hex_digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Decodes the part and adds it. */
static enum target_kind add_part(struct buf *path, struct slice part) {
    size_t start = path->len;
    for (size_t i = 0; i < part.len; i++) {
        char c = part.ptr[i];
        if (c == '%') {
            int high = i + 2 < part.len ? hex_digit(part.ptr[i + 1]) : -1;
            int low = high < 0 ? -1 : hex_digit(part.ptr[i + 2]);
            if (low < 0)
                return TARGET_WRONG;
            c = (char)(high << 4 | low);
            i += 2;
        }
        buf_add_byte(path, c);
    }
    struct slice plain = slice_from(buf_slice(path), start);
    if (memchr(plain.ptr, '\0', plain.len) || !utf8_is_valid(plain))
        return TARGET_WRONG;
    return !plain.len || plain.ptr[0] == '.' || memchr(plain.ptr, '/', plain.len) ? TARGET_NOWHERE : TARGET_PATH;
}

static bool has_unprintable(struct slice text) {
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)text.ptr[i] <= ' ' || text.ptr[i] == 0x7f || text.ptr[i] == '#')
            return true;
    return false;
}

/* Removes "http://name:port", which proxy requests have and every server must accept. */
static bool take_authority(struct slice *text, struct slice *authority) {
    static const char scheme[] = "http://";
    const size_t scheme_len = sizeof scheme - 1;
    if (text->len && text->ptr[0] == '/')
        return true;
    if (text->len <= scheme_len || strncasecmp(text->ptr, scheme, scheme_len) != 0)
        return false;
    *text = slice_from(*text, scheme_len);
    size_t end = 0;
    while (end < text->len && text->ptr[end] != '/' && text->ptr[end] != '?')
        end++;
    *authority = slice_first(*text, end);
    *text = slice_from(*text, end);
    return true;
}

enum target_kind target_parse(struct slice text, struct target *target) {
    enum target_kind kind = TARGET_PATH;
    *target = (struct target){0};
    if (has_unprintable(text) || !take_authority(&text, &target->authority))
        return TARGET_WRONG;
    size_t mark = slice_find(text, SLICE("?"));
    target->query = mark != SIZE_MAX ? slice_from(text, mark) : (struct slice){0};
    text = slice_first(text, mark);
    text = slice_from(text, 1); /* the first '/' */
    bool more = text.len > 0;
    target->folder = !more || text.ptr[text.len - 1] == '/';
    if (more && target->folder)
        text.len--;
    while (more && kind == TARGET_PATH) {
        size_t slash = slice_find(text, SLICE("/"));
        more = slash != SIZE_MAX;
        if (target->path.len)
            buf_add_byte(&target->path, '/');
        kind = add_part(&target->path, slice_first(text, slash));
        text = slice_from(text, more ? slash + 1 : text.len);
    }
    buf_add_byte(&target->path, '\0');
    target->path.len--;
    return kind;
}

void target_finish(struct target *target) {
    buf_free(&target->path);
}

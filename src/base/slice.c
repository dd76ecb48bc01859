#define _GNU_SOURCE /* memmem */
#include "base/slice.h"

int slice_cmp(struct slice a, struct slice b) {
    size_t len = a.len < b.len ? a.len : b.len;
    int order = len ? memcmp(a.ptr, b.ptr, len) : 0;
    if (order)
        return order;
    return a.len < b.len ? -1 : a.len > b.len;
}

size_t slice_find(struct slice a, struct slice needle) {
    if (needle.len == 0)
        return 0;
    if (a.len < needle.len)
        return SIZE_MAX;
    const char *found = memmem(a.ptr, a.len, needle.ptr, needle.len);
    return found ? (size_t)(found - a.ptr) : SIZE_MAX;
}

size_t slice_rfind_byte(struct slice a, char c) {
    /* Not memrchr: sanitizers look at its whole range at each call, and lines are looked for from the end of large blocks. */
    size_t i = a.len;
    while (i > 0 && a.ptr[i - 1] != c)
        i--;
    return i ? i - 1 : SIZE_MAX;
}

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

struct slice slice_trim(struct slice a) {
    while (a.len && is_space(a.ptr[0]))
        a = slice_from(a, 1);
    while (a.len && is_space(a.ptr[a.len - 1]))
        a.len--;
    return a;
}

bool slice_next_line(struct slice *rest, struct slice *line) {
    if (rest->len == 0)
        return false;
    const char *end = memchr(rest->ptr, '\n', rest->len);
    size_t len = end ? (size_t)(end - rest->ptr) : rest->len;
    *line = slice_make(rest->ptr, len);
    *rest = slice_from(*rest, end ? len + 1 : len);
    return true;
}

bool slice_to_u64(struct slice a, uint64_t *value) {
    uint64_t n = 0;
    if (a.len == 0)
        return false;
    for (size_t i = 0; i < a.len; i++) {
        unsigned digit = (unsigned char)a.ptr[i] - '0';
        if (digit > 9 || n > (UINT64_MAX - digit) / 10)
            return false;
        n = n * 10 + digit;
    }
    *value = n;
    return true;
}

/* Any name: the result of path_add_name() stays within the folder. */
#define _GNU_SOURCE /* memfd_create */
#include "base/path.h"
#include "base/text.h"
#include "fuzz.h"
#include "pages/html.h"

enum { SUFFIX_MAX = 64, NAME_MAX_BYTES = 255 };

static void check_part(struct slice part) {
    MUST(part.len > 0 && part.len <= NAME_MAX_BYTES);
    MUST(!slice_is(part, ".") && !slice_is(part, ".."));
    for (size_t i = 0; i < part.len; i++)
        MUST((unsigned char)part.ptr[i] >= 0x20 && part.ptr[i] != 0x7f);
    static const struct slice marks[] = {{"\u202e", 3}, {"\u2066", 3}, {"\u200f", 3}, {"\u2028", 3}};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        MUST(slice_find(part, marks[i]) == SIZE_MAX);
}

/* The path, with a suffix of maximum length. */
static void check_path(struct slice path) {
    MUST(utf8_is_valid(path));
    MUST(path.len < 4096 - SUFFIX_MAX);
    for (struct slice rest = path; rest.len;) {
        size_t len = slice_find(rest, SLICE("/"));
        bool last = len == SIZE_MAX;
        check_part(slice_first(rest, last ? rest.len : len));
        MUST(last || len + 1 < rest.len);
        rest = slice_from(rest, last ? rest.len : len + 1);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct slice name = {(const char *)data, size};
    struct buf path = {0}, again = {0}, url = {0};
    path_add_name(&path, name);
    path_add_name(&again, name);
    MUST(slice_eq(buf_slice(&path), buf_slice(&again)));
    for (int i = 0; i < SUFFIX_MAX; i++)
        buf_add_byte(&path, 'n');
    check_path(buf_slice(&path));
    path_add_url(&url, buf_slice(&path));
    for (size_t i = 0; i < url.len; i++)
        MUST(url.ptr[i] > 0x20 && url.ptr[i] < 0x7f && !memchr("\"'<>\\:?#&", url.ptr[i], 9));
    size_t depth = 0;
    for (size_t i = 0; i < path.len; i++)
        depth += path.ptr[i] == '/';
    MUST(strlen(html_root_of(buf_slice(&path))) == 3 * depth);
    buf_free(&path);
    buf_free(&again);
    buf_free(&url);
    return 0;
}

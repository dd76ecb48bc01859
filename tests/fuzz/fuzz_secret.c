/* Any arguments, separated by NUL: what is left of them are parts of them with "***" between, in linear time; a token of a
 * known service goes wherever it is. */
#define _GNU_SOURCE /* memfd_create */
#include "base/mem.h"
#include "fuzz.h"
#include "runs/secret.h"

/* Whether the text is the source with parts replaced: each part between "***" is in the source, in this order. */
static bool is_part_of(struct slice text, struct slice source) {
    static const struct slice hidden = SLICE_INIT("***");
    while (text.len) {
        struct slice part = slice_first(text, slice_find(text, hidden));
        size_t at = slice_find(source, part);
        if (at == SIZE_MAX)
            return false;
        source = slice_from(source, at + part.len);
        text = slice_from(text, part.len + (part.len < text.len ? hidden.len : 0));
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const struct slice token = SLICE_INIT("ghp_0123456789abcdefghij");
    struct secret_command reading = {0};
    struct buf out = {0}, marked = {0};
    for (struct slice rest = slice_make((const char *)data, size); rest.len;) {
        size_t len = strnlen(rest.ptr, rest.len);
        struct slice argument = slice_first(rest, len);
        out.len = 0;
        secret_add_argument(&reading, &out, argument);
        /* "*" before "***" could be part of either */
        MUST(memchr(argument.ptr, '*', argument.len) || is_part_of(buf_slice(&out), argument));
        secret_is_variable(argument, slice_from(rest, len / 2));
        marked.len = out.len = 0;
        buf_add(&marked, slice_first(argument, len / 2));
        buf_add(&marked, token);
        buf_add(&marked, slice_from(argument, len / 2));
        secret_add_argument(&(struct secret_command){.before = SLICE_INIT("-c")}, &out, buf_slice(&marked));
        MUST(slice_find(buf_slice(&out), token) == SIZE_MAX);
        rest = slice_from(rest, len + 1);
    }
    buf_free(&out);
    buf_free(&marked);
    return 0;
}

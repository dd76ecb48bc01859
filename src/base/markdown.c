#include "base/text.h"

static void add_escaped(struct buf *out, struct slice clean) {
    for (size_t i = 0; i < clean.len; i++) {
        char c = clean.ptr[i];
        if (c == '<')
            buf_add_lit(out, "&lt;");
        else if (c == '&')
            buf_add_lit(out, "&amp;");
        else if (c == '@') /* would mention a user */
            buf_add_lit(out, "&#64;");
        else {
            if (strchr("\\`*_{}[]()#+!|>~", c))
                buf_add_byte(out, '\\');
            buf_add_byte(out, c);
        }
    }
}

size_t markdown_backticks(struct slice text) {
    size_t longest = 0, run = 0;
    for (size_t i = 0; i < text.len; i++) {
        run = text.ptr[i] == '`' ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest;
}

static void add_code(struct buf *out, struct slice clean) {
    size_t fence = markdown_backticks(clean) + 1;
    if (!clean.len)
        return;
    for (size_t i = 0; i < fence; i++)
        buf_add_byte(out, '`');
    buf_add_str(out, fence > 1 ? " " : "");
    for (size_t i = 0; i < clean.len; i++) {
        if (clean.ptr[i] == '|') /* ends a table cell, even inside code */
            buf_add_byte(out, '\\');
        buf_add_byte(out, clean.ptr[i]);
    }
    buf_add_str(out, fence > 1 ? " " : "");
    for (size_t i = 0; i < fence; i++)
        buf_add_byte(out, '`');
}

void markdown_add_code(struct buf *out, struct slice text) {
    AUTO_BUF clean = {0};
    printable_add(&clean, text, SIZE_MAX);
    add_code(out, buf_slice(&clean));
}

void markdown_add(struct buf *out, struct slice text) {
    AUTO_BUF clean = {0};
    printable_add(&clean, text, SIZE_MAX);
    for (struct slice rest = buf_slice(&clean); rest.len;) {
        size_t open = slice_find(rest, SLICE("`")), close = SIZE_MAX;
        if (open != SIZE_MAX)
            close = slice_find(slice_from(rest, open + 1), SLICE("`"));
        if (close == SIZE_MAX || close == 0) {
            add_escaped(out, rest);
            break;
        }
        add_escaped(out, slice_first(rest, open));
        add_code(out, slice_first(slice_from(rest, open + 1), close));
        rest = slice_from(rest, open + close + 2);
    }
}

#include "extract/python_text.h"

#include "base/json.h"
#include "base/text.h"

void python_add_comment(struct buf *out, struct slice text, size_t max) {
    printable_add(out, text, max);
}

void python_add_string(struct buf *out, struct slice text) {
    AUTO_BUF quoted = {0};
    json_add_string(&quoted, text); /* a subset of Python's literals */
    struct slice all = buf_slice(&quoted);
    uint32_t code;
    for (size_t i = 0, hidden; i < all.len; i += hidden ? hidden : 1) {
        hidden = harmful_at(all, i, &code);
        if (hidden)
            buf_addf(out, code > 0xffff ? "\\U%08x" : "\\u%04x", (unsigned)code);
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
        uint32_t code;
        for (size_t i = 0, hidden; i < line.len; i += hidden ? hidden : 1) {
            hidden = harmful_at(line, i, &code);
            if (hidden && code != '\t') {
                buf_add_lit(out, "\xef\xbf\xbd");
                *changed = true;
            } else {
                buf_add_byte(out, line.ptr[i]);
            }
        }
        buf_add_byte(out, '\n');
    }
}

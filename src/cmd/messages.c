#include "cmd/messages.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "cmd/progress.h"

static uint32_t decode(const unsigned char *p, size_t len) {
    if (len == 1)
        return p[0];
    uint32_t code = len == 2 ? p[0] & 0x1fu : len == 3 ? p[0] & 0x0fu : p[0] & 0x07u;
    for (size_t i = 1; i < len; i++)
        code = code << 6 | (p[i] & 0x3fu);
    return code;
}

static bool is_harmful(uint32_t code) {
    return code < 0x20 || (code >= 0x7f && code < 0xa0) /* C0, DEL, C1 */
        || (code >= 0x200b && code <= 0x200f)           /* zero-width characters and direction marks */
        || (code >= 0x2028 && code <= 0x202e)           /* line separators, bidi embeddings and overrides */
        || (code >= 0x2060 && code <= 0x206f) || code == 0x061c || code == 0xfeff ||
           (code >= 0xe0000 && code <= 0xe007f); /* tags: invisible text */
}

void messages_add_safe(struct buf *out, struct slice text, size_t max) {
    struct buf clean = {0};
    size_t len = utf8_first(text, max).len;
    utf8_add_clean(&clean, slice_first(text, len));
    for (size_t i = 0; i < clean.len;) {
        unsigned char first = (unsigned char)clean.ptr[i];
        size_t bytes = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
        uint32_t code = decode((const unsigned char *)clean.ptr + i, bytes);
        if (code == '\t')
            buf_add_byte(out, ' ');
        else if (is_harmful(code))
            buf_addf(out, code < 0x100 ? "\\x%02x" : "\\u{%x}", (unsigned)code);
        else
            buf_add(out, slice_make(clean.ptr + i, bytes));
        i += bytes;
    }
    if (len < text.len)
        buf_add_lit(out, "…");
    buf_free(&clean);
}

void messages_add_count(struct buf *out, uint64_t n) {
    char digits[20];
    size_t count = 0;
    do
        digits[count++] = (char)('0' + n % 10);
    while (n /= 10);
    while (count--) {
        buf_add_byte(out, digits[count]);
        if (count && count % 3 == 0)
            buf_add_byte(out, ',');
    }
}

static void print_line(FILE *to, struct buf *line) {
    buf_add_byte(line, '\n');
    fwrite(line->ptr, 1, line->len, to); /* one call, so that lines of several processes do not interleave */
    fflush(to);
    buf_free(line);
}

static void print_labeled(FILE *to, const char *label, const char *text) {
    struct buf line = {0};
    buf_addf(&line, "%s: ", label);
    messages_add_safe(&line, slice_str(text), SIZE_MAX);
    print_line(to, &line);
}

void messages_print(FILE *to, const char *text) {
    print_labeled(to, "tlparse", text);
}

void messages_hint(FILE *to, const char *text) {
    print_labeled(to, "hint", text);
}

void messages_report(FILE *to, const char *text) {
    print_labeled(to, "report", text);
}

void messages_fault(struct messages *m, const char *kind, uint64_t line, struct slice detail) {
    uint32_t place = *map_put(&m->kinds, slice_str(kind), (uint32_t)m->count, NULL);
    if (place == m->count) {
        MEM_GROW(m);
        m->items[m->count++] = (struct messages_kind){.text = mem_strdup(kind)};
    }
    if (++m->items[place].count > MESSAGES_SHOWN)
        return;
    struct buf text = {0};
    if (m->progress)
        progress_clear(m->progress);
    messages_add_safe(&text, slice_str(m->file), SIZE_MAX);
    buf_addf(&text, ":%llu: ", (unsigned long long)line);
    messages_add_safe(&text, slice_str(kind), SIZE_MAX);
    if (detail.len) {
        buf_add_lit(&text, ": ");
        messages_add_safe(&text, detail, MESSAGES_DETAIL_BYTES);
    }
    print_line(m->to, &text);
}

void messages_finish(struct messages *m) {
    for (size_t i = 0; i < m->count; i++) {
        if (m->items[i].count > MESSAGES_SHOWN) {
            struct buf line = {0};
            buf_add_lit(&line, "… and ");
            messages_add_count(&line, m->items[i].count - MESSAGES_SHOWN);
            buf_add_lit(&line, " more: ");
            messages_add_safe(&line, slice_str(m->items[i].text), SIZE_MAX);
            print_line(m->to, &line);
        }
        free(m->items[i].text);
    }
    free(m->items);
    map_free(&m->kinds);
    m->items = NULL;
    m->count = m->cap = 0;
}


#include "cmd/messages.h"

#include "cmd/progress.h"

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
    fwrite(line->ptr, 1, line->len, to); /* in one call, so lines of several processes do not interleave */
    fflush(to);
    buf_free(line);
}

static void print_labeled(FILE *to, const char *label, const char *text) {
    struct buf line = {0};
    buf_addf(&line, "%s: ", label);
    printable_add(&line, slice_str(text), SIZE_MAX);
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
    if (place == m->count)
        LIST_ADD(m, (struct messages_kind){.text = mem_strdup(kind)});
    if (++m->items[place].count > MESSAGES_SHOWN)
        return;
    struct buf text = {0};
    if (m->progress)
        progress_clear(m->progress);
    printable_add(&text, slice_str(m->file), SIZE_MAX);
    if (line)
        buf_addf(&text, ":%" PRIu64, line);
    buf_add_lit(&text, ": ");
    printable_add(&text, slice_str(kind), SIZE_MAX);
    if (detail.len) {
        buf_add_lit(&text, ": ");
        printable_add(&text, detail, MESSAGES_DETAIL_BYTES);
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
            printable_add(&line, slice_str(m->items[i].text), SIZE_MAX);
            print_line(m->to, &line);
        }
        mem_free(m->items[i].text);
    }
    mem_free(m->items);
    map_free(&m->kinds);
    m->items = NULL;
    m->count = m->cap = 0;
}

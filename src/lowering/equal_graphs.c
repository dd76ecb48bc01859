
#include "lowering/stages.h"
#include "scan/fx_graph.h"

/* The next text in single quotes, which Python's repr() uses; types and comments use other quotes. Moves `text` past
 * it. Sets `before` to the preceding text, or to all of the rest. */
static bool next_quoted(struct slice *text, struct slice *before, struct slice *quoted) {
    size_t start = slice_find(*text, SLICE("'"));
    *before = slice_first(*text, start == SIZE_MAX ? text->len : start);
    if (start == SIZE_MAX) {
        *text = slice_from(*text, text->len);
        return false;
    }
    struct slice rest = slice_from(*text, start + 1);
    size_t end = slice_find(rest, SLICE("'"));
    if (end == SIZE_MAX) {
        *before = *text;
        *text = slice_from(*text, text->len);
        return false;
    }
    *quoted = slice_make(rest.ptr - 1, end + 2);
    *text = slice_from(rest, end + 1);
    return true;
}

/* The next such text among the arguments of a step's operations; comments have other quotes. */
static bool next_value(struct slice *text, struct slice *value) {
    struct slice line;
    struct fx_item item;
    while (slice_next_line(text, &line))
        if (fx_statement_read(slice_trim(line), &item) && item.name.len) {
            *value = fx_value(item.right);
            return true;
        }
    return false;
}

bool equal_graphs_key(struct buf *key, const struct graph_trace *trace) {
    bool any = false;
    if (!trace || trace->cut)
        return false;
    for (uint32_t i = 0; i < trace->count; i++) {
        struct slice text = trace->steps[i].text, value, before, quoted;
        buf_addf(key, "%" PRIx64 "\n", trace->steps[i].types);
        while (next_value(&text, &value)) {
            while (next_quoted(&value, &before, &quoted)) {
                BUF_ADD(key, before, "''");
                any = true;
            }
            BUF_ADD(key, before, "\n");
        }
    }
    return any;
}

bool equal_graphs_differ(const struct graph_trace *one, const struct graph_trace *other, struct slice *in_one,
                         struct slice *in_other) {
    for (uint32_t i = 0; i < one->count && i < other->count; i++) {
        struct slice a = one->steps[i].text, b = other->steps[i].text, x, y, before;
        while (next_value(&a, &x) && next_value(&b, &y))
            while (next_quoted(&x, &before, in_one) && next_quoted(&y, &before, in_other))
                if (!slice_eq(*in_one, *in_other))
                    return true;
    }
    return false;
}

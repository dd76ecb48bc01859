#include "share/redact_known.h"

#include "share/redact_word.h"

static unsigned start_of(const char *text) {
    return (unsigned)(unsigned char)text[0] << 8 | (unsigned char)text[1];
}

bool redact_known_add(struct redact_known *known, struct slice text) {
    bool added;
    if (text.len < 2 || known->count == UINT32_MAX - 1)
        return false;
    map_put(&known->seen, text, 1, &added);
    if (!added)
        return false;
    unsigned start = start_of(text.ptr);
    known->starts[start / 8] |= (unsigned char)(1 << start % 8);
    MEM_GROW(known);
    struct redact_known_item *item = &known->items[known->count++];
    *item = (struct redact_known_item){.text = mem_realloc(NULL, text.len, 1), .len = text.len, .within = UINT32_MAX};
    memcpy(item->text, text.ptr, text.len);
    known->is_sorted = false;
    return true;
}

static struct slice text_of(const struct redact_known_item *item) {
    return slice_make(item->text, item->len);
}

static int by_text(const void *a, const void *b) {
    return slice_cmp(text_of(a), text_of(b));
}

static void sort(struct redact_known *known) {
    uint32_t before = UINT32_MAX; /* an item and its prefixes, linked by `within` */
    if (known->count)
        qsort(known->items, known->count, sizeof *known->items, by_text);
    for (uint32_t i = 0; i < known->count; i++) {
        struct slice text = text_of(&known->items[i]);
        while (before != UINT32_MAX && !slice_starts(text, text_of(&known->items[before])))
            before = known->items[before].within;
        known->items[i].within = before;
        before = i;
    }
    known->is_sorted = true;
}

static size_t common(struct slice a, struct slice b) {
    size_t most = a.len < b.len ? a.len : b.len, len = 0;
    while (len < most && a.ptr[len] == b.ptr[len])
        len++;
    return len;
}

size_t redact_known_at(struct redact_known *known, struct slice rest, bool words) {
    if (rest.len < 2 || !known->count)
        return 0;
    unsigned start = start_of(rest.ptr);
    if (!(known->starts[start / 8] >> start % 8 & 1))
        return 0;
    if (!known->is_sorted)
        sort(known);
    size_t from = 0, to = known->count, longest = 0;
    while (from < to) { /* finds the first item that sorts after `rest` */
        size_t middle = from + (to - from) / 2, len = common(text_of(&known->items[middle]), rest);
        bool is_before =
            len == known->items[middle].len ||
            (len < rest.len && (unsigned char)known->items[middle].text[len] < (unsigned char)rest.ptr[len]);
        longest = len >= KNOWN_ENOUGH && len > longest ? len : longest;
        if (is_before)
            from = middle + 1;
        else
            to = middle;
    }
    if (longest || !from)
        return longest;
    uint32_t at = (uint32_t)(from - 1);
    size_t len = common(text_of(&known->items[at]), rest);
    for (; at != UINT32_MAX; at = known->items[at].within) {
        const struct redact_known_item *item = &known->items[at];
        bool goes_on = words && item->len < rest.len && redact_is_word_byte(item->text[item->len - 1]) &&
                       redact_is_word_byte(rest.ptr[item->len]);
        if (item->len <= len && !goes_on)
            return item->len;
    }
    return 0;
}

void redact_known_free(struct redact_known *known) {
    for (size_t i = 0; i < known->count; i++)
        mem_free(known->items[i].text);
    mem_free(known->items);
    map_free(&known->seen);
    *known = (struct redact_known){0};
}

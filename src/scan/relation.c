#include "scan/relation.h"

static int by_number(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Rows of the same number keep the order in which they were added, the order of `first`. */
static int by_from(const void *a, const void *b) {
    const struct relation_row *x = a, *y = b;
    return x->from != y->from ? (x->from < y->from ? -1 : 1) : x->first < y->first ? -1 : x->first > y->first;
}

void relation_free(struct relation *r) {
    mem_free(r->rows.items);
    mem_free(r->to.items);
    *r = (struct relation){0};
}

void relation_begin(struct relation *r, uint32_t from) {
    LIST_ADD(&r->rows, (struct relation_row){.from = from, .first = r->to.count});
}

bool relation_add(struct relation *r, uint32_t to) {
    if (r->added >= RELATION_MAX)
        return false;
    r->added++;
    LIST_ADD(&r->to, to);
    return true;
}

void relation_end(struct relation *r) {
    struct relation_row *row = &r->rows.items[r->rows.count - 1];
    size_t count = r->to.count - row->first, kept = 0;
    if (!count) {
        r->rows.count--;
        return;
    }
    uint32_t *to = r->to.items + row->first;
    qsort(to, count, sizeof *to, by_number);
    for (size_t i = 0; i < count; i++)
        if (!i || to[i] != to[i - 1])
            to[kept++] = to[i];
    row->count = kept;
    r->to.count = row->first + kept;
}

void relation_sort(struct relation *r) {
    size_t kept = 0;
    if (r->rows.count)
        qsort(r->rows.items, r->rows.count, sizeof *r->rows.items, by_from);
    for (size_t i = 0; i < r->rows.count; i++)
        if (i + 1 == r->rows.count || r->rows.items[i + 1].from != r->rows.items[i].from)
            r->rows.items[kept++] = r->rows.items[i];
    r->rows.count = kept;
}

const struct relation_row *relation_row(const struct relation *r, uint32_t from) {
    size_t low = 0;
    SEARCH(low, r->rows.count, middle, r->rows.items[middle].from < from);
    return low < r->rows.count && r->rows.items[low].from == from ? &r->rows.items[low] : NULL;
}

bool relation_add_row(struct relation *r, const struct relation *other, uint32_t from) {
    const struct relation_row *row = relation_row(other, from);
    for (size_t i = 0; row && i < row->count; i++)
        if (!relation_add(r, other->to.items[row->first + i]))
            return false;
    return true;
}

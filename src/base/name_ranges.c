#include "base/name_ranges.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/word.h"

#include <stdlib.h>

enum { NUMBERS_MAX = 6, DIGITS_MAX = 9, RANGES_MAX = 3 };

struct numbered {
    uint32_t pattern; /* the same for names that differ in numbers only */
    uint32_t numbers[NUMBERS_MAX], count;
    struct slice name;
};

/* The length of the number at i, if it is a whole part of the name, or 0. "007" is text: as a number it would be 7. */
static size_t number_at(struct slice name, size_t i) {
    size_t digits = digits_length(slice_from(name, i)), end = i + digits;
    bool starts = !i || name.ptr[i - 1] == '.' || name.ptr[i - 1] == '[',
         ends = end == name.len || name.ptr[end] == '.' || name.ptr[end] == ']' || name.ptr[end] == '[';
    return !digits || digits > DIGITS_MAX || !starts || !ends || (digits > 1 && name.ptr[i] == '0') ? 0 : digits;
}

static uint32_t value_of(struct slice digits) {
    uint32_t value = 0;
    for (size_t i = 0; i < digits.len; i++)
        value = value * 10 + (uint32_t)(digits.ptr[i] - '0');
    return value;
}

static struct numbered read_name(struct map *patterns, struct slice name) {
    struct numbered read = {.name = name};
    AUTO_BUF pattern = {0};
    for (size_t i = 0; i < name.len;) {
        size_t digits = read.count < NUMBERS_MAX ? number_at(name, i) : 0;
        if (digits)
            read.numbers[read.count++] = value_of(slice_make(name.ptr + i, digits));
        buf_add_byte(&pattern, digits ? '\0' : name.ptr[i]);
        i += digits ? digits : 1;
    }
    read.pattern = *map_put(patterns, buf_slice(&pattern), (uint32_t)patterns->count, NULL);
    return read;
}

static int by_numbers(const void *a, const void *b) {
    const struct numbered *one = a, *other = b;
    if (one->pattern != other->pattern)
        return one->pattern < other->pattern ? -1 : 1;
    for (uint32_t i = 0; i < one->count; i++)
        if (one->numbers[i] != other->numbers[i])
            return one->numbers[i] < other->numbers[i] ? -1 : 1;
    return 0;
}

static int by_value(const void *a, const void *b) {
    uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    return (one > other) - (one < other);
}

/* The distinct values of one number, in order. */
struct values {
    uint32_t *items;
    size_t count;
};

static struct values values_of(const struct numbered *names, size_t count, uint32_t number) {
    struct values values = {mem_alloc(count * sizeof *values.items), 0};
    for (size_t i = 0; i < count; i++)
        values.items[i] = names[i].numbers[number];
    qsort(values.items, count, sizeof *values.items, by_value);
    for (size_t i = 0; i < count; i++)
        if (!i || values.items[i] != values.items[i - 1])
            values.items[values.count++] = values.items[i];
    return values;
}

/* "0–11", "0–2,5"; with many gaps "*". */
static void add_values(struct buf *out, const struct values *values) {
    size_t start = out->len, ranges = 0;
    for (size_t first = 0, last; first < values->count; first = last + 1) {
        for (last = first; last + 1 < values->count && values->items[last + 1] == values->items[last] + 1;)
            last++;
        if (ranges++ == RANGES_MAX) {
            out->len = start;
            buf_add_lit(out, "*");
            return;
        }
        if (ranges > 1)
            buf_add_lit(out, ",");
        buf_add_u64(out, values->items[first]);
        if (last > first)
            BUF_ADD(out, "–", (uint64_t)values->items[last]);
    }
}

/* Names of one pattern, each once. */
static void add_names(struct buf *out, const struct numbered *names, size_t count) {
    struct values values[NUMBERS_MAX];
    uint64_t combinations = 1;
    uint32_t number = 0;
    for (uint32_t i = 0; i < names->count; i++) {
        values[i] = values_of(names, count, i);
        combinations = combinations > count ? combinations : combinations * values[i].count;
    }
    struct slice name = names->name;
    for (size_t i = 0; i < name.len;) {
        size_t digits = number < names->count ? number_at(name, i) : 0;
        if (!digits) {
            buf_add_byte(out, name.ptr[i++]);
            continue;
        }
        if (values[number].count > 1 && combinations != count)
            buf_add_lit(out, "*");
        else
            add_values(out, &values[number]);
        number++;
        i += digits;
    }
    for (uint32_t i = 0; i < names->count; i++)
        mem_free(values[i].items);
}

void name_ranges_add(struct buf *out, const struct slice *names, size_t count, size_t most) {
    LIST(struct numbered) list = {0};
    AUTO_MAP patterns = {0}, seen = {0};
    size_t added = 0;
    for (size_t i = 0; i < count; i++) {
        bool first;
        map_put(&seen, names[i], 0, &first);
        if (first)
            LIST_ADD(&list, read_name(&patterns, names[i]));
    }
    LIST_SORT(&list, by_numbers);
    for (size_t i = 0, end; i < list.count && added < most; i = end) {
        for (end = i + 1; end < list.count && list.items[end].pattern == list.items[i].pattern;)
            end++;
        if (added++)
            buf_add_lit(out, ", ");
        add_names(out, &list.items[i], end - i);
    }
    if (patterns.count > added)
        BUF_ADD(out, " and ", (uint64_t)(patterns.count - added), " more");
    mem_free(list.items);
}

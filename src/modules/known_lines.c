#include "modules/known_lines.h"

enum { CLASSES_MAX = 64 }; /* of a line that are looked at */

static size_t limited(size_t count) {
    return count < CLASSES_MAX ? count : CLASSES_MAX;
}

static int order(uint32_t a, uint32_t b) {
    return a < b ? -1 : a > b;
}

static int by_line(const void *a, const void *b) {
    const struct known_line *one = a, *other = b;
    int file = order(one->file, other->file), line = order(one->line, other->line),
        class = order(one->class, other->class);
    return file ? file : line ? line : class ? class : order(one->function, other->function);
}

static int by_class(const void *a, const void *b) {
    const struct known_line *one = a, *other = b;
    int file = order(one->file, other->file);
    return file ? file : order(one->class, other->class);
}

void known_lines_sort(struct known_lines *lines) {
    size_t kept = 0;
    LIST_SORT(&lines->list, by_line);
    for (size_t i = 0; i < lines->list.count; i++)
        if (!kept || by_line(&lines->list.items[i], &lines->list.items[kept - 1]))
            lines->list.items[kept++] = lines->list.items[i];
    lines->list.count = kept;
    lines->classes.count = 0;
    for (size_t i = 0; i < kept; i++)
        LIST_ADD(&lines->classes, lines->list.items[i]);
    LIST_SORT(&lines->classes, by_class);
}

void known_lines_free(struct known_lines *lines) {
    mem_free(lines->list.items);
    mem_free(lines->classes.items);
    *lines = (struct known_lines){0};
}

/* The index of the first line that is not before this one. */
static size_t lower_bound(const struct known_lines *lines, uint32_t file, uint32_t line) {
    size_t low = 0, high = lines->list.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct known_line *one = &lines->list.items[middle];
        if (one->file < file || (one->file == file && one->line < line))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool has_function(const struct known_line *lines, size_t count, uint32_t function) {
    for (size_t i = 0; i < count; i++)
        if (lines[i].function == function)
            return true;
    return false;
}

struct line_range known_lines_around(const struct known_lines *lines, const struct known_line *line) {
    struct line_range range = {0};
    const struct known_line *items = lines->list.items;
    size_t at = lower_bound(lines, line->file, line->line), end = at, first = at;
    while (end < lines->list.count && items[end].file == line->file && items[end].line == line->line)
        end++;
    while (first > 0 && items[first - 1].file == line->file && items[first - 1].line == items[at - 1].line)
        first--;
    size_t behind = end;
    while (behind < lines->list.count && items[behind].file == line->file && items[behind].line == items[end].line)
        behind++;
    range.known = end > at ? items + at : NULL;
    range.known_count = limited(end - at);
    range.below = at > first ? items + first : NULL;
    range.below_count = limited(at - first);
    range.above = behind > end ? items + end : NULL;
    range.above_count = limited(behind - end);
    range.same_function = has_function(range.known, range.known_count, line->function) ||
                          has_function(range.below, range.below_count, line->function) ||
                          has_function(range.above, range.above_count, line->function);
    return range;
}

bool known_lines_have(const struct known_lines *lines, uint32_t file, uint32_t class) {
    struct known_line key = {.file = file, .class = class};
    return lines->classes.count && bsearch(&key, lines->classes.items, lines->classes.count, sizeof key, by_class);
}

static bool among(const struct known_line *lines, size_t count, uint32_t class) {
    for (size_t i = 0; i < count; i++)
        if (lines[i].class == class)
            return true;
    return false;
}

bool line_range_proves(const struct line_range *range, uint32_t class) {
    if (range->known_count)
        return among(range->known, range->known_count, class);
    return among(range->below, range->below_count, class) && among(range->above, range->above_count, class);
}

bool line_range_proves_any(const struct line_range *range) {
    for (size_t i = 0; i < range->below_count && !range->known_count; i++)
        if (among(range->above, range->above_count, range->below[i].class))
            return true;
    return range->known_count > 0;
}

bool line_range_allows(const struct known_lines *lines, const struct line_range *range, const struct known_line *line,
                       uint32_t class) {
    if (!range->same_function || range->known_count || among(range->below, range->below_count, class) ||
        among(range->above, range->above_count, class))
        return true;
    return !known_lines_have(lines, line->file, class);
}

/* known_lines.h - lines of source whose class is known: which classes may have the code of another line.
 *
 * Classes and functions are contiguous in a file. Numbers of files, functions and classes are the caller's. Pure; any thread. */
#pragma once

#include "base/base.h"

struct known_line {
    uint32_t file, line, class, function;
};

struct known_lines {
    LIST(struct known_line) list;    /* sorted by known_lines_sort() */
    LIST(struct known_line) classes; /* the same by file and class, without lines */
};

static inline void known_lines_add(struct known_lines *lines, struct known_line line) {
    const struct known_line *last = lines->list.count ? &lines->list.items[lines->list.count - 1] : NULL;
    if (!last || memcmp(last, &line, sizeof line) != 0) /* operations of a line follow each other */
        LIST_ADD(&lines->list, line);
}
/* After lines were added, before a question is asked. */
void known_lines_sort(struct known_lines *lines);
void known_lines_free(struct known_lines *lines);

/* Whether a line of the file is known to be of the class. */
bool known_lines_have(const struct known_lines *lines, uint32_t file, uint32_t class);

/* What is known about a line of a function. */
struct line_range {
    const struct known_line *known, *below,
        *above; /* its own lines, and those of the nearest known line on either side; NULL: none */
    size_t known_count, below_count, above_count;
    bool same_function; /* a nearest line is of the same function */
};
struct line_range known_lines_around(const struct known_lines *lines, const struct known_line *line);
/* Whether the line is of this class for sure: known, or between two lines of the class with no other in between. */
bool line_range_proves(const struct line_range *range, uint32_t class);
/* Whether it proves any class. */
bool line_range_proves_any(const struct line_range *range);
/* Whether the line may be of the class: it has no known line in the file, or one of the nearest ones. */
bool line_range_allows(const struct known_lines *lines, const struct line_range *range, const struct known_line *line,
                       uint32_t class);

/* search.h - binary search in sorted items. */
#pragma once

/* Moves `at` from the start of a range past all items for which `below` holds, at most to `end`. `below` is an
 * expression of the index `middle`, which holds for the first items of the range, or for none. */
/* NOLINTBEGIN(bugprone-macro-parentheses): `middle` is a name that the macro declares. */
#define SEARCH(at, end, middle, below)                                                                                 \
    do {                                                                                                               \
        __typeof__(at) behind_ = (end);                                                                                \
        while ((at) < behind_) {                                                                                       \
            __typeof__(at) middle = (at) + (behind_ - (at)) / 2;                                                       \
            if (below)                                                                                                 \
                (at) = middle + 1;                                                                                     \
            else                                                                                                       \
                behind_ = middle;                                                                                      \
        }                                                                                                              \
    } while (0)
/* NOLINTEND(bugprone-macro-parentheses) */

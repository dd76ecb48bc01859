/* diff_lists.h - the differences between two runs, as lists of items for text and markdown.
 *
 * Life cycle: diff_lists_find, diff_lists_finish. Texts are in the lists' arena or in the report, which must outlive them. Pure;
 * one thread. */
#pragma once

#include "answers/diff_figures.h"

struct diff_item {
    struct slice text, place, ranks, why; /* empty: none */
};

struct diff_list {
    const char *title;
    bool settings; /* the texts are values of settings */
    size_t count;  /* number of all items; the list has at most `top` */
    LIST(struct diff_item) items;
};

/* Functions come after issues. */
enum { DIFF_ISSUES = 2, DIFF_LISTS = 7 };
struct diff_lists {
    struct diff_list of[DIFF_LISTS];
    struct arena arena;
};

void diff_lists_find(struct diff_lists *lists, yyjson_val *pair, const struct diff_request *request);
void diff_lists_finish(struct diff_lists *lists);

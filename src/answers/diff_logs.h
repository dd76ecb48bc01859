/* diff_logs.h - the changes in the logs of two runs, from the member `logs` of their comparison. In jobs, each rank has
 * its logs, and a change on several ranks is one entry.
 *
 * Life cycle: a function that finds entries, diff_entries_finish(). The report must outlive them. One thread. */
#pragma once

#include "answers/report_doc.h"

struct diff_entry {
    yyjson_val *item;     /* from the first rank; for a function, from the rank with the largest change of time */
    uint64_t rank;        /* of the item */
    int64_t change_us;    /* for a function: size of the change in either direction */
    bool again;           /* for a function: another entry has the same function and change, but different details */
    size_t place;         /* in order of appearance */
    LIST(uint64_t) ranks; /* ranks that have it; empty if the runs are not jobs */
};

struct diff_entries {
    struct diff_entry *items;
    size_t count, cap;
    size_t ranks; /* number of compared ranks; 0: the runs are not jobs */
    struct arena arena;
};

/* "new", "gone", "slower", "faster", "renamed", "changed" (in something other than time) or "same". */
struct slice function_change(yyjson_val *function);

/* Changed functions, the largest change of time first. */
void diff_functions_find(struct diff_entries *entries, yyjson_val *logs);
/* Graph breaks that are only on one side: "new" or "gone". */
void diff_breaks_find(struct diff_entries *entries, yyjson_val *logs, const char *side);
/* Settings that differ. */
void diff_settings_find(struct diff_entries *entries, yyjson_val *logs);
/* Settings in effect that differ although the configurations do not show it. */
void diff_effects_find(struct diff_entries *entries, yyjson_val *logs);
void diff_entries_finish(struct diff_entries *entries);

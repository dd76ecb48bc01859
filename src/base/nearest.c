#include "base/text.h"

#include <string.h>

enum { MAX_BYTES = 63 };

static unsigned least(unsigned a, unsigned b) {
    return a < b ? a : b;
}

/* The optimal string alignment distance; both texts have at most MAX_BYTES. Three rows of the matrix suffice. */
static unsigned distance(struct slice a, struct slice b) {
    unsigned rows[3][MAX_BYTES + 1];
    unsigned *before = rows[0], *last = rows[1], *row = rows[2];
    for (unsigned j = 0; j <= b.len; j++)
        last[j] = j;
    for (unsigned i = 1; i <= a.len; i++) {
        row[0] = i;
        for (unsigned j = 1; j <= b.len; j++) {
            bool same = a.ptr[i - 1] == b.ptr[j - 1];
            row[j] = least(least(last[j], row[j - 1]) + 1, last[j - 1] + !same);
            if (i > 1 && j > 1 && a.ptr[i - 1] == b.ptr[j - 2] && a.ptr[i - 2] == b.ptr[j - 1])
                row[j] = least(row[j], before[j - 2] + 1);
        }
        unsigned *reused = before;
        before = last;
        last = row;
        row = reused;
    }
    return last[b.len];
}

const char *nearest_name(struct slice name, const char *const *candidates, size_t count) {
    const char *found = NULL;
    unsigned edits = (unsigned)(name.len + 2) / 3 + 1;
    for (size_t i = 0; i < count && name.len <= MAX_BYTES; i++) {
        if (!candidates[i] || strlen(candidates[i]) > MAX_BYTES)
            continue;
        unsigned needed = distance(name, slice_str(candidates[i]));
        if (needed < edits) {
            edits = needed;
            found = candidates[i];
        }
    }
    return found;
}

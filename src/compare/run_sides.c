#include "compare/run_sides.h"

static int by_value(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

struct side_value side_value_of(int64_t *values, size_t count) {
    size_t known = 0;
    for (size_t i = 0; i < count; i++)
        if (values[i] >= 0)
            values[known++] = values[i];
    if (!known)
        return (struct side_value){-1, -1, -1};
    qsort(values, known, sizeof *values, by_value);
    return (struct side_value){values[(known - 1) / 2], values[0], values[known - 1]};
}

/* The largest distance of a run from the median. */
static int64_t spread_of(const struct side_value *value) {
    int64_t below = value->median - value->least, above = value->most - value->median;
    return below > above ? below : above;
}

bool side_values_agree(const struct side_value *a, const struct side_value *b) {
    int64_t change = a->median > b->median ? a->median - b->median : b->median - a->median;
    return a->median >= 0 && b->median >= 0 && change - spread_of(a) <= spread_of(b);
}

struct run_side run_side_of(const struct rank_facts *const *runs, size_t count) {
    struct run_side side = {runs, count, count ? runs[0] : NULL};
    int64_t *times = mem_alloc((count + 1) * sizeof *times);
    for (size_t i = 0; i < count; i++)
        times[i] = runs[i]->totals.time_us;
    int64_t median = side_value_of(times, count).median;
    for (size_t i = count; i-- > 0;)
        if (runs[i]->totals.time_us == median)
            side.shown = runs[i];
    mem_free(times);
    return side;
}

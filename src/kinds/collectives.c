/* Collectives by operator name, in schedules and in code. */
#include "kinds/records.h"

#include "kinds/fold.h"

enum collective collective_of(struct slice op) {
    static const struct slice words[] = {SLICE_INIT("all_reduce"), SLICE_INIT("reduce_scatter"),
                                         SLICE_INIT("all_gather"), SLICE_INIT("broadcast"),
                                         SLICE_INIT("all_to_all"), SLICE_INIT("reduce")};
    for (int kind = 0; kind < COLLECTIVES; kind++)
        if (slice_find(op, words[kind]) != SIZE_MAX)
            return (enum collective)kind;
    return COLLECTIVES;
}

/* Counts "torch.ops._c10d_functional.<op>.default(" in one line. */
static void count_line(struct slice line, struct calls *calls) {
    static const struct slice head = SLICE_INIT("torch.ops._c10d_functional."), tail = SLICE_INIT(".default(");
    for (size_t at; (at = slice_find(line, head)) != SIZE_MAX;) {
        line = slice_from(line, at + head.len);
        size_t end = slice_find(line, tail);
        if (end == SIZE_MAX)
            return;
        struct slice op = slice_first(line, end);
        enum collective kind = collective_of(op);
        if (slice_is(op, "wait_tensor"))
            calls->waits++;
        else if (kind < COLLECTIVES)
            calls->counts[kind]++;
    }
}

void collectives_count(struct slice code, struct calls *calls) {
    struct slice line;
    *calls = (struct calls){0};
    if (slice_find(code, SLICE("_c10d_functional")) == SIZE_MAX)
        return;
    while (slice_next_line(&code, &line)) {
        const char *comment = memchr(line.ptr, '#', line.len);
        count_line(comment ? slice_first(line, (size_t)(comment - line.ptr)) : line, calls);
    }
}

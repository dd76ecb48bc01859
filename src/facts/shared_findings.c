
#include "facts/shared_findings.h"

static void add_to_shared(struct arena *arena, struct shared_finding *shared, uint32_t rank,
                          const struct rank_finding *finding) {
    if (!shared->ranks.count || shared->ranks.items[shared->ranks.count - 1] != rank)
        ARENA_ADD(arena, &shared->ranks, rank);
    shared->why_differs |= !slice_eq(finding->why, shared->finding->why);
    shared->advice_differs |= !slice_eq(finding->advice, shared->finding->advice);
    if (finding->title.len < shared->title.len)
        shared->title = finding->title;
    if (finding->time_us > shared->finding->time_us) {
        shared->finding = finding;
        shared->of = rank;
    }
}

/* The title without parts that depend on the rank's other compiles: "Compiling `f` took long". */
static struct slice subject_of(const struct rank_finding *finding) {
    size_t took = finding->kind == FINDING_SLOW_COMPILE ? slice_find(finding->title, SLICE(" took ")) : SIZE_MAX;
    return slice_first(finding->title, took);
}

/* Finds the item with the same kind, place and title, or creates one. */
static struct shared_finding *shared_of(struct shared_findings *shared, struct map *known, uint32_t rank,
                                        const struct rank_finding *finding) {
    AUTO_BUF key = {0};
    bool added;
    buf_addf(&key, "%d %" PRIu64 " ", (int)finding->kind, finding->place.line);
    buf_add(&key, finding->place.file);
    buf_add_byte(&key, 0);
    buf_add(&key, subject_of(finding));
    uint32_t index = *map_put_in(&shared->arena, known, buf_slice(&key), (uint32_t)shared->count, &added);
    if (added)
        ARENA_ADD(&shared->arena, shared,
                  (struct shared_finding){.finding = finding, .of = rank, .title = finding->title});
    assert(index < shared->count);
    return &shared->items[index];
}

/* The members that the order of findings depends on. */
static struct finding as_finding(const struct rank_finding *from) {
    return (struct finding){.kind = from->kind,
                            .severity = from->severity,
                            .impact = from->impact,
                            .cost = from->cost,
                            .advice = from->advice,
                            .time_us = from->time_us,
                            .fix_us = from->fix_us,
                            .expected = from->expected,
                            .handled = from->handled};
}

struct ordered {
    struct finding like;
    size_t at;
};

static int by_order(const void *a, const void *b) {
    const struct ordered *x = a, *y = b;
    int order = finding_order(&x->like, &y->like);
    return order ? order : x->at < y->at ? -1 : x->at > y->at;
}

/* Whether the finding can be the one to change first: something broke, or there is a fix. */
static bool is_first(const struct finding *finding) {
    return finding_is_broken(finding) || finding_can_change(finding);
}

static void sort(struct shared_findings *shared) {
    struct shared_finding *sorted = arena_alloc(&shared->arena, (shared->count + 1) * sizeof *sorted);
    struct ordered *order = arena_alloc(&shared->arena, (shared->count + 1) * sizeof *order);
    for (size_t i = 0; i < shared->count; i++)
        order[i] = (struct ordered){as_finding(shared->items[i].finding), i};
    qsort(order, shared->count, sizeof *order, by_order);
    shared->first = shared->count;
    for (size_t i = 0; i < shared->count; i++) {
        sorted[i] = shared->items[order[i].at];
        sorted[i].saves_us = finding_saves_us(&order[i].like);
        if (shared->first == shared->count && is_first(&order[i].like))
            shared->first = i;
    }
    shared->items = sorted;
    shared->cap = shared->count;
}

void shared_findings_find(struct shared_findings *shared, const struct rank_facts *const *facts, size_t count) {
    struct map known = {0};
    *shared = (struct shared_findings){0};
    for (size_t r = 0; r < count; r++)
        for (size_t i = 0; i < facts[r]->findings.count; i++) {
            const struct rank_finding *finding = facts[r]->findings.items[i];
            add_to_shared(&shared->arena, shared_of(shared, &known, (uint32_t)r, finding), (uint32_t)r, finding);
        }
    sort(shared);
}

void shared_findings_finish(struct shared_findings *shared) {
    arena_free(&shared->arena);
    *shared = (struct shared_findings){0};
}

/* The differences between two graphs after the first one. */
#include "diverge/cause_finder.h"
#include "facts/rank_parts.h"

const struct graph_step *step_of(const struct rank_compile *c, size_t at) {
    return c->trace && at < c->trace->count ? &c->trace->steps[at] : NULL;
}

uint64_t step_value(const struct graph_step *step) {
    return step
             ? hash_mix(hash_mix(hash_mix(noise_hash(step->file), step->line), noise_hash(step->function)), step->ops) |
                   1
             : 1;
}

enum {
    FURTHER_MAX = 8, /* differences listed for a compile */
    AHEAD_MAX = 64,  /* steps of a graph that a difference may span */
};

/* Moves to the next steps that are equal in both: of all in range, those with the fewest steps before them. Returns
 * false if there are none. */
static bool find_equal(const struct rank_compile *a, const struct rank_compile *b, size_t *i, size_t *j) {
    for (size_t ahead = 1; ahead <= AHEAD_MAX; ahead++)
        for (size_t mine = 0; mine <= ahead; mine++) {
            const struct graph_step *x = step_of(a, *i + mine), *y = step_of(b, *j + ahead - mine);
            if (x && y && step_value(x) == step_value(y)) {
                *i += mine;
                *j += ahead - mine;
                return true;
            }
        }
    return false;
}

/* Moves past equal steps. Returns false if both graphs end. */
static bool find_different(const struct rank_compile *a, const struct rank_compile *b, size_t *i, size_t *j) {
    for (; step_of(a, *i) && step_of(b, *j); ++*i, ++*j)
        if (step_value(step_of(a, *i)) != step_value(step_of(b, *j)))
            return true;
    return step_of(a, *i) || step_of(b, *j);
}

/* "`f.py:17`" */
static void add_step(struct buf *out, const struct graph_step *step) {
    if (!step) {
        buf_add_lit(out, "nothing more");
        return;
    }
    BUF_ADD(out, "`", slice_first(path_last(step->file), 120));
    buf_addf(out, ":%u`", step->line);
}

void note_further(struct finder *f, const struct slot *slot, struct root_cause *cause, const struct root_cause *draft,
                  size_t at) {
    size_t outlier = cause_outlier_side(draft), i = at, j = at;
    const struct cause_side *mine = &draft->sides.items[outlier], *other = &draft->sides.items[1 - outlier];
    const struct rank_compile *a = slot_at(slot, mine->ranks.items[0]), *b = slot_at(slot, other->ranks.items[0]);
    for (size_t n = 0; n < FURTHER_MAX && find_equal(a, b, &i, &j) && find_different(a, b, &i, &j); n++) {
        const struct graph_step *x = step_of(a, i), *y = step_of(b, j);
        struct buf text = {0};
        bool known = (x ? x->file.ptr != NULL : !a->trace->cut) && (y ? y->file.ptr != NULL : !b->trace->cut);
        if (!known)
            return;
        function_add_code(&text, a);
        buf_add_lit(&text, " differs again: ");
        add_step(&text, x);
        buf_add_lit(&text, " on ");
        rank_words_add(&text, f->facts, mine->ranks.items, mine->ranks.count);
        buf_add_lit(&text, ", ");
        add_step(&text, y);
        buf_add_lit(&text, " on ");
        rank_words_add(&text, f->facts, other->ranks.items, other->ranks.count);
        cause_add_consequence(f, cause, ASPECT_GRAPHS, a->id, &text);
    }
}

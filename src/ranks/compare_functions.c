#include "ranks/comparison_parts.h"

#include <stdlib.h>

#include "ranks/run_match.h"

enum { FUNCTIONS_LISTED_MAX = 2000, COMPILES_LISTED_MAX = 16, REASONS_LISTED_MAX = 8 };

enum change { CHANGE_NEW, CHANGE_GONE, CHANGE_SLOWER, CHANGE_FASTER, CHANGE_SAME, CHANGES };
static const char *const change_names[CHANGES] = {"new", "gone", "slower", "faster", "same"};

/* A function of one or both runs. */
struct pair {
    const struct run_function *a, *b; /* NULL: the run does not have it */
    int64_t delta_us;
    enum change change;
    size_t place; /* index before sorting */
};

static struct pair pair_of(const struct run_function *a, const struct run_function *b, size_t place) {
    int64_t one = a && a->time_us > 0 ? a->time_us : 0, other = b && b->time_us > 0 ? b->time_us : 0;
    struct pair pair = {.a = a, .b = b, .delta_us = other - one, .place = place};
    if (!a || !b)
        pair.change = a ? CHANGE_GONE : CHANGE_NEW;
    else if (!is_notable(pair.delta_us, one))
        pair.change = CHANGE_SAME;
    else
        pair.change = pair.delta_us > 0 ? CHANGE_SLOWER : CHANGE_FASTER;
    return pair;
}

/* The largest change of compile time first. */
static int by_delta(const void *a, const void *b) {
    const struct pair *x = a, *y = b;
    int64_t one = llabs(x->delta_us), other = llabs(y->delta_us);
    if (one != other)
        return one > other ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

static void write_own(struct jsonw *w, const struct run_function *function) {
    jsonw_object(w, "own_us");
    for (int phase = 0; phase < PHASES; phase++)
        if (function->has_phase[phase])
            jsonw_known(w, phase_name((enum phase)phase), function->own_us[phase]);
    if (function->other_us)
        jsonw_known(w, "other", function->other_us);
    jsonw_end_object(w);
}

/* The order in which results are listed. */
static const enum cache_outcome by_name[CACHE_OUTCOMES] = {OUTCOME_BYPASS, OUTCOME_EXCEPTION, OUTCOME_HIT, OUTCOME_MISS,
                                                           OUTCOME_PICKLE_FAILURE};

static void write_side(struct jsonw *w, const struct run_function *function) {
    if (!function) {
        jsonw_null(w, NULL);
        return;
    }
    jsonw_object(w, NULL);
    jsonw_text(w, "name", function->name);
    jsonw_known(w, "line", function->has_line ? (int64_t)function->line : -1);
    jsonw_array(w, "compiles");
    for (size_t i = 0; i < function->compiles.count && i < COMPILES_LISTED_MAX; i++)
        jsonw_text(w, NULL, function->compiles.items[i].key);
    jsonw_end_array(w);
    jsonw_u64(w, "compile_count", function->compile_count);
    jsonw_known(w, "time_us", function->time_us);
    write_own(w, function);
    jsonw_u64(w, "recompiles", function->recompiles);
    jsonw_u64(w, "graph_breaks", function->breaks);
    jsonw_u64(w, "failures", function->failed);
    jsonw_u64(w, "ops", function->ops);
    jsonw_u64(w, "guards", function->guards);
    jsonw_u64(w, "kernels", function->kernels);
    jsonw_array(w, "cache");
    for (size_t i = 0; i < CACHE_OUTCOMES; i++)
        if (function->outcomes[by_name[i]])
            jsonw_str(w, NULL, cache_outcome_name(by_name[i]));
    jsonw_end_array(w);
    jsonw_end_object(w);
}

/* "hit + miss", or "none". */
static void add_outcomes(struct buf *out, const struct run_function *function) {
    for (size_t i = 0; i < CACHE_OUTCOMES; i++)
        if (function->outcomes[by_name[i]]) {
            buf_add_str(out, out->len ? " + " : "");
            buf_add_str(out, cache_outcome_name(by_name[i]));
        }
    if (!out->len)
        buf_add_lit(out, "none");
}

/* The sums that differ, apart from time. */
static void write_differs(struct jsonw *w, const struct run_function *a, const struct run_function *b) {
    const struct figure figures[] = {{"failures", "failures", UNIT_COUNT, true, (int64_t)a->failed, (int64_t)b->failed},
                                     {"graph_breaks", "graph breaks", UNIT_COUNT, true, (int64_t)a->breaks,
                                      (int64_t)b->breaks},
                                     {"ops", "ops", UNIT_COUNT, false, (int64_t)a->ops, (int64_t)b->ops},
                                     {"guards", "guards", UNIT_COUNT, true, (int64_t)a->guards, (int64_t)b->guards}};
    struct buf one = {0}, other = {0};
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        if (figures[i].a != figures[i].b)
            figure_write(w, &figures[i]);
    add_outcomes(&one, a);
    add_outcomes(&other, b);
    if (!slice_eq(buf_slice(&one), buf_slice(&other)))
        text_figure_write(w, "cache", "cache", buf_slice(&one), buf_slice(&other));
    buf_free(&one);
    buf_free(&other);
}

static bool has_reason(const struct run_function *function, struct slice key) {
    for (size_t i = 0; function && i < function->reasons.count; i++)
        if (slice_eq(function->reasons.items[i].key, key))
            return true;
    return false;
}

/* Recompile reasons that the other run does not have. */
static void write_reasons(struct jsonw *w, const char *key, const struct run_function *of,
                          const struct run_function *not_of) {
    size_t written = 0;
    jsonw_array(w, key);
    for (size_t i = 0; of && i < of->reasons.count && written < REASONS_LISTED_MAX; i++)
        if (!has_reason(not_of, of->reasons.items[i].key)) {
            jsonw_text(w, NULL, of->reasons.items[i].text);
            written++;
        }
    jsonw_end_array(w);
}

/* The best matching compiles: with the same key, else with the same id and generation, else the first of each. */
static void write_compared(struct jsonw *w, const struct run_function *a, const struct run_function *b) {
    const struct run_compile *one = &a->compiles.items[0], *other = NULL;
    for (size_t i = 0; i < a->compiles.count && !other; i++) {
        one = &a->compiles.items[i];
        for (size_t k = 0; k < b->compiles.count && !other; k++)
            other = slice_eq(b->compiles.items[k].key, one->key) ? &b->compiles.items[k] : NULL;
        for (size_t k = 0; k < b->compiles.count && !other; k++)
            if (slice_eq(b->compiles.items[k].id, one->id) && b->compiles.items[k].generation == one->generation)
                other = &b->compiles.items[k];
    }
    jsonw_array(w, "compared");
    jsonw_text(w, NULL, other ? one->key : a->compiles.items[0].key);
    jsonw_text(w, NULL, other ? other->key : b->compiles.items[0].key);
    jsonw_end_array(w);
}

static void write_pair(struct jsonw *w, const struct pair *pair) {
    const struct run_function *either = pair->a ? pair->a : pair->b;
    jsonw_object(w, NULL);
    jsonw_str(w, "change", change_names[pair->change]);
    jsonw_text(w, "name", either->name);
    jsonw_text(w, "file", either->file.ptr ? either->file : SLICE(""));
    jsonw_i64(w, "delta_us", pair->delta_us);
    jsonw_array(w, "sides");
    write_side(w, pair->a);
    write_side(w, pair->b);
    jsonw_end_array(w);
    jsonw_array(w, "differs");
    if (pair->a && pair->b)
        write_differs(w, pair->a, pair->b);
    jsonw_end_array(w);
    write_reasons(w, "new_reasons", pair->b, pair->a);
    write_reasons(w, "gone_reasons", pair->a, pair->b);
    if (pair->a && pair->b)
        write_compared(w, pair->a, pair->b);
    else
        jsonw_null(w, "compared");
    jsonw_end_object(w);
}

static struct run_item *items_of(const struct run_facts *facts) {
    struct run_item *items = mem_alloc((facts->functions.count + 1) * sizeof *items);
    for (size_t i = 0; i < facts->functions.count; i++) {
        const struct run_function *function = &facts->functions.items[i];
        items[i] = (struct run_item){function->key, function->has_line ? function->line : UINT64_MAX};
    }
    return items;
}

void functions_compare(struct jsonw *w, const struct run_facts *a, const struct run_facts *b) {
    struct run_item *left = items_of(a), *right = items_of(b);
    struct run_matches matches;
    uint64_t counts[CHANGES] = {0};
    run_matches_find(&matches, left, a->functions.count, right, b->functions.count);
    struct pair *pairs = mem_alloc((matches.count + 1) * sizeof *pairs);
    for (size_t i = 0; i < matches.count; i++) {
        const struct run_match *match = &matches.items[i];
        pairs[i] = pair_of(match->a == NO_MATCH ? NULL : &a->functions.items[match->a],
                           match->b == NO_MATCH ? NULL : &b->functions.items[match->b], i);
        counts[pairs[i].change]++;
    }
    qsort(pairs, matches.count, sizeof *pairs, by_delta);
    jsonw_object(w, "function_counts");
    for (int change = 0; change < CHANGES; change++)
        jsonw_u64(w, change_names[change], counts[change]);
    jsonw_end_object(w);
    jsonw_array(w, "functions");
    for (size_t i = 0; i < matches.count && i < FUNCTIONS_LISTED_MAX; i++)
        write_pair(w, &pairs[i]);
    jsonw_end_array(w);
    jsonw_u64(w, "more_functions", matches.count > FUNCTIONS_LISTED_MAX ? matches.count - FUNCTIONS_LISTED_MAX : 0);
    run_matches_finish(&matches);
    mem_free(pairs);
    mem_free(left);
    mem_free(right);
}

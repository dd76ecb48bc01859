#include "compare/comparison_parts.h"

#include "base/match.h"
#include "base/text.h"
#include "report/members.h"

enum { FUNCTIONS_LISTED_MAX = 2000, COMPILES_LISTED_MAX = 16, REASONS_LISTED_MAX = 8 };

enum change { CHANGE_NEW, CHANGE_GONE, CHANGE_SLOWER, CHANGE_FASTER, CHANGE_SAME, CHANGES };
static const char *const change_names[CHANGES] = {"new", "gone", "slower", "faster", "same"};

/* A function on one side: in the shown log, and in each log of the side that has it. */
struct versions {
    const struct run_function *shown; /* NULL: the side does not have it */
    LIST(const struct run_function *) all;
};

/* A function of one or both sides. */
struct pair {
    struct versions versions[SIDES];
    struct side_value times[SIDES];
    int64_t delta_us;
    enum change change;
    size_t place; /* index before sorting */
};

static struct side_value time_of(const struct versions *versions) {
    int64_t *values = mem_alloc((versions->all.count + 1) * sizeof *values);
    for (size_t i = 0; i < versions->all.count; i++)
        values[i] = versions->all.items[i]->time_us > 0 ? versions->all.items[i]->time_us : 0;
    struct side_value time = side_value_of(values, versions->all.count);
    mem_free(values);
    return time;
}

static void pair_measure(struct pair *pair, bool spread) {
    const struct versions *a = &pair->versions[0], *b = &pair->versions[1];
    for (size_t side = 0; side < SIDES; side++)
        pair->times[side] = time_of(&pair->versions[side]);
    int64_t one = a->shown ? pair->times[0].median : 0, other = b->shown ? pair->times[1].median : 0;
    pair->delta_us = other - one;
    if (!a->shown || !b->shown)
        pair->change = a->shown ? CHANGE_GONE : CHANGE_NEW;
    else if (!is_notable(pair->delta_us, one) || (spread && side_values_agree(&pair->times[0], &pair->times[1])))
        pair->change = CHANGE_SAME;
    else
        pair->change = pair->delta_us > 0 ? CHANGE_SLOWER : CHANGE_FASTER;
}

/* The largest change of compile time first. */
static int by_delta(const void *a, const void *b) {
    const struct pair *x = a, *y = b;
    int64_t one = llabs(x->delta_us), other = llabs(y->delta_us);
    if (one != other)
        return one > other ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
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
    JSON_ADD(w, "name", function->name, "line", function->has_line ? (int64_t)function->line : -1);
    jsonw_array(w, "compiles");
    for (size_t i = 0; i < function->compiles.count && i < COMPILES_LISTED_MAX; i++)
        jsonw_text(w, NULL, function->compiles.items[i].key);
    jsonw_end_array(w);
    JSON_MEMBERS(w, function, compile_count, time_us);
    own_times_json_write(w, function->own_us, function->has_phase, function->other_us);
    JSON_ADD(w, "recompiles", function->recompiles, "graph_breaks", function->breaks, "failures", function->failed);
    JSON_MEMBERS(w, function, ops, guards, kernels);
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
        if (function->outcomes[by_name[i]])
            BUF_ADD(out, out->len ? " + " : "", cache_outcome_name(by_name[i]));
    if (!out->len)
        buf_add_lit(out, "none");
}

static void add_peak(struct buf *out, const struct run_memory *memory) {
    if (memory->not_derived) {
        buf_add_lit(out, "not derived");
        return;
    }
    buf_add_str(out, memory->peak_at_least ? "at least " : "");
    size_add(out, memory->peak);
}

/* The memory of graphs, if both sides have graphs. A peak that is a lower bound is compared as text only. */
static void write_memory(struct jsonw *w, const struct run_memory *a, const struct run_memory *b) {
    const struct figure peak = {"peak_bytes", "peak memory", UNIT_BYTES, true, memory_peak(a), memory_peak(b), NULL},
                        saved = {"saved_bytes",   "saved for the backward", UNIT_BYTES, true,
                                 memory_saved(a), memory_saved(b),          NULL};
    AUTO_BUF one = {0}, other = {0};
    if (!a->graphs || !b->graphs)
        return;
    if (peak.a >= 0 && peak.b >= 0) {
        if (peak.a != peak.b)
            figure_write(w, &peak);
    } else {
        add_peak(&one, a);
        add_peak(&other, b);
        if (!slice_eq(buf_slice(&one), buf_slice(&other)))
            text_figure_write(w, peak.name, peak.title, buf_slice(&one), buf_slice(&other));
    }
    if (saved.a != saved.b)
        figure_write(w, &saved);
}

/* The sums that differ, apart from time. */
static void write_differs(struct jsonw *w, const struct run_function *a, const struct run_function *b) {
    const struct figure figures[] =
        {{"failures", "failures", UNIT_COUNT, true, (int64_t)a->failed, (int64_t)b->failed, NULL},
         {"graph_breaks", "graph breaks", UNIT_COUNT, true, (int64_t)a->breaks, (int64_t)b->breaks, NULL},
         {"ops", "ops", UNIT_COUNT, false, (int64_t)a->ops, (int64_t)b->ops, NULL},
         {"guards", "guards", UNIT_COUNT, true, (int64_t)a->guards, (int64_t)b->guards, NULL}};
    AUTO_BUF one = {0}, other = {0};
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        if (figures[i].a != figures[i].b)
            figure_write(w, &figures[i]);
    write_memory(w, &a->memory, &b->memory);
    add_outcomes(&one, a);
    add_outcomes(&other, b);
    if (!slice_eq(buf_slice(&one), buf_slice(&other)))
        text_figure_write(w, "cache", "cache", buf_slice(&one), buf_slice(&other));
}

/* Whether a side has a reason of the other one; renames: those of the newer side; newer: the reason is from the newer
 * side. */
static bool has_reason(const struct versions *versions, struct slice key, const struct renames *renames, bool newer) {
    AUTO_BUF old = {0}, other = {0};
    bool found = false;
    if (newer)
        renames_apply(renames, key, &old);
    for (size_t v = 0; v < versions->all.count && !found; v++)
        for (size_t i = 0; i < versions->all.items[v]->reasons.count && !found; i++) {
            struct slice has = versions->all.items[v]->reasons.items[i].key;
            other.len = 0;
            if (!newer)
                renames_apply(renames, has, &other);
            found = slice_eq(has, key) || slice_eq(newer ? has : buf_slice(&other), newer ? buf_slice(&old) : key);
        }
    return found;
}

/* Writes the reasons of one side's recompiles that the other side does not have. */
static void write_reasons(struct jsonw *w, const struct pair *pair, bool newer, const struct renames *renames) {
    const struct run_function *of = pair->versions[newer].shown;
    size_t written = 0;
    jsonw_array(w, newer ? "new_reasons" : "gone_reasons");
    for (size_t i = 0; of && i < of->reasons.count && written < REASONS_LISTED_MAX; i++)
        if (!has_reason(&pair->versions[!newer], of->reasons.items[i].key, renames, newer)) {
            jsonw_text(w, NULL, of->reasons.items[i].text);
            written++;
        }
    jsonw_end_array(w);
}

/* Writes the best matching compiles: with the same key, else with the same id and generation, else the first of each.
 */
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

static void write_pair(struct jsonw *w, const struct pair *pair, bool spread, const struct renames *renames) {
    const struct run_function *a = pair->versions[0].shown, *b = pair->versions[1].shown, *either = a ? a : b;
    jsonw_object(w, NULL);
    JSON_ADD(w, "change", change_names[pair->change], "name", either->name, "file",
             either->file.ptr ? either->file : SLICE(""));
    jsonw_i64(w, "delta_us", pair->delta_us);
    if (spread) {
        JSON_LIST(w, "median_us", side, SIDES, pair->times[side].median);
        ranges_write(w, "ranges_us", pair->times);
    }
    jsonw_array(w, "sides");
    write_side(w, a);
    write_side(w, b);
    jsonw_end_array(w);
    jsonw_array(w, "differs");
    if (a && b)
        write_differs(w, a, b);
    jsonw_end_array(w);
    write_reasons(w, pair, true, renames);
    write_reasons(w, pair, false, renames);
    if (a && b)
        write_compared(w, a, b);
    else
        jsonw_null(w, "compared");
    jsonw_end_object(w);
}

static struct match_item *items_of(const struct run_facts *facts) {
    struct match_item *items = mem_alloc((facts->functions.count + 1) * sizeof *items);
    for (size_t i = 0; i < facts->functions.count; i++) {
        const struct run_function *function = &facts->functions.items[i];
        items[i] = (struct match_item){.key = function->key,
                                       .name = function->name,
                                       .line = function->has_line ? function->line : UINT64_MAX,
                                       .file = function->file,
                                       .weight = function->ops};
    }
    return items;
}

void functions_match(struct matches *matches, const struct run_facts *a, const struct run_facts *b) {
    struct match_item *left = items_of(a), *right = items_of(b);
    matches_find(matches, left, a->functions.count, right, b->functions.count);
    matches_join_renamed(matches, left, a->functions.count, right, b->functions.count);
    mem_free(left);
    mem_free(right);
}

void functions_renamed(struct renames *renames, const struct run_facts *a, const struct run_facts *b) {
    struct match_item *left = items_of(a), *right = items_of(b);
    struct matches matches;
    matches_find(&matches, left, a->functions.count, right, b->functions.count);
    matches_join_renamed(&matches, left, a->functions.count, right, b->functions.count);
    matches_add_renames(&matches, left, a->functions.count, right, b->functions.count, renames);
    matches_finish(&matches);
    mem_free(left);
    mem_free(right);
}

static void add_version(struct versions *versions, const struct run_function *function, bool shown) {
    if (shown || !versions->shown)
        versions->shown = function;
    LIST_ADD(&versions->all, function);
}

/* The pairs of functions of the two shown logs, and for each function the index of its pair. */
struct pairs {
    struct pair *items;
    size_t count;
    size_t *of[SIDES];
};

static void pairs_find(struct pairs *pairs, const struct side_logs *sides[SIDES]) {
    struct matches matches;
    functions_match(&matches, sides[0]->shown, sides[1]->shown);
    *pairs = (struct pairs){.items = mem_zalloc(matches.count + 1, sizeof *pairs->items), .count = matches.count};
    for (size_t side = 0; side < SIDES; side++)
        pairs->of[side] = mem_zalloc(sides[side]->shown->functions.count + 1, sizeof *pairs->of[side]);
    for (size_t i = 0; i < matches.count; i++) {
        const uint32_t of[SIDES] = {matches.items[i].a, matches.items[i].b};
        pairs->items[i].place = i;
        for (size_t side = 0; side < SIDES; side++)
            if (of[side] != NO_MATCH) {
                add_version(&pairs->items[i].versions[side], &sides[side]->shown->functions.items[of[side]], true);
                pairs->of[side][of[side]] = i;
            }
    }
    matches_finish(&matches);
}

/* Adds the functions of another log of a side to the pairs of the functions that it shares with the shown log. It may
 * also have a function that, of the shown logs, only the other side's has. */
static void pairs_add_log(struct pairs *pairs, const struct side_logs *sides[SIDES], size_t side,
                          const struct run_facts *log) {
    for (size_t from = 0; from < SIDES; from++) {
        struct matches matches;
        functions_match(&matches, sides[from]->shown, log);
        for (size_t i = 0; i < matches.count; i++) {
            const struct match *match = &matches.items[i];
            if (match->a == NO_MATCH || match->b == NO_MATCH)
                continue;
            struct pair *pair = &pairs->items[pairs->of[from][match->a]];
            if (from == side || !pair->versions[side].shown)
                add_version(&pair->versions[side], &log->functions.items[match->b], false);
        }
        matches_finish(&matches);
    }
}

static void pairs_finish(struct pairs *pairs) {
    for (size_t i = 0; i < pairs->count; i++)
        for (size_t side = 0; side < SIDES; side++)
            mem_free(pairs->items[i].versions[side].all.items);
    for (size_t side = 0; side < SIDES; side++)
        mem_free(pairs->of[side]);
    mem_free(pairs->items);
}

void functions_compare(struct jsonw *w, const struct side_logs *a, const struct side_logs *b,
                       const struct renames *renames) {
    const struct side_logs *sides[SIDES] = {a, b};
    bool spread = a->all.count > 1 || b->all.count > 1;
    struct pairs pairs;
    uint64_t counts[CHANGES] = {0};
    pairs_find(&pairs, sides);
    for (size_t side = 0; side < SIDES; side++)
        for (size_t i = 0; i < sides[side]->all.count; i++)
            if (sides[side]->all.items[i] != sides[side]->shown)
                pairs_add_log(&pairs, sides, side, sides[side]->all.items[i]);
    for (size_t i = 0; i < pairs.count; i++) {
        pair_measure(&pairs.items[i], spread);
        counts[pairs.items[i].change]++;
    }
    qsort(pairs.items, pairs.count, sizeof *pairs.items, by_delta);
    jsonw_object(w, "function_counts");
    for (int change = 0; change < CHANGES; change++)
        jsonw_u64(w, change_names[change], counts[change]);
    jsonw_end_object(w);
    jsonw_array(w, "functions");
    for (size_t i = 0; i < pairs.count && i < FUNCTIONS_LISTED_MAX; i++)
        write_pair(w, &pairs.items[i], spread, renames);
    jsonw_end_array(w);
    jsonw_u64(w, "more_functions", pairs.count > FUNCTIONS_LISTED_MAX ? pairs.count - FUNCTIONS_LISTED_MAX : 0);
    pairs_finish(&pairs);
}

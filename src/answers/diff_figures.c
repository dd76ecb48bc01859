
#include "answers/diff_figures.h"

#include <math.h>

#include "answers/run_time.h"
#include "answers/sentences.h"
#include "answers/term.h"
#include "base/jsonw.h"

enum { HOLDERS_MAX = 6 }; /* compiles listed for a value */

static void add_number(struct buf *out, int64_t number, struct slice unit) {
    if (slice_is(unit, "us"))
        unit_add_time(out, number);
    else if (slice_is(unit, "bytes"))
        unit_add_bytes(out, (uint64_t)number);
    else
        unit_add_count(out, (uint64_t)number);
}

void value_add(struct buf *out, yyjson_val *value, struct slice unit) {
    if (yyjson_is_str(value))
        buf_add(out, json_text(value));
    else if (!yyjson_is_int(value))
        buf_add_lit(out, "–");
    else
        add_number(out, yyjson_get_sint(value), unit);
}

/* "+1.2 s", "−3", and then the percentage: "+12 %". */
static void add_change(struct buf *out, int64_t delta, yyjson_val *base, struct slice unit, bool percent) {
    double of;
    uint64_t size = delta < 0 ? (uint64_t)-delta : (uint64_t)delta;
    if (!delta)
        return;
    if (!percent) {
        buf_add_str(out, delta < 0 ? "−" : "+");
        add_number(out, (int64_t)size, unit);
    } else if (json_to_double(base, &of) && of > 0) {
        buf_addf(out, "%s%.0f\u00a0%%", delta < 0 ? "−" : "+", 100 * (double)size / of);
    }
}

static enum term_style style_of(struct slice verdict) {
    return slice_is(verdict, "worse") ? TERM_ERROR : slice_is(verdict, "better") ? TERM_GOOD : TERM_PLAIN;
}

/* Figures that are always shown, whether they differ or not. */
static bool is_main(struct slice name) {
    static const char *const names[] = {"compile_time", "compiles", "recompiles", "graph_breaks", "failures"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (slice_is(name, names[i]))
            return true;
    return false;
}

/* "±3 %": the largest distance of a side's values from their median; nothing if it has only one value. */
static void add_spread(struct buf *out, yyjson_val *median, yyjson_val *range) {
    double middle, least, most;
    if (!json_to_double(median, &middle) || !json_to_double(yyjson_arr_get(range, 0), &least) ||
        !json_to_double(yyjson_arr_get(range, 1), &most) || middle <= 0 || least == most)
        return;
    double far = most - middle > middle - least ? most - middle : middle - least;
    buf_addf(out, " ±%.0f\u00a0%%", 100 * far / middle);
}

static void add_cell(struct table *table, enum term_style style, struct buf *text) {
    table_cell(table, style, buf_slice(text));
    text->len = 0;
}

/* The short name of a side: the last part of its path, or as much of it as distinguishes it from the other. */
static struct slice short_name(const char *name, const char *other) {
    struct slice last = path_last(slice_str(name));
    size_t same = 0, start = 0;
    if (!slice_eq(last, path_last(slice_str(other))))
        return last;
    for (; name[same] && name[same] == other[same]; same++)
        if (name[same] == '/')
            start = same + 1;
    return name[same] || other[same] ? slice_str(name + start) : last;
}

/* Adds the value of a side. For versions, "3.11.7 (main, …) [GCC …]", only the first word, unless the sides differ only
 * after it. */
static void add_side_value(struct buf *out, yyjson_val *values, size_t side, struct slice unit) {
    struct slice own = json_text(yyjson_arr_get(values, side)), other = json_text(yyjson_arr_get(values, !side));
    struct slice word = slice_first(own, slice_find(own, SLICE(" ")));
    if (own.len && !slice_eq(word, slice_first(other, slice_find(other, SLICE(" ")))))
        buf_add(out, word);
    else
        value_add(out, yyjson_arr_get(values, side), unit);
}

yyjson_val *diff_step_figure(yyjson_val *run_times, struct arena *arena) {
    int64_t most[2] = {-1, -1}; /* of the slowest rank */
    bool within = true;
    size_t i, max;
    yyjson_val *run_time, *figure = NULL;
    yyjson_arr_foreach(run_times, i, max, run_time) {
        for (size_t side = 0; side < 2; side++) {
            double us;
            if (json_to_double(yyjson_arr_get(json_get(json_get(run_time, "step"), "us"), side), &us) &&
                us > (double)most[side] && us < 9e15)
                most[side] = llround(us);
        }
        within = within && run_time_step(run_time).within;
    }
    if (most[0] < 0 || most[1] < 0)
        return NULL;
    AUTO_BUF json = {0};
    struct jsonw w = {.out = &json};
    jsonw_object(&w, NULL);
    JSON_ADD(&w, "name", "step_time", "title", yyjson_arr_size(run_times) > 1 ? "step, slowest rank" : "step", "unit",
             "us");
    jsonw_array(&w, "values");
    jsonw_i64(&w, NULL, most[0]);
    jsonw_i64(&w, NULL, most[1]);
    jsonw_end_array(&w);
    jsonw_i64(&w, "delta", most[1] - most[0]);
    jsonw_str(&w, "verdict", most[1] == most[0] ? "same" : within ? "within" : most[1] > most[0] ? "worse" : "better");
    jsonw_end_object(&w);
    struct slice text = arena_slice(arena, buf_slice(&json));
    json_read_own(&text, JSON_NUMBERS, arena, &figure);
    return figure;
}

static void add_figure(struct table *table, yyjson_val *figure) {
    AUTO_BUF text = {0};
    struct slice verdict = json_get_text(figure, "verdict"), unit = json_get_text(figure, "unit");
    yyjson_val *values = json_get(figure, "values");
    int64_t delta = 0;
    if (slice_is(verdict, "same") && !is_main(json_get_text(figure, "name")))
        return;
    report_number(figure, "delta", &delta);
    table_cell(table, TERM_PLAIN, json_get_text(figure, "title"));
    for (size_t side = 0; side < 2; side++) {
        add_side_value(&text, values, side, unit);
        add_spread(&text, yyjson_arr_get(values, side), yyjson_arr_get(json_get(figure, "ranges"), side));
        add_cell(table, TERM_PLAIN, &text);
    }
    if (slice_is(verdict, "within")) {
        table_cell_str(table, TERM_DIM, "~");
        table_cell_str(table, TERM_DIM, "");
        return;
    }
    add_change(&text, delta, NULL, unit, false);
    if (!text.len && slice_is(unit, "text"))
        buf_add_lit(&text, "differs");
    add_cell(table, style_of(verdict), &text);
    add_change(&text, delta, yyjson_arr_get(values, 0), unit, true);
    add_cell(table, style_of(verdict), &text);
}

bool is_step_figure(yyjson_val *figure) {
    return slice_is(json_get_text(figure, "name"), "step_time");
}

void figures_table(struct table *table, yyjson_val *pair, const struct diff_request *request) {
    size_t i, max;
    yyjson_val *figure;
    table_init(table, "lrrrr");
    table_cell_str(table, TERM_DIM, "");
    table_cell(table, TERM_DIM, short_name(request->base, request->new));
    table_cell(table, TERM_DIM, short_name(request->new, request->base));
    table_cell_str(table, TERM_DIM, "Change");
    table_cell_str(table, TERM_DIM, "");
    yyjson_arr_foreach(json_get(pair, "figures"), i, max, figure) {
        if (!request->step || !is_step_figure(figure))
            add_figure(table, figure);
    }
    bool told = yyjson_arr_size(request->run_times) == 1 && !request->figures_only; /* where run times are */
    if (request->step && !told)
        add_figure(table, request->step);
}

/* The name of the run in that folder, or the folder's name. */
static const char *run_name(yyjson_val *root, yyjson_val *dir) {
    size_t i, max;
    yyjson_val *run;
    yyjson_arr_foreach(json_get(root, "ranks"), i, max, run) {
        yyjson_val *name = json_get(run, "name");
        if (yyjson_is_str(name) && slice_eq(json_get_text(run, "dir"), json_text(dir)))
            return yyjson_get_str(name);
    }
    return yyjson_is_str(dir) ? yyjson_get_str(dir) : "";
}

yyjson_val *next_change(yyjson_val *root, size_t *at, struct diff_request *request) {
    static const struct diff_limits none;
    yyjson_val *pairs = json_get(json_get(root, "comparison"), "pairs"), *first = yyjson_arr_get_first(pairs);
    while (*at < yyjson_arr_size(pairs)) {
        yyjson_val *pair = yyjson_arr_get(pairs, (*at)++);
        if (!slice_eq(json_get_text(pair, "a"), json_get_text(first, "a")))
            continue;
        *request = (struct diff_request){.base = run_name(root, json_get(pair, "a")),
                                         .new = run_name(root, json_get(pair, "b")),
                                         .figures_only = true,
                                         .limits = &none};
        return pair;
    }
    return NULL;
}

/* Whether the medians differ by at most the sum of both spreads. */
static bool is_within(yyjson_val *medians, yyjson_val *ranges) {
    double middle[2] = {0}, spread = 0;
    for (size_t side = 0; side < 2; side++) {
        yyjson_val *range = yyjson_arr_get(ranges, side);
        double least, most;
        if (!json_to_double(yyjson_arr_get(medians, side), &middle[side]) ||
            !json_to_double(yyjson_arr_get(range, 0), &least) || !json_to_double(yyjson_arr_get(range, 1), &most))
            return false;
        spread += fmax(most - middle[side], middle[side] - least);
    }
    return fabs(middle[1] - middle[0]) <= spread;
}

void times_add(struct buf *out, yyjson_val *function) {
    yyjson_val *medians = json_get(function, "median_us"), *ranges = json_get(function, "ranges_us");
    for (size_t side = 0; side < 2; side++) {
        yyjson_val *of = yyjson_arr_get(json_get(function, "sides"), side);
        yyjson_val *time = medians ? yyjson_arr_get(medians, side) : json_get(of, "time_us");
        int64_t us;
        if (!yyjson_is_int(time) || !yyjson_is_obj(of))
            continue;
        us = yyjson_get_sint(time);
        buf_add_str(out, out->len ? " → " : "");
        unit_add_time(out, us);
        add_spread(out, time, yyjson_arr_get(ranges, side));
    }
    if (slice_is(json_get_text(function, "change"), "same") && is_within(medians, ranges))
        buf_add_lit(out, " ~");
}

void function_name_add(struct buf *out, yyjson_val *function) {
    yyjson_val *sides = json_get(function, "sides");
    struct slice a = json_get_text(yyjson_arr_get(sides, 0), "name"),
                 b = json_get_text(yyjson_arr_get(sides, 1), "name");
    buf_add(out, a.ptr ? a : b);
    if (a.ptr && b.ptr && !slice_eq(a, b))
        BUF_ADD(out, " → ", b);
}

const char *limit_verdict(const struct diff_limit *limit) {
    return !limit->known ? "not known" : limit->exceeded ? "exceeded" : "kept";
}

void functions_table(struct table *table, const struct diff_entries *functions, size_t top) {
    AUTO_BUF text = {0};
    table_init(table, functions->ranks ? "llllr" : "lllr");
    table_cell_str(table, TERM_DIM, "Function");
    table_cell_str(table, TERM_DIM, "Place");
    table_cell_str(table, TERM_DIM, "Change");
    if (functions->ranks)
        table_cell_str(table, TERM_DIM, "Ranks");
    table_cell_str(table, TERM_DIM, "Compile time");
    for (size_t i = 0; i < functions->count && i < top; i++) {
        const struct diff_entry *entry = &functions->items[i];
        function_name_add(&text, entry->item);
        add_cell(table, TERM_CODE, &text);
        function_place_add(&text, entry->item);
        add_cell(table, TERM_PLAIN, &text);
        table_cell(table, TERM_PLAIN, function_change(entry->item));
        if (functions->ranks) {
            facts_add_rank_list(&text, entry->ranks.items, entry->ranks.count);
            add_cell(table, TERM_PLAIN, &text);
        }
        times_add(&text, entry->item);
        if (entry->ranks.count > 1)
            buf_addf(&text, " (rank %" PRIu64 ")", entry->rank);
        add_cell(table, TERM_PLAIN, &text);
    }
}

void function_place_add(struct buf *out, yyjson_val *function) {
    yyjson_val *sides = json_get(function, "sides"), *last = yyjson_arr_get(sides, 1);
    uint64_t line = report_count(yyjson_is_obj(last) ? last : yyjson_arr_get(sides, 0), "line");
    struct slice file = json_get_text(function, "file");
    buf_add(out, file);
    if (file.len && line)
        buf_addf(out, ":%" PRIu64, line);
}

void spread_note_add(struct buf *out, yyjson_val *pair) {
    yyjson_val *sides = json_get(pair, "sides");
    size_t base = yyjson_arr_size(yyjson_arr_get(sides, 0)), newer = yyjson_arr_size(yyjson_arr_get(sides, 1));
    if (!sides)
        return;
    buf_addf(out, "Medians%s; ± is the largest distance of a run from them, ~ a change of at most both ± together.",
             base % 2 && newer % 2 ? "" : " (of an even number of runs, the lower middle value)");
}

static void add_ranks(struct buf *out, const struct diff_entries *settings, const struct diff_entry *entry) {
    if (entry->ranks.count == settings->ranks)
        return;
    buf_add_lit(out, ", on ");
    facts_add_rank_list(out, entry->ranks.items, entry->ranks.count);
}

void setting_add(struct buf *out, const struct diff_entries *settings, const struct diff_entry *entry) {
    yyjson_val *values = json_get(entry->item, "values");
    BUF_ADD(out, json_get_text(entry->item, "setting"), ": ");
    json_add_value(out, yyjson_arr_get(values, 0));
    buf_add_lit(out, " → ");
    json_add_value(out, yyjson_arr_get(values, 1));
    add_ranks(out, settings, entry);
}

/* " (0/0, 0/1; as mode="max-autotune" sets it)" */
static void add_holders(struct buf *out, yyjson_val *value) {
    yyjson_val *compiles = json_get(value, "compiles");
    struct slice mode = json_get_text(value, "mode");
    size_t count = yyjson_arr_size(compiles);
    uint64_t more = 0;
    buf_add_lit(out, " (");
    for (size_t i = 0; i < count && i < HOLDERS_MAX; i++)
        BUF_ADD(out, i ? ", " : "", json_text(yyjson_arr_get(compiles, i)));
    json_to_u64(json_get(value, "more_compiles"), &more);
    more += count > HOLDERS_MAX ? count - HOLDERS_MAX : 0;
    if (more)
        buf_addf(out, " and %" PRIu64 " more", more);
    if (mode.len)
        buf_addf(out, "; as mode=\"%.*s\" sets it", SLICE_ARG(mode));
    buf_add_byte(out, ')');
}

static void add_effect_side(struct buf *out, yyjson_val *values, bool holders) {
    size_t i, max;
    yyjson_val *value;
    if (!yyjson_arr_size(values))
        buf_add_lit(out, "not set");
    yyjson_arr_foreach(values, i, max, value) {
        buf_add_str(out, i ? ", " : "");
        json_add_value(out, json_get(value, "value"));
        if (holders)
            add_holders(out, value);
    }
}

/* Whether all of the same compiles had one value and now have another one. */
static bool is_plain_change(yyjson_val *a, yyjson_val *b) {
    yyjson_val *had = yyjson_arr_get(a, 0), *has = yyjson_arr_get(b, 0);
    return yyjson_arr_size(a) == 1 && yyjson_arr_size(b) == 1 && !json_get(had, "mode") &&
           !json_get(had, "more_compiles") && !json_get(has, "more_compiles") &&
           yyjson_equals(json_get(had, "compiles"), json_get(has, "compiles"));
}

void effect_add(struct buf *out, const struct diff_entries *settings, const struct diff_entry *entry) {
    yyjson_val *values = json_get(entry->item, "values"), *a = yyjson_arr_get(values, 0),
               *b = yyjson_arr_get(values, 1);
    buf_addf(out, "%.*s.%.*s: ", SLICE_ARG(json_get_text(entry->item, "kind")),
             SLICE_ARG(json_get_text(entry->item, "setting")));
    add_effect_side(out, a, !is_plain_change(a, b));
    buf_add_lit(out, " → ");
    add_effect_side(out, b, true);
    add_ranks(out, settings, entry);
}

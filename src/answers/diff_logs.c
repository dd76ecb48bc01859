#include "answers/diff_logs.h"

struct slice function_change(yyjson_val *function) {
    yyjson_val *sides = json_get(function, "sides");
    struct slice a = json_get_text(yyjson_arr_get(sides, 0), "name"),
                 b = json_get_text(yyjson_arr_get(sides, 1), "name");
    struct slice change = json_get_text(function, "change");
    bool renamed = a.ptr && b.ptr && !slice_eq(a, b);
    bool differs = yyjson_arr_size(json_get(function, "differs")) ||
                   yyjson_arr_size(json_get(function, "new_reasons")) ||
                   yyjson_arr_size(json_get(function, "gone_reasons"));
    if (!slice_is(change, "same"))
        return change;
    return renamed ? SLICE("renamed") : differs ? SLICE("changed") : change;
}

/* Whether anything differs apart from time within its noise. */
static bool function_changed(yyjson_val *function) {
    return !slice_is(function_change(function), "same");
}

/* Collects entries; those with the same key are one. */
struct collector {
    struct diff_entries *entries;
    struct map by_key, by_function;
    struct buf key;
    bool again; /* there already is an entry with the function of the key */
    bool of_job;
    uint64_t rank; /* of the log that is read */
};

static void add_key(struct collector *collector, yyjson_val *value) {
    if (value)
        json_add_value(&collector->key, value);
    buf_add_byte(&collector->key, '\n');
}

/* Adds an item with the collector's key, and empties the key. */
static void take(struct collector *collector, yyjson_val *item, int64_t change_us) {
    struct diff_entries *entries = collector->entries;
    bool added;
    uint32_t at = *map_put(&collector->by_key, buf_slice(&collector->key), (uint32_t)entries->count, &added);
    collector->key.len = 0;
    if (added) {
        ARENA_GROW(&entries->arena, entries);
        entries->items[entries->count] = (struct diff_entry){.again = collector->again, .place = entries->count};
        entries->count++;
    }
    struct diff_entry *entry = &entries->items[at];
    if (added || change_us > entry->change_us) {
        entry->item = item;
        entry->rank = collector->rank;
        entry->change_us = change_us;
    }
    if (collector->of_job && !(entry->ranks.count && entry->ranks.items[entry->ranks.count - 1] == collector->rank))
        ARENA_ADD(&entries->arena, &entry->ranks, collector->rank);
}

/* Calls add() for each log. */
static void collect(struct diff_entries *entries, yyjson_val *logs, const char *side,
                    void (*add)(struct collector *collector, yyjson_val *log, const char *side)) {
    struct collector collector = {.entries = entries};
    size_t i, max;
    yyjson_val *log;
    *entries = (struct diff_entries){0};
    yyjson_arr_foreach(logs, i, max, log) {
        collector.of_job = json_to_u64(json_get(log, "rank"), &collector.rank);
        entries->ranks += collector.of_job;
        add(&collector, log, side);
    }
    map_free(&collector.by_key);
    map_free(&collector.by_function);
    buf_free(&collector.key);
}

static void add_functions(struct collector *collector, yyjson_val *log, const char *side) {
    static const char *const details[] = {"differs", "new_reasons", "gone_reasons"};
    size_t i, max;
    yyjson_val *function;
    (void)side;
    yyjson_arr_foreach(json_get(log, "functions"), i, max, function) {
        int64_t delta_us = 0;
        if (!function_changed(function))
            continue;
        buf_add(&collector->key, function_change(function));
        add_key(collector, json_get(function, "file"));
        for (size_t s = 0; s < 2; s++) {
            yyjson_val *of = yyjson_arr_get(json_get(function, "sides"), s);
            add_key(collector, json_get(of, "name"));
            add_key(collector, json_get(of, "line"));
        }
        bool added;
        map_put(&collector->by_function, buf_slice(&collector->key), 0, &added);
        collector->again = !added;
        for (size_t d = 0; d < sizeof details / sizeof *details; d++)
            add_key(collector, json_get(function, details[d]));
        report_number(function, "delta_us", &delta_us);
        take(collector, function, delta_us < 0 && delta_us > INT64_MIN ? -delta_us : delta_us);
    }
}

static int largest_first(const void *a, const void *b) {
    const struct diff_entry *x = a, *y = b;
    return x->change_us != y->change_us ? (x->change_us > y->change_us ? -1 : 1) : x->place < y->place ? -1 : 1;
}

void diff_functions_find(struct diff_entries *entries, yyjson_val *logs) {
    collect(entries, logs, NULL, add_functions);
    if (entries->count)
        qsort(entries->items, entries->count, sizeof *entries->items, largest_first);
}

static void add_breaks(struct collector *collector, yyjson_val *log, const char *side) {
    size_t i, max;
    yyjson_val *found;
    yyjson_arr_foreach(json_get(json_get(log, "graph_breaks"), side), i, max, found) {
        add_key(collector, json_get(found, "id"));
        add_key(collector, json_get(found, "reason"));
        add_key(collector, json_get(found, "place"));
        take(collector, found, 0);
    }
}

void diff_breaks_find(struct diff_entries *entries, yyjson_val *logs, const char *side) {
    collect(entries, logs, side, add_breaks);
}

static void add_settings(struct collector *collector, yyjson_val *log, const char *member) {
    size_t i, max;
    yyjson_val *setting;
    yyjson_arr_foreach(json_get(log, member), i, max, setting) {
        add_key(collector, setting);
        take(collector, setting, 0);
    }
}

void diff_settings_find(struct diff_entries *entries, yyjson_val *logs) {
    collect(entries, logs, "settings", add_settings);
}

void diff_effects_find(struct diff_entries *entries, yyjson_val *logs) {
    collect(entries, logs, "settings_in_effect", add_settings);
}

void diff_entries_finish(struct diff_entries *entries) {
    arena_free(&entries->arena);
    *entries = (struct diff_entries){0};
}

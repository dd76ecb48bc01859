#include "answers/check_parts.h"
#include "answers/term.h"

/* The amount of each key on a side, from the rank or run with the largest amount. */
struct amounts {
    struct map by_key;        /* → index into items */
    LIST(int64_t) most, here; /* here: so far in the log that is being read */
};

/* Reads the items of one log. */
struct reading {
    const struct check_metric *metric;
    struct log_functions functions;
    struct amounts *amounts;
    const struct amounts *base; /* NULL: this is the baseline */
    const struct renames *renames;
    struct causes *causes;
    bool profiled; /* the baseline has a profile */
    int64_t fresh; /* amount of new items in all logs so far */
    size_t log;
    struct buf key;
};

static void add_zero(struct amounts *amounts) {
    LIST_ADD(&amounts->most, 0);
    LIST_ADD(&amounts->here, 0);
}

static void amounts_finish(struct amounts *amounts) {
    map_free(&amounts->by_key);
    mem_free(amounts->most.items);
    mem_free(amounts->here.items);
}

/* Adds a text without its numbers: digits become '#', and a plural after them becomes singular. */
static void add_without_numbers(struct buf *out, struct slice text) {
    AUTO_BUF clean = {0};
    noise_add_without(&clean, text);
    bool counted = false; /* in the word after a number */
    for (size_t i = 0; i < clean.len; i++) {
        char c = clean.ptr[i], next = i + 1 < clean.len ? clean.ptr[i + 1] : ' ';
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        bool ends = !((next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z'));
        if (is_digit(c)) {
            if (!is_digit(next))
                buf_add_byte(out, '#');
            counted = !is_digit(next) && next == ' ';
            continue;
        }
        if (!(counted && c == 's' && ends))
            buf_add_byte(out, c);
        counted = counted && (letter ? !ends : i > 0 && is_digit(clean.ptr[i - 1]));
    }
}

/* How names of renamed functions appear in a key. */
enum naming { NAMES_HERE, NAMES_OLD_IN_PLACE, NAMES_OLD, NAMINGS };

static void add_named(struct reading *reading, struct slice text, bool old) {
    if (old)
        renames_apply(reading->renames, text, &reading->key);
    else
        buf_add(&reading->key, text);
}

/* The key that identifies an item in another run, even if lines moved and the code is in another directory. */
static void make_key(struct reading *reading, const struct check_item *item, enum naming naming) {
    yyjson_val *first = yyjson_is_arr(item->compiles) ? yyjson_arr_get_first(item->compiles) : item->compiles;
    const struct log_function *compiled = functions_find(&reading->functions, first);
    bool by_text = !slice_is(slice_str(reading->metric->name), "recompiles"); /* their reasons vary with the values */
    struct slice file = item->place ? json_get_text(item->place, "file")
                      : compiled    ? compiled->file
                                    : (struct slice){0};
    struct slice function = item->place ? json_get_text(item->place, "function")
                          : compiled    ? compiled->name
                                        : (struct slice){0};
    AUTO_BUF text = {0};
    reading->key.len = 0;
    BUF_ADD(&reading->key, path_last(file), "\n");
    name_add_without_lines(&text, function);
    add_named(reading, buf_slice(&text), naming != NAMES_HERE);
    buf_add_byte(&reading->key, '\n');
    if (by_text) {
        text.len = 0;
        add_without_numbers(&text, item->text);
        buf_add(&reading->key, item->label);
        add_named(reading, buf_slice(&text), naming == NAMES_OLD);
    }
}

/* Makes the key that the baseline has for the item, if any: the same, or with the old names of functions. Returns its
 * index there. */
static uint32_t find_key(struct reading *reading, const struct check_item *item) {
    uint32_t known = MAP_NONE;
    if (reading->base)
        for (int naming = 0; naming < NAMINGS && known == MAP_NONE; naming++) {
            make_key(reading, item, (enum naming)naming);
            known = map_get(&reading->base->by_key, buf_slice(&reading->key));
        }
    if (known == MAP_NONE)
        make_key(reading, item, NAMES_HERE);
    return known;
}

static void add_item(void *context, const struct check_item *item) {
    struct reading *reading = context;
    struct amounts *amounts = reading->amounts;
    bool added;
    if (item->measured || (item->of_profile && !reading->profiled))
        return;
    uint32_t known = find_key(reading, item);
    uint32_t at = *map_put(&amounts->by_key, buf_slice(&reading->key), (uint32_t)amounts->most.count, &added);
    if (added)
        add_zero(amounts);
    amounts->here.items[at] += item->amount;
    int64_t now = amounts->here.items[at], most = amounts->most.items[at];
    if (now > most)
        amounts->most.items[at] = now;
    if (!reading->base)
        return;
    int64_t before = known == MAP_NONE ? 0 : reading->base->most.items[known];
    if (now <= before)
        return;
    int64_t had = most > before ? most : before; /* another log has it, too */
    reading->fresh += now > had ? now - had : 0;
    struct check_item fresh = *item;
    fresh.amount = now - before < item->amount ? now - before : item->amount;
    causes_add(reading->causes, causes_group(reading->causes, reading->log, NULL, 0), reading->log, &fresh,
               &reading->functions);
}

static void read_logs(struct reading *reading, const struct check_logs *logs) {
    for (size_t i = 0; i < logs->count; i++) {
        if (!logs->items[i].root)
            continue;
        for (size_t k = 0; k < reading->amounts->here.count; k++)
            reading->amounts->here.items[k] = 0;
        reading->log = i;
        functions_init(&reading->functions, logs->items[i].root);
        reading->metric->list(logs->items[i].root, &(struct check_items){reading, add_item});
        functions_finish(&reading->functions);
    }
    buf_free(&reading->key);
}

static void find_renames(struct renames *renames, const struct check_logs *baseline, const struct check_logs *logs) {
    for (size_t i = 0; i < logs->count; i++) {
        struct log_functions before, now;
        functions_init(&before, check_partner(baseline, logs, i));
        functions_init(&now, logs->items[i].root);
        functions_add_renames(&before, &now, renames);
        functions_finish(&before);
        functions_finish(&now);
    }
}

static bool has_profile(const struct check_logs *logs) {
    for (size_t i = 0; i < logs->count; i++)
        if (report_count(json_get(json_get(logs->items[i].root, "profile"), "regions"), "calls"))
            return true;
    return false;
}

static struct check_value count_new(struct check_results *results, struct check_result *result,
                                    const struct check_logs *baseline) {
    const struct check_metric *metric = result->rule->metric;
    struct amounts before = {0}, after = {0};
    struct renames renames = {0};
    struct causes causes;
    causes_init(&causes, results, result);
    find_renames(&renames, baseline, results->logs);
    struct reading reading = {.metric = metric, .amounts = &before};
    read_logs(&reading, baseline);
    reading = (struct reading){.metric = metric,
                               .amounts = &after,
                               .base = &before,
                               .renames = &renames,
                               .causes = &causes,
                               .profiled = has_profile(baseline)};
    read_logs(&reading, results->logs);
    causes_finish(&causes);
    renames_free(&renames);
    amounts_finish(&before);
    amounts_finish(&after);
    return (struct check_value){true, results->logs->gap.len > 0, (double)reading.fresh, results->logs->gap};
}

static struct check_value time_growth(struct check_results *results, const struct check_metric *metric,
                                      const struct check_logs *baseline) {
    struct slice why = check_comparable(results, metric, baseline);
    if (why.len)
        return (struct check_value){.why = why};
    struct check_value after = check_total(results->logs, metric, &results->arena);
    struct check_value before = check_total(baseline, metric, &results->arena);
    return (struct check_value){true, after.at_least, 100 * (after.value - before.value) / before.value, after.why};
}

void check_new(struct check_results *results, struct check_result *result, const struct check_logs *baseline) {
    const struct check_metric *metric = result->rule->metric;
    if (!baseline) {
        check_decide(result, &(struct check_value){.why = SLICE("there is no baseline: use --baseline REPORT")});
        return;
    }
    if (slice_is(slice_str(metric->name), "step_time_percent")) {
        check_steps(results, result, baseline);
    } else {
        bool grows = metric->unit == UNIT_PERCENT;
        struct check_value value =
            grows ? time_growth(results, metric, baseline) : count_new(results, result, baseline);
        check_decide(result, &value);
        if (result->verdict == CHECK_FAILED && grows)
            count_new(results, result, baseline); /* the functions that take longer */
    }

    if (result->verdict != CHECK_FAILED || !baseline->gap.len)
        return;
    /* Items that an incomplete baseline lacks are not new. */
    struct buf why = {0};
    BUF_ADD(&why, "the baseline is incomplete: ", baseline->gap);
    result->verdict = CHECK_UNDECIDED;
    result->why = check_words(&results->arena, &why);
}

#include "report/recompiles_json.h"

#include "model/dynamic.h"
#include "model/guard_failure.h"

enum { STEPS_MAX = 256, REASONS_MAX = 16, SIZES_MAX = 16, ADVICE_MAX = 6 };

/* What a Python value became is not in the reason: the next compile, when it fails at this one's guard, says it. */
static struct slice next_value(const struct guard_failure *failure, const struct compile *compile,
                               const struct compile *next) {
    if (failure->has.ptr || !failure->source.ptr || !next)
        return failure->has;
    for (size_t i = 0; i < next->reasons.count; i++) {
        struct guard_failure later = guard_failure_read(next->reasons.items[i]);
        if (later.type == failure->type && slice_eq(later.against, compile->id) &&
            slice_eq(later.source, failure->source))
            return later.had;
    }
    return (struct slice){0};
}

static void write_reasons(struct jsonw *w, const struct compile *compile, const struct compile *next) {
    jsonw_array(w, "reasons");
    for (size_t i = 0; i < compile->reasons.count && i < REASONS_MAX; i++) {
        struct guard_failure failure = guard_failure_read(compile->reasons.items[i]);
        jsonw_object(w, NULL);
        jsonw_text(w, "against", failure.against);
        jsonw_text(w, "guard", failure.guard);
        jsonw_str(w, "guard_type", guard_type_name(failure.type));
        jsonw_text(w, "source", failure.source);
        jsonw_text(w, "had", failure.had);
        jsonw_text(w, "has", next_value(&failure, compile, next));
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    jsonw_u64(w, "more_reasons", compile->reasons.count > REASONS_MAX ? compile->reasons.count - REASONS_MAX : 0);
}

static yyjson_val *read_sizes(const struct compile *compile, struct arena *arena) {
    yyjson_val *json = NULL;
    struct slice text = compile->sizes;
    if (!text.len || json_read(&text, JSON_NUMBERS_RAW, arena, &json) == JSON_BAD)
        return NULL;
    return json;
}

/* [2, "s27"] → "[2, s27]"; an input that is not there is null. */
static void write_size(struct jsonw *w, const char *key, yyjson_val *size) {
    size_t i, max;
    yyjson_val *item;
    struct buf text = {0};
    if (!size) {
        jsonw_null(w, key);
        return;
    }
    buf_add_byte(&text, '[');
    yyjson_arr_foreach(size, i, max, item) {
        buf_add_str(&text, i ? ", " : "");
        if (yyjson_is_str(item))
            buf_add(&text, json_text(item));
        else
            json_add_value(&text, item);
    }
    buf_add_byte(&text, ']');
    jsonw_text(w, key, buf_slice(&text));
    buf_free(&text);
}

static void write_changed(struct jsonw *w, struct slice name, yyjson_val *had, yyjson_val *has) {
    jsonw_object(w, NULL);
    jsonw_text(w, "name", name);
    write_size(w, "had", had);
    write_size(w, "has", has);
    jsonw_end_object(w);
}

static bool same_size(yyjson_val *a, yyjson_val *b) {
    struct buf one = {0}, two = {0};
    json_add_value(&one, a);
    json_add_value(&two, b);
    bool same = slice_eq(buf_slice(&one), buf_slice(&two));
    buf_free(&one);
    buf_free(&two);
    return same;
}

/* Inputs whose sizes differ between two compiles. */
static void write_sizes(struct jsonw *w, const struct compile *from, const struct compile *to) {
    struct arena arena = {0};
    yyjson_val *had = read_sizes(from, &arena), *has = read_sizes(to, &arena), *key, *value;
    size_t i, max, written = 0;
    jsonw_array(w, "sizes");
    if (had && has) {
        yyjson_obj_foreach(had, i, max, key, value) {
            yyjson_val *now = yyjson_obj_getn(has, yyjson_get_str(key), yyjson_get_len(key));
            if (written < SIZES_MAX && (!now || !same_size(value, now)) && ++written)
                write_changed(w, json_text(key), value, now);
        }
        yyjson_obj_foreach(has, i, max, key, value) {
            if (written < SIZES_MAX && !yyjson_obj_getn(had, yyjson_get_str(key), yyjson_get_len(key)) && ++written)
                write_changed(w, json_text(key), NULL, value);
        }
    }
    jsonw_end_array(w);
    arena_free(&arena);
}

/* How many recompiles the latest version of the frame failed with this guard. An older version's may fail each time anew. */
static uint64_t count_latest(const struct report *report, const struct chain *chain,
                             const struct guard_failure *failure) {
    uint64_t count = 0;
    for (size_t i = 1; i < chain->compiles.count; i++) {
        const struct compile *compile = report->compiles.items[chain->compiles.items[i]];
        if (!compile->reasons.count)
            continue;
        struct guard_failure latest = guard_failure_read(compile->reasons.items[0]);
        count += latest.type == failure->type && slice_eq(latest.source, failure->source) &&
                 slice_eq(latest.dimension, failure->dimension);
    }
    return count;
}

/* What became of the size that failed: the first compile of the chain that has a symbol for it says who made it dynamic. */
static void add_dynamic(struct buf *text, const struct report *report, const struct chain *chain,
                        const struct guard_failure *failure, uint64_t times) {
    if (failure->type != GUARD_SIZE || !failure->source.ptr || !failure->dimension.ptr)
        return;
    for (size_t i = 0; i < chain->compiles.count; i++) {
        const struct compile *compile = report->compiles.items[chain->compiles.items[i]];
        const struct fact *symbol = dynamic_symbol(compile, failure->source, failure->dimension);
        struct slice by = symbol ? dynamic_of(compile, symbol) : (struct slice){0};
        if (!by.ptr)
            continue;
        if (slice_is(by, "automatic") && times <= 1) /* behind "so it may be the last" */
            buf_addf(text, " So it did: in %.*s the size is the symbol %.*s.", SLICE_ARG(compile->key),
                     SLICE_ARG(symbol->symbol));
        else if (!slice_is(by, "automatic"))
            buf_addf(text, " In %.*s it is dynamic already, by %s.", SLICE_ARG(compile->key),
                     slice_is(by, "compile") ? "torch.compile(dynamic=True)" : "torch._dynamo.mark_dynamic");
        return;
    }
}

/* One advice a type of guard, for the guards that failed most first; behind them what a hit limit means. */
static void write_advice(struct jsonw *w, const struct report *report, const struct chain *chain) {
    bool said[GUARD_TYPES] = {0};
    size_t written = 0;
    uint64_t below = UINT64_MAX;
    jsonw_array(w, "advice");
    while (written < ADVICE_MAX) {
        uint64_t count = 0;
        for (size_t i = 0; i < chain->causes.count; i++)
            if (chain->causes.items[i].count < below && chain->causes.items[i].count > count)
                count = chain->causes.items[i].count;
        if (count == 0)
            break;
        for (size_t i = 0; i < chain->causes.count && written < ADVICE_MAX; i++) {
            const struct cause *cause = &chain->causes.items[i];
            struct guard_failure failure = guard_failure_read(cause->first);
            if (cause->count != count || said[failure.type])
                continue;
            struct buf text = {0};
            said[failure.type] = true;
            uint64_t times = count_latest(report, chain, &failure);
            guard_advice_add(&text, &failure, times);
            add_dynamic(&text, report, chain, &failure, times);
            jsonw_object(w, NULL);
            jsonw_str(w, "guard_type", guard_type_name(failure.type));
            jsonw_text(w, "text", buf_slice(&text));
            jsonw_end_object(w);
            buf_free(&text);
            written++;
        }
        below = count;
    }
    if (chain->limit_hit) {
        jsonw_object(w, NULL);
        jsonw_str(w, "guard_type", "limit");
        jsonw_str(w, "text",
                  "The limit of versions was reached (torch._dynamo.config.recompile_limit, 8 unless set): from here "
                  "on the function runs "
                  "uncompiled, or fails with fullgraph=True. Mend the cause above first; a higher limit only buys more "
                  "compiles.");
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
}

void recompile_steps_write(struct jsonw *w, const struct report *report, const struct chain *chain) {
    size_t count = chain->compiles.count;
    jsonw_array(w, "steps");
    for (size_t i = 1; i < count && i <= STEPS_MAX; i++) {
        const struct compile *from = report->compiles.items[chain->compiles.items[i - 1]];
        const struct compile *to = report->compiles.items[chain->compiles.items[i]];
        jsonw_object(w, NULL);
        jsonw_text(w, "compile", to->key);
        jsonw_text(w, "from", from->key);
        write_reasons(w, to, i + 1 < count ? report->compiles.items[chain->compiles.items[i + 1]] : NULL);
        write_sizes(w, from, to);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    jsonw_u64(w, "more_steps", count > STEPS_MAX + 1 ? count - STEPS_MAX - 1 : 0);
    write_advice(w, report, chain);
}

#include "report/members.h"

#include "advice/advice.h"

enum { STEPS_MAX = 256, REASONS_MAX = 16, SIZES_MAX = 16, TEXT_MAX = 500 };

static void write_reasons(struct jsonw *w, const struct model *model, const struct chain *chain, size_t place) {
    const struct compile *compile = model->compiles.items[chain->compiles.items[place]];
    AUTO_ARENA arena = {0};
    jsonw_array(w, "reasons");
    for (size_t i = 0; i < compile->reasons.count && i < REASONS_MAX; i++) {
        struct guard_failure failure = recompile_reason(model, chain, place, i, &arena);
        jsonw_object(w, NULL);
        JSON_MEMBERS(w, &failure, against, guard);
        jsonw_str(w, "guard_type", guard_type_name(failure.type));
        JSON_MEMBERS(w, &failure, source, had, has);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    jsonw_u64(w, "more_reasons", compile->reasons.count > REASONS_MAX ? compile->reasons.count - REASONS_MAX : 0);
}

static void write_cut(struct jsonw *w, const char *key, struct slice text) {
    jsonw_cut(w, key, text, TEXT_MAX);
}

/* For two long sets of dispatch keys, only the difference is readable. */
static void write_differs(struct jsonw *w, const struct guard_change *change) {
    AUTO_BUF differs = {0};
    if (change->type == GUARD_DISPATCH_KEY && change->had.ptr && change->has.ptr)
        guard_keys_differ(&differs, change->had, change->has);
    write_cut(w, "differs", differs.len ? buf_slice(&differs) : (struct slice){0});
}

static void write_changes(struct jsonw *w, const struct model *model, const struct step *step) {
    jsonw_text(w, "nearest",
               step->nearest != NO_VERSION ? model->compiles.items[step->nearest]->key : (struct slice){0});
    if (step->also_count)
        jsonw_array(w, "also_near");
    for (size_t i = 0; i < step->also_count; i++)
        jsonw_text(w, NULL, model->compiles.items[step->also[i].compile]->key);
    if (step->also_count)
        jsonw_end_array(w);
    jsonw_array(w, "changes");
    for (size_t i = 0; i < step->changes.count; i++) {
        const struct guard_change *change = &step->changes.items[i];
        jsonw_object(w, NULL);
        write_cut(w, "guard", change->guard);
        jsonw_str(w, "guard_type", guard_type_name(change->type));
        write_cut(w, "source", change->source);
        write_cut(w, "had", change->had);
        write_cut(w, "has", change->has);
        jsonw_text(w, "symbol", change->symbol);
        write_differs(w, change);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    jsonw_u64(w, "more_changes",
              step->change_count > step->changes.count ? step->change_count - step->changes.count : 0);
}

static yyjson_val *read_sizes(const struct compile *compile, struct arena *arena) {
    yyjson_val *json = NULL;
    struct slice text = compile->sizes;
    if (!text.len || json_read(&text, JSON_NUMBERS_RAW, arena, &json) == JSON_BAD)
        return NULL;
    return json;
}

/* [2, "s27"] → "[2, s27]"; a missing input becomes null. */
static void write_size(struct jsonw *w, const char *key, yyjson_val *size) {
    size_t i, max;
    yyjson_val *item;
    AUTO_BUF text = {0};
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
}

static void write_changed(struct jsonw *w, struct slice name, yyjson_val *had, yyjson_val *has) {
    jsonw_object(w, NULL);
    jsonw_text(w, "name", name);
    write_size(w, "had", had);
    write_size(w, "has", has);
    jsonw_end_object(w);
}

static bool same_size(yyjson_val *a, yyjson_val *b) {
    AUTO_BUF one = {0}, two = {0};
    json_add_value(&one, a);
    json_add_value(&two, b);
    bool same = slice_eq(buf_slice(&one), buf_slice(&two));
    return same;
}

/* Inputs whose sizes differ between two compiles. */
static void write_sizes(struct jsonw *w, const struct compile *from, const struct compile *to) {
    AUTO_ARENA arena = {0};
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
}

void recompile_cause_write(struct jsonw *w, const struct cause *cause) {
    write_cut(w, "subject", cause->subject);
    jsonw_str(w, "guard_type", guard_type_name(cause->type));
    jsonw_array(w, "values");
    for (size_t i = 0; i < cause->value_count; i++) {
        if (cause->values[i].starts)
            jsonw_array(w, NULL);
        write_cut(w, NULL, cause->values[i].text);
        if (i + 1 == cause->value_count || cause->values[i + 1].starts)
            jsonw_end_array(w);
    }
    jsonw_end_array(w);
    JSON_MEMBERS(w, cause, others, also, refused);
}

static void write_advice(struct jsonw *w, const struct model *model, const struct chain *chain) {
    jsonw_array(w, "advice");
    for (size_t i = 0; i < chain->advice.count; i++) {
        const struct advice *advice = &chain->advice.items[i];
        jsonw_object(w, NULL);
        jsonw_str(w, "guard_type", advice->of_limit ? "limit" : guard_type_name(advice->type));
        JSON_MEMBERS(w, advice, text, expected, saves);
        jsonw_array(w, "evidence");
        for (size_t e = 0; e < advice->evidence_count; e++) {
            jsonw_object(w, NULL);
            JSON_ADD(w, "record", evidence_record_name(advice->evidence[e].record), "compile",
                     model->compiles.items[advice->evidence[e].compile]->key, "says", advice->evidence[e].says);
            jsonw_end_object(w);
        }
        jsonw_end_array(w);
        jsonw_u64(w, "more_evidence", advice->evidence_more);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
}

void recompile_steps_write(struct jsonw *w, const struct model *model, const struct chain *chain) {
    size_t count = chain->compiles.count;
    jsonw_array(w, "steps");
    for (size_t i = 1; i < count && i <= STEPS_MAX; i++) {
        const struct compile *to = model->compiles.items[chain->compiles.items[i]];
        const struct step *step = &chain->steps.items[i - 1];
        const struct compile *from = model->compiles.items[chain->compiles.items[i - 1]];
        if (step->nearest != NO_VERSION)
            from = model->compiles.items[step->nearest];
        jsonw_object(w, NULL);
        JSON_ADD(w, "compile", to->key, "from", from->key);
        write_changes(w, model, step);
        write_reasons(w, model, chain, i);
        write_sizes(w, from, to);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    JSON_ADD(w, "more_steps", count > STEPS_MAX + 1 ? count - STEPS_MAX - 1 : 0, "limit", chain->limit);
    write_advice(w, model, chain);
}

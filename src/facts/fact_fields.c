#include "facts/fact_fields.h"

#include <math.h>

#include "facts/rank_facts.h"

static_assert(sizeof(enum cache_outcome) == sizeof(unsigned), "enums are read and written as unsigned");

/* Every list has this layout. */
typedef LIST(char) any_list;
typedef LIST(struct slice) text_list;

static size_t size_of(const struct fact_field *field) {
    static const size_t sizes[] = {
        [FACT_TEXT] = sizeof(struct slice),
        [FACT_NEEDED] = sizeof(struct slice),
        [FACT_STRING] = sizeof(char *),
        [FACT_JSON] = sizeof(struct slice),
        [FACT_BOOL] = sizeof(bool),
        [FACT_NUMBER] = sizeof(int64_t),
        [FACT_TIME] = sizeof(int64_t),
        [FACT_COUNT] = sizeof(uint64_t),
        [FACT_COUNT32] = sizeof(uint32_t),
        [FACT_HASH] = sizeof(uint64_t),
        [FACT_REAL] = sizeof(double),
        [FACT_ENUM] = sizeof(unsigned),
        [FACT_OUTCOMES] = sizeof(struct rank_outcomes),
        [FACT_TEXTS] = sizeof(text_list),
        [FACT_LIST] = sizeof(any_list),
    };
    return field->type == FACT_STRUCT ? field->shape->bytes : sizes[field->type];
}

/* ---- writing ---- */

static bool is_nothing(const struct fact_field *field, const void *from) {
    static const char zeros[sizeof(struct slice)];
    const struct slice *text = from;
    const any_list *list = from;
    const struct rank_outcomes *outcomes = from;
    switch (field->type) {
    case FACT_TEXT:
    case FACT_NEEDED:
    case FACT_JSON:
        return !text->ptr;
    case FACT_ENUM: /* by name: the first value may not stay the first */
        return !field->name_of && !*(const unsigned *)from;
    case FACT_TEXTS:
    case FACT_LIST:
        return !list->count;
    case FACT_OUTCOMES:
        return !outcomes->count;
    case FACT_STRUCT:
        for (size_t i = 0; i < field->shape->count; i++) {
            const struct fact_field *member = &field->shape->fields[i];
            for (size_t n = 0; n < (member->items ? member->items : 1); n++)
                if (!is_nothing(member, (const char *)from + member->at + n * size_of(member)))
                    return false;
        }
        return true;
    default:
        return memcmp(from, zeros, size_of(field)) == 0;
    }
}

static void write_outcomes(struct jsonw *w, const char *key, const struct rank_outcomes *outcomes) {
    JSON_LIST(w, key, i, outcomes->count, (uint64_t)outcomes->items[i]);
}

static void write_list(struct jsonw *w, const char *key, const struct fact_shape *shape, const any_list *list) {
    jsonw_array(w, key);
    for (size_t i = 0; i < list->count; i++) {
        jsonw_object(w, NULL);
        fact_fields_write(w, shape, list->items + i * shape->bytes);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
}

static void write_one(struct jsonw *w, const char *key, const struct fact_field *field, const void *from) {
    const text_list *texts = from;
    switch (field->type) {
    case FACT_TEXT:
    case FACT_NEEDED:
        jsonw_text(w, key, *(const struct slice *)from);
        break;
    case FACT_STRING:
        jsonw_str(w, key, *(const char *const *)from);
        break;
    case FACT_JSON:
        jsonw_text(w, key, *(const struct slice *)from);
        break;
    case FACT_BOOL:
        jsonw_bool(w, key, *(const bool *)from);
        break;
    case FACT_NUMBER:
    case FACT_TIME:
        jsonw_i64(w, key, *(const int64_t *)from);
        break;
    case FACT_COUNT:
    case FACT_HASH:
        jsonw_u64(w, key, *(const uint64_t *)from);
        break;
    case FACT_COUNT32:
        jsonw_u64(w, key, *(const uint32_t *)from);
        break;
    case FACT_REAL:
        jsonw_double(w, key, *(const double *)from);
        break;
    case FACT_ENUM:
        if (field->name_of)
            jsonw_str(w, key, field->name_of(*(const unsigned *)from));
        else
            jsonw_u64(w, key, *(const unsigned *)from);
        break;
    case FACT_OUTCOMES:
        write_outcomes(w, key, from);
        break;
    case FACT_TEXTS:
        jsonw_texts(w, key, texts->items, texts->count);
        break;
    case FACT_STRUCT:
        jsonw_object(w, key);
        fact_fields_write(w, field->shape, from);
        jsonw_end_object(w);
        break;
    case FACT_LIST:
        write_list(w, key, field->shape, from);
        break;
    }
}

/* Leaves out zeros at the end. */
static void write_array(struct jsonw *w, const struct fact_field *field, const char *from) {
    size_t count = field->items, bytes = size_of(field);
    while (count && is_nothing(field, from + (count - 1) * bytes))
        count--;
    if (!count)
        return;
    jsonw_array(w, field->name);
    for (size_t i = 0; i < count; i++)
        write_one(w, NULL, field, from + i * bytes);
    jsonw_end_array(w);
}

void fact_fields_write(struct jsonw *w, const struct fact_shape *shape, const void *from) {
    for (size_t i = 0; i < shape->count; i++) {
        const struct fact_field *field = &shape->fields[i];
        const char *member = (const char *)from + field->at;
        if (field->items)
            write_array(w, field, member);
        else if (!is_nothing(field, member))
            write_one(w, field->name, field, member);
    }
}

/* ---- reading ---- */

static bool read_i64(yyjson_val *value, int64_t *number) {
    if (!yyjson_is_int(value) || (yyjson_is_uint(value) && yyjson_get_uint(value) > (uint64_t)FACT_NUMBER_MAX))
        return false;
    *number = yyjson_get_sint(value);
    return *number >= -FACT_NUMBER_MAX && *number <= FACT_NUMBER_MAX;
}

bool fact_time_read(yyjson_val *value, int64_t *us) {
    bool large = yyjson_is_uint(value) && yyjson_get_uint(value) > (uint64_t)FACT_TIME_MAX;
    int64_t number = large ? FACT_TIME_MAX : yyjson_get_sint(value);
    *us = number < -FACT_TIME_MAX ? -FACT_TIME_MAX : number;
    return yyjson_is_int(value);
}

static bool read_u64(yyjson_val *value, uint64_t most, uint64_t *number) {
    *number = yyjson_is_uint(value) ? yyjson_get_uint(value) : UINT64_MAX;
    return yyjson_is_uint(value) && *number <= most;
}

static bool read_enum(yyjson_val *value, const struct fact_field *field, unsigned *to) {
    uint64_t number = 0;
    bool named = field->name_of && yyjson_is_str(value);
    while (named && number < field->limit && !yyjson_equals_str(value, field->name_of((unsigned)number)))
        number++;
    if (named ? number == field->limit : !read_u64(value, field->limit - 1, &number))
        return false;
    *to = (unsigned)number;
    return true;
}

static bool read_outcomes(yyjson_val *value, struct rank_outcomes *outcomes, struct arena *arena) {
    size_t i, max;
    yyjson_val *item;
    enum cache_outcome *items = arena_alloc(arena, (yyjson_arr_size(value) + 1) * sizeof *items);
    if (!yyjson_is_arr(value))
        return false;
    yyjson_arr_foreach(value, i, max, item) {
        uint64_t number;
        if (!read_u64(item, CACHE_OUTCOMES - 1, &number))
            return false;
        items[i] = (enum cache_outcome)number;
    }
    *outcomes = (struct rank_outcomes){items, yyjson_arr_size(value)};
    return true;
}

static bool read_text(yyjson_val *value, struct slice *text, struct arena *arena) {
    *text = yyjson_is_str(value) ? arena_slice(arena, json_text(value)) : (struct slice){0};
    return yyjson_is_str(value);
}

/* Text that goes into a report unchanged must be JSON, whoever wrote the facts. */
static bool read_json(yyjson_val *value, struct slice *json, struct arena *arena) {
    AUTO_ARENA scratch = {0};
    struct slice text = json_text(value);
    yyjson_val *root;
    bool good = yyjson_is_str(value) && json_read(&text, JSON_NUMBERS_RAW, &scratch, &root) == JSON_STRICT;
    return good && read_text(value, json, arena);
}

static bool read_texts(yyjson_val *value, text_list *texts, struct arena *arena) {
    size_t i, max;
    yyjson_val *item;
    if (!yyjson_is_arr(value))
        return false;
    texts->items = arena_alloc(arena, (yyjson_arr_size(value) + 1) * sizeof *texts->items);
    texts->count = texts->cap = yyjson_arr_size(value);
    yyjson_arr_foreach(value, i, max, item) {
        if (!read_text(item, &texts->items[i], arena))
            return false;
    }
    return true;
}

static bool read_list(yyjson_val *value, const struct fact_shape *shape, any_list *list, struct arena *arena) {
    size_t i, max;
    yyjson_val *item;
    if (!yyjson_is_arr(value))
        return false;
    list->items = arena_zalloc(arena, (yyjson_arr_size(value) + 1) * shape->bytes);
    list->count = list->cap = yyjson_arr_size(value);
    yyjson_arr_foreach(value, i, max, item) {
        if (!fact_fields_read(item, shape, list->items + i * shape->bytes, arena))
            return false;
    }
    return true;
}

static bool read_one(yyjson_val *value, const struct fact_field *field, void *to, struct arena *arena) {
    uint64_t number = 0;
    struct slice text;
    double real;
    switch (field->type) {
    case FACT_TEXT:
    case FACT_NEEDED:
        return read_text(value, to, arena);
    case FACT_JSON:
        return read_json(value, to, arena);
    case FACT_STRING:
        if (!yyjson_is_str(value))
            return false;
        text = json_text(value);
        *(const char **)to = arena_str(arena, text);
        return true;
    case FACT_BOOL:
        *(bool *)to = yyjson_is_true(value);
        return yyjson_is_bool(value);
    case FACT_NUMBER:
        return read_i64(value, to);
    case FACT_TIME:
        return fact_time_read(value, to);
    case FACT_COUNT:
        return read_u64(value, (uint64_t)FACT_NUMBER_MAX, to);
    case FACT_COUNT32:
        *(uint32_t *)to = 0;
        if (!read_u64(value, UINT32_MAX, &number))
            return false;
        *(uint32_t *)to = (uint32_t)number;
        return true;
    case FACT_HASH:
        return read_u64(value, UINT64_MAX, to);
    case FACT_REAL:
        real = yyjson_is_num(value) ? yyjson_get_num(value) : NAN;
        *(double *)to = isfinite(real) ? real : 0;
        return isfinite(real);
    case FACT_ENUM:
        return read_enum(value, field, to);
    case FACT_OUTCOMES:
        return read_outcomes(value, to, arena);
    case FACT_TEXTS:
        return read_texts(value, to, arena);
    case FACT_STRUCT:
        return fact_fields_read(value, field->shape, to, arena);
    case FACT_LIST:
        return read_list(value, field->shape, to, arena);
    }
    return false;
}

static bool read_array(yyjson_val *value, const struct fact_field *field, char *to, struct arena *arena) {
    size_t i, max;
    yyjson_val *item;
    if (!yyjson_is_arr(value) || yyjson_arr_size(value) > field->items)
        return false;
    yyjson_arr_foreach(value, i, max, item) {
        if (!read_one(item, field, to + i * size_of(field), arena))
            return false;
    }
    return true;
}

bool fact_fields_read(yyjson_val *object, const struct fact_shape *shape, void *to, struct arena *arena) {
    if (!yyjson_is_obj(object))
        return false;
    for (size_t i = 0; i < shape->count; i++) {
        const struct fact_field *field = &shape->fields[i];
        yyjson_val *value = yyjson_obj_get(object, field->name);
        char *member = (char *)to + field->at;
        if (!value && field->type == FACT_NEEDED)
            return false;
        if (value && !(field->items ? read_array(value, field, member, arena) : read_one(value, field, member, arena)))
            return false;
    }
    return true;
}

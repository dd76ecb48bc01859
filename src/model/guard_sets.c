#include "model/guard_sets.h"

#include "scan/guard_text.h"

enum { EQUALS_DEPTH = 4 };

typedef LIST(uint64_t) facts_list;

struct guard_sets {
    struct arena *arena; /* the model's */
    struct map texts;    /* text → index in list */
    LIST(struct slice) list;
    facts_list adding; /* the facts of the compile that is being kept */
    uint64_t bytes;
    uint64_t facts;
};

static uint64_t item(uint32_t key, uint32_t value) {
    return (uint64_t)key << 32 | value;
}

static struct slice text_at(const struct model *model, uint32_t place) {
    return model->guard_sets->list.items[place];
}

struct slice guard_set_key_of(const struct model *model, uint64_t fact) {
    return text_at(model, (uint32_t)(fact >> 32));
}

struct slice guard_set_value_of(const struct model *model, uint64_t fact) {
    return text_at(model, (uint32_t)fact);
}

uint32_t guard_set_value_number(const struct model *model, struct slice value) {
    uint32_t place = model->guard_sets ? map_get(&model->guard_sets->texts, value) : MAP_NONE;
    return place == MAP_NONE ? UINT32_MAX : place;
}

static int by_key(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static bool add_text(struct guard_sets *sets, struct slice text, uint32_t *place) {
    bool added;
    if (sets->bytes + text.len > GUARD_SETS_BYTES_MAX && map_get(&sets->texts, text) == MAP_NONE)
        return false;
    *place = *map_put_in(sets->arena, &sets->texts, text, (uint32_t)sets->list.count, &added);
    if (added) {
        ARENA_ADD(sets->arena, &sets->list, map_key(&sets->texts, text));
        sets->bytes += text.len + 64; /* approximate size of a map entry */
    }
    return true;
}

static bool add_fact(struct guard_sets *sets, struct slice key, struct slice value) {
    uint32_t key_place, value_place;
    if (sets->facts + sets->adding.count >= GUARD_SETS_FACTS_MAX || !add_text(sets, key, &key_place) ||
        !add_text(sets, value, &value_place))
        return false;
    ARENA_ADD(sets->arena, &sets->adding, item(key_place, value_place));
    return true;
}

static bool add_symbols(struct guard_sets *sets, const struct compile *compile, uint32_t folder) {
    bool whole = true;
    for (const struct shape_record *fact = compile->shapes[SHAPE_SYMBOL].first; fact && whole; fact = fact->next) {
        AUTO_BUF key = {0}, value = {0};
        if (fact->folder == folder && fact->source.len && fact->source.len <= GUARD_FACT_TEXT_MAX &&
            fact->symbol.len + fact->value.len < GUARD_FACT_TEXT_MAX) {
            guard_key_add(&key, ASPECT_SYMBOL, (struct slice){0}, fact->source);
            BUF_ADD(&value, fact->symbol, " ", fact->value);
            whole = add_fact(sets, buf_slice(&key), buf_slice(&value));
        }
    }
    return whole;
}

void guard_sets_keep(struct model *model, struct compile *compile, uint32_t folder, struct slice packed) {
    if (!model->guard_sets) {
        model->guard_sets = arena_zalloc(&model->arena, sizeof *model->guard_sets);
        model->guard_sets->arena = &model->arena;
    }
    struct guard_sets *sets = model->guard_sets;
    struct slice key, value;
    bool whole = true;
    uint32_t before = compile->guard_fact_count;
    sets->facts -= before;
    sets->adding.count = 0;
    compile->guard_fact_count = 0;
    if (compile->guard_trees++ >= GUARD_SETS_TREES_MAX)
        return;
    while (whole && guard_facts_next(&packed, &key, &value))
        whole = add_fact(sets, key, value);
    whole = whole && add_symbols(sets, compile, folder);
    if (!whole || !sets->adding.count) /* an incomplete set would show false changes */
        return;
    uint64_t *facts = sets->adding.items;
    qsort(facts, sets->adding.count, sizeof *facts, by_key);
    size_t kept = 0;
    for (size_t i = 0; i < sets->adding.count; i++)
        if (!kept || facts[kept - 1] >> 32 != facts[i] >> 32)
            facts[kept++] = facts[i];
    if (kept > before) /* otherwise reuse the memory of the earlier facts */
        compile->guard_facts = arena_alloc(&model->arena, kept * sizeof *facts);
    memcpy(compile->guard_facts, facts, kept * sizeof *facts);
    compile->guard_fact_count = (uint32_t)kept;
    sets->facts += kept;
}

bool guard_set_known(const struct compile *compile) {
    return compile->guard_fact_count > 0;
}

bool guard_set_fact(const struct model *model, const struct compile *compile, uint32_t i, struct slice *key,
                    struct slice *value) {
    if (i >= compile->guard_fact_count)
        return false;
    *key = guard_set_key_of(model, compile->guard_facts[i]);
    *value = guard_set_value_of(model, compile->guard_facts[i]);
    return true;
}

/* Index of the compile's first fact whose key is not less than `key`. */
static uint32_t lower(const struct compile *compile, uint32_t key) {
    uint32_t low = 0;
    SEARCH(low, compile->guard_fact_count, middle, compile->guard_facts[middle] >> 32 < key);
    return low;
}

static const uint64_t *find_key(const struct compile *compile, uint32_t key) {
    uint32_t at = lower(compile, key);
    return at < compile->guard_fact_count && compile->guard_facts[at] >> 32 == key ? &compile->guard_facts[at] : NULL;
}

/* The compile's fact; NULL: its guards do not have it. */
static const uint64_t *find_fact(const struct model *model, const struct compile *compile, enum guard_aspect aspect,
                                 struct slice detail, struct slice source) {
    AUTO_BUF key = {0};
    if (!guard_set_known(compile))
        return NULL;
    guard_key_add(&key, aspect, detail, source);
    uint32_t place = map_get(&model->guard_sets->texts, buf_slice(&key));
    return place == MAP_NONE ? NULL : find_key(compile, place);
}

struct slice guard_set_get(const struct model *model, const struct compile *compile, enum guard_aspect aspect,
                           struct slice detail, struct slice source) {
    const uint64_t *found = find_fact(model, compile, aspect, detail, source);
    return found ? guard_set_value_of(model, *found) : (struct slice){0};
}

struct slice guard_set_stored_key(const struct model *model, const struct compile *compile, enum guard_aspect aspect,
                                  struct slice detail, struct slice source) {
    const uint64_t *found = find_fact(model, compile, aspect, detail, source);
    return found ? guard_set_key_of(model, *found) : (struct slice){0};
}

static struct slice get(const struct model *model, const struct compile *compile, enum guard_aspect aspect,
                        struct slice source) {
    return guard_set_get(model, compile, aspect, (struct slice){0}, source);
}

/* "L['x'].size()[0]" → L['x'] and 0. */
static bool split_size(struct slice expression, struct slice mark, struct slice *source, struct slice *dimension) {
    size_t at = slice_find(expression, mark);
    if (at == SIZE_MAX || !slice_ends(expression, SLICE("]")))
        return false;
    *source = slice_first(expression, at);
    *dimension = slice_from(slice_first(expression, expression.len - 1), at + mark.len);
    return dimension->len && slice_find(*dimension, SLICE("[")) == SIZE_MAX;
}

static struct slice value_at(const struct model *model, const struct compile *compile, struct slice expression,
                             struct slice *symbol, unsigned depth) {
    struct slice source, dimension, value = {0};
    if (split_size(expression, SLICE(".size()["), &source, &dimension))
        value = guard_set_get(model, compile, ASPECT_SIZE, dimension, source);
    else if (split_size(expression, SLICE(".stride()["), &source, &dimension))
        value = guard_set_get(model, compile, ASPECT_STRIDE, dimension, source);
    else
        value = get(model, compile, ASPECT_VALUE, expression);
    if (value.ptr && !slice_is(value, "None"))
        return value;
    struct slice made = get(model, compile, ASPECT_SYMBOL, expression);
    size_t space = slice_find(made, SLICE(" "));
    if (space != SIZE_MAX) {
        if (symbol)
            *symbol = slice_first(made, space);
        return space + 1 < made.len ? slice_from(made, space + 1) : (struct slice){0};
    }
    struct slice equal = depth ? get(model, compile, ASPECT_EQUAL, expression) : (struct slice){0};
    if (is_integer(equal))
        return equal;
    return equal.ptr ? value_at(model, compile, equal, symbol, depth - 1) : value;
}

struct slice guard_set_value(const struct model *model, const struct compile *compile, struct slice expression,
                             struct slice *symbol) {
    struct slice value = value_at(model, compile, expression, symbol, EQUALS_DEPTH);
    struct slice source, dimension;
    bool sized = split_size(expression, SLICE(".size()["), &source, &dimension) ||
                 split_size(expression, SLICE(".stride()["), &source, &dimension);
    return !sized || !slice_is(value, "None") ? value : (struct slice){0};
}

struct slice guard_set_key(const struct model *model, const struct compile *compile, enum guard_aspect aspect,
                           struct slice detail, struct slice plain) {
    struct slice found = {0};
    AUTO_BUF own = {0};
    for (uint32_t i = 0; i < compile->guard_fact_count && !found.ptr; i++) {
        struct slice key = guard_set_key_of(model, compile->guard_facts[i]);
        struct guard_fact fact;
        if (!key.len || key.ptr[0] != (char)aspect)
            continue;
        fact = guard_key_read(key);
        if (fact.source.len < plain.len || !slice_eq(fact.detail, detail))
            continue;
        own.len = 0;
        guard_plain_add(&own, fact.source);
        if (slice_eq(buf_slice(&own), plain) || slice_eq(fact.source, plain))
            found = key;
    }
    return found;
}

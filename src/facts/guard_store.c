#include "facts/guard_store.h"

#include <pthread.h>

#include "model/guard_sets.h"

enum { TEXT_MAX = 100 };
#define NONE UINT32_MAX

/* A fact of a guard, as indices of texts. */
struct pair {
    uint32_t key, value;
};

struct rank_guards {
    const struct guard_store *store;
    uint32_t count;
    struct pair *pairs; /* in log order */
};

struct guard_store {
    pthread_mutex_t lock;
    struct map texts, trees; /* text → index in list; hash → index in kept */
    struct arena arena;
    LIST(struct slice) list;
    LIST(struct rank_guards *) kept;
};

struct guard_store *guard_store_create(void) {
    struct guard_store *store = mem_zalloc(1, sizeof *store);
    pthread_mutex_init(&store->lock, NULL);
    return store;
}

void guard_store_destroy(struct guard_store *store) {
    arena_free(&store->arena);
    pthread_mutex_destroy(&store->lock);
    mem_free(store);
}

static uint32_t place_of(struct guard_store *store, struct slice text) {
    bool added;
    uint32_t place = *map_put_in(&store->arena, &store->texts, text, (uint32_t)store->list.count, &added);
    if (added)
        ARENA_ADD(&store->arena, &store->list, map_key(&store->texts, text));
    return place;
}

/* The name of the builtins dictionary contains a counter. */
static void add_key(struct buf *out, struct slice key) {
    static const struct slice builtins = SLICE_INIT("__builtins_dict___");
    size_t at = slice_find(key, builtins);
    if (at == SIZE_MAX) {
        noise_add_without(out, key);
        return;
    }
    noise_add_without(out, slice_first(key, at + builtins.len));
    at += builtins.len;
    while (at < key.len && is_digit(key.ptr[at]))
        at++;
    noise_add_without(out, slice_from(key, at));
}

/* Replaces rank-specific values: the rank, and the name of its process group. */
static void add_value(struct buf *out, const struct model *model, const struct guard_fact *fact, struct slice value) {
    uint64_t number;
    bool rank = slice_ends(fact->source, SLICE("rank")) || slice_ends(fact->source, SLICE("rank']"));
    bool own_rank = rank && model->has_rank && slice_to_u64(value, &number) && number == model->rank;
    if (own_rank || slice_ends(fact->source, SLICE(".group_name")))
        buf_add_lit(out, "(its own)");
    else
        noise_add_without(out, value);
}

/* Excludes rank-specific facts, and facts that are operands of guards rather than guards. */
static bool is_kept(enum guard_aspect aspect) {
    return aspect != ASPECT_TYPE && aspect != ASPECT_PAIRS && aspect != ASPECT_DEVICE && aspect != ASPECT_SYMBOL;
}

static struct rank_guards *copy_guards(struct guard_store *store, const struct model *model,
                                       const struct compile *compile) {
    struct rank_guards *guards = arena_zalloc(&store->arena, sizeof *guards);
    AUTO_BUF text = {0};
    struct slice key, value;
    guards->store = store;
    guards->pairs = arena_alloc(&store->arena, (compile->guard_fact_count + 1) * sizeof *guards->pairs);
    for (uint32_t i = 0; guard_set_fact(model, compile, i, &key, &value); i++) {
        struct guard_fact fact = guard_key_read(key);
        if (!is_kept(fact.aspect))
            continue;
        struct pair *pair = &guards->pairs[guards->count++];
        text.len = 0;
        add_key(&text, key);
        pair->key = place_of(store, buf_slice(&text));
        text.len = 0;
        add_value(&text, model, &fact, value);
        pair->value = place_of(store, buf_slice(&text));
    }
    return guards;
}

const struct rank_guards *guard_store_take(struct guard_store *store, uint64_t hash, const struct model *model,
                                           const struct compile *compile, size_t *room) {
    bool added;
    if (!hash || !compile->guard_fact_count || compile->guard_fact_count > *room)
        return NULL;
    *room -= compile->guard_fact_count;
    pthread_mutex_lock(&store->lock);
    uint32_t at = *map_put_in(&store->arena, &store->trees, slice_make((const char *)&hash, sizeof hash),
                              (uint32_t)store->kept.count, &added);
    if (added)
        ARENA_ADD(&store->arena, &store->kept, copy_guards(store, model, compile));
    const struct rank_guards *guards = store->kept.items[at];
    pthread_mutex_unlock(&store->lock);
    return guards;
}

bool rank_guards_fact(const struct rank_guards *guards, uint32_t i, struct slice *key, struct slice *value) {
    if (i >= guards->count)
        return false;
    *key = guards->store->list.items[guards->pairs[i].key];
    *value = guards->store->list.items[guards->pairs[i].value];
    return true;
}

const struct rank_guards *guard_store_add(struct guard_store *store, uint64_t hash, const struct guard_text *texts,
                                          size_t count) {
    bool added;
    pthread_mutex_lock(&store->lock);
    uint32_t at = *map_put_in(&store->arena, &store->trees, slice_make((const char *)&hash, sizeof hash),
                              (uint32_t)store->kept.count, &added);
    if (added) {
        struct rank_guards *guards = arena_zalloc(&store->arena, sizeof *guards);
        guards->store = store;
        guards->pairs = arena_alloc(&store->arena, (count + 1) * sizeof *guards->pairs);
        for (size_t i = 0; i < count; i++)
            guards->pairs[guards->count++] =
                (struct pair){place_of(store, texts[i].key), place_of(store, texts[i].value)};
        ARENA_ADD(&store->arena, &store->kept, guards);
    }
    const struct rank_guards *guards = store->kept.items[at];
    pthread_mutex_unlock(&store->lock);
    return guards;
}

const struct rank_guards *guard_store_find(struct guard_store *store, uint64_t hash) {
    pthread_mutex_lock(&store->lock);
    uint32_t at = map_get(&store->trees, slice_make((const char *)&hash, sizeof hash));
    const struct rank_guards *guards = at == MAP_NONE ? NULL : store->kept.items[at];
    pthread_mutex_unlock(&store->lock);
    return guards;
}

/* ---- descriptions ---- */

static void add_source(struct buf *out, struct slice source) {
    AUTO_BUF text = {0};
    guard_readable_add(&text, source);
    buf_add(out, slice_first(buf_slice(&text), TEXT_MAX));
}

/* "x.size()[0]", "len(xs)": the subject of a guard. */
static void add_subject(struct buf *out, const struct guard_fact *fact) {
    static const struct {
        enum guard_aspect aspect;
        const char *before, *after;
    } words[] = {{ASPECT_CLASS, "type(", ")"},
                 {ASPECT_OBJECT, "the identity of ", ""},
                 {ASPECT_LENGTH, "len(", ")"},
                 {ASPECT_KEYSET, "the dispatch keys of ", ""},
                 {ASPECT_DTYPE, "", ".dtype"},
                 {ASPECT_GRAD, "", ".requires_grad"},
                 {ASPECT_RANK, "", ".dim()"},
                 {ASPECT_SIZE, "", ".size()"},
                 {ASPECT_STRIDE, "", ".stride()"},
                 {ASPECT_MARK, "", "."},
                 {ASPECT_DISTINCT, "", " as an input of its own"}};
    size_t w = 0;
    while (w < sizeof words / sizeof *words && words[w].aspect != fact->aspect)
        w++;
    bool known = w < sizeof words / sizeof *words;
    struct slice detail = slice_first(fact->detail, TEXT_MAX);
    if (fact->aspect == ASPECT_ATTRIBUTE)
        buf_add_lit(out, "hasattr(");
    else if (known)
        buf_add_str(out, words[w].before);
    else if (fact->aspect == ASPECT_KEY)
        buf_addf(out, "%.*s in ", SLICE_ARG(detail));
    add_source(out, fact->source);
    if (known)
        buf_add_str(out, words[w].after);
    if (fact->aspect == ASPECT_SIZE || fact->aspect == ASPECT_STRIDE)
        buf_addf(out, "[%.*s]", SLICE_ARG(detail));
    else if (fact->aspect == ASPECT_MARK)
        buf_add(out, detail);
    else if (fact->aspect == ASPECT_ATTRIBUTE)
        buf_addf(out, ", %.*s)", SLICE_ARG(detail));
    else if (fact->aspect == ASPECT_ALIAS) {
        buf_add_lit(out, " is ");
        add_source(out, fact->detail);
    }
}

/* "# int" → int: the number identifies an object. */
static struct slice class_of(struct slice value) {
    size_t space = slice_find(value, SLICE(" "));
    return space != SIZE_MAX ? slice_from(value, space + 1) : (struct slice){0};
}

/* Adds a description of the guard. */
static void add_guard(struct buf *out, const struct guard_fact *fact, struct slice value) {
    bool size = fact->aspect == ASPECT_SIZE || fact->aspect == ASPECT_STRIDE;
    value = slice_first(value, TEXT_MAX);
    add_subject(out, fact);
    switch (fact->aspect) {
    case ASPECT_CLASS:
    case ASPECT_OBJECT:
        if (class_of(value).len)
            buf_addf(out, fact->aspect == ASPECT_CLASS ? " is %.*s" : " (%.*s)", SLICE_ARG(class_of(value)));
        break;
    case ASPECT_RELATION:
    case ASPECT_ALIAS:
    case ASPECT_DISTINCT:
        break;
    case ASPECT_KEY:
        if (!slice_is(value, "True"))
            buf_add_lit(out, " does not hold");
        break;
    case ASPECT_KEYSET:
        buf_addf(out, ": %.*s", SLICE_ARG(value));
        break;
    default:
        if (size && slice_is(value, "None"))
            buf_add_lit(out, " is dynamic");
        else
            buf_addf(out, slice_is(value, "None") ? " is %.*s" : " == %.*s", SLICE_ARG(value));
    }
}

/* The values of the sides for one key; NONE: the side does not have the guard. */
struct row {
    uint32_t key, values[GUARD_SIDES_MAX];
};
struct rows {
    LIST(struct row) list;
    struct map map;
    struct arena arena;
};

static void add_rows(struct rows *rows, const struct rank_guards *guards, size_t side) {
    for (uint32_t i = 0; i < guards->count; i++) {
        const struct pair *pair = &guards->pairs[i];
        bool added;
        uint32_t at = *map_put_in(&rows->arena, &rows->map, slice_make((const char *)&pair->key, sizeof pair->key),
                                  (uint32_t)rows->list.count, &added);
        if (added) {
            ARENA_GROW(&rows->arena, &rows->list);
            struct row *row = &rows->list.items[rows->list.count++];
            memset(row, 0xff, sizeof *row);
            row->key = pair->key;
        }
        rows->list.items[at].values[side] = pair->value;
    }
}

static bool differs(const struct row *row, size_t count) {
    for (size_t s = 1; s < count; s++)
        if (row->values[s] != row->values[0])
            return true;
    return false;
}

static void add_row(const struct guard_store *store, const struct row *row, size_t count, size_t named,
                    struct buf *words) {
    struct guard_fact fact = guard_key_read(store->list.items[row->key]);
    for (size_t s = 0; s < count; s++) {
        buf_add_str(&words[s], named ? ", " : "");
        if (row->values[s] == NONE) {
            buf_add_lit(&words[s], "no guard on ");
            add_subject(&words[s], &fact);
        } else {
            add_guard(&words[s], &fact, store->list.items[row->values[s]]);
        }
    }
}

/* The names of PyTorch's own modules in guards. Such guards usually follow from others, so they come last. */
static bool is_library(struct slice source) {
    return slice_find(source, SLICE("G['__import_")) != SIZE_MAX ||
           slice_find(source, SLICE("__builtins_dict__")) != SIZE_MAX;
}

static size_t tell_rows(const struct rows *rows, const struct guard_store *store, bool library, size_t count,
                        size_t found, struct buf *words) {
    AUTO_MAP sources = {0};
    for (size_t i = 0; i < rows->list.count; i++) {
        const struct row *row = &rows->list.items[i];
        struct guard_fact fact = guard_key_read(store->list.items[row->key]);
        bool added;
        if (is_library(fact.source) != library || !differs(row, count))
            continue;
        map_put(&sources, fact.source, 0, &added);
        if (added && found++ < GUARDS_TOLD)
            add_row(store, row, count, found - 1, words);
    }
    return found;
}

/* Lists only the first guard on each source. */
size_t guard_words_add(const struct rank_guards *const *sides, size_t count, struct buf *words) {
    struct rows rows = {0};
    size_t found = 0;
    count = count < GUARD_SIDES_MAX ? count : GUARD_SIDES_MAX;
    for (size_t s = 0; s < count; s++)
        if (!sides[s])
            return 0;
    for (size_t s = 0; s < count; s++)
        add_rows(&rows, sides[s], s);
    for (int library = 0; library < 2 && count; library++)
        found = tell_rows(&rows, sides[0]->store, library, count, found, words);
    for (size_t s = 0; s < count && found > GUARDS_TOLD; s++)
        buf_addf(&words[s], " and %zu more", found - GUARDS_TOLD);
    arena_free(&rows.arena);
    return found;
}

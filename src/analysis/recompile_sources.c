/* TORCH_COMPILE_DYNAMIC_SOURCES is one list for all functions: advice on one of them has the sources of all, because the
 * value that is set last replaces the others. */
#include "analysis/recompile_advice.h"
#include "base/map.h"
#include "base/renames.h"

enum { SOURCES_MAX = 16 /* in one value */ };

/* The place of the value in the text; its ptr is NULL if there is none. */
static struct slice value_in(struct slice text) {
    static const struct slice name = SLICE_INIT("TORCH_COMPILE_DYNAMIC_SOURCES=\"");
    size_t at = slice_find(text, name);
    if (at == SIZE_MAX)
        return (struct slice){0};
    struct slice rest = slice_from(text, at + name.len);
    return slice_first(rest, slice_find(rest, SLICE("\"`")));
}

struct joined {
    struct map seen;
    struct buf text;
    struct slice sources[SOURCES_MAX];
    size_t count;
    bool shared; /* several functions have such an input */
};

/* PyTorch takes every comma as the end of a source, too. */
static void join(struct joined *joined, struct slice value) {
    while (value.len && joined->count <= SOURCES_MAX) {
        size_t comma = slice_find(value, SLICE(","));
        struct slice one = slice_first(value, comma);
        bool added;
        map_put(&joined->seen, one, 0, &added);
        if (added) {
            buf_add_str(&joined->text, joined->text.len ? "," : "");
            buf_add(&joined->text, one);
            if (joined->count < SOURCES_MAX)
                joined->sources[joined->count] = one;
            joined->count++;
        }
        value = comma == SIZE_MAX ? (struct slice){0} : slice_from(value, comma + 1);
    }
}

static bool has_source(const struct model *model, const struct compile *compile, struct slice source) {
    static const enum guard_aspect aspects[] = {ASPECT_TYPE, ASPECT_RANK, ASPECT_VALUE};
    for (size_t i = 0; i < sizeof aspects / sizeof *aspects; i++)
        if (guard_set_get(model, compile, aspects[i], (struct slice){0}, source).ptr)
            return true;
    return false;
}

/* "L['x']" of "L['x']:0" */
static struct slice without_dimension(struct slice source) {
    size_t colon = slice_rfind_byte(source, ':');
    return colon != SIZE_MAX && !slice_ends(source, SLICE("]")) ? slice_first(source, colon) : source;
}

/* Whether two functions have the source. What goes on after a graph break is no other function. */
static bool is_shared(const struct model *model, struct slice source) {
    const struct compile *first = NULL;
    for (size_t i = 0; i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[i];
        if (!compile->framed || name_is_resumed(compile->frame.function) || !has_source(model, compile, source))
            continue;
        if (first && (!slice_eq(first->frame.function, compile->frame.function) ||
                      !slice_eq(first->frame.file, compile->frame.file) || first->frame.line != compile->frame.line))
            return true;
        first = first ? first : compile;
    }
    return false;
}

static void put(struct advice *advice, struct slice value, const struct joined *joined, struct arena *arena) {
    struct buf text = {0};
    size_t at = (size_t)(value.ptr - advice->text.ptr);
    buf_add(&text, slice_first(advice->text, at));
    if (joined->count <= SOURCES_MAX)
        buf_add(&text, buf_slice(&joined->text));
    else {
        buf_add(&text, value);
        buf_add_lit(&text, ",…"); /* the sources in the other advice */
    }
    struct slice rest = slice_from(advice->text, at + value.len);
    size_t end = SLICE("\"`").len;
    buf_add(&text, slice_first(rest, end));
    buf_add_str(&text, joined->shared ? " (for every function with such an input)" : "");
    buf_add(&text, slice_from(rest, end));
    advice->text = arena_slice(arena, buf_slice(&text));
    buf_free(&text);
}

/* One pass collects the sources, and the next one puts them into the advice. */
static void each_value(struct chains *chains, struct joined *joined, bool collects) {
    for (size_t i = 0; i < chains->list.count; i++)
        for (size_t n = 0; n < chains->list.items[i].advice.count; n++) {
            struct advice *advice = &chains->list.items[i].advice.items[n];
            struct slice value = value_in(advice->text);
            if (value.len && collects)
                join(joined, value);
            else if (value.len)
                put(advice, value, joined, &chains->arena);
        }
}

void recompile_join_sources(struct chains *chains, const struct model *model) {
    struct joined joined = {0};
    each_value(chains, &joined, true);
    for (size_t i = 0; i < joined.count && i < SOURCES_MAX && !joined.shared; i++)
        joined.shared = is_shared(model, without_dimension(joined.sources[i]));
    each_value(chains, &joined, false);
    map_free(&joined.seen);
    buf_free(&joined.text);
}

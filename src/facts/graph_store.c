#include "facts/graph_store.h"

#include <pthread.h>

#include "model/model.h"

struct graph_store {
    pthread_mutex_t lock;
    struct map map;
    struct arena arena;
    LIST(const struct graph_trace *) list;
};

struct graph_store *graph_store_create(void) {
    struct graph_store *store = mem_zalloc(1, sizeof *store);
    pthread_mutex_init(&store->lock, NULL);
    return store;
}

void graph_store_destroy(struct graph_store *store) {
    arena_free(&store->arena);
    pthread_mutex_destroy(&store->lock);
    mem_free(store);
}

static struct slice copy(struct arena *arena, struct slice text, struct slice before) {
    if (!text.ptr)
        return text;
    return before.ptr && slice_eq(text, before) ? before : arena_slice(arena, text);
}

static const struct graph_trace *copy_trace(struct arena *arena, const struct graph_trace *trace) {
    static const struct graph_step none;
    struct graph_trace *kept = arena_zalloc(arena, sizeof *kept);
    *kept = *trace;
    kept->steps = arena_alloc(arena, (trace->count + 1) * sizeof *kept->steps);
    kept->calls = arena_alloc(arena, (trace->call_count + 1) * sizeof *kept->calls);
    for (uint32_t i = 0; i < trace->count; i++) {
        const struct graph_step *step = &trace->steps[i], *before = i ? &kept->steps[i - 1] : &none;
        kept->steps[i] = *step;
        kept->steps[i].file = copy(arena, step->file, before->file);
        kept->steps[i].function = copy(arena, step->function, before->function);
        kept->steps[i].code = copy(arena, step->code, before->code);
        kept->steps[i].text = copy(arena, step->text, (struct slice){0});
        kept->steps[i].type = copy(arena, step->type, before->type);
    }
    for (uint32_t i = 0; i < trace->call_count; i++)
        kept->calls[i] = copy(arena, trace->calls[i], i ? kept->calls[i - 1] : (struct slice){0});
    return kept;
}

const struct graph_trace *graph_store_take(struct graph_store *store, uint64_t hash, const struct graph_trace *trace) {
    bool added;
    if (!trace)
        return NULL;
    pthread_mutex_lock(&store->lock);
    uint32_t at = *map_put_in(&store->arena, &store->map, slice_make((const char *)&hash, sizeof hash),
                              (uint32_t)store->list.count, &added);
    if (added)
        ARENA_ADD(&store->arena, &store->list, copy_trace(&store->arena, trace));
    const struct graph_trace *kept = store->list.items[at];
    pthread_mutex_unlock(&store->lock);
    return kept;
}

const struct graph_trace *graph_store_find(struct graph_store *store, uint64_t hash) {
    pthread_mutex_lock(&store->lock);
    uint32_t at = map_get(&store->map, slice_make((const char *)&hash, sizeof hash));
    const struct graph_trace *kept = at == MAP_NONE ? NULL : store->list.items[at];
    pthread_mutex_unlock(&store->lock);
    return kept;
}

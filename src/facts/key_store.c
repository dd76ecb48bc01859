#include "facts/key_store.h"

#include <pthread.h>

/* Finished logs that wait for earlier ones. */
struct key_store_queue {
    pthread_mutex_t lock;
    LIST(struct rank_facts *) done; /* by index; NULL: not yet */
    size_t next;
};

struct key_store *key_store_create(void) {
    struct key_store *store = mem_zalloc(1, sizeof *store);
    store->keys = cache_keys_create(&store->arena);
    store->queue = arena_zalloc(&store->arena, sizeof *store->queue);
    pthread_mutex_init(&store->queue->lock, NULL);
    return store;
}

void key_store_destroy(struct key_store *store) {
    pthread_mutex_destroy(&store->queue->lock);
    arena_free(&store->arena);
    mem_free(store);
}

void key_store_note(struct key_store *store, struct rank_lookup *lookup, uint32_t components) {
    bool added;
    lookup->key = *map_put_in(&store->arena, &store->map, lookup->name, (uint32_t)store->list.count, &added);
    if (added) {
        ARENA_ADD(&store->arena, &store->list, (struct stored_key){lookup->cache, components});
    } else if (store->list.items[lookup->key].components == KEY_NONE) {
        store->list.items[lookup->key].components = components;
    }
}

/* Adds the log's keys to the store, and replaces the keys in its lookups with those of the store. */
static void add_log(struct key_store *store, struct rank_keys *log) {
    uint32_t *places = mem_alloc((cache_keys_count(log->own) + 1) * sizeof *places);
    cache_keys_merge(store->keys, log->own, places);
    for (size_t i = 0; i < log->lookups.count; i++) {
        struct rank_lookup *lookup = &log->lookups.items[i];
        key_store_note(store, lookup, lookup->key == KEY_NONE ? KEY_NONE : places[lookup->key]);
    }
    rank_keys_forget(log);
    mem_free(places);
}

void key_store_add(struct key_store *store, size_t place, struct rank_facts *facts) {
    struct key_store_queue *queue = store->queue;
    pthread_mutex_lock(&queue->lock);
    while (queue->done.count <= place)
        ARENA_ADD(&store->arena, &queue->done, NULL);
    queue->done.items[place] = facts;
    for (; queue->next < queue->done.count && queue->done.items[queue->next]; queue->next++)
        if (queue->done.items[queue->next]->keys)
            add_log(store, queue->done.items[queue->next]->keys);
    pthread_mutex_unlock(&queue->lock);
}

struct key_compile lookup_compile(const struct rank_facts *facts, uint32_t compile) {
    if (facts->members.count)
        return facts->keys->compiles.items[compile];
    const struct rank_compile *c = facts->compiles.items[compile];
    return (struct key_compile){c->id, c->frame, c->place, UINT32_MAX};
}

static struct slice copy(struct rank_facts *job, struct slice text) {
    return text.ptr ? arena_slice(&job->arena, text) : text;
}

static void add_compile(struct rank_facts *job, struct rank_keys *taken, const struct rank_compile *c,
                        uint32_t member) {
    ARENA_ADD(&job->arena, &taken->compiles,
              (struct key_compile){copy(job, c->id),
                                   copy(job, c->frame),
                                   {copy(job, c->place.file), copy(job, c->place.function), c->place.line},
                                   member});
}

/* Lookups of one compile are adjacent. */
static void take_member(struct rank_facts *job, struct rank_keys *taken, const struct key_store *store,
                        const uint32_t *places, const struct rank_facts *facts, uint32_t member) {
    uint32_t compile = UINT32_MAX;
    taken->more += facts->keys->more;
    for (size_t i = 0; i < facts->keys->lookups.count; i++) {
        struct rank_lookup lookup = facts->keys->lookups.items[i];
        uint32_t components = store->list.items[lookup.key].components;
        if (taken->lookups.count == JOB_LOOKUPS_MAX) {
            taken->more += lookup.outcome == OUTCOME_MISS;
            continue;
        }
        if (lookup.compile != compile)
            add_compile(job, taken, facts->compiles.items[lookup.compile], member);
        compile = lookup.compile;
        lookup.compile = (uint32_t)taken->compiles.count - 1;
        lookup.key = components == KEY_NONE ? KEY_NONE : places[components];
        lookup.name = copy(job, lookup.name);
        lookup.guards = copy(job, lookup.guards);
        ARENA_ADD(&job->arena, &taken->lookups, lookup);
        ARENA_ADD(&job->arena, &taken->times_us, rank_keys_time(facts->keys, i));
    }
}

struct rank_keys *job_keys_take(struct rank_facts *job, const struct key_store *store,
                                const struct rank_facts *const *facts, size_t count) {
    struct rank_keys *taken = arena_zalloc(&job->arena, sizeof *taken);
    uint32_t *places = mem_alloc((cache_keys_count(store->keys) + 1) * sizeof *places);
    taken->own = cache_keys_create(&taken->own_arena);
    cache_keys_merge(taken->own, store->keys, places);
    for (size_t i = 0; i < count; i++)
        if (facts[i]->keys && !facts[i]->bad && !facts[i]->older && facts[i]->job == 0)
            take_member(job, taken, store, places, facts[i], (uint32_t)i);
    mem_free(places);
    return taken;
}

#include "diverge/cache_misses.h"

#include "analysis/advice_words.h"
#include "base/match.h"

#define NONE UINT32_MAX

typedef LIST(uint32_t) number_list;

/* A key of the store, and the logs that looked it up. */
struct owned_key {
    LIST(struct key_owner)
    owners; /* the first lookup of each log that counts (see find_owners()), in the order of the logs */
    uint32_t graph, function; /* indices into finder->groups; NONE: unknown */
    uint32_t place,
        name; /* as `function`, for a file with this name in any folder, and without the line, which may have moved */
    bool looked_at;
};

struct finder {
    struct arena arena;
    struct cache_misses *misses;
    struct key_store *store;
    const struct rank_facts *const *facts;
    size_t count;
    struct owned_key *keys;
    struct map group_map, cause_map;
    LIST(number_list) groups;       /* groups of keys with the same graph, or the same function */
    size_t compared, pairs;         /* number of compared logs; number of compared pairs of keys so far */
    size_t counted;                 /* compared logs whose lookups differ from those of all logs before them */
    uint32_t first[CACHES_COUNTED]; /* per cache: the earliest run with logged components; NONE: none */
};

static bool takes_part(const struct finder *finder, size_t log) {
    const struct rank_facts *facts = finder->facts[log];
    return facts->keys && (finder->misses->runs ? !facts->bad : rank_is_compared(facts));
}

/* Whether a run began before another. If the logs do not show it, the given order counts. */
static bool began_before(const struct finder *finder, uint32_t a, uint32_t b) {
    int64_t one = finder->facts[a]->first_us, other = finder->facts[b]->first_us;
    return one && other && one != other ? one < other : a < b;
}

static uint32_t group_of(struct finder *finder, struct buf *name, uint32_t key) {
    bool added;
    uint32_t at =
        *map_put_in(&finder->arena, &finder->group_map, buf_slice(name), (uint32_t)finder->groups.count, &added);
    if (added)
        ARENA_ADD(&finder->arena, &finder->groups, (number_list){0});
    number_list *group = &finder->groups.items[at];
    ARENA_ADD(&finder->arena, group, key);
    name->len = 0;
    return at;
}

/* `anywhere`: like match.h, which matches functions of two runs even if their files are in other folders. */
static uint32_t function_group(struct finder *finder, uint32_t index, const struct place *frame, uint64_t line,
                               bool anywhere) {
    const struct stored_key *stored = &finder->store->list.items[index];
    AUTO_BUF name = {0};
    bool known = stored->components != KEY_NONE;
    buf_addf(&name, "%s %d %" PRIu32 " %" PRIu64 " ", cache_name(stored->cache), known,
             known ? cache_key_direction(finder->store->keys, stored->components) : 0, line);
    if (anywhere) {
        match_key_add(&name, frame->function, frame->file);
    } else {
        buf_add(&name, frame->function);
        buf_add_byte(&name, 0);
        buf_add(&name, frame->file);
    }
    uint32_t group = group_of(finder, &name, index);
    return group;
}

/* Adds the key to its groups: by its graph, and by the function and direction of its first lookup. */
static void add_to_groups(struct finder *finder, uint32_t index, const struct key_compile *compile) {
    const struct stored_key *stored = &finder->store->list.items[index];
    struct owned_key *key = &finder->keys[index];
    AUTO_BUF name = {0};
    uint32_t graph =
        stored->components == KEY_NONE ? KEY_NONE : cache_key_graph(finder->store->keys, stored->components);
    if (graph != KEY_NONE) {
        buf_addf(&name, "%s graph %" PRIu32, cache_name(stored->cache), graph);
        key->graph = group_of(finder, &name, index);
    }
    if (compile->place.function.len) {
        key->function = function_group(finder, index, &compile->place, compile->place.line, false);
        key->place = function_group(finder, index, &compile->place, compile->place.line, true);
        key->name = function_group(finder, index, &compile->place, UINT64_MAX, true);
    }
}

/* Ranks whose facts were merged share their lookups: the first of them represents all, and comes first in every search.
 * Each run has its own misses. */
static void find_owners(struct finder *finder) {
    AUTO_MAP seen = {0};
    for (uint32_t log = 0; log < finder->count; log++) {
        if (!takes_part(finder, log))
            continue;
        finder->compared++;
        const struct rank_keys *keys = finder->facts[log]->keys;
        bool added = true;
        if (keys->shared && !finder->misses->runs)
            map_put(&seen, slice_make((const char *)&keys->shared, sizeof keys->shared), 0, &added);
        finder->counted += added;
        for (size_t i = 0; added && i < keys->lookups.count; i++) {
            const struct rank_lookup *lookup = &keys->lookups.items[i];
            struct owned_key *key = &finder->keys[lookup->key];
            struct key_compile compile = lookup_compile(finder->facts[log], lookup->compile);
            if (!key->owners.count)
                add_to_groups(finder, lookup->key, &compile);
            if (key->owners.count && key->owners.items[key->owners.count - 1].log == log)
                continue;
            ARENA_ADD(&finder->arena, &key->owners, (struct key_owner){log, lookup->compile, lookup->outcome});
            uint32_t *first = &finder->first[lookup->cache];
            if (key->graph != NONE && (*first == NONE || began_before(finder, log, *first)))
                *first = log;
        }
    }
}

static bool has_owner(const struct owned_key *key, uint32_t log) {
    size_t low = 0;
    SEARCH(low, key->owners.count, middle, key->owners.items[middle].log < log);
    return low < key->owners.count && key->owners.items[low].log == log;
}

/* The log of `other` with which the miss of `key` in `log` is compared: for runs, the latest earlier one; for ranks,
 * the first one without the key. NULL: none. */
static const struct key_owner *other_owner(const struct finder *finder, uint32_t key, uint32_t other, uint32_t log) {
    const struct owned_key *one = &finder->keys[key], *two = &finder->keys[other];
    const struct key_owner *found = NULL;
    for (size_t i = 0; i < two->owners.count; i++) {
        const struct key_owner *owner = &two->owners.items[i];
        if (!finder->misses->runs) {
            if (!has_owner(one, owner->log))
                return owner;
        } else if (began_before(finder, owner->log, log) && (!found || began_before(finder, found->log, owner->log))) {
            found = owner;
        }
    }
    return found;
}

/* Whether two functions of a group are known to be different: on different lines, or in two files of one log. */
static bool are_apart(const struct finder *finder, const struct key_owner *one, const struct key_owner *other) {
    const struct place a = lookup_compile(finder->facts[one->log], one->compile).place,
                       b = lookup_compile(finder->facts[other->log], other->compile).place;
    return a.line != b.line || (one->log == other->log && !slice_eq(a.file, b.file));
}

/* Compares the key with the keys of a group. Returns false if no other log has one, or if of_one is set and they belong
 * to several functions. */
static bool compare_with(struct finder *finder, uint32_t group, bool of_one, struct cache_miss *miss) {
    uint32_t others[KEYS_OF_OTHERS_MAX], components[KEYS_OF_OTHERS_MAX] = {0};

    size_t count = 0;
    const struct key_owner *first = NULL;
    const struct stored_key *stored = finder->store->list.items;
    const number_list *keys = group == NONE ? NULL : &finder->groups.items[group];
    for (size_t i = 0; keys && i < keys->count && count < KEYS_OF_OTHERS_MAX && finder->pairs < KEY_PAIRS_MAX; i++) {
        uint32_t other = keys->items[i];
        finder->pairs++;

        const struct key_owner *owner = other_owner(finder, miss->key, other, miss->owner.log);
        if (other == miss->key || !owner)
            continue;
        if (of_one && first && are_apart(finder, first, owner))
            return false;
        first = first ? first : owner;

        others[count] = other;
        components[count++] = stored[other].components;
    }
    if (!cache_keys_nearest(finder->store->keys, stored[miss->key].components, components, count, &miss->comparison))
        return false;
    for (size_t i = 0; i < count; i++)
        if (components[i] == miss->comparison.nearest) {
            miss->nearest = *other_owner(finder, miss->key, others[i], miss->owner.log);
            return true;
        }
    return false;
}

/* Finds another key in the group; NULL: there is none in another log, or of_one is set and they belong to several
 * functions. */
static const struct key_owner *find_any(struct finder *finder, uint32_t group, bool of_one,
                                        const struct cache_miss *miss) {
    const number_list *keys = group == NONE ? NULL : &finder->groups.items[group];
    const struct key_owner *first = NULL;
    for (size_t i = 0; keys && i < keys->count && i < KEYS_OF_OTHERS_MAX && finder->pairs < KEY_PAIRS_MAX; i++) {
        const struct key_owner *owner = other_owner(finder, miss->key, keys->items[i], miss->owner.log);
        finder->pairs++;
        if (!owner || keys->items[i] == miss->key)
            continue;
        if (of_one && first && are_apart(finder, first, owner))
            return NULL;
        first = first ? first : owner;
    }
    return first;
}

/* Finds a key of the same function whose components are also unknown. */
static bool find_unknown(struct finder *finder, struct cache_miss *miss) {
    const struct owned_key *key = &finder->keys[miss->key];
    const struct key_owner *other = find_any(finder, key->function, false, miss);
    other = other ? other : find_any(finder, key->place, true, miss);
    other = other ? other : find_any(finder, key->name, true, miss);
    if (!other)
        return false;
    miss->kind = MISS_NOT_LOGGED;
    miss->nearest = *other;
    return true;
}

/* Finds out, from other logs, why the key missed. */
static bool explain(struct finder *finder, struct cache_miss *miss) {
    const struct owned_key *key = &finder->keys[miss->key];
    bool runs = finder->misses->runs;
    const struct key_owner *same = runs ? other_owner(finder, miss->key, miss->key, miss->owner.log) : NULL;
    miss->nearest.log = NONE;
    if (same) {
        miss->kind = miss->lookup->guard_miss ? MISS_GUARDS : MISS_SAME_KEY;
        miss->nearest = *same;
        return true;
    }
    if (finder->store->list.items[miss->key].components == KEY_NONE)
        return find_unknown(finder, miss);
    miss->kind = MISS_COMPONENTS;

    if (compare_with(finder, key->graph, false, miss))
        return true;

    miss->kind = MISS_GRAPH;
    if (compare_with(finder, key->function, false, miss) || compare_with(finder, key->place, true, miss) ||
        compare_with(finder, key->name, true, miss))
        return true;
    uint32_t first = finder->first[miss->lookup->cache];
    miss->kind = MISS_NEW;
    return runs && first != NONE && began_before(finder, first, miss->owner.log);
}

/* The cause of a miss is the differences without their values: within one run, misses with the same differences share a
 * cause. */
static struct miss_cause *cause_of(struct finder *finder, const struct cache_miss *miss) {
    struct cache_misses *misses = finder->misses;
    AUTO_BUF name = {0};
    bool added;
    buf_addf(&name, "%s %d %" PRIu32, cache_name(miss->lookup->cache), (int)miss->kind,
             misses->runs ? miss->owner.log : 0);
    for (uint32_t i = 0; i < miss->comparison.listed; i++) {
        buf_add_byte(&name, 0);
        buf_add(&name, miss->comparison.list[i].name);
    }
    uint32_t at =
        *map_put_in(&finder->arena, &finder->cause_map, buf_slice(&name), (uint32_t)misses->causes.count, &added);
    if (added)
        ARENA_ADD(&misses->arena, &misses->causes, (struct miss_cause){.time_us = -1});
    return &misses->causes.items[at];
}

static int64_t time_of(const struct finder *finder, const struct cache_miss *miss) {
    const struct rank_keys *keys = finder->facts[miss->owner.log]->keys;
    return rank_keys_time(keys, (size_t)(miss->lookup - keys->lookups.items));
}

static void keep(struct finder *finder, const struct cache_miss *miss) {
    struct cache_misses *misses = finder->misses;
    struct miss_cause *cause = cause_of(finder, miss);
    bool full = misses->list.count == CACHE_MISSES_MAX;
    if (full && !cause->count) { /* it has no example */
        misses->more++;
        return;
    }
    cause->count++;
    add_known(&cause->time_us, time_of(finder, miss));
    if (full)
        return;
    if (cause->misses.count < CACHE_MISS_MEMBERS_MAX)
        ARENA_ADD(&misses->arena, &cause->misses, (uint32_t)misses->list.count);
    ARENA_ADD(&misses->arena, &misses->list, *miss);
}

static void take_lookup(struct finder *finder, uint32_t log, const struct rank_lookup *lookup) {
    const struct owned_key *key = &finder->keys[lookup->key];
    struct cache_miss miss = {.key = lookup->key, .lookup = lookup, .owner = {log, lookup->compile, lookup->outcome}};
    if (!finder->misses->runs && key->owners.count == finder->counted)
        return; /* all ranks look the key up, so the key does not explain the miss */
    if (finder->pairs >= KEY_PAIRS_MAX)
        finder->misses->more++;
    else if (explain(finder, &miss))
        keep(finder, &miss);
}

/* Finds the misses among the lookups of a log, or of a rank of a job, each key once. Returns the index of the next
 * rank's first lookup. */
static size_t find_misses_of(struct finder *finder, uint32_t log, size_t first) {
    const struct rank_keys *keys = finder->facts[log]->keys;
    uint32_t member = lookup_compile(finder->facts[log], keys->lookups.items[first].compile).member;
    size_t end = first;
    for (; end < keys->lookups.count; end++) {
        const struct rank_lookup *lookup = &keys->lookups.items[end];
        if (lookup_compile(finder->facts[log], lookup->compile).member != member)
            break;
        if (lookup->outcome == OUTCOME_MISS && !finder->keys[lookup->key].looked_at) {
            finder->keys[lookup->key].looked_at = true;
            take_lookup(finder, log, lookup);
        }
    }
    for (size_t i = first; i < end; i++)
        finder->keys[keys->lookups.items[i].key].looked_at = false;
    return end;
}

static void find_misses(struct finder *finder) {
    for (uint32_t log = 0; log < finder->count; log++) {
        if (!takes_part(finder, log))
            continue;
        const struct rank_keys *keys = finder->facts[log]->keys;
        finder->misses->more += keys->more;
        for (size_t at = 0; at < keys->lookups.count;)
            at = find_misses_of(finder, log, at);
    }
}

void cache_misses_find(struct cache_misses *misses, struct key_store *store, const struct rank_facts *const *facts,
                       size_t count) {
    struct finder finder = {.misses = misses, .store = store, .facts = facts, .count = count, .first = {NONE, NONE}};
    *misses = (struct cache_misses){.runs = true};
    for (size_t i = 0; i < count; i++)
        misses->runs &= !facts[i]->has_rank;
    finder.keys = arena_zalloc(&finder.arena, store->list.count * sizeof *finder.keys);
    for (size_t i = 0; i < store->list.count; i++)
        finder.keys[i].graph = finder.keys[i].function = finder.keys[i].place = finder.keys[i].name = NONE;
    find_owners(&finder);
    if (finder.compared > 1)
        find_misses(&finder);
    arena_free(&finder.arena);
}

void cache_misses_finish(struct cache_misses *misses) {
    arena_free(&misses->arena);
    *misses = (struct cache_misses){0};
}

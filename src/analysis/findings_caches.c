/* Compile caches: results that were not saved, and misses of what was compiled before. */
#include <inttypes.h>
#include <stdlib.h>

#include "analysis/cache_words.h"
#include "analysis/findings_make.h"
#include "analysis/phases.h"
#include "base/mem.h"

enum { REASONS_MAX = 300 };

bool cache_had_earlier(const struct compile *compile, const struct map *missed) {
    for (size_t i = 0; i < compile->caches.count; i++) {
        const struct cache_result *result = &compile->caches.items[i];
        if (result->outcome == OUTCOME_HIT && (!result->key.len || map_get(missed, result->key) == MAP_NONE))
            return true;
    }
    return false;
}

void cache_missed_keys(struct map *missed, const struct model *model) {
    for (uint32_t i = 0; i < model->compiles.count; i++)
        for (size_t c = 0; c < model->compiles.items[i]->caches.count; c++) {
            const struct cache_result *result = &model->compiles.items[i]->caches.items[c];
            if (result->outcome == OUTCOME_MISS && result->key.len)
                map_put(missed, result->key, i, NULL);
        }
}

/* A result of a process: what another process missed may be stored now. */
static void add_own_key(struct buf *key, const struct compile *compile, struct slice of) {
    key->len = 0;
    buf_addf(key, "%" PRIu64 " ", compile->process);
    buf_add(key, of);
}

bool cache_is_kept(const struct model *model) {
    struct map missed = {0};
    struct buf key = {0};
    bool kept = false;
    for (uint32_t i = 0; i < model->compiles.count; i++)
        for (size_t c = 0; c < model->compiles.items[i]->caches.count; c++) {
            const struct cache_result *result = &model->compiles.items[i]->caches.items[c];
            if (result->outcome != OUTCOME_MISS || !result->key.len)
                continue;
            add_own_key(&key, model->compiles.items[i], result->key);
            map_put(&missed, buf_slice(&key), i, NULL);
        }
    for (uint32_t i = 0; i < model->compiles.count && !kept; i++)
        for (size_t c = 0; c < model->compiles.items[i]->caches.count && !kept; c++) {
            const struct cache_result *result = &model->compiles.items[i]->caches.items[c];
            if (result->outcome != OUTCOME_HIT)
                continue;
            add_own_key(&key, model->compiles.items[i], result->key);
            kept = !result->key.len || map_get(&missed, buf_slice(&key)) == MAP_NONE;
        }
    buf_free(&key);
    map_free(&missed);
    return kept;
}

/* Adds the compile, and its time that a hit would have skipped. */
static void add_cost(struct findings *findings, uint32_t index, const struct model *model, uint32_t place,
                     int64_t time_us) {
    struct finding *finding = &findings->list.items[index];
    finding->cost = COST_CACHEABLE;
    if (finding_name_compile(findings, finding, place) && model->compiles.items[place]->framed)
        finding_add_time(finding, time_us);
}

/* The results of one cache for a compile. */
struct answers {
    uint64_t hits, misses;
    bool bypass;
    struct slice reason; /* of the first bypass */
};

static struct answers answers_of(const struct compile *compile, enum cache cache) {
    struct answers found = {0};
    for (size_t i = 0; i < compile->caches.count; i++) {
        const struct cache_result *result = &compile->caches.items[i];
        if (result->cache != cache)
            continue;
        found.hits += result->outcome == OUTCOME_HIT;
        found.misses += result->outcome == OUTCOME_MISS;
        if (result->outcome == OUTCOME_BYPASS && !found.bypass) {
            found.bypass = true;
            found.reason = result->reason;
        }
    }
    return found;
}

struct bypass {
    uint32_t finding;
    bool fx, aot, framed;
    uint64_t hits, misses; /* of the other cache, in the same compiles */
};

/* Adds the results of the other cache, which determine the cost of a bypass. */
static void end_bypass(struct findings *findings, const struct bypass *bypass) {
    struct finding *finding = &findings->list.items[bypass->finding];
    uint64_t all = bypass->hits + bypass->misses;
    const char *other = cache_title(bypass->fx ? CACHE_AOTAUTOGRAD : CACHE_FX_GRAPH);
    struct buf why = {0};
    buf_add(&why, finding->why);
    if (bypass->fx && bypass->aot)
        buf_add_lit(&why, " Neither cache keeps this graph, so each process compiles it.");
    else if (!all && bypass->framed)
        buf_addf(&why, " The log has no lookup in the %s cache.", other);
    else if (all && !bypass->hits)
        buf_addf(&why, " The %s cache missed.", other);
    else if (all && !bypass->misses)
        buf_addf(&why, " The %s cache still hit.", other);
    else if (all)
        buf_addf(&why, " The %s cache still hit in %" PRIu64 " of %" PRIu64 " lookups.", other, bypass->hits, all);
    finding->why = finding_keep(findings, &why);
}

static void set_place(struct findings *findings, struct finding *finding, const struct compile *compile) {
    finding->place = finding_place(compile->frame, compile->stack);
    finding->library = finding->place.file.ptr && is_library_file(finding->place.file);
    finding->link = finding_link(findings, compile);
}

static void add_bypass(struct findings *findings, const struct compile *compile,
                       const struct answers answers[CACHES_COUNTED]) {
    bool fx = answers[CACHE_FX_GRAPH].bypass, both = fx && answers[CACHE_AOTAUTOGRAD].bypass;
    struct finding *finding = finding_add(findings, FINDING_CACHE_BYPASS, SEVERITY_INFO, IMPACT_COMPILE_TIME);
    struct buf why = {0};
    finding->title =
        both ? SLICE("The FX graph and AOTAutograd caches were bypassed")
             : finding_say(findings, "The %s cache was bypassed", cache_title(fx ? CACHE_FX_GRAPH : CACHE_AOTAUTOGRAD));
    for (int cache = 0; cache < CACHES_COUNTED; cache++) {
        const struct answers *found = &answers[cache];
        if (!found->bypass)
            continue;
        struct slice reason =
            found->reason.ptr ? finding_line(findings, found->reason) : SLICE("the log does not say why");
        if (both)
            buf_addf(&why, "%s%s: ", why.len ? " " : "", cache_title((enum cache)cache));
        buf_add(&why, slice_first(reason, REASONS_MAX));
        if (reason.len && reason.ptr[reason.len - 1] != '.')
            buf_add_byte(&why, '.');
    }
    finding->why = finding_keep(findings, &why);
    set_place(findings, finding, compile);
}

struct bypasses {
    struct map seen;
    LIST(struct bypass) list;
};

/* Bypasses with the same caches and reasons are one finding. */
static void note_bypass(struct findings *findings, struct bypasses *all, const struct model *model, uint32_t place,
                        const struct answers answers[CACHES_COUNTED]) {
    const struct compile *compile = model->compiles.items[place];
    struct buf key = {0};
    bool added;
    bool fx = answers[CACHE_FX_GRAPH].bypass, aot = answers[CACHE_AOTAUTOGRAD].bypass;
    buf_addf(&key, "%d%d%d ", fx, aot, compile->framed);
    buf_add(&key, answers[CACHE_FX_GRAPH].reason);
    buf_add_byte(&key, 0);
    buf_add(&key, answers[CACHE_AOTAUTOGRAD].reason);
    uint32_t index = *map_put_in(&findings->scratch, &all->seen, buf_slice(&key), (uint32_t)all->list.count, &added);
    buf_free(&key);
    if (added) {
        struct bypass bypass = {.finding = (uint32_t)findings->list.count,
                                .fx = fx,
                                .aot = aot,
                                .framed = compile->framed};
        add_bypass(findings, compile, answers);
        ARENA_GROW(&findings->scratch, &all->list);
        all->list.items[all->list.count++] = bypass;
    }
    const struct answers *other = &answers[fx ? CACHE_AOTAUTOGRAD : CACHE_FX_GRAPH];
    all->list.items[index].hits += other->hits;
    all->list.items[index].misses += other->misses;
    int64_t time = -1;
    for (int cache = 0; cache < CACHES_COUNTED; cache++)
        if (answers[cache].bypass)
            add_known(&time, phases_skippable(compile, (enum cache)cache, OUTCOME_BYPASS));
    add_cost(findings, all->list.items[index].finding, model, place, time);
}

static void add_bypasses(struct findings *findings, const struct model *model) {
    struct bypasses all = {0};
    for (uint32_t i = 0; i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[i];
        struct answers answers[CACHES_COUNTED];
        bool any = false;
        for (int cache = 0; cache < CACHES_COUNTED; cache++) {
            answers[cache] = answers_of(compile, (enum cache)cache);
            any |= answers[cache].bypass;
        }
        if (compile->framed && any) {
            note_bypass(findings, &all, model, i, answers);
            continue;
        }
        for (int cache = CACHES_COUNTED - 1; cache >= 0;
             cache--) { /* outside of compiles, they belong to different graphs */
            struct answers one[CACHES_COUNTED] = {0};
            one[cache] = answers[cache];
            if (answers[cache].bypass)
                note_bypass(findings, &all, model, i, one);
        }
    }
    for (size_t i = 0; i < all.list.count; i++)
        end_bypass(findings, &all.list.items[i]);
}

/* Whether the keys differ in the inputs only: the compile is for others, such as another size, and so is its code. */
static bool is_of_other_inputs(const struct key_comparison *comparison) {
    for (uint32_t i = 0; i < comparison->listed; i++)
        if (!slice_starts(comparison->list[i].name, SLICE("example_inputs[")))
            return false;
    return comparison->listed == comparison->count;
}

static void add_near_miss(struct findings *findings, const struct model *model, const struct compile *compile,
                          const struct cache_result *cache, const struct key_comparison *comparison) {
    struct finding *finding = finding_add(findings, FINDING_CACHE_MISS, SEVERITY_INFO, IMPACT_COMPILE_TIME);
    const struct compile *nearest = model->compiles.items[comparison->compile];
    struct buf why = {0};
    finding->title =
        finding_say(findings, "The %s cache missed a graph that was compiled before", cache_title(cache->cache));
    buf_addf(&why, "The key of [%.*s] differs from that of [%.*s]: ", SLICE_ARG(compile->key), SLICE_ARG(nearest->key));
    key_differences_add(&why, comparison, SLICE(" and was "));
    buf_add_byte(&why, '.');
    finding->why = finding_keep(findings, &why);
    finding->evidence = SLICE("components of the cache's records");
    set_place(findings, finding, compile);
}

/* The differences without their values: compiles that miss for the same reasons are one finding. */
static uint32_t *near_slot(struct map *seen, struct findings *findings, const struct cache_result *cache,
                           const struct key_comparison *comparison, bool *added) {
    struct buf key = {0};
    buf_addf(&key, "near %s", cache_name(cache->cache));
    for (uint32_t i = 0; i < comparison->listed; i++) {
        buf_add_byte(&key, 0);
        buf_add(&key, comparison->list[i].name);
    }
    uint32_t *slot = map_put_in(&findings->scratch, seen, buf_slice(&key), (uint32_t)findings->list.count, added);
    buf_free(&key);
    return slot;
}

static void add_again(struct findings *findings, const struct compile *compile, const struct compile *first,
                      const struct cache_result *cache, bool guards) {
    struct finding *finding = finding_add(findings, FINDING_CACHE_MISS, SEVERITY_INFO, IMPACT_COMPILE_TIME);
    const char *name = cache_title(cache->cache);
    struct buf why = {0};
    if (guards) {
        finding->title = finding_say(findings, "The %s cache has the graph, but for other sizes", name);
        buf_addf(&why,
                 "[%.*s] found entries with its key, and none whose guards hold for these inputs "
                 "(`cache_status_detailed`: `guard_miss`).",
                 SLICE_ARG(compile->key));
        if (cache->guards.len)
            buf_addf(&why, " Guards of an entry: `%.*s`.", SLICE_ARG(slice_first(cache->guards, REASONS_MAX)));
    } else {
        finding->title = finding_say(findings, "The %s cache missed the same key again", name);
        buf_addf(&why, "[%.*s] missed a key that [%.*s] had missed before: its entry was not there.",
                 SLICE_ARG(compile->key), SLICE_ARG(first->key));
    }
    finding->why = finding_keep(findings, &why);
    set_place(findings, finding, compile);
}

/* Adds " CACHE KEY" to the key of a map. */
static void add_cache_key(struct buf *out, const struct cache_result *cache) {
    buf_addf(out, " %s ", cache_name(cache->cache));
    buf_add(out, cache->key);
}

/* By index in model->compiles: a lookup that an earlier one of the compile repeats with the same time is a duplicate
 * record. */
static bool *find_repeated(struct findings *findings, const struct model *model) {
    bool *repeated = arena_zalloc(&findings->scratch, (model->compiles.count + 1) * sizeof *repeated), added;
    struct map events = {0};
    for (uint32_t i = 0; i < model->compiles.count; i++)
        for (size_t c = 0; c < model->compiles.items[i]->caches.count; c++) {
            const struct cache_result *cache = &model->compiles.items[i]->caches.items[c];
            struct buf key = {0};
            if (!cache->event_us)
                continue;
            buf_addf(&key, "%" PRIu64, cache->event_us);
            add_cache_key(&key, cache);
            repeated[i] |= *map_put_in(&findings->scratch, &events, buf_slice(&key), i, &added) != i;
            buf_free(&key);
        }
    return repeated;
}

/* The first missed lookup of a key. */
struct first_miss {
    uint32_t compile;
    uint64_t event_us;
};

struct misses {
    struct map missed, seen; /* by cache and key; by subject of the finding */
    LIST(struct first_miss) first;
    bool *repeated;
};

/* The finding that the miss belongs to, or UINT32_MAX. A miss of a cold cache is not an issue. It is one if the same
 * key misses twice, or if the graph was compiled before. */
static uint32_t take_miss(struct findings *findings, struct misses *misses, const struct model *model, uint32_t place,
                          const struct cache_result *cache) {
    const struct compile *compile = model->compiles.items[place];
    const struct key_comparison *comparison = cache_keys_compare(model, cache->components);
    bool first, added, guards = cache->guard_miss;
    struct buf key = {0};
    uint32_t index = UINT32_MAX;
    add_cache_key(&key, cache);
    uint32_t at =
        *map_put_in(&findings->scratch, &misses->missed, buf_slice(&key), (uint32_t)misses->first.count, &first);
    buf_free(&key);
    if (first) {
        ARENA_GROW(&findings->scratch, &misses->first);
        misses->first.items[misses->first.count++] = (struct first_miss){place, cache->event_us};
    }
    /* Logs of several processes are read one after the other, regardless of time. A compile that restarts looks up
     * again. */
    const struct first_miss *before = &misses->first.items[at];
    bool again = !first && !misses->repeated[place] && before->compile != place &&
                 (!cache->event_us || before->event_us <= cache->event_us);
    if (guards || again) {
        buf_addf(&key, "%s %d", cache_name(cache->cache), guards);
        index = *map_put_in(&findings->scratch, &misses->seen, buf_slice(&key), (uint32_t)findings->list.count, &added);
        buf_free(&key);
        if (added)
            add_again(findings, compile, model->compiles.items[before->compile], cache, guards);
    } else if (first && comparison && comparison->compile != place && comparison->same_graph && comparison->count &&
               !is_of_other_inputs(comparison)) {
        index = *near_slot(&misses->seen, findings, cache, comparison, &added);
        if (added)
            add_near_miss(findings, model, compile, cache, comparison);
    }
    return index;
}

static void add_misses(struct findings *findings, const struct model *model) {
    struct misses misses = {.repeated = find_repeated(findings, model)};
    for (uint32_t i = 0; i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[i];
        for (size_t c = 0; c < compile->caches.count; c++) {
            const struct cache_result *cache = &compile->caches.items[c];
            if (cache->outcome != OUTCOME_MISS || !cache->key.len)
                continue;
            uint32_t index = take_miss(findings, &misses, model, i, cache);
            if (index != UINT32_MAX)
                add_cost(findings, index, model, i, phases_skippable(compile, cache->cache, OUTCOME_MISS));
        }
    }
}

void findings_add_caches(struct findings *findings, const struct model *model) {
    add_bypasses(findings, model);
    add_misses(findings, model);
}

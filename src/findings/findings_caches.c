/* Compile caches: results that were already stored, and results that were not saved. */

#include "analysis/advice_words.h"
#include "analysis/phases.h"
#include "analysis/timeline.h"
#include "findings/findings_make.h"

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

/* The key of a result within one process: a result that another process missed may be stored now. */
static void add_own_key(struct buf *key, const struct compile *compile, struct slice of) {
    key->len = 0;
    BUF_ADD(key, compile->process, " ", of);
}

bool cache_is_kept(const struct model *model) {
    AUTO_MAP missed = {0};
    AUTO_BUF key = {0};
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
    return kept;
}

/* The results of one cache in a compile. */
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
    bool builds;           /* C++ was compiled, which the cache directory keeps anyway */
    uint64_t hits, misses; /* results of the other cache in the same compiles */
};

/* Adds the results of the other cache, which determine the cost of a bypass. */
static void end_bypass(struct findings *findings, const struct bypass *bypass) {
    struct finding *finding = &findings->list.items[bypass->finding];
    uint64_t all = bypass->hits + bypass->misses;
    const char *other = cache_title(bypass->fx ? CACHE_AOTAUTOGRAD : CACHE_FX_GRAPH);
    struct buf why = {0};
    buf_add(&why, finding->why);
    if (bypass->fx && bypass->aot && bypass->builds)
        buf_add_lit(&why, " Neither cache keeps this graph, so each process compiles it, but the cache directory keeps "
                          "what the C++ compiler built.");
    else if (bypass->fx && bypass->aot)
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

/* The first sentence of a long reason. */
static struct slice short_reason(struct findings *findings, struct slice reason) {
    size_t end = reason.len > REASONS_MAX ? slice_find(reason, SLICE(". ")) : SIZE_MAX;
    return finding_line(findings, slice_first(reason, end == SIZE_MAX ? end : end + 1));
}

/* What the program can do about the reason; "": nothing known. */
static struct slice bypass_advice(struct slice reason) {
    if (slice_starts(reason, SLICE("SAC context_fn does not have a cache_hash")))
        return SLICE(
            "Give the `context_fn` of the checkpoint an attribute `cache_hash`, such as a string that says what "
            "is saved and what is recomputed. For a `functools.partial`, set it on the partial itself.");
    if (slice_find(reason, SLICE("freezing enabled")) != SIZE_MAX)
        return SLICE("Leave `torch._inductor.config.freezing` off, in the program and in `TORCHINDUCTOR_FREEZING`, "
                     "where a faster start is "
                     "worth more than kernels with constant weights: later runs with the cache directory of this one "
                     "then load the result.");
    return SLICE("");
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
            found->reason.ptr ? short_reason(findings, found->reason) : SLICE("the log does not say why");
        if (both)
            buf_addf(&why, "%s%s: ", why.len ? " " : "", cache_title((enum cache)cache));
        buf_add(&why, reason);
        if (reason.len && reason.ptr[reason.len - 1] != '.')
            buf_add_byte(&why, '.');
        if (found->reason.len > REASONS_MAX && reason.len < found->reason.len)
            finding->message = finding_message(findings, slice_from(found->reason, reason.len));
        if (!finding->advice.len && bypass_advice(found->reason).len) {
            finding->advice = bypass_advice(found->reason);
            finding->evidence = SLICE("the cache's reason");
        }
    }
    finding->why = finding_keep(findings, &why);
    finding_set_place(findings, finding, compile);
}

struct bypasses {
    struct map seen;
    struct map ids; /* of the timeline, where needed */
    LIST(struct bypass) list;
};

/* The time of C++ builds in the compile, including templates of max_autotune: a later run finds their results. */
static int64_t built_us(const struct model *model, const struct compile *compile, const struct map *ids) {
    static const enum spend built[] = {SPEND_PROBES, SPEND_KERNELS, SPEND_AUTOTUNE};
    uint32_t id = map_get(ids, compile->key);
    const struct spent *spent = id == MAP_NONE ? NULL : model->timeline->spent.items[id];
    int64_t us = 0;
    for (size_t i = 0; spent && i < sizeof built / sizeof *built; i++)
        for (int phase = 0; phase < PHASES; phase++)
            us += spent->us[built[i]][phase];
    return us;
}

/* Notes a bypass. Bypasses with the same caches and reasons are one finding. */
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
        ARENA_ADD(&findings->scratch, &all->list, bypass);
    }
    const struct answers *other = &answers[fx ? CACHE_AOTAUTOGRAD : CACHE_FX_GRAPH];
    all->list.items[index].hits += other->hits;
    all->list.items[index].misses += other->misses;
    int64_t time = -1;
    for (int cache = 0; cache < CACHES_COUNTED; cache++)
        if (answers[cache].bypass)
            add_known(&time, phases_skippable(compile, (enum cache)cache, OUTCOME_BYPASS));
    if (!all->ids.count)
        timeline_map_ids(&all->ids, model->timeline, &findings->scratch);
    int64_t built = fx && time > 0 ? built_us(model, compile, &all->ids) : 0;
    all->list.items[index].builds |= built > 0;
    time = built < time ? time - built : time > 0 ? 0 : time;
    finding_add_cacheable(findings, &findings->list.items[all->list.items[index].finding], model, place, time);
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
             cache--) { /* outside of compiles, the results belong to different graphs */
            struct answers one[CACHES_COUNTED] = {0};
            one[cache] = answers[cache];
            if (answers[cache].bypass)
                note_bypass(findings, &all, model, i, one);
        }
    }
    for (size_t i = 0; i < all.list.count; i++)
        end_bypass(findings, &all.list.items[i]);
}

void findings_add_caches(struct findings *findings, const struct model *model) {
    add_bypasses(findings, model);
    findings_add_misses(findings, model);
}

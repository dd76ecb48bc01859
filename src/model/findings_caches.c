/* Compile caches: what was not kept, and what was missed though it had been compiled before. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "model/cache_keys.h"
#include "model/findings_make.h"

enum { RESULTS = 3, REASONS_MAX = 300, SPELLED_MAX = 3 };

static bool is_fx(const struct cache_result *cache) {
    return strcmp(cache->cache, "fx_graph") == 0;
}

static bool has_result(const struct cache_result *cache, const char *result) {
    return strcmp(cache->result, result) == 0;
}

static const char *cache_name(bool fx) {
    return fx ? "FX graph" : "AOTAutograd";
}

/* How one cache answered a compile. */
struct answers {
    uint64_t hits, misses;
    bool bypass;
    struct slice reason; /* of the first bypass */
};

static struct answers answers_of(const struct compile *compile, bool fx) {
    struct answers found = {0};
    for (size_t i = 0; i < compile->caches.count; i++) {
        const struct cache_result *cache = &compile->caches.items[i];
        if (is_fx(cache) != fx)
            continue;
        found.hits += has_result(cache, "hit");
        found.misses += has_result(cache, "miss");
        if (has_result(cache, "bypass") && !found.bypass) {
            found.bypass = true;
            found.reason = cache->reason;
        }
    }
    return found;
}

struct bypass {
    uint32_t finding;
    bool fx, aot, framed;
    uint64_t hits, misses; /* of the other cache, in the same compiles */
};

/* What the other cache did, without which nobody knows what a bypass costs. */
static void end_bypass(struct findings *findings, const struct bypass *bypass) {
    struct finding *finding = &findings->list.items[bypass->finding];
    uint64_t all = bypass->hits + bypass->misses;
    const char *other = cache_name(!bypass->fx);
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

static void add_bypass(struct findings *findings, const struct compile *compile, const struct answers answers[2]) {
    bool both = answers[0].bypass && answers[1].bypass;
    struct finding *finding = finding_add(findings, "cache_bypass", SEVERITY_INFO, IMPACT_COMPILE_TIME);
    struct buf why = {0};
    finding->title = both ? SLICE("The FX graph and AOTAutograd caches were bypassed")
                          : finding_say(findings, "The %s cache was bypassed", cache_name(answers[1].bypass));
    for (int fx = 1; fx >= 0; fx--) {
        if (!answers[fx].bypass)
            continue;
        struct slice reason =
            answers[fx].reason.ptr ? finding_line(findings, answers[fx].reason) : SLICE("the log does not say why");
        if (both)
            buf_addf(&why, "%s%s: ", why.len ? " " : "", cache_name(fx));
        buf_add(&why, slice_first(reason, REASONS_MAX));
        if (reason.len && reason.ptr[reason.len - 1] != '.')
            buf_add_byte(&why, '.');
    }
    finding->why = finding_keep(findings, &why);
    finding->place = finding_place(compile->frame, compile->stack);
    finding->library = finding->place.file.ptr && is_library_file(finding->place.file);
    finding->link = finding_link(findings, compile);
}

struct bypasses {
    struct map seen;
    LIST(struct bypass) list;
};

/* Alike in caches and reasons is one finding. */
static void note_bypass(struct findings *findings, struct bypasses *all, const struct report *report, uint32_t place,
                        const struct answers answers[2]) {
    const struct compile *compile = report->compiles.items[place];
    struct buf key = {0};
    bool added;
    buf_addf(&key, "%d%d%d ", answers[0].bypass, answers[1].bypass, compile->framed);
    buf_add(&key, answers[0].reason);
    buf_add_byte(&key, 0);
    buf_add(&key, answers[1].reason);
    uint32_t index = *map_put(&all->seen, buf_slice(&key), (uint32_t)all->list.count, &added);
    buf_free(&key);
    if (added) {
        struct bypass bypass =
            {(uint32_t)findings->list.count, answers[1].bypass, answers[0].bypass, compile->framed, 0, 0};
        add_bypass(findings, compile, answers);
        MEM_GROW(&all->list);
        all->list.items[all->list.count++] = bypass;
    }
    const struct answers *other = &answers[!answers[1].bypass];
    all->list.items[index].hits += other->hits;
    all->list.items[index].misses += other->misses;
    finding_add_compile(findings, &findings->list.items[all->list.items[index].finding], report, place);
}

static void add_bypasses(struct findings *findings, const struct report *report) {
    struct bypasses all = {0};
    for (uint32_t i = 0; i < report->compiles.count; i++) {
        struct answers answers[2] = {answers_of(report->compiles.items[i], false),
                                     answers_of(report->compiles.items[i], true)};
        if (report->compiles.items[i]->framed && (answers[0].bypass || answers[1].bypass)) {
            note_bypass(findings, &all, report, i, answers);
            continue;
        }
        for (int fx = 0; fx < 2; fx++) { /* outside of compiles the two are of different graphs */
            struct answers one[2] = {{0}, {0}};
            one[fx] = answers[fx];
            if (answers[fx].bypass)
                note_bypass(findings, &all, report, i, one);
        }
    }
    for (size_t i = 0; i < all.list.count; i++)
        end_bypass(findings, &all.list.items[i]);
    free(all.list.items);
    map_free(&all.seen);
}

/* Whether a key differs from an earlier one in other things than its graph: then the graph was compiled before, and its entry does
 * not serve. */
static bool is_same_graph(const struct key_comparison *comparison) {
    for (uint32_t i = 0; i < comparison->listed; i++)
        if (slice_is(comparison->list[i].name, "gm"))
            return false;
    return comparison->count > 0 && comparison->count <= KEY_DIFFERENCES_MAX;
}

static void add_difference(struct buf *out, const struct key_difference *difference) {
    buf_addf(out, "`%.*s`", SLICE_ARG(slice_first(difference->name, REASONS_MAX)));
    if (difference->had.ptr && difference->has.ptr)
        buf_addf(out, " is `%.*s` and was `%.*s`", SLICE_ARG(slice_first(difference->has, REASONS_MAX)),
                 SLICE_ARG(slice_first(difference->had, REASONS_MAX)));
    else
        buf_add_lit(out, " differs");
}

static void add_near_miss(struct findings *findings, const struct report *report, const struct compile *compile,
                          const struct cache_result *cache, const struct key_comparison *comparison) {
    struct finding *finding = finding_add(findings, "cache_miss", SEVERITY_INFO, IMPACT_COMPILE_TIME);
    const struct compile *nearest = report->compiles.items[comparison->compile];
    struct buf why = {0};
    finding->title =
        finding_say(findings, "The %s cache missed a graph that was compiled before", cache_name(is_fx(cache)));
    buf_addf(&why, "The key of [%.*s] differs from that of [%.*s]: ", SLICE_ARG(compile->key), SLICE_ARG(nearest->key));
    for (uint32_t i = 0; i < comparison->listed && i < SPELLED_MAX; i++) {
        buf_add_str(&why, i ? "; " : "");
        add_difference(&why, &comparison->list[i]);
    }
    if (comparison->count > SPELLED_MAX)
        buf_addf(&why, "; and %" PRIu32 " more", comparison->count - SPELLED_MAX);
    buf_add_byte(&why, '.');
    finding->why = finding_keep(findings, &why);
    finding->evidence = SLICE("components of the cache's records");
    finding->place = finding_place(compile->frame, compile->stack);
    finding->library = finding->place.file.ptr && is_library_file(finding->place.file);
    finding->link = finding_link(findings, compile);
}

/* What differs, without the values: compiles that miss for the same things are one finding. */
static uint32_t *near_slot(struct map *seen, const struct findings *findings, const struct cache_result *cache,
                           const struct key_comparison *comparison, bool *added) {
    struct buf key = {0};
    buf_addf(&key, "near %s", cache->cache);
    for (uint32_t i = 0; i < comparison->listed; i++) {
        buf_add_byte(&key, 0);
        buf_add(&key, comparison->list[i].name);
    }
    uint32_t *slot = map_put(seen, buf_slice(&key), (uint32_t)findings->list.count, added);
    buf_free(&key);
    return slot;
}

static void add_again(struct findings *findings, const struct compile *compile, const struct compile *first,
                      const struct cache_result *cache, bool guards) {
    struct finding *finding = finding_add(findings, "cache_miss", SEVERITY_INFO, IMPACT_COMPILE_TIME);
    const char *name = cache_name(is_fx(cache));
    finding->title = guards ? finding_say(findings, "The %s cache has the graph, but for other sizes", name)
                            : finding_say(findings, "The %s cache missed the same key again", name);
    finding->why =
        guards ? finding_say(findings,
                             "[%.*s] found entries with its key, and none whose guards hold for these inputs "
                             "(cache_status_detailed: guard_miss).",
                             SLICE_ARG(compile->key))
               : finding_say(findings, "[%.*s] missed a key that [%.*s] had missed before: its entry was not there.",
                             SLICE_ARG(compile->key), SLICE_ARG(first->key));
    finding->place = finding_place(compile->frame, compile->stack);
    finding->library = finding->place.file.ptr && is_library_file(finding->place.file);
    finding->link = finding_link(findings, compile);
}

/* Adds " CACHE KEY" to a key of a map. */
static void add_cache_key(struct buf *out, const struct cache_result *cache) {
    buf_addf(out, " %s ", cache->cache);
    buf_add(out, cache->key);
}

/* By place in report->compiles: lookups of the compile that an earlier one has with the same time are records that the log has twice. */
static bool *find_repeated(const struct report *report) {
    bool *repeated = mem_zalloc(report->compiles.count + 1, sizeof *repeated), added;
    struct map events = {0};
    for (uint32_t i = 0; i < report->compiles.count; i++)
        for (size_t c = 0; c < report->compiles.items[i]->caches.count; c++) {
            const struct cache_result *cache = &report->compiles.items[i]->caches.items[c];
            struct buf key = {0};
            if (!cache->event_us)
                continue;
            buf_addf(&key, "%" PRIu64, cache->event_us);
            add_cache_key(&key, cache);
            repeated[i] |= *map_put(&events, buf_slice(&key), i, &added) != i;
            buf_free(&key);
        }
    map_free(&events);
    return repeated;
}

/* That a cold cache misses says nothing. That the same key misses twice does, or a graph that was compiled before. */
static void add_misses(struct findings *findings, const struct report *report) {
    struct map missed = {0}, seen = {0};
    bool *repeated = find_repeated(report);
    for (uint32_t i = 0; i < report->compiles.count; i++) {
        const struct compile *compile = report->compiles.items[i];
        for (size_t c = 0; c < compile->caches.count; c++) {
            const struct cache_result *cache = &compile->caches.items[c];
            const struct key_comparison *comparison = cache_keys_compare(report, cache->components);
            bool first, added, guards = slice_is(cache->detail, "guard_miss");
            struct buf key = {0};
            uint32_t index;
            if (!has_result(cache, "miss") || !cache->key.len)
                continue;
            add_cache_key(&key, cache);
            uint32_t at = *map_put(&missed, buf_slice(&key), i, &first);
            buf_free(&key);
            bool again = !first && !repeated[i] && at != i; /* a compile that restarts asks once more */
            if (guards || again) {
                buf_addf(&key, "%s %d", cache->cache, guards);
                index = *map_put(&seen, buf_slice(&key), (uint32_t)findings->list.count, &added);
                buf_free(&key);
                if (added)
                    add_again(findings, compile, report->compiles.items[at], cache, guards);
            } else if (first && comparison && comparison->compile != i && is_same_graph(comparison)) {
                index = *near_slot(&seen, findings, cache, comparison, &added);
                if (added)
                    add_near_miss(findings, report, compile, cache, comparison);
            } else {
                continue;
            }
            finding_add_compile(findings, &findings->list.items[index], report, i);
        }
    }
    mem_free(repeated);
    map_free(&missed);
    map_free(&seen);
}

void findings_add_caches(struct findings *findings, const struct report *report) {
    add_bypasses(findings, report);
    add_misses(findings, report);
}

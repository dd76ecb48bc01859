/* Misses of compile caches: for the same key, for the same graph with other sizes, and for the same graph with another
 * key. */

#include "analysis/advice_words.h"
#include "analysis/phases.h"
#include "analysis/settings_in_effect.h"
#include "base/json.h"
#include "findings/findings_make.h"

enum { GUARDS_MAX = 300, SETTINGS_SPELLED_MAX = 4 };

enum miss_cause {
    MISS_AGAIN,     /* of a key that was missed before */
    MISS_GUARDS,    /* of a key that has entries, for other sizes */
    MISS_NEAR,      /* of a graph with a different key */
    MISS_OPTIONS,   /* of a graph with a different key because of settings of one compile */
    MISS_GRAD_MODE, /* of a graph with a different key because of the grad mode */
};

/* Misses with one cause are one finding, whichever caches they belong to. */
struct subject {
    uint32_t finding;
    enum miss_cause cause;
    bool caches[CACHES_COUNTED];
    LIST(struct slice) settings; /* for MISS_OPTIONS, each once */
};

/* Misses of a compile with one cause; if they are near misses, with nearest keys from one other compile. */
struct miss {
    enum miss_cause cause;
    uint32_t other; /* the compile that missed the key before, or that has the nearest key */
    bool caches[CACHES_COUNTED];
    const struct cache_result *first;
    struct key_comparison differences; /* in all of its caches; only for a near miss */
};
typedef LIST(struct miss) miss_list;

/* The first missed lookup of a key. */
struct first_miss {
    uint32_t compile;
    uint64_t event_us;
};

struct misses {
    struct map missed, seen; /* by cache and key; and by subject */
    LIST(struct first_miss) first;
    LIST(struct subject) subjects;
    bool *repeated;
    struct settings_in_effect *settings; /* NULL: not needed so far */
    yyjson_val **configs; /* Inductor's configurations, by index in model->configs, if they have been parsed */
};

/* Whether the keys differ only in the inputs: the compile is for other inputs, such as another size, and so is its
 * code. */
static bool is_of_other_inputs(const struct key_comparison *comparison) {
    for (uint32_t i = 0; i < comparison->listed; i++)
        if (!slice_starts(comparison->list[i].name, SLICE("example_inputs[")))
            return false;
    return comparison->listed == comparison->count;
}

/* "inductor_config[triton.cudagraphs]" also decides fx_kwargs[cudagraphs]. */
static bool follows_from_setting(struct slice component, const struct key_comparison *comparison) {
    if (!slice_is(component, "fx_kwargs[cudagraphs]"))
        return false;
    for (uint32_t i = 0; i < comparison->listed; i++)
        if (slice_is(comparison->list[i].name, "inductor_config[triton.cudagraphs]"))
            return true;
    return false;
}

/* The setting's value in the compile's configuration, which is that outside of the compile. NULL: unknown. */
static yyjson_val *value_outside(struct findings *findings, struct misses *misses, const struct model *model,
                                 uint32_t compile, struct slice name) {
    uint32_t at = misses->settings->evidence[compile].config;
    if (at == EFFECT_NO_CONFIG)
        return NULL;
    if (!misses->configs)
        misses->configs = arena_zalloc(&findings->scratch, model->configs.count * sizeof *misses->configs);
    struct slice json = model->configs.items[at].json;
    if (!misses->configs[at] &&
        json_read(&json, JSON_NUMBERS_RAW, &findings->scratch, &misses->configs[at]) == JSON_BAD)
        return NULL;
    return yyjson_obj_getn(misses->configs[at], name.ptr, name.len);
}

/* Whether the configurations agree on the setting, so the difference was set within a compile. */
static bool is_same_outside(struct findings *findings, struct misses *misses, const struct model *model, uint32_t x,
                            uint32_t y, struct slice name) {
    yyjson_val *a = value_outside(findings, misses, model, x, name),
               *b = value_outside(findings, misses, model, y, name);
    AUTO_BUF one = {0}, other = {0};
    if (!a || !b)
        return false;
    json_add_value(&one, a);
    json_add_value(&other, b);
    bool same = slice_eq(buf_slice(&one), buf_slice(&other));
    return same;
}

static bool is_of_options(struct findings *findings, struct misses *misses, const struct model *model, uint32_t place,
                          const struct miss *miss) {
    const struct key_comparison *comparison = &miss->differences;
    struct slice name;
    for (uint32_t i = 0; i < comparison->listed; i++)
        if (!settings_component(comparison->list[i].name, &name) &&
            !follows_from_setting(comparison->list[i].name, comparison))
            return false;
    if (!misses->settings) {
        misses->settings = arena_alloc(&findings->scratch, sizeof *misses->settings);
        settings_in_effect_find(misses->settings, model);
    }
    for (uint32_t i = 0; i < comparison->listed; i++)
        if (settings_component(comparison->list[i].name, &name) &&
            !is_same_outside(findings, misses, model, place, miss->other, name))
            return false;
    return true;
}

static bool is_of_grad_mode(const struct key_comparison *comparison) {
    bool grad = false;
    for (uint32_t i = 0; i < comparison->listed; i++) {
        bool mode = slice_is(comparison->list[i].name, "grad_enabled");
        grad |= mode;
        if (!mode && !slice_is(comparison->list[i].name, "fx_kwargs[is_inference]"))
            return false;
    }
    return grad;
}

static enum miss_cause cause_of(struct findings *findings, struct misses *misses, const struct model *model,
                                uint32_t place, const struct miss *miss) {
    if (miss->differences.listed != miss->differences.count)
        return MISS_NEAR;
    if (is_of_grad_mode(&miss->differences))
        return MISS_GRAD_MODE;
    return is_of_options(findings, misses, model, place, miss) ? MISS_OPTIONS : MISS_NEAR;
}

static const char *both_or_one(const bool caches[CACHES_COUNTED]) {
    bool fx = caches[CACHE_FX_GRAPH], both = fx && caches[CACHE_AOTAUTOGRAD];
    return both ? "FX graph and AOTAutograd caches" : fx ? "FX graph cache" : "AOTAutograd cache";
}

static struct slice title_of(struct findings *findings, const struct subject *subject) {
    const char *caches = both_or_one(subject->caches);
    bool both = subject->caches[CACHE_FX_GRAPH] && subject->caches[CACHE_AOTAUTOGRAD];
    switch (subject->cause) {
    case MISS_AGAIN:
        return finding_say(findings, "The %s missed the same key again", caches);
    case MISS_GUARDS:
        return finding_say(findings, "The %s %s the graph, but for other sizes", caches, both ? "have" : "has");
    case MISS_OPTIONS:
        return finding_say(findings, "The %s missed because options differ", caches);
    case MISS_GRAD_MODE:
        return finding_say(findings, "The %s missed because the grad mode differs", caches);
    case MISS_NEAR:
        break;
    }
    return finding_say(findings, "The %s missed a graph that was compiled before", caches);
}

static void note_settings(struct findings *findings, struct subject *subject, const struct key_comparison *comparison) {
    struct slice name;
    for (uint32_t i = 0; i < comparison->listed; i++) {
        size_t at = 0;
        if (!settings_component(comparison->list[i].name, &name))
            continue;
        while (at < subject->settings.count && !slice_eq(subject->settings.items[at], name))
            at++;
        if (at < subject->settings.count)
            continue;
        ARENA_ADD(&findings->scratch, &subject->settings, name);
    }
}

static struct slice options_text(struct findings *findings, const struct subject *subject) {
    struct buf why = {0};
    size_t all = subject->settings.count, named = all < SETTINGS_SPELLED_MAX ? all : SETTINGS_SPELLED_MAX;
    buf_add_lit(&why, "The keys differ only in what was set for a compile alone, as `mode=` and `options=` of "
                      "`torch.compile` do: ");
    for (size_t i = 0; i < named; i++)
        buf_addf(&why, "%s`%.*s`", !i ? "" : i + 1 == all ? " and " : ", ", SLICE_ARG(subject->settings.items[i]));
    if (all > named)
        buf_addf(&why, " and %zu more", all - named);
    buf_add_byte(&why, '.');
    return finding_keep(findings, &why);
}

static struct slice near_text(struct findings *findings, const struct compile *compile, const struct compile *nearest,
                              const struct key_comparison *comparison) {
    struct buf why = {0};
    buf_addf(&why, "The key of [%.*s] differs from that of [%.*s]: ", SLICE_ARG(compile->key), SLICE_ARG(nearest->key));
    key_differences_add(&why, comparison, SLICE(" and was "));
    buf_add_byte(&why, '.');
    return finding_keep(findings, &why);
}

static struct slice again_text(struct findings *findings, const struct compile *compile, const struct compile *first,
                               const struct cache_result *cache) {
    struct buf why = {0};
    if (!cache->guard_miss)
        buf_addf(&why, "[%.*s] missed a key that [%.*s] had missed before: its entry was not there.",
                 SLICE_ARG(compile->key), SLICE_ARG(first->key));
    else
        buf_addf(&why,
                 "[%.*s] found entries with its key, and none whose guards hold for these inputs "
                 "(`cache_status_detailed`: `guard_miss`).",
                 SLICE_ARG(compile->key));
    if (cache->guard_miss && cache->guards.len)
        buf_addf(&why, " Guards of an entry: `%.*s`.", SLICE_ARG(slice_first(cache->guards, GUARDS_MAX)));
    return finding_keep(findings, &why);
}

/* The subject with this key, and whether it is new: it then has a finding without texts. */
static struct subject *subject_of(struct findings *findings, struct misses *misses, const struct compile *compile,
                                  enum miss_cause cause, struct slice key, bool *added) {
    uint32_t at = *map_put_in(&findings->scratch, &misses->seen, key, (uint32_t)misses->subjects.count, added);
    if (*added) {
        struct finding *finding = finding_add(findings, FINDING_CACHE_MISS, SEVERITY_INFO, IMPACT_COMPILE_TIME);
        ARENA_ADD(&findings->scratch, &misses->subjects,
                  (struct subject){.finding = (uint32_t)findings->list.count - 1, .cause = cause});
        finding_set_place(findings, finding, compile);
    }
    return &misses->subjects.items[at];
}

/* Misses whose keys differ in the same components have the same cause, whatever the values. */
static struct subject *subject_of_miss(struct findings *findings, struct misses *misses, const struct compile *compile,
                                       const struct miss *miss, bool *added) {
    AUTO_BUF key = {0};
    /* Lookups outside of compiles are for different graphs. */
    buf_addf(&key, "%d %s", miss->cause, compile->framed ? "" : cache_name(miss->first->cache));
    for (uint32_t i = 0; miss->cause == MISS_NEAR && i < miss->differences.listed; i++) {
        buf_add_byte(&key, 0);
        buf_add(&key, miss->differences.list[i].name);
    }
    struct subject *subject = subject_of(findings, misses, compile, miss->cause, buf_slice(&key), added);
    return subject;
}

static void explain(struct findings *findings, struct finding *finding, const struct model *model,
                    const struct compile *compile, const struct miss *miss) {
    const struct compile *other = model->compiles.items[miss->other];
    if (miss->cause == MISS_AGAIN || miss->cause == MISS_GUARDS) {
        finding->why = again_text(findings, compile, other, miss->first);
        return;
    }
    finding->why = near_text(findings, compile, other, &miss->differences);
    finding->evidence = SLICE("components of the cache's records");
    finding->expected = miss->cause != MISS_NEAR;
    if (miss->cause == MISS_OPTIONS) {
        finding->evidence = SLICE("components of the cache's records; the configuration in the metrics");
        finding->advice = SLICE("Each set of options has its own key and its own code, so this is expected.");
    } else if (miss->cause == MISS_GRAD_MODE) {
        finding->advice = SLICE("Each grad mode has its own key, so this is expected.");
    }
}

static void take(struct findings *findings, struct misses *misses, const struct model *model, uint32_t place,
                 struct miss *miss) {
    const struct compile *compile = model->compiles.items[place];
    int64_t time_us = -1;
    bool added;
    if (miss->cause == MISS_NEAR)
        miss->cause = cause_of(findings, misses, model, place, miss);
    struct subject *subject = subject_of_miss(findings, misses, compile, miss, &added);
    struct finding *finding = &findings->list.items[subject->finding];
    if (added)
        explain(findings, finding, model, compile, miss);
    if (miss->cause == MISS_OPTIONS)
        note_settings(findings, subject, &miss->differences);
    for (int cache = 0; cache < CACHES_COUNTED; cache++) {
        if (!miss->caches[cache])
            continue;
        subject->caches[cache] = true;
        add_known(&time_us, phases_skippable(compile, (enum cache)cache, OUTCOME_MISS));
    }
    finding_add_cacheable(findings, finding, model, place, finding->expected ? -1 : time_us); /* no hit is possible */
}

static void join_differences(struct key_comparison *all, const struct key_comparison *comparison) {
    uint32_t unlisted = all->count - all->listed, more = comparison->count - comparison->listed;
    for (uint32_t i = 0; i < comparison->listed; i++) {
        uint32_t at = 0;
        while (at < all->listed && !slice_eq(all->list[at].name, comparison->list[i].name))
            at++;
        if (at == KEY_DIFFERENCES_MAX)
            unlisted++;
        else if (at == all->listed)
            all->list[all->listed++] = comparison->list[i];
    }
    all->count = all->listed + (unlisted > more ? unlisted : more);
}

/* `comparison`: only for a near miss. */
static void note(struct findings *findings, miss_list *list, const struct compile *compile, enum miss_cause cause,
                 uint32_t other, const struct cache_result *cache, const struct key_comparison *comparison) {
    size_t at = 0;
    while (at < list->count && (list->items[at].cause != cause || (comparison && list->items[at].other != other) ||
                                (!compile->framed && list->items[at].first->cache != cache->cache)))
        at++;
    if (at == list->count)
        ARENA_ADD(&findings->scratch, list, (struct miss){.cause = cause, .other = other, .first = cache});
    list->items[at].caches[cache->cache] = true;
    if (comparison)
        join_differences(&list->items[at].differences, comparison);
}

/* Adds " CACHE KEY" to the key of a map. */
static void add_cache_key(struct buf *out, const struct cache_result *cache) {
    BUF_ADD(out, " ", cache_name(cache->cache), " ", cache->key);
}

/* By index in model->compiles: whether an earlier lookup of the compile repeats with the same time, so it is a
 * duplicate record. */
static bool *find_repeated(struct findings *findings, const struct model *model) {
    bool *repeated = arena_zalloc(&findings->scratch, (model->compiles.count + 1) * sizeof *repeated), added;
    struct map events = {0};
    for (uint32_t i = 0; i < model->compiles.count; i++)
        for (size_t c = 0; c < model->compiles.items[i]->caches.count; c++) {
            const struct cache_result *cache = &model->compiles.items[i]->caches.items[c];
            AUTO_BUF key = {0};
            if (!cache->event_us)
                continue;
            buf_addf(&key, "%" PRIu64, cache->event_us);
            add_cache_key(&key, cache);
            repeated[i] |= *map_put_in(&findings->scratch, &events, buf_slice(&key), i, &added) != i;
        }
    return repeated;
}

/* Whether this is the first lookup of its key. `before`: the first lookup that missed the key. */
static bool is_first(struct findings *findings, struct misses *misses, uint32_t place, const struct cache_result *cache,
                     struct first_miss *before) {
    AUTO_BUF key = {0};
    bool first;
    add_cache_key(&key, cache);
    uint32_t at =
        *map_put_in(&findings->scratch, &misses->missed, buf_slice(&key), (uint32_t)misses->first.count, &first);
    if (first)
        ARENA_ADD(&findings->scratch, &misses->first, (struct first_miss){place, cache->event_us});
    *before = misses->first.items[at];
    return first;
}

/* A miss in a cold cache is not an issue, but it is if the same key misses twice, or if the graph was compiled before.
 */
static void take_compile(struct findings *findings, struct misses *misses, const struct model *model, uint32_t place) {
    const struct compile *compile = model->compiles.items[place];
    miss_list list = {0};
    for (size_t c = 0; c < compile->caches.count; c++) {
        const struct cache_result *cache = &compile->caches.items[c];
        struct first_miss before;
        if (cache->outcome != OUTCOME_MISS || !cache->key.len || cache->cache >= CACHES_COUNTED)
            continue;
        bool first = is_first(findings, misses, place, cache, &before);
        /* Logs of several processes are read in sequence, regardless of time. A compile that restarts looks up its key
         * again. */
        bool again = !first && !misses->repeated[place] && before.compile != place &&
                     (!cache->event_us || before.event_us <= cache->event_us);
        const struct key_comparison *comparison = cache_keys_compare(model, cache->components);
        if (cache->guard_miss || again)
            note(findings, &list, compile, cache->guard_miss ? MISS_GUARDS : MISS_AGAIN, before.compile, cache, NULL);
        else if (first && comparison && comparison->compile != place && comparison->same_graph && comparison->count &&
                 !is_of_other_inputs(comparison))
            note(findings, &list, compile, MISS_NEAR, comparison->compile, cache, comparison);
    }
    for (size_t i = 0; i < list.count; i++)
        take(findings, misses, model, place, &list.items[i]);
}

void findings_add_misses(struct findings *findings, const struct model *model) {
    struct misses misses = {.repeated = find_repeated(findings, model)};
    for (uint32_t i = 0; i < model->compiles.count; i++)
        take_compile(findings, &misses, model, i);
    for (size_t i = 0; i < misses.subjects.count; i++) {
        const struct subject *subject = &misses.subjects.items[i];
        struct finding *finding = &findings->list.items[subject->finding];
        finding->title = title_of(findings, subject);
        if (subject->cause == MISS_OPTIONS && finding->compiles.count > 1)
            finding->why = options_text(findings, subject);
    }
    if (misses.settings)
        settings_in_effect_free(misses.settings);
}

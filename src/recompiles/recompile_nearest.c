/* Finds the earlier versions that a recompile is compared with. */
#include "modules/module_instances.h"
#include "recompiles/guard_changes.h"
#include "recompiles/recompile_reasons.h"

size_t reason_of_version(const struct model *model, const struct chain *chain, size_t to, size_t place) {
    const struct compile *compile = chain_compile(model, chain, to);
    for (size_t i = 0; i < compile->reasons.count && i < NEAREST_MAX; i++) {
        struct guard_failure failure = guard_failure_read(compile->reasons.items[i]);
        if (chain_place(model, chain, to, failure.against) == place)
            return i;
    }
    return SIZE_MAX;
}

/* Whether the log's reason for the version states that its arguments have another structure, which the guards of the
 * new version may not show. */
static bool is_other_call(const struct model *model, const struct chain *chain, size_t place, size_t version) {
    size_t reason = reason_of_version(model, chain, place, version);
    if (reason == SIZE_MAX)
        return false;
    struct guard_failure failure = guard_failure_read(chain_compile(model, chain, place)->reasons.items[reason]);
    return reason_is_structure(&failure);
}

/* Whether `newer` has the same fact as the new compile for the change's guard. */
static bool states_new(const struct model *model, const struct compile *newer, const struct compile *to,
                       const struct guard_change *change) {
    struct guard_fact fact = guard_key_read(change->key);
    struct slice is = guard_set_get(model, to, fact.aspect, fact.detail, fact.source);
    return change->key.ptr && is.ptr &&
           slice_eq(guard_set_get(model, newer, fact.aspect, fact.detail, fact.source), is);
}

/* Whether `newer` agrees with the new compile in everything that differs from `version`, and `version` did not read
 * anything that differs from `newer`. It is then unknown whether `version` would have matched, and `newer` was compiled
 * for calls like this one. */
static bool is_superseded(const struct model *model, const struct compile *version, const struct compile *newer,
                          const struct compile *to, struct arena *arena) {
    guard_changes of_version = {0}, of_newer = {0};
    size_t differ = guard_changes_find(model, version, to, arena, &of_version);
    bool superseded = differ && differ == of_version.count;
    for (size_t i = 0; i < of_version.count && superseded; i++)
        superseded = states_new(model, newer, to, &of_version.items[i]);
    differ = superseded ? guard_changes_find(model, newer, to, arena, &of_newer) : 0;
    superseded = differ && differ == of_newer.count;
    for (size_t i = 0; i < of_newer.count && superseded; i++) {
        struct slice key = of_newer.items[i].key;
        superseded = key.ptr && !guard_branches_read(model, version, guard_key_read(key).source);
    }
    return superseded;
}

/* Whether the version is for another module than the compile at `place`, which has one of its own. */
static bool is_of_other(const struct chain *chain, size_t place, size_t version, bool own) {
    return own && chain->modules[version] != MODULE_NONE && chain->modules[version] != chain->modules[place];
}

/* Whether an earlier version that can be compared is for the same module as the compile at `place`. */
static bool has_own(const struct model *model, const struct chain *chain, size_t place) {
    for (size_t back = 1; chain->modules[place] != MODULE_NONE && back <= place && back <= NEAREST_MAX; back++)
        if (chain->modules[place - back] == chain->modules[place] &&
            guard_set_known(chain_compile(model, chain, place - back)))
            return true;
    return false;
}

struct near_versions versions_nearest(const struct model *model, const struct chain *chain, size_t place,
                                      struct arena *arena) {
    const struct compile *to = chain_compile(model, chain, place);
    struct near_versions near = {.count = 0};
    size_t least = SIZE_MAX;
    if (!guard_set_known(to) || place > STEPS_COMPARED_MAX)
        return near;
    bool own = has_own(model, chain, place);
    for (size_t back = 1; back <= place && back <= NEAREST_MAX; back++) {
        const struct compile *from = chain_compile(model, chain, place - back);
        if (!guard_set_known(from) || is_of_other(chain, place, place - back, own))
            continue;
        size_t differ = guard_changes_distance(model, from, to);
        if (differ < GUARD_DISTANCE_STRUCTURE && is_other_call(model, chain, place, place - back))
            differ += GUARD_DISTANCE_STRUCTURE;
        differ = differ ? differ : GUARD_DISTANCE_CHANGE;
        if (differ < least)
            near.count = 0;
        if (differ <= least && near.count < sizeof near.places / sizeof *near.places)
            near.places[near.count++] = place - back;
        least = differ < least ? differ : least;
    }
    if (!near.count || near.places[0] + 1 == place || place < 2)
        return near;
    const struct compile *nearest = chain_compile(model, chain, near.places[0]),
                         *newest = chain_compile(model, chain, place - 1);
    if (!is_of_other(chain, place, place - 1, own) && guard_set_known(newest) &&
        is_superseded(model, nearest, newest, to, arena))
        near = (struct near_versions){.places = {place - 1}, .count = 1};
    return near;
}

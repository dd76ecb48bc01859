/* Finds the nearest version for a compile with unknown guards, because it failed or the limit refused it. The log only
 * has the first guard that failed of each version. If another version has the same guard with the same value, it failed
 * there, too, even if an earlier guard failed first. */
#include "recompiles/recompile_reasons.h"

enum { FAILED_MAX = 16, OUTGROWN = 3 /* OUTGROWN: so many greater lengths that the list has outgrown them, too */ };

bool reason_is_structure(const struct guard_failure *failure) {
    return failure->type == GUARD_RANK ||
           ((failure->type == GUARD_TYPE || failure->type == GUARD_LENGTH) && !guard_is_state(failure->source));
}

/* A reason lists all modes that failed, and each counts as a guard. */
static size_t count_guards(const struct guard_failure *failure) {
    size_t count = 1;
    for (size_t i = 0; failure->type == GUARD_GLOBAL_STATE && i < failure->source.len; i++)
        count += failure->source.ptr[i] == ' ';
    return count;
}

/* A fact of a version that does not hold for the call. */
struct failed {
    struct slice key, value;
    bool structure;
};

struct failures {
    struct failed items[FAILED_MAX];
    size_t count;
};

static struct slice value_of(const struct model *model, const struct compile *version, struct slice key) {
    struct guard_fact fact = guard_key_read(key);
    return guard_set_get(model, version, fact.aspect, fact.detail, fact.source);
}

static void add(struct failures *failures, const struct model *model, const struct compile *version,
                const struct guard_failure *failure) {
    struct slice key = version ? reason_key(model, version, NULL, failure) : (struct slice){0};
    struct slice value = key.ptr ? value_of(model, version, key) : (struct slice){0};
    bool known = !value.ptr || failures->count == FAILED_MAX;
    for (size_t i = 0; i < failures->count && !known; i++)
        known = slice_eq(failures->items[i].key, key) && slice_eq(failures->items[i].value, value);
    if (!known)
        failures->items[failures->count++] = (struct failed){key, value, reason_is_structure(failure)};
}

static const struct compile *version_of_reason(const struct model *model, const struct chain *chain, size_t place,
                                               const struct guard_failure *failure) {
    size_t version = chain_place(model, chain, place, failure->against);
    return version == SIZE_MAX ? NULL : chain_compile(model, chain, version);
}

/* Whether the version also fails on the guard: it has a value that failed elsewhere, or an older length of a list that
 * has outgrown other lengths. */
static bool fails_too(const struct failures *failures, size_t nth, struct slice value) {
    bool length = guard_key_read(failures->items[nth].key).aspect == ASPECT_LENGTH, equal = false;
    size_t outgrown = 0;
    uint64_t is, failed;
    for (size_t i = 0; i < failures->count && value.ptr; i++) {
        if (!slice_eq(failures->items[i].key, failures->items[nth].key))
            continue;
        if (i < nth)
            return false; /* it was counted there */
        equal |= slice_eq(failures->items[i].value, value);
        outgrown +=
            length && slice_to_u64(value, &is) && slice_to_u64(failures->items[i].value, &failed) && is < failed;
    }
    return equal || outgrown >= OUTGROWN;
}

/* The distance of the version with this reason. */
static size_t distance(const struct model *model, const struct chain *chain, size_t place, struct slice reason,
                       const struct failures *failures) {
    struct guard_failure own = guard_failure_read(reason);
    const struct compile *version = version_of_reason(model, chain, place, &own);
    struct slice key = version ? reason_key(model, version, NULL, &own) : (struct slice){0};
    size_t guards = count_guards(&own), structures = reason_is_structure(&own);
    for (size_t i = 0; i < failures->count && version; i++) {
        const struct failed *failed = &failures->items[i];
        if (slice_eq(failed->key, key) || !fails_too(failures, i, value_of(model, version, failed->key)))
            continue;
        guards++;
        structures += failed->structure;
    }
    return guards + structures * GUARD_DISTANCE_STRUCTURE;
}

struct near_reasons reasons_nearest(const struct model *model, const struct chain *chain, size_t place) {
    const struct compile *to = chain_compile(model, chain, place);
    struct failures failures = {.count = 0};
    struct near_reasons near = {.count = 0};
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < to->reasons.count && i < NEAREST_MAX; i++) {
        struct guard_failure failure = guard_failure_read(to->reasons.items[i]);
        add(&failures, model, version_of_reason(model, chain, place, &failure), &failure);
    }
    for (size_t i = 0; i < to->reasons.count && i < NEAREST_MAX; i++) {
        size_t is = distance(model, chain, place, to->reasons.items[i], &failures);
        if (is < least)
            near.count = 0;
        least = is < least ? is : least;
        if (is == least)
            near.nth[near.count++] = i;
    }
    return near;
}

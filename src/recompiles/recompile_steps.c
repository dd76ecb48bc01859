/* One recompile: the nearest earlier version, and the differences to it. */

#include "recompiles/guard_relations.h"
#include "recompiles/object_names.h"
#include "recompiles/recompile_reasons.h"

enum { OBJECTS_NAMED_MAX = 8 /* per step: each name requires a search in the guards of both versions */ };

/* Whether the change is that of the condition "L['n'] == 7", which the reason treats as the value of n. */
static bool is_value_of(const struct guard_failure *failure, const struct guard_change *change) {
    return (failure->type == GUARD_VALUE || failure->type == GUARD_FLOAT) && change->type == GUARD_RELATION &&
           (slice_eq(guard_key_read(change->key).source, failure->guard) || slice_eq(change->source, failure->guard));
}

/* Moves the change in the reason to the front of the changes from `at` on. Creates it if the guards do not show it. */
static void lead(const struct model *model, const struct compile *from, const struct compile *to,
                 const struct guard_failure *failure, struct arena *arena, struct step *step, size_t at) {
    struct slice key = from ? reason_key(model, from, to, failure) : (struct slice){0},
                 wanted = reason_subject(failure, arena);
    struct guard_fact fact = guard_key_read(key);
    size_t i = at;
    for (; i < step->changes.count; i++) {
        const struct guard_change *seen = &step->changes.items[i];
        if ((key.ptr && slice_eq(seen->key, key)) || (wanted.ptr && slice_eq(seen->source, wanted)))
            break;
        if (key.ptr && seen->type == GUARD_TYPE && slice_eq(guard_key_read(seen->key).source, fact.source))
            break; /* for example, the value was None and is a tensor */
        if (key.ptr && seen->whole && slice_find(key, guard_key_read(seen->key).source) != SIZE_MAX)
            break; /* a member of a replaced object */
        if (is_value_of(failure, seen))
            break;
    }
    struct guard_change first;
    if (i == step->changes.count || is_value_of(failure, &step->changes.items[i])) {
        struct slice has = failure->has;
        first =
            (struct guard_change){.type = failure->type, .key = key, .source = wanted, .had = failure->had, .has = has};
        if (failure->type == GUARD_SIZE && fact.source.ptr) {
            AUTO_BUF size = {0};
            BUF_ADD(&size, fact.source, ".size()[", failure->dimension, "]");
            guard_set_value(model, to, buf_slice(&size), &first.symbol);
        }
        if (i == step->changes.count) {
            ARENA_GROW(arena, &step->changes);
            step->changes.count++;
            step->change_count++;
            step->reason_alone = true;
        }
    } else {
        first = step->changes.items[i];
        if (!first.has.ptr && first.type != GUARD_MODULE_MODE)
            first.has = failure->has;
    }
    first.guard = failure->guard;
    memmove(step->changes.items + at + 1, step->changes.items + at, (i - at) * sizeof *step->changes.items);
    step->changes.items[at] = first;
}

/* Puts the reason's guard, and each of the modes in it, before all other differences. */
static void put_reason_first(const struct model *model, const struct chain *chain, const struct compile *from,
                             const struct compile *to, struct guard_failure failure, struct arena *arena,
                             struct step *step) {
    if (failure.type != GUARD_GLOBAL_STATE) {
        lead(model, from, to, &failure, arena, step, 0);
        return;
    }
    struct slice names = failure.source;
    for (size_t at = 0; names.len && at < GUARD_CHANGES_MAX; at++) {
        size_t space = slice_find(names, SLICE(" "));
        struct guard_failure one = failure;
        one.source = slice_first(names, space);
        one.type = slice_is(one.source, "grad_mode") ? GUARD_GRAD_MODE : GUARD_GLOBAL_STATE;
        reason_complete(model, chain, from, to, &one, arena);
        lead(model, from, to, &one, arena, step, at);
        names = space != SIZE_MAX ? slice_trim(slice_from(names, space)) : (struct slice){0};
    }
}

/* Moves changes that imply others, those of replaced objects, to the front, unless the log's reason states another
 * guard. */
static void put_objects_first(struct step *step) {
    size_t i = step->reason_leads ? step->changes.count : 0;
    while (i < step->changes.count && !step->changes.items[i].whole)
        i++;
    if (i == 0 || i == step->changes.count)
        return;
    struct guard_change object = step->changes.items[i];
    memmove(step->changes.items + 1, step->changes.items, i * sizeof *step->changes.items);
    step->changes.items[0] = object;
}

/* Removes the symbol if it was finally specialized: the size is a constant of this version, not dynamic. */
static void drop_specialized(const struct compile *to, struct step *step) {
    for (size_t i = 0; i < step->changes.count; i++) {
        struct guard_change *change = &step->changes.items[i];
        const struct shape_record *fact = change->symbol.ptr ? to->shapes[SHAPE_SPECIALIZATION].first : NULL;
        while (fact && !slice_eq(fact->symbol, change->symbol))
            fact = fact->next;
        if (fact)
            change->symbol = (struct slice){0};
    }
}

/* Whether the condition would hold in the compile with the number's new value in place of its old one: "y == 8*w" in a
 * version whose `h` is 8. */
static bool follows(const struct model *model, const struct compile *to, struct slice code,
                    const struct guard_change *number) {
    struct slice old = number->had;
    bool holds = false;
    for (size_t at = 0, length; at < code.len && !holds; at += length ? length : 1) {
        length = word_length(slice_from(code, at));
        if (length != old.len || !slice_eq(slice_make(code.ptr + at, length), old) ||
            (at && strchr("[.", code.ptr[at - 1]) && code.ptr[at - 1]))
            continue;
        AUTO_BUF other = {0};
        buf_addf(&other, "%.*s%.*s%.*s", SLICE_ARG(slice_first(code, at)), SLICE_ARG(number->has),
                 SLICE_ARG(slice_from(code, at + length)));
        holds = guard_relation_holds(model, to, buf_slice(&other)) > 0;
    }
    return holds;
}

/* If a number was constant, the version's equations contain its value. Equations that hold with the new value would not
 * fail if the number were dynamic, so they are dropped. */
static void drop_following(const struct model *model, const struct compile *to, struct step *step) {
    enum { CODE_MAX = 200 };
    const struct guard_change *number = step->changes.count ? step->changes.items : NULL;
    bool dynamic = number && number->symbol.ptr && is_integer(number->had) && is_integer(number->has) &&
                   !slice_is(number->had, "0") && !slice_is(number->had, "1");
    size_t kept = 1;
    for (size_t i = 1; i < step->changes.count && dynamic; i++) {
        const struct guard_change *change = &step->changes.items[i];
        bool drop = change->type == GUARD_RELATION && change->guard.len <= CODE_MAX &&
                    slice_find(change->guard, SLICE(" == ")) != SIZE_MAX && follows(model, to, change->guard, number);
        step->change_count -= drop;
        if (!drop)
            step->changes.items[kept++] = *change;
    }
    if (dynamic)
        step->changes.count = kept;
}

/* Replaces the names of objects and classes with distinct ones, if they are equal or missing. */
static void name_objects(const struct model *model, const struct chain *chain, const struct compile *from,
                         const struct compile *to, struct arena *arena, guard_changes *changes) {
    size_t named = 0;
    for (size_t i = 0; i < changes->count && named < OBJECTS_NAMED_MAX; i++) {
        struct guard_change *change = &changes->items[i];
        struct guard_fact fact = guard_key_read(change->key);
        bool object = change->type == GUARD_IDENTITY && fact.aspect == ASPECT_OBJECT;
        bool class = change->type == GUARD_TYPE && fact.aspect == ASPECT_CLASS && slice_eq(change->had, change->has);
        if (!object && !class)
            continue;
        struct slice had = object_name(model, chain, from, fact.aspect, fact.source, arena),
                     has = object_name(model, chain, to, fact.aspect, fact.source, arena);
        change->had = had.ptr ? had : change->had;
        change->has = has.ptr ? has : change->has;
        named++;
    }
}

/* Compares the compile at `place` with the version at `nearest`; SIZE_MAX: its guards are unknown. */
static struct step step_from(const struct model *model, const struct chain *chain, size_t place, size_t nearest,
                             struct arena *arena) {
    const struct compile *to = chain_compile(model, chain, place);
    struct step step = {.compile = chain->compiles.items[place], .nearest = NO_VERSION};
    size_t reason = SIZE_MAX;
    if (nearest != SIZE_MAX)
        reason = reason_of_version(model, chain, place, nearest);
    if (reason == SIZE_MAX && to->reasons.count && (nearest == SIZE_MAX || !guard_set_known(to)))
        reason = reasons_nearest(model, chain, place).nth[0];
    if (nearest == SIZE_MAX && reason != SIZE_MAX)
        nearest = chain_place(model, chain, place, guard_failure_read(to->reasons.items[reason]).against);
    const struct compile *from = nearest == SIZE_MAX ? NULL : chain_compile(model, chain, nearest);
    if (from) {
        step.nearest = chain->compiles.items[nearest];
        step.change_count = guard_changes_find(model, from, to, arena, &step.changes);
        name_objects(model, chain, from, to, arena, &step.changes);
    }
    if (!step.changes.count && reason == SIZE_MAX && to->reasons.count)
        reason = 0;
    if (reason != SIZE_MAX) {
        struct guard_failure failure = recompile_reason(model, chain, place, reason, arena);
        size_t against = chain_place(model, chain, place, failure.against);
        step.reason = to->reasons.items[reason];
        if (against != nearest && against != SIZE_MAX) { /* it is only known that the nearest one did not match */
            from = chain_compile(model, chain, against);
            step.nearest = chain->compiles.items[against];
        }
        step.reason_leads = true;
        put_reason_first(model, chain, from, to, failure, arena, &step);
    }
    put_objects_first(&step);
    drop_specialized(to, &step);
    drop_following(model, to, &step);
    return step;
}

static bool same_subject(const struct guard_change *a, const struct guard_change *b) {
    return a->type == b->type && slice_eq(a->source, b->source);
}

/* Whether one of the step's changes is about the subject. */
static bool has_subject(const struct step *step, const struct guard_change *subject) {
    for (size_t i = 0; i < step->changes.count; i++)
        if (same_subject(&step->changes.items[i], subject))
            return true;
    return false;
}

/* Keeps a version that is as near if it differs in another guard than the cause of the step: either may be the cause.
 */
static void add_also_near(struct step *step, const struct step *other) {
    const struct guard_change *change = other->changes.count ? &other->changes.items[0] : NULL;
    bool known = !change || !change->source.ptr || !step->changes.count || step->also_count == ALSO_NEAR_MAX ||
                 has_subject(other, &step->changes.items[0]);
    for (size_t i = 0; i < step->also_count && !known; i++)
        known = same_subject(change, &step->also[i].change);
    if (!known)
        step->also[step->also_count++] = (struct also_near){other->nearest, *change};
}

/* Whether the log's reason states one more difference than those that the distance by guards counts. */
static bool is_farther(const struct step *step) {
    return step->reason_alone && step->change_count > 1;
}

/* Whether two versions differ in more than the two guards in the log's reasons. The call then matches one of them in
 * more guards, and the log does not show which one: a reason has only the first guard that failed. */
static bool differ_in_more(const struct model *model, const struct compile *version, const struct compile *nearest) {
    return !guard_set_known(version) || !guard_set_known(nearest) ||
           guard_changes_distance(model, version, nearest) % GUARD_DISTANCE_STRUCTURE > 2 * GUARD_DISTANCE_CHANGE;
}

/* For a compile that failed and has no guards: adds the versions that, according to the log's reasons, are as near as
 * that of the step, with a new value. */
static void add_reasons(const struct model *model, const struct chain *chain, size_t place, struct arena *arena,
                        struct step *step) {
    const struct compile *to = chain_compile(model, chain, place);
    struct near_reasons near = reasons_nearest(model, chain, place);
    for (size_t i = 0; i < near.count && step->also_count < ALSO_NEAR_MAX && step->nearest != NO_VERSION; i++) {
        struct slice reason = to->reasons.items[near.nth[i]];
        size_t version = chain_place(model, chain, place, guard_failure_read(reason).against);
        if (version == SIZE_MAX || chain->compiles.items[version] == step->nearest ||
            differ_in_more(model, chain_compile(model, chain, version), model->compiles.items[step->nearest]))
            continue;
        struct step other = step_from(model, chain, place, version, arena);
        if (other.changes.count && other.changes.items[0].has.ptr)
            add_also_near(step, &other);
    }
}

struct step recompile_step(const struct model *model, const struct chain *chain, size_t place, struct arena *arena) {
    struct near_versions near = versions_nearest(model, chain, place, arena);
    struct step step = step_from(model, chain, place, near.count ? near.places[0] : SIZE_MAX, arena);
    for (size_t i = 1; i < near.count; i++) {
        struct step other = step_from(model, chain, place, near.places[i], arena);
        if (is_farther(&step) && !is_farther(&other))
            step = other;
        else if (is_farther(&step) == is_farther(&other))
            add_also_near(&step, &other);
    }
    if (!near.count && step.reason.len && chain_compile(model, chain, place)->failed)
        add_reasons(model, chain, place, arena, &step);
    if (place > STEPS_COMPARED_MAX && step.changes.count > 1) {
        step.changes.count = 1;
        step.changes.items = mem_realloc(step.changes.items, 1, sizeof *step.changes.items);
        step.changes.cap = 1;
    }
    return step;
}

struct step recompile_step_against(const struct model *model, const struct chain *chain, size_t place, size_t nearest,
                                   struct arena *arena) {
    return step_from(model, chain, place, nearest, arena);
}

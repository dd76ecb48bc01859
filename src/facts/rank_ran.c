#include "facts/rank_ran.h"

#include "lowering/kernels.h"
#include "profile/profile.h"

static void take_compile(struct rank_ran *ran, const struct model *model, struct arena *arena) {
    const struct profile *profile = model->profile;
    const struct compile *slowest = NULL;
    for (size_t i = 0; i < profile->compiles.count; i++) {
        const struct profiled_compile *compile = &profile->compiles.items[i];
        int64_t ns = compile->time.ns + compile->backward_ns;
        if (!compile->time.calls || ns <= ran->frame_ns)
            continue;
        slowest = model->compiles.items[i];
        ran->frame_ns = ns;
    }
    if (!slowest)
        return;
    ran->frame = arena_slice(arena, slowest->key);
    ran->frame_name = arena_slice(arena, slowest->label.ptr ? slowest->label : slowest->frame.function);
}

static void take_kernel(struct rank_ran *ran, const struct model *model, struct arena *arena) {
    const struct profile *profile = model->profile;
    const struct kernel *slowest = NULL;
    for (size_t i = 0; profile->kernels && i < model->kernels->list.count; i++) {
        int64_t ns = profile->devices.count ? profile->kernels[i].device_ns : profile->kernels[i].ns;
        if (ns <= ran->kernel_ns)
            continue;
        slowest = &model->kernels->list.items[i];
        ran->kernel_ns = ns;
    }
    const struct kernel_source *source = slowest ? kernel_user_source(slowest) : NULL;
    if (slowest)
        ran->kernel = arena_slice(arena, slowest->name);
    if (source) {
        ran->kernel_place = source->place;
        ran->kernel_place.file = arena_slice(arena, source->place.file);
        ran->kernel_place.function = arena_slice(arena, source->place.function);
    }
}

static void take_collectives(struct rank_ran *ran, const struct profile *profile, struct arena *arena) {
    collective_calls calls = {0};
    profile_find_collectives(profile, &calls);
    for (size_t i = 0; i < calls.count; i++)
        ARENA_ADD(arena, &ran->collectives,
                  (struct rank_collective){arena_slice(arena, calls.items[i].name), calls.items[i].ns});
    mem_free(calls.items);
}

struct rank_ran *rank_ran_take(const struct model *model, struct arena *arena) {
    const struct profile *profile = model->profile;
    if (!profile || (!profile->regions.calls && !profile->graph_calls.calls))
        return NULL;
    struct rank_ran *ran = arena_zalloc(arena, sizeof *ran);
    ran->calls = profile->regions.calls;
    ran->steps = profile->steps;
    ran->region_ns = profile->regions.ns;
    ran->graph_ns = profile->devices.count ? profile->graph_calls.device_ns : profile->graph_calls.ns;
    ran->guard_ns = profile->lookups.ns;
    ran->step_ns = profile->step_spread.median_ns;
    take_compile(ran, model, arena);
    take_kernel(ran, model, arena);
    take_collectives(ran, profile, arena);
    return ran;
}

static bool same_collectives(const struct rank_ran *one, const struct rank_ran *other) {
    if (one->collectives.count != other->collectives.count)
        return false;
    for (size_t i = 0; i < one->collectives.count; i++)
        if (!slice_eq(one->collectives.items[i].name, other->collectives.items[i].name))
            return false;
    return true;
}

/* The number of collectives, if all ranks with a profile have the same ones; 0: they differ, or there is one rank. */
static size_t count_common(const struct rank_ran *const *ran, size_t count) {
    const struct rank_ran *first = NULL;
    size_t ranks = 0;
    for (size_t i = 0; i < count; i++) {
        if (!ran[i])
            continue;
        ranks++;
        first = first ? first : ran[i];
        if (!same_collectives(first, ran[i]))
            return 0;
    }
    return ranks >= 2 ? first->collectives.count : 0;
}

bool rank_ran_waits(const struct rank_ran *const *ran, size_t count, int64_t *waits_ns) {
    size_t collectives = count_common(ran, count);
    memset(waits_ns, 0, count * sizeof *waits_ns);
    for (size_t c = 0; c < collectives; c++) {
        int64_t shortest = INT64_MAX;
        for (size_t i = 0; i < count; i++)
            if (ran[i] && ran[i]->collectives.items[c].ns < shortest)
                shortest = ran[i]->collectives.items[c].ns;
        for (size_t i = 0; i < count; i++)
            waits_ns[i] += ran[i] ? ran[i]->collectives.items[c].ns - shortest : 0;
    }
    return collectives > 0;
}

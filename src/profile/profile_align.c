#include "profile/profile_parts.h"

#define NONE UINT32_MAX

/* The name of a generated kernel on a device. */
static struct slice work_name(const struct kernel *kernel) {
    return kernel->label.len ? kernel->label : kernel->name;
}

void profile_calls_make(struct profile_calls *calls, const struct kernels *kernels, const struct code_calls *code) {
    if (calls->all || !code->count)
        return;
    calls->all = kernels->call_order.items + code->first;
    calls->count = code->count;
    calls->library = mem_alloc(code->count * sizeof *calls->library);
    for (uint32_t i = 0; i < code->count; i++) {
        const struct kernel *kernel = &kernels->list.items[calls->all[i]];
        *map_put(&calls->bases, profile_kernel_base(kernel), 0, NULL) |= kernel->kind == KERNEL_EXTERN ? 0 : 1;
        if (kernel->kind == KERNEL_EXTERN)
            calls->library[calls->library_count++] = calls->all[i];
        else
            map_put(&calls->works, work_name(kernel), 0, NULL);
    }
}

void profile_calls_free(struct profile_calls *calls) {
    map_free(&calls->bases);
    map_free(&calls->works);
    mem_free(calls->library);
}

/* Whether it is a generated C++ kernel with a name that the code does not have: that of a template's function. */
static bool is_template(const struct profile_calls *calls, const struct profile_operator *ran) {
    return ran->generated && map_get(&calls->bases, ran->name) == MAP_NONE;
}

static bool is_named(const struct profile_calls *calls, const struct profile_operator *ran) {
    return !ran->replayed && (ran->generated || map_get(&calls->bases, ran->name) != MAP_NONE);
}

static bool is_call_of(const struct profile_calls *calls, const struct profile_operator *ran,
                       const struct kernel *kernel) {
    return slice_eq(profile_kernel_base(kernel), ran->name) || (kernel->kind == KERNEL_CPP && is_template(calls, ran));
}

/* Operators of the user, as with torch.library.custom_op(), may have no event. */
static bool may_be_silent(const struct kernel *kernel) {
    return kernel->kind == KERNEL_EXTERN && slice_starts(kernel->name, SLICE("torch.ops.")) &&
           !slice_starts(kernel->name, SLICE("torch.ops.aten."));
}

/* The next call, from `next` on, that has this name or an event. */
static uint32_t skip_silent(const struct kernels *kernels, const uint32_t *order, uint32_t expected, uint32_t next,
                            struct slice name) {
    while (next < expected && may_be_silent(&kernels->list.items[order[next]]) &&
           !slice_eq(profile_kernel_base(&kernels->list.items[order[next]]), name))
        next++;
    return next;
}

static bool align_operators(const struct profile_calls *calls, const struct kernels *kernels,
                            const struct profile_operator *operators, size_t count, struct profile_assigned *assigned,
                            bool *generated) {
    uint32_t next = 0;
    *generated = false;
    for (size_t i = 0; i < count && !*generated; i++)
        *generated =
            !operators[i].replayed && (operators[i].generated || map_get(&calls->bases, operators[i].name) == 1);
    const uint32_t *order = *generated ? calls->all : calls->library;
    uint32_t expected = *generated ? calls->count : calls->library_count;
    for (size_t i = 0; i < count; i++) {
        assigned[i] = (struct profile_assigned){NONE, false};
        if (!is_named(calls, &operators[i]))
            continue;
        next = skip_silent(kernels, order, expected, next, operators[i].name);
        if (next == expected || !is_call_of(calls, &operators[i], &kernels->list.items[order[next]]))
            return false;
        assigned[i].kernel = order[next++];
    }
    return skip_silent(kernels, order, expected, next, SLICE("")) == expected;
}

/* What is between two operators whose kernels are known: `count` operators from `first`, and the library calls
 * calls->all[from..to]. */
struct between {
    size_t first, count;
    uint32_t from, to;
};

/* The second kernel of a product that cuBLAS splits: it belongs to the work before it. */
static bool is_second(const struct profile_operator *ran) {
    return slice_find(ran->name, SLICE("splitKreduce_kernel")) != SIZE_MAX;
}

static void assign_between(const struct profile_calls *calls, const struct profile_operator *operators,
                           struct profile_assigned *assigned, const struct between *between) {
    uint32_t wanted = between->to - between->from, found = 0;
    size_t works = 0;
    for (size_t i = between->first; i < between->first + between->count; i++)
        works += operators[i].replayed && !(works && is_second(&operators[i]));
    if (!wanted || (wanted > 1 && works != wanted))
        return;
    for (size_t i = between->first; i < between->first + between->count; i++) {
        if (!operators[i].replayed)
            continue;
        bool more = found && (wanted == 1 || is_second(&operators[i]));
        found += !more;
        assigned[i] = (struct profile_assigned){calls->all[between->from + found - 1], more};
    }
}

/* The first call from `from` on that the operator may be, with only library calls before it. calls->count: none. */
static uint32_t find_call(const struct profile_calls *calls, const struct kernels *kernels, uint32_t from,
                          const struct profile_operator *ran) {
    for (uint32_t at = from; at < calls->count; at++) {
        const struct kernel *kernel = &kernels->list.items[calls->all[at]];
        bool library = kernel->kind == KERNEL_EXTERN;
        if (ran->replayed ? !library && slice_eq(work_name(kernel), ran->name)
                          : slice_eq(profile_kernel_base(kernel), ran->name))
            return at;
        if (!library)
            break;
    }
    return calls->count;
}

static bool align_works(const struct profile_calls *calls, const struct kernels *kernels,
                        const struct profile_operator *operators, size_t count, struct profile_assigned *assigned,
                        bool only_works) {
    uint32_t next = 0;
    size_t done = 0;
    for (size_t i = 0; i < count; i++) {
        assigned[i] = (struct profile_assigned){NONE, false};
        if (operators[i].replayed ? map_get(&calls->works, operators[i].name) == MAP_NONE
                                  : only_works || !is_named(calls, &operators[i]))
            continue;
        uint32_t at = find_call(calls, kernels, next, &operators[i]);
        if (at == calls->count)
            return false;
        assign_between(calls, operators, assigned, &(struct between){done, i - done, next, at});
        assigned[i].kernel = calls->all[at];
        next = at + 1;
        done = i + 1;
    }
    for (uint32_t at = next; at < calls->count; at++)
        if (kernels->list.items[calls->all[at]].kind != KERNEL_EXTERN)
            return false;
    assign_between(calls, operators, assigned, &(struct between){done, count - done, next, calls->count});
    return true;
}

bool profile_align(const struct profile_calls *calls, const struct kernels *kernels,
                   const struct profile_operator *operators, size_t count, struct profile_assigned *assigned,
                   bool *generated) {
    bool whole = align_operators(calls, kernels, operators, count, assigned, generated), replays = false;
    for (size_t i = 0; i < count && !replays; i++)
        replays = operators[i].replayed;
    if (!replays)
        return whole;
    bool recorded = whole && (*generated || calls->library_count == calls->count);
    *generated |= calls->works.count > 0;
    return align_works(calls, kernels, operators, count, assigned, recorded);
}

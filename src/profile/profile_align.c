#include "profile/profile_parts.h"

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
    }
}

void profile_calls_free(struct profile_calls *calls) {
    map_free(&calls->bases);
    mem_free(calls->library);
}

bool profile_align(const struct profile_calls *calls, const struct kernels *kernels, const struct slice *operators,
                   size_t count, uint32_t *assigned, bool *generated) {
    uint32_t next = 0;
    *generated = false;
    for (size_t i = 0; i < count && !*generated; i++)
        *generated = map_get(&calls->bases, operators[i]) == 1;
    const uint32_t *order = *generated ? calls->all : calls->library;
    uint32_t expected = *generated ? calls->count : calls->library_count;
    for (size_t i = 0; i < count; i++) {
        assigned[i] = UINT32_MAX;
        if (map_get(&calls->bases, operators[i]) == MAP_NONE)
            continue;
        if (next == expected || !slice_eq(profile_kernel_base(&kernels->list.items[order[next]]), operators[i]))
            return false;
        assigned[i] = order[next++];
    }
    return next == expected;
}

#include "report/saved_modules.h"

#define NONE UINT32_MAX

void saved_modules_init(struct saved_modules *saved, const struct model *model) {
    *saved = (struct saved_modules){.compiles = model->compiles.count, .memories = model->memories};
    size_t graphs = saved->memories ? saved->memories->list.count : 0;
    if (!graphs)
        return;
    saved->first = arena_alloc(&saved->arena, (saved->compiles + 1) * sizeof *saved->first);
    saved->next = arena_alloc(&saved->arena, graphs * sizeof *saved->next);
    saved->modules = arena_zalloc(&saved->arena, graphs * sizeof(struct saved_module *));
    memset(saved->first, 0xff, (saved->compiles + 1) * sizeof *saved->first);
    for (size_t i = graphs; i-- > 0;) {
        uint32_t compile = saved->memories->list.items[i].compile;
        saved->next[i] = NONE;
        if (saved->memories->list.items[i].saved < 0)
            continue;
        saved->next[i] = saved->first[compile];
        saved->first[compile] = (uint32_t)i;
    }
}

void saved_modules_finish(struct saved_modules *saved) {
    arena_free(&saved->arena);
    *saved = (struct saved_modules){0};
}

uint32_t saved_modules_first(const struct saved_modules *saved, uint32_t compile) {
    return saved->first && compile < saved->compiles ? saved->first[compile] : NONE;
}

uint32_t saved_modules_next(const struct saved_modules *saved, uint32_t graph) {
    return saved->next[graph];
}

void saved_modules_put(struct saved_modules *saved, uint32_t graph, uint32_t value, struct slice root,
                       struct slice name, bool exact) {
    const struct graph_memory *memory = &saved->memories->list.items[graph];
    if (!saved->modules[graph])
        saved->modules[graph] = arena_zalloc(&saved->arena, memory->value_count * sizeof **saved->modules);
    saved->modules[graph][value] =
        (struct saved_module){arena_slice(&saved->arena, root), arena_slice(&saved->arena, name), exact};
}

const struct saved_module *saved_modules_get(const struct saved_modules *saved, size_t graph, uint32_t value) {
    const struct saved_module *modules = saved->modules ? saved->modules[graph] : NULL;
    return modules && modules[value].root.ptr ? &modules[value] : NULL;
}

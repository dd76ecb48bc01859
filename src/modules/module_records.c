#include "modules/module_records.h"

#include "scan/module_source.h"

static void destroy(void *part) {
    struct all_module_records *all = part;
    for (size_t i = 0; i < all->list.count; i++) {
        struct module_records *records = &all->list.items[i];
        mem_free(records->inputs.items);
        mem_free(records->modules.items);
        mem_free(records->accesses.items);
    }
    mem_free(all->list.items);
    map_free(&all->compiles);
    map_free(&all->texts);
    arena_free(&all->arena);
    mem_free(all);
}

static struct all_module_records *all_in(struct model *model) {
    if (!model->modules) {
        model->modules = mem_zalloc(1, sizeof *model->modules);
        model_own(model, model->modules, destroy);
    }
    return model->modules;
}

/* The model's copy of a text, which many records repeat. */
static struct slice kept(struct all_module_records *all, struct slice text) {
    return text.ptr ? map_keep_in(&all->arena, &all->texts, text) : text;
}

/* The records of the folder's compile and attempt. Those of an earlier attempt are dropped; NULL: the folder's attempt is an earlier one. */
static struct module_records *records_of(struct model *model, uint32_t folder) {
    struct all_module_records *all = all_in(model);
    uint32_t compile = model->folders.items[folder].compile;
    int64_t attempt = model->folders.items[folder].attempt;
    char key[sizeof compile];
    bool added;
    memcpy(key, &compile, sizeof key);
    uint32_t place = *map_put(&all->compiles, slice_make(key, sizeof key), (uint32_t)all->list.count, &added);
    if (added)
        LIST_ADD(&all->list, (struct module_records){.compile = compile, .attempt = attempt});
    struct module_records *records = &all->list.items[place];
    if (attempt < records->attempt)
        return NULL;
    if (attempt > records->attempt) {
        all->inputs -= records->inputs.count;
        all->notes -= records->modules.count + records->accesses.count;
        all->ops -= records->graph.op_count;
        records->inputs.count = records->modules.count = records->accesses.count = 0;
        records->graph = (struct module_graph){0};
        records->cut = false;
        records->attempt = attempt;
    }
    return records;
}

void modules_note_tensor(struct model *model, const struct module_tensor *tensor) {
    struct all_module_records *all = all_in(model);
    all->recent[all->next] = *tensor;
    all->recent[all->next].noted = true;
    all->next = (all->next + 1) % RECENT_TENSORS;
}

void modules_note_source(struct model *model, uint32_t folder, uint64_t describer, uint64_t tensor,
                         struct slice source) {
    struct module_source read = module_source_read(source);
    struct all_module_records *all = all_in(model);
    if (read.step != STEP_PARAMETER && read.step != STEP_BUFFER)
        return;
    struct module_records *records = records_of(model, folder);
    if (!records)
        return;
    if (all->inputs == MODULE_INPUTS_MAX) {
        records->cut = true;
        return;
    }
    all->inputs++;
    struct module_input input = {.source = kept(all, source)};
    for (uint32_t i = 0; i < RECENT_TENSORS; i++)
        if (all->recent[i].describer == describer && all->recent[i].id == tensor && all->recent[i].noted)
            input.tensor = all->recent[i];
    LIST_ADD(&records->inputs, input);
}

void modules_note_graph(struct model *model, uint32_t folder, const struct module_graph *graph) {
    struct module_records *records = records_of(model, folder);
    struct all_module_records *all = all_in(model);
    if (!records)
        return;
    all->ops -= records->graph.op_count;
    records->graph = (struct module_graph){0};
    if (all->ops + graph->op_count > MODULE_OPS_MAX) {
        records->cut = true;
        return;
    }
    all->ops += graph->op_count;
    struct module_graph *copy = &records->graph;
    *copy = *graph;
    copy->ops = ARENA_COPY(&all->arena, graph->ops, graph->op_count);
    copy->places = ARENA_COPY(&all->arena, graph->places, graph->place_count);
    copy->inputs = ARENA_COPY(&all->arena, graph->inputs, graph->input_count);
    copy->operands = ARENA_COPY(&all->arena, graph->operands, graph->operand_count);
    for (uint32_t i = 0; i < copy->op_count; i++) {
        copy->ops[i].name = kept(all, copy->ops[i].name);
        copy->ops[i].target = kept(all, copy->ops[i].target);
    }
    for (uint32_t i = 0; i < copy->input_count; i++)
        copy->inputs[i] = kept(all, copy->inputs[i]);
    for (uint32_t i = 0; i < copy->place_count; i++) {
        struct module_place *place = &copy->places[i];
        *place = (struct module_place){kept(all, place->file), kept(all, place->function), kept(all, place->code),
                                       place->line};
    }
}

void modules_note_guards(struct model *model, uint32_t folder, const struct guard_notes *notes) {
    struct module_records *records = records_of(model, folder);
    struct all_module_records *all = all_in(model);
    if (!records)
        return;
    all->notes -= records->modules.count + records->accesses.count;
    records->modules.count = records->accesses.count = 0;
    for (size_t i = 0; i < notes->modules.count && all->notes < MODULE_NOTES_MAX; i++, all->notes++) {
        const struct guard_module *module = &notes->modules.items[i];
        LIST_ADD(&records->modules, (struct guard_module){kept(all, module->source), kept(all, module->type),
                                                          module->guards, module->called});
    }
    for (size_t i = 0; i < notes->accesses.count && all->notes < MODULE_NOTES_MAX; i++, all->notes++) {
        const struct guard_access *access = &notes->accesses.items[i];
        LIST_ADD(&records->accesses, (struct guard_access){kept(all, access->module), kept(all, access->file),
                                                           kept(all, access->function), access->line});
    }
}

#include "modules/module_instances.h"

static const struct module_records *records_of(const struct model *model, uint32_t compile) {
    char key[sizeof compile];
    memcpy(key, &compile, sizeof key);
    uint32_t place = model->modules ? map_get(&model->modules->compiles, slice_make(key, sizeof key)) : MAP_NONE;
    return place == MAP_NONE ? NULL : &model->modules->list.items[place];
}

/* Whether the tensor is a parameter or a buffer of `self`, with a known address. */
static bool is_of_self(const struct module_input *input) {
    return input->tensor.object && slice_starts(input->source, SLICE("L['self']"));
}

static void add_key(struct buf *key, const struct module_input *input) {
    key->len = 0;
    BUF_ADD(key, input->tensor.object, " ", input->source);
}

/* The number that all tensors have, or none of them: then it is a new one. MODULE_NONE: they have several, or there are none. */
static uint32_t number_of(const struct module_records *records, const struct map *known, uint32_t next) {
    AUTO_BUF key = {0};
    size_t found = 0, tensors = 0;
    uint32_t number = MODULE_NONE;
    for (size_t i = 0; records && i < records->inputs.count; i++) {
        if (!is_of_self(&records->inputs.items[i]))
            continue;
        add_key(&key, &records->inputs.items[i]);
        uint32_t of = map_get(known, buf_slice(&key));
        tensors++;
        if (of == MAP_NONE)
            continue;
        if (found && of != number)
            return MODULE_NONE;
        number = of;
        found++;
    }
    return !tensors ? MODULE_NONE : !found ? next : found == tensors ? number : MODULE_NONE;
}

uint32_t module_instances_find(const struct model *model, const uint32_t *compiles, size_t count, uint32_t *numbers) {
    AUTO_MAP known = {0};
    AUTO_BUF key = {0};
    uint32_t modules = 0;
    for (size_t i = 0; i < count; i++) {
        const struct module_records *records = records_of(model, compiles[i]);
        numbers[i] = number_of(records, &known, modules);
        if (numbers[i] != modules)
            continue;
        modules++;
        for (size_t k = 0; k < records->inputs.count; k++) {
            if (!is_of_self(&records->inputs.items[k]))
                continue;
            add_key(&key, &records->inputs.items[k]);
            map_put(&known, buf_slice(&key), numbers[i], NULL);
        }
    }
    return modules;
}

bool module_instances_are_whole(const struct model *model, const uint32_t *compiles, size_t count) {
    size_t known = 0;
    for (size_t i = 0; i < count; i++) {
        const struct stack_node *frame = model->compiles.items[compiles[i]]->stack;
        if (!frame) /* that of a compile that the limit refused is not logged */
            continue;
        if (!frame->parent || !slice_ends(frame->parent->frame->file, SLICE("/torch/_dynamo/eval_frame.py")))
            return false;
        known++;
    }
    return known > 0;
}

#include "modules/module_instances.h"

#include "scan/module_source.h"

static const struct module_records *records_of(const struct model *model, uint32_t compile) {
    char key[sizeof compile];
    memcpy(key, &compile, sizeof key);
    uint32_t place = model->modules ? map_get(&model->modules->compiles, slice_make(key, sizeof key)) : MAP_NONE;
    return place == MAP_NONE ? NULL : &model->modules->list.items[place];
}

/* What was at an address when it was seen first. */
struct known_object {
    uint64_t elements;
    uint32_t module;
    bool sized;
};

struct known {
    struct map addresses; /* and addresses with sources → objects */
    struct map sources;   /* the sources of each module */
    LIST(struct known_object) objects;
    LIST(bool) gone; /* for each module: an address of it now has another object */
};

typedef LIST(const struct module_input *) tensor_list;

/* A key of the maps. Equal sources are one text of the model. */
struct object_key {
    uint64_t number; /* an address, or a module */
    const char *source;
};
#define OBJECT_KEY(...) slice_make((const char *)&(struct object_key){__VA_ARGS__}, sizeof(struct object_key))

/* The parameters of `self`, or else its buffers: programs replace those more often. */
static void add_tensors(tensor_list *to, const struct module_records *records) {
    for (int buffers = 0; records && buffers < 2 && !to->count; buffers++)
        for (size_t i = 0; i < records->inputs.count; i++) {
            const struct module_input *input = &records->inputs.items[i];
            bool buffer = module_source_read(input->source).step == STEP_BUFFER;
            if (input->tensor.object && slice_starts(input->source, SLICE("L['self']")) && buffer == (buffers > 0))
                LIST_ADD(to, input);
        }
}

static void note_objects(struct known *known, const tensor_list *tensors, uint32_t module) {
    for (size_t i = 0; i < tensors->count; i++) {
        const struct module_input *input = tensors->items[i];
        uint32_t place = (uint32_t)known->objects.count;
        bool added;
        map_put(&known->sources, OBJECT_KEY(module, input->source.ptr), module, NULL);
        map_put(&known->addresses, OBJECT_KEY(input->tensor.object, input->source.ptr), place, &added);
        if (!added)
            continue;
        map_put(&known->addresses, OBJECT_KEY(input->tensor.object, NULL), place, NULL);
        LIST_ADD(&known->objects, (struct known_object){input->tensor.elements, module, input->tensor.sized});
    }
}

/* The object that the tensor still is, by address, name and size; NULL: it is new, and `gone` is the module that had
 * another object there (MODULE_NONE: none). */
static const struct known_object *object_of(const struct known *known, const struct module_input *input,
                                            uint32_t *gone) {
    uint32_t same = map_get(&known->addresses, OBJECT_KEY(input->tensor.object, input->source.ptr)),
             other = map_get(&known->addresses, OBJECT_KEY(input->tensor.object, NULL));
    assert(known->objects.items || (same == MAP_NONE && other == MAP_NONE));
    const struct known_object *object = same == MAP_NONE ? NULL : &known->objects.items[same];
    bool resized = object && object->sized && input->tensor.sized && object->elements != input->tensor.elements;
    *gone = resized || (!object && other != MAP_NONE) ? known->objects.items[other].module : MODULE_NONE;
    return resized ? NULL : object;
}

/* The module of these tensors; `next`: it is a new one. */
static uint32_t module_of(struct known *known, const tensor_list *tensors, uint32_t next) {
    uint32_t module = MODULE_NONE, gone;
    size_t found = 0;
    bool unknown = !tensors->count;
    for (size_t i = 0; i < tensors->count; i++) {
        const struct known_object *object = object_of(known, tensors->items[i], &gone);
        unknown |= gone != MODULE_NONE || (object && found && object->module != module);
        assert(known->gone.items || (!object && gone == MODULE_NONE));
        if (gone != MODULE_NONE)
            known->gone.items[gone] = true;
        if (object && !found++)
            module = object->module;
    }
    for (size_t i = 0; i < tensors->count && found && found < tensors->count; i++) { /* it may have further ones */
        bool fresh = !object_of(known, tensors->items[i], &gone);
        if (fresh && map_get(&known->sources, OBJECT_KEY(module, tensors->items[i]->source.ptr)) != MAP_NONE)
            known->gone.items[module] = unknown = true;
    }
    return unknown || (found && known->gone.items[module]) ? MODULE_NONE : found ? module : next;
}

uint32_t module_instances_find(const struct model *model, const uint32_t *compiles, size_t count, uint32_t *numbers) {
    struct known known = {0};
    tensor_list tensors = {0};
    uint32_t modules = 0;
    for (size_t i = 0; i < count; i++) {
        tensors.count = 0;
        add_tensors(&tensors, records_of(model, compiles[i]));
        numbers[i] = module_of(&known, &tensors, modules);
        if (numbers[i] == MODULE_NONE)
            continue;
        if (numbers[i] == modules) {
            modules++;
            LIST_ADD(&known.gone, false);
        }
        note_objects(&known, &tensors, numbers[i]);
    }
    map_free(&known.addresses);
    map_free(&known.sources);
    mem_free(known.objects.items);
    mem_free(known.gone.items);
    mem_free(tensors.items);
    return modules;
}

bool module_instances_surely(const struct model *model, uint32_t compile) {
    tensor_list tensors = {0};
    add_tensors(&tensors, records_of(model, compile));
    mem_free(tensors.items);
    return tensors.count >= MODULE_ADDRESSES_SURE;
}

/* Whether only a wrapper of torch.compile() or Module.compile() calls the frame. */
static bool is_whole(const struct frame *caller) {
    return slice_ends(caller->file, SLICE("/torch/_dynamo/eval_frame.py")) ||
           (slice_ends(caller->file, SLICE("/torch/nn/modules/module.py")) &&
            slice_find(caller->code, SLICE("self._compiled_call_impl(")) != SIZE_MAX);
}

bool module_instances_are_whole(const struct model *model, const uint32_t *compiles, size_t count) {
    size_t known = 0;
    for (size_t i = 0; i < count; i++) {
        const struct stack_node *frame = model->compiles.items[compiles[i]]->stack;
        if (!frame) /* that of a compile that the limit refused is not logged */
            continue;
        if (!frame->parent || !is_whole(frame->parent->frame))
            return false;
        known++;
    }
    return known > 0;
}

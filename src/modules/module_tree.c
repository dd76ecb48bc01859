#include "modules/module_tree.h"

#include "base/word.h"
#include "scan/module_source.h"

/* A module before it has its place in the order. */
struct found {
    struct slice source, class;
    uint32_t *index;                    /* in the map */
    uint32_t parent, first, last, next; /* first and last child, next sibling */
    uint64_t guards;
    bool called;
};

struct maker {
    struct module_tree *tree;
    LIST(struct found) found;
};

/* Writes each step as `_modules['x']`: one program says `__dict__['_modules']['x']`. */
static struct slice plain_source(struct arena *arena, struct slice source) {
    static const struct slice long_form = SLICE_INIT(".__dict__['_modules']");
    AUTO_BUF plain = {0};
    size_t at = slice_find(source, long_form);
    if (at == SIZE_MAX)
        return source;
    for (; at != SIZE_MAX; at = slice_find(source, long_form)) {
        BUF_ADD(&plain, slice_first(source, at), "._modules");
        source = slice_from(source, at + long_form.len);
    }
    buf_add(&plain, source);
    return arena_slice(arena, buf_slice(&plain));
}

uint32_t module_tree_find(const struct module_tree *tree, struct slice source) {
    AUTO_ARENA arena = {0};
    return map_get(&tree->sources, plain_source(&arena, source));
}

static bool names_module(struct slice source) {
    struct module_source read = module_source_read(source);
    return read.step == STEP_MODULE && read.module.len == source.len;
}

static void add(struct maker *maker, struct slice source) {
    struct module_tree *tree = maker->tree;
    bool added;
    uint32_t *index = map_put(&tree->sources, source, (uint32_t)maker->found.count, &added);
    if (!added)
        return;
    if (maker->found.count >= MODULE_TREE_MAX) {
        tree->more++;
        *index = MODULE_NONE;
        return;
    }
    LIST_ADD(&maker->found, (struct found){.source = source,
                                           .index = index,
                                           .parent = MODULE_NONE,
                                           .first = MODULE_NONE,
                                           .last = MODULE_NONE,
                                           .next = MODULE_NONE});
}

/* The module, and those that hold it by `_modules`. */
static void add_chain(struct maker *maker, struct slice source) {
    source = plain_source(&maker->tree->arena, source);
    if (source.len > MODULE_SOURCE_MAX)
        return;
    for (int depth = 0; depth < MODULE_DEPTH_MAX && source.len; depth++) {
        if (map_get(&maker->tree->sources, source) != MAP_NONE)
            return;
        add(maker, source);
        if (!names_module(source))
            return;
        source = module_source_read(source).owner;
    }
}

static void add_all(struct maker *maker, const struct module_records *records) {
    for (size_t i = 0; i < records->inputs.count; i++)
        add_chain(maker, module_source_read(records->inputs.items[i].source).owner);
    for (size_t i = 0; i < records->modules.count; i++)
        if (names_module(records->modules.items[i].source))
            add_chain(maker, records->modules.items[i].source);
    for (size_t i = 0; i < records->modules.count; i++) {
        const struct guard_module *module = &records->modules.items[i];
        uint32_t place = module_tree_find(maker->tree, module->source);
        if (place == MODULE_NONE)
            continue;
        assert(maker->found.items);
        maker->found.items[place].guards += module->guards;
        maker->found.items[place].called |= module->called;
        maker->tree->calls_known |= module->called;
        if (!maker->found.items[place].class.len)
            maker->found.items[place].class = module->type;
    }
}

/* The module that holds this one: by `_modules`, or by an attribute or a list, "L['self'].plain[0]". */
static uint32_t holder_of(const struct maker *maker, struct slice source) {
    int steps = 0;
    for (size_t at = source.len; at-- > 1 && steps < MODULE_DEPTH_MAX;) {
        if (source.ptr[at] != '.' && source.ptr[at] != '[')
            continue;
        steps++;
        uint32_t holder = map_get(&maker->tree->sources, slice_first(source, at));
        if (holder != MAP_NONE && holder != MODULE_NONE)
            return holder;
    }
    return MODULE_NONE;
}

/* Links children to their parents, in the order in which the log names them. Returns the root of the compiled method, or MODULE_NONE. */
static uint32_t link_all(struct maker *maker, uint32_t *first_root) {
    uint32_t last_root = *first_root = MODULE_NONE, self = MODULE_NONE;
    for (uint32_t i = 0; i < maker->found.count; i++) {
        struct found *found = &maker->found.items[i];
        found->parent = holder_of(maker, found->source);
        uint32_t *first = first_root, *last = &last_root;
        if (found->parent != MODULE_NONE) {
            first = &maker->found.items[found->parent].first;
            last = &maker->found.items[found->parent].last;
        } else if (slice_is(found->source, "L['self']")) {
            self = i;
            continue;
        }
        if (*last == MODULE_NONE)
            *first = i;
        else
            maker->found.items[*last].next = i;
        *last = i;
    }
    return self;
}

static struct slice part_of(const struct found *found, const struct found *parent) {
    struct module_source read = module_source_read(found->source);
    if (!parent)
        return found->source;
    if (read.step == STEP_MODULE && read.owner.len == parent->source.len)
        return read.name;
    struct slice rest = slice_from(found->source, parent->source.len);
    slice_cut_start(&rest, SLICE("."));
    return rest;
}

static struct slice name_of(struct module_tree *tree, const struct module *module, const struct module *parent) {
    AUTO_BUF name = {0};
    if (!parent->name.len)
        return module->part;
    BUF_ADD(&name, parent->name, slice_starts(module->part, SLICE("[")) ? "" : ".", module->part);
    return arena_slice(&tree->arena, buf_slice(&name));
}

/* Stacks leave out the files of torch.nn.modules. A class that parametrizations make has the code of the one that they change. */
static bool is_hidden(struct slice class) {
    return slice_starts(class, SLICE("torch.nn.modules.")) ||
           (slice_starts(class, SLICE("torch.nn.utils.parametrize.Parametrized")));
}

static bool is_container(struct slice class) {
    static const struct slice room = SLICE_INIT("torch.nn.modules.container.");
    return slice_cut_start(&class, room) &&
           (slice_is(class, "Sequential") || slice_is(class, "ModuleList") || slice_is(class, "ModuleDict") ||
            slice_is(class, "ParameterList") || slice_is(class, "ParameterDict"));
}

/* Adds the module with its descendants. */
static void place(struct maker *maker, uint32_t at, uint32_t parent) {
    struct module_tree *tree = maker->tree;
    struct found *found = &maker->found.items[at];
    uint32_t index = (uint32_t)tree->list.count;
    bool root = parent == MODULE_NONE || found->parent == MODULE_NONE;
    struct module module = {.source = found->source,
                            .class = found->class,
                            .parent = parent,
                            .guards = found->guards,
                            .called = found->called};
    module.part = part_of(found, root ? NULL : &maker->found.items[found->parent]);
    module.root = root ? index : tree->list.items[parent].root;
    module.name = root ? SLICE("") : name_of(tree, &module, &tree->list.items[parent]);
    module.depth = parent == MODULE_NONE ? 0 : tree->list.items[parent].depth + 1;
    module.from_torch = is_hidden(module.class);
    module.container = is_container(module.class);
    module.numbered = module.part.len && digits_length(module.part) == module.part.len;
    LIST_ADD(&tree->list, module);
    *found->index = index;
    for (uint32_t child = found->first; child != MODULE_NONE; child = maker->found.items[child].next)
        if (module.depth < MODULE_DEPTH_MAX)
            place(maker, child, index);
    tree->list.items[index].end = (uint32_t)tree->list.count;
}

static void place_all(struct maker *maker) {
    struct module_tree *tree = maker->tree;
    uint32_t first_root, self = link_all(maker, &first_root);
    for (size_t i = 0; i < maker->found.count; i++)
        *maker->found.items[i].index = MODULE_NONE; /* until it has its place */
    if (self != MODULE_NONE)
        place(maker, self, MODULE_NONE);
    else
        LIST_ADD(&tree->list, (struct module){.parent = MODULE_NONE, .root = MODULE_NONE});
    for (uint32_t root = first_root; root != MODULE_NONE; root = maker->found.items[root].next)
        place(maker, root, 0);
    tree->list.items[0].end = (uint32_t)tree->list.count;
}

static void count_tensors(struct module_tree *tree, const struct module_records *records) {
    AUTO_MAP seen = {0};
    for (size_t i = 0; i < records->inputs.count; i++) {
        const struct module_input *input = &records->inputs.items[i];
        struct module_source read = module_source_read(input->source);
        uint32_t place = module_tree_find(tree, read.owner);
        bool added;
        map_put(&seen, input->source, 0, &added);
        if (!added || place >= tree->list.count)
            continue;
        struct module *module = &tree->list.items[place];
        bool parameter = read.step == STEP_PARAMETER;
        *(parameter ? &module->parameters : &module->buffers) += 1;
        *(parameter ? &module->parameter_elements : &module->buffer_elements) += input->tensor.elements;
        *(parameter ? &module->parameter_bytes : &module->buffer_bytes) += input->tensor.bytes;
        module->unsized += !input->tensor.sized;
    }
}

/* Whether classes are known where the analysis needs them: of each module that holds a tensor, and of those above it. */
static bool has_classes(const struct module_tree *tree, const struct module_records *records) {
    bool *holds = mem_zalloc(tree->list.count, sizeof *holds), known = records->modules.count > 0;
    for (uint32_t i = (uint32_t)tree->list.count - 1; i > 0; i--) {
        const struct module *module = &tree->list.items[i];
        holds[i] |= module->parameters || module->buffers;
        holds[module->parent] |= holds[i];
        known &= !holds[i] || module->class.len;
    }
    mem_free(holds);
    return known;
}

void module_tree_make(struct module_tree *tree, const struct module_records *records) {
    struct maker maker = {.tree = tree};
    add_all(&maker, records);
    place_all(&maker);
    count_tensors(tree, records);
    tree->typed = has_classes(tree, records);
    mem_free(maker.found.items);
}

void module_tree_free(struct module_tree *tree) {
    mem_free(tree->list.items);
    map_free(&tree->sources);
    arena_free(&tree->arena);
    *tree = (struct module_tree){0};
}

uint32_t module_tree_common(const struct module_tree *tree, uint32_t a, uint32_t b) {
    while (a != b) {
        uint32_t *lower = tree->list.items[a].depth > tree->list.items[b].depth ? &a : &b;
        if (tree->list.items[*lower].parent == MODULE_NONE)
            return 0;
        *lower = tree->list.items[*lower].parent;
    }
    return a;
}

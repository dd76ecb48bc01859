#include "modules/op_items.h"

#include "base/word.h"
#include "modules/code_line.h"
#include "scan/module_source.h"

uint32_t op_items_number(struct map *map, struct slice text) {
    return *map_put(map, text, (uint32_t)map->count + 1, NULL);
}

bool op_items_hidden(const struct op_items *items, uint32_t module) {
    const struct module *one = &items->tree->list.items[module];
    return one->class.len ? one->from_torch : items->called[module];
}

struct slice op_items_called_name(const struct module_tree *tree, uint32_t module) {
    const struct module *one = &tree->list.items[module];
    while (one->numbered && one->parent != MODULE_NONE)
        one = &tree->list.items[one->parent];
    size_t item = slice_find(one->part, SLICE("["));
    return item == SIZE_MAX || one->parent == MODULE_NONE || !one->name.len ? one->part : slice_first(one->part, item);
}

/* The name that Dynamo makes of a source, without regard to its case and to signs at its ends. */
static void add_input_name(struct buf *out, struct slice source) {
    char *to = buf_reserve(out, source.len), *start = to;
    for (size_t i = 0; i < source.len; i++) {
        char c = source.ptr[i];
        if (is_word(c) && c != '_')
            *to++ = c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
        else if (to > start && to[-1] != '_')
            *to++ = '_';
    }
    out->len += (size_t)(to - start) - (to > start && to[-1] == '_');
}

/* The tensors by the names of the inputs that Dynamo makes of them. */
static void name_tensors(struct op_items *items, struct map *names, struct op_tensor *tensors) {
    for (uint32_t i = 0; i < items->records->inputs.count; i++) {
        AUTO_BUF name = {0};
        struct slice source = items->records->inputs.items[i].source;
        struct module_source read = module_source_read(source);
        tensors[i] = (struct op_tensor){module_tree_find(items->tree, read.owner), read.name};
        add_input_name(&name, source);
        if (tensors[i].module != MODULE_NONE)
            map_put(names, buf_slice(&name), i, NULL);
    }
}

/* The index of the tensor; MAP_NONE: unknown. Names that exist already get a number: "…_weight_1". */
static uint32_t tensor_of(const struct map *names, struct slice input) {
    AUTO_BUF name = {0};
    add_input_name(&name, input);
    struct slice text = buf_slice(&name);
    uint32_t found = map_get(names, text);
    size_t mark = slice_rfind_byte(text, '_');
    if (found == MAP_NONE && mark != SIZE_MAX && digits_length(slice_from(text, mark + 1)) == text.len - mark - 1)
        found = map_get(names, slice_first(text, mark));
    return found;
}

static void add_tensors(struct op_items *items) {
    const struct module_graph *graph = &items->records->graph;
    AUTO_MAP names = {0};
    struct op_tensor *tensors = mem_alloc((items->records->inputs.count + 1) * sizeof *tensors);
    uint32_t *of_input = mem_alloc((graph->input_count + 1) * sizeof *of_input);
    name_tensors(items, &names, tensors);
    for (uint32_t i = 0; i < graph->input_count; i++)
        of_input[i] = tensor_of(&names, graph->inputs[i]);
    for (uint32_t i = 0; i < items->count; i++) {
        const struct module_op *op = &graph->ops[i];
        struct op_item *item = &items->list[i];
        item->first_tensor = (uint32_t)items->tensors.count;
        item->owner = MODULE_NONE;
        for (uint32_t o = op->first; o < op->first + op->count; o++) {
            uint32_t tensor = of_input[graph->operands[o]];
            if (tensor == MAP_NONE)
                continue;
            uint32_t module = tensors[tensor].module;
            LIST_ADD(&items->tensors, tensors[tensor]);
            item->owner = item->owner == MODULE_NONE ? module : module_tree_common(items->tree, item->owner, module);
        }
        item->tensor_count = (uint32_t)items->tensors.count - item->first_tensor;
    }
    mem_free(tensors);
    mem_free(of_input);
}

static void add_places(struct op_items *items) {
    const struct module_graph *graph = &items->records->graph;
    for (uint32_t i = 0; i < items->count; i++) {
        struct op_item *item = &items->list[i];
        if (graph->ops[i].place == MODULE_NONE)
            continue;
        const struct module_place *place = &graph->places[graph->ops[i].place];
        AUTO_BUF function = {0};
        BUF_ADD(&function, place->file, " ", place->function);
        item->code = place->code;
        item->forward = slice_is(place->function, "forward");
        item->at = (struct known_line){.file = op_items_number(&items->files, place->file),
                                       .line = place->line,
                                       .function = op_items_number(&items->functions, buf_slice(&function))};
    }
}

/* Marks the module and those above it. */
static void mark(const struct module_tree *tree, bool *marks, uint32_t module) {
    for (; module != MODULE_NONE && !marks[module]; module = tree->list.items[module].parent)
        marks[module] = true;
}

bool op_items_owns_all(const struct op_items *items, const struct op_item *item) {
    for (uint32_t t = 0; t < item->tensor_count; t++)
        if (items->tensors.items[item->first_tensor + t].module != item->owner)
            return false;
    return item->tensor_count > 0;
}

static bool reads_tensors(const struct op_items *items, const struct op_item *item) {
    for (uint32_t t = 0; t < item->tensor_count; t++)
        if (code_line_reads(item->code, items->tensors.items[item->first_tensor + t].name))
            return true;
    return false;
}

static bool reads_own_tensors(const struct op_items *items, const struct op_item *item) {
    struct slice part = items->tree->list.items[item->owner].part;
    for (uint32_t t = 0; t < item->tensor_count; t++)
        if (code_line_reads_own(item->code, items->tensors.items[item->first_tensor + t].name, part))
            return true;
    return false;
}

bool op_items_reads_others(const struct op_items *items, const struct op_item *item) {
    return reads_tensors(items, item) && !reads_own_tensors(items, item);
}

static bool calls_owner(const struct op_items *items, const struct op_item *item) {
    return code_line_calls(item->code, op_items_called_name(items->tree, item->owner));
}

/* Whether a line calls the module, although its class is unknown. */
static void note_called(struct op_items *items) {
    for (uint32_t i = 0; i < items->count; i++) {
        const struct op_item *item = &items->list[i];
        if (op_items_owns_all(items, item) && !items->tree->list.items[item->owner].class.len &&
            calls_owner(items, item) && !reads_tensors(items, item))
            items->called[item->owner] = true;
    }
}

bool op_items_runs(const struct op_items *items, const struct op_item *item, uint32_t module) {
    return items->runs[module] || (!items->tree->calls_known && item->forward);
}

static bool holds_tensors(const struct module *module) {
    return module->parameters || module->buffers;
}

/* By class: whether some of its modules hold tensors and others do not, as layers that share a tensor, which is named by the first one. */
static bool *classes_of_both(const struct op_items *items) {
    bool *both = mem_zalloc(2 * (items->classes.count + 1), sizeof *both), *without = both + items->classes.count + 1;
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 1; i < items->tree->list.count; i++) {
            const struct module *module = &items->tree->list.items[i];
            uint32_t class = items->class_of[i];
            if (!module->class.len)
                continue;
            without[class] |= !holds_tensors(module);
            both[class] |= round && without[class] && holds_tensors(module);
        }
    return both;
}

/* Finds modules with tensors for which there is one of their class and name without. */
static void find_twins(struct op_items *items) {
    const struct module_tree *tree = items->tree;
    AUTO_MAP without = {0};
    bool *both = classes_of_both(items);
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 1; i < tree->list.count; i++) {
            const struct module *module = &tree->list.items[i];
            AUTO_BUF key = {0};
            if (!module->class.len || !both[items->class_of[i]] || holds_tensors(module) != (round == 1))
                continue;
            BUF_ADD(&key, module->class, " ", op_items_called_name(tree, i));
            if (round)
                items->twin[i] = map_get(&without, buf_slice(&key)) != MAP_NONE;
            else
                map_put(&without, buf_slice(&key), 1, NULL);
        }
    mem_free(both);
}

static void find_anchor(struct op_items *items, uint32_t i) {
    struct op_item *item = &items->list[i];
    item->anchor = MODULE_NONE;
    if (!op_items_owns_all(items, item) || items->twin[item->owner])
        return;
    if (!op_items_hidden(items, item->owner)) {
        if (op_items_runs(items, item, item->owner) && reads_own_tensors(items, item))
            item->anchor = item->owner;
        return;
    }
    struct slice target = items->records->graph.ops[i].target;
    bool functional = reads_tensors(items, item) || code_line_spells(item->code, target, NULL, 0, false);
    if (items->tree->list.items[item->owner].container || functional ||
        (items->tree->calls_known && !items->runs[item->owner]) ||
        !(calls_owner(items, item) || code_line_calls_variable(item->code)))
        return;
    item->anchor = item->owner;
    item->leaf = true;
}

/* Notes the modules that were called. Logs of older versions do not say it: then those whose forward() is seen to run, by guards, and by
 * operations in it. */
static void note_runs(struct op_items *items, bool with_ops) {
    items->runs[0] = true;
    for (uint32_t i = 1; i < items->tree->list.count; i++)
        items->runs[i] |= items->tree->list.items[i].called;
    for (size_t i = 0; i < items->records->accesses.count && !items->tree->calls_known; i++) {
        const struct guard_access *access = &items->records->accesses.items[i];
        uint32_t module =
            slice_is(access->function, "forward") ? module_tree_find(items->tree, access->module) : MODULE_NONE;
        if (module != MODULE_NONE)
            items->runs[module] = true;
    }
    for (uint32_t i = 0; i < items->count && with_ops && !items->tree->calls_known; i++)
        if (items->list[i].forward && items->list[i].anchor != MODULE_NONE && !items->list[i].leaf)
            items->runs[items->list[i].anchor] = true;
}

/* Identifies the operation that a module runs, so that a second call of the module is seen. */
static void add_site(struct buf *key, const struct op_items *items, uint32_t i) {
    const struct op_item *item = &items->list[i];
    bool hidden = op_items_hidden(items, item->anchor); /* its lines are those that call it */
    BUF_ADD(key, (uint64_t)item->anchor, " ", (uint64_t)(hidden ? 0 : item->at.file), " ",
            (uint64_t)(hidden ? 0 : item->at.line), " ", items->records->graph.ops[i].target);
    for (uint32_t t = 0; t < item->tensor_count; t++)
        BUF_ADD(key, " ", items->tensors.items[item->first_tensor + t].name);
}

/* How often each site runs. */
static void count_sites(const struct op_items *items, struct map *sites) {
    for (uint32_t i = 0; i < items->count; i++) {
        AUTO_BUF key = {0};
        if (items->list[i].anchor == MODULE_NONE)
            continue;
        add_site(&key, items, i);
        ++*map_put(sites, buf_slice(&key), 0, NULL);
    }
}

static bool runs_once(const struct op_items *items, const struct map *sites, uint32_t i) {
    AUTO_BUF key = {0};
    add_site(&key, items, i);
    return map_get(sites, buf_slice(&key)) == 1;
}

static void mark_modules(struct op_items *items) {
    AUTO_MAP sites = {0};
    memset(items->anchored, 0, items->tree->list.count * sizeof *items->anchored);
    memset(items->once, 0, items->tree->list.count * sizeof *items->once);
    count_sites(items, &sites);
    for (uint32_t i = 0; i < items->count; i++) {
        if (items->list[i].anchor == MODULE_NONE)
            continue;
        mark(items->tree, items->anchored, items->list[i].anchor);
        if (runs_once(items, &sites, i))
            mark(items->tree, items->once, items->list[i].anchor);
    }
}

/* Without guards, a second call of a module may be that of another one that shares its tensor: only guards name that. */
static void drop_repeated(struct op_items *items) {
    AUTO_MAP sites = {0};
    count_sites(items, &sites);
    for (uint32_t i = 0; i < items->count; i++)
        if (items->list[i].anchor != MODULE_NONE && !runs_once(items, &sites, i))
            items->list[i].dropped = true;
    for (uint32_t i = 0; i < items->count; i++)
        items->list[i].anchor = items->list[i].dropped ? MODULE_NONE : items->list[i].anchor;
}

static void find_neighbors(struct op_items *items) {
    uint32_t latest = 0;
    for (uint32_t i = 0; i < items->count; i++) {
        items->list[i].before = latest;
        latest = items->list[i].anchor != MODULE_NONE ? items->list[i].anchor : latest;
    }
    latest = 0;
    for (uint32_t i = items->count; i-- > 0;) {
        items->list[i].after = latest;
        latest = items->list[i].anchor != MODULE_NONE ? items->list[i].anchor : latest;
    }
}

void op_items_update(struct op_items *items) {
    mark_modules(items);
    find_neighbors(items);
}

static void number_classes(struct op_items *items) {
    for (uint32_t i = 0; i < items->tree->list.count; i++) {
        struct slice class = items->tree->list.items[i].class;
        items->class_of[i] = class.len ? op_items_number(&items->classes, class) : UINT32_MAX - i;
    }
}

void op_items_make(struct op_items *items, const struct module_tree *tree, const struct module_records *records) {
    size_t modules = tree->list.count;
    *items = (struct op_items){.tree = tree, .records = records, .count = records->graph.op_count};
    items->list = mem_zalloc(items->count + 1, sizeof *items->list);
    items->class_of = mem_zalloc(modules, sizeof *items->class_of);
    items->anchored = mem_zalloc(modules, sizeof *items->anchored);
    items->once = mem_zalloc(modules, sizeof *items->once);
    items->called = mem_zalloc(modules, sizeof *items->called);
    items->twin = mem_zalloc(modules, sizeof *items->twin);
    items->coded = mem_zalloc(modules, sizeof *items->coded);
    items->runs = mem_zalloc(modules, sizeof *items->runs);
    number_classes(items);
    add_places(items);
    add_tensors(items);
    note_called(items);
    find_twins(items);
    note_runs(items, false);
    for (uint32_t i = 0; i < items->count; i++)
        find_anchor(items, i);
    note_runs(items, true);
    for (uint32_t i = 0; i < items->count; i++)
        if (items->list[i].anchor == MODULE_NONE)
            find_anchor(items, i); /* in other methods */
    if (!tree->typed)
        drop_repeated(items);
    op_items_update(items);
}

void op_items_free(struct op_items *items) {
    mem_free(items->list);
    mem_free(items->tensors.items);
    mem_free(items->candidates.items);
    map_free(&items->files);
    map_free(&items->functions);
    map_free(&items->classes);
    mem_free(items->class_of);
    mem_free(items->anchored);
    mem_free(items->once);
    mem_free(items->called);
    mem_free(items->twin);
    mem_free(items->coded);
    mem_free(items->runs);
}

#include "modules/op_modules.h"

#include "base/word.h"
#include "modules/code_line.h"
#include "modules/op_items.h"

enum { CALLED_MAX = 16 };

/* The modules of torch.nn that a line calls, and what there is to find them. */
struct called {
    uint32_t list[CALLED_MAX];
    struct slice names[CALLED_MAX]; /* by which the line calls them */
    uint32_t count, name_count;
    uint32_t calls; /* of anything */
    bool many;      /* there are more, or one of a class that may run those of torch.nn without code of its own */
    bool unknown;   /* it calls an attribute of `self` that is not known to be a module */
};

struct final {
    const struct op_items *items;
    const struct module_tree *tree;
    struct map children;  /* index and part → index */
    struct map parts;     /* of modules whose code is not in stacks */
    struct map sites;     /* line and name of what runs there; empty until it is needed */
    bool *calls;          /* by module: it may call modules below it */
    struct called called; /* what the latest line calls as the code of `module` */
    uint32_t place, module;
};

/* "torch.nn.functional.max_pool2d" and "MaxPool2d" are both "maxpool2d". */
static void add_plain_name(struct buf *out, struct slice name) {
    size_t dot = slice_rfind_byte(name, '.');
    name = dot == SIZE_MAX ? name : slice_from(name, dot + 1);
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        if (is_word(c) && c != '_')
            buf_add_byte(out, c >= 'A' && c <= 'Z' ? (char)(c + 32) : c);
    }
}

static bool is_same_name(struct slice class, struct slice target) {
    AUTO_BUF one = {0}, other = {0};
    add_plain_name(&one, class);
    add_plain_name(&other, target);
    return one.len && slice_eq(buf_slice(&one), buf_slice(&other));
}

static void add_site_key(struct buf *key, const struct known_line *at, struct slice name) {
    BUF_ADD(key, (uint64_t)at->file, " ", (uint64_t)at->line, " ");
    add_plain_name(key, name);
}

static void index_children(struct final *final) {
    for (uint32_t i = 1; i < final->tree->list.count; i++) {
        AUTO_BUF key = {0};
        BUF_ADD(&key, (uint64_t) final->tree->list.items[i].parent, " ", final->tree->list.items[i].part);
        map_put(&final->children, buf_slice(&key), i, NULL);
        if (op_items_hidden(final->items, i))
            map_put(&final->parts, final->tree->list.items[i].part, i, NULL);
    }
}

static void index_callers(struct final *final) {
    const struct module_tree *tree = final->tree;
    final->calls = mem_zalloc(tree->list.count, sizeof *final->calls);
    for (uint32_t i = (uint32_t)tree->list.count; i-- > 1;)
        if (!tree->calls_known || tree->list.items[i].called || final->calls[i])
            final->calls[tree->list.items[i].parent] = true;
}

static void index_sites(struct final *final) {
    for (uint32_t i = 0; i < final->items->count; i++) {
        AUTO_BUF key = {0};
        add_site_key(&key, &final->items->list[i].at, final->items->records->graph.ops[i].target);
        map_put(&final->sites, buf_slice(&key), 1, NULL);
    }
}

static uint32_t child_of(const struct final *final, uint32_t module, struct slice name) {
    AUTO_BUF key = {0};
    BUF_ADD(&key, (uint64_t)module, " ", name);
    return map_get(&final->children, buf_slice(&key));
}

/* Adds the module, or those in a container. Identity runs nothing. */
static void add_called(const struct final *final, struct called *called, uint32_t module, int depth) {
    const struct module *one = &final->tree->list.items[module];
    if (slice_ends(one->class, SLICE(".Identity")) || (final->tree->calls_known && !one->container && !one->called))
        return;
    called->many |= !one->from_torch && !final->items->coded[module];
    if (!one->from_torch)
        return;
    if (!one->container) {
        called->many |= called->count == CALLED_MAX;
        if (called->count < CALLED_MAX)
            called->list[called->count++] = module;
        return;
    }
    for (uint32_t child = module + 1; child < one->end && depth < MODULE_DEPTH_MAX && !called->many;
         child = final->tree->list.items[child].end)
        add_called(final, called, child, depth + 1);
}

/* The module at a path below this one: "head.flatten". */
static uint32_t module_at(const struct final *final, uint32_t module, struct slice path) {
    while (path.len && module != MAP_NONE) {
        size_t dot = slice_find(path, SLICE("."));
        module = child_of(final, module, slice_first(path, dot));
        path = slice_from(path, dot == SIZE_MAX ? path.len : dot + 1);
    }
    return module;
}

static struct called called_by(const struct final *final, uint32_t module, struct slice code) {
    struct called called = {0};
    struct code_call call;
    while (code_line_next_call(&code, &call)) {
        uint32_t child = call.path.len ? module_at(final, module, call.path) : child_of(final, module, call.name);
        called.calls++;
        called.unknown |= child == MAP_NONE && call.of_self;
        if (child == MAP_NONE)
            continue;
        uint32_t before = called.count;
        add_called(final, &called, child, 0);
        if (called.count > before && called.name_count < CALLED_MAX)
            called.names[called.name_count++] = call.name;
    }
    return called;
}

/* Whether both are numbered modules of one container that runs them in order, and the first does not come before the other. */
static bool is_behind(const struct module *modules, const struct module *one, const struct module *other) {
    if (one->parent != other->parent || one->parent == MODULE_NONE || !one->numbered || !other->numbered ||
        slice_ends(modules[one->parent].class, SLICE(".ModuleList")))
        return false;
    /* Not in the order of the tree, where modules with tensors come first. */
    return one->part.len != other->part.len ? one->part.len > other->part.len : slice_cmp(one->part, other->part) >= 0;
}

/* Whether the module can run now: in its container, it is behind the anchor before the operation and before that after it. */
static bool is_between(const struct final *final, uint32_t module, const struct op_item *item) {
    const struct module *modules = final->tree->list.items;
    const struct module *one = &modules[module], *before = &modules[item->before], *after = &modules[item->after];
    return !is_behind(modules, before, one) && !is_behind(modules, one, after);
}

/* Whether the operation has a tensor of the module, if the module has any: one that is shared may be named by another module. */
static bool has_operands(const struct final *final, uint32_t module, uint32_t i) {
    const struct module *one = &final->tree->list.items[module];
    return (!one->parameters && !one->buffers) || final->items->list[i].owner == module;
}

/* The one called module whose class is named as the operation; MODULE_NONE: none, or several. */
static uint32_t named_as(const struct final *final, const struct called *called, uint32_t i) {
    const struct module_op *op = &final->items->records->graph.ops[i];
    uint32_t found = MODULE_NONE;
    for (uint32_t k = 0; k < called->count; k++) {
        uint32_t module = called->list[k];
        if (!is_same_name(final->tree->list.items[module].class, op->target) || !has_operands(final, module, i) ||
            !is_between(final, module, &final->items->list[i]))
            continue;
        if (found != MODULE_NONE)
            return MODULE_NONE;
        found = module;
    }
    return found;
}

static bool any_named_as(const struct final *final, const struct called *called, struct slice target) {
    for (uint32_t k = 0; k < called->count; k++)
        if (is_same_name(final->tree->list.items[called->list[k]].class, target))
            return true;
    return false;
}

/* Whether each called module runs an operation of its name in the line, so it does not run another one. */
static bool all_accounted(struct final *final, const struct called *called, const struct op_item *item) {
    bool all = !called->many;
    if (called->count && !final->sites.count)
        index_sites(final);
    for (uint32_t k = 0; k < called->count && all; k++) {
        AUTO_BUF key = {0};
        add_site_key(&key, &item->at, final->tree->list.items[called->list[k]].class);
        all = map_get(&final->sites, buf_slice(&key)) != MAP_NONE;
    }
    return all;
}

/* The operation's line is in the code of the module: it is the module's own, or that of a module of torch.nn that the line calls. */
static struct op_module decide(struct final *final, uint32_t i, uint32_t module) {
    const struct op_item *item = &final->items->list[i];
    const struct module_op *op = &final->items->records->graph.ops[i];
    const struct called *called = &final->called;
    if (final->place != op->place || final->module != module)
        final->called = called_by(final, module, item->code);
    final->place = op->place;
    final->module = module;
    size_t dot = slice_rfind_byte(op->target, '.');
    struct slice last = dot == SIZE_MAX ? op->target : slice_from(op->target, dot + 1);
    bool is_named = map_get(&final->parts, last) != MAP_NONE;
    bool spelled = code_line_spells(item->code, op->target, called->names, called->name_count, is_named);
    uint32_t named = named_as(final, called, i);
    if (called->many)
        return (struct op_module){module, false};
    if (named != MODULE_NONE && !(spelled && op->method))
        return (struct op_module){named, true};
    if (spelled && !any_named_as(final, called, op->target) && all_accounted(final, called, item))
        return (struct op_module){module, true};
    if (called->count == 1 && called->calls == 1 && !spelled)
        return (struct op_module){called->list[0], !final->calls[called->list[0]]};
    return (struct op_module){module, !called->count && !called->unknown && !code_line_calls_variable(item->code)};
}

/* PyTorch's own operations at the end of a transform, as of torch.vmap: Dynamo traces them when it has left the modules. */
static bool ends_transform(const struct op_items *items, uint32_t i) {
    struct slice target = items->records->graph.ops[i].target;
    return slice_starts(target, SLICE("torch._functorch.")) && slice_ends(target, SLICE("decrement_nesting"));
}

static struct op_module module_of(struct final *final, uint32_t i) {
    const struct op_item *item = &final->items->list[i];
    const struct candidate *candidates = final->items->candidates.items + item->first;
    uint32_t module = candidates[0].module;
    if (item->anchor != MODULE_NONE)
        return (struct op_module){item->anchor, true};
    if (ends_transform(final->items, i))
        return (struct op_module){0, false};
    for (uint32_t c = 1; c < item->count; c++)
        module = module_tree_common(final->tree, module, candidates[c].module);
    while (module && item->count > 1 && op_items_hidden(final->items, module))
        module = final->tree->list.items[module].parent;
    /* Another module may have called a method of it. */
    bool called = true;
    while (module && !op_items_runs(final->items, item, module)) {
        module = final->tree->list.items[module].parent;
        called = false;
    }
    if (called && item->count == 1 && !item->vague && item->at.file)
        return decide(final, i, module);
    return (struct op_module){module, false};
}

/* Without classes, only what the line itself says is sure: other operations are in a module that has the anchors around them. */
static struct op_module module_without_classes(const struct op_items *items, uint32_t i) {
    const struct op_item *item = &items->list[i];
    const struct module *modules = items->tree->list.items;
    if (item->anchor != MODULE_NONE)
        return (struct op_module){item->anchor, true};
    if (ends_transform(items, i))
        return (struct op_module){0, false};
    uint32_t module = module_tree_common(items->tree, item->before, item->after);
    if (item->owner != MODULE_NONE)
        module = module_tree_common(items->tree, module, item->owner);
    /* It may be of torch.nn, or a list, or run again: only those above run other code. */
    while (module && (modules[module].end == module + 1 || modules[module + 1].numbered || !items->once[module]))
        module = modules[module].parent;
    return (struct op_module){module, false};
}

struct op_module *op_modules_find(const struct module_tree *tree, const struct module_records *records,
                                  const struct place *frame) {
    struct op_items items;
    op_items_make(&items, tree, records);
    struct op_module *result = mem_alloc((items.count + 1) * sizeof *result);
    if (tree->typed) {
        struct final final = {.items = &items, .tree = tree, .place = MODULE_NONE, .module = MODULE_NONE};
        op_candidates_find(&items, frame);
        index_children(&final);
        index_callers(&final);
        for (uint32_t i = 0; i < items.count; i++)
            result[i] = module_of(&final, i);
        map_free(&final.children);
        map_free(&final.parts);
        map_free(&final.sites);
        mem_free(final.calls);
    } else {
        for (uint32_t i = 0; i < items.count; i++)
            result[i] = module_without_classes(&items, i);
    }
    op_items_free(&items);
    return result;
}

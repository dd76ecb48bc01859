#include "scan/guard_checks.h"

#include "base/map.h"
#include "scan/guard_text.h"

/* How the filters treat a check: by the kind of its guard. */
enum check_class {
    CLASS_OTHER,
    CLASS_TENSOR, /* TENSOR_MATCH, and what it also makes: the marks of dynamic dimensions */
    CLASS_STATE,
    CLASS_SHAPES,      /* the conditions on symbolic sizes, one check */
    CLASS_NO_ALIASING, /* of all tensors, one check */
    CLASS_ALIASING,
    CLASS_OVERLAPPING, /* AOTAutograd's: no filter sees it */
    CLASS_KEY,         /* the key of a dict that is read by position: remains if what follows remains */
    CLASSES
};

enum manager_flag {
    IS_MODULE = 1,
    IS_INBUILT = 2, /* PyTorch's own class, of torch.nn.modules */
    IS_GLOBAL = 4,
    IS_PARAMETER = 8,
    IS_KEY = 16,
    IS_INBUILT_CLASS = 32, /* is IS_INBUILT if it is a module */
    IS_CALLED = 64,        /* has a forward(): a module, or another object */
    HAS_SHAPES = 128,
    HAS_NO_ALIASING = 256,
    INHERITED = IS_MODULE | IS_INBUILT | IS_GLOBAL,
};

#define NO_MANAGER UINT32_MAX
enum { MARKS_MIN = 5 };

/* A manager, in the order of the tree. */
struct manager {
    struct slice source, type;
    uint32_t parent, value; /* value: for a key, the manager of its value */
    uint32_t module;        /* the nearest module: itself, or one that holds it */
    uint32_t flags, above;  /* above: the flags that it inherits */
    uint32_t tensors, states, others, keys,
        own_keys;    /* its checks; own_keys: part of keys, made by a guard on the dict */
    uint32_t checks; /* all of them */
};

/* A guard that two sources are the same object. */
struct alias {
    struct slice source; /* whose guard it is */
    uint32_t check;      /* number of the check: a check may have several */
    bool filtered;       /* a filter sees it; AOTAutograd's guards have no origin */
};

/* What else matters about a kind. */
enum kind_trait {
    TRAIT_NONE,
    TRAIT_RELATIONAL, /* printed below each of its values */
    TRAIT_MARKS,      /* has several conditions */
    TRAIT_LAMBDA,
    TRAIT_KEY, /* may check a key */
    TRAIT_CONTAINS,
    TRAIT_ATTRIBUTE
};

struct kind_count {
    struct check_kind count;
    enum check_class class;
    enum kind_trait trait;
};

struct check_counter {
    /* What the filters would drop is not known. called: an object with a forward() may be a module. */
    bool cut, unknown_module, unknown_called, unknown_tensor, unknown_alias;
    uint32_t checks;
    uint32_t shapes, no_aliasing, overlapping;
    struct kind_count kinds[CHECK_KINDS_MAX + 1];
    uint32_t kind_count;
    LIST(struct manager) managers;
    LIST(struct alias) aliases;
    uint32_t open[CHECK_DEPTH_MAX]; /* the managers around a line */
    uint32_t depth;                 /* how many */
    uint32_t key;                   /* the latest manager of a key, whose value comes next */
    /* The check of the line before, if that was one. */
    bool after_check, was_alias;
    uint32_t last_kind, conditions;
    size_t last_depth;
};

const char *guard_filter_name(enum guard_filter filter) {
    static const char *const names[GUARD_FILTERS] = {
        [FILTER_SKIP_NN_MODULES] = "skip_guard_on_all_nn_modules_unsafe",
        [FILTER_SKIP_INBUILT_NN_MODULES] = "skip_guard_on_inbuilt_nn_modules_unsafe",
        [FILTER_KEEP_TENSORS] = "keep_tensor_guards_unsafe",
        [FILTER_SKIP_GLOBALS] = "skip_guard_on_globals_unsafe",
        [FILTER_KEEP_PORTABLE] = "keep_portable_guards_unsafe",
        [FILTER_SKIP_ALL] = "skip_all_guards_unsafe",
    };
    return names[filter];
}

void guard_checks_free(struct guard_checks *checks) {
    mem_free(checks->kinds.items);
    mem_free(checks->modules.items);
    mem_free(checks->lines.items);
    *checks = (struct guard_checks){0};
}

struct check_counter *check_counter_create(void) {
    struct check_counter *counter = mem_zalloc(1, sizeof *counter);
    counter->key = NO_MANAGER;
    return counter;
}

static struct kind_count kind_of(struct slice name) {
    static const struct {
        const char *name;
        enum check_class class;
        enum kind_trait trait;
    } known[] = {
        {"DICT_CONTAINS", CLASS_OTHER, TRAIT_CONTAINS},
        {"DIMENSION_DYNAMIC_MARKING_GUARD", CLASS_TENSOR, TRAIT_MARKS},
        {"EQUALS_MATCH", CLASS_OTHER, TRAIT_KEY},
        {"GLOBAL_STATE", CLASS_STATE, TRAIT_NONE},
        {"ID_MATCH", CLASS_OTHER, TRAIT_KEY},
        {"LAMBDA_GUARD", CLASS_OTHER, TRAIT_LAMBDA},
        {"NO_HASATTR", CLASS_OTHER, TRAIT_ATTRIBUTE},
        {"NO_TENSOR_ALIASING", CLASS_NO_ALIASING, TRAIT_RELATIONAL},
        {"OBJECT_ALIASING", CLASS_ALIASING, TRAIT_RELATIONAL},
        {"STORAGE_OVERLAPPING", CLASS_OVERLAPPING, TRAIT_RELATIONAL},
        {"SYMBOLIC_SHAPE_GUARD", CLASS_SHAPES, TRAIT_RELATIONAL},
        {"TENSOR_MATCH", CLASS_TENSOR, TRAIT_NONE},
    };
    struct kind_count kind = {.count.kind = name};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (slice_is(name, known[i].name)) {
            kind.class = known[i].class;
            kind.trait = known[i].trait;
        }
    return kind;
}

/* The row of the kind. Beyond the limit, one that is not reported. */
static uint32_t kind_index(struct check_counter *counter, struct slice name) {
    if (counter->last_kind < counter->kind_count && slice_eq(counter->kinds[counter->last_kind].count.kind, name))
        return counter->last_kind;
    for (uint32_t i = 0; i < counter->kind_count; i++)
        if (slice_eq(counter->kinds[i].count.kind, name))
            return i;
    if (counter->kind_count < CHECK_KINDS_MAX)
        counter->kinds[counter->kind_count++] = kind_of(name);
    else
        return CHECK_KINDS_MAX;
    return counter->kind_count - 1;
}

static struct manager *manager_at(const struct check_counter *counter, uint32_t index) {
    return index != NO_MANAGER ? &counter->managers.items[index] : NULL;
}

/* The innermost manager around a line of this depth. */
static uint32_t around(const struct check_counter *counter, size_t depth) {
    uint32_t open = depth < counter->depth ? (uint32_t)depth : counter->depth;
    return open ? counter->open[open - 1] : NO_MANAGER;
}

static const struct slice dict_end = SLICE_INIT(".__dict__");

/* The manager that has this one as its `__dict__`. */
static struct manager *owner_of_dict(const struct check_counter *counter, const struct manager *dict) {
    struct manager *owner = dict ? manager_at(counter, dict->parent) : NULL;
    return owner && owner->source.len && slice_ends(dict->source, dict_end) &&
                   slice_eq(owner->source, slice_first(dict->source, dict->source.len - dict_end.len))
             ? owner
             : NULL;
}

/* PyTorch reads attributes of modules, and of nothing else, from their `__dict__`: "L['m'].k" is below "L['m'].__dict__". */
static void note_module(const struct check_counter *counter, const struct manager *manager) {
    const struct manager *dict = manager_at(counter, manager->parent);
    struct manager *owner = owner_of_dict(counter, dict);
    if (!owner || slice_starts(manager->source, dict->source) || !slice_starts(manager->source, owner->source))
        return;
    struct slice rest = slice_from(manager->source, owner->source.len);
    if (slice_starts(rest, SLICE(".")))
        owner->flags |= IS_MODULE;
}

static uint32_t flags_of(const struct check_counter *counter, const struct manager *manager) {
    const struct manager *parent = manager_at(counter, manager->parent);
    uint32_t flags = 0;
    /* A source of a weak reference is no global for PyTorch. */
    if (slice_starts(manager->source, SLICE("G['")) &&
        !(parent && slice_is(parent->source, "G") && slice_ends(manager->source, SLICE("]()"))))
        flags |= IS_GLOBAL;
    if (!slice_starts(manager->type, SLICE("torch.")))
        return slice_ends(manager->type, SLICE("Parameter")) ? flags | IS_PARAMETER : flags;
    if (slice_starts(manager->type, SLICE("torch.nn.modules."))) {
        flags |= IS_MODULE;
        if (!slice_starts(manager->type, SLICE("torch.nn.modules.container.")))
            flags |= IS_INBUILT_CLASS;
    } else if (slice_starts(manager->type, SLICE("torch.ao."))) {
        flags |= IS_INBUILT_CLASS;
    } else if (slice_ends(manager->type, SLICE("Parameter"))) {
        flags |= IS_PARAMETER;
    }
    return flags;
}

static void add_manager(struct check_counter *counter, const struct guard_node *node) {
    uint32_t parent = around(counter, node->depth), index = (uint32_t)counter->managers.count;
    if (node->depth >= CHECK_DEPTH_MAX || index >= CHECK_MANAGERS_MAX) {
        counter->cut = true;
        return;
    }
    MEM_GROW(&counter->managers);
    struct manager *manager = &counter->managers.items[index];
    *manager = (struct manager){.source = node->source,
                                .type = node->type,
                                .parent = parent,
                                .value = NO_MANAGER,
                                .module = NO_MANAGER};
    manager->flags = flags_of(counter, manager);
    if (node->kind.ptr[0] == 'K' && slice_is(node->kind, "KeyManager")) {
        manager->flags |= IS_KEY;
        counter->key = index;
    } else if (node->kind.ptr[0] == 'V' && slice_is(node->kind, "ValueManager")) {
        struct manager *key = manager_at(counter, counter->key);
        if (key && key->parent == parent)
            key->value = index;
        counter->key = NO_MANAGER;
    }
    if (slice_starts(manager->type, SLICE("torch.distributed.fsdp.")))
        counter->unknown_module = true;
    note_module(counter, manager);
    counter->managers.count++;
    counter->depth = (uint32_t)node->depth < counter->depth ? (uint32_t)node->depth : counter->depth;
    counter->open[counter->depth++] = index;
}

/* "L['x'] is L['y']". The guard is that of the latter. */
static size_t aliasing(struct slice code) {
    static const struct slice is = SLICE_INIT(" is ");
    if (slice_find(code, is) == SIZE_MAX)
        return SIZE_MAX;
    size_t at = guard_code_find(code, is);
    struct slice source = at != SIZE_MAX ? slice_from(code, at + is.len) : (struct slice){0};
    return slice_starts(source, SLICE("L[")) || slice_starts(source, SLICE("G[")) ? at + is.len : SIZE_MAX;
}

static void add_alias(struct check_counter *counter, struct slice part, size_t at) {
    size_t comment = slice_find(part, SLICE("  # "));
    struct slice source = slice_trim(slice_from(slice_first(part, comment), at));
    LIST_ADD(&counter->aliases, (struct alias){source, counter->checks, comment != SIZE_MAX});
}

/* Whether the type is that of a tensor that may be no parameter, for all that is known. */
static bool type_tells(const struct manager *manager) {
    static const char *const types[] = {"torch.Tensor", "torch.nn.parameter.Buffer", "numpy.ndarray"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (slice_is(manager->type, types[i]))
            return true;
    return manager->flags & IS_PARAMETER;
}

static void add_to_manager(struct check_counter *counter, struct manager *manager, enum check_class class,
                           struct slice part) {
    switch (class) {
    case CLASS_TENSOR:
        counter->unknown_tensor |= !type_tells(manager);
        manager->tensors++;
        break;
    case CLASS_STATE:
        manager->states++;
        break;
    case CLASS_KEY:
        manager->keys++;
        manager->own_keys += slice_find(part, SLICE("  # ")) != SIZE_MAX;
        break;
    case CLASS_OTHER:
        manager->others++;
        break;
    default: /* counted for the whole tree */
        break;
    }
    manager->checks++;
}

static enum check_class class_of(const struct kind_count *kind, const struct guard_node *node,
                                 const struct manager *manager, bool alias) {
    if (kind->trait == TRAIT_LAMBDA && !manager) /* after the tree: on several values */
        return alias ? CLASS_ALIASING : CLASS_SHAPES;
    if (kind->trait == TRAIT_KEY && manager && manager->flags & IS_KEY)
        return CLASS_KEY;
    /* Older versions have a check for each mark. */
    if (kind->trait == TRAIT_ATTRIBUTE && slice_find(node->part, SLICE("'_dynamo_dynamic_indices'")) != SIZE_MAX)
        return CLASS_TENSOR;
    return kind->class;
}

static void note_called(const struct check_counter *counter, const struct guard_node *node,
                        const struct manager *dict) {
    struct manager *owner =
        slice_starts(node->part, SLICE("not ___dict_contains('forward', ")) ? owner_of_dict(counter, dict) : NULL;
    if (owner)
        owner->flags |= IS_CALLED;
}

static void add_check(struct check_counter *counter, const struct kind_count *kind, const struct guard_node *node,
                      size_t alias) {
    uint32_t index = node->depth ? around(counter, node->depth) : NO_MANAGER;
    struct manager *manager = manager_at(counter, index);
    enum check_class class = class_of(kind, node, manager, alias != SIZE_MAX);
    counter->shapes += class == CLASS_SHAPES;
    counter->no_aliasing += class == CLASS_NO_ALIASING;
    counter->overlapping += class == CLASS_OVERLAPPING;
    if (class == CLASS_ALIASING && alias == SIZE_MAX)
        counter->unknown_alias = true;
    else if (class == CLASS_ALIASING)
        add_alias(counter, node->part, alias);
    if (!manager) {
        counter->cut |= class != CLASS_SHAPES && class != CLASS_ALIASING;
        return;
    }
    add_to_manager(counter, manager, class, node->part);
    if (kind->trait == TRAIT_CONTAINS)
        note_called(counter, node, manager);
}

/* Marks the managers below which a check on several values is printed. */
static void note_relation(struct check_counter *counter, enum check_class class, const struct guard_node *node) {
    struct manager *manager = manager_at(counter, around(counter, node->depth));
    if (manager && class == CLASS_SHAPES)
        manager->flags |= HAS_SHAPES;
    if (manager && class == CLASS_NO_ALIASING)
        manager->flags |= HAS_NO_ALIASING;
}

/* Whether the line is a further condition of the check in the line before. */
static bool continues(const struct check_counter *counter, uint32_t kind, const struct guard_node *node, bool alias) {
    if (!counter->after_check || counter->last_kind != kind || counter->last_depth != node->depth)
        return false;
    const struct kind_count *row = &counter->kinds[kind];
    if (row->trait == TRAIT_MARKS) /* has one for each mark, this one first */
        return counter->conditions < MARKS_MIN ||
               slice_find(node->part, SLICE("'_dynamo_dynamic_indices'")) == SIZE_MAX;
    return (row->trait == TRAIT_RELATIONAL && row->class == CLASS_SHAPES) ||
           (row->trait == TRAIT_LAMBDA && !node->depth && alias == counter->was_alias);
}

enum check_part check_counter_note(struct check_counter *counter, const struct guard_node *node) {
    if (node->manager) {
        counter->after_check = false;
        add_manager(counter, node);
        return CHECK_NONE;
    }
    uint32_t kind = kind_index(counter, node->kind);
    struct kind_count *row = &counter->kinds[kind];
    bool relational = row->trait == TRAIT_RELATIONAL;
    bool on_several = relational || (row->trait == TRAIT_LAMBDA && !node->depth);
    size_t alias = on_several ? aliasing(slice_first(node->part, slice_find(node->part, SLICE("  # ")))) : SIZE_MAX;
    if (relational)
        note_relation(counter, row->class, node);
    if (relational && !node->part.len && row->count.checks) {
        counter->after_check = false;
        return CHECK_REPEAT;
    }
    bool part = continues(counter, kind, node, alias != SIZE_MAX);
    counter->after_check = true;
    counter->was_alias = alias != SIZE_MAX;
    counter->last_kind = kind;
    counter->last_depth = node->depth;
    counter->conditions = part ? counter->conditions + 1 : 1;
    if (part) {
        if (alias != SIZE_MAX)
            add_alias(counter, node->part, alias);
        return CHECK_CONDITION;
    }
    counter->checks++;
    row->count.checks++;
    add_check(counter, row, node, alias);
    return CHECK_NEW;
}

uint32_t check_counter_count(const struct check_counter *counter) {
    return counter->checks;
}

/* Settles what each manager is: parents come before what they hold. */
static void settle(struct check_counter *counter) {
    for (size_t i = 0; i < counter->managers.count; i++) {
        struct manager *manager = &counter->managers.items[i];
        const struct manager *parent = manager_at(counter, manager->parent);
        manager->above = parent ? (parent->flags | parent->above) & INHERITED : 0;
        if (manager->flags & IS_MODULE && manager->flags & IS_INBUILT_CLASS)
            manager->flags |= IS_INBUILT;
        if (manager->flags & IS_CALLED && !((manager->flags | manager->above) & IS_MODULE))
            counter->unknown_called = true;
        manager->module = manager->flags & IS_MODULE ? (uint32_t)i : parent ? parent->module : NO_MANAGER;
    }
}

/* Whether a filter keeps a guard on a source with these flags, except guards on tensors and modes. */
static bool keeps(enum guard_filter filter, uint32_t flags) {
    switch (filter) {
    case FILTER_SKIP_NN_MODULES:
        return !(flags & IS_MODULE);
    case FILTER_SKIP_INBUILT_NN_MODULES:
        return !(flags & IS_INBUILT);
    case FILTER_SKIP_GLOBALS:
        return !(flags & IS_GLOBAL);
    default:
        return false;
    }
}

static bool keeps_tensor(enum guard_filter filter, uint32_t flags) {
    if (filter == FILTER_KEEP_TENSORS)
        return !(flags & IS_PARAMETER);
    if (filter == FILTER_KEEP_PORTABLE)
        return !(flags & IS_GLOBAL);
    return keeps(filter, flags);
}

static bool keeps_shapes(enum guard_filter filter) {
    return filter != FILTER_KEEP_TENSORS && filter != FILTER_SKIP_ALL;
}

/* A set of filters is a number with a bit for each. */
typedef uint8_t filters;
enum { FLAG_SETS = 16 }; /* of IS_MODULE, IS_INBUILT, IS_GLOBAL and IS_PARAMETER */

/* Checks by the flags of their source, and the filters that keep them. */
struct sums {
    uint32_t tensors[FLAG_SETS], states[FLAG_SETS], others[FLAG_SETS], distinct[FLAG_SETS];
    filters keep_tensors[FLAG_SETS], keep_states[FLAG_SETS], keep_others[FLAG_SETS], keep_shapes;
    uint32_t keys[GUARD_FILTERS];
};

static void prepare(struct sums *sums) {
    for (int i = 0; i < GUARD_FILTERS; i++) {
        enum guard_filter filter = (enum guard_filter)i;
        filters bit = (filters)(1U << i);
        sums->keep_shapes |= keeps_shapes(filter) ? bit : 0;
        for (uint32_t flags = 0; flags < FLAG_SETS; flags++) {
            bool kept = keeps(filter, flags);
            sums->keep_tensors[flags] |= keeps_tensor(filter, flags) ? bit : 0;
            sums->keep_states[flags] |= kept || filter == FILTER_KEEP_PORTABLE ? bit : 0;
            sums->keep_others[flags] |= kept ? bit : 0;
        }
    }
}

/* Adds the checks of a manager. `below`: the filters that keep something of what it holds, or of the value of a key. Returns these, and those that
 * keep a check of its own. */
static filters add_sums(struct sums *sums, const struct manager *manager, filters below) {
    uint32_t flags = (manager->flags | manager->above) % FLAG_SETS;
    filters live = below;
    sums->tensors[flags] += manager->tensors;
    sums->states[flags] += manager->states;
    sums->others[flags] += manager->others;
    sums->distinct[flags] += manager->flags & HAS_NO_ALIASING && manager->tensors;
    live |= manager->tensors ? sums->keep_tensors[flags] : 0;
    live |= manager->states ? sums->keep_states[flags] : 0;
    live |= manager->others || manager->own_keys ? sums->keep_others[flags] : 0;
    live |= manager->flags & HAS_SHAPES ? sums->keep_shapes : 0;
    for (int i = 0; i < GUARD_FILTERS && manager->keys; i++)
        sums->keys[i] += below >> i & 1 ? manager->keys : sums->keep_others[flags] >> i & 1 ? manager->own_keys : 0;
    return live;
}

/* What it holds comes after a manager, and a value after its key. */
static void add_managers(const struct check_counter *counter, struct sums *sums) {
    filters *live = mem_zalloc(counter->managers.count + 1, sizeof *live);
    for (size_t i = counter->managers.count; i-- > 0;) {
        const struct manager *manager = &counter->managers.items[i];
        filters below = live[i] | (manager->value != NO_MANAGER ? live[manager->value] : 0);
        live[i] = add_sums(sums, manager, below);
        if (manager->parent != NO_MANAGER)
            live[manager->parent] |= live[i];
    }
    mem_free(live);
}

/* Guards that two sources are one object belong to the latter, as it is read, not as the module that it turns out to be. */
static uint32_t remaining_aliases(const struct check_counter *counter, enum guard_filter filter,
                                  const uint32_t *found) {
    uint32_t count = 0, last = UINT32_MAX;
    for (size_t i = 0; i < counter->aliases.count; i++) {
        const struct alias *alias = &counter->aliases.items[i];
        const struct manager *manager = manager_at(counter, found[i]);
        bool kept =
            !alias->filtered || (manager && keeps(filter, manager->above | (manager->flags & (uint32_t)IS_GLOBAL)));
        if (kept && alias->check != last) {
            count++;
            last = alias->check;
        }
    }
    return count;
}

static uint32_t remaining_in_tree(const struct check_counter *counter, const struct sums *sums, int filter) {
    uint32_t count = counter->overlapping + sums->keys[filter], distinct = 0;
    for (uint32_t flags = 0; flags < FLAG_SETS; flags++) {
        bool tensors = sums->keep_tensors[flags] >> filter & 1;
        count += tensors ? sums->tensors[flags] : 0;
        distinct += tensors ? sums->distinct[flags] : 0;
        count += sums->keep_states[flags] >> filter & 1 ? sums->states[flags] : 0;
        count += sums->keep_others[flags] >> filter & 1 ? sums->others[flags] : 0;
    }
    count += sums->keep_shapes >> filter & 1 ? counter->shapes : 0;
    return count + (counter->no_aliasing && distinct > 1);
}

static bool is_derived(const struct check_counter *counter, enum guard_filter filter) {
    bool modules = filter == FILTER_SKIP_NN_MODULES || filter == FILTER_SKIP_INBUILT_NN_MODULES;
    bool by_source = modules || filter == FILTER_SKIP_GLOBALS;
    return !counter->cut && !(modules && counter->unknown_module) &&
           !(filter == FILTER_SKIP_NN_MODULES && counter->unknown_called) && !(by_source && counter->unknown_alias) &&
           !(filter == FILTER_KEEP_TENSORS && counter->unknown_tensor);
}

/* The managers of the sources that guards on aliases belong to. */
static uint32_t *find_aliases(struct check_counter *counter) {
    uint32_t *found = mem_zalloc(counter->aliases.count + 1, sizeof *found);
    AUTO_MAP sources = {0};
    for (size_t i = 0; i < counter->managers.count && counter->aliases.count; i++)
        if (counter->managers.items[i].source.len)
            map_put(&sources, counter->managers.items[i].source, (uint32_t)i, &(bool){false});
    for (size_t i = 0; i < counter->aliases.count; i++) {
        found[i] = map_get(&sources, counter->aliases.items[i].source);
        counter->unknown_alias |= found[i] == MAP_NONE && counter->aliases.items[i].filtered;
    }
    return found;
}

static void apply_filters(struct check_counter *counter, struct guard_checks *out) {
    uint32_t *aliases = find_aliases(counter);
    struct sums sums = {0};
    prepare(&sums);
    add_managers(counter, &sums);
    for (int i = 0; i < GUARD_FILTERS; i++) {
        enum guard_filter filter = (enum guard_filter)i;
        out->filters[i] = is_derived(counter, filter) ? (int64_t)remaining_in_tree(counter, &sums, i) +
                                                            remaining_aliases(counter, filter, aliases)
                                                      : -1;
    }
    mem_free(aliases);
}

static int by_checks(uint32_t a, uint32_t b, const char *first, const char *second) {
    if (a != b)
        return a > b ? -1 : 1;
    return first < second ? -1 : first > second;
}

static int kind_order(const void *a, const void *b) {
    const struct check_kind *x = a, *y = b;
    return by_checks(x->checks, y->checks, x->kind.ptr, y->kind.ptr);
}

static int module_order(const void *a, const void *b) {
    const struct check_module *x = a, *y = b;
    return by_checks(x->checks, y->checks, x->source.ptr, y->source.ptr);
}

static void list_modules(struct check_counter *counter, struct guard_checks *out) {
    for (size_t i = counter->managers.count; i-- > 0;) { /* a module comes before what it holds */
        struct manager *manager = &counter->managers.items[i];
        struct manager *module = manager_at(counter, manager->module);
        if (module && module != manager)
            module->checks += manager->checks;
        else if (module && manager->checks)
            LIST_ADD(&out->modules, (struct check_module){manager->source, manager->type, manager->checks});
        out->in_modules += module == manager && module ? manager->checks : 0;
    }
    LIST_SORT(&out->modules, module_order);
    for (; out->modules.count > CHECK_MODULES_MAX; out->modules.count--)
        out->more_modules += out->modules.items[out->modules.count - 1].checks;
}

void check_counter_end(struct check_counter *counter, struct guard_checks *out) {
    out->known = true;
    out->checks = counter->checks;
    out->more_kinds = counter->kinds[CHECK_KINDS_MAX].count.checks;
    for (uint32_t i = 0; i < counter->kind_count; i++)
        if (counter->kinds[i].count.checks)
            LIST_ADD(&out->kinds, counter->kinds[i].count);
    LIST_SORT(&out->kinds, kind_order);
    settle(counter);
    apply_filters(counter, out);
    list_modules(counter, out);
    mem_free(counter->managers.items);
    mem_free(counter->aliases.items);
    mem_free(counter);
}

#include "analysis/kernels.h"

#include "analysis/kernel_known.h"
#include "base/jsonw.h"
#include "base/mem.h"
#include "scan/library.h"

enum {
    GRAPHS = 8,            /* number of graphs whose nodes are stored */
    POST_NODES_MAX = 2000, /* bytes */
    TEXT_MAX =
        16 << 20,    /* bytes of operators and sources of all kernels; beyond it, kernels have only names and numbers */
    TRACES_MAX = 64, /* per kernel */
    NAMED_MAX = 16384, /* kernels in one record */
};

/* Where the nodes of a Dynamo graph come from. */
struct graph_nodes {
    struct map map; /* node → place in items */
    struct node_source *items;
};

/* What is remembered of one compile. */
struct memory {
    struct arena arena;
    bool used;
    uint32_t compile;
    struct graph_nodes nodes;   /* of its Dynamo graph */
    struct flow_graphs *graphs; /* its latest post-grad graph; NULL: none */
};

/* The latest compiles. */
struct memories {
    struct memory items[GRAPHS];
    uint32_t next;
};

const char *kernel_unknown_text(enum kernel_unknown why) {
    static const char *const texts[] = {
        [UNKNOWN_NOTHING] = NULL,
        [UNKNOWN_NO_GRAPH] = "the log has no post-grad graph for this code, and the code does not name the nodes",
        [UNKNOWN_TOO_LARGE] = "the code or its graph is too large to be searched",
        [UNKNOWN_CODE_ENDS] = "the code in the log ends before it calls a kernel",
        [UNKNOWN_NOT_CALLED] = "this code does not call it",
        [UNKNOWN_PARAMETERS] = "its parameters do not say which buffers it reads and which it writes",
        [UNKNOWN_RESULTS] = "the buffers that it writes could not be matched with nodes of the post-grad graph",
        [UNKNOWN_OPERANDS] = "its results depend on values that could not be matched with the buffers that it reads",
        [UNKNOWN_COPIES] = "it only copies a value that no node of the graph computes",
        [UNKNOWN_SHARED] = "the log does not show which of the kernels that pass values to each other computes them",
        [UNKNOWN_LINES] = "the graphs in the log name no source line for its nodes",
        [UNKNOWN_NODES] = "its nodes are not known",
    };
    return texts[why];
}

uint64_t kernels_generated(const struct kernels *kernels) {
    uint64_t sum = 0;
    for (int kind = 0; kernels && kind < KERNEL_KINDS; kind++)
        sum += kind == KERNEL_EXTERN ? 0 : kernels->counts[kind];
    return sum;
}

enum kernel_unknown kernel_lines_unknown(const struct kernel *kernel) {
    if (kernel->source_count)
        return UNKNOWN_NOTHING;
    return kernel->nodes.len || kernel->post_nodes.len || kernel->perhaps.len ? UNKNOWN_LINES : UNKNOWN_NODES;
}

static struct memory *recall(struct memories *memories, uint32_t compile) {
    for (int i = 0; i < GRAPHS; i++)
        if (memories->items[i].used && memories->items[i].compile == compile)
            return &memories->items[i];
    return NULL;
}

static void forget(struct memory *memory) {
    arena_free(&memory->arena);
    *memory = (struct memory){0};
}

/* An empty memory of the compile, in place of its old one, or of the oldest of all. */
static struct memory *remember(struct memories *memories, uint32_t compile) {
    struct memory *memory = recall(memories, compile);
    if (!memory)
        memory = &memories->items[memories->next++ % GRAPHS];
    forget(memory);
    memory->used = true;
    memory->compile = compile;
    return memory;
}

static void forget_all(void *part) {
    struct kernels *kernels = part;
    for (int i = 0; i < GRAPHS; i++) {
        forget(&kernels->graphs->items[i]);
        forget(&kernels->post_grads->items[i]);
    }
}

static struct kernels *kernels_of(struct model *model) {
    if (!model->kernels) {
        model->kernels = arena_zalloc(&model->arena, sizeof *model->kernels);
        model_own(model, model->kernels, forget_all);
        model->kernels->compile_us = -1;
        model->kernels->graphs = arena_zalloc(&model->arena, sizeof *model->kernels->graphs);
        model->kernels->post_grads = arena_zalloc(&model->arena, sizeof *model->kernels->post_grads);
    }
    return model->kernels;
}

/* Those of the folder's current compile. */
static struct compile_kernels *own_kernels(struct model *model, uint32_t folder) {
    static const struct compile_kernels none = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
    struct kernels *kernels = model->kernels;
    uint32_t compile = model->folders.items[folder].compile;
    while (kernels->compiles.count <= compile) {
        ARENA_GROW(&model->arena, &kernels->compiles);
        kernels->compiles.items[kernels->compiles.count++] = none;
    }
    return &kernels->compiles.items[compile];
}

void kernels_note_graph(struct model *model, uint32_t folder, const struct node_sources *sources) {
    struct memory *memory = remember(kernels_of(model)->graphs, model->folders.items[folder].compile);
    struct graph_nodes *graph = &memory->nodes;
    graph->items = arena_alloc(&memory->arena, sources->count * sizeof *graph->items);
    for (uint32_t i = 0; i < sources->count; i++) {
        const struct node_source *from = &sources->items[i];
        const struct node_source *before = i ? &sources->items[i - 1] : NULL;
        struct node_source *to = &graph->items[i];
        bool added;
        map_put_in(&memory->arena, &graph->map, from->node, i, &added);
        *to = *from;
        to->node = (struct slice){0};
        if (before && before->file.ptr == from->file.ptr) { /* from the same comment */
            to->file = to[-1].file, to->function = to[-1].function, to->code = to[-1].code;
            continue;
        }
        to->file = arena_slice(&memory->arena, from->file);
        to->function = arena_slice(&memory->arena, from->function);
        to->code = from->code.ptr ? arena_slice(&memory->arena, from->code) : from->code;
    }
}

void kernels_note_post_grad(struct model *model, uint32_t folder, const struct flow_graphs *graphs) {
    struct memory *memory = remember(kernels_of(model)->post_grads, model->folders.items[folder].compile);
    memory->graphs = flow_graphs_copy(graphs, &memory->arena);
}

/* A copy in the model, if there is room. */
static struct slice keep(struct model *model, struct slice text) {
    struct kernels *kernels = model->kernels;
    if (kernels->text_bytes + text.len > TEXT_MAX)
        return (struct slice){0};
    kernels->text_bytes += text.len;
    return model_copy(model, text);
}

/* Adds a line unless it is already there. `list` has room for KERNEL_SOURCES_MAX. */
static void add_source(struct model *model, struct kernel_source *list, uint32_t *count, struct place place,
                       struct slice code) {
    for (uint32_t i = 0; i < *count; i++)
        if (list[i].place.line == place.line && slice_eq(list[i].place.file, place.file))
            return;
    if (*count == KERNEL_SOURCES_MAX || model->kernels->text_bytes + place.file.len > TEXT_MAX)
        return;
    place.file = keep(model, place.file);
    place.function = keep(model, place.function);
    list[(*count)++] = (struct kernel_source){place, keep(model, code)};
}

static void keep_sources(struct model *model, struct kernel *kernel, const struct kernel_source *list, uint32_t count) {
    if (!count)
        return;
    kernel->sources = arena_alloc(&model->arena, count * sizeof *list);
    memcpy(kernel->sources, list, count * sizeof *list);
    kernel->source_count = count;
}

bool kernel_next_item(struct slice *list, struct slice *item) {
    size_t comma = slice_find(*list, SLICE(", "));
    if (!list->len)
        return false;
    *item = slice_first(*list, comma == SIZE_MAX ? list->len : comma);
    *list = comma == SIZE_MAX ? (struct slice){0} : slice_from(*list, comma + 2);
    return true;
}

static bool has_item(struct slice list, struct slice wanted) {
    static const struct slice comma = SLICE_INIT(", ");
    if (slice_find(wanted, comma) != SIZE_MAX)
        return false;
    for (struct slice rest = list;;) {
        size_t found = slice_find(rest, wanted);
        if (found == SIZE_MAX)
            return false;
        struct slice before = slice_make(list.ptr, (size_t)(rest.ptr + found - list.ptr));
        rest = slice_from(rest, found + wanted.len);
        if ((!before.len || slice_ends(before, comma)) && (!rest.len || slice_starts(rest, comma)))
            return true;
    }
}

/* What is known about a code while its kernels are added. */
struct code_facts {
    const struct graph_nodes *dynamo;
    const struct flow_graphs *post; /* NULL: none */
    const struct kernel_flow *flow; /* NULL: nothing found */
    struct map post_names;          /* nodes of `post` by name; for backwards only */
    bool backward;
    bool too_large; /* too large to be analyzed */
};

static void add_node_source(struct model *model, struct kernel_source *list, uint32_t *count,
                            const struct node_source *source) {
    add_source(model, list, count,
               (struct place){.file = source->file, .function = source->function, .line = source->line}, source->code);
}

/* Adds the lines of these nodes. In a backward, the names are those of its own graph; other names are Dynamo's. */
static void add_named(struct model *model, const struct code_facts *facts, struct slice nodes,
                      struct kernel_source *list, uint32_t *count) {
    struct slice node;
    while (kernel_next_item(&nodes, &node)) {
        uint32_t own = facts->backward ? map_get(&facts->post_names, node) : MAP_NONE;
        uint32_t place = own == MAP_NONE && facts->dynamo ? map_get(&facts->dynamo->map, node) : MAP_NONE;
        if (own != MAP_NONE && facts->post->nodes[own].source != UINT32_MAX)
            add_node_source(model, list, count, &facts->post->sources[facts->post->nodes[own].source]);
        else if (place != MAP_NONE)
            add_node_source(model, list, count, &facts->dynamo->items[place]);
    }
}

/* "aten.mul" for "aten.mul.Tensor" */
static struct slice without_overload(struct slice op) {
    size_t dot = slice_rfind_byte(op, '.');
    return dot == SIZE_MAX || slice_find(op, SLICE(".")) == dot ? op : slice_first(op, dot);
}

static void add_item(struct buf *list, struct slice item) {
    if (!item.len || list->len + item.len > POST_NODES_MAX || has_item(buf_slice(list), item))
        return;
    if (list->len)
        buf_add_lit(list, ", ");
    buf_add(list, item);
}

static enum kernel_unknown unknown_of(enum flow_why why) {
    static const enum kernel_unknown unknown[] = {
        [FLOW_KNOWN] = UNKNOWN_NOTHING,         [FLOW_NOT_CALLED] = UNKNOWN_NOT_CALLED,
        [FLOW_PARAMETERS] = UNKNOWN_PARAMETERS, [FLOW_RESULTS] = UNKNOWN_RESULTS,
        [FLOW_OPERANDS] = UNKNOWN_OPERANDS,     [FLOW_COPIES] = UNKNOWN_COPIES,
        [FLOW_SHARED] = UNKNOWN_SHARED,
    };
    return unknown[why];
}

/* Sets further nodes that the kernel may compute. */
static void take_perhaps(struct model *model, struct kernel *kernel, const struct code_facts *facts,
                         const struct kernel_nodes *nodes) {
    struct buf list = {0};
    for (uint32_t i = 0; i < nodes->perhaps_count; i++)
        add_item(&list, facts->post->nodes[facts->flow->nodes[nodes->perhaps_first + i]].name);
    if (list.len)
        kernel->perhaps = keep(model, buf_slice(&list));
    buf_free(&list);
}

/* Sets what the kernel computes according to its buffers. */
static void take_flow(struct model *model, struct kernel *kernel, const struct code_facts *facts, uint32_t place,
                      struct kernel_source *list, uint32_t *count) {
    struct buf nodes = {0}, ops = {0};
    uint32_t first = facts->flow->kernels[place].first, end = first + facts->flow->kernels[place].count;
    for (uint32_t i = first; i < end; i++) {
        const struct flow_node *node = &facts->post->nodes[facts->flow->nodes[i]];
        add_item(&nodes, node->name);
        add_item(&ops, without_overload(node->op));
        if (node->source != UINT32_MAX)
            add_node_source(model, list, count, &facts->post->sources[node->source]);
    }
    if (nodes.len) {
        kernel->post_nodes = keep(model, buf_slice(&nodes));
        kernel->by = NODES_BY_FLOW;
        kernel->followed = true;
    }
    if (ops.len)
        kernel->ops = keep(model, buf_slice(&ops));
    buf_free(&nodes);
    buf_free(&ops);
    take_perhaps(model, kernel, facts, &facts->flow->kernels[place]);
}

/* Finds the nodes and source lines of a kernel of the code. */
static void find_nodes(struct model *model, struct kernel *kernel, const struct code_facts *facts,
                       const struct scanned_kernel *from, uint32_t place) {
    struct kernel_source list[KERNEL_SOURCES_MAX];
    uint32_t count = 0;
    kernel->by = kernel->nodes.len || kernel->ops.len ? NODES_BY_COMMENT : NODES_UNKNOWN;
    kernel->why = facts->flow                 ? unknown_of(facts->flow->kernels[place].why)
                : kernel->by != NODES_UNKNOWN ? UNKNOWN_NOTHING
                : facts->too_large            ? UNKNOWN_TOO_LARGE
                : facts->post                 ? UNKNOWN_CODE_ENDS
                                              : UNKNOWN_NO_GRAPH;
    if (facts->flow)
        take_flow(model, kernel, facts, place, list, &count);
    if (kernel->nodes.len && kernel->why != UNKNOWN_SHARED)
        kernel->why = UNKNOWN_NOTHING;
    if (!count)
        add_named(model, facts, from->nodes, list, &count);
    if (!count && facts->backward) /* from the forward: the operation that a gradient belongs to */
        add_named(model, facts, from->operands, list, &count);
    keep_sources(model, kernel, list, count);
}

static struct kernel *find(struct kernels *kernels, uint32_t from, struct slice name) {
    for (uint32_t i = from; i != UINT32_MAX; i = kernels->list.items[i].next)
        if (slice_eq(kernels->list.items[i].name, name))
            return &kernels->list.items[i];
    return NULL;
}

static void append(struct model *model, uint32_t folder, const struct kernel_scan *scan, uint32_t index,
                   const struct code_facts *facts, uint32_t artifact) {
    const struct scanned_kernel *from = &scan->items[index];
    struct kernels *kernels = model->kernels;
    struct compile_kernels *own = own_kernels(model, folder);
    kernels->counts[from->kind]++;
    kernels->calls[from->kind] += from->calls;
    if (kernels->list.count == KERNELS_MAX) {
        kernels->more++;
        return;
    }
    uint32_t place = (uint32_t)kernels->list.count;
    ARENA_GROW(&model->arena, &kernels->list);
    struct kernel *kernel = &kernels->list.items[kernels->list.count++];
    *kernel = (struct kernel){.kind = from->kind,
                              .compile = model->folders.items[folder].compile,
                              .folder = folder,
                              .next = UINT32_MAX,
                              .artifact = artifact,
                              .line = from->line,
                              .call_line = from->call_line,
                              .calls = from->calls,
                              .name = model_copy(model, from->name),
                              .graph = model_copy(model, scan->graph),
                              .heuristic = model_copy(model, from->heuristic),
                              .handle = keep(model, from->handle),
                              .nodes = keep(model, from->nodes),
                              .ops = keep(model, from->ops),
                              .compile_us = -1};
    find_nodes(model, kernel, facts, from, index);
    if (own->last != UINT32_MAX)
        kernels->list.items[own->last].next = place;
    else
        own->head = place;
    own->last = place;
    if (own->latest == UINT32_MAX)
        own->latest = place;
    if (own->since == UINT32_MAX)
        own->since = place;
}

/* A C++ kernel has no comment: what it computes must be found in the graph. */
static bool lacks_comments(const struct kernel_scan *scan) {
    for (uint32_t i = 0; i < scan->count; i++)
        if (scan->items[i].calls && !scan->items[i].nodes.len)
            return true;
    return false;
}

static void code_facts_find(struct code_facts *facts, struct kernels *kernels, uint32_t compile,
                            const struct kernel_scan *scan, struct arena *arena) {
    const struct memory *dynamo = recall(kernels->graphs, compile), *post = recall(kernels->post_grads, compile);
    facts->dynamo = dynamo ? &dynamo->nodes : NULL;
    facts->post = post ? post->graphs : NULL;
    facts->backward = facts->post && slice_ends(scan->graph, SLICE("_backward"));
    for (uint32_t i = 0; facts->backward && i < facts->post->node_count; i++)
        map_put(&facts->post_names, facts->post->nodes[i].name, i, NULL);
    facts->too_large = scan->too_long;
    if (facts->post && lacks_comments(scan))
        facts->flow = kernel_flow_find(facts->post, scan, arena);
}

void kernels_add(struct model *model, uint32_t folder, const struct kernel_scan *scan, bool merge) {
    struct kernels *kernels = kernels_of(model);
    const struct compile *compile = model->compiles.items[model->folders.items[folder].compile];
    struct compile_kernels *own = own_kernels(model, folder);
    uint32_t artifact = (uint32_t)compile->artifacts.count - 1;
    merge &= own->latest != UINT32_MAX;
    if (!merge)
        own->latest = UINT32_MAX;
    kernels->more += scan->more;
    struct code_facts facts = {0};
    struct arena arena = {0};
    code_facts_find(&facts, kernels, model->folders.items[folder].compile, scan, &arena);
    for (uint32_t i = 0; i < scan->count; i++) {
        const struct scanned_kernel *from = &scan->items[i];
        struct kernel *known = merge ? find(kernels, own_kernels(model, folder)->latest, from->name) : NULL;
        if (!known) {
            append(model, folder, scan, i, &facts, artifact);
        } else if (from->line) { /* where it is defined, not only declared */
            known->line = from->line;
            known->artifact = artifact;
        }
    }
    map_free(&facts.post_names);
    arena_free(&arena);
}

void kernels_each_known(const struct model *model, const struct artifact *code, kernel_known found, void *to) {
    const struct kernels *kernels = model->kernels;
    const struct compile *compile = model->compiles.items[code->compile];
    if (!kernels || code->compile >= kernels->compiles.count)
        return;
    for (uint32_t i = kernels->compiles.items[code->compile].head; i != UINT32_MAX; i = kernels->list.items[i].next) {
        const struct kernel *kernel = &kernels->list.items[i];
        struct slice handles = kernel->handle, handle;
        if (&model->artifacts.items[compile->artifacts.items[kernel->artifact]] != code || kernel->calls != 1 ||
            !kernel->post_nodes.len || kernel->why != UNKNOWN_NOTHING)
            continue;
        if (kernel->kind != KERNEL_EXTERN)
            found(to, kernel->name, kernel->post_nodes);
        else if (kernel_next_item(&handles, &handle) && !handles.len)
            found(to, handle, kernel->post_nodes);
    }
}

static const uint32_t ambiguous = UINT32_MAX - 1; /* a name that several have */

static void put_name(struct map *names, struct slice name, uint32_t place) {
    bool added;
    uint32_t *known = map_put(names, name, place, &added);
    if (!added && *known != place)
        *known = ambiguous;
}

/* The kernels of the folder's latest code by the names that the log uses. A library function with several calls is
 * only known by its debug handles. */
static void name_kernels(struct map *names, const struct model *model, uint32_t first) {
    for (uint32_t i = first; i != UINT32_MAX; i = model->kernels->list.items[i].next) {
        const struct kernel *kernel = &model->kernels->list.items[i];
        struct slice handles = kernel->handle, handle;
        put_name(names, kernel->name, i);
        while (kernel_next_item(&handles, &handle))
            put_name(names, handle, i);
    }
}

/* Calls `note` for each kernel of the folder's latest code that the object has as a key, with or without its handle
 * after a colon. */
static void each_named(struct model *model, uint32_t folder, yyjson_val *object,
                       void (*note)(struct model *, struct kernel *, yyjson_val *)) {
    struct map names = {0}, handles = {0}; /* handles: number of handles of a name in the object */
    size_t i, max;
    yyjson_val *key, *value;
    if (!model->kernels || !yyjson_is_obj(object))
        return;
    name_kernels(&names, model, own_kernels(model, folder)->latest);
    yyjson_obj_foreach(object, i, max, key, value) {
        struct slice name = json_text(key);
        size_t colon = slice_rfind_byte(name, ':');
        if (i < NAMED_MAX && colon != SIZE_MAX)
            ++*map_put(&handles, slice_first(name, colon), 0, NULL);
    }
    yyjson_obj_foreach(object, i, max, key, value) {
        struct slice name = json_text(key);
        size_t colon = slice_rfind_byte(name, ':');
        if (i == NAMED_MAX)
            break;
        uint32_t place = map_get(&names, name);
        if (place == MAP_NONE && colon != SIZE_MAX) {
            place = map_get(&names, slice_first(name, colon));
            /* the record may cover calls in other codes, too, so it is unknown which one this is */
            const struct kernel *kernel = place < ambiguous ? &model->kernels->list.items[place] : NULL;
            if (kernel && kernel->kind == KERNEL_EXTERN &&
                (kernel->handle.len || map_get(&handles, slice_first(name, colon)) > 1))
                place = MAP_NONE;
        }
        if (place < ambiguous)
            note(model, &model->kernels->list.items[place], value);
    }
    map_free(&handles);
    map_free(&names);
}

static void note_nodes(struct model *model, struct kernel *kernel, yyjson_val *nodes) {
    struct buf text = {0};
    size_t i, max;
    yyjson_val *node;
    if (kernel->by == NODES_BY_MAPPING) /* from another call of it */
        buf_add(&text, kernel->post_nodes);
    yyjson_arr_foreach(nodes, i, max, node) {
        add_item(&text, json_text(node));
    }
    if (text.len) {
        kernel->post_nodes = keep(model, buf_slice(&text));
        kernel->by = NODES_BY_MAPPING;
        kernel->perhaps = (struct slice){0};
        kernel->why = UNKNOWN_NOTHING;
    }
    buf_free(&text);
}

/* Sets the operators of the nodes in the mapping, except for views. The mapping also has the operands of the kernel's
 * inputs, so nodes from its buffers take precedence. */
static void take_mapped_ops(struct model *model, struct kernel *kernel, const struct flow_graphs *post,
                            const struct map *names) {
    struct buf ops = {0};
    struct slice nodes = kernel->post_nodes, item;
    while (kernel_next_item(&nodes, &item)) {
        uint32_t place = map_get(names, item);
        if (place != MAP_NONE && post->nodes[place].kind == FLOW_COMPUTE)
            add_item(&ops, without_overload(post->nodes[place].op));
    }
    if (ops.len && kernel->kind != KERNEL_EXTERN && !kernel->followed)
        kernel->ops = keep(model, buf_slice(&ops));
    buf_free(&ops);
}

/* Sets operators from the nodes in the mapping, and source lines of kernels that have none. Stack traces, which come
 * later, take precedence. */
static void find_mapped_sources(struct model *model, uint32_t folder) {
    struct kernels *kernels = model->kernels;
    const struct memory *post = recall(kernels->post_grads, model->folders.items[folder].compile);
    struct map names = {0};
    for (uint32_t i = 0; post && i < post->graphs->node_count; i++)
        map_put(&names, post->graphs->nodes[i].name, i, NULL);
    for (uint32_t i = own_kernels(model, folder)->latest; post && i != UINT32_MAX; i = kernels->list.items[i].next) {
        struct kernel *kernel = &kernels->list.items[i];
        struct kernel_source list[KERNEL_SOURCES_MAX];
        struct slice nodes = kernel->post_nodes, node;
        uint32_t count = 0;
        if (kernel->by == NODES_BY_MAPPING)
            take_mapped_ops(model, kernel, post->graphs, &names);
        if (kernel->source_count || kernel->by != NODES_BY_MAPPING)
            continue;
        while (kernel_next_item(&nodes, &node)) {
            uint32_t place = map_get(&names, node);
            if (place != MAP_NONE && post->graphs->nodes[place].source != UINT32_MAX)
                add_node_source(model, list, &count, &post->graphs->sources[post->graphs->nodes[place].source]);
        }
        keep_sources(model, kernel, list, count);
    }
    map_free(&names);
}

void kernels_note_nodes(struct model *model, uint32_t folder, yyjson_val *nodes) {
    if (!model->kernels)
        return;
    each_named(model, folder, nodes, note_nodes);
    find_mapped_sources(model, folder);
}

/* The innermost user frame in 'File "x.py", line 3, in f\n    code', otherwise the innermost frame. */
static bool user_frame(struct slice trace, struct place *place, struct slice *code) {
    struct slice line;
    bool any = false, own = false, taken = false;
    while (slice_next_line(&trace, &line)) {
        struct slice text = slice_trim(line);
        static const struct slice head = SLICE_INIT("File \""), mid = SLICE_INIT("\", line "), in = SLICE_INIT(", in ");
        size_t quote = slice_find(text, mid);
        if (!slice_starts(text, head) || quote == SIZE_MAX) {
            if (taken)
                *code = text;
            taken = false;
            continue;
        }
        struct slice file = slice_from(slice_first(text, quote), head.len), rest = slice_from(text, quote + mid.len);
        bool library = is_library_file(file);
        taken = !library || !own;
        own |= !library;
        if (!taken)
            continue;
        size_t comma = slice_find(rest, in);
        *place = (struct place){.file = file};
        *code = (struct slice){0};
        slice_to_u64(slice_first(rest, comma == SIZE_MAX ? rest.len : comma), &place->line);
        if (comma != SIZE_MAX)
            place->function = slice_from(rest, comma + in.len);
        any = true;
    }
    return any;
}

static void note_traces(struct model *model, struct kernel *kernel, yyjson_val *traces) {
    struct kernel_source list[KERNEL_SOURCES_MAX];
    uint32_t count = 0;
    size_t i, max;
    yyjson_val *trace;
    if (kernel->traced) { /* from another call of it */
        count = kernel->source_count;
        memcpy(list, kernel->sources, count * sizeof *list);
    }
    yyjson_arr_foreach(traces, i, max, trace) {
        struct place place;
        struct slice code;
        if (i < TRACES_MAX && user_frame(json_text(trace), &place, &code))
            add_source(model, list, &count, place, code);
    }
    if (count > (kernel->traced ? kernel->source_count : 0)) {
        keep_sources(model, kernel, list, count);
        kernel->traced = true;
    }
}

void kernels_note_traces(struct model *model, uint32_t folder, yyjson_val *traces) {
    each_named(model, folder, traces, note_traces);
}

static void note_time(struct kernels *kernels, struct kernel *kernel, uint64_t us) {
    if (kernel->compile_us >= 0 || us > (uint64_t)INT64_MAX / KERNELS_MAX)
        return;
    kernel->compile_us = (int64_t)us;
    kernels->compile_us = (kernels->compile_us < 0 ? 0 : kernels->compile_us) + (int64_t)us;
}

/* An integer, even if it is stored as text. */
static bool whole(yyjson_val *value, uint64_t *number) {
    return yyjson_is_raw(value) ? slice_to_u64(slice_make(yyjson_get_raw(value), yyjson_get_len(value)), number)
                                : json_to_u64(value, number);
}

static void note_info(struct model *model, struct kernel *kernel, yyjson_val *info) {
    uint64_t us;
    struct buf json = {0};
    struct jsonw w = {.out = &json};
    yyjson_val *state = json_get(info, "autotune_cache_state"), *configs = json_get(info, "num_configs"),
               *config = json_get(info, "only_config");
    if (whole(json_get(info, "compile_time_us"), &us))
        note_time(model->kernels, kernel, us);
    if (!config)
        config = json_get(info, "best_config");
    if (!state && !configs && !config)
        return;
    jsonw_object(&w, NULL);
    jsonw_text(&w, "state", json_text(state));
    if (configs && whole(configs, &us))
        jsonw_u64(&w, "configs", us);
    else
        jsonw_null(&w, "configs");
    if (config)
        jsonw_value(&w, "config", config);
    else
        jsonw_null(&w, "config");
    jsonw_end_object(&w);
    if (json.len <= POST_NODES_MAX)
        kernel->autotune = keep(model, buf_slice(&json));
    buf_free(&json);
}

void kernels_note_info(struct model *model, uint32_t folder, yyjson_val *info) {
    each_named(model, folder, info, note_info);
}

/* A forward and a backward may have kernels with the same name: the first time belongs to the first kernel, the second
 * time to the second. */
void kernels_note_times(struct model *model, uint32_t folder, struct slice text) {
    struct arena arena = {0};
    struct map places = {0}; /* name → the first kernel that may still be meant */
    size_t i, max;
    yyjson_val *root, *pair;
    if (!model->kernels)
        return;
    uint32_t since = own_kernels(model, folder)->since;
    own_kernels(model, folder)->since = UINT32_MAX;
    if (text.len && since != UINT32_MAX && json_read(&text, JSON_NUMBERS, &arena, &root) != JSON_BAD)
        yyjson_arr_foreach(root, i, max, pair) {
            uint64_t us;
            bool added;
            struct slice name = json_text(yyjson_arr_get(pair, 0));
            if (i == NAMED_MAX)
                break;
            if (!name.len || !json_to_u64(yyjson_arr_get(pair, 1), &us))
                continue;
            uint32_t *place = map_put(&places, name, since, &added);
            struct kernel *kernel = find(model->kernels, *place, name);
            if (kernel)
                note_time(model->kernels, kernel, us);
            *place = kernel ? kernel->next : UINT32_MAX;
        }
    map_free(&places);
    arena_free(&arena);
}

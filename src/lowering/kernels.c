#include "lowering/kernels.h"

#include "codegen/flow_graph.h"
#include "lowering/stages.h"
#include "scan/library.h"

enum {
    GRAPHS = 8, /* number of graphs whose nodes are stored */
    TEXT_MAX =
        16 << 20, /* bytes of operators and sources for all kernels; above this, kernels only have names and numbers */
};

/* The origins of a Dynamo graph's nodes. */
struct graph_nodes {
    struct map map; /* node → place in items */
    struct node_source *items;
};

/* The remembered graphs of one compile. */
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
        [UNKNOWN_CACHED] =
            "its code comes from a cache, and names lines that the graph does not have: those of what stored it",
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
    if (kernel->foreign)
        return UNKNOWN_CACHED;
    if (kernel->nodes.len || kernel->post_nodes.len)
        return UNKNOWN_LINES;
    return kernel->perhaps.len ? UNKNOWN_SHARED : UNKNOWN_NODES;
}

const struct kernel_source *kernel_user_source(const struct kernel *kernel) {
    for (uint32_t i = 0; i < kernel->source_count; i++)
        if (!is_library_file(kernel->sources[i].place.file))
            return &kernel->sources[i];
    return NULL;
}

uint32_t kernels_first(const struct kernels *kernels, size_t compile) {
    return kernels && compile < kernels->compiles.count ? kernels->compiles.items[compile].head : UINT32_MAX;
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

/* Returns an empty memory for the compile, replacing its old one, or else the oldest of all. */
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

struct kernels *kernels_in(struct model *model) {
    if (!model->kernels) {
        model->kernels = arena_zalloc(&model->arena, sizeof *model->kernels);
        model_own(model, model->kernels, forget_all);
        model->kernels->compile_us = -1;
        model->kernels->graphs = arena_zalloc(&model->arena, sizeof *model->kernels->graphs);
        model->kernels->post_grads = arena_zalloc(&model->arena, sizeof *model->kernels->post_grads);
    }
    return model->kernels;
}

struct compile_kernels *kernels_of_folder(struct model *model, uint32_t folder) {
    static const struct compile_kernels none = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
    struct kernels *kernels = model->kernels;
    uint32_t compile = model->folders.items[folder].compile;
    while (kernels->compiles.count <= compile)
        ARENA_ADD(&model->arena, &kernels->compiles, none);
    return &kernels->compiles.items[compile];
}

void kernels_note_graph(struct model *model, uint32_t folder, const struct node_sources *sources) {
    struct memory *memory = remember(kernels_in(model)->graphs, model->folders.items[folder].compile);
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
    struct memory *memory = remember(kernels_in(model)->post_grads, model->folders.items[folder].compile);
    memory->graphs = flow_graphs_copy(graphs, &memory->arena);
}

/* Kernels have most of their texts in common. Keeps ptr NULL. */
static struct slice keep_once(struct model *model, struct slice text) {
    if (!text.len)
        return model_copy(model, text);
    return map_keep_in(&model->arena, &model->kernels->texts, text);
}

struct slice kernels_keep(struct model *model, struct slice text) {
    struct kernels *kernels = model->kernels;
    if (kernels->text_bytes + text.len > TEXT_MAX)
        return (struct slice){0};
    kernels->text_bytes += text.len;
    return keep_once(model, text);
}

void kernel_add_source(struct model *model, struct kernel_source *list, uint32_t *count, struct place place,
                       struct slice code) {
    for (uint32_t i = 0; i < *count; i++)
        if (list[i].place.line == place.line && slice_eq(list[i].place.file, place.file))
            return;
    if (*count == KERNEL_SOURCES_MAX || model->kernels->text_bytes + place.file.len > TEXT_MAX)
        return;
    place.file = kernels_keep(model, place.file);
    place.function = kernels_keep(model, place.function);
    list[(*count)++] = (struct kernel_source){place, kernels_keep(model, code)};
}

void kernel_keep_sources(struct model *model, struct kernel *kernel, const struct kernel_source *list, uint32_t count) {
    if (!count)
        return;
    kernel->sources = ARENA_COPY(&model->arena, list, count);
    kernel->source_count = count;
}

bool kernel_next_item(struct slice *list, struct slice *item) {
    size_t comma = slice_find(*list, SLICE(", "));
    if (!list->len)
        return false;
    *item = slice_first(*list, comma == SIZE_MAX ? list->len : comma);
    *list = comma != SIZE_MAX ? slice_from(*list, comma + 2) : (struct slice){0};
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

const struct flow_graphs *kernels_post_grad(const struct model *model, uint32_t folder) {
    const struct memory *post = recall(model->kernels->post_grads, model->folders.items[folder].compile);
    return post ? post->graphs : NULL;
}

/* The known facts about a code while its kernels are added. */
struct code_facts {
    const struct graph_nodes *dynamo;
    const struct flow_graphs *post; /* NULL: none */
    const struct kernel_flow *flow; /* NULL: nothing found */
    struct map post_names;          /* nodes of `post` by name; only for backwards */
    bool backward;
    bool too_large; /* too large to be analyzed */
};

void kernel_add_node_source(struct model *model, struct kernel_source *list, uint32_t *count,
                            const struct node_source *source) {
    kernel_add_source(model, list, count,
                      (struct place){.file = source->file, .function = source->function, .line = source->line},
                      source->code);
}

/* Adds the lines of these nodes. In a backward, names refer to its own graph first, then to Dynamo's. */
static void add_named(struct model *model, const struct code_facts *facts, struct slice nodes,
                      struct kernel_source *list, uint32_t *count) {
    struct slice node;
    while (kernel_next_item(&nodes, &node)) {
        uint32_t own = facts->backward ? map_get(&facts->post_names, node) : MAP_NONE;
        uint32_t place = own == MAP_NONE && facts->dynamo ? map_get(&facts->dynamo->map, node) : MAP_NONE;
        if (own != MAP_NONE && facts->post->nodes[own].source != UINT32_MAX)
            kernel_add_node_source(model, list, count, &facts->post->sources[facts->post->nodes[own].source]);
        else if (place != MAP_NONE)
            kernel_add_node_source(model, list, count, &facts->dynamo->items[place]);
    }
}

struct slice kernel_operator(struct slice op) {
    size_t dot = slice_rfind_byte(op, '.');
    return dot == SIZE_MAX || slice_find(op, SLICE(".")) == dot ? op : slice_first(op, dot);
}

void kernel_add_item(struct buf *list, struct slice item) {
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
    AUTO_BUF list = {0};
    for (uint32_t i = 0; i < nodes->perhaps_count; i++)
        kernel_add_item(&list, facts->post->nodes[facts->flow->nodes[nodes->perhaps_first + i]].name);
    if (list.len)
        kernel->perhaps = kernels_keep(model, buf_slice(&list));
}

/* Sets the kernel's nodes according to its buffers. */
static void take_flow(struct model *model, struct kernel *kernel, const struct code_facts *facts, uint32_t place,
                      struct kernel_source *list, uint32_t *count) {
    AUTO_BUF nodes = {0}, ops = {0};
    uint32_t first = facts->flow->kernels[place].first, end = first + facts->flow->kernels[place].count;
    for (uint32_t i = first; i < end; i++) {
        const struct flow_node *node = &facts->post->nodes[facts->flow->nodes[i]];
        kernel_add_item(&nodes, node->name);
        kernel_add_item(&ops, kernel_operator(node->op));
        if (node->source != UINT32_MAX)
            kernel_add_node_source(model, list, count, &facts->post->sources[node->source]);
    }
    first = facts->flow->kernels[place].through_first, end = first + facts->flow->kernels[place].through_count;
    for (uint32_t i = first; i < end; i++)
        if (facts->post->nodes[facts->flow->nodes[i]].source != UINT32_MAX)
            kernel_add_node_source(model, list, count,
                                   &facts->post->sources[facts->post->nodes[facts->flow->nodes[i]].source]);
    if (nodes.len) {
        kernel->post_nodes = kernels_keep(model, buf_slice(&nodes));
        kernel->by = NODES_BY_FLOW;
        kernel->followed = true;
    }
    if (ops.len)
        kernel->ops = kernels_keep(model, buf_slice(&ops));
    take_perhaps(model, kernel, facts, &facts->flow->kernels[place]);
}

/* Adds the functions of the program that a flex attention template inlines. */
static void add_inlined(struct model *model, const struct code_facts *facts, const struct kernel *kernel,
                        struct kernel_source *list, uint32_t *count) {
    uint32_t lines[INLINED_LINES_MAX];
    if (!facts->post || kernel->kind != KERNEL_TRITON || !slice_is(kernel->heuristic, "template") ||
        !slice_starts(kernel->ops, SLICE("flex_attention")))
        return;
    uint32_t found = inlined_lines(facts->post, kernel->ops, lines);
    for (uint32_t i = 0; i < found; i++)
        kernel_add_node_source(model, list, count, &facts->post->sources[lines[i]]);
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
    add_inlined(model, facts, kernel, list, &count);
    kernel_keep_sources(model, kernel, list, count);
}

struct kernel *kernel_find(struct kernels *kernels, uint32_t from, struct slice name) {
    for (uint32_t i = from; i != UINT32_MAX; i = kernels->list.items[i].next)
        if (slice_eq(kernels->list.items[i].name, name))
            return &kernels->list.items[i];
    return NULL;
}

/* "model.py:8" */
static struct place original_place(struct model *model, struct slice text, struct slice function) {
    struct place place = {.function = function};
    size_t colon = slice_rfind_byte(text, ':');
    if (colon == SIZE_MAX || !slice_to_u64(slice_from(text, colon + 1), &place.line))
        return (struct place){0};
    place.file = kernels_keep(model, slice_first(text, colon));
    return place;
}

static void append(struct model *model, uint32_t folder, const struct kernel_scan *scan, uint32_t index,
                   const struct code_facts *facts, uint32_t artifact) {
    const struct scanned_kernel *from = &scan->items[index];
    struct kernels *kernels = model->kernels;
    struct compile_kernels *own = kernels_of_folder(model, folder);
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
                              .name = keep_once(model, from->name),
                              .label = kernels_keep(model, from->label),
                              .graph = keep_once(model, scan->graph),
                              .heuristic = keep_once(model, from->heuristic),
                              .handle = kernels_keep(model, from->handle),
                              .nodes = kernels_keep(model, from->nodes),
                              .ops = kernels_keep(model, from->ops),
                              .choice = UINT32_MAX,
                              .compile_us = -1};
    kernel->original = original_place(model, from->original, kernel->label.len ? kernel->label : kernel->name);
    find_nodes(model, kernel, facts, from, index);
    struct kernel_devices devices = kernel_devices_find(scan, index, facts->post, facts->flow);
    kernel->copies = from->copies;
    kernel->partitions = scan->partitions;
    kernel->outside = devices.outside;
    kernel->waits = devices.waits;
    if (devices.from.len) {
        kernel->from = kernels_keep(model, devices.from);
        kernel->to = kernels_keep(model, devices.to);
    }
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

/* Whether kernels have no comments, as in C++, so their nodes must be found in the graph. */
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
    struct kernels *kernels = kernels_in(model);
    const struct compile *compile = model->compiles.items[model->folders.items[folder].compile];
    struct compile_kernels *own = kernels_of_folder(model, folder);
    uint32_t artifact = (uint32_t)compile->artifacts.count - 1;
    merge &= own->latest != UINT32_MAX;
    if (!merge)
        own->latest = UINT32_MAX;
    kernels->more += scan->more;
    struct code_facts facts = {0};
    AUTO_ARENA arena = {0};
    code_facts_find(&facts, kernels, model->folders.items[folder].compile, scan, &arena);
    uint32_t first = (uint32_t)kernels->list.count;
    for (uint32_t i = 0; i < scan->count; i++) {
        const struct scanned_kernel *from = &scan->items[i];
        struct kernel *known =
            merge ? kernel_find(kernels, kernels_of_folder(model, folder)->latest, from->name) : NULL;
        if (!known) {
            append(model, folder, scan, i, &facts, artifact);
        } else if (from->line) { /* the definition, not only a declaration */
            known->line = from->line;
            known->artifact = artifact;
        }
    }
    map_free(&facts.post_names);
    if (!merge && model->profiled) {
        struct code_calls code = {.compile = model->folders.items[folder].compile,
                                  .artifact = artifact,
                                  .graph = keep_once(model, scan->graph)};
        code_calls_note(model, kernels_of_folder(model, folder), code, scan, first);
    }
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

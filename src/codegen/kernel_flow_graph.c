/* The graph side of kernel_flow.h: nodes, their operands, and their source lines. */

#include "codegen/kernel_flow_parts.h"
#include "scan/fx_graph.h"

struct reader {
    LIST(struct flow_graph) graphs;
    LIST(struct flow_node) nodes;
    LIST(struct flow_arg) args;
    LIST(struct node_source) sources;
    struct map names;  /* names in the current graph */
    struct slice head; /* name of the enclosing class */
    struct node_source now;
    bool known; /* now.file is from the comment above, and is in sources */
    bool full;
};

static struct flow_node *add_node(struct reader *r, struct slice name, enum flow_kind kind) {
    if (r->nodes.count == FLOW_NODES_MAX || !r->graphs.count) {
        r->full = true;
        return NULL;
    }
    MEM_GROW(&r->nodes);
    struct flow_node *node = &r->nodes.items[r->nodes.count];
    *node = (struct flow_node){.name = name,
                               .kind = kind,
                               .first = (uint32_t)r->args.count,
                               .item = UINT32_MAX,
                               .source = UINT32_MAX};
    *map_put(&r->names, name, 0, NULL) = (uint32_t)r->nodes.count++;
    r->graphs.items[r->graphs.count - 1].count++;
    return node;
}

static void begin_graph(struct reader *r) {
    map_free(&r->names);
    LIST_ADD(&r->graphs, (struct flow_graph){.name = r->head,
                                             .first = (uint32_t)r->nodes.count,
                                             .result = (uint32_t)r->args.count});
    r->now = (struct node_source){0};
    r->known = false;
}

/* The device in a type: "cuda:0" in "f32[64, 64][64, 1]cuda:0". */
static struct slice device_in(struct slice type) {
    size_t close = slice_rfind_byte(type, ']');
    struct slice device = close == SIZE_MAX ? (struct slice){0} : slice_from(type, close + 1);
    for (size_t i = 0; i < device.len; i++)
        if (!is_word(device.ptr[i]) && device.ptr[i] != ':')
            return (struct slice){0};
    return device;
}

/* Whether a size in the type has a symbol such as "u0". */
static bool is_unbacked(struct slice type) {
    for (size_t i = slice_find(type, SLICE("[")); i < type.len; i++)
        if (type.ptr[i] == 'u' && !is_word(type.ptr[i - 1]) && i + 1 < type.len && is_digit(type.ptr[i + 1]))
            return true;
    return false;
}

static void read_type(struct flow_node *node, struct slice type) {
    node->scalar = slice_starts(type, SLICE("Sym("));
    node->device = device_in(type);
    node->unbacked = is_unbacked(type);
}

static void read_input(struct reader *r, const struct fx_item *item) {
    struct flow_node *node = add_node(r, item->name, FLOW_INPUT);
    if (node)
        read_type(node, item->type);
}

/* The nodes in the expression, each with its index among the arguments. Brackets count from `depth`. */
static uint32_t read_args(struct reader *r, struct slice text, unsigned depth) {
    uint32_t place = 0, count = 0;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (c == '"' || c == '\'') {
            i = behind_string(text, i) - 1;
        } else if (c == '(' || c == '[' || c == '{') {
            depth++;
        } else if (c == ')' || c == ']' || c == '}') {
            depth -= depth > 0;
        } else if (c == ',' && depth == 1) {
            place++;
        } else if (c == ';' || c == '#') {
            break;
        } else if (is_word(c)) {
            struct slice word = slice_first(slice_from(text, i), word_length(slice_from(text, i)));
            uint32_t node = i && text.ptr[i - 1] == '.' ? MAP_NONE : map_get(&r->names, word);
            i += word.len - 1;
            if (node == MAP_NONE)
                continue;
            if (r->args.count == FLOW_ARGS_MAX) {
                r->full = true;
                return count;
            }
            LIST_ADD(&r->args, (struct flow_arg){node, place});
            count++;
        }
    }
    return count;
}

bool flow_is_aten(struct slice op, const struct slice *names, size_t count) {
    if (!slice_starts(op, SLICE("aten.")))
        return false;
    op = slice_from(op, 5);
    op = slice_first(op, slice_find(op, SLICE(".")));
    for (size_t i = 0; i < count; i++)
        if (slice_eq(op, names[i]))
            return true;
    return false;
}

/* "mm" of "extern_kernels.mm", "aten.mm.default" and "aoti_torch_cpu_mm_out". */
struct slice flow_operator(struct slice name) {
    const struct slice heads[] = {SLICE("torch.ops."),       SLICE("extern_kernels."), SLICE("aoti_torch_cpu_"),
                                  SLICE("aoti_torch_cuda_"), SLICE("aoti_torch_xpu_"), SLICE("aoti_torch_mps_")};
    if (slice_is(name, "copy_")) /* scanned_kernel.copies */
        return SLICE("device_put");
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        if (!slice_starts(name, heads[i]))
            continue;
        name = slice_from(name, heads[i].len);
        if (i == 0)
            break;
        slice_cut_end(&name, SLICE("_out"));
        return slice_starts(name, SLICE("bias_addmm")) ? SLICE("addmm") : name;
    }
    size_t dot = slice_find(name, SLICE("."));
    if (dot != SIZE_MAX)
        name = slice_from(name, dot + 1);
    dot = slice_find(name, SLICE("."));
    name = slice_first(name, dot == SIZE_MAX ? name.len : dot);
    if (slice_is(name, "inductor_seeds")) /* lowered to a call of randint() */
        return SLICE("randint");
    if (slice_is(name, "scatter_add")) /* lowered to a call of scatter_reduce_() */
        return SLICE("scatter_reduce");
    if (slice_is(name, "_to_copy")) /* possibly also to another dtype */
        return SLICE("device_put");
    return slice_ends(name, SLICE("_")) ? slice_first(name, name.len - 1) : name;
}

/* Operators that return a view of their input. */
static bool is_view(struct slice op) {
    const struct slice names[] = {SLICE("view"),    SLICE("reshape"),   SLICE("permute"),    SLICE("t"),
                                  SLICE("expand"),  SLICE("transpose"), SLICE("unsqueeze"),  SLICE("squeeze"),
                                  SLICE("slice"),   SLICE("select"),    SLICE("as_strided"), SLICE("alias"),
                                  SLICE("detach"),  SLICE("unfold"),    SLICE("split"),      SLICE("split_with_sizes"),
                                  SLICE("unbind"),  SLICE("diagonal"),  SLICE("chunk"),      SLICE("_unsafe_view"),
                                  SLICE("view_as"), SLICE("narrow"),    SLICE("flatten"),    SLICE("movedim")};
    if (slice_starts(op, SLICE("_c10d_functional.wait_tensor.")))
        return true; /* the buffer that it waits for */
    return flow_is_aten(op, names, sizeof names / sizeof *names);
}

static uint32_t source_now(struct reader *r) {
    if (!r->now.file.ptr)
        return UINT32_MAX;
    if (!r->known) {
        LIST_ADD(&r->sources, r->now);
        r->known = true;
    }
    return (uint32_t)r->sources.count - 1;
}

/* The index in "2];  mul = None". UINT32_MAX: none. */
static uint32_t item_in(struct slice text) {
    uint64_t item;
    size_t close = slice_find(text, SLICE("]"));
    return close != SIZE_MAX && slice_to_u64(slice_first(text, close), &item) && item < FLOW_ARGS_MAX ? (uint32_t)item
                                                                                                      : UINT32_MAX;
}

/* 'name: "f32[4]" = torch.ops.aten.mul.Tensor(a, b);  a = None', "x = y[0]", "w = self.w" */
static void read_statement(struct reader *r, const struct fx_item *item) {
    struct slice rest = item->right;
    size_t op = 0;
    bool call = slice_starts(rest, SLICE("torch.ops.")), writes = false;
    if (call)
        rest = slice_from(rest, 10);
    for (; call && op < rest.len && (is_word(rest.ptr[op]) || rest.ptr[op] == '.'); op++)
        writes |= rest.ptr[op] == '.' && op && rest.ptr[op - 1] == '_';
    uint32_t first = (uint32_t)r->args.count, count = 0;
    bool attribute = slice_starts(rest, SLICE("self."));
    if (!attribute)
        count = read_args(r, slice_from(rest, op), 0);
    struct flow_node *node = add_node(r, item->name, attribute ? FLOW_INPUT : FLOW_COMPUTE);
    if (!node)
        return;
    node->op = slice_first(rest, op);
    node->writes = writes && slice_starts(rest, SLICE("aten."));
    node->first = first;
    node->count = count;
    node->constant = attribute;
    read_type(node, item->type);
    if (node->scalar && slice_starts(node->op, SLICE("aten._local_scalar_dense.")))
        node->symbol = slice_first(slice_from(item->type, 4), word_length(slice_from(item->type, 4)));
    node->source = source_now(r);
    bool indexed = !call && !attribute && slice_starts(slice_from(rest, word_length(rest)), SLICE("["));
    if (indexed)
        node->item = item_in(slice_from(rest, word_length(rest) + 1));
    if (count && !attribute && (is_view(node->op) || indexed))
        node->kind = FLOW_VIEW;
}

static void read_item(struct reader *r, const struct fx_item *item) {
    if (item->kind == FX_FORWARD) {
        begin_graph(r);
    } else if (item->kind == FX_CLASS) {
        r->head = item->name;
    } else if (item->kind == FX_PARAMETER || item->kind == FX_INPUT) {
        read_input(r, item);
    } else if (item->kind == FX_COMMENT) {
        const char *before = r->now.file.ptr;
        node_source_read(item->text, &r->now);
        r->known &= r->now.file.ptr == before;
    } else if (item->kind == FX_RETURN && r->graphs.count) {
        struct flow_graph *graph = &r->graphs.items[r->graphs.count - 1];
        graph->result = (uint32_t)r->args.count;
        graph->result_count = read_args(r, item->right, 0);
    } else if (item->kind == FX_STATEMENT && item->name.len) {
        read_statement(r, item);
    }
}

struct flow_graphs *flow_graphs_scan(struct slice text, struct arena *arena) {
    struct reader r = {0};
    struct fx_reader reader = {.rest = text};
    struct fx_item item;
    struct flow_graphs *graphs = NULL;
    while (!r.full && fx_next(&reader, &item))
        read_item(&r, &item);
    if (!r.full && r.graphs.count) {
        graphs = arena_zalloc(arena, sizeof *graphs);
        *graphs = (struct flow_graphs){.graphs = ARENA_COPY(arena, r.graphs.items, r.graphs.count),
                                       .nodes = ARENA_COPY(arena, r.nodes.items, r.nodes.count),
                                       .args = ARENA_COPY(arena, r.args.items, r.args.count),
                                       .sources = ARENA_COPY(arena, r.sources.items, r.sources.count),
                                       .graph_count = (uint32_t)r.graphs.count,
                                       .node_count = (uint32_t)r.nodes.count,
                                       .arg_count = (uint32_t)r.args.count,
                                       .source_count = (uint32_t)r.sources.count,
                                       .bytes = text.len};
    }
    mem_free(r.graphs.items);
    mem_free(r.nodes.items);
    mem_free(r.args.items);
    mem_free(r.sources.items);
    map_free(&r.names);
    return graphs;
}

struct flow_graphs *flow_graphs_copy(const struct flow_graphs *from, struct arena *arena) {
    struct flow_graphs *to = arena_alloc(arena, sizeof *to);
    *to = *from;
    to->graphs = ARENA_COPY(arena, from->graphs, from->graph_count);
    to->nodes = ARENA_COPY(arena, from->nodes, from->node_count);
    to->args = ARENA_COPY(arena, from->args, from->arg_count);
    to->sources = ARENA_COPY(arena, from->sources, from->source_count);
    for (uint32_t i = 0; i < to->graph_count; i++)
        to->graphs[i].name = arena_slice(arena, to->graphs[i].name);
    struct slice device = {0};
    for (uint32_t i = 0; i < to->node_count; i++) {
        if (!slice_eq(device, to->nodes[i].device)) /* most are on the same */
            device = arena_slice(arena, to->nodes[i].device);
        to->nodes[i].device = device;
        to->nodes[i].name = arena_slice(arena, to->nodes[i].name);
        to->nodes[i].op = arena_slice(arena, to->nodes[i].op);
        to->nodes[i].symbol = arena_slice(arena, to->nodes[i].symbol);
    }
    for (uint32_t i = 0; i < to->source_count; i++) {
        struct node_source *source = &to->sources[i];
        source->file = arena_slice(arena, source->file);
        source->function = arena_slice(arena, source->function);
        if (source->code.ptr)
            source->code = arena_slice(arena, source->code);
    }
    return to;
}

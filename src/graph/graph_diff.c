#include "graph/graph_diff.h"

const char *graph_change_name(enum graph_change change) {
    static const char *const names[GRAPH_CHANGES] = {"added", "removed", "changed", "replaced", "moved"};
    return names[change];
}

struct differ {
    struct graph_diff *diff;
    struct map dims;   /* "32\ns27": results have sizes that differ so */
    struct map inputs; /* the same for inputs */
    struct map sizes;  /* the same → index in diff->sizes */
    struct map types;
    bool stated;                   /* the call that is compared names another dtype */
    struct map nested_a, nested_b; /* names of nested graphs */
    uint32_t *size_node;           /* by size: the latest node with it */
    size_t size_nodes;
};

static bool is_op(const struct op_node *node) {
    return node->kind != OP_INPUT && node->kind != OP_OUTPUT;
}

static struct slice symbol_of(const struct op_node *node) {
    struct slice text = node->type;
    return slice_cut_start(&text, SLICE("Sym(")) && slice_cut_end(&text, SLICE(")")) ? text : node->name;
}

static void pair_key(struct buf *key, struct slice from, struct slice to) {
    key->len = 0;
    BUF_ADD(key, from, "\n", to);
}

/* Takes the next part of a list "8, s0, 4*s0". Returns false at the end. */
static bool next_part(struct slice *list, struct slice *part) {
    if (!list->len)
        return false;
    size_t at = slice_find(*list, SLICE(", "));
    *part = slice_first(*list, at);
    *list = slice_from(*list, at == SIZE_MAX ? list->len : at + 2);
    return true;
}

/* Notes how sizes of results and inputs differ. */
static void find_dims(struct differ *d) {
    const struct graph_diff *diff = d->diff;
    AUTO_BUF key = {0};
    for (size_t j = 0; j < diff->b->nodes.count; j++) {
        const struct op_node *node = &diff->b->nodes.items[j];
        if (diff->match_b[j] == OP_NONE)
            continue;
        struct slice one = op_type_read(diff->a->nodes.items[diff->match_b[j]].type).shape,
                     other = op_type_read(node->type).shape, from, to;
        while (next_part(&one, &from) && next_part(&other, &to)) {
            if (slice_eq(from, to))
                continue;
            pair_key(&key, from, to);
            map_put(&d->dims, buf_slice(&key), 0, NULL);
            if (node->kind == OP_INPUT)
                map_put(&d->inputs, buf_slice(&key), 0, NULL);
        }
    }
}

/* Whether one number in place of another follows from the sizes of the inputs. */
static bool is_of_sizes(const struct differ *d, const struct op_node *node, struct slice from, struct slice to) {
    AUTO_BUF key = {0};
    pair_key(&key, from, to);
    if (map_get(&d->inputs, buf_slice(&key)) != MAP_NONE)
        return true;
    return d->inputs.count && op_takes_sizes(node->target) && map_get(&d->dims, buf_slice(&key)) != MAP_NONE;
}

static void count_change(struct differ *d, struct map *map, struct slice from, struct slice to, uint32_t node) {
    AUTO_BUF key = {0};
    bool added, of_sizes = map == &d->sizes;
    pair_key(&key, from, to);
    uint32_t count = (uint32_t)(of_sizes ? d->diff->sizes.count : d->diff->types.count),
             place = *map_put(map, buf_slice(&key), count, &added);
    if (added && of_sizes)
        LIST_ADD(&d->diff->sizes, (struct size_change){.from = from, .to = to});
    else if (added)
        LIST_ADD(&d->diff->types, (struct size_change){.from = from, .to = to});
    if (!of_sizes) {
        d->diff->types.items[place].nodes++;
        return;
    }
    if (place >= d->size_nodes) {
        d->size_nodes = 2 * (size_t)place + 8;
        d->size_node = mem_realloc(d->size_node, d->size_nodes, sizeof *d->size_node);
    }
    if (added || d->size_node[place] != node)
        d->diff->sizes.items[place].nodes++;
    d->size_node[place] = node;
}

enum { SIZE_TOKENS_MAX = 256 }; /* tensors have at most 64 dimensions */

/* The tokens of a node, with those of torch.Size([…]) in place of an operand that is one. */
struct token_walk {
    const struct op_graph *graph;
    uint32_t at, end, inner, inner_end;
};

static struct token_walk walk_of(const struct op_graph *graph, uint32_t node) {
    const struct op_node *of = &graph->nodes.items[node];
    return (struct token_walk){graph, of->first, of->first + of->count, 0, 0};
}

static const struct op_token *next_token(struct token_walk *walk) {
    if (walk->inner < walk->inner_end)
        return &walk->graph->tokens.items[walk->inner++];
    if (walk->at == walk->end)
        return NULL;
    const struct op_token *token = &walk->graph->tokens.items[walk->at++];
    const struct op_node *operand = token->node == OP_NONE ? NULL : &walk->graph->nodes.items[token->node];
    if (!operand || !slice_is(operand->target, "torch.Size") || !operand->count || operand->count > SIZE_TOKENS_MAX)
        return token;
    walk->inner = operand->first;
    walk->inner_end = operand->first + operand->count;
    return &walk->graph->tokens.items[walk->inner++];
}

/* Lists and tuples of sizes are equal. */
static bool same_text(struct slice a, struct slice b) {
    if (a.len == 1 && b.len == 1 && strchr("([", a.ptr[0]) && strchr("([", b.ptr[0]))
        return true;
    if (a.len == 1 && b.len == 1 && strchr(")]", a.ptr[0]) && strchr(")]", b.ptr[0]))
        return true;
    return slice_eq(a, b);
}

/* The text of a token that may be a size: a number, or a symbol. ptr NULL: it is neither. */
static struct slice size_of(const struct op_graph *graph, const struct op_token *token) {
    const struct op_node *operand = token->node == OP_NONE ? NULL : &graph->nodes.items[token->node];
    return operand && op_is_symbol(operand) ? symbol_of(operand) : token->number ? token->text : (struct slice){0};
}

/* Whether a word names a dtype, as in torch.float32, or the method that casts to it, as in x.float(). */
static bool names_dtype(struct slice word) {
    static const char *const names[] = {"bfloat", "bool", "byte", "char", "complex", "double",
                                        "float",  "half", "int",  "long", "short",   "uint"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (slice_starts(word, slice_str(names[i])))
            return true;
    return false;
}

static bool is_matched(const struct graph_diff *diff, uint32_t a, uint32_t b) {
    return (a != OP_NONE && diff->match_a[a] != OP_NONE) || (b != OP_NONE && diff->match_b[b] != OP_NONE);
}

static unsigned compare_tokens(struct differ *d, const struct op_token *one, const struct op_token *other,
                               uint32_t node) {
    const struct graph_diff *diff = d->diff;
    bool operands = one->node != OP_NONE && other->node != OP_NONE;
    if (operands && diff->match_a[one->node] == other->node)
        return 0;
    if (one->node == OP_NONE && other->node == OP_NONE && same_text(one->text, other->text))
        return 0;
    struct slice from = size_of(diff->a, one), to = size_of(diff->b, other);
    if (from.ptr && to.ptr) {
        if (operands && is_matched(diff, one->node, other->node)) /* other symbols of the same graphs */
            return OP_CHANGED;
        if (slice_eq(from, to))
            return OP_RESIZED;
        bool symbols = one->node != OP_NONE || other->node != OP_NONE;
        if (!symbols && !is_of_sizes(d, &diff->b->nodes.items[node], from, to))
            return OP_CHANGED;
        count_change(d, &d->sizes, from, to, node);
        return OP_RESIZED;
    }
    d->stated |= !operands && names_dtype(one->text) && names_dtype(other->text);
    bool rewired = operands && (diff->match_a[one->node] == OP_NONE || diff->match_b[other->node] == OP_NONE);
    return rewired ? OP_REWIRED : OP_CHANGED;
}

static void index_nested(struct map *names, const struct op_graph *graph) {
    for (uint32_t i = 1; i < graph->graphs.count; i++)
        map_put(names, graph->graphs.items[i].name, i, NULL);
}

/* Whether an attribute is a nested graph, whose name says nothing. */
static bool is_nested(const struct map *names, const struct op_node *node) {
    return node->kind == OP_ATTRIBUTE && map_get(names, node->target) != MAP_NONE;
}

static unsigned compare_calls(struct differ *d, uint32_t a, uint32_t b) {
    const struct op_node *one = &d->diff->a->nodes.items[a], *other = &d->diff->b->nodes.items[b];
    d->stated = false;
    if (one->kind != other->kind)
        return OP_CHANGED;
    if (one->kind != OP_INPUT && !slice_eq(one->target, other->target) &&
        !(is_nested(&d->nested_a, one) && is_nested(&d->nested_b, other))) {
        d->stated = names_dtype(one->target) && names_dtype(other->target);
        return OP_CHANGED;
    }
    struct token_walk walk = walk_of(d->diff->a, a), walk_b = walk_of(d->diff->b, b);
    unsigned differs = 0;
    for (;;) {
        const struct op_token *token = next_token(&walk), *token_b = next_token(&walk_b);
        if (!token || !token_b)
            return token || token_b ? OP_CHANGED : differs;
        differs |= compare_tokens(d, token, token_b, b);
    }
}

/* After compare_calls(). A type that the call states is listed as a change of the call. */
static unsigned compare_types(struct differ *d, uint32_t a, uint32_t b) {
    struct slice type_a = d->diff->a->nodes.items[a].type, type_b = d->diff->b->nodes.items[b].type;
    struct op_type one = op_type_read(type_a), other = op_type_read(type_b);
    unsigned differs = 0;
    struct slice from, to;
    if (!one.tensor || !other.tensor)
        return 0;
    if (!slice_eq(one.dtype, other.dtype)) {
        if (!d->stated)
            count_change(d, &d->types, one.dtype, other.dtype, b);
        differs |= OP_RETYPED;
    }
    if (one.device.len && other.device.len && !slice_eq(one.device, other.device)) {
        count_change(d, &d->types, one.device, other.device, b);
        differs |= OP_RETYPED;
    }
    if (slice_eq(one.shape, other.shape))
        return differs |
               (slice_eq(one.strides, other.strides) || !one.strides.ptr || !other.strides.ptr ? 0 : OP_RESTRIDED);
    while (next_part(&one.shape, &from) && next_part(&other.shape, &to))
        if (!slice_eq(from, to))
            count_change(d, &d->sizes, from, to, b);
    return differs | OP_RESIZED;
}

static void compare_matched(struct differ *d) {
    struct graph_diff *diff = d->diff;
    find_dims(d);
    for (uint32_t j = 0; j < diff->b->nodes.count; j++) {
        if (diff->match_b[j] == OP_NONE)
            continue;
        unsigned differs = compare_calls(d, diff->match_b[j], j);
        differs |= compare_types(d, diff->match_b[j], j);
        diff->differs[j] = (uint8_t)differs;
        if (!is_op(&diff->b->nodes.items[j]) || differs & OP_CHANGED || diff->moved[j])
            continue;
        diff->same += !differs;
        diff->resized += (differs & OP_RESIZED) != 0;
        diff->rewired += (differs & OP_REWIRED) != 0;
        diff->restrided += (differs & OP_RESTRIDED) != 0;
        diff->retyped += (differs & OP_RETYPED) != 0;
    }
}

/* Groups of unmatched nodes: those of a first, then those of b. */
struct groups {
    struct graph_diff *diff;
    uint32_t *parent;
    uint32_t *gap; /* by node: the matched node of b before it */
    struct map shared;
};

static uint32_t root_of(struct groups *g, uint32_t node) {
    while (g->parent[node] != node)
        node = g->parent[node] = g->parent[g->parent[node]];
    return node;
}

static void join(struct groups *g, uint32_t one, uint32_t other) {
    uint32_t a = root_of(g, one), b = root_of(g, other);
    g->parent[a > b ? a : b] = a > b ? b : a;
}

static void find_gaps(struct groups *g, const struct op_graph *graph, bool of_b) {
    const struct graph_diff *diff = g->diff;
    uint32_t base = of_b ? (uint32_t)diff->a->nodes.count : 0, gap = 0, nested = OP_NONE;
    for (uint32_t i = 0; i < graph->nodes.count; i++) {
        uint32_t other = of_b ? diff->match_b[i] : diff->match_a[i], in_b = of_b ? i : other;
        if (graph->nodes.items[i].graph != nested)
            gap = UINT32_MAX - graph->nodes.items[i].graph;
        nested = graph->nodes.items[i].graph;
        if (other != OP_NONE && !diff->moved[in_b])
            gap = in_b;
        g->gap[base + i] = gap;
    }
}

/* Joins the node with the first one that has something in common with it, in the same gap: an operand, or a reader. */
static void share(struct groups *g, uint32_t node, uint32_t common, char role) {
    AUTO_BUF key = {0};
    bool added;
    buf_addf(&key, "%c%" PRIu32 " %" PRIu32, role, g->gap[node], common);
    uint32_t first = *map_put(&g->shared, buf_slice(&key), node, &added);
    if (!added)
        join(g, node, first);
}

static void link_nodes(struct groups *g, const struct op_graph *graph, bool of_b) {
    const struct graph_diff *diff = g->diff;
    const uint32_t *match = of_b ? diff->match_b : diff->match_a;
    uint32_t base = of_b ? (uint32_t)diff->a->nodes.count : 0;
    for (uint32_t i = 0; i < graph->nodes.count; i++) {
        const struct op_node *node = &graph->nodes.items[i];
        for (uint32_t t = node->first; is_op(node) && t < node->first + node->count; t++) {
            uint32_t operand = graph->tokens.items[t].node;
            if (operand == OP_NONE || op_is_symbol(&graph->nodes.items[operand]))
                continue;
            bool lone = match[i] == OP_NONE,
                 lone_operand = match[operand] == OP_NONE && is_op(&graph->nodes.items[operand]);
            if (lone && lone_operand && g->gap[base + i] == g->gap[base + operand])
                join(g, base + i, base + operand);
            else if (lone && !lone_operand && match[operand] != OP_NONE)
                share(g, base + i, of_b ? operand : match[operand], '<');
            else if (!lone && lone_operand)
                share(g, base + operand, of_b ? i : match[i], '>');
        }
    }
}

static void add_edit(struct graph_diff *diff, enum graph_change change, const uint32_t *a, uint32_t count_a,
                     const uint32_t *b, uint32_t count_b) {
    struct graph_edit edit = {.change = change,
                              .first_a = (uint32_t)diff->members.count,
                              .count_a = count_a,
                              .first_b = (uint32_t)diff->members.count + count_a,
                              .count_b = count_b};
    for (uint32_t i = 0; i < count_a; i++)
        LIST_ADD(&diff->members, a[i]);
    for (uint32_t i = 0; i < count_b; i++)
        LIST_ADD(&diff->members, b[i]);
    LIST_ADD(&diff->edits, edit);
    const struct op_node *node = count_b ? &diff->b->nodes.items[b[0]] : &diff->a->nodes.items[a[0]];
    if (is_op(node))
        diff->counts[change]++;
    else
        diff->inputs++;
}

struct member {
    uint32_t root, node;
};

static int by_root(const void *a, const void *b) {
    const struct member *one = a, *other = b;
    if (one->root != other->root)
        return one->root < other->root ? -1 : 1;
    return one->node < other->node ? -1 : one->node > other->node;
}

enum { REPLACED_MAX = 64 }; /* nodes; a larger group says nothing */

/* Matches the nodes of a group of one each, otherwise adds its changes. Its nodes are in order: those of a come first. */
static void add_group(struct graph_diff *diff, const struct member *members, size_t count) {
    uint32_t base = (uint32_t)diff->a->nodes.count, count_a = 0;
    uint32_t *nodes = mem_alloc(count * sizeof *nodes);
    for (size_t i = 0; i < count; i++) {
        bool of_a = members[i].node < base;
        count_a += of_a;
        nodes[i] = of_a ? members[i].node : members[i].node - base;
    }
    uint32_t count_b = (uint32_t)count - count_a;
    if (count_a == 1 && count_b == 1) {
        diff->match_a[nodes[0]] = nodes[1];
        diff->match_b[nodes[1]] = nodes[0];
    } else if (count_a && count_b && count <= REPLACED_MAX) {
        add_edit(diff, CHANGE_REPLACED, nodes, count_a, nodes + count_a, count_b);
    } else {
        for (uint32_t i = 0; i < count; i++)
            add_edit(diff, i < count_a ? CHANGE_REMOVED : CHANGE_ADDED, nodes + i, i < count_a, nodes + i,
                     i >= count_a);
    }
    mem_free(nodes);
}

static void group_unmatched(struct graph_diff *diff) {
    size_t a_count = diff->a->nodes.count, count = a_count + diff->b->nodes.count;
    struct groups g = {.diff = diff,
                       .parent = mem_alloc((count + 1) * sizeof *g.parent),
                       .gap = mem_alloc((count + 1) * sizeof *g.gap)};
    LIST(struct member) members = {0};
    for (uint32_t i = 0; i < count; i++)
        g.parent[i] = i;
    find_gaps(&g, diff->a, false);
    find_gaps(&g, diff->b, true);
    link_nodes(&g, diff->a, false);
    link_nodes(&g, diff->b, true);
    for (uint32_t i = 0; i < count; i++)
        if ((i < a_count ? diff->match_a[i] : diff->match_b[i - a_count]) == OP_NONE)
            LIST_ADD(&members, (struct member){root_of(&g, i), i});
    LIST_SORT(&members, by_root);
    for (size_t i = 0, end; i < members.count; i = end) {
        for (end = i; end < members.count && members.items[end].root == members.items[i].root;)
            end++;
        add_group(diff, members.items + i, end - i);
    }
    mem_free(members.items);
    mem_free(g.parent);
    mem_free(g.gap);
    map_free(&g.shared);
}

struct placed {
    uint64_t place;
    struct graph_edit edit;
};

static int by_place(const void *a, const void *b) {
    const struct placed *one = a, *other = b;
    return one->place < other->place ? -1 : one->place > other->place;
}

/* Sorts edits by their first node of b; what is removed by the one that precedes it. */
static void sort_edits(struct graph_diff *diff) {
    struct placed *placed = mem_alloc((diff->edits.count + 1) * sizeof *placed);
    uint32_t *before = mem_alloc((diff->a->nodes.count + 1) * sizeof *before), last = 0;
    for (size_t i = 0; i < diff->a->nodes.count; i++) {
        uint32_t match = diff->match_a[i];
        last = match != OP_NONE && !diff->moved[match] ? match + 1 : last;
        before[i] = last;
    }
    for (size_t i = 0; i < diff->edits.count; i++) {
        const struct graph_edit *edit = &diff->edits.items[i];
        uint64_t a = edit->count_a ? diff->members.items[edit->first_a] : 0;
        uint64_t b = edit->count_b ? diff->members.items[edit->first_b] : before[a];
        placed[i] = (struct placed){b << 32 | (edit->count_b ? UINT32_MAX : a), *edit};
    }
    if (diff->edits.count)
        qsort(placed, diff->edits.count, sizeof *placed, by_place);
    for (size_t i = 0; i < diff->edits.count; i++)
        diff->edits.items[i] = placed[i].edit;
    mem_free(placed);
    mem_free(before);
}

static int by_nodes(const void *a, const void *b) {
    const struct size_change *one = a, *other = b;
    if (one->nodes != other->nodes)
        return one->nodes > other->nodes ? -1 : 1;
    int from = slice_cmp(one->from, other->from);
    return from ? from : slice_cmp(one->to, other->to);
}

void graph_diff_make(struct graph_diff *diff, const struct op_graph *a, const struct op_graph *b) {
    struct differ d = {.diff = diff};
    diff->a = a;
    diff->b = b;
    diff->match_a = mem_alloc((a->nodes.count + 1) * sizeof *diff->match_a);
    diff->match_b = mem_alloc((b->nodes.count + 1) * sizeof *diff->match_b);
    diff->differs = mem_zalloc(b->nodes.count + 1, sizeof *diff->differs);
    diff->moved = mem_zalloc(b->nodes.count + 1, sizeof *diff->moved);
    graph_match(a, b, diff->match_a, diff->match_b, diff->moved);
    group_unmatched(diff);
    index_nested(&d.nested_a, a);
    index_nested(&d.nested_b, b);
    compare_matched(&d);
    for (uint32_t j = 0; j < b->nodes.count; j++)
        if (diff->match_b[j] != OP_NONE && (diff->differs[j] & OP_CHANGED || diff->moved[j]))
            add_edit(diff, diff->differs[j] & OP_CHANGED ? CHANGE_CHANGED : CHANGE_MOVED, &diff->match_b[j], 1, &j, 1);
    sort_edits(diff);
    graph_fold(diff);
    LIST_SORT(&diff->sizes, by_nodes);
    LIST_SORT(&diff->types, by_nodes);
    map_free(&d.dims);
    map_free(&d.inputs);
    map_free(&d.nested_a);
    map_free(&d.nested_b);
    map_free(&d.sizes);
    map_free(&d.types);
    mem_free(d.size_node);
}

void graph_diff_free(struct graph_diff *diff) {
    mem_free(diff->match_a);
    mem_free(diff->match_b);
    mem_free(diff->differs);
    mem_free(diff->moved);
    mem_free(diff->edits.items);
    mem_free(diff->members.items);
    mem_free(diff->sizes.items);
    mem_free(diff->types.items);
    *diff = (struct graph_diff){0};
}

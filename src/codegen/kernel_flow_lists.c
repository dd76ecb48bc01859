/* Operators on lists of tensors, such as "aten._foreach_mul.Scalar", compute each item from the operands' items at the
 * same position. Inductor's kernels compute items, and the items of one operator may be in several kernels. */

#include "codegen/kernel_flow_parts.h"

enum { OPERANDS_MAX = 8 };

static const struct slice head = SLICE_INIT("aten._foreach_");

/* An operator on lists. */
struct lists {
    struct {
        uint32_t first, count; /* range of args: the tensors of a list, or one tensor or number */
    } operands[OPERANDS_MAX];
    uint32_t operand_count, items; /* items: number of tensors in each list */
    uint32_t taken;                /* the items 0 … taken - 1 have nodes */
    bool unclear;
};

struct splitter {
    const struct flow_graphs *graphs;
    uint32_t *places; /* per node: index into lists, or NONE */
    LIST(struct lists) lists;
};

static void add_lists(struct splitter *s, uint32_t index) {
    const struct flow_node *node = &s->graphs->nodes[index];
    const struct flow_arg *args = s->graphs->args;
    struct lists lists = {.items = 1};
    for (uint32_t a = node->first, end = a; a < node->first + node->count; a = end) {
        while (end < node->first + node->count && args[end].place == args[a].place)
            end++;
        if (lists.operand_count == OPERANDS_MAX)
            return;
        lists.operands[lists.operand_count].first = a;
        lists.operands[lists.operand_count++].count = end - a;
        lists.unclear |= end - a > 1 && lists.items > 1 && end - a != lists.items;
        lists.items = end - a > 1 ? end - a : lists.items;
    }
    s->places[index] = (uint32_t)s->lists.count;
    LIST_ADD(&s->lists, lists);
}

/* The lists of the operator at this index; NULL: it is not a list operator. */
static struct lists *lists_at(const struct splitter *s, uint32_t index) {
    return s->lists.items && s->places[index] != NONE ? &s->lists.items[s->places[index]] : NULL;
}

/* The lists that the node is an item of; NULL: none. */
static struct lists *lists_of(const struct splitter *s, const struct flow_node *node) {
    return node->item != NONE && node->count == 1 ? lists_at(s, s->graphs->args[node->first].node) : NULL;
}

/* Finds operators on lists, except those that the code calls in a library. */
static void find_lists(struct splitter *s, const struct kernel_scan *scan) {
    AUTO_MAP called = {0};
    for (uint32_t i = 0; i < scan->count; i++)
        if (scan->items[i].kind == KERNEL_EXTERN)
            map_put(&called, flow_operator(scan->items[i].name), 0, NULL);
    for (uint32_t i = 0; i < s->graphs->node_count; i++) {
        const struct flow_node *node = &s->graphs->nodes[i];
        struct lists *lists = lists_of(s, node);
        s->places[i] = NONE;
        if (lists) {
            lists->unclear |= node->item >= lists->items;
            lists->taken += node->item == lists->taken;
        } else if (slice_starts(node->op, head) && map_get(&called, flow_operator(node->op)) == MAP_NONE) {
            add_lists(s, i);
        }
    }
}

/* Whether nodes for the items can replace the operator. If it writes to its operands, every item must have such a node.
 */
static bool can_split(const struct lists *lists, const struct flow_node *whole) {
    return !lists->unclear && lists->taken && (!whole->writes || lists->taken == lists->items);
}

static void split(const struct splitter *s, struct flow_graphs *to, struct arena *arena) {
    struct flow_node *nodes = arena_alloc(arena, to->node_count * sizeof *nodes);
    struct flow_arg *args = arena_alloc(arena, (to->arg_count + OPERANDS_MAX * (size_t)to->node_count) * sizeof *args);
    memcpy(nodes, s->graphs->nodes, to->node_count * sizeof *nodes);
    if (to->arg_count)
        memcpy(args, s->graphs->args, to->arg_count * sizeof *args);
    for (uint32_t i = 0; i < to->node_count; i++) {
        struct flow_node *node = &nodes[i];
        const struct lists *lists = lists_of(s, node);
        const struct flow_node *whole = lists ? &s->graphs->nodes[args[node->first].node] : NULL;
        if (!lists || !can_split(lists, whole))
            continue;
        uint32_t item = node->item;
        node->kind = FLOW_COMPUTE;
        node->op = whole->op;
        node->writes = whole->writes;
        node->first = to->arg_count;
        node->count = lists->operand_count;
        for (uint32_t k = 0; k < lists->operand_count; k++)
            args[to->arg_count++] = args[lists->operands[k].first + (lists->operands[k].count > 1 ? item : 0)];
    }
    for (uint32_t i = 0; i < to->node_count; i++) {
        const struct lists *lists = lists_at(s, i);
        if (!lists || !can_split(lists, &nodes[i]))
            continue;
        nodes[i].kind = FLOW_VIEW; /* a view of nothing: the items replace it */
        nodes[i].op = (struct slice){0};
        nodes[i].writes = false;
        nodes[i].count = 0;
    }
    to->nodes = nodes;
    to->args = args;
}

const struct flow_graphs *flow_split_lists(const struct flow_graphs *graphs, const struct kernel_scan *scan,
                                           struct arena *arena) {
    struct splitter s = {.graphs = graphs, .places = mem_alloc(graphs->node_count * sizeof *s.places)};
    struct flow_graphs *to = NULL;
    find_lists(&s, scan);
    if (s.lists.count) {
        to = arena_alloc(arena, sizeof *to);
        *to = *graphs;
        split(&s, to, arena);
    }
    mem_free(s.places);
    mem_free(s.lists.items);
    return to ? to : graphs;
}

bool flow_ignores_operand(const struct flow_graphs *graphs, const struct flow_node *node) {
    if (slice_starts(node->op, SLICE("aten.copy_.")) || slice_starts(node->op, SLICE("aten._foreach_copy")))
        return true;
    return node->writes && !slice_starts(node->op, head) && node->count &&
           graphs->nodes[flow_strip(graphs, graphs->args[node->first].node)].kind == FLOW_INPUT;
}

uint32_t flow_overwritten(const struct flow_graphs *graphs, uint32_t node) {
    for (unsigned steps = 0; steps < 64; steps++) {
        const struct flow_node *from = &graphs->nodes[node];
        if (from->kind != FLOW_COMPUTE || !from->count || !from->writes)
            break;
        node = flow_strip(graphs, graphs->args[from->first].node);
    }
    return node;
}

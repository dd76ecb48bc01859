#include "graph/graph_diff.h"

struct folder {
    const struct graph_diff *diff;
    uint32_t *edit_of; /* by node, those of a first: the latest edit that has it as an operand, from 1 */
    uint32_t *ordinal; /* and the how manieth of that edit it is */
};

/* Adds a name without its numbers: "layer_3_relu" as "layer_#_relu", and "relu_3" as "relu", which the first one has. */
static void add_name(struct buf *key, struct slice name) {
    size_t digits = name.len;
    while (digits && is_digit(name.ptr[digits - 1]))
        digits--;
    if (digits < name.len && digits > 1 && name.ptr[digits - 1] == '_')
        name = slice_first(name, digits - 1);
    for (size_t i = 0; i < name.len; i++) {
        if (!is_digit(name.ptr[i]))
            buf_add_byte(key, name.ptr[i]);
        else if (!i || !is_digit(name.ptr[i - 1]))
            buf_add_byte(key, '#');
    }
}

/* Adds an operand: which one of the edit it is, and its name. Nodes that are matched are one. */
static void add_operand(struct folder *f, struct buf *key, bool of_b, uint32_t node, uint32_t edit,
                        uint32_t *operands) {
    const struct graph_diff *diff = f->diff;
    uint32_t place = !of_b                          ? node
                   : diff->match_b[node] != OP_NONE ? diff->match_b[node]
                                                    : (uint32_t)diff->a->nodes.count + node;
    if (f->edit_of[place] != edit) {
        f->edit_of[place] = edit;
        f->ordinal[place] = (*operands)++;
    }
    BUF_ADD(key, "%", (uint64_t)f->ordinal[place], " ");
    add_name(key, (of_b ? diff->b : diff->a)->nodes.items[node].name);
}

static void add_node(struct folder *f, struct buf *key, bool of_b, uint32_t index, uint32_t edit, uint32_t *operands) {
    const struct op_graph *graph = of_b ? f->diff->b : f->diff->a;
    const struct op_node *node = &graph->nodes.items[index];
    BUF_ADD(key, of_b ? "+" : "-", op_kind_name(node->kind), "\n");
    if (node->graph)
        add_name(key, graph->graphs.items[node->graph].name);
    buf_add_lit(key, "\n");
    add_operand(f, key, of_b, index, edit, operands);
    buf_add_lit(key, "\n");
    if (node->kind == OP_FUNCTION || node->kind == OP_METHOD)
        buf_add(key, node->target);
    else
        add_name(key, node->target);
    BUF_ADD(key, "\n", node->type);
    for (uint32_t t = node->first; t < node->first + node->count; t++) {
        const struct op_token *token = &graph->tokens.items[t];
        buf_add_lit(key, "\n");
        if (token->node == OP_NONE)
            buf_add(key, token->text);
        else
            add_operand(f, key, of_b, token->node, edit, operands);
    }
    buf_add_lit(key, "\n");
    if (node->source == OP_NONE)
        return;
    const struct node_source *source = &graph->sources.items[node->source];
    BUF_ADD(key, "@", source->file, ":", (uint64_t)source->line, "\n");
}

void graph_fold(struct graph_diff *diff) {
    size_t nodes = diff->a->nodes.count + diff->b->nodes.count;
    struct folder f = {diff, mem_zalloc(nodes + 1, sizeof *f.edit_of), mem_zalloc(nodes + 1, sizeof *f.ordinal)};
    uint32_t *latest =
        mem_zalloc(diff->edits.count + 1, sizeof *latest); /* by a first edit: the last one that is equal */
    AUTO_MAP first = {0};
    AUTO_BUF key = {0};
    for (uint32_t e = 0; e < diff->edits.count; e++) {
        struct graph_edit *edit = &diff->edits.items[e];
        uint32_t operands = 0;
        key.len = 0;
        BUF_ADD(&key, (uint64_t)edit->change, "\n");
        for (uint32_t i = 0; i < edit->count_a; i++)
            add_node(&f, &key, false, diff->members.items[edit->first_a + i], e + 1, &operands);
        for (uint32_t i = 0; i < edit->count_b; i++)
            add_node(&f, &key, true, diff->members.items[edit->first_b + i], e + 1, &operands);
        edit->equal_to = *map_put(&first, buf_slice(&key), e, NULL);
        edit->next = OP_NONE;
        diff->edits.items[edit->equal_to].times++;
        if (edit->equal_to != e)
            diff->edits.items[latest[edit->equal_to]].next = e;
        latest[edit->equal_to] = e;
    }
    mem_free(latest);
    mem_free(f.edit_of);
    mem_free(f.ordinal);
}

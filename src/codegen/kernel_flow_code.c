/* The code side of kernel_flow.h: names, the values that they refer to, and their readers and writers. */
#include "codegen/kernel_flow_parts.h"

enum { ARGS_OF_CALL_MAX = 1024, PIECES_MAX = 1024 /* parts of one buffer */ };

bool flow_spend(struct finder *f, uint64_t work) {
    if (f->work < work)
        f->work = 0;
    else
        f->work -= work;
    return f->work > 0;
}

/* ---- names and values ------------------------------------------------------------------------------------------- */

/* The node that this node is a view of. */
uint32_t flow_strip(const struct flow_graphs *graphs, uint32_t node) {
    for (unsigned steps = 0; graphs->nodes[node].kind == FLOW_VIEW && graphs->nodes[node].count && steps < 64; steps++)
        node = graphs->args[graphs->nodes[node].first].node; /* operands come before their users */
    return node;
}

static uint32_t add_buffer(struct finder *f, struct slice name, uint32_t node, uint32_t writer) {
    MEM_GROW(&f->buffers);
    f->buffers.items[f->buffers.count] = (struct buffer){.node = node, .writer = writer, .piece = NONE};
    *map_put(&f->names, name, 0, NULL) = (uint32_t)f->buffers.count;
    return (uint32_t)f->buffers.count++;
}

/* Whether the buffer may hold this input: the input is a constant, or the call that wrote the buffer reads the input
 * and copies it to another layout. */
bool flow_may_copy(const struct finder *f, uint32_t buffer, uint32_t node) {
    uint32_t writer = f->buffers.items[buffer].writer;
    const struct call *call = writer < f->calls.count ? &f->calls.items[writer] : NULL;
    bool reads = f->graphs->nodes[node].constant;
    for (uint32_t i = 0; call && !call->library && i < call->ins && !reads; i++)
        reads = f->buffers.items[f->uses.items[call->in + i].buffer].node == node;
    return reads;
}

void flow_bind(struct finder *f, uint32_t buffer, uint32_t node) {
    struct buffer *b = &f->buffers.items[buffer];
    bool input = f->graphs->nodes[node].kind == FLOW_INPUT;
    if (b->node != NONE || b->writer == NONE || (input && !flow_may_copy(f, buffer, node)))
        return;
    b->node = node;
    uint32_t holder = f->holders[node];
    if (!input && (holder == NONE || b->writer < f->buffers.items[holder].writer)) /* a later one is a copy */
        f->holders[node] = buffer;
}

/* "buf3", "true_graph_0_buf3" */
static bool names_buffer(struct slice word) {
    size_t at = slice_find(word, SLICE("buf"));
    while (at != SIZE_MAX) {
        bool begins = at == 0 || word.ptr[at - 1] == '_';
        if (begins && at + 3 < word.len && is_digit(word.ptr[at + 3]))
            return true;
        size_t next = slice_find(slice_from(word, at + 3), SLICE("buf"));
        at = next == SIZE_MAX ? next : at + 3 + next;
    }
    return false;
}

/* Takes the next word from the text. */
static bool next_word(struct slice *text, struct slice *word) {
    size_t i = 0, end;
    *word = (struct slice){0};
    if (!text->len)
        return false;
    while (i < text->len && !is_word(text->ptr[i]))
        i++;
    for (end = i; end < text->len && is_word(text->ptr[end]);)
        end++;
    *word = slice_make(text->ptr + i, end - i);
    *text = slice_from(*text, end);
    return word->len > 0;
}

/* The first word that is a value, or that may be the name of one. */
static struct slice value_in(const struct finder *f, struct slice text) {
    struct slice word;
    while (next_word(&text, &word)) {
        slice_cut_end(&word, SLICE("_handle"));
        if (names_buffer(word) || map_get(&f->names, word) != MAP_NONE)
            return word;
    }
    return (struct slice){0};
}

static uint32_t value_of(const struct finder *f, struct slice text) {
    struct slice name = value_in(f, text);
    return name.len ? map_get(&f->names, name) : NONE;
}

static void add_use(struct finder *f, uint32_t *count, struct use use) {
    if (use.buffer == NONE)
        return;
    LIST_ADD(&f->uses, use);
    (*count)++;
}

/* From here on, the parts of the memory are one value, as soon as each has been written. */
static void join_pieces(struct finder *f, struct slice whole) {
    uint32_t first = map_get(&f->wholes, whole), count = 0;
    struct call call = {.kernel = NONE, .graph = f->graph, .library = true, .joins = true, .node = NONE};
    for (uint32_t i = first; i != NONE; i = f->pieces.items[i].next, count++)
        if (f->pieces.items[i].buffer == NONE)
            return;
    if (count == 1) {
        *map_put(&f->names, whole, 0, NULL) = f->pieces.items[first].buffer;
        return;
    }
    call.in = (uint32_t)f->uses.count;
    for (uint32_t i = first; i != NONE; i = f->pieces.items[i].next)
        add_use(f, &call.ins, (struct use){f->pieces.items[i].buffer, 0, false});
    call.out = (uint32_t)f->uses.count;
    add_use(f, &call.outs, (struct use){add_buffer(f, whole, NONE, (uint32_t)f->calls.count), 0, false});
    LIST_ADD(&f->calls, call);
}

/* If several calls overwrite an input that several nodes write in part, it is unknown which call computes which node.
 */
static void overwrite_again(struct finder *f, uint32_t buffer) {
    struct buffer *b = &f->buffers.items[buffer];
    if (b->node == NONE || !f->graphs->nodes[b->node].writes)
        return;
    uint32_t over = flow_strip(f->graphs, f->graphs->args[f->graphs->nodes[b->node].first].node);
    if (f->graphs->nodes[over].kind == FLOW_INPUT)
        return;
    if (f->holders[b->node] == buffer)
        f->holders[b->node] = NONE;
    b->node = NONE;
}

static void write_value(struct finder *f, struct call *call, struct slice text, uint32_t place) {
    struct slice name = value_in(f, text);
    if (!name.len)
        return;
    uint32_t before = map_get(&f->names, name);
    bool input = before != NONE && f->buffers.items[before].writer == NONE;
    uint32_t over = input ? f->buffers.items[before].node : NONE;
    uint32_t buffer = add_buffer(f, name, NONE, (uint32_t)f->calls.count);
    if (before != NONE && !input)
        overwrite_again(f, before);
    if (over != NONE && f->copies[over] < COPIES)
        flow_bind(f, buffer, f->copies[over]);
    add_use(f, &call->outs, (struct use){buffer, place, false});
    uint32_t part = map_get(&f->parts, name);
    if (part != MAP_NONE) {
        f->pieces.items[part].buffer = buffer;
        f->buffers.items[buffer].piece = part;
    }
}

/* Ends a call. Its results may complete a value that consists of parts. */
static void add_call(struct finder *f, const struct call *call) {
    LIST_ADD(&f->calls, *call);
    for (uint32_t i = 0; i < call->outs; i++) {
        uint32_t piece = f->buffers.items[f->uses.items[call->out + i].buffer].piece;
        if (piece != NONE && flow_spend(f, PIECES_MAX))
            join_pieces(f, f->pieces.items[piece].whole);
    }
}

/* Takes the next argument from the list. Nested brackets belong to it. */
static bool next_arg(struct slice *list, struct slice *arg) {
    unsigned depth = 0;
    size_t i = 0;
    if (!list->len)
        return false;
    for (; i < list->len && !(list->ptr[i] == ',' && !depth); i++) {
        char c = list->ptr[i];
        depth += c == '(' || c == '[' || c == '{';
        depth -= depth && (c == ')' || c == ']' || c == '}');
    }
    *arg = slice_trim(slice_first(*list, i));
    *list = slice_from(*list, i + 1);
    return true;
}

/* ---- the code --------------------------------------------------------------------------------------------------- */

static void read_library_call(struct finder *f, struct call *call, const struct code_step *step) {
    struct slice list = step->right, arg, name = f->scan->items[step->kernel].name, written[ARGS_OF_CALL_MAX];
    bool out_first = slice_starts(name, SLICE("aoti_torch_")) && slice_ends(name, SLICE("_out"));
    size_t outs = 0;
    bool in_place = slice_find(name, SLICE("_.")) != SIZE_MAX; /* "all_reduce_.default" */
    call->library = true;
    for (uint32_t place = 0; next_arg(&list, &arg) && place < ARGS_OF_CALL_MAX; place++) {
        struct slice rest = arg, word;
        if (slice_starts(arg, SLICE("out=")) || (out_first && !place)) {
            written[outs++] = arg;
            continue;
        }
        if (in_place && !place)
            written[outs++] = arg;
        while (next_word(&rest, &word)) {
            uint32_t buffer = map_get(&f->names, word);
            if (buffer == MAP_NONE)
                continue;
            f->buffers.items[buffer].read = true;
            if (call->ins < ARGS_OF_CALL_MAX)
                add_use(f, &call->ins, (struct use){buffer, place - out_first, false});
        }
    }
    call->out = (uint32_t)f->uses.count;
    for (size_t i = 0; i < outs; i++)
        write_value(f, call, written[i], 0);
    write_value(f, call, step->left, 0);
}

static void read_kernel_call(struct finder *f, struct call *call, const struct code_step *step) {
    struct slice params = f->scan->items[step->kernel].params, list = step->right, arg, written[ARGS_OF_CALL_MAX];
    uint32_t places[ARGS_OF_CALL_MAX];
    size_t outs = 0;
    call->opaque = !params.len;
    for (uint32_t place = 0; next_arg(&list, &arg) && place < ARGS_OF_CALL_MAX; place++) {
        char how = call->opaque ? 'b' : place < params.len ? params.ptr[place] : '-';
        uint32_t buffer = how == 'i' || how == 'b' ? value_of(f, arg) : NONE;
        if (buffer != NONE && how == 'i')
            f->buffers.items[buffer].read = true;
        add_use(f, &call->ins, (struct use){buffer, place, how == 'b'});
        if (how == 'o' || how == 'b') {
            places[outs] = place;
            written[outs++] = arg;
        }
    }
    call->out = (uint32_t)f->uses.count;
    for (size_t i = 0; i < outs; i++)
        write_value(f, call, written[i], places[i]);
}

static void read_call(struct finder *f, const struct code_step *step) {
    struct call call = {.kernel = step->kernel, .graph = f->graph, .in = (uint32_t)f->uses.count, .node = NONE};
    if (f->scan->items[step->kernel].kind == KERNEL_EXTERN)
        read_library_call(f, &call, step);
    else
        read_kernel_call(f, &call, step);
    add_call(f, &call);
}

/* Binds the graph's result at this position to this value. */
static void read_result(struct finder *f, uint32_t place, struct slice text) {
    const struct flow_graph *graph = &f->graphs->graphs[f->graph];
    uint32_t buffer = value_of(f, text);
    if (buffer == NONE || !f->results)
        return;
    f->buffers.items[buffer].read = true;
    uint32_t low = graph->result; /* positions are ascending */
    SEARCH(low, graph->result + graph->result_count, middle, f->graphs->args[middle].place < place);
    if (low < graph->result + graph->result_count && f->graphs->args[low].place == place)
        flow_bind(f, buffer, flow_strip(f->graphs, f->graphs->args[low].node));
}

/* Adds the inputs of the graph with their names in the code. In a nested graph's function, the function's name
 * precedes them. */
static void add_inputs(struct finder *f, const struct flow_graph *graph, struct slice function) {
    for (uint32_t i = graph->first; i < graph->first + graph->count; i++) {
        AUTO_BUF name = {0};
        if (f->graphs->nodes[i].kind != FLOW_INPUT || f->graphs->nodes[i].scalar)
            continue;
        if (function.len)
            BUF_ADD(&name, function, "_");
        buf_add(&name, f->graphs->nodes[i].name);
        add_buffer(f, buf_slice(&name), i, NONE);
    }
}

static void read_function(struct finder *f, struct slice name) {
    f->graph = slice_is(name, "call") || slice_starts(name, SLICE("partition_")) ? 0 : NONE;
    f->results = slice_is(name, "call");
    for (uint32_t i = 1; i < f->graphs->graph_count && f->graph == NONE; i++) {
        if (!name.len || !slice_eq(f->graphs->graphs[i].name, name))
            continue;
        f->graph = i;
        f->results = true;
        add_inputs(f, &f->graphs->graphs[i], name);
    }
}

/* The offset of a part: the last number of "reinterpret_tensor(buf3, (8, 8), (8, 1), 64)". */
static uint64_t offset_of(struct slice right) {
    size_t close = slice_find(right, SLICE(";"));
    uint64_t offset = 0;
    right = slice_first(right, close == SIZE_MAX ? right.len : close);
    close = slice_rfind_byte(right, ')');
    right = slice_first(right, close == SIZE_MAX ? 0 : close);
    while (slice_ends(right, SLICE(")")))
        right.len--;
    size_t comma = slice_rfind_byte(right, ',');
    right = slice_trim(slice_from(right, comma == SIZE_MAX ? 0 : comma + 1));
    if (slice_ends(right, SLICE("L")))
        right.len--;
    return slice_to_u64(right, &offset) ? offset : 0;
}

static void add_piece(struct finder *f, struct slice name, struct slice whole, uint64_t offset) {
    uint32_t place = (uint32_t)f->pieces.count, *link = map_put(&f->wholes, whole, NONE, NULL), count = 0;
    uint32_t head = *link, before = NONE;
    for (uint32_t i = head; i != NONE && f->pieces.items[i].offset <= offset; i = f->pieces.items[i].next)
        before = i, count++;
    if (count == PIECES_MAX || !flow_spend(f, count))
        return;
    LIST_ADD(&f->pieces, (struct piece){whole, offset, NONE, before == NONE ? head : f->pieces.items[before].next});
    if (before == NONE)
        *link = place;
    else
        f->pieces.items[before].next = place;
    *map_put(&f->parts, name, 0, NULL) = place;
}

/* "buf3 = buf0; del buf0  # reuse", "buf3 = reinterpret_tensor(buf0, …)  # alias": a part of memory that is written
 * later. */
static void read_alias(struct finder *f, struct slice name, struct slice right) {
    struct slice of = value_in(f, right);
    uint32_t value = of.len ? map_get(&f->names, of) : MAP_NONE;
    bool alias = slice_ends(right, SLICE("# alias")) || slice_ends(right, SLICE("// alias"));
    if (value != MAP_NONE && !alias)
        *map_put(&f->names, name, 0, NULL) = value;
    else if (of.len)
        add_piece(f, name, of, offset_of(right));
}

/* "u0 = buf0.item()": the graph extracts the number from the same value. */
static void read_item(struct finder *f, const struct code_step *step) {
    const struct flow_graph *graph = &f->graphs->graphs[f->graph];
    const struct slice selector = SLICE("_selector");
    uint32_t buffer = value_of(f, step->right);
    if (buffer == NONE)
        return;
    f->buffers.items[buffer].read = true;
    if (slice_ends(step->left, selector))
        f->selector = *step;
    for (uint32_t i = graph->first; i < graph->first + graph->count && flow_spend(f, 1); i++) {
        const struct flow_node *node = &f->graphs->nodes[i];
        if (node->symbol.len && node->count && slice_eq(node->symbol, step->left))
            flow_bind(f, buffer, flow_strip(f->graphs, f->graphs->args[node->first].node));
    }
}

/* Whether the function is this nested graph. The name of a graph nested in another begins with the other's name. */
static bool names_graph(struct slice function, const struct flow_node *node) {
    if (!node->constant || !node->name.len || !slice_ends(function, node->name))
        return false;
    return function.len == node->name.len || function.ptr[function.len - node->name.len - 1] == '_';
}

/* The operator that runs the function, or NONE unless there is exactly one. */
static uint32_t runner_of(struct finder *f, struct slice function) {
    const struct flow_graph *graph = &f->graphs->graphs[f->graph];
    uint32_t found = NONE;
    for (uint32_t i = graph->first; i < graph->first + graph->count && flow_spend(f, 1); i++) {
        const struct flow_node *node = &f->graphs->nodes[i];
        bool runs = false;
        if (!slice_starts(node->op, SLICE("higher_order.")))
            continue;
        for (uint32_t a = node->first; a < node->first + node->count; a++)
            runs |= names_graph(function, &f->graphs->nodes[f->graphs->args[a].node]);
        if (runs && found != NONE)
            return NONE;
        found = runs ? i : found;
    }
    return found;
}

/* Binds the values in the list to the operands that the operator passes to its graphs. */
static void read_operands(struct finder *f, struct call *call, struct slice list) {
    const struct flow_node *node = &f->graphs->nodes[call->node];
    bool branch = slice_is(node->op, "higher_order.cond");
    uint32_t a = node->first, end = node->first + node->count;
    struct slice item, rest = list;
    uint32_t items = 0, operands = 0;
    while (next_arg(&rest, &item))
        items += item.len > 0;
    for (uint32_t i = a; i < end; i++)
        operands += !f->graphs->nodes[f->graphs->args[i].node].constant && !(branch && !f->graphs->args[i].place);
    while (next_arg(&list, &item)) {
        uint32_t buffer = map_get(&f->names, item); /* "buf2[0]" */
        if (!item.len)
            continue;
        if (buffer == MAP_NONE)
            buffer = value_of(f, item);
        while (a < end && (f->graphs->nodes[f->graphs->args[a].node].constant || (branch && !f->graphs->args[a].place)))
            a++;
        if (buffer != NONE) {
            f->buffers.items[buffer].read = true;
            add_use(f, &call->ins, (struct use){buffer, 0, false});
            if (items == operands && a < end)
                flow_bind(f, buffer, flow_strip(f->graphs, f->graphs->args[a].node));
        }
        a += a < end;
    }
}

/* "buf2 = true_graph_0(true_graph_0_args)" */
static void read_graph_call(struct finder *f, const struct code_step *step) {
    const struct slice selector = SLICE("_selector");
    struct call call = {.kernel = NONE, .graph = f->graph, .library = true, .in = (uint32_t)f->uses.count};
    uint32_t list = map_get(&f->lists, step->right);
    call.node = runner_of(f, step->name);
    if (call.node == NONE)
        return;
    const struct flow_node *node = &f->graphs->nodes[call.node];
    if (list != MAP_NONE)
        read_operands(f, &call, f->scan->steps[list].right);
    if (f->selector.left.len == step->left.len + selector.len && slice_starts(f->selector.left, step->left) &&
        slice_is(node->op, "higher_order.cond") && node->count) {
        uint32_t buffer = value_of(f, f->selector.right);
        if (buffer != NONE)
            flow_bind(f, buffer, flow_strip(f->graphs, f->graphs->args[node->first].node));
    }
    call.out = (uint32_t)f->uses.count;
    if (slice_find(step->left, SLICE("_cond_result")) == SIZE_MAX)
        write_value(f, &call, step->left, 0);
    add_call(f, &call);
    if (call.outs)
        flow_bind(f, f->uses.items[call.out].buffer, call.node);
}

static void read_step(struct finder *f, uint32_t index) {
    const struct code_step *step = &f->scan->steps[index];
    struct slice list = step->right, item;
    if (step->kind == CODE_CALL)
        read_call(f, step);
    else if (step->kind == CODE_ITEM)
        read_item(f, step);
    else if (step->kind == CODE_LIST)
        *map_put(&f->lists, step->left, 0, NULL) = index;
    else if (step->kind == CODE_GRAPH)
        read_graph_call(f, step);
    else if (step->kind == CODE_OUTPUT)
        read_result(f, step->kernel, step->right);
    else if (step->kind == CODE_RETURN)
        for (uint32_t place = 0; next_arg(&list, &item); place++)
            read_result(f, place, item);
    else if (step->kind == CODE_ALIAS)
        read_alias(f, step->left, step->right);
}

/* A partition precedes call() in the text. It is read where it runs, after its operands have been written. */
static void read_partition(struct finder *f, uint32_t *begin) {
    bool results = f->results;
    f->results = false;
    for (uint32_t i = *begin; i < f->scan->step_count && f->scan->steps[i].kind != CODE_FUNCTION; i++)
        read_step(f, i);
    f->results = results;
    *begin = NONE; /* it runs once */
}

void flow_read_code(struct finder *f) {
    const struct slice head = SLICE("partition_");
    struct map partitions = {0}; /* number → its first step */
    bool divided = false, skip = false;
    for (uint32_t i = 0; i < f->scan->step_count; i++) {
        const struct code_step *step = &f->scan->steps[i];
        divided |= step->kind == CODE_PARTITION;
        if (step->kind == CODE_FUNCTION && slice_starts(step->left, head))
            *map_put(&partitions, slice_from(step->left, head.len), 0, NULL) = i + 1;
    }
    f->graph = 0;
    f->results = true;
    add_inputs(f, &f->graphs->graphs[0], (struct slice){0});
    for (uint32_t i = 0; i < f->scan->step_count; i++) {
        const struct code_step *step = &f->scan->steps[i];
        if (step->kind == CODE_FUNCTION) {
            skip = divided && slice_starts(step->left, head);
            read_function(f, step->left);
        } else if (f->graph == NONE || skip) {
            continue;
        } else if (step->kind != CODE_PARTITION) {
            read_step(f, i);
        } else if (map_get(&partitions, step->left) != MAP_NONE) {
            read_partition(f, map_put(&partitions, step->left, NONE, NULL));
        }
    }
    map_free(&partitions);
}

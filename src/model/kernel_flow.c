#include "model/kernel_flow.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/word.h"

#define NONE UINT32_MAX

enum { WORK_PER_BYTE = 64, ARGS_OF_CALL_MAX = 1024 };

/* A value in memory: a name of the code from one write to the next. */
struct buffer {
    uint32_t node;   /* that it holds; NONE: not known */
    uint32_t writer; /* a call; NONE: it is an input */
    bool read;       /* by a call, or it is returned */
};

struct use {
    uint32_t buffer, place; /* place: of a library's argument */
    bool perhaps;           /* memory that is used again: what it held may not be read */
};

struct call {
    uint32_t kernel, graph;
    uint32_t in, ins, out, outs; /* in uses */
    uint32_t node;               /* of a library's call */
    bool library, opaque;        /* opaque: nobody knows which of its arguments it writes */
};

struct finder {
    const struct flow_graphs *graphs;
    const struct kernel_scan *scan;
    struct map names; /* to buffers */
    struct map parts; /* names of parts of memory that nobody has written yet: to the whole, in wholes */
    struct {
        struct slice *items;
        size_t count, cap;
    } wholes;
    struct {
        struct buffer *items;
        size_t count, cap;
    } buffers;
    struct {
        struct use *items;
        size_t count, cap;
    } uses;
    struct {
        struct call *items;
        size_t count, cap;
    } calls;
    uint32_t graph;    /* of the function that is read, or NONE */
    bool results;      /* what it returns is what the graph returns */
    uint32_t *readers; /* of a node: how many others are made of it, through views too */
    uint32_t *copies;  /* of an input: the node that overwrites it */
    uint32_t *holders; /* of a node: the buffer that it is in */
    struct map ops;    /* of nodes that compute: operator_of() → the first node of it */
    uint32_t *alike;   /* of a node: the next of its operator, or NONE */
    uint32_t *mark, *seen, stamp;
    uint32_t *stack, *found, found_count;
    uint64_t work; /* that is left */
};

static bool spend(struct finder *f, uint64_t work) {
    if (f->work < work)
        f->work = 0;
    else
        f->work -= work;
    return f->work > 0;
}

/* ---- names and values ------------------------------------------------------------------------------------------- */

/* What the node is another look at. */
static uint32_t strip(const struct flow_graphs *graphs, uint32_t node) {
    for (unsigned steps = 0; graphs->nodes[node].kind == FLOW_VIEW && graphs->nodes[node].count && steps < 64; steps++)
        node = graphs->args[graphs->nodes[node].first].node; /* always an earlier one */
    return node;
}

static uint32_t add_buffer(struct finder *f, struct slice name, uint32_t node, uint32_t writer) {
    MEM_GROW(&f->buffers);
    f->buffers.items[f->buffers.count] = (struct buffer){.node = node, .writer = writer};
    *map_put(&f->names, name, 0, NULL) = (uint32_t)f->buffers.count;
    return (uint32_t)f->buffers.count++;
}

/* Whether the buffer may hold this input: the call that wrote it reads it, and lays it out anew; or it is a constant. */
static bool may_copy(const struct finder *f, uint32_t buffer, uint32_t node) {
    uint32_t writer = f->buffers.items[buffer].writer;
    const struct call *call = writer < f->calls.count ? &f->calls.items[writer] : NULL;
    bool reads = f->graphs->nodes[node].constant;
    for (uint32_t i = 0; call && !call->library && i < call->ins && !reads; i++)
        reads = f->buffers.items[f->uses.items[call->in + i].buffer].node == node;
    return reads;
}

static void bind(struct finder *f, uint32_t buffer, uint32_t node) {
    struct buffer *b = &f->buffers.items[buffer];
    bool input = f->graphs->nodes[node].kind == FLOW_INPUT;
    if (b->node != NONE || b->writer == NONE || (input && !may_copy(f, buffer, node)))
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

/* Takes the next word off the text. */
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

/* The first word that is a value, or may be the name of one. */
static struct slice value_in(const struct finder *f, struct slice text) {
    struct slice word;
    while (next_word(&text, &word)) {
        if (slice_ends(word, SLICE("_handle")))
            word.len -= 7;
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
    MEM_GROW(&f->uses);
    f->uses.items[f->uses.count++] = use;
    (*count)++;
}

static void write_value(struct finder *f, struct call *call, struct slice text) {
    struct slice name = value_in(f, text);
    if (!name.len)
        return;
    uint32_t before = map_get(&f->names, name);
    bool input = before != NONE && f->buffers.items[before].writer == NONE;
    uint32_t over = input ? f->buffers.items[before].node : NONE;
    uint32_t buffer = add_buffer(f, name, NONE, (uint32_t)f->calls.count);
    if (over != NONE && f->copies[over] != NONE)
        bind(f, buffer, f->copies[over]);
    add_use(f, &call->outs, (struct use){buffer, 0, false});
    uint32_t part = map_get(&f->parts, name);
    if (part != MAP_NONE)
        *map_put(&f->names, f->wholes.items[part], 0, NULL) = buffer;
}

/* Takes the next argument off the list, without what is in brackets of its own. */
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

/* "mm" of "extern_kernels.mm", "aten.mm.default" and "aoti_torch_cpu_mm_out". */
static struct slice operator_of(struct slice name) {
    const struct slice heads[] = {SLICE("torch.ops."), SLICE("extern_kernels."), SLICE("aoti_torch_cpu_"),
                                  SLICE("aoti_torch_cuda_")};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        if (!slice_starts(name, heads[i]))
            continue;
        name = slice_from(name, heads[i].len);
        if (i == 0)
            break;
        if (slice_ends(name, SLICE("_out")))
            name.len -= 4;
        return slice_starts(name, SLICE("bias_addmm")) ? SLICE("addmm") : name;
    }
    size_t dot = slice_find(name, SLICE("."));
    if (dot != SIZE_MAX)
        name = slice_from(name, dot + 1);
    dot = slice_find(name, SLICE("."));
    name = slice_first(name, dot == SIZE_MAX ? name.len : dot);
    if (slice_is(name, "inductor_seeds")) /* it is lowered to a call of randint() */
        return SLICE("randint");
    return slice_ends(name, SLICE("_")) ? slice_first(name, name.len - 1) : name;
}

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
        write_value(f, call, written[i]);
    write_value(f, call, step->left);
}

static void read_kernel_call(struct finder *f, struct call *call, const struct code_step *step) {
    struct slice params = f->scan->items[step->kernel].params, list = step->right, arg, written[ARGS_OF_CALL_MAX];
    size_t outs = 0;
    call->opaque = !params.len;
    for (uint32_t place = 0; next_arg(&list, &arg) && place < ARGS_OF_CALL_MAX; place++) {
        char how = call->opaque ? 'b' : place < params.len ? params.ptr[place] : '-';
        uint32_t buffer = how == 'i' || how == 'b' ? value_of(f, arg) : NONE;
        if (buffer != NONE && how == 'i')
            f->buffers.items[buffer].read = true;
        add_use(f, &call->ins, (struct use){buffer, place, how == 'b'});
        if (how == 'o' || how == 'b')
            written[outs++] = arg;
    }
    call->out = (uint32_t)f->uses.count;
    for (size_t i = 0; i < outs; i++)
        write_value(f, call, written[i]);
}

static void read_call(struct finder *f, const struct code_step *step) {
    struct call call = {.kernel = step->kernel, .graph = f->graph, .in = (uint32_t)f->uses.count, .node = NONE};
    if (f->scan->items[step->kernel].kind == KERNEL_EXTERN)
        read_library_call(f, &call, step);
    else
        read_kernel_call(f, &call, step);
    MEM_GROW(&f->calls);
    f->calls.items[f->calls.count++] = call;
}

/* The result at this place of what the graph returns is in this value. */
static void read_result(struct finder *f, uint32_t place, struct slice text) {
    const struct flow_graph *graph = &f->graphs->graphs[f->graph];
    uint32_t buffer = value_of(f, text);
    if (buffer == NONE || !f->results)
        return;
    f->buffers.items[buffer].read = true;
    uint32_t low = graph->result, high = graph->result + graph->result_count;
    while (low < high) { /* places ascend */
        uint32_t middle = low + (high - low) / 2;
        if (f->graphs->args[middle].place < place)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < graph->result + graph->result_count && f->graphs->args[low].place == place)
        bind(f, buffer, strip(f->graphs, f->graphs->args[low].node));
}

/* Inputs of the graph under the names that the code has for them: in a function of its own with the function's before. */
static void add_inputs(struct finder *f, const struct flow_graph *graph, struct slice function) {
    for (uint32_t i = graph->first; i < graph->first + graph->count; i++) {
        struct buf name = {0};
        if (f->graphs->nodes[i].kind != FLOW_INPUT || f->graphs->nodes[i].scalar)
            continue;
        if (function.len) {
            buf_add(&name, function);
            buf_add_byte(&name, '_');
        }
        buf_add(&name, f->graphs->nodes[i].name);
        add_buffer(f, buf_slice(&name), i, NONE);
        buf_free(&name);
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

/* "buf3 = buf0; del buf0  # reuse", "buf3 = reinterpret_tensor(buf0, …)  # alias": a part of what is still to be written. */
static void read_alias(struct finder *f, struct slice name, struct slice right) {
    struct slice of = value_in(f, right);
    uint32_t value = of.len ? map_get(&f->names, of) : MAP_NONE;
    if (value != MAP_NONE && !slice_ends(right, SLICE("# alias"))) {
        *map_put(&f->names, name, 0, NULL) = value;
    } else if (of.len) {
        MEM_GROW(&f->wholes);
        *map_put(&f->parts, name, 0, NULL) = (uint32_t)f->wholes.count;
        f->wholes.items[f->wholes.count++] = of;
    }
}

static void read_code(struct finder *f) {
    f->graph = 0;
    f->results = true;
    add_inputs(f, &f->graphs->graphs[0], (struct slice){0});
    for (uint32_t i = 0; i < f->scan->step_count; i++) {
        const struct code_step *step = &f->scan->steps[i];
        struct slice list = step->right, item;
        if (step->kind == CODE_FUNCTION)
            read_function(f, step->left);
        else if (f->graph == NONE)
            continue;
        else if (step->kind == CODE_CALL)
            read_call(f, step);
        else if (step->kind == CODE_OUTPUT)
            read_result(f, step->kernel, step->right);
        else if (step->kind == CODE_RETURN)
            for (uint32_t place = 0; next_arg(&list, &item); place++)
                read_result(f, place, item);
        else
            read_alias(f, step->left, step->right);
    }
}

/* ---- calls of libraries ----------------------------------------------------------------------------------------- */

/* Whether what is known of the call's inputs is what the node is made of. */
static bool fits(const struct finder *f, const struct call *call, const struct flow_node *node) {
    const struct flow_graphs *graphs = f->graphs;
    for (uint32_t i = 0; i < call->ins; i++) {
        const struct use *use = &f->uses.items[call->in + i];
        uint32_t have = f->buffers.items[use->buffer].node;
        bool there = false, same = false;
        for (uint32_t a = node->first; a < node->first + node->count; a++) {
            if (graphs->args[a].place != use->place)
                continue;
            uint32_t wanted = strip(graphs, graphs->args[a].node);
            there = true;
            const struct flow_node *from = &graphs->nodes[wanted];
            same |= have == NONE ? from->kind != FLOW_INPUT || may_copy(f, use->buffer, wanted) : have == wanted;
        }
        if (there && !same)
            return false;
    }
    return true;
}

/* What the call reads is what the node is made of. */
static void bind_inputs(struct finder *f, const struct call *call, const struct flow_node *node) {
    for (uint32_t i = 0; i < call->ins; i++) {
        const struct use *use = &f->uses.items[call->in + i];
        uint32_t wanted = NONE, count = 0, sharing = 0;
        for (uint32_t a = node->first; a < node->first + node->count; a++)
            if (f->graphs->args[a].place == use->place) {
                wanted = f->graphs->args[a].node;
                count++;
            }
        for (uint32_t k = 0; k < call->ins; k++)
            sharing += f->uses.items[call->in + k].place == use->place;
        if (count == 1 && sharing == 1)
            bind(f, use->buffer, strip(f->graphs, wanted));
    }
}

/* Finds the node of the call, where only one can be. */
static bool match(struct finder *f, struct call *call) {
    const struct flow_graph *graph = &f->graphs->graphs[call->graph];
    const struct scanned_kernel *kernel = &f->scan->items[call->kernel];
    struct slice op = operator_of(kernel->name);
    uint32_t out = call->outs ? f->uses.items[call->out].buffer : NONE, found = NONE;
    for (uint32_t n = map_get(&f->ops, op); n < graph->first + graph->count && spend(f, 1); n = f->alike[n]) {
        const struct flow_node *node = &f->graphs->nodes[n];
        if (n < graph->first)
            continue;
        bool own = out != NONE && f->buffers.items[out].node == n;
        spend(f, (uint64_t)(1 + call->ins) * (1 + node->count));
        if (!own &&
            ((out != NONE && f->buffers.items[out].node != NONE) || f->holders[n] != NONE || !fits(f, call, node)))
            continue;
        if (own || slice_eq(node->name, kernel->nodes)) {
            found = n;
            break;
        }
        if (found != NONE)
            return false; /* a choice */
        found = n;
    }
    if (found == NONE || !f->work)
        return false;
    call->node = found;
    if (out != NONE)
        bind(f, out, found);
    bind_inputs(f, call, &f->graphs->nodes[found]);
    return true;
}

/* ---- kernels ---------------------------------------------------------------------------------------------------- */

static bool is_size(const struct flow_node *node) {
    return slice_starts(node->op, SLICE("aten.sym_"));
}

/* Marks what the call reads; false where some of it is not known. */
static bool mark_inputs(struct finder *f, const struct call *call) {
    bool all = true;
    f->stamp++;
    spend(f, 1 + call->ins);
    for (uint32_t i = 0; i < call->ins; i++) {
        uint32_t node = f->buffers.items[f->uses.items[call->in + i].buffer].node;
        all &= node != NONE || f->uses.items[call->in + i].perhaps;
        if (node != NONE)
            f->mark[node] = f->stamp;
    }
    return all;
}

/* Collects what lies between the call's results (and `more`, a node) and what is marked. False where it reaches what the
 * call cannot have: an input that it does not read, or what an earlier call wrote. */
static bool collect(struct finder *f, const struct call *call, uint32_t index, uint32_t more) {
    uint32_t count = 0;
    f->found_count = 0;
    for (uint32_t i = 0; i < call->outs + (more != NONE); i++) {
        uint32_t node = i < call->outs ? f->buffers.items[f->uses.items[call->out + i].buffer].node : more;
        if (node != NONE && f->seen[node] != f->stamp && (node == more || f->mark[node] != f->stamp)) {
            f->seen[node] = f->stamp;
            f->stack[count++] = node;
        }
    }
    while (count) {
        uint32_t n = f->stack[--count];
        const struct flow_node *node = &f->graphs->nodes[n];
        f->found[f->found_count++] = n;
        if (!spend(f, 1 + node->count))
            return false;
        for (uint32_t a = node->first; a < node->first + node->count; a++) {
            uint32_t arg = f->graphs->args[a].node;
            const struct flow_node *from = &f->graphs->nodes[arg];
            bool over = slice_starts(node->op, SLICE("aten.copy_.")) && f->graphs->args[a].place == 0;
            if (over || f->mark[arg] == f->stamp || f->seen[arg] == f->stamp || is_size(from) || from->scalar ||
                from->constant)
                continue;
            uint32_t holder = f->holders[arg];
            if (from->kind == FLOW_INPUT || (holder != NONE && f->buffers.items[holder].writer < index))
                return false; /* what a later call writes is computed here once more */
            f->seen[arg] = f->stamp;
            f->stack[count++] = arg;
        }
    }
    return true;
}

/* The one input of a call that is not known; NONE: there is none, or several. perhaps: of those that it may not read. */
static uint32_t open_input(const struct finder *f, const struct call *call, bool perhaps) {
    uint32_t open = NONE;
    for (uint32_t i = 0; i < call->ins; i++) {
        const struct use *use = &f->uses.items[call->in + i];
        if (f->buffers.items[use->buffer].node != NONE || use->buffer == open || use->perhaps != perhaps)
            continue;
        if (open != NONE)
            return NONE;
        open = use->buffer;
    }
    return open;
}

static bool bound_results(const struct finder *f, const struct call *call) {
    for (uint32_t i = 0; i < call->outs; i++)
        if (f->buffers.items[f->uses.items[call->out + i].buffer].node != NONE)
            return true;
    return false;
}

/* A value that one kernel hands to the next is the only node that parts what both compute. Of several, Inductor keeps the one
 * that is read more than once: what has one reader is computed where it is read. */
static bool part(struct finder *f, uint32_t index) {
    const struct call *call = &f->calls.items[index];
    uint32_t open = spend(f, 1 + call->ins) ? open_input(f, call, false) : NONE, found = NONE;
    if (open == NONE && mark_inputs(f, call) && !collect(f, call, index, NONE))
        open = open_input(f, call, true);
    if (open == NONE || call->opaque || !bound_results(f, call))
        return false;
    uint32_t writer = f->buffers.items[open].writer;
    const struct call *before = writer == NONE ? NULL : &f->calls.items[writer];
    if (!before || before->library || before->opaque || !mark_inputs(f, before))
        return false;
    mark_inputs(f, call);
    collect(f, call, index, NONE);
    bool choice = false;
    uint32_t count = f->found_count, *candidates = mem_alloc((count + 1) * sizeof *candidates);
    memcpy(candidates, f->found, count * sizeof *candidates);
    for (uint32_t i = 0; i < count && f->work; i++) {
        uint32_t node = candidates[i];
        struct call only = *before;
        if (f->graphs->nodes[node].kind != FLOW_COMPUTE || f->holders[node] != NONE)
            continue;
        if (found != NONE && f->readers[node] < 2 && f->readers[found] > 1)
            continue;
        mark_inputs(f, call);
        f->mark[node] = f->stamp;
        if (!collect(f, call, index, NONE))
            continue;
        only.outs = 0;
        if (!mark_inputs(f, &only) || !collect(f, &only, writer, node))
            continue;
        bool better = found == NONE || (f->readers[node] > 1 && f->readers[found] < 2);
        choice = !better;
        found = better ? node : found;
        if (choice && f->readers[found] > 1)
            break;
    }
    free(candidates);
    if (found == NONE || choice || !f->work)
        return false;
    bind(f, open, found);
    return true;
}

static bool advance(struct finder *f) {
    bool any = false;
    for (uint32_t i = 0; i < f->calls.count && f->work; i++) {
        struct call *call = &f->calls.items[i];
        if (call->library && call->node == NONE)
            any |= match(f, call);
        else if (!call->library)
            any |= part(f, i);
    }
    return any;
}

/* What a call may read it does read, where it cannot do without. */
static void read_perhaps(struct finder *f) {
    for (uint32_t i = 0; i < f->calls.count; i++) {
        const struct call *call = &f->calls.items[i];
        if (call->library || !mark_inputs(f, call) || collect(f, call, i, NONE))
            continue;
        for (uint32_t k = 0; k < call->ins; k++)
            f->buffers.items[f->uses.items[call->in + k].buffer].read = true;
    }
}

/* ---- the answer ------------------------------------------------------------------------------------------------- */

/* All that others read of the call is known. */
static bool whole(const struct finder *f, const struct call *call) {
    for (uint32_t i = 0; i < call->outs; i++) {
        const struct buffer *buffer = &f->buffers.items[f->uses.items[call->out + i].buffer];
        if (buffer->read && buffer->node == NONE)
            return false;
    }
    return !call->opaque && bound_results(f, call);
}

static int by_number(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

struct answer {
    uint32_t kernel, node;
};

static int by_kernel(const void *a, const void *b) {
    const struct answer *x = a, *y = b;
    return x->kernel != y->kernel ? (x->kernel < y->kernel ? -1 : 1) : by_number(&x->node, &y->node);
}

static struct kernel_flow *answer(struct finder *f, struct arena *arena) {
    struct {
        struct answer *items;
        size_t count, cap;
    } list = {0};
    struct kernel_flow *flow = NULL;
    for (uint32_t i = 0; i < f->calls.count; i++) {
        const struct call *call = &f->calls.items[i];
        f->found_count = 0;
        if (call->library && call->node != NONE)
            f->found[f->found_count++] = call->node;
        else if (!call->library && whole(f, call) && (!mark_inputs(f, call) || !collect(f, call, i, NONE)))
            f->found_count = 0;
        for (uint32_t n = 0; n < f->found_count; n++) {
            if (f->graphs->nodes[f->found[n]].kind != FLOW_COMPUTE)
                continue;
            MEM_GROW(&list);
            list.items[list.count++] = (struct answer){call->kernel, f->found[n]};
        }
    }
    if (list.count) {
        qsort(list.items, list.count, sizeof *list.items, by_kernel);
        flow = arena_zalloc(arena, sizeof *flow);
        flow->kernels = arena_zalloc(arena, f->scan->count * sizeof *flow->kernels);
        flow->nodes = arena_alloc(arena, list.count * sizeof *flow->nodes);
        for (uint32_t i = 0, kept = 0; i < list.count; i++) {
            const struct answer *one = &list.items[i];
            if (i && one[-1].kernel == one->kernel && one[-1].node == one->node)
                continue;
            if (!flow->kernels[one->kernel].count++)
                flow->kernels[one->kernel].first = kept;
            flow->nodes[kept++] = one->node;
        }
    }
    free(list.items);
    return flow;
}

static uint32_t *filled(size_t count, uint32_t value) {
    uint32_t *items = mem_alloc((count + 1) * sizeof *items);
    for (size_t i = 0; i < count; i++)
        items[i] = value;
    return items;
}

static void count_readers(struct finder *f) {
    for (uint32_t i = 0; i < f->graphs->node_count; i++) {
        const struct flow_node *node = &f->graphs->nodes[i];
        for (uint32_t a = node->first; node->kind == FLOW_COMPUTE && a < node->first + node->count; a++) {
            uint32_t from = strip(f->graphs, f->graphs->args[a].node);
            if (a == node->first || from != strip(f->graphs, f->graphs->args[a - 1].node))
                f->readers[from]++;
        }
    }
}

/* So that a call looks only at nodes of its operator. */
static void list_ops(struct finder *f) {
    for (uint32_t n = f->graphs->node_count; n-- > 0;) {
        bool added;
        if (f->graphs->nodes[n].kind != FLOW_COMPUTE)
            continue;
        uint32_t *first = map_put(&f->ops, operator_of(f->graphs->nodes[n].op), n, &added);
        if (!added) {
            f->alike[n] = *first;
            *first = n;
        }
    }
}

struct kernel_flow *kernel_flow_find(const struct flow_graphs *graphs, const struct kernel_scan *scan,
                                     struct arena *arena) {
    struct finder f = {.graphs = graphs, .scan = scan};
    struct kernel_flow *flow = NULL;
    if (!scan->step_count || !graphs->node_count)
        return NULL;
    f.work = WORK_PER_BYTE * (uint64_t)(scan->bytes + graphs->bytes);
    f.copies = filled(graphs->node_count, NONE);
    f.holders = filled(graphs->node_count, NONE);
    f.mark = filled(graphs->node_count, 0);
    f.seen = filled(graphs->node_count, 0);
    f.stack = filled(graphs->node_count, 0);
    f.found = filled(graphs->node_count, 0);
    f.readers = filled(graphs->node_count, 0);
    f.alike = filled(graphs->node_count, NONE);
    count_readers(&f);
    list_ops(&f);
    for (uint32_t i = 0; i < graphs->node_count; i++)
        if (slice_starts(graphs->nodes[i].op, SLICE("aten.copy_.")) && graphs->nodes[i].count)
            f.copies[graphs->args[graphs->nodes[i].first].node] = i;
    read_code(&f);
    while (f.work && advance(&f))
        ;
    f.work += WORK_PER_BYTE * (uint64_t)graphs->bytes; /* for the answer */
    read_perhaps(&f);
    flow = answer(&f, arena);
    map_free(&f.names);
    free(f.buffers.items);
    free(f.uses.items);
    free(f.wholes.items);
    map_free(&f.parts);
    free(f.calls.items);
    free(f.copies);
    free(f.readers);
    free(f.alike);
    map_free(&f.ops);
    free(f.holders);
    free(f.mark);
    free(f.seen);
    free(f.stack);
    free(f.found);
    return flow;
}

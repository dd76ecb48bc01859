/* The search of kernel_flow.h: binds buffers to nodes until no more can be derived. */

#include "codegen/kernel_flow_parts.h"
#include "codegen/scanned_kernel.h"

bool flow_is_reduction(struct slice op) {
    const struct slice names[] = {SLICE("sum"),  SLICE("mean"),    SLICE("var_mean"), SLICE("var"),
                                  SLICE("std"),  SLICE("amax"),    SLICE("amin"),     SLICE("max"),
                                  SLICE("min"),  SLICE("argmax"),  SLICE("argmin"),   SLICE("any"),
                                  SLICE("all"),  SLICE("prod"),    SLICE("aminmax"),  SLICE("cumsum"),
                                  SLICE("sort"), SLICE("cumprod"), SLICE("logsumexp")};
    return flow_is_aten(op, names, sizeof names / sizeof *names);
}

/* ---- library calls ---------------------------------------------------------------------------------------------- */

/* Whether the known inputs of the call are operands of the node. */
static bool fits(const struct finder *f, const struct call *call, const struct flow_node *node) {
    const struct flow_graphs *graphs = f->graphs;
    for (uint32_t i = 0; i < call->ins; i++) {
        const struct use *use = &f->uses.items[call->in + i];
        uint32_t have = f->buffers.items[use->buffer].node;
        bool there = false, same = false;
        for (uint32_t a = node->first; a < node->first + node->count; a++) {
            if (graphs->args[a].place != use->place)
                continue;
            uint32_t wanted = flow_strip(graphs, graphs->args[a].node);
            there = true;
            const struct flow_node *from = &graphs->nodes[wanted];
            same |= have == NONE ? from->kind != FLOW_INPUT || flow_may_copy(f, use->buffer, wanted) : have == wanted;
        }
        if (there && !same)
            return false;
    }
    return true;
}

/* Binds the inputs of the call to the operands of the node. Inputs in a list are in the same order. */
static void bind_inputs(struct finder *f, const struct call *call, const struct flow_node *node) {
    for (uint32_t i = 0; i < call->ins; i++) {
        const struct use *use = &f->uses.items[call->in + i];
        uint32_t first = NONE, count = 0, before = 0, sharing = 0;
        for (uint32_t a = node->first; a < node->first + node->count; a++)
            if (f->graphs->args[a].place == use->place) {
                first = first == NONE ? a : first;
                count++;
            }
        for (uint32_t k = 0; k < call->ins; k++) {
            bool same = f->uses.items[call->in + k].place == use->place;
            before += same && k < i;
            sharing += same;
        }
        if (count && count == sharing)
            flow_bind(f, use->buffer, flow_strip(f->graphs, f->graphs->args[first + before].node));
    }
}

/* Finds the node of the call if there is only one candidate. */
static bool match(struct finder *f, struct call *call) {
    const struct flow_graph *graph = &f->graphs->graphs[call->graph];
    const struct scanned_kernel *kernel = &f->scan->items[call->kernel];
    struct slice op = flow_operator(kernel->name);
    uint32_t out = call->outs ? f->uses.items[call->out].buffer : NONE, found = NONE;
    for (uint32_t n = map_get(&f->ops, op); n < graph->first + graph->count && flow_spend(f, 1); n = f->alike[n]) {
        const struct flow_node *node = &f->graphs->nodes[n];
        if (n < graph->first)
            continue;
        bool own = out != NONE && f->buffers.items[out].node == n;
        flow_spend(f, (uint64_t)(1 + call->ins) * (1 + node->count));
        if (!own &&
            ((out != NONE && f->buffers.items[out].node != NONE) || f->holders[n] != NONE || !fits(f, call, node)))
            continue;
        if (own || slice_eq(node->name, kernel->nodes)) {
            found = n;
            break;
        }
        if (found != NONE)
            return false; /* ambiguous */
        found = n;
    }
    if (found == NONE || !f->work)
        return false;
    call->node = found;
    if (out != NONE)
        flow_bind(f, out, flow_strip(f->graphs, found));
    bind_inputs(f, call, &f->graphs->nodes[found]);
    return true;
}

/* If the result is a cat(), its operands are the parts that the call joins. */
static bool join(struct finder *f, struct call *call) {
    uint32_t n = f->buffers.items[f->uses.items[call->out].buffer].node;
    if (call->node != NONE || n == NONE || !flow_spend(f, 1 + call->ins))
        return false;
    const struct flow_node *node = &f->graphs->nodes[n];
    call->node = n;
    if (!slice_starts(node->op, SLICE("aten.cat.")) || node->count != call->ins)
        return false;
    for (uint32_t i = 0; i < call->ins; i++)
        flow_bind(f, f->uses.items[call->in + i].buffer, flow_strip(f->graphs, f->graphs->args[node->first + i].node));
    return true;
}

/* The node that a library call provides to the kernel: the only node with the call's operator that the kernel's results
 * need and that the kernel does not get elsewhere. */
static bool take_from_library(struct finder *f, uint32_t index, uint32_t open, const struct call *library) {
    const struct call *call = &f->calls.items[index];
    struct slice op = library->kernel != NONE ? flow_operator(f->scan->items[library->kernel].name) : (struct slice){0};
    uint32_t found = NONE;
    if (!op.len)
        return false;
    flow_mark_inputs(f, call);
    flow_collect(f, call, index, NONE);
    for (uint32_t i = 0; i < f->border_count; i++) {
        uint32_t node = f->border[i];
        if (f->holders[node] != NONE || !slice_eq(flow_operator(f->graphs->nodes[node].op), op))
            continue;
        if (found != NONE && found != node)
            return false;
        found = node;
    }
    if (found == NONE)
        return false;
    flow_bind(f, open, found);
    return f->buffers.items[open].node == found;
}

enum { CONTRADICTED = FAMILIES + 1 };

/* ---- kernels ---------------------------------------------------------------------------------------------------- */

bool flow_attends(const struct finder *f, const struct call *call, const struct flow_node *node) {
    return call->kernel != NONE && f->scan->items[call->kernel].attention &&
           slice_is(node->op, "higher_order.flex_attention");
}

/* Whether the call reads the operands that its attention kernel names as parameters, each at its position. Only the
 * backward uses other operands. */
static bool has_operands(const struct finder *f, const struct call *call, const struct flow_node *node) {
    uint32_t place = 0, wanted = f->scan->items[call->kernel].attention;
    for (uint32_t a = node->first; a < node->first + node->count && place < wanted; a++) {
        uint32_t arg = f->graphs->args[a].node;
        bool there = false;
        if (f->graphs->nodes[arg].constant || f->graphs->nodes[arg].scalar)
            continue;
        for (uint32_t i = 0; i < call->ins && !there; i++) {
            const struct use *use = &f->uses.items[call->in + i];
            there = use->place == place && f->buffers.items[use->buffer].node == flow_strip(f->graphs, arg);
        }
        if (!there)
            return false;
        place++;
    }
    return place == wanted;
}

static bool is_size(const struct flow_node *node) {
    return slice_starts(node->op, SLICE("aten.sym_"));
}

/* Marks the nodes that the call reads. Returns false if some of them are unknown. */
bool flow_mark_inputs(struct finder *f, const struct call *call) {
    bool all = true;
    f->stamp++;
    flow_spend(f, 1 + call->ins);
    for (uint32_t i = 0; i < call->ins; i++) {
        uint32_t node = f->buffers.items[f->uses.items[call->in + i].buffer].node;
        all &= node != NONE || f->uses.items[call->in + i].perhaps;
        if (node != NONE)
            f->mark[node] = f->stamp;
    }
    return all;
}

/* Collects the nodes between the marked nodes and the call's results (and `more`, a node). Returns false if it reaches
 * a value that the call cannot have: an input that it does not read, or a value that an earlier call wrote. */
bool flow_collect(struct finder *f, const struct call *call, uint32_t index, uint32_t more) {
    uint32_t count = 0;
    bool all = true;
    f->found_count = f->border_count = 0;
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
        if (!flow_spend(f, 1 + node->count))
            return false;
        if (flow_attends(f, call, node)) {
            all &= has_operands(f, call, node);
            continue;
        }
        for (uint32_t a = node->first; a < node->first + node->count; a++) {
            uint32_t arg = f->graphs->args[a].node;
            const struct flow_node *from = &f->graphs->nodes[arg];
            bool over = f->graphs->args[a].place == 0 && flow_ignores_operand(f->graphs, node);
            if (f->mark[arg] == f->stamp)
                f->used[arg] = f->stamp;
            if (over || f->mark[arg] == f->stamp || f->seen[arg] == f->stamp || is_size(from) || from->scalar ||
                from->constant)
                continue;
            uint32_t holder = f->holders[arg];
            if (f->external[arg] && f->border_count < BORDER_MAX)
                f->border[f->border_count++] = arg;
            if (from->kind == FLOW_INPUT || f->external[arg] ||
                (holder != NONE && f->buffers.items[holder].writer < index)) {
                all = false; /* a value that a later call writes is computed by this call, too */
                continue;
            }
            f->seen[arg] = f->stamp;
            f->stack[count++] = arg;
        }
    }
    return all;
}

/* The only unknown input of a call. NONE if there is none, or several. perhaps: also consider inputs that it may not
 * read. */
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

bool flow_has_result(const struct finder *f, const struct call *call) {
    for (uint32_t i = 0; i < call->outs; i++)
        if (f->buffers.items[f->uses.items[call->out + i].buffer].node != NONE)
            return true;
    return false;
}

/* The number of functions in the kernel's code that none of the collected nodes needs. CONTRADICTED if a needed
 * function is missing in the code. */
static uint32_t doubts_of(const struct finder *f, const struct call *call) {
    const struct scanned_kernel *kernel = &f->scan->items[call->kernel];
    uint32_t needed = 0, doubts = 0;
    for (uint32_t i = 0; i < f->found_count; i++) {
        enum function_family family = function_family_of(f->graphs->nodes[f->found[i]].op);
        needed |= family == FAMILIES ? 0 : 1u << family;
    }
    if (!kernel->written)
        return 0;
    for (uint32_t family = 0; family < FAMILIES; family++)
        doubts += (kernel->functions & ~needed) >> family & 1;
    return needed & ~kernel->functions ? CONTRADICTED : doubts;
}

/* The number of known inputs of the call that none of the collected nodes needs. */
static uint32_t unused_of(const struct finder *f, const struct call *call) {
    uint32_t unused = 0;
    for (uint32_t i = 0; i < call->ins; i++) {
        const struct use *use = &f->uses.items[call->in + i];
        uint32_t node = f->buffers.items[use->buffer].node;
        unused += node != NONE && !use->perhaps && f->used[node] != f->stamp;
    }
    return unused;
}

/* Whether Inductor stores the value between kernels: a value that has one reader and is not a reduction is computed
 * where it is read. */
static bool kept(const struct finder *f, uint32_t node) {
    return f->readers[node] > 1 || flow_is_reduction(f->graphs->nodes[node].op);
}

/* Finds the value that one kernel passes to the next: the only node that separates the nodes of both. Among several
 * candidates, it is the one that leaves a use for everything else that the kernel reads, that explains the functions
 * that both call, and that is stored, unless this is ambiguous. */
static bool part(struct finder *f, uint32_t index) {
    const struct call *call = &f->calls.items[index];
    uint32_t open = flow_spend(f, 1 + call->ins) ? open_input(f, call, false) : NONE, found = NONE;
    if (open == NONE && flow_mark_inputs(f, call) && !flow_collect(f, call, index, NONE))
        open = open_input(f, call, true);
    if (open == NONE || call->opaque || !flow_has_result(f, call))
        return false;
    uint32_t writer = f->buffers.items[open].writer;
    const struct call *before = writer == NONE ? NULL : &f->calls.items[writer];
    if (before && before->library && !before->joins)
        return before->node == NONE && take_from_library(f, index, open, before);
    if (!before || before->library || before->opaque || !flow_mark_inputs(f, before))
        return false;
    flow_mark_inputs(f, call);
    flow_collect(f, call, index, NONE);
    bool choice = false;
    uint32_t count = f->found_count, least = NONE, *candidates = mem_alloc((count + 1) * sizeof *candidates);
    memcpy(candidates, f->found, count * sizeof *candidates);
    for (uint32_t i = 0; i < count && f->work; i++) {
        uint32_t node = candidates[i];
        struct call only = *before;
        if (f->graphs->nodes[node].kind != FLOW_COMPUTE || f->holders[node] != NONE)
            continue;
        flow_mark_inputs(f, call);
        f->mark[node] = f->stamp;
        if (!flow_collect(f, call, index, NONE))
            continue;
        uint32_t unused = unused_of(f, call), doubts = doubts_of(f, call) + unused * (CONTRADICTED + 1);
        only.outs = 0;
        if (doubts > least || !flow_mark_inputs(f, &only) || !flow_collect(f, &only, writer, node))
            continue;
        if (doubts_of(f, &only) == CONTRADICTED)
            doubts = CONTRADICTED + unused * (CONTRADICTED + 1);
        if (doubts > least)
            continue;
        bool better = doubts < least || (kept(f, node) && !kept(f, found)),
             worse = !better && !kept(f, node) && kept(f, found);
        choice = worse ? choice : !better;
        found = better ? node : found;
        least = doubts;
    }
    mem_free(candidates);
    if (found == NONE || choice || !f->work)
        return false;
    flow_bind(f, open, found);
    return true;
}

/* The node of an attention kernel: the one that it writes, or the only one that no other call provides. */
static uint32_t attention_of(struct finder *f, const struct call *call) {
    const struct flow_graph *graph = &f->graphs->graphs[call->graph];
    uint32_t own = f->buffers.items[f->uses.items[call->out].buffer].node, found = NONE;
    if (own != NONE)
        return flow_attends(f, call, &f->graphs->nodes[own]) ? own : NONE;
    for (uint32_t n = graph->first; n < graph->first + graph->count && flow_spend(f, 1); n++) {
        if (!flow_attends(f, call, &f->graphs->nodes[n]) || f->holders[n] != NONE)
            continue;
        if (found != NONE)
            return NONE;
        found = n;
    }
    return found;
}

/* Binds the operands of an attention kernel: it reads the first operands of its node, in order. */
static bool attend(struct finder *f, struct call *call) {
    uint32_t n = call->outs && call->node == NONE ? attention_of(f, call) : NONE;
    if (n == NONE || !f->work)
        return false;
    const struct flow_node *node = &f->graphs->nodes[n];
    call->node = n;
    flow_bind(f, f->uses.items[call->out].buffer, n);
    uint32_t place = 0;
    for (uint32_t a = node->first; a < node->first + node->count; a++) {
        uint32_t arg = f->graphs->args[a].node;
        if (f->graphs->nodes[arg].constant || f->graphs->nodes[arg].scalar)
            continue;
        if (place == f->scan->items[call->kernel].attention || !flow_spend(f, 1 + call->ins))
            break;
        for (uint32_t i = 0; i < call->ins; i++)
            if (f->uses.items[call->in + i].place == place)
                flow_bind(f, f->uses.items[call->in + i].buffer, flow_strip(f->graphs, arg));
        place++;
    }
    return true;
}

static bool advance(struct finder *f) {
    bool any = false;
    for (uint32_t i = 0; i < f->calls.count && f->work; i++) {
        struct call *call = &f->calls.items[i];
        if (call->joins)
            any |= join(f, call);
        else if (call->library && call->node == NONE)
            any |= match(f, call);
        else if (!call->library && f->scan->items[call->kernel].attention && attend(f, call))
            any = true;
        else if (!call->library)
            any |= part(f, i);
    }
    return any;
}

void flow_search(struct finder *f) {
    while (f->work && advance(f))
        ;
}

void flow_read_perhaps(struct finder *f) {
    for (uint32_t i = 0; i < f->calls.count; i++) {
        const struct call *call = &f->calls.items[i];
        if (call->library || !flow_mark_inputs(f, call) || flow_collect(f, call, i, NONE))
            continue;
        for (uint32_t k = 0; k < call->ins; k++)
            f->buffers.items[f->uses.items[call->in + k].buffer].read = true;
    }
}

#include "scan/kernel_flow.h"

#include <stdlib.h>

#include "base/mem.h"
#include "scan/kernel_flow_parts.h"

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

/* Binds the inputs of the call to the operands of the node. */
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
            flow_bind(f, use->buffer, flow_strip(f->graphs, wanted));
    }
}

/* Finds the node of the call if only one is possible. */
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

/* The node that a library call provides to the kernel: the only node with its operator that the kernel's results need
 * and that the kernel does not get elsewhere. */
static bool take_from_library(struct finder *f, uint32_t index, uint32_t open, const struct call *library) {
    const struct call *call = &f->calls.items[index];
    struct slice op = library->kernel == NONE ? (struct slice){0} : flow_operator(f->scan->items[library->kernel].name);
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

/* Whether the call reads the operands that its attention kernel names as parameters, each at its position. Other
 * operands are used by the backward only. */
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

/* Marks what the call reads. Returns false if some of it is unknown. */
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
 * what the call cannot have: an input that it does not read, or a value that an earlier call wrote. */
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
            bool over = slice_starts(node->op, SLICE("aten.copy_.")) && f->graphs->args[a].place == 0;
            if (over || f->mark[arg] == f->stamp || f->seen[arg] == f->stamp || is_size(from) || from->scalar ||
                from->constant)
                continue;
            uint32_t holder = f->holders[arg];
            if (f->external[arg] && f->border_count < BORDER_MAX)
                f->border[f->border_count++] = arg;
            if (from->kind == FLOW_INPUT || f->external[arg] ||
                (holder != NONE && f->buffers.items[holder].writer < index)) {
                all = false; /* a value that a later call writes is computed here, too */
                continue;
            }
            f->seen[arg] = f->stamp;
            f->stack[count++] = arg;
        }
    }
    return all;
}

/* The only unknown input of a call. NONE if there is none, or several. perhaps: consider inputs that it may not read.
 */
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

/* The number of functions in the kernel's code that none of the collected nodes needs. CONTRADICTED if the code lacks
 * a function that is needed. */
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

/* Whether Inductor stores the value between kernels: a value that is not a reduction and has one reader is computed
 * where it is read. */
static bool kept(const struct finder *f, uint32_t node) {
    return f->readers[node] > 1 || flow_is_reduction(f->graphs->nodes[node].op);
}

/* A value that one kernel passes to the next is the only node that separates what both compute. If there are several,
 * it is the one that explains the functions that both call and that is stored, unless this is ambiguous. */
static bool part(struct finder *f, uint32_t index) {
    const struct call *call = &f->calls.items[index];
    uint32_t open = flow_spend(f, 1 + call->ins) ? open_input(f, call, false) : NONE, found = NONE;
    if (open == NONE && flow_mark_inputs(f, call) && !flow_collect(f, call, index, NONE))
        open = open_input(f, call, true);
    if (open == NONE || call->opaque || !bound_results(f, call))
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
        uint32_t doubts = doubts_of(f, call);
        only.outs = 0;
        if (doubts > least || !flow_mark_inputs(f, &only) || !flow_collect(f, &only, writer, node))
            continue;
        if (doubts_of(f, &only) == CONTRADICTED)
            doubts = CONTRADICTED;
        if (doubts > least)
            continue;
        bool better = doubts < least || (kept(f, node) && !kept(f, found)),
             worse = !better && !kept(f, node) && kept(f, found);
        choice = worse ? choice : !better;
        found = better ? node : found;
        least = doubts;
    }
    free(candidates);
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

/* An attention kernel reads the first operands of its node, in their order. */
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

/* A call that may read a value reads it if it cannot do without. */
static void read_perhaps(struct finder *f) {
    for (uint32_t i = 0; i < f->calls.count; i++) {
        const struct call *call = &f->calls.items[i];
        if (call->library || !flow_mark_inputs(f, call) || flow_collect(f, call, i, NONE))
            continue;
        for (uint32_t k = 0; k < call->ins; k++)
            f->buffers.items[f->uses.items[call->in + k].buffer].read = true;
    }
}

/* ---- the answer ------------------------------------------------------------------------------------------------- */

/* Whether everything that others read from the call is known. */
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
    bool perhaps;
};

struct answers {
    struct {
        struct answer *items;
        size_t count, cap;
    } list;
    const struct finder *finder;
    struct kernel_nodes *kernels;
};

static int by_kernel(const void *a, const void *b) {
    const struct answer *x = a, *y = b;
    if (x->kernel != y->kernel)
        return x->kernel < y->kernel ? -1 : 1;
    return x->node != y->node ? by_number(&x->node, &y->node) : (int)x->perhaps - (int)y->perhaps;
}

static void add_answer(void *to, uint32_t call, uint32_t node, bool perhaps) {
    struct answers *answers = to;
    uint32_t kernel = answers->finder->calls.items[call].kernel;
    bool library = answers->finder->calls.items[call].library;
    if (kernel == NONE || (!library && answers->finder->graphs->nodes[node].kind != FLOW_COMPUTE))
        return;
    MEM_GROW(&answers->list);
    answers->list.items[answers->list.count++] = (struct answer){kernel, node, perhaps};
}

/* The modification of attention scores is a nested graph, which the kernel computes, too. */
static void add_inner(struct finder *f, uint32_t index, uint32_t node, struct answers *answers) {
    const struct flow_graphs *graphs = f->graphs;
    const struct flow_node *outer = &graphs->nodes[node];
    if (!flow_attends(f, &f->calls.items[index], outer))
        return;
    for (uint32_t a = outer->first; a < outer->first + outer->count; a++) {
        const struct flow_node *arg = &graphs->nodes[graphs->args[a].node];
        for (uint32_t g = 1; arg->constant && g < graphs->graph_count && flow_spend(f, 1); g++) {
            const struct flow_graph *graph = &graphs->graphs[g];
            if (!slice_eq(graph->name, arg->name))
                continue;
            for (uint32_t n = graph->first; n < graph->first + graph->count && flow_spend(f, 1); n++)
                add_answer(answers, index, n, false);
        }
    }
}

/* Why nothing is known about the call. */
static enum flow_why why_not(const struct finder *f, const struct call *call) {
    if (call->opaque)
        return FLOW_PARAMETERS;
    return call->library || !bound_results(f, call) ? FLOW_RESULTS : FLOW_OPERANDS;
}

static void answer_call(struct finder *f, uint32_t index, struct answers *answers) {
    const struct call *call = &f->calls.items[index];
    bool known = false;
    if (call->kernel == NONE)
        return;
    if (call->library) {
        known = call->node != NONE;
        if (known)
            add_answer(answers, index, call->node, false);
    } else if (whole(f, call) && flow_mark_inputs(f, call) && flow_collect(f, call, index, NONE)) {
        known = true;
        for (uint32_t n = 0; n < f->found_count; n++) {
            add_answer(answers, index, f->found[n], false);
            add_inner(f, index, f->found[n], answers);
        }
    } else if (!call->opaque && bound_results(f, call)) {
        known = flow_share(f, index, add_answer, answers);
    }
    struct kernel_nodes *kernel = &answers->kernels[call->kernel];
    if (!known)
        kernel->why = why_not(f, call);
}

/* Sorts the answers by kernel. Nodes that are both certain and "perhaps" are certain. */
static struct kernel_flow *arrange(struct answers *answers, struct arena *arena) {
    struct kernel_flow *flow = arena_zalloc(arena, sizeof *flow);
    struct answer *items = answers->list.items;
    uint32_t kept = 0;
    flow->kernels = answers->kernels;
    flow->nodes = arena_alloc(arena, (2 * answers->list.count + 1) * sizeof *flow->nodes);
    if (answers->list.count)
        qsort(items, answers->list.count, sizeof *items, by_kernel);
    for (int perhaps = 0; perhaps < 2; perhaps++)
        for (size_t i = 0; i < answers->list.count; i++) {
            bool again = i && items[i - 1].kernel == items[i].kernel && items[i - 1].node == items[i].node;
            struct kernel_nodes *kernel = &flow->kernels[items[i].kernel];
            uint32_t *count = perhaps ? &kernel->perhaps_count : &kernel->count;
            if (again || items[i].perhaps != (perhaps > 0))
                continue;
            if (!(*count)++)
                *(perhaps ? &kernel->perhaps_first : &kernel->first) = kept;
            flow->nodes[kept++] = items[i].node;
        }
    return flow;
}

static struct kernel_flow *answer(struct finder *f, struct arena *arena) {
    struct answers answers = {.finder = f};
    answers.kernels = arena_zalloc(arena, (f->scan->count + 1) * sizeof *answers.kernels);
    for (uint32_t i = 0; i < f->scan->count; i++)
        answers.kernels[i].why = f->scan->items[i].calls ? FLOW_RESULTS : FLOW_NOT_CALLED;
    for (uint32_t i = 0; i < f->calls.count; i++)
        if (f->calls.items[i].kernel != NONE)
            answers.kernels[f->calls.items[i].kernel].why = FLOW_KNOWN;
    for (uint32_t i = 0; i < f->calls.count; i++)
        answer_call(f, i, &answers);
    struct kernel_flow *flow = arrange(&answers, arena);
    for (uint32_t i = 0; i < f->scan->count; i++) {
        struct kernel_nodes *kernel = &flow->kernels[i];
        if (kernel->perhaps_count)
            kernel->why = FLOW_SHARED;
        else if (kernel->count && (kernel->why == FLOW_COPIES || kernel->why == FLOW_SHARED))
            kernel->why =
                FLOW_KNOWN; /* another call of the kernel computes something; what was "perhaps" is certain by another call */
        else if (!kernel->count && kernel->why == FLOW_KNOWN)
            kernel->why = FLOW_COPIES;
    }
    free(answers.list.items);
    return flow;
}

/* Finds nodes of operators that the code calls as often as the graph has them: no kernel computes these. */
static void find_external(struct finder *f) {
    struct map calls = {0};
    for (uint32_t g = 0; g < f->graphs->graph_count; g++) {
        const struct flow_graph *graph = &f->graphs->graphs[g];
        map_free(&calls);
        for (uint32_t i = 0; i < f->calls.count; i++)
            if (f->calls.items[i].graph == g && f->calls.items[i].library && f->calls.items[i].kernel != NONE)
                ++*map_put(&calls, flow_operator(f->scan->items[f->calls.items[i].kernel].name), 0, NULL);
        for (uint32_t n = graph->first; calls.head && n < graph->first + graph->count; n++) {
            struct slice op = flow_operator(f->graphs->nodes[n].op);
            if (f->graphs->nodes[n].kind == FLOW_COMPUTE && op.len && map_get(&calls, op) != MAP_NONE)
                --*map_put(&calls, op, 0, NULL);
        }
        for (uint32_t n = graph->first; calls.head && n < graph->first + graph->count; n++) {
            struct slice op = flow_operator(f->graphs->nodes[n].op);
            f->external[n] = f->graphs->nodes[n].kind == FLOW_COMPUTE && op.len && map_get(&calls, op) == 0;
        }
    }
    map_free(&calls);
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
            uint32_t from = flow_strip(f->graphs, f->graphs->args[a].node);
            if (a == node->first || from != flow_strip(f->graphs, f->graphs->args[a - 1].node))
                f->readers[from]++;
        }
    }
}

/* Lists nodes by operator, so that a call considers only nodes with its operator. */
static void list_ops(struct finder *f) {
    for (uint32_t n = f->graphs->node_count; n-- > 0;) {
        const struct flow_node *node = &f->graphs->nodes[n];
        bool added;
        if (node->kind == FLOW_INPUT || !node->op.len)
            continue;
        uint32_t *first = map_put(&f->ops, flow_operator(node->op), n, &added);
        if (!added) {
            f->alike[n] = *first;
            *first = n;
        }
    }
}

/* An input that is overwritten, perhaps in part. If several nodes write parts, it is unknown which kernel writes
 * which. */
static void note_copy(struct finder *f, uint32_t node) {
    uint32_t *copy = &f->copies[flow_strip(f->graphs, f->graphs->args[f->graphs->nodes[node].first].node)];
    *copy = *copy == NONE ? node : COPIES;
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
    f.external = mem_zalloc(graphs->node_count + 1, sizeof *f.external);
    f.may = filled(graphs->node_count, 0);
    f.sure = filled(graphs->node_count, 0);
    f.own = filled(graphs->node_count, 0);
    f.cut = filled(graphs->node_count, 0);
    f.alike = filled(graphs->node_count, NONE);
    count_readers(&f);
    list_ops(&f);
    for (uint32_t i = 0; i < graphs->node_count; i++)
        if (slice_starts(graphs->nodes[i].op, SLICE("aten.copy_.")) && graphs->nodes[i].count)
            note_copy(&f, i);
    flow_read_code(&f);
    find_external(&f);
    while (f.work && advance(&f))
        ;
    f.work += WORK_PER_BYTE * (uint64_t)graphs->bytes; /* allowance for the answer */
    read_perhaps(&f);
    flow = answer(&f, arena);
    map_free(&f.names);
    free(f.buffers.items);
    free(f.uses.items);
    free(f.pieces.items);
    map_free(&f.wholes);
    map_free(&f.parts);
    map_free(&f.lists);
    free(f.calls.items);
    free(f.copies);
    free(f.readers);
    free(f.alike);
    map_free(&f.ops);
    mem_free(f.external);
    free(f.may);
    free(f.sure);
    free(f.own);
    free(f.cut);
    free(f.holders);
    free(f.mark);
    free(f.seen);
    free(f.stack);
    free(f.found);
    return flow;
}

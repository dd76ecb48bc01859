#include "codegen/kernel_flow.h"

#include "codegen/kernel_flow_parts.h"

/* Whether every value that others read from the call is known. */
static bool whole(const struct finder *f, const struct call *call) {
    for (uint32_t i = 0; i < call->outs; i++) {
        const struct buffer *buffer = &f->buffers.items[f->uses.items[call->out + i].buffer];
        if (buffer->read && buffer->node == NONE)
            return false;
    }
    return !call->opaque && flow_has_result(f, call);
}

static int by_number(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

enum belongs { COMPUTES, READS_THROUGH, PERHAPS };

struct answer {
    uint32_t kernel, node;
    enum belongs how;
};

struct answers {
    LIST(struct answer) list;
    const struct finder *finder;
    struct kernel_nodes *kernels;
};

static int by_kernel(const void *a, const void *b) {
    const struct answer *x = a, *y = b;
    if (x->kernel != y->kernel)
        return x->kernel < y->kernel ? -1 : 1;
    return x->node != y->node ? by_number(&x->node, &y->node) : (int)x->how - (int)y->how;
}

static void put_answer(struct answers *answers, uint32_t kernel, uint32_t node, enum belongs how) {
    const struct flow_graphs *logged = answers->finder->logged;
    if (kernel == NONE)
        return;
    if (answers->finder->graphs->nodes[node].kind != logged->nodes[node].kind) /* an item of a list operator */
        node = logged->args[logged->nodes[node].first].node;
    LIST_ADD(&answers->list, (struct answer){kernel, node, how});
}

/* Whether a kernel reads another node through this one. Items of a result, and waited-for values, do not count, because
 * such a node has no line of its own. */
static bool is_view(const struct finder *f, uint32_t node) {
    const struct flow_node *of = &f->graphs->nodes[node];
    bool tensor = slice_starts(of->op, SLICE("aten.")) || slice_starts(of->op, SLICE("prims."));
    return of->kind == FLOW_VIEW && tensor && of->count;
}

static void add_answer(void *to, uint32_t call, uint32_t node, bool perhaps) {
    struct answers *answers = to;
    uint32_t kernel = answers->finder->calls.items[call].kernel;
    bool library = answers->finder->calls.items[call].library;
    enum flow_kind kind = answers->finder->graphs->nodes[node].kind;
    if (library || kind == FLOW_COMPUTE)
        put_answer(answers, kernel, node, perhaps ? PERHAPS : COMPUTES);
    else if (!perhaps && is_view(answers->finder, node))
        put_answer(answers, kernel, node, READS_THROUGH);
}

/* Inductor names a kernel after the operators that it computes: "cpp_fused_mean_silu_4". */
static bool is_named_after(const struct finder *f, const struct call *call, struct slice word) {
    return call->kernel != NONE && slice_find(f->scan->items[call->kernel].name, word) != SIZE_MAX;
}

/* A mean is stored as a sum, and its readers divide the sum. */
static void add_means(const struct finder *f, const struct call *call, struct answers *answers) {
    static const struct slice mean = SLICE_INIT("mean");
    if (!is_named_after(f, call, SLICE("_mean_")))
        return;
    for (uint32_t i = 0; i < call->ins; i++) {
        uint32_t node = f->buffers.items[f->uses.items[call->in + i].buffer].node;
        if (node != NONE && flow_is_aten(f->graphs->nodes[node].op, &mean, 1))
            put_answer(answers, call->kernel, node, READS_THROUGH);
    }
}

/* The modification of attention scores is a nested graph. The kernel computes that, too. */
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
    return call->library || !flow_has_result(f, call) ? FLOW_RESULTS : FLOW_OPERANDS;
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
        add_means(f, call, answers);
    } else if (!call->opaque && flow_has_result(f, call)) {
        known = flow_share(f, index, add_answer, answers);
    }
    struct kernel_nodes *kernel = &answers->kernels[call->kernel];
    if (!known)
        kernel->why = why_not(f, call);
}

/* A cat() has no kernel of its own if its parts are written directly to their places. A kernel that copies a part there
 * computes the cat(); a kernel that computes the part there does not. */
static void answer_join(struct finder *f, const struct call *call, struct answers *answers) {
    const struct flow_node *node = call->node == NONE ? NULL : &f->graphs->nodes[call->node];
    if (!node || !slice_starts(node->op, SLICE("aten.cat.")) || node->count != call->ins)
        return;
    for (uint32_t i = 0; i < call->ins; i++) {
        uint32_t writer = f->buffers.items[f->uses.items[call->in + i].buffer].writer;
        if (writer == NONE || f->calls.items[writer].library ||
            !is_named_after(f, &f->calls.items[writer], SLICE("_cat_")))
            continue;
        put_answer(answers, f->calls.items[writer].kernel, call->node, COMPUTES);
        for (uint32_t n = f->graphs->args[node->first + i].node; is_view(f, n) && flow_spend(f, 1);
             n = f->graphs->args[f->graphs->nodes[n].first].node)
            put_answer(answers, f->calls.items[writer].kernel, n, READS_THROUGH);
    }
}

/* Lists the nodes that belong to each kernel in this sense. */
static void list_nodes(const struct answers *answers, enum belongs how, struct kernel_flow *flow, uint32_t *kept) {
    const struct answer *items = answers->list.items;
    for (size_t i = 0; i < answers->list.count; i++) {
        bool again = i && items[i - 1].kernel == items[i].kernel && items[i - 1].node == items[i].node;
        struct kernel_nodes *kernel = &flow->kernels[items[i].kernel];
        uint32_t *count = how == COMPUTES ? &kernel->count
                        : how == PERHAPS  ? &kernel->perhaps_count
                                          : &kernel->through_count;
        if (again || items[i].how != how)
            continue;
        if (!(*count)++)
            *(how == COMPUTES  ? &kernel->first
              : how == PERHAPS ? &kernel->perhaps_first
                               : &kernel->through_first) = *kept;
        flow->nodes[(*kept)++] = items[i].node;
    }
}

/* Sorts the answers by kernel. Nodes that are both certain and "perhaps" are certain. */
static struct kernel_flow *arrange(struct answers *answers, struct arena *arena) {
    struct kernel_flow *flow = arena_zalloc(arena, sizeof *flow);
    uint32_t kept = 0;
    flow->kernels = answers->kernels;
    flow->nodes = arena_alloc(arena, (answers->list.count + 1) * sizeof *flow->nodes);
    if (answers->list.count)
        qsort(answers->list.items, answers->list.count, sizeof *answers->list.items, by_kernel);
    list_nodes(answers, COMPUTES, flow, &kept);
    list_nodes(answers, READS_THROUGH, flow, &kept);
    list_nodes(answers, PERHAPS, flow, &kept);
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
    for (uint32_t i = 0; i < f->calls.count; i++) {
        answer_call(f, i, &answers);
        if (f->calls.items[i].joins)
            answer_join(f, &f->calls.items[i], &answers);
    }
    struct kernel_flow *flow = arrange(&answers, arena);
    for (uint32_t i = 0; i < f->scan->count; i++) {
        struct kernel_nodes *kernel = &flow->kernels[i];
        if (kernel->perhaps_count)
            kernel->why = FLOW_SHARED;
        else if (kernel->count && (kernel->why == FLOW_COPIES || kernel->why == FLOW_SHARED))
            kernel->why =
                FLOW_KNOWN; /* another call of the kernel has nodes, so those that were "perhaps" are certain */
        else if (!kernel->count && kernel->why == FLOW_KNOWN)
            kernel->why = FLOW_COPIES;
    }
    mem_free(answers.list.items);
    return flow;
}

/* Finds nodes of operators that the code calls as often as they occur in the graph: no kernel computes them. */
static void find_external(struct finder *f) {
    struct map calls = {0};
    for (uint32_t g = 0; g < f->graphs->graph_count; g++) {
        const struct flow_graph *graph = &f->graphs->graphs[g];
        map_free(&calls);
        for (uint32_t i = 0; i < f->calls.count; i++)
            if (f->calls.items[i].graph == g && f->calls.items[i].library && f->calls.items[i].kernel != NONE)
                ++*map_put(&calls, flow_operator(f->scan->items[f->calls.items[i].kernel].name), 0, NULL);
        for (uint32_t n = graph->first; calls.count && n < graph->first + graph->count; n++) {
            struct slice op = flow_operator(f->graphs->nodes[n].op);
            if (f->graphs->nodes[n].kind == FLOW_COMPUTE && op.len && map_get(&calls, op) != MAP_NONE)
                --*map_put(&calls, op, 0, NULL);
        }
        for (uint32_t n = graph->first; calls.count && n < graph->first + graph->count; n++) {
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

/* Notes the inputs that the node overwrites, perhaps in part. A node may overwrite the result of another node that did.
 * Otherwise, if several nodes write parts, it is unknown which kernel writes which. */
static void note_copies(struct finder *f, uint32_t index) {
    const struct flow_node *node = &f->graphs->nodes[index];
    bool copies = slice_starts(node->op, SLICE("aten.copy_.")) && node->count == 2;
    uint32_t source = copies ? flow_strip(f->graphs, f->graphs->args[node->first + 1].node) : NONE;
    for (uint32_t a = node->first; a < node->first + node->count && !f->graphs->args[a].place; a++) {
        uint32_t over = flow_strip(f->graphs, f->graphs->args[a].node), input = flow_overwritten(f->graphs, over);
        uint32_t *copy = &f->copies[input];
        if (*copy == (over == input ? NONE : over))
            *copy = index;
        else if (*copy != source || source == NONE) /* otherwise, it is already there */
            *copy = COPIES;
    }
}

struct kernel_flow *kernel_flow_find(const struct flow_graphs *graphs, const struct kernel_scan *scan,
                                     struct arena *arena) {
    struct finder f = {.logged = graphs, .scan = scan};
    struct kernel_flow *flow = NULL;
    if (!scan->step_count || !graphs->node_count)
        return NULL;
    f.graphs = flow_split_lists(graphs, scan, arena);
    f.work = WORK_PER_BYTE * (uint64_t)(scan->bytes + graphs->bytes);
    f.copies = filled(graphs->node_count, NONE);
    f.holders = filled(graphs->node_count, NONE);
    f.mark = filled(graphs->node_count, 0);
    f.seen = filled(graphs->node_count, 0);
    f.used = filled(graphs->node_count, 0);
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
        if (f.graphs->nodes[i].writes)
            note_copies(&f, i);
    flow_read_code(&f);
    find_external(&f);
    flow_search(&f);
    f.work += WORK_PER_BYTE * (uint64_t)graphs->bytes; /* allowance for the answer */
    flow_read_perhaps(&f);
    flow = answer(&f, arena);
    map_free(&f.names);
    mem_free(f.buffers.items);
    mem_free(f.uses.items);
    mem_free(f.pieces.items);
    map_free(&f.wholes);
    map_free(&f.parts);
    map_free(&f.lists);
    mem_free(f.calls.items);
    mem_free(f.copies);
    mem_free(f.readers);
    mem_free(f.alike);
    map_free(&f.ops);
    mem_free(f.external);
    mem_free(f.may);
    mem_free(f.sure);
    mem_free(f.own);
    mem_free(f.cut);
    mem_free(f.holders);
    mem_free(f.mark);
    mem_free(f.seen);
    mem_free(f.used);
    mem_free(f.stack);
    mem_free(f.found);
    return flow;
}

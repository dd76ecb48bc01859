/* Decides which kernel computes which node if kernels exchange values that the graph does not determine otherwise.
 *
 * A node that only one of them can compute is certain. Three rules decide about the rest: a reduction is computed once,
 * by the kernel that has all of its operands; a value with one reader is computed where it is read; and a kernel's code
 * calls the functions of its nodes, and no others. A node that no rule decides about is "perhaps" for each kernel. */
#include "codegen/kernel_flow_parts.h"
#include "codegen/scanned_kernel.h"

enum { WRITERS_MAX = 32, ROUNDS_MAX = 16 };

struct share {
    struct finder *f;
    const struct call *call;
    uint32_t index;
    uint32_t writers[WRITERS_MAX], writer_count; /* writers of unknown values that the call reads */
    uint32_t id;                                 /* the stamp in may, sure, own and cut */
    uint32_t only;                               /* the result under consideration; NONE: all of them */
    bool inlined;                                /* rule: a value with one reader is computed there */
    bool contradicted;
};

/* Finds the calls that wrote the unknown values that this call reads, transitively. Returns false if there are too
 * many. */
static bool find_writers(struct share *s, const struct call *call) {
    const struct finder *f = s->f;
    for (uint32_t i = 0; i < call->ins; i++) {
        const struct buffer *buffer = &f->buffers.items[f->uses.items[call->in + i].buffer];
        uint32_t k = 0;
        if (buffer->node != NONE || buffer->writer == NONE || buffer->writer >= s->index)
            continue;
        while (k < s->writer_count && s->writers[k] != buffer->writer)
            k++;
        if (k < s->writer_count)
            continue;
        if (s->writer_count == WRITERS_MAX)
            return false;
        s->writers[s->writer_count++] = buffer->writer;
    }
    return true;
}

/* Whether this node comes from a library call and not from a kernel. */
static bool is_of_library(const struct finder *f, uint32_t node) {
    if (f->external[node])
        return true;
    uint32_t holder = f->holders[node], writer = holder == NONE ? NONE : f->buffers.items[holder].writer;
    return writer != NONE && f->calls.items[writer].library;
}

/* Marks the nodes that the writers could compute from their inputs. */
static void mark_region(struct share *s) {
    struct finder *f = s->f;
    const struct flow_graph *graph = &f->graphs->graphs[s->call->graph];
    for (uint32_t w = 0; w < s->writer_count; w++) {
        const struct call *writer = &f->calls.items[s->writers[w]];
        for (uint32_t i = 0; i < writer->ins; i++) {
            uint32_t node = f->buffers.items[f->uses.items[writer->in + i].buffer].node;
            if (node != NONE)
                f->may[node] = s->id;
        }
    }
    for (uint32_t n = graph->first; n < graph->first + graph->count; n++) {
        const struct flow_node *node = &f->graphs->nodes[n];
        bool all = node->kind == FLOW_INPUT ? node->scalar || node->constant : !is_of_library(f, n);
        if (!flow_spend(f, 1 + node->count))
            return;
        for (uint32_t a = node->first; all && a < node->first + node->count; a++)
            all = f->may[f->graphs->args[a].node] == s->id || f->graphs->nodes[f->graphs->args[a].node].scalar;
        if (all)
            f->may[n] = s->id;
    }
}

/* Marks the nodes that the writers certainly compute, because they precede nodes known to be theirs. */
static void mark_sure(struct share *s) {
    struct finder *f = s->f;
    for (uint32_t w = 0; w < s->writer_count; w++) {
        const struct call *writer = &f->calls.items[s->writers[w]];
        if (writer->library || writer->opaque || !flow_mark_inputs(f, writer) ||
            !flow_collect(f, writer, s->writers[w], NONE))
            continue;
        for (uint32_t i = 0; i < f->found_count; i++)
            f->sure[f->found[i]] = s->id;
    }
}

static bool is_certain(const struct share *s, uint32_t node) {
    return s->f->own[node] == s->id || s->f->may[node] != s->id;
}

/* Whether the call gets the node from another call. `fails`: it cannot. */
static bool is_handed(struct share *s, const struct flow_node *reader, bool certain, uint32_t arg, bool *fails) {
    struct finder *f = s->f;
    uint32_t node = flow_strip(f->graphs, arg), holder = f->holders[node];
    const struct flow_node *from = &f->graphs->nodes[node];
    if (f->mark[arg] == f->stamp || f->mark[node] == f->stamp || from->scalar || from->constant ||
        slice_starts(from->op, SLICE("aten.sym_")) || f->cut[node] == s->id)
        return true;
    if (f->may[node] == s->id && f->sure[node] == s->id && flow_is_reduction(from->op))
        return true;
    if (from->kind != FLOW_INPUT && !f->external[node] &&
        (holder == NONE || f->buffers.items[holder].writer >= s->index))
        return false;
    /* a value that a writer reads, or that is already in memory, can only get here through another value */
    if (f->may[node] != s->id)
        *fails = true;
    s->contradicted |= certain && reader->kind != FLOW_VIEW;
    return true;
}

static bool walk(struct share *s) {
    struct finder *f = s->f;
    uint32_t count = 0;
    bool fails = false;
    flow_mark_inputs(f, s->call);
    f->found_count = 0;
    s->contradicted = false;
    for (uint32_t i = 0; i < s->call->outs; i++) {
        uint32_t node = f->buffers.items[f->uses.items[s->call->out + i].buffer].node;
        if ((s->only != NONE && s->only != i) || node == NONE || f->seen[node] == f->stamp || f->mark[node] == f->stamp)
            continue;
        f->seen[node] = f->stamp;
        f->own[node] = s->id;
        f->stack[count++] = node;
    }
    while (count && !fails) {
        uint32_t n = f->stack[--count];
        const struct flow_node *node = &f->graphs->nodes[n];
        bool certain = is_certain(s, n), copy = flow_ignores_operand(f->graphs, node);
        f->found[f->found_count++] = n;
        if (!flow_spend(f, 1 + node->count))
            return false;
        for (uint32_t a = node->first; a < node->first + node->count; a++) {
            uint32_t arg = f->graphs->args[a].node, base = flow_strip(f->graphs, arg);
            if (f->seen[arg] == f->stamp || (copy && f->graphs->args[a].place == 0) ||
                is_handed(s, node, certain, arg, &fails))
                continue;
            bool here = s->inlined && f->readers[base] == 1 && f->holders[base] == NONE &&
                        !flow_is_reduction(f->graphs->nodes[base].op);
            if (certain && (here || (arg != base && f->may[base] != s->id)))
                f->own[arg] = f->own[base] = s->id;
            f->seen[arg] = f->stamp;
            f->stack[count++] = arg;
        }
    }
    return !fails;
}

/* Decides by the functions in the kernels' code. Returns whether that decided anything. */
static bool weigh(struct share *s) {
    struct finder *f = s->f;
    const struct scanned_kernel *kernel = &f->scan->items[s->call->kernel];
    uint32_t certain[FAMILIES] = {0}, others[FAMILIES] = {0};
    bool changed = false;
    for (uint32_t i = 0; i < f->found_count; i++) {
        enum function_family family = function_family_of(f->graphs->nodes[f->found[i]].op);
        if (family != FAMILIES)
            (is_certain(s, f->found[i]) ? certain : others)[family]++;
    }
    for (uint32_t i = 0; i < f->found_count && kernel->written; i++) {
        uint32_t n = f->found[i];
        enum function_family family = function_family_of(f->graphs->nodes[n].op);
        if (family == FAMILIES || is_certain(s, n))
            continue;
        bool called = kernel->functions & 1u << family;
        if (!called)
            f->cut[n] = s->id;
        else if (!certain[family] && others[family] == 1)
            f->own[n] = s->id;
        else
            continue;
        changed = true;
    }
    return changed;
}

/* The number of found nodes of the family, and the last one. Other nodes that code generation may write as such a
 * function count, too: a power may become a root. */
static uint32_t nodes_of(const struct finder *f, enum function_family family, uint32_t *last) {
    const struct slice power = SLICE("pow");
    uint32_t count = 0;
    *last = NONE;
    for (uint32_t i = 0; i < f->found_count; i++) {
        struct slice op = f->graphs->nodes[f->found[i]].op;
        if (function_family_of(op) == family || (family == FAMILY_SQRT && flow_is_aten(op, &power, 1))) {
            *last = f->found[i];
            count++;
        }
    }
    return count;
}

/* If loops for only one result call a function, then a node that this result depends on is of the function's family. If
 * only one node remains, the kernel computes it. */
static bool weigh_results(struct share *s) {
    struct finder *f = s->f;
    const struct scanned_kernel *kernel = &f->scan->items[s->call->kernel];
    bool changed = false;
    for (uint32_t i = 0; i < s->call->outs && kernel->own_functions; i++) {
        uint32_t place = f->uses.items[s->call->out + i].place;
        uint32_t called = place < kernel->params.len ? kernel->own_functions[place] : 0;
        s->only = i;
        if (!called || !walk(s) || s->contradicted)
            continue;
        for (uint32_t family = 0; family < FAMILIES; family++) {
            uint32_t found;
            bool calls = called >> family & 1;
            if (!calls || nodes_of(f, (enum function_family)family, &found) != 1 || is_certain(s, found))
                continue;
            f->own[found] = s->id;
            changed = true;
        }
    }
    s->only = NONE;
    return changed;
}

/* Nodes that depend on a certain node, on the way to a result, are certain, too. */
static void spread(struct share *s) {
    struct finder *f = s->f;
    const struct flow_graph *graph = &f->graphs->graphs[s->call->graph];
    for (uint32_t n = graph->first; n < graph->first + graph->count; n++) {
        const struct flow_node *node = &f->graphs->nodes[n];
        if (f->seen[n] != f->stamp || is_certain(s, n) || !flow_spend(f, 1 + node->count))
            continue;
        for (uint32_t a = node->first; a < node->first + node->count; a++)
            if (f->own[f->graphs->args[a].node] == s->id && f->seen[f->graphs->args[a].node] == f->stamp)
                f->own[n] = s->id;
    }
}

static bool settle(struct share *s) {
    for (int round = 0; round < ROUNDS_MAX; round++) {
        if (!walk(s))
            return false;
        if (s->contradicted) {
            if (!s->inlined)
                return false;
            s->inlined = false;
            s->id = ++s->f->stamp;
            mark_region(s);
            mark_sure(s);
            continue;
        }
        if (weigh(s)) {
            spread(s);
            continue;
        }
        if (!weigh_results(s))
            return walk(s);
    }
    return true;
}

/* If the kernel's code shows that it does not compute a value, the writer of the value computes it. */
static void give_writer(struct share *s, flow_found found, void *to) {
    struct finder *f = s->f;
    const struct flow_graph *graph = &f->graphs->graphs[s->call->graph];
    const struct call *writer = &f->calls.items[s->writers[0]];
    if (s->writer_count != 1 || writer->library || writer->opaque)
        return;
    for (uint32_t n = graph->first; n < graph->first + graph->count; n++) {
        if (f->cut[n] != s->id || !flow_mark_inputs(f, writer) || !flow_collect(f, writer, s->writers[0], n))
            continue;
        for (uint32_t i = 0; i < f->found_count; i++)
            found(to, s->writers[0], f->found[i], false);
    }
}

bool flow_share(struct finder *f, uint32_t index, flow_found found, void *to) {
    struct share s =
        {.f = f, .call = &f->calls.items[index], .index = index, .id = ++f->stamp, .only = NONE, .inlined = true};
    if (!find_writers(&s, s.call))
        return false;
    for (uint32_t w = 0; w < s.writer_count; w++) /* grows in the loop */
        if (!find_writers(&s, &f->calls.items[s.writers[w]]))
            return false;
    mark_region(&s);
    mark_sure(&s);
    if (!settle(&s) || !f->work)
        return false;
    for (uint32_t i = 0; i < f->found_count; i++) {
        bool perhaps = !is_certain(&s, f->found[i]);
        found(to, index, f->found[i], perhaps);
        for (uint32_t w = 0; perhaps && w < s.writer_count; w++)
            if (!f->calls.items[s.writers[w]].library)
                found(to, s.writers[w], f->found[i], true);
    }
    give_writer(&s, found, to);
    return true;
}

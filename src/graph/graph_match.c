#include "graph/graph_diff.h"

#include "base/search.h"
#include "base/word.h"

/* What nodes are matched by, from strict to lax. */
enum level {
    LEVEL_EXACT,      /* the same operations with the same constants from the same inputs */
    LEVEL_VALUE,      /* the same, but for sizes */
    LEVEL_LINE_EXACT, /* the same operator, constants and type of the result, from the same line of source */
    LEVEL_LINE,       /* the same, but for sizes */
    LEVEL_CALL_EXACT, /* as LEVEL_LINE_EXACT, from any line */
    LEVEL_CALL,
    LEVEL_TARGET,
    LEVELS,
};

enum {
    WINDOW = 1024,       /* nodes of a range without unique nodes that are matched at once */
    WORK_PER_NODE = 400, /* steps on all levels, before what is left stays unmatched */
};

struct side {
    const struct op_graph *graph;
    uint64_t *keys[LEVELS]; /* by node */
    uint64_t *nested;       /* by graph: a hash of its operations */
    struct map graphs;      /* names of nested graphs → index */
    bool numbered;          /* names of inputs only have numbers: those of AOTAutograd's graphs */
};

struct range {
    uint32_t a, a_end, b, b_end;
    enum level level;
};

struct unique {
    uint64_t key;
    uint32_t node;
};

struct anchor {
    uint32_t a, b;
};

struct matcher {
    struct side a, b;
    uint32_t *match_a, *match_b;
    LIST(struct range) ranges; /* to do */
    uint64_t work;             /* steps left */
};

static uint64_t mix(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static uint64_t mix_text(uint64_t hash, struct slice text) {
    for (size_t i = 0; i < text.len; i += 8) {
        uint64_t word = 0;
        memcpy(&word, text.ptr + i, text.len - i < 8 ? text.len - i : 8);
        hash = mix(hash, word);
    }
    return mix(hash, text.len);
}

/* "primals_7", "tangents_1", "arg0_1" */
static bool is_numbered(struct slice name) {
    static const struct slice heads[] = {SLICE_INIT("arg"), SLICE_INIT("primals_"), SLICE_INIT("tangents_")};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (slice_starts(name, heads[i]) && name.len > heads[i].len && is_digit(name.ptr[heads[i].len]))
            return true;
    return false;
}

/* A type without sizes. */
static uint64_t soft_type(struct slice type) {
    struct op_type parts = op_type_read(type);
    if (!parts.tensor)
        return slice_starts(type, SLICE("Sym(")) ? 1 : mix_text(2, type);
    uint64_t dims = parts.shape.len > 0;
    for (size_t i = 0; i < parts.shape.len; i++)
        dims += parts.shape.ptr[i] == ',';
    return mix(mix_text(3, parts.dtype), dims);
}

/* Whether the operand only has sizes: a symbol, or torch.Size([…]). */
static bool is_size(const struct op_node *node) {
    return op_is_symbol(node) || slice_is(node->target, "torch.Size");
}

/* The nested graph that an attribute is; MAP_NONE: it is something else. */
static uint32_t nested_of(const struct side *side, const struct op_node *node) {
    return node->kind == OP_ATTRIBUTE && side->graphs.count ? map_get(&side->graphs, node->target) : MAP_NONE;
}

static bool is_bracket(struct slice text) {
    return text.len == 1 && strchr("()[],-", text.ptr[0]);
}

/* Which numbers among arguments do not count: none; sizes, of which a list has any length, too; or all but the index of an item. */
enum ignored { IGNORE_NONE, IGNORE_SIZES, IGNORE_NUMBERS };

/* The hash of a node. operands: the keys of operands, by node; NULL: they do not count. */
static uint64_t call_key(const struct side *side, const struct op_node *node, const uint64_t *operands,
                         enum ignored ignored) {
    const struct op_graph *graph = side->graph;
    uint64_t hash = mix_text(node->kind, node->target);
    bool size = false;
    bool item = slice_is(node->target, "operator.getitem") || slice_is(node->target, "getattr");
    bool exact = ignored == IGNORE_NONE || item || (ignored == IGNORE_SIZES && !op_takes_sizes(node->target));
    for (uint32_t i = node->first; i < node->first + node->count; i++) {
        const struct op_token *token = &graph->tokens.items[i];
        bool sized = token->node != OP_NONE ? is_size(&graph->nodes.items[token->node]) : token->number && !exact;
        if (sized || (!exact && is_bracket(token->text))) {
            hash = sized && !size ? mix(hash, 5) : hash;
            size |= sized;
            continue;
        }
        size = false;
        hash = token->node == OP_NONE ? mix_text(hash, token->text) : mix(hash, operands ? operands[token->node] : 6);
    }
    return hash;
}

static uint64_t with_line(const struct op_graph *graph, const struct op_node *node, uint64_t hash) {
    const struct node_source *source = node->source == OP_NONE ? NULL : &graph->sources.items[node->source];
    return source ? mix_text(mix_text(hash, source->code), source->function) : hash;
}

/* Inputs are known by their names. Those whose names only have numbers, and attributes that are nested graphs, are matched in
 * other ways: `own` is a key that no other node has. */
static void make_input_keys(struct side *side, uint32_t i, uint64_t own) {
    const struct op_node *node = &side->graph->nodes.items[i];
    bool symbol = op_is_symbol(node);
    uint64_t named = mix_text(4, node->name), typed = mix(7, soft_type(node->type));
    for (int level = 0; level < LEVELS; level++)
        side->keys[level][i] = side->numbered ? own : symbol ? typed : named;
}

static void make_call_keys(struct side *side, uint32_t i, const uint64_t *exact, const uint64_t *soft) {
    const struct op_graph *graph = side->graph;
    const struct op_node *node = &graph->nodes.items[i];
    uint32_t nested = nested_of(side, node);
    if (nested != MAP_NONE) {
        for (int level = 0; level < LEVELS; level++)
            side->keys[level][i] = level < LEVEL_CALL ? side->nested[nested] : 8;
        return;
    }
    uint64_t call_exact = mix(call_key(side, node, NULL, IGNORE_NONE), soft_type(node->type)),
             sized = mix(call_key(side, node, NULL, IGNORE_SIZES), soft_type(node->type)),
             call = mix(call_key(side, node, NULL, IGNORE_NUMBERS), soft_type(node->type));
    side->keys[LEVEL_EXACT][i] = call_key(side, node, exact, IGNORE_NONE);
    side->keys[LEVEL_VALUE][i] = call_key(side, node, soft, IGNORE_SIZES);
    side->keys[LEVEL_LINE_EXACT][i] = with_line(graph, node, call_exact);
    side->keys[LEVEL_LINE][i] = with_line(graph, node, sized);
    side->keys[LEVEL_CALL_EXACT][i] = call_exact;
    side->keys[LEVEL_CALL][i] = call;
    side->keys[LEVEL_TARGET][i] = mix_text(mix(7, node->kind), node->target);
}

static void make_keys(struct side *side, uint64_t tag) {
    const struct op_graph *graph = side->graph;
    size_t count = graph->nodes.count + 1;
    uint64_t *exact = mem_alloc(count * sizeof *exact), *soft = mem_alloc(count * sizeof *soft); /* as operands */
    for (int level = 0; level < LEVELS; level++)
        side->keys[level] = mem_alloc(count * sizeof *side->keys[level]);
    for (uint32_t i = 0; i < graph->nodes.count; i++)
        side->numbered |= graph->nodes.items[i].kind == OP_INPUT && !graph->nodes.items[i].graph &&
                          is_numbered(graph->nodes.items[i].name);
    side->nested = mem_zalloc(graph->graphs.count + 1, sizeof *side->nested);
    for (uint32_t g = 1; g < graph->graphs.count; g++)
        map_put(&side->graphs, graph->graphs.items[g].name, g, NULL);
    for (uint32_t g = 1; g < graph->graphs.count; g++)
        for (uint32_t i = 0; i < graph->graphs.items[g].count; i++)
            side->nested[g] = mix(side->nested[g], call_key(side, &graph->nodes.items[graph->graphs.items[g].first + i],
                                                            NULL, IGNORE_SIZES));
    for (uint32_t i = 0; i < graph->nodes.count; i++) {
        const struct op_node *node = &graph->nodes.items[i];
        if (node->kind == OP_INPUT)
            make_input_keys(side, i, mix(mix(tag, 2), i));
        else
            make_call_keys(side, i, exact, soft);
        bool numbered = node->kind == OP_INPUT && side->numbered;
        exact[i] = numbered ? mix_text(9, node->type) : side->keys[LEVEL_EXACT][i];
        soft[i] = numbered ? mix(9, soft_type(node->type)) : side->keys[LEVEL_VALUE][i];
    }
    mem_free(exact);
    mem_free(soft);
}

static void match(struct matcher *m, uint32_t a, uint32_t b) {
    m->match_a[a] = b;
    m->match_b[b] = a;
}

/* Matches what is equal at both ends of the range, and takes it from the range. */
static void trim(struct matcher *m, struct range *range) {
    const uint64_t *a = m->a.keys[range->level], *b = m->b.keys[range->level];
    while (range->a < range->a_end && range->b < range->b_end && a[range->a] == b[range->b])
        match(m, range->a++, range->b++);
    while (range->a < range->a_end && range->b < range->b_end && a[range->a_end - 1] == b[range->b_end - 1])
        match(m, --range->a_end, --range->b_end);
}

static int by_key(const void *a, const void *b) {
    const struct unique *one = a, *other = b;
    if (one->key != other->key)
        return one->key < other->key ? -1 : 1;
    return one->node < other->node ? -1 : one->node > other->node;
}

/* Lists the nodes whose key no other of the range has, by key. */
static size_t list_unique(struct unique *list, const uint64_t *keys, uint32_t from, uint32_t end) {
    size_t count = 0, kept = 0;
    for (uint32_t i = from; i < end; i++)
        list[count++] = (struct unique){keys[i], i};
    qsort(list, count, sizeof *list, by_key);
    for (size_t i = 0; i < count; i++)
        if ((!i || list[i - 1].key != list[i].key) && (i + 1 == count || list[i + 1].key != list[i].key))
            list[kept++] = list[i];
    return kept;
}

static int by_place(const void *a, const void *b) {
    const struct anchor *one = a, *other = b;
    return one->a < other->a ? -1 : one->a > other->a;
}

/* Keeps the longest list of anchors, by a, that is in order in b, too. Returns its length. */
static size_t keep_ordered(struct anchor *anchors, size_t count) {
    size_t *ends = mem_alloc((count + 1) * sizeof *ends), *before = mem_alloc((count + 1) * sizeof *before), length = 0;
    for (size_t i = 0; i < count; i++) {
        size_t at = 0;
        SEARCH(at, length, middle, anchors[ends[middle]].b < anchors[i].b);
        before[i] = at ? ends[at - 1] : SIZE_MAX;
        ends[at] = i;
        length += at == length;
    }
    struct anchor *kept = mem_alloc((length + 1) * sizeof *kept);
    for (size_t i = length, from = length ? ends[length - 1] : 0; i > 0; from = before[from])
        kept[--i] = anchors[from];
    memcpy(anchors, kept, length * sizeof *kept);
    mem_free(kept);
    mem_free(before);
    mem_free(ends);
    return length;
}

/* Nodes that are unique in both parts of the range and in the same order. The caller frees them. */
static struct anchor *find_anchors(struct matcher *m, const struct range *range, size_t *count) {
    size_t na = range->a_end - range->a, nb = range->b_end - range->b, i = 0, j = 0;
    struct unique *a = mem_alloc((na + 1) * sizeof *a), *b = mem_alloc((nb + 1) * sizeof *b);
    struct anchor *anchors = mem_alloc(((na < nb ? na : nb) + 1) * sizeof *anchors);
    size_t a_count = list_unique(a, m->a.keys[range->level], range->a, range->a_end),
           b_count = list_unique(b, m->b.keys[range->level], range->b, range->b_end), found = 0;
    while (i < a_count && j < b_count) {
        if (a[i].key == b[j].key)
            anchors[found++] = (struct anchor){a[i++].node, b[j++].node};
        else if (a[i].key < b[j].key)
            i++;
        else
            j++;
    }
    qsort(anchors, found, sizeof *anchors, by_place);
    mem_free(a);
    mem_free(b);
    *count = keep_ordered(anchors, found);
    return anchors;
}

/* Matches as many nodes of the window as can be in order, a longest common subsequence, but only those before `a_stop`.
 * Returns what follows the last one in the range, or {0}. */
static struct anchor match_window(struct matcher *m, const struct range *window, uint32_t a_stop, uint32_t *most) {
    size_t na = window->a_end - window->a, nb = window->b_end - window->b, width = nb + 1;
    const uint64_t *a = m->a.keys[window->level] + window->a, *b = m->b.keys[window->level] + window->b;
    struct anchor next = {0};
    memset(most, 0, (na + 1) * width * sizeof *most);
    for (size_t i = na; i-- > 0;)
        for (size_t j = nb; j-- > 0;) {
            uint32_t below = most[(i + 1) * width + j], right = most[i * width + j + 1];
            most[i * width + j] = a[i] == b[j] ? most[(i + 1) * width + j + 1] + 1 : below > right ? below : right;
        }
    for (size_t i = 0, j = 0; i < na && j < nb && window->a + i < a_stop;) {
        if (a[i] == b[j]) {
            match(m, window->a + (uint32_t)i++, window->b + (uint32_t)j++);
            next = (struct anchor){window->a + (uint32_t)i, window->b + (uint32_t)j};
            continue;
        }
        bool down = most[(i + 1) * width + j] >= most[i * width + j + 1];
        i += down;
        j += !down;
    }
    return next;
}

/* Matches many nodes of a range in order: of a large one in windows, of which only the first half counts. */
static void match_most(struct matcher *m, const struct range *range) {
    struct range left = *range;
    size_t na = left.a_end - left.a < WINDOW ? left.a_end - left.a : WINDOW,
           nb = left.b_end - left.b < WINDOW ? left.b_end - left.b : WINDOW;
    uint32_t *most = mem_alloc((na + 1) * (nb + 1) * sizeof *most);
    while (left.a < left.a_end && left.b < left.b_end) {
        struct range window = left;
        window.a_end = left.a_end - left.a > WINDOW ? left.a + WINDOW : left.a_end;
        window.b_end = left.b_end - left.b > WINDOW ? left.b + WINDOW : left.b_end;
        uint64_t cells = (uint64_t)(window.a_end - window.a) * (window.b_end - window.b);
        bool last = window.a_end == left.a_end && window.b_end == left.b_end;
        if (m->work < cells / 8)
            break;
        m->work -= cells / 8;
        struct anchor next = match_window(m, &window, last ? left.a_end : left.a + WINDOW / 2, most);
        if (last)
            break;
        left.a = next.a > left.a ? next.a : left.a + WINDOW / 2;
        left.b = next.b > left.b ? next.b : left.b + WINDOW / 2;
    }
    mem_free(most);
}

/* Matches what is between the matched nodes of the range on the next level. */
static void split_at_matches(struct matcher *m, const struct range *range) {
    uint32_t a = range->a, b = range->b;
    for (uint32_t i = range->a; i <= range->a_end; i++) {
        bool last = i == range->a_end;
        if (!last && m->match_a[i] == OP_NONE)
            continue;
        uint32_t b_end = last ? range->b_end : m->match_a[i];
        if (a < i && b < b_end)
            LIST_ADD(&m->ranges, (struct range){a, i, b, b_end, range->level + 1});
        a = i + 1;
        b = b_end + 1;
    }
}

static void match_range(struct matcher *m, struct range range) {
    size_t count = 0;
    trim(m, &range);
    uint64_t size = (uint64_t)(range.a_end - range.a) + (range.b_end - range.b);
    if (range.a < range.a_end && range.b < range.b_end && m->work > size) {
        m->work -= size;
        struct anchor *anchors = find_anchors(m, &range, &count);
        for (size_t i = 0; i <= count && count; i++) {
            uint32_t a = i ? anchors[i - 1].a + 1 : range.a, b = i ? anchors[i - 1].b + 1 : range.b,
                     a_end = i < count ? anchors[i].a : range.a_end, b_end = i < count ? anchors[i].b : range.b_end;
            if (i < count)
                match(m, anchors[i].a, anchors[i].b);
            if (a < a_end && b < b_end)
                LIST_ADD(&m->ranges, (struct range){a, a_end, b, b_end, range.level});
        }
        mem_free(anchors);
        if (!count) {
            match_most(m, &range);
            if (range.level + 1 < LEVEL_TARGET) /* match_targets() */
                split_at_matches(m, &range);
        }
    }
}

/* Lists unmatched nodes of a graph by their key; with `unique` only those whose key no other of them has. */
static size_t list_left(struct unique *list, const struct op_nested *graph, const uint32_t *match, const uint64_t *keys,
                        bool unique) {
    size_t count = 0, kept = 0;
    for (uint32_t i = graph->first; i < graph->first + graph->count; i++)
        if (match[i] == OP_NONE)
            list[count++] = (struct unique){keys[i], i};
    qsort(list, count, sizeof *list, by_key);
    for (size_t i = 0; unique && i < count; i++)
        if ((!i || list[i - 1].key != list[i].key) && (i + 1 == count || list[i + 1].key != list[i].key))
            list[kept++] = list[i];
    return unique ? kept : count;
}

/* Matches nodes that have changed places: those left that compute the same from the same inputs or, if there is only one of
 * each, from the same line. */
static void match_moved(struct matcher *m, const struct op_nested *a, const struct op_nested *b, bool *moved) {
    static const enum level levels[] = {LEVEL_EXACT, LEVEL_VALUE, LEVEL_LINE_EXACT};
    struct unique *ones = mem_alloc((a->count + 1) * sizeof *ones),
                  *others = mem_alloc((b->count + 1) * sizeof *others);
    for (size_t l = 0; l < sizeof levels / sizeof *levels; l++) {
        bool unique = levels[l] == LEVEL_LINE_EXACT;
        size_t a_count = list_left(ones, a, m->match_a, m->a.keys[levels[l]], unique),
               b_count = list_left(others, b, m->match_b, m->b.keys[levels[l]], unique);
        for (size_t i = 0, j = 0; i < a_count && j < b_count;) {
            if (ones[i].key == others[j].key) {
                moved[others[j].node] = true;
                match(m, ones[i++].node, others[j++].node);
            } else if (ones[i].key < others[j].key) {
                i++;
            } else {
                j++;
            }
        }
    }
    mem_free(ones);
    mem_free(others);
}

/* Whether two inputs whose names say nothing may be the same one. */
static bool may_be(const struct op_node *a, const struct op_node *b, bool exact) {
    return exact ? slice_eq(a->type, b->type) : soft_type(a->type) == soft_type(b->type);
}

/* Matches inputs that are left and that matched nodes read in the same place. */
static void match_read(struct matcher *m, const struct op_nested *graph, bool exact) {
    const struct op_graph *a = m->a.graph, *b = m->b.graph;
    for (uint32_t i = graph->first; i < graph->first + graph->count; i++) {
        const struct op_node *one = &a->nodes.items[i];
        const struct op_node *other = m->match_a[i] == OP_NONE ? NULL : &b->nodes.items[m->match_a[i]];
        for (uint32_t t = 0; other && one->kind != OP_OUTPUT && one->count == other->count && t < one->count; t++) {
            uint32_t input = a->tokens.items[one->first + t].node, input_b = b->tokens.items[other->first + t].node;
            if (input != OP_NONE && input_b != OP_NONE && m->match_a[input] == OP_NONE &&
                m->match_b[input_b] == OP_NONE && a->nodes.items[input].kind == OP_INPUT &&
                b->nodes.items[input_b].kind == OP_INPUT &&
                may_be(&a->nodes.items[input], &b->nodes.items[input_b], exact))
                match(m, input, input_b);
        }
    }
}

/* Matches inputs that are left by their types, in order. */
static void match_inputs(struct matcher *m, const struct op_nested *a, const struct op_nested *b) {
    uint32_t next = b->first;
    for (uint32_t i = a->first; i < a->first + a->count; i++) {
        const struct op_node *one = &m->a.graph->nodes.items[i];
        if (one->kind != OP_INPUT || m->match_a[i] != OP_NONE)
            continue;
        for (uint32_t j = next; j < b->first + b->count; j++) {
            const struct op_node *other = &m->b.graph->nodes.items[j];
            if (other->kind != OP_INPUT || m->match_b[j] != OP_NONE || !may_be(one, other, true))
                continue;
            match(m, i, j);
            next = j + 1;
            break;
        }
    }
}

/* Matches what is left between matched nodes that are in order by operators alone. */
static void match_targets(struct matcher *m, const struct op_nested *a, const struct op_nested *b, const bool *moved) {
    uint32_t from_a = a->first, from_b = b->first;
    for (uint32_t i = a->first; i < a->first + a->count; i++)
        if (m->match_a[i] != OP_NONE)
            m->a.keys[LEVEL_TARGET][i] = mix(mix(0xa, 1), i);
    for (uint32_t j = b->first; j < b->first + b->count; j++)
        if (m->match_b[j] != OP_NONE)
            m->b.keys[LEVEL_TARGET][j] = mix(mix(0xb, 1), j);
    for (uint32_t i = a->first; i <= a->first + a->count; i++) {
        bool last = i == a->first + a->count;
        uint32_t other = last ? b->first + b->count : m->match_a[i];
        if (!last && (other == OP_NONE || moved[other]))
            continue;
        if (from_a < i && from_b < other)
            LIST_ADD(&m->ranges, (struct range){from_a, i, from_b, other, LEVEL_TARGET});
        from_a = i + 1;
        from_b = other + 1;
    }
    while (m->ranges.count)
        match_range(m, m->ranges.items[--m->ranges.count]);
}

static void match_graph(struct matcher *m, const struct op_nested *a, const struct op_nested *b, bool *moved) {
    LIST_ADD(&m->ranges, (struct range){a->first, a->first + a->count, b->first, b->first + b->count, LEVEL_EXACT});
    while (m->ranges.count)
        match_range(m, m->ranges.items[--m->ranges.count]);
    match_moved(m, a, b, moved);
    match_targets(m, a, b, moved);
    if (!m->a.numbered && !m->b.numbered)
        return;
    match_read(m, a, true);
    match_read(m, a, false);
    match_inputs(m, a, b);
}

/* The nested graph of b that is the ith one of a: that of the attribute that matches its attribute or, if no attribute has it, the
 * one of that name. MAP_NONE: none. */
static uint32_t other_nested(const struct matcher *m, const uint32_t *attributes, uint32_t i) {
    uint32_t attribute = attributes[i];
    if (attribute == OP_NONE) { /* several may have the name */
        const struct op_graph *b = m->b.graph;
        struct slice name = m->a.graph->graphs.items[i].name;
        bool same = i < b->graphs.count && slice_eq(b->graphs.items[i].name, name);
        return same ? i : map_get(&m->b.graphs, name);
    }
    uint32_t other = m->match_a[attribute];
    return other == OP_NONE ? MAP_NONE : nested_of(&m->b, &m->b.graph->nodes.items[other]);
}

static void side_free(struct side *side) {
    for (int level = 0; level < LEVELS; level++)
        mem_free(side->keys[level]);
    mem_free(side->nested);
    map_free(&side->graphs);
}

void graph_match(const struct op_graph *a, const struct op_graph *b, uint32_t *match_a, uint32_t *match_b,
                 bool *moved) {
    struct matcher m = {.a = {.graph = a}, .b = {.graph = b}, .match_a = match_a, .match_b = match_b};
    uint32_t *attributes = mem_alloc((a->graphs.count + 1) * sizeof *attributes);
    bool *taken = mem_zalloc(b->graphs.count + 1, sizeof *taken);
    m.work = (uint64_t)WORK_PER_NODE * (a->nodes.count + b->nodes.count);
    for (size_t i = 0; i < a->nodes.count; i++)
        match_a[i] = OP_NONE;
    for (size_t i = 0; i < b->nodes.count; i++)
        match_b[i] = OP_NONE;
    make_keys(&m.a, 0xa);
    make_keys(&m.b, 0xb);
    for (size_t i = 0; i < a->graphs.count; i++)
        attributes[i] = OP_NONE;
    for (uint32_t i = 0; i < a->nodes.count; i++) {
        uint32_t nested = nested_of(&m.a, &a->nodes.items[i]);
        if (nested != MAP_NONE && attributes[nested] == OP_NONE)
            attributes[nested] = i;
    }
    /* The text has nested graphs after those that call them. */
    for (uint32_t i = 0; i < a->graphs.count && b->graphs.count; i++) {
        uint32_t place = i ? other_nested(&m, attributes, i) : 0;
        if (place == MAP_NONE || taken[place])
            continue;
        taken[place] = true;
        match_graph(&m, &a->graphs.items[i], &b->graphs.items[place], moved);
    }
    mem_free(m.ranges.items);
    mem_free(attributes);
    mem_free(taken);
    side_free(&m.a);
    side_free(&m.b);
}

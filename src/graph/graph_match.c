#include "graph/graph_diff.h"

#include "base/search.h"
#include "base/word.h"

/* What nodes are matched by, from strict to lax. */
enum level {
    LEVEL_VALUE, /* the same operations from the same inputs, but for sizes */
    LEVEL_LINE,  /* the same operator, arguments, inputs and attributes, from the same line of source */
    LEVEL_CALL,  /* the same operator and arguments, but for operands and sizes */
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

/* "primals_7" → "primals_"; empty unless the name only has the number of the input. */
static struct slice numbered_input(struct slice name) {
    static const struct slice heads[] = {SLICE_INIT("arg"), SLICE_INIT("primals_"), SLICE_INIT("tangents_")};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (slice_starts(name, heads[i]) && name.len > heads[i].len && is_digit(name.ptr[heads[i].len]))
            return heads[i];
    return (struct slice){0};
}

/* A type without sizes. */
static uint64_t soft_type(struct slice type) {
    struct op_type parts = op_type_read(type);
    if (!parts.tensor)
        return slice_starts(type, SLICE("Sym(")) ? 1 : mix_text(2, type);
    uint64_t hash = mix_text(3, parts.dtype);
    for (size_t i = 0; i < parts.shape.len; i++)
        hash += parts.shape.ptr[i] == ',';
    return mix(hash, parts.shape.len > 0);
}

/* Whether the operand only has sizes: a symbol, or torch.Size([…]). */
static bool is_size(const struct op_node *node) {
    return op_is_symbol(node) || slice_is(node->target, "torch.Size");
}

/* Inputs are known by their names or, if those are numbers, by their order among those with such a type. */
static uint64_t input_key(const struct op_node *node, struct map *ordinals) {
    struct slice head = numbered_input(node->name);
    if (!head.len)
        return mix_text(4, node->name);
    uint64_t type = soft_type(node->type), key = mix_text(type, head);
    bool added;
    uint32_t *ordinal = map_put(ordinals, slice_make((const char *)&key, sizeof key), 0, &added);
    return mix(key, ++*ordinal);
}

/* Which operands of a node count for its key. */
enum operands { NO_OPERANDS, HELD_OPERANDS, ALL_OPERANDS }; /* held: inputs and attributes, such as weights */

/* The hash of a node. `values`: the keys of operands that count, by node. */
static uint64_t call_key(const struct op_graph *graph, const struct op_node *node, enum operands which,
                         const uint64_t *values) {
    uint64_t hash = mix_text(node->kind, node->target);
    bool size = false;
    for (uint32_t i = node->first; i < node->first + node->count; i++) {
        const struct op_token *token = &graph->tokens.items[i];
        bool is_sized = token->number || (token->node != OP_NONE && is_size(&graph->nodes.items[token->node]));
        if (is_sized || slice_is(token->text, "-") || slice_is(token->text, ",") || slice_is(token->text, "(") ||
            slice_is(token->text, ")") || slice_is(token->text, "[") || slice_is(token->text, "]")) {
            hash = is_sized && !size ? mix(hash, 5) : hash; /* a list of sizes has any length */
            size |= is_sized;
            continue;
        }
        size = false;
        if (token->node == OP_NONE) {
            hash = mix_text(hash, token->text);
            continue;
        }
        enum op_kind kind = graph->nodes.items[token->node].kind;
        bool held = kind == OP_INPUT || kind == OP_ATTRIBUTE;
        hash = mix(hash, which == ALL_OPERANDS || (held && which == HELD_OPERANDS) ? values[token->node] : 6);
    }
    return hash;
}

static void make_keys(struct side *side) {
    const struct op_graph *graph = side->graph;
    AUTO_MAP ordinals = {0};
    uint32_t nested = 0;
    for (int level = 0; level < LEVELS; level++)
        side->keys[level] = mem_alloc((graph->nodes.count + 1) * sizeof *side->keys[level]);
    for (uint32_t i = 0; i < graph->nodes.count; i++) {
        const struct op_node *node = &graph->nodes.items[i];
        const struct node_source *source = node->source == OP_NONE ? NULL : &graph->sources.items[node->source];
        if (node->graph != nested)
            map_free(&ordinals);
        nested = node->graph;
        uint64_t *values = side->keys[LEVEL_VALUE], kind = mix(7, node->kind), typed = mix(kind, soft_type(node->type));
        if (node->kind == OP_INPUT) {
            values[i] = input_key(node, &ordinals);
            side->keys[LEVEL_LINE][i] = side->keys[LEVEL_CALL][i] = typed;
            side->keys[LEVEL_TARGET][i] = kind;
            continue;
        }
        uint64_t line = call_key(graph, node, HELD_OPERANDS, values);
        values[i] = call_key(graph, node, ALL_OPERANDS, values);
        side->keys[LEVEL_LINE][i] = source ? mix_text(mix_text(line, source->code), source->function) : line;
        side->keys[LEVEL_CALL][i] = call_key(graph, node, NO_OPERANDS, NULL);
        side->keys[LEVEL_TARGET][i] = mix_text(kind, node->target);
    }
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
            if (range.level + 1 < LEVELS)
                split_at_matches(m, &range);
        }
    }
}

/* Matches nodes that have changed places: those left that compute the same from the same inputs. */
static void match_moved(struct matcher *m, const struct op_nested *a, const struct op_nested *b, bool *moved) {
    struct unique *ones = mem_alloc((a->count + 1) * sizeof *ones),
                  *others = mem_alloc((b->count + 1) * sizeof *others);
    size_t a_count = 0, b_count = 0;
    for (uint32_t i = a->first; i < a->first + a->count; i++)
        if (m->match_a[i] == OP_NONE)
            ones[a_count++] = (struct unique){m->a.keys[LEVEL_VALUE][i], i};
    for (uint32_t i = b->first; i < b->first + b->count; i++)
        if (m->match_b[i] == OP_NONE)
            others[b_count++] = (struct unique){m->b.keys[LEVEL_VALUE][i], i};
    qsort(ones, a_count, sizeof *ones, by_key);
    qsort(others, b_count, sizeof *others, by_key);
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
    mem_free(ones);
    mem_free(others);
}

/* Matches inputs that are left and that matched nodes read in the same place: the names of saved values are numbers. */
static void match_read(struct matcher *m, const struct op_nested *graph) {
    const struct op_graph *a = m->a.graph, *b = m->b.graph;
    for (uint32_t i = graph->first; i < graph->first + graph->count; i++) {
        const struct op_node *one = &a->nodes.items[i];
        const struct op_node *other = m->match_a[i] == OP_NONE ? NULL : &b->nodes.items[m->match_a[i]];
        for (uint32_t t = 0; other && one->kind != OP_OUTPUT && one->count == other->count && t < one->count; t++) {
            uint32_t input = a->tokens.items[one->first + t].node, input_b = b->tokens.items[other->first + t].node;
            if (input != OP_NONE && input_b != OP_NONE && m->match_a[input] == OP_NONE &&
                m->match_b[input_b] == OP_NONE && a->nodes.items[input].kind == OP_INPUT &&
                m->a.keys[LEVEL_LINE][input] == m->b.keys[LEVEL_LINE][input_b])
                match(m, input, input_b);
        }
    }
}

void graph_match(const struct op_graph *a, const struct op_graph *b, uint32_t *match_a, uint32_t *match_b,
                 bool *moved) {
    struct matcher m = {.a = {.graph = a}, .b = {.graph = b}, .match_a = match_a, .match_b = match_b};
    AUTO_MAP names = {0};
    m.work = (uint64_t)WORK_PER_NODE * (a->nodes.count + b->nodes.count);
    for (size_t i = 0; i < a->nodes.count; i++)
        match_a[i] = OP_NONE;
    for (size_t i = 0; i < b->nodes.count; i++)
        match_b[i] = OP_NONE;
    make_keys(&m.a);
    make_keys(&m.b);
    for (uint32_t i = 1; i < b->graphs.count; i++)
        map_put(&names, b->graphs.items[i].name, i, NULL);
    for (uint32_t i = 0; i < a->graphs.count && b->graphs.count; i++) {
        const struct op_nested *one = &a->graphs.items[i];
        uint32_t place = i ? map_get(&names, one->name) : 0;
        if (place == MAP_NONE)
            continue;
        const struct op_nested *other = &b->graphs.items[place];
        LIST_ADD(&m.ranges, (struct range){one->first, one->first + one->count, other->first,
                                           other->first + other->count, LEVEL_VALUE});
        while (m.ranges.count)
            match_range(&m, m.ranges.items[--m.ranges.count]);
        match_moved(&m, one, other, moved);
        match_read(&m, one);
        map_put(&names, one->name, MAP_NONE, NULL);
    }
    mem_free(m.ranges.items);
    for (int level = 0; level < LEVELS; level++) {
        mem_free(m.a.keys[level]);
        mem_free(m.b.keys[level]);
    }
}

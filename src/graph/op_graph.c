#include "graph/op_graph.h"

#include "scan/fx_graph.h"

const char *op_kind_name(enum op_kind kind) {
    static const char *const names[OP_KINDS] = {"placeholder", "get_attr",    "call_function",
                                                "call_method", "call_module", "output"};
    return names[kind];
}

struct reader {
    struct op_graph *graph;
    struct slice text;
    struct map names;  /* in the current graph → its node */
    struct slice head; /* name of the enclosing class */
    struct node_source now;
    uint32_t source; /* `now` in the list; OP_NONE: not yet */
    bool aliased;    /* a name of the current graph is that of another one */
    bool unpacked;   /* the inputs of the current graph: once, so that no text makes it take quadratic time */
    bool unclosed;   /* the brackets of an output, which was searched to the end: the same */
};

static struct op_node *add_node(struct reader *r, enum op_kind kind, struct slice name) {
    struct op_graph *graph = r->graph;
    if (!graph->graphs.count)
        return NULL;
    if (graph->nodes.count == OP_NODES_MAX || graph->tokens.count >= OP_TOKENS_MAX) {
        graph->more++;
        return NULL;
    }
    uint32_t place = (uint32_t)graph->nodes.count;
    LIST_ADD(&graph->nodes, (struct op_node){.kind = kind,
                                             .name = name,
                                             .graph = (uint32_t)graph->graphs.count - 1,
                                             .first = (uint32_t)graph->tokens.count,
                                             .source = OP_NONE});
    graph->graphs.items[graph->graphs.count - 1].count++;
    return &graph->nodes.items[place];
}

/* Makes the latest node known by its name, to those below it. */
static void know(struct reader *r, struct slice name) {
    uint32_t place = (uint32_t)r->graph->nodes.count - 1;
    if (name.len)
        *map_put(&r->names, name, place, NULL) = place;
}

static void begin_graph(struct reader *r) {
    map_free(&r->names);
    LIST_ADD(&r->graph->graphs, (struct op_nested){.name = r->head, .first = (uint32_t)r->graph->nodes.count});
    r->now = (struct node_source){0};
    r->source = OP_NONE;
    r->aliased = r->unpacked = false;
}

static void note_source(struct reader *r, struct op_node *node) {
    if (!r->now.file.ptr)
        return;
    if (r->source == OP_NONE) {
        r->source = (uint32_t)r->graph->sources.count;
        LIST_ADD(&r->graph->sources, r->now);
    }
    node->source = r->source;
}

static size_t number_length(struct slice text) {
    size_t len = digits_length(text);
    while (len < text.len && (is_word(text.ptr[len]) || text.ptr[len] == '.' ||
                              (len && text.ptr[len - 1] == 'e' && (text.ptr[len] == '-' || text.ptr[len] == '+'))))
        len++;
    return len;
}

/* The length of the token at the start of the text, which begins with no space. */
static size_t token_length(struct slice text) {
    char c = text.ptr[0];
    return c == '"' || c == '\'' ? behind_string(text, 0)
         : is_digit(c)           ? number_length(text)
         : is_word(c)            ? word_length(text)
                                 : 1;
}

/* Whether the word that ends at `end` names an argument: "dim = 1". */
static bool names_argument(struct slice text, size_t end) {
    struct slice rest = slice_from(text, end);
    return slice_starts(rest, SLICE(" = ")) || (slice_starts(rest, SLICE("=")) && !slice_starts(rest, SLICE("==")));
}

/* Adds the tokens of the text to the latest node. `percent`: operands are "%x", as in a repr. Comments end with their line. */
static void add_tokens(struct reader *r, struct slice text, bool percent) {
    struct op_graph *graph = r->graph;
    for (size_t i = 0; i < text.len && graph->tokens.count < OP_TOKENS_MAX;) {
        char c = text.ptr[i];
        if (c == ' ' || c == '\n' || c == '\r' || c == '\t') {
            i++;
            continue;
        }
        if (c == '#') {
            size_t end = slice_find(slice_from(text, i), SLICE("\n"));
            i = end == SIZE_MAX ? text.len : i + end;
            continue;
        }
        struct op_token token = {.text = slice_first(slice_from(text, i), token_length(slice_from(text, i))),
                                 .node = OP_NONE,
                                 .number = is_digit(c)};
        bool before = i && text.ptr[i - 1] == '.', named = percent ? i && text.ptr[i - 1] == '%' : !before;
        if (is_word(c) && !token.number && named && (percent || !names_argument(text, i + token.text.len)))
            token.node = map_get(&r->names, token.text);
        i += token.text.len;
        if (percent && c == '%')
            continue;
        LIST_ADD(&graph->tokens, token);
        graph->nodes.items[graph->nodes.count - 1].count++;
    }
}

/* The length of a dotted name at the start of the text: "torch.ops.aten.mm.default". */
static size_t path_length(struct slice text) {
    size_t len = word_length(text);
    while (len && len + 1 < text.len && text.ptr[len] == '.' && is_word(text.ptr[len + 1]) &&
           !is_digit(text.ptr[len + 1]))
        len += 1 + word_length(slice_from(text, len + 1));
    return len;
}

/* The index behind the bracket that closes the one at `at`; SIZE_MAX: it is not closed. */
static size_t behind_bracket(struct slice text, size_t at) {
    size_t depth = 0;
    for (size_t i = at; i < text.len;) {
        char c = text.ptr[i];
        if (c == '"' || c == '\'') {
            i = behind_string(text, i);
            continue;
        }
        depth += c == '(' || c == '[' || c == '{';
        if ((c == ')' || c == ']' || c == '}') && --depth == 0)
            return i + 1;
        i++;
    }
    return SIZE_MAX;
}

static bool is_call(struct slice value, size_t open) {
    return open < value.len && value.ptr[open] == '(' && behind_bracket(value, open) == value.len;
}

static struct slice inside(struct slice value, size_t open) {
    return slice_make(value.ptr + open + 1, value.len - open - 2);
}

/* The function of Python's module `operator` for the first operator outside of brackets; empty: none. */
static struct slice operator_of(struct slice value) {
    static const struct {
        struct slice text, target;
    } operators[] = {
        {SLICE_INIT(" + "), SLICE_INIT("operator.add")},       {SLICE_INIT(" - "), SLICE_INIT("operator.sub")},
        {SLICE_INIT(" * "), SLICE_INIT("operator.mul")},       {SLICE_INIT(" / "), SLICE_INIT("operator.truediv")},
        {SLICE_INIT(" // "), SLICE_INIT("operator.floordiv")}, {SLICE_INIT(" % "), SLICE_INIT("operator.mod")},
        {SLICE_INIT(" ** "), SLICE_INIT("operator.pow")},      {SLICE_INIT(" @ "), SLICE_INIT("operator.matmul")},
        {SLICE_INIT(" << "), SLICE_INIT("operator.lshift")},   {SLICE_INIT(" >> "), SLICE_INIT("operator.rshift")},
        {SLICE_INIT(" & "), SLICE_INIT("operator.and_")},      {SLICE_INIT(" ^ "), SLICE_INIT("operator.xor")},
        {SLICE_INIT(" | "), SLICE_INIT("operator.or_")},       {SLICE_INIT(" < "), SLICE_INIT("operator.lt")},
        {SLICE_INIT(" > "), SLICE_INIT("operator.gt")},        {SLICE_INIT(" <= "), SLICE_INIT("operator.le")},
        {SLICE_INIT(" >= "), SLICE_INIT("operator.ge")},       {SLICE_INIT(" == "), SLICE_INIT("operator.eq")},
        {SLICE_INIT(" != "), SLICE_INIT("operator.ne")},
    };
    for (size_t i = 0; i < value.len;) {
        char c = value.ptr[i];
        if (c == '(' || c == '[' || c == '{' || c == '"' || c == '\'') {
            size_t end = c == '"' || c == '\'' ? behind_string(value, i) : behind_bracket(value, i);
            i = end == SIZE_MAX ? value.len : end;
            continue;
        }
        for (size_t o = 0; c == ' ' && o < sizeof operators / sizeof *operators; o++)
            if (slice_starts(slice_from(value, i), operators[o].text))
                return operators[o].target;
        i++;
    }
    return value.len && value.ptr[0] == '-' ? SLICE("operator.neg")
         : value.len && value.ptr[0] == '~' ? SLICE("operator.invert")
                                            : (struct slice){0};
}

/* 'self.fc.weight', or 'getattr(self.layers, "0").weight': sets the length of its text. What is between "self." and there
 * is its target. */
static struct slice module_path(struct slice value, size_t *length) {
    static const struct slice self = SLICE_INIT("self");
    bool wrapped = fx_is_module(value) && !slice_starts(value, self);
    *length = wrapped ? behind_bracket(value, 7) : path_length(value);
    if (*length == SIZE_MAX || (!wrapped && (!slice_starts(value, self) || *length <= self.len + 1)))
        return (struct slice){0};
    while (*length + 1 < value.len && value.ptr[*length] == '.' && is_word(value.ptr[*length + 1]))
        *length += 1 + word_length(slice_from(value, *length + 1));
    return wrapped ? slice_first(value, *length) : slice_make(value.ptr + 5, *length - 5);
}

/* Reads what the node computes: sets its kind, target and args. */
static void read_value(struct reader *r, struct op_node *node, struct slice value) {
    size_t length, path = path_length(value), first = word_length(value);
    struct slice module = module_path(value, &length);
    node->args = value;
    if (module.ptr && (length == value.len || is_call(value, length))) {
        node->kind = length == value.len ? OP_ATTRIBUTE : OP_MODULE;
        node->target = module;
        node->args = length == value.len ? (struct slice){0} : inside(value, length);
        return;
    }
    bool operand = first && map_get(&r->names, slice_first(value, first)) != MAP_NONE;
    if (operand && path > first && is_call(value, path)) { /* "x.view(…)" */
        size_t dot = slice_rfind_byte(slice_first(value, path), '.');
        node->kind = OP_METHOD;
        node->target = slice_make(value.ptr + dot + 1, path - dot - 1);
        return;
    }
    if (operand && path > first && path == value.len) {
        node->target = SLICE("getattr");
        return;
    }
    if (path && is_call(value, path) && !operand) {
        node->target = slice_first(value, path);
        node->args = inside(value, path);
        return;
    }
    node->target = operator_of(value);
    if (!node->target.len && operand && first < value.len && value.ptr[first] == '[')
        node->target = SLICE("operator.getitem");
}

/* Reads "call_function[target=aten.mm](args = (%x, %y), kwargs = {})". */
static void read_repr(struct op_node *node, struct slice right) {
    static const struct slice kinds[OP_KINDS] = {SLICE_INIT("placeholder["),   SLICE_INIT("get_attr["),
                                                 SLICE_INIT("call_function["), SLICE_INIT("call_method["),
                                                 SLICE_INIT("call_module["),   SLICE_INIT("output[")};
    for (int kind = 0; kind < OP_KINDS; kind++)
        if (slice_starts(right, kinds[kind]))
            node->kind = (enum op_kind)kind;
    struct slice target = slice_after(right, SLICE("[target="));
    node->target = slice_first(target, slice_find(target, SLICE("]")));
    size_t open = slice_find(right, SLICE("]("));
    node->args = open != SIZE_MAX && is_call(right, open + 1) ? inside(right, open + 1) : (struct slice){0};
}

static void add_input(struct reader *r, struct slice name, struct slice type) {
    uint32_t known = map_get(&r->names, name);
    if (known != MAP_NONE) { /* unpacked from a list whose inputs are declared */
        if (type.ptr)
            r->graph->nodes.items[known].type = type;
        return;
    }
    struct op_node *node = add_node(r, OP_INPUT, name);
    if (!node)
        return;
    node->target = name;
    node->type = type;
    know(r, name);
}

enum { LISTS_MAX = 256 };

/* Removes the parameters that are lists of inputs: `list` names them, `inputs` does not. */
static void drop_lists(struct reader *r, struct slice list, struct slice inputs) {
    struct op_graph *graph = r->graph;
    struct op_nested *nested = &graph->graphs.items[graph->graphs.count - 1];
    size_t kept = nested->first, untyped = 0;
    for (size_t i = nested->first; i < graph->nodes.count; i++) {
        if (graph->nodes.items[i].kind != OP_INPUT) /* whose operands are found by place */
            return;
        untyped += !graph->nodes.items[i].type.ptr;
    }
    if (r->aliased || untyped > LISTS_MAX) /* aliases are places, too; each untyped one is sought in the text */
        return;
    for (size_t i = nested->first; i < graph->nodes.count; i++) {
        const struct op_node node = graph->nodes.items[i];
        *map_put(&r->names, node.name, 0, NULL) = MAP_NONE;
        if (node.kind == OP_INPUT && !node.type.ptr && has_word(list, node.name) && !has_word(inputs, node.name))
            continue;
        *map_put(&r->names, node.name, 0, NULL) = (uint32_t)kept;
        graph->nodes.items[kept++] = node;
    }
    graph->nodes.count = kept;
    nested->count = (uint32_t)(kept - nested->first);
}

/* "a, b, = fx_pytree.tree_flatten_spec(lists)": the inputs of exported and joint graphs. */
static void unpack_inputs(struct reader *r, struct slice left, struct slice lists) {
    if (!r->unpacked)
        drop_lists(r, lists, left);
    r->unpacked = true;

    for (size_t i = 0; i < left.len;) {
        size_t length = word_length(slice_from(left, i));
        if (length)
            add_input(r, slice_make(left.ptr + i, length), (struct slice){0});
        i += length ? length : 1;
    }
}

/* Reads the name of the result of "x[0] = y;  setitem = x;  …" or 'x += y;  x_1: "f32[4]" = x;  …', and its type: nothing is
 * the result of the first statement. */
static void read_second(struct op_node *node, struct slice line) {
    size_t at = slice_find(line, SLICE(";"));
    struct slice rest = slice_trim(slice_from(line, at == SIZE_MAX ? line.len : at + 1));
    struct fx_item item;
    if (!fx_statement_read(rest, &item) || !item.name.len)
        return;
    struct slice value = slice_first(item.right, word_length(item.right));
    if (!value.len || slice_is(value, "None"))
        return;
    node->name = item.name;
    node->type = item.type;
}

/* "operator.iadd" for "x += y". */
static struct slice in_place_operator(struct slice left) {
    static const struct {
        struct slice end, target;
    } operators[] = {
        {SLICE_INIT(" **="), SLICE_INIT("operator.ipow")},    {SLICE_INIT(" //="), SLICE_INIT("operator.ifloordiv")},
        {SLICE_INIT(" <<="), SLICE_INIT("operator.ilshift")}, {SLICE_INIT(" >>="), SLICE_INIT("operator.irshift")},
        {SLICE_INIT(" +="), SLICE_INIT("operator.iadd")},     {SLICE_INIT(" -="), SLICE_INIT("operator.isub")},
        {SLICE_INIT(" *="), SLICE_INIT("operator.imul")},     {SLICE_INIT(" /="), SLICE_INIT("operator.itruediv")},
        {SLICE_INIT(" %="), SLICE_INIT("operator.imod")},     {SLICE_INIT(" @="), SLICE_INIT("operator.imatmul")},
        {SLICE_INIT(" &="), SLICE_INIT("operator.iand")},     {SLICE_INIT(" |="), SLICE_INIT("operator.ior")},
        {SLICE_INIT(" ^="), SLICE_INIT("operator.ixor")},     {SLICE_INIT("] ="), SLICE_INIT("operator.setitem")},
    };
    left = slice_trim(left);
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (slice_ends(left, operators[i].end))
            return operators[i].target;
    return (struct slice){0};
}

static void read_statement(struct reader *r, const struct fx_item *item) {
    struct slice value = fx_value(item->right),
                 left = slice_make(item->text.ptr, (size_t)(item->right.ptr - item->text.ptr));
    if (slice_starts(value, SLICE("fx_pytree.tree_flatten_spec("))) {
        if (r->graph->graphs.count)
            unpack_inputs(r, slice_first(left, slice_find(left, SLICE(" = "))), value);
        return;
    }
    if (item->name.len && word_length(value) == value.len) { /* another name, or "x = None" */
        uint32_t node = map_get(&r->names, value);
        if (node == MAP_NONE)
            return;
        *map_put(&r->names, item->name, node, NULL) = node;
        r->aliased = true;
        return;
    }
    struct op_node *node = add_node(r, OP_FUNCTION, item->name);
    if (!node)
        return;
    node->type = item->type;
    note_source(r, node);
    if (item->name.len) {
        read_value(r, node, value);
    } else {
        read_second(node, item->text);
        node->target = in_place_operator(left);
        node->args = slice_make(left.ptr, (size_t)(value.ptr + value.len - left.ptr));
    }
    add_tokens(r, node->args, false);
    know(r, r->graph->nodes.items[r->graph->nodes.count - 1].name);
}

static void read_node(struct reader *r, const struct fx_item *item) {
    struct op_node *node = add_node(r, OP_FUNCTION, item->name);
    if (!node)
        return;
    note_source(r, node);
    read_repr(node, item->right);
    if (node->kind == OP_INPUT)
        node->target = node->name;
    add_tokens(r, node->args, true);
    know(r, item->name);
}

/* The output may go over several lines. */
static void read_return(struct reader *r, const struct fx_item *item) {
    struct op_node *node = add_node(r, OP_OUTPUT, (struct slice){0});
    if (!node)
        return;
    struct slice rest = slice_make(item->right.ptr, (size_t)(r->text.ptr + r->text.len - item->right.ptr));
    size_t open = 0, line = item->right.len, end;
    while (open < line && rest.ptr[open] != '(' && rest.ptr[open] != '[' && rest.ptr[open] != '{')
        open++;
    end = open < line && !r->unclosed ? behind_bracket(rest, open) : line;
    r->unclosed |= end == SIZE_MAX;
    node->target = SLICE("output");
    node->args = slice_trim(slice_first(rest, end == SIZE_MAX || end < line ? line : end));
    add_tokens(r, node->args, item->text.len && item->text.ptr[0] == '%');
}

void op_graph_read(struct op_graph *graph, struct slice text) {
    struct reader r = {.graph = graph, .text = text, .source = OP_NONE};
    struct fx_reader reader = {.rest = text};
    struct fx_item item;
    while (fx_next(&reader, &item)) {
        switch (item.kind) {
        case FX_CLASS:
            r.head = item.name;
            break;
        case FX_FORWARD:
            begin_graph(&r);
            break;
        case FX_PARAMETER:
        case FX_INPUT:
            if (graph->graphs.count)
                add_input(&r, item.name, item.type);
            break;
        case FX_STATEMENT:
            read_statement(&r, &item);
            break;
        case FX_NODE:
            read_node(&r, &item);
            break;
        case FX_COMMENT:
            node_source_read(item.text, &r.now);
            r.source = OP_NONE;
            break;
        case FX_RETURN:
            read_return(&r, &item);
            break;
        }
    }
    map_free(&r.names);
}

void op_graph_free(struct op_graph *graph) {
    mem_free(graph->graphs.items);
    mem_free(graph->nodes.items);
    mem_free(graph->tokens.items);
    mem_free(graph->sources.items);
    *graph = (struct op_graph){0};
}

struct op_type op_type_read(struct slice type) {
    struct op_type parts = {0};
    size_t dtype = word_length(type), shape, strides;
    if (!dtype || dtype >= type.len || type.ptr[dtype] != '[' || (shape = behind_bracket(type, dtype)) == SIZE_MAX)
        return parts;
    parts.tensor = true;
    parts.dtype = slice_first(type, dtype);
    parts.shape = slice_make(type.ptr + dtype + 1, shape - dtype - 2);
    strides = shape < type.len && type.ptr[shape] == '[' ? behind_bracket(type, shape) : SIZE_MAX;
    if (strides == SIZE_MAX)
        return parts;
    parts.strides = slice_make(type.ptr + shape + 1, strides - shape - 2);
    parts.device = slice_from(type, strides);
    return parts;
}

bool op_is_symbol(const struct op_node *node) {
    return slice_starts(node->type, SLICE("Sym("));
}

bool op_takes_sizes(struct slice target) {
    static const struct slice words[] = {SLICE_INIT("view"),  SLICE_INIT("reshape"), SLICE_INIT("expand"),
                                         SLICE_INIT("zeros"), SLICE_INIT("ones"),    SLICE_INIT("empty"),
                                         SLICE_INIT("full"),  SLICE_INIT("arange"),  SLICE_INIT("iota"),
                                         SLICE_INIT("rand"),  SLICE_INIT("Size"),    SLICE_INIT("as_strided"),
                                         SLICE_INIT("new_"),  SLICE_INIT("flatten"), SLICE_INIT("repeat"),
                                         SLICE_INIT("split"), SLICE_INIT("narrow"),  SLICE_INIT("eye")};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (slice_find(target, words[i]) != SIZE_MAX)
            return true;
    return false;
}

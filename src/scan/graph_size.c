#include "scan/graph_size.h"

/* The parameter list after "def forward(", which may span several lines. */
struct parameters {
    unsigned depth; /* nesting of brackets; 0: no list is open */
    bool named;     /* there was a word since the last comma */
    bool self;      /* it was the first one, self */
    bool tangent;   /* it was a tangent */
    bool size;      /* its type is Sym(…) */
    uint32_t count, sizes;
};

static void end_parameter(struct parameters *list) {
    list->count += list->named && !list->self;
    list->sizes += list->size && !list->tangent;
    list->named = list->self = list->tangent = list->size = false;
}

static void read_parameters(struct parameters *list, struct slice line) {
    for (size_t i = 0; i < line.len && list->depth; i++) {
        char c = line.ptr[i];
        if (c == '#')
            return;
        if (c == '"' || c == '\'') {
            list->size |= list->depth == 1 && slice_starts(slice_from(line, i + 1), SLICE("Sym("));
            i = behind_string(line, i) - 1;
        } else if (c == '(' || c == '[' || c == '{') {
            list->depth++;
        } else if (c == ')' || c == ']' || c == '}') {
            if (--list->depth == 0)
                end_parameter(list);
        } else if (c == ',' && list->depth == 1) {
            end_parameter(list);
        } else if (is_word(c) && !list->named) {
            size_t len = word_length(slice_from(line, i));
            list->named = true;
            list->self = slice_eq(slice_first(slice_from(line, i), len), SLICE("self"));
            list->tangent = slice_starts(slice_from(line, i), SLICE("tangents_"));
            i += len - 1;
        }
    }
}

/* The start of the right side of the first assignment in the line, or SIZE_MAX. */
static size_t right_side(struct slice line) {
    unsigned depth = 0;
    for (size_t i = 0; i < line.len; i++) {
        char c = line.ptr[i];
        if (c == '"' || c == '\'')
            i = behind_string(line, i) - 1;
        else if (c == '(' || c == '[' || c == '{')
            depth++;
        else if ((c == ')' || c == ']' || c == '}') && depth)
            depth--;
        else if (c == '=' && !depth)
            return i + 1;
        else if (c == ';' || c == '#')
            return SIZE_MAX;
    }
    return SIZE_MAX;
}

static bool starts_with_word(struct slice line, struct slice word) {
    return slice_starts(line, word) && (line.len == word.len || !is_word(line.ptr[word.len]));
}

/* The first statement of the right side, up to ";" or a comment. */
static struct slice first_statement(struct slice right) {
    size_t i = 0;
    while (i < right.len && right.ptr[i] != ';' && right.ptr[i] != '#')
        i = right.ptr[i] == '"' || right.ptr[i] == '\'' ? behind_string(right, i) : i + 1;
    return slice_trim(slice_first(right, i));
}

static bool has_call(struct slice text) {
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] == '(' || text.ptr[i] == '[')
            return true;
    return false;
}

static uint32_t commas(struct slice text) {
    uint32_t count = 0;
    for (size_t i = 0; i < text.len; i++)
        count += text.ptr[i] == ',';
    return count;
}

static void add_inputs(struct graph_size *size, uint32_t count) {
    size->inputs += count;
    size->nodes += count;
}

/* Counts a line in the body of forward(). *head is the number of inputs in its parameter list. */
static void read_statement(struct graph_size *size, struct slice line, uint32_t *head) {
    size_t at = right_side(line), name = word_length(line);
    if (at == SIZE_MAX)
        return;
    struct slice right = first_statement(slice_from(line, at));
    if (slice_starts(
            right,
            SLICE("fx_pytree.tree_flatten_spec("))) { /* the inputs of a joint graph are unpacked from their lists */
        uint32_t inputs = commas(slice_first(line, at));
        add_inputs(size, inputs > *head ? inputs - *head : 0);
        *head = inputs;
        return;
    }
    bool named = name && name + 1 < line.len &&
                 (line.ptr[name] == ':' || line.ptr[name] == ' ' || line.ptr[name] == '=') &&
                 !(line.ptr[name] == ' ' && line.ptr[name + 1] != '='); /* otherwise it is "x += y" or "x[0] = y" */
    if (named && word_length(right) == right.len)
        return; /* another name for an input, or "x = None" */
    size->nodes++;
    size->ops += !(named && slice_starts(right, SLICE("self.")) && !has_call(right));
}

/* "%x : [num_users=1] = call_function[target=…](…)" */
static void read_repr(struct graph_size *size, struct slice line) {
    size_t at = right_side(line);
    if (at == SIZE_MAX)
        return;
    struct slice right = slice_trim(slice_from(line, at));
    size->nodes++;
    size->inputs += slice_starts(right, SLICE("placeholder["));
    size->ops += slice_starts(right, SLICE("call_"));
}

/* The outermost graph comes first. Only the calls of nested graphs are counted. */
static void end_graph(struct graph_size *whole, struct graph_size *one) {
    if (whole->graphs++ == 0) {
        whole->sizes = one->sizes;
        whole->inputs = one->inputs;
        whole->ops = one->ops;
        whole->nodes = one->nodes;
    } else {
        whole->inner_ops += one->ops;
    }
    *one = (struct graph_size){0};
}

struct graph_size graph_size_of(struct slice text) {
    static const struct slice head = SLICE_INIT("def forward(");
    struct graph_size whole = {0}, one = {0};
    struct parameters list = {0};
    struct slice line;
    uint32_t head_inputs = 0;
    bool body = false;
    while (slice_next_line(&text, &line)) {
        line = slice_trim(line);
        if (list.depth) {
            read_parameters(&list, line);
        } else if (slice_starts(line, head)) {
            if (body)
                end_graph(&whole, &one); /* the previous graph has no return */
            list = (struct parameters){.depth = 1};
            body = true;
            read_parameters(&list, slice_from(line, head.len));
        } else if (slice_starts(line, SLICE("graph():"))) {
            if (body)
                end_graph(&whole, &one);
            body = true;
        } else if (!body || !line.len || line.ptr[0] == '#' || starts_with_word(line, SLICE("with"))) {
            continue;
        } else if (starts_with_word(line, SLICE("class"))) {
            end_graph(&whole, &one);
            body = false;
        } else if (starts_with_word(line, SLICE("return"))) {
            one.nodes++;
            end_graph(&whole, &one);
            body = false;
        } else if (line.ptr[0] == '%') {
            read_repr(&one, line);
        } else {
            read_statement(&one, line, &head_inputs);
        }
        if (!list.depth && list.count) {
            add_inputs(&one, head_inputs = list.count);
            one.sizes += list.sizes;
            list.count = list.sizes = 0;
        }
    }
    if (body)
        end_graph(&whole, &one);
    return whole;
}

uint32_t instructions_count(struct slice listing) {
    uint32_t count = 0;
    struct slice line;
    while (slice_next_line(&listing, &line)) {
        /* "571  >>  620 LOAD_GLOBAL  17 (…)": the word after an offset is an opcode */
        bool number = false;
        if (starts_with_word(line, SLICE("ExceptionTable")))
            break;
        while ((line = slice_trim(line)).len) {
            size_t len = word_length(line);
            bool digit = line.ptr[0] >= '0' && line.ptr[0] <= '9';
            if (len && !digit) {
                count += number && line.ptr[0] >= 'A' && line.ptr[0] <= 'Z';
                break;
            }
            number |= len && digit;
            line = slice_from(line, len ? len : 1);
        }
    }
    return count;
}

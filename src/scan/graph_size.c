#include "scan/graph_size.h"

#include "scan/fx_graph.h"

static bool starts_with_word(struct slice line, struct slice word) {
    return slice_starts(line, word) && (line.len == word.len || !is_word(line.ptr[word.len]));
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

/* A parameter of forward(). Tangents are no sizes of inputs. */
static void read_parameter(struct graph_size *size, const struct fx_item *parameter, uint32_t *head) {
    add_inputs(size, 1);
    (*head)++;
    size->sizes += slice_starts(parameter->type, SLICE("Sym(")) && !slice_starts(parameter->name, SLICE("tangents_"));
}

/* Counts a statement of forward(). *head is the number of inputs in its parameter list. */
static void read_statement(struct graph_size *size, const struct fx_item *statement, uint32_t *head) {
    struct slice right = fx_value(statement->right);
    if (slice_starts(
            right,
            SLICE("fx_pytree.tree_flatten_spec("))) { /* the inputs of a joint graph are unpacked from their lists */
        uint32_t inputs = commas(slice_first(statement->text, (size_t)(statement->right.ptr - statement->text.ptr)));
        add_inputs(size, inputs > *head ? inputs - *head : 0);
        *head = inputs;
        return;
    }
    bool named = statement->name.len > 0;
    if (named && word_length(right) == right.len)
        return; /* another name for an input, or "x = None" */
    size->nodes++;
    size->ops += !(named && fx_is_attribute(right));
}

/* "call_function[target=…](…)" of a graph's repr */
static void read_node(struct graph_size *size, struct slice right) {
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
    struct graph_size whole = {0}, one = {0};
    struct fx_reader reader = {.rest = text};
    struct fx_item item;
    uint32_t head = 0;
    bool open = false;
    while (fx_next(&reader, &item)) {
        bool begins = item.kind == FX_FORWARD;
        one.nodes += item.kind == FX_RETURN;
        if (open && (begins || item.kind == FX_CLASS || item.kind == FX_RETURN)) /* without return: it is truncated */
            end_graph(&whole, &one);
        if (begins || item.kind == FX_CLASS || item.kind == FX_RETURN)
            open = begins;
        if (begins)
            head = 0;
        else if (item.kind == FX_PARAMETER)
            read_parameter(&one, &item, &head);
        else if (item.kind == FX_STATEMENT)
            read_statement(&one, &item, &head);
        else if (item.kind == FX_NODE)
            read_node(&one, item.right);
    }
    if (open)
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

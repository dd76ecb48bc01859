#include "answers/graph_answer.h"

#include "answers/table.h"
#include "base/jsonw.h"
#include "base/path.h"

enum { NAME_MIN = 24 }; /* columns of a name that is truncated */

/* Adds text on one line: comments and indentation of arguments that go over several lines are left out. */
static void add_line(struct buf *out, struct slice text) {
    struct slice line;
    bool first = true;
    while (slice_next_line(&text, &line)) {
        line = slice_trim(line);
        size_t comment = slice_find(line, SLICE("  # "));
        line = slice_trim(slice_first(line, comment));
        if (!first && line.len && out->len && !strchr("([{", out->ptr[out->len - 1]) && !strchr(")]}", line.ptr[0]))
            buf_add_byte(out, ' ');
        buf_add(out, line);
        first = false;
    }
}

/* Whether the arguments are what is between the brackets of a call; otherwise they are the whole expression. */
static bool has_brackets(const struct op_node *node) {
    bool of_repr = slice_starts(node->args, SLICE("args = "));
    return of_repr || node->kind == OP_MODULE ||
           (node->kind == OP_FUNCTION && !slice_starts(node->target, SLICE("operator.")) && node->target.len &&
            !slice_is(node->target, "getattr"));
}

/* What precedes a path of a module, unless it is 'getattr(self, "0").weight'. */
static struct slice owner_of(const struct op_node *node) {
    return slice_starts(node->target, SLICE("getattr(")) ? (struct slice){0} : SLICE("self.");
}

void graph_add_call(struct buf *out, const struct op_node *node) {
    if (node->kind == OP_INPUT) {
        buf_add_lit(out, "input");
    } else if (node->kind == OP_ATTRIBUTE) {
        BUF_ADD(out, owner_of(node), node->target);
    } else if (node->kind == OP_OUTPUT) {
        buf_add_lit(out, "return ");
        add_line(out, node->args);
    } else if (has_brackets(node)) {
        BUF_ADD(out, node->kind == OP_MODULE ? owner_of(node) : (struct slice){0}, node->target, "(");
        add_line(out, node->args);
        buf_add_lit(out, ")");
    } else {
        add_line(out, node->args);
    }
}

void graph_add_place(struct buf *out, const struct op_graph *graph, const struct op_node *node) {
    if (node->source == OP_NONE)
        return;
    const struct node_source *source = &graph->sources.items[node->source];
    size_t slash = slice_rfind_byte(source->file, '/');
    BUF_ADD(out, slash == SIZE_MAX ? source->file : slice_from(source->file, slash + 1), ":", (uint64_t)source->line);
}

uint64_t graph_ops(const struct op_graph *graph) {
    uint64_t ops = 0;
    for (size_t i = 0; i < graph->nodes.count; i++) {
        enum op_kind kind = graph->nodes.items[i].kind;
        ops += kind == OP_FUNCTION || kind == OP_METHOD || kind == OP_MODULE;
    }
    return ops;
}

/* Adds "f32[8, s0]" or another type as it is. */
static void add_type(struct buf *out, const struct op_node *node) {
    const struct op_type type = op_type_read(node->type);
    if (type.tensor)
        BUF_ADD(out, type.dtype, "[", type.shape, "]");
    else
        buf_add(out, node->type);
}

struct graph_module graph_module_of(const struct op_graph *graph, const struct op_node *node,
                                    const struct graph_subject *subject) {
    struct slice nested = node->graph ? graph->graphs.items[node->graph].name : (struct slice){0};
    return graph_modules_find(&subject->modules, nested, node->name);
}

static bool any_inexact(const struct graph_modules *modules) {
    for (size_t i = 0; i < modules->list.count; i++)
        if (!modules->list.items[i].exact)
            return true;
    return false;
}

void graph_add_table(struct term *term, const struct op_graph *graph, const struct graph_subject *subject) {
    AUTO_BUF text = {0};
    term_add(term, TERM_BOLD, subject->compile);
    BUF_ADD(&text, "  ", subject->artifact, "  ");
    unit_add_plural(&text, graph_ops(graph), "op", NULL);
    term_add(term, TERM_DIM, buf_slice(&text));
    term_newline(term);
    for (size_t g = 0; g < graph->graphs.count; g++) {
        const struct op_nested *nested = &graph->graphs.items[g];
        struct table table;
        bool modules = subject->modules.list.count > 0;
        table_init(&table, modules ? "bblll" : "bbll");
        table.cut_min = NAME_MIN;
        static const char *const heads[] = {"name", "value", "type", "place", "module"};
        for (size_t i = 0; i < sizeof heads / sizeof *heads - !modules; i++)
            table_cell_str(&table, TERM_DIM, heads[i]);
        for (uint32_t i = nested->first; i < nested->first + nested->count; i++) {
            const struct op_node *node = &graph->nodes.items[i];
            table_cell(&table, TERM_PLAIN, node->name);
            text.len = 0;
            graph_add_call(&text, node);
            table_cell(&table, TERM_CODE, buf_slice(&text));
            text.len = 0;
            add_type(&text, node);
            table_cell(&table, TERM_DIM, buf_slice(&text));
            text.len = 0;
            graph_add_place(&text, graph, node);
            table_cell(&table, TERM_DIM, buf_slice(&text));
            if (!modules)
                continue;
            struct graph_module module = graph_module_of(graph, node, subject);
            text.len = 0;
            graph_module_add(&text, &module, true);
            if (text.len && !module.exact)
                buf_add_lit(&text, " *");
            table_cell(&table, TERM_DIM, buf_slice(&text));
        }
        if (g) {
            term_newline(term);
            term_add(term, TERM_BOLD, nested->name);
            term_newline(term);
        }
        table_add_text(&table, term, 2);
        table_finish(&table);
    }
    if (any_inexact(&subject->modules)) {
        term_newline(term);
        term_prose(term, TERM_DIM, SLICE("* in this module or in one below it"), (struct term_box){.indent = 2});
    }
}

/* Adds a cell in quotes if it needs them. */
static void add_cell(struct buf *out, struct slice text, bool last) {
    bool quoted = false;
    for (size_t i = 0; i < text.len && !quoted; i++)
        quoted = strchr(",\"\r\n", text.ptr[i]) != NULL;
    if (!quoted) {
        buf_add(out, text);
    } else {
        buf_add_byte(out, '"');
        for (size_t i = 0; i < text.len; i++) {
            if (text.ptr[i] == '"')
                buf_add_byte(out, '"');
            buf_add_byte(out, text.ptr[i]);
        }
        buf_add_byte(out, '"');
    }
    buf_add_str(out, last ? "\r\n" : ",");
}

static void add_operands(struct buf *out, const struct op_graph *graph, const struct op_node *node) {
    for (uint32_t i = node->first; i < node->first + node->count; i++) {
        uint32_t operand = graph->tokens.items[i].node;
        if (operand == OP_NONE)
            continue;
        if (out->len)
            buf_add_byte(out, ' ');
        buf_add(out, graph->nodes.items[operand].name);
    }
}

void graph_add_csv(struct buf *out, const struct op_graph *graph, const struct graph_subject *subject) {
    AUTO_BUF operands = {0}, args = {0}, name = {0};
    buf_add_lit(
        out, "graph,name,op,target,operands,args,dtype,shape,strides,device,file,line,function,code,module,exact\r\n");
    for (size_t i = 0; i < graph->nodes.count; i++) {
        const struct op_node *node = &graph->nodes.items[i];
        const struct node_source *source = node->source == OP_NONE ? NULL : &graph->sources.items[node->source];
        const struct op_type type = op_type_read(node->type);
        char line[24] = "";
        if (source)
            snprintf(line, sizeof line, "%" PRIu32, source->line);
        operands.len = args.len = 0;
        add_operands(&operands, graph, node);
        add_line(&args, node->args);
        add_cell(out, node->graph ? graph->graphs.items[node->graph].name : (struct slice){0}, false);
        add_cell(out, node->name, false);
        add_cell(out, slice_str(op_kind_name(node->kind)), false);
        add_cell(out, node->target, false);
        add_cell(out, buf_slice(&operands), false);
        add_cell(out, buf_slice(&args), false);
        add_cell(out, type.dtype, false);
        add_cell(out, type.shape, false);
        add_cell(out, type.strides, false);
        add_cell(out, type.device, false);
        add_cell(out, source ? source->file : (struct slice){0}, false);
        add_cell(out, slice_str(line), false);
        add_cell(out, source ? source->function : (struct slice){0}, false);
        add_cell(out, source ? source->code : (struct slice){0}, false);
        struct graph_module module = graph_module_of(graph, node, subject);
        name.len = 0;
        graph_module_add(&name, &module, false);
        add_cell(out, buf_slice(&name), false);
        add_cell(out, !name.len ? SLICE("") : module.exact ? SLICE("true") : SLICE("false"), true);
    }
}

/* Adds text for the inside of a string of DOT. */
static void add_dot_text(struct buf *out, struct slice text) {
    AUTO_BUF plain = {0};
    printable_add(&plain, text, 80);
    for (size_t i = 0; i < plain.len; i++) {
        if (plain.ptr[i] == '"' || plain.ptr[i] == '\\')
            buf_add_byte(out, '\\');
        buf_add_byte(out, plain.ptr[i]);
    }
}

static void add_dot_node(struct buf *out, const struct op_graph *graph, uint32_t index) {
    const struct op_node *node = &graph->nodes.items[index];
    const struct op_type type = op_type_read(node->type);
    BUF_ADD(out, "    n", (uint64_t)index, " [label=\"");
    add_dot_text(out, node->kind == OP_OUTPUT ? SLICE("output") : node->name);
    if (node->kind != OP_INPUT && node->kind != OP_OUTPUT) {
        buf_add_lit(out, "\\n");
        add_dot_text(out, node->target);
    }
    if (type.tensor) {
        buf_add_lit(out, "\\n");
        add_dot_text(out, type.dtype);
        buf_add_lit(out, "[");
        add_dot_text(out, type.shape);
        buf_add_lit(out, "]");
    }
    buf_add_str(out, node->kind == OP_INPUT || node->kind == OP_OUTPUT ? "\", shape=ellipse];\n" : "\"];\n");
}

void graph_add_dot(struct buf *out, const struct op_graph *graph) {
    buf_add_lit(out, "digraph graph {\n  node [shape=box, fontname=\"monospace\", fontsize=10];\n");
    for (size_t g = 0; g < graph->graphs.count; g++) {
        const struct op_nested *nested = &graph->graphs.items[g];
        BUF_ADD(out, "  subgraph ", g ? SLICE("cluster_") : SLICE("main_"), (uint64_t)g, " {\n    label=\"");
        add_dot_text(out, g ? nested->name : (struct slice){0});
        buf_add_lit(out, "\";\n");
        for (uint32_t i = nested->first; i < nested->first + nested->count; i++)
            add_dot_node(out, graph, i);
        buf_add_lit(out, "  }\n");
    }
    for (uint32_t i = 0; i < graph->nodes.count; i++) {
        const struct op_node *node = &graph->nodes.items[i];
        for (uint32_t t = node->first; t < node->first + node->count; t++)
            if (graph->tokens.items[t].node != OP_NONE)
                BUF_ADD(out, "  n", (uint64_t)graph->tokens.items[t].node, " -> n", (uint64_t)i, ";\n");
    }
    buf_add_lit(out, "}\n");
}

/* graph/op_graph and graph/graph_diff: nodes of a printed graph, and what differs between two. tests/graphs compares both with real
 * logs. */
#define _GNU_SOURCE
#include "support.h"

#include "graph/graph_diff.h"

static const char printed[] = "class GraphModule(torch.nn.Module):\n"
                              "    def forward(self, L_x_: \"f32[s0, 4][4, 1]cuda:0\", s0: \"Sym(s0)\"):\n"
                              "        l_x_ = L_x_\n"
                              "        # File: /m.py:7 in f, code: y = x @ w\n"
                              "        w = self.fc.weight\n"
                              "        b = getattr(self.fc, \"0\").bias\n"
                              "        mm: \"f32[s0, 8][8, 1]cuda:0\" = torch.ops.aten.mm.default(l_x_, w);  w = None\n"
                              "        view = mm.view((s0, -1), dim = 1)\n"
                              "        add = view + b;  view = b = None\n"
                              "        item = add[0]\n"
                              "        shape = add.shape\n"
                              "        call = self.act(add)\n"
                              "        call[0] = item;  setitem: \"f32[2]\" = call;  item = None\n"
                              "        call += mm;  call_1 = call;  mm = None\n"
                              "        return (call_1,\n"
                              "            shape)\n";

static uint32_t node_named(const struct op_graph *graph, const char *name) {
    for (uint32_t i = 0; i < graph->nodes.count; i++)
        if (slice_is(graph->nodes.items[i].name, name))
            return i;
    return OP_NONE;
}

/* The node's kind, target and operands: "call_function torch.relu x". */
static void check(const struct op_graph *graph, const char *name, const char *expected) {
    uint32_t index = node_named(graph, name);
    AUTO_BUF text = {0};
    assert_int_not_equal(index, OP_NONE);
    const struct op_node *node = &graph->nodes.items[index];
    BUF_ADD(&text, op_kind_name(node->kind), " ", node->target);
    for (uint32_t i = node->first; i < node->first + node->count; i++)
        if (graph->tokens.items[i].node != OP_NONE)
            BUF_ADD(&text, " ", graph->nodes.items[graph->tokens.items[i].node].name);
    buf_add_byte(&text, '\0');
    assert_string_equal(text.ptr, expected);
}

static void reads_printed_graphs(void **state) {
    struct op_graph graph = {0};
    (void)state;
    op_graph_read(&graph, slice_str(printed));
    check(&graph, "L_x_", "placeholder L_x_");
    check(&graph, "w", "get_attr fc.weight");
    check(&graph, "b", "get_attr getattr(self.fc, \"0\").bias");
    check(&graph, "mm", "call_function torch.ops.aten.mm.default L_x_ w");
    check(&graph, "view", "call_method view mm s0");
    check(&graph, "add", "call_function operator.add view b");
    check(&graph, "item", "call_function operator.getitem add");
    check(&graph, "shape", "call_function getattr add");
    check(&graph, "call", "call_module act add");
    check(&graph, "setitem", "call_function operator.setitem call item");
    check(&graph, "call_1", "call_function operator.iadd call mm");
    const struct op_node *last = &graph.nodes.items[graph.nodes.count - 1];
    assert_int_equal(last->kind, OP_OUTPUT);
    assert_int_equal(graph.sources.items[graph.nodes.items[node_named(&graph, "mm")].source].line, 7);
    assert_true(op_is_symbol(&graph.nodes.items[node_named(&graph, "s0")]));
    op_graph_free(&graph);
}

static void reads_types(void **state) {
    (void)state;
    struct op_type type = op_type_read(SLICE("bf16[2, s0*4][4, 1]cuda:1"));
    assert_true(type.tensor && slice_is(type.dtype, "bf16") && slice_is(type.shape, "2, s0*4"));
    assert_true(slice_is(type.strides, "4, 1") && slice_is(type.device, "cuda:1"));
    assert_true(op_type_read(SLICE("f32[][]cpu")).tensor);
    assert_false(op_type_read(SLICE("Sym(s0)")).tensor);
    assert_false(op_type_read(SLICE("f32[")).tensor);
    assert_false(op_type_read((struct slice){0}).tensor);
}

static void reads_reprs(void **state) {
    struct op_graph graph = {0};
    (void)state;
    op_graph_read(
        &graph,
        SLICE(
            "graph():\n"
            "    %x : [num_users=1] = placeholder[target=x]\n"
            "    %mm : [num_users=1] = call_function[target=torch.ops.aten.mm.default](args = (%x, %x), kwargs = {})\n"
            "    return mm\n"));
    check(&graph, "mm", "call_function torch.ops.aten.mm.default x x");
    op_graph_free(&graph);
}

static void reads_joint_graphs(void **state) {
    struct op_graph graph = {0};
    (void)state;
    op_graph_read(
        &graph,
        SLICE("class joint(torch.nn.Module):\n"
              "    def forward(\n"
              "        self,\n"
              "        primals,\n"
              "        tangents,\n"
              "    ):\n"
              "        primals_1: \"f32[4]\"  # PlainAOTInput(idx=0)\n"
              "        tangents_1: \"f32[4]\"\n"
              "        primals_1, tangents_1, = fx_pytree.tree_flatten_spec([primals, tangents], self._in_spec)\n"
              "        mul: \"f32[4]\" = torch.ops.aten.mul.Tensor(primals_1, tangents_1)\n"
              "        return pytree.tree_unflatten([mul], self._out_spec)\n"));
    assert_int_equal(graph.nodes.count, 4);
    check(&graph, "mul", "call_function torch.ops.aten.mul.Tensor primals_1 tangents_1");
    assert_true(slice_is(graph.nodes.items[0].type, "f32[4]"));
    op_graph_free(&graph);
}

static void accepts_anything(void **state) {
    static const char *const texts[] =
        {"", "def forward(", "def forward(self):\n return",
         "class x\ndef forward(self, a):\n a = \n b = (\n x, = fx_pytree.tree_flatten_spec(",
         "def forward(self, a):\n x[0] = 1;\n += ;\n y = ;\n y = -\n z = 'a\n return (("};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct op_graph graph = {0}, other = {0};
        struct graph_diff diff = {0};
        op_graph_read(&graph, slice_str(texts[i]));
        op_graph_read(&other, slice_str(printed));
        graph_diff_make(&diff, &graph, &other);
        graph_diff_free(&diff);
        graph_diff_make(&diff, &other, &graph);
        graph_diff_free(&diff);
        op_graph_free(&graph);
        op_graph_free(&other);
    }
}

/* A graph with a function of each letter after the other, a layer of 3 for each: "r" is relu, "g" gelu. */
static void make_layers(struct buf *text, const char *letters) {
    buf_add_lit(text, "def forward(self, x: \"f32[4]\", w: \"f32[4]\"):\n # File: /m.py:1 in f, code: layer(x)\n");
    struct slice last = SLICE("x");
    char name[24];
    for (size_t i = 0; letters[i]; i++) {
        buf_addf(text, " a%zu = torch.mul(%.*s, w)\n b%zu = torch.%s(a%zu)\n c%zu = b%zu + 1\n", i, SLICE_ARG(last), i,
                 letters[i] == 'r' ? "relu" : "gelu", i, i, i);
        snprintf(name, sizeof name, "c%zu", i);
        last = slice_str(name);
    }
    buf_addf(text, " return (%.*s,)\n", SLICE_ARG(last));
}

static void finds_what_changed_in_equal_layers(void **state) {
    enum { LAYERS = 3000 };
    static char letters[LAYERS + 1], others[LAYERS + 1];
    struct op_graph a = {0}, b = {0};
    struct graph_diff diff = {0};
    AUTO_BUF one = {0}, other = {0};
    (void)state;
    memset(letters, 'r', LAYERS);
    memset(others, 'r', LAYERS);
    for (size_t i = 7; i < LAYERS; i += 100)
        others[i] = 'g';
    make_layers(&one, letters);
    make_layers(&other, others);
    op_graph_read(&a, buf_slice(&one));
    op_graph_read(&b, buf_slice(&other));
    graph_diff_make(&diff, &a, &b);
    assert_int_equal(diff.counts[CHANGE_CHANGED], LAYERS / 100);
    assert_int_equal(diff.edits.count, LAYERS / 100);
    assert_int_equal(diff.same, 3 * LAYERS - LAYERS / 100);
    graph_diff_free(&diff);
    op_graph_free(&a);
    op_graph_free(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_printed_graphs), cmocka_unit_test(reads_types),
        cmocka_unit_test(reads_reprs),          cmocka_unit_test(reads_joint_graphs),
        cmocka_unit_test(accepts_anything),     cmocka_unit_test(finds_what_changed_in_equal_layers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

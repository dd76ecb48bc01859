/* scan/graph_size: sizes of graphs, kernels of code, and bytecode instructions, counted in text. */
#define _GNU_SOURCE
#include "support.h"

#include "scan/graph_size.h"

static void assert_size(const char *text, uint32_t graphs, uint32_t inputs, uint32_t ops, uint32_t nodes,
                        uint32_t inner_ops) {
    struct graph_size size = graph_size_of(slice_str(text));
    assert_int_equal(size.graphs, graphs);
    assert_int_equal(size.inputs, inputs);
    assert_int_equal(size.ops, ops);
    assert_int_equal(size.nodes, nodes);
    assert_int_equal(size.inner_ops, inner_ops);
}

static void dynamo_graph(void **state) {
    (void)state;
    assert_size("class GraphModule(torch.nn.Module):\n"
                "    def forward(self, L_x_: \"f32[8, 16][16, 1]cpu\", s77: \"Sym(s77)\"):\n"
                "        l_x_ = L_x_\n"
                "        \n"
                "         # File: a.py:3 in f, code: y = x.relu(); return y\n"
                "        w: \"f32[2]\" = self.w;  w = None\n"
                "        relu: \"f32[8, 16]\" = l_x_.relu();  l_x_ = None\n"
                "        c = self.conv(relu)\n"
                "        getitem = relu[0]\n"
                "        relu += 1;  iadd: \"f32[8]\" = relu\n"
                "        relu[0] = 3;  setitem = relu\n"
                "        shape = relu.shape\n"
                "        return (relu,)\n",
                1, 2, 6, 10, 0);
}

static void head_on_several_lines(void **state) {
    (void)state;
    assert_size("    def forward(\n        self,\n        a: \"f32[2]\",  # PlainAOTInput(idx=0)\n        b: "
                "\"Tuple[int, (x, y)]\",\n    ):\n"
                "        mul = torch.mul(a, b)\n        return mul\n",
                1, 2, 1, 4, 0);
    assert_size("    def forward(self):\n        return ()\n", 1, 0, 0, 1, 0);
}

static void joint_graph(void **state) {
    (void)state;
    assert_size(
        "    def forward(\n        self,\n        primals,\n        tangents,\n    ):\n"
        "        primals_1: \"f32[2]\"  # PlainAOTInput(idx=0)\n"
        "        tangents_1: \"f32[2]\"\n"
        "        primals_1, primals_2, tangents_1, = fx_pytree.tree_flatten_spec([primals, tangents], self._in_spec)\n"
        "        mul = torch.ops.aten.mul.Tensor(primals_1, tangents_1)\n"
        "        return pytree.tree_unflatten([mul], self._out_spec)\n",
        1, 3, 1, 5, 0);
}

static void inner_graphs(void **state) {
    (void)state;
    assert_size("class GraphModule(torch.nn.Module):\n    def forward(self, x):\n        t = self.true\n        c = "
                "torch.ops.higher_order.cond(x, t)\n        return c\n"
                "    class true_0(torch.nn.Module):\n        def forward(self, x):\n            a = x.sin()\n          "
                "  b = a.cos()\n            return b\n",
                2, 1, 1, 4, 2);
}

static void repr_graph(void **state) {
    (void)state;
    assert_size(
        "graph():\n    %x : [num_users=1] = placeholder[target=x]\n    %w : [num_users=1] = get_attr[target=w]\n"
        "    %add : [num_users=1] = call_function[target=operator.add](args = (%x, 1), kwargs = {a: b})\n    return "
        "add\n",
        1, 1, 1, 4, 0);
}

static void no_graph(void **state) {
    (void)state;
    assert_size("", 0, 0, 0, 0, 0);
    assert_size("x = 3\nreturn x\n", 0, 0, 0, 0, 0);
    assert_size("def forward(self, x", 1, 0, 0, 0, 0); /* truncated */
    assert_size("def forward(self, x):\n  a = \"unfinished", 1, 1, 1, 2, 0);
}

static void instructions(void **state) {
    (void)state;
    assert_int_equal(instructions_count(SLICE(
                         "567           0 COPY_FREE_VARS           1\n              2 RESUME                   0\n"
                         "        >>   74 PUSH_EXC_INFO\n\n577     >>  776 LOAD_FAST               11 (out)\n"
                         "ExceptionTable:\n  32 to 46 -> 74 [1] lasti\n")),
                     4);
    assert_int_equal(instructions_count(SLICE("no listing 3 at all\n")), 0);
}

/* Sizes among the inputs, without those of tangents: what a backward keeps of the forward. */
static void sizes(void **state) {
    (void)state;
    assert_int_equal(
        graph_size_of(
            SLICE("    def forward(\n        self,\n        primals_1: \"Sym(s50)\",  # PlainAOTInput(idx=0)\n"
                  "        view: \"f32[s50, 2]\",\n        tangents_1: \"Sym(s9)\",\n    ):\n"
                  "        return view\n"))
            .sizes,
        1);
    assert_int_equal(graph_size_of(SLICE("def forward(self, x: \"f32[Sym(s1)]\"):\n  return x\n")).sizes, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dynamo_graph), cmocka_unit_test(head_on_several_lines),
        cmocka_unit_test(joint_graph),  cmocka_unit_test(inner_graphs),
        cmocka_unit_test(repr_graph),   cmocka_unit_test(no_graph),
        cmocka_unit_test(instructions), cmocka_unit_test(sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

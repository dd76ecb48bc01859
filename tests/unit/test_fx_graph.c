#include "scan/fx_graph.h"
#include "support.h"

/* The items of a text, one in a line: kind, name, type and right side, separated by "|". */
static void assert_items(const char *text, const char *expected) {
    static const char *const kinds[] = {"class",     "forward", "parameter", "input",
                                        "statement", "node",    "comment",   "return"};
    struct fx_reader reader = {.rest = slice_str(text)};
    struct fx_item item;
    struct buf found = {0};
    while (fx_next(&reader, &item))
        BUF_ADD(&found, kinds[item.kind], "|", item.name, "|", item.type, "|", fx_value(item.right), "\n");
    assert_slice(buf_slice(&found), expected);
    buf_free(&found);
}

static void reads_a_graph(void **state) {
    (void)state;
    assert_items("class GraphModule(torch.nn.Module):\n"
                 "    def forward(self, L_x_: \"f32[4]\", s0: 'Sym(s0)', y):\n"
                 "        l_x_ = L_x_\n"
                 "        \n"
                 "         # File: a.py:3 in f, code: return x * \"a;b\"\n"
                 "        mul: \"f32[4][1]cpu\" = f(l_x_, 'a;b#', y);  l_x_ = y = None  # the last\n"
                 "        getitem = mul[0];  mul = None\n"
                 "        return (getitem,)\n",
                 "class|GraphModule||\nforward|||\nparameter|L_x_|f32[4]|\nparameter|s0|Sym(s0)|\nparameter|y||\n"
                 "statement|l_x_||L_x_\ncomment|||\nstatement|mul|f32[4][1]cpu|f(l_x_, 'a;b#', y)\n"
                 "statement|getitem||mul[0]\nreturn|||(getitem,)\n");
}

/* Parameters on several lines, with comments that have commas and brackets, and with defaults. */
static void reads_parameters(void **state) {
    (void)state;
    assert_items(
        "def forward(\n    self,\n    primals_1: \"f32[2, 3]\",  # Plain(idx=0), a\n    b: \"i64[u0]\" = f(1, 2)\n"
        ") -> int:\n    a = b\n",
        "forward|||\nparameter|primals_1|f32[2, 3]|\nparameter|b|i64[u0]|\nstatement|a||b\n");
    assert_items("def forward(self):\n  return 1\n", "forward|||\nreturn|||1\n");
    assert_items("def forward(self, x", "forward|||\n"); /* cut off */
}

static void reads_exported_inputs(void **state) {
    (void)state;
    assert_items("def forward(self, x, y):\n    x: \"f32[3]\"; y: \"f32[4]\"; \n"
                 "    x, y, = fx_pytree.tree_flatten_spec(([x, y], {}), self._in_spec)\n",
                 "forward|||\nparameter|x||\nparameter|y||\ninput|x|f32[3]|\ninput|y|f32[4]|\n"
                 "statement|||fx_pytree.tree_flatten_spec(([x, y], {}), self._in_spec)\n");
}

/* What assigns no plain name, and what assigns nothing. */
static void reads_other_statements(void **state) {
    (void)state;
    assert_items(
        "def forward(self, x):\n  x += 1\n  x[0] = f(a = 2)\n  x.y = z\n  x: int = 2\n  f(a = 1)\n  del x; y = 2\n"
        "  with f(a = 1):\n  return_1 = x\n  returns\n  \"unfinished\n",
        "forward|||\nparameter|x||\nstatement|||1\nstatement|||f(a = 2)\nstatement|||z\nstatement|x||2\n"
        "statement|return_1||x\n");
    struct fx_item item;
    assert_false(fx_statement_read(SLICE("# a = b"), &item));
    assert_false(fx_statement_read(SLICE(""), &item));
    assert_false(fx_node_read(SLICE("x = y"), &item));
}

static void reads_a_repr(void **state) {
    (void)state;
    assert_items("graph():\n    %x : [num_users=1] = placeholder[target=x]\n"
                 "    %add : [num_users=1] = call_function[target=operator.add](args = (%x, 1), kwargs = {a: b})\n"
                 "    return add\n",
                 "forward|||\nnode|x||placeholder[target=x]\n"
                 "node|add||call_function[target=operator.add](args = (%x, 1), kwargs = {a: b})\nreturn|||add\n");
}

/* Outside of a forward(), and after its return, there are no statements. Graphs may be nested. */
static void passes_over_other_text(void **state) {
    (void)state;
    assert_items("x = 3\n# a comment\nreturn x\nclass A:\n  y = 2\n  def forward(self):\n    return x\n  z = 1\n"
                 "  class B:\n    def forward(self, a):\n      b = a\n",
                 "class|A||\nforward|||\nreturn|||x\nclass|B||\nforward|||\nparameter|a||\nstatement|b||a\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_a_graph),         cmocka_unit_test(reads_parameters),
        cmocka_unit_test(reads_exported_inputs), cmocka_unit_test(reads_other_statements),
        cmocka_unit_test(reads_a_repr),          cmocka_unit_test(passes_over_other_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

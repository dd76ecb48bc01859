/* codegen/kernel_flow: what a kernel computes, from its buffers. */
#define _GNU_SOURCE
#include "support.h"

#include "base/mem.h"
#include "codegen/flow_graph.h"
#include "codegen/kernel_flow.h"
#include "codegen/scanned_kernel.h"

static struct arena arena;
static struct kernel_scan *scan;

/* ---- texts ------------------------------------------------------------------------------------------------------ */

enum { TEXTS = 8 };

static struct buf texts[TEXTS]; /* the latest, of graphs and of codes */

static struct buf *next_text(void) {
    static size_t next;
    struct buf *text = &texts[next++ % TEXTS];
    text->len = 0;
    return text;
}

/* "a: f32[4]" as `a: "f32[4]"`. */
static void add_typed(struct buf *text, struct slice typed) {
    size_t colon = slice_find(typed, SLICE(": "));
    assert_int_not_equal(colon, SIZE_MAX);
    buf_addf(text, "%.*s: \"%.*s\"", SLICE_ARG(slice_first(typed, colon)), SLICE_ARG(slice_from(typed, colon + 2)));
}

/* The text of a graph with these arguments, such as "a: f32[4]; b: i64[]". Each line of the body is a node, as in
 * "sin: f32[4] = sin.default(a)" with an operator of aten, or "return (sin,)". One that begins with a space stays as it is.
 * The text is valid until TEXTS others have been made. */
static const char *graph_of(const char *arguments, const char *body) {
    struct buf *text = next_text();
    struct slice rest = slice_str(arguments), line;
    buf_add_lit(text, "class <lambda>(torch.nn.Module):\n    def forward(self");
    while (rest.len) {
        size_t end = slice_find(rest, SLICE("; "));
        buf_add_lit(text, ", ");
        add_typed(text, slice_first(rest, end));
        rest = end != SIZE_MAX ? slice_from(rest, end + 2) : (struct slice){0};
    }
    buf_add_lit(text, "):\n");
    rest = slice_str(body);
    while (slice_next_line(&rest, &line)) {
        size_t is = slice_find(line, SLICE(" = "));
        if (slice_starts(line, SLICE("return "))) {
            buf_addf(text, "        %.*s\n", SLICE_ARG(line));
        } else if (is != SIZE_MAX && !slice_starts(line, SLICE(" "))) {
            buf_add_lit(text, "        ");
            add_typed(text, slice_first(line, is));
            buf_addf(text, " = torch.ops.aten.%.*s\n", SLICE_ARG(slice_from(line, is + 3)));
        } else {
            buf_addf(text, "%.*s\n", SLICE_ARG(line));
        }
    }
    buf_add_byte(text, '\0');
    return text->ptr;
}

/* The code, in which "kernel cpp_0(float* out_ptr0)\n" defines a C++ kernel. Valid as that of graph_of(). */
static const char *code_of(const char *lines) {
    static const char begin[] = "kernel ", end[] = ")\n";
    struct buf *text = next_text();
    for (const char *at = lines, *close; *at; at = close + strlen(end)) {
        if (strncmp(at, begin, strlen(begin)) != 0) {
            close = strchr(at, '\n') - 1;
            buf_add(text, slice_make(at, (size_t)(close + strlen(end) - at)));
            continue;
        }
        const char *name = at + strlen(begin), *open = strchr(name, '(');
        close = strstr(open, end);
        buf_addf(text, "%.*s = async_compile.cpp_pybinding([], r'''\nextern \"C\"  void  kernel(%.*s)\n{\n''')\n",
                 (int)(open - name), name, (int)(close - open - 1), open + 1);
    }
    buf_add_byte(text, '\0');
    return text->ptr;
}

/* ---- flows ------------------------------------------------------------------------------------------------------ */

static const char graph_text[] =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, primals_1: \"f32[8, 8][8, 1]cpu\", primals_2: \"f32[8, 8][8, 1]cpu\", s0: \"Sym(s0)\"):\n"
    "        # File: /home/x/a.py:3 in f, code: y = x @ w\n"
    "        mm: \"f32[8, 8][8, 1]cpu\" = torch.ops.aten.mm.default(primals_1, primals_2);  primals_1 = None\n"
    "        # Annotation: {'a': 1} File: /home/x/a.py:4 in f, code: y = y.exp() * 2\n"
    "        exp: \"f32[8, 8][8, 1]cpu\" = torch.ops.aten.exp.default(mm);  mm = None\n"
    "        mul: \"f32[8, 8][8, 1]cpu\" = torch.ops.aten.mul.Tensor(exp, 2)\n"
    "        # No stacktrace found for following nodes\n"
    "        permute: \"f32[8, 8][1, 8]cpu\" = torch.ops.aten.permute.default(mul, [1, 0])\n"
    "        mm_1: \"f32[8, 8][8, 1]cpu\" = torch.ops.aten.mm.default(permute, primals_2)\n"
    "        sum_1: \"f32[8][1]cpu\" = torch.ops.aten.sum.dim_IntList(mm_1, [0]);  mm_1 = None\n"
    "        sub: \"f32[8][1]cpu\" = torch.ops.aten.sub.Tensor(sum_1, 1)\n"
    "        add: \"f32[8][1]cpu\" = torch.ops.aten.add.Tensor(sub, sum_1)\n"
    "        return (add, permute)\n";

static const char flow_lines[] =
    "# AOT ID: ['0_forward']\n"
    "kernel cpp_0(float* in_out_ptr0,\n"
    "    const int64_t ks0)\n"
    "kernel cpp_1(const float* in_ptr0, float* out_ptr0, float* out_ptr1)\n"
    "def call(args):\n"
    "    buf0 = empty_strided_cpu((8, 8), (8, 1), torch.float32)\n"
    "    # Topologically Sorted Source Nodes: [y], Original ATen: [aten.mm]\n"
    "    extern_kernels.mm(primals_1, primals_2, out=buf0)\n"
    "    buf1 = buf0; del buf0  # reuse\n"
    "    cpp_0(buf1, s0)\n"
    "    buf2 = empty_strided_cpu((8, 8), (8, 1), torch.float32)\n"
    "    # Topologically Sorted Source Nodes: [], Original ATen: [aten.mm]\n"
    "    extern_kernels.mm(reinterpret_tensor(buf1, (8, 8), (1, 8), 0), primals_2, out=buf2)\n"
    "    cpp_1(buf2, buf3, buf4)\n"
    "    return (buf4, reinterpret_tensor(buf1, (8, 8), (1, 8), 0), )\n";

/* through: the nodes through which the kernel reads, not those that it computes. */
static void assert_nodes(const char *graph, const char *code, uint32_t kernel, bool through, const char *nodes) {
    struct buf text = {0};
    arena_free(&arena);
    struct flow_graphs *graphs = flow_graphs_scan(slice_str(graph), &arena);
    assert_non_null(graphs);
    scan = kernels_scan(slice_str(code), &arena);
    struct kernel_flow *flow = kernel_flow_find(flow_graphs_copy(graphs, &arena), scan, &arena);
    const struct kernel_nodes *found = flow ? &flow->kernels[kernel] : NULL;
    for (uint32_t i = 0; found && i < (through ? found->through_count : found->count); i++) {
        if (i)
            buf_add_byte(&text, ' ');
        buf_add(&text, graphs->nodes[flow->nodes[(through ? found->through_first : found->first) + i]].name);
    }
    assert_slice(buf_slice(&text), nodes);
    buf_free(&text);
}

static void assert_flow(const char *graph, const char *code, uint32_t kernel, const char *nodes) {
    assert_nodes(graph, code, kernel, false, nodes);
}

/* The second kernel computes mul_1 again: if it read it, it would not need b. */
static void a_value_leaves_a_use_for_the_other_inputs(void **state) {
    (void)state;
    const char *graph = graph_of("a: f32[4]; b: f32[4]; c: f32[4]", "sigmoid: f32[4] = sigmoid.default(a)\n"
                                                                    "sub: f32[4] = sub.Tensor(sigmoid, 1)\n"
                                                                    "mul: f32[4] = mul.Tensor(sigmoid, b)\n"
                                                                    "mul_1: f32[4] = mul.Tensor(mul, sub)\n"
                                                                    "sum_1: f32[] = sum.default(mul_1)\n"
                                                                    "add: f32[4] = add.Tensor(mul_1, c)\n"
                                                                    "return (sum_1, add)\n");
    static const char lines[] =
        "# AOT ID: ['0_inference']\n"
        "kernel cpp_0(const float* in_ptr0, const float* in_ptr1, float* out_ptr0, float* out_ptr1)\n"
        "kernel cpp_1(const float* in_ptr0, const float* in_ptr1, const float* in_ptr2, float* out_ptr0)\n"
        "def call(args):\n"
        "    cpp_0(a, b, buf0, buf1)\n"
        "    cpp_1(buf0, b, c, buf2)\n"
        "    return (buf1, buf2, )\n";
    assert_flow(graph, code_of(lines), 0, "sigmoid sub mul mul_1 sum_1");
    assert_flow(graph, code_of(lines), 1, "sub mul mul_1 add");
}

/* Views between what a kernel reads and what it computes, and a mean of which it divides the sum. An item of a result is
 * no view. */
static void reads_through_views_and_means(void **state) {
    (void)state;
    const char *graph = graph_of("a: f32[4, 4]; b: f32[4, 4]", "var_mean: f32[4] = var_mean.correction(a, [1])\n"
                                                               "getitem: f32[4] = var_mean[0]\n"
                                                               "sin: f32[4] = sin.default(getitem)\n"
                                                               "mean: f32[4] = mean.dim(b, [1])\n"
                                                               "view: f32[2, 2] = reshape.default(mean, [2, 2])\n"
                                                               "cos: f32[2, 2] = cos.default(view)\n"
                                                               "return (sin, cos)\n");
    static const char lines[] = "# AOT ID: ['0_inference']\n"
                                "kernel cpp_fused_mean_0(const float* in_ptr0, float* out_ptr0)\n"
                                "kernel cpp_fused_cos_mean_view_1(const float* in_ptr0, float* out_ptr0)\n"
                                "def call(args):\n"
                                "    cpp_fused_mean_0(b, buf0)\n"
                                "    cpp_fused_cos_mean_view_1(buf0, buf1)\n"
                                "    return (buf2, buf1, )\n";
    assert_flow(graph, code_of(lines), 0, "mean");
    assert_nodes(graph, code_of(lines), 0, true, "");
    assert_flow(graph, code_of(lines), 1, "cos");
    assert_nodes(graph, code_of(lines), 1, true, "mean view");
}

static void follows_buffers(void **state) {
    (void)state;
    assert_flow(graph_text, code_of(flow_lines), 0, "exp mul");
    assert_flow(graph_text, code_of(flow_lines), 1, "sum_1 sub add");
    assert_flow(graph_text, code_of(flow_lines), 2, "mm");
    assert_flow(graph_text, code_of(flow_lines), 3, "mm_1");
    assert_slice(scan->items[0].params, "b-");
    assert_slice(scan->items[1].params, "ioo");
}

/* With another input, or an unknown result, a kernel cannot compute what the graph does between its buffers. */
static void guesses_nothing(void **state) {
    (void)state;
    const char *change[][2] = {{"cpp_1(buf2,", "cpp_1(primals_1,"},
                               {"(const float* in_ptr0, float* out_ptr0, float* out_ptr1)", "(float* unknown)"},
                               {"return (buf4, ", "return (None, "}};
    for (size_t i = 0; i < sizeof change / sizeof *change; i++) {
        const char *at = strstr(flow_lines, change[i][0]);
        assert_non_null(at);
        char *code =
            mem_printf("%.*s%s%s", (int)(at - flow_lines), flow_lines, change[i][1], at + strlen(change[i][0]));
        assert_flow(graph_text, code_of(code), 1, "");
        free(code);
    }
    assert_flow(graph_text,
                "def call(args):\n"
                "    extern_kernels.bmm(primals_1, primals_2, out=buf0)\n",
                0, "");
    /* two nodes may match this call */
    assert_flow(graph_text,
                "def call(args):\n"
                "    extern_kernels.mm(other, primals_2, out=buf0)\n",
                0, "");
}

/* Between two kernels: what is read more than once is written by the first. */
static void separates_two_kernels(void **state) {
    (void)state;
    const char *graph = "class GraphModule(torch.nn.Module):\n"
                        "    def forward(self, a: \"f32[8]\"):\n"
                        "        neg: \"f32[8]\" = torch.ops.aten.neg.default(a)\n"
                        "        exp: \"f32[8]\" = torch.ops.aten.exp.default(neg)\n"
                        "        sin: \"f32[8]\" = torch.ops.aten.sin.default(exp)\n"
                        "        mul: \"f32[8]\" = torch.ops.aten.mul.Tensor(exp, sin)\n"
                        "        return (mul,)\n";
    const char *code = code_of("kernel cpp_0(const float* in_ptr0, float* out_ptr0)\n"
                               "kernel cpp_1(const float* in_ptr0, float* out_ptr0)\n"
                               "def call(args):\n"
                               "    cpp_0(a, buf0)\n"
                               "    cpp_1(buf0, buf1)\n"
                               "    return (buf1, )\n");
    assert_flow(graph, code, 0, "neg exp");
    assert_flow(graph, code, 1, "sin mul");
}

static const struct kernel_nodes *flow_of(const char *graph, const char *code, uint32_t kernel) {
    arena_free(&arena);
    struct kernel_flow *flow =
        kernel_flow_find(flow_graphs_scan(slice_str(graph), &arena), kernels_scan(slice_str(code), &arena), &arena);
    assert_non_null(flow);
    return &flow->kernels[kernel];
}

/* Numbers and branches that the code extracts from buffers, and arguments of a loop. */
static void follows_items(void **state) {
    (void)state;
    const char *unbacked = graph_of("a: i64[3]", "max_1: i64[] = max.default(a)\n"
                                                 "item: Sym(u0) = _local_scalar_dense.default(max_1)\n"
                                                 "full: f32[u0] = full.default([item], 0)\n"
                                                 "add: f32[u0] = add.Tensor(full, item)\n"
                                                 "return (add,)\n");
    const char *unbacked_code = code_of("kernel cpp_0(const int64_t* in_ptr0, int64_t* out_ptr0)\n"
                                        "kernel cpp_1(float* out_ptr0, const int64_t ks0)\n"
                                        "def call(args):\n"
                                        "    cpp_0(a, buf0)\n"
                                        "    u0 = buf0.item()\n"
                                        "    buf1 = None\n"
                                        "    cpp_1(buf6, u0)\n"
                                        "    return (buf6, )\n");
    assert_flow(unbacked, unbacked_code, 0, "max_1");
    assert_flow(unbacked, unbacked_code, 1, "full add");
    const char *cond =
        graph_of("a: f32[4]", "        true_graph_0 = self.true_graph_0\n"
                              "        false_graph_0 = self.false_graph_0\n"
                              "sum_1: f32[] = sum.default(a)\n"
                              "gt: b8[] = gt.Scalar(sum_1, 0)\n"
                              "neg: f32[4] = neg.default(a)\n"
                              "        cond = torch.ops.higher_order.cond(gt, true_graph_0, false_graph_0, (a, neg))\n"
                              "        getitem: \"f32[4]\" = cond[0]\n"
                              "return (getitem,)\n"
                              "    class true_graph_0(torch.nn.Module):\n"
                              "        def forward(self, a: \"f32[4]\", b: \"f32[4]\"):\n"
                              "            sin: \"f32[4]\" = torch.ops.aten.sin.default(b)\n"
                              "            return (sin,)\n");
    const char *cond_code = code_of("kernel cpp_0(const float* in_ptr0, float* out_ptr0, bool* out_ptr1)\n"
                                    "kernel cpp_1(const float* in_ptr0, float* out_ptr0)\n"
                                    "kernel cpp_2(const float* in_ptr0, float* out_ptr0)\n"
                                    "def true_graph_0(args):\n"
                                    "    true_graph_0_a, true_graph_0_b = args\n"
                                    "    cpp_1(true_graph_0_b, true_graph_0_buf0)\n"
                                    "    return (true_graph_0_buf0, )\n"
                                    "def call(args):\n"
                                    "    cpp_0(a, buf0, buf1)\n"
                                    "    cpp_2(a, buf4)\n"
                                    "    buf2_selector = int(buf1.item())\n"
                                    "    buf2 = [None] * 1\n"
                                    "    if buf2_selector == 0:\n"
                                    "        true_graph_0_args = [a, buf4,]\n"
                                    "        buf2 = true_graph_0(true_graph_0_args)\n"
                                    "    buf3 = buf2[0]\n"
                                    "    return (buf3, )\n");
    assert_flow(cond, cond_code, 0, "sum_1 gt");
    assert_flow(cond, cond_code, 1, "sin");
    assert_flow(cond, cond_code, 2, "neg");
    const char *loop = graph_of("a: f32[4]; b: f32[4]",
                                "        body_0 = self.body_0\n"
                                "full: i64[] = full.default([], 0)\n"
                                "        while_loop = torch.ops.higher_order.while_loop(body_0, (full, a, b), ())\n"
                                "        getitem: \"f32[4]\" = while_loop[1]\n"
                                "return (getitem,)\n"
                                "    class body_0(torch.nn.Module):\n"
                                "        def forward(self, i: \"i64[]\", a: \"f32[4]\", b: \"f32[4]\"):\n"
                                "            item: \"Sym(u0)\" = torch.ops.aten._local_scalar_dense.default(i)\n"
                                "            select: \"f32[]\" = torch.ops.aten.select.int(a, 0, item)\n"
                                "            cos: \"f32[]\" = torch.ops.aten.cos.default(b)\n"
                                "            copy_: \"f32[]\" = torch.ops.aten.copy_.default(select, cos)\n"
                                "            add: \"i64[]\" = torch.ops.aten.add.Tensor(i, 1)\n"
                                "            return (add, a, b)\n");
    const char *loop_code = code_of("kernel cpp_0(int64_t* out_ptr0)\n"
                                    "kernel cpp_1(const float* in_ptr0, const int64_t* in_ptr1, float* out_ptr0, "
                                    "int64_t* out_ptr1, const int64_t ks0)\n"
                                    "def body_0(args):\n"
                                    "    body_0_i, body_0_a, body_0_b = args\n"
                                    "    u0 = body_0_i.item()\n"
                                    "    cpp_1(body_0_b, body_0_i, body_0_a, body_0_buf7, u0)\n"
                                    "    return (body_0_buf7, body_0_a, body_0_b, )\n"
                                    "def call(args):\n"
                                    "    cpp_0(buf1)\n"
                                    "    buf2 = [None] * 3\n"
                                    "    buf2[0] = buf1\n"
                                    "    buf2[1] = a\n"
                                    "    buf2[2] = b\n"
                                    "    body_0_args = [buf2[0], buf2[1], buf2[2]]\n"
                                    "    (buf2[0], buf2[1], buf2[2]) = body_0(body_0_args)\n"
                                    "    buf4 = buf2[1]\n"
                                    "    return (buf4, )\n");
    assert_flow(loop, loop_code, 0, "full");
    assert_flow(loop, loop_code, 1, "cos copy_ add");
}

/* Parts of a cat() are written by the kernels that compute them. A chain of one kernel and one library call has an
 * order. */
static void follows_parts_and_chains(void **state) {
    (void)state;
    const char *cat = graph_of("a: f32[4]", "sin: f32[4] = sin.default(a)\n"
                                            "cos: f32[4] = cos.default(a)\n"
                                            "cat: f32[8] = cat.default([sin, cos])\n"
                                            "return (cat,)\n");
    const char *cat_code = code_of(
        "kernel cpp_0(const float* in_ptr0, float* out_ptr0)\n"
        "kernel cpp_1(const float* in_ptr0, float* out_ptr0)\n"
        "def call(args):\n"
        "    buf1 = reinterpret_tensor(buf3, (4, ), (1, ), 4)  # alias\n"
        "    cpp_0(a, buf1)\n"
        "    auto buf2 = wrap_with_raii_handle_if_needed(reinterpret_tensor_wrapper(buf3, 1, x, y, 0L));  // alias\n"
        "    cpp_1(a, buf2)\n"
        "    return (buf3, )\n");
    assert_flow(cat, cat_code, 0, "cos");
    assert_flow(cat, cat_code, 1, "sin");
    const char *copy = graph_of("a: f32[4, 4]", "mm: f32[4, 4] = mm.default(a, a)\n"
                                                "permute: f32[4, 4] = permute.default(mm, [1, 0])\n"
                                                "cos: f32[4, 4] = cos.default(a)\n"
                                                "cat: f32[8, 4] = cat.default([permute, cos])\n"
                                                "return (cat,)\n");
    const char *copy_code = code_of("kernel cpp_fused_cat_0(const float* in_ptr0, float* out_ptr0)\n"
                                    "kernel cpp_fused_cos_1(const float* in_ptr0, float* out_ptr0)\n"
                                    "def call(args):\n"
                                    "    extern_kernels.mm(a, a, out=buf0)\n"
                                    "    buf1 = reinterpret_tensor(buf3, (4, 4), (4, 1), 0)  # alias\n"
                                    "    cpp_fused_cat_0(buf0, buf1)\n"
                                    "    buf2 = reinterpret_tensor(buf3, (4, 4), (4, 1), 16)  # alias\n"
                                    "    cpp_fused_cos_1(a, buf2)\n"
                                    "    return (buf3, )\n");
    assert_flow(copy, copy_code, 0, "cat"); /* it only copies a part */
    assert_nodes(copy, copy_code, 0, true, "permute");
    assert_flow(copy, copy_code, 1, "cos"); /* its name says that it is of no cat() */
    const char *chain = graph_of("a: f32[4]", "mm: f32[4] = mm.default(a, a)\n"
                                              "relu: f32[4] = relu.default(mm)\n"
                                              "mm_1: f32[4] = mm.default(relu, relu)\n"
                                              "relu_1: f32[4] = relu.default(mm_1)\n"
                                              "mm_2: f32[4] = mm.default(relu_1, relu_1)\n"
                                              "relu_2: f32[4] = relu.default(mm_2)\n"
                                              "return (relu_2,)\n");
    const char *chain_code = code_of("kernel cpp_0(float* in_out_ptr0)\n"
                                     "def call(args):\n"
                                     "    extern_kernels.mm(a, a, out=buf0)\n"
                                     "    buf1 = buf0; del buf0  # reuse\n"
                                     "    cpp_0(buf1)\n"
                                     "    extern_kernels.mm(buf1, buf1, out=buf2)\n"
                                     "    buf3 = buf2; del buf2  # reuse\n"
                                     "    cpp_0(buf3)\n"
                                     "    extern_kernels.mm(buf3, buf3, out=buf4)\n"
                                     "    buf5 = buf4; del buf4  # reuse\n"
                                     "    cpp_0(buf5)\n"
                                     "    return (buf5, )\n");
    assert_flow(chain, chain_code, 0, "relu relu_1 relu_2");
    assert_flow(chain, chain_code, 1, "mm");
    assert_flow(chain, chain_code, 2, "mm_1");
    assert_flow(chain, chain_code, 3, "mm_2");
}

/* Two kernels share a variance: the functions in a kernel's code decide which one computes the root; otherwise it is
 * "perhaps" for the second. */
static void separates_shared_nodes(void **state) {
    (void)state;
    const char *graph = graph_of("a: f32[4]; w: f32[4]", "var: f32[] = var.default(a)\n"
                                                         "eps: f32[] = add.Tensor(var, 1e-05)\n"
                                                         "rsqrt: f32[] = rsqrt.default(eps)\n"
                                                         "mul: f32[4] = mul.Tensor(a, rsqrt)\n"
                                                         "mm: f32[4] = mm.default(mul, w)\n"
                                                         "div: f32[] = div.Tensor(rsqrt, 4)\n"
                                                         "return (mm, div)\n");
    const char *head = "cpp_0 = async_compile.cpp_pybinding([], r'''\n"
                       "extern \"C\"  void  kernel(const float* in_ptr0, float* out_ptr0, float* out_ptr1)\n"
                       "    tmp2 = tmp1.rsqrt();\n"
                       "''')\n"
                       "cpp_1 = async_compile.cpp_pybinding([], r'''\n"
                       "extern \"C\"  void  kernel(float* in_out_ptr0)\n";
    const char *tail = "''')\n"
                       "def call(args):\n"
                       "    cpp_0(a, buf0, buf1)\n"
                       "    extern_kernels.mm(buf1, w, out=buf2)\n"
                       "    buf3 = buf0; del buf0  # reuse\n"
                       "    cpp_1(buf3)\n"
                       "    return (buf2, buf3, )\n";
    char *with = mem_printf("%s    tmp3 = 1 / std::sqrt(tmp2);\n%s", head, tail),
         *without = mem_printf("%s%s", head, tail);
    assert_flow(graph, with, 0, "var eps rsqrt mul");
    assert_flow(graph, with, 1, "eps rsqrt div");
    assert_int_equal(flow_of(graph, with, 1)->why, FLOW_KNOWN);
    assert_flow(graph, without, 1, "div");
    assert_int_equal(flow_of(graph, without, 1)->why, FLOW_KNOWN);
    free(with);
    free(without);
    const char *bare = "extern \"C\"  void  cpp_0(const float* in_ptr0, float* out_ptr0, float* out_ptr1);\n"
                       "extern \"C\"  void  cpp_1(float* in_out_ptr0);\n"
                       "    cpp_0(a, buf0, buf1);\n"
                       "    // Topologically Sorted Source Nodes: [mm], Original ATen: [aten.mm]\n"
                       "    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_cpu_mm_out(buf2, buf1, w));\n"
                       "    auto buf3 = std::move(buf0);  // reuse\n"
                       "    cpp_1(buf3);\n"
                       "    output_handles[0] = buf2.release();\n"
                       "    output_handles[1] = buf3.release();\n";
    assert_int_equal(flow_of(graph, bare, 1)->why, FLOW_SHARED);
    assert_int_equal(flow_of(graph, bare, 1)->count, 1);
    assert_int_equal(flow_of(graph, bare, 1)->perhaps_count, 2);
    assert_int_equal(flow_of(graph, bare, 0)->perhaps_count, 0);
    assert_int_equal(flow_of(graph,
                             "def call(args):\n"
                             "    extern_kernels.bmm(a, w, out=buf0)\n",
                             0)
                         ->why,
                     FLOW_RESULTS);
    assert_int_equal(flow_of(graph,
                             code_of("kernel cpp_0(float* in_out_ptr0)\n"
                                     "def call(args):\n"
                                     "    pass\n"
                                     "    x = [a]\n"),
                             0)
                         ->why,
                     FLOW_NOT_CALLED);
}

/* A function in the loops of one result belongs to what that result depends on. */
static void assigns_functions_to_results(void **state) {
    (void)state;
    const char *graph = graph_of("a: f32[4]; b: f32[4]", "var: f32[] = var.default(a)\n"
                                                         "rsqrt: f32[] = rsqrt.default(var)\n"
                                                         "mul: f32[4] = mul.Tensor(a, rsqrt)\n"
                                                         "mean: f32[] = mean.default(b)\n"
                                                         "rsqrt_1: f32[] = rsqrt.default(mean)\n"
                                                         "div: f32[] = div.Tensor(rsqrt, 4)\n"
                                                         "return (mul, div, rsqrt_1)\n");
    const char *code = "cpp_0 = async_compile.cpp_pybinding([], r'''\n"
                       "extern \"C\"  void  kernel(const float* in_ptr0, float* out_ptr0, float* out_ptr1)\n"
                       "{\n"
                       "    {\n"
                       "        out_ptr0[0] = tmp1;\n"
                       "    }\n"
                       "    {\n"
                       "        out_ptr1[0] = in_ptr0[0] * out_ptr0[0].rsqrt();\n"
                       "    }\n"
                       "}\n"
                       "''')\n"
                       "cpp_1 = async_compile.cpp_pybinding([], r'''\n"
                       "extern \"C\"  void  kernel(float* in_out_ptr0,\n"
                       "    const float* in_ptr0,\n"
                       "    float* out_ptr0)\n"
                       "{\n"
                       "    {\n"
                       "        out_ptr0[0] = in_ptr0[0].rsqrt();\n"
                       "    }\n"
                       "    {\n"
                       "        in_out_ptr0[0] = %s;\n"
                       "    }\n"
                       "}\n"
                       "''')\n"
                       "def call(args):\n"
                       "    cpp_0(a, buf0, buf1)\n"
                       "    buf2 = buf0; del buf0  # reuse\n"
                       "    cpp_1(buf2, b, buf3)\n"
                       "    return (buf1, buf2, buf3, )\n";
    const char *at = strstr(code, "%s");
    char *own = mem_printf("%.*s%s%s", (int)(at - code), code, "in_out_ptr0[0].rsqrt() / 4", at + 2),
         *shared = mem_printf("%.*s%s%s", (int)(at - code), code, "in_out_ptr0[0].rsqrt() / out_ptr0[0]", at + 2);
    assert_flow(graph, own, 1, "rsqrt mean rsqrt_1 div");
    assert_int_equal(scan->items[1].own_functions[0], 1 << FAMILY_SQRT);
    assert_int_equal(scan->items[1].own_functions[1], 0);
    assert_int_equal(flow_of(graph, own, 1)->why, FLOW_KNOWN);
    assert_int_equal(flow_of(graph, own, 1)->perhaps_count, 0);
    /* these loops work on two results: it is unknown which one takes the root */
    assert_int_equal(flow_of(graph, shared, 1)->why, FLOW_SHARED);
    assert_int_equal(flow_of(graph, shared, 1)->perhaps_count, 1);
    free(own);
    free(shared);
}

/* The template of flex attention names its operands. No kernel computes what only the backward uses. */
/* A partition precedes call() in the text, and a copy to another device has no name. */
static void follows_partitions_and_copies(void **state) {
    (void)state;
    const char *graph = graph_of("a: f32[4][1]cpu; b: f32[8, 8][8, 1]cuda:0",
                                 "sum_1: f32[][]cpu = sum.default(a)\n"
                                 "        device_put: \"f32[][]cuda:0\" = torch.ops.prims.device_put.default(sum_1, "
                                 "device(type='cuda', index=0))\n"
                                 "mul: f32[8, 8][8, 1]cuda:0 = mul.Tensor(b, device_put)\n"
                                 "return (mul,)\n");
    const char *code = code_of("kernel cpp_0(const float* in_ptr0, float* out_ptr0)\n"
                               "kernel cpp_1(const float* in_ptr0, const float* in_ptr1, float* out_ptr0)\n"
                               "def partition_0(args):\n"
                               "    b, buf1 = args\n"
                               "    cpp_1(b, buf1, buf2)\n"
                               "    return (buf2, )\n"
                               "class Runner:\n"
                               "    def call(self, args):\n"
                               "        cpp_0(a, buf0)\n"
                               "        buf1.copy_(buf0, False)\n"
                               "        partition0_args = [b, buf1]\n"
                               "        (buf2,) = self.partitions[0](partition0_args)\n"
                               "        return (buf2, )\n");
    assert_flow(graph, code, 0, "sum_1");
    assert_flow(graph, code, 1, "mul");
    assert_flow(graph, code, 2, "device_put");
    assert_true(scan->items[2].copies && scan->items[2].waits && !scan->items[0].copies);
    assert_int_equal(scan->partitions, 1);
    assert_true(scan->items[0].in_call && !scan->items[1].in_call && scan->items[2].in_call);
    code = code_of("kernel cpp_0(const float* in_ptr0, float* out_ptr0)\n"
                   "def call(args):\n"
                   "    cpp_0(a, buf0)\n"
                   "    buf1.copy_(buf0, True)\n"
                   "    buf1.copy_(buf0)\n"
                   "    (buf2,) = self.partitions[0](partition0_args)\n"
                   "    return (buf2, )\n");
    scan = kernels_scan(slice_str(code), &arena);
    assert_int_equal(scan->count, 2); /* Inductor writes how a copy between devices waits */
    assert_false(scan->items[1].waits);
    assert_non_null(kernel_flow_find(flow_graphs_scan(slice_str(graph), &arena), scan, &arena));
}

static void follows_attention(void **state) {
    (void)state;
    const char *graph = graph_of("q: f32[4]; k: f32[4]; v: f32[4]",
                                 "ones: i32[1] = full.default([1], 1)\n"
                                 "zeros: i32[1] = full.default([1], 0)\n"
                                 "sum_1: i32[1] = sum.default(zeros)\n"
                                 "        score = self.score\n"
                                 "        flex_attention = torch.ops.higher_order.flex_attention(q, k, v, score, (1, "
                                 "1, ones, zeros, None, None, sum_1), 0.25, {'BACKEND': 'AUTO'}, (), ())\n"
                                 "        getitem: \"f32[4]\" = flex_attention[0]\n"
                                 "return (getitem,)\n"
                                 "    class score(torch.nn.Module):\n"
                                 "        def forward(self, arg0_1: \"f32[]\"):\n"
                                 "            mul: \"f32[]\" = torch.ops.aten.mul.Tensor(arg0_1, 2)\n"
                                 "            return mul\n");
    const char *code = "cpp_0 = async_compile.cpp_pybinding([], r'''\n"
                       "extern \"C\"  void  kernel(int32_t* out_ptr0, int32_t* out_ptr1)\n"
                       "{\n"
                       "''')\n"
                       "cpp_1 = async_compile.cpp_pybinding([], r'''\n"
                       "extern \"C\"\n"
                       "void kernel(const float* query, const float* key, const float* value, const int32_t* "
                       "kv_num_blocks, const int32_t* kv_indices, float* output)\n"
                       "{\n"
                       "''')\n"
                       "def call(args):\n"
                       "    cpp_0(buf0, buf1)\n"
                       "    cpp_1(q, k, v, buf0, buf1, buf2)\n"
                       "    return (buf2, )\n";
    assert_flow(graph, code, 0, "ones zeros");
    assert_flow(graph, code, 1, "flex_attention mul");
    assert_slice(scan->items[1].params, "iiiiib");
    /* in another order, they are other operands */
    const char *at = strstr(code, "cpp_1(q, k");
    char *other = mem_printf("%.*scpp_1(k, q%s", (int)(at - code), code, at + 10);
    assert_flow(graph, other, 1, "flex_attention");
    assert_flow(graph, other, 0, "ones zeros");
    free(other);
}

/* Subgraphs have their own functions. AOTInductor's graph and wrapper have their own formats for inputs and results. */
/* The lines of the nested graph of each node with this operator, if all have the same. */
static void reads_inlined_lines(void **state) {
    (void)state;
    uint32_t lines[INLINED_LINES_MAX];
    for (int same = 0; same < 2; same++) {
        struct buf text = {0};
        buf_addf(&text,
                 "class G(torch.nn.Module):\n"
                 "    def forward(self, q: \"f32[4]\"):\n"
                 "        # File: /x/a.py:1 in f, code: flex(q)\n"
                 "        mask_0 = self.mask_0\n"
                 "        mask_1 = self.mask_1\n"
                 "        a = torch.ops.higher_order.flex_attention(q, (1, mask_0))\n"
                 "        b = torch.ops.higher_order.flex_attention(a, (1, mask_1))\n"
                 "        return (b,)\n"
                 "    class mask_0(torch.nn.Module):\n"
                 "        def forward(self, x: \"i32[]\"):\n"
                 "            # File: /x/a.py:7 in mask, code: x > 0\n"
                 "            gt: \"b8[]\" = torch.ops.aten.gt.Scalar(x, 0)\n"
                 "            return gt\n"
                 "    class mask_1(torch.nn.Module):\n"
                 "        def forward(self, x: \"i32[]\"):\n"
                 "            # File: /x/a.py:%d in mask, code: x > 0\n"
                 "            gt: \"b8[]\" = torch.ops.aten.gt.Scalar(x, 0)\n"
                 "            return gt\n",
                 same ? 7 : 8);
        const struct flow_graphs *graphs = flow_graphs_scan(buf_slice(&text), &arena);
        assert_int_equal(inlined_lines(graphs, SLICE("flex_attention"), lines), same);
        if (same)
            assert_int_equal(graphs->sources[lines[0]].line, 7);
        assert_int_equal(inlined_lines(graphs, SLICE("flex_attention_backward"), lines), 0);
        buf_free(&text);
    }
}

static void follows_other_forms(void **state) {
    (void)state;
    const char *cond =
        graph_of("arg0_1: f32[4]",
                 "        cond = torch.ops.higher_order.cond(arg0_1, true_graph_0, true_graph_0, (arg0_1,))\n"
                 "        getitem: \"f32[4]\" = cond[0]\n"
                 "return (getitem,)\n"
                 "    class true_graph_0(torch.nn.Module):\n"
                 "        def forward(self, arg0_1: \"f32[4]\"):\n"
                 "            sin: \"f32[4]\" = torch.ops.aten.sin.default(arg0_1)\n"
                 "            return (sin,)\n");
    assert_flow(cond,
                code_of("kernel cpp_0(const float* in_ptr0, float* out_ptr0)\n"
                        "def true_graph_0(args):\n"
                        "    cpp_0(true_graph_0_arg0_1, true_graph_0_buf0)\n"
                        "    return (true_graph_0_buf0, )\n"),
                0, "sin");
    const char *exported = graph_of("", "        arg2_1: \"f32[3, 4]\"; arg3_1: \"f32[4]\";\n"
                                        "\n"
                                        "        arg2_1, arg3_1, = fx_pytree.tree_flatten_spec([], self._in_spec)\n"
                                        "        w: \"f32[2]\" = self.fc.bias\n"
                                        "sin: f32[3, 4] = sin.default(arg2_1)\n"
                                        "add: f32[3, 4] = add.Tensor(sin, w);  sin = None\n"
                                        "return (add,)\n");
    assert_flow(exported,
                "extern \"C\"  void  cpp_fused_add_sin_0(const float* in_ptr0,\n"
                "    float* out_ptr0);\n"
                "    auto arg2_1 = std::move(inputs[0]);\n"
                "    cpp_fused_add_sin_0((const float*)(arg2_1.data_ptr()), (float*)(buf0.data_ptr()));\n"
                "    auto buf1 = std::move(buf0);  // reuse\n"
                "    output_handles[0] = buf1.release();\n",
                0, "sin add");
}

/* An operator on lists computes each item from the items at its position: two kernels may compute items of it. */
static void follows_items_of_lists(void **state) {
    (void)state;
    const char *arguments = "a: f32[4]; b: f32[8]; c: f32[4]; d: f32[8]; s: f32[]; t: f32[]";
    const char *lists = "add: f32[] = _foreach_add_.Scalar([s, t], 1)\n"
                        "        getitem = add[0]\n"
                        "        getitem_1 = add[1]\n"
                        "mul: f32[] = _foreach_mul.Tensor([a, b], s)\n"
                        "        getitem_2 = mul[0]\n"
                        "        getitem_3 = mul[1]\n"
                        "pow: f32[] = _foreach_pow.ScalarAndTensor(0.9, [getitem, getitem_1])\n"
                        "        getitem_4 = pow[0]\n"
                        "        getitem_5 = pow[1]\n"
                        "sqrt: f32[] = _foreach_sqrt.default([getitem_2, getitem_3])\n"
                        "        getitem_6 = sqrt[0]\n"
                        "        getitem_7 = sqrt[1]\n"
                        "div: f32[] = _foreach_div_.List([c, d], [getitem_6, getitem_7])\n"
                        "        getitem_8 = div[0];  getitem_8 = None\n"
                        "        getitem_9 = div[1];  getitem_9 = None\n"
                        "return (getitem_4, getitem_5)\n";
    const char *code =
        code_of("kernel cpp_0(const float* in_ptr0, const float* in_ptr1, float* out_ptr0, float* out_ptr1)\n"
                "kernel cpp_1(const float* in_ptr0, const float* in_ptr1, float* out_ptr0, float* out_ptr1)\n"
                "kernel cpp_2(const float* in_ptr0, const float* in_ptr1, float* out_ptr0)\n"
                "kernel cpp_3(const float* in_ptr0, const float* in_ptr1, const float* in_ptr2, float* out_ptr0)\n"
                "def call(args):\n"
                "    cpp_2(a, c, c)\n"
                "    cpp_3(b, d, s, d)\n"
                "    cpp_0(s, t, s, t)\n"
                "    cpp_1(s, t, buf0, buf1)\n"
                "    return (buf0, buf1, )\n");
    const char *graph = graph_of(arguments, lists);
    assert_flow(graph, code, 0, "add");
    assert_flow(graph, code, 1, "pow");
    assert_flow(graph, code, 3, "mul sqrt div");
    assert_flow(graph, code, 2, ""); /* it does not read s */
    assert_int_equal(flow_of(graph, code, 2)->why, FLOW_OPERANDS);
    assert_int_equal(flow_of(graph, code, 3)->why, FLOW_KNOWN);
    /* a library computes the list; its operands are in the same order */
    const char *called = graph_of("a: f32[4]; b: f32[8]", "abs: f32[] = _foreach_abs.default([a, b])\n"
                                                          "        getitem = abs[0]\n"
                                                          "        getitem_1 = abs[1]\n"
                                                          "norm: f32[] = _foreach_norm.Scalar([getitem, getitem_1])\n"
                                                          "        getitem_2 = norm[0]\n"
                                                          "        getitem_3 = norm[1]\n"
                                                          "neg: f32[] = neg.default(getitem_2)\n"
                                                          "return (neg, getitem_3)\n");
    const char *calls = code_of("kernel cpp_0(const float* in_ptr0, float* out_ptr0)\n"
                                "kernel cpp_1(const float* in_ptr0, float* out_ptr0)\n"
                                "def call(args):\n"
                                "    cpp_0(a, buf0)\n"
                                "    cpp_0(b, buf1)\n"
                                "    buf2 = torch.ops.aten._foreach_norm.Scalar([buf0, buf1])\n"
                                "    buf3 = buf2[0]\n"
                                "    buf4 = buf2[1]\n"
                                "    cpp_1(buf3, buf5)\n"
                                "    return (buf5, buf4, )\n");
    assert_flow(called, calls, 0, "abs");
    assert_flow(called, calls, 1, "neg");
    assert_flow(called, calls, 2, "norm");
    /* without a node for each item, the operator is one node: a kernel that does not compute all of it has no nodes */
    const char *some = graph_of("a: f32[4]; b: f32[8]; c: f32[4]", "add: f32[] = _foreach_add_.Scalar([a, b], 1)\n"
                                                                   "        getitem = add[1]\n"
                                                                   "return (getitem,)\n");
    const char *parts =
        code_of("kernel cpp_0(const float* in_ptr0, float* out_ptr0)\n"
                "kernel cpp_1(const float* in_ptr0, const float* in_ptr1, float* out_ptr0, float* out_ptr1)\n"
                "def call(args):\n"
                "    cpp_%s\n"
                "    return (b, )\n");
    char *one = mem_printf("%.*s0(a, a)%s", (int)(strstr(parts, "%s") - parts), parts, strstr(parts, "%s") + 2),
         *all = mem_printf("%.*s1(a, b, a, b)%s", (int)(strstr(parts, "%s") - parts), parts, strstr(parts, "%s") + 2);
    assert_flow(some, one, 0, "");
    assert_flow(some, all, 1, "add");
    free(one);
    free(all);
    /* lists of different lengths, an item that the list has not, more operands than any operator has */
    const char *odd = graph_of("a: f32[4]; b: f32[8]", "add: f32[] = _foreach_add.List([a, b], [a, b, a])\n"
                                                       "        getitem = add[1]\n"
                                                       "mul: f32[] = _foreach_mul.List([a, b], [a, b])\n"
                                                       "        getitem_1 = mul[9]\n"
                                                       "neg: f32[] = _foreach_neg.default(a, a, a, a, a, a, a, a, a)\n"
                                                       "        getitem_2 = neg[0]\n"
                                                       "        getitem_3 = neg[99999999999999999999]\n"
                                                       "return (getitem, getitem_1, getitem_2)\n");
    const char *odd_code =
        code_of("kernel cpp_0(const float* in_ptr0, float* out_ptr0, float* out_ptr1, float* out_ptr2)\n"
                "def call(args):\n"
                "    cpp_0(b, buf0, buf1, buf2)\n"
                "    return (buf0, buf1, buf2, )\n");
    assert_flow(odd, odd_code, 0, "");
}

/* A node may write a part of an input, which its kernel then does not read. A copy of that into the input does nothing. */
static void follows_what_is_written_in_place(void **state) {
    (void)state;
    const char *body = "sin: f32[2] = sin.default(v)\n"
                       "put: f32[8] = index_put_.default(c, [i], sin)\n"
                       "sum_1: f32[] = sum.default(put)\n"
                       "copy_: f32[8] = copy_.default(c, put)\n"
                       "cos: f32[2] = cos.default(v)\n"
                       "return (sum_1, cos)\n";
    const char *code =
        code_of("kernel cpp_0(const float* in_ptr0, const float* in_ptr1, float* out_ptr0, float* out_ptr1)\n"
                "kernel cpp_1(const float* in_ptr0, float* out_ptr0)\n"
                "def call(args):\n"
                "    cpp_0(v, i, c, buf0)\n"
                "    cpp_1(c, buf1)\n"
                "    return (buf1, buf0, )\n");
    const char *arguments = "c: f32[8]; i: i64[2]; v: f32[2]";
    assert_flow(graph_of(arguments, body), code, 0, "sin put cos");
    assert_flow(graph_of(arguments, body), code, 1, "sum_1");
    /* a value that another kernel may have computed is no input, and several nodes may belong to several kernels */
    const char *twice = graph_of(arguments, "sin: f32[2] = sin.default(v)\n"
                                            "put: f32[8] = index_put_.default(c, [i], sin)\n"
                                            "tan: f32[2] = tan.default(v)\n"
                                            "put_1: f32[8] = index_put_.default(c, [i], tan)\n"
                                            "return (sin, tan)\n");
    assert_flow(twice, code, 0, "tan");
    const char *chain = graph_of(arguments, "put: f32[8] = index_put_.default(c, [i], v)\n"
                                            "put_1: f32[8] = index_put_.default(put, [v], i)\n"
                                            "copy_: f32[8] = copy_.default(c, put_1)\n"
                                            "return ()\n");
    const char *both = code_of("kernel cpp_0(const float* in_ptr0, const float* in_ptr1, float* out_ptr0)\n"
                               "def call(args):\n"
                               "    cpp_0(v, i, c)\n");
    const char *each = code_of("kernel cpp_0(const float* in_ptr0, const float* in_ptr1, float* out_ptr0)\n"
                               "kernel cpp_1(const float* in_ptr0, const float* in_ptr1, float* out_ptr0)\n"
                               "def call(args):\n"
                               "    cpp_0(v, i, c)\n"
                               "    cpp_1(v, i, c)\n");
    assert_flow(chain, both, 0, "put put_1");
    assert_flow(chain, each, 0, "");
    assert_flow(chain, each, 1, "");
    const char *value = graph_of(arguments, "abs: f32[8] = abs.default(c)\n"
                                            "put: f32[8] = index_put_.default(abs, [i], v)\n"
                                            "return (put,)\n");
    const char *writes = code_of("kernel cpp_0(const float* in_ptr0, const float* in_ptr1, float* out_ptr0)\n"
                                 "def call(args):\n"
                                 "    cpp_0(v, i, buf0)\n"
                                 "    return (buf0, )\n");
    assert_flow(value, writes, 0, "");
}

/* Texts of a log are not trusted: without limits, this search would never end. */
static void follows_in_bounds(void **state) {
    (void)state;
    struct buf graph = {0}, code = {0};
    buf_add_lit(&graph, "class G(torch.nn.Module):\n"
                        "    def forward(self, a: \"f32\"):\n"
                        "        n0 = a + 1\n");
    buf_add_str(&code, code_of("kernel cpp_0(const float* in_ptr0, float* out_ptr0)\n"
                               "def call(args):\n"));
    for (int i = 1; i < 8000; i++) {
        buf_addf(&graph, "        n%d: \"f32\" = torch.ops.aten.mm.default(n%d, n%d)\n", i, i - 1, i - 1);
        buf_addf(&code,
                 "    cpp_0(buf%d, buf%d)\n"
                 "    extern_kernels.mm(buf%d, buf%d, out=buf%d)\n",
                 i, i + 1, i, i, i + 9000);
    }
    buf_add_lit(&graph, "        return (n7999,)\n");
    buf_add_lit(&code, "    return (buf8000, )\n");
    arena_free(&arena);
    struct flow_graphs *graphs = flow_graphs_scan(buf_slice(&graph), &arena);
    assert_non_null(graphs);
    kernel_flow_find(graphs, kernels_scan(buf_slice(&code), &arena), &arena);
    buf_add_lit(&graph, "    def forward(self):\n");
    for (int i = 0; i < 300; i++)
        buf_addf(&graph, "        m%d = m0\n", i);
    assert_null(flow_graphs_scan(buf_slice(&graph), &arena)); /* too many nodes: an incomplete graph is useless */
    const char *odd[] = {"", "class", "class G(\n def forward(",
                         "def forward(self, (a: \"x):\n"
                         "  = b\n"
                         " a: \"\n"
                         " return",
                         "def forward(self):\n"
                         " a: \"b\" = torch.ops.(((a\n"
                         " b = a = a\n"
                         " return ((((b, b\n"};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        if ((graphs = flow_graphs_scan(slice_str(odd[i]), &arena)))
            kernel_flow_find(graphs, kernels_scan(slice_str(code_of(flow_lines)), &arena), &arena);
    buf_free(&graph);
    buf_free(&code);
}

static int free_texts(void **state) {
    (void)state;
    for (size_t i = 0; i < TEXTS; i++)
        buf_free(&texts[i]);
    arena_free(&arena);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(follows_buffers),
        cmocka_unit_test(reads_through_views_and_means),
        cmocka_unit_test(a_value_leaves_a_use_for_the_other_inputs),
        cmocka_unit_test(guesses_nothing),
        cmocka_unit_test(separates_two_kernels),
        cmocka_unit_test(follows_items),
        cmocka_unit_test(follows_items_of_lists),
        cmocka_unit_test(follows_what_is_written_in_place),
        cmocka_unit_test(follows_parts_and_chains),
        cmocka_unit_test(separates_shared_nodes),
        cmocka_unit_test(assigns_functions_to_results),
        cmocka_unit_test(follows_partitions_and_copies),
        cmocka_unit_test(follows_attention),
        cmocka_unit_test(reads_inlined_lines),
        cmocka_unit_test(follows_other_forms),
        cmocka_unit_test(follows_in_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, free_texts);
}

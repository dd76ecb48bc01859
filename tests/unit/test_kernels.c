/* scan/kernel_scan, analysis/kernels: the kernels of output code. */
#define _GNU_SOURCE
#include "whole.h"

#include "base/mem.h"

#include "analysis/kernels.h"
#include "report/json/kernels_json.h"
#include "scan/function_family.h"
#include "scan/kernel_flow.h"
#include "scan/node_sources.h"

static struct arena arena;
static struct kernel_scan *scan;

static void scan_of(const char *code, uint32_t count) {
    arena_free(&arena);
    scan = kernels_scan(slice_str(code), &arena);
    assert_int_equal(scan->count, count);
}

static void assert_kernel(uint32_t place, enum kernel_kind kind, const char *name, uint32_t line, uint32_t call_line,
                          uint32_t calls, const char *nodes, const char *ops) {
    const struct scanned_kernel *kernel = &scan->items[place];
    assert_int_equal(kernel->kind, kind);
    assert_slice(kernel->name, name);
    assert_int_equal(kernel->line, line);
    assert_int_equal(kernel->call_line, call_line);
    assert_int_equal(kernel->calls, calls);
    assert_slice(kernel->nodes, nodes);
    assert_slice(kernel->ops, ops);
}

static const char triton[] =
    "# AOT ID: ['0_forward']\n"                                                           /* 1 */
    "from torch._inductor.async_compile import AsyncCompile\n"                            /* 2 */
    "async_compile = AsyncCompile()\n"                                                    /* 3 */
    "# kernel path: /tmp/x.py\n"                                                          /* 4 */
    "# Topologically Sorted Source Nodes: [x, y], Original ATen: [aten.add, aten.relu]\n" /* 5 */
    "# Source node to ATen node mapping:\n"                                               /* 6 */
    "#   x => add\n"                                                                      /* 7 */
    "triton_poi_0 = async_compile.triton('triton_poi_0', '''\n"                           /* 8 */
    "@triton_heuristics.pointwise(\n"                                                     /* 9 */
    "    triton_poi_0.run(never)\n"                                                       /* 10 */
    "''', device_str='cuda')\n"                                                           /* 11 */
    "async_compile.wait(globals())\n"                                                     /* 12 */
    "def call(args):\n"                                                                   /* 13 */
    "    # Topologically Sorted Source Nodes: [m], Original ATen: [aten.mm]\n"            /* 14 */
    "    extern_kernels.mm(a, b, out=buf0)\n"                                             /* 15 */
    "    stream0 = get_raw_stream(0)\n"                                                   /* 16 */
    "    triton_poi_0.run(buf0, 128, stream=stream0)\n"                                   /* 17 */
    "    # Topologically Sorted Source Nodes: [m, n], Original ATen: [aten.mm]\n"         /* 18 */
    "    # [Provenance debug handles] extern_kernels.mm:4\n"                              /* 19 */
    "    extern_kernels.mm(a, b, out=buf1)\n"                                             /* 20 */
    "    buf2 = torch.ops.aten.convolution_backward.default(buf1)\n"                      /* 21 */
    "    triton_poi_0.run(buf2, 128, stream=stream0)\n"                                   /* 22 */
    "def benchmark_compiled_module(times=10):\n"                                          /* 23 */
    "    triton_poi_0.run(bench)\n";

static void reads_triton(void **state) {
    (void)state;
    scan_of(triton, 4);
    assert_slice(scan->graph, "0_forward");
    assert_kernel(0, KERNEL_TRITON, "triton_poi_0", 8, 17, 2, "x, y", "aten.add, aten.relu");
    assert_slice(scan->items[0].heuristic, "pointwise");
    assert_slice(scan->items[0].handle, "");
    /* each library call computes something else */
    assert_kernel(1, KERNEL_EXTERN, "extern_kernels.mm", 0, 15, 1, "m", "aten.mm");
    assert_slice(scan->items[1].handle, "");
    assert_kernel(2, KERNEL_EXTERN, "extern_kernels.mm", 0, 20, 1, "n", "aten.mm");
    assert_slice(scan->items[2].operands, "m, n");
    assert_slice(scan->items[2].handle, "extern_kernels.mm:4");
    assert_kernel(3, KERNEL_EXTERN, "torch.ops.aten.convolution_backward.default", 0, 21, 1, "",
                  "aten.convolution_backward");
}

/* The comment also names the operands, and finally the computed node, perhaps without its name. */
static void distinguishes_a_call_from_its_operands(void **state) {
    (void)state;
    scan_of("def call(args):\n"
            "    # Topologically Sorted Source Nodes: [d, ], Original ATen: [aten.mul, aten.addmm]\n"
            "    extern_kernels.mm(a, b, out=buf0)\n"
            "    # Topologically Sorted Source Nodes: [x, w], Original ATen: [aten.mul, aten.t]\n"
            "    extern_kernels.addmm(a, b, out=buf0)\n"
            "    # Source Nodes: [x, w], Original ATen: [aten.mm, aten.mul]\n"
            "    extern_kernels.mm(a, b, out=buf0)\n"
            "    # Topologically Sorted Source Nodes: [y], Original ATen: [aten.addmm]\n"
            "    static constexpr int64_t int_array_2[] = {10L, 16L};\n"
            "    static constexpr int64_t int_array_3[] = {10L, 16L};\n"
            "    static constexpr int64_t int_array_4[] = {10L, 16L};\n"
            "    static constexpr int64_t int_array_5[] = {10L, 16L};\n"
            "    static constexpr int64_t int_array_6[] = {10L, 16L};\n"
            "    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_cuda_mm_out(buf0, a, b));\n",
            4);
    assert_slice(scan->items[0].nodes, "");
    assert_slice(scan->items[0].ops, "aten.mm"); /* its part of the addmm */
    assert_slice(scan->items[1].nodes, "x, w");  /* it is none of these: everything that the log has */
    assert_slice(scan->items[2].nodes, "x, w");  /* older logs have no order */
    assert_slice(scan->items[3].nodes, "y");
    assert_slice(scan->items[3].ops, "aten.mm");
}

/* A comment may be about an operator that the call computes a part of: the call's name says what it computes. */
static void names_operators_of_library_calls(void **state) {
    (void)state;
    scan_of("def call(args):\n"
            "    # Topologically Sorted Source Nodes: [x], Original ATen: [aten.native_dropout]\n"
            "    aten.randint.low_out(0, 9, [4], out=buf0)\n"
            "    buf1 = torch.ops.mylib.scale.default(buf0)\n"
            "    extern_kernels.bias_addmm(a, b, c, out=buf2)\n"
            "    mkldnn._linear_pointwise(a, b)\n"
            "    torch.ops.odd(a)\n"
            "    buf3 = extern_kernels.convolution(a, b)\n",
            6);
    const char *ops[] = {"aten.randint", "mylib.scale",     "aten.addmm", "mkldnn._linear_pointwise",
                         "odd",          "aten.convolution"};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        assert_slice(scan->items[i].ops, ops[i]);
    scan_of("    // Topologically Sorted Source Nodes: [x, y], Original ATen: [aten.mul, mylib.scale]\n"
            "    aoti_torch_proxy_executor_call_function(proxy_executor, 0, 0, nullptr, 2, handles.data());\n"
            "    // Topologically Sorted Source Nodes: [z], Original ATen: [aten.mm]\n"
            "    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_xpu_mm_out(buf0, a, b));\n",
            2);
    assert_slice(scan->items[0].ops, "mylib.scale");
    assert_slice(scan->items[0].nodes, "y");
    assert_slice(scan->items[1].ops, "aten.mm");
}

/* Not all code is Triton or C++. */
static void detects_languages(void **state) {
    (void)state;
    scan_of("halide_0 = async_compile.halide(HalideMeta(), '''\nx\n''')\n"
            "multi_1 = async_compile.size_hint_multi_kernel('multi_1', [a])\n"
            "cutlass_2 = async_compile.cutlass(c, r'''\nx\n''')\n",
            3);
    assert_int_equal(scan->items[0].kind, KERNEL_OTHER);
    assert_slice(scan->items[0].heuristic, "halide");
    assert_int_equal(scan->items[1].kind, KERNEL_TRITON);
    assert_int_equal(scan->items[2].kind, KERNEL_CPP);
}

static void reads_cpp(void **state) {
    (void)state;
    scan_of("cpp_fused_add_0 = async_compile.cpp_pybinding(['float*'], r'''\n"
            "extern \"C\"  void  kernel(float* p)\n"
            "''')\n"
            "    def call(self, args):\n"
            "        cpp_fused_add_0(buf0)\n"
            "        other(buf0)\n",
            1);
    assert_kernel(0, KERNEL_CPP, "cpp_fused_add_0", 1, 5, 1, "", "");
}

static void reads_the_wrapper_of_aot(void **state) {
    (void)state;
    scan_of("extern \"C\"  void  cpp_fused_sigmoid_1(float* p,\n"
            "    /*\n"
            "    async_compile.triton('triton_poi_mul_1', '''\n"
            "    @triton_heuristics.reduction(\n"
            "    ''', device_str='cuda')\n"
            "    */\n"
            "    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_cpu_empty_strided(2, &x));\n"
            "    // Topologically Sorted Source Nodes: [linear], Original ATen: [aten.addmm]\n"
            "    // [Provenance debug handles] aoti_torch_cpu_addmm_out:1\n"
            "    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_cpu_addmm_out(buf0, b));\n"
            "    cpp_fused_sigmoid_1((float*)(buf6.data_ptr()), s77);\n"
            "    call_triton_poi_mul_1(a, b);\n",
            3);
    assert_kernel(0, KERNEL_CPP, "cpp_fused_sigmoid_1", 1, 11, 1, "", "");
    assert_kernel(1, KERNEL_TRITON, "triton_poi_mul_1", 3, 12, 1, "", "");
    assert_kernel(2, KERNEL_EXTERN, "aoti_torch_cpu_addmm_out", 0, 10, 1, "linear", "aten.addmm");
}

/* The line of a kernel is that of its definition, or of a declaration where there is none. */
static void finds_definitions_behind_declarations(void **state) {
    (void)state;
    scan_of("cpp_wrapper_src = (\nr\"\"\"\n"
            "extern \"C\"  void  cpp_fused_a_0(const float* in_ptr0,\n"
            "                       float* out_ptr0);\n"
            "extern \"C\"  void  cpp_fused_b_1(float* out_ptr0);\n"
            "extern \"C\"  void  cpp_fused_c_2(float* out_ptr0);\n"
            "    cpp_fused_a_0((const float*)(x.data_ptr()), (float*)(y.data_ptr()));\n"
            "extern \"C\"  void  cpp_fused_a_0(const float* in_ptr0,\n"
            "                       float* out_ptr0)\n{\n}\n"
            "extern \"C\"  void  cpp_fused_b_1(float* out_ptr0) {\n}\n",
            3);
    assert_kernel(0, KERNEL_CPP, "cpp_fused_a_0", 8, 7, 1, "", "");
    assert_kernel(1, KERNEL_CPP, "cpp_fused_b_1", 12, 0, 0, "", "");
    assert_kernel(2, KERNEL_CPP, "cpp_fused_c_2", 6, 0, 0, "", "");
}

static void accepts_any_text(void **state) {
    (void)state;
    scan_of("", 0);
    scan_of("async_compile.triton('", 0);
    scan_of("x = async_compile.triton('x', '''\nno end", 1);
    scan_of("# Topologically Sorted Source Nodes: [\n    extern_kernels.mm(", 1);
    scan_of("    extern_kernels.(\n    .run(\n = torch.ops.\n", 0);
}

/* ---- what a kernel computes, from its buffers ---- */

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

#define CPP(name, params)                                                                                              \
    name " = async_compile.cpp_pybinding([], r'''\nextern \"C\"  void  kernel(" params ")\n{\n''')\n"

static const char flow_code[] = "# AOT ID: ['0_forward']\n" CPP("cpp_0", "float* in_out_ptr0,\n    const int64_t ks0")
    CPP("cpp_1",
        "const float* in_ptr0, float* out_ptr0, float* out_ptr1") "def call(args):\n"
                                                                  "    buf0 = empty_strided_cpu((8, 8), (8, 1), "
                                                                  "torch.float32)\n"
                                                                  "    # Topologically Sorted Source Nodes: [y], "
                                                                  "Original ATen: [aten.mm]\n"
                                                                  "    extern_kernels.mm(primals_1, primals_2, "
                                                                  "out=buf0)\n"
                                                                  "    buf1 = buf0; del buf0  # reuse\n"
                                                                  "    cpp_0(buf1, s0)\n"
                                                                  "    buf2 = empty_strided_cpu((8, 8), (8, 1), "
                                                                  "torch.float32)\n"
                                                                  "    # Topologically Sorted Source Nodes: [], "
                                                                  "Original ATen: [aten.mm]\n"
                                                                  "    extern_kernels.mm(reinterpret_tensor(buf1, (8, "
                                                                  "8), (1, 8), 0), primals_2, out=buf2)\n"
                                                                  "    cpp_1(buf2, buf3, buf4)\n"
                                                                  "    return (buf4, reinterpret_tensor(buf1, (8, 8), "
                                                                  "(1, 8), 0), )\n";

static void assert_flow(const char *graph, const char *code, uint32_t kernel, const char *nodes) {
    struct buf text = {0};
    arena_free(&arena);
    struct flow_graphs *graphs = flow_graphs_scan(slice_str(graph), &arena);
    assert_non_null(graphs);
    scan = kernels_scan(slice_str(code), &arena);
    struct kernel_flow *flow = kernel_flow_find(flow_graphs_copy(graphs, &arena), scan, &arena);
    for (uint32_t i = 0; flow && i < flow->kernels[kernel].count; i++) {
        if (i)
            buf_add_byte(&text, ' ');
        buf_add(&text, graphs->nodes[flow->nodes[flow->kernels[kernel].first + i]].name);
    }
    assert_slice(buf_slice(&text), nodes);
    buf_free(&text);
}

static void follows_buffers(void **state) {
    (void)state;
    assert_flow(graph_text, flow_code, 0, "exp mul");
    assert_flow(graph_text, flow_code, 1, "sum_1 sub add");
    assert_flow(graph_text, flow_code, 2, "mm");
    assert_flow(graph_text, flow_code, 3, "mm_1");
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
        const char *at = strstr(flow_code, change[i][0]);
        assert_non_null(at);
        char *code = mem_printf("%.*s%s%s", (int)(at - flow_code), flow_code, change[i][1], at + strlen(change[i][0]));
        assert_flow(graph_text, code, 1, "");
        free(code);
    }
    assert_flow(graph_text, "def call(args):\n    extern_kernels.bmm(primals_1, primals_2, out=buf0)\n", 0, "");
    /* two nodes may match this call */
    assert_flow(graph_text, "def call(args):\n    extern_kernels.mm(other, primals_2, out=buf0)\n", 0, "");
}

/* Between two kernels: what is read more than once is written by the first. */
static void separates_two_kernels(void **state) {
    (void)state;
    const char *graph = "class GraphModule(torch.nn.Module):\n    def forward(self, a: \"f32[8]\"):\n"
                        "        neg: \"f32[8]\" = torch.ops.aten.neg.default(a)\n"
                        "        exp: \"f32[8]\" = torch.ops.aten.exp.default(neg)\n"
                        "        sin: \"f32[8]\" = torch.ops.aten.sin.default(exp)\n"
                        "        mul: \"f32[8]\" = torch.ops.aten.mul.Tensor(exp, sin)\n"
                        "        return (mul,)\n";
    const char *code = CPP("cpp_0", "const float* in_ptr0, float* out_ptr0")
        CPP("cpp_1", "const float* in_ptr0, float* out_ptr0") "def call(args):\n"
                                                              "    cpp_0(a, buf0)\n"
                                                              "    cpp_1(buf0, buf1)\n"
                                                              "    return (buf1, )\n";
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
    const char *unbacked = "class <lambda>(torch.nn.Module):\n    def forward(self, a: \"i64[3]\"):\n"
                           "        max_1: \"i64[]\" = torch.ops.aten.max.default(a)\n"
                           "        item: \"Sym(u0)\" = torch.ops.aten._local_scalar_dense.default(max_1)\n"
                           "        full: \"f32[u0]\" = torch.ops.aten.full.default([item], 0)\n"
                           "        add: \"f32[u0]\" = torch.ops.aten.add.Tensor(full, item)\n        return (add,)\n";
    const char *unbacked_code = CPP("cpp_0", "const int64_t* in_ptr0, int64_t* out_ptr0")
        CPP("cpp_1",
            "float* out_ptr0, const int64_t ks0") "def call(args):\n    cpp_0(a, buf0)\n    u0 = buf0.item()\n"
                                                  "    buf1 = None\n    cpp_1(buf6, u0)\n    return (buf6, )\n";
    assert_flow(unbacked, unbacked_code, 0, "max_1");
    assert_flow(unbacked, unbacked_code, 1, "full add");
    const char *cond =
        "class <lambda>(torch.nn.Module):\n    def forward(self, a: \"f32[4]\"):\n"
        "        true_graph_0 = self.true_graph_0\n        false_graph_0 = self.false_graph_0\n"
        "        sum_1: \"f32[]\" = torch.ops.aten.sum.default(a)\n        gt: \"b8[]\" = "
        "torch.ops.aten.gt.Scalar(sum_1, 0)\n"
        "        neg: \"f32[4]\" = torch.ops.aten.neg.default(a)\n"
        "        cond = torch.ops.higher_order.cond(gt, true_graph_0, false_graph_0, (a, neg))\n"
        "        getitem: \"f32[4]\" = cond[0]\n        return (getitem,)\n"
        "    class true_graph_0(torch.nn.Module):\n        def forward(self, a: \"f32[4]\", b: \"f32[4]\"):\n"
        "            sin: \"f32[4]\" = torch.ops.aten.sin.default(b)\n            return (sin,)\n";
    const char *cond_code = CPP("cpp_0", "const float* in_ptr0, float* out_ptr0, bool* out_ptr1")
        CPP("cpp_1", "const float* in_ptr0, float* out_ptr0") CPP(
            "cpp_2",
            "const float* in_ptr0, float* out_ptr0") "def true_graph_0(args):\n"
                                                     "    true_graph_0_a, true_graph_0_b = args\n    "
                                                     "cpp_1(true_graph_0_b, true_graph_0_buf0)\n    return "
                                                     "(true_graph_0_buf0, )\n"
                                                     "def call(args):\n    cpp_0(a, buf0, buf1)\n    cpp_2(a, buf4)\n  "
                                                     "  buf2_selector = int(buf1.item())\n    buf2 = [None] * 1\n"
                                                     "    if buf2_selector == 0:\n        true_graph_0_args = [a, "
                                                     "buf4,]\n        buf2 = true_graph_0(true_graph_0_args)\n"
                                                     "    buf3 = buf2[0]\n    return (buf3, )\n";
    assert_flow(cond, cond_code, 0, "sum_1 gt");
    assert_flow(cond, cond_code, 1, "sin");
    assert_flow(cond, cond_code, 2, "neg");
    const char *loop =
        "class <lambda>(torch.nn.Module):\n    def forward(self, a: \"f32[4]\", b: \"f32[4]\"):\n"
        "        body_0 = self.body_0\n        full: \"i64[]\" = torch.ops.aten.full.default([], 0)\n"
        "        while_loop = torch.ops.higher_order.while_loop(body_0, (full, a, b), ())\n"
        "        getitem: \"f32[4]\" = while_loop[1]\n        return (getitem,)\n"
        "    class body_0(torch.nn.Module):\n        def forward(self, i: \"i64[]\", a: \"f32[4]\", b: \"f32[4]\"):\n"
        "            item: \"Sym(u0)\" = torch.ops.aten._local_scalar_dense.default(i)\n"
        "            select: \"f32[]\" = torch.ops.aten.select.int(a, 0, item)\n"
        "            cos: \"f32[]\" = torch.ops.aten.cos.default(b)\n"
        "            copy_: \"f32[]\" = torch.ops.aten.copy_.default(select, cos)\n"
        "            add: \"i64[]\" = torch.ops.aten.add.Tensor(i, 1)\n            return (add, a, b)\n";
    const char *loop_code = CPP("cpp_0", "int64_t* out_ptr0")
        CPP("cpp_1", "const float* in_ptr0, const int64_t* in_ptr1, float* out_ptr0, int64_t* out_ptr1, const int64_t "
                     "ks0") "def body_0(args):\n"
                            "    body_0_i, body_0_a, body_0_b = args\n    u0 = body_0_i.item()\n"
                            "    cpp_1(body_0_b, body_0_i, body_0_a, body_0_buf7, u0)\n    return (body_0_buf7, "
                            "body_0_a, body_0_b, )\n"
                            "def call(args):\n    cpp_0(buf1)\n    buf2 = [None] * 3\n    buf2[0] = buf1\n    buf2[1] "
                            "= a\n    buf2[2] = b\n"
                            "    body_0_args = [buf2[0], buf2[1], buf2[2]]\n    (buf2[0], buf2[1], buf2[2]) = "
                            "body_0(body_0_args)\n"
                            "    buf4 = buf2[1]\n    return (buf4, )\n";
    assert_flow(loop, loop_code, 0, "full");
    assert_flow(loop, loop_code, 1, "cos copy_ add");
}

/* Parts of a cat() are written by the kernels that compute them. A chain of one kernel and one library call has an
 * order. */
static void follows_parts_and_chains(void **state) {
    (void)state;
    const char *cat = "class <lambda>(torch.nn.Module):\n    def forward(self, a: \"f32[4]\"):\n"
                      "        sin: \"f32[4]\" = torch.ops.aten.sin.default(a)\n        cos: \"f32[4]\" = "
                      "torch.ops.aten.cos.default(a)\n"
                      "        cat: \"f32[8]\" = torch.ops.aten.cat.default([sin, cos])\n        return (cat,)\n";
    const char *cat_code = CPP("cpp_0", "const float* in_ptr0, float* out_ptr0")
        CPP("cpp_1",
            "const float* in_ptr0, float* out_ptr0") "def call(args):\n    buf1 = reinterpret_tensor(buf3, (4, ), (1, "
                                                     "), 4)  # alias\n    cpp_0(a, buf1)\n"
                                                     "    auto buf2 = "
                                                     "wrap_with_raii_handle_if_needed(reinterpret_tensor_wrapper(buf3, "
                                                     "1, x, y, 0L));  // alias\n    cpp_1(a, buf2)\n"
                                                     "    return (buf3, )\n";
    assert_flow(cat, cat_code, 0, "cos");
    assert_flow(cat, cat_code, 1, "sin");
    const char *chain = "class <lambda>(torch.nn.Module):\n    def forward(self, a: \"f32[4]\"):\n"
                        "        mm: \"f32[4]\" = torch.ops.aten.mm.default(a, a)\n        relu: \"f32[4]\" = "
                        "torch.ops.aten.relu.default(mm)\n"
                        "        mm_1: \"f32[4]\" = torch.ops.aten.mm.default(relu, relu)\n        relu_1: \"f32[4]\" "
                        "= torch.ops.aten.relu.default(mm_1)\n"
                        "        mm_2: \"f32[4]\" = torch.ops.aten.mm.default(relu_1, relu_1)\n        relu_2: "
                        "\"f32[4]\" = torch.ops.aten.relu.default(mm_2)\n"
                        "        return (relu_2,)\n";
    const char *chain_code =
        CPP("cpp_0",
            "float* in_out_ptr0") "def call(args):\n    extern_kernels.mm(a, a, out=buf0)\n"
                                  "    buf1 = buf0; del buf0  # reuse\n    cpp_0(buf1)\n    extern_kernels.mm(buf1, "
                                  "buf1, out=buf2)\n    buf3 = buf2; del buf2  # reuse\n"
                                  "    cpp_0(buf3)\n    extern_kernels.mm(buf3, buf3, out=buf4)\n    buf5 = buf4; del "
                                  "buf4  # reuse\n    cpp_0(buf5)\n    return (buf5, )\n";
    assert_flow(chain, chain_code, 0, "relu relu_1 relu_2");
    assert_flow(chain, chain_code, 1, "mm");
    assert_flow(chain, chain_code, 2, "mm_1");
    assert_flow(chain, chain_code, 3, "mm_2");
}

/* Two kernels share a variance: the functions in a kernel's code decide which one computes the root; otherwise it is
 * "perhaps" for the second. */
static void separates_shared_nodes(void **state) {
    (void)state;
    const char *graph = "class <lambda>(torch.nn.Module):\n    def forward(self, a: \"f32[4]\", w: \"f32[4]\"):\n"
                        "        var: \"f32[]\" = torch.ops.aten.var.default(a)\n        eps: \"f32[]\" = "
                        "torch.ops.aten.add.Tensor(var, 1e-05)\n"
                        "        rsqrt: \"f32[]\" = torch.ops.aten.rsqrt.default(eps)\n        mul: \"f32[4]\" = "
                        "torch.ops.aten.mul.Tensor(a, rsqrt)\n"
                        "        mm: \"f32[4]\" = torch.ops.aten.mm.default(mul, w)\n        div: \"f32[]\" = "
                        "torch.ops.aten.div.Tensor(rsqrt, 4)\n"
                        "        return (mm, div)\n";
    const char *head = "cpp_0 = async_compile.cpp_pybinding([], r'''\nextern \"C\"  void  kernel(const float* in_ptr0, "
                       "float* out_ptr0, float* out_ptr1)\n"
                       "    tmp2 = tmp1.rsqrt();\n''')\n"
                       "cpp_1 = async_compile.cpp_pybinding([], r'''\nextern \"C\"  void  kernel(float* in_out_ptr0)\n";
    const char *tail = "''')\ndef call(args):\n    cpp_0(a, buf0, buf1)\n    extern_kernels.mm(buf1, w, out=buf2)\n"
                       "    buf3 = buf0; del buf0  # reuse\n    cpp_1(buf3)\n    return (buf2, buf3, )\n";
    char *with = mem_printf("%s    tmp3 = 1 / std::sqrt(tmp2);\n%s", head, tail),
         *without = mem_printf("%s%s", head, tail);
    assert_flow(graph, with, 0, "var eps rsqrt mul");
    assert_flow(graph, with, 1, "eps rsqrt div");
    assert_int_equal(flow_of(graph, with, 1)->why, FLOW_KNOWN);
    assert_flow(graph, without, 1, "div");
    assert_int_equal(flow_of(graph, without, 1)->why, FLOW_KNOWN);
    free(with);
    free(without);
    const char *bare =
        "extern \"C\"  void  cpp_0(const float* in_ptr0, float* out_ptr0, float* out_ptr1);\nextern \"C\"  void  "
        "cpp_1(float* in_out_ptr0);\n"
        "    cpp_0(a, buf0, buf1);\n    // Topologically Sorted Source Nodes: [mm], Original ATen: [aten.mm]\n    "
        "AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_cpu_mm_out(buf2, buf1, w));\n"
        "    auto buf3 = std::move(buf0);  // reuse\n    cpp_1(buf3);\n    output_handles[0] = buf2.release();\n"
        "    output_handles[1] = buf3.release();\n";
    assert_int_equal(flow_of(graph, bare, 1)->why, FLOW_SHARED);
    assert_int_equal(flow_of(graph, bare, 1)->count, 1);
    assert_int_equal(flow_of(graph, bare, 1)->perhaps_count, 2);
    assert_int_equal(flow_of(graph, bare, 0)->perhaps_count, 0);
    assert_int_equal(flow_of(graph, "def call(args):\n    extern_kernels.bmm(a, w, out=buf0)\n", 0)->why, FLOW_RESULTS);
    assert_int_equal(flow_of(graph, CPP("cpp_0", "float* in_out_ptr0") "def call(args):\n    pass\n    x = [a]\n", 0)
                         ->why,
                     FLOW_NOT_CALLED);
}

/* A function in the loops of one result belongs to what that result depends on. */
static void assigns_functions_to_results(void **state) {
    (void)state;
    const char *graph = "class <lambda>(torch.nn.Module):\n    def forward(self, a: \"f32[4]\", b: \"f32[4]\"):\n"
                        "        var: \"f32[]\" = torch.ops.aten.var.default(a)\n"
                        "        rsqrt: \"f32[]\" = torch.ops.aten.rsqrt.default(var)\n"
                        "        mul: \"f32[4]\" = torch.ops.aten.mul.Tensor(a, rsqrt)\n"
                        "        mean: \"f32[]\" = torch.ops.aten.mean.default(b)\n"
                        "        rsqrt_1: \"f32[]\" = torch.ops.aten.rsqrt.default(mean)\n"
                        "        div: \"f32[]\" = torch.ops.aten.div.Tensor(rsqrt, 4)\n"
                        "        return (mul, div, rsqrt_1)\n";
    const char *code =
        "cpp_0 = async_compile.cpp_pybinding([], r'''\nextern \"C\"  void  kernel(const float* in_ptr0, "
        "float* out_ptr0, float* out_ptr1)\n{\n    {\n        out_ptr0[0] = tmp1;\n    }\n    {\n"
        "        out_ptr1[0] = in_ptr0[0] * out_ptr0[0].rsqrt();\n    }\n}\n''')\n"
        "cpp_1 = async_compile.cpp_pybinding([], r'''\nextern \"C\"  void  kernel(float* in_out_ptr0,\n"
        "    const float* in_ptr0,\n    float* out_ptr0)\n{\n"
        "    {\n        out_ptr0[0] = in_ptr0[0].rsqrt();\n    }\n"
        "    {\n        in_out_ptr0[0] = %s;\n    }\n}\n''')\n"
        "def call(args):\n    cpp_0(a, buf0, buf1)\n    buf2 = buf0; del buf0  # reuse\n    cpp_1(buf2, b, buf3)\n"
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
static void follows_attention(void **state) {
    (void)state;
    const char *graph =
        "class <lambda>(torch.nn.Module):\n    def forward(self, q: \"f32[4]\", k: \"f32[4]\", v: \"f32[4]\"):\n"
        "        ones: \"i32[1]\" = torch.ops.aten.full.default([1], 1)\n"
        "        zeros: \"i32[1]\" = torch.ops.aten.full.default([1], 0)\n"
        "        sum_1: \"i32[1]\" = torch.ops.aten.sum.default(zeros)\n        score = self.score\n"
        "        flex_attention = torch.ops.higher_order.flex_attention(q, k, v, score, (1, 1, ones, zeros, None, "
        "None, "
        "sum_1), 0.25, {'BACKEND': 'AUTO'}, (), ())\n"
        "        getitem: \"f32[4]\" = flex_attention[0]\n        return (getitem,)\n"
        "    class score(torch.nn.Module):\n        def forward(self, arg0_1: \"f32[]\"):\n"
        "            mul: \"f32[]\" = torch.ops.aten.mul.Tensor(arg0_1, 2)\n            return mul\n";
    const char *code =
        "cpp_0 = async_compile.cpp_pybinding([], r'''\nextern \"C\"  void  kernel(int32_t* out_ptr0, int32_t* "
        "out_ptr1)\n{\n''')\ncpp_1 = async_compile.cpp_pybinding([], r'''\nextern \"C\"\nvoid kernel(const float* "
        "query, const float* key, const float* value, const int32_t* kv_num_blocks, const int32_t* kv_indices, "
        "float* output)\n{\n''')\ndef call(args):\n    cpp_0(buf0, buf1)\n    cpp_1(q, k, v, buf0, buf1, buf2)\n"
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
static void follows_other_forms(void **state) {
    (void)state;
    const char *cond = "class <lambda>(torch.nn.Module):\n    def forward(self, arg0_1: \"f32[4]\"):\n"
                       "        cond = torch.ops.higher_order.cond(arg0_1, true_graph_0, true_graph_0, (arg0_1,))\n"
                       "        getitem: \"f32[4]\" = cond[0]\n        return (getitem,)\n"
                       "    class true_graph_0(torch.nn.Module):\n        def forward(self, arg0_1: \"f32[4]\"):\n"
                       "            sin: \"f32[4]\" = torch.ops.aten.sin.default(arg0_1)\n            return (sin,)\n";
    assert_flow(cond,
                CPP("cpp_0",
                    "const float* in_ptr0, float* out_ptr0") "def true_graph_0(args):\n"
                                                             "    cpp_0(true_graph_0_arg0_1, true_graph_0_buf0)\n"
                                                             "    return (true_graph_0_buf0, )\n",
                0, "sin");
    const char *exported = "class <lambda>(torch.nn.Module):\n    def forward(self):\n"
                           "        arg2_1: \"f32[3, 4]\"; arg3_1: \"f32[4]\";\n\n"
                           "        arg2_1, arg3_1, = fx_pytree.tree_flatten_spec([], self._in_spec)\n"
                           "        w: \"f32[2]\" = self.fc.bias\n"
                           "        sin: \"f32[3, 4]\" = torch.ops.aten.sin.default(arg2_1)\n"
                           "        add: \"f32[3, 4]\" = torch.ops.aten.add.Tensor(sin, w);  sin = None\n"
                           "        return (add,)\n";
    assert_flow(exported,
                "extern \"C\"  void  cpp_fused_add_sin_0(const float* in_ptr0,\n    float* out_ptr0);\n"
                "    auto arg2_1 = std::move(inputs[0]);\n"
                "    cpp_fused_add_sin_0((const float*)(arg2_1.data_ptr()), (float*)(buf0.data_ptr()));\n"
                "    auto buf1 = std::move(buf0);  // reuse\n"
                "    output_handles[0] = buf1.release();\n",
                0, "sin add");
}

/* Texts of a log are not trusted: without limits, this search would never end. */
static void follows_in_bounds(void **state) {
    (void)state;
    struct buf graph = {0}, code = {0};
    buf_add_lit(&graph, "class G(torch.nn.Module):\n    def forward(self, a: \"f32\"):\n        n0 = a + 1\n");
    buf_add_str(&code, CPP("cpp_0", "const float* in_ptr0, float* out_ptr0") "def call(args):\n");
    for (int i = 1; i < 8000; i++) {
        buf_addf(&graph, "        n%d: \"f32\" = torch.ops.aten.mm.default(n%d, n%d)\n", i, i - 1, i - 1);
        buf_addf(&code, "    cpp_0(buf%d, buf%d)\n    extern_kernels.mm(buf%d, buf%d, out=buf%d)\n", i, i + 1, i, i,
                 i + 9000);
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
    const char *odd[] = {"", "class", "class G(\n def forward(", "def forward(self, (a: \"x):\n  = b\n a: \"\n return",
                         "def forward(self):\n a: \"b\" = torch.ops.(((a\n b = a = a\n return ((((b, b\n"};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        if ((graphs = flow_graphs_scan(slice_str(odd[i]), &arena)))
            kernel_flow_find(graphs, kernels_scan(slice_str(flow_code), &arena), &arena);
    buf_free(&graph);
    buf_free(&code);
}

static struct buf json;

static void write_kernels(const struct model *model) {
    struct jsonw w = {.out = &json};
    json.len = 0;
    kernels_json_write(&w, NULL, model, true);
}

static bool says(const char *text) {
    return slice_find(buf_slice(&json), slice_str(text)) != SIZE_MAX;
}

/* Combines what several records say about a kernel. */
static void joins_what_the_log_has(void **state) {
    (void)state;
    struct buf log = {0};
    log_payload(&log, "\"dynamo_output_graph\": {}, " ID0,
                "class GraphModule(torch.nn.Module):\n    def forward(self):\n        # File: /home/x/a.py:7 in f, "
                "code: y = relu(x + 1)\n"
                "        x: \"f32[4]\" = a + 1\n        y: \"f32[4]\" = torch.relu(x)\n");
    log_payload(&log, "\"inductor_output_code\": {\"filename\": \"/tmp/c.py\"}, " ID0, triton);
    log_payload(&log, "\"artifact\": {\"name\": \"triton_kernel_info\", \"encoding\": \"json\"}, " ID0,
                "{\"triton_poi_0\": {\"autotune_cache_state\": \"miss\", \"num_configs\": 2}}");
    log_payload(
        &log, "\"artifact\": {\"name\": \"inductor_provenance_tracking_node_mappings\", \"encoding\": \"json\"}, " ID0,
        "{\"cppCodeToPost\": {\"triton_poi_0:1\": [\"add\", \"relu\"], \"triton_poi_0:2\": [\"relu\"]}}");
    log_payload(
        &log,
        "\"artifact\": {\"name\": \"inductor_provenance_tracking_kernel_stack_traces\", \"encoding\": \"json\"}, " ID0,
        "{\"extern_kernels.mm:4\": [\"File \\\"/home/x/b.py\\\", line 9, in g\\n    m(x)\\n  File "
        "\\\"/usr/lib/python3/site-packages/torch/nn/l.py\\\", line 1, in forward\\n    F.linear()\"]}");
    log_metrics(&log, 0, 0, "\"triton_kernel_compile_times_us\": \"[[\\\"triton_poi_0\\\", 300], [\\\"gone\\\", 5]]\"");
    look_at(&log, write_kernels);
    assert_true(says("{\"triton\":{\"count\":1,\"calls\":2},\"cpp\":{\"count\":0,\"calls\":0},\"extern\":{\"count\":3,"
                     "\"calls\":3},\"other\":{\"count\":0,\"calls\":0},\"generated\":1,"
                     "\"compile_time_us\":300,\"listed\":4,\"more\":0,"));
    assert_true(says("\"name\":\"triton_poi_0\",\"kind\":\"triton\",\"heuristic\":\"pointwise\",\"compile\":\"0/"
                     "0\",\"graph\":\"0_forward\",\"artifact\":1,"
                     "\"line\":8,\"call_line\":17,\"calls\":2,\"ops\":[\"aten.add\",\"aten.relu\"],\"nodes\":[\"x\","
                     "\"y\"],\"post_nodes\":[\"add\",\"relu\"],\"nodes_by\":\"provenance\","
                     "\"sources\":[{\"file\":\"/home/x/a.py\",\"line\":7,\"function\":\"f\",\"code\":\"y = relu(x + "
                     "1)\"}],\"compile_time_us\":300,"
                     "\"autotune\":{\"state\":\"miss\",\"configs\":2,\"config\":null}"));
    /* the handle says which of the two calls */
    assert_true(says("\"call_line\":15,\"calls\":1,\"ops\":[\"aten.mm\"],\"nodes\":[\"m\"],\"post_nodes\":[],\"nodes_"
                     "by\":\"comment\","
                     "\"sources\":[]"));
    assert_true(says("\"call_line\":20,\"calls\":1,\"ops\":[\"aten.mm\"],\"nodes\":[\"n\"],\"post_nodes\":[],\"nodes_"
                     "by\":\"comment\","
                     "\"sources\":[{\"file\":\"/home/x/b.py\",\"line\":9,\"function\":\"g\",\"code\":\"m(x)\"}]"));
}

static const char named[] =
    "k = async_compile.triton('k', '''\n''', device_str='cuda')\ndef call(args):\n    k.run(a)\n";

/* Metrics cover the kernels that were compiled since the previous metrics, regardless of their names. */
static void gives_each_its_time(void **state) {
    (void)state;
    struct buf log = {0};
    log_payload(&log, "\"inductor_output_code\": {\"filename\": \"/tmp/f.py\"}, " ID0, named);
    log_metrics(&log, 0, 0, "\"triton_kernel_compile_times_us\": \"[[\\\"k\\\", 300]]\"");
    log_payload(&log, "\"inductor_output_code\": {\"filename\": \"/tmp/b.py\"}, " ID0, named);
    log_record(&log, "\"bwd_compilation_metrics\": {\"triton_kernel_compile_times_us\": \"[[\\\"k\\\", 20]]\"}, " ID0);
    look_at(&log, write_kernels);
    assert_true(says("\"compile_time_us\":320,\"listed\":2,"));
    assert_true(says("\"compile_time_us\":300,\"autotune\"") && says("\"compile_time_us\":20,\"autotune\""));
    /* and if the backward is compiled together with the forward */
    log_payload(&log, "\"inductor_output_code\": {\"filename\": \"/tmp/f.py\"}, " ID0, named);
    log_payload(&log, "\"inductor_output_code\": {\"filename\": \"/tmp/b.py\"}, " ID0, named);
    log_metrics(&log, 0, 0, "\"triton_kernel_compile_times_us\": \"[[\\\"k\\\", 5], [\\\"k\\\", 7], [\\\"k\\\", 9]]\"");
    look_at(&log, write_kernels);
    assert_true(says("\"compile_time_us\":12,\"listed\":2,"));
}

/* The names in a comment of a backward are those of its own graph, not of Dynamo's. */
static void resolves_names_of_a_backward(void **state) {
    (void)state;
    struct buf log = {0};
    log_payload(
        &log, "\"dynamo_output_graph\": {}, " ID0,
        "class GraphModule(torch.nn.Module):\n    def forward(self):\n        # File: /home/x/a.py:7 in f, code: y\n"
        "        mm: \"f32[4]\" = a @ b\n        # File: /home/x/a.py:8 in f, code: z\n        y: \"f32[4]\" = mm + "
        "1\n");
    log_payload(&log, "\"inductor_post_grad_graph\": {}, " ID0,
                "class GraphModule(torch.nn.Module):\n    def forward(self, t: \"f32[4]\"):\n        # No stacktrace "
                "found for following nodes\n"
                "        mm: \"f32[4]\" = torch.ops.aten.mm.default(t, t)\n        return (mm,)\n");
    log_payload(&log, "\"inductor_output_code\": {\"filename\": \"/tmp/c.py\"}, " ID0,
                "# AOT ID: ['0_backward']\ndef call(args):\n"
                "    # Topologically Sorted Source Nodes: [mm], Original ATen: [aten.mm]\n    extern_kernels.mm(t, t, "
                "out=buf0)\n"
                "    # Topologically Sorted Source Nodes: [y, bmm], Original ATen: [aten.t, aten.bmm]\n    "
                "extern_kernels.bmm(u, t, out=buf1)\n");
    look_at(&log, write_kernels);
    assert_true(says("\"nodes\":[\"mm\"],\"post_nodes\":[],\"nodes_by\":\"comment\",\"sources\":[]"));
    /* the operands of the call lead to a line if the call itself has none */
    assert_true(says("\"nodes\":[\"bmm\"],\"post_nodes\":[],\"nodes_by\":\"comment\",\"sources\":[{\"file\":\"/home/x/"
                     "a.py\",\"line\":8,"));
}

static void handles_logs_without_kernels(void **state) {
    (void)state;
    struct buf log = {0};
    log_metrics(&log, 0, 0, "\"triton_kernel_compile_times_us\": \"[[\\\"a\\\", 300]]\"");
    look_at(&log, write_kernels);
    assert_true(says("\"listed\":0,\"more\":0,\"list\":[]"));
}

static void reads_lines_of_nodes(void **state) {
    (void)state;
    struct node_sources *sources =
        node_sources_scan(SLICE("def forward(self, L_x_: \"f32[4]\", L_größe_: \"f32[4]\"):\n"
                                "    l_x_ = L_x_\n"
                                "     # File: /home/x/a.py:7 in f, code: y = x + größe\n"
                                "    größe: \"f32[4]\" = l_x_ + 1\n"
                                "    # No stacktrace found for following nodes\n"
                                "    mul: \"f32[4]\" = größe * 2\n"),
                          &arena);
    assert_int_equal(sources->count, 1);
    assert_true(slice_is(sources->items[0].node, "größe"));
    assert_true(slice_is(sources->items[0].file, "/home/x/a.py") && sources->items[0].line == 7);
    assert_true(slice_is(sources->items[0].code, "y = x + größe"));
}

static int end(void **state) {
    arena_free(&arena);
    buf_free(&json);
    return remove_scratch(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_triton),
        cmocka_unit_test(distinguishes_a_call_from_its_operands),
        cmocka_unit_test(names_operators_of_library_calls),
        cmocka_unit_test(detects_languages),
        cmocka_unit_test(reads_cpp),
        cmocka_unit_test(reads_the_wrapper_of_aot),
        cmocka_unit_test(finds_definitions_behind_declarations),
        cmocka_unit_test(accepts_any_text),
        cmocka_unit_test(follows_buffers),
        cmocka_unit_test(guesses_nothing),
        cmocka_unit_test(separates_two_kernels),
        cmocka_unit_test(follows_items),
        cmocka_unit_test(follows_parts_and_chains),
        cmocka_unit_test(separates_shared_nodes),
        cmocka_unit_test(assigns_functions_to_results),
        cmocka_unit_test(follows_attention),
        cmocka_unit_test(follows_other_forms),
        cmocka_unit_test(follows_in_bounds),
        cmocka_unit_test(joins_what_the_log_has),
        cmocka_unit_test(gives_each_its_time),
        cmocka_unit_test(resolves_names_of_a_backward),
        cmocka_unit_test(handles_logs_without_kernels),
        cmocka_unit_test(reads_lines_of_nodes),
    };
    return cmocka_run_group_tests(tests, make_scratch, end);
}

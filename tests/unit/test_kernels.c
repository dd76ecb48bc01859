/* codegen/kernel_scan, lowering/kernels: the kernels of output code. */
#define _GNU_SOURCE
#include "whole.h"

#include "lowering/kernels.h"
#include "report/members.h"
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

/* Comments also name what uses a result, and what computes arguments: operators and Triton kernels of the user. */
static void leaves_out_what_others_compute(void **state) {
    (void)state;
    scan_of("# Topologically Sorted Source Nodes: [s, u, w], Original ATen: [aten.sin, mine.unsafe, mine.lowered]\n"
            "#   s => sin\n"
            "#   u => unsafe\n"
            "#   w => lowered\n"
            "#   launch => triton_kernel_wrapper_mutation_2\n"
            "#   %sin : [num_users=1] = call_function[target=torch.ops.aten.sin.default](args = (%x,), kwargs = {})\n"
            "#   %unsafe : [num_users=1] = call_function[target=torch.ops.mine.unsafe_.default](args = (%sin,))\n"
            "#   %lowered : [num_users=1] = call_function[target=torch.ops.mine.lowered.default](args = (%sin,))\n"
            "triton_0 = async_compile.triton('triton_0', '''\n''')\n"
            "# Topologically Sorted Source Nodes: [t, launch], Original ATen: [aten.cos]\n"
            "#   t => cos\n"
            "#   launch => triton_kernel_wrapper_mutation_2\n"
            "#   %triton_kernel_wrapper_mutation_2 : [num_users=0] = "
            "call_function[target=torch.ops.higher_order.triton_kernel_wrapper_mutation](args = ())\n"
            "triton_1 = async_compile.triton('triton_1', '''\n''')\n"
            "# Original path: /home/user/model.py:8\n"
            "mine_0 = async_compile.triton('mine', '''\n"
            "@triton_heuristics.user_autotune(\n''')\n"
            "def call(args):\n"
            "    # Topologically Sorted Source Nodes: [t, launch], Original ATen: [aten.cos]\n"
            "    mine_0.run(buf1)\n"
            "    torch.ops.mine.unsafe.default(buf0)\n",
            4);
    assert_slice(scan->items[0].nodes, "s, w"); /* no call computes `lowered` */
    assert_slice(scan->items[0].ops, "aten.sin, mine.lowered");
    assert_slice(scan->items[0].label, "");
    assert_slice(scan->items[1].nodes, "t");
    assert_slice(scan->items[1].ops, "aten.cos");
    assert_slice(scan->items[2].nodes, "launch");
    assert_slice(scan->items[2].ops, "");
    assert_slice(scan->items[2].label, "mine");
    assert_slice(scan->items[2].original, "/home/user/model.py:8");
}

/* A C++ wrapper's code includes the Python code that autotuned its kernels. */
static void counts_no_calls_that_only_autotune(void **state) {
    (void)state;
    scan_of("r\"\"\"\n"
            "Compile-time auto-tuning block: \n"
            "triton_0 = async_compile.triton('triton_0', '''\n\"\"\"\n''')\n"
            "with torch.cuda._DeviceGuard(0):\n"
            "    triton_0.run(buf1, 1024, stream=stream0)\n"
            "\"\"\"\n"
            "    call_triton_0(buf1, 1024L, 0, stream0);\n",
            1);
    assert_kernel(0, KERNEL_TRITON, "triton_0", 3, 9, 1, "", "");
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

static void log_choice(struct buf *log, const char *operation, const char *stats) {
    struct buf event = {0};
    buf_addf(&event,
             "{\"name\": \"%s_template_autotuning\", \"ts\": 1.0, \"args\": {\"autotune_shape\": \"4x4\", "
             "\"autotune_choices_stats\": \"{%s}\"}, \"ph\": \"E\"}%c",
             operation, stats, 0);
    log_payload(log, "\"chromium_event\": {}, " ID0, event.ptr);
    buf_free(&event);
}

#define STATS(winner) "\\\"num_choices\\\": 3, \\\"num_triton_choices\\\": 2, \\\"best_kernel\\\": \\\"" winner "\\\""

/* A template has the configuration of the choice, a library call the name. If several fit, it is unknown which. */
static void finds_the_results_of_choices(void **state) {
    (void)state;
    struct buf log = {0};
    log_choice(&log, "mm", STATS("triton_mm_1") ", \\\"best_kernel_desc\\\": \\\"A='f', B=2, num_warps=4\\\"");
    log_choice(&log, "mm", STATS("triton_mm_2") ", \\\"best_kernel_desc\\\": \\\"A='f', B=4, num_warps=4\\\"");
    log_choice(&log, "addmm", STATS("bias_addmm") ", \\\"best_time\\\": 0.0015");
    log_choice(&log, "bmm", STATS("bmm"));
    log_choice(&log, "bmm", "\\\"num_choices\\\": 3");
    log_payload(
        &log, "\"inductor_output_code\": {\"filename\": \"/tmp/c.py\"}, " ID0,
        "t = async_compile.triton('t', '''\n@triton_heuristics.template(\nnum_warps=4,\n)\n    A : tl.constexpr = "
        "f\n    B : tl.constexpr = 4\n''')\n"
        "p = async_compile.triton('p', '''\n@triton_heuristics.pointwise(\n''')\n"
        "def call(args):\n"
        "    t.run(a)\n"
        "    extern_kernels.bias_addmm(a, b, out=buf0)\n"
        "    extern_kernels.bmm(a, b, out=buf1)\n"
        "    extern_kernels.bmm(a, b, out=buf2)\n");
    log_payload(&log, "\"artifact\": {\"name\": \"triton_kernel_info\", \"encoding\": \"json\"}, " ID0,
                "{\"t\": {\"autotune_cache_state\": \"only 1 config\"}, \"p\": {\"autotune_cache_state\": \"only 1 "
                "config\"}}");
    look_at(&log, write_kernels);
    assert_true(says("{\"compile\":\"0/0\",\"operation\":\"addmm\",\"shape\":\"4x4\",\"candidates\":3,\"triton\":2,"
                     "\"winner\":\"bias_addmm\",\"config\":null,\"time_ns\":1500},{"));
    assert_true(says("{\"state\":null,\"configs\":null,\"config\":null},\"choice\":1,"));
    assert_true(says("{\"state\":\"only 1 config\",\"configs\":null,\"config\":null},\"perhaps\""));
    assert_true(says("\"autotune\":null,\"choice\":2,"));
    assert_false(says("\"choice\":0"));
    assert_false(says("\"choice\":3")); /* one of two calls */
}

static const char named[] =
    "k = async_compile.triton('k', '''\n''', device_str='cuda')\ndef call(args):\n    k.run(a)\n";

static void has_all_lines_of_its_traces(void **state) {
    (void)state;
    struct buf log = {0}, traces = {0};
    log_payload(&log, "\"inductor_output_code\": {\"filename\": \"/tmp/f.py\"}, " ID0, named);
    for (int line = 1; line <= 40; line++)
        buf_addf(&traces, "%s\"File \\\"/home/x/b.py\\\", line %d, in g\\n    m(x)\"", line > 1 ? ", " : "{\"k:1\": [",
                 line);
    buf_addf(&traces, "]}%c", 0);
    log_payload(
        &log,
        "\"artifact\": {\"name\": \"inductor_provenance_tracking_kernel_stack_traces\", \"encoding\": \"json\"}, " ID0,
        traces.ptr);
    buf_free(&traces);
    log_metrics(&log, 0, 0, "\"graph_op_count\": 1");
    look_at(&log, write_kernels);
    assert_true(says("\"line\":1,\"function\":\"g\"") && says("\"line\":40,\"function\":\"g\""));
}

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

/* What one of two kernels computes is in the graph, with its line: only the log does not say which of them it is. */
static void says_why_lines_are_unknown(void **state) {
    (void)state;
    struct kernel kernel = {.perhaps = SLICE_INIT("var, eps")};
    assert_int_equal(kernel_lines_unknown(&kernel), UNKNOWN_SHARED);
    kernel.post_nodes = SLICE("mul");
    assert_int_equal(kernel_lines_unknown(&kernel), UNKNOWN_LINES);
    kernel = (struct kernel){0};
    assert_int_equal(kernel_lines_unknown(&kernel), UNKNOWN_NODES);
    kernel.source_count = 1;
    assert_int_equal(kernel_lines_unknown(&kernel), UNKNOWN_NOTHING);
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
        cmocka_unit_test(leaves_out_what_others_compute),
        cmocka_unit_test(counts_no_calls_that_only_autotune),
        cmocka_unit_test(detects_languages),
        cmocka_unit_test(reads_cpp),
        cmocka_unit_test(reads_the_wrapper_of_aot),
        cmocka_unit_test(finds_definitions_behind_declarations),
        cmocka_unit_test(accepts_any_text),
        cmocka_unit_test(joins_what_the_log_has),
        cmocka_unit_test(finds_the_results_of_choices),
        cmocka_unit_test(has_all_lines_of_its_traces),
        cmocka_unit_test(gives_each_its_time),
        cmocka_unit_test(resolves_names_of_a_backward),
        cmocka_unit_test(says_why_lines_are_unknown),
        cmocka_unit_test(handles_logs_without_kernels),
        cmocka_unit_test(reads_lines_of_nodes),
    };
    return cmocka_run_group_tests(tests, make_scratch, end);
}

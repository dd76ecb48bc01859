/* model/kernel_scan, model/kernels: the kernels of output code. */
#define _GNU_SOURCE
#include "whole.h"

#include "model/kernels.h"
#include "report/kernels_json.h"

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
    scan_of(triton, 3);
    assert_slice(scan->graph, "0_forward");
    assert_kernel(0, KERNEL_TRITON, "triton_poi_0", 8, 17, 2, "x, y", "aten.add, aten.relu");
    assert_slice(scan->items[0].heuristic, "pointwise");
    assert_kernel(1, KERNEL_EXTERN, "extern_kernels.mm", 0, 15, 2, "m, n", "aten.mm");
    assert_kernel(2, KERNEL_EXTERN, "torch.ops.aten.convolution_backward.default", 0, 21, 1, "", "");
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

static void takes_anything(void **state) {
    (void)state;
    scan_of("", 0);
    scan_of("async_compile.triton('", 0);
    scan_of("x = async_compile.triton('x', '''\nno end", 1);
    scan_of("# Topologically Sorted Source Nodes: [\n    extern_kernels.mm(", 1);
    scan_of("    extern_kernels.(\n    .run(\n = torch.ops.\n", 0);
}

static struct buf json;

static void write_kernels(const struct report *report) {
    struct jsonw w = {.out = &json};
    json.len = 0;
    kernels_json_write(&w, NULL, report, true);
}

static bool says(const char *text) {
    return slice_find(buf_slice(&json), slice_str(text)) != SIZE_MAX;
}

/* What several records say of a kernel comes together. */
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
    assert_true(says(
        "{\"triton\":{\"count\":1,\"calls\":2},\"cpp\":{\"count\":0,\"calls\":0},\"extern\":{\"count\":2,\"calls\":3},"
        "\"compile_time_us\":300,\"listed\":3,\"more\":0,"));
    assert_true(says("\"name\":\"triton_poi_0\",\"kind\":\"triton\",\"heuristic\":\"pointwise\",\"compile\":\"0/"
                     "0\",\"graph\":\"0_forward\",\"artifact\":1,"
                     "\"line\":8,\"call_line\":17,\"calls\":2,\"ops\":[\"aten.add\",\"aten.relu\"],\"nodes\":[\"x\","
                     "\"y\"],\"post_nodes\":[\"add\",\"relu\"],"
                     "\"sources\":[{\"file\":\"/home/x/a.py\",\"line\":7,\"function\":\"f\",\"code\":\"y = relu(x + "
                     "1)\"}],\"compile_time_us\":300,"
                     "\"autotune\":{\"state\":\"miss\",\"configs\":2,\"config\":null}"));
    assert_true(says("\"sources\":[{\"file\":\"/home/x/b.py\",\"line\":9,\"function\":\"g\",\"code\":\"m(x)\"}]"));
}

static void has_none(void **state) {
    (void)state;
    struct buf log = {0};
    log_metrics(&log, 0, 0, "\"triton_kernel_compile_times_us\": \"[[\\\"a\\\", 300]]\"");
    look_at(&log, write_kernels);
    assert_true(says("\"listed\":0,\"more\":0,\"list\":[]"));
}

static int end(void **state) {
    arena_free(&arena);
    buf_free(&json);
    return remove_scratch(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_triton),
        cmocka_unit_test(reads_cpp),
        cmocka_unit_test(reads_the_wrapper_of_aot),
        cmocka_unit_test(takes_anything),
        cmocka_unit_test(joins_what_the_log_has),
        cmocka_unit_test(has_none),
    };
    return cmocka_run_group_tests(tests, make_scratch, end);
}

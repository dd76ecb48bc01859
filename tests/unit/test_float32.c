/* scan/float32 and findings/findings_float32: products of float32 matrices without TensorFloat32. */
#define _GNU_SOURCE
#include "advice/advice.h"
#include "whole.h"

#include "findings/finding.h"
#include "recompiles/chains.h"
#include "scan/node_sources.h"

#define MM "        mm: \"f32[8, 8][8, 1]cuda:0\" = torch.ops.aten.mm.default(a, b);  a = b = None\n"

static uint32_t products(struct slice graph) {
    struct node_source first;
    return float32_products(graph, &first);
}

static void finds_the_source_of_the_first_product(void **state) {
    (void)state;
    struct node_source first = {0};
    assert_int_equal(float32_products(SLICE("# File: /a.py:3 in f, code: x = x + 1\nadd: \"f32[8]\" = g(x)\n"
                                            "# File: /b.py:7 in g, code: x @ y\n# Annotation\nt: \"f32[8]\" = h(x)\n" MM
                                            "# File: /c.py:9 in h, code: y @ x\n" MM),
                                      &first),
                     2);
    assert_true(slice_is(first.file, "/b.py"));
    assert_int_equal(first.line, 7);
    float32_products(SLICE("# File: /a.py:3 in f, code: x\n# No stacktrace found for following nodes\n" MM), &first);
    assert_null(first.file.ptr);
    float32_products(SLICE(MM "# File: /c.py:9 in h, code: y @ x\n"), &first);
    assert_null(first.file.ptr);
}

static void counts_products(void **state) {
    (void)state;
    assert_int_equal(products(SLICE(MM MM)), 2);
    assert_int_equal(products(SLICE("x: \"f32[8]cuda:0\" = torch.ops.aten.addmm.default(b, c, d)")), 1);
    assert_int_equal(products(SLICE("x: \"f32[s0, 8]cuda\" = torch.ops.aten.baddbmm.default(b, c, d)")), 1);
    assert_int_equal(products(SLICE("x: \"f32[8, 8][8, 1]cpu\" = torch.ops.aten.mm.default(a, b)")), 0);
    assert_int_equal(products(SLICE("x: \"bf16[8, 8][8, 1]cuda:0\" = torch.ops.aten.mm.default(a, b)")), 0);
    assert_int_equal(products(SLICE("x: \"f32[8, 8]\" = torch.ops.aten.mm.default(a, b)")), 0);
    assert_int_equal(products(SLICE("x: \"f32[8, 8]cuda:0\" = torch.ops.aten.mm.dtype(a, b, f)")), 0);
    assert_int_equal(products(SLICE("# x: \"f32[8, 8]cuda:0\" = torch.ops.aten.mm.default(a, b)")), 0);
    assert_int_equal(products(SLICE("x: \"f32[8]cuda:0\" = torch.ops.aten.convolution.default(a, b)")), 0);
    assert_int_equal(products(SLICE("mm = torch.ops.aten.mm.default(a, b)")), 0);
    assert_int_equal(products(SLICE("")), 0);
}

static void reads_the_capability(void **state) {
    (void)state;
    assert_int_equal(cuda_capability(SLICE("DeviceProperties(type='cuda', index=0, cc=90, major=9)\n"
                                           "DeviceProperties(type='cuda', index=1, cc=75, major=7)\n")),
                     75);
    assert_int_equal(cuda_capability(SLICE("DeviceProperties(type='hip', index=0, cc='gfx942')")), 0);
    assert_int_equal(cuda_capability(SLICE("DeviceProperties(type='cuda', index=0)\n cc=90")), 0);
    assert_int_equal(cuda_capability(SLICE("DeviceProperties(type='cuda', cc=99999999999999999999999)")), 0);
    assert_int_equal(cuda_capability(SLICE("cc=90")), 0);
    assert_int_equal(cuda_capability(SLICE("")), 0);
}

static bool found;

static void look(const struct model *model) {
    struct chains chains = {0};
    struct findings findings = {0};
    chains_find(&chains, model);
    chains_advise(&chains, model);
    findings_find(&findings, model, &chains);
    found = false;
    for (size_t i = 0; i < findings.list.count; i++)
        found |= findings.list.items[i].kind == FINDING_FLOAT32_MATMUL;
    findings_finish(&findings);
    chains_finish(&chains);
}

/* Whether there is a finding about a graph with one product, on a GPU with this capability. */
static bool finds(const char *capability, const char *setting, const char *guard) {
    struct buf log = {0};
    char text[400];
    log_artifact_of(&log, 0, 0, "inductor_post_grad_graph", "string", MM);
    snprintf(text, sizeof text, "{'device': DeviceProperties(type='cuda', index=0, %s)}", capability);
    log_payload(&log,
                "\"inductor_output_code\": {\"filename\": \"/tmp/a.py\"}, \"frame_id\": 0, \"frame_compile_id\": 0, "
                "\"attempt\": 0",
                text);
    if (setting) {
        snprintf(text, sizeof text, "{\"key\": \"k\", \"components\": [\"[a] cuda_matmul_settings: %s\"]}", setting);
        log_artifact_of(&log, 0, 0, "fx_graph_cache_miss", "json", text);
    }
    if (guard) {
        snprintf(text, sizeof text,
                 "TREE_GUARD_MANAGER:\n+- RootGuardManager\n| +- GLOBAL_STATE: ___check_global_state() against "
                 "{\"allow_tf32\":%s,\"grad_mode\":true}\n",
                 guard);
        log_payload(&log, "\"dynamo_cpp_guards_str\": {}, \"frame_id\": 0, \"frame_compile_id\": 0, \"attempt\": 0",
                    text);
    }
    log_metrics(&log, 0, 0, "");
    look_at(&log, look);
    return found;
}

static void needs_a_device_and_the_setting(void **state) {
    (void)state;
    assert_true(finds("cc=90", "('none', True, True)", NULL));
    assert_true(finds("cc=80", "('ieee', True, True)", NULL));
    assert_true(finds("cc=90", "(False, True, True)", "false"));
    assert_true(finds("cc=90", NULL, "false"));
    assert_false(finds("cc=75", "('none', True, True)", "false")); /* too old */
    assert_false(finds("index=0", "('none', True, True)", "false"));
    assert_false(finds("cc=90", "('tf32', True, True)", NULL));
    assert_false(finds("cc=90", "(True, True, True)", NULL));
    assert_false(finds("cc=90", "('bfx9', True, True)", NULL)); /* another algorithm */
    assert_false(finds("cc=90", NULL, "true"));
    assert_false(finds("cc=90", NULL, NULL));
    assert_false(finds("cc=90", "('none', True, True)", "true")); /* the log contradicts itself */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_source_of_the_first_product),
        cmocka_unit_test(counts_products),
        cmocka_unit_test(reads_the_capability),
        cmocka_unit_test(needs_a_device_and_the_setting),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}

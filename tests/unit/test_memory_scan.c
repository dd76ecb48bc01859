/* codegen/memory_scan, codegen/code_sizes: what the call() of output code allocates. */
#include "support.h"

#include "base/buf.h"
#include "codegen/code_sizes.h"
#include "codegen/scanned_memory.h"

static struct arena arena;

static int teardown(void **state) {
    (void)state;
    arena_free(&arena);
    arena = (struct arena){0};
    return 0;
}

/* ---- sizes ------------------------------------------------------------------------------------------------------ */

static bool named(const void *data, struct slice name, int64_t *value) {
    (void)data;
    *value = slice_is(name, "s0") ? 7 : -3;
    return slice_is(name, "s0") || slice_is(name, "neg");
}

static const struct size_names names = {named, NULL};

static void assert_value(const char *text, int64_t expected) {
    int64_t value = -99;
    assert_true(size_value(slice_str(text), &names, &value));
    assert_int_equal(value, expected);
}

static void expressions_are_those_of_python(void **state) {
    (void)state;
    assert_value("4*s0", 28);
    assert_value("1 + 2*3 - 4", 3);
    assert_value("(1 + s0) // 2", 4);
    assert_value("neg // 2", -2);
    assert_value("neg % 2", 1);
    assert_value("-s0 + 1", -6);
    assert_value("-2**2", -4);
    assert_value("2**10", 1024);
    assert_value("max(1, s0)", 7);
    assert_value("Min(3, s0, 5)", 3);
    assert_value("64*((((-1) + s0) // 4))", 64);
    assert_value("  12 ", 12);
}

static void other_texts_have_no_value(void **state) {
    (void)state;
    int64_t value;
    static const char *const texts[] = {"",
                                        "s1",
                                        "1.5",
                                        "1 +",
                                        "(1",
                                        "1)",
                                        "max(1",
                                        "9223372036854775807 + 1",
                                        "9223372036854775808",
                                        "1 // 0",
                                        "1 2",
                                        "f(1)",
                                        "10 ** 40",
                                        "1 % 0",
                                        "*",
                                        "s0 s0",
                                        "2**-1",
                                        "3_000"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_false(size_value(slice_str(texts[i]), &names, &value));
    AUTO_BUF deep = {0};
    for (int i = 0; i < 100000; i++)
        buf_add_byte(&deep, '(');
    assert_false(size_value(buf_slice(&deep), &names, &value));
}

static void storages_are_as_large_as_their_last_item(void **state) {
    (void)state;
    static const struct {
        const char *sizes, *strides;
        int64_t bytes;
    } rows[] = {{"(8, 4)", "(4, 1)", 128}, {"(8, 4)", "(1, 8)", 128}, {"()", "()", 4},        {"(0, 5)", "(5, 1)", 0},
                {"(3, )", "(10, )", 84},   {"(2, 3)", "(0, 1)", 12},  {"(s0, )", "(1, )", 28}};
    struct sizes sizes, strides;
    int64_t bytes;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(sizes_read(slice_str(rows[i].sizes), &names, &sizes));
        assert_true(sizes_read(slice_str(rows[i].strides), &names, &strides));
        assert_true(sizes_bytes(&sizes, &strides, 4, &bytes));
        assert_int_equal(bytes, rows[i].bytes);
    }
    assert_true(sizes_read(SLICE("(8, )"), &names, &sizes) && sizes_read(SLICE("()"), &names, &strides));
    assert_false(sizes_bytes(&sizes, &strides, 4, &bytes));
    assert_true(sizes_read(SLICE("(9223372036854775807, 9)"), &names, &sizes) &&
                sizes_read(SLICE("(3, 1)"), &names, &strides));
    assert_false(sizes_bytes(&sizes, &strides, 4, &bytes));
    assert_true(sizes_read(SLICE("(-1, )"), &names, &sizes) && sizes_read(SLICE("(1, )"), &names, &strides));
    assert_false(sizes_bytes(&sizes, &strides, 4, &bytes));
    static const char *const wrong[] = {"", "8", "(8", "(8,, 8)", "(8; 8)", "(8) 8"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(sizes_read(slice_str(wrong[i]), &names, &sizes));
    assert_int_equal(dtype_bytes(SLICE("torch.float8_e4m3fn")), 1);
    assert_int_equal(dtype_bytes(SLICE("torch.complex128")), 16);
    assert_int_equal(dtype_bytes(SLICE("torch.bits16")), 0);
    assert_int_equal(dtype_bytes(SLICE("float32")), 0);
}

/* ---- statements ------------------------------------------------------------------------------------------------- */

static const char inputs[] =
    "\n\ndef get_args():\n    from torch._dynamo.testing import rand_strided\n"
    "    a = rand_strided((4, 8), (8, 1), device='cpu', dtype=torch.float32)\n    n = 5\n    return [a, n]\n";

/* The scan of a call() with these statements. */
static const struct memory_scan *scan(const char *statements) {
    static struct buf text;
    text.len = 0;
    buf_add_lit(&text, "class Runner:\n    def call(self, args):\n        a, n = args\n        args.clear()\n");
    for (struct slice rest = slice_str(statements), line; slice_next_line(&rest, &line);)
        BUF_ADD(&text, "        ", line, "\n");
    buf_add_str(&text, inputs);
    struct slice code = arena_slice(&arena, buf_slice(&text));
    buf_free(&text);
    text = (struct buf){0};
    return memory_scan(code, kernels_scan(code, &arena), &arena);
}

/* What the call leaves of its allocations, and the most at a time. */
static void assert_memory(const char *statements, int64_t net, int64_t most) {
    const struct memory_scan *found = scan(statements);
    int64_t live = 0, peak = 0;
    assert_int_equal(found->unknown, MEMORY_KNOWN);
    for (size_t i = 0; i < found->changes.count; i++) {
        const struct code_change *change = &found->changes.items[i];
        const struct code_tensor *tensor = &found->tensors.items[change->tensor];
        if (!tensor->argument && tensor->bytes > 0)
            live += change->freed ? -tensor->bytes : tensor->bytes;
        peak = live > peak ? live : peak;
    }
    assert_int_equal(live, net);
    assert_int_equal(peak, most);
}

static void assert_unknown(const char *statements, enum memory_unknown why, uint32_t line) {
    const struct memory_scan *found = scan(statements);
    assert_int_equal(found->unknown, why);
    assert_int_equal(found->unknown_line, line);
}

#define MAKE(name) name " = empty_strided_cpu((10, ), (1, ), torch.float32)\n"

static void a_storage_lives_as_long_as_a_name(void **state) {
    (void)state;
    assert_memory(MAKE("buf0") "return (buf0, )", 40, 40);
    assert_memory(MAKE("buf0") "return (n, a, None, )", 0, 40);
    assert_memory(MAKE("buf0") "buf1 = buf0; del buf0  # reuse\n" MAKE("buf2") "del buf1\nreturn (buf2, )", 40, 80);
    assert_memory(MAKE("buf0") "buf1 = reinterpret_tensor(buf0, (5, 2), (2, 1), 0)\ndel buf0\n" MAKE(
                      "buf2") "return (buf1, buf2)",
                  80, 80);
    assert_memory(MAKE("buf0") "del buf0\n" MAKE("buf1") "del buf1\nreturn ()", 0, 40);
    assert_memory(MAKE("buf0") MAKE("buf0") "return (buf0, )", 40, 80);
    assert_memory(MAKE("buf0") "buf0 = buf0\nreturn (reinterpret_tensor(buf0, (5, ), (1, ), 0), )", 40, 40);
    assert_memory("s0 = n\nbuf0 = empty_strided_cpu((s0, 2*s0), (2*s0, 1), torch.float64)\nreturn (buf0, )", 400, 400);
}

static void operators_make_tensors_whose_size_is_asserted(void **state) {
    (void)state;
    const char *known =
        "buf0 = torch.ops.aten.cumsum.default(a, 0)\n"
        "assert_tensor_metadata(buf0, (4, 8), (8, 1), torch.float32, 'torch.ops.aten.cumsum.default')\nreturn (buf0, )";
    assert_memory(known, 128, 128);
    assert_true(slice_is(scan(known)->fallback, "torch.ops.aten.cumsum.default"));
    assert_null(scan(MAKE("buf0") "extern_kernels.mm(a, a, out=buf0)\ncpp_fused_add_0(a, buf0)\nreturn (buf0, )")
                    ->fallback.ptr);
    assert_memory("buf0 = torch.ops.aten.sort.stable(a, stable=True)\nbuf1 = buf0[0]\nassert_tensor_metadata(buf1, (4, "
                  "8), (8, 1), "
                  "torch.float32, 'x')\nbuf2 = buf0[1]\nassert_tensor_metadata(buf2, (4, 8), (8, 1), torch.int64, "
                  "'x')\ndel buf0\ndel "
                  "buf1\nreturn (buf2, )",
                  256, 384);
    assert_memory("buf0 = torch.ops.aten.view.dtype(a, torch.int32)\nreturn (buf0, )", 0, 0);
    assert_unknown("buf0 = torch.ops.mine.op.default(a)\ndel buf0\nreturn ()", MEMORY_SIZE, 6);
}

static void what_is_not_understood_is_said(void **state) {
    (void)state;
    assert_unknown("while True:\n    pass\nreturn ()", MEMORY_STATEMENT, 5);
    assert_unknown(MAKE("buf0") "buf1 = mystery(buf0)\nreturn ()", MEMORY_STATEMENT, 6);
    assert_unknown("del buf9\nreturn ()", MEMORY_STATEMENT, 5);
    assert_unknown("buf0 = empty_strided_cpu((u0, ), (1, ), torch.float32)\nreturn ()", MEMORY_SIZE, 5);
    assert_unknown("u0 = a.item()\nbuf0 = empty_strided_cpu((u0, ), (1, ), torch.float32)\nreturn ()", MEMORY_SIZE, 6);
    assert_unknown(MAKE("buf0"), MEMORY_STATEMENT, 8); /* nothing is returned: the code is cut off */
    assert_unknown("if not (n >= 2):\n    return (a, )\nreturn ()", MEMORY_STATEMENT, 6);
    assert_memory("if not (n >= 2):\n    raise RuntimeError('x')\n" MAKE("buf0") "return (buf0, )", 40, 40);
    assert_null(scan("return ()") == NULL
                    ? NULL
                    : memory_scan(SLICE("x = 1\n"), kernels_scan(SLICE("x = 1\n"), &arena), &arena));
}

static void partitions_pass_tensors_on(void **state) {
    (void)state;
    struct slice code = SLICE("def partition_0(args):\n    a, b = args\n    args.clear()\n    buf1 = "
                              "empty_strided_cpu((10, ), (1, ), torch.float32)\n"
                              "    cpp_fused_add_0(a, b, buf1)\n    del a\n    del b\n    buf2 = "
                              "empty_strided_cpu((10, ), (1, ), torch.float32)\n    del buf1\n    return (buf2, )\n\n"
                              "class Runner:\n    def call(self, args):\n        a, = args\n        args.clear()\n"
                              "        buf0 = empty_strided_cpu((100, ), (1, ), torch.float32)\n"
                              "        partition0_args = [a, buf0]\n        del a, buf0\n        (buf2,) = "
                              "self.partitions[0](partition0_args)\n"
                              "        del partition0_args\n        return (buf2, )\n");
    const struct memory_scan *found = memory_scan(code, kernels_scan(code, &arena), &arena);
    assert_int_equal(found->unknown, MEMORY_KNOWN);
    static const int64_t course[] = {400, 440, 40, 80, 40};
    int64_t live = 0;
    size_t at = 0;
    for (size_t i = 0; i < found->changes.count; i++) {
        const struct code_change *change = &found->changes.items[i];
        const struct code_tensor *tensor = &found->tensors.items[change->tensor];
        if (tensor->argument)
            continue;
        live += change->freed ? -tensor->bytes : tensor->bytes;
        assert_int_equal(live, course[at++]);
    }
    assert_int_equal(at, 5);
    struct slice endless = SLICE("def partition_0(args):\n    a, = args\n    args.clear()\n    partition0_args = [a]\n "
                                 "   (b,) = self.partitions[0](partition0_args)\n    return (b, )\n\n"
                                 "def call(args):\n    a, = args\n    partition0_args = [a]\n    (b,) = "
                                 "self.partitions[0](partition0_args)\n    return (b, )\n");
    found = memory_scan(endless, kernels_scan(endless, &arena), &arena);
    assert_int_equal(found->unknown, MEMORY_TOO_MANY);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(expressions_are_those_of_python, teardown),
        cmocka_unit_test_teardown(other_texts_have_no_value, teardown),
        cmocka_unit_test_teardown(storages_are_as_large_as_their_last_item, teardown),
        cmocka_unit_test_teardown(a_storage_lives_as_long_as_a_name, teardown),
        cmocka_unit_test_teardown(operators_make_tensors_whose_size_is_asserted, teardown),
        cmocka_unit_test_teardown(what_is_not_understood_is_said, teardown),
        cmocka_unit_test_teardown(partitions_pass_tensors_on, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

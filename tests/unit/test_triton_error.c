/* scan/triton_error: what Triton said of a kernel. */
#define _GNU_SOURCE
#include "support.h"

#include "scan/triton_error.h"

static void reads_an_error_of_a_kernel(void **state) {
    struct triton_error found;
    (void)state;
    assert_true(triton_error_read(SLICE("CompilationError: at 4:27:\ndef add_kernel(x_ptr, n, B: tl.constexpr):\n"
                                        "    x = tl.load(x_ptr)\n    tl.store(x_ptr, tl.nothing(x))\n"
                                        "                    ^\nAttributeError(\"no attribute 'nothing'\")"),
                                  &found));
    assert_slice(found.kernel, "add_kernel");
    assert_slice(found.function, "add_kernel");
    assert_slice(found.message, "AttributeError(\"no attribute 'nothing'\")");
    assert_slice(found.code, "tl.store(x_ptr, tl.nothing(x))");
    assert_int_equal(found.line, 4);
}

static void follows_calls(void **state) {
    struct triton_error found;
    (void)state;
    assert_true(triton_error_read(
        SLICE(
            "triton.compiler.errors.CompilationError: at 3:4:\ndef outer(x_ptr):\n    y = 1\n    inner(x_ptr)\n    ^\n"
            "at 2:11:\ndef inner(p):\n    return tl.dot(p, 1)\n           ^\n\nInput shapes should match\n"),
        &found));
    assert_slice(found.kernel, "outer");
    assert_slice(found.function, "inner");
    assert_slice(found.message, "Input shapes should match");
    assert_slice(found.code, "return tl.dot(p, 1)");
    assert_int_equal(found.line, 2);
}

static void has_no_name_without_the_first_line(void **state) {
    struct triton_error found;
    (void)state;
    assert_true(
        triton_error_read(SLICE("CompilationError: at 90:4:\n    y = 1\n    z = y.q\n    ^\nNameError('q')"), &found));
    assert_slice(found.kernel, "");
    assert_slice(found.message, "NameError('q')");
}

static void refuses_others(void **state) {
    static const char *const others[] = {
        "",
        "CompilationError: at 4:27:",
        "CompilationError: at 4:27:\ndef f(x):\n    ^",
        "CompilationError: at :27:\ndef f(x):\n  ^\nno",
        "CompilationError: at 99999999999999999999999:1:\ndef f(x):\n  ^\nno",
        "CompilationError: no",
        "CppCompileError: C++ compile error\n\nOutput:\n^\nx",
    };
    struct triton_error found;
    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(triton_error_read(slice_str(others[i]), &found));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_an_error_of_a_kernel),
        cmocka_unit_test(follows_calls),
        cmocka_unit_test(has_no_name_without_the_first_line),
        cmocka_unit_test(refuses_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* scan/compiler_error: what a C++ compiler said. */
#define _GNU_SOURCE
#include "support.h"

#include "scan/compiler_error.h"

#define COMMAND "CppCompileError: C++ compile error\n\nCommand:\ng++ /tmp/c/ab/cab.main.cpp -O3 -o x.so\n\nOutput:\n"

static void assert_error(const char *output, const char *message, const char *missing, bool generated) {
    struct compiler_error found;
    struct buf text = {0};
    buf_add_str(&text, COMMAND);
    buf_add_str(&text, output);
    assert_true(compiler_error_read(buf_slice(&text), &found));
    assert_slice(found.message, message);
    if (missing)
        assert_slice(found.missing, missing);
    else
        assert_null(found.missing.ptr);
    assert_int_equal(found.generated, generated);
    buf_free(&text);
}

static void reads_the_first_error(void **state) {
    struct compiler_error found;
    (void)state;
    assert_true(compiler_error_read(SLICE(COMMAND "/tmp/c/ab/cab.main.cpp: In function 'void f()':\n"
                                                  "/tmp/c/ab/cab.main.cpp:3:9: warning: unused variable 'error: '\n"
                                                  "/tmp/c/ab/cab.main.cpp:7:45: error: 'x' was not declared\n"
                                                  "    7 |   auto a = x;\n      |            ^\n"
                                                  "/tmp/c/ab/cab.main.cpp:8:45: error: 'y' was not declared\n"),
                                    &found));
    assert_slice(found.message, "'x' was not declared");
    assert_slice(found.excerpt, "    7 |   auto a = x;");
    assert_true(found.generated);
    assert_null(found.missing.ptr);
}

static void tells_whose_code_it_is(void **state) {
    (void)state;
    assert_error("/tmp/c/ab/cab.main.cpp:7:1: error: expected ';'\n", "expected ';'", NULL, true);
    assert_error("/opt/torch/include/ATen/cpu/vec/vec.h:9:2: error: no\n", "no", NULL, false); /* PyTorch's header */
    assert_error("g++: error: unrecognized command-line option '-std=c++20'\n",
                 "unrecognized command-line option '-std=c++20'", NULL, false);
    assert_error("cc1plus: error: bad value ('x') for '-march='\n", "bad value ('x') for '-march='", NULL, false);
}

static void tells_what_is_missing(void **state) {
    struct compiler_error found;
    (void)state;
    assert_error("/tmp/c/ab/cab.main.cpp:1:10: fatal error: Python.h: No such file or directory\n",
                 "Python.h: No such file or directory", "Python.h", false);
    assert_error("/tmp/c/ab/cab.main.cpp:1:10: fatal error: 'omp.h' file not found\n", "'omp.h' file not found",
                 "omp.h", false);
    assert_error("/usr/bin/ld: cannot find -lgomp: No such file or directory\n"
                 "collect2: error: ld returned 1 exit status\n",
                 "cannot find -lgomp: No such file or directory", "-lgomp", false);
    assert_true(
        compiler_error_read(SLICE(COMMAND "g++: fatal error: Killed signal terminated program cc1plus\n"), &found));
    assert_true(found.killed);
    assert_false(found.generated);
}

static void leaves_other_texts(void **state) {
    struct compiler_error found;
    (void)state;
    assert_false(compiler_error_read(SLICE("LoweringException: error: x"), &found));
    assert_false(compiler_error_read(SLICE("CppCompileError: C++ compile error"), &found));
    assert_false(compiler_error_read(SLICE(COMMAND "collect2: error: ld returned 1 exit status\n"), &found));
    assert_false(compiler_error_read(SLICE(COMMAND "a: error: "), &found));
    assert_false(compiler_error_read((struct slice){0}, &found));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_the_first_error),
        cmocka_unit_test(tells_whose_code_it_is),
        cmocka_unit_test(tells_what_is_missing),
        cmocka_unit_test(leaves_other_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

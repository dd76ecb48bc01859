/* profile/profile_align: what ran in a call of a graph against the kernels that its code calls. */
#define _GNU_SOURCE
#include "support.h"

#include "profile/profile_parts.h"

enum { OPERATORS_MAX = 16 };

/* Kernels by letter: generated ones have capitals, "U" is one of the user, whose name on a device is "user". */
static const struct {
    const char *name, *label;
    enum kernel_kind kind;
} named[] = {
    {"triton_a", NULL, KERNEL_TRITON},
    {"triton_b", NULL, KERNEL_TRITON},
    {"user_0", "user", KERNEL_TRITON},
    {"extern_kernels.mm", NULL, KERNEL_EXTERN},
    {"extern_kernels.addmm", NULL, KERNEL_EXTERN},
    {"torch.ops.mine.scale.default", NULL, KERNEL_EXTERN},
    {"cpp_c", NULL, KERNEL_CPP},
};

static uint32_t kernel_of(char letter) {
    const char *at = strchr("ABUmdcC", letter);
    assert_non_null(at);
    return (uint32_t)(at - "ABUmdcC");
}

/* Operators of a call: a letter is that of a kernel; "." is another operator. After "|" are those that a CUDA graph
 * replays, where "." is work whose name says nothing, and "S" the second kernel of a product. "T" is the function of a
 * template, which has the number of a graph as the kernel "C" has. */
static size_t make_operators(const char *text, struct profile_operator *operators) {
    static const char *const operator_names[] = {"triton_a", "triton_b", "user_0", "mm", "addmm", "scale", "cpp_c"};
    static const char *const work_names[] = {"triton_a", "triton_b", "user", "void gemm<float>(int)", "", "", ""};
    bool replayed = false;
    size_t count = 0;
    for (; *text; text++) {
        if (*text == '|') {
            replayed = true;
            continue;
        }
        const char *name = *text == 'T' ? "gemm_m64n128k64_kernel"
                         : *text == '.' ? "void other(int)"
                         : *text == 'S' ? "void cublasLt::splitKreduce_kernel<32, 16, int>(int)"
                                        : (replayed ? work_names : operator_names)[kernel_of(*text)];
        operators[count++] = (struct profile_operator){slice_str(name), replayed, *text == 'T' || *text == 'C'};
    }
    return count;
}

/* Checks that the call of a code is aligned as expected: a letter for the kernel of each operator, "+" for more work of
 * the call before, "-" for none. NULL: it is not aligned. */
static void check(const char *code, const char *ran, const char *expected) {
    struct kernels kernels = {0};
    struct kernel list[sizeof named / sizeof *named] = {0};
    uint32_t order[OPERATORS_MAX];
    struct profile_operator operators[OPERATORS_MAX];
    struct profile_assigned assigned[OPERATORS_MAX];
    struct profile_calls calls = {0};
    bool generated;
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        list[i] = (struct kernel){.kind = named[i].kind,
                                  .name = slice_str(named[i].name),
                                  .label = named[i].label ? slice_str(named[i].label) : (struct slice){0}};
    for (size_t i = 0; code[i]; i++)
        order[i] = kernel_of(code[i]);
    kernels.list.items = list;
    kernels.list.count = sizeof named / sizeof *named;
    kernels.call_order.items = order;
    kernels.call_order.count = strlen(code);
    profile_calls_make(&calls, &kernels, &(struct code_calls){.count = (uint32_t)strlen(code), .known = true});
    size_t count = make_operators(ran, operators);
    bool good = profile_align(&calls, &kernels, operators, count, assigned, &generated);
    if (good != (expected != NULL))
        fail_msg("%s in %s is %saligned", ran, code, good ? "" : "not ");
    for (size_t i = 0; good && i < count; i++) {
        char found = assigned[i].kernel == UINT32_MAX ? '-' : assigned[i].more ? '+' : "ABUmdcC"[assigned[i].kernel];
        if (found != expected[i])
            fail_msg("%s in %s: operator %zu has %c instead of %c", ran, code, i, found, expected[i]);
    }
    profile_calls_free(&calls);
}

static void operators_are_in_order(void **state) {
    (void)state;
    check("AmB", ".A.mB.", "-A-mB-");
    check("AmB", "m", "m"); /* generated kernels have no events */
    check("AmB", "Am", NULL);
    check("AmB", "mAB", NULL);
    check("AmB", "AmBm", NULL);
    check("AmAm", "AmAm", "AmAm");
    check("AcmcB", "AmB", "AmB"); /* an operator of the user without events */
    check("AcmcB", "AcmcB", "AcmcB");
    check("Ac", "A", "A");
    check("cAm", "Ac", NULL);
    check("CmC", "TmC", "CmC"); /* a template */
    check("CmC", "TmTC", NULL);
    check("CmC", "mTC", NULL);
    check("Am", "Tm", NULL); /* no C++ */
}

static void replayed_work_has_generated_kernels(void **state) {
    (void)state;
    check("AB", "|AB", "AB");
    check("AB", "|BA", NULL);
    check("AB", "|A", NULL);
    check("AB", "|ABA", NULL);
    check("AUB", "|AUB", "AUB");
    check("AB", "|.A.B.", "-A-B-"); /* copies */
}

static void replayed_library_calls_are_known_by_their_order(void **state) {
    (void)state;
    check("AmB", "|A.B", "AmB");
    check("AmB", "|A...B", "Am++B");
    check("AmB", "|AB", "AB"); /* it starts no work */
    check("AmdB", "|A..B", "AmdB");
    check("AmdB", "|A...B", "A---B");
    check("mAd", "|.A..", "mAd+");
    check("md", "|..", "md");
    check("m", "|...", "m++");
    check("mdA", "|..SA", "md+A"); /* the second kernel of a product */
    check("mdA", "|.S.SA", "m+d+A");
    check("mA", "|S.A", "m+A"); /* without a first one */
    check("mdA", "|S..A", "---A");
}

static void operators_may_be_between_replays(void **state) {
    (void)state;
    struct profile_operator operators[OPERATORS_MAX];
    assert_int_equal(make_operators("m|A", operators), 2);
    assert_false(operators[0].replayed);
    assert_true(operators[1].replayed);
    check("mA", "m|A", "mA");
    check("Am", "m|A", NULL);
    check("mdA", "m|.A", "mdA");
}

static void recorded_operators_do_not_run(void **state) {
    (void)state;
    check("AmB", "AmB|A.B", "---AmB");
    check("m", "m|..", "-m+");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators_are_in_order),
        cmocka_unit_test(replayed_work_has_generated_kernels),
        cmocka_unit_test(replayed_library_calls_are_known_by_their_order),
        cmocka_unit_test(operators_may_be_between_replays),
        cmocka_unit_test(recorded_operators_do_not_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

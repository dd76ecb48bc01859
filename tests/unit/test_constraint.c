/* scan/constraint: constraint violations of torch.export. */
#define _GNU_SOURCE
#include "support.h"

#include "scan/constraint.h"

#define HEAD "Constraints violated (batch)! For more information, run with TORCH_LOGS=\"+dynamic\".\n"

static void reads_a_guard(void **state) {
    (void)state;
    struct slice text = SLICE(
                     HEAD "  - Not all values of batch = L['x'].size()[0] in the specified range batch <= 64 satisfy "
                          "the generated guard (L['x'].size()[0] % 2) == 0.\nSuggested fixes:\n"
                          "  _batch = Dim('_batch', min=1, max=oo)\n  batch = 2*_batch\n\nThe error above"),
                 rest = text;
    struct constraint found;
    assert_true(constraint_next(&rest, &found));
    assert_int_equal(found.kind, CONSTRAINT_GUARD);
    assert_slice(found.name, "batch");
    assert_slice(found.source, "L['x'].size()[0]");
    assert_slice(found.expr, "(L['x'].size()[0] % 2) == 0");
    assert_false(constraint_next(&rest, &found));
    assert_slice(constraint_fix_next(&text), "_batch = Dim('_batch', min=1, max=oo)");
    assert_slice(constraint_fix_next(&text), "batch = 2*_batch");
    assert_null(constraint_fix_next(&text).ptr);
    assert_null(constraint_fix_next(&text).ptr);
}

static void reads_a_constant_with_its_stack(void **state) {
    (void)state;
    struct slice rest =
        SLICE(HEAD "  - You marked batch as dynamic but your code specialized it to be a constant (4). If "
                   "you're using mark_dynamic, …\n\nUser stack:\n  File \"a.py\", line 3, in f\n    x\n\n"
                   "  - The values of b = L['y'].size()[1] and a = L['x'].size()[0] must always be equal.");
    struct constraint found;
    assert_true(constraint_next(&rest, &found));
    assert_int_equal(found.kind, CONSTRAINT_CONSTANT);
    assert_slice(found.name, "batch");
    assert_slice(found.expr, "4");
    assert_true(slice_find(found.text, SLICE("line 3, in f")) != SIZE_MAX);
    assert_true(constraint_next(&rest, &found));
    assert_int_equal(found.kind, CONSTRAINT_EQUAL);
    assert_slice(found.name, "b");
    assert_slice(found.source, "L['y'].size()[1]");
    assert_slice(found.partner, "a");
    assert_slice(found.other, "L['x'].size()[0]");
    assert_false(constraint_next(&rest, &found));
}

static void keeps_what_it_does_not_know(void **state) {
    (void)state;
    const struct slice texts[] = {SLICE_INIT(
                                      "  - Not all values of x satisfy the generated guard y in the specified range"),
                                  SLICE_INIT("  - You marked "),
                                  SLICE_INIT("  - The values of a and b must always be equal"), SLICE_INIT("  - ")};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct slice rest = texts[i];
        struct constraint found;
        assert_true(constraint_next(&rest, &found));
        assert_null(found.source.ptr);
        assert_false(constraint_next(&rest, &found));
    }
    struct slice none = SLICE("Static shape constraint\nSuggested fixes:\n"), rest = none;
    struct constraint found;
    assert_false(constraint_next(&rest, &found));
    assert_null(constraint_fix_next(&none).ptr);
}

static void compares_guards(void **state) {
    static const struct {
        const char *guard, *message;
        bool equal;
    } cases[] = {
        {"Eq(Mod(s77, 2), 0)", "(L['x'].size()[0] % 2) == 0", true},
        {"Eq(3*s6, 6*((s6//2)))", "(3*L['x'].size()[0]) == (6*(L['x'].size()[0] // 2))", true},
        {"Ne((s6//2), 1)", "(L['x'].size()[0] // 2) != 1", true},
        {"s6 <= 16", "L['x'].size()[0] <= 16", true},
        {"Eq(s6, s27)", "L['y'].size()[0] == L['x'].size()[0]", true},
        {"Eq(s6, s6)", "L['y'].size()[0] == L['x'].size()[0]", false},
        {"Eq(Mod(s6, 3), 0)", "(L['x'].size()[0] % 2) == 0", false},
        {"Max(s6, 2)", "L['x'].size()[0] % 2", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf a = {0}, b = {0};
        constraint_add_plain(&a, slice_str(cases[i].guard));
        constraint_add_plain(&b, slice_str(cases[i].message));
        assert_int_equal(slice_eq(buf_slice(&a), buf_slice(&b)), cases[i].equal);
        buf_free(&a);
        buf_free(&b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_a_guard),
        cmocka_unit_test(reads_a_constant_with_its_stack),
        cmocka_unit_test(keeps_what_it_does_not_know),
        cmocka_unit_test(compares_guards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

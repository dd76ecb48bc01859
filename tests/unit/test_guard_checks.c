/* scan/guard_checks: counts the checks of a tree, and what filters leave of them. */
#include "support.h"

#include "scan/guard_facts.h"
#include "scan/guard_tree.h"

#define ROOT "\nTREE_GUARD_MANAGER:\n+- RootGuardManager\n"
#define STATE "| +- GLOBAL_STATE: ___check_global_state()\n"
#define USER "  # y = x  # a.py:7 in f\n"
#define MANAGER(depth, source, type)                                                                                   \
    depth "+- GuardManager: source=" source ", accessed_by=X, type=<class '" type "'>, tag_safe=(0, 0)\n"
#define TENSOR(depth, source)                                                                                          \
    depth "+- TENSOR_MATCH: check_tensor(" source ")" USER depth "+- DIMENSION_DYNAMIC_MARKING_GUARD: hasattr(" source \
          ", '_dynamo_dynamic_indices') == False" USER depth "+- DIMENSION_DYNAMIC_MARKING_GUARD: hasattr(" source     \
          ", '_dynamo_static_indices') == False" USER

struct counted {
    struct guard_notes notes;
    struct guard_tree tree;
};

static struct counted count_in(const char *text) {
    struct counted counted = {0};
    AUTO_BUF json = {0}, packed = {0}, again = {0};
    struct guard_facts facts = {.out = &packed}, more = {.out = &again};
    counted.tree = guard_tree_read(slice_str(text), &json, &counted.notes, &facts);
    assert_int_equal(counted.tree.count, counted.notes.checks.checks);
    struct guard_notes brief = {0}; /* without the list of guards, the same is counted */
    assert_int_equal(guard_tree_read(slice_str(text), NULL, &brief, &more).count, counted.tree.count);
    assert_memory_equal(brief.checks.filters, counted.notes.checks.filters, sizeof brief.checks.filters);
    assert_int_equal(brief.checks.kinds.count, counted.notes.checks.kinds.count);
    assert_int_equal(brief.checks.modules.count, counted.notes.checks.modules.count);
    guard_notes_free(&brief);
    return counted;
}

static void assert_left(const struct counted *counted, const int64_t wanted[GUARD_FILTERS]) {
    for (int i = 0; i < GUARD_FILTERS; i++)
        assert_int_equal(counted->notes.checks.filters[i], wanted[i]);
}

static void conditions_and_repeats(void **state) {
    (void)state;
    struct counted counted = count_in(
        ROOT STATE MANAGER("| ", "L['x']", "torch.Tensor")
            TENSOR("| | ",
                   "L['x']") "| | +- NO_TENSOR_ALIASING: check_no_aliasing(L['x'], L['y'])\n" MANAGER("| ", "L['y']",
                                                                                                      "torch.Tensor")
                TENSOR("| | ", "L['y']") "| | +- NO_TENSOR_ALIASING\n"
                                         "+- LAMBDA_GUARD: 2 <= L['x'].size()[0]  # if n:  # a.py:8 in f\n"
                                         "+- LAMBDA_GUARD: L['n'] == 3  # if n:  # a.py:9 in f\n"
                                         "+- LAMBDA_GUARD: L['a'] is L['b']  # y = x  # a.py:7 in f\n");
    const struct guard_checks *checks = &counted.notes.checks;
    assert_int_equal(checks->checks, 8);
    assert_int_equal(checks->kinds.count, 5);
    assert_int_equal(checks->kinds.items[0].checks, 2);
    assert_int_equal(checks->in_modules, 0);
    /* Two checks of each tensor and the aliasing are of line 7; a check on sizes has two lines. */
    assert_int_equal(checks->lines.count, 3);
    assert_int_equal(checks->lines.items[0].line, 7);
    assert_int_equal(checks->lines.items[0].checks, 5);
    assert_int_equal(checks->lines.items[2].checks, 1);
    /* The tree has no manager of L['b'], so it is not known whose guard the last one is. */
    assert_left(&counted, (int64_t[]){-1, -1, 5, -1, 7, 0});
    guard_notes_free(&counted.notes);
}

#define MODULE                                                                                                         \
    MANAGER("| ", "L['m']", "__main__.Net")                                                                            \
    "| | +- TYPE_MATCH: ___check_type_id(L['m'], 1)" USER MANAGER("| | ", "L['m'].__dict__", "dict")                   \
        MANAGER("| | | ", "L['m']._modules",                                                                           \
                "dict") "| | | | +- KeyValueManager pair at index=0\n"                                                 \
                        "| | | | | +- KeyManager: GuardManager: source=list(dict.keys(L['m']._modules))[0], "          \
                        "type=<class 'str'>, tag_safe=(0)\n"                                                           \
                        "| | | | | | +- EQUALS_MATCH: list(dict.keys(L['m']._modules))[0] == 'a'\n"                    \
                        "| | | | | +- ValueManager: GuardManager: source=L['m']._modules['a'], type=<class "           \
                        "'torch.nn.modules.linear.Linear'>, tag_safe=(0)\n"                                            \
                        "| | | | | | +- TYPE_MATCH: ___check_type_id(L['m']._modules['a'], 2)" USER                    \
                            MANAGER("| | | ", "L['m'].k", "int") "| | | | +- EQUALS_MATCH: L['m'].k == 2" USER

static void modules(void **state) {
    (void)state;
    struct counted counted =
        count_in(ROOT STATE MODULE MANAGER("| ", "G", "dict") MANAGER("| | ", "G['t']", "torch.Tensor")
                     TENSOR("| | | ", "G['t']")
                         MANAGER("| | ", "G['__w']()", "int") "| | | +- NOT_NONE: G['__w']() is not None" USER);
    const struct guard_checks *checks = &counted.notes.checks;
    assert_int_equal(checks->checks, 8);
    assert_int_equal(checks->in_modules, 4);
    assert_int_equal(checks->modules.count, 2);
    assert_slice(checks->modules.items[0].source, "L['m']");
    assert_int_equal(checks->modules.items[0].checks, 3);
    assert_slice(checks->modules.items[1].type, "torch.nn.modules.linear.Linear");
    /* The key goes with what follows it. */
    assert_left(&counted, (int64_t[]){4, 6, 2, 6, 1, 0});
    guard_notes_free(&counted.notes);
}

static void what_is_not_known(void **state) {
    (void)state;
    /* An object with a forward(), and a tensor whose class does not say whether it is a parameter. */
    struct counted counted =
        count_in(ROOT STATE MANAGER("| ", "L['f']", "__main__.F")
                     MANAGER("| | ", "L['f'].__dict__",
                             "dict") "| | | +- DICT_CONTAINS: not ___dict_contains('forward', L['f'].__dict__)" USER
                         MANAGER("| ", "L['p']", "__main__.P") TENSOR("| | ", "L['p']"));
    assert_left(&counted, (int64_t[]){-1, 4, -1, 4, 3, 0});
    guard_notes_free(&counted.notes);
    /* An object whose attribute is called _modules is no module. */
    counted = count_in(ROOT STATE MANAGER("| ", "L['o']", "__main__.O")
                           MANAGER("| | ", "L['o']._modules",
                                   "dict") "| | | +- TYPE_MATCH: ___check_type_id(L['o']._modules, 1)" USER);
    assert_left(&counted, (int64_t[]){2, 2, 0, 2, 1, 0});
    assert_int_equal(counted.notes.checks.in_modules, 0);
    guard_notes_free(&counted.notes);
}

static void nothing_left(void **state) {
    (void)state;
    struct counted counted = count_in(ROOT "\nGuard latency = 1.00 us\n");
    assert_true(counted.notes.checks.known);
    assert_left(&counted, (int64_t[]){0, 0, 0, 0, 0, 0});
    guard_notes_free(&counted.notes);
}

/* Trees of n levels, n kinds, n lines that look alike, and n managers. */
static void hostile(void **state) {
    enum { MANY = 3000 };
    AUTO_BUF deep = {0}, kinds = {0}, lines = {0};
    (void)state;
    buf_add_lit(&deep, ROOT);
    for (int i = 1; i < MANY; i++) {
        for (int d = 0; d < i && d < 400; d++)
            buf_add_lit(&deep, "| ");
        buf_add_lit(&deep, "+- GuardManager: source=L['a'], type=<class 'x'>, tag_safe=(0)\n");
        buf_addf(&kinds, "| +- KIND_%d: x\n", i);
        buf_addf(&lines, "| +- NOT_NONE: x  # c  # %05d.py:7 in f\n", i);
    }
    buf_add_byte(&deep, '\0');
    buf_add_byte(&kinds, '\0');
    buf_add_byte(&lines, '\0');
    struct counted counted = count_in(deep.ptr);
    assert_int_equal(counted.tree.count, 0);
    assert_left(&counted, (int64_t[]){-1, -1, -1, -1, -1, -1});
    guard_notes_free(&counted.notes);
    counted = count_in(kinds.ptr);
    assert_int_equal(counted.notes.checks.kinds.count, CHECK_KINDS_MAX);
    assert_int_equal(counted.notes.checks.more_kinds, MANY - 1 - CHECK_KINDS_MAX);
    guard_notes_free(&counted.notes);
    counted = count_in(lines.ptr);
    assert_int_equal(counted.notes.checks.lines.count, CHECK_LINES_MAX);
    assert_int_equal(counted.notes.checks.more_lines, MANY - 1 - CHECK_LINES_MAX);
    guard_notes_free(&counted.notes);
    counted = count_in(
        "+- KeyManager: source=\n+- ValueManager: \n| | +- OBJECT_ALIASING: L['a'] is L['b']  # x\n+- TENSOR_MATCH\n");
    guard_notes_free(&counted.notes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conditions_and_repeats), cmocka_unit_test(modules), cmocka_unit_test(what_is_not_known),
        cmocka_unit_test(nothing_left),           cmocka_unit_test(hostile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

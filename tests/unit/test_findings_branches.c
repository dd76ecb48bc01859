/* Which lines decide by a number of a tensor, or need its value. */
#include "support.h"

#include "analysis/break_lines.h"
#include "findings/findings_failures.h"

static void finds_tests(void **state) {
    (void)state;
    assert_true(line_tests(SLICE("    if x.item() > 0:")));
    assert_true(line_tests(SLICE("elif x.item():")));
    assert_true(line_tests(SLICE("while x.max().item() > 2:")));
    assert_false(line_tests(SLICE("iffy = x.item()")));
    assert_false(line_tests(SLICE("")));
}

static void finds_lines_that_need_a_number(void **state) {
    static const char *const needed[] = {
        "seen = set(row.tolist())",         "s = frozenset(ids[0].tolist())",
        "every = bool((x > 0).all())",      "for i in range(int(x.max())):",
        "c = Counter(ids.tolist())",        "c = collections.Counter(ids.tolist())",
        "first = sorted(x.tolist())[0]",    "stop = int(token) in ends",
        "stop = token.item() not in ends",  "found = 3 in ids.tolist()",
        "n = len(set((x + 1).tolist()))",   "bool(x)",
        "s = {\"in\": int(token) in ends}", "part = subset(x, set(ids.tolist()))",
    };
    static const char *const others[] = {
        "",
        "n = mask.bool().sum().item()",
        "x = x.to(torch.bool)",
        "data = dataset(x.tolist())",
        "out = [x[i].item() for i in range(3)]",
        "n = x.item()",
        "print(f\"{x.item()} in total\")",
        "y = x[: int(x.max())]",
        "for t in ids.tolist():",
        "seen = set(names)",
        "stop = token in ends",
        "y = set(",
        "y = set(a) + x.item()",
    };
    (void)state;
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        assert_true(failure_needs_number(slice_str(needed[i])));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(failure_needs_number(slice_str(others[i])));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_tests),
        cmocka_unit_test(finds_lines_that_need_a_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

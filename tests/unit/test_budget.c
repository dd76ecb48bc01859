/* answers/budget: limits from JSON and from --max. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "answers/budget.h"

static bool add(struct check_rules *rules, const char *json, struct err *err) {
    return budgets_add_file(rules, slice_str(json), "b.json", err);
}

static void reads_limits_with_their_lines(void **state) {
    struct check_rules rules = {0};
    struct err err = {0};
    (void)state;
    assert_true(add(&rules,
                    "{\"budgets\": [\n"
                    "  {\"name\": \"a\\u00e9\", \"max\": {\"recompiles\": 3,\n"
                    "    \"compile_time_s\": 1.5}},\n"
                    "  {\"function\": \"f$\", \"optional\": true, \"max\": {\"kernels\": 0}},\n"
                    "  {\"new\": {\"compile_time_percent\": 12.5}}]}",
                    &err));
    assert_int_equal(rules.count, 4);
    const struct check_rule *rule = rules.items;
    assert_string_equal(rule[0].metric->name, "recompiles");
    assert_true(slice_is(rule[0].budget, "aé"));
    assert_int_equal(rule[0].scope, SCOPE_TOTAL);
    assert_int_equal(rule[0].line, 2);
    assert_true(fabs(rule[1].most - 1.5e6) < 1e-9);
    assert_int_equal(rule[1].line, 3);
    assert_int_equal(rule[2].scope, SCOPE_FUNCTION);
    assert_true(rule[2].optional && slice_is(rule[2].function, "f$"));
    assert_int_equal(pattern_search(rule[2].pattern, SLICE("deaf")), PATTERN_FOUND);
    assert_int_equal(rule[3].scope, SCOPE_NEW);
    assert_true(fabs(rule[3].most - 12.5) < 1e-9);
    budgets_finish(&rules);
}

static void max_replaces_limits_of_the_totals(void **state) {
    struct check_rules rules = {0};
    struct err err = {0};
    (void)state;
    assert_true(add(&rules,
                    "{\"budgets\": [{\"max\": {\"recompiles\": 3, \"kernels\": 1}}, {\"function\": \"f\", \"max\": "
                    "{\"recompiles\": 0}}]}",
                    &err));
    assert_true(budgets_add_max(&rules, "recompiles=7", &err));
    assert_true(budgets_add_max(&rules, "recompiles=8", &err));
    assert_true(budgets_add_max(&rules, "new.recompiles=9", &err));
    assert_int_equal(rules.count, 4);
    assert_string_equal(rules.items[0].metric->name, "kernels");
    assert_int_equal(rules.items[1].scope, SCOPE_FUNCTION);
    assert_true(rules.items[2].most > 7.5 && rules.items[2].most < 8.5);
    assert_null(rules.items[2].file);
    assert_int_equal(rules.items[3].scope, SCOPE_NEW);
    budgets_finish(&rules);
}

static void errors_name_file_line_key_and_nearest(void **state) {
    struct check_rules rules = {0};
    struct err err = {0};
    (void)state;
    assert_false(add(&rules, "{\"budgets\": [\n\n{\"max\": {\"recompile\": 3}}]}", &err));
    assert_string_equal(err.text, "invalid budget b.json:3: budgets[0].max.recompile: unknown key");
    assert_string_equal(err.hint, "did you mean recompiles?");
    assert_int_equal(err.code, ERR_USAGE);
    budgets_finish(&rules);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_limits_with_their_lines),
        cmocka_unit_test(max_replaces_limits_of_the_totals),
        cmocka_unit_test(errors_name_file_line_key_and_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

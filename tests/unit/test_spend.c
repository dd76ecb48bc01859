/* analysis/spend: what the self time of a span is spent on, from its name and the span around it. */
#define _GNU_SOURCE
#include "support.h"

#include "analysis/spend.h"

static void spends(void **state) {
    (void)state;
    static const struct {
        const char *name;
        enum spend around, expected;
    } rows[] = {
        {"build_guards", SPEND_NONE, SPEND_GUARDS},
        {"GuardManager.check", SPEND_GUARDS, SPEND_GUARDS}, /* within: the same */
        {"build_guards_of_user", SPEND_NONE, SPEND_NONE},   /* another name */
        {"CacheBase.get_system.triton_key", SPEND_NONE, SPEND_KEYS},
        {"inductor_codecache_torch_key", SPEND_LOADING, SPEND_KEYS},
        {"insert_deferred_runtime_asserts", SPEND_NONE, SPEND_SHAPES},
        {"Scheduler.__init__", SPEND_NONE, SPEND_FUSION},
        {"Scheduler.fused_nodes", SPEND_FUSION, SPEND_FUSION},
        {"benchmark_fused_nodes", SPEND_FUSION, SPEND_BENCHMARKS},
        {"Scheduler.codegen", SPEND_NONE, SPEND_SOURCES},
        {"compile_file", SPEND_SOURCES, SPEND_PROBES},
        {"compile_file", SPEND_FUSION, SPEND_KERNELS},
        {"compile_file", SPEND_NONE, SPEND_KERNELS},
        {"compile_file", SPEND_LOADING, SPEND_KERNELS},
        {"compile_file", SPEND_LOWERING, SPEND_PROBES},
        {"GraphLowering.run", SPEND_NONE, SPEND_LOWERING}, /* where max_autotune first needs the CPU's instructions */
        {"compile_file", SPEND_PROBES, SPEND_PROBES},
        {"compile_file", SPEND_AUTOTUNE, SPEND_AUTOTUNE}, /* a kernel that is only compared */
        {"async_compile.wait", SPEND_PROBES, SPEND_LOADING},
        {"async_compile.wait", SPEND_AUTOTUNE, SPEND_AUTOTUNE},
        {"mm_template_autotuning", SPEND_NONE, SPEND_AUTOTUNE},
        {"addmm_template_precompiling", SPEND_NONE, SPEND_AUTOTUNE},
        {"benchmark_fused_nodes", SPEND_LOWERING, SPEND_BENCHMARKS}, /* also without max_autotune */
        {"CachingAutotuner.benchmark_all_configs", SPEND_NONE, SPEND_BENCHMARKS},
        {"CachingAutotuner.benchmark_all_configs", SPEND_AUTOTUNE, SPEND_AUTOTUNE},
        {"compile_file", SPEND_BENCHMARKS, SPEND_BENCHMARKS},
        {"build_guards", SPEND_AUTOTUNE, SPEND_AUTOTUNE},
        {"anything", SPEND_LOWERING, SPEND_LOWERING},
        {"", SPEND_NONE, SPEND_NONE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (spend_within(slice_str(rows[i].name), rows[i].around) != rows[i].expected)
            fail_msg("%s in %d is %d", rows[i].name, (int)rows[i].around,
                     (int)spend_within(slice_str(rows[i].name), rows[i].around));
}

static void takes_back_what_a_discarded_attempt_spent(void **state) {
    (void)state;
    struct attempt attempt = {0};
    struct spent spent = {.us[SPEND_GUARDS][PHASE_DYNAMO] = 3, .count[SPEND_GUARDS] = 1};
    bool again = true;
    assert_false(attempt_is(SLICE("compile_attempts"), &again));
    assert_true(attempt_is(SLICE("compile_attempt_0"), &again));
    assert_false(again);
    assert_true(attempt_is(SLICE("compile_attempt_1"), &again));
    assert_true(again);
    attempt_begin(&attempt, &spent, true); /* the one before is not in the log */
    assert_int_equal(spent.us[SPEND_GUARDS][PHASE_DYNAMO], 3);
    attempt_begin(&attempt, &spent, false);
    attempt.us[PHASE_AOT] = 7;
    spent.us[SPEND_KEYS][PHASE_AOT] = 5;
    spent.count[SPEND_KEYS] = 1;
    attempt_begin(&attempt, &spent, true);
    attempt.us[PHASE_AOT] = 2;
    attempt.us[PHASE_DYNAMO] = 1;
    attempt_begin(&attempt, &spent, true);
    assert_int_equal(spent.discarded_us[PHASE_AOT], 9);
    assert_int_equal(spent.discarded_us[PHASE_DYNAMO], 1);
    assert_int_equal(spent.us[SPEND_KEYS][PHASE_AOT], 0);
    assert_int_equal(spent.count[SPEND_KEYS], 0);
    assert_int_equal(spent.us[SPEND_GUARDS][PHASE_DYNAMO], 3);
    assert_int_equal(attempt.us[PHASE_AOT], 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(spends),
                                       cmocka_unit_test(takes_back_what_a_discarded_attempt_spent)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* model/cache: the names of compile caches and of their results. */
#define _GNU_SOURCE
#include "support.h"

#include "model/cache.h"

static void names_what_it_parses(void **state) {
    (void)state;
    for (int c = 0; c < CACHES_COUNTED; c++)
        for (int o = 0; o < OUTCOMES_COUNTED; o++) {
            struct buf name = {0};
            enum cache cache = CACHES;
            enum cache_outcome outcome = OUTCOME_NONE;
            buf_addf(&name, "%s_cache_%s", cache_name((enum cache)c), cache_outcome_name((enum cache_outcome)o));
            assert_true(cache_lookup_parse(buf_slice(&name), &cache, &outcome));
            assert_int_equal(cache, c);
            assert_int_equal(outcome, o);
            assert_int_equal(cache_outcome_in(buf_slice(&name)), o);
            buf_free(&name);
        }
}

static void parses_only_lookups(void **state) {
    (void)state;
    static const char *const others[] = {"",
                                         "fx_graph",
                                         "fx_graph_cache_",
                                         "fx_graph_cache_hits",
                                         "fx_graph_bundled_cache_hit",
                                         "aotautograd_cache_pickle_failure",
                                         "precompile_cache_bypass",
                                         "a_fx_graph_cache_hit"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        enum cache cache;
        enum cache_outcome outcome;
        assert_false(cache_lookup_parse(slice_str(others[i]), &cache, &outcome));
    }
}

static void marks_artifacts_like_the_reference(void **state) {
    (void)state;
    static const struct {
        const char *url, *suffix;
    } rows[] = {
        {"-_0_0_0/fx_graph_cache_hit_7.json", "✅"},    {"-_0_0_0/aotautograd_cache_miss_12.json", "❌"},
        {"-_0_0_0/dynamo_cache_bypass_3.json", "❓"},   {"-_0_0_0/aotautograd_cache_pickle_failure_4.json", ""},
        {"-_0_0_0/dynamo_cache_exception_5.json", ""}, {"", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(cache_outcome_suffix(cache_outcome_in(slice_str(rows[i].url))), rows[i].suffix);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_what_it_parses),
        cmocka_unit_test(parses_only_lookups),
        cmocka_unit_test(marks_artifacts_like_the_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

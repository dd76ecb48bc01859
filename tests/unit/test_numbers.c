/* analysis/phases, report/config_json: numbers of a whole report. */
#define _GNU_SOURCE
#include "whole.h"

#include "analysis/phases.h"
#include "report/members.h"

static void subtracts_nested_timers(void **state) {
    (void)state;
    int64_t timers[PHASES] =
        {[PHASE_DYNAMO] = 100,  [PHASE_AOT] = 80,     [PHASE_PRE_GRAD] = 3, [PHASE_JOINT] = 7,    [PHASE_POST_GRAD] = 5,
         [PHASE_INDUCTOR] = 60, [PHASE_CODEGEN] = 40, [PHASE_TRITON] = 15,  [PHASE_BACKWARD] = 50};
    int64_t own[PHASES], sum = 0;
    phases_own(timers, own);
    assert_int_equal(own[PHASE_DYNAMO], 20);
    assert_int_equal(own[PHASE_AOT], 10);
    assert_int_equal(own[PHASE_INDUCTOR], 15);
    assert_int_equal(own[PHASE_CODEGEN], 25);
    assert_int_equal(own[PHASE_TRITON], 15);
    assert_int_equal(own[PHASE_BACKWARD], 50);
    for (int phase = 0; phase < PHASES; phase++)
        sum += own[phase];
    assert_int_equal(sum, 150); /* the whole, and the backward next to it */
}

/* Kernels of a graph from a cache are loaded outside of code generation, and have their time once. */
static void kernels_may_be_outside_of_code_generation(void **state) {
    (void)state;
    static const struct {
        int64_t codegen, inductor, aot, own[4]; /* of Dynamo, AOTAutograd, Inductor and code generation */
    } rows[] = {
        {-1, 60, 80, {20, 20, 45, 0}}, /* a hit of the FX graph cache */
        {10, 60, 80, {20, 20, 45, 0}}, /* one graph hits, another does not */
        {-1, -1, 80, {20, 65, 0, 0}},  /* a hit of the AOTAutograd cache */
        {-1, -1, -1, {85, 0, 0, 0}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int64_t own[PHASES], timers[PHASES] = {[PHASE_DYNAMO] = 100,
                                               [PHASE_AOT] = rows[i].aot,
                                               [PHASE_INDUCTOR] = rows[i].inductor,
                                               [PHASE_CODEGEN] = rows[i].codegen,
                                               [PHASE_TRITON] = 15};
        phases_own(timers, own);
        assert_int_equal(own[PHASE_DYNAMO], rows[i].own[0]);
        assert_int_equal(own[PHASE_AOT], rows[i].own[1]);
        assert_int_equal(own[PHASE_INDUCTOR], rows[i].own[2]);
        assert_int_equal(own[PHASE_CODEGEN], rows[i].own[3]);
        assert_int_equal(own[PHASE_TRITON], 15);
    }
}

static void handles_missing_timers(void **state) {
    (void)state;
    int64_t timers[PHASES], more[PHASES], own[PHASES];
    for (int phase = 0; phase < PHASES; phase++)
        timers[phase] = more[phase] = -1;
    phases_own(timers, own);
    assert_int_equal(own[PHASE_DYNAMO], 0);
    more[PHASE_DYNAMO] = 5;
    phases_add(timers, more);
    phases_add(timers, more);
    assert_int_equal(timers[PHASE_DYNAMO], 10);
    assert_int_equal(timers[PHASE_AOT], -1);
    timers[PHASE_INDUCTOR] = 4; /* without AOTAutograd */
    phases_own(timers, own);
    assert_int_equal(own[PHASE_DYNAMO], 6);
}

/* Asserts that only these phases are shown, with these times. */
static void assert_shown(const int64_t own[PHASES], int64_t other_us, const int64_t expected[SHOWN_PHASES]) {
    int64_t shown[SHOWN_PHASES];
    phases_shown(own, other_us, shown);
    for (int phase = 0; phase < SHOWN_PHASES; phase++)
        if (shown[phase] != expected[phase])
            fail_msg("%s: %lld, expected %lld", shown_phase_info((enum shown_phase)phase)->key, (long long)shown[phase],
                     (long long)expected[phase]);
}

static void shows_phases(void **state) {
    (void)state;
    assert_shown((const int64_t[PHASES]){[PHASE_DYNAMO] = 1,
                                         [PHASE_AOT] = 2,
                                         [PHASE_PRE_GRAD] = 3,
                                         [PHASE_JOINT] = 4,
                                         [PHASE_POST_GRAD] = 5,
                                         [PHASE_INDUCTOR] = 6,
                                         [PHASE_CODEGEN] = 7,
                                         [PHASE_TRITON] = 8,
                                         [PHASE_BACKWARD] = 9},
                 10,
                 (const int64_t[SHOWN_PHASES]){[SHOWN_DYNAMO] = 1,
                                               [SHOWN_AOT] = 2,
                                               [SHOWN_PASSES] = 12,
                                               [SHOWN_INDUCTOR] = 6,
                                               [SHOWN_CODEGEN] = 7,
                                               [SHOWN_TRITON] = 8,
                                               [SHOWN_BACKWARD] = 9,
                                               [SHOWN_OTHER] = 10});
    /* another backend: only the timer around its call */
    assert_shown((const int64_t[PHASES]){[PHASE_DYNAMO] = 1, [PHASE_AOT] = 2}, 0,
                 (const int64_t[SHOWN_PHASES]){[SHOWN_DYNAMO] = 1, [SHOWN_BACKEND] = 2});
    assert_shown((const int64_t[PHASES]){0}, 7, (const int64_t[SHOWN_PHASES]){[SHOWN_NOT_LOGGED] = 7});
    assert_shown((const int64_t[PHASES]){0}, 0, (const int64_t[SHOWN_PHASES]){0});
}

static struct buf differences;

static void write_differences(const struct model *model) {
    struct jsonw w = {.out = &differences};
    differences.len = 0;
    struct settings_in_effect effect;
    settings_in_effect_find(&effect, model);
    config_differences_json_write(&w, NULL, model, &effect);
    if (effect.list.count)
        settings_in_effect_json_write(&w, NULL, model, &effect);
    settings_in_effect_free(&effect);
}

static void configs(const char *const *dynamo, size_t count) {
    struct buf log = {0};
    for (size_t i = 0; i < count; i++) {
        char fields[300];
        snprintf(fields, sizeof fields, "\"dynamo_config\": \"%s\"", dynamo[i]);
        log_metrics(&log, 0, (int)i, fields);
    }
    look_at(&log, write_differences);
}

static void lists_differences(void **state) {
    (void)state;
    static const char *const logged[] = {"{\\\"a\\\": 1, \\\"b\\\": [1]}", "{\\\"a\\\": 2, \\\"b\\\": [1]}",
                                         "{\\\"a\\\": 1, \\\"b\\\": [1], \\\"c\\\": null}"};
    configs(logged, 3);
    assert_buf(
        &differences,
        "[{\"kind\":\"dynamo\",\"setting\":\"a\",\"values\":[{\"set\":true,\"value\":1,\"compiles\":[\"0/0\",\"0/2\"]},"
        "{\"set\":true,\"value\":2,\"compiles\":[\"0/1\"]}]},"
        "{\"kind\":\"dynamo\",\"setting\":\"c\",\"values\":[{\"set\":false,\"value\":null,\"compiles\":[\"0/0\",\"0/"
        "1\"]},"
        "{\"set\":true,\"value\":null,\"compiles\":[\"0/2\"]}]}]");
}

static void lists_nothing_if_all_are_equal(void **state) {
    (void)state;
    static const char *const alike[] = {"{\\\"a\\\": 1}", "{\\\"a\\\": 1}"}, *const broken[] = {"{\\\"a\\\": 1}",
                                                                                                "{no JSON"};
    configs(alike, 2);
    assert_buf(&differences, "[]");
    configs(broken, 2);
    assert_buf(&differences, "[]");
}

/* A record of the FX graph cache, whose key has these components. */
static void log_key(struct buf *log, int compile, const char *components) {
    char payload[600];
    snprintf(payload, sizeof payload, "{\"key\": \"k%d\", \"components\": [%s]}", compile, components);
    log_artifact_of(log, 0, compile, "fx_graph_cache_miss", "json", payload);
}

/* What a graph was compiled with outranks the metrics' configuration, for its compile only. */
static void settings_in_effect_outrank_metrics(void **state) {
    static const char config[] = "\"inductor_config\": \"{\\\"a\\\": false, \\\"b\\\": 64, \\\"c\\\": \\\"0\\\", "
                                 "\\\"d\\\": [1, 2], \\\"e\\\": null}\"";
    struct buf log = {0};
    (void)state;
    log_artifact_of(&log, 0, 0, "fx_graph_runnable", "string",
                    "import torch\ntorch._inductor.config.a = True\ntorch._inductor.config.b = 64\n"
                    "torch._inductor.config.d = (3, 4)\n torch._inductor.config.e = 1\n"
                    "torch._inductor.config.deterministic = False\ntorch._functorch.config.f = "
                    "'x'\ntorch.other.config.a = 1\nclass Repro:\n"
                    "torch._inductor.config.e = 2\n");
    log_metrics(&log, 0, 0, config);
    log_key(&log, 1,
            "\"[h1] inductor_config[a]: False\", \"[h2] inductor_config[b]: 32\", "
            "\"[h3] inductor_config[c]: 0\", \"[h4] inductor_config[d]: (1, 2)\", "
            "\"[h5] inductor_config[e]: None\", \"[h6] gm: g\"");
    log_metrics(&log, 0, 1, config);
    log_metrics(&log, 0, 2, config);
    look_at(&log, write_differences);
    assert_buf(&differences,
               "[{\"kind\":\"inductor\",\"setting\":\"a\",\"values\":[{\"set\":true,\"value\":false,\"compiles\":[\"0/"
               "1\",\"0/2\"]},"
               "{\"set\":true,\"value\":true,\"compiles\":[\"0/0\"]}]},"
               "{\"kind\":\"inductor\",\"setting\":\"b\",\"values\":[{\"set\":true,\"value\":64,\"compiles\":[\"0/"
               "0\",\"0/2\"]},"
               "{\"set\":true,\"value\":32,\"compiles\":[\"0/1\"]}]}]"
               ",[{\"kind\":\"inductor\",\"setting\":\"a\",\"values\":[{\"value\":true,\"configured\":false,"
               "\"compiles\":[\"0/0\"]}]},"
               "{\"kind\":\"inductor\",\"setting\":\"b\",\"values\":[{\"value\":64,\"compiles\":[\"0/0\"]},"
               "{\"value\":32,\"configured\":64,\"compiles\":[\"0/1\"]}]},"
               "{\"kind\":\"inductor\",\"setting\":\"d\",\"values\":[{\"value\":\"(3, 4)\",\"compiles\":[\"0/0\"]}]},"
               "{\"kind\":\"functorch\",\"setting\":\"f\",\"values\":[{\"value\":\"x\",\"compiles\":[\"0/0\"]}]}]");
}

/* The same value in all compiles is no difference, whatever the metrics have. */
static void settings_in_effect_may_be_alike(void **state) {
    struct buf log = {0};
    (void)state;
    for (int compile = 0; compile < 2; compile++) {
        log_artifact_of(&log, 0, compile, "fx_graph_runnable", "string", "torch._inductor.config.a = True\n");
        log_metrics(&log, 0, compile, "\"inductor_config\": \"{\\\"a\\\": false}\"");
    }
    look_at(&log, write_differences);
    assert_buf(&differences, "[],[{\"kind\":\"inductor\",\"setting\":\"a\",\"values\":[{\"value\":true,"
                             "\"configured\":false,\"compiles\":[\"0/0\",\"0/1\"]}]}]");
}

static void settings_in_effect_list_some_compiles(void **state) {
    struct buf log = {0};
    (void)state;
    for (int compile = 0; compile < 102; compile++)
        log_artifact_of(&log, 0, compile, "fx_graph_runnable", "string", "torch._inductor.config.a = True\n");
    look_at(&log, write_differences);
    assert_true(slice_ends(buf_slice(&differences), SLICE(",\"0/99\"],\"more_compiles\":2}]}]")));
}

static void write_configs(const struct model *model) {
    struct jsonw w = {.out = &differences};
    differences.len = 0;
    configs_json_write(&w, NULL, model);
}

/* A backward logs the configuration again: that is not a second compile. */
static void counts_compiles_of_a_configuration(void **state) {
    static const char backward[] = "\"bwd_compilation_metrics\": {\"is_forward\": false, \"dynamo_config\": \"%s\"}, "
                                   "\"frame_id\": 0, \"frame_compile_id\": %d, \"attempt\": 0";
    struct buf log = {0};
    char fields[300];
    (void)state;
    log_metrics(&log, 0, 0, "\"dynamo_config\": \"{\\\"a\\\": 1}\"");
    log_metrics(&log, 0, 1, "\"dynamo_config\": \"{\\\"a\\\": 1}\"");
    for (int compile = 0; compile < 2; compile++) {
        snprintf(fields, sizeof fields, backward, compile ? "{\\\"a\\\": 2}" : "{\\\"a\\\": 1}", compile);
        log_record(&log, fields);
    }
    look_at(&log, write_configs);
    assert_buf(&differences, "[{\"kind\":\"dynamo\",\"values\":{\"a\":1},\"compiles\":2},"
                             "{\"kind\":\"dynamo\",\"values\":{\"a\":2},\"compiles\":1}]");
}

static int end(void **state) {
    buf_free(&differences);
    return remove_scratch(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(subtracts_nested_timers),
        cmocka_unit_test(kernels_may_be_outside_of_code_generation),
        cmocka_unit_test(handles_missing_timers),
        cmocka_unit_test(shows_phases),
        cmocka_unit_test(lists_differences),
        cmocka_unit_test(lists_nothing_if_all_are_equal),
        cmocka_unit_test(settings_in_effect_outrank_metrics),
        cmocka_unit_test(settings_in_effect_may_be_alike),
        cmocka_unit_test(settings_in_effect_list_some_compiles),
        cmocka_unit_test(counts_compiles_of_a_configuration),
    };
    return cmocka_run_group_tests(tests, make_scratch, end);
}

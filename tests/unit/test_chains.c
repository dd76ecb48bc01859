/* recompiles/chains: frames that were recompiled, and why. */
#define _GNU_SOURCE
#include "advice/advice.h"
#include "whole.h"

#include <time.h>

#include "recompiles/chains.h"
#include "report/members.h"

static struct chains chains;

static void find(const struct model *model, size_t count) {
    chains_finish(&chains);
    chains_find(&chains, model);
    chains_advise(&chains, model);
    assert_int_equal(chains.list.count, count);
}

static void one_compile_is_no_chain(const struct model *model) {
    find(model, 0);
}

static void finds_no_chain(void **state) {
    (void)state;
    struct buf log = {0};
    log_metrics(&log, 0, 0, "");
    log_metrics(&log, 1, 0, "");
    log_artifact_of(&log, 2, 0, "a", "string", "x"); /* no start, no metrics */
    log_artifact_of(&log, 2, 1, "a", "string", "x");
    log_artifact(&log, "a", "string", "x");
    look_at(&log, one_compile_is_no_chain);
    look_at(&log, one_compile_is_no_chain); /* an empty log */
}

static void in_the_order_of_compiles(const struct model *model) {
    find(model, 2);
    const struct chain *chain = &chains.list.items[0];
    assert_ids(model, chain->compiles.items, chain->compiles.count, "1/0 1/1 1/2");
    assert_int_equal(chain->time_us, 30); /* of all but the first compile */
    assert_slice(chain->frame.function, "f1");
    assert_slice(chain->frame.file, "a.py");
    assert_false(chain->limit_hit);
    assert_int_equal(chain->causes.count, 0);
    assert_ids(model, chains.list.items[1].compiles.items, 2, "0/0 0/1");
}

static void groups_by_frame(void **state) {
    (void)state;
    struct buf log = {0};
    log_metrics(&log, 1, 2, "\"duration_us\": 20");
    log_metrics(&log, 0, 0, "");
    log_metrics(&log, 1, 0, "\"duration_us\": 1000");
    log_metrics(&log, 1, 1, "\"duration_us\": 10");
    log_metrics(&log, 0, 1, "");
    look_at(&log, in_the_order_of_compiles);
}

static void by_autograd(const struct model *model) {
    find(model, 1);
}

/* A frame counts its compiles over all captures of Compiled Autograd: !0/0/0 and 0/0/1 are versions of one frame. */
static void joins_autograd_ids(void **state) {
    (void)state;
    struct buf log = {0};
    log_metrics(&log, 0, 0, "");
    log_record(&log,
               "\"compilation_metrics\": {}, \"compiled_autograd_id\": 0, \"frame_id\": 0, \"frame_compile_id\": 1");
    look_at(&log, by_autograd);
}

static void assert_cause(size_t place, const char *guard, const char *source, uint64_t count) {
    const struct chain *chain = &chains.list.items[0];
    assert_true(place < chain->causes.count);
    assert_slice(chain->causes.items[place].guard, guard);
    if (source)
        assert_slice(chain->causes.items[place].source, source);
    else
        assert_null(chain->causes.items[place].source.ptr);
    assert_int_equal(chain->causes.items[place].count, count);
}

static void one_cause_a_step(const struct model *model) {
    find(model, 1);
    assert_int_equal(chains.list.items[0].steps.count, 6);
    assert_int_equal(chains.list.items[0].causes.count, 4); /* the guard of 0/0 that fails each time is not a cause */
    assert_cause(0, "tensor 'x' size mismatch at index 0", "x", 2);
    assert_cause(1, "k == …", "k", 2);
    assert_cause(2, "grad_mode", NULL, 1);
    assert_cause(3, "s == …", "s", 1);
    const struct cause *cause = &chains.list.items[0].causes.items[1];
    assert_slice(cause->code, "if k == 1:");
    assert_slice(cause->example, "k == 1  # if k == 1:  # a.py:7 in f");
    assert_slice(chains.list.items[0].causes.items[0].had, "1");
    assert_slice(chains.list.items[0].causes.items[0].has, "2");
    assert_int_equal(chains.list.items[0].causes.items[0].value_count, 3);
    assert_slice(chains.list.items[0].causes.items[0].values[2].text, "3");
    assert_slice(chains.list.items[0].causes.items[0].subject, "x.size()[0]");
}

static void counts_causes_once(void **state) {
    (void)state;
    struct buf log = {0};
    log_metrics(&log, 0, 0, "");
    log_artifact_of(&log, 0, 1, "recompile_reasons", "json",
                    "[\"0/0: tensor 'x' size mismatch at index 0. expected 1, actual 2\", \"0/0: k == 0  # if k == 0:  "
                    "# a.py:7 in f\"]");
    log_artifact_of(&log, 0, 2, "recompile_reasons", "json",
                    "[\"0/1: tensor 'x' size mismatch at index 0. expected 2, actual 3\", \"0/0: tensor 'x' size "
                    "mismatch at index 0. expected "
                    "1, actual 3\", \"!0/0/1: k == 1\", \"G['SCALE'] == 2.0\", \"type(x) == int\"]");
    log_artifact_of(&log, 0, 3, "recompile_reasons", "json",
                    "[\"0/2: k == 1  # if k == 1:  # a.py:7 in f\", \"0/0: tensor 'x' size mismatch at index 0. "
                    "expected 1, actual 3\"]");
    log_artifact_of(&log, 0, 4, "recompile_reasons", "json", "[\"0/3: k == 2\", \"0/0: k == 0\"]");
    log_artifact_of(&log, 0, 5, "recompile_reasons", "string", "grad_mode");
    log_artifact_of(&log, 0, 6, "recompile_reasons", "json", "\"s == 'text'\"");
    look_at(&log, one_cause_a_step);
}

static struct buf said;

static void note_why(const struct model *model) {
    find(model, 1);
    said.len = 0;
    chain_add_why(&said, model, &chains.list.items[0]);
}

#define SIZE(had, has) "tensor 'x' size mismatch at index 0. expected " had ", actual " has

/* No arrow between the steps of unrelated versions. */
static void joins_values(void **state) {
    static const struct {
        const char *reasons[4];
        const char *why;
    } cases[] = {
        {{SIZE("6", "7"), SIZE("8", "9")}, "`x.size()[0]` changed 6 → 7, 8 → 9 (2 of 2 recompiles)."},
        {{SIZE("6", "7"), SIZE("7", "9")}, "`x.size()[0]` changed 6 → 7 → 9 (2 of 2 recompiles)."},
        {{SIZE("6", "7"), SIZE("6", "9")}, "`x.size()[0]` changed 6 → 7 → 9 (2 of 2 recompiles)."},
        {{SIZE("6", "7"), "k == 1", SIZE("6", "9")},
         "`x.size()[0]` changed 6 → 7, 6 → 9 (2 of 3 recompiles); `k` changed (1 of 3 recompiles)."},
        {{SIZE("6", "7"), "k == 1", SIZE("7", "9")},
         "`x.size()[0]` changed 6 → 7 → 9 (2 of 3 recompiles); `k` changed (1 of 3 recompiles)."},
        {{SIZE("1", "2"), SIZE("3", "4"), SIZE("5", "6")}, "`x.size()[0]` changed 1 → 2, 3 → 4 … (3 of 3 recompiles)."},
        {{SIZE("1", "2"), SIZE("2", "3"), SIZE("5", "6")}, "`x.size()[0]` changed 1 → 2 → 3 … (3 of 3 recompiles)."},
        {{"k == 1", "k == 1"}, "`k` changed (2 of 2 recompiles)."},
        {{"not math.isnan(s)"}, "`s` changed to nan."},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf log = {0};
        log_metrics(&log, 0, 0, "");
        for (int r = 0; r < 4 && cases[i].reasons[r]; r++) {
            char reason[200];
            snprintf(reason, sizeof reason, "\"0/0: %s\"", cases[i].reasons[r]);
            log_artifact_of(&log, 0, r + 1, "recompile_reasons", "json", reason);
        }
        look_at(&log, note_why);
        if (!slice_is(buf_slice(&said), cases[i].why))
            fail_msg("case %zu: %.*s\nexpected: %s", i, (int)said.len, said.ptr, cases[i].why);
    }
    buf_free(&said);
}

static void the_innermost_user_frame(const struct model *model) {
    find(model, 1);
    const struct cause *cause = &chains.list.items[0].causes.items[0];
    assert_slice(cause->place.file, "/home/x/b.py");
    assert_int_equal(cause->place.line, 12);
    assert_slice(cause->place.function, "inner");
}

static void finds_the_place(void **state) {
    (void)state;
    struct buf log = {0};
    log_metrics(&log, 0, 0, "");
    log_artifact_of(&log, 0, 1, "recompile_reasons", "json",
                    "[\"0/0: k == 0\\nUser stack trace:\\n  File \\\"/home/x/a.py\\\", line 3, in outer\\n    f()\\n  "
                    "File \\\"/home/x/b.py\\\", "
                    "line 12, in inner\\n    g()\\n\"]");
    look_at(&log, the_innermost_user_frame);
}

static void the_limit(const struct model *model) {
    find(model, 1);
    assert_true(chains.list.items[0].limit_hit);
}

static void knows_the_limit(void **state) {
    (void)state;
    static const char *const failures[] =
        {"\"fail_type\": \"torch._dynamo.exc.RecompileLimitExceeded\", \"fail_reason\": \"x\"",
         "\"fail_type\": \"E\", \"fail_reason\": \"torch._dynamo hit config.recompile_limit (8)\"",
         "\"fail_type\": \"E\", \"fail_reason\": \"hit config.cache_size_limit\""};
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
        struct buf log = {0};
        log_metrics(&log, 0, 0, "");
        log_metrics(&log, 0, 1, failures[i]);
        look_at(&log, the_limit);
    }
}

static void no_overflow(const struct model *model) {
    find(model, 1);
    assert_true(chains.list.items[0].time_us >= 0);
}

/* Arbitrary times in a log do not overflow. */
static void adds_arbitrary_times(void **state) {
    (void)state;
    struct buf log = {0};
    for (int i = 0; i < 3; i++)
        log_metrics(&log, 0, i, "\"duration_us\": 9223372036854775806");
    look_at(&log, no_overflow);
}

static void many_causes(const struct model *model) {
    find(model, 1);
    assert_int_equal(chains.list.items[0].causes.count, CAUSES_MAX);
}

static void bounds_causes(void **state) {
    (void)state;
    struct buf log = {0};
    log_metrics(&log, 0, 0, "");
    for (int i = 1; i < 2 * CAUSES_MAX; i++) {
        char reason[100];
        snprintf(reason, sizeof reason, "0/%d: guard %d", i - 1, i);
        log_artifact_of(&log, 0, i, "recompile_reasons", "string", reason);
    }
    look_at(&log, many_causes);
}

/* Sanitizers make each record many times as slow; a quadratic run time would still show. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { LONG_CHAIN = 10000 };
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
enum { LONG_CHAIN = 10000 };
#else
enum { LONG_CHAIN = 60000 };
#endif
#else
enum { LONG_CHAIN = 60000 };
#endif

static void one_long_chain(const struct model *model) {
    clock_t start = clock();
    find(model, 1);
    assert_true(clock() - start < 6 * CLOCKS_PER_SEC);
    for (size_t i = 0; i < chains.list.items[0].compiles.count; i += 1000)
        assert_int_equal(model->compiles.items[chains.list.items[0].compiles.items[i]]->frame_compile_id, i);
}

/* Compiles in the wrong order: the run time is not quadratic. */
static void handles_long_chains(void **state) {
    (void)state;
    struct buf log = {0};
    for (int i = LONG_CHAIN; i-- > 0;)
        buf_addf(&log, PREFIX "{\"dynamo_start\": {}, \"frame_id\": 0, \"frame_compile_id\": %d}\n", i);
    look_at(&log, one_long_chain);
}

static void assert_steps(const struct model *model, const char *expected) {
    struct buf out = {0};
    struct jsonw w = {.out = &out};
    jsonw_object(&w, NULL);
    recompile_steps_write(&w, model, &chains.list.items[0]);
    jsonw_end_object(&w);
    struct slice json = buf_slice(&out), part = slice_first(json, slice_find(json, SLICE("\"advice\"")));
    assert_slice(part, expected);
    buf_free(&out);
}

static void with_values(const struct model *model) {
    find(model, 1);
    assert_steps(
        model,
        "{\"steps\":[{\"compile\":\"0/1\",\"from\":\"0/0\",\"nearest\":\"0/0\",\"changes\":[{\"guard\":\"k == "
        "0\",\"guard_type\":\"value\",\"source\":\"k\",\"had\":\"0\",\"has\":\"7\",\"symbol\":null,\"differs\":null}],"
        "\"more_changes\":"
        "0,\"reasons\":[{\"against\":\"0/0\",\"guard\":\"k == 0\","
        "\"guard_type\":\"value\",\"source\":\"k\",\"had\":\"0\",\"has\":\"7\"}],\"more_reasons\":0,\"sizes\":["
        "{\"name\":\"l_x_\",\"had\":\"[2, 3]\",\"has\":\"[s0, 3]\"},{\"name\":\"l_y_\",\"had\":\"[1]\",\"has\":null}]},"
        "{\"compile\":\"0/2\",\"from\":\"0/1\",\"nearest\":\"0/1\",\"changes\":[{\"guard\":\"k == "
        "7\",\"guard_type\":\"value\",\"source\":\"k\",\"had\":\"7\",\"has\":null,\"symbol\":null,\"differs\":null}],"
        "\"more_changes\":0,"
        "\"reasons\":[{\"against\":\"0/1\",\"guard\":\"k == 7\",\"guard_type\":\"value\","
        "\"source\":\"k\",\"had\":\"7\",\"has\":null}],\"more_reasons\":0,\"sizes\":[]}],\"more_steps\":0,\"limit\":"
        "null,");
}

/* The new value of a Python variable is taken from the next compile. Weights and intermediate values are not sizes. */
static void describes_steps(void **state) {
    (void)state;
    struct buf log = {0};
    log_metrics(&log, 0, 0, "");
    log_payload(&log,
                "\"dynamo_output_graph\": {\"sizes\": {\"l_x_\": [2, 3], \"l_y_\": [1], \"l_self_parameters_w_\": [4], "
                "\"mul\": [2]}}, "
                "\"frame_id\": 0, \"frame_compile_id\": 0, \"attempt\": 0",
                "graph");
    log_payload(
        &log,
        "\"dynamo_output_graph\": {\"sizes\": {\"l_x_\": [\"s0\", 3], \"l_self_parameters_w_\": [5], \"mul\": [3]}}, "
        "\"frame_id\": 0, \"frame_compile_id\": 1, \"attempt\": 0",
        "graph");
    log_artifact_of(&log, 0, 1, "recompile_reasons", "string", "0/0: k == 0");
    log_artifact_of(&log, 0, 2, "recompile_reasons", "string", "0/1: k == 7");
    look_at(&log, with_values);
}

static int end(void **state) {
    chains_finish(&chains);
    return remove_scratch(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_no_chain),     cmocka_unit_test(groups_by_frame),
        cmocka_unit_test(joins_autograd_ids), cmocka_unit_test(counts_causes_once),
        cmocka_unit_test(joins_values),       cmocka_unit_test(finds_the_place),
        cmocka_unit_test(knows_the_limit),    cmocka_unit_test(adds_arbitrary_times),
        cmocka_unit_test(bounds_causes),      cmocka_unit_test(handles_long_chains),
        cmocka_unit_test(describes_steps),
    };
    return cmocka_run_group_tests(tests, make_scratch, end);
}

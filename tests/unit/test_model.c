/* model/model: folders, entries and compiles of a log, and their content. */
#define _GNU_SOURCE
#include "support.h"

#include "base/mem.h"
#include "model/model.h"

static struct compile_id good(int64_t autograd, int64_t frame, int64_t compile, int64_t attempt) {
    return (struct compile_id){COMPILE_ID_GOOD, autograd, frame, compile, attempt};
}

static uint32_t folder(struct model *model, struct compile_id id, uint64_t line) {
    return model_folder(model, 1, &id, line);
}

static void distinguishes_folders_entries_and_compiles(void **state) {
    (void)state;
    struct model model = {0};
    uint32_t a = folder(&model, good(-1, 0, 0, 0), 1), b = folder(&model, good(-1, 0, 0, -1), 2),
             c = folder(&model, good(-1, 0, 0, 1), 3);
    assert_int_equal(folder(&model, good(-1, 0, 0, 0), 9), a);
    assert_int_equal(model.folders.count, 3);
    assert_int_equal(model.entries.count, 2); /* attempt 0 and none share the key [0/0] */
    assert_int_equal(model.compiles.count, 1);
    assert_int_equal(model.folders.items[a].entry, model.folders.items[b].entry);
    assert_int_not_equal(model.folders.items[a].entry, model.folders.items[c].entry);
    assert_slice(model.folders.items[a].name, "-_0_0_0");
    assert_slice(model.folders.items[b].name, "-_0_0_-");
    assert_slice(model.entries.items[model.folders.items[c].entry].key, "[0/0_1]");
    const struct compile *compile = model_compile_of(&model, c);
    assert_slice(compile->id, "0/0");
    assert_int_equal(compile->folders.count, 3);
    assert_int_equal(compile->attempts.count, 2);
    assert_int_equal(compile->attempts.items[1], 1);
    assert_int_equal(compile->frame_id, 0);
    assert_int_equal(compile->time_us, -1);
    assert_int_equal(compile->failure, -1);
    model_finish(&model);
}

static void handles_missing_and_malformed_ids(void **state) {
    (void)state;
    struct model model = {0};
    struct compile_id bad = {COMPILE_ID_BAD, -1, 0, 0, -1}, none = {COMPILE_ID_NONE, -1, -1, -1, -1};
    uint32_t one = model_folder(&model, 1, &bad, 17), two = model_folder(&model, 1, &bad, 18);
    assert_slice(model.folders.items[one].name, "unknown_17");
    assert_slice(model.folders.items[two].name, "unknown_18");
    assert_int_equal(model.folders.items[one].compile, model.folders.items[two].compile);
    assert_slice(model_compile_of(&model, one)->id, "unknown");
    assert_int_equal(model_compile_of(&model, one)->frame_id, PART_MISSING);
    uint32_t nothing = model_folder(&model, 1, &none, 19);
    assert_slice(model.folders.items[nothing].name, "-_-_-_-");
    assert_slice(model.entries.items[model.folders.items[nothing].entry].key, "[-/-]");
    assert_int_equal(model_compile_of(&model, nothing)->attempts.count, 0);
    model_framed(&model, model_compile_of(&model, nothing)); /* an export has metrics and no frame */
    model_framed(&model, model_compile_of(&model, nothing));
    assert_int_equal(model.framed_count, 1);
    model_finish(&model);
}

static void orders_framed_compiles_first(void **state) {
    (void)state;
    struct model model = {0};
    uint32_t none = folder(&model, good(0, -1, -1, -1), 1), late = folder(&model, good(-1, 0, 0, 0), 2),
             first = folder(&model, good(-1, 1, 0, 0), 3);
    model_framed(&model, model_compile_of(&model, first));
    model_framed(&model, model_compile_of(&model, late));
    model_framed(&model, model_compile_of(&model, first));
    uint32_t *order = model_order(&model);
    assert_int_equal(order[0], model.folders.items[first].compile);
    assert_int_equal(order[1], model.folders.items[late].compile);
    assert_int_equal(order[2], model.folders.items[none].compile);
    mem_free(order);
    model_finish(&model);
    order = model_order(&model);
    mem_free(order);
}

static void derives_the_status(void **state) {
    (void)state;
    struct compile compile = {0};
    struct slice reason = SLICE("x");
    assert_int_equal(compile_status(&compile), STATUS_MISSING);
    compile.failed = true; /* without metrics, nothing is known */
    assert_int_equal(compile_status(&compile), STATUS_MISSING);
    compile.failed = false;
    compile.has_metrics = true;
    assert_int_equal(compile_status(&compile), STATUS_OK);
    compile.restarts.items = &reason;
    compile.restarts.count = 1;
    assert_int_equal(compile_status(&compile), STATUS_RESTART);
    compile.empty = true;
    assert_int_equal(compile_status(&compile), STATUS_EMPTY);
    compile.failed = true;
    assert_int_equal(compile_status(&compile), STATUS_ERROR);
}

static void names_things(void **state) {
    (void)state;
    static const char *const statuses[] = {"missing", "ok", "restart", "empty", "error"};
    for (int i = 0; i < 5; i++)
        assert_string_equal(status_name((enum status)i), statuses[i]);
    static const char *const counters[] = {"ok",          "other_rank",        "fail_glog",
                                           "fail_json",   "fail_payload_md5",  "fail_dynamo_guards_json",
                                           "fail_parser", "fail_key_conflict", "fail_json_serialization",
                                           "too_large",   "unknown",           "unknown_encoding"};
    assert_int_equal(COUNTERS, 12);
    for (int i = 0; i < COUNTERS; i++)
        assert_string_equal(counter_name((enum counter)i), counters[i]);
    static const char *const phases[] = {"dynamo",   "aot",     "pre_grad", "joint",   "post_grad",
                                         "inductor", "codegen", "triton",   "backward"};
    for (int i = 0; i < PHASES; i++)
        assert_string_equal(phase_name((enum phase)i), phases[i]);
}

static void marks_caches(void **state) {
    (void)state;
    static const struct {
        const char *url, *suffix;
    } cases[] = {{"-_0_0_0/fx_graph_cache_hit_1.json", "✅"},
                 {"-_0_0_0/aotautograd_cache_miss_2.json", "❌"},
                 {"x/aotautograd_cache_bypass_3.json", "❓"},
                 {"x/other_4.txt", ""},
                 {"", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct artifact artifact = {.url = slice_str(cases[i].url)};
        assert_string_equal(artifact_suffix(&artifact), cases[i].suffix);
    }
    assert_string_equal(artifact_suffix(&(struct artifact){0}), "");
}

static void adds_artifacts(void **state) {
    (void)state;
    struct model model = {0};
    char name[] = "name";
    uint32_t place = folder(&model, good(-1, 0, 0, 0), 1);
    for (int i = 0; i < 100; i++)
        model_add_artifact(&model, &(struct artifact){.name = slice_str(name),
                                                      .kind = SLICE("artifact"),
                                                      .bytes = 5,
                                                      .number = i,
                                                      .folder = place,
                                                      .listed = i % 2 == 0,
                                                      .subgraph = i == 3 ? SLICE("sub") : (struct slice){0}});
    memset(name, 'x', 4);
    const struct compile *compile = model_compile_of(&model, place);
    assert_int_equal(compile->artifacts.count, 100);
    assert_int_equal(compile->bytes, 500);
    assert_slice(compile->subgraph, "sub");
    assert_int_equal(model.entries.items[0].artifacts.count, 50);
    assert_slice(model.artifacts.items[99].name, "name");
    assert_int_equal(model.artifacts.items[compile->artifacts.items[42]].number, 42);
    model_finish(&model);
}

static void adds_facts(void **state) {
    (void)state;
    struct model model = {0};
    uint32_t place = folder(&model, good(-1, 0, 0, 0), 1);
    struct compile *compile = model_compile_of(&model, place);
    char symbol[] = "s0";
    model_add_shape_record(&model, compile, SHAPE_SYMBOL, &(struct shape_record){.symbol = slice_str(symbol)});
    symbol[1] = '1';
    model_add_shape_record(&model, compile, SHAPE_SYMBOL, &(struct shape_record){.symbol = slice_str(symbol)});
    model_add_shape_record(&model, compile, SHAPE_GUARD, &(struct shape_record){.text = SLICE("s0 > 2")});
    assert_int_equal(compile->shapes[SHAPE_SYMBOL].count, 2);
    assert_slice(compile->shapes[SHAPE_SYMBOL].first->symbol, "s0");
    assert_slice(compile->shapes[SHAPE_SYMBOL].first->next->symbol, "s1");
    assert_null(compile->shapes[SHAPE_SYMBOL].first->value.ptr);
    assert_int_equal(compile->shapes[SHAPE_GUARD].count, 1);
    assert_null(compile->shapes[SHAPE_UNBACKED].first);
    model_finish(&model);
}

static void groups_faults(void **state) {
    (void)state;
    static const char one[] = "one", other[] = "other";
    struct model model = {0};
    model_add_fault(&model, one, 5, 1);
    model_add_fault(&model, one, 6, 3); /* adjacent */
    model_add_fault(&model, one, 10, 1);
    model_add_fault(&model, other, 11, 1);
    assert_int_equal(model.faults.count, 3);
    assert_int_equal(model.faults.items[0].line, 5);
    assert_int_equal(model.faults.items[0].count, 4);
    for (uint64_t i = 0; i < 5000; i++)
        model_add_fault(&model, one, 100 + 2 * i, 2);
    assert_int_equal(model.faults.count + model.more_faults / 2, 3 + 1 + 0); /* adjacent nevertheless: one more */
    for (uint64_t i = 0; i < 5000; i++)
        model_add_fault(&model, one, 100000 + 3 * i, 2);
    assert_true(model.faults.count < 5000);
    assert_int_equal(model.faults.count - 4 + model.more_faults / 2, 5000);
    model_finish(&model);
}

static void distinguishes_output_from_malformed_records(void **state) {
    static const struct {
        uint64_t glog, json, md5, malformed, skipped;
    } cases[] = {
        {0, 0, 0, 0, 0}, {9, 351, 0, 0, 360}, /* TORCH_LOGS text looks like records */
        {0, 1, 4, 5, 0}, {3, 0, 0, 0, 3},     {1, 5, 0, 5, 1}, {9, 2, 1, 3, 9},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t counters[COUNTERS] = {[COUNT_OK] = 141,
                                       [COUNT_FAIL_GLOG] = cases[i].glog,
                                       [COUNT_FAIL_JSON] = cases[i].json,
                                       [COUNT_FAIL_PAYLOAD_MD5] = cases[i].md5};
        struct unread unread = counters_unread(counters);
        assert_int_equal(unread.malformed, cases[i].malformed);
        assert_int_equal(unread.skipped, cases[i].skipped);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distinguishes_output_from_malformed_records),
        cmocka_unit_test(distinguishes_folders_entries_and_compiles),
        cmocka_unit_test(handles_missing_and_malformed_ids),
        cmocka_unit_test(orders_framed_compiles_first),
        cmocka_unit_test(derives_the_status),
        cmocka_unit_test(names_things),
        cmocka_unit_test(marks_caches),
        cmocka_unit_test(adds_artifacts),
        cmocka_unit_test(adds_facts),
        cmocka_unit_test(groups_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

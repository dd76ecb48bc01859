/* model/cache_keys: components of cache keys, the nearest earlier key, keys of several logs in one store. */
#define _GNU_SOURCE
#include "whole.h"

#include "base/mem.h"
#include "model/cache_keys.h"

static const struct key_comparison *comparison_of(const struct model *model, const char *id) {
    const struct compile *compile = model->compiles.items[place_of_compile(model, id)];
    assert_true(compile->caches.count > 0);
    return cache_keys_compare(model, compile->caches.items[compile->caches.count - 1].components);
}

/* A miss of frame/compile, with `config` constant components and the given ones. */
static void miss(struct buf *log, int frame, int compile, const char *key, const char *components, uint64_t event_ns) {
    struct buf json = {0};
    buf_addf(&json, "{\"key\": \"%s\", \"cache_event_time\": %llu, \"components\": [%s", key,
             (unsigned long long)event_ns, components);
    for (int i = 0; i < 30; i++)
        buf_addf(&json, ", \"[h%d] inductor_config[c%d]: %d\"", i, i, i);
    buf_addf(&json, "]}%c", 0);
    log_artifact_of(log, frame, compile, "fx_graph_cache_miss", "json", json.ptr);
    buf_free(&json);
}

#define GM(hash) "\"[" hash "] gm: f()\""
#define INPUT(hash, value) "\"[" hash "] example_inputs[0]: T(float, shape=(" value "), cpu)\""
#define BACKWARD(value) "\"[" value "] fx_kwargs[is_backward]: " value "\""

static void graphs(const struct model *model) {
    assert_null(comparison_of(model, "0/0"));
    assert_null(
        comparison_of(model, "1/0")); /* another graph and another function: a comparison would be meaningless */
    const struct key_comparison *found = comparison_of(model, "2/0");
    assert_non_null(found);
    assert_true(found->same_graph);
    assert_int_equal(found->compile, place_of_compile(model, "0/0"));
    assert_int_equal(found->count, 1);
    assert_slice(found->list[0].name, "example_inputs[0]");
    assert_slice(found->list[0].had, "shape=(4)");
    assert_slice(found->list[0].has, "shape=(6)");
    found = comparison_of(model, "1/1"); /* the nearest key of the same function */
    assert_non_null(found);
    assert_false(found->same_graph);
    assert_int_equal(found->compile, place_of_compile(model, "1/0"));
    assert_int_equal(found->count, 2);
    assert_slice(found->list[0].name, "gm");
    assert_int_equal(cache_keys_components(model, 0), 33);
}

static void prefers_keys_of_the_graph(void **state) {
    (void)state;
    struct buf log = {0};
    miss(&log, 0, 0, "a", GM("g1") ", " INPUT("i4", "4") ", " BACKWARD("False"), 0);
    log_metrics(&log, 0, 0, "");
    miss(&log, 1, 0, "b", GM("g2") ", " INPUT("i4", "4") ", " BACKWARD("False"), 0);
    log_metrics(&log, 1, 0, "");
    miss(&log, 2, 0, "c", GM("g1") ", " INPUT("i6", "6") ", " BACKWARD("False"), 0);
    log_metrics(&log, 2, 0, "");
    miss(&log, 1, 1, "d", GM("g3") ", " INPUT("i6", "6") ", " BACKWARD("False"), 0);
    log_metrics(&log, 1, 1, "");
    look_at(&log, graphs);
}

static void lengths(const struct model *model) {
    const struct key_comparison *found = comparison_of(model, "0/1");
    assert_non_null(found);
    assert_int_equal(found->count, 2);
    assert_int_equal(found->listed, 2);
    assert_slice(found->list[0].name, "gm");
    assert_slice(found->list[1].name, "len(example_inputs)");
    assert_slice(found->list[1].had, "3");
    assert_slice(found->list[1].has, "4");
}

/* The first of four inputs is another one than the first of three. */
static void pairs_no_inputs_of_lists_of_other_lengths(void **state) {
    (void)state;
    static const char tail[] = ", \"[b] example_inputs[1]: T(2)\", \"[c] example_inputs[2]: T(3)\"";
    struct buf log = {0}, components = {0};
    buf_addf(&components, "%s%s, %s%c", GM("g1") ", " INPUT("a", "4"), tail, BACKWARD("False"), 0);
    miss(&log, 0, 0, "a", components.ptr, 0);
    log_metrics(&log, 0, 0, "");
    components.len = 0;
    buf_addf(&components, "%s%s, %s, %s%c", GM("g2") ", " INPUT("s", "s7"), tail, "\"[a] example_inputs[3]: T(4)\"",
             BACKWARD("False"), 0);
    miss(&log, 0, 1, "b", components.ptr, 0);
    log_metrics(&log, 0, 1, "");
    buf_free(&components);
    look_at(&log, lengths);
}

static void nothing_before(const struct model *model) {
    assert_null(comparison_of(model, "0/1"));
    assert_null(comparison_of(model, "1/0"));
}

/* A backward is not a version of a forward, and a later lookup is not an earlier key. */
static void ignores_other_directions_and_later_keys(void **state) {
    (void)state;
    struct buf log = {0};
    miss(&log, 0, 0, "a", GM("g1") ", " BACKWARD("False"), 0);
    log_metrics(&log, 0, 0, "");
    miss(&log, 0, 1, "b", GM("g2") ", " BACKWARD("True"), 2000000);
    log_metrics(&log, 0, 1, "");
    miss(&log, 1, 0, "c", GM("g2") ", " INPUT("i4", "4") ", " BACKWARD("True"), 1000000);
    log_metrics(&log, 1, 0, "");
    look_at(&log, nothing_before);
}

static void values(const struct model *model) {
    const struct key_comparison *found = comparison_of(model, "1/0");
    assert_non_null(found);
    assert_int_equal(found->count, 4);
    assert_slice(found->list[0].name, "version"); /* bytes */
    assert_null(found->list[0].had.ptr);
    assert_slice(found->list[1].name, "fn"); /* only its address is kept */
    assert_null(found->list[1].has.ptr);
    assert_slice(found->list[2].name, "device");
    assert_slice(found->list[2].had, "cuda:0");
    assert_slice(found->list[2].has, "cuda:1");
    assert_slice(found->list[3].name, "extra");
    assert_null(found->list[3].had.ptr);
    assert_slice(found->list[3].has, "1");
}

static void shows_readable_values(void **state) {
    (void)state;
    struct buf log = {0};
    miss(&log, 0, 0, "a", GM("g") ", \"[v1] version: \\ufffdx\", \"[f1] fn: <f at 0x1>\", \"[d1] device: cuda:0\"", 0);
    log_metrics(&log, 0, 0, "");
    miss(&log, 1, 0, "b",
         GM("g") ", \"[v2] version: \\ufffdy\", \"[f2] fn: <f at 0x2>\", \"[d2] device: cuda:1\", \"[e] extra: 1\"", 0);
    log_metrics(&log, 1, 0, "");
    look_at(&log, values);
}

static struct arena merged_arena;
static struct cache_keys *merged;
static uint32_t places[2][4];
static int merges;

static void merge(const struct model *model) {
    merged = merged ? merged : cache_keys_create(&merged_arena);
    assert_true(cache_keys_count(model->cache_keys) <= 4);
    cache_keys_merge(merged, model->cache_keys, places[merges++]);
}

/* Indices of components differ between logs; those of the store do not. */
static void compares_keys_of_several_logs(void **state) {
    (void)state;
    struct key_comparison found;
    struct buf log = {0};
    miss(&log, 0, 0, "a", GM("g1") ", " INPUT("i4", "4"), 0);
    miss(&log, 1, 0, "b", GM("g2") ", " INPUT("i4", "4"), 0);
    look_at(&log, merge);
    miss(&log, 0, 0, "b", GM("g2") ", " INPUT("i4", "4"), 0);
    miss(&log, 1, 0, "c", INPUT("i6", "6") ", " GM("g1"), 0);
    look_at(&log, merge);
    assert_int_equal(cache_keys_count(merged), 3);
    assert_int_equal(places[1][0], places[0][1]); /* one key */
    assert_int_equal(cache_key_graph(merged, places[1][1]), cache_key_graph(merged, places[0][0]));
    assert_true(cache_keys_nearest(merged, places[1][1], places[0], 2, &found));
    assert_int_equal(found.nearest, places[0][0]);
    assert_true(found.same_graph);
    assert_int_equal(found.count, 1);
    assert_slice(found.list[0].had, "shape=(4)");
    assert_false(cache_keys_nearest(merged, places[1][1], NULL, 0, &found));
    cache_keys_merge(merged, NULL, NULL);
    arena_free(&merged_arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prefers_keys_of_the_graph),
        cmocka_unit_test(pairs_no_inputs_of_lists_of_other_lengths),
        cmocka_unit_test(ignores_other_directions_and_later_keys),
        cmocka_unit_test(shows_readable_values),
        cmocka_unit_test(compares_keys_of_several_logs),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}

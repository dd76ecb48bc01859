/* analysis/dynamic: what made a size dynamic, if the log says so. */
#define _GNU_SOURCE
#include "whole.h"

#include "analysis/dynamic.h"

#define AT(compile) "\"frame_id\": 0, \"frame_compile_id\": " compile ", \"attempt\": 0"

static void log_tensor(struct buf *log, const char *id, const char *marks, const char *source, const char *at) {
    char record[400];
    snprintf(record, sizeof record, "\"describe_tensor\": {\"id\": %s, \"describer_id\": 3%s}, %s", id, marks, at);
    log_record(log, record);
    snprintf(record, sizeof record, "\"describe_source\": {\"id\": %s, \"describer_id\": 3, \"source\": \"%s\"}, %s",
             id, source, at);
    log_record(log, record);
}

static void log_symbol(struct buf *log, const char *symbol, const char *source, const char *at) {
    char record[400];
    snprintf(record, sizeof record, "\"create_symbol\": {\"symbol\": \"%s\", \"val\": \"4\", \"source\": \"%s\"}, %s",
             symbol, source, at);
    log_record(log, record);
}

/* Asserts what made the symbol of this compile dynamic; "" if it is unknown. */
static void assert_by(const struct model *model, const char *id, const char *symbol, const char *by) {
    for (size_t i = 0; i < model->compiles.count; i++)
        for (const struct shape_record *fact = model->compiles.items[i]->shapes[SHAPE_SYMBOL].first; fact;
             fact = fact->next)
            if (slice_is(model->compiles.items[i]->id, id) && slice_is(fact->symbol, symbol)) {
                assert_slice(dynamic_by_name(dynamic_of(model->compiles.items[i], fact)), by);
                return;
            }
    fail_msg("no symbol %s in %s", symbol, id);
}

static void marks(const struct model *model) {
    assert_by(model, "0/0", "s0", "mark_dynamic");
    assert_by(model, "0/0", "s1", ""); /* the other dimension */
    assert_by(model, "0/0", "s2", ""); /* the other tensor */
    assert_by(model, "0/1", "s0", ""); /* another compile, with an unmarked tensor */
    assert_by(model, "7/0", "s7", ""); /* the trace of an export, which has no dynamo_start: its dynamic_shapes */
}

static void a_mark_applies_to_a_dimension(void **state) {
    (void)state;
    struct buf log = {0};
    log_record(&log, "\"dynamo_start\": {\"stack\": []}, " AT("0"));
    log_tensor(&log, "2", ", \"dynamo_dynamic_indices\": [0]", "L['z']",
               "\"frame_id\": 7, \"frame_compile_id\": 0, \"attempt\": 0");
    log_symbol(&log, "s7", "L['z'].size()[0]", "\"frame_id\": 7, \"frame_compile_id\": 0, \"attempt\": 0");
    log_tensor(&log, "0", ", \"dynamo_dynamic_indices\": [1, 99999999999]", "L['x']", AT("0"));
    log_tensor(&log, "1", ", \"dynamo_dynamic_indices\": []", "L['y']", AT("0"));
    log_symbol(&log, "s0", "L['x'].size()[1]", AT("0"));
    log_symbol(&log, "s1", "L['x'].size()[0]", AT("0"));
    log_symbol(&log, "s2", "L['y'].size()[1]", AT("0"));
    log_tensor(&log, "0", "", "L['x']", AT("1"));
    log_symbol(&log, "s0", "L['x'].size()[1]", AT("1"));
    look_at(&log, marks);
}

static void failures(const struct model *model) {
    assert_by(model, "0/0", "s0", ""); /* before any guard failed */
    assert_by(model, "0/1", "s0", "automatic");
    assert_by(model, "0/1", "s1", "");          /* the log says nothing about the other dimension */
    assert_by(model, "0/2", "s0", "automatic"); /* remains dynamic */
    assert_by(model, "1/1", "s0", "");          /* another frame */
    const struct compile *second = model->compiles.items[1];
    assert_slice(second->id, "0/1");
    assert_slice(dynamic_symbol(second, SLICE("x"), SLICE("0"))->symbol, "s0");
    assert_null(dynamic_symbol(second, SLICE("x"), SLICE("7")));
}

static void a_size_that_failed_before_is_automatic(void **state) {
    (void)state;
    struct buf log = {0};
    log_symbol(&log, "s0", "L['x'].size()[0]", AT("0"));
    log_artifact_of(&log, 0, 1, "recompile_reasons", "json",
                    "[\"0/0: tensor 'x' size mismatch at index 0. expected 2, actual 3\"]");
    log_symbol(&log, "s0", "L['x'].size()[0]", AT("1"));
    log_symbol(&log, "s1", "L['x'].size()[1]", AT("1"));
    log_symbol(&log, "s0", "L['x'].size()[0]", AT("2"));
    log_symbol(&log, "s0", "L['x'].size()[0]", "\"frame_id\": 1, \"frame_compile_id\": 1, \"attempt\": 0");
    look_at(&log, failures);
}

static void asked(const struct model *model) {
    assert_by(model, "0/0", "s0", "compile");
    assert_by(model, "0/0", "s1", ""); /* not a size of the user's tensors */
    assert_by(model, "0/0", "s2", "mark_dynamic");
    assert_by(model, "0/1", "s0", "");
}

static void dynamic_true_is_in_the_configuration(void **state) {
    (void)state;
    struct buf log = {0};
    log_symbol(&log, "s0", "L['x'].size()[0]", AT("0"));
    log_symbol(&log, "s1", "__meta_utils_unknown_tensor6.size()[2]", AT("0"));
    log_tensor(&log, "0", ", \"dynamo_dynamic_indices\": [0]", "L['z']", AT("0"));
    log_symbol(&log, "s2", "L['z'].size()[0]", AT("0"));
    log_metrics(&log, 0, 0, "\"dynamo_config\": \"{\\\"assume_static_by_default\\\": false}\"");
    log_symbol(&log, "s0", "L['x'].size()[0]", AT("1"));
    log_metrics(&log, 0, 1, "\"dynamo_config\": \"{\\\"assume_static_by_default\\\": true}\"");
    look_at(&log, asked);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mark_applies_to_a_dimension),
        cmocka_unit_test(a_size_that_failed_before_is_automatic),
        cmocka_unit_test(dynamic_true_is_in_the_configuration),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}

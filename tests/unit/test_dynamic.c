/* recompiles/dynamic: what made a size dynamic, if the log says so. */
#define _GNU_SOURCE
#include "whole.h"

#include "model/equal_sizes.h"
#include "recompiles/dynamic.h"

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

static void log_event(struct buf *log, const char *name, const char *changed, const char *values, const char *at) {
    char fields[300], payload[400];
    snprintf(fields, sizeof fields, "\"chromium_event\": {}, %s", at);
    snprintf(payload, sizeof payload,
             "{\"name\": \"automatic_dynamic\", \"ts\": 5, \"ph\": \"i\", \"args\": {\"name\": \"%s\", "
             "\"dim_changed\": %s, %s}}",
             name, changed, values);
    log_payload(log, fields, payload);
}

static void assert_why(const struct model *model, const char *id, const char *symbol, const char *why) {
    for (size_t i = 0; i < model->compiles.count; i++)
        for (const struct shape_record *fact = model->compiles.items[i]->shapes[SHAPE_SYMBOL].first; fact;
             fact = fact->next)
            if (slice_is(model->compiles.items[i]->id, id) && slice_is(fact->symbol, symbol)) {
                assert_slice(fact->dynamic_why, why);
                return;
            }
    fail_msg("no symbol %s in %s", symbol, id);
}

static void events(const struct model *model) {
    assert_by(model, "0/1", "s0", "automatic");
    assert_why(model, "0/1", "s0", "128 → 256");
    assert_why(model, "0/1", "s1", ""); /* the other dimension */
    assert_by(model, "0/1", "s1", "");
    assert_why(model, "0/1", "s2", "the number of dimensions changed, (2,) → (3, 3)");
    assert_why(model, "0/1", "s3", "it was a tensor of size (4,) before");
    assert_why(model, "0/2", "s0", "128 → 256"); /* remains dynamic, and says why it became so */
    assert_by(model, "1/1", "s0", "");           /* another frame */
}

static void events_say_why_a_size_is_dynamic(void **state) {
    (void)state;
    struct buf log = {0};
    log_event(&log, "L['x']", "0", "\"reason\": \"size change\", \"cached\": \"128\", \"new\": \"256\"", AT("1"));
    log_event(&log, "L['x']", "1", "\"reason\": \"stride change\", \"cached\": \"InferStride(dim=2)\", \"new\": \"3\"",
              AT("1"));
    log_event(&log, "L['y']", "\"all\"",
              "\"reason\": \"dimensionality change\", \"cached\": \"(2,)\", \"new\": \"(3, 3)\"", AT("1"));
    log_event(&log, "L['t']", "\"all\"", "\"reason\": \"other\", \"cached\": \"(4,)\", \"new\": \"AutoDynamic.token\"",
              AT("1"));
    log_symbol(&log, "s0", "L['x'].size()[0]", AT("1"));
    log_symbol(&log, "s1", "L['x'].size()[1]", AT("1"));
    log_symbol(&log, "s2", "L['y'].size()[1]", AT("1"));
    log_symbol(&log, "s3", "L['t']", AT("1"));
    log_event(&log, "L['x']", "0", "\"reason\": \"size change\", \"cached\": \"AutoDynamic.token\", \"new\": \"9\"",
              AT("2"));
    log_symbol(&log, "s0", "L['x'].size()[0]", AT("2"));
    log_symbol(&log, "s0", "L['x'].size()[0]", "\"frame_id\": 1, \"frame_compile_id\": 1, \"attempt\": 0");
    look_at(&log, events);
}

static void asked(const struct model *model) {
    assert_by(model, "0/0", "s0", "compile");
    assert_by(model, "0/0", "s1", ""); /* not a size of the user's tensors */
    assert_by(model, "0/0", "s2", "mark_dynamic");
    assert_by(model, "0/1", "s0", "");
    assert_by(model, "0/2", "s0", "compile"); /* also if a guard on it failed before */
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
    log_artifact_of(&log, 0, 2, "recompile_reasons", "json",
                    "[\"0/1: tensor 'x' size mismatch at index 0. expected 2, actual 3\"]");
    log_symbol(&log, "s0", "L['x'].size()[0]", AT("2"));
    log_metrics(&log, 0, 2, "\"dynamo_config\": \"{\\\"assume_static_by_default\\\": false}\"");
    look_at(&log, asked);
}

#define FIXED(symbol, reason)                                                                                          \
    "\"symbolic_shape_specialization\": {\"symbol\": \"" symbol                                                        \
    "\", \"value\": \"5\", \"sources\": [\"L['x'].size()[0]\"], \"reason\": \"" reason "\"}, "
#define GUARD(expr, place)                                                                                             \
    "\"guard_added_fast\": {\"expr\": \"" expr                                                                         \
    "\", \"stack\": [{\"line\": 1, \"name\": \"infer_size\", \"filename\": 0}]" place "}, "
#define PLACE(line)                                                                                                    \
    ", \"user_stack\": [{\"line\": " line ", \"name\": \"f\", \"filename\": 1, \"loc\": \"return x + y\"}]"

static void equal_sizes(const struct model *model) {
    static const struct {
        const char *guard; /* "" none */
        uint64_t line;     /* 0: none */
    } expected[] = {{"Eq(s77, 5)", 7}, {"Eq(5, s1)", 0}, {"", 0}, {"", 9}, {"", 0}};
    const struct compile *compile = model->compiles.items[0];
    const struct shape_record *fixed = compile->shapes[SHAPE_SPECIALIZATION].first;
    struct arena arena = {0};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++, fixed = fixed->next) {
        assert_non_null(fixed);
        struct equal_size found = equal_size_of(compile, fixed, &arena);
        const struct stack_node *stack = specialization_stack(compile, fixed);
        assert_slice(found.guard ? found.guard->text : SLICE(""), expected[i].guard);
        assert_int_equal(stack ? stack->frame->line : 0, expected[i].line);
        assert_null(found.partner.ptr); /* no graph, no sizes */
    }
    arena_free(&arena);
}

static void a_size_takes_the_guard_that_fixes_it(void **state) {
    (void)state;
    struct buf log = {0};
    log_record(&log, "\"str\": [\"torch/_subclasses/fake_impls.py\", 0]");
    log_record(&log, "\"str\": [\"m.py\", 1]");
    log_record(&log, "\"dynamo_start\": {\"stack\": []}, " AT("0"));
    log_record(&log, GUARD("Eq(s77, 5)", PLACE("7")) AT("0"));
    log_record(&log, GUARD("Eq(s77, 6)", PLACE("8")) AT("0")); /* another value */
    log_record(&log, FIXED("s77", "range") AT("0"));
    log_record(&log, GUARD("Eq(5, s1)", "") AT("0"));
    log_record(&log, FIXED("s1", "range") AT("0"));
    log_record(&log, FIXED("s7", "range") AT("0")); /* not s77 */
    log_record(&log, GUARD("Eq(s2, s77)", PLACE("9")) AT("0"));
    log_record(&log, FIXED("s2", "find") AT("0"));
    log_record(&log, GUARD("s3 >= 5", PLACE("10")) AT("0")); /* no equality */
    log_record(&log, FIXED("s3", "range") AT("0"));
    look_at(&log, equal_sizes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mark_applies_to_a_dimension),
        cmocka_unit_test(a_size_that_failed_before_is_automatic),
        cmocka_unit_test(events_say_why_a_size_is_dynamic),
        cmocka_unit_test(dynamic_true_is_in_the_configuration),
        cmocka_unit_test(a_size_takes_the_guard_that_fixes_it),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}

/* export: torch.export in the model and in files; trees are limited. */
#define _GNU_SOURCE
#include "analysis/export_words.h"
#include "whole.h"

#include "model/export.h"

#define LOCALS                                                                                                         \
    "\"frame_locals\": {\"loc\": \"if n > 1:\", \"locals\": {\"n\": [\"u0\"], \"t\": [\"a\", \"b\"]}, \"symbols\": "   \
    "{\"s0\": \"L['x']\"}}"

static void log_expression(struct buf *log, int id, const char *result, const char *arguments, const char *ids) {
    char fields[1024];
    snprintf(fields, sizeof fields,
             "\"expression_created\": {\"method\": \"m\", \"result\": \"%s\", \"result_id\": %d, \"arguments\": [%s], "
             "\"argument_ids\": [%s]}, " ID0,
             result, id, arguments, ids);
    log_record(log, fields);
}

static void log_guard(struct buf *log, const char *prefix, const char *expr, int id, const char *more) {
    char fields[1024];
    snprintf(fields, sizeof fields,
             "\"guard_added\": {\"prefix\": \"%s\", \"expr\": \"%s\", \"expr_node_id\": %d%s%s}, " ID0, prefix, expr,
             id, *more ? ", " : "", more);
    log_record(log, fields);
}

static struct run run_export(struct buf *log) {
    struct run run = run_with("out", buf_slice(log), &(struct reading_options){.export = true}, NULL);
    assert_true(run.good);
    buf_free(log);
    return run;
}

static struct export_failure *failure_at(const struct model *model, size_t i) {
    assert_non_null(model->exports);
    assert_true(i < model->exports->failures.count);
    return model->exports->failures.items[i];
}

static void assert_words(void add(struct buf *, const struct export_failure *), const struct export_failure *failure,
                         const char *part) {
    struct buf words = {0};
    add(&words, failure);
    assert_has(buf_slice(&words), part);
    buf_free(&words);
}

/* "a(b c)": a node and its children. */
static void assert_tree(const struct export_failure *failure, const char *expected) {
    struct buf text = {0};
    for (uint32_t i = 0; i < failure->tree_count; i++) {
        const struct tree_node *node = &failure->tree[i];
        struct slice name = node->expression ? node->expression->result : node->text;
        buf_addf(&text, "%s%u %.*s%s%s", i ? ", " : "", node->depth, SLICE_ARG(name), node->again ? " again" : "",
                 node->cut ? " cut" : "");
    }
    assert_buf(&text, expected);
    buf_free(&text);
}

static void look_found(const struct model *model) {
    assert_true(exports_shown(model));
}

static void look_not_found(const struct model *model) {
    assert_false(exports_shown(model));
}

static void detects_an_export(void **state) {
    (void)state;
    static const char *const signs[] = {"\"exported_program\": {}, " ID0, "\"export\": {}, " ID0,
                                        "\"missing_fake_kernel\": {\"op\": \"a.b.c\"}, " ID0,
                                        "\"mismatched_fake_kernel\": {}, " ID0,
                                        "\"str\": [\"/x/torch/export/_trace.py\", 3]"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        struct buf log = {0};
        log_record(&log, signs[i]);
        look_at(&log, look_found);
    }
    struct buf log = {0};
    log_guard(&log, "eval", "s0 > 1", 1, "");
    log_record(&log, "\"propagate_real_tensors_provenance\": {\"expr\": \"u0 > 1\"}, " ID0);
    look_at(&log, look_not_found);
}

static void look_kernels(const struct model *model) {
    assert_int_equal(model->exports->failures.count, 2);
    assert_int_equal(failure_at(model, 0)->kind, EXPORT_MISSING_KERNEL);
    assert_words(export_add_title, failure_at(model, 0), "Missing fake kernel: `a.b.default`");
    assert_words(export_add_advice, failure_at(model, 0), "register_fake(\"a::b\")");
    assert_int_equal(failure_at(model, 1)->kind, EXPORT_MISMATCHED_KERNEL);
    assert_words(export_add_reason, failure_at(model, 1), "fake value 4 and real value 2.");
}

static void takes_kernels(void **state) {
    (void)state;
    struct buf log = {0};
    log_record(&log, "\"missing_fake_kernel\": {\"op\": \"a.b.default\"}, " ID0);
    log_record(
        &log,
        "\"mismatched_fake_kernel\": {\"op\": \"a.b.default\", \"reason\": \"fake value 4 and real value 2 \"}, " ID0);
    look_at(&log, look_kernels);
}

static void look_decision(const struct model *model) {
    const struct export_failure *failure = failure_at(model, 0);
    assert_int_equal(model->exports->failures.count, 1);
    assert_int_equal(failure->kind, EXPORT_DATA_DEPENDENT);
    assert_slice(failure->expr, "Eq(u0, 3)");
    assert_slice(failure->result, "True");
    assert_int_equal(failure->local_count, 2);
    assert_slice(failure->locals[0].value, "u0");
    assert_slice(failure->locals[1].value, "a, b");
    assert_slice(failure->symbols[0].value, "L['x']");
    assert_slice(failure->code, "if n > 1:");
    assert_words(export_add_advice, failure, "torch._check(n == 3)");
    assert_tree(failure, "0 Eq(u0, 3), 1 u0");
    assert_null(failure->tree[1].expression->method.ptr);
    assert_slice(failure->tree[1].expression->range, "[0, 9]");
}

/* The short form of the record has the same content. */
static void takes_decisions(void **state) {
    (void)state;
    struct buf log = {0};
    log_record(&log, "\"create_unbacked_symbol\": {\"symbol\": \"u0\", \"node_id\": 7, \"vr\": \"[0, 9]\"}, " ID0);
    log_expression(&log, 8, "Eq(u0, 3)", "\"u0\", \"3\"", "7");
    log_record(&log, "\"propagate_real_tensors\": {\"expr\": \"Eq(u0, 3)\", \"result\": \"True\"}, " ID0);
    log_record(&log, "\"propagate_real_tensors_provenance\": {\"expr\": \"Eq(u0, 3)\", \"result\": \"True\", "
                     "\"expr_node_id\": 8, " LOCALS "}, " ID0);
    look_at(&log, look_decision);
}

static void look_unnamed(const struct model *model) {
    assert_int_equal(model->exports->failures.count, 3);
    assert_words(
        export_add_advice, failure_at(model, 0),
        "If `u0 > 3` always holds, state it before this line with `torch._check(…)`, in the names of your code.");
    assert_words(export_add_advice, failure_at(model, 1),
                 "If `Eq(u1, 3)` never holds, state it before this line with `torch._check(torch.sym_not(…))`");
    assert_words(export_add_advice, failure_at(model, 2), "If `Eq(Mod(u0, 2), 0)` always holds");
}

/* A symbol that no local variable holds, and a function of sympy, cannot be written in the program. */
static void advises_in_terms_of_the_program(void **state) {
    (void)state;
    struct buf log = {0};
    log_record(&log, "\"propagate_real_tensors_provenance\": {\"expr\": \"u0 > 3\", \"result\": \"True\"}, " ID0);
    log_record(&log, "\"propagate_real_tensors_provenance\": {\"expr\": \"Eq(u1, 3)\", \"result\": \"False\", "
                     "\"expr_node_id\": 8, " LOCALS "}, " ID0);
    log_record(&log, "\"propagate_real_tensors_provenance\": {\"expr\": \"Eq(Mod(u0, 2), 0)\", \"result\": \"True\", "
                     "\"expr_node_id\": 9, " LOCALS "}, " ID0);
    look_at(&log, look_unnamed);
}

/* The example inputs contradict dynamic_shapes: no line of the program fixes a size. */
static void describes_examples_that_do_not_fit(void **state) {
    static const char *const details[] =
        {"Expected input L['y'].size()[0] to be equal to 2*n - 1, where n = 5, but got 11",
         "L['y'].size()[2] = 4 is not equal to L['x'].size()[1] = 3",
         "Static shape constraint of 5 does not match input size of 4, for L['x'].size()[0]"};
    (void)state;
    for (size_t i = 0; i < sizeof details / sizeof *details; i++) {
        struct export_failure failure = {.kind = EXPORT_CONSTRAINT, .detail = slice_str(details[i])};
        struct buf text = {0};
        export_add_reason(&text, &failure);
        assert_buf(&text, "The example inputs do not have the sizes that `dynamic_shapes` declares.");
        text.len = 0;
        export_add_advice(&text, &failure);
        assert_true(slice_starts(buf_slice(&text), SLICE("Export with examples whose sizes fit `dynamic_shapes`")));
        buf_free(&text);
    }
    struct export_failure failure = {.kind = EXPORT_ERROR,
                                     .type = SLICE("TorchRuntimeError"),
                                     .detail = SLICE("Failed running call_function lib.f(*(1,), **{}):\nno size")};
    struct buf text = {0};
    export_add_title(&text, &failure);
    assert_buf(&text, "TorchRuntimeError: no size");
    buf_free(&text);
}

static void describes_errors(void **state) {
    (void)state;
    struct export_failure failure = {.kind = EXPORT_CONSTRAINT,
                                     .detail =
                                         SLICE("Constraints violated (n)! For more information, run with TORCH_LOGS")};
    struct buf text = {0};
    export_add_title(&text, &failure);
    assert_buf(&text, "Constraint violation: Constraints violated (n)");
    text.len = 0;
    failure =
        (struct export_failure){.kind = EXPORT_ERROR, .type = SLICE("TypeError"), .detail = SLICE("no such name")};
    export_add_advice(&text, &failure); /* nothing says that draft_export continues after it */
    assert_int_equal(text.len, 0);
    failure = (struct export_failure){.kind = EXPORT_GUARD, .expr = SLICE("s0 < 8"), .line = 1};
    export_add_advice(&text, &failure);
    assert_true(slice_starts(buf_slice(&text),
                             SLICE("If the model is only used where this holds, say so: in `dynamic_shapes` give "
                                   "`Dim(\"name\", min=…, max=…)`, or `Dim.AUTO` to let export find the range.\n")));
    text.len = 0;
    failure = (struct export_failure){.kind = EXPORT_DATA_DEPENDENT, .line = 1};
    export_add_advice(&text, &failure);
    assert_true(slice_starts(buf_slice(&text), SLICE("If the condition always holds, state it before this line with "
                                                     "`torch._check(…)`.\n")));
    assert_true(slice_find(buf_slice(&text), SLICE("draft_export")) == SIZE_MAX); /* it is the record of draft_export */
    text.len = 0;
    failure = (struct export_failure){.kind = EXPORT_ERROR, .detail = SLICE("Data-dependent branching")};
    export_add_advice(&text, &failure);
    assert_true(slice_find(buf_slice(&text), SLICE("torch.cond")) != SIZE_MAX);
    assert_true(slice_find(buf_slice(&text), SLICE("draft_export")) != SIZE_MAX);
    buf_free(&text);
}

static void look_call(const struct model *model) {
    exports_take_errors((struct model *)model);
    assert_int_equal(model->exports->failures.count, 1);
    assert_slice(failure_at(model, 0)->place.file, "/home/u/train.py");
    assert_int_equal(failure_at(model, 0)->place.line, 56);
}

/* Wherever PyTorch is installed, its own line is not that of the user. */
static void names_the_call_of_an_export(void **state) {
    (void)state;
    struct buf log = {0};
    log_record(&log, "\"str\": [\"/home/u/train.py\", 1]");
    log_record(&log, "\"str\": [\"/srv/x/torch/export/__init__.py\", 2]");
    log_record(&log, "\"str\": [\"/srv/x/torch/export/_trace.py\", 3]");
    log_record(&log,
               "\"compilation_metrics\": {\"fail_type\": \"ConstraintViolationError\", \"fail_reason\": \"16 not in "
               "range [2, 10]\", \"fail_user_frame_filename\": \"/srv/x/torch/export/_trace.py\", "
               "\"fail_user_frame_lineno\": 1079}, \"stack\": [{\"line\": 56, \"name\": \"<module>\", \"filename\": "
               "1}, {\"line\": 9, \"name\": \"export\", \"filename\": 2}, {\"line\": 1079, \"name\": \"trace\", "
               "\"filename\": 3}]");
    look_at(&log, look_call);
}

static void look_range(const struct model *model) {
    exports_take_errors((struct model *)model);
    assert_int_equal(model->exports->failures.count, 1);
    assert_words(export_add_reason, failure_at(model, 0), "It is dimension 2 of example input 1, counted from 0");
}

static void look_no_range(const struct model *model) {
    exports_take_errors((struct model *)model);
    assert_int_equal(model->exports->failures.count, 1);
    assert_null(failure_at(model, 0)->input.ptr);
}

/* The size out of range is that of the latest input, unless two of its sizes have the value. */
static void names_the_size_out_of_range(void **state) {
    static const struct {
        const char *sizes, *source, *reason;
        void (*look)(const struct model *);
    } cases[] = {
        {"[2, 1, 16]", "L['flat_args'][1]", "16 not in range [2, 10]", look_range},
        {"[16, 1, 16]", "L['flat_args'][1]", "16 not in range [2, 10]", look_no_range},
        {"[2, 1, 8]", "L['flat_args'][1]", "16 not in range [2, 10]", look_no_range},
        {"[2, 1, \"s0\"]", "L['flat_args'][1]", "2 not in range [3, 10]", look_no_range},
        {"[2, 1, 16]", "L['x']", "16 not in range [2, 10]", look_no_range},
        {"[2, 1, 16]", "L['flat_args'][1]", "Constraints violated (n)", look_no_range},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf log = {0}, fields = {0};
        log_record(&log, "\"str\": [\"/x/torch/export/_trace.py\", 3]");
        log_record(&log, "\"describe_tensor\": {\"id\": 0, \"describer_id\": 1, \"size\": [16]}, " ID0);
        log_record(&log,
                   "\"describe_source\": {\"id\": 0, \"describer_id\": 1, \"source\": \"L['flat_args'][0]\"}, " ID0);
        buf_addf(&fields, "\"describe_tensor\": {\"id\": 1, \"describer_id\": 1, \"size\": %s}, " ID0 "%c",
                 cases[i].sizes, 0);
        log_record(&log, fields.ptr);
        fields.len = 0;
        buf_addf(&fields, "\"describe_source\": {\"id\": 1, \"describer_id\": 1, \"source\": \"%s\"}, " ID0 "%c",
                 cases[i].source, 0);
        log_record(&log, fields.ptr);
        fields.len = 0;
        buf_addf(&fields,
                 "\"compilation_metrics\": {\"fail_type\": \"ConstraintViolationError\", \"fail_reason\": \"%s\"}%c",
                 cases[i].reason, 0);
        log_record(&log, fields.ptr);
        buf_free(&fields);
        look_at(&log, cases[i].look);
    }
}

static void look_guards(const struct model *model) {
    assert_int_equal(model->exports->failures.count, 2);
    assert_tree(failure_at(model, 0), "0 b, 1 a, 2 s0, 1 a again");
    assert_tree(failure_at(model, 1), "0 new, 1 s1");
    assert_tree(failure_at(model, 0), "0 b, 1 a, 2 s0, 1 a again");
}

/* Ids are reused: a copied tree keeps its content. */
static void takes_trees(void **state) {
    (void)state;
    struct buf log = {0};
    log_expression(&log, 1, "old", "\"s9\"", "0");
    log_expression(&log, 1, "a", "\"s0\", \"4\"", "0");
    log_expression(&log, 2, "b", "\"a\", \"a\"", "1, 1");
    log_guard(&log, "runtime_assert", "b", 2, "");
    log_guard(&log, "eval", "b", 2, "");
    log_expression(&log, 1, "new", "\"s1\"", "5");
    log_guard(&log, "eval", "new", 1, "");
    look_at(&log, look_guards);
}

static void look_cycle(const struct model *model) {
    assert_tree(failure_at(model, 0), "0 a, 1 b, 2 a again");
}

static void ends_cycles(void **state) {
    (void)state;
    struct buf log = {0};
    log_expression(&log, 1, "a", "\"b\"", "2");
    log_expression(&log, 2, "b", "\"a\"", "1");
    log_guard(&log, "eval", "a", 1, "");
    look_at(&log, look_cycle);
}

static void look_deep(const struct model *model) {
    const struct export_failure *failure = failure_at(model, 0);
    assert_in_range(failure->tree_count, 10, 1000);
    assert_true(failure->tree[failure->tree_count - 1].cut);
    const struct export_failure *wide = failure_at(model, 1);
    assert_in_range(wide->tree_count, 10, 1000);
    assert_true(wide->tree[0].cut);
    const struct export_failure *bushy = failure_at(model, 2);
    assert_in_range(bushy->tree_count, 100, 1000);
    assert_true(bushy->tree_cut);
}

static void cuts_large_trees(void **state) {
    (void)state;
    struct buf log = {0};
    char ids[800] = "0";
    for (int i = 0; i < 2000; i++) {
        char next[20];
        snprintf(next, sizeof next, "%d", i + 1);
        log_expression(&log, i, "e", "", next);
    }
    for (int i = 1; i < 200; i++)
        snprintf(ids + strlen(ids), sizeof ids - strlen(ids), ",%d", 90000 + i);
    log_expression(&log, 5000, "wide", "", ids);
    for (int i = 1; i < 60; i++)
        log_expression(&log, 90000 + i, "bush", "",
                       "90101,90102,90103,90104,90105,90106,90107,90108,90109,90110,90111,90112");
    log_guard(&log, "eval", "e", 0, "");
    log_guard(&log, "eval", "wide", 5000, "");
    log_guard(&log, "eval", "wide", 5000, "");
    look_at(&log, look_deep);
}

static void look_errors(const struct model *model) {
    assert_int_equal(model->exports->failures.count, 4);
    assert_int_equal(failure_at(model, 0)->kind, EXPORT_DATA_DEPENDENT);
    assert_has(failure_at(model, 0)->detail, "Could not guard");
    assert_int_equal(failure_at(model, 1)->kind, EXPORT_MISSING_KERNEL);
    assert_slice(failure_at(model, 1)->op, "x.y.default");
    assert_int_equal(failure_at(model, 2)->kind, EXPORT_CONSTRAINT);
    assert_slice(failure_at(model, 2)->place.file, "/a/m.py");
    assert_int_equal(failure_at(model, 2)->place.line, 12);
    assert_slice(failure_at(model, 2)->place.function, "forward");
    assert_int_equal(failure_at(model, 3)->kind, EXPORT_ERROR);
}

/* From metrics without a frame; an error that a record already has is not listed twice. */
static void takes_errors(void **state) {
    (void)state;
    struct buf log = {0};
    log_record(&log, "\"export\": {}, " ID0);
    log_record(&log, "\"guard_on_data_dependent_error\": {\"expr\": \"u0 > 4\"}, " ID0);
    log_metrics(
        &log, 0, 0,
        "\"fail_type\": \"UserError\", \"fail_reason\": \"Could not guard on data-dependent expression u0 > 4 (x)\"");
    log_metrics(&log, 1, 0, "\"fail_type\": \"UserError\", \"fail_reason\": \"of a frame of torch.compile\"");
    log_record(&log, "\"compilation_metrics\": {\"fail_type\": \"Unsupported\", \"fail_reason\": \"no\\nunsupported "
                     "operator: x.y.default\\n\"}");
    log_record(&log, "\"compilation_metrics\": {\"fail_type\": \"ConstraintViolationError\", \"fail_reason\": \"a\\n  "
                     "File \\\"/t/b.py\\\", line 1, in x\\n"
                     "  File \\\"/a/m.py\\\", line 12, in forward\\n    code\\n\"}");
    log_record(&log, "\"compilation_metrics\": {\"fail_type\": \"Other\"}");
    struct run run = run_with("out", buf_slice(&log), &(struct reading_options){0}, NULL);
    assert_true(run.good);
    assert_file_has(run.dirfd, "report.json", "\"failure_count\":4");
    end_run(&run);
    buf_free(&log);
}

/* Errors are added when the model is complete, so add them here. */
static void look_and_take(const struct model *model) {
    exports_take_errors((struct model *)(uintptr_t)model);
    look_errors(model);
    model->exports->found = false; /* not repeated */
}

static void sorts_errors(void **state) {
    (void)state;
    struct buf log = {0};
    log_record(&log, "\"export\": {}, " ID0);
    log_record(&log, "\"guard_on_data_dependent_error\": {\"expr\": \"u0 > 4\"}, " ID0);
    log_metrics(
        &log, 0, 0,
        "\"fail_type\": \"UserError\", \"fail_reason\": \"Could not guard on data-dependent expression u0 > 4 (x)\"");
    log_record(&log, "\"compilation_metrics\": {\"fail_type\": \"Unsupported\", \"fail_reason\": \"no\\nunsupported "
                     "operator: x.y.default\\n\"}");
    log_record(&log, "\"compilation_metrics\": {\"fail_type\": \"ConstraintViolationError\", \"fail_reason\": \"a\\n  "
                     "File \\\"/t/b.py\\\", line 1, in x\\n"
                     "  File \\\"/a/m.py\\\", line 12, in forward\\n    code\\n\"}");
    log_record(&log, "\"compilation_metrics\": {\"fail_type\": \"Other\"}");
    look_at(&log, look_and_take);
}

/* With the option, only the files of the reference have numbers. A record that the reference drops gets the last
 * number. */
static void numbers_files(void **state) {
    (void)state;
    struct buf log = {0};
    log_artifact(&log, "first", "string", "of the artifact");
    log_guard(&log, "eval", "s0 > <1>", 1, "\"frame_locals\": {\"locals\": {\"x\": \"text\"}}");
    log_guard(&log, "eval", "lost", 1, LOCALS);
    log_payload(&log, "\"exported_program\": {}, " ID0, "the program");
    struct run run = run_export(&log);
    assert_file(run.dirfd, "-_0_0_0/exported_program_1.txt", "the program");
    assert_file_has(run.dirfd, "-_0_0_0/symbolic_guard_information_0.html", "s0 &gt; &lt;1&gt;");
    assert_file_has(run.dirfd, "-_0_0_0/symbolic_guard_information_2.html", "lost");
    assert_false(file_exists(run.dirfd, "-_0_0_0/first_0.txt"));
    assert_file_has(run.dirfd, "raw.jsonl", "\"payload_filename\": \"payloads/");
    assert_file_has(run.dirfd, "index.html", "-_0_0_0/exported_program_1.txt");
    assert_file_has(run.dirfd, "index.html", "-_0_0_0/symbolic_guard_information_2.html");
    end_run(&run);
}

static void numbers_all_files_without_the_option(void **state) {
    (void)state;
    struct buf log = {0};
    log_guard(&log, "eval", "s0 > 1", 1, "");
    log_payload(&log, "\"exported_program\": {}, " ID0, "the program");
    log_artifact(&log, "first", "string", "x");
    struct run run = run_log(&log);
    assert_true(file_exists(run.dirfd, "-_0_0_0/first_0.txt"));
    assert_false(file_exists(run.dirfd, "-_0_0_0/symbolic_guard_information_0.html"));
    assert_true(file_exists(run.dirfd, "data/export.js"));
    end_run(&run);
}

/* Without a program, it is unknown whether an export succeeded. */
static void reports_success(void **state) {
    static const struct {
        int starts, programs;
        const char *says;
    } cases[] = {
        {0, 0, "<p>No failures in the log. The log has neither an error of the export nor an exported"},
        {0, 1, "<p>No failures. The log has the exported program, and names nothing that stood in the way.</p>"},
        {2, 2, "<p>No failures. The log has the exported programs, and names nothing that stood in the way.</p>"},
        {2, 1, "<p>Some exports have no program. 2 exports began, and the log has 1 program."},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf log = {0};
        log_artifact(&log, "first", "string", "x");
        for (int n = 0; n < cases[i].starts; n++)
            log_payload(&log, "\"export\": {}, " ID0, "start!");
        for (int n = 0; n < cases[i].programs; n++)
            log_payload(&log, "\"exported_program\": {}, " ID0, "the program");
        struct run run = run_export(&log);
        assert_file_has(run.dirfd, "index.html", cases[i].says);
        end_run(&run);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(detects_an_export),
        cmocka_unit_test(takes_kernels),
        cmocka_unit_test(takes_decisions),
        cmocka_unit_test(advises_in_terms_of_the_program),
        cmocka_unit_test(describes_errors),
        cmocka_unit_test(names_the_call_of_an_export),
        cmocka_unit_test(names_the_size_out_of_range),
        cmocka_unit_test(describes_examples_that_do_not_fit),
        cmocka_unit_test(takes_trees),
        cmocka_unit_test(ends_cycles),
        cmocka_unit_test(cuts_large_trees),
        cmocka_unit_test(takes_errors),
        cmocka_unit_test(sorts_errors),
        cmocka_unit_test(numbers_files),
        cmocka_unit_test(numbers_all_files_without_the_option),
        cmocka_unit_test(reports_success),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}

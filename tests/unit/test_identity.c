/* model: which compile a record belongs to, by process, id and generation. */
#define _GNU_SOURCE
#include "whole.h"

/* Records of another process. */
static void log_of(struct buf *log, int process, const char *fields) {
    buf_addf(log, "V1206 15:18:15.925000 %d torch/_dynamo/utils.py:10] {%s}\n", process, fields);
}

static void metrics_of(struct buf *log, int process, const char *id, const char *more) {
    char fields[600];
    snprintf(fields, sizeof fields, "\"compilation_metrics\": {\"graph_op_count\": 1%s}, %s", more, id);
    log_of(log, process, fields);
}

static void event_of(struct buf *log, const char *ph, const char *name, const char *id, const char *args) {
    char payload[300], fields[200];
    snprintf(payload, sizeof payload,
             "{\"name\": \"%s\", \"ph\": \"%s\", \"ts\": 1733498295000000, \"pid\": 1, \"tid\": 0, \"args\": {%s}}",
             name, ph, args);
    snprintf(fields, sizeof fields, "\"chromium_event\": {}%s%s", *id ? ", " : "", id);
    log_payload(log, fields, payload);
}

#define START "\"dynamo_start\": {\"stack\": []}, "

static void assert_keys(const struct model *model, const char *expected) {
    struct buf keys = {0};
    for (size_t i = 0; i < model->compiles.count; i++)
        if (model->compiles.items[i]->framed)
            buf_addf(&keys, "%s%.*s", keys.len ? " " : "", SLICE_ARG(model->compiles.items[i]->key));
    assert_buf(&keys, expected);
    buf_free(&keys);
}

static const struct compile *by_key(const struct model *model, const char *key) {
    for (size_t i = 0; i < model->compiles.count; i++)
        if (slice_is(model->compiles.items[i]->key, key))
            return model->compiles.items[i];
    fail_msg("there is no compile %s", key);
    return NULL;
}

static void three(const struct model *model) {
    assert_keys(model, "0/0 0/0#2 0/0#3");
    assert_int_equal(by_key(model, "0/0")->time_us, 10);
    assert_int_equal(by_key(model, "0/0#2")->time_us, 20);
    assert_int_equal(by_key(model, "0/0#3")->time_us, -1);
    assert_int_equal(compile_status(by_key(model, "0/0#3")), STATUS_MISSING);
    assert_int_equal(by_key(model, "0/0")->generation, 1);
    assert_int_equal(by_key(model, "0/0#3")->generation, 3);
    assert_int_equal(by_key(model, "0/0#2")->artifacts.count, 2); /* its text and its metrics */
    assert_int_equal(model->folders.count, 1);                    /* all of them share one folder */
}

/* An id that has metrics starts again with the next dynamo_start, and so does one that began but did not end. */
static void counts_generations(void **state) {
    struct buf log = {0};
    (void)state;
    log_record(&log, START ID0);
    log_metrics(&log, 0, 0, "\"duration_us\": 10");
    log_record(&log, START ID0);
    log_artifact(&log, "a", "string", "x");
    log_metrics(&log, 0, 0, "\"duration_us\": 20");
    log_record(&log, START ID0);
    look_at(&log, three);
}

static void twice_started(const struct model *model) {
    assert_keys(model, "0/0 0/0#2");
}

static void ends_an_abandoned_compile(void **state) {
    struct buf log = {0};
    (void)state;
    log_record(&log, START ID0);
    log_record(&log, START ID0);
    log_metrics(&log, 0, 0, "");
    look_at(&log, twice_started);
}

static void one_compile(const struct model *model) {
    assert_keys(model, "0/0");
}

/* Dynamo traces a frame again after a graph break: that is another attempt. */
static void keeps_attempts_together(void **state) {
    struct buf log = {0};
    (void)state;
    log_record(&log, START ID0);
    log_record(&log, START "\"frame_id\": 0, \"frame_compile_id\": 0, \"attempt\": 1");
    log_metrics(&log, 0, 0, "");
    look_at(&log, one_compile);
}

static void with_backward(const struct model *model) {
    assert_keys(model, "0/0 0/0#2");
    assert_int_equal(by_key(model, "0/0")->backward_us, 5);
    assert_int_equal(by_key(model, "0/0")->time_us, 15);
    assert_int_equal(by_key(model, "0/0#2")->backward_us, -1);
    assert_int_equal(by_key(model, "0/0#2")->runtime_us, 11);
    assert_int_equal(by_key(model, "0/0#2")->time_us, 20);
}

/* Records after a compile belong to its newest generation: the backward, and its run time. */
static void assigns_later_records_to_the_newest(void **state) {
    struct buf log = {0};
    (void)state;
    log_metrics(&log, 0, 0, "\"duration_us\": 10");
    log_record(&log, "\"bwd_compilation_metrics\": {\"duration_us\": 5}, " ID0);
    log_metrics(&log, 0, 0, "\"duration_us\": 20");
    log_record(&log, "\"compilation_metrics_runtime\": {\"duration_us\": 900, \"runtime_triton_autotune_time_us\": 4, "
                     "\"runtime_cudagraphify_time_us\": 7}, " ID0);
    look_at(&log, with_backward);
}

static void of_newer_pytorch(const struct model *model) {
    assert_keys(model, "0/0");
    assert_int_equal(by_key(model, "0/0")->backward_us, 5);
    assert_int_equal(by_key(model, "0/0")->forward_us, 10);
}

static void recognizes_metrics_of_a_backward(void **state) {
    struct buf log = {0};
    (void)state;
    log_metrics(&log, 0, 0, "\"duration_us\": 10, \"is_forward\": true");
    log_record(&log, "\"compilation_metrics\": {\"duration_us\": 5, \"is_forward\": false}, " ID0);
    look_at(&log, of_newer_pytorch);
}

static void refused_by_pytorch_26(const struct model *model) {
    const struct compile *compile = by_key(model, "0/1");
    assert_int_equal(compile->backward_us, -1);
    assert_int_equal(compile->forward_us, 7);
    assert_int_equal(compile->backward_failure, -1);
    assert_true(compile->failure >= 0);
    assert_false(model->failures.items[compile->failure].backward);
    assert_int_equal(by_key(model, "1/0")->backward_us, 5); /* before is_forward existed: a backward by its name */
    assert_int_equal(by_key(model, "2/0")->backward_us, 6);
}

/* PyTorch 2.6 uses the name of a backward's metrics for all metrics but those of a forward. */
static void recognizes_other_metrics(void **state) {
    struct buf log = {0};
    (void)state;
    log_metrics(&log, 0, 0, "\"is_forward\": true");
    log_record(&log, "\"bwd_compilation_metrics\": {\"duration_us\": 7, \"is_forward\": null, \"fail_type\": "
                     "\"RecompileLimitExceeded\", \"fail_reason\": \"cache_size_limit reached\"}, "
                     "\"frame_id\": 0, \"frame_compile_id\": 1, \"attempt\": 0");
    log_metrics(&log, 1, 0, "");
    log_record(&log, "\"bwd_compilation_metrics\": {\"duration_us\": 5}, "
                     "\"frame_id\": 1, \"frame_compile_id\": 0, \"attempt\": 0");
    log_metrics(&log, 2, 0, "\"is_forward\": true");
    log_record(&log, "\"bwd_compilation_metrics\": {\"duration_us\": 6, \"is_forward\": false}, "
                     "\"frame_id\": 2, \"frame_compile_id\": 0, \"attempt\": 0");
    look_at(&log, refused_by_pytorch_26);
}

static void events_before_the_start(const struct model *model) {
    assert_keys(model, "0/0 0/0#2");
    assert_int_equal(by_key(model, "0/0")->log_records, 2); /* one event, its metrics */
    assert_int_equal(by_key(model, "0/0")->reasons.count, 0);
    assert_int_equal(by_key(model, "0/0#2")->reasons.count, 1);
}

/* Events and reasons before a dynamo_start belong to the compile that starts. */
static void detects_the_start_of_a_compile(void **state) {
    struct buf log = {0};
    (void)state;
    event_of(&log, "B", "dynamo", ID0, "");
    log_metrics(&log, 0, 0, "");
    event_of(&log, "B", "dynamo", ID0, "");
    event_of(&log, "B", "entire_frame_compile", ID0, "");
    log_artifact(&log, "recompile_reasons", "json", "\"L['n'] == 1\"");
    log_record(&log, START ID0);
    log_metrics(&log, 0, 0, "");
    look_at(&log, events_before_the_start);
}

static void of_two_processes(const struct model *model) {
    assert_keys(model, "7:0/0 8:0/0 7:0/0#2");
    assert_int_equal(by_key(model, "7:0/0")->time_us, 1);
    assert_int_equal(by_key(model, "8:0/0")->time_us, 2);
    assert_int_equal(by_key(model, "7:0/0#2")->time_us, 3);
    assert_int_equal(model->process_count, 2);
}

static void distinguishes_processes(void **state) {
    struct buf log = {0};
    (void)state;
    metrics_of(&log, 7, ID0, ", \"duration_us\": 1");
    metrics_of(&log, 8, ID0, ", \"duration_us\": 2");
    metrics_of(&log, 7, ID0, ", \"duration_us\": 3");
    look_at(&log, of_two_processes);
}

static void helper_process(const struct model *model) {
    assert_keys(model, "0/0");
    assert_int_equal(model->process_count, 1);
}

/* A process that compiles nothing (a compile worker) is no reason to show process ids. */
static void names_processes_that_compile(void **state) {
    struct buf log = {0};
    (void)state;
    metrics_of(&log, 7, ID0, "");
    log_of(&log, 8, "\"artifact\": {\"name\": \"torch_version\", \"encoding\": \"json\"}");
    look_at(&log, helper_process);
}

#define STACK "\"stack\": [{\"line\": 3, \"name\": \"f\", \"filename\": 0, \"loc\": \"g()\"}]"

static void two_exports(const struct model *model) {
    assert_keys(model, "-/- -/-#2");
    assert_int_equal(by_key(model, "-/-")->time_us, 7);
    assert_int_equal(by_key(model, "-/-#2")->time_us, 9);
    assert_int_equal(by_key(model, "-/-#2")->artifacts.count, 2);
    assert_int_equal(model->framed_count, 2);
}

/* Exports and AOTInductor have no id: each metrics record is a compile, and the records before it belong to it. */
static void handles_compiles_without_an_id(void **state) {
    struct buf log = {0};
    (void)state;
    log_record(&log, "\"str\": [\"a.py\", 0]");
    log_payload(&log, "\"artifact\": {\"name\": \"torch_version\", \"encoding\": \"string\"}", "2.15");
    log_record(&log, "\"compilation_metrics\": {\"start_time_us\": 100, \"end_time_us\": 107}, " STACK);
    log_payload(&log, "\"aot_inference_graph\": {}, " STACK, "def forward(self): pass");
    log_record(&log, "\"compilation_metrics\": {\"start_time_us\": 200, \"end_time_us\": 209}, " STACK);
    look_at(&log, two_exports);
}

static void by_caller(const struct model *model) {
    assert_int_equal(model->unattributed.count, 2);
    assert_int_equal(model->unattributed.items[0].records, 2);
    assert_int_equal(model->unattributed.items[0].artifacts.count, 2);
    assert_int_equal(model->unattributed.items[0].stack->frame->line, 3);
    assert_int_equal(model->unattributed.items[1].records, 1);
    assert_keys(model, "");
}

static void groups_records_without_an_id_by_caller(void **state) {
    struct buf log = {0};
    (void)state;
    log_record(&log, "\"str\": [\"a.py\", 0]");
    log_payload(&log, "\"artifact\": {\"name\": \"a\", \"encoding\": \"string\"}, " STACK, "1");
    log_payload(&log, "\"artifact\": {\"name\": \"b\", \"encoding\": \"string\"}, " STACK, "2");
    log_payload(&log,
                "\"artifact\": {\"name\": \"c\", \"encoding\": \"string\"}, "
                "\"stack\": [{\"line\": 9, \"name\": \"f\", \"filename\": 0}]",
                "3");
    log_payload(&log, "\"artifact\": {\"name\": \"d\", \"encoding\": \"string\"}", "4");                  /* no stack */
    log_payload(&log, "\"artifact\": {\"name\": \"e\", \"encoding\": \"string\"}, " ID0 ", " STACK, "5"); /* an id */
    look_at(&log, by_caller);
}

#define CUT "\"dynamo_start\": {\"stack\": [{\"line\": 2, \"name\": \"f\", \"filename\": 0}]}, "
#define SYMBOL(line)                                                                                                   \
    "\"create_symbol\": {\"symbol\": \"s0\", \"val\": \"3\", \"stack\": ["                                             \
    "{\"line\": 1, \"name\": \"run\", \"filename\": 2}, {\"line\": " line ", \"name\": \"main\", \"filename\": 0}, "   \
    "{\"line\": 8, \"name\": \"wrapper\", \"filename\": 1}, {\"line\": 3, \"name\": \"g\", \"filename\": 0}, "         \
    "{\"line\": 9, \"name\": \"trace\", \"filename\": 1}]}, "

static void assert_stack(const struct compile *compile, const char *expected) {
    struct buf text = {0};
    for (const struct stack_node *node = compile->stack; node; node = node->parent)
        buf_addf(&text, "%s%.*s:%d", text.len ? " " : "", SLICE_ARG(node->frame->function), (int)node->frame->line);
    assert_buf(&text, expected);
    buf_free(&text);
}

static void called(const struct model *model) {
    assert_stack(by_key(model, "0/0"), "f:2");
    assert_null(by_key(model, "0/0")->caller_from);
    assert_stack(by_key(model, "0/1"), "f:2 main:20 run:1"); /* what is above PyTorch's outermost frame */
    assert_string_equal(by_key(model, "0/1")->caller_from, "create_symbol");
    assert_ptr_equal(by_key(model, "0/2")->stack, by_key(model, "0/1")->stack);
    assert_stack(by_key(model, "1/0"), "f:2 main:20");
    assert_null(by_key(model, "1/0")->caller_from);
    assert_int_equal(model->starts.nodes.count, 6);
}

static void moved(const struct model *model) {
    assert_stack(by_key(model, "0/0"), "f:2 main:20 run:1");
    assert_int_equal(model->starts.nodes.count, 3); /* no compile starts at the stack of f alone */
    for (size_t i = 0; i < model->starts.nodes.count; i++)
        assert_int_equal(model->starts.nodes.items[i]->index, i);
}

/* A stack of the compiled frame alone: another record of the compile has its callers. */
static void takes_callers_from_other_records(void **state) {
    struct buf log = {0}, one = {0};
    (void)state;
    log_record(&log, "\"str\": [\"a.py\", 0]");
    log_record(&log, "\"str\": [\"/x/torch/_dynamo/eval_frame.py\", 1]");
    log_record(&log, "\"str\": [\"/x/lib/python3.11/threading.py\", 2]");
    buf_add(&one, buf_slice(&log));
    log_record(&log, CUT ID0);
    for (int i = 1; i <= 2; i++) {
        char fields[800];
        snprintf(fields, sizeof fields, CUT "\"frame_id\": 0, \"frame_compile_id\": %d, \"attempt\": 0", i);
        log_record(&log, fields);
        snprintf(fields, sizeof fields, SYMBOL("20") "\"frame_id\": 0, \"frame_compile_id\": %d, \"attempt\": 0", i);
        log_record(&log, fields);
    }
    log_record(&log, "\"dynamo_start\": {\"stack\": [{\"line\": 20, \"name\": \"main\", \"filename\": 0}, "
                     "{\"line\": 2, \"name\": \"f\", \"filename\": 0}]}, "
                     "\"frame_id\": 1, \"frame_compile_id\": 0, \"attempt\": 0");
    log_record(&log, SYMBOL("30") "\"frame_id\": 1, \"frame_compile_id\": 0, \"attempt\": 0");
    look_at(&log, called);
    log_record(&one, CUT ID0);
    log_record(&one, SYMBOL("20") ID0);
    look_at(&one, moved);
}

static void epochs(const struct model *model) {
    assert_keys(model, "0/0 0/1 0/0#2 0/1#2 0/2");
    assert_int_equal(by_key(model, "0/0")->epoch, by_key(model, "0/1")->epoch);
    assert_int_equal(by_key(model, "0/0#2")->epoch, by_key(model, "0/1#2")->epoch);
    assert_int_equal(by_key(model, "0/0#2")->epoch, by_key(model, "0/2")->epoch);
    assert_int_not_equal(by_key(model, "0/0")->epoch, by_key(model, "0/0#2")->epoch);
}

/* Compiles of a frame between two resets belong together, also 0/2, which is new. */
static void separates_epochs(void **state) {
    struct buf log = {0};
    (void)state;
    log_metrics(&log, 0, 0, "");
    log_metrics(&log, 0, 1, "");
    log_metrics(&log, 0, 0, "");
    log_metrics(&log, 0, 1, "");
    log_metrics(&log, 0, 2, "");
    look_at(&log, epochs);
}

/* A compile of a function, with the class of a local of its frame by its guards (NULL: not known). */
static void labeled_compile(struct buf *log, int frame, int compile, const char *function, const char *file, int line,
                            const char *local, const char *class_name) {
    char fields[400], tree[400];
    snprintf(fields, sizeof fields,
             "\"compilation_metrics\": {\"co_name\": \"%s\", \"co_filename\": \"%s\", \"co_firstlineno\": %d, "
             "\"graph_op_count\": 1}, \"frame_id\": %d, \"frame_compile_id\": %d, \"attempt\": 0",
             function, file, line, frame, compile);
    log_record(log, fields);
    if (class_name) {
        snprintf(tree, sizeof tree,
                 "\nTREE_GUARD_MANAGER:\n+- RootGuardManager\n| +- GuardManager: source=L['%s'], accessed_by=A, "
                 "type=<class '%s'>, tag_safe=(False, False)\n| | +- EQUALS_MATCH: L['n'] == 1\n",
                 local, class_name);
        snprintf(fields, sizeof fields,
                 "\"dynamo_cpp_guards_str\": {}, \"frame_id\": %d, \"frame_compile_id\": %d, \"attempt\": 0", frame,
                 compile);
        log_payload(log, fields, tree);
    }
}

static void labels(const struct model *model) {
    static const char *const expected[] = {"Net.forward",
                                           "Net.forward",       /* by the guards of the other compile of that code */
                                           "forward (m.py:20)", /* there is another one at line 130 */
                                           "forward (m.py:20)",
                                           "forward (n.py:30)",
                                           "forward (n.py:40)",
                                           "Net.__call__",
                                           "wrapper (Net)",
                                           "wrapper (m.py)",
                                           "inner (Block)",
                                           "inner (m.py)",
                                           "step (Adam)",
                                           "",
                                           "<lambda> (m.py)",
                                           "torch_dynamo_resume_in_forward_at_9 (Net)",
                                           "",
                                           "",
                                           "forward (m.py:130)"};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_slice(model->compiles.items[i]->label, expected[i]);
    assert_int_equal(model->compiles.count, sizeof expected / sizeof *expected);
}

/* A name that many functions have gets the class for which all compiles of the code run, else the file, and
 * the line if the file has several. */
static void labels_general_names(void **state) {
    struct buf log = {0};
    (void)state;
    labeled_compile(&log, 0, 0, "forward", "/a/m.py", 3, "self", "__main__.Net");
    labeled_compile(&log, 0, 1, "forward", "/a/m.py", 3, "self", NULL);
    /* one code for two classes */
    labeled_compile(&log, 1, 0, "forward", "/a/m.py", 20, "self", "__main__.A");
    labeled_compile(&log, 1, 1, "forward", "/a/m.py", 20, "self", "__main__.B");
    /* a method and the one of its base class, for an object of one class */
    labeled_compile(&log, 2, 0, "forward", "/a/n.py", 30, "self", "n.Sub");
    labeled_compile(&log, 3, 0, "forward", "/a/n.py", 40, "self", "n.Sub");
    labeled_compile(&log, 4, 0, "__call__", "/a/m.py", 50, "self", "__main__.Net");
    labeled_compile(&log, 5, 0, "wrapper", "/a/m.py", 60, "self", "__main__.Net");
    labeled_compile(&log, 6, 0, "wrapper", "/a/m.py", 70, "fn", "__main__.Net");
    labeled_compile(&log, 7, 0, "inner", "/x/site-packages/torch/_dynamo/external_utils.py", 67, "fn", "m.Block");
    labeled_compile(&log, 8, 0, "inner", "/a/m.py", 80, "fn", "m.Block");
    labeled_compile(&log, 9, 0, "step", "/x/site-packages/torch/optim/adam.py", 90, "self", "torch.optim.adam.Adam");
    labeled_compile(&log, 10, 0, "step", "/a/m.py", 100, "x", "torch.Tensor");
    labeled_compile(&log, 11, 0, "<lambda>", "/a/m.py", 110, "self", NULL);
    labeled_compile(&log, 12, 0, "torch_dynamo_resume_in_forward_at_9", "/a/m.py", 9, "self", "__main__.Net");
    labeled_compile(&log, 13, 0, "attend", "/a/m.py", 120, "self", "__main__.Net"); /* its name is its own */
    labeled_compile(&log, 14, 0, "forward", "<eval_with_key>.3", 1, "self", NULL);
    labeled_compile(&log, 15, 0, "forward", "/a/m.py", 130, "self", "function"); /* no class of the user's */
    look_at(&log, labels);
}

static void labels_of_parts(const struct model *model) {
    static const char *const expected[] = {"Net.forward",
                                           "torch_dynamo_resume_in_forward_at_12 (Net)",
                                           "torch_dynamo_resume_in_forward_at_17 (Net)", /* its guards have no self */
                                           "Block.forward",                              /* by its part */
                                           "torch_dynamo_resume_in_forward_at_35 (Block)",
                                           "forward (m.py:50)", /* of two classes, and so is its part */
                                           "forward (m.py:50)",
                                           "torch_dynamo_resume_in_forward_at_55 (m.py)",
                                           "torch_dynamo_resume_in_forward_at_5 (m.py)"};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_slice(model->compiles.items[i]->label, expected[i]);
}

static void labels_of_lost(const struct model *model) {
    assert_slice(model->compiles.items[0]->label, "Net.forward");
    assert_slice(model->compiles.items[1]->label, "torch_dynamo_resume_in_forward_at_90 (m.py)");
}

/* What runs after a graph break is called like its function; not if that may be missing in the log. */
static void labels_parts_like_their_function(void **state) {
    struct buf log = {0}, cut = {0};
    (void)state;
    labeled_compile(&log, 0, 0, "forward", "/a/m.py", 10, "self", "__main__.Net");
    labeled_compile(&log, 1, 0, "torch_dynamo_resume_in_forward_at_12", "/a/m.py", 12, "self", "__main__.Net");
    labeled_compile(&log, 2, 0, "torch_dynamo_resume_in_forward_at_17", "/a/m.py", 17, "x", "torch.Tensor");
    labeled_compile(&log, 3, 0, "forward", "/a/m.py", 30, "self", NULL);
    labeled_compile(&log, 4, 0, "torch_dynamo_resume_in_forward_at_35", "/a/m.py", 35, "self", "__main__.Block");
    labeled_compile(&log, 5, 0, "forward", "/a/m.py", 50, "self", "__main__.A");
    labeled_compile(&log, 5, 1, "forward", "/a/m.py", 50, "self", "__main__.B");
    labeled_compile(&log, 6, 0, "torch_dynamo_resume_in_forward_at_55", "/a/m.py", 55, "self", "__main__.A");
    labeled_compile(&log, 7, 0, "torch_dynamo_resume_in_forward_at_5", "/a/m.py", 5, "x", "torch.Tensor");
    look_at(&log, labels_of_parts);
    /* A log that begins later: the forward that is resumed at line 90 may be another one. */
    labeled_compile(&cut, 3, 0, "forward", "/a/m.py", 10, "self", "__main__.Net");
    labeled_compile(&cut, 4, 0, "torch_dynamo_resume_in_forward_at_90", "/a/m.py", 90, "x", "torch.Tensor");
    look_at(&cut, labels_of_lost);
}

/* A compile of PyTorch's wrapper around a functools.partial, with a guard on the code of its function (0: no guards).
 * name: the function below the wrapper in the stack of a symbol, or NULL: no symbol. */
static void wrapped_compile(struct buf *log, int compile, int code, const char *name) {
    char id[100], fields[600], tree[900];
    snprintf(id, sizeof id, "\"frame_id\": 0, \"frame_compile_id\": %d, \"attempt\": 0", compile);
    snprintf(fields, sizeof fields,
             "\"create_symbol\": {\"symbol\": \"s0\", \"val\": \"3\", \"user_stack\": [{\"line\": 69, \"name\": "
             "\"inner\", \"filename\": 0}, {\"line\": 3, \"name\": \"%s\", \"filename\": 1}, "
             "{\"line\": 9, \"name\": \"helper\", \"filename\": 1}]}, %s",
             name ? name : "", id);
    if (name)
        log_record(log, fields);
    labeled_compile(log, 0, compile, "inner", "/x/site-packages/torch/_dynamo/external_utils.py", 67, "fn", NULL);
    if (!code)
        return;
    snprintf(
        tree, sizeof tree,
        "\nTREE_GUARD_MANAGER:\n+- RootGuardManager\n| +- GuardManager: source=L['fn'], accessed_by=A, "
        "type=<class 'functools.partial'>, tag_safe=(False, False)\n"
        "| | +- GuardManager: source=L['fn'].func, accessed_by=A, type=<class 'function'>, tag_safe=(False, False)\n"
        "| | | +- GuardManager: source=L['fn'].func.__code__, accessed_by=A, type=<class 'code'>, "
        "tag_safe=(False, False)\n| | | | +- ID_MATCH: ___check_obj_id(L['fn'].func.__code__, %d), "
        "type=<class 'code'>\n",
        code);
    snprintf(fields, sizeof fields, "\"dynamo_cpp_guards_str\": {}, %s", id);
    log_payload(log, fields, tree);
}

static void wrapped_one(const struct model *model) {
    assert_slice(by_key(model, "0/0")->label, "inner (train)"); /* by the guard on its code */
    assert_slice(by_key(model, "0/1")->label, "inner (train)");
    assert_slice(by_key(model, "0/2")->label, "inner (train)"); /* it failed: it has no guards */
}

static void wrapped_others(const struct model *model) {
    assert_slice(by_key(model, "0/0")->label, "inner (external_utils.py)");
    assert_slice(by_key(model, "0/1")->label, "inner (external_utils.py)");
}

static void log_wrapped(struct buf *log, int first, const char *name) {
    buf_free(log);
    log_record(log, "\"str\": [\"/x/site-packages/torch/_dynamo/external_utils.py\", 0]");
    log_record(log, "\"str\": [\"/a/m.py\", 1]");
    wrapped_compile(log, 0, first, NULL);
    wrapped_compile(log, 1, 7, name);
}

/* PyTorch's wrapper is called like the function that it calls, if the log has that for every version. */
static void labels_wrappers_by_what_they_call(void **state) {
    struct buf log = {0};
    (void)state;
    log_wrapped(&log, 7, "train");
    wrapped_compile(&log, 2, 0, NULL);
    look_at(&log, wrapped_one);
    log_wrapped(&log, 8, "train"); /* 0/0 calls another function */
    look_at(&log, wrapped_others);
    log_wrapped(&log, 7, "<lambda>"); /* no name */
    look_at(&log, wrapped_others);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_general_names),
        cmocka_unit_test(labels_parts_like_their_function),
        cmocka_unit_test(labels_wrappers_by_what_they_call),
        cmocka_unit_test(counts_generations),
        cmocka_unit_test(ends_an_abandoned_compile),
        cmocka_unit_test(keeps_attempts_together),
        cmocka_unit_test(assigns_later_records_to_the_newest),
        cmocka_unit_test(recognizes_other_metrics),
        cmocka_unit_test(recognizes_metrics_of_a_backward),
        cmocka_unit_test(detects_the_start_of_a_compile),
        cmocka_unit_test(distinguishes_processes),
        cmocka_unit_test(names_processes_that_compile),
        cmocka_unit_test(handles_compiles_without_an_id),
        cmocka_unit_test(groups_records_without_an_id_by_caller),
        cmocka_unit_test(takes_callers_from_other_records),
        cmocka_unit_test(separates_epochs),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}

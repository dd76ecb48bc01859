/* scan/error_text: parses PyTorch's texts about graph breaks and errors. */
#define _GNU_SOURCE
#include "support.h"

#include "scan/error_text.h"

static void reads_a_bare_reason(void **state) {
    struct break_text found;
    struct buf id = {0};
    (void)state;
    break_text_read(SLICE("Failed to trace\n  Explanation: It\n    goes on.\n  Hint: One.\n  Hint: Two.\n\n  Developer "
                          "debug context: raised exception KeyError('a')\n\n For more, please visit: "
                          "https://x/gb/gb0088.html\n\nfrom user code:\n  Explanation: not this"),
                    true, &found);
    assert_slice(found.cause.reason, "Failed to trace");
    assert_slice(found.cause.explanation, "It\n    goes on.");
    assert_slice(found.cause.context, "raised exception KeyError('a')");
    assert_int_equal(found.hint_count, 2);
    assert_null(found.then.reason.ptr);
    assert_false(found.skipped);
    assert_true(break_id_add(&id, found.cause.url));
    assert_buf(&id, "GB0088");
    assert_false(break_id_add(&id, SLICE("https://x/gb/gbx.html")));
    assert_false(break_id_add(&id, (struct slice){0}));
    buf_free(&id);
}

static void assert_skip(const char *text, const char *reason, const char *file) {
    struct buf out = {0};
    struct slice trace;
    struct frame frame;
    cudagraph_skip_read(slice_str(text), &out, &trace);
    assert_slice(buf_slice(&out), reason);
    if (!file) {
        assert_false(traceback_user_frame(trace, &frame));
    } else {
        assert_true(traceback_user_frame(trace, &frame));
        assert_slice(frame.file, file);
        assert_int_equal(frame.line, 7);
        assert_slice(frame.code, "y = x + 1");
    }
    buf_free(&out);
}

/* The formats of torch/_inductor and of the backend `cudagraphs`. */
static void reads_cudagraph_skip_reasons(void **state) {
    (void)state;
#define AT "  File \"/home/x/a.py\", line 7, in f\n    y = x + 1\n        ~~^~~\n"
    assert_skip("skipping cudagraphs due to skipping cudagraphs due to cpu device (arg0_1). Found from : \n " AT,
                "cpu device (arg0_1)", "/home/x/a.py");
    assert_skip("skipping cudagraphs due to cpu device (arg0_1). Found from : \n " AT, "cpu device (arg0_1)",
                "/home/x/a.py");
    assert_skip("skipping cudagraphs due to input storage mutation (1 instances). Found from:\n " AT,
                "input storage mutation (1 instances)", "/home/x/a.py");
    assert_skip("skipping cudagraphs due to disabling cudagraphs due to incompatible op aten.x.default Found from " AT,
                "incompatible op aten.x.default", "/home/x/a.py");
    assert_skip("skipping cudagraphs due to graph with symbolic shapes inputs and "
                "config.triton.cudagraph_skip_dynamic_graphs=True. Found from " AT "\n",
                "graph with symbolic shapes inputs and config.triton.cudagraph_skip_dynamic_graphs=True",
                "/home/x/a.py");
    assert_skip("skipping cudagraphs due to control flow operator: torch.cond. Found from : \n " AT,
                "control flow operator: torch.cond", "/home/x/a.py");
#undef AT
    assert_skip("skipping cudagraphs due to mutated inputs (2 instances)", "mutated inputs (2 instances)", NULL);
    assert_skip("skipping cudagraphs due to multiple devices: device(type='cuda', index=0), device(type='cpu')",
                "multiple devices: device(type='cuda', index=0), device(type='cpu')", NULL);
    assert_skip("skipping cudagraphs due to ['mutated inputs', 'non-Tensor inputs']",
                "mutated inputs, non-Tensor inputs", NULL);
    assert_skip("skipping cudagraphs due to ['mutated inputs']", "mutated inputs", NULL);
    assert_skip("skipping cudagraphs due to bisector", "bisector", NULL);
    assert_skip("control flow operator: torch.switch.", "control flow operator: torch.switch", NULL);
    assert_skip("skipping cudagraphs due to ", "", NULL); /* every part is optional */
    assert_skip("skipping cudagraphs due to ['']", "", NULL);
    assert_skip("['", "['", NULL);
    assert_skip("Found from", "", NULL);
    assert_skip("", "", NULL);
}

static void accepts_any_text(void **state) {
    static const char *const texts[] =
        {"", "\n\n", "Hint:", "Explanation:", "Graph Break Reason:", "*** While handling this graph break, another"};
    struct break_text found;
    struct frame frame;
    struct slice type;
    struct buf message = {0};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        break_text_read(slice_str(texts[i]), i & 1, &found);
        assert_int_equal(found.hint_count, 0);
        assert_false(traceback_user_frame(slice_str(texts[i]), &frame));
        assert_false(exception_read(slice_str(texts[i]), &type, &message));
    }
    buf_free(&message);
}

static void assert_exception(const char *text, const char *expected_type, const char *expected) {
    struct buf message = {0};
    struct slice type;
    assert_true(exception_read(slice_str(text), &type, &message));
    assert_slice(type, expected_type);
    assert_buf(&message, expected);
    buf_free(&message);
}

static void reads_exceptions(void **state) {
    struct buf message = {0};
    struct slice type;
    (void)state;
    assert_exception("ValueError('no')", "ValueError", "no");
    assert_exception("ValueError(\"it's\")", "ValueError", "it's");
    assert_exception("a.B('x\\'y\\nz')", "a.B", "x'y z");
    assert_exception("StopIteration()", "StopIteration", "");
    assert_exception("OSError(2, 'no file')", "OSError", "2, 'no file'");
    assert_exception("KeyError('below')", "KeyError", "'below'");
    assert_exception("ExceptionVariable(<class 'ValueError'>)", "ValueError", "");
    assert_exception("UserDefinedExceptionObjectVariable(Mine)", "Mine", "");
    assert_exception("ValueError([ConstantVariable(str: 'no: such')])", "ValueError", "no: such");
    assert_exception("E([ConstantVariable(int: 3), ConstantVariable(str: 'a')])", "E",
                     "[ConstantVariable(int: 3), ConstantVariable(str: 'a')]");
    assert_false(exception_read(SLICE("ExceptionVariable()"), &type, &message));
    assert_false(exception_read(SLICE("just text"), &type, &message));
    assert_false(exception_read(SLICE("(x)"), &type, &message));
    buf_free(&message);
}

static void finds_the_users_line(void **state) {
    struct frame frame;
    (void)state;
    assert_true(traceback_user_frame(SLICE("x\n  File \"/other.py\", line 1, in z\n\nfrom user code:\n   File "
                                           "\"/a.py\", line 3, in f\n    g()\n    ~^^\n  File "
                                           "\"/usr/lib/python3.11/b.py\", line 4, in g\n    h()\n"),
                                     &frame));
    assert_slice(frame.file, "/a.py");
    assert_int_equal(frame.line, 3);
    assert_slice(frame.code, "g()");
    assert_true(traceback_last_frame(SLICE("  File \"/a.py\", line 3, in f,\n    g(),\n"), &frame));
    assert_slice(frame.function, "f");
    assert_slice(frame.code, "g()");
}

static void finds_what_dynamo_ran(void **state) {
    static const char begin[] = "Traceback (most recent call last):\n"
                                "  File \"/p/torch/_dynamo/variables/functions.py\", line 9, in call_function\n"
                                "    tx, fn(*(a.as_python_constant() for a in args))\n        ^^^^\n";
    static const char other[] = "  File \"/p/torch/_dynamo/utils.py\", line 4, in wrap\n    return f(x)\n";
    static const char ran[] = "  File \"/lib/m.py\", line 8, in version\n    return g(name)\n"
                              "  File \"/lib/m.py\", line 5, in g\n    raise E\nE: no\n";
    struct frame frame = {0};
    struct buf text = {0};
    (void)state;
    buf_add_str(&text, begin);
    assert_false(traceback_called(buf_slice(&text), &frame));
    buf_add_str(&text, ran);
    assert_true(traceback_called(buf_slice(&text), &frame));
    assert_slice(frame.function, "version");
    assert_int_equal(frame.line, 8);
    buf_add_str(&text, other); /* Dynamo raised it */
    assert_false(traceback_called(buf_slice(&text), &frame));
    text.len = 0;
    buf_add_str(&text, other);
    buf_add_str(&text, ran); /* it may be part of Dynamo's own work */
    assert_false(traceback_called(buf_slice(&text), &frame));
    assert_false(traceback_called(SLICE(""), &frame));
    buf_free(&text);
}

static void finds_a_line_and_its_caller(void **state) {
    static const char trace[] = "  File \"/a.py\", line 9, in main\n    f(x)\n"
                                "  File \"/usr/lib/python3.11/c.py\", line 2, in wrap\n    g()\n"
                                "  File \"/a.py\", line 3, in f\n    raise E\n";
    struct frame frame, caller;
    (void)state;
    assert_true(traceback_frame_at(SLICE(trace), SLICE("/a.py"), 3, &frame, &caller));
    assert_slice(frame.function, "f");
    assert_slice(frame.code, "raise E");
    assert_slice(caller.function, "main"); /* the nearest user frame */
    assert_true(traceback_frame_at(SLICE(trace), SLICE("/a.py"), 9, &frame, &caller));
    assert_null(caller.file.ptr);
    assert_false(traceback_frame_at(SLICE(trace), SLICE("/a.py"), 4, &frame, &caller));
    assert_false(traceback_frame_at((struct slice){0}, SLICE("/a.py"), 4, &frame, &caller));
}

static void reads_an_exception_that_is_announced(void **state) {
    struct break_text said;
    (void)state;
    break_text_read(SLICE("WON'T CONVERT f /a.py line 7\n========== TorchDynamo Stack Trace ==========\n"
                          "Traceback (most recent call last):\n  File \"/x.py\", line 1, in g\n    h()\nKeyError: 1\n\n"
                          "During handling of the above exception, another exception occurred:\n\n"
                          "Traceback (most recent call last):\n  File \"/x.py\", line 2, in h\n    i()\n"
                          "torch._subclasses.fake_tensor.DynamicOutputShapeException: aten.nonzero.default\n\n"
                          "========== The above exception occurred while processing the following code ==========\n\n"
                          "  File \"/a.py\", line 8, in f\n    x.nonzero()\n\n==========\n"),
                    false, &said);
    assert_true(said.announced);
    assert_slice(said.cause.reason, "DynamicOutputShapeException: aten.nonzero.default");
    break_text_read(SLICE("WON'T CONVERT f /a.py line 7\n"), false, &said);
    assert_slice(said.cause.reason, "");
    break_text_read(SLICE("Graph break: skip: from user code at:\n\nTraceback (most recent call last):\n"
                          "  File \"/x.py\", line 2, in h\n    i()\n"
                          "torch._dynamo.exc.Unsupported: Backend compiler failed with a fake tensor exception at \n"
                          "  File \"/a.py\", line 8, in f\n    return x\nAdding a graph break.\n"),
                    false, &said);
    assert_true(said.skipped);
    assert_false(said.announced);
    assert_slice(said.cause.reason, "Backend compiler failed with a fake tensor exception at");
}

/* "… cannot properly resume …, which results in a skip": the traceback has the reason, with its parts. */
static void reads_the_exception_of_a_skip(void **state) {
    static const char head[] =
        "Graph break: torch.compile cannot properly resume from this graph break, which results in a "
        "skip.\ntorch.compile will skip tracing the frame f (/a.py line 7) and fall back to eager.\n"
        "The graph break occurred in the following user code:\n\nTraceback (most recent call "
        "last):\n  File \"/x.py\", line 2, in h\n    i()\n";
    struct break_text said;
    struct buf text = {0};
    (void)state;
    buf_add_str(&text, head);
    buf_add_lit(&text,
                "torch._dynamo.exc.Unsupported: No tracing\n  Explanation: It may be:\n    - one\n    - two\n\n  "
                "Hint: Do it.\n\n  Developer debug context: here\n\n For more details about this graph break, please "
                "visit: https://x/gb/gb0149.html\n\nfrom user code:\n  File \"/a.py\", line 8, in f\n    g()\n\n");
    break_text_read(buf_slice(&text), false, &said);
    assert_true(said.skipped);
    assert_slice(said.cause.reason, "No tracing");
    assert_slice(said.cause.explanation, "It may be:\n    - one\n    - two");
    assert_slice(said.cause.context, "here");
    assert_slice(said.cause.url, "https://x/gb/gb0149.html");
    assert_int_equal(said.hint_count, 1);
    text.len = 0;
    buf_add_str(&text, head);
    buf_add_lit(&text, "torch._dynamo.exc.Unsupported\n");
    break_text_read(buf_slice(&text), false, &said);
    assert_null(said.cause.reason.ptr);
    break_text_read(slice_str(head), false, &said);
    assert_true(said.skipped);
    assert_null(said.cause.reason.ptr);
    buf_free(&text);
}

static void takes_the_first_useful_hint(void **state) {
    const struct slice hints[] = {SLICE("Please report an issue to PyTorch."),
                                  SLICE("Do this or that, or another thing."), SLICE("Do this.")};
    (void)state;
    assert_slice(break_hint(hints, 3), "Do this or that, or another thing.");
    assert_null(break_hint(hints, 1).ptr);
    assert_null(break_hint(NULL, 0).ptr);
}

static void names_restart_reasons(void **state) {
    (void)state;
    assert_slice(restart_reason(SLICE("<class 'torch._dynamo.exc.TensorifyScalarRestartAnalysis'>")),
                 "TensorifyScalarRestartAnalysis");
    assert_slice(restart_reason(SLICE("Call to print of <class 'a.B'>")), "Call to print of <class 'a.B'>");
    assert_slice(restart_reason(SLICE("<class 'a.B'> is no <class 'a.C'>")), "<class 'a.B'> is no <class 'a.C'>");
    assert_slice(restart_reason(SLICE("<class ''>")), "<class ''>");
    assert_slice(restart_reason(SLICE("<class 'int'>")), "<class 'int'>");
    assert_slice(restart_reason((struct slice){0}), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_cudagraph_skip_reasons),
        cmocka_unit_test(reads_a_bare_reason),
        cmocka_unit_test(finds_what_dynamo_ran),
        cmocka_unit_test(finds_a_line_and_its_caller),
        cmocka_unit_test(accepts_any_text),
        cmocka_unit_test(reads_exceptions),
        cmocka_unit_test(finds_the_users_line),
        cmocka_unit_test(reads_an_exception_that_is_announced),
        cmocka_unit_test(reads_the_exception_of_a_skip),
        cmocka_unit_test(takes_the_first_useful_hint),
        cmocka_unit_test(names_restart_reasons),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

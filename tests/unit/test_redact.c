/* share/redact: words, paths, shapes and lists of guards. */
#define _GNU_SOURCE
#include "support.h"

#include "share/redact.h"
#include "share/redact_text.h"
#include "share/vocabulary.h"

static struct slice texted(struct redact *r, const char *text, bool strict, struct buf *out) {
    out->len = 0;
    redact_add_text(r, slice_str(text), strict, out);
    return buf_slice(out);
}

static void keeps_the_vocabulary_only(void **state) {
    struct redact r;
    struct buf out = {0};
    (void)state;
    redact_init(&r, REDACT_CODE | REDACT_NAMES | REDACT_PATHS);
    assert_slice(texted(&r, "graph break in secret_fn: 3 recompiles", false, &out),
                 "graph break in name1: 3 recompiles");
    assert_slice(texted(&r, "secret_fn and other_secret", false, &out), "name1 and name2");
    assert_slice(texted(&r, "dynamo_output_graph_2 mul_3 arg0_1 s77 f32[2, 3] x", false, &out),
                 "dynamo_output_graph_2 mul_3 arg0_1 s77 f32[2, 3] x");
    assert_slice(texted(&r, "triton_poi_fused_add_relu_0 triton_poi_fused_secretop_0", false, &out),
                 "triton_poi_fused_add_relu_0 name3");
    assert_slice(texted(&r, "torch_dynamo_resume_in_secret_fn_at_47", true, &out),
                 "torch_dynamo_resume_in_name1_at_47");
    assert_slice(texted(&r, "L['secret_fn'].size()[0] == 5 \xe2\x86\x92 6", false, &out),
                 "L['name1'].size()[0] == 5 \xe2\x86\x92 6");
    assert_slice(texted(&r,
                        "\xe5\x8f\x98\xe9\x87\x8f_1 s\xc3\xa9"
                        "cret",
                        false, &out),
                 "name4 name5");
    assert_slice(texted(&r, "-_0_1_0 0/1#2 2026-11-21T00:05:19Z 0x7f", false, &out),
                 "-_0_1_0 0/1#2 2026-11-21T00:05:19Z 0x7f");
    assert_slice(texted(&r, "\xff\xfe secret\xff", false, &out), "name6 name7");
    assert_slice(texted(&r, "", false, &out), "");
    redact_finish(&r);
    redact_init(&r, REDACT_CODE);
    assert_slice(texted(&r, "graph break in secret_fn2 of /home/me/a.py:3", false, &out),
                 "graph break in xxxxxx_xx0 of /home/me/a.py:3");
    redact_finish(&r);
    buf_free(&out);
}

static void redacts_functions_that_are_words(void **state) {
    struct redact r;
    struct buf out = {0};
    (void)state;
    assert_true(vocabulary_has(SLICE("reduce")));
    redact_init(&r, REDACT_CODE | REDACT_NAMES);
    assert_true(redact_learn(&r, SLICE("{\"frame\":{\"file\":\"/a/b.py\",\"function\":\"reduce\"},\"other\":{\"file\":"
                                       "\"/v/site-packages/torch/x.py\",\"function\":\"compile\"}}")));
    assert_slice(texted(&r, "`reduce` reduce `compile`", false, &out), "`name1` reduce `compile`");
    out.len = 0;
    assert_true(redact_json(&r, SLICE("{\"function\":\"reduce\",\"line\":7,\"reason\":\"reduce\"}"), &out));
    assert_buf(&out, "{\"function\":\"name1\",\"line\":7,\"reason\":\"reduce\"}");
    out.len = 0;
    assert_true(redact_json(
        &r, SLICE("{\"function\":null,\"label\":\"reduce (Zebra)\",\"frames\":[\"reduce at 3\"],\"name\":\"reduce\"}"),
        &out));
    assert_buf(&out, "{\"function\":null,\"label\":\"name1 (name2)\",\"frames\":[\"name1 at 3\"],\"name\":\"name1\"}");
    redact_finish(&r);
    buf_free(&out);
}

static void redacts_paths(void **state) {
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"/home/me/model.py:12", "path1.py:12"},
        {"File \"/home/me/model.py\", line 3", "File \"path1.py\", line 3"},
        {"model.py ome/me/model.py", "path1.py path1.py"}, /* the end of a path that PyTorch cut */
        {"/srv/model.py", "path2.py"},
        {"~/x C:\\Users\\me\\y.py C:/z", "path3 path4.py path5"},
        {"/v/lib/python3.11/site-packages/torch/nn/x.py:1", "site-packages/torch/nn/x.py:1"},
        {"_dynamo/output_graph.py", "_dynamo/output_graph.py"},
        {"/home/me/torch/x.py", "path6.py"},
        {"https://intranet.example/secret https://pytorch.org/docs", "path7 https://pytorch.org/docs"},
        {"-_0_0_0/dynamo_output_graph_2.txt 2/8 0/0", "-_0_0_0/dynamo_output_graph_2.txt 2/8 0/0"},
        {"secretlog.log.", "path8.log."},
        {"/", "/"},
    };
    struct redact r;
    struct buf out = {0};
    (void)state;
    redact_init(&r, REDACT_CODE | REDACT_NAMES | REDACT_PATHS);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_slice(texted(&r, cases[i].text, false, &out), cases[i].expected);
    redact_finish(&r);
    buf_free(&out);
}

static void redacts_settings(void **state) {
    struct redact r;
    struct buf out = {0};
    (void)state;
    redact_init(&r, REDACT_CODE | REDACT_CONFIG);
    assert_true(redact_json(
        &r, SLICE("[{\"kind\":\"dynamo\",\"values\":{\"suppress_errors\":true,\"cache_size_limit\":[1],\"x\":null}}]"),
        &out));
    assert_buf(&out, "[{\"kind\":\"dynamo\",\"values\":{\"suppress_errors\":\"(removed)\",\"cache_size_limit\":\"("
                     "removed)\",\"x\":null}}]");
    out.len = 0;
    assert_true(
        redact_json(&r, SLICE("{\"setting\":\"x\",\"values\":[{\"value\":\"yes\",\"compiles\":[\"0/0\"]}]}"), &out));
    assert_buf(&out, "{\"setting\":\"x\",\"values\":[{\"value\":\"(removed)\",\"compiles\":[\"0/0\"]}]}");
    assert_false(redact_json(&r, SLICE("{"), &out));
    redact_finish(&r);
    buf_free(&out);
}

/* Offsets into a stream stay valid, and lists of guards stay JSON. */
static void redacts_streams_in_place(void **state) {
    static const char list[] = "{\"n\":12,\"guards\":[{\"type\":\"TYPE_MATCH\",\"code\":\"L['a'] \\\"b\\\" "
                               "\\u00e9\\n\"},{\"type\":\"MySecret\"}]}";
    static const char shaped[] = "{\"n\":12,\"guards\":[{\"type\":\"TYPE_MATCH\",\"code\":\"x['x'] \\\"x\\\" "
                                 "xxxxxx\\n\"},{\"type\":\"xxxxxxxx\"}]}";
    struct buf stream = {0}, facts = {0};
    struct redact r;
    (void)state;
    buf_addf(&stream, "def f(x1):\xc3\xa9%sreturn 42", list);
    buf_addf(
        &facts,
        "[{\"dir\":\"-_0_0_0\",\"guards\":{\"list\":[12,%zu]}},{\"dir\":\"-_0_0_0\",\"guards\":{\"list\":[99999,7]}}]",
        sizeof list - 1);
    redact_init(&r, REDACT_CODE);
    assert_true(redact_learn(&r, buf_slice(&facts)));
    redact_stream(&r, SLICE("-_0_0_0"), stream.ptr, stream.len);
    buf_add_byte(&stream, '\0');
    assert_true(slice_starts(buf_slice(&stream), SLICE("xxx x(x0):xx{\"n\"")));
    assert_has(buf_slice(&stream), shaped);
    assert_has(buf_slice(&stream), "}xxxxxx 00");
    redact_forget_lists(&r);
    redact_stream(&r, SLICE("-_0_0_0"), stream.ptr, stream.len);
    assert_has_not(buf_slice(&stream), "TYPE");
    redact_finish(&r);
    buf_free(&stream);
    buf_free(&facts);
}

static void parses_what(void **state) {
    unsigned what;
    struct err err = {0};
    struct buf out = {0};
    (void)state;
    assert_true(redact_parse("paths", &what, &err));
    assert_int_equal(what, REDACT_PATHS | REDACT_CODE);
    assert_true(redact_parse("names,config,code,paths", &what, &err));
    redact_add_what(&out, what);
    assert_buf(&out, "paths, code, config, names");
    static const char *const bad[] = {"", "path", "paths,", ",paths", "paths,,code", "paths code"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(redact_parse(bad[i], &what, &err));
    buf_free(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_the_vocabulary_only),
        cmocka_unit_test(redacts_functions_that_are_words),
        cmocka_unit_test(redacts_paths),
        cmocka_unit_test(redacts_settings),
        cmocka_unit_test(redacts_streams_in_place),
        cmocka_unit_test(parses_what),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

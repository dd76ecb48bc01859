/* share/redact: words, paths, shapes and lists of guards. */
#define _GNU_SOURCE
#include "support.h"

#include "share/redact.h"
#include "share/redact_parts.h"
#include "share/redact_path.h"
#include "share/redact_word.h"

static struct slice texted(struct redact *r, const char *text, enum redact_style style, struct buf *out) {
    out->len = 0;
    redact_add_text(r, slice_str(text), style, out);
    return buf_slice(out);
}

static void keeps_the_vocabulary_only(void **state) {
    struct redact r;
    struct buf out = {0};
    (void)state;
    redact_init(&r, REDACT_CODE | REDACT_NAMES | REDACT_PATHS);
    assert_slice(texted(&r, "graph break in secret_fn: 3 recompiles", REDACT_SENTENCE, &out),
                 "graph break in name1: 3 recompiles");
    assert_slice(texted(&r, "secret_fn and other_secret", REDACT_SENTENCE, &out), "name1 and name2");
    assert_slice(texted(&r, "dynamo_output_graph_2 mul_3 arg0_1 s77 f32[2, 3] x", REDACT_SENTENCE, &out),
                 "dynamo_output_graph_2 mul_3 arg0_1 s77 f32[2, 3] x");
    assert_slice(texted(&r, "triton_poi_fused_add_relu_0 triton_poi_fused_secretop_0", REDACT_SENTENCE, &out),
                 "triton_poi_fused_add_relu_0 name3");
    assert_slice(texted(&r, "torch_dynamo_resume_in_secret_fn_at_47", REDACT_FUNCTION, &out),
                 "torch_dynamo_resume_in_name1_at_47");
    assert_slice(texted(&r, "L['secret_fn'].size()[0] == 5 \xe2\x86\x92 6", REDACT_SENTENCE, &out),
                 "L['name1'].size()[0] == 5 \xe2\x86\x92 6");
    assert_slice(texted(&r,
                        "\xe5\x8f\x98\xe9\x87\x8f_1 s\xc3\xa9"
                        "cret",
                        false, &out),
                 "name4 name5");
    assert_slice(texted(&r, "-_0_1_0 0/1#2 2026-11-21T00:05:19Z 0x7f", REDACT_SENTENCE, &out),
                 "-_0_1_0 0/1#2 2026-11-21T00:05:19Z 0x7f");
    assert_slice(texted(&r, "\xff\xfe secret\xff", REDACT_SENTENCE, &out), "name6 name7");
    assert_slice(texted(&r, "", REDACT_SENTENCE, &out), "");
    redact_finish(&r);
    redact_init(&r, REDACT_CODE);
    assert_slice(texted(&r, "graph break in secret_fn2 of /home/me/a.py:3", REDACT_SENTENCE, &out),
                 "graph break in xxxxxx_xx0 of /home/me/a.py:3");
    redact_finish(&r);
    buf_free(&out);
}

static void finds_the_first_and_the_last_word(void **state) {
    (void)state;
    assert_true(vocabulary_has(SLICE("ABCDEF")));
    assert_true(vocabulary_has(SLICE("zstd")));
    assert_true(vocabulary_is_setting(SLICE("DEBUG_DIR_VAR_NAME")));
    assert_true(vocabulary_is_setting(SLICE("xpu_backend")));
    assert_false(vocabulary_has(SLICE("A"))); /* before the first */
    assert_false(vocabulary_has(SLICE("~"))); /* after the last */
    assert_false(vocabulary_has(SLICE("ABCDE")));
    assert_false(vocabulary_has(SLICE("")));
}

static void redacts_functions_that_are_words(void **state) {
    struct redact r;
    struct buf out = {0};
    (void)state;
    assert_true(vocabulary_has(SLICE("reduce")));
    redact_init(&r, REDACT_CODE | REDACT_NAMES);
    assert_true(redact_learn(&r, SLICE("{\"frame\":{\"file\":\"/a/b.py\",\"function\":\"reduce\"},\"other\":{\"file\":"
                                       "\"/v/site-packages/torch/x.py\",\"function\":\"compile\"}}")));
    assert_slice(texted(&r, "`reduce` reduce `compile`", REDACT_SENTENCE, &out), "`name1` reduce `compile`");
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
        assert_slice(texted(&r, cases[i].text, REDACT_SENTENCE, &out), cases[i].expected);
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

static void learn(struct redact *r, const char *json) {
    assert_true(redact_learn(r, slice_str(json)));
}

/* Each kind alone: all that it does not remove stays. */
static void redacts_paths_only(void **state) {
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"# File: /home/alice/m.py:12 in forward, code: y = secret(x)",
         "# File: path1.py:12 in forward, code: y = secret(x)"},
        {"x = total / count / 2  # by alice", "x = total / count / 2  # by user1"},
        {"y = log.txt(z); z = self.transformer.h[0].log", "y = log.txt(z); z = self.transformer.h[0].log"},
        {"// a comment, xindex // 64, f32[s0//2]", "// a comment, xindex // 64, f32[s0//2]"},
        {"{\"f\": \"\\/home\\/alice\\/m2.py\", \"g\": \"a\\n/home/alice/m2.py\"}",
         "{\"f\": \"path2.py\", \"g\": \"a\\npath3.py\"}"},
        {"/home/\x1b[31malice\x1b[0m/x", "path4"},
        {"open('/home/alice/My Secrets/k') + '/tmp/q r'", "open('path5') + 'path6'"},
        {"C:\\Users\\bob\\m.py \\\\host\\share\\x '\\\\d+\\n'", "path7.py path8 '\\\\d+\\n'"},
        {"s3://bucket/key?u=alice file%3A%2F%2Fhome%2Falice%2Fz", "path9 path10"},
        {"https://pytorch.org/a https://pytorch.org/?q=alice", "https://pytorch.org/a path11"},
        {"bob and alice, not malice", "user2 and user1, not malice"},
        {"/tmp/torchinductor_carol/ab/x.so carol", "path12.so user3"},
        {"</div> <br/>", "</div> <br/>"},
        {"src\\model\\x 'checkpoints/last' ~/x ./deploy_it.sh", "path13 'path14' path15 path16.sh"},
    };
    struct redact r;
    struct buf out = {0};
    (void)state;
    redact_init(&r, REDACT_PATHS);
    assert_true(redact_needs_names(&r));
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            struct slice got = texted(&r, cases[i].text, REDACT_SOURCE, &out);
            if (pass)
                assert_slice(got, cases[i].expected);
        }
    redact_finish(&r);
    buf_free(&out);
}

static void redacts_known_paths_with_spaces(void **state) {
    struct redact r;
    struct buf out = {0};
    (void)state;
    redact_init(&r, REDACT_PATHS);
    learn(&r, "{\"frame\":{\"file\":\"/data/My Lab/m.py\",\"function\":\"f\"}}");
    assert_slice(texted(&r, "at /data/My Lab/m.py:3 and /data/My Lab/other.py", REDACT_SENTENCE, &out),
                 "at path1.py:3 and path2.py");
    out.len = 0;
    assert_true(redact_json(&r, SLICE("{\"file\":\"/data/My Lab/m.py\",\"path\":\"/a b/c\",\"line\":3}"), &out));
    assert_buf(&out, "{\"file\":\"path1.py\",\"path\":\"path3\",\"line\":3}");
    redact_finish(&r);
    buf_free(&out);
}

static void redacts_names_only(void **state) {
    static const char text[] =
        "def secret_fn(self, x):\n    return torch.relu(x @ self.my_proj.weight)  # /home/alice/secret_fn.py\n";
    struct redact r;
    struct buf out = {0};
    (void)state;
    redact_init(&r, REDACT_NAMES);
    assert_true(redact_needs_names(&r));
    texted(&r, text, REDACT_SOURCE, &out);
    assert_slice(texted(&r, text, REDACT_SOURCE, &out),
                 "def name1(self, x):\n    return torch.relu(x @ self.name2.weight)  # /home/alice/name1.py\n");
    /* What is no path beyond doubt has no names. */
    assert_slice(texted(&r, "(a)/b/secret_fn secret_fn/my_proj", REDACT_SOURCE, &out), "(a)/b/name1 name1/name2");
    /* Escapes are no part of words, but those of letters are. */
    assert_slice(texted(&r, "\"a\\nsecret_fn\\tb s\\u00e9cret \\u2192\"", REDACT_SOURCE, &out),
                 "\"a\\nname1\\tb name3 \\u2192\"");
    redact_finish(&r);
    buf_free(&out);
}

static void redacts_settings_only(void **state) {
    struct redact r;
    struct buf out = {0};
    (void)state;
    redact_init(&r, REDACT_CONFIG);
    assert_false(redact_needs_names(&r));
    learn(&r, "[{\"kind\":\"dynamo\",\"values\":{\"my_secret_knob\":\"zebra mode\",\"triton.other_knob\":1}}]");
    redact_add_lines(&r,
                     SLICE("import torch\ntorch._dynamo.config.x = 17\nos.environ['A'] = 'node7'\ny = secret(x)\n"
                           "a = 'zebra mode'\n  my_secret_knob: [\n    12,\n  ]\nself.config.n = 3\n"),
                     &out);
    assert_buf(&out, "import torch\nxxxxx._xxxxxx.xxxxxx.x = 00\nxx.xxxxxxx['x'] = 'xxxx0'\ny = secret(x)\n"
                     "a = 'xxxxx xxxx'\n  xx_xxxxxx_xxxx: [\n    00,\n  ]\nself.config.n = 3\n");
    assert_slice(texted(&r, "other_knob is 8 or True. 9 recompiles of secret_fn", REDACT_SENTENCE, &out),
                 "other_knob is (removed) or (removed). 9 recompiles of secret_fn");
    assert_slice(texted(&r, "cache_size_limit='a b' zebra mode", REDACT_SENTENCE, &out),
                 "cache_size_limit=(removed) (removed)");
    redact_finish(&r);
    buf_free(&out);
}

/* Lists of guards stay JSON. */
static void redacts_streams(void **state) {
    static const char list[] = "{\"n\":12,\"guards\":[{\"type\":\"TYPE_MATCH\",\"code\":\"L['a'] \\\"b\\\" "
                               "\\u00e9\\n\"},{\"type\":\"MySecret\"}]}";
    static const char shaped[] = "{\"n\":12,\"guards\":[{\"type\":\"TYPE_MATCH\",\"code\":\"x['x'] \\\"x\\\" "
                                 "xxxxxx\\n\"},{\"type\":\"xxxxxxxx\"}]}";
    struct buf stream = {0}, facts = {0}, out = {0};
    struct redact r;
    (void)state;
    buf_addf(&stream, "def f(x1):\xc3\xa9%sreturn 42", list);
    buf_addf(
        &facts,
        "[{\"dir\":\"-_0_0_0\",\"guards\":{\"list\":[12,%zu]}},{\"dir\":\"-_0_0_0\",\"guards\":{\"list\":[99999,7]}}]",
        sizeof list - 1);
    redact_init(&r, REDACT_CODE);
    assert_true(redact_learn(&r, buf_slice(&facts)));
    redact_stream(&r, SLICE("-_0_0_0"), buf_slice(&stream), &out);
    assert_int_equal(out.len, stream.len);
    assert_true(slice_starts(buf_slice(&out), SLICE("xxx x(x0):xx{\"n\"")));
    assert_has(buf_slice(&out), shaped);
    assert_has(buf_slice(&out), "}xxxxxx 00");
    redact_places_forget(&r.places);
    out.len = 0;
    redact_stream(&r, SLICE("-_0_0_0"), buf_slice(&stream), &out);
    assert_has_not(buf_slice(&out), "TYPE");
    redact_finish(&r);
    buf_free(&stream);
    buf_free(&facts);
    buf_free(&out);
}

/* Texts change their lengths, and the data refers to their new places. */
static void moves_texts(void **state) {
    static const char facts[] =
        "[{\"dir\":\"d\",\"name\":\"a\",\"text\":[0,12]},{\"dir\":\"d\",\"name\":\"b\",\"text\":[12,5],"
        "\"guards\":{\"list\":[17,10]}},{\"dir\":\"e\",\"text\":[3,1]},{\"dir\":\"d\",\"text\":[2,3]},"
        "{\"dir\":\"d\",\"text\":[18446744073709551615,2]}]";
    struct redact r;
    struct buf out = {0};
    (void)state;
    redact_init(&r, REDACT_NAMES);
    learn(&r, "[{\"dir\":\"d\",\"text\":[0,12]},{\"dir\":\"d\",\"text\":[12,5],\"guards\":{\"list\":[17,10]}}]");
    redact_stream(&r, SLICE("d"), SLICE("my_secret=1\nqqf()[\"zebras\"]"), &out);
    assert_buf(&out, "name1=1\nname2()[\"name3\"]");
    out.len = 0;
    assert_true(redact_json(&r, slice_str(facts), &out));
    assert_has(buf_slice(&out),
               "\"text\":[0,8]},{\"dir\":\"d\",\"name\":\"b\",\"text\":[8,7],\"guards\":{\"list\":[15,9]}}");
    assert_has(buf_slice(&out), "{\"dir\":\"e\",\"text\":[3,1]},{\"dir\":\"d\",\"text\":[2,3]},");
    out.len = 0;
    assert_true(redact_json(&r, SLICE("{\"parts\":{\"texts\":{\"d\":[0,12,27],\"e\":[0,7]}}}"), &out));
    assert_buf(&out, "{\"parts\":{\"texts\":{\"d\":[0,24],\"e\":[0,7]}}}");
    redact_finish(&r);
    buf_free(&out);
}

static void parses_what(void **state) {
    unsigned what;
    struct err err = {0};
    struct buf out = {0};
    (void)state;
    assert_true(redact_parse("paths", &what, &err));
    assert_int_equal(what, REDACT_PATHS);
    assert_true(redact_parse("names,config,code,paths", &what, &err));
    redact_add_what(&out, what);
    assert_buf(&out, "paths, code, config, names");
    static const char *const bad[] = {"", "path", "paths,", ",paths", "paths,,code", "paths code"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(redact_parse(bad[i], &what, &err));
    buf_free(&out);
}

/* What is not known to be no part of a word is one, and makes it unknown. */
static void reads_words_of_all_scripts(void **state) {
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"\xe2\xb0\x82\xe2\xb0\x85 graph\xe2\x80\x8b gra\xc2\xadph \xe2\x93\x96raph", "name1 name2 name3 name4"},
        {"graph\xf0\x9f\xa6\x93 tor\xcc\x81"
         "ch \xef\xbb\xbfgraph",
         "name5 name6 name7"},
        {"\\u{67}raph %67raph &#103;raph &#x67;raph", "name8 name9 name10 name11"},
        {"graph \xe2\x86\x92 torch \xc2\xb7 \xe2\x9c\x93 50% a & b %d",
         "graph \xe2\x86\x92 torch \xc2\xb7 \xe2\x9c\x93 50% a & b %d"},
        {"s77 x_1 b1234567 0x7f 0x7fff12345678 16GB 1e10 7a65627261", "s77 x_1 name12 0x7f name13 16GB 1e10 name14"},
        {"z-e-b-r-a and x - y - z, s e c r e t", "name15 and x - y - z, name16"},
        {"torch_dynamo_resume_in_zebra_at_47 torch_dynamo_resume_in_torch_dynamo_resume_in_f_at_1_at_2 "
         "torch_dynamo_resume_in_f_at_zebra",
         "torch_dynamo_resume_in_name17_at_47 torch_dynamo_resume_in_torch_dynamo_resume_in_name18_at_1_at_2 name19"},
        {"\x1b[\xe5\x8f\x98m \x1b[31mzebra\x1b[0m", "\x1b[name20 \x1b[31mname17\x1b[0m"},
    };
    struct redact r;
    struct buf out = {0};
    (void)state;
    redact_init(&r, REDACT_NAMES);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_slice(texted(&r, cases[i].text, REDACT_SENTENCE, &out), cases[i].expected);
    redact_finish(&r);
    buf_free(&out);
}

static void redacts_by_context(void **state) {
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"USER=graph, user: 'kernel' and graph", "name1=user1, user: 'user2' and graph"},
        {"USER=graph USER=None user == graph", "name1=user1 name1=None user == graph"},
        {"MASTER_ADDR=graph 'MASTER_PORT': 29500, TYPE_MATCH: x",
         "MASTER_ADDR=(removed) 'MASTER_PORT': (removed), TYPE_MATCH: x"},
        {"MASTER_ADDR= python; XBLOCK=64", "MASTER_ADDR= python; XBLOCK=64"},
        {"MASTER_ADDR='graph", "MASTER_ADDR='(removed)"},
        {"graph@kernel.tensor. 10.1.2.3:80 1.2.3", "path1. path2:80 1.2.3"},
        {"@graph a@ @", "@graph a@ @"},
        {"/v/site-packages/torch/_ops.py:graph /v/site-packages/torch/zebra/x.py",
         "site-packages/torch/_ops.py:graph site-packages/torch/path3.py"},
        {"'/v/dist-packages/torch/nn/zebra b/x.py' torch/_zebra _dynamo/../zebra",
         "'site-packages/torch/nn/path4.py' torch/path5 _dynamo/../name2"},
        {"model.onnx", "path6.onnx"},
    };
    struct redact r;
    struct buf out = {0};
    (void)state;
    redact_init(&r, REDACT_PATHS | REDACT_CONFIG | REDACT_NAMES | REDACT_CODE);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_slice(texted(&r, cases[i].text, REDACT_SENTENCE, &out), cases[i].expected);
    redact_finish(&r);
    buf_free(&out);
}

static void finds_known_texts(void **state) {
    struct redact_known known = {0};
    char text[3 * KNOWN_ENOUGH];
    (void)state;
    assert_int_equal(redact_known_at(&known, SLICE("abc"), false), 0);
    assert_true(redact_known_add(&known, SLICE("my lab")));
    assert_false(redact_known_add(&known, SLICE("my lab")));
    assert_false(redact_known_add(&known, SLICE("x")));
    assert_true(redact_known_add(&known, SLICE("my lab two")));
    assert_true(redact_known_add(&known, SLICE("my")));
    assert_int_equal(redact_known_at(&known, SLICE("my lab two"), true), 10);
    assert_int_equal(redact_known_at(&known, SLICE("my lab twos"), true), 6);
    assert_int_equal(redact_known_at(&known, SLICE("my labs"), true), 2);
    assert_int_equal(redact_known_at(&known, SLICE("my labs"), false), 6);
    assert_int_equal(redact_known_at(&known, SLICE("mya"), true), 0);
    assert_int_equal(redact_known_at(&known, SLICE("m"), true), 0);
    memset(text, 'a', sizeof text); /* a long one that was cut off */
    assert_true(redact_known_add(&known, slice_make(text, sizeof text)));
    text[2 * KNOWN_ENOUGH] = 'b';
    assert_int_equal(redact_known_at(&known, slice_make(text, sizeof text), true), 2 * KNOWN_ENOUGH);
    assert_int_equal(redact_known_at(&known, slice_make(text, KNOWN_ENOUGH - 1), true), 0);
    redact_known_free(&known);
}

static void keeps_versions_by_their_form(void **state) {
    struct redact r;
    struct buf out = {0};
    (void)state;
    redact_init(&r, REDACT_NAMES);
    assert_true(redact_json(&r,
                            SLICE("{\"torch\":\"2.9.0a0+git5bb154e\",\"python\":\"3.11.7\",\"started\":\"2026-11-21T00:"
                                  "05:19.5Z\",\"cuda\":\"12.8 zebra\","
                                  "\"version\":\"2.9+gitfeedfeedfeedfeed\",\"triton\":\"zebra\"}"),
                            &out));
    assert_buf(&out, "{\"torch\":\"2.9.0a0+git5bb154e\",\"python\":\"3.11.7\",\"started\":\"2026-11-21T00:05:19.5Z\","
                     "\"cuda\":\"12.8 name1\","
                     "\"version\":\"2.9+name2\",\"triton\":\"name1\"}");
    redact_finish(&r);
    buf_free(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_the_vocabulary_only),
        cmocka_unit_test(finds_the_first_and_the_last_word),
        cmocka_unit_test(redacts_functions_that_are_words),
        cmocka_unit_test(redacts_paths),
        cmocka_unit_test(redacts_settings),
        cmocka_unit_test(redacts_paths_only),
        cmocka_unit_test(redacts_known_paths_with_spaces),
        cmocka_unit_test(redacts_names_only),
        cmocka_unit_test(redacts_settings_only),
        cmocka_unit_test(redacts_streams),
        cmocka_unit_test(moves_texts),
        cmocka_unit_test(parses_what),
        cmocka_unit_test(reads_words_of_all_scripts),
        cmocka_unit_test(redacts_by_context),
        cmocka_unit_test(finds_known_texts),
        cmocka_unit_test(keeps_versions_by_their_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

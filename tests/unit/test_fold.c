/* kinds: what each kind of record becomes, in whole logs: files, numbers, and entries of the directory. */
#define _GNU_SOURCE
#include <inttypes.h>

#include "support.h"

/* The urls of compile_directory.json, in order: one line "key number url suffix readable" each. */
static struct buf directory_of(int dirfd) {
    struct buf out = {0};
    yyjson_doc *doc = read_json(dirfd, "compile_directory.json");
    size_t i, max, j, count;
    yyjson_val *key, *entry, *artifact;
    yyjson_obj_foreach(yyjson_doc_get_root(doc), i, max, key, entry) {
        yyjson_arr_foreach(yyjson_obj_get(entry, "artifacts"), j, count, artifact) {
            const char *readable = yyjson_get_str(yyjson_obj_get(artifact, "readable_url"));
            buf_addf(&out, "%s %lld %s%s%s%s%s\n", yyjson_get_str(key),
                     (long long)yyjson_get_sint(yyjson_obj_get(artifact, "number")),
                     yyjson_get_str(yyjson_obj_get(artifact, "url")),
                     *yyjson_get_str(yyjson_obj_get(artifact, "suffix")) ? " " : "",
                     yyjson_get_str(yyjson_obj_get(artifact, "suffix")), readable ? " " : "", readable ? readable : "");
        }
    }
    yyjson_doc_free(doc);
    return out;
}

static void assert_directory(int dirfd, const char *expected) {
    struct buf got = directory_of(dirfd);
    assert_buf(&got, expected);
    buf_free(&got);
}

static void assert_count(const struct run *run, enum counter counter, uint64_t expected) {
    if (run->result.counters[counter] != expected)
        fail_msg("%s is %llu, not %llu", counter_name(counter), (unsigned long long)run->result.counters[counter],
                 (unsigned long long)expected);
}

/* One kind of record: its file has the right name and number, and contains the payload (content NULL: not checked). */
static void assert_kind(const char *fields, const char *payload, const char *url, const char *content) {
    struct buf log = {0}, expected = {0};
    char all[1024];
    snprintf(all, sizeof all, "%s, " ID0, fields);
    log_artifact(&log, "first", "string", "x");
    if (payload)
        log_payload(&log, all, payload);
    else
        log_record(&log, all);
    log_artifact(&log, "last", "string", "x");
    struct run run = run_log(&log);
    buf_addf(&expected, "[0/0] 0 -_0_0_0/first_0.txt\n[0/0] 1 %s\n[0/0] 2 -_0_0_0/last_2.txt\n", url);
    struct buf got = directory_of(run.dirfd);
    if (!slice_eq(buf_slice(&got), buf_slice(&expected)))
        fail_msg("%s: %.*s", fields, SLICE_ARG(buf_slice(&got)));
    assert_count(&run, COUNT_OK, 3);
    assert_count(&run, COUNT_UNKNOWN, 0);
    if (content)
        assert_file(run.dirfd, url, content);
    else
        assert_true(file_exists(run.dirfd, url));
    buf_free(&got);
    buf_free(&expected);
    end_run(&run);
}

static void makes_text_files(void **state) {
    (void)state;
    static const char *const keys[] = {"optimize_ddp_split_graph", "compiled_autograd_graph",  "aot_forward_graph",
                                       "aot_backward_graph",       "aot_inference_graph",      "aot_joint_graph",
                                       "inductor_pre_grad_graph",  "inductor_post_grad_graph", "dynamo_cpp_guards_str",
                                       "dynamo_output_graph"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        char fields[100], url[100];
        snprintf(fields, sizeof fields, "\"%s\": {}", keys[i]);
        snprintf(url, sizeof url, "-_0_0_0/%s_1.txt", keys[i]);
        assert_kind(fields, "pay\n\nload\n", url, "pay\n\nload\n");
    }
}

static void makes_named_files(void **state) {
    (void)state;
    assert_kind("\"graph_dump\": {\"name\": \"a graph\"}", "g", "-_0_0_0/a graph_1.txt", "g");
    assert_kind("\"graph_dump\": {\"name\": \"sub/graph\"}", "g", "-_0_0_0/sub/graph_1.txt", "g");
    assert_kind("\"optimize_ddp_split_child\": {\"name\": \"submod_0\"}", "g",
                "-_0_0_0/optimize_ddp_split_child_submod_0_1.txt", "g");
    assert_kind("\"artifact\": {\"name\": \"n\", \"encoding\": \"string\"}", "caf\xe9\x01", "-_0_0_0/n_1.txt",
                "caf\xe9\x01");
    assert_kind("\"artifact\": {\"name\": \"n\", \"encoding\": \"json\"}", "{\"a\":[true]}", "-_0_0_0/n_1.json",
                "{\n  \"a\": [\n    true\n  ]\n}");
    assert_kind("\"artifact\": {\"name\": \"n\", \"encoding\": \"json\"}", "no json", "-_0_0_0/n_1.json", "no json");
    assert_kind("\"artifact\": {\"name\": \"n\", \"encoding\": \"json\"}", "", "-_0_0_0/n_1.json", "");
    assert_kind("\"artifact\": {\"name\": \"n\", \"encoding\": \"string\"}", NULL, "-_0_0_0/n_1.txt", "");
    assert_kind("\"artifact\": {\"name\": \"../../up\", \"encoding\": \"string\"}", "x", "-_0_0_0/_/_/up_1.txt", "x");
}

static void marks_caches(void **state) {
    (void)state;
    struct buf log = {0};
    log_artifact(&log, "fx_graph_cache_hit", "json", "{}");
    log_artifact(&log, "aotautograd_cache_miss", "json", "{}");
    struct run run = run_log(&log);
    assert_directory(run.dirfd,
                     "[0/0] 0 -_0_0_0/fx_graph_cache_hit_0.json ✅\n[0/0] 1 -_0_0_0/aotautograd_cache_miss_1.json ❌\n");
    end_run(&run);
}

static void makes_pages(void **state) {
    (void)state;
    assert_kind("\"dynamo_guards\": {}", "[{\"code\": \"k == 0\"}]", "-_0_0_0/dynamo_guards_1.html", NULL);
    assert_kind("\"inductor_output_code\": {\"filename\": \"/tmp/x/cabc.def.py\"}", "code",
                "-_0_0_0/inductor_output_code_cabc.def_1.html", NULL);
    assert_kind("\"inductor_output_code\": {}", "code", "-_0_0_0/inductor_output_code_1.html", NULL);
    assert_kind("\"aot_autograd_backward_compilation_metrics\": {}", NULL,
                "-_0_0_0/aot_autograd_backward_compilation_metrics_1.html", NULL);
    assert_kind("\"bwd_compilation_metrics\": {}", NULL, "-_0_0_0/bwd_compilation_metrics_1.html", NULL);
    assert_kind("\"compilation_metrics\": {}", NULL, "-_0_0_0/compilation_metrics_1.html", NULL);
    assert_kind("\"dump_file\": {\"name\": \"<eval_with_key>.7\"}", "code", "dump_file/eval_with_key_7.html", NULL);
    assert_kind("\"dump_file\": {\"name\": \"x<eval_with_key>.12.py\"}", "code", "dump_file/eval_with_key_12.html",
                NULL);
    assert_kind("\"dump_file\": {\"name\": \"other.py\"}", "code", "dump_file/other.py.html", NULL);
}

static void writes_the_content_of_pages(void **state) {
    (void)state;
    struct buf log = {0};
    log_payload(&log, "\"dynamo_guards\": {}, " ID0, "[{\"code\": \"a < </b>\"}, {\"stack\": []}, 5]");
    log_payload(&log, "\"inductor_output_code\": {\"filename\": \"a.cpp\"}, " ID0, "</pre><script>");
    log_payload(&log, "\"dump_file\": {\"name\": \"a\"}, " ID0, "one\ntwo");
    log_record(&log, "\"compilation_metrics\": {\"fail_type\": \"<script>\", \"new_field\": \"<b>\"}, " ID0);
    struct run run = run_log(&log);
    assert_file_has(run.dirfd, "-_0_0_0/dynamo_guards_0.html", "a &lt; &lt;/b&gt;");
    assert_file_has(run.dirfd, "-_0_0_0/inductor_output_code_a_1.html", "data-tl-lang=\"cpp\"");
    assert_file_has(run.dirfd, "-_0_0_0/inductor_output_code_a_1.html",
                    "<span id=\"L1\">&lt;/pre&gt;&lt;script&gt;</span>");
    assert_file_has(run.dirfd, "dump_file/a.html", "<span id=\"L2\">two</span>");
    assert_file_has(run.dirfd, "dump_file/a.html", "data-tl-root=\"../\"");
    assert_file_has(run.dirfd, "-_0_0_0/compilation_metrics_3.html", "&lt;b&gt;");
    assert_file_has_not(run.dirfd, "-_0_0_0/compilation_metrics_3.html", "<script>");
    assert_file_has_not(run.dirfd, "failures_and_restarts.html", "<script>");
    end_run(&run);
}

static void writes_plain_code(void **state) {
    (void)state;
    struct buf log = {0};
    log_payload(&log, "\"inductor_output_code\": {\"filename\": \"a.py\"}, " ID0, "code\n");
    struct run run = run_with("out", buf_slice(&log), &(struct reading_options){.plain_text = true}, NULL);
    assert_true(run.good);
    assert_file(run.dirfd, "-_0_0_0/inductor_output_code_a_0.txt", "code\n");
    assert_directory(run.dirfd, "[0/0] 0 -_0_0_0/inductor_output_code_a_0.txt\n");
    end_run(&run);
    buf_free(&log);
}

/* A link has no file, but has an entry and a number. */
static void lists_links(void **state) {
    (void)state;
    struct buf log = {0};
    log_record(&log, "\"link\": {\"name\": \"l\", \"url\": \"https://x.org/?a\"}, " ID0);
    log_record(&log, "\"link\": {\"name\": \"bad\", \"url\": \"javascript:alert(1)\"}, " ID0);
    log_artifact(&log, "last", "string", "x");
    struct run run = run_log(&log);
    assert_directory(run.dirfd, "[0/0] 0 https://x.org/?a\n[0/0] 1 javascript:alert(1)\n[0/0] 2 -_0_0_0/last_2.txt\n");
    assert_file_has(run.dirfd, "index.html", "href=\"https://x.org/?a\"");
    assert_file_has_not(run.dirfd, "index.html", "href=\"javascript");
    end_run(&run);
}

/* A name may be dumped again: the last one wins. Each gets a number. */
static void replaces_dumped_files(void **state) {
    (void)state;
    struct buf log = {0};
    for (int i = 0; i < 3; i++) {
        char text[16];
        snprintf(text, sizeof text, "version %d", i);
        log_payload(&log, "\"dump_file\": {\"name\": \"twin\"}, " ID0, text);
    }
    struct run run = run_log(&log);
    assert_directory(run.dirfd,
                     "[0/0] 0 dump_file/twin.html\n[0/0] 1 dump_file/twin.html\n[0/0] 2 dump_file/twin.html\n");
    assert_file_has(run.dirfd, "dump_file/twin.html", "version 2");
    end_run(&run);
}

/* The stack traces of kernels get an additional page, which has a number, too. */
static void makes_readable_traces(void **state) {
    (void)state;
    struct buf log = {0};
    log_artifact(&log, "inductor_provenance_tracking_kernel_stack_traces", "json",
                 "{\"k<\": [\"a\\\\nb <c>\", 5], \"l\": null}");
    log_artifact(&log, "last", "string", "x");
    struct run run = run_log(&log);
    assert_directory(
        run.dirfd,
        "[0/0] 1 -_0_0_0/inductor_provenance_tracking_kernel_stack_traces_0.json "
        "-_0_0_0/inductor_provenance_tracking_kernel_stack_traces_0_readable.html\n[0/0] 2 -_0_0_0/last_2.txt\n");
    assert_file_has(run.dirfd, "-_0_0_0/inductor_provenance_tracking_kernel_stack_traces_0_readable.html",
                    "<h2>k&lt;</h2>\n<pre>a\nb &lt;c&gt;</pre>");
    end_run(&run);
}

static void writes_the_vllm_config_twice(void **state) {
    (void)state;
    struct buf log = {0};
    log_artifact(&log, "vllm_compilation_config", "json", "{}");
    log_payload(&log, "\"graph_dump\": {\"name\": \"vllm_submod_0\"}, " ID0, "g");
    struct run run = run_log(&log);
    assert_directory(run.dirfd,
                     "[0/0] 0 -_0_0_0/vllm_compilation_config_0.json\n[0/0] 1 -_0_0_0/vllm_compilation_config_1.json\n"
                     "[0/0] 2 -_0_0_0/vllm_submod_0_2.txt\n");
    assert_true(file_exists(run.dirfd, "tlparse_index.html") && file_exists(run.dirfd, "index.html"));
    end_run(&run);
}

/* compilation_metrics is the last output of its record. */
static void orders_outputs_of_one_record(void **state) {
    (void)state;
    struct buf log = {0};
    log_payload(&log,
                "\"compilation_metrics\": {}, \"artifact\": {\"name\": \"a\", \"encoding\": \"string\"}, "
                "\"graph_dump\": {\"name\": \"g\"}, "
                "\"aot_joint_graph\": {}, " ID0,
                "x");
    struct run run = run_log(&log);
    assert_directory(run.dirfd,
                     "[0/0] 0 -_0_0_0/aot_joint_graph_0.txt\n[0/0] 1 -_0_0_0/g_1.txt\n[0/0] 2 -_0_0_0/a_2.txt\n"
                     "[0/0] 3 -_0_0_0/compilation_metrics_3.html\n");
    end_run(&run);
}

static void counts_across_folders(void **state) {
    (void)state;
    struct buf log = {0};
    log_payload(&log, "\"aot_joint_graph\": {}, \"frame_id\": 0, \"frame_compile_id\": 1", "x");
    log_payload(&log,
                "\"aot_joint_graph\": {}, \"compiled_autograd_id\": 2, \"frame_id\": 3, \"frame_compile_id\": 4, "
                "\"attempt\": 5",
                "x");
    log_payload(&log, "\"aot_joint_graph\": {}", "x");
    log_payload(&log, "\"aot_joint_graph\": {}, \"frame_id\": \"x\"", "x");
    struct run run = run_log(&log);
    assert_directory(run.dirfd, "[0/1] 0 -_0_1_-/aot_joint_graph_0.txt\n[!2/3/4_5] 1 2_3_4_5/aot_joint_graph_1.txt\n"
                                "[-/-] 2 -_-_-_-/aot_joint_graph_2.txt\nunknown 3 unknown_7/aot_joint_graph_3.txt\n");
    assert_int_equal(run.result.no_compile_id, 1); /* the one in line 5 has no stack */
    assert_int_equal(run.result.no_compile_id_line, 7);
    end_run(&run);
}

/* A record with a stack belongs to a compile. One without (torch_version, events) need not. */
static void counts_stacks_without_an_id(void **state) {
    (void)state;
    struct buf log = {0};
    log_artifact(&log, "a", "string", "x");
    log_record(&log, "\"torch_version\": \"2.9\"");
    log_record(&log, "\"aot_joint_graph\": {}, \"stack\": []");
    log_record(&log, "\"aot_joint_graph\": {}, \"stack\": [{\"line\": 3, \"name\": \"f\", \"filename\": 0}]");
    log_record(&log, "\"aot_joint_graph\": {}, \"stack\": [{\"line\": 3, \"name\": \"f\", \"filename\": 0}], " ID0);
    struct run run = run_log(&log);
    assert_int_equal(run.result.no_compile_id, 1);
    assert_int_equal(run.result.no_compile_id_line, 5);
    assert_non_null(run.result.no_compile_id_file);
    end_run(&run);
}

static void keeps_other_payloads(void **state) {
    (void)state;
    struct buf log = {0};
    log_payload(&log, "\"new_thing\": {}, " ID0, "payload");
    log_payload(&log, "\"new_thing\": {}, " ID0, "payload"); /* the same payload again */
    log_payload(&log, "\"describe_tensor\": {}, " ID0, "a");
    log_line(&log, PREFIX "{\"describe_tensor\": {}, \"has_payload\": \"0cc175b9c0f1b6a831c399e269772661\"}\n\tnot a");
    log_line(&log, PREFIX "{\"describe_tensor\": {}, \"has_payload\": \"../../up\"}\n\tb");
    log_artifact(&log, "last", "string", "x");
    struct run run = run_log(&log);
    assert_file(run.dirfd, "payloads/321c3cf486ed509164edec1e1981fec8.txt", "payload");
    assert_file(run.dirfd, "payloads/0cc175b9c0f1b6a831c399e269772661.txt", "a");
    assert_file(run.dirfd, "payloads/0cc175b9c0f1b6a831c399e269772661_7.txt", "not a");
    assert_file(run.dirfd, "payloads/92eb5ffee6ae2fec3ad71c777531578f.txt", "b");
    assert_directory(run.dirfd, "[0/0] 0 -_0_0_0/last_0.txt\n");
    assert_count(&run, COUNT_FAIL_PAYLOAD_MD5, 2);
    assert_count(&run, COUNT_UNKNOWN, 2);
    assert_int_equal(run.result.unknown_key_count, 1);
    assert_string_equal(run.result.unknown_keys[0], "new_thing");
    assert_file_has(run.dirfd, "raw.jsonl", "\"payload_filename\": \"payloads/321c3cf486ed509164edec1e1981fec8.txt\"}");
    end_run(&run);
}

/* A page is not a payload file: the payload of output code has an additional file. */
static void keeps_payloads_of_pages(void **state) {
    (void)state;
    struct buf log = {0};
    log_payload(&log, "\"inductor_output_code\": {}, " ID0, "a");
    log_payload(&log, "\"chromium_event\": {}, " ID0, "{\"x\": 1}");
    struct run run = run_log(&log);
    assert_file(run.dirfd, "payloads/0cc175b9c0f1b6a831c399e269772661.txt", "a");
    struct buf tree = read_tree("out");
    assert_has_not(buf_slice(&tree), "payloads/5"); /* events have none */
    buf_free(&tree);
    end_run(&run);
}

static void counts_bad_records(void **state) {
    (void)state;
    struct buf log = {0};
    log_record(&log, "\"artifact\": \"no object\"");
    log_record(&log, "\"artifact\": {\"name\": 5, \"encoding\": []}");
    log_artifact(&log, "a", "base91", "x");
    log_record(&log, "\"graph_dump\": {}");
    log_record(&log, "\"link\": {}");
    log_record(&log, "\"optimize_ddp_split_child\": []");
    log_record(&log, "\"dump_file\": null");
    log_payload(&log, "\"dynamo_guards\": {}", "no json");
    log_line(&log, PREFIX "{\"x\": ");
    log_line(&log, PREFIX "[1]\nstray\nstray");
    log_record(&log, "\"str\": []");
    log_record(&log, "\"str\": [\"a\", 4000000000]");
    log_record(&log, "\"str\": [\"a\", 1e400]");
    log_payload(&log, "\"chromium_event\": {}", "{\"x\": ");
    struct run run = run_log(&log);
    assert_count(&run, COUNT_FAIL_PARSER, 7);
    assert_count(&run, COUNT_FAIL_DYNAMO_GUARDS_JSON, 1);
    assert_count(&run, COUNT_FAIL_JSON, 5);
    assert_count(&run, COUNT_FAIL_GLOG, 2);
    assert_count(&run, COUNT_FAIL_JSON_SERIALIZATION,
                 0); /* an event that is not JSON is dropped, as in the reference */
    assert_count(&run, COUNT_OK, 9);
    assert_file(run.dirfd, "chromium_events.json", "[\n]\n");
    assert_directory(run.dirfd, "");
    end_run(&run);
}

static void writes_events(void **state) {
    (void)state;
    struct buf log = {0};
    log_payload(&log, "\"chromium_event\": {}, " ID0, "{\"ts\": 1733498295925000, \"n\": 1.50}");
    log_payload(&log, "\"chromium_event\": {}", "broken");
    log_payload(&log, "\"chromium_event\": {}", "{\"x\": NaN}");
    log_payload(&log, "\"chromium_event\": {}", "5");
    struct run run = run_log(&log);
    yyjson_doc *doc = read_json(run.dirfd, "chromium_events.json");
    assert_int_equal(yyjson_arr_size(yyjson_doc_get_root(doc)), 3);
    assert_file_has(run.dirfd, "chromium_events.json", "\"n\": 1.50");
    assert_file_has(run.dirfd, "chromium_events.json", "{\"x\": null}");
    assert_file_has_not(run.dirfd, "raw.jsonl", "chromium_event");
    yyjson_doc_free(doc);
    end_run(&run);
}

/* The prefix has no year; the first event has. */
static void writes_raw_jsonl(void **state) {
    (void)state;
    struct buf log = {0};
    log_record(&log, "\"str\": [\"a\\\"b\", 2]");
    log_payload(&log, "\"chromium_event\": {}", "{\"ts\": 1733498295925000}"); /* 2024-12-06 */
    log_record(&log, "\"x\": 1.50, \"y\": NaN");
    log_record(&log, "");
    log_line(&log, "V9999 99:99:99.000001 99999999999999999999 p\"q:3] {\"z\":2}");
    log_artifact(&log, "a", "string", "x");
    struct run run = run_log(&log);
    assert_file(
        run.dirfd, "raw.jsonl",
        "{\"string_table\": [null, null, \"a\\\"b\"]}\n"
        "{\"x\": 1.50, \"y\": null, \"timestamp\": \"2024-12-06T15:18:15.925000Z\", \"thread\": 1500233, \"pathname\": "
        "\"torch/_dynamo/utils.py\", \"lineno\": 10}\n"
        "{\"timestamp\": \"2024-12-06T15:18:15.925000Z\", \"thread\": 1500233, \"pathname\": "
        "\"torch/_dynamo/utils.py\", \"lineno\": 10}\n"
        "{\"z\":2, \"timestamp\": \"2024-99-99T99:99:99.000001Z\", \"thread\": 18446744073709551615, \"pathname\": "
        "\"p\\\"q\", \"lineno\": 3}\n"
        "{\"artifact\": {\"name\": \"a\", \"encoding\": \"string\"}, " ID0
        ", \"has_payload\": \"9dd4e461268c8034f5c8564e155c67a6\", "
        "\"timestamp\": \"2024-12-06T15:18:15.925000Z\", \"thread\": 1500233, \"pathname\": "
        "\"torch/_dynamo/utils.py\", \"lineno\": 10, "
        "\"payload_filename\": \"-_0_0_0/a_0.txt\"}\n");
    assert_count(&run, COUNT_OK, 5);
    end_run(&run);
}

/* A log without events has times in its metrics. Records before them were written with a guessed year. */
static void takes_the_year_from_metrics(void **state) {
    static const char *const metrics[] =
        {"\"compilation_metrics\": {\"start_time\": 1733498295.5}, " ID0, /* 2024-12-06 */
         "\"compilation_metrics\": {\"start_time_us\": 1733498295500000}, " ID0,
         "\"bwd_compilation_metrics\": {\"start_time_us\": 1733498295500000}, " ID0};
    (void)state;
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++) {
        struct buf log = {0};
        log_record(&log, "\"x\": {\"timestamp\": \"1999-12-06T\"}");
        log_record(&log, "\"x\": \"\\\"timestamp\\\": \\\"1998-12-06T\"");
        log_record(&log, "\"compilation_metrics\": {\"start_time\": 12.5}, " ID0); /* not a time of that day */
        log_line(&log, "V0101 00:00:01.000000 7 torch/a.py:1] {\"x\": 2}");
        log_record(&log, metrics[i]);
        log_record(&log, "\"x\": 3");
        struct run run = run_log(&log);
        assert_file_has(run.dirfd, "raw.jsonl", "\"1999-12-06T");
        assert_file_has(run.dirfd, "raw.jsonl", "\\\"1998-12-06T");
        assert_file_has(run.dirfd, "raw.jsonl", "{\"x\": 2, \"timestamp\": \"2025-01-01T"); /* the log spans New Year */
        struct slice text = slice_str("\"timestamp\": \"2024-12-06T15:18:15.925000Z\"");
        size_t found = 0;
        struct buf jsonl = read_file(run.dirfd, "raw.jsonl");
        for (struct slice rest = buf_slice(&jsonl); slice_find(rest, text) != SIZE_MAX; found++)
            rest = slice_from(rest, slice_find(rest, text) + text.len);
        assert_int_equal(found, 5);
        buf_free(&jsonl);
        end_run(&run);
    }
}

/* A log without events lasts from its first to its last prefix. */
static void takes_the_duration_from_prefixes(void **state) {
    static const char *const cases[][3] = {{"1231 23:59:59.000000", "0101 00:00:01.500000", "\"duration_us\":2500000"},
                                           {"0301 10:00:01.000000", "0301 10:00:00.000000", "\"duration_us\":null"},
                                           {"0301 10:00:01.000000", "0228 10:00:00.000000", "\"duration_us\":null"},
                                           {"9999 10:00:01.000000", "0301 10:00:00.000000", "\"duration_us\":null"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf log = {0};
        for (int k = 0; k < 2; k++) {
            char line[80];
            snprintf(line, sizeof line, "V%s 7 torch/a.py:1] {\"x\": 2}", cases[i][k]);
            log_line(&log, line);
        }
        struct run run = run_log(&log);
        struct buf report = read_file(run.dirfd, "report.json");
        struct slice found = buf_slice(&report), expected = slice_str(cases[i][2]);
        if (slice_find(found, expected) == SIZE_MAX)
            fail_msg("%s: %.*s", cases[i][0], 400, found.ptr);
        buf_free(&report);
        end_run(&run);
    }
}

/* Records before the first and after the last event belong to the run. Their local times have the zone of the events;
 * an event that does not fit any zone says nothing about them. */
static void takes_the_run_from_records_and_events(void **state) {
    static const struct {
        int64_t behind_s; /* the event's time before its prefix, 15:18:15.925 */
        const char *last, *expected;
    } cases[] = {{0, "1206 15:18:20.925000", "\"started\":\"2024-12-06T15:18:10Z\",\"duration_us\":10000000"},
                 {7200, "1206 15:18:20.925000", "\"started\":\"2024-12-06T13:18:10Z\",\"duration_us\":10000000"},
                 {-20700, "1207 00:00:00.925000", "\"started\":\"2024-12-06T21:03:10Z\",\"duration_us\":31310000000"},
                 {3603, "1206 15:18:20.925000", "\"started\":\"2024-12-06T14:18:10Z\",\"duration_us\":10000000"},
                 {450, "1206 15:18:20.925000", "\"started\":\"2024-12-06T15:10:45Z\",\"duration_us\":0"},
                 {57600, "1206 15:18:20.925000", "\"started\":\"2024-12-05T23:18:15Z\",\"duration_us\":0"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf log = {0};
        char event[80], line[80];
        snprintf(event, sizeof event, "{\"ts\": %" PRId64 "}",
                 INT64_C(1733498295925000) - cases[i].behind_s * INT64_C(1000000));
        snprintf(line, sizeof line, "V%s 7 torch/a.py:1] {\"x\": 2}", cases[i].last);
        log_line(&log, "V1206 15:18:10.925000 7 torch/a.py:1] {\"x\": 1}");
        log_payload(&log, "\"chromium_event\": {}", event);
        log_line(&log, line);
        log_line(&log, "V1206 15:18:40.925000 7 torch/a.py:1] a text, not a record");
        struct run run = run_log(&log);
        struct buf report = read_file(run.dirfd, "report.json");
        struct slice found = buf_slice(&report);
        if (slice_find(found, slice_str(cases[i].expected)) == SIZE_MAX)
            fail_msg("%d: %.*s", (int)cases[i].behind_s, 400, found.ptr);
        buf_free(&report);
        end_run(&run);
    }
}

static void has_a_table_without_strings(void **state) {
    (void)state;
    struct buf log = {0};
    struct run run = run_log(&log);
    assert_file(run.dirfd, "raw.jsonl", "{\"string_table\": [null]}\n");
    assert_file(run.dirfd, "compile_directory.json", "{}\n");
    assert_file(run.dirfd, "chromium_events.json", "[\n]\n");
    end_run(&run);
}

/* A record with a key that raw.jsonl reserves is left out of that file only. */
static void counts_key_conflicts(void **state) {
    (void)state;
    static const char *const keys[] = {"timestamp", "thread", "pathname", "lineno", "payload_filename"};
    struct buf log = {0};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        char fields[200];
        snprintf(fields, sizeof fields, "\"%s\": 1, \"aot_joint_graph\": {}, " ID0, keys[i]);
        log_payload(&log, fields, "x");
    }
    struct run run = run_log(&log);
    assert_count(&run, COUNT_FAIL_KEY_CONFLICT, 5);
    assert_count(&run, COUNT_OK, 5);
    assert_file(run.dirfd, "raw.jsonl", "{\"string_table\": [null]}\n");
    assert_true(file_exists(run.dirfd, "-_0_0_0/aot_joint_graph_4.txt"));
    end_run(&run);
}

/* Records of another rank are in raw.jsonl only. */
static void leaves_other_ranks_out(void **state) {
    (void)state;
    struct buf log = {0};
    log_artifact(&log, "before", "string", "x"); /* has no rank yet */
    log_payload(&log, "\"artifact\": {\"name\": \"mine\", \"encoding\": \"string\"}, \"rank\": 1, " ID0, "x");
    log_payload(&log, "\"artifact\": {\"name\": \"theirs\", \"encoding\": \"string\"}, \"rank\": 0, " ID0, "x");
    log_payload(&log, "\"artifact\": {\"name\": \"again\", \"encoding\": \"string\"}, \"rank\": 1, " ID0, "x");
    struct run run = run_log(&log);
    assert_directory(run.dirfd,
                     "[0/0] 0 -_0_0_0/before_0.txt\n[0/0] 1 -_0_0_0/mine_1.txt\n[0/0] 2 -_0_0_0/again_2.txt\n");
    assert_count(&run, COUNT_OTHER_RANK, 1);
    assert_count(&run, COUNT_OK, 3);
    assert_true(run.result.has_rank && run.result.rank == 1);
    assert_file_has(run.dirfd, "raw.jsonl", "theirs");
    struct buf tree = read_tree("out");
    assert_has_not(buf_slice(&tree), "theirs_");
    buf_free(&tree);
    end_run(&run);
}

/* A record without a rank in a log with one: kept, but without a number and not in the directory; its file is in
 * payloads. */
static void sets_records_without_rank_aside(void **state) {
    (void)state;
    struct buf log = {0};
    log_payload(&log, "\"artifact\": {\"name\": \"mine\", \"encoding\": \"string\"}, \"rank\": 0, " ID0, "x");
    log_payload(&log, "\"artifact\": {\"name\": \"torch_version\", \"encoding\": \"string\"}", "payload");
    log_record(&log, "\"compilation_metrics\": {}, \"frame_id\": 7, \"frame_compile_id\": 0");
    log_payload(&log, "\"artifact\": {\"name\": \"next\", \"encoding\": \"string\"}, \"rank\": 0, " ID0, "x");
    struct run run = run_log(&log);
    assert_directory(run.dirfd, "[0/0] 0 -_0_0_0/mine_0.txt\n[0/0] 1 -_0_0_0/next_1.txt\n");
    assert_file(run.dirfd, "payloads/321c3cf486ed509164edec1e1981fec8.txt", "payload");
    assert_file_has(run.dirfd, "report.json", "torch_version");
    assert_file_has(run.dirfd, "raw.jsonl", "torch_version");
    assert_count(&run, COUNT_OTHER_RANK, 0);
    end_run(&run);
}

#define COMMIT "d0f2af8b66b20da4baa50644c0cd3f887a2eae2e"

static void version_record(struct buf *log, const char *commit, const char *oss) {
    char payload[256];
    snprintf(payload, sizeof payload, "{\"pytorch_version\": \"2.16.0.dev20261101\", \"commit\": %s, \"oss\": %s}",
             commit, oss);
    log_payload(log, "\"artifact\": {\"name\": \"torch_version\", \"encoding\": \"json\"}", payload);
}

static void names_the_commit_of_pytorch(void **state) {
    (void)state;
    static const struct {
        const char *commit, *oss, *other; /* other: of a second process; NULL: none */
        bool known;
    } cases[] = {
        {"\"" COMMIT "\"", "true", NULL, true},
        {"\"" COMMIT "\"", "true", "\"" COMMIT "\"", true},
        {"\"" COMMIT "\"", "true", "\"e0f2af8b66b20da4baa50644c0cd3f887a2eae2e\"", false},
        {"\"" COMMIT "\"", "true", "\"\"", false},
        {"\"\"", "true", "\"" COMMIT "\"", false},
        {"\"" COMMIT "\"", "false", NULL, false}, /* of another repository */
        {"\"" COMMIT "\"", "1", NULL, false},
        {"\"main\"", "true", NULL, false},
        {"\"../0f2af8b66b20da4baa50644c0cd3f887a2ea/\"", "true", NULL, false},
        {"\"D0F2AF8B66B20DA4BAA50644C0CD3F887A2EAE2E\"", "true", NULL, false},
        {"null", "true", NULL, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf log = {0};
        version_record(&log, cases[i].commit, cases[i].oss);
        if (cases[i].other)
            version_record(&log, cases[i].other, "true");
        log_payload(&log, "\"artifact\": {\"name\": \"mine\", \"encoding\": \"string\"}, " ID0, "x");
        struct run run = run_log(&log);
        (cases[i].known ? assert_file_has : assert_file_has_not)(run.dirfd, "report.json",
                                                                 "\"torch_commit\":\"" COMMIT "\"");
        if (!cases[i].known)
            assert_file_has_not(run.dirfd, "report.json", "torch_commit");
        end_run(&run);
    }
}

static void writes_no_files_for_silent_kinds(void **state) {
    (void)state;
    static const char *const keys[] = {"symbolic_shape_specialization",
                                       "guard_added_fast",
                                       "create_symbol",
                                       "create_unbacked_symbol",
                                       "expression_created",
                                       "guard_added",
                                       "propagate_real_tensors_provenance",
                                       "missing_fake_kernel",
                                       "mismatched_fake_kernel",
                                       "describe_storage",
                                       "describe_tensor",
                                       "describe_source",
                                       "memoizer_artifacts",
                                       "dynamo_start"};
    static const char *const values[] = {"{}", "null", "[]", "5", "\"text\""};
    struct buf log = {0};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
            char fields[200];
            snprintf(fields, sizeof fields, "\"%s\": %s, " ID0, keys[i], values[v]);
            log_record(&log, fields);
        }
    struct run run = run_log(&log);
    assert_directory(run.dirfd, "");
    assert_count(&run, COUNT_UNKNOWN, 0);
    assert_count(&run, COUNT_OK, 5 * sizeof keys / sizeof *keys);
    end_run(&run);
}

/* Values of unexpected types do not end the run. */
static void takes_metrics_of_wrong_types(void **state) {
    (void)state;
    static const char *const values[] =
        {"null", "true", "-1", "1e400", "9223372036854775806", "\"text\"", "[1, null, \"x\"]", "{\"a\": 1}", "NaN"};
    static const char *const keys[] = {"fail_type",
                                       "fail_reason",
                                       "restart_reasons",
                                       "graph_op_count",
                                       "param_count",
                                       "param_bytes",
                                       "start_time",
                                       "duration_us",
                                       "co_name",
                                       "co_filename",
                                       "co_firstlineno",
                                       "dynamo_config",
                                       "inductor_provenance",
                                       "pytorch_version",
                                       "fail_user_frame_filename",
                                       "fail_user_frame_lineno",
                                       "entire_frame_compile_time_s"};
    struct buf log = {0};
    uint64_t records = 0;
    for (size_t v = 0; v < sizeof values / sizeof *values; v++)
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
            char fields[300];
            snprintf(fields, sizeof fields,
                     "\"%s\": {\"fail_type\": \"E\", \"%s\": %s}, \"frame_id\": %zu, \"frame_compile_id\": 0",
                     k & 1 ? "compilation_metrics" : "bwd_compilation_metrics", keys[k], values[v], v);
            log_record(&log, fields);
            records++;
        }
    struct run run = run_log(&log);
    assert_count(&run, COUNT_OK, records);
    yyjson_doc_free(read_json(run.dirfd, "report.json"));
    end_run(&run);
}

/* Folders and files of artifacts never collide. */
static void resolves_name_collisions(void **state) {
    (void)state;
    struct buf log = {0};
    log_artifact(&log, "a", "string", "0");
    log_artifact(&log, "a_0.txt/b", "string", "1");
    log_artifact(&log, "a_0.txt_", "string", "2");
    log_payload(&log, "\"dump_file\": {\"name\": \"x\"}, " ID0, "3");
    log_payload(&log, "\"dump_file\": {\"name\": \"x.html/y\"}, " ID0, "4");
    log_artifact(&log, "../data/report", "string", "5");
    struct run run = run_log(&log);
    assert_directory(
        run.dirfd, "[0/0] 0 -_0_0_0/a_0.txt\n[0/0] 1 -_0_0_0/a_0.txt_/b_1.txt\n[0/0] 2 -_0_0_0/a_0.txt__2.txt\n"
                   "[0/0] 3 dump_file/x.html\n[0/0] 4 dump_file/x.html_/y.html\n[0/0] 5 -_0_0_0/_/data/report_5.txt\n");
    end_run(&run);
}

/* A frame in <eval_with_key>.N links to the dumped page. No other text of a log becomes such an address. */
static void links_dumped_frames(void **state) {
    (void)state;
    struct buf log = {0};
    log_payload(&log, "\"dump_file\": {\"name\": \"<eval_with_key>.7\"}, " ID0, "x");
    log_payload(&log, "\"dump_file\": {\"name\": \"eval_with_key_../../../up\"}, " ID0, "x");
    log_record(&log,
               "\"dynamo_start\": {\"stack\": [{\"line\": 12, \"name\": \"f\", \"uninterned_filename\": "
               "\"<eval_with_key>.7\"}, "
               "{\"line\": 1, \"name\": \"f\", \"uninterned_filename\": \"<eval_with_key>.8\"}, "
               "{\"line\": 1, \"name\": \"f\", \"uninterned_filename\": \"<eval_with_key>.../../../up\"}]}, " ID0);
    struct run run = run_log(&log);
    assert_file_has(run.dirfd, "report.json", "\"dump\":\"dump_file/eval_with_key_7.html#L12\"");
    assert_file_has_not(run.dirfd, "report.json", "eval_with_key_8");
    assert_file_has_not(run.dirfd, "report.json", "\"dump\":\"dump_file/eval_with_key_..");
    end_run(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(makes_text_files),
        cmocka_unit_test(makes_named_files),
        cmocka_unit_test(marks_caches),
        cmocka_unit_test(makes_pages),
        cmocka_unit_test(writes_the_content_of_pages),
        cmocka_unit_test(writes_plain_code),
        cmocka_unit_test(lists_links),
        cmocka_unit_test(replaces_dumped_files),
        cmocka_unit_test(makes_readable_traces),
        cmocka_unit_test(writes_the_vllm_config_twice),
        cmocka_unit_test(orders_outputs_of_one_record),
        cmocka_unit_test(counts_across_folders),
        cmocka_unit_test(counts_stacks_without_an_id),
        cmocka_unit_test(keeps_other_payloads),
        cmocka_unit_test(keeps_payloads_of_pages),
        cmocka_unit_test(counts_bad_records),
        cmocka_unit_test(writes_events),
        cmocka_unit_test(writes_raw_jsonl),
        cmocka_unit_test(takes_the_year_from_metrics),
        cmocka_unit_test(takes_the_duration_from_prefixes),
        cmocka_unit_test(takes_the_run_from_records_and_events),
        cmocka_unit_test(has_a_table_without_strings),
        cmocka_unit_test(counts_key_conflicts),
        cmocka_unit_test(leaves_other_ranks_out),
        cmocka_unit_test(sets_records_without_rank_aside),
        cmocka_unit_test(names_the_commit_of_pytorch),
        cmocka_unit_test(writes_no_files_for_silent_kinds),
        cmocka_unit_test(takes_metrics_of_wrong_types),
        cmocka_unit_test(resolves_name_collisions),
        cmocka_unit_test(links_dumped_frames),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}

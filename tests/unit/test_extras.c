/* model/extras, model/pgo: rare records in report.json and in the findings. The texts are those of PyTorch 2.15, or,
 * for records that need a GPU, according to its source. */
#define _GNU_SOURCE
#include "advice/advice.h"
#include "whole.h"

#include "findings/finding.h"
#include "kinds/records.h"
#include "lowering/stages.h"
#include "model/extras.h"
#include "report/members.h"

static void assert_json(const struct model *model, const char *expected) {
    struct buf json = {0};
    struct jsonw w = {.out = &json};
    jsonw_object(&w, NULL);
    extras_json_write(&w, model);
    jsonw_end_object(&w);
    assert_buf(&json, expected);
    buf_free(&json);
}

static void assert_caches(const struct model *model, const char *expected) {
    struct buf json = {0};
    struct jsonw w = {.out = &json};
    jsonw_object(&w, NULL);
    caches_json_write(&w, &(struct report_view){.model = model});
    jsonw_end_object(&w);
    assert_buf(&json, expected);
    buf_free(&json);
}

/* The titles of the findings of one kind, one per line. */
static void assert_findings(const struct model *model, const char *kind, const char *expected) {
    struct chains chains = {0};
    struct findings findings = {0};
    struct buf titles = {0};
    chains_find(&chains, model);
    chains_advise(&chains, model);
    findings_find(&findings, model, &chains);
    for (size_t i = 0; i < findings.list.count; i++) {
        const struct finding *finding = &findings.list.items[i];
        if (strcmp(finding_kind_name(finding->kind), kind) != 0)
            continue;
        buf_add_str(&titles, titles.len ? "\n" : "");
        buf_add(&titles, finding->title);
        buf_add_lit(&titles, " | ");
        buf_add(&titles, finding->why);
        assert_int_equal(finding->time_us, -1); /* the log does not have its cost */
        assert_true(slice_starts(finding->link, SLICE("#/c/")));
    }
    assert_buf(&titles, expected);
    buf_free(&titles);
    findings_finish(&findings);
    chains_finish(&chains);
}

#define COUNTS "{\"hit\":0,\"miss\":0,\"bypass\":0}"

static void has_plain_caches(const struct model *model) {
    assert_null(model->extras);
    assert_json(model, "{}");
    assert_caches(model, "{\"caches\":{\"fx_graph\":{\"hit\":0,\"miss\":1,\"bypass\":0},\"aotautograd\":" COUNTS "}}");
}

static void has_all_caches(const struct model *model) {
    assert_caches(model, "{\"caches\":{\"fx_graph\":" COUNTS
                         ",\"aotautograd\":{\"hit\":0,\"miss\":0,\"bypass\":0,\"pickle_failure\":1},"
                         "\"fx_graph_bundled\":{\"hit\":2},\"precompile\":{\"bypass\":1},"
                         "\"dynamo\":{\"entries\":3,\"bypass\":1,\"exception\":1}}}");
    const struct compile *compile = model->compiles.items[place_of_compile(model, "0/0")];
    struct buf json = {0};
    struct jsonw w = {.out = &json};
    jsonw_object(&w, NULL);
    compile_caches_write(&w, model, compile);
    jsonw_end_object(&w);
    assert_buf(&json,
               "{\"cache\":[{\"cache\":\"fx_graph_bundled\",\"result\":\"hit\",\"reason\":null},"
               "{\"cache\":\"fx_graph_bundled\",\"result\":\"hit\",\"reason\":null},"
               "{\"cache\":\"precompile\",\"result\":\"bypass\",\"reason\":\"Guard evaluation failed: no\"},"
               "{\"cache\":\"dynamo\",\"result\":\"bypass\",\"reason\":\"no backend __compiled_fn_1\"},"
               "{\"cache\":\"dynamo\",\"result\":\"exception\",\"reason\":\"bad entry\"},"
               "{\"cache\":\"aotautograd\",\"result\":\"pickle_failure\",\"reason\":\"cannot pickle 'module'\"}]}");
    buf_free(&json);
    assert_true(extras_has_cache(compile, CACHE_FX_GRAPH_BUNDLED, OUTCOME_HIT));
    assert_false(extras_has_cache(compile, CACHE_FX_GRAPH_BUNDLED, OUTCOME_MISS));
    assert_findings(model, "precompile_bypass",
                    "Precompile does not save `f0` | Guard evaluation failed: no\n"
                    "Precompile left out a graph of `g` | no backend __compiled_fn_1");
    assert_findings(model, "precompile_error", "Precompile could not make a cache entry | bad entry");
    assert_findings(model, "cache_save_failure", "The AOTAutograd cache could not save `f0` | cannot pickle 'module'");
    assert_findings(model, "cache_bypass", "");
}

static void counts_caches(void **state) {
    (void)state;
    struct buf log = {0};
    log_metrics(&log, 0, 0, "");
    log_artifact(&log, "fx_graph_cache_miss", "json", "{\"key\": \"k\"}");
    look_at(&log, has_plain_caches);
    log_metrics(&log, 0, 0, "");
    log_artifact(&log, "fx_graph_bundled_cache_hit", "json", "{\"triton_bundler_meta\": \"x\"}");
    log_artifact(&log, "fx_graph_bundled_cache_hit", "json", "{\"triton_bundler_meta\": \"x\"}");
    log_artifact(&log, "precompile_cache_bypass", "json", "{\"_reason\": \"Guard evaluation failed: no\"}");
    log_artifact(&log, "dynamo_cache_bypass", "json",
                 "{\"entry\": {\"fn_name\": \"g\"}, \"missing_backend\": \"__compiled_fn_1\"}");
    log_artifact(&log, "dynamo_cache_exception", "json", "{\"key\": \"a\", \"error\": \"bad entry\"}");
    log_artifact(&log, "dynamo_cache_entries", "json", "{\"num_entries\": 2, \"artifacts\": {}}");
    log_artifact(&log, "dynamo_cache_entries", "json", "{\"num_entries\": 3, \"artifacts\": {}}");
    log_artifact(&log, "aotautograd_cache_pickle_failure", "json",
                 "{\"error\": \"cannot pickle 'module'\", \"field\": \"compiled_fw\"}");
    look_at(&log, has_all_caches);
}

/* Profiles. */

#define FRAME "hash(097f3a32)/src/pgo.py:8:f:\n"
#define STATIC "  L['x']: tensor size=[3, 2] stride=[S(1), 1]\n  L['n']: scalar 3"
#define DYNAMIC                                                                                                        \
    "  L['x']: tensor size=[?, 2] stride=[S(1), 1]\n  L['n']: fully dynamic scalar or tensor\n\nPGO detected a "       \
    "recompilation due to dynamic shapes. To reduce shape recompilations by compiling dynamically to start, set "      \
    "environment variable TORCH_COMPILE_DYNAMIC_SOURCES=\"L['x'],L['n']\""

static void became_dynamic(const struct model *model) {
    assert_json(model,
                "{\"pgo\":{\"records\":["
                "{\"compile\":\"0/0\",\"action\":\"write\",\"store\":\"local\",\"line\":2,\"frames\":1,\"sources\":2,"
                "\"dynamic\":0,\"changes\":[]},"
                "{\"compile\":\"0/1\",\"action\":\"write\",\"store\":\"local\",\"line\":7,\"frames\":1,\"sources\":2,"
                "\"dynamic\":2,\"changes\":["
                "{\"frame\":{\"file\":\"/src/pgo.py\",\"line\":8,\"function\":\"f\"},\"source\":\"L['x']\","
                "\"had\":\"tensor size=[3, 2] stride=[S(1), 1]\",\"has\":\"tensor size=[?, 2] stride=[S(1), 1]\"},"
                "{\"frame\":{\"file\":\"/src/pgo.py\",\"line\":8,\"function\":\"f\"},\"source\":\"L['n']\","
                "\"had\":\"scalar 3\",\"has\":\"fully dynamic scalar or tensor\"}]},"
                "{\"compile\":\"0/1\",\"action\":\"write\",\"store\":\"remote\",\"line\":13,\"frames\":1,\"sources\":2,"
                "\"dynamic\":2,\"changes\":[]}],"
                "\"more_records\":0,\"more_changes\":0,\"suggested_dynamic_sources\":\"L['x'],L['n']\"}}");
}

static void was_read(const struct model *model) {
    const struct pgo *pgo = &model->extras->pgo;
    assert_int_equal(pgo->records.count, 1);
    assert_false(pgo->records.items[0].written);
    assert_string_equal(pgo->records.items[0].store, "extra_remote");
    assert_int_equal(pgo->changes.count, 2);
    assert_null(pgo->changes.items[0].had.ptr);
}

static void reads_profiles(void **state) {
    (void)state;
    struct buf log = {0};
    log_metrics(&log, 0, 0, "");
    log_artifact_of(&log, 0, 0, "put_local_code_state", "string", FRAME STATIC);
    log_metrics(&log, 0, 1, "");
    log_artifact_of(&log, 0, 1, "put_local_code_state", "string", FRAME DYNAMIC);
    log_artifact_of(&log, 0, 1, "put_remote_code_state", "string", FRAME DYNAMIC);
    look_at(&log, became_dynamic);
    log_artifact_of(&log, 0, 0, "get_extra_remote_code_state", "string", FRAME DYNAMIC);
    look_at(&log, was_read);
}

static void counts_what_it_cannot_read(const struct model *model) {
    const struct pgo *pgo = &model->extras->pgo;
    assert_int_equal(pgo->records.items[0].frames, 1);
    assert_int_equal(pgo->records.items[0].sources, 2);
    assert_int_equal(pgo->records.items[0].dynamic, 1);
    assert_slice(pgo->changes.items[0].source, "L['a: b']");
    assert_null(pgo->suggested.ptr);
}

static void accepts_malformed_profiles(void **state) {
    (void)state;
    struct buf log = {0};
    log_artifact_of(&log, 0, 0, "put_local_code_state", "string",
                    "  L['x']: scalar 1\nhash(\nhash()::\nhash(a)b:c:d:\nhash(a)b.py:1:f:\n  L['a: b']: tensor "
                    "size=[?] stride=[1]\n  no state\n  L['y']: unusual ?\nTORCH_COMPILE_DYNAMIC_SOURCES=\"x\"");
    look_at(&log, counts_what_it_cannot_read);
}

static void is_bounded(const struct model *model) {
    const struct pgo *pgo = &model->extras->pgo;
    assert_int_equal(pgo->changes.count, PGO_CHANGES_MAX);
    assert_int_equal(pgo->more_changes, 500);
    assert_int_equal(pgo->records.items[0].sources, PGO_CHANGES_MAX + 500);
}

static void bounds_profiles(void **state) {
    (void)state;
    struct buf log = {0}, text = {0};
    buf_add_lit(&text, FRAME);
    for (int i = 0; i < PGO_CHANGES_MAX + 500; i++)
        buf_addf(&text, "  L['x%d']: tensor size=[?] stride=[1]\n", i);
    buf_add_byte(&text, 0);
    log_artifact_of(&log, 0, 0, "get_local_code_state", "string", text.ptr);
    buf_free(&text);
    look_at(&log, is_bounded);
}

/* Messages. */

#define TRACEBACK                                                                                                      \
    "Traceback (most recent call last):\n\n  File \"/usr/lib/python3/site-packages/torch/a.py\", line 2, in g\n    "   \
    "f()\n\n  File \"/home/user/rare.py\", line 24, in no_backward\n    raise RuntimeError(\"no backward today\")\n\n"
#define INTERPRETER                                                                                                    \
    "mm: mat1 and mat2 shapes cannot be multiplied (3x5 and 3x5)\n\nWhile executing %matmul : [num_users=1] = x\n"     \
    "Original traceback:\n  File \"/home/user/rare.py\", line 43, in interpreted\n    return x @ y\n\nGraphModule: "   \
    "class GraphModule(torch.nn.Module):\n  File \"graph.py\", line 1, in no"

static void reads_tracebacks(void **state) {
    (void)state;
    struct place place = traceback_user_place(SLICE(TRACEBACK));
    assert_slice(place.file, "/home/user/rare.py");
    assert_int_equal(place.line, 24);
    assert_slice(place.function, "no_backward");
    assert_slice(traceback_message(SLICE(TRACEBACK "RuntimeError: no backward today\n")),
                 "RuntimeError: no backward today");
    assert_slice(traceback_message(SLICE(TRACEBACK "ValueError: a\nb\n  c\n")), "ValueError: a\nb\n  c");
    assert_slice(traceback_message(SLICE(TRACEBACK "E: 1\n\nDuring handling of the above exception, another "
                                                   "exception occurred:\n\n" TRACEBACK "F: 2\n")),
                 "F: 2");
    assert_slice(traceback_message(SLICE(" bare text\n")), "bare text");
    assert_null(traceback_user_place(SLICE("File \"a.py\", line x, in f")).file.ptr);
}

static void has_messages(const struct model *model) {
    const struct extras *extras = model->extras;
    assert_int_equal(extras->notices.count, 3);
    assert_int_equal(extras->notices.items[0].count, 2);
    assert_slice(extras->notices.items[0].message, "RuntimeError: no backward today");
    assert_slice(extras->notices.items[1].message, "mm: mat1 and mat2 shapes cannot be multiplied (3x5 and 3x5)");
    assert_slice(extras->notices.items[1].detail, "While executing %matmul : [num_users=1] = x");
    assert_int_equal(extras->notices.items[1].place.line, 43);
    assert_findings(model, "backward_failure",
                    "The backward of `f0` failed to compile ahead of `backward()` | RuntimeError: no backward today");
    /* The one of 2/0 is part of its failure. */
    assert_findings(model, "graph_error",
                    "An operation raised an error while the graph of `f1` was interpreted | mm: mat1 and mat2 shapes "
                    "cannot be multiplied (3x5 and 3x5)");
}

static void keeps_messages(void **state) {
    (void)state;
    struct buf log = {0};
    log_metrics(&log, 0, 0, "");
    log_artifact_of(&log, 0, 0, "eager_compile_backwards_failure", "string",
                    TRACEBACK "RuntimeError: no backward today\n");
    log_artifact_of(&log, 0, 0, "eager_compile_backwards_failure", "string",
                    TRACEBACK "RuntimeError: no backward today\n");
    log_metrics(&log, 1, 0, "");
    log_artifact_of(&log, 1, 0, "fx_interpreter_error", "string", INTERPRETER);
    log_artifact_of(&log, 2, 0, "fx_interpreter_error", "string", INTERPRETER);
    log_metrics(&log, 2, 0,
                "\"fail_type\": \"BackendCompilerFailed\", \"fail_reason\": \"raised: mm: mat1 and mat2 shapes cannot "
                "be multiplied (3x5 and 3x5)\"");
    look_at(&log, has_messages);
}

#define NEW_NODE "Cache miss due to new autograd node: ExpBackward0 (NodeCall 2) with key size 38"

static void captured_once(const struct model *model) {
    assert_findings(model, "autograd_capture", "");
}

static void captured_again(const struct model *model) {
    assert_findings(model, "autograd_capture",
                    "Compiled Autograd captured 2 more backward graphs | Cache miss due to 1 changed tensor shapes "
                    "(total of 1): sizes[3]");
}

static void log_capture(struct buf *log, int id, const char *reasons) {
    char fields[200];
    snprintf(fields, sizeof fields,
             "\"artifact\": {\"name\": \"compiled_autograd_compile_reasons\", \"encoding\": \"json\"}, "
             "\"compiled_autograd_id\": %d, \"attempt\": 0",
             id);
    log_payload(log, fields, reasons);
}

static void reports_captures(void **state) {
    (void)state;
    struct buf log = {0};
    log_capture(&log, 0, "[\"!0: " NEW_NODE "\", \"!0: second reason of the first\"]");
    look_at(&log, captured_once);
    log_capture(&log, 0, "[\"!0: " NEW_NODE "\"]");
    log_capture(&log, 1, "[\"!1: Cache miss due to 1 changed tensor shapes (total of 1): sizes[3]\"]");
    log_capture(&log, 2, "[\"!2: " NEW_NODE "\", \"!2: another\", 7]");
    look_at(&log, captured_again);
}

#define NODE(name, nth)                                                                                                \
    "        # File: a/compiled_autograd.py:1606 in set_node_origin, code: " name " (NodeCall " nth ")\n"
#define ACCUMULATE(before)                                                                                             \
    NODE("torch::autograd::AccumulateGrad", "2")                                                                       \
    "        call_accumulate_grad = torch__dynamo_external_utils_call_accumulate_grad(getitem, " before ", t, "        \
    "False)\n"
#define FORWARD "        # Backward of forward node: File: m.py:9 in step, code: net(x).sum().backward()\n"

static void log_autograd_graph(struct buf *log, int id, const char *graph) {
    char fields[200];
    snprintf(fields, sizeof fields, "\"compiled_autograd_graph\": {}, \"compiled_autograd_id\": %d, \"attempt\": 0",
             id);
    log_payload(log, fields, graph);
}

static void captured_gradients(const struct model *model) {
    assert_findings(model, "autograd_capture",
                    "Compiled Autograd captured 1 backward graph again | The backward with the autograd nodes "
                    "`ExpBackward0`, `torch::autograd::AccumulateGrad` was captured 2 times, first in !0/-/-. The "
                    "graph of !1/-/- adds to gradients that were None in the capture before. "
                    "`TORCH_LOGS=compiled_autograd_verbose` "
                    "adds the reason to the log. Other input sizes may also cause a new capture.");
}

static void captured_each_time(const struct model *model) {
    assert_findings(model, "autograd_capture",
                    "Compiled Autograd captured 3 backward graphs again | The backward with the autograd nodes "
                    "`ExpBackward0`, `torch::autograd::AccumulateGrad` was captured 4 times, first in !0/-/-. The "
                    "graph of !1/-/- adds to gradients that were None in the capture before. "
                    "`TORCH_LOGS=compiled_autograd_verbose` "
                    "adds the reason to the log. Other input sizes may also cause a new capture.");
}

static void log_exp_backward(struct buf *log, int id, const char *last) {
    struct buf graph = {0};
    buf_add_lit(&graph, "def forward(self):\n" NODE("torch::autograd::GraphRoot", "0") NODE("ExpBackward0", "1"));
    buf_add_str(&graph, last);
    buf_add_byte(&graph, 0);
    log_autograd_graph(log, id, graph.ptr);
    buf_free(&graph);
}

/* The nodes of a captured graph say whether it was captured before. */
static void compares_captures(void **state) {
    (void)state;
    struct buf log = {0};
    log_exp_backward(&log, 0, FORWARD ACCUMULATE("None"));
    log_autograd_graph(&log, 7,
                       "def forward(self):\n" NODE("torch::autograd::GraphRoot", "0") NODE("SinBackward0", "1"));
    log_autograd_graph(&log, 8, "def forward(self):\n        return []\n"); /* names no node */
    log_autograd_graph(&log, 9, "def forward(self):\n        return []\n");
    look_at(&log, captured_once);
    log_exp_backward(&log, 0, FORWARD ACCUMULATE("None"));
    log_exp_backward(&log, 1, ACCUMULATE("getitem_2"));
    look_at(&log, captured_gradients);
    log_exp_backward(&log, 0, FORWARD ACCUMULATE("None"));
    for (int id = 1; id < 4; id++)
        log_exp_backward(&log, id, ACCUMULATE("getitem_2"));
    look_at(&log, captured_each_time);
}

#define HOOK "        call_hook = torch__dynamo_external_utils_call_hook(h, t, hook_type = 'tensor_pre_hook')\n"

static void captured_hooks(const struct model *model) {
    assert_findings(
        model, "autograd_capture",
        "Compiled Autograd captured 2 backward graphs again | The backward with the autograd nodes "
        "`ExpBackward0`, `torch::autograd::AccumulateGrad` was captured 3 times, first in !0/-/-. The graph "
        "of !1/-/- calls what that of !0/-/- calls, with 1 more `tensor_pre_hook`. The graph of !2/-/- calls "
        "what that of !1/-/- calls, with 1 fewer `tensor_pre_hook`. `TORCH_LOGS=compiled_autograd_verbose` "
        "adds the reason to the log. Other input sizes may also cause a new capture.");
}

static void captured_unexplained(const struct model *model) {
    assert_findings(
        model, "autograd_capture",
        "Compiled Autograd captured 2 backward graphs again | The backward with the autograd nodes "
        "`ExpBackward0`, `torch::autograd::AccumulateGrad` was captured 3 times, first in !0/-/-. "
        "`TORCH_LOGS=compiled_autograd_verbose` adds the reason to the log. Other input sizes may also cause a "
        "new capture.");
}

/* Captures that differ by hooks alone, and others that differ by other calls as well. */
static void compares_hooks_of_captures(void **state) {
    (void)state;
    struct buf log = {0};
    log_exp_backward(&log, 0, FORWARD ACCUMULATE("None"));
    log_exp_backward(&log, 1, HOOK ACCUMULATE("None"));
    log_exp_backward(&log, 2, ACCUMULATE("None"));
    look_at(&log, captured_hooks);
    log_exp_backward(&log, 0, FORWARD ACCUMULATE("None"));
    log_exp_backward(&log, 1, HOOK ACCUMULATE("None") "        t = torch.ops.aten.t.default(x)\n");
    log_exp_backward(&log, 2, HOOK ACCUMULATE("None"));
    look_at(&log, captured_unexplained);
}

/* Workers: subproc_pool.py, _log_sidecar_death_diagnostics() and _handle_worker_status(). */

static void advises_a_single_process(const struct model *model) {
    struct chains chains = {0};
    struct findings findings = {0};
    chains_find(&chains, model);
    chains_advise(&chains, model);
    findings_find(&findings, model, &chains);
    assert_slice(findings.list.items[0].advice,
                 "Run again with `TORCHINDUCTOR_COMPILE_THREADS=1` to compile in the main process.");
    findings_finish(&findings);
    chains_finish(&chains);
}

static void died(const struct model *model) {
    assert_findings(model, "compile_worker_death",
                    "The compile worker process 77 was killed by signal 9 | Pending compile jobs failed. Its last "
                    "output begins: out of memory\n"
                    "The compile worker process 78 exited unexpectedly with code 3 | Pending compile jobs failed. The "
                    "log has no output of the process.");
    advises_a_single_process(model);
}

static void died_in_compile(const struct model *model) {
    assert_ids(model, &model->extras->notices.items[0].compile, 1, "1/0");
    assert_findings(model, "compile_worker_death", ""); /* the failure has it */
}

static void reports_worker_deaths(void **state) {
    (void)state;
    struct buf log = {0};
    log_payload(&log, "\"artifact\": {\"name\": \"compile_worker_sidecar_death\", \"encoding\": \"string\"}",
                "sidecar pid=77 returncode=-9\n\nout of memory\nbye\n");
    log_payload(&log, "\"artifact\": {\"name\": \"compile_worker_sidecar_death\", \"encoding\": \"string\"}",
                "sidecar pid=78 returncode=3\n\n");
    /* A failure outside of compiles that does not name a worker is unrelated. */
    log_record(&log, "\"compilation_metrics\": {\"fail_type\": \"E\", \"fail_reason\": \"x (pid 77)\"}");
    look_at(&log, died);
    log_payload(&log, "\"artifact\": {\"name\": \"compile_worker_sidecar_death\", \"encoding\": \"string\"}",
                "sidecar pid=77 returncode=-9\n\nout of memory\n");
    log_metrics(&log, 1, 0,
                "\"fail_type\": \"BackendCompilerFailed\", \"fail_reason\": \"Inductor compile worker sidecar (pid 77) "
                "exited unexpectedly with code -9 during compilation.\"");
    look_at(&log, died_in_compile);
}

static void has_jobs(const struct model *model) {
    assert_json(model, "{\"compile_workers\":{\"jobs\":["
                       "{\"compile\":\"0/0\",\"process\":1500233,\"job\":0,\"worker_pid\":16515,\"phase\":\"running\","
                       "\"elapsed_us\":2000000,\"phase_elapsed_us\":1500000,\"reports\":2,\"line\":2},"
                       "{\"compile\":\"-/-\",\"process\":1500233,\"job\":1,\"worker_pid\":null,\"phase\":null,"
                       "\"elapsed_us\":61000000,\"phase_elapsed_us\":null,\"reports\":1,\"line\":6}],\"more\":0}}");
}

static void log_status(struct buf *log, const char *status) {
    log_payload(log, "\"artifact\": {\"name\": \"compile_worker_status\", \"encoding\": \"json\"}", status);
}

static void attaches_jobs(void **state) {
    (void)state;
    struct buf log = {0};
    log_metrics(&log, 0, 0, "");
    log_status(&log, "{\"job_id\": 0, \"elapsed_s\": 1.0, \"phase\": \"queued\", \"compile_id\": \"0/0\"}");
    log_status(&log, "{\"job_id\": 0, \"elapsed_s\": 2.0, \"phase\": \"running\", \"phase_elapsed_s\": 1.5, "
                     "\"worker_pid\": 16515, \"compile_id\": \"0/0_1\"}");
    log_status(&log, "{\"job_id\": 1, \"elapsed_s\": 61, \"compile_id\": null}");
    log_status(&log, "{\"elapsed_s\": 1}");
    look_at(&log, has_jobs);
}

/* native_dsl_compile: torch/_native/instrumentation.py. */
static void has_natives(const struct model *model) {
    assert_json(model, "{\"native_kernels\":{\"list\":["
                       "{\"op\":\"aten::topk\",\"dsl\":\"cutedsl\",\"calls\":3,\"compiled\":2,\"compile_us\":310,"
                       "\"line\":1}],\"more\":0}}");
}

static void counts_natives(void **state) {
    (void)state;
    struct buf log = {0};
    const char *times[] = {"true, \"wall_ms\": 0.11", "false, \"wall_ms\": 5", "true, \"wall_ms\": 0.2"};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        char json[200];
        snprintf(json, sizeof json, "{\"compiled\": %s, \"dsl\": \"cutedsl\", \"op\": \"aten::topk\"}", times[i]);
        log_artifact(&log, "native_dsl_compile", "json", json);
    }
    look_at(&log, has_natives);
}

static void has_duplicate(const struct model *model) {
    assert_findings(model, "duplicate_backward",
                    "Subgraph `subgraph_0` has 3 backward graphs | There is one for each combination of shape, stride, "
                    "dtype and device of the gradients. The latest is for arg2_1: torch.float32 [4,4], stride [4,1]");
}

static void reports_duplicates(void **state) {
    (void)state;
    struct buf log = {0};
    for (int variants = 2; variants < 4; variants++) {
        char json[400];
        snprintf(json, sizeof json,
                 "{\"forward_identifier\": \"subgraph_0\", \"num_variants_for_identifier\": %d, \"new_variant\": "
                 "{\"tangents\": [{\"backward_input_name\": \"arg2_1\", \"shape\": [4, 4], \"stride\": [4, 1], "
                 "\"dtype\": \"torch.float32\"}]}, \"explanation\": \"it caches\"}",
                 variants);
        log_artifact(&log, "invoke_subgraph_backward_duplicate", "json", json);
    }
    look_at(&log, has_duplicate);
}

/* Metrics after a compile: those of lazy_backward have a duration and Inductor's time, but no part. */
static void spent_run_time(const struct model *model) {
    const struct compile *compile = model->compiles.items[place_of_compile(model, "0/0")],
                         *other = model->compiles.items[place_of_compile(model, "1/0")];
    struct buf json = {0};
    struct jsonw w = {.out = &json};
    jsonw_object(&w, NULL);
    runtime_parts_write(&w, compile);
    jsonw_end_object(&w);
    assert_buf(&json, "{\"runtime_parts_us\":{\"autotune\":7,\"cudagraphs\":40,\"compile\":770,\"other\":5}}");
    assert_int_equal(compile->runtime_us, 7 + 40 + 770 + 5);
    json.len = 0;
    w = (struct jsonw){.out = &json};
    jsonw_object(&w, NULL);
    runtime_parts_write(&w, other);
    jsonw_end_object(&w);
    assert_buf(&json, "{}");
    buf_free(&json);
}

static void splits_run_time(void **state) {
    (void)state;
    struct buf log = {0};
    log_metrics(&log, 0, 0, "\"duration_us\": 100");
    log_metrics(&log, 1, 0, "\"duration_us\": 100");
    log_record(&log,
               "\"compilation_metrics_runtime\": {\"runtime_triton_autotune_time_us\": 7, \"duration_us\": 9}, " ID0);
    log_record(&log, "\"bwd_compilation_metrics_runtime\": {\"runtime_cudagraphify_time_us\": 40}, " ID0);
    log_record(&log, "\"compilation_metrics_runtime\": {\"inductor_cumulative_compile_time_us\": 763, "
                     "\"runtime_triton_autotune_time_us\": null, \"duration_us\": 770}, " ID0);
    log_record(&log, "\"compilation_metrics_runtime\": {\"duration_us\": 5}, " ID0);
    look_at(&log, spent_run_time);
}

static void was_loaded(const struct model *model) {
    struct stages stages;
    stages_of(&stages, model, model->compiles.items[place_of_compile(model, "0/0")]);
    assert_int_equal(stages.rows[STAGE_CODE].state, STAGE_CACHED);
    assert_string_equal(stages.rows[STAGE_CODE].why, "AOTAutograd cache hit; the entry bundles the code");
    stages_free(&stages);
}

static void a_bundled_hit_is_a_cached_stage(void **state) {
    (void)state;
    struct buf log = {0};
    log_payload(&log, "\"dynamo_output_graph\": {}, " ID0, "def forward(self):\n  x = 1\n  return x");
    log_artifact(&log, "fx_graph_bundled_cache_hit", "json", "{}");
    log_metrics(&log, 0, 0, "");
    look_at(&log, was_loaded);
}

static void are_bounded(const struct model *model) {
    assert_int_equal(model->extras->notices.count, NOTICES_MAX);
    assert_int_equal(model->extras->more_notices, 5);
    assert_true(model->extras->notices.items[0].message.len <= NOTICE_MESSAGE_MAX);
    assert_int_equal(model->extras->natives.count, 1);
}

static void bounds_lists(void **state) {
    (void)state;
    struct buf log = {0};
    char *text = malloc(10000);
    for (int i = 0; i < NOTICES_MAX + 5; i++) {
        int len = snprintf(text, 10000, "%d ", i);
        memset(text + len, 'x', 5000);
        text[len + 5000] = 0;
        log_artifact(&log, "inductor_overlap_cyclic_extra_deps", "string", text);
    }
    log_artifact(&log, "native_dsl_compile", "json", "{}");
    log_artifact(&log, "native_dsl_compile", "json", "[]");
    log_artifact(&log, "compile_worker_status", "json", "no JSON");
    log_artifact(&log, "compiled_autograd_compile_reasons", "json", "{}");
    free(text);
    look_at(&log, are_bounded);
}

/* A call of AOTAutograd for frame 0: its joint graph and its backward. */
static void log_aot_call(struct buf *log, int compile, const char *inputs, const char *more) {
    char fields[200], graph[400];
    snprintf(fields, sizeof fields,
             "\"aot_joint_graph\": {}, \"frame_id\": 0, \"frame_compile_id\": %d, \"attempt\": 0", compile);
    log_payload(log, fields, "joint");
    snprintf(fields, sizeof fields,
             "\"aot_backward_graph\": {}, \"frame_id\": 0, \"frame_compile_id\": %d, \"attempt\": 0", compile);
    snprintf(graph, sizeof graph,
             "class GraphModule(torch.nn.Module):\n    def forward(%s):\n        t: \"f32[3, 2]\" = "
             "torch.ops.aten.t.default(tangents_1);  tangents_1 = None\n%s        return [t, None]\n",
             inputs, more);
    log_payload(log, fields, graph);
}

static void log_part(struct buf *log, int id, const char *number, const char *nodes) {
    struct buf graph = {0};
    buf_addf(&graph, "def forward(self):\n" NODE("CompiledFunctionBackward%s", "1"), number);
    buf_addf(&graph, "%s        call_accumulate_grad = f(t);  call_accumulate_grad = None\n%c", nodes, 0);
    log_autograd_graph(log, id, graph.ptr);
    buf_free(&graph);
}

static const char *captured_of(const struct model *model, const char *key) {
    for (size_t i = 0; i < model->compiles.count; i++)
        if (slice_is(model->compiles.items[i]->key, key))
            return model->compiles.items[i]->captured;
    fail_msg("there is no compile %s", key);
    return NULL;
}

static void joined(const struct model *model) {
    assert_string_equal(captured_of(model, "0/0"), "captured by Compiled Autograd at run time, in !0/-/-");
    assert_string_equal(captured_of(model, "0/1"), "captured by Compiled Autograd at run time, in !1/5/0 and !2/-/-");
    assert_string_equal(captured_of(model, "!1/5/0"), "the backward of 0/1");
}

static void joined_none(const struct model *model) {
    assert_null(captured_of(model, "0/0"));
    assert_null(captured_of(model, "0/1"));
}

/* The number in CompiledFunctionBackward is that of the call of AOTAutograd, and its nodes are those of the backward. */
static void joins_captures_to_backwards(void **state) {
    static const char one[] = "        aot0_tangents_1 = p[0]\n        aot0_t = t(aot0_tangents_1)\n",
                      two[] = "        aot2_primals_4 = p[0]\n        aot2_tangents_1 = p[1]\n"
                              "        aot2_t = t(aot2_tangents_1)\n        aot2_mm = f(aot2_t)\n",
                      twice[] = "        aot2_primals_4 = p[0]\n        aot2_tangents_1 = p[1]\n"
                                "        aot2_t = t(aot2_tangents_1)\n        aot2_mm = f(aot2_t)\n"
                                "        aot2_1_primals_4 = p[0]\n        aot2_1_tangents_1 = p[1]\n"
                                "        aot2_1_t = t(g)\n        aot2_1_mm = f(t)\n";
    static const char *const inputs =
        "\n        self,\n        primals_4: \"f32[s77, 3][3, 1]cpu\",  # Input(idx=3), a\n"
        "        tangents_1: \"f32[][]cpu\",\n    ";
    struct buf log = {0}, lost = {0}, other = {0}, far = {0};
    (void)state;
    log_aot_call(&log, 0, "self, tangents_1: \"f32[2, 3]\"", "");
    log_payload(&log, "\"aot_inference_graph\": {}, \"frame_id\": 2, \"frame_compile_id\": 0, \"attempt\": 0", "g");
    log_aot_call(&log, 1, inputs, "        mm: \"f32[2]\" = torch.ops.aten.mm.default(t, primals_4)\n");
    buf_add(&far, buf_slice(&log));
    log_part(&log, 0, "0", one);
    log_part(&log, 1, "2", two);
    log_record(&log, "\"compilation_metrics\": {\"co_name\": \"forward\", \"co_filename\": \"<eval_with_key>.5\"}, "
                     "\"compiled_autograd_id\": 1, \"frame_id\": 5, \"frame_compile_id\": 0, \"attempt\": 0");
    log_part(&log, 2, "2", twice);
    look_at(&log, joined);
    /* A call that the log lacks: the numbers are those of other graphs. */
    log_aot_call(&lost, 0, "self, tangents_1: \"f32[2, 3]\"", "");
    log_aot_call(&lost, 1, inputs, "        mm: \"f32[2]\" = torch.ops.aten.mm.default(t, primals_4)\n");
    log_part(&lost, 0, "0", one);
    log_part(&lost, 1, "2", two);
    look_at(&lost, joined_none);
    /* Other nodes than the backward with the number. */
    log_aot_call(&other, 0, "self, tangents_1: \"f32[2, 3]\", primals_1: \"f32[]\"", "");
    log_aot_call(&other, 1, inputs, "");
    log_part(&other, 0, "0", one);
    look_at(&other, joined_none);
    log_part(&far, 0, "18446744073709551615", "        aot18446744073709551615_t = f(x)\n");
    look_at(&far, joined_none);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_caches),
        cmocka_unit_test(reads_profiles),
        cmocka_unit_test(accepts_malformed_profiles),
        cmocka_unit_test(bounds_profiles),
        cmocka_unit_test(reads_tracebacks),
        cmocka_unit_test(keeps_messages),
        cmocka_unit_test(reports_captures),
        cmocka_unit_test(compares_captures),
        cmocka_unit_test(compares_hooks_of_captures),
        cmocka_unit_test(joins_captures_to_backwards),
        cmocka_unit_test(reports_worker_deaths),
        cmocka_unit_test(attaches_jobs),
        cmocka_unit_test(counts_natives),
        cmocka_unit_test(reports_duplicates),
        cmocka_unit_test(splits_run_time),
        cmocka_unit_test(a_bundled_hit_is_a_cached_stage),
        cmocka_unit_test(bounds_lists),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}

/* Rare records: about caches, compile workers, native kernels, profiles, and failures that PyTorch ignored. The comment
 * on each function names the part of PyTorch that writes its record. */
#include "kinds/records.h"

#include "kinds/fold.h"
#include "model/extras.h"
#include "model/set_settings.h"
#include "scan/record_tables.h"
#include "scan/side_effects.h"

static struct notice notice_of(struct fold *fold, enum notice_kind kind) {
    return (struct notice){.kind = kind,
                           .compile = fold->model->folders.items[fold->folder].compile,
                           .variants = -1,
                           .line = fold->line};
}

/* torch/_dynamo/compiled_autograd.py, log_compile_reasons(): a list of texts, each "!1: Cache miss due to …". The id is
 * the compile's own. */
static void note_autograd_reasons(struct fold *fold, const struct node *node) {
    yyjson_val *json = node->json;
    size_t i, max;
    yyjson_val *item;
    yyjson_arr_foreach(json, i, max, item) {
        struct notice notice = notice_of(fold, NOTICE_AUTOGRAD_REASON);
        struct slice text = json_text(item);
        size_t colon = slice_find(text, SLICE(": "));
        if (!text.len)
            continue;
        notice.message = text.ptr[0] == '!' && colon != SIZE_MAX ? slice_from(text, colon + 2) : text;
        extras_add_notice(fold->model, &notice);
    }
}

/* torch/_functorch/_aot_autograd/graph_compile.py, _aot_stage2b_bw_compile(): a traceback. */
static void note_backward_failure(struct fold *fold, struct slice payload) {
    struct notice notice = notice_of(fold, NOTICE_BACKWARD_FAILURE);
    notice.message = traceback_message(payload);
    notice.place = traceback_user_place(payload);
    extras_add_notice(fold->model, &notice);
}

/* torch/fx/interpreter.py, Interpreter.run(): "<message>\n\nWhile executing <node>\nOriginal traceback:\n<stack>\n
 * GraphModule: <graph>". */
static void note_interpreter_error(struct fold *fold, struct slice payload) {
    struct notice notice = notice_of(fold, NOTICE_INTERPRETER_ERROR);
    size_t node = slice_find(payload, SLICE("While executing ")), graph = slice_find(payload, SLICE("\nGraphModule: "));
    struct slice head = slice_first(payload, graph), rest = head;
    size_t stack = slice_find(head, SLICE("\nOriginal traceback:\n"));
    notice.message = slice_first(head, node);
    if (node != SIZE_MAX) {
        rest = slice_from(head, node);
        slice_next_line(&rest, &notice.detail);
    }
    if (!slice_trim(notice.message).len) {
        notice.message = notice.detail;
        notice.detail = (struct slice){0};
    }
    if (stack != SIZE_MAX)
        notice.place = traceback_user_place(slice_from(head, stack));
    extras_add_notice(fold->model, &notice);
}

/* torch/_inductor/compile_worker/subproc_pool.py, _log_sidecar_death_diagnostics():
 * "sidecar pid=<n> returncode=<n>\n\n<last output>". */
static void note_worker_death(struct fold *fold, struct slice payload) {
    struct notice notice = notice_of(fold, NOTICE_WORKER_DEATH);
    slice_next_line(&payload, &notice.message);
    notice.detail = payload;
    extras_add_notice(fold->model, &notice);
}

/* torch/_dynamo/output_graph.py, bypass_package(): {"_reason", "traceback"?}. */
static void note_precompile_bypass(struct fold *fold, const struct node *node) {
    yyjson_val *json = node->json;
    struct notice notice = notice_of(fold, NOTICE_PRECOMPILE_BYPASS);
    notice.message = json_get_text(json, "_reason");
    extras_add_cache(fold->model, fold_compile(fold), CACHE_PRECOMPILE, OUTCOME_BYPASS, notice.message);
    extras_add_notice(fold->model, &notice);
}

/* torch/_dynamo/package.py, PrecompileCacheEntry.from_cache_entry(): {"entry": {"fn_name", …}, "missing_backend"}. */
static void note_package_bypass(struct fold *fold, const struct node *node) {
    yyjson_val *json = node->json;
    struct notice notice = notice_of(fold, NOTICE_PACKAGE_BYPASS);
    AUTO_BUF text = {0};
    BUF_ADD(&text, "no backend ", json_get_text(json, "missing_backend"));
    notice.message = buf_slice(&text);
    notice.subject = json_get_text(json_get(json, "entry"), "fn_name");
    extras_add_cache(fold->model, fold_compile(fold), CACHE_DYNAMO, OUTCOME_BYPASS, notice.message);
    extras_add_notice(fold->model, &notice);
}

/* torch/_dynamo/precompile_context.py, create_cache_entries(): {"key", "error"}. */
static void note_package_error(struct fold *fold, const struct node *node) {
    yyjson_val *json = node->json;
    struct notice notice = notice_of(fold, NOTICE_PACKAGE_ERROR);
    notice.message = json_get_text(json, "error");
    notice.detail = json_get_text(json, "key");
    extras_add_cache(fold->model, fold_compile(fold), CACHE_DYNAMO, OUTCOME_EXCEPTION, notice.message);
    extras_add_notice(fold->model, &notice);
}

/* torch/_functorch/_aot_autograd/autograd_cache.py, AOTAutogradCache._pickle_entry(): {"error", "field"}. */
static void note_pickle_failure(struct fold *fold, const struct node *node) {
    yyjson_val *json = node->json;
    struct notice notice = notice_of(fold, NOTICE_PICKLE_FAILURE);
    notice.message = json_get_text(json, "error");
    notice.detail = json_get_text(json, "field");
    extras_add_cache(fold->model, fold_compile(fold), CACHE_AOTAUTOGRAD, OUTCOME_PICKLE_FAILURE, notice.message);
    extras_add_notice(fold->model, &notice);
}

/* Parses the payload again, with parsed numbers: in an artifact, numbers keep their text. NULL if it is not JSON. */
static yyjson_val *with_numbers(struct fold *fold, const struct node *node) {
    struct slice text = node->json_text;
    yyjson_val *json = NULL;
    return json_read(&text, JSON_NUMBERS, fold->arena, &json) == JSON_BAD ? NULL : json;
}

static void add_list(struct buf *out, yyjson_val *list) {
    if (!yyjson_is_arr(list))
        return;
    buf_add_byte(out, ' ');
    json_add_value(out, list);
}

/* torch/_higher_order_ops/invoke_subgraph.py: the identifier, its current number of backwards, and the tangents of the
 * new one. */
static void note_duplicate(struct fold *fold, const struct node *node) {
    yyjson_val *json = node->json;
    struct notice notice = notice_of(fold, NOTICE_DUPLICATE);
    AUTO_BUF tangents = {0};
    uint64_t variants;
    size_t i, max;
    yyjson_val *tangent;
    yyjson_arr_foreach(json_get(json_get(json, "new_variant"), "tangents"), i, max, tangent) {
        struct slice name = json_get_text(tangent, "backward_input_name"), dtype = json_get_text(tangent, "dtype");
        if (tangents.len > NOTICE_DETAIL_MAX)
            break;
        BUF_ADD(&tangents, i ? "\n" : "", name.ptr ? name : SLICE("gradient"), ": ",
                dtype.ptr ? dtype : json_get_text(tangent, "type"));
        add_list(&tangents, json_get(tangent, "shape"));
        buf_add_str(&tangents, json_get(tangent, "stride") ? ", stride" : "");
        add_list(&tangents, json_get(tangent, "stride"));
    }
    notice.subject = json_get_text(json, "forward_identifier");
    notice.message = json_get_text(json, "explanation");
    notice.detail = buf_slice(&tangents);
    if (json_to_u64(json_get(with_numbers(fold, node), "num_variants_for_identifier"), &variants) && variants < 1000000)
        notice.variants = (int64_t)variants;
    extras_add_notice(fold->model, &notice);
}

/* torch/_inductor/augmented_graph_helper.py, check_and_maybe_autofix_cyclic_extra_deps(): a sentence. */
static void note_cyclic_deps(struct fold *fold, struct slice payload) {
    struct notice notice = notice_of(fold, NOTICE_CYCLIC_DEPS);
    notice.message = payload;
    extras_add_notice(fold->model, &notice);
}

/* Seconds as a floating-point number, in microseconds; -1 if missing. */
static int64_t microseconds(yyjson_val *json, const char *key, double unit) {
    double time;
    if (!json_to_double(json_get(json, key), &time) || !(time >= 0) || time * unit > 1e15)
        return -1;
    return (int64_t)(time * unit + 0.5);
}

/* torch/_inductor/compile_worker/subproc_pool.py, _report_status() and _handle_worker_status(): {"job_id",
 * "elapsed_s", "phase"?, "phase_elapsed_s"?, "worker_pid"?, "compile_id"}. The compile id is in the payload, not in the
 * envelope. */
static void note_worker_status(struct fold *fold, const struct node *node) {
    yyjson_val *json = with_numbers(fold, node);
    struct model *model = fold->model;
    uint64_t number, process = fold->process->id;
    if (!json_to_u64(json_get(json, "job_id"), &number))
        return;
    struct worker_job *job = extras_job(model, process, number);
    if (!job)
        return;
    struct slice id = json_get_text(json, "compile_id"), phase = json_get_text(json, "phase");
    size_t attempt = slice_find(id, SLICE("_")); /* "0/0_1" is 0/0 */
    struct compile *compile = id.len ? model_newest(model, process, slice_first(id, attempt)) : NULL;
    if (!job->reports++) {
        job->line = fold->line;
        job->compile = model->folders.items[fold->folder].compile;
    }
    if (compile)
        job->compile = compile->index;
    if (!slice_eq(job->phase, phase))
        job->phase = model_copy(model, slice_first(phase, PGO_TEXT_MAX));
    job->elapsed_us = microseconds(json, "elapsed_s", 1e6);
    job->phase_elapsed_us = microseconds(json, "phase_elapsed_s", 1e6);
    if (json_to_u64(json_get(json, "worker_pid"), &number) && number < INT32_MAX)
        job->pid = (int64_t)number;
}

/* torch/_native/instrumentation.py, CompileEvent: {"op", "dsl", "outcome", "compiled", "wall_ms", "key", "hits",
 * "misses"}. */
static void note_native(struct fold *fold, const struct node *node) {
    yyjson_val *json = with_numbers(fold, node);
    struct native_kernel *kernel = extras_native(fold->model, json_get_text(json, "op"), json_get_text(json, "dsl"));
    int64_t us = microseconds(json, "wall_ms", 1e3);
    if (!kernel)
        return;
    if (!kernel->calls++)
        kernel->line = fold->line;
    if (!json_truthy(json_get(json, "compiled")))
        return;
    kernel->compiled++;
    if (us > 0 && kernel->compile_us < INT64_C(1000000000000000))
        kernel->compile_us += us;
}

/* torch/_inductor/fx_passes/fsdp.py, _collect_collective_sizes(): [{"type": "AG", "size_mb", "name"}]. Here, a MB has
 * 2^20 bytes. */
static void note_bucketing(struct fold *fold, const struct node *node, bool after) {
    yyjson_val *json = with_numbers(fold, node);
    static const struct slice kinds[] = {SLICE_INIT("AG"), SLICE_INIT("RS"), SLICE_INIT("AR")};
    struct bucketing *bucketing =
        yyjson_is_arr(json) ? extras_bucketing(fold->model, fold->model->folders.items[fold->folder].compile, after)
                            : NULL;
    size_t i, max;
    yyjson_val *item;
    if (!bucketing)
        return;
    struct bucket_side *side = after ? &bucketing->after : &bucketing->before;
    *side = (struct bucket_side){.known = true, .line = fold->line};
    yyjson_arr_foreach(json, i, max, item) {
        double mib;
        int kind = 0;
        while (kind < BUCKET_OTHER && !slice_eq(json_get_text(item, "type"), kinds[kind]))
            kind++;
        side->count[kind]++;
        if (json_to_double(json_get(item, "size_mb"), &mib) && mib >= 0 && mib < 1e12)
            side->mib[kind] += mib;
    }
}

static int64_t part_of(yyjson_val *value, const char *key) {
    uint64_t us;
    return json_to_u64(json_get(value, key), &us) && us < UINT64_C(1000000000000000) ? (int64_t)us : 0;
}

/* torch/_dynamo/utils.py, record_compilation_metrics(): metrics whose is_runtime is true. By the same rule as for
 * runtime_us, the duration counts if no part is named. */
void extras_note_runtime(struct compile *compile, yyjson_val *value) {
    bool autotune = json_get(value, "runtime_triton_autotune_time_us") &&
                    !yyjson_is_null(json_get(value, "runtime_triton_autotune_time_us")),
         cudagraphs = json_get(value, "runtime_cudagraphify_time_us") &&
                      !yyjson_is_null(json_get(value, "runtime_cudagraphify_time_us"));
    bool compiles =
        part_of(value, "inductor_cumulative_compile_time_us") || part_of(value, "backward_cumulative_compile_time_us");
    compile->runtime_parts_us[RUNTIME_AUTOTUNE] += part_of(value, "runtime_triton_autotune_time_us");
    compile->runtime_parts_us[RUNTIME_CUDAGRAPHS] += part_of(value, "runtime_cudagraphify_time_us");
    if (!autotune && !cudagraphs)
        compile->runtime_parts_us[compiles ? RUNTIME_COMPILE : RUNTIME_OTHER] += part_of(value, "duration_us");
}

/* See scan/side_effects.h. The latest attempt counts. */
static void note_side_effects(struct fold *fold, struct slice payload) {
    struct compile *compile = fold->model->compiles.items[fold->model->folders.items[fold->folder].compile];
    struct side_effects effects = {.text = payload};
    AUTO_BUF source = {0};
    compile->changed.count = 0;
    while (compile->changed.count < CHANGED_MAX && side_effects_next(&effects, &source)) {
        struct arena *arena = &fold->model->arena;
        ARENA_GROW(arena, &compile->changed);
        struct changed *changed = &compile->changed.items[compile->changed.count++];
        *changed = (struct changed){.source = arena_slice(arena, buf_slice(&source)), .place.line = effects.line.line};
        if (effects.line.file.ptr) {
            changed->place.file = arena_slice(arena, effects.line.file);
            changed->place.function = arena_slice(arena, effects.line.function);
        }
        if (effects.called.ptr) {
            changed->called = arena_slice(arena, effects.called);
            changed->caller = (struct place){.file = arena_slice(arena, effects.caller.file),
                                             .function = arena_slice(arena, effects.caller.function),
                                             .line = effects.caller.line};
        }
        source.len = 0;
    }
}

/* torch/_dynamo/precompile_context.py, create_cache_entries(): {"num_entries", "artifacts"}, for the whole context. */
static void note_entries(struct fold *fold, const struct node *node) {
    yyjson_val *json = with_numbers(fold, node);
    uint64_t count;
    if (json_to_u64(json_get(json, "num_entries"), &count) && count < INT32_MAX)
        extras_of(fold->model)->cache_entries = (int64_t)count;
}

/* torch/fx/experimental/proxy_tensor.py: the code of the graph traced so far, with the user's lines as comments. */
static void note_partial_trace(struct fold *fold, struct slice payload) {
    static const struct slice file = SLICE_INIT("# File: "),
                              backward = SLICE_INIT("# Backward of forward node: File: ");
    struct notice notice = notice_of(fold, NOTICE_PARTIAL_TRACE);
    struct slice line;
    while (slice_next_line(&payload, &line)) {
        struct slice text = slice_trim(line);
        bool of_backward = slice_starts(text, backward);
        if (of_backward || slice_starts(text, file)) { /* "# File: a.py:8 in forward, code: if x.sum() > 0:" */
            static const struct slice before = SLICE_INIT(", code: ");
            struct slice at = slice_from(text, of_backward ? backward.len : file.len);
            size_t code = slice_find(at, before);
            notice.code = code == SIZE_MAX ? (struct slice){0} : slice_from(at, code + before.len);
            at = slice_first(at, code);
            size_t in = slice_find(at, SLICE(" in ")), colon = slice_rfind_byte(slice_first(at, in), ':');
            struct place place = {.file = slice_first(at, colon),
                                  .function = in != SIZE_MAX ? slice_from(at, in + 4) : (struct slice){0}};
            if (colon != SIZE_MAX && slice_to_u64(slice_from(slice_first(at, in), colon + 1), &place.line))
                notice.place = place;
            notice.backward = of_backward;
        } else if (slice_find(text, SLICE(" = ")) != SIZE_MAX) {
            notice.message = slice_first(text, slice_find(text, SLICE(";"))); /* the rest frees names */
        }
    }
    extras_add_notice(fold->model, &notice);
}

/* Converts artifacts to tables of the page. */
static void note_tables(struct fold *fold, struct slice name, struct slice payload, yyjson_val *json) {
    struct table_record record = {.name = name, .text = payload, .json = json, .line = fold->line};
    AUTO_BUF tables = {0};
    if (record_tables_read(&record, &tables))
        extras_add_table(fold->model, fold->model->folders.items[fold->folder].compile, buf_slice(&tables));
}

/* torch/_functorch/_aot_autograd/autograd_cache.py: an entry of the AOTAutograd cache included its code. */
static void note_bundled_hit(struct fold *fold, const struct node *node) {
    (void)node;
    extras_add_cache(fold->model, fold_compile(fold), CACHE_FX_GRAPH_BUNDLED, OUTCOME_HIT, (struct slice){0});
}

static void note_sizes_before(struct fold *fold, const struct node *node) {
    note_bucketing(fold, node, false);
}

static void note_sizes_after(struct fold *fold, const struct node *node) {
    note_bucketing(fold, node, true);
}

/* torch/_dynamo/debug_utils.py, generate_config_string(): the statements before the code of the graph. */
static void note_set_settings(struct fold *fold, struct slice payload) {
    set_settings_note(fold->model, fold->model->folders.items[fold->folder].compile, payload);
}

/* A reader of an artifact: takes the payload as text, or the JSON of the node. */
struct reader {
    const char *name;
    void (*text)(struct fold *fold, struct slice payload);
    void (*json)(struct fold *fold, const struct node *node);
};

/* Sorted by name. */
static const struct reader readers[] = {
    {"aotautograd_cache_pickle_failure", .json = note_pickle_failure},
    {"compile_worker_sidecar_death", .text = note_worker_death},
    {"compile_worker_status", .json = note_worker_status},
    {"compiled_autograd_compile_reasons", .json = note_autograd_reasons},
    {"dynamo_cache_bypass", .json = note_package_bypass},
    {"dynamo_cache_entries", .json = note_entries},
    {"dynamo_cache_exception", .json = note_package_error},
    {"dynamo_side_effects", .text = note_side_effects},
    {"eager_compile_backwards_failure", .text = note_backward_failure},
    {"fx_graph_bundled_cache_hit", .json = note_bundled_hit},
    {"fx_graph_runnable", .text = note_set_settings},
    {"fx_interpreter_error", .text = note_interpreter_error},
    {"inductor_overlap_cyclic_extra_deps", .text = note_cyclic_deps},
    {"invoke_subgraph_backward_duplicate", .json = note_duplicate},
    {"make_fx_fail_partial", .text = note_partial_trace},
    {"native_dsl_compile", .json = note_native},
    {"pre_bucketing_collective_sizes", .json = note_sizes_before},
    {"pre_bucketing_collective_sizes_after", .json = note_sizes_after},
    {"precompile_cache_bypass", .json = note_precompile_bypass},
};

static int compare_reader(const void *key, const void *row) {
    return slice_cmp(*(const struct slice *)key, slice_str(((const struct reader *)row)->name));
}

/* Dynamo's profile. The name of the artifact depends on the store. */
static bool note_profile(struct fold *fold, struct slice name, struct slice payload) {
    struct pgo_record profile = {.compile = fold->model->folders.items[fold->folder].compile, .line = fold->line};
    if (!pgo_name(name, &profile.store, &profile.written))
        return false;
    pgo_add(&extras_of(fold->model)->pgo, fold->model, fold->process->id, &profile, payload);
    return true;
}

void extras_note(struct fold *fold, const struct node *node, struct slice name, struct slice payload) {
    note_tables(fold, name, payload, node->json);
    if (note_profile(fold, name, payload))
        return;
    const struct reader *reader =
        bsearch(&name, readers, sizeof readers / sizeof *readers, sizeof *readers, compare_reader);
    if (!reader)
        return;
    if (reader->text)
        reader->text(fold, payload);
    else if (node->json)
        reader->json(fold, node);
}

/* Artifacts with known names: the reasons for graph breaks, recompiles and cache misses. */

#include "kinds/records.h"

#include "kinds/fold.h"
#include "lowering/kernels.h"
#include "model/cache_keys.h"
#include "recompiles/dynamic.h"
#include "scan/error_text.h"
#include "scan/guard_failure.h"
#include "scan/library.h"

/* Finds "…raph break in user code at FILE:LINE" anywhere in the text. */
static struct place find_place(struct slice text) {
    static const struct slice words = SLICE_INIT("raph break in user code at ");
    struct slice line;
    while (slice_next_line(&text, &line)) {
        size_t at = slice_find(line, words);
        if (at == SIZE_MAX || at == 0 || (line.ptr[at - 1] != 'G' && line.ptr[at - 1] != 'g'))
            continue;
        struct slice place = slice_trim(slice_from(line, at + words.len));
        size_t colon = slice_rfind_byte(place, ':');
        struct place found = {0};
        if (colon == SIZE_MAX || colon == 0 || !slice_to_u64(slice_from(place, colon + 1), &found.line))
            continue;
        found.file = slice_first(place, colon);
        return found;
    }
    return (struct place){0};
}

static void add_user_stack(struct fold *fold, struct graph_break *found, struct slice text) {
    static const struct slice head = SLICE_INIT("User code traceback:\n");
    size_t at = slice_find(text, head);
    struct frame frame;
    if (at == SIZE_MAX)
        return;
    text = slice_from(text, at + head.len);
    while (traceback_take(&text, &frame)) {
        frame.file = model_copy(fold->model, frame.file);
        frame.function = model_copy(fold->model, frame.function);
        frame.code = model_copy(fold->model, frame.code);
        ARENA_ADD(&fold->model->arena, &found->stack, frame);
    }
    /* The stack of a break in the backend ends with the caller of the frame. */
    const struct frame *inner = found->stack.count ? &found->stack.items[found->stack.count - 1] : NULL;
    if (inner && inner->line == found->place.line && slice_eq(inner->file, found->place.file))
        found->place.function = inner->function;
}

static struct slice keep_id(struct fold *fold, struct slice url) {
    AUTO_BUF id = {0};
    struct slice kept = break_id_add(&id, url) ? model_copy(fold->model, buf_slice(&id)) : (struct slice){0};
    return kept;
}

/* The exception that caused the break, "ValueError('no')"; ptr NULL: none. */
static struct slice raised_by(const struct break_text *said) {
    static const struct slice words = {"raised exception ", sizeof "raised exception " - 1};
    return slice_starts(said->cause.context, words) ? slice_from(said->cause.context, words.len) : (struct slice){0};
}

static struct graph_break *new_break(struct fold *fold, const struct break_text *said, struct place place,
                                     struct slice payload) {
    struct model *model = fold->model;
    struct graph_break *found = arena_zalloc(&model->arena, sizeof *found);
    struct slice url = said->cause.url;
    bool web = slice_starts(url, SLICE("https://")) || slice_starts(url, SLICE("http://"));
    found->reason = model_copy(model, said->cause.reason.ptr ? said->cause.reason : SLICE(""));
    found->explanation = model_copy(model, said->cause.explanation);
    found->context = model_copy(model, said->cause.context);
    found->raised = model_copy(model, raised_by(said));
    found->url = web ? model_copy(model, url) : (struct slice){0};
    found->gb_id = keep_id(fold, url);
    found->place = place;
    found->place.file = model_copy(model, place.file);
    found->library = place.file.ptr && is_library_file(place.file);
    for (size_t i = 0; i < said->hint_count; i++)
        ARENA_ADD(&fold->model->arena, &found->hints, model_copy(model, said->hints[i]));
    add_user_stack(fold, found, payload);
    ARENA_ADD(&fold->model->arena, &model->breaks, found);
    return found;
}

/* The same break may split the frame in one case, and make Dynamo skip the frame in another, such as in a loop. */
static void note_end(struct fold *fold, struct graph_break *found, const struct break_text *said) {
    found->skipped |= said->skipped;
    found->announced |= said->announced;
    if (found->then_reason.ptr || !said->then.reason.ptr)
        return;
    found->then_reason = model_copy(fold->model, said->then.reason);
    found->then_explanation = model_copy(fold->model, said->then.explanation);
    found->then_id = keep_id(fold, said->then.url);
}

/* One line may call several functions that Dynamo does not trace. */
static void note_callees(struct fold *fold, struct graph_break *found, const struct break_text *said) {
    static const struct slice avoid = SLICE_INIT("Avoid calling the function `");
    for (size_t i = 0; i < said->hint_count && found->callees.count < CALLEES_MAX; i++) {
        struct slice name = slice_starts(said->hints[i], avoid) ? slice_from(said->hints[i], avoid.len) : SLICE("");
        size_t end = slice_find(name, SLICE("`")), known = 0;
        if (end == SIZE_MAX)
            continue;
        name = slice_first(name, end);
        while (known < found->callees.count && !slice_eq(found->callees.items[known], name))
            known++;
        if (known < found->callees.count)
            continue;
        ARENA_ADD(&fold->model->arena, &found->callees, model_copy(fold->model, name));
    }
}

static void note_index(struct fold *fold, uint32_t index, const struct break_text *said) {
    struct model *model = fold->model;
    struct graph_break *found = model->breaks.items[index];
    struct compile *compile = fold_compile(fold);
    uint32_t place = model->folders.items[fold->folder].compile;
    uint32_t pair[2] = {index, place};
    bool added;
    found->count++;
    compile->last_break = index;
    note_end(fold, found, said);
    note_callees(fold, found, said);
    if (said->then.reason.ptr && (!found->then_of.count || found->then_of.items[found->then_of.count - 1] != place))
        ARENA_ADD(&model->arena, &found->then_of, place);
    map_put_in(&model->arena, &model->break_pair_map, slice_make((const char *)pair, sizeof pair), 0, &added);
    if (!added)
        return;
    ARENA_ADD(&fold->model->arena, &found->compiles, place);
    ARENA_ADD(&fold->model->arena, &compile->breaks, index);
}

static void note_break(struct fold *fold, struct slice payload) {
    struct break_text said;
    struct place place = find_place(payload);
    AUTO_BUF key = {0};
    bool added;
    break_text_read(payload, false, &said);
    BUF_ADD(&key, place.line, " ", place.file, "\n", said.cause.reason);
    uint32_t index = *map_put_in(&fold->model->arena, &fold->model->break_map, buf_slice(&key),
                                 (uint32_t)fold->model->breaks.count, &added);
    if (added)
        new_break(fold, &said, place, payload);
    note_index(fold, index, &said);
}

/* Notes "from user code:" and the following frames. The metrics of the failure only have the last line. */
static void note_error(struct fold *fold, struct slice payload) {
    static const struct slice head = {"from user code:\n", sizeof "from user code:\n" - 1};
    size_t at = slice_find(payload, head);
    if (slice_find(payload, SLICE("/torch/fx/experimental/proxy_tensor.py\", line ")) != SIZE_MAX)
        fold_compile(fold)->traced_error = fold->line;
    if (at == SIZE_MAX)
        return;
    struct slice trace = slice_from(payload, at + head.len);
    if (trace.len > ERROR_TRACE_MAX) /* the last frames are the relevant ones */
        trace = slice_from(trace, trace.len - ERROR_TRACE_MAX);
    fold_compile(fold)->error_trace = model_copy(fold->model, trace);
}

/* Adds a reason. A text that names no guard is not a reason. */
static void note_reason(struct fold *fold, struct slice text) {
    if (!guard_failure_read(text).guard.len)
        return;
    struct compile *compile = fold_compile(fold);
    ARENA_ADD(&fold->model->arena, &compile->reasons, model_copy(fold->model, text));
    dynamic_note_reason(fold->model, compile, text);
}

/* A JSON list, a JSON value, or plain text that is one reason. */
static void note_recompile(struct fold *fold, struct slice payload, yyjson_val *json) {
    size_t i, max;
    yyjson_val *reason;
    struct slice text = json_text(json);
    if (!yyjson_is_arr(json)) {
        note_reason(fold, text.ptr ? text : payload);
        return;
    }
    yyjson_arr_foreach(json, i, max, reason) {
        AUTO_BUF other = {0};
        text = json_text(reason);
        if (!text.ptr)
            json_add_value(&other, reason);
        note_reason(fold, text.ptr ? text : buf_slice(&other));
    }
}

void reasons_note_refused(struct fold *fold, struct slice message) {
    struct slice line, rest = message;
    AUTO_BUF reason = {0};
    if (fold_compile(fold)->reasons.count)
        return;
    while (slice_next_line(&rest, &line)) {
        struct slice text = slice_trim(line), id = text;
        bool item = slice_starts(text, SLICE("- "));
        text = id = item ? slice_from(text, 2) : text;
        if (item && guard_reason_take_id(&id).ptr) {
            note_reason(fold, buf_slice(&reason));
            reason.len = 0;
        } else if (!item || !reason.len) {
            continue;
        }
        BUF_ADD(&reason, text, "\n");
    }
    note_reason(fold, buf_slice(&reason));
}

/* Nanoseconds; 0: not logged. */
static uint64_t nanoseconds(yyjson_val *json, const char *key) {
    yyjson_val *value = json_get(json, key);
    uint64_t ns = 0;
    if (yyjson_is_raw(value)) /* numbers of an artifact keep their text */
        return slice_to_u64(slice_make(yyjson_get_raw(value), yyjson_get_len(value)), &ns) ? ns : 0;
    return json_to_u64(value, &ns) ? ns : 0;
}

/* The compile time that a hit would have saved or has saved. */
static int64_t cached_time(yyjson_val *json) {
    uint64_t ns = nanoseconds(json, "time_taken_ns"), most = UINT64_C(1000000000000000000);
    ns = ns ? ns : nanoseconds(json, "time_saved_ns");
    return ns && ns < most ? (int64_t)(ns / 1000) : -1;
}

enum { GUARDS_BYTES_MAX = 1000 };

static void note_cache(struct fold *fold, struct slice name, yyjson_val *json) {
    enum cache cache;
    enum cache_outcome outcome;
    if (!cache_lookup_parse(name, &cache, &outcome))
        return;
    struct model *model = fold->model;
    struct compile *compile = fold_compile(fold);
    struct slice guards = json_get_text(json, "cache_status_guard_expr");
    struct slice detail = json_get_text(json, "cache_status_detailed");
    uint64_t event_us = nanoseconds(json, "cache_event_time") / 1000;
    model->cache_counts[cache][outcome]++;
    ARENA_ADD(&fold->model->arena, &compile->caches,
              (struct cache_result){
                  .cache = cache,
                  .outcome = outcome,
                  .reason = model_copy(model, json_get_text(json, "cache_bypass_reason")),
                  .key = model_copy(model, json_get_text(json, "key")),
                  .components = cache_keys_note(model, compile->index, cache, event_us, json),
                  .attempt = model->folders.items[fold->folder].attempt,
                  .event_us = event_us,
                  .time_us = cached_time(json),
                  .guards = model_copy(model, slice_first(guards, GUARDS_BYTES_MAX)),
                  .detail = model_copy(model, detail),
                  .guard_miss = slice_is(detail, "guard_miss"),
              });
    if (cache == CACHE_FX_GRAPH)
        code_calls_note_key(model, compile->index, compile->caches.items[compile->caches.count - 1].key);
}

/* Keeps the text for the comparison of ranks. */
static void note_text(struct fold *fold, enum note_kind kind, struct slice name, struct slice text) {
    struct model *model = fold->model;
    if (!text.ptr || fold->aside)
        return;
    ARENA_ADD(&fold->model->arena, &model->notes,
              (struct note){.kind = kind,
                            .folder = fold->folder,
                            .compile = model->folders.items[fold->folder].compile,
                            .name = model_copy(model, name),
                            .text = model_copy(model, text)});
}

static bool is_commit(struct slice text) {
    enum { SHA1 = 40 };
    for (size_t i = 0; i < text.len; i++)
        if (!strchr("0123456789abcdef", text.ptr[i]) || !text.ptr[i])
            return false;
    return text.len == SHA1;
}

/* What a process says of PyTorch. Meta's own builds are of another repository. */
static void note_torch(struct model *model, yyjson_val *json) {
    struct slice version = json_get_text(json, "pytorch_version"), commit = json_get_text(json, "commit");
    if (!yyjson_get_bool(json_get(json, "oss")) || !is_commit(commit))
        commit = SLICE("");
    if (version.len)
        model->torch = model_copy(model, version);
    if (!model->torch_commit.ptr)
        model->torch_commit = commit.len ? model_copy(model, commit) : commit;
    else if (!slice_eq(model->torch_commit, commit))
        model->torch_commit = SLICE("");
}

void reasons_note(struct fold *fold, const struct node *node, struct slice name, struct slice payload) {
    yyjson_val *json = node->json;
    struct slice text = json ? node->json_text : (struct slice){0};
    if (slice_is(name, "dynamo_graph_break_reason")) {
        note_break(fold, payload);
    } else if (slice_is(name, "dynamo_error")) {
        note_error(fold, payload);
    } else if (slice_is(name, "recompile_reasons")) {
        note_recompile(fold, payload, json);
    } else if (slice_is(name, "torch_version")) {
        note_torch(fold->model, json);
    } else if (slice_starts(name, SLICE("inductor_collective_schedule"))) {
        note_text(fold, NOTE_COLLECTIVES, name, text);
    } else if (slice_starts(name, SLICE("inductor_runtime_and_tensor_meta"))) {
        note_text(fold, NOTE_RUNTIME, name, text);
    } else if (slice_starts(name, SLICE("graph_execution"))) {
        note_text(fold, NOTE_EXECUTION, name, text);
    } else if (slice_is(name, "aot_joint_graph_sync_decision_cross_ranks") ||
               slice_is(name, "inductor_spmd_graph_mismatch") || slice_is(name, "compiler_collective")) {
        note_text(fold, NOTE_DECISION, name, payload);
    } else if (slice_starts(name, SLICE("inductor_provenance_tracking_node_mappings"))) {
        kernels_note_nodes(fold->model, fold->folder, json_get(json, "cppCodeToPost"));
    } else if (slice_starts(name, SLICE("inductor_triton_kernel_to_post_grad_nodes"))) {
        kernels_note_nodes(fold->model, fold->folder, json);
    } else if (slice_starts(name, SLICE("inductor_provenance_tracking_kernel_stack_traces"))) {
        kernels_note_traces(fold->model, fold->folder, json);
    } else if (slice_starts(name, SLICE("triton_kernel_info"))) {
        kernels_note_info(fold->model, fold->folder, json);
    } else if (slice_find(name, SLICE("_cache_")) != SIZE_MAX) {
        note_cache(fold, name, json);
    }
}

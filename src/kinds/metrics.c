/* dynamo_start and the metrics of compiles: when a compile starts, how long it takes, how it ends. */

#include "analysis/timeline.h"
#include "kinds/fold.h"
#include "kinds/records.h"
#include "lowering/kernels.h"
#include "model/export.h"
#include "pages/html.h"
#include "pages/metrics_page.h"
#include "scan/error_text.h"
#include "scan/library.h"

enum { ROW_BYTES = 512 }; /* bytes of a symbol or a guard on a page, with its stacks */

void start_fold(struct fold *fold, const struct node *node) {
    yyjson_val *value = node->value;
    struct compile *compile = fold_compile(fold);
    const struct stack_node *stack = stacks_add_start(&fold->model->starts, json_get(value, "stack"), fold->strings);
    model_framed(fold->model, compile);
    compile->started = true;
    if (!compile->stack)
        compile->stack = compile->start = stack;
}

/* The state of the model that the page needs. */
static struct metrics_page *page_for(struct fold *fold, const struct node *node, bool whole) {
    struct compile *compile = fold_compile(fold);
    struct metrics_page *page = arena_zalloc(fold->arena, sizeof *page);
    *page = (struct metrics_page){.title = slice_str(node->kind->key),
                                  .key = fold_key(fold),
                                  .root = "../",
                                  .metrics = node->value,
                                  .whole = whole,
                                  .stack = compile->stack};
    if (!whole)
        return page;
    for (int fact = 0; fact < SHAPE_KINDS; fact++) {
        page->shapes[fact].first = compile->of_id->shapes[fact].first;
        page->shapes[fact].count = compile->of_id->shapes[fact].count;
        *fold->written += (uint64_t)page->shapes[fact].count * ROW_BYTES;
    }
    page->links = compile->of_id->links.first;
    page->link_count = compile->of_id->links.count;
    return page;
}

static struct slice add_page(struct fold *fold, const struct node *node, bool whole) {
    struct artifact *artifact = fold_make(fold, node,
                                          &(struct making){.name = slice_str(node->kind->key),
                                                           .suffix = ".html",
                                                           .lang = LANG_TEXT,
                                                           .render = metrics_page_render,
                                                           .data = page_for(fold, node, whole)});
    return artifact->url;
}

/* "dynamo_config" */
static bool is_config(struct slice key, enum config_kind *kind) {
    for (int k = 0; k < CONFIG_KINDS; k++) {
        struct slice name = slice_str(config_kind_name(k));
        if (slice_starts(key, name) && slice_eq(slice_from(key, name.len), SLICE("_config"))) {
            *kind = k;
            return true;
        }
    }
    return false;
}

static bool is_on(yyjson_val *config, const char *setting) {
    return yyjson_is_true(json_get(config, setting));
}

static bool is_off(yyjson_val *config, const char *setting) {
    yyjson_val *value = json_get(config, setting);
    return yyjson_is_bool(value) && !yyjson_get_bool(value);
}

/* A configuration has tens of kilobytes and rarely changes: each distinct one is stored once. */
static void note_config(struct fold *fold, enum config_kind kind, yyjson_val *value) {
    struct model *model = fold->model;
    struct slice text = json_text(value);
    AUTO_BUF key = {0};
    bool added;
    if (!text.len)
        return;
    BUF_ADD(&key, config_kind_name(kind), " ", text);
    uint32_t index =
        *map_put_in(&model->arena, &model->config_map, buf_slice(&key), (uint32_t)model->configs.count, &added);
    if (added) {
        yyjson_val *root;
        struct slice json = text;
        key.len = 0;
        if (json_read(&json, JSON_NUMBERS_RAW, fold->arena, &root) == JSON_BAD) {
            root = NULL;
            json_add_string(&key, text);
        } else {
            json_add_value(&key, root);
        }
        ARENA_ADD(&fold->model->arena, &model->configs,
                  (struct config){.kind = kind,
                                  .json = model_copy(model, buf_slice(&key)),
                                  .all_dynamic = kind == CONFIG_DYNAMO && is_off(root, "assume_static_by_default") &&
                                                 !is_off(root, "automatic_dynamic_shapes"),
                                  .export_dynamic = kind == CONFIG_DYNAMO && is_off(root, "assume_static_by_default") &&
                                                    is_on(root, "constant_fold_autograd_profiler_enabled"),
                                  .exported =
                                      kind == CONFIG_DYNAMO && is_on(root, "constant_fold_autograd_profiler_enabled")});
    }
    struct config *config = &model->configs.items[index];
    uint32_t user = model->folders.items[fold->folder].compile;
    model->compiles.items[user]->all_dynamic |= config->all_dynamic;
    model->compiles.items[user]->export_dynamic |= config->export_dynamic;
    model->compiles.items[user]->exported |= config->exported;
    if (!config->users.count || config->users.items[config->users.count - 1] != user)
        ARENA_ADD(&fold->model->arena, &config->users, user);
}

/* The metrics as JSON, without configurations and provenance. They are only for pages. */
static struct spooled_text keep_metrics(struct fold *fold, yyjson_val *value) {
    AUTO_BUF json = {0};
    size_t i, max;
    yyjson_val *key, *field;
    enum config_kind kind;
    bool whole = files_want_details(fold->files);
    buf_add_byte(&json, '{');
    yyjson_obj_foreach(value, i, max, key, field) {
        if (is_config(json_text(key), &kind)) {
            note_config(fold, kind, field);
            continue;
        }
        if (!whole || slice_is(json_text(key), "inductor_provenance"))
            continue;
        if (json.len > 1)
            buf_add_byte(&json, ',');
        json_add_string(&json, json_text(key));
        buf_add_byte(&json, ':');
        json_add_value(&json, field);
    }
    buf_add_byte(&json, '}');
    struct spooled_text kept = {.len = json.len};
    if (!whole || !spool_add(fold->spool, buf_slice(&json), &kept.offset)) /* the spool remembers the failure */
        kept.len = 0;
    return kept;
}

/* Larger numbers are invalid as times or counts. Sums of valid ones cannot overflow. */
#define NUMBER_MAX UINT64_C(1000000000000000)

static int64_t whole(yyjson_val *metrics, const char *key) {
    uint64_t n;
    return json_to_u64(json_get(metrics, key), &n) && n < NUMBER_MAX ? (int64_t)n : -1;
}

/* The member in microseconds, or else the member in seconds, converted to microseconds. */
static int64_t time_of(yyjson_val *metrics, const char *us, const char *seconds) {
    double s;
    int64_t n = whole(metrics, us);
    if (n < 0 && seconds && json_to_double(json_get(metrics, seconds), &s) && s >= 0 && s < 1e9)
        n = (int64_t)(s * 1e6 + 0.5);
    return n;
}

static void keep(int64_t *to, int64_t value) {
    if (value >= 0)
        *to = value;
}

/* `note` is keep() for a forward, which has one record, and add_known() for backwards: a graph that is split by DDP or
 * the user has one backward for each piece. */
static void note_inductor(int64_t phases[PHASES], yyjson_val *m, void (*note)(int64_t *, int64_t)) {
    note(&phases[PHASE_POST_GRAD], time_of(m, "post_grad_pass_time_us", NULL));
    note(&phases[PHASE_INDUCTOR], time_of(m, "inductor_cumulative_compile_time_us", "inductor_compile_time_s"));
    note(&phases[PHASE_CODEGEN], time_of(m, "inductor_code_gen_cumulative_compile_time_us", "code_gen_time_s"));
    note(&phases[PHASE_TRITON], time_of(m, "triton_compile_time_us", NULL));
}

/* Microseconds from start to end in the metrics; -1: unknown. */
static int64_t start_to_end(yyjson_val *m) {
    uint64_t start, end;
    if (!json_to_u64(json_get(m, "start_time_us"), &start) || !json_to_u64(json_get(m, "end_time_us"), &end) ||
        start == 0 || end < start || end - start >= NUMBER_MAX)
        return -1;
    return (int64_t)(end - start);
}

/* Compile time from the first available source: the duration, start and end, Dynamo's own timer, the overall timer. */
static int64_t compile_time(yyjson_val *m, const char *timer) {
    int64_t us = whole(m, "duration_us");
    if (us < 0)
        us = start_to_end(m);
    if (us < 0)
        us = time_of(m, "", "entire_frame_compile_time_s");
    return us < 0 ? whole(m, timer) : us;
}

static void sum_times(struct compile *compile) {
    compile->time_us = -1;
    add_known(&compile->time_us, compile->forward_us);
    add_known(&compile->time_us, compile->backward_us);
}

static void note_numbers(struct compile *compile, yyjson_val *m) {
    uint64_t start;
    if (json_to_u64(json_get(m, "start_time_us"), &start) && start < 9 * NUMBER_MAX)
        compile->started_us = (int64_t)start;
    keep(&compile->forward_us, compile_time(m, "dynamo_cumulative_compile_time_us"));
    sum_times(compile);
    /* The duration is a sum of timers. For an export, AOTInductor or aot_compile(), no frame starts the outermost
     * timer. */
    if (time_of(m, "dynamo_cumulative_compile_time_us", "entire_frame_compile_time_s") < 0)
        compile->untimed_us = start_to_end(m) - compile->forward_us;
    keep(&compile->phases_us[PHASE_DYNAMO],
         time_of(m, "dynamo_cumulative_compile_time_us", "entire_frame_compile_time_s"));
    keep(&compile->phases_us[PHASE_AOT],
         time_of(m, "aot_autograd_cumulative_compile_time_us", "backend_compile_time_s"));
    keep(&compile->phases_us[PHASE_PRE_GRAD], time_of(m, "pre_grad_pass_time_us", NULL));
    keep(&compile->phases_us[PHASE_JOINT], time_of(m, "joint_graph_pass_time_us", NULL));
    note_inductor(compile->phases_us, m, keep);
    keep(&compile->ops, whole(m, "graph_op_count"));
    keep(&compile->nodes, whole(m, "graph_node_count"));
    keep(&compile->inputs, whole(m, "graph_input_count"));
    keep(&compile->parameters, whole(m, "param_count"));
    keep(&compile->parameter_bytes, whole(m, "param_bytes"));
    keep(&compile->guard_count, whole(m, "guard_count"));
    keep(&compile->restart_us, time_of(m, "", "dynamo_time_before_restart_s"));
    keep(&compile->gc_us, whole(m, "gc_time_us"));
    keep(&compile->logging_us[0], whole(m, "structured_logging_overhead_us"));
    compile->suppressed |= json_truthy(json_get(m, "config_suppress_errors"));
    compile->failed |= json_truthy(json_get(m, "fail_type"));
    compile->modules_not_inlined = yyjson_is_false(json_get(m, "config_inline_inbuilt_nn_modules"));
    compile->no_versions = whole(m, "accumulated_cache_size") == 0;
    compile->no_code = yyjson_is_false(json_get(m, "has_guarded_code")) && !compile->failed;
    compile->empty |= !json_truthy(json_get(m, "graph_op_count"));
}

/* Graph passes call themselves for subgraphs, so their timers count that time twice. */
static bool counts_twice(enum phase phase, int64_t timer, int64_t spans) {
    bool passes = phase == PHASE_PRE_GRAD || phase == PHASE_JOINT || phase == PHASE_POST_GRAD;
    return passes && timer > spans + spans / 100 + 1000;
}

/* AOTInductor and a strict export compile without PyTorch's timers, because no frame starts them. Their events have
 * the same times. */
static void note_spans(const struct fold *fold, struct compile *compile, yyjson_val *m) {
    int64_t phases_us[PHASES];
    AUTO_BUF id = {0};
    uint64_t start, end;
    bool timed = false;
    for (int phase = 0; phase < PHASES; phase++)
        timed |= compile->phases_us[phase] >= 0;
    if (!fold->model->timeline || fold->model->events_lost || fold->model->loss_pending ||
        !json_to_u64(json_get(m, "start_time_us"), &start) || !json_to_u64(json_get(m, "end_time_us"), &end) ||
        start >= end || end >= 9 * NUMBER_MAX)
        return;
    timeline_add_token(&id, compile->index);
    if (timeline_phases(fold->model->timeline, fold->process->track, buf_slice(&id), (int64_t)start, (int64_t)end,
                        phases_us))
        for (int phase = 0; phase < PHASES; phase++)
            if (phases_us[phase] > 0 &&
                (!timed || counts_twice((enum phase)phase, compile->phases_us[phase], phases_us[phase])))
                compile->phases_us[phase] = phases_us[phase];
}

static void note_run(struct fold *fold, yyjson_val *m) {
    struct model *model = fold->model;
    const struct {
        struct slice *to;
        const char *key;
    } facts[] = {{&model->torch, "pytorch_version"},
                 {&model->python, "python_version"},
                 {&model->cuda, "cuda_version"},
                 {&model->triton, "triton_version"}};
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        struct slice text = json_get_text(m, facts[i].key);
        if (!facts[i].to->ptr && text.len)
            *facts[i].to = model_copy(model, text);
    }
}

static void note_frame(struct fold *fold, struct compile *compile, yyjson_val *m) {
    struct slice name = json_get_text(m, "co_name"), file = json_get_text(m, "co_filename");
    uint64_t line = 0;
    if (!name.ptr && !file.ptr)
        return;
    json_to_u64(json_get(m, "co_firstlineno"), &line);
    compile->frame.function = model_copy(fold->model, name);
    compile->frame.file = model_copy(fold->model, file);
    compile->frame.line = line;
}

/* A text unchanged, other values as JSON; in the model. */
static struct slice keep_text(struct fold *fold, yyjson_val *value) {
    if (!value || yyjson_is_null(value) || yyjson_is_str(value))
        return model_copy(fold->model, json_text(value));
    AUTO_BUF json = {0};
    json_add_value(&json, value);
    struct slice kept = model_copy(fold->model, buf_slice(&json));
    return kept;
}

static void note_cudagraph(struct fold *fold, struct slice *skip, yyjson_val *m) {
    struct slice reason = json_get_text(m, "cudagraph_skip_reason");
    if (reason.len)
        *skip = model_copy(fold->model, reason);
}

/* The line that raised the exception: the end of exception_stack_trace, which is a text or a list with one text. */
static void note_traceback(struct model *model, yyjson_val *m, struct failure *failure) {
    yyjson_val *trace = json_get(m, "exception_stack_trace");
    struct slice text = json_text(yyjson_is_arr(trace) ? yyjson_arr_get_last(trace) : trace);
    struct frame frame;
    if (!text.ptr || !traceback_last_frame(text, &frame))
        return;
    failure->raised_at.file = model_copy(model, frame.file);
    failure->raised_at.function = model_copy(model, frame.function);
    failure->raised_at.line = frame.line;
    failure->raised_code = model_copy(model, frame.code);
    if (!traceback_called(text, &frame))
        return;
    failure->called.file = model_copy(model, frame.file);
    failure->called.function = model_copy(model, frame.function);
    failure->called.line = frame.line;
}

static void note_failure(struct fold *fold, yyjson_val *m, struct slice url, bool backward) {
    struct model *model = fold->model;
    struct compile *compile = fold_compile(fold);
    if (!json_truthy(json_get(m, "fail_type")))
        return;
    struct failure failure = {.compile = model->folders.items[fold->folder].compile,
                              .folder = fold->folder,
                              .type = keep_text(fold, json_get(m, "fail_type")),
                              .reason = keep_text(fold, json_get(m, "fail_reason")),
                              .url = url,
                              .backward = backward,
                              .framed = model->framed_count};
    failure.place.file = model_copy(model, json_get_text(m, "fail_user_frame_filename"));
    json_to_u64(json_get(m, "fail_user_frame_lineno"), &failure.place.line);
    note_traceback(model, m, &failure);
    if (slice_is(failure.type, "RecompileError"))
        reasons_note_refused(fold, failure.reason);
    if (fold->record->id.state == COMPILE_ID_NONE && model->exports)
        exports_note_range(model->exports, fold->process->id, model->failures.count, failure.reason);
    *(backward ? &compile->backward_failure : &compile->failure) = (int64_t)model->failures.count;
    ARENA_ADD(&fold->model->arena, &model->failures, failure);
}

static void note_restart(struct fold *fold, struct slice reason, struct slice url) {
    struct model *model = fold->model;
    struct compile *compile = fold_compile(fold);
    struct restart restart = {.compile = model->folders.items[fold->folder].compile,
                              .folder = fold->folder,
                              .reason = model_copy(model, reason),
                              .url = url};
    ARENA_ADD(&fold->model->arena, &model->restarts, restart);
    ARENA_ADD(&fold->model->arena, &compile->restarts, restart.reason);
}

static void note_restarts(struct fold *fold, yyjson_val *m, struct slice url) {
    yyjson_val *reasons = json_get(m, "restart_reasons"), *reason;
    size_t i, max;
    if (yyjson_is_str(reasons) && yyjson_get_len(reasons))
        note_restart(fold, json_text(reasons), url);
    yyjson_arr_foreach(reasons, i, max, reason) {
        struct slice text = keep_text(fold, reason);
        note_restart(fold, text.ptr ? text : SLICE("null"), url);
    }
}

bool metrics_is_forward(yyjson_val *value) {
    return !yyjson_is_false(json_get(value, "is_forward"));
}

bool metrics_follow_compile(const struct kind *kind) {
    return kind->fold == backward_metrics_fold || kind->fold == old_backward_metrics_fold ||
           kind->fold == runtime_metrics_fold;
}

/* Where the user called torch.export or AOTInductor: their metrics have no id and no dynamo_start, but are logged with
 * the stack of the call. */
static const struct stack_node *calling_stack(struct fold *fold, struct compile *compile) {
    const struct stack_node *node =
        stacks_add(&fold->model->starts, json_get(fold->record->root, "stack"), fold->strings);
    compile->ends_export = export_is_in(node);
    while (node && is_library_file(node->frame->file))
        node = node->parent;
    return node;
}

void metrics_fold(struct fold *fold, const struct node *node) {
    yyjson_val *value = node->value;
    struct compile *compile = fold_compile(fold);
    if (!metrics_is_forward(value)) {
        backward_metrics_fold(fold, node);
        return;
    }
    struct slice url = add_page(fold, node, true);
    model_framed(fold->model, compile);
    if (fold->record->id.state == COMPILE_ID_NONE && !compile->stack)
        compile->stack = compile->start = calling_stack(fold, compile);
    compile->metrics_line = fold->line;
    compile->has_metrics = true;
    fold->process->exports_ended += fold->record->id.state == COMPILE_ID_NONE;
    compile->metrics = keep_metrics(fold, value);
    struct slice torch = json_get_text(value, "pytorch_version");
    compile->torch = slice_eq(torch, fold->model->torch) ? fold->model->torch : model_copy(fold->model, torch);
    note_numbers(compile, value);
    note_spans(fold, compile, value);
    note_run(fold, value);
    note_frame(fold, compile, value);
    note_cudagraph(fold, &compile->cudagraph_skip, value);
    kernels_note_times(fold->model, fold->folder, json_get_text(value, "triton_kernel_compile_times_us"));
    note_failure(fold, value, url, false);
    note_restarts(fold, value, url);
}

/* PyTorch 2.6 uses this name whenever is_forward is not true: it is false for a backward, and null for a compile that
 * was rejected before it began. Older versions have no is_forward, and use the name only for backwards. */
static bool is_of_backward(yyjson_val *value) {
    yyjson_val *forward = json_get(value, "is_forward");
    return !forward || !yyjson_is_null(forward) || whole(value, "backward_cumulative_compile_time_us") > 0;
}

static void fold_refused(struct fold *fold, const struct node *node) {
    yyjson_val *value = node->value;
    struct compile *compile = fold_compile(fold);
    struct slice url = add_page(fold, node, false);
    compile->has_backward_metrics = true;
    compile->backward_metrics = keep_metrics(fold, value); /* keeps the name in the log: it is not a compile */
    add_known(&compile->forward_us, compile_time(value, "dynamo_cumulative_compile_time_us"));
    sum_times(compile);
    note_run(fold, value);
    note_failure(fold, value, url, false);
    if (compile->failure >= 0)
        fold->model->failures.items[compile->failure].before_start = true;
}

void backward_metrics_fold(struct fold *fold, const struct node *node) {
    yyjson_val *value = node->value;
    if (!is_of_backward(value)) {
        fold_refused(fold, node);
        return;
    }
    struct compile *compile = fold_compile(fold);
    struct slice url = add_page(fold, node, false);
    compile->has_backward_metrics = true;
    compile->backward_metrics = keep_metrics(fold, value);
    add_known(&compile->backward_us, compile_time(value, "backward_cumulative_compile_time_us"));
    sum_times(compile);
    note_inductor(compile->backward_phases_us, value, add_known);
    keep(&compile->logging_us[1], whole(value, "structured_logging_overhead_us"));
    add_known(&compile->phases_us[PHASE_BACKWARD],
              time_of(value, "backward_cumulative_compile_time_us", "inductor_compile_time_s"));
    note_run(fold, value);
    note_cudagraph(fold, &compile->backward_cudagraph_skip, value);
    kernels_note_times(fold->model, fold->folder, json_get_text(value, "triton_kernel_compile_times_us"));
    note_failure(fold, value, url, true);
}

void old_backward_metrics_fold(struct fold *fold, const struct node *node) {
    yyjson_val *value = node->value;
    struct slice url = add_page(fold, node, false);
    note_failure(fold, value, url, true);
}

/* Time that a finished compile spent at run time. It is not compile time. */
void runtime_metrics_fold(struct fold *fold, const struct node *node) {
    yyjson_val *value = node->value;
    struct compile *compile = fold_compile(fold);
    int64_t us = -1;
    add_known(&us, whole(value, "runtime_triton_autotune_time_us"));
    add_known(&us, whole(value, "runtime_cudagraphify_time_us"));
    add_known(&compile->runtime_us, us >= 0 ? us : whole(value, "duration_us"));
    extras_note_runtime(compile, value);
}

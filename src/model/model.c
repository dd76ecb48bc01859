#include "model/model.h"

#include "base/noise.h"

enum { FAULTS_MAX = 1000, PROCESSES_MAX = 4096 };

const char *counter_name(enum counter counter) {
    static const char *const names[COUNTERS] = {
        "ok",          "other_rank",        "fail_glog",
        "fail_json",   "fail_payload_md5",  "fail_dynamo_guards_json",
        "fail_parser", "fail_key_conflict", "fail_json_serialization",
        "too_large",   "unknown",           "unknown_encoding",
    };
    return names[counter];
}

struct unread counters_unread(const uint64_t counters[COUNTERS]) {
    uint64_t strays = counters[COUNT_FAIL_GLOG], mismatched = counters[COUNT_FAIL_PAYLOAD_MD5];
    uint64_t shown = counters[COUNT_UNKNOWN_ENCODING], failed = counters[COUNT_FAIL_PARSER];
    uint64_t bad = counters[COUNT_FAIL_JSON] + mismatched + (failed > shown ? failed - shown : 0) +
                   counters[COUNT_FAIL_DYNAMO_GUARDS_JSON] + counters[COUNT_TOO_LARGE];
    bool output = strays > 1 && !mismatched && bad > 1;
    return (struct unread){.malformed = output ? 0 : bad, .skipped = output ? bad + strays : strays, .output = output};
}

const char *lang_name(enum lang lang) {
    static const char *const names[LANGS] = {
        [LANG_NONE] = NULL,   [LANG_TEXT] = "text",   [LANG_PYTHON] = "python", [LANG_CPP] = "cpp",
        [LANG_JSON] = "json", [LANG_GRAPH] = "graph", [LANG_GUARDS] = "guards",
    };
    return names[lang];
}

const char *status_name(enum status status) {
    static const char *const names[] = {
        [STATUS_MISSING] = "missing", [STATUS_OK] = "ok",       [STATUS_RESTART] = "restart",
        [STATUS_EMPTY] = "empty",     [STATUS_ERROR] = "error",
    };
    return names[status];
}

const char *phase_name(enum phase phase) {
    static const char *const names[PHASES] = {
        [PHASE_DYNAMO] = "dynamo",       [PHASE_AOT] = "aot",
        [PHASE_PRE_GRAD] = "pre_grad",   [PHASE_JOINT] = "joint",
        [PHASE_POST_GRAD] = "post_grad", [PHASE_INDUCTOR] = "inductor",
        [PHASE_CODEGEN] = "codegen",     [PHASE_TRITON] = "triton",
        [PHASE_BACKWARD] = "backward",
    };
    return names[phase];
}

const char *config_kind_name(enum config_kind kind) {
    static const char *const names[CONFIG_KINDS] = {
        [CONFIG_DYNAMO] = "dynamo",
        [CONFIG_INDUCTOR] = "inductor",
        [CONFIG_FUNCTORCH] = "functorch",
        [CONFIG_COMPILER] = "compiler",
    };
    return names[kind];
}

struct slice model_copy(struct model *model, struct slice text) {
    return text.ptr ? arena_slice(&model->arena, text) : text;
}

void model_own(struct model *model, void *part, void (*destroy)(void *part)) {
    struct owned_part *owned = arena_zalloc(&model->arena, sizeof *owned);
    *owned = (struct owned_part){.part = part, .destroy = destroy, .next = model->owned};
    model->owned = owned;
}

void model_finish(struct model *model) {
    for (const struct owned_part *owned = model->owned; owned; owned = owned->next)
        owned->destroy(owned->part);
    stacks_finish(&model->starts);
    stacks_finish(&model->stacks);
    arena_free(&model->arena);
    *model = (struct model){0};
}

static void add_compile_key(struct buf *key, uint64_t process, struct slice id) {
    BUF_ADD(key, slice_make((const char *)&process, sizeof process), id);
}

static struct id_lists *lists_of(struct model *model, struct slice id) {
    bool added;
    uint32_t index = *map_put_in(&model->arena, &model->id_map, id, (uint32_t)model->ids.count, &added);
    if (added) {
        struct id_lists *lists = arena_zalloc(&model->arena, sizeof *lists);
        lists->links.last = &lists->links.first;
        for (int kind = 0; kind < SHAPE_KINDS; kind++)
            lists->shapes[kind].last = &lists->shapes[kind].first;
        ARENA_ADD(&model->arena, &model->ids, lists);
    }
    return model->ids.items[index];
}

static struct compile *new_compile(struct model *model, uint64_t process, const struct compile_id *id,
                                   struct slice text) {
    bool bad = id->state == COMPILE_ID_BAD;
    struct compile *compile = arena_zalloc(&model->arena, sizeof *compile);
    compile->id = compile->key = arena_slice(&model->arena, text);
    compile->index = (uint32_t)model->compiles.count;
    compile->process = process;
    compile->generation = 1;
    compile->autograd_id = bad ? PART_MISSING : id->autograd;
    model->autograd_captures |= compile->autograd_id != PART_MISSING;
    compile->frame_id = bad ? PART_MISSING : id->frame;
    compile->frame_compile_id = bad ? PART_MISSING : id->compile;
    compile->time_us = compile->forward_us = compile->backward_us = compile->runtime_us = -1;
    compile->ops = compile->nodes = compile->inputs = compile->tree_guards = compile->guard_count = -1;
    compile->parameters = compile->parameter_bytes = -1;
    compile->failure = compile->backward_failure = -1;
    for (int phase = 0; phase < PHASES; phase++)
        compile->phases_us[phase] = compile->backward_phases_us[phase] = -1;
    compile->restart_us = -1;
    compile->earlier = NO_EARLIER;
    compile->of_id = lists_of(model, text);
    for (int kind = 0; kind < SHAPE_KINDS; kind++)
        compile->shapes[kind].last = &compile->shapes[kind].first;
    ARENA_ADD(&model->arena, &model->compiles, compile);
    return compile;
}

/* The epoch of a frame, or of one of its ids: that of its latest generation. */
static uint32_t *epoch_of(struct model *model, const int64_t *parts, size_t count, uint32_t first) {
    struct slice key = slice_make((const char *)parts, count * sizeof *parts);
    return map_put_in(&model->arena, &model->frame_map, key, first, NULL);
}

/* Sets the epoch of the compile's frame. A second generation of one of the frame's ids begins the next epoch. A frame
 * has the same number inside and outside of Compiled Autograd, which share one count of its compiles. */
static void set_epoch(struct model *model, struct compile *compile) {
    int64_t autograd_id = compile->frame_id == PART_MISSING ? compile->autograd_id : PART_MISSING;
    int64_t id[4] = {(int64_t)compile->process, autograd_id, compile->frame_id, compile->frame_compile_id};
    compile->epoch = *epoch_of(model, id, 3, 1);
    if (*epoch_of(model, id, 4, 0) == compile->epoch)
        *epoch_of(model, id, 3, 1) = ++compile->epoch;
    *epoch_of(model, id, 4, 0) = compile->epoch;
}

static uint32_t compile_of(struct model *model, uint64_t process, const struct compile_id *id, bool next) {
    AUTO_BUF key = {0};
    bool added;
    add_compile_key(&key, process, (struct slice){0});
    compile_id_add(&key, id);
    struct slice text = slice_from(buf_slice(&key), sizeof process);
    uint32_t *index =
        map_put_in(&model->arena, &model->compile_map, buf_slice(&key), (uint32_t)model->compiles.count, &added);
    if (added || next) {
        const struct compile *before = added ? NULL : model->compiles.items[*index];
        *index = (uint32_t)model->compiles.count;
        struct compile *compile = new_compile(model, process, id, text);
        if (before) {
            compile->generation = before->generation + 1;
            compile->older = before->index;
        }
        set_epoch(model, compile);
    }
    uint32_t place = *index;
    return place;
}

struct compile *model_newest(const struct model *model, uint64_t process, struct slice id) {
    AUTO_BUF key = {0};
    add_compile_key(&key, process, id);
    uint32_t index = map_get(&model->compile_map, buf_slice(&key));
    return index == MAP_NONE ? NULL : model->compiles.items[index];
}

static uint32_t entry_of(struct model *model, const struct compile_id *id) {
    AUTO_BUF key = {0};
    bool added;
    compile_id_add_key(&key, id);
    uint32_t index =
        *map_put_in(&model->arena, &model->entry_map, buf_slice(&key), (uint32_t)model->entries.count, &added);
    if (added)
        ARENA_ADD(&model->arena, &model->entries, (struct entry){.key = arena_slice(&model->arena, buf_slice(&key))});
    return index;
}

/* A new folder means a new attempt, except that a missing attempt counts as 0. */
static void add_attempt(struct model *model, struct compile *compile, int64_t attempt) {
    if (attempt == PART_MISSING)
        attempt = 0;
    if (attempt == 0 && compile->has_attempt_0)
        return;
    compile->has_attempt_0 |= attempt == 0;
    ARENA_ADD(&model->arena, &compile->attempts, attempt);
}

/* Adds the folder to the compile, and makes this the folder's compile. */
static void join(struct model *model, uint32_t index, uint32_t place) {
    struct folder *folder = &model->folders.items[index];
    struct compile *compile = model->compiles.items[place];
    const uint32_t pair[2] = {index, place};
    bool added;
    folder->compile = place;
    map_put_in(&model->arena, &model->folder_pair_map, slice_make((const char *)pair, sizeof pair), 0, &added);
    if (!added)
        return;
    ARENA_ADD(&model->arena, &compile->folders, index);
    if (compile->frame_id != PART_MISSING)
        add_attempt(model, compile, folder->attempt);
}

/* No machine runs that many processes, so the log is not genuine: further ones share one. */
static uint64_t bounded(struct model *model, uint64_t process) {
    struct slice key = slice_make((const char *)&process, sizeof process);
    if (model->bound_count == PROCESSES_MAX && map_get(&model->bound_map, key) == MAP_NONE)
        return 0;
    bool added;
    map_put_in(&model->arena, &model->bound_map, key, 0, &added);
    model->bound_count += added;
    return process;
}

uint32_t model_folder(struct model *model, uint64_t process, const struct compile_id *id, uint64_t line) {
    AUTO_BUF name = {0};
    bool added;
    uint32_t compile = compile_of(model, bounded(model, process), id, false);
    compile_id_add_folder(&name, id, line);
    uint32_t index =
        *map_put_in(&model->arena, &model->folder_map, buf_slice(&name), (uint32_t)model->folders.count, &added);
    if (added) {
        struct folder folder = {.name = arena_slice(&model->arena, buf_slice(&name)),
                                .compile = UINT32_MAX,
                                .entry = entry_of(model, id),
                                .attempt = id->state == COMPILE_ID_GOOD ? id->attempt : PART_MISSING,
                                .open_chunk = UINT32_MAX};
        ARENA_ADD(&model->arena, &model->folders, folder);
    }
    if (model->folders.items[index].compile != compile)
        join(model, index, compile);
    return index;
}

void model_next_generation(struct model *model, uint32_t folder, uint64_t process, const struct compile_id *id) {
    join(model, folder, compile_of(model, bounded(model, process), id, true));
}

void model_hand_over(struct model *model, uint64_t from, uint64_t to) {
    enum { LOOKED_AT = 8 }; /* a new process writes few records before its first string */
    struct compile *compile = NULL;
    for (size_t i = model->compiles.count, n = 0; i-- > 0 && n < LOOKED_AT && !compile; n++) {
        struct compile *last = model->compiles.items[i];
        if (last->process != from || last->framed || last->started)
            return;
        if (last->generation > 1 && last->frame_id != PART_MISSING)
            compile = last;
    }
    if (!compile)
        return;
    AUTO_BUF key = {0};
    add_compile_key(&key, from, compile->id);
    *map_put_in(&model->arena, &model->compile_map, buf_slice(&key), compile->index, NULL) = compile->older;
    key.len = 0;
    add_compile_key(&key, to, compile->id);
    *map_put_in(&model->arena, &model->compile_map, buf_slice(&key), compile->index, NULL) = compile->index;
    compile->process = to;
    compile->generation = 1;
    set_epoch(model, compile);
}

struct compile *model_compile_of(struct model *model, uint32_t folder) {
    return model->compiles.items[model->folders.items[folder].compile];
}

void model_framed(struct model *model, struct compile *compile) {
    if (compile->framed)
        return;
    compile->framed = true;
    compile->order = model->framed_count++;
}

static void add_link(struct model *model, struct compile *compile, const struct artifact *artifact) {
    struct artifact_link *link = arena_zalloc(&model->arena, sizeof *link);
    link->name = artifact->outer ? artifact->name : path_last(artifact->url);
    link->url = artifact->url;
    link->outer = artifact->outer;
    *compile->of_id->links.last = link;
    compile->of_id->links.last = &link->next;
    compile->of_id->links.count++;
}

struct artifact *model_add_artifact(struct model *model, const struct artifact *artifact) {
    uint32_t index = (uint32_t)model->artifacts.count;
    ARENA_GROW(&model->arena, &model->artifacts);
    struct artifact *kept = &model->artifacts.items[model->artifacts.count++];
    *kept = *artifact;
    kept->name = model_copy(model, artifact->name);
    kept->kind = model_copy(model, artifact->kind);
    kept->subgraph = model_copy(model, artifact->subgraph);
    kept->compile = model->folders.items[artifact->folder].compile;
    struct compile *compile = model->compiles.items[kept->compile];
    ARENA_ADD(&model->arena, &compile->artifacts, index);
    compile->bytes += artifact->bytes;
    if (artifact->url.ptr)
        add_link(model, compile, kept);
    if (artifact->subgraph.ptr && !compile->subgraph.ptr)
        compile->subgraph = kept->subgraph;
    if (artifact->listed) {
        struct entry *entry = &model->entries.items[model->folders.items[artifact->folder].entry];
        ARENA_ADD(&model->arena, &entry->artifacts, index);
    }
    return kept;
}

const struct compile *artifact_compile(const struct model *model, const struct artifact *artifact) {
    return model->compiles.items[artifact->compile];
}

enum cache_outcome artifact_outcome(const struct artifact *artifact) {
    return cache_outcome_in(artifact->url);
}

const char *artifact_suffix(const struct artifact *artifact) {
    return cache_outcome_suffix(artifact_outcome(artifact));
}

void model_add_shape_record(struct model *model, struct compile *compile, enum shape_kind kind,
                            const struct shape_record *fact) {
    struct shape_record *kept = arena_zalloc(&model->arena, sizeof *kept);
    *kept = *fact;
    kept->next = kept->next_of_name = NULL;
    struct slice *texts[] = {&kept->symbol, &kept->value, &kept->range, &kept->source, &kept->text};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        *texts[i] = model_copy(model, *texts[i]);
    *compile->shapes[kind].last = kept;
    compile->shapes[kind].last = &kept->next;
    compile->shapes[kind].count++;
    *compile->of_id->shapes[kind].last = kept;
    compile->of_id->shapes[kind].last = &kept->next_of_name;
    compile->of_id->shapes[kind].count++;
}

void model_add_fault(struct model *model, const char *what, uint64_t line, uint64_t count) {
    if (model->faults.count) {
        struct fault *last = &model->faults.items[model->faults.count - 1];
        if (last->what == what && last->line + last->count == line) {
            last->count += count;
            return;
        }
    }
    if (model->faults.count == FAULTS_MAX) {
        model->more_faults += count;
        return;
    }
    ARENA_ADD(&model->arena, &model->faults, (struct fault){what, line, count});
}

enum status compile_status(const struct compile *compile) {
    if (!compile->has_metrics)
        return STATUS_MISSING;
    if (compile->failed)
        return STATUS_ERROR;
    if (compile->empty)
        return STATUS_EMPTY;
    return compile->restarts.count ? STATUS_RESTART : STATUS_OK;
}

bool compile_is_interrupted(const struct model *model, const struct compile *compile) {
    if (!compile->framed || !compile->no_code || compile->guard_count >= 0 || compile_status(compile) != STATUS_EMPTY)
        return false;
    /* A graph of an earlier attempt was discarded, and the last attempt may have found nothing to compile. */
    int64_t last = compile->attempts.count ? compile->attempts.items[compile->attempts.count - 1] : 0;
    for (size_t i = 0; i < compile->artifacts.count; i++) {
        const struct artifact *artifact = &model->artifacts.items[compile->artifacts.items[i]];
        int64_t attempt = model->folders.items[artifact->folder].attempt;
        if (slice_is(artifact->kind, "dynamo_output_graph") && (attempt == PART_MISSING ? 0 : attempt) == last)
            return true;
    }
    return false;
}

bool compile_ops_unknown(const struct compile *compile) {
    return compile->framed && compile_status(compile) == STATUS_EMPTY && compile->frame_id < 0 && compile->ops < 0;
}

const char *compile_what(const struct model *model, const struct compile *compile) {
    for (size_t i = 0; compile->framed && !compile->frame.function.len && i < compile->artifacts.count; i++)
        if (slice_starts(model->artifacts.items[compile->artifacts.items[i]].name, SLICE("inductor_aot_")))
            return "AOTInductor";
    return NULL;
}

int64_t compile_guards(const struct compile *compile) {
    return compile->tree_guards >= 0 ? compile->tree_guards : compile->guard_count;
}

int64_t compile_lost_us(const struct compile *compile) {
    return compile->restarts.count && !compile->failed ? compile->restart_us : -1;
}

void model_add_unattributed(struct model *model, const struct stack_node *stack, size_t artifact) {
    bool added;
    struct slice key = slice_make((const char *)&stack->index, sizeof stack->index);
    if (model->unattributed.count == UNATTRIBUTED_MAX && map_get(&model->unattributed_map, key) == MAP_NONE) {
        model->unattributed_more++;
        return;
    }
    uint32_t index =
        *map_put_in(&model->arena, &model->unattributed_map, key, (uint32_t)model->unattributed.count, &added);
    if (added)
        ARENA_ADD(&model->arena, &model->unattributed, (struct unattributed){.stack = stack});
    struct unattributed *group = &model->unattributed.items[index];
    group->records++;
    for (size_t i = artifact; i < model->artifacts.count; i++)
        ARENA_ADD(&model->arena, &group->artifacts, (uint32_t)i);
}

uint32_t *model_order(const struct model *model) {
    uint32_t *order = mem_alloc((model->compiles.count + 1) * sizeof *order);
    size_t rest = model->framed_count;
    for (size_t i = 0; i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[i];
        order[compile->framed ? compile->order : rest++] = (uint32_t)i;
    }
    return order;
}

/* Places and lines repeat: a text that equals that of the previous step shares its copy. */
static struct slice copy_again(struct model *model, struct slice text, struct slice before) {
    return text.ptr && slice_eq(text, before) ? before : model_copy(model, text);
}

/* The parts of a step that are kept. */
static struct graph_step cut_step(const struct graph_step *step) {
    enum { CODE_MAX = 160, STEP_TEXT_MAX = 480, TYPE_MAX = 80, FILE_MAX = 1024 };
    struct graph_step cut = *step;
    cut.file = slice_first(step->file, FILE_MAX);
    cut.function = slice_first(step->function, CODE_MAX);
    cut.code = slice_first(step->code, CODE_MAX);
    cut.text = slice_first(step->text, STEP_TEXT_MAX);
    cut.type = slice_first(step->type, TYPE_MAX);
    return cut;
}

static bool is_same(struct slice a, struct slice b) {
    return !a.ptr == !b.ptr && slice_eq(a, b);
}

static bool is_same_step(const struct graph_step *kept, const struct graph_step *step) {
    struct graph_step cut = cut_step(step);
    return kept->line == cut.line && kept->ops == cut.ops && kept->types == cut.types &&
           is_same(kept->file, cut.file) && is_same(kept->function, cut.function) && is_same(kept->code, cut.code) &&
           is_same(kept->text, cut.text) && is_same(kept->type, cut.type);
}

static bool is_same_trace(const struct graph_trace *kept, const struct graph_trace *trace) {
    bool same = kept->count == trace->count && kept->cut == trace->cut && kept->call_count == trace->call_count;
    for (uint32_t i = 0; same && i < kept->count; i++)
        same = is_same_step(&kept->steps[i], &trace->steps[i]);
    for (uint32_t i = 0; same && i < kept->call_count; i++)
        same = slice_eq(kept->calls[i], trace->calls[i]);
    return same;
}

static const struct graph_trace *copy_trace(struct model *model, const struct graph_trace *trace) {
    static const struct graph_step none;
    struct graph_trace *kept = arena_zalloc(&model->arena, sizeof *kept);
    uint32_t room = GRAPH_STEPS_LOG_MAX - model->trace_steps;
    kept->count = trace->count < room ? trace->count : room;
    kept->cut = trace->cut || kept->count < trace->count;
    kept->steps = arena_alloc(&model->arena, (kept->count + 1) * sizeof *kept->steps);
    for (uint32_t i = 0; i < kept->count; i++) {
        const struct graph_step *before = i ? &kept->steps[i - 1] : &none;
        struct graph_step step = cut_step(&trace->steps[i]);
        step.file = copy_again(model, step.file, before->file);
        step.function = copy_again(model, step.function, before->function);
        step.code = copy_again(model, step.code, before->code);
        step.text = model_copy(model, step.text);
        step.type = copy_again(model, step.type, before->type);
        kept->steps[i] = step;
    }
    model->trace_steps += kept->count;
    room = GRAPH_CALLS_LOG_MAX - model->trace_calls;
    kept->call_count = trace->call_count < room ? trace->call_count : room;
    kept->calls = arena_alloc(&model->arena, (kept->call_count + 1) * sizeof *kept->calls);
    for (uint32_t i = 0; i < kept->call_count; i++)
        kept->calls[i] = copy_again(model, trace->calls[i], i ? kept->calls[i - 1] : (struct slice){0});
    model->trace_calls += kept->call_count;
    return kept;
}

void model_keep_trace(struct model *model, struct compile *compile, const struct graph_trace *trace) {
    bool added;
    if (!trace)
        return;
    uint64_t hash = hash_mix(trace->count, trace->call_count);
    for (uint32_t i = 0; i < trace->count; i++)
        hash = hash_mix(hash, trace->steps[i].ops ^ trace->steps[i].line);
    uint32_t *at = map_put_in(&model->arena, &model->trace_map, slice_make((const char *)&hash, sizeof hash),
                              (uint32_t)model->traces.count, &added);
    if (added || !is_same_trace(model->traces.items[*at], trace)) {
        *at = (uint32_t)model->traces.count;
        ARENA_ADD(&model->arena, &model->traces, copy_trace(model, trace));
    }
    compile->trace = model->traces.items[*at];
    world_hints_add(&model->world, &trace->world);
}

void model_keep_calls(struct model *model, struct compile *compile, const struct graph_trace *trace) {
    compile->has_code = true;
    if (!trace)
        return;
    for (uint32_t i = 0; i < trace->call_count && compile->code_calls.count < GRAPH_CALLS_MAX &&
                         model->trace_calls < GRAPH_CALLS_LOG_MAX;
         i++, model->trace_calls++) {
        ARENA_ADD(&model->arena, &compile->code_calls, model_copy(model, trace->calls[i]));
    }
    world_hints_add(&model->world, &trace->world);
}

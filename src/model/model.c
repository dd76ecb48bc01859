#include "model/model.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/path.h"

enum { FAULTS_MAX = 1000, PROCESSES_MAX = 4096 };

const char *counter_name(enum counter counter) {
    static const char *const names[COUNTERS] = {
        "ok",          "other_rank",        "fail_glog",
        "fail_json",   "fail_payload_md5",  "fail_dynamo_guards_json",
        "fail_parser", "fail_key_conflict", "fail_json_serialization",
        "unknown",
    };
    return names[counter];
}

const char *status_name(enum status status) {
    static const char *const names[] = {"missing", "ok", "restart", "empty", "error"};
    return names[status];
}

const char *phase_name(enum phase phase) {
    static const char *const names[PHASES] = {"dynamo",   "aot",     "pre_grad", "joint",   "post_grad",
                                              "inductor", "codegen", "triton",   "backward"};
    return names[phase];
}

const char *config_kind_name(enum config_kind kind) {
    static const char *const names[CONFIG_KINDS] = {"dynamo", "inductor", "functorch", "compiler"};
    return names[kind];
}

struct slice report_copy(struct report *report, struct slice text) {
    return text.ptr ? arena_slice(&report->arena, text) : text;
}

static void compile_finish(struct compile *compile) {
    free(compile->folders.items);
    free(compile->attempts.items);
    free(compile->artifacts.items);
    free(compile->reasons.items);
    free(compile->restarts.items);
    free(compile->breaks.items);
    free(compile->caches.items);
    free(compile->further_caches.items);
    free(compile->shares.items);
    free(compile->code_calls.items);
    free(compile->guard_facts);
}

void report_own(struct report *report, void *part, void (*destroy)(void *part)) {
    struct owned_part *owned = arena_zalloc(&report->arena, sizeof *owned);
    *owned = (struct owned_part){.part = part, .destroy = destroy, .next = report->owned};
    report->owned = owned;
}

void report_finish(struct report *report) {
    for (size_t i = 0; i < report->compiles.count; i++)
        compile_finish(report->compiles.items[i]);
    for (size_t i = 0; i < report->folders.count; i++)
        free(report->folders.items[i].chunks.items);
    for (size_t i = 0; i < report->entries.count; i++)
        free(report->entries.items[i].artifacts.items);
    for (size_t i = 0; i < report->breaks.count; i++) {
        free(report->breaks.items[i]->hints.items);
        free(report->breaks.items[i]->stack.items);
        free(report->breaks.items[i]->compiles.items);
    }
    for (size_t i = 0; i < report->configs.count; i++)
        free(report->configs.items[i].users.items);
    for (size_t i = 0; i < report->unattributed.count; i++)
        free(report->unattributed.items[i].artifacts.items);
    free(report->unattributed.items);
    free(report->files.items);
    free(report->processes.items);
    map_free(&report->process_map);
    map_free(&report->unattributed_map);
    void *lists[] = {report->compiles.items, report->folders.items, report->entries.items,  report->artifacts.items,
                     report->kinds.items,    report->breaks.items,  report->failures.items, report->restarts.items,
                     report->ids.items,      report->configs.items, report->faults.items,   report->unknown_keys.items,
                     report->notes.items};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        free(lists[i]);
    struct map *maps[] = {&report->id_map,      &report->bound_map,   &report->folder_pair_map, &report->frame_map,
                          &report->compile_map, &report->folder_map,  &report->entry_map,       &report->kind_map,
                          &report->break_map,   &report->dynamic_map, &report->config_map,      &report->unknown_map,
                          &report->dump_map,    &report->payload_map, &report->break_pair_map};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
        map_free(maps[i]);
    for (const struct owned_part *owned = report->owned; owned; owned = owned->next)
        owned->destroy(owned->part);
    stacks_finish(&report->starts);
    stacks_finish(&report->stacks);
    arena_free(&report->arena);
    *report = (struct report){0};
}

static void add_compile_key(struct buf *key, uint64_t process, struct slice id) {
    buf_add(key, slice_make((const char *)&process, sizeof process));
    buf_add(key, id);
}

static struct id_lists *lists_of(struct report *report, struct slice id) {
    bool added;
    uint32_t index = *map_put(&report->id_map, id, (uint32_t)report->ids.count, &added);
    if (added) {
        struct id_lists *lists = arena_zalloc(&report->arena, sizeof *lists);
        lists->links.last = &lists->links.first;
        for (int kind = 0; kind < FACT_KINDS; kind++)
            lists->facts[kind].last = &lists->facts[kind].first;
        MEM_GROW(&report->ids);
        report->ids.items[report->ids.count++] = lists;
    }
    return report->ids.items[index];
}

static struct compile *new_compile(struct report *report, uint64_t process, const struct compile_id *id,
                                   struct slice text) {
    bool bad = id->state == COMPILE_ID_BAD;
    struct compile *compile = arena_zalloc(&report->arena, sizeof *compile);
    compile->id = compile->key = arena_slice(&report->arena, text);
    compile->index = (uint32_t)report->compiles.count;
    compile->process = process;
    compile->generation = 1;
    compile->autograd_id = bad ? PART_MISSING : id->autograd;
    compile->frame_id = bad ? PART_MISSING : id->frame;
    compile->frame_compile_id = bad ? PART_MISSING : id->compile;
    compile->time_us = compile->forward_us = compile->backward_us = compile->runtime_us = -1;
    compile->ops = compile->nodes = compile->inputs = compile->guards = -1;
    compile->parameters = compile->parameter_bytes = -1;
    compile->failure = compile->backward_failure = -1;
    for (int phase = 0; phase < PHASES; phase++)
        compile->phases_us[phase] = compile->backward_phases_us[phase] = -1;
    compile->restart_us = -1;
    compile->earlier = NO_EARLIER;
    compile->of_id = lists_of(report, text);
    for (int kind = 0; kind < FACT_KINDS; kind++)
        compile->facts[kind].last = &compile->facts[kind].first;
    MEM_GROW(&report->compiles);
    report->compiles.items[report->compiles.count++] = compile;
    return compile;
}

/* The epoch of the compile's frame; a second generation of one of its ids begins the next. */
static void set_epoch(struct report *report, struct compile *compile, const struct compile *before) {
    int64_t frame[3] = {(int64_t)compile->process, compile->autograd_id, compile->frame_id};
    uint32_t *epoch = map_put(&report->frame_map, slice_make((const char *)frame, sizeof frame), 1, NULL);
    if (before && before->epoch == *epoch)
        ++*epoch;
    compile->epoch = *epoch;
}

static uint32_t compile_of(struct report *report, uint64_t process, const struct compile_id *id, bool next) {
    struct buf key = {0};
    bool added;
    add_compile_key(&key, process, (struct slice){0});
    compile_id_add(&key, id);
    struct slice text = slice_from(buf_slice(&key), sizeof process);
    uint32_t *index = map_put(&report->compile_map, buf_slice(&key), (uint32_t)report->compiles.count, &added);
    if (added || next) {
        const struct compile *before = added ? NULL : report->compiles.items[*index];
        *index = (uint32_t)report->compiles.count;
        struct compile *compile = new_compile(report, process, id, text);
        if (before) {
            compile->generation = before->generation + 1;
            compile->older = before->index;
        }
        set_epoch(report, compile, before);
    }
    uint32_t place = *index;
    buf_free(&key);
    return place;
}

struct compile *report_newest(const struct report *report, uint64_t process, struct slice id) {
    struct buf key = {0};
    add_compile_key(&key, process, id);
    uint32_t index = map_get(&report->compile_map, buf_slice(&key));
    buf_free(&key);
    return index == MAP_NONE ? NULL : report->compiles.items[index];
}

static uint32_t entry_of(struct report *report, const struct compile_id *id) {
    struct buf key = {0};
    bool added;
    compile_id_add_key(&key, id);
    uint32_t index = *map_put(&report->entry_map, buf_slice(&key), (uint32_t)report->entries.count, &added);
    if (added) {
        MEM_GROW(&report->entries);
        report->entries.items[report->entries.count++] =
            (struct entry){.key = arena_slice(&report->arena, buf_slice(&key))};
    }
    buf_free(&key);
    return index;
}

/* Folders are new, so their attempts are; but one without counts as attempt 0. */
static void add_attempt(struct compile *compile, int64_t attempt) {
    if (attempt == PART_MISSING)
        attempt = 0;
    if (attempt == 0 && compile->has_attempt_0)
        return;
    compile->has_attempt_0 |= attempt == 0;
    MEM_GROW(&compile->attempts);
    compile->attempts.items[compile->attempts.count++] = attempt;
}

/* The folder becomes one of the compile's, and the compile that of the folder. */
static void join(struct report *report, uint32_t index, uint32_t place) {
    struct folder *folder = &report->folders.items[index];
    struct compile *compile = report->compiles.items[place];
    const uint32_t pair[2] = {index, place};
    bool added;
    folder->compile = place;
    map_put(&report->folder_pair_map, slice_make((const char *)pair, sizeof pair), 0, &added);
    if (!added)
        return;
    MEM_GROW(&compile->folders);
    compile->folders.items[compile->folders.count++] = index;
    if (compile->frame_id != PART_MISSING)
        add_attempt(compile, folder->attempt);
}

/* A log with more processes than any machine runs is made up: they share one. */
static uint64_t bounded(struct report *report, uint64_t process) {
    struct slice key = slice_make((const char *)&process, sizeof process);
    if (report->bound_count == PROCESSES_MAX && map_get(&report->bound_map, key) == MAP_NONE)
        return 0;
    bool added;
    map_put(&report->bound_map, key, 0, &added);
    report->bound_count += added;
    return process;
}

uint32_t report_folder(struct report *report, uint64_t process, const struct compile_id *id, uint64_t line) {
    struct buf name = {0};
    bool added;
    uint32_t compile = compile_of(report, bounded(report, process), id, false);
    compile_id_add_folder(&name, id, line);
    uint32_t index = *map_put(&report->folder_map, buf_slice(&name), (uint32_t)report->folders.count, &added);
    if (added) {
        struct folder folder = {.name = arena_slice(&report->arena, buf_slice(&name)),
                                .compile = UINT32_MAX,
                                .entry = entry_of(report, id),
                                .attempt = id->state == COMPILE_ID_GOOD ? id->attempt : PART_MISSING,
                                .open_chunk = UINT32_MAX};
        MEM_GROW(&report->folders);
        report->folders.items[report->folders.count++] = folder;
    }
    buf_free(&name);
    if (report->folders.items[index].compile != compile)
        join(report, index, compile);
    return index;
}

void report_next_generation(struct report *report, uint32_t folder, uint64_t process, const struct compile_id *id) {
    join(report, folder, compile_of(report, bounded(report, process), id, true));
}

void report_hand_over(struct report *report, uint64_t from, uint64_t to) {
    enum { LOOKED_AT = 8 }; /* a process that begins writes few records before its first string */
    struct compile *compile = NULL;
    for (size_t i = report->compiles.count, n = 0; i-- > 0 && n < LOOKED_AT && !compile; n++) {
        struct compile *last = report->compiles.items[i];
        if (last->process != from || last->framed || last->started)
            return;
        if (last->generation > 1 && last->frame_id != PART_MISSING)
            compile = last;
    }
    if (!compile)
        return;
    struct buf key = {0};
    add_compile_key(&key, from, compile->id);
    *map_put(&report->compile_map, buf_slice(&key), compile->index, NULL) = compile->older;
    key.len = 0;
    add_compile_key(&key, to, compile->id);
    *map_put(&report->compile_map, buf_slice(&key), compile->index, NULL) = compile->index;
    buf_free(&key);
    compile->process = to;
    compile->generation = 1;
    set_epoch(report, compile, NULL);
}

struct compile *report_compile_of(struct report *report, uint32_t folder) {
    return report->compiles.items[report->folders.items[folder].compile];
}

void report_framed(struct report *report, struct compile *compile) {
    if (compile->framed)
        return;
    compile->framed = true;
    compile->order = report->framed_count++;
}

static void add_link(struct report *report, struct compile *compile, const struct artifact *artifact) {
    struct artifact_link *link = arena_zalloc(&report->arena, sizeof *link);
    link->name = artifact->outer ? artifact->name : path_last(artifact->url);
    link->url = artifact->url;
    link->outer = artifact->outer;
    *compile->of_id->links.last = link;
    compile->of_id->links.last = &link->next;
    compile->of_id->links.count++;
}

struct artifact *report_add_artifact(struct report *report, const struct artifact *artifact) {
    uint32_t index = (uint32_t)report->artifacts.count;
    MEM_GROW(&report->artifacts);
    struct artifact *kept = &report->artifacts.items[report->artifacts.count++];
    *kept = *artifact;
    kept->name = report_copy(report, artifact->name);
    kept->kind = report_copy(report, artifact->kind);
    kept->subgraph = report_copy(report, artifact->subgraph);
    kept->compile = report->folders.items[artifact->folder].compile;
    struct compile *compile = report->compiles.items[kept->compile];
    MEM_GROW(&compile->artifacts);
    compile->artifacts.items[compile->artifacts.count++] = index;
    compile->bytes += artifact->bytes;
    if (artifact->url.ptr)
        add_link(report, compile, kept);
    if (artifact->subgraph.ptr && !compile->subgraph.ptr)
        compile->subgraph = kept->subgraph;
    if (artifact->listed) {
        struct entry *entry = &report->entries.items[report->folders.items[artifact->folder].entry];
        MEM_GROW(&entry->artifacts);
        entry->artifacts.items[entry->artifacts.count++] = index;
    }
    return kept;
}

const struct compile *artifact_compile(const struct report *report, const struct artifact *artifact) {
    return report->compiles.items[artifact->compile];
}

const char *artifact_suffix(const struct artifact *artifact) {
    struct slice url = artifact->url;
    return slice_find(url, SLICE("cache_bypass")) != SIZE_MAX ? "❓"
         : slice_find(url, SLICE("cache_miss")) != SIZE_MAX   ? "❌"
         : slice_find(url, SLICE("cache_hit")) != SIZE_MAX    ? "✅"
                                                              : "";
}

void report_add_fact(struct report *report, struct compile *compile, enum fact_kind kind, const struct fact *fact) {
    struct fact *kept = arena_zalloc(&report->arena, sizeof *kept);
    *kept = *fact;
    kept->next = kept->next_of_name = NULL;
    struct slice *texts[] = {&kept->symbol, &kept->value, &kept->range, &kept->source, &kept->text};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        *texts[i] = report_copy(report, *texts[i]);
    *compile->facts[kind].last = kept;
    compile->facts[kind].last = &kept->next;
    compile->facts[kind].count++;
    *compile->of_id->facts[kind].last = kept;
    compile->of_id->facts[kind].last = &kept->next_of_name;
    compile->of_id->facts[kind].count++;
}

void report_add_fault(struct report *report, const char *what, uint64_t line, uint64_t count) {
    if (report->faults.count) {
        struct fault *last = &report->faults.items[report->faults.count - 1];
        if (last->what == what && last->line + last->count == line) {
            last->count += count;
            return;
        }
    }
    if (report->faults.count == FAULTS_MAX) {
        report->more_faults += count;
        return;
    }
    MEM_GROW(&report->faults);
    report->faults.items[report->faults.count++] = (struct fault){what, line, count};
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

bool compile_is_interrupted(const struct report *report, const struct compile *compile) {
    if (!compile->framed || !compile->no_code || compile->guards >= 0 || compile_status(compile) != STATUS_EMPTY)
        return false;
    for (size_t i = 0; i < compile->artifacts.count; i++)
        if (slice_is(report->artifacts.items[compile->artifacts.items[i]].kind, "dynamo_output_graph"))
            return true;
    return false;
}

int64_t compile_lost_us(const struct compile *compile) {
    return compile->restarts.count && !compile->failed ? compile->restart_us : -1;
}

void report_add_unattributed(struct report *report, const struct stack_node *stack, size_t artifact) {
    bool added;
    struct slice key = slice_make((const char *)&stack->index, sizeof stack->index);
    if (report->unattributed.count == UNATTRIBUTED_MAX && map_get(&report->unattributed_map, key) == MAP_NONE) {
        report->unattributed_more++;
        return;
    }
    uint32_t index = *map_put(&report->unattributed_map, key, (uint32_t)report->unattributed.count, &added);
    if (added) {
        MEM_GROW(&report->unattributed);
        report->unattributed.items[report->unattributed.count++] = (struct unattributed){.stack = stack};
    }
    struct unattributed *group = &report->unattributed.items[index];
    group->records++;
    for (size_t i = artifact; i < report->artifacts.count; i++) {
        MEM_GROW(&group->artifacts);
        group->artifacts.items[group->artifacts.count++] = (uint32_t)i;
    }
}

uint32_t *report_order(const struct report *report) {
    uint32_t *order = mem_alloc((report->compiles.count + 1) * sizeof *order);
    size_t rest = report->framed_count;
    for (size_t i = 0; i < report->compiles.count; i++) {
        const struct compile *compile = report->compiles.items[i];
        order[compile->framed ? compile->order : rest++] = (uint32_t)i;
    }
    return order;
}

/* Places and lines repeat: a text that is that of the step before is the same copy. */
static struct slice copy_again(struct report *report, struct slice text, struct slice before) {
    return text.ptr && slice_eq(text, before) ? before : report_copy(report, text);
}

void report_keep_trace(struct report *report, struct compile *compile, const struct graph_trace *trace) {
    enum { CODE_MAX = 160, STEP_TEXT_MAX = 480, TYPE_MAX = 80, FILE_MAX = 1024 };
    static const struct graph_step none;
    if (!trace)
        return;
    struct graph_trace *kept = arena_zalloc(&report->arena, sizeof *kept);
    uint32_t room = GRAPH_STEPS_LOG_MAX - report->trace_steps;
    kept->count = trace->count < room ? trace->count : room;
    kept->cut = trace->cut || kept->count < trace->count;
    kept->steps = arena_alloc(&report->arena, (kept->count + 1) * sizeof *kept->steps);
    for (uint32_t i = 0; i < kept->count; i++) {
        const struct graph_step *step = &trace->steps[i], *before = i ? &kept->steps[i - 1] : &none;
        kept->steps[i] = *step;
        kept->steps[i].file = copy_again(report, slice_first(step->file, FILE_MAX), before->file);
        kept->steps[i].function = copy_again(report, slice_first(step->function, CODE_MAX), before->function);
        kept->steps[i].code = copy_again(report, slice_first(step->code, CODE_MAX), before->code);
        kept->steps[i].text = report_copy(report, slice_first(step->text, STEP_TEXT_MAX));
        kept->steps[i].type = copy_again(report, slice_first(step->type, TYPE_MAX), before->type);
    }
    report->trace_steps += kept->count;
    room = GRAPH_CALLS_LOG_MAX - report->trace_calls;
    kept->call_count = trace->call_count < room ? trace->call_count : room;
    kept->calls = arena_alloc(&report->arena, (kept->call_count + 1) * sizeof *kept->calls);
    for (uint32_t i = 0; i < kept->call_count; i++)
        kept->calls[i] = copy_again(report, trace->calls[i], i ? kept->calls[i - 1] : (struct slice){0});
    report->trace_calls += kept->call_count;
    world_hints_add(&report->world, &trace->world);
    compile->trace = kept;
}

void report_keep_calls(struct report *report, struct compile *compile, const struct graph_trace *trace) {
    compile->has_code = true;
    if (!trace)
        return;
    for (uint32_t i = 0; i < trace->call_count && compile->code_calls.count < GRAPH_CALLS_MAX &&
                         report->trace_calls < GRAPH_CALLS_LOG_MAX;
         i++, report->trace_calls++) {
        MEM_GROW(&compile->code_calls);
        compile->code_calls.items[compile->code_calls.count++] = report_copy(report, trace->calls[i]);
    }
    world_hints_add(&report->world, &trace->world);
}

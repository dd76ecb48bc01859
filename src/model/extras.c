#include "model/extras.h"

enum { DEATHS_MAX = 20 }; /* number of deaths that are searched for in failures */

const char *notice_name(enum notice_kind kind) {
    static const char *const names[NOTICE_KINDS] = {
        [NOTICE_AUTOGRAD_REASON] = "compiled_autograd_compile_reasons",
        [NOTICE_BACKWARD_FAILURE] = "eager_compile_backwards_failure",
        [NOTICE_INTERPRETER_ERROR] = "fx_interpreter_error",
        [NOTICE_WORKER_DEATH] = "compile_worker_sidecar_death",
        [NOTICE_PRECOMPILE_BYPASS] = "precompile_cache_bypass",
        [NOTICE_PACKAGE_BYPASS] = "dynamo_cache_bypass",
        [NOTICE_PACKAGE_ERROR] = "dynamo_cache_exception",
        [NOTICE_PICKLE_FAILURE] = "aotautograd_cache_pickle_failure",
        [NOTICE_DUPLICATE] = "invoke_subgraph_backward_duplicate",
        [NOTICE_CYCLIC_DEPS] = "inductor_overlap_cyclic_extra_deps",
        [NOTICE_PARTIAL_TRACE] = "make_fx_fail_partial",
    };
    return names[kind];
}

struct extras *extras_of(struct model *model) {
    if (!model->extras) {
        model->extras = arena_zalloc(&model->arena, sizeof *model->extras);
        model->extras->cache_entries = -1;
    }
    return model->extras;
}

void extras_add_notice(struct model *model, const struct notice *notice) {
    struct extras *extras = extras_of(model);
    struct slice message = utf8_first(slice_trim(notice->message), NOTICE_MESSAGE_MAX);
    struct buf key = {0};
    bool added = false;
    buf_addf(&key, "%d %u ", (int)notice->kind, notice->compile);
    buf_add(&key, notice->subject);
    buf_add_byte(&key, 0);
    buf_add(&key, message);
    uint32_t index = map_get(&extras->notice_map, buf_slice(&key));
    if (index == MAP_NONE && extras->notices.count < NOTICES_MAX)
        index =
            *map_put_in(&model->arena, &extras->notice_map, buf_slice(&key), (uint32_t)extras->notices.count, &added);
    buf_free(&key);
    if (index == MAP_NONE) {
        extras->more_notices++;
        return;
    }
    if (added) {
        struct notice kept = *notice;
        kept.message = model_copy(model, message);
        kept.detail = model_copy(model, utf8_first(slice_trim(notice->detail), NOTICE_DETAIL_MAX));
        kept.subject = model_copy(model, utf8_first(notice->subject, NOTICE_MESSAGE_MAX));
        kept.code = model_copy(model, utf8_first(notice->code, NOTICE_MESSAGE_MAX));
        kept.place.file = model_copy(model, notice->place.file);
        kept.place.function = model_copy(model, notice->place.function);
        kept.count = 0;
        ARENA_ADD(&model->arena, &extras->notices, kept);
    }
    extras->notices.items[index].count++;
    if (notice->variants > extras->notices.items[index].variants)
        extras->notices.items[index].variants = notice->variants;
}

void extras_add_capture(struct model *model, const struct autograd_capture *capture) {
    struct extras *extras = extras_of(model);
    if (extras->captures.count == AUTOGRAD_CAPTURES_MAX)
        return;
    struct autograd_capture kept = *capture;
    kept.nodes = model_copy(model, capture->nodes);
    kept.place.file = model_copy(model, capture->place.file);
    kept.place.function = model_copy(model, capture->place.function);
    kept.code = model_copy(model, capture->code);
    kept.parts = ARENA_COPY(&model->arena, capture->parts, capture->part_count);
    ARENA_ADD(&model->arena, &extras->captures, kept);
}

static struct slice aot_key(uint64_t key[2], uint64_t process, uint64_t number) {
    key[0] = process;
    key[1] = number;
    return slice_make((char *)key, 2 * sizeof *key);
}

const struct aot_call *extras_aot_call(const struct model *model, uint64_t process, uint64_t number) {
    uint64_t key[2];
    uint32_t index =
        number < AOT_CALLS_MAX ? map_get(&model->extras->aot_map, aot_key(key, process, number)) : MAP_NONE;
    return index != MAP_NONE ? &model->extras->aot_calls.items[index] : NULL;
}

void extras_add_aot_call(struct model *model, uint32_t compile) {
    struct extras *extras = extras_of(model);
    uint64_t process = model->compiles.items[compile]->process;
    uint64_t key[2];
    if (extras->aot_calls.count == AOT_CALLS_MAX)
        return;
    uint32_t *calls = map_put_in(&model->arena, &extras->aot_map, aot_key(key, process, UINT64_MAX), 0, NULL);
    uint64_t number = (*calls)++;
    map_put_in(&model->arena, &extras->aot_map, aot_key(key, process, number), (uint32_t)extras->aot_calls.count, NULL);
    ARENA_ADD(&model->arena, &extras->aot_calls, (struct aot_call){.compile = compile});
}

void extras_note_backward(struct model *model, uint32_t compile, uint64_t names) {
    struct extras *extras = extras_of(model);
    size_t i = extras->aot_calls.count;
    while (i > 0 && extras->aot_calls.items[i - 1].compile != compile)
        i--;
    if (i > 0)
        extras->aot_calls.items[i - 1].names = names;
}

void extras_add_cache(struct model *model, struct compile *compile, enum cache cache, enum cache_outcome outcome,
                      struct slice reason) {
    extras_of(model)->cache_counts[cache][outcome]++;
    if (compile->further_caches.count == FURTHER_CACHES_MAX)
        return;
    ARENA_ADD(&model->arena, &compile->further_caches,
              (struct cache_result){
                  .cache = cache,
                  .outcome = outcome,
                  .reason = model_copy(model, utf8_first(slice_trim(reason), NOTICE_MESSAGE_MAX)),
                  .components = UINT32_MAX,
                  .attempt = PART_MISSING,
                  .time_us = -1,
              });
}

bool extras_has_cache(const struct compile *compile, enum cache cache, enum cache_outcome outcome) {
    for (size_t i = 0; i < compile->further_caches.count; i++)
        if (compile->further_caches.items[i].cache == cache && compile->further_caches.items[i].outcome == outcome)
            return true;
    return false;
}

/* The index of the key in a list of `count` items; if it is new, a new index, or MAP_NONE if the list has `max` items.
 */
static uint32_t place_of(struct arena *arena, struct map *map, struct slice key, size_t count, size_t max,
                         bool *added) {
    uint32_t index = map_get(map, key);
    *added = false;
    if (index != MAP_NONE || count >= max)
        return index;
    return *map_put_in(arena, map, key, (uint32_t)count, added);
}

struct worker_job *extras_job(struct model *model, uint64_t process, uint64_t job) {
    struct extras *extras = extras_of(model);
    uint64_t key[2] = {process, job};
    bool added;
    uint32_t index = place_of(&model->arena, &extras->job_map, slice_make((const char *)key, sizeof key),
                              extras->jobs.count, JOBS_MAX, &added);
    if (index == MAP_NONE) {
        extras->more_jobs++;
        return NULL;
    }
    if (added)
        ARENA_ADD(
            &model->arena, &extras->jobs,
            (struct worker_job){.process = process, .job = job, .pid = -1, .elapsed_us = -1, .phase_elapsed_us = -1});
    return &extras->jobs.items[index];
}

struct bucketing *extras_bucketing(struct model *model, uint32_t compile, bool after) {
    struct extras *extras = extras_of(model);
    struct bucketing *latest =
        extras->bucketings.count ? &extras->bucketings.items[extras->bucketings.count - 1] : NULL;
    if (after && latest && latest->compile == compile && !latest->after.known)
        return latest;
    if (extras->bucketings.count == BUCKETINGS_MAX) {
        extras->more_bucketings++;
        return NULL;
    }
    ARENA_ADD(&model->arena, &extras->bucketings, (struct bucketing){.compile = compile});
    return &extras->bucketings.items[extras->bucketings.count - 1];
}

void extras_add_table(struct model *model, uint32_t compile, struct slice json) {
    static const struct table_chain none = {UINT32_MAX, UINT32_MAX, 0};
    struct extras *extras = extras_of(model);
    while (extras->table_chains.count <= compile)
        ARENA_ADD(&model->arena, &extras->table_chains, none);
    struct table_chain *chain = &extras->table_chains.items[compile];
    if (extras->tables.count == RECORD_TABLES_MAX || extras->table_bytes + json.len > RECORD_TABLES_BYTES_MAX) {
        chain->more++;
        return;
    }
    uint32_t place = (uint32_t)extras->tables.count;
    ARENA_ADD(&model->arena, &extras->tables, (struct record_table){UINT32_MAX, model_copy(model, json)});
    extras->table_bytes += json.len;
    if (chain->last == UINT32_MAX)
        chain->head = place;
    else
        extras->tables.items[chain->last].next = place;
    chain->last = place;
}

struct native_kernel *extras_native(struct model *model, struct slice op, struct slice dsl) {
    struct extras *extras = extras_of(model);
    struct buf key = {0};
    bool added;
    buf_add(&key, op);
    buf_add_byte(&key, 0);
    buf_add(&key, dsl);
    uint32_t index = place_of(&model->arena, &extras->native_map, buf_slice(&key), extras->natives.count,
                              NATIVE_KERNELS_MAX, &added);
    buf_free(&key);
    if (index == MAP_NONE) {
        extras->more_natives++;
        return NULL;
    }
    if (added) {
        ARENA_ADD(&model->arena, &extras->natives,
                  (struct native_kernel){
                      .op = model_copy(model, utf8_first(op, NOTICE_MESSAGE_MAX)),
                      .dsl = model_copy(model, utf8_first(dsl, NOTICE_MESSAGE_MAX)),
                  });
    }
    return &extras->natives.items[index];
}

/* The failure says "Inductor compile worker sidecar (pid 7) exited unexpectedly …", and the notice "sidecar pid=7
 * returncode=…". */
static void attach_death(struct model *model, struct notice *notice) {
    AUTO_BUF words = {0};
    size_t at = slice_find(notice->message, SLICE("pid=")), len = 0;
    struct slice digits = at != SIZE_MAX ? slice_from(notice->message, at + SLICE("pid=").len) : (struct slice){0};
    while (len < digits.len && digits.ptr[len] >= '0' && digits.ptr[len] <= '9')
        len++;
    BUF_ADD(&words, "sidecar (pid ", slice_first(digits, len), ")");
    for (size_t i = 0; len && i < model->failures.count; i++)
        if (slice_find(model->failures.items[i].reason, buf_slice(&words)) != SIZE_MAX) {
            notice->compile = model->failures.items[i].compile;
            notice->in_failure = true;
            break;
        }
}

void extras_attach(struct model *model) {
    size_t deaths = 0;
    for (size_t i = 0; model->extras && i < model->extras->notices.count && deaths < DEATHS_MAX; i++)
        if (model->extras->notices.items[i].kind == NOTICE_WORKER_DEATH) {
            attach_death(model, &model->extras->notices.items[i]);
            deaths++;
        }
}

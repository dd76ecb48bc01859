#include "profile/profile_join.h"

#include "model/log_info.h"

enum { CANDIDATES_MAX = 256 };

const char join_other_process[] = "is of another run, or of a forked process: its process did not write the log";

static void index_compiles(struct join *j) {
    size_t count = j->model->compiles.count;
    j->earlier = mem_alloc((count + 1) * sizeof *j->earlier);
    j->called = mem_zalloc(count + 1, sizeof *j->called);
    for (uint32_t i = 0; i < count; i++) {
        const struct compile *compile = j->model->compiles.items[i];
        bool added;
        j->earlier[i] = NONE;
        if (!compile->framed)
            continue;
        uint32_t *latest = map_put(&j->ids, compile->id, i, &added);
        if (!added) {
            j->earlier[i] = *latest;
            *latest = i;
        }
    }
}

static bool is_backward(const struct code_calls *code) {
    return slice_ends(code->graph, SLICE("_backward"));
}

/* Graphs that bypass the cache have no key. */
static void note_keyless(struct join *j, const struct code_calls *code, uint32_t index) {
    uint32_t *only = is_backward(code) ? &j->keyless_backward : &j->keyless[code->compile];
    *only = *only == NONE ? index : SEVERAL;
}

static void index_codes(struct join *j) {
    size_t count = j->kernels ? j->kernels->codes.count : 0;
    j->keyless = mem_alloc((j->model->compiles.count + 1) * sizeof *j->keyless);
    for (size_t i = 0; i < j->model->compiles.count; i++)
        j->keyless[i] = NONE;
    j->same_key = mem_alloc((count + 1) * sizeof *j->same_key);
    for (uint32_t i = 0; i < count; i++) {
        const struct code_calls *code = &j->kernels->codes.items[i];
        bool added;
        j->same_key[i] = NONE;
        if (!code->python)
            j->package = j->package == NONE ? i : SEVERAL;
        if (!code->key.ptr && code->python && code->compile < j->model->compiles.count)
            note_keyless(j, code, i);
        if (!code->key.ptr)
            continue;
        uint32_t *latest = map_put(&j->keys, code->key, i, &added);
        if (!added) {
            j->same_key[i] = *latest;
            *latest = i;
        }
    }
}

void join_index(struct join *j) {
    index_compiles(j);
    index_codes(j);
}

void join_index_free(struct join *j) {
    mem_free(j->earlier);
    mem_free(j->called);
    mem_free(j->same_key);
    mem_free(j->keyless);
    mem_free(j->processes.items);
    map_free(&j->ids);
    map_free(&j->keys);
}

/* The process of a compile is the one that the track names, if the log has several. */
static bool same_process(const struct join *j, const struct compile *compile, uint32_t track) {
    uint64_t number;
    if (j->model->process_count < 2 || !slice_to_u64(j->trace->tracks.items[track].process, &number))
        return true;
    return model_process(j->model, compile->process).number == number;
}

uint32_t join_compile_at(const struct join *j, struct slice id, const struct profile_event *event) {
    uint32_t compile = map_get(&j->ids, id);
    for (int i = 0; compile != NONE && i < CANDIDATES_MAX; i++, compile = j->earlier[compile]) {
        const struct compile *candidate = j->model->compiles.items[compile];
        if (same_process(j, candidate, event->track) &&
            (!j->trace->clock_known || candidate->started_us * 1000 <= event->start_ns))
            return compile;
    }
    return NONE;
}

static bool is_called(const struct join *j, uint32_t compile) {
    return j->called[compile];
}

static bool same_function(const struct compile *a, const struct compile *b) {
    return a->frame.file.ptr && b->frame.file.ptr && a->frame.line == b->frame.line &&
           slice_eq(a->frame.function, b->frame.function) && slice_eq(a->frame.file, b->frame.file);
}

/* Of the codes with the same key as this one, that of the only compile whose regions the trace has. After a reset, a later
 * compile of its function replaces it. */
static uint32_t only_called(const struct join *j, uint32_t code, const struct profile_event *event) {
    uint32_t found = NONE;
    for (int i = 0; code != NONE && i < CANDIDATES_MAX; i++, code = j->same_key[code]) {
        uint32_t compile = j->kernels->codes.items[code].compile;
        if (!is_called(j, compile) || join_compile_at(j, j->model->compiles.items[compile]->id, event) != compile)
            continue;
        const struct compile *of = j->model->compiles.items[compile], *other;
        if (found == NONE) {
            found = code;
            continue;
        }
        other = j->model->compiles.items[j->kernels->codes.items[found].compile];
        if (other->frame_id == of->frame_id || !same_function(other, of))
            return NONE;
    }
    return code == NONE ? found : NONE;
}

uint32_t join_code_of(const struct join *j, const struct profile_event *event, uint32_t compile) {
    const struct name_role *role = &j->roles[event->name];
    if (role->package)
        return j->package == SEVERAL ? NONE : j->package;
    if (!role->detail.ptr) {
        uint32_t only = compile == NONE ? j->keyless_backward : j->keyless[compile];
        return only == SEVERAL ? NONE : only;
    }
    uint32_t code = map_get(&j->keys, role->detail);
    if (code == NONE || j->same_key[code] == NONE)
        return code;
    if (compile == NONE)
        return only_called(j, code, event);
    for (int i = 0; code != NONE && i < CANDIDATES_MAX; i++, code = j->same_key[code])
        if (j->kernels->codes.items[code].compile == compile)
            return code;
    return NONE;
}

void join_note_called(struct join *j, const struct profile_event *event) {
    uint32_t compile = join_compile_at(j, j->roles[event->name].detail, event);
    if (compile != NONE)
        j->called[compile] = true;
}

static int by_number(const void *a, const void *b) {
    uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;
    return one < other ? -1 : one > other;
}

static void find_processes(struct join *j) {
    size_t kept = 0;
    uint64_t number;
    j->processes.count = 0;
    for (size_t t = 0; t < j->trace->tracks.count; t++)
        if (slice_to_u64(j->trace->tracks.items[t].process, &number))
            LIST_ADD(&j->processes, number);
    LIST_SORT(&j->processes, by_number);
    for (size_t i = 0; i < j->processes.count; i++)
        if (!kept || j->processes.items[kept - 1] != j->processes.items[i])
            j->processes.items[kept++] = j->processes.items[i];
    j->processes.count = kept;
}

static bool has_process(const struct join *j, uint64_t number) {
    size_t at = 0;
    SEARCH(at, j->processes.count, middle, j->processes.items[middle] < number);
    return at < j->processes.count && j->processes.items[at] == number;
}

/* Whether a process of the trace wrote the log. */
static bool is_of_log(const struct join *j) {
    for (size_t i = 0; i < j->model->processes.count; i++)
        if (has_process(j, j->model->processes.items[i].number))
            return true;
    return false;
}

const char *join_complaint(struct join *j) {
    find_processes(j);
    bool regions = false, known = false, lookups = false, nameless = false;
    for (size_t i = 0; i < j->trace->names.count; i++) {
        const struct name_role *role = &j->roles[i];
        lookups |= role->role == ROLE_LOOKUP;
        nameless |= slice_is(j->trace->names.items[i], "Torch-Compiled Region");
        regions |= role->role == ROLE_REGION || role->role == ROLE_GRAPH;
        known |= role->role == ROLE_REGION
                   ? map_get(&j->ids, role->detail) != MAP_NONE
                   : role->role == ROLE_GRAPH && (!role->detail.ptr || map_get(&j->keys, role->detail) != MAP_NONE);
    }
    if (!regions && nameless)
        return "does not say which compile a call is of: record it with PyTorch 2.9 or later";
    if (!regions && lookups)
        return "has guard checks, but no call of compiled code: the calls ran eagerly";
    if (!regions)
        return "has no call of compiled code: record it with torch.profiler while the compiled program runs, in the "
               "thread that calls it or with "
               "profile_all_threads=True";
    if (!known)
        return "is of another run: no compiled region of it is in the log";
    return is_of_log(j) ? NULL : join_other_process;
}

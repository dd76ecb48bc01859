#include "profile/profile_join.h"

static void note_steps(struct join *j) {
    uint64_t steps = 0;
    for (size_t i = 0; i < j->trace->names.count; i++)
        steps += j->roles[i].role == ROLE_STEP;
    j->profile->steps += steps;
}

static void note_start(struct join *j, int64_t first_ns) {
    int64_t *start_ns = &j->profile->start_ns;
    if (!j->trace->clock_known)
        j->clock_unknown = true;
    *start_ns = j->clock_unknown ? INT64_MAX : first_ns < *start_ns ? first_ns : *start_ns;
}

static void note_processes(struct join *j, int64_t last_ns) {
    for (size_t i = 0; i < j->processes.count; i++)
        LIST_ADD(&j->profile->processes,
                 (struct profiled_process){j->processes.items[i], j->trace->clock_known ? last_ns : INT64_MAX});
}

/* Notes when the trace begins and ends, its work on devices, and which names are operators. */
static void note_events(struct join *j) {
    const struct profile_trace *trace = j->trace;
    int64_t first = INT64_MAX, last = INT64_MIN;
    bool devices = false;
    memset(j->of_operators, 0, sizeof j->of_operators);
    memset(j->called, 0, j->model->compiles.count * sizeof *j->called);
    j->compilers.count = 0;
    j->packages_are_operators = false;
    for (size_t i = 0; i < trace->events.count; i++) {
        const struct profile_event *event = &trace->events.items[i];
        devices |= event->kind == PROFILE_DEVICE;
        const struct name_role *role = &j->roles[event->name];
        if (role->role == ROLE_REGION && event->kind != PROFILE_DEVICE)
            join_note_called(j, event);
        else if (role->role == ROLE_COMPILER)
            join_note_compiler(j, event);
        if (event->kind == PROFILE_OP && role->package)
            j->packages_are_operators = true;
        else if (event->kind == PROFILE_OP)
            j->of_operators[role->role] = true;
        first = event->start_ns < first ? event->start_ns : first;
        last = profile_event_end(event) > last ? profile_event_end(event) : last;
    }
    join_sort_compilers(j);
    if (devices)
        join_find_works(j);
    if (first <= last && __builtin_add_overflow(j->profile->window_ns, last - first, &j->profile->window_ns))
        j->profile->window_ns = INT64_MAX;
    note_start(j, first);
    note_processes(j, last);
}

const char profile_other_rank[] = "is of another rank";

/* Returns why the trace is not used, or NULL. */
static const char *join_file(struct join *j, const struct profile_file *file) {
    if (file->refused)
        return file->refused;
    if (file->trace.rank >= 0 && j->model->has_rank && (uint64_t)file->trace.rank != j->model->rank)
        return profile_other_rank;
    j->trace = &file->trace;
    j->roles = mem_alloc((file->trace.names.count + 1) * sizeof *j->roles);
    for (size_t i = 0; i < file->trace.names.count; i++)
        j->roles[i] = profile_name_role(file->trace.names.items[i]);
    j->compiles = j->shows_graphs = j->has_steps = false;
    for (size_t i = 0; i < file->trace.names.count; i++) {
        j->compiles |= j->roles[i].role == ROLE_COMPILER;
        j->shows_graphs |= j->roles[i].role == ROLE_GRAPH;
        j->has_steps |= j->roles[i].role == ROLE_STEP;
    }
    j->threads = mem_alloc((file->trace.tracks.count + 1) * sizeof *j->threads);
    for (size_t i = 0; i < file->trace.tracks.count; i++)
        j->threads[i] = NONE;
    const char *why = join_complaint(j);
    if (!why) {
        note_steps(j);
        note_events(j);
        join_find_steps(j);
        join_tried_begin(j);
        join_sweep(j);
    }
    mem_free(j->roles);
    mem_free(j->threads);
    return why;
}

static void times_free(struct times *times) {
    mem_free(times->ns.items);
    mem_free(times->by_step);
}

static void join_free(struct join *j) {
    for (size_t i = 0; i < j->profile->compiles.count; i++) {
        times_free(&j->calls[i]);
        times_free(&j->guards[i]);
        times_free(&j->eager_calls[i]);
    }
    for (size_t i = 0; j->kernel_calls && i < j->kernels->list.count; i++) {
        times_free(&j->kernel_calls[i]);
        times_free(&j->kernel_device_calls[i]);
    }
    for (size_t i = 0; i < j->graph_calls.count; i++)
        times_free(&j->graph_calls.items[i]);
    for (size_t i = 0; j->kernels && i < j->kernels->codes.count; i++)
        profile_calls_free(&j->code_calls[i]);
    mem_free(j->calls);
    mem_free(j->guards);
    mem_free(j->kernel_calls);
    mem_free(j->kernel_device_calls);
    mem_free(j->graph_calls.items);
    times_free(&j->lookups);
    times_free(&j->steps);
    times_free(&j->overhead);
    times_free(&j->eager_work);
    mem_free(j->eager_calls);
    mem_free(j->trace_steps.items);
    mem_free(j->code_calls);
    mem_free(j->works.list.items);
    mem_free(j->compiler.items);
    mem_free(j->compilers.items);
    mem_free(j->stack.items);
    mem_free(j->children.items);
    map_free(&j->graphs);
    map_free(&j->eager);
    join_index_free(j);
}

static int by_process(const void *a, const void *b) {
    const struct profiled_process *one = a, *other = b;
    return one->number < other->number ? -1 : one->number > other->number;
}

/* Several traces may be of one process: the latest end counts. */
static void merge_processes(struct profile *profile) {
    size_t kept = 0;
    LIST_SORT(&profile->processes, by_process);
    for (size_t i = 0; i < profile->processes.count; i++) {
        const struct profiled_process *process = &profile->processes.items[i];
        struct profiled_process *before = kept ? &profile->processes.items[kept - 1] : NULL;
        if (!before || before->number != process->number)
            profile->processes.items[kept++] = *process;
        else if (process->last_ns > before->last_ns)
            before->last_ns = process->last_ns;
    }
    profile->processes.count = kept;
}

/* Notes whether the log uses the files. Of several reasons, the one that comes last in join_complaint() is kept. */
static void note_use(const struct profile *profile, struct profiles *profiles) {
    pthread_mutex_lock(&profiles->lock);
    for (size_t i = 0; i < profiles->files.count; i++) {
        struct profile_file *file = &profiles->files.items[i];
        const char *why = profile->refused[i];
        file->used |= !why;
        if (why && !file->refused && why != profile_other_rank && (!file->why || file->why != join_other_process))
            file->why = why;
    }
    pthread_mutex_unlock(&profiles->lock);
}

static void make_times(struct join *j) {
    size_t kernels = j->kernels ? j->kernels->list.count : 0, codes = j->kernels ? j->kernels->codes.count : 0;
    j->calls = mem_zalloc(j->model->compiles.count + 1, sizeof *j->calls);
    j->guards = mem_zalloc(j->model->compiles.count + 1, sizeof *j->guards);
    j->eager_calls = mem_zalloc(j->model->compiles.count + 1, sizeof *j->eager_calls);
    j->code_calls = mem_zalloc(codes + 1, sizeof *j->code_calls);
    if (!kernels)
        return;
    j->profile->kernels = mem_zalloc(kernels, sizeof *j->profile->kernels);
    j->profile->kernel_spreads = mem_zalloc(kernels, sizeof *j->profile->kernel_spreads);
    j->profile->kernel_count = kernels;
    j->profile->kernels_by_step = mem_zalloc(kernels, sizeof *j->profile->kernels_by_step);
    j->kernel_calls = mem_zalloc(kernels, sizeof *j->kernel_calls);
    j->kernel_device_calls = mem_zalloc(kernels, sizeof *j->kernel_device_calls);
}

static void add_code_key(struct buf *key, const struct compile *compile) {
    key->len = 0;
    BUF_ADD(key, compile->process, " ", compile->frame.line, " ", compile->frame.function, " ", compile->frame.file);
}

static void add_frame_key(struct buf *key, const struct compile *compile) {
    key->len = 0;
    BUF_ADD(key, compile->process, " ", (uint64_t)compile->epoch, " ", (uint64_t)compile->frame_id);
}

/* Finds compiles whose frame failed later: it may run eagerly since. */
static void find_given_up(struct profile *profile, const struct model *model) {
    AUTO_MAP failed = {0};
    AUTO_BUF key = {0};
    for (uint32_t i = 0; i < model->compiles.count; i++) {
        if (!model->compiles.items[i]->failed)
            continue;
        add_frame_key(&key, model->compiles.items[i]);
        *map_put(&failed, buf_slice(&key), i, NULL) = i;
    }
    for (uint32_t i = 0; failed.count && i < model->compiles.count; i++) {
        add_frame_key(&key, model->compiles.items[i]);
        uint32_t last = map_get(&failed, buf_slice(&key));
        profile->compiles.items[i].replaced |= last != MAP_NONE && last > i;
    }
}

/* Finds compiles whose function is called as another, later frame: torch._dynamo.reset() dropped them. */
static void find_replaced(struct profile *profile, const struct model *model) {
    AUTO_MAP latest = {0};
    AUTO_BUF key = {0};
    for (uint32_t i = 0; i < model->compiles.count; i++) {
        if (!model->compiles.items[i]->frame.file.ptr || !profile->compiles.items[i].time.calls)
            continue;
        add_code_key(&key, model->compiles.items[i]);
        *map_put(&latest, buf_slice(&key), i, NULL) = i;
    }
    for (uint32_t i = 0; latest.count && i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[i], *last;
        if (!compile->frame.file.ptr)
            continue;
        add_code_key(&key, compile);
        uint32_t called = map_get(&latest, buf_slice(&key));
        last = called == MAP_NONE ? compile : model->compiles.items[called];
        profile->compiles.items[i].replaced =
            last->index > compile->index && (last->frame_id != compile->frame_id || last->epoch != compile->epoch);
    }
}

static struct run_spread spread_of(struct times *times) {
    return profile_spread(times->ns.items, times->ns.count);
}

/* The sums by step; the caller owns them from now on. */
static int64_t *take_steps(struct times *times) {
    int64_t *by_step = times->by_step;
    times->by_step = NULL;
    return by_step;
}

static void find_spreads(struct join *j) {
    struct profile *profile = j->profile;
    for (size_t i = 0; i < profile->compiles.count; i++) {
        profile->compiles.items[i].spread = spread_of(&j->calls[i]);
        profile->compiles.items[i].guard_median_ns = spread_of(&j->guards[i]).median_ns;
        profile->compiles.items[i].by_step = take_steps(&j->calls[i]);
    }
    for (size_t i = 0; i < j->graph_calls.count; i++) { /* one for each graph */
        profile->graphs.items[i].spread = spread_of(&j->graph_calls.items[i]);
        profile->graphs.items[i].by_step = take_steps(&j->graph_calls.items[i]);
    }
    for (size_t i = 0; j->kernel_calls && i < j->kernels->list.count; i++) {
        struct times *times = profile->devices.count ? &j->kernel_device_calls[i] : &j->kernel_calls[i];
        profile->kernel_spreads[i] = spread_of(times);
        profile->kernels_by_step[i] = take_steps(times);
    }
    profile->lookup_spread = spread_of(&j->lookups);
    profile->lookups_by_step = take_steps(&j->lookups);
    profile->overhead_by_step = take_steps(&j->overhead);
    profile->eager_by_step = take_steps(&j->eager_work);
    profile->step_ns = take_steps(&j->steps);
    profile->step_spread = spread_of(&j->steps);
}

/* Adds what compiles run eagerly at a graph break to the break, by step. */
static void find_gap_steps(struct join *j) {
    for (size_t i = 0; i < j->profile->compiles.count; i++) {
        const int64_t *steps = j->eager_calls[i].by_step;
        uint32_t graph_break = steps ? profile_break_of(j->model, j->model->compiles.items[i]) : NONE;
        if (graph_break == NONE)
            continue;
        struct profiled_gap *gap = &j->profile->gaps.items[graph_break];
        if (!gap->by_step)
            gap->by_step = mem_zalloc(PROFILE_STEPS_MAX, sizeof *gap->by_step);
        for (int step = 0; step < PROFILE_STEPS_MAX; step++)
            gap->by_step[step] += steps[step];
    }
}

void profile_join(struct profile *profile, struct profiles *profiles, const struct model *model) {
    struct join j = {.profile = profile,
                     .model = model,
                     .kernels = model->kernels,
                     .package = NONE,
                     .keyless_backward = NONE};
    *profile = (struct profile){.profiles = profiles, .start_ns = INT64_MAX};
    profile->refused = mem_zalloc(profiles->files.count + 1, sizeof *profile->refused);
    for (uint32_t i = 0; i < model->compiles.count; i++)
        LIST_ADD(&profile->compiles, (struct profiled_compile){.compile = i});
    make_times(&j);
    for (uint32_t i = 0; i < model->breaks.count; i++)
        LIST_ADD(&profile->gaps, (struct profiled_gap){.graph_break = i});
    join_index(&j);
    join_tried_index(&j);
    for (uint32_t i = 0; i < profiles->files.count; i++) {
        j.file = i;
        profile->refused[i] = join_file(&j, &profiles->files.items[i]);
    }
    note_use(profile, profiles);
    merge_processes(profile);
    find_replaced(profile, model);
    find_given_up(profile, model);
    find_spreads(&j);
    join_tried_end(&j);
    profile_find_lines(profile, j.kernels);
    profile_find_backward(profile, j.kernels);
    find_gap_steps(&j);
    profile_find_gaps(profile, model);
    profile_sort(profile);
    join_free(&j);
}

void profile_free(struct profile *profile) {
    for (size_t i = 0; i < profile->compiles.count; i++)
        mem_free(profile->compiles.items[i].by_step);
    for (size_t i = 0; i < profile->graphs.count; i++)
        mem_free(profile->graphs.items[i].by_step);
    for (size_t i = 0; i < profile->gaps.count; i++)
        mem_free(profile->gaps.items[i].by_step);
    for (size_t i = 0; i < profile->kernel_count; i++)
        mem_free(profile->kernels_by_step[i]);
    mem_free(profile->kernels_by_step);
    mem_free(profile->step_ns);
    mem_free(profile->overhead_by_step);
    mem_free(profile->eager_by_step);
    mem_free(profile->lookups_by_step);
    mem_free(profile->compiles.items);
    mem_free(profile->graphs.items);
    mem_free(profile->kernels);
    mem_free(profile->kernel_spreads);
    mem_free(profile->lines.items);
    mem_free(profile->gaps.items);
    mem_free(profile->eager.items);
    mem_free(profile->processes.items);
    mem_free(profile->spans.items);
    mem_free(profile->threads.items);
    mem_free(profile->refused);
    *profile = (struct profile){0};
}

static void destroy_part(void *part) {
    profile_free(part);
    mem_free(part);
}

void profile_attach(struct model *model, struct profiles *profiles) {
    model->profile = mem_zalloc(1, sizeof *model->profile);
    model_own(model, model->profile, destroy_part);
    profile_join(model->profile, profiles, model);
}

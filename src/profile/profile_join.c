#include "profile/profile_parts.h"

#include "model/log_info.h"

#define NONE UINT32_MAX
#define SEVERAL (UINT32_MAX - 1)
enum { CANDIDATES_MAX = 256 };

/* Guard checks. ns: -1: none. */
struct lookup {
    int64_t ns, end_ns, known_ns; /* known_ns: of the frame around it, at the end */
};

/* An open event. */
struct open_event {
    const struct profile_event *event;
    enum role role;
    uint32_t region;            /* index of the innermost region in the stack, this one included; NONE */
    uint32_t outer;             /* of a region: the next one around it; NONE */
    uint32_t graph;             /* the same for graphs */
    uint32_t child;             /* index in `children` of the operator of the graph that contains it; NONE */
    uint32_t eager;             /* index in profile->eager of the outermost operator outside of graphs; NONE */
    uint32_t wrapper;           /* index of the wrapper in the stack; NONE */
    uint32_t compile;           /* of a region; NONE: not in the log */
    uint32_t place;             /* of a graph: index in profile->graphs */
    size_t children;            /* of a graph: where its children begin in `children` */
    int64_t known_ns;           /* of a region: time of what has its own place */
    struct lookup lookup;       /* of the lookup that no region has taken */
    struct lookup unmatched;    /* of a region: the first lookup in it that no region has taken */
    int64_t compiling_ns;       /* of a region: time in it during which the compiler ran */
    int64_t inner_compiling_ns; /* part of it in regions in it */
    bool in_graph;              /* a graph around the innermost region calls it */
    uint32_t within;            /* index of the region in which that graph is; NONE */
    bool has_graph;             /* of a wrapper: compiled code is called in it */
    bool replays;               /* of a graph: a CUDA graph */
    int64_t spans_ns;           /* of what is a span of its own, if this is one */
};

/* What ran in a graph: an operator or, if `replayed`, work on a device. */
struct child {
    uint32_t name;
    bool replayed;
    int64_t ns, device_ns;
};

/* Times whose spread is wanted: at most one for each event of a trace. */
struct times {
    LIST(int64_t) ns;
};

/* A time in which the compiler ran on the current track. */
struct compiler_run {
    int64_t start_ns, end_ns;
};

struct open_step {
    const struct profile_event *event; /* NULL: none */
    bool compiled;                     /* compiled code is called in it */
    int64_t spans_ns;                  /* of what is a span of its own */
};

struct join {
    struct profile *profile;
    const struct model *model;
    const struct kernels *kernels; /* NULL: none */
    struct map ids;                /* id → its latest compile */
    uint32_t package;              /* the only code of AOTInductor; NONE, or SEVERAL */
    uint32_t *earlier;             /* by compile: the previous one with its id; NONE */
    struct map keys;               /* key → its latest code */
    uint32_t *same_key;            /* by code: the previous one with its key; NONE */
    uint32_t *keyless;             /* by compile: its only code without a key that is no backward; NONE, or SEVERAL */
    uint32_t keyless_backward;     /* the only such code of a backward */
    struct map graphs;             /* key, code and compile → index in profile->graphs */
    struct map eager;              /* name → index in profile->eager */
    struct profile_calls *code_calls; /* by code */
    bool clock_unknown;               /* of a trace that is used */
    struct times *calls;              /* by compile: times of its calls */
    struct times *guards;             /* by compile: times of the lookups before them */
    struct times *kernel_calls;       /* by kernel: the same */
    struct times *kernel_device_calls;
    LIST(struct times) graph_calls; /* by index in profile->graphs */
    struct times lookups, steps;
    /* of the current trace */
    const struct profile_trace *trace;
    uint32_t file;
    struct map called; /* ids of its regions */
    uint32_t *threads; /* by track: in profile->threads; NONE: not yet */
    struct name_role *roles;
    bool compiles;            /* it has events of the compiler */
    bool shows_graphs;        /* it has calls of graphs, as those of older versions have not */
    LIST(uint64_t) processes; /* that it names, by number, each once */
    struct device_works works;
    LIST(struct compiler_run) compiler; /* by time, apart from each other */
    LIST(struct open_event) stack;
    LIST(struct child) children;
    struct lookup top_lookup; /* as frame.lookup, outside of everything */
    struct open_step step;
    size_t open_spans; /* in the stack */
    /* By role: the trace has it as an operator, so annotations with it are the user's. */
    bool of_operators[ROLES];
};

static void index_compiles(struct join *j) {
    size_t count = j->model->compiles.count;
    j->earlier = mem_alloc((count + 1) * sizeof *j->earlier);
    j->calls = mem_zalloc(count + 1, sizeof *j->calls);
    j->guards = mem_zalloc(count + 1, sizeof *j->guards);
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
    j->code_calls = mem_zalloc(count + 1, sizeof *j->code_calls);
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

/* The process of a compile is the one that the track names, if the log has several. */
static bool same_process(const struct join *j, const struct compile *compile, uint32_t track) {
    uint64_t number;
    if (j->model->process_count < 2 || !slice_to_u64(j->trace->tracks.items[track].process, &number))
        return true;
    return model_process(j->model, compile->process).number == number;
}

/* The compile that a region calls: the latest one with this id that had started by then. */
static uint32_t compile_at(const struct join *j, struct slice id, const struct profile_event *event) {
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
    return map_get(&j->called, j->model->compiles.items[compile]->id) != MAP_NONE;
}

/* Of the codes with the same key as this one, that of the only compile whose regions the trace has. */
static uint32_t only_called(const struct join *j, uint32_t code) {
    uint32_t found = NONE;
    for (int i = 0; code != NONE && i < CANDIDATES_MAX; i++, code = j->same_key[code]) {
        if (!is_called(j, j->kernels->codes.items[code].compile))
            continue;
        if (found != NONE)
            return NONE;
        found = code;
    }
    return code == NONE ? found : NONE;
}

/* The code of a graph. If several have its key, the region's own; outside of regions, as in the backward, that of the
 * only compile that is called. */
static uint32_t code_of(const struct join *j, const struct name_role *role, uint32_t compile) {
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
        return only_called(j, code);
    for (int i = 0; code != NONE && i < CANDIDATES_MAX; i++, code = j->same_key[code])
        if (j->kernels->codes.items[code].compile == compile)
            return code;
    return NONE;
}

static uint32_t graph_place(struct join *j, struct slice key, uint32_t code, uint32_t compile) {
    AUTO_BUF text = {0};
    bool added;
    buf_addf(&text, "%" PRIu32 " %" PRIu32 " %.*s", code, compile, SLICE_ARG(key));
    uint32_t place = *map_put(&j->graphs, buf_slice(&text), (uint32_t)j->profile->graphs.count, &added);
    if (added) {
        LIST_ADD(&j->profile->graphs, (struct profiled_graph){.code = code, .compile = compile, .key = key});
        LIST_ADD(&j->graph_calls, (struct times){0});
    }
    return place;
}

static void add_time(struct run_time *time, int64_t ns, int64_t device_ns) {
    time->calls++;
    time->ns += ns;
    time->device_ns += device_ns;
}

static struct open_event *frame_at(struct join *j, uint32_t index) {
    return index == NONE ? NULL : &j->stack.items[index];
}

static struct profiled_compile *compile_of(struct join *j, uint32_t compile) {
    return &j->profile->compiles.items[compile];
}

/* The region's time that has its own place. */
static void note_known(struct join *j, uint32_t region, int64_t ns) {
    struct open_event *frame = frame_at(j, region);
    if (frame)
        frame->known_ns += ns;
}

/* The same for compiled code, with the time in it during which the compiler ran. */
static void note_inner(struct join *j, uint32_t region, int64_t ns, int64_t compiling_ns) {
    struct open_event *frame = frame_at(j, region);
    note_known(j, region, ns);
    if (frame)
        frame->inner_compiling_ns += compiling_ns;
}

static void add_overhead(struct join *j, uint32_t region, int64_t ns) {
    struct open_event *frame = frame_at(j, region);
    j->profile->overhead_ns += ns;
    if (frame && frame->compile != NONE)
        compile_of(j, frame->compile)->overhead_ns += ns;
}

/* How long the compiler ran between these times. */
static int64_t compiling_between(const struct join *j, int64_t start_ns, int64_t end_ns) {
    size_t at = 0;
    int64_t ns = 0;
    SEARCH(at, j->compiler.count, middle, j->compiler.items[middle].end_ns <= start_ns);
    for (; at < j->compiler.count && j->compiler.items[at].start_ns < end_ns; at++) {
        const struct compiler_run *run = &j->compiler.items[at];
        ns += (run->end_ns < end_ns ? run->end_ns : end_ns) - (run->start_ns > start_ns ? run->start_ns : start_ns);
    }
    return ns;
}

static int64_t compiling_in(const struct join *j, const struct profile_event *event) {
    return j->compiler.count ? compiling_between(j, event->start_ns, event->start_ns + event->ns) : 0;
}

/* Whether the region or one around it calls the compile. */
static bool is_within(struct join *j, uint32_t region, uint32_t compile) {
    for (; region != NONE; region = frame_at(j, region)->outer)
        if (frame_at(j, region)->compile == compile)
            return true;
    return false;
}

static void begin_region(struct join *j, struct open_event *frame, uint32_t outer, int64_t lookup_ns) {
    struct profile *profile = j->profile;
    frame->compile = compile_at(j, j->roles[frame->event->name].detail, frame->event);
    frame->compiling_ns = compiling_in(j, frame->event);
    int64_t ns = frame->event->ns - frame->compiling_ns;
    add_time(&profile->regions, outer == NONE ? ns : 0, 0);
    profile->compiling_ns += outer == NONE ? frame->compiling_ns : 0;
    profile->unknown_ids += frame->compile == NONE;
    if (frame->graph == NONE) /* otherwise it is a part of the graph's time */
        note_inner(j, outer, frame->event->ns, frame->compiling_ns);
    if (frame->compile == NONE)
        return;
    struct profiled_compile *compile = compile_of(j, frame->compile);
    bool recursive = is_within(j, outer, frame->compile);
    add_time(&compile->time, recursive ? 0 : ns, 0);
    compile->compiling_ns += recursive ? 0 : frame->compiling_ns;
    LIST_ADD(&j->calls[frame->compile].ns, ns);
    if (lookup_ns >= 0) {
        compile->guard_calls++;
        compile->guard_ns += lookup_ns;
        LIST_ADD(&j->guards[frame->compile].ns, lookup_ns);
    }
}

static uint32_t break_of(const struct join *j, uint32_t region) {
    uint32_t compile = j->stack.items[region].compile;
    return compile == NONE ? NONE : profile_break_of(j->model, j->model->compiles.items[compile]);
}

/* Adds the time of a graph to the break of a region around it, unless one of those between has the same break, as
 * frames that Dynamo inlined do. */
static void add_to_gap(struct join *j, uint32_t innermost, uint32_t region, int64_t ns) {
    uint32_t found = break_of(j, region);
    for (uint32_t i = innermost; i != region && found != NONE; i = frame_at(j, i)->outer)
        found = break_of(j, i) == found ? NONE : found;
    if (found != NONE)
        j->profile->gaps.items[found].graph_ns += ns;
}

static void begin_graph(struct join *j, struct open_event *frame) {
    struct slice key = j->roles[frame->event->name].detail;
    struct open_event *region = frame_at(j, frame->region);
    uint32_t compile = region ? region->compile : NONE, code = code_of(j, &j->roles[frame->event->name], compile);
    if (code != NONE)
        compile = j->kernels->codes.items[code].compile;
    j->profile->unknown_keys += code == NONE;
    frame->place = graph_place(j, key, code, compile);
    frame->children = j->children.count;
    frame->compiling_ns = compiling_in(j, frame->event);
    int64_t ns = frame->event->ns - frame->compiling_ns;
    add_time(&j->profile->graphs.items[frame->place].time, ns, 0);
    LIST_ADD(&j->graph_calls.items[frame->place].ns, ns);
    add_time(&j->profile->graph_calls, frame->in_graph || frame->graph != NONE ? 0 : ns, 0);
    if (frame->graph != NONE)
        return;
    for (uint32_t i = frame->region; i != frame->within; i = frame_at(j, i)->outer)
        add_to_gap(j, frame->region, i, ns);
    if (frame->wrapper != NONE) { /* whose time counts as overhead */
        add_overhead(j, frame->region, -ns);
        frame_at(j, frame->wrapper)->has_graph = true;
    } else {
        note_inner(j, frame->region, frame->event->ns, frame->compiling_ns);
    }
}

static uint32_t eager_place(struct join *j, struct slice name) {
    bool added;
    uint32_t place = *map_put(&j->eager, name, (uint32_t)j->profile->eager.count, &added);
    if (added)
        LIST_ADD(&j->profile->eager, (struct profiled_name){.name = name});
    return place;
}

/* Compiled code within an operator, which runs eagerly or in a graph, is not a part of its time. */
static void leave_operator(struct join *j, struct open_event *frame) {
    if (frame->child != NONE)
        j->children.items[frame->child].ns -= frame->event->ns;
    frame->child = NONE;
    if (frame->eager == NONE)
        return;
    j->profile->eager.items[frame->eager].time.ns -= frame->event->ns;
    j->profile->eager_ns -= frame->event->ns;
    frame->eager = NONE;
}

/* Nor is compiled code that a wrapper calls, such as what checkpointing computes again. */
static void leave_wrapper(struct join *j, const struct open_event *frame) {
    if (frame->wrapper == NONE || frame->graph != NONE)
        return;
    add_overhead(j, frame->region, -frame->event->ns);
    note_known(j, frame->region, -frame->event->ns);
    frame_at(j, frame->wrapper)->has_graph = true;
}

/* Whether the trace does not tell the graph that the region calls from the rest of it. */
static bool lacks_graphs(struct join *j, uint32_t region) {
    uint32_t compile = region == NONE || j->shows_graphs ? NONE : frame_at(j, region)->compile;
    return compile != NONE && j->model->compiles.items[compile]->has_code;
}

static void begin_operator(struct join *j, struct open_event *frame, const struct open_event *parent) {
    if (lacks_graphs(j, frame->region) || frame->event->kind != PROFILE_OP || frame->child != NONE ||
        frame->eager != NONE || (parent && parent->role == ROLE_PROLOGUE))
        return;
    if (frame->event->ns && 2 * compiling_in(j, frame->event) > frame->event->ns)
        return; /* the compiler's own */
    if (frame->graph != NONE) {
        if (parent->role == ROLE_GRAPH) {
            frame->child = (uint32_t)j->children.count;
            LIST_ADD(&j->children, (struct child){.name = frame->event->name, .ns = frame->event->ns});
        }
    } else if (frame->wrapper == NONE) {
        frame->eager = eager_place(j, j->trace->names.items[frame->event->name]);
        add_time(&j->profile->eager.items[frame->eager].time, frame->event->ns, 0);
        j->profile->eager_ns += frame->event->ns;
    }
}

/* The time between these, from the start of the frame on, in which the compiler did not run. */
static int64_t late_in(const struct join *j, const struct open_event *frame, int64_t from_ns, int64_t until_ns) {
    if (frame && frame->event->start_ns > from_ns)
        from_ns = frame->event->start_ns;
    if (!frame || from_ns >= until_ns)
        return 0;
    return until_ns - from_ns - (j->compiler.count ? compiling_between(j, from_ns, until_ns) : 0);
}

static uint32_t thread_of(struct join *j, const struct profile_event *event) {
    uint32_t *thread = &j->threads[event->track];
    if (*thread == NONE) {
        *thread = (uint32_t)j->profile->threads.count;
        LIST_ADD(&j->profile->threads, (struct profiled_thread){j->file, event->track, event->kind == PROFILE_DEVICE});
    }
    return *thread;
}

static void add_span(struct join *j, const struct profile_event *event, uint32_t compile, enum ran_kind kind,
                     int64_t self_ns) {
    if (j->profile->spans.count == PROFILE_SPANS_MAX) {
        j->profile->more_spans++;
        return;
    }
    uint32_t thread = thread_of(j, event);
    LIST_ADD(&j->profile->spans, (struct profiled_span){.start_ns = event->start_ns,
                                                        .ns = event->ns,
                                                        .self_ns = self_ns,
                                                        .thread = thread,
                                                        .compile = compile,
                                                        .name = event->name,
                                                        .kind = kind});
}

/* The compile whose code starts work. */
static uint32_t starter_of(struct join *j, const struct open_event *launch) {
    const struct open_event *region = frame_at(j, launch->region), *graph = frame_at(j, launch->graph);
    return graph ? j->profile->graphs.items[graph->place].compile : region ? region->compile : NONE;
}

/* How long the device waited for the launch of this work, and where the CPU was meanwhile. */
static void add_late(struct join *j, const struct open_event *launch, const struct device_work *work) {
    struct profiled_devices *devices = &j->profile->devices;
    const struct open_event *region = frame_at(j, launch->region), *graph = frame_at(j, launch->graph), *outermost;
    int64_t from_ns = work->start_ns - work->gap_ns, launched_ns = launch->event->start_ns,
            until_ns = launched_ns < work->start_ns ? launched_ns : work->start_ns;
    if (!work->gap_ns || until_ns <= from_ns)
        return;
    int64_t compiling_ns = j->compiler.count ? compiling_between(j, from_ns, until_ns) : 0,
            graph_ns = late_in(j, graph, from_ns, until_ns);
    for (outermost = region; outermost && outermost->outer != NONE;)
        outermost = frame_at(j, outermost->outer);
    int64_t frame_ns = late_in(j, outermost, from_ns, until_ns);
    devices->compiling_ns += compiling_ns;
    devices->late_ns += until_ns - from_ns - compiling_ns;
    devices->late_graphs_ns += graph_ns;
    devices->late_frames_ns += frame_ns > graph_ns ? frame_ns - graph_ns : 0;
    if (region && region->compile != NONE)
        compile_of(j, region->compile)->late_ns += late_in(j, region, from_ns, until_ns);
}

/* The time of the work that a launch starts. What a CUDA graph replays takes the place of operators. */
static int64_t take_works(struct join *j, const struct open_event *frame) {
    size_t count = 0;
    int64_t ns = 0;
    struct device_work *works = frame->event->id ? profile_works_of(&j->works, frame->event->id, &count) : NULL;
    bool replay = count && frame->graph != NONE && j->roles[frame->event->name].launches_graph;
    for (size_t i = 0; i < count; i++) {
        const struct profile_event *event = &j->trace->events.items[works[i].event];
        add_late(j, frame, &works[i]);
        if (j->trace->clock_known && (frame->graph != NONE || frame->region != NONE))
            add_span(j, event, starter_of(j, frame), RAN_ON_DEVICE, event->ns);
        ns += event->ns;
        if (replay)
            LIST_ADD(&j->children, (struct child){.name = event->name, .replayed = true, .device_ns = event->ns});
        works[i].event = NONE;
    }
    if (replay)
        frame_at(j, frame->graph)->replays = true;
    return ns;
}

/* Adds the work that a launch started to everything that it is in. */
static void add_launch(struct join *j, const struct open_event *frame) {
    size_t children = j->children.count;
    int64_t ns = take_works(j, frame);
    struct open_event *region = frame_at(j, frame->region), *graph = frame_at(j, frame->graph);
    if (!ns)
        return;
    if (frame->child != NONE && children == j->children.count)
        j->children.items[frame->child].device_ns += ns;
    if (frame->eager != NONE)
        j->profile->eager.items[frame->eager].time.device_ns += ns;
    if (graph) {
        j->profile->graphs.items[graph->place].time.device_ns += ns;
        j->profile->graph_calls.device_ns += ns;
    }
    j->profile->regions.device_ns += region ? ns : 0;
    for (; region; region = frame_at(j, region->outer))
        if (region->compile != NONE)
            compile_of(j, region->compile)->time.device_ns += ns;
}

/* An event in `parent`, which may be NULL. */
static struct open_event open_in(const struct open_event *parent, const struct profile_event *event) {
    static const struct open_event outside =
        {.region = NONE, .graph = NONE, .child = NONE, .eager = NONE, .wrapper = NONE, .within = NONE};
    struct open_event frame = parent ? *parent : outside;
    frame.event = event;
    frame.outer = frame.compile = NONE;
    frame.place = 0;
    frame.children = 0;
    frame.known_ns = frame.compiling_ns = frame.inner_compiling_ns = frame.spans_ns = 0;
    frame.lookup.ns = frame.unmatched.ns = -1;
    frame.has_graph = frame.replays = false;
    return frame;
}

static bool hides_graphs(struct join *j, uint32_t region) {
    uint32_t compile = region == NONE ? NONE : frame_at(j, region)->compile;
    return lacks_graphs(j, region) ||
           (compile != NONE && profile_hides_graphs(j->model, j->model->compiles.items[compile]));
}

/* Notes that no region has taken the latest lookup in the event, which may be NULL. */
static void leave_lookup(struct join *j, struct open_event *frame) {
    struct lookup *lookup = frame ? &frame->lookup : &j->top_lookup;
    if (lookup->ns < 0)
        return;
    j->profile->unmatched++;
    if (frame && frame->role == ROLE_REGION && frame->unmatched.ns < 0)
        frame->unmatched = *lookup;
    lookup->ns = -1;
}

static bool is_span(enum role role) {
    return role == ROLE_REGION || role == ROLE_GRAPH || role == ROLE_LOOKUP;
}

static int64_t end_of(const struct profile_event *event) {
    return event->start_ns + event->ns;
}

/* Steps need not begin and end between calls: they are no part of the stack. */
static void end_step(struct join *j) {
    const struct profile_event *event = j->step.event;
    if (!event)
        return;
    if (j->step.compiled)
        LIST_ADD(&j->steps.ns, event->ns - compiling_in(j, event));
    if (j->trace->clock_known)
        add_span(j, event, NONE, RAN_STEP, event->ns - j->step.spans_ns);
    j->step.event = NULL;
}

static void begin_step(struct join *j, const struct profile_event *event) {
    end_step(j);
    j->step = (struct open_step){.event = event};
}

/* Notes what begins in the current step. */
static void note_in_step(struct join *j, const struct profile_event *event, enum role role) {
    if (!j->step.event || !is_span(role))
        return;
    j->step.compiled |= role != ROLE_LOOKUP;
    if (j->open_spans)
        return;
    int64_t end_ns = end_of(event) < end_of(j->step.event) ? end_of(event) : end_of(j->step.event);
    j->step.spans_ns += end_ns - event->start_ns;
}

static void begin(struct join *j, const struct profile_event *event) {
    uint32_t place = (uint32_t)j->stack.count;
    struct open_event *parent = place ? &j->stack.items[place - 1] : NULL, frame = open_in(parent, event);
    struct lookup *lookup = parent ? &parent->lookup : &j->top_lookup;
    int64_t lookup_ns = -1;
    frame.role = event->kind == PROFILE_LAUNCH ? ROLE_OPERATOR : j->roles[event->name].role;
    note_in_step(j, event, frame.role);
    switch (frame.role) {
    case ROLE_REGION:
        lookup_ns = lookup->ns;
        lookup->ns = -1;
        leave_operator(j, &frame);
        leave_wrapper(j, &frame);
        begin_region(j, &frame, frame.region, lookup_ns);
        frame.within = frame.graph != NONE ? frame.region : frame.within;
        frame.in_graph |= frame.graph != NONE;
        frame.outer = frame.region;
        frame.region = place;
        frame.graph = frame.wrapper = NONE;
        break;
    case ROLE_GRAPH:
        leave_operator(j, &frame);
        begin_graph(j, &frame);
        frame.graph = place;
        break;
    case ROLE_LOOKUP:
        leave_lookup(j, parent);
        leave_operator(j, &frame);
        add_time(&j->profile->lookups, event->ns, 0);
        LIST_ADD(&j->lookups.ns, event->ns);
        if (frame.graph == NONE && frame.wrapper == NONE)
            note_known(j, frame.region, event->ns);
        else if (frame.graph == NONE)
            add_overhead(j, frame.region, -event->ns);
        *lookup = (struct lookup){event->ns, event->start_ns + event->ns, parent ? parent->known_ns : 0};
        break;
    case ROLE_PROLOGUE:
        if (frame.graph != NONE || frame.wrapper != NONE)
            break; /* a part of their time */
        note_known(j, frame.region, event->ns);
        add_overhead(j, frame.region, event->ns);
        break;
    case ROLE_COMPILER:
        leave_operator(j, &frame);
        break;
    case ROLE_WRAPPER:
        if (frame.wrapper == NONE && frame.graph == NONE &&
            !hides_graphs(j, frame.region)) { /* a backward is compiled in its first call */
            int64_t ns = event->ns - compiling_in(j, event);
            leave_operator(j, &frame);
            note_known(j, frame.region, ns);
            add_overhead(j, frame.region, ns);
            frame.wrapper = place;
        }
        break;
    case ROLE_STEP: /* begin_step() */
    case ROLES:
        break;
    case ROLE_OPERATOR:
        if (event->kind == PROFILE_LAUNCH)
            add_launch(j, &frame);
        else
            begin_operator(j, &frame, parent);
        break;
    }
    LIST_ADD(&j->stack, frame);
    j->open_spans += is_span(frame.role);
}

/* Whether the operators of the call fit its code; then sets the kernel of each. */
static bool align(struct join *j, const struct open_event *frame, struct profiled_graph *graph,
                  struct profile_assigned *assigned) {
    size_t count = j->children.count - frame->children;
    bool generated = false, known = graph->code != NONE && j->kernels->codes.items[graph->code].known;
    if (!known)
        return false;
    struct profile_operator *operators = mem_alloc((count + 1) * sizeof *operators);
    for (size_t i = 0; i < count; i++) {
        const struct child *child = &j->children.items[frame->children + i];
        operators[i] = (struct profile_operator){.name = child->replayed ? j->trace->names.items[child->name]
                                                                         : j->roles[child->name].base,
                                                 .replayed = child->replayed,
                                                 .generated = !child->replayed && j->roles[child->name].generated};
    }
    profile_calls_make(&j->code_calls[graph->code], j->kernels, &j->kernels->codes.items[graph->code]);
    bool good = profile_align(&j->code_calls[graph->code], j->kernels, operators, count, assigned, &generated);
    graph->kernel_events |= good && generated;
    graph->generated = j->code_calls[graph->code].count > j->code_calls[graph->code].library_count;
    mem_free(operators);
    return good;
}

static void add_kernel(struct join *j, const struct child *child, const struct profile_assigned *assigned) {
    struct times *device_calls = &j->kernel_device_calls[assigned->kernel];
    struct run_time *time = &j->profile->kernels[assigned->kernel];
    if (assigned->more) {
        time->device_ns += child->device_ns;
        device_calls->ns.items[device_calls->ns.count - 1] += child->device_ns;
        return;
    }
    add_time(time, child->ns, child->device_ns);
    LIST_ADD(&j->kernel_calls[assigned->kernel].ns, child->ns);
    LIST_ADD(&device_calls->ns, child->device_ns);
}

static void end_graph(struct join *j, const struct open_event *frame) {
    struct profiled_graph *graph = &j->profile->graphs.items[frame->place];
    size_t count = j->children.count - frame->children;
    struct profile_assigned *assigned = mem_zalloc(count + 1, sizeof *assigned);
    bool good = align(j, frame, graph, assigned);
    graph->aligned += good;
    graph->unaligned += !good;
    graph->unaligned_ns += good ? 0 : frame->event->ns - frame->compiling_ns;
    graph->replays += frame->replays;
    for (size_t i = 0; i < count; i++) {
        const struct child *child = &j->children.items[frame->children + i];
        graph->kernel_ns += child->ns;
        j->profile->kernel_ns += child->ns;
        j->profile->devices.kernel_ns += child->device_ns;
        if (good && assigned[i].kernel != NONE)
            add_kernel(j, child, &assigned[i]);
        else if (frame->replays && !child->replayed && slice_ends(j->roles[child->name].base, SLICE("copy_")))
            graph->copy_ns += child->device_ns;
    }
    mem_free(assigned);
    j->children.count = frame->children;
}

/* Keeps the span of an event that has ended. */
static void note_span(struct join *j, const struct open_event *frame) {
    static const enum ran_kind kinds[] = {
        [ROLE_REGION] = RAN_FRAME,
        [ROLE_GRAPH] = RAN_GRAPH,
        [ROLE_LOOKUP] = RAN_GUARDS,
    };
    uint32_t compile = frame->role == ROLE_GRAPH ? j->profile->graphs.items[frame->place].compile : frame->compile;
    for (size_t i = j->stack.count; i-- > 0;)
        if (is_span(j->stack.items[i].role)) {
            j->stack.items[i].spans_ns += frame->event->ns;
            break;
        }
    add_span(j, frame->event, compile, kinds[frame->role], frame->event->ns - frame->spans_ns);
}

/* A backward without a graph of Inductor is that of another backend, which runs eagerly. */
static void end_wrapper(struct join *j, const struct open_event *frame) {
    int64_t ns = frame->event->ns - compiling_in(j, frame->event);
    if (frame->wrapper != j->stack.count || frame->has_graph || frame->region != NONE)
        return;
    add_overhead(j, NONE, -ns);
    if (!j->shows_graphs)
        return;
    uint32_t place = eager_place(j, j->trace->names.items[frame->event->name]);
    add_time(&j->profile->eager.items[place].time, ns, 0);
    j->profile->eager_ns += ns;
}

/* The time of the region after guard checks that found no version, outside of what has its own place. */
static int64_t unmatched_ns(const struct join *j, const struct open_event *frame) {
    int64_t end_ns = end_of(frame->event);
    if (frame->unmatched.ns < 0)
        return 0;
    int64_t ns = end_ns - frame->unmatched.end_ns - (frame->known_ns - frame->unmatched.known_ns) -
                 (j->compiler.count ? compiling_between(j, frame->unmatched.end_ns, end_ns) : 0);
    return ns > 0 ? ns : 0;
}

static void end(struct join *j) {
    struct open_event frame = j->stack.items[--j->stack.count];
    j->open_spans -= is_span(frame.role);
    leave_lookup(j, &frame);
    if (frame.role == ROLE_WRAPPER)
        end_wrapper(j, &frame);
    if (is_span(frame.role) && j->trace->clock_known)
        note_span(j, &frame);
    if (frame.role == ROLE_GRAPH)
        end_graph(j, &frame);
    if (frame.role != ROLE_REGION || frame.compile == NONE)
        return;
    if (!j->shows_graphs && j->model->compiles.items[frame.compile]->has_code)
        return;
    int64_t rest = frame.event->ns - frame.known_ns - (frame.compiling_ns - frame.inner_compiling_ns);
    rest = rest > 0 ? rest : 0;
    const struct compile *compile = j->model->compiles.items[frame.compile];
    if (compile->breaks.count || profile_hides_graphs(j->model, compile)) {
        int64_t unmatched = unmatched_ns(j, &frame);
        compile_of(j, frame.compile)->eager_ns += rest;
        compile_of(j, frame.compile)->unmatched_ns += unmatched < rest ? unmatched : rest;
    } else {
        compile_of(j, frame.compile)->overhead_ns += rest;
        j->profile->overhead_ns += rest;
    }
}

static int by_number(const void *a, const void *b) {
    uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;
    return one < other ? -1 : one > other;
}

static void find_called(struct join *j) {
    for (uint32_t i = 0; i < j->trace->names.count; i++)
        if (j->roles[i].role == ROLE_REGION)
            map_put(&j->called, j->roles[i].detail, i, NULL);
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

static const char other_process[] = "is of another run, or of a forked process: its process did not write the log";

/* Why the trace is not one of this log; NULL: it is. */
static const char *complaint(const struct join *j) {
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
        return "has no call of compiled code: record it with torch.profiler while the compiled program runs";
    if (!known)
        return "is of another run: no compiled region of it is in the log";
    return is_of_log(j) ? NULL : other_process;
}

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

/* Finds when the compiler ran on the track of the nth event, whose events are by start. */
static void find_compiler(struct join *j, size_t n) {
    const struct profile_trace *trace = j->trace;
    uint32_t track = trace->events.items[n].track;
    j->compiler.count = 0;
    for (size_t i = n; j->compiles && i < trace->events.count && trace->events.items[i].track == track; i++) {
        const struct profile_event *event = &trace->events.items[i];
        if (event->kind != PROFILE_OP || j->roles[event->name].role != ROLE_COMPILER || !event->ns)
            continue;
        struct compiler_run *before = j->compiler.count ? &j->compiler.items[j->compiler.count - 1] : NULL;
        int64_t end_ns = event->start_ns + event->ns;
        if (!before || event->start_ns > before->end_ns)
            LIST_ADD(&j->compiler, (struct compiler_run){event->start_ns, end_ns});
        else if (end_ns > before->end_ns)
            before->end_ns = end_ns;
    }
}

static void find_works(struct join *j) {
    struct profiled_devices *devices = &j->profile->devices;
    profile_find_works(&j->works, j->trace);
    devices->count += j->works.devices;
    devices->busy_ns += j->works.busy_ns;
    devices->idle_ns += j->works.idle_ns;
}

/* Whether an annotation is one of PyTorch's own. Others need not end before what they are in does, and may have any name. */
static bool is_pytorchs(const struct join *j, const struct profile_event *event) {
    enum role role = j->roles[event->name].role;
    const struct profile_event *around = j->stack.count ? j->stack.items[j->stack.count - 1].event : NULL;
    return role != ROLE_OPERATOR && role != ROLE_COMPILER && !j->of_operators[role] &&
           (!around || end_of(event) <= end_of(around));
}

static void sweep(struct join *j) {
    const struct profile_trace *trace = j->trace;
    int64_t first = INT64_MAX, last = INT64_MIN;
    bool devices = false;
    j->top_lookup.ns = -1;
    memset(j->of_operators, 0, sizeof j->of_operators);
    for (size_t i = 0; i < trace->events.count; i++) {
        const struct profile_event *event = &trace->events.items[i];
        devices |= event->kind == PROFILE_DEVICE;
        if (event->kind == PROFILE_OP)
            j->of_operators[j->roles[event->name].role] = true;
        first = event->start_ns < first ? event->start_ns : first;
        last = event->start_ns + event->ns > last ? event->start_ns + event->ns : last;
    }
    if (devices)
        find_works(j);
    if (first <= last && __builtin_add_overflow(j->profile->window_ns, last - first, &j->profile->window_ns))
        j->profile->window_ns = INT64_MAX;
    note_start(j, first);
    note_processes(j, last);
    for (size_t i = 0; i < trace->events.count; i++) {
        const struct profile_event *event = &trace->events.items[i];
        if (event->kind == PROFILE_DEVICE)
            continue;
        bool other_track = i && trace->events.items[i - 1].track != event->track;
        while (j->stack.count && (other_track || event->start_ns >= end_of(j->stack.items[j->stack.count - 1].event)))
            end(j);
        if (j->step.event && (other_track || event->start_ns >= end_of(j->step.event)))
            end_step(j);
        if (other_track)
            leave_lookup(j, NULL);
        if (!i || other_track)
            find_compiler(j, i);
        if (event->kind == PROFILE_ANNOTATION && j->roles[event->name].role == ROLE_STEP)
            begin_step(j, event);
        else if (event->kind != PROFILE_ANNOTATION || is_pytorchs(j, event))
            begin(j, event);
    }
    while (j->stack.count)
        end(j);
    end_step(j);
    leave_lookup(j, NULL);
    j->works.list.count = 0;
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
    j->compiles = j->shows_graphs = false;
    for (size_t i = 0; i < file->trace.names.count; i++) {
        j->compiles |= j->roles[i].role == ROLE_COMPILER;
        j->shows_graphs |= j->roles[i].role == ROLE_GRAPH;
    }
    j->threads = mem_alloc((file->trace.tracks.count + 1) * sizeof *j->threads);
    for (size_t i = 0; i < file->trace.tracks.count; i++)
        j->threads[i] = NONE;
    find_called(j);
    find_processes(j);
    const char *why = complaint(j);
    if (!why) {
        note_steps(j);
        sweep(j);
    }
    mem_free(j->roles);
    mem_free(j->threads);
    map_free(&j->called);
    return why;
}

static void join_free(struct join *j) {
    for (size_t i = 0; i < j->profile->compiles.count; i++) {
        mem_free(j->calls[i].ns.items);
        mem_free(j->guards[i].ns.items);
    }
    for (size_t i = 0; j->kernel_calls && i < j->kernels->list.count; i++) {
        mem_free(j->kernel_calls[i].ns.items);
        mem_free(j->kernel_device_calls[i].ns.items);
    }
    for (size_t i = 0; i < j->graph_calls.count; i++)
        mem_free(j->graph_calls.items[i].ns.items);
    for (size_t i = 0; j->kernels && i < j->kernels->codes.count; i++)
        profile_calls_free(&j->code_calls[i]);
    mem_free(j->calls);
    mem_free(j->guards);
    mem_free(j->kernel_calls);
    mem_free(j->kernel_device_calls);
    mem_free(j->graph_calls.items);
    mem_free(j->lookups.ns.items);
    mem_free(j->steps.ns.items);
    mem_free(j->code_calls);
    mem_free(j->same_key);
    mem_free(j->keyless);
    mem_free(j->earlier);
    mem_free(j->processes.items);
    mem_free(j->works.list.items);
    mem_free(j->compiler.items);
    mem_free(j->stack.items);
    mem_free(j->children.items);
    map_free(&j->ids);
    map_free(&j->keys);
    map_free(&j->graphs);
    map_free(&j->eager);
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

/* Notes whether the log uses the files. Of several reasons, the one that comes last in complaint() is kept. */
static void note_use(const struct profile *profile, struct profiles *profiles) {
    pthread_mutex_lock(&profiles->lock);
    for (size_t i = 0; i < profiles->files.count; i++) {
        struct profile_file *file = &profiles->files.items[i];
        const char *why = profile->refused[i];
        file->used |= !why;
        if (why && !file->refused && why != profile_other_rank && (!file->why || file->why != other_process))
            file->why = why;
    }
    pthread_mutex_unlock(&profiles->lock);
}

static void make_kernels(struct join *j) {
    size_t count = j->kernels->list.count;
    j->profile->kernels = mem_zalloc(count, sizeof *j->profile->kernels);
    j->profile->kernel_spreads = mem_zalloc(count, sizeof *j->profile->kernel_spreads);
    j->kernel_calls = mem_zalloc(count, sizeof *j->kernel_calls);
    j->kernel_device_calls = mem_zalloc(count, sizeof *j->kernel_device_calls);
}

static struct run_spread spread_of(struct times *times) {
    return profile_spread(times->ns.items, times->ns.count);
}

static void find_spreads(struct join *j) {
    struct profile *profile = j->profile;
    for (size_t i = 0; i < profile->compiles.count; i++) {
        profile->compiles.items[i].spread = spread_of(&j->calls[i]);
        profile->compiles.items[i].guard_median_ns = spread_of(&j->guards[i]).median_ns;
    }
    for (size_t i = 0; i < j->graph_calls.count; i++) /* one for each graph */
        profile->graphs.items[i].spread = spread_of(&j->graph_calls.items[i]);
    for (size_t i = 0; j->kernel_calls && i < j->kernels->list.count; i++)
        profile->kernel_spreads[i] =
            spread_of(profile->devices.count ? &j->kernel_device_calls[i] : &j->kernel_calls[i]);
    profile->lookup_spread = spread_of(&j->lookups);
    profile->step_spread = spread_of(&j->steps);
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
    if (j.kernels && j.kernels->list.count)
        make_kernels(&j);
    for (uint32_t i = 0; i < model->breaks.count; i++)
        LIST_ADD(&profile->gaps, (struct profiled_gap){.graph_break = i});
    index_compiles(&j);
    index_codes(&j);
    for (uint32_t i = 0; i < profiles->files.count; i++) {
        j.file = i;
        profile->refused[i] = join_file(&j, &profiles->files.items[i]);
    }
    note_use(profile, profiles);
    merge_processes(profile);
    find_spreads(&j);
    profile_find_lines(profile, j.kernels);
    profile_find_backward(profile, j.kernels);
    profile_find_gaps(profile, model);
    profile_sort(profile);
    join_free(&j);
}

void profile_free(struct profile *profile) {
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

#include "profile/profile.h"

#include "base/word.h"
#include "model/log_info.h"
#include "scan/library.h"

enum { NONE = UINT32_MAX, SEVERAL = UINT32_MAX - 1, CANDIDATES_MAX = 256 };

/* qsort() takes no NULL. */
#define SORT(list, order)                                                                                              \
    do {                                                                                                               \
        if ((list)->count)                                                                                             \
            qsort((list)->items, (list)->count, sizeof *(list)->items, order);                                         \
    } while (0)

/* What a name in a trace stands for. */
enum role {
    ROLE_OPERATOR,
    ROLE_REGION,   /* a call of a compiled frame */
    ROLE_GRAPH,    /* a call of a graph that Inductor compiled */
    ROLE_LOOKUP,   /* the guard checks of a frame */
    ROLE_PROLOGUE, /* what runs in a region before its graph */
    ROLE_WRAPPER,  /* AOTAutograd's function around a graph */
    ROLE_STEP,     /* a step of the profiler */
};

struct name_role {
    enum role role;
    struct slice detail; /* the id of a compile, the key of a graph */
    bool package;        /* of a graph: it is AOTInductor's */
    struct slice base;   /* of an operator: without its namespace, or without the number of its graph */
};

/* An open event. */
struct open_event {
    const struct profile_event *event;
    enum role role;
    uint32_t region;   /* index of the innermost region in the stack, this one included; NONE */
    uint32_t graph;    /* the same for graphs */
    uint32_t child;    /* index in `children` of the operator of the graph that contains it; NONE */
    uint32_t eager;    /* index in profile->eager of the outermost operator outside of graphs; NONE */
    uint32_t wrapper;  /* index of the wrapper in the stack; NONE */
    uint32_t compile;  /* of a region; NONE: not in the log */
    uint32_t place;    /* of a graph: index in profile->graphs */
    size_t children;   /* of a graph: where its children begin in `children` */
    int64_t known_ns;  /* of a region: time of what has its own place */
    int64_t lookup_ns; /* of the lookup that no region has taken; -1: none */
};

struct child {
    uint32_t name;
    int64_t ns, device_ns;
};

struct device_work {
    uint32_t id;
    int64_t ns;
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
    struct map graphs;             /* key, code and compile → index in profile->graphs */
    struct map eager;              /* name → index in profile->eager */
    struct map *bases;             /* by code: base names of the kernels that it calls; made on demand */
    LIST(int64_t) * calls;         /* by compile: times of its calls */
    /* of the current trace */
    const struct profile_trace *trace;
    struct name_role *roles;
    LIST(struct device_work) work; /* by id */
    LIST(struct open_event) stack;
    LIST(struct child) children;
    int64_t top_lookup_ns; /* as frame.lookup_ns, outside of everything */
};

/* "addmm" for "aoti_torch_cpu_addmm_out", the function of AOTInductor */
static struct slice shim_base(struct slice name) {
    struct slice rest = name;
    if (!slice_cut_start(&rest, SLICE("aoti_torch_")))
        return name;
    size_t device = slice_find(rest, SLICE("_"));
    rest = slice_from(rest, device == SIZE_MAX ? 0 : device + 1);
    slice_cut_end(&rest, SLICE("_out"));
    return rest;
}

/* "addmm" for "aten::addmm" */
static struct slice operator_base(struct slice name) {
    size_t colon = slice_rfind_byte(name, ':');
    return colon == SIZE_MAX ? shim_base(name) : slice_from(name, colon + 1);
}

/* "cpp_fused_add_0" for "graph_2_cpp_fused_add_0" */
static struct slice kernel_base(struct slice name) {
    struct slice rest = name;
    if (!slice_cut_start(&rest, SLICE("graph_")))
        return shim_base(name);
    size_t digits = digits_length(rest);
    if (!digits || digits == rest.len || rest.ptr[digits] != '_')
        return name;
    return slice_from(rest, digits + 1);
}

/* The operator of a library call in code: "addmm" for "extern_kernels.addmm", "scale" for "torch.ops.mylib.scale.default". */
static struct slice call_base(struct slice name) {
    struct slice rest = name, bias = SLICE("bias_");
    bool namespaced = slice_cut_start(&rest, SLICE("torch.ops."));
    size_t dot = slice_find(rest, SLICE("."));
    if (dot == SIZE_MAX)
        return shim_base(name);
    bool external = slice_is(slice_first(rest, dot), "extern_kernels");
    rest = slice_from(rest, dot + 1);
    dot = slice_find(rest, SLICE("."));
    if (dot != SIZE_MAX)
        rest = slice_first(rest, dot);
    if (external && !namespaced)
        slice_cut_start(&rest, bias);
    return rest;
}

static struct slice base_of(const struct kernel *kernel) {
    return kernel->kind == KERNEL_EXTERN ? call_base(kernel->name) : kernel->name;
}

static struct name_role role_of(struct slice name) {
    struct slice rest = name;
    if (slice_cut_start(&rest, SLICE("Torch-Compiled Region: "))) {
        size_t space = slice_find(rest, SLICE(" "));
        return (struct name_role){ROLE_REGION, slice_first(rest, space), false, {0}};
    }
    if (slice_cut_start(&rest, SLICE("## Call CompiledFxGraph ")) && slice_cut_end(&rest, SLICE(" ##")))
        return (struct name_role){ROLE_GRAPH, slice_is(rest, "None") ? (struct slice){0} : rest, false, {0}};
    if (slice_is(name, "AOTIModelContainerRunner::boxed_run") || slice_is(name, "AOTIModelContainerRunner::run"))
        return (struct name_role){.role = ROLE_GRAPH, .package = true};
    if (slice_is(name, "TorchDynamo Cache Lookup"))
        return (struct name_role){.role = ROLE_LOOKUP};
    if (slice_is(name, "Pregraph bytecode") || slice_is(name, "AOTDispatcher Runtime Wrapper Prologue"))
        return (struct name_role){.role = ROLE_PROLOGUE};
    slice_cut_start(&rest, SLICE("autograd::engine::evaluate_function: "));
    if (slice_is(rest, "CompiledFunction") || slice_is(rest, "CompiledFunctionBackward"))
        return (struct name_role){.role = ROLE_WRAPPER};
    if (slice_starts(name, SLICE("ProfilerStep#")))
        return (struct name_role){.role = ROLE_STEP};
    bool namespaced = slice_find(name, SLICE("::")) != SIZE_MAX;
    return (struct name_role){.role = ROLE_OPERATOR, .base = namespaced ? operator_base(name) : kernel_base(name)};
}

static void index_compiles(struct join *j) {
    size_t count = j->model->compiles.count;
    j->earlier = mem_alloc((count + 1) * sizeof *j->earlier);
    j->calls = mem_zalloc(count + 1, sizeof *j->calls);
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

static void index_codes(struct join *j) {
    size_t count = j->kernels ? j->kernels->codes.count : 0;
    j->bases = mem_zalloc(count + 1, sizeof *j->bases);
    j->same_key = mem_alloc((count + 1) * sizeof *j->same_key);
    for (uint32_t i = 0; i < count; i++) {
        const struct code_calls *code = &j->kernels->codes.items[i];
        bool added;
        j->same_key[i] = NONE;
        if (!code->python)
            j->package = j->package == NONE ? i : SEVERAL;
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

/* The code of a graph; if several have its key, the region's own. */
static uint32_t code_of(const struct join *j, const struct name_role *role, uint32_t compile) {
    if (role->package)
        return j->package == SEVERAL ? NONE : j->package;
    uint32_t code = role->detail.ptr ? map_get(&j->keys, role->detail) : NONE;
    if (code == NONE || j->same_key[code] == NONE)
        return code;
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
    if (added)
        LIST_ADD(&j->profile->graphs, (struct profiled_graph){.code = code, .compile = compile, .key = key});
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

static void add_overhead(struct join *j, uint32_t region, int64_t ns) {
    struct open_event *frame = frame_at(j, region);
    j->profile->overhead_ns += ns;
    if (frame && frame->compile != NONE)
        compile_of(j, frame->compile)->overhead_ns += ns;
}

static void begin_region(struct join *j, struct open_event *frame, uint32_t outer, int64_t lookup_ns) {
    struct profile *profile = j->profile;
    frame->compile = compile_at(j, j->roles[frame->event->name].detail, frame->event);
    add_time(&profile->regions, outer == NONE ? frame->event->ns : 0, 0);
    profile->unknown_ids += frame->compile == NONE;
    note_known(j, outer, frame->event->ns);
    if (frame->compile == NONE)
        return;
    struct profiled_compile *compile = compile_of(j, frame->compile);
    add_time(&compile->time, frame->event->ns, 0);
    LIST_ADD(&j->calls[frame->compile], frame->event->ns);
    if (lookup_ns >= 0) {
        compile->guard_calls++;
        compile->guard_ns += lookup_ns;
    }
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
    add_time(&j->profile->graphs.items[frame->place].time, frame->event->ns, 0);
    add_time(&j->profile->graph_calls, frame->event->ns, 0);
    if (frame->wrapper != NONE) /* whose time counts as overhead */
        add_overhead(j, frame->region, -frame->event->ns);
    else
        note_known(j, frame->region, frame->event->ns);
}

static uint32_t eager_place(struct join *j, struct slice name) {
    bool added;
    uint32_t place = *map_put(&j->eager, name, (uint32_t)j->profile->eager.count, &added);
    if (added)
        LIST_ADD(&j->profile->eager, (struct profiled_name){.name = name});
    return place;
}

/* Compiled code within an operator that runs eagerly is not a part of its time. */
static void leave_eager(struct join *j, struct open_event *frame) {
    if (frame->eager == NONE)
        return;
    j->profile->eager.items[frame->eager].time.ns -= frame->event->ns;
    j->profile->eager_ns -= frame->event->ns;
    frame->eager = NONE;
}

static void begin_operator(struct join *j, struct open_event *frame, const struct open_event *parent) {
    if (frame->event->kind != PROFILE_OP || frame->child != NONE || frame->eager != NONE ||
        (parent && parent->role == ROLE_PROLOGUE))
        return;
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

/* The time of the work with this correlation, which counts for the first launch that has it. */
static int64_t take_device_ns(struct join *j, uint32_t id) {
    size_t at = 0;
    int64_t ns = 0;
    SEARCH(at, j->work.count, middle, j->work.items[middle].id < id);
    for (; at < j->work.count && j->work.items[at].id == id && j->work.items[at].ns; at++) {
        ns += j->work.items[at].ns;
        j->work.items[at].ns = 0;
    }
    return ns;
}

/* Adds the work that a launch started to everything that it is in. */
static void add_launch(struct join *j, const struct open_event *frame) {
    int64_t ns = frame->event->id ? take_device_ns(j, frame->event->id) : 0;
    struct open_event *region = frame_at(j, frame->region), *graph = frame_at(j, frame->graph);
    if (!ns)
        return;
    if (frame->child != NONE)
        j->children.items[frame->child].device_ns += ns;
    if (frame->eager != NONE)
        j->profile->eager.items[frame->eager].time.device_ns += ns;
    if (graph) {
        j->profile->graphs.items[graph->place].time.device_ns += ns;
        j->profile->graph_calls.device_ns += ns;
    }
    if (region) {
        j->profile->regions.device_ns += ns;
        if (region->compile != NONE)
            compile_of(j, region->compile)->time.device_ns += ns;
    }
}

static void begin(struct join *j, const struct profile_event *event) {
    struct open_event frame = {.event = event,
                               .role = event->kind == PROFILE_LAUNCH ? ROLE_OPERATOR : j->roles[event->name].role,
                               .region = NONE,
                               .graph = NONE,
                               .child = NONE,
                               .eager = NONE,
                               .wrapper = NONE,
                               .compile = NONE,
                               .lookup_ns = -1};
    uint32_t place = (uint32_t)j->stack.count;
    struct open_event *parent = place ? &j->stack.items[place - 1] : NULL;
    int64_t *lookup = parent ? &parent->lookup_ns : &j->top_lookup_ns, lookup_ns = -1;
    if (parent)
        frame.region = parent->region, frame.graph = parent->graph, frame.child = parent->child,
        frame.eager = parent->eager, frame.wrapper = parent->wrapper;
    switch (frame.role) {
    case ROLE_REGION:
        lookup_ns = *lookup;
        *lookup = -1;
        leave_eager(j, &frame);
        begin_region(j, &frame, frame.region, lookup_ns);
        frame.region = place;
        frame.graph = frame.child = frame.wrapper = NONE;
        break;
    case ROLE_GRAPH:
        leave_eager(j, &frame);
        begin_graph(j, &frame);
        frame.graph = place;
        frame.child = NONE;
        break;
    case ROLE_LOOKUP:
        *lookup = event->ns;
        add_time(&j->profile->lookups, event->ns, 0);
        note_known(j, frame.region, event->ns);
        break;
    case ROLE_PROLOGUE:
        note_known(j, frame.region, event->ns);
        add_overhead(j, frame.region, event->ns);
        break;
    case ROLE_WRAPPER:
        if (frame.wrapper == NONE && frame.graph == NONE) {
            leave_eager(j, &frame);
            note_known(j, frame.region, event->ns);
            add_overhead(j, frame.region, event->ns);
            frame.wrapper = place;
        }
        break;
    case ROLE_STEP:
        break;
    case ROLE_OPERATOR:
        if (event->kind == PROFILE_LAUNCH)
            add_launch(j, &frame);
        else
            begin_operator(j, &frame, parent);
        break;
    }
    LIST_ADD(&j->stack, frame);
}

/* The base names of the kernels that the code calls. */
static const struct map *bases_of(struct join *j, uint32_t code) {
    const struct code_calls *calls = &j->kernels->codes.items[code];
    struct map *bases = &j->bases[code];
    if (bases->count)
        return bases;
    for (uint32_t i = 0; i < calls->count; i++) {
        const struct kernel *kernel = &j->kernels->list.items[j->kernels->call_order.items[calls->first + i]];
        *map_put(bases, base_of(kernel), 0, NULL) |= kernel->kind == KERNEL_EXTERN ? 0 : 1;
    }
    return bases;
}

/* Assigns the operators of a call to the kernels of its code, if they are the same in the same order. CPU kernels have
 * events only if the setting for that was on; without it, only library calls are expected. */
static bool align(struct join *j, const struct open_event *frame, uint32_t code, bool *generated, uint32_t *assigned) {
    const struct code_calls *calls = &j->kernels->codes.items[code];
    const struct map *bases = bases_of(j, code);
    const uint32_t *order = j->kernels->call_order.items + calls->first;
    uint32_t next = 0;
    *generated = false;
    for (size_t i = frame->children; i < j->children.count; i++) {
        uint32_t found = map_get(bases, j->roles[j->children.items[i].name].base);
        *generated |= found == 1;
    }
    for (size_t i = frame->children; i < j->children.count; i++) {
        struct slice base = j->roles[j->children.items[i].name].base;
        assigned[i - frame->children] = NONE;
        if (map_get(bases, base) == MAP_NONE)
            continue;
        while (next < calls->count && !*generated && j->kernels->list.items[order[next]].kind != KERNEL_EXTERN)
            next++;
        if (next == calls->count || !slice_eq(base_of(&j->kernels->list.items[order[next]]), base))
            return false;
        assigned[i - frame->children] = order[next++];
    }
    while (next < calls->count && !*generated && j->kernels->list.items[order[next]].kind != KERNEL_EXTERN)
        next++;
    return next == calls->count;
}

static void end_graph(struct join *j, const struct open_event *frame) {
    struct profiled_graph *graph = &j->profile->graphs.items[frame->place];
    size_t count = j->children.count - frame->children;
    uint32_t *assigned = mem_alloc((count + 1) * sizeof *assigned);
    bool generated = false;
    bool good = graph->code != NONE && j->kernels->codes.items[graph->code].known &&
                align(j, frame, graph->code, &generated, assigned);
    graph->kernel_events |= generated;
    graph->aligned += good;
    graph->unaligned += !good;
    graph->unaligned_ns += good ? 0 : frame->event->ns;
    for (size_t i = 0; i < count; i++) {
        const struct child *child = &j->children.items[frame->children + i];
        graph->kernel_ns += child->ns;
        j->profile->kernel_ns += child->ns;
        if (good && assigned[i] != NONE)
            add_time(&j->profile->kernels[assigned[i]], child->ns, child->device_ns);
    }
    mem_free(assigned);
    j->children.count = frame->children;
}

static void end(struct join *j) {
    const struct open_event frame = j->stack.items[--j->stack.count];
    if (frame.role == ROLE_GRAPH)
        end_graph(j, &frame);
    if (frame.role != ROLE_REGION || frame.compile == NONE)
        return;
    int64_t rest = frame.event->ns - frame.known_ns;
    rest = rest > 0 ? rest : 0;
    if (j->model->compiles.items[frame.compile]->breaks.count) {
        compile_of(j, frame.compile)->eager_ns += rest;
    } else {
        compile_of(j, frame.compile)->overhead_ns += rest;
        j->profile->overhead_ns += rest;
    }
}

static int by_id(const void *a, const void *b) {
    const struct device_work *one = a, *other = b;
    return one->id < other->id ? -1 : one->id > other->id;
}

/* The processes of the trace, if any of them wrote the log. */
static bool is_of_log(const struct join *j) {
    for (size_t t = 0; t < j->trace->tracks.count; t++) {
        uint64_t number;
        if (!slice_to_u64(j->trace->tracks.items[t].process, &number))
            continue;
        for (size_t i = 0; i < j->model->processes.count; i++)
            if (j->model->processes.items[i].number == number)
                return true;
    }
    return false;
}

static const char other_process[] = "is of another run: its process did not write the log";

/* Why the trace is not one of this log; NULL: it is. */
static const char *complaint(const struct join *j) {
    bool regions = false, known = false;
    for (size_t i = 0; i < j->trace->names.count; i++) {
        const struct name_role *role = &j->roles[i];
        regions |= role->role == ROLE_REGION || role->role == ROLE_GRAPH;
        known |= role->role == ROLE_REGION
                   ? map_get(&j->ids, role->detail) != MAP_NONE
                   : role->role == ROLE_GRAPH && (!role->detail.ptr || map_get(&j->keys, role->detail) != MAP_NONE);
    }
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

static void note_processes(struct join *j, int64_t last_ns) {
    const struct profile_trace *trace = j->trace;
    for (size_t t = 0; t < trace->tracks.count; t++) {
        struct profiled_process process = {.last_ns = trace->clock_known ? last_ns : INT64_MAX};
        struct slice text = trace->tracks.items[t].process;
        if (slice_to_u64(text, &process.number) && (!t || !slice_eq(text, trace->tracks.items[t - 1].process)))
            LIST_ADD(&j->profile->processes, process);
    }
}

static void sweep(struct join *j) {
    const struct profile_trace *trace = j->trace;
    int64_t first = INT64_MAX, last = INT64_MIN;
    j->top_lookup_ns = -1;
    for (size_t i = 0; i < trace->events.count; i++) {
        const struct profile_event *event = &trace->events.items[i];
        first = event->start_ns < first ? event->start_ns : first;
        last = event->start_ns + event->ns > last ? event->start_ns + event->ns : last;
        if (event->kind == PROFILE_DEVICE) {
            j->profile->devices = true;
            if (event->id && event->ns)
                LIST_ADD(&j->work, (struct device_work){event->id, event->ns});
        }
    }
    SORT(&j->work, by_id);
    if (first <= last && __builtin_add_overflow(j->profile->window_ns, last - first, &j->profile->window_ns))
        j->profile->window_ns = INT64_MAX;
    note_processes(j, last);
    for (size_t i = 0; i < trace->events.count; i++) {
        const struct profile_event *event = &trace->events.items[i];
        if (event->kind == PROFILE_DEVICE)
            continue;
        bool other_track = i && trace->events.items[i - 1].track != event->track;
        if (other_track)
            j->top_lookup_ns = -1;
        while (j->stack.count) {
            const struct profile_event *open = j->stack.items[j->stack.count - 1].event;
            if (open->track == event->track && event->start_ns < open->start_ns + open->ns)
                break;
            end(j);
        }
        begin(j, event);
    }
    while (j->stack.count)
        end(j);
    j->work.count = 0;
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
        j->roles[i] = role_of(file->trace.names.items[i]);
    const char *why = complaint(j);
    if (!why) {
        note_steps(j);
        sweep(j);
    }
    mem_free(j->roles);
    return why;
}

static int by_number(const void *a, const void *b) {
    int64_t one = *(const int64_t *)a, other = *(const int64_t *)b;
    return one < other ? -1 : one > other;
}

static void find_medians(struct join *j) {
    for (size_t i = 0; i < j->profile->compiles.count; i++) {
        size_t count = j->calls[i].count;
        int64_t *calls = j->calls[i].items;
        if (!count)
            continue;
        qsort(calls, count, sizeof *calls, by_number);
        j->profile->compiles.items[i].median_ns =
            count % 2 ? calls[count / 2] : (calls[count / 2 - 1] + calls[count / 2]) / 2;
        j->profile->compiles.items[i].max_ns = calls[count - 1];
    }
}

/* The lines of a kernel: those of the user or, if it has none, all. */
static uint32_t count_lines(const struct kernel *kernel, bool *users) {
    uint32_t own = 0;
    for (uint32_t i = 0; i < kernel->source_count; i++)
        own += !is_library_file(kernel->sources[i].place.file);
    *users = own > 0;
    return own ? own : kernel->source_count;
}

static void add_line(struct join *j, struct map *places, const struct kernel_source *source, int64_t ns,
                     int64_t device_ns) {
    AUTO_BUF key = {0};
    bool added;
    buf_addf(&key, "%" PRIu64 " %.*s", source->place.line, SLICE_ARG(source->place.file));
    uint32_t place = *map_put(places, buf_slice(&key), (uint32_t)j->profile->lines.count, &added);
    if (added)
        LIST_ADD(&j->profile->lines,
                 (struct profiled_line){.file = source->place.file, .line = source->place.line, .code = source->code});
    j->profile->lines.items[place].ns += ns;
    j->profile->lines.items[place].device_ns += device_ns;
}

/* Divides the time of each kernel equally among its lines. */
static void find_lines(struct join *j) {
    AUTO_MAP places = {0};
    int64_t with_line = 0;
    for (size_t i = 0; j->profile->kernels && i < j->kernels->list.count; i++) {
        const struct kernel *kernel = &j->kernels->list.items[i];
        const struct run_time *time = &j->profile->kernels[i];
        bool users;
        uint32_t count = time->calls ? count_lines(kernel, &users) : 0, done = 0;
        for (uint32_t s = 0; count && s < kernel->source_count; s++) {
            if (users && is_library_file(kernel->sources[s].place.file))
                continue;
            /* The parts add up to the whole. */
            int64_t ns = time->ns / count + (done < time->ns % count);
            int64_t device_ns = time->device_ns / count + (done < time->device_ns % count);
            add_line(j, &places, &kernel->sources[s], ns, device_ns);
            done++;
        }
        with_line += count ? time->ns : 0;
    }
    j->profile->without_line_ns = j->profile->kernel_ns - with_line;
}

static int by_line_time(const void *a, const void *b) {
    const struct profiled_line *one = a, *other = b;
    if (one->device_ns != other->device_ns)
        return one->device_ns > other->device_ns ? -1 : 1;
    if (one->ns != other->ns)
        return one->ns > other->ns ? -1 : 1;
    int order = slice_cmp(one->file, other->file);
    return order ? order : one->line < other->line ? -1 : one->line > other->line;
}

static int by_graph_time(const void *a, const void *b) {
    const struct profiled_graph *one = a, *other = b;
    if (one->time.device_ns != other->time.device_ns)
        return one->time.device_ns > other->time.device_ns ? -1 : 1;
    if (one->time.ns != other->time.ns)
        return one->time.ns > other->time.ns ? -1 : 1;
    return slice_cmp(one->key, other->key);
}

static int by_name_time(const void *a, const void *b) {
    const struct profiled_name *one = a, *other = b;
    if (one->time.ns != other->time.ns)
        return one->time.ns > other->time.ns ? -1 : 1;
    return slice_cmp(one->name, other->name);
}

static void join_free(struct join *j) {
    for (size_t i = 0; i < j->profile->compiles.count; i++)
        mem_free(j->calls[i].items);
    for (size_t i = 0; j->kernels && i < j->kernels->codes.count; i++)
        map_free(&j->bases[i]);
    mem_free(j->calls);
    mem_free(j->bases);
    mem_free(j->same_key);
    mem_free(j->earlier);
    mem_free(j->work.items);
    mem_free(j->stack.items);
    mem_free(j->children.items);
    map_free(&j->ids);
    map_free(&j->keys);
    map_free(&j->graphs);
    map_free(&j->eager);
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

void profile_join(struct profile *profile, struct profiles *profiles, const struct model *model) {
    struct join j = {.profile = profile, .model = model, .kernels = model->kernels, .package = NONE};
    *profile = (struct profile){.profiles = profiles};
    profile->refused = mem_zalloc(profiles->files.count + 1, sizeof *profile->refused);
    for (uint32_t i = 0; i < model->compiles.count; i++)
        LIST_ADD(&profile->compiles, (struct profiled_compile){.compile = i});
    if (j.kernels && j.kernels->list.count)
        profile->kernels = mem_zalloc(j.kernels->list.count, sizeof *profile->kernels);
    index_compiles(&j);
    index_codes(&j);
    for (size_t i = 0; i < profiles->files.count; i++)
        profile->refused[i] = join_file(&j, &profiles->files.items[i]);
    note_use(profile, profiles);
    find_medians(&j);
    find_lines(&j);
    SORT(&profile->lines, by_line_time);
    SORT(&profile->graphs, by_graph_time);
    SORT(&profile->eager, by_name_time);
    join_free(&j);
}

void profile_free(struct profile *profile) {
    mem_free(profile->compiles.items);
    mem_free(profile->graphs.items);
    mem_free(profile->kernels);
    mem_free(profile->lines.items);
    mem_free(profile->eager.items);
    mem_free(profile->processes.items);
    mem_free(profile->refused);
    *profile = (struct profile){0};
}

bool profile_never_ran(const struct profile *profile, const struct model *model, uint32_t compile) {
    const struct compile *of = model->compiles.items[compile];
    if (!profile->regions.calls || profile->unknown_ids || profile->compiles.items[compile].time.calls || !of->framed ||
        of->frame_id < 0 || !of->has_code || of->failed || of->export_dynamic)
        return false;
    uint64_t number = model_process(model, of->process).number;
    for (size_t i = 0; i < profile->processes.count; i++)
        if (profile->processes.items[i].number == number &&
            of->started_us <= profile->processes.items[i].last_ns / 1000)
            return true;
    return false;
}

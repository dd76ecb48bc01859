#include "profile/profile_join.h"

/* Whether the region or one around it calls the compile. */
static bool is_within(struct join *j, uint32_t region, uint32_t compile) {
    for (; region != NONE; region = join_frame(j, region)->outer)
        if (join_frame(j, region)->compile == compile)
            return true;
    return false;
}

/* Whether the region or one around it calls a version of the function. */
static bool is_in_function(struct join *j, uint32_t region, uint32_t compile) {
    const struct compile *of = j->model->compiles.items[compile];
    for (; region != NONE; region = join_frame(j, region)->outer) {
        uint32_t called = join_frame(j, region)->compile;
        const struct compile *other = called == NONE ? NULL : j->model->compiles.items[called];
        if (other && other->process == of->process && other->epoch == of->epoch && other->frame_id == of->frame_id)
            return true;
    }
    return false;
}

static void begin_region(struct join *j, struct open_event *frame, uint32_t outer, int64_t lookup_ns) {
    struct profile *profile = j->profile;
    frame->compile = join_compile_at(j, j->roles[frame->event->name].detail, frame->event);
    frame->compiling_ns = join_compiling(j, frame->event);
    int64_t ns = frame->event->ns - frame->compiling_ns;
    join_add_time(&profile->regions, outer == NONE ? ns : 0, 0);
    profile->unknown_ids += frame->compile == NONE;
    if (frame->graph == NONE) /* otherwise it is a part of the graph's time */
        join_note_inner(j, outer, frame->event->ns, frame->compiling_ns);
    if (frame->compile == NONE)
        return;
    join_note_tried(j, frame->compile, frame->event->track, lookup_ns >= 0);
    struct profiled_compile *compile = join_compile(j, frame->compile);
    bool recursive = is_within(j, outer, frame->compile);
    join_add_time(&compile->time, recursive ? 0 : ns, 0);
    compile->nested_ns += !recursive && is_in_function(j, outer, frame->compile) ? ns : 0;
    compile->compiling_ns += recursive ? 0 : frame->compiling_ns;
    LIST_ADD(&j->calls[frame->compile].ns, ns);
    join_add_in_step(j, &j->calls[frame->compile], recursive ? 0 : ns);
    if (lookup_ns >= 0) {
        compile->guard_calls++;
        compile->guard_ns += lookup_ns;
        join_note_time(j, &j->guards[frame->compile], lookup_ns);
    }
}

static uint32_t eager_place(struct join *j, struct slice name) {
    bool added;
    uint32_t place = *map_put(&j->eager, name, (uint32_t)j->profile->eager.count, &added);
    if (added)
        LIST_ADD(&j->profile->eager, (struct profiled_name){.name = name});
    return place;
}

static void add_eager(struct join *j, int64_t ns) {
    j->profile->eager_ns += ns;
    join_add_in_step(j, &j->eager_work, ns);
}

/* Compiled code within an operator, which runs eagerly or in a graph, is not a part of its time. */
static void leave_operator(struct join *j, struct open_event *frame) {
    if (frame->child != NONE)
        j->children.items[frame->child].ns -= frame->event->ns;
    frame->child = NONE;
    if (frame->eager == NONE)
        return;
    j->profile->eager.items[frame->eager].time.ns -= frame->event->ns;
    add_eager(j, -frame->event->ns);
    frame->eager = NONE;
}

/* Nor is compiled code that a wrapper calls, such as what checkpointing computes again. */
static void leave_wrapper(struct join *j, const struct open_event *frame) {
    if (frame->wrapper == NONE || frame->graph != NONE)
        return;
    join_add_overhead(j, frame->region, -frame->event->ns);
    join_note_known(j, frame->region, -frame->event->ns);
    join_frame(j, frame->wrapper)->has_graph = true;
}

/* Whether the trace does not tell the graph that the region calls from the rest of it. */
static bool lacks_graphs(struct join *j, uint32_t region) {
    uint32_t compile = region == NONE || j->shows_graphs ? NONE : join_frame(j, region)->compile;
    return compile != NONE && j->model->compiles.items[compile]->has_code;
}

static void begin_operator(struct join *j, struct open_event *frame, const struct open_event *parent) {
    if (lacks_graphs(j, frame->region) || frame->event->kind != PROFILE_OP || frame->child != NONE ||
        frame->eager != NONE || (parent && parent->role == ROLE_PROLOGUE))
        return;
    if (frame->event->ns && 2 * join_compiling(j, frame->event) > frame->event->ns)
        return; /* the compiler's own */
    if (frame->graph != NONE) {
        if (parent->role == ROLE_GRAPH) {
            frame->child = (uint32_t)j->children.count;
            LIST_ADD(&j->children, (struct child){.name = frame->event->name, .ns = frame->event->ns});
        }
    } else if (frame->wrapper == NONE) {
        frame->eager = eager_place(j, j->trace->names.items[frame->event->name]);
        join_add_time(&j->profile->eager.items[frame->eager].time, frame->event->ns, 0);
        add_eager(j, frame->event->ns);
    }
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
    uint32_t compile = region == NONE ? NONE : join_frame(j, region)->compile;
    return lacks_graphs(j, region) ||
           (compile != NONE && profile_hides_graphs(j->model, j->model->compiles.items[compile]));
}

/* Notes that no region has taken the latest lookup in the event, which may be NULL. */
static void leave_lookup(struct join *j, struct open_event *frame) {
    struct lookup *lookup = frame ? &frame->lookup : &j->top_lookup;
    if (lookup->ns < 0)
        return;
    j->profile->unmatched += !lookup->compiles; /* otherwise the compile failed */
    if (!lookup->compiles && frame && frame->role == ROLE_REGION && frame->unmatched.ns < 0)
        frame->unmatched = *lookup;
    lookup->ns = -1;
}

static void begin(struct join *j, const struct profile_event *event) {
    uint32_t place = (uint32_t)j->stack.count;
    struct open_event *parent = place ? &j->stack.items[place - 1] : NULL, frame = open_in(parent, event);
    struct lookup *lookup = parent ? &parent->lookup : &j->top_lookup;
    int64_t lookup_ns = -1;
    j->now = join_step_number(j, event->start_ns);
    frame.role = event->kind == PROFILE_LAUNCH ? ROLE_OPERATOR : j->roles[event->name].role;
    join_note_in_step(j, event, frame.role);
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
        join_begin_graph(j, &frame);
        frame.graph = place;
        break;
    case ROLE_LOOKUP:
        leave_lookup(j, parent);
        leave_operator(j, &frame);
        join_add_time(&j->profile->lookups, event->ns, 0);
        join_note_time(j, &j->lookups, event->ns);
        if (frame.graph == NONE && frame.wrapper == NONE)
            join_note_known(j, frame.region, event->ns);
        else if (frame.graph == NONE)
            join_add_overhead(j, frame.region, -event->ns);
        *lookup = (struct lookup){event->ns, profile_event_end(event), parent ? parent->known_ns : 0, false};
        break;
    case ROLE_PROLOGUE:
        if (frame.graph != NONE || frame.wrapper != NONE)
            break; /* a part of their time */
        join_note_known(j, frame.region, event->ns);
        join_add_overhead(j, frame.region, event->ns);
        break;
    case ROLE_COMPILER:
        lookup->compiles = true;
        leave_operator(j, &frame);
        break;
    case ROLE_WRAPPER:
        if (frame.wrapper == NONE && frame.graph == NONE &&
            !hides_graphs(j, frame.region)) { /* a backward is compiled in its first call */
            int64_t ns = event->ns - join_compiling(j, event);
            leave_operator(j, &frame);
            join_note_known(j, frame.region, ns);
            join_add_overhead(j, frame.region, ns);
            frame.wrapper = place;
        }
        break;
    case ROLE_STEP: /* join_begin_step() */
    case ROLES:
        break;
    case ROLE_OPERATOR:
        if (event->kind == PROFILE_LAUNCH)
            join_launch(j, &frame);
        else
            begin_operator(j, &frame, parent);
        if (event->kind == PROFILE_OP && !lookup->compiles)
            leave_lookup(j, parent); /* the frame runs eagerly */
        break;
    }
    LIST_ADD(&j->stack, frame);
    j->open_spans += role_is_span(frame.role);
}

/* A backward without a graph of Inductor is that of another backend, which runs eagerly. */
static void end_wrapper(struct join *j, const struct open_event *frame) {
    int64_t ns = frame->event->ns - join_compiling(j, frame->event);
    if (frame->wrapper != j->stack.count || frame->has_graph || frame->region != NONE)
        return;
    join_add_overhead(j, NONE, -ns);
    if (!j->shows_graphs)
        return;
    uint32_t place = eager_place(j, j->trace->names.items[frame->event->name]);
    join_add_time(&j->profile->eager.items[place].time, ns, 0);
    add_eager(j, ns);
}

/* The time of the region after guard checks that found no version, outside of what has its own place. */
static int64_t unmatched_ns(const struct join *j, const struct open_event *frame) {
    int64_t end_ns = profile_event_end(frame->event);
    if (frame->unmatched.ns < 0)
        return 0;
    int64_t ns = end_ns - frame->unmatched.end_ns - (frame->known_ns - frame->unmatched.known_ns) -
                 (j->compiler.count ? join_compiling_between(j, frame->unmatched.end_ns, end_ns) : 0);
    return ns > 0 ? ns : 0;
}

static void end(struct join *j) {
    struct open_event frame = j->stack.items[--j->stack.count];
    j->open_spans -= role_is_span(frame.role);
    j->now = join_step_number(j, frame.event->start_ns);
    leave_lookup(j, &frame);
    if (frame.role == ROLE_WRAPPER)
        end_wrapper(j, &frame);
    if (role_is_span(frame.role) && j->trace->clock_known)
        join_note_span(j, &frame);
    if (frame.role == ROLE_GRAPH)
        join_end_graph(j, &frame);
    if (frame.role != ROLE_REGION || frame.compile == NONE)
        return;
    if (!j->shows_graphs && j->model->compiles.items[frame.compile]->has_code)
        return;
    int64_t rest = frame.event->ns - frame.known_ns - (frame.compiling_ns - frame.inner_compiling_ns);
    rest = rest > 0 ? rest : 0;
    const struct compile *compile = j->model->compiles.items[frame.compile];
    if (compile->breaks.count || profile_hides_graphs(j->model, compile)) {
        int64_t unmatched = unmatched_ns(j, &frame);
        join_compile(j, frame.compile)->eager_ns += rest;
        unmatched = unmatched < rest ? unmatched : rest;
        join_compile(j, frame.compile)->unmatched_ns += unmatched;
        join_add_in_step(j, &j->eager_calls[frame.compile], rest - unmatched);
    } else {
        join_compile(j, frame.compile)->overhead_ns += rest;
        j->profile->overhead_ns += rest;
        join_add_in_step(j, &j->overhead, rest);
    }
}

/* Whether an annotation is one of PyTorch's own. Others need not end before what they are in does, and may have any name. */
static bool is_pytorchs(const struct join *j, const struct profile_event *event) {
    enum role role = j->roles[event->name].role;
    const struct profile_event *around = j->stack.count ? j->stack.items[j->stack.count - 1].event : NULL;
    bool operators = j->roles[event->name].package ? j->packages_are_operators : j->of_operators[role];
    return role != ROLE_OPERATOR && role != ROLE_COMPILER && !operators &&
           (!around || profile_event_end(event) <= profile_event_end(around));
}

void join_sweep(struct join *j) {
    const struct profile_trace *trace = j->trace;
    j->top_lookup.ns = -1;
    for (size_t i = 0; i < trace->events.count; i++) {
        const struct profile_event *event = &trace->events.items[i];
        if (event->kind == PROFILE_DEVICE)
            continue;
        bool other_track = i && trace->events.items[i - 1].track != event->track;
        while (j->stack.count &&
               (other_track || event->start_ns >= profile_event_end(j->stack.items[j->stack.count - 1].event)))
            end(j);
        if (j->step.event && (other_track || event->start_ns >= profile_event_end(j->step.event)))
            join_end_step(j);
        if (other_track)
            leave_lookup(j, NULL);
        if (!i || other_track)
            join_find_compiler(j, i);
        if (event->kind == PROFILE_ANNOTATION && j->roles[event->name].role == ROLE_STEP)
            join_begin_step(j, event);
        else if (event->kind != PROFILE_ANNOTATION || is_pytorchs(j, event))
            begin(j, event);
    }
    while (j->stack.count)
        end(j);
    join_end_step(j);
    leave_lookup(j, NULL);
    j->works.list.count = 0;
}

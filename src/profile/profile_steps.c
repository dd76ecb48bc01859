#include "profile/profile_join.h"

#include "base/search.h"

static uint32_t thread_of(struct join *j, const struct profile_event *event) {
    uint32_t *thread = &j->threads[event->track];
    if (*thread == NONE) {
        *thread = (uint32_t)j->profile->threads.count;
        LIST_ADD(&j->profile->threads, (struct profiled_thread){j->file, event->track, event->kind == PROFILE_DEVICE});
    }
    return *thread;
}

void join_add_span(struct join *j, const struct profile_event *event, uint32_t compile, enum ran_kind kind,
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

/* Steps need not begin and end between calls: they are no part of the stack. */
void join_end_step(struct join *j) {
    const struct profile_event *event = j->step.event;
    if (!event)
        return;
    if (j->trace->clock_known)
        join_add_span(j, event, NONE, RAN_STEP, event->ns - j->step.spans_ns);
    j->step.event = NULL;
}

void join_begin_step(struct join *j, const struct profile_event *event) {
    join_end_step(j);
    j->step = (struct open_step){.event = event};
}

static int by_start(const void *a, const void *b) {
    const struct whole_step *one = a, *other = b;
    return one->start_ns < other->start_ns ? -1 : one->start_ns > other->start_ns;
}

static bool is_in(const struct whole_step *step, int64_t start_ns) {
    return step->start_ns <= start_ns && start_ns < step->start_ns + step->ns;
}

/* The step in which something starts, of any thread; NULL: none. */
static struct whole_step *step_at(struct join *j, int64_t start_ns) {
    size_t after = 0;
    SEARCH(after, j->trace_steps.count, middle, j->trace_steps.items[middle].start_ns <= start_ns);
    struct whole_step *step = after ? &j->trace_steps.items[after - 1] : NULL;
    return step && is_in(step, start_ns) ? step : NULL;
}

static void list_steps(struct join *j) {
    const struct profile_trace *trace = j->trace;
    j->trace_steps.count = 0;
    for (size_t i = 0; j->has_steps && i < trace->events.count; i++) {
        const struct profile_event *event = &trace->events.items[i];
        if (event->kind == PROFILE_ANNOTATION && j->roles[event->name].role == ROLE_STEP)
            LIST_ADD(&j->trace_steps, (struct whole_step){event->start_ns, event->ns, false, NONE});
    }
    LIST_SORT(&j->trace_steps, by_start);
}

/* Steps without compiled code count, too, such as those of an evaluation, if compiled code is called in another step; not one in which
 * nothing runs, as the last one that a profile begins. Another thread than that of the steps may call it. */
void join_find_steps(struct join *j) {
    const struct profile_trace *trace = j->trace;
    struct whole_step *step = NULL;
    bool compiled = false;
    j->latest_step = NULL;
    list_steps(j);
    for (size_t i = 0; j->trace_steps.count && i < trace->events.count; i++) {
        const struct profile_event *event = &trace->events.items[i];
        enum role role = j->roles[event->name].role;
        if (event->kind == PROFILE_DEVICE || role == ROLE_STEP)
            continue;
        if (!step || !is_in(step, event->start_ns))
            step = step_at(j, event->start_ns);
        if (!step)
            continue;
        step->used = true;
        compiled |= role == ROLE_REGION || role == ROLE_GRAPH;
    }
    for (size_t i = 0; compiled && i < j->trace_steps.count; i++) {
        struct whole_step *kept = &j->trace_steps.items[i];
        if (!kept->used)
            continue;
        j->now = kept->number = (uint32_t)j->steps.ns.count;
        join_note_time(j, &j->steps, kept->ns);
    }
}

uint32_t join_step_number(struct join *j, int64_t start_ns) {
    if (!j->trace_steps.count)
        return NONE;
    if (!j->latest_step || !is_in(j->latest_step, start_ns))
        j->latest_step = step_at(j, start_ns);
    return j->latest_step ? j->latest_step->number : NONE;
}

/* Notes what begins in the current step. */
void join_note_in_step(struct join *j, const struct profile_event *event, enum role role) {
    if (!j->step.event || !role_is_span(role))
        return;
    if (j->open_spans)
        return;
    int64_t end_ns = profile_event_end(event) < profile_event_end(j->step.event) ? profile_event_end(event)
                                                                                 : profile_event_end(j->step.event);
    j->step.spans_ns += end_ns - event->start_ns;
}

/* Keeps the span of an event that has ended. */
void join_note_span(struct join *j, const struct open_event *frame) {
    static const enum ran_kind kinds[] = {
        [ROLE_REGION] = RAN_FRAME,
        [ROLE_GRAPH] = RAN_GRAPH,
        [ROLE_LOOKUP] = RAN_GUARDS,
    };
    uint32_t compile = frame->role == ROLE_GRAPH ? j->profile->graphs.items[frame->place].compile : frame->compile;
    for (size_t i = j->stack.count; i-- > 0;)
        if (role_is_span(j->stack.items[i].role)) {
            j->stack.items[i].spans_ns += frame->event->ns;
            break;
        }
    join_add_span(j, frame->event, compile, kinds[frame->role], frame->event->ns - frame->spans_ns);
}

#include "profile/profile_join.h"

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
    if (j->step.compiled)
        LIST_ADD(&j->steps.ns, event->ns - join_compiling(j, event));
    if (j->trace->clock_known)
        join_add_span(j, event, NONE, RAN_STEP, event->ns - j->step.spans_ns);
    j->step.event = NULL;
}

void join_begin_step(struct join *j, const struct profile_event *event) {
    join_end_step(j);
    j->step = (struct open_step){.event = event};
}

/* Notes what begins in the current step. */
void join_note_in_step(struct join *j, const struct profile_event *event, enum role role) {
    if (!j->step.event || !role_is_span(role))
        return;
    j->step.compiled |= role != ROLE_LOOKUP;
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

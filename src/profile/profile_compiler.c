#include "profile/profile_join.h"

#include "base/search.h"

static bool is_compiler(const struct join *j, const struct profile_event *event) {
    return event->kind == PROFILE_OP && j->roles[event->name].role == ROLE_COMPILER && event->ns;
}

void join_note_compiler(struct join *j, const struct profile_event *event) {
    const struct compiler_run *last = j->compilers.count ? &j->compilers.items[j->compilers.count - 1] : NULL;
    if (is_compiler(j, event) && (!last || last->track != event->track || profile_event_end(event) > last->end_ns))
        LIST_ADD(&j->compilers, (struct compiler_run){event->start_ns, profile_event_end(event), event->track});
}

enum { LOOK_BACK = 256 }; /* events, and runs of the compiler */

/* Since when no event of its thread ran before the ith one, which may be in another one. */
static int64_t idle_since(const struct join *j, size_t i) {
    const struct profile_event *event = &j->trace->events.items[i];
    int64_t idle_ns = INT64_MIN;
    for (size_t back = 1; back <= i && back <= LOOK_BACK; back++) {
        const struct profile_event *before = event - back;
        bool contains = profile_event_end(before) >= profile_event_end(event);
        int64_t ns = contains ? before->start_ns : profile_event_end(before);
        if (before->track != event->track)
            break;
        idle_ns = ns > idle_ns ? ns : idle_ns;
        if (contains)
            break;
    }
    return idle_ns < event->start_ns ? idle_ns : event->start_ns;
}

static int by_end(const void *a, const void *b) {
    const struct compiler_run *one = a, *other = b;
    return one->end_ns < other->end_ns ? -1 : one->end_ns > other->end_ns;
}

void join_sort_compilers(struct join *j) {
    LIST_SORT(&j->compilers, by_end);
}

/* Since when the ith event waited for a compiler in another thread: only one runs at a time. */
static int64_t wait_of(const struct join *j, size_t i) {
    const struct profile_event *event = &j->trace->events.items[i];
    int64_t since_ns = event->start_ns, idle_ns = j->compilers.count > 1 ? idle_since(j, i) : since_ns;
    size_t after = 0;
    SEARCH(after, j->compilers.count, middle, j->compilers.items[middle].end_ns <= event->start_ns);
    for (size_t back = 1; back <= after && back <= LOOK_BACK; back++) {
        const struct compiler_run *other = &j->compilers.items[after - back];
        if (other->end_ns <= idle_ns)
            break;
        if (other->track != event->track && other->start_ns < since_ns)
            since_ns = other->start_ns > idle_ns ? other->start_ns : idle_ns;
    }
    return since_ns;
}

/* When the compiler began. Its own events do not cover its ends: what is between the guard checks of a frame, or the
 * begin of a backward, and its first event is part of it. */
static int64_t start_of(const struct join *j, size_t i) {
    const struct profile_event *event = &j->trace->events.items[i], *before = i ? event - 1 : NULL;
    if (!before || before->track != event->track || before->kind == PROFILE_DEVICE)
        return event->start_ns;
    enum role role = j->roles[before->name].role;
    if (role == ROLE_LOOKUP && profile_event_end(before) <= event->start_ns)
        return profile_event_end(before);
    bool contains = profile_event_end(before) >= profile_event_end(event);
    if (role == ROLE_WRAPPER && contains)
        return before->start_ns;
    return wait_of(j, i);
}

/* When the code that it made began to run, if that is the next event after the ith one; otherwise when it ended. */
static int64_t end_of(const struct join *j, size_t i) {
    const struct profile_event *events = j->trace->events.items, *event = &events[i];
    int64_t end_ns = profile_event_end(event);
    size_t next = i + 1;
    SEARCH(next, j->trace->events.count, middle,
           events[middle].track == event->track && events[middle].start_ns < end_ns);
    if (next == j->trace->events.count || events[next].track != event->track)
        return end_ns;
    enum role role = j->roles[events[next].name].role;
    return role == ROLE_REGION || role == ROLE_GRAPH || role == ROLE_PROLOGUE ? events[next].start_ns : end_ns;
}

void join_find_compiler(struct join *j, size_t n) {
    const struct profile_trace *trace = j->trace;
    uint32_t track = trace->events.items[n].track;
    int64_t covered_ns = INT64_MIN;
    j->compiler.count = 0;
    for (size_t i = n; j->compiles && i < trace->events.count && trace->events.items[i].track == track; i++) {
        const struct profile_event *event = &trace->events.items[i];
        if (!is_compiler(j, event) || profile_event_end(event) <= covered_ns)
            continue;
        covered_ns = profile_event_end(event); /* events in it need no look at what follows */
        struct compiler_run *before = j->compiler.count ? &j->compiler.items[j->compiler.count - 1] : NULL;
        int64_t start_ns = start_of(j, i), end_ns = end_of(j, i);
        if (!before || start_ns > before->end_ns)
            LIST_ADD(&j->compiler, (struct compiler_run){start_ns, end_ns, track});
        else if (end_ns > before->end_ns)
            before->end_ns = end_ns;
    }
    for (size_t i = 0; i < j->compiler.count; i++)
        j->profile->compiling_ns += j->compiler.items[i].end_ns - j->compiler.items[i].start_ns;
}

int64_t join_compiling_between(const struct join *j, int64_t start_ns, int64_t end_ns) {
    size_t at = 0;
    int64_t ns = 0;
    SEARCH(at, j->compiler.count, middle, j->compiler.items[middle].end_ns <= start_ns);
    for (; at < j->compiler.count && j->compiler.items[at].start_ns < end_ns; at++) {
        const struct compiler_run *run = &j->compiler.items[at];
        ns += (run->end_ns < end_ns ? run->end_ns : end_ns) - (run->start_ns > start_ns ? run->start_ns : start_ns);
    }
    return ns;
}

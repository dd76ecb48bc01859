#include "profile/profile_join.h"

/* Finds when the compiler ran on the track of the nth event, whose events are by start. */
void join_find_compiler(struct join *j, size_t n) {
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

/* How long the compiler ran between these times. */
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

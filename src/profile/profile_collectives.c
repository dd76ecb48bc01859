#include "profile/profile.h"

static int by_start(const void *a, const void *b) {
    const struct collective_call *one = a, *other = b;
    if (one->start_ns != other->start_ns)
        return one->start_ns < other->start_ns ? -1 : 1;
    return one->ns != other->ns ? (one->ns < other->ns ? -1 : 1) : slice_cmp(one->name, other->name);
}

static bool is_collective(const struct profile_trace *trace, const struct profile_event *event, bool devices) {
    struct slice name = trace->names.items[event->name];
    return devices ? event->kind == PROFILE_DEVICE && slice_starts(name, SLICE("nccl"))
                   : event->kind == PROFILE_ANNOTATION && slice_starts(name, SLICE("gloo:"));
}

static void add_collectives(collective_calls *calls, const struct profile_trace *trace, bool devices) {
    for (size_t i = 0; i < trace->events.count; i++) {
        const struct profile_event *event = &trace->events.items[i];
        if (is_collective(trace, event, devices) && calls->count <= COLLECTIVES_MAX)
            LIST_ADD(calls, (struct collective_call){trace->names.items[event->name], event->start_ns, event->ns});
    }
}

void profile_find_collectives(const struct profile *profile, collective_calls *calls) {
    for (int devices = 1; devices >= 0 && !calls->count; devices--)
        for (size_t i = 0; i < profile->profiles->files.count; i++)
            if (!profile->refused[i])
                add_collectives(calls, &profile->profiles->files.items[i].trace, devices);
    if (calls->count > COLLECTIVES_MAX)
        calls->count = 0;
    LIST_SORT(calls, by_start);
}

#include "profile/profile_parts.h"

static int by_time(const void *a, const void *b) {
    const struct device_work *one = a, *other = b;
    if (one->id != other->id)
        return one->id < other->id ? -1 : 1;
    if (one->start_ns != other->start_ns)
        return one->start_ns < other->start_ns ? -1 : 1;
    return one->event < other->event ? -1 : one->event > other->event;
}

/* Most traces list work in that order. */
static void sort_works(struct device_works *works) {
    size_t sorted = 1;
    while (sorted < works->list.count && by_time(&works->list.items[sorted - 1], &works->list.items[sorted]) <= 0)
        sorted++;
    if (sorted < works->list.count)
        LIST_SORT(&works->list, by_time);
}

/* Lists the work with its device, as a number, in place of its id. */
static void list_by_device(struct device_works *works, const struct profile_trace *trace) {
    AUTO_MAP devices = {0};
    for (uint32_t i = 0; i < trace->events.count; i++) {
        const struct profile_event *event = &trace->events.items[i];
        if (event->kind != PROFILE_DEVICE || !event->ns)
            continue;
        bool added;
        uint32_t device =
            *map_put(&devices, trace->tracks.items[event->track].process, (uint32_t)works->devices, &added);
        works->devices += added;
        LIST_ADD(&works->list, (struct device_work){device, i, event->start_ns, 0});
    }
    sort_works(works);
}

/* Sets gaps. Work on several streams of a device may overlap. */
static void find_gaps(struct device_works *works, const struct profile_trace *trace) {
    int64_t end_ns = 0;
    for (size_t i = 0; i < works->list.count; i++) {
        struct device_work *work = &works->list.items[i];
        int64_t work_end_ns = work->start_ns + trace->events.items[work->event].ns;
        if (!i || work[-1].id != work->id)
            end_ns = work->start_ns;
        work->gap_ns = work->start_ns > end_ns ? work->start_ns - end_ns : 0;
        works->idle_ns += work->gap_ns;
        if (work_end_ns <= end_ns)
            continue;
        works->busy_ns += work_end_ns - (work->start_ns > end_ns ? work->start_ns : end_ns);
        end_ns = work_end_ns;
    }
}

void profile_find_works(struct device_works *works, const struct profile_trace *trace) {
    works->list.count = 0;
    works->devices = 0;
    works->busy_ns = works->idle_ns = 0;
    list_by_device(works, trace);
    find_gaps(works, trace);
    for (size_t i = 0; i < works->list.count; i++)
        works->list.items[i].id = trace->events.items[works->list.items[i].event].id;
    sort_works(works);
}

struct device_work *profile_works_of(struct device_works *works, uint32_t id, size_t *count) {
    size_t at = 0;
    *count = 0;
    SEARCH(at, works->list.count, middle, works->list.items[middle].id < id);
    for (size_t i = at; i < works->list.count; i++) {
        const struct device_work *work = &works->list.items[i];
        if (work->id != id || work->event == UINT32_MAX) /* a launch takes all or none */
            break;
        ++*count;
    }
    return *count ? &works->list.items[at] : NULL;
}

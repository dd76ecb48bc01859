#include "trace/process.h"

/* No machine runs more processes, so a log with more is not genuine. Further processes share one, with number 0. */
enum { PROCESSES_MAX = 4096 };
/* Set in the ids of processes whose number is already taken. No process number is this large. */
static const uint64_t further = UINT64_C(1) << 63;

void processes_next_file(struct processes *processes, const char *path) {
    processes->file++;
    processes->path = path;
    processes->looked = false;
}

static struct slice number_key(const uint64_t *number) {
    return slice_make((const char *)number, sizeof *number);
}

static struct process *add(struct processes *processes, uint64_t number) {
    size_t place = processes->count;
    struct process *process = mem_zalloc(1, sizeof *process);
    bool added;
    uint32_t *newest = map_put(&processes->newest, number_key(&number), (uint32_t)place, &added);
    process->number = number;
    process->nth = added ? 1 : processes->items[*newest]->nth + 1;
    process->before = added ? SIZE_MAX : *newest;
    process->id = process->track = added ? number & ~further : further | place;
    process->file = processes->file;
    process->strings.family = &processes->family;
    process->strings.elders = place;
    LIST_ADD(&processes->family.members, &process->strings);
    *newest = (uint32_t)place;
    *map_put(&processes->current, number_key(&number), (uint32_t)place, NULL) = (uint32_t)place;
    LIST_ADD(processes, process);
    processes->last = place;
    return process;
}

/* The process of an earlier file that continues in this one, or NULL. */
static struct process *continued(struct processes *processes, uint64_t number, size_t newest) {
    if (!processes->looked)
        log_starts_read(&processes->starts, processes->path);
    processes->looked = true;
    const struct log_start *start = log_starts_of(&processes->starts, number);
    for (size_t at = newest; start && at != SIZE_MAX; at = processes->items[at]->before)
        if (log_start_continues(start, processes->items[at]->strings.count)) {
            processes->last = at;
            return processes->items[at];
        }
    return NULL;
}

struct process *process_of(struct processes *processes, uint64_t number) {
    if (processes->last < processes->count) {
        struct process *last = processes->items[processes->last];
        if (last->number == number && last->file == processes->file)
            return last;
    }
    uint32_t place = map_get(&processes->current, number_key(&number));
    if (place != MAP_NONE && processes->items[place]->file == processes->file) {
        processes->last = place;
        return processes->items[place];
    }
    struct process *process =
        place == MAP_NONE ? NULL : continued(processes, number, map_get(&processes->newest, number_key(&number)));
    if (!process && processes->count <= PROCESSES_MAX)
        return add(processes, processes->count < PROCESSES_MAX ? number : 0);
    if (!process)
        process = processes->items[processes->last = PROCESSES_MAX];
    process->file = processes->file;
    *map_put(&processes->current, number_key(&number), 0, NULL) = (uint32_t)processes->last;
    return process;
}

struct process *process_renew(struct processes *processes, const struct process *old) {
    if (processes->count >= PROCESSES_MAX)
        return processes->items[processes->last];
    struct process *process = add(processes, old->number);
    process->track = old->track;
    return process;
}

void processes_finish(struct processes *processes) {
    for (size_t i = 0; i < processes->count; i++) {
        strings_finish(&processes->items[i]->strings);
        mem_free(processes->items[i]);
    }
    mem_free(processes->family.members.items);
    mem_free(processes->items);
    map_free(&processes->newest);
    map_free(&processes->current);
    *processes = (struct processes){0};
}

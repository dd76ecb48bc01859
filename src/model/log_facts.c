#include "model/log_facts.h"

#include <inttypes.h>

#include "base/buf.h"
#include "base/mem.h"

static struct slice process_key(const uint64_t *process) {
    return slice_make((const char *)process, sizeof *process);
}

void report_count_process(struct report *report, const struct process *process, uint64_t line, unsigned counts) {
    uint32_t at = map_get(&report->process_map, process_key(&process->id));
    if (at == MAP_NONE && report->processes.count == LOG_PROCESSES_MAX) {
        report->more_process_records += counts;
        return;
    }
    if (at == MAP_NONE) {
        at = (uint32_t)report->processes.count;
        map_put(&report->process_map, process_key(&process->id), at, NULL);
        MEM_GROW(&report->processes);
        report->processes.items[report->processes.count++] =
            (struct log_process){.id = process->id, .number = process->number, .nth = process->nth, .first_line = line};
        report->shared_numbers |= process->nth > 1;
    }
    report->processes.items[at].records += counts;
}

struct log_process report_process(const struct report *report, uint64_t process) {
    uint32_t at = map_get(&report->process_map, process_key(&process));
    return at == MAP_NONE ? (struct log_process){.id = process, .number = process, .nth = 1}
                          : report->processes.items[at];
}

void report_add_process_name(struct buf *out, const struct report *report, uint64_t process) {
    struct log_process found = report_process(report, process);
    buf_addf(out, "%" PRIu64, found.number);
    if (found.nth > 1)
        buf_addf(out, ".%" PRIu32, found.nth);
}

struct slice report_process_file(const struct report *report, uint64_t process) {
    struct log_process found = report_process(report, process);
    const struct log_file *file = report_file_at(report, found.first_line);
    return report->shared_numbers && report->files.count > 1 && file ? file->name : (struct slice){0};
}

void report_end_processes(struct report *report) {
    for (size_t i = 0; i < report->compiles.count; i++) {
        const struct compile *compile = report->compiles.items[i];
        uint32_t at = compile->framed ? map_get(&report->process_map, process_key(&compile->process)) : MAP_NONE;
        if (at != MAP_NONE)
            report->processes.items[at].compiles++;
    }
}

void report_add_file(struct report *report, const struct log_file *file) {
    MEM_GROW(&report->files);
    struct log_file *added = &report->files.items[report->files.count++];
    *added = *file;
    added->name = report_copy(report, file->name);
    added->damage = report_copy(report, file->damage);
}

const struct log_file *report_file_at(const struct report *report, uint64_t line) {
    const struct log_file *found = report->files.count ? &report->files.items[0] : NULL;
    size_t low = 0, high = report->files.count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (report->files.items[middle].first_line && report->files.items[middle].first_line <= line)
            low = middle;
        else
            high = middle;
        found = &report->files.items[low];
    }
    return found;
}

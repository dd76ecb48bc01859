#include "model/log_facts.h"

#include "base/mem.h"

static struct slice process_key(const uint64_t *process) {
    return slice_make((const char *)process, sizeof *process);
}

void report_count_process(struct report *report, uint64_t process, uint64_t line, unsigned counts) {
    uint32_t at = map_get(&report->process_map, process_key(&process));
    if (at == MAP_NONE && report->processes.count == LOG_PROCESSES_MAX) {
        report->more_process_records += counts;
        return;
    }
    if (at == MAP_NONE) {
        at = (uint32_t)report->processes.count;
        map_put(&report->process_map, process_key(&process), at, NULL);
        MEM_GROW(&report->processes);
        report->processes.items[report->processes.count++] =
            (struct log_process){.process = process, .first_line = line};
    }
    report->processes.items[at].records += counts;
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

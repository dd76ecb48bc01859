#include "model/log_info.h"

static struct slice process_key(const uint64_t *process) {
    return slice_make((const char *)process, sizeof *process);
}

void model_count_process(struct model *model, const struct process *process, uint64_t line, unsigned counts) {
    uint32_t at = map_get(&model->process_map, process_key(&process->id));
    if (at == MAP_NONE && model->processes.count == LOG_PROCESSES_MAX) {
        model->more_process_records += counts;
        return;
    }
    if (at == MAP_NONE) {
        at = (uint32_t)model->processes.count;
        map_put_in(&model->arena, &model->process_map, process_key(&process->id), at, NULL);
        ARENA_ADD(&model->arena, &model->processes,
                  (struct log_process){.id = process->id,
                                       .number = process->number,
                                       .nth = process->nth,
                                       .first_line = line});
        model->shared_numbers |= process->nth > 1;
    }
    model->processes.items[at].records += counts;
}

struct log_process model_process(const struct model *model, uint64_t process) {
    uint32_t at = map_get(&model->process_map, process_key(&process));
    return at == MAP_NONE ? (struct log_process){.id = process, .number = process, .nth = 1}
                          : model->processes.items[at];
}

void model_add_process_name(struct buf *out, const struct model *model, uint64_t process) {
    struct log_process found = model_process(model, process);
    buf_addf(out, "%" PRIu64, found.number);
    if (found.nth > 1)
        buf_addf(out, ".%" PRIu32, found.nth);
}

struct slice model_process_file(const struct model *model, uint64_t process) {
    struct log_process found = model_process(model, process);
    const struct log_file *file = model_file_at(model, found.first_line);
    return model->shared_numbers && model->files.count > 1 && file ? file->name : (struct slice){0};
}

void model_end_processes(struct model *model) {
    for (size_t i = 0; i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[i];
        uint32_t at = compile->framed ? map_get(&model->process_map, process_key(&compile->process)) : MAP_NONE;
        if (at != MAP_NONE)
            model->processes.items[at].compiles++;
    }
}

void model_add_file(struct model *model, const struct log_file *file) {
    ARENA_GROW(&model->arena, &model->files);
    struct log_file *added = &model->files.items[model->files.count++];
    *added = *file;
    added->name = model_copy(model, file->name);
    added->damage = model_copy(model, file->damage);
}

void model_add_unread_folder(struct model *model, struct slice text) {
    ARENA_ADD(&model->arena, &model->unread_folders, model_copy(model, text));
}

uint64_t model_missing_inputs(const struct model *model) {
    uint64_t missing = model->unread_folders.count;
    for (size_t i = 0; i < model->files.count; i++)
        missing += model->files.items[i].damage.ptr != NULL;
    return missing;
}

const struct log_file *model_file_at(const struct model *model, uint64_t line) {
    size_t behind = 1;
    SEARCH(behind, model->files.count, middle,
           model->files.items[middle].first_line && model->files.items[middle].first_line <= line);
    return model->files.count ? &model->files.items[behind - 1] : NULL;
}

#include "report/members.h"

#include "model/log_info.h"

enum { BY_COMPILE_MAX = 1000 };

struct by_size {
    const struct compile *compile;
    size_t place; /* index in the order of the report */
};

static int larger_first(const void *a, const void *b) {
    const struct by_size *x = a, *y = b;
    if (x->compile->log_bytes != y->compile->log_bytes)
        return x->compile->log_bytes < y->compile->log_bytes ? 1 : -1;
    return x->place < y->place ? -1 : x->place > y->place;
}

/* All compile ids, the largest first. The caller frees the list. */
static struct by_size *by_size(const struct report_view *view) {
    size_t count = view->model->compiles.count;
    struct by_size *list = mem_alloc((count + 1) * sizeof *list);
    for (size_t i = 0; i < count; i++)
        list[i] = (struct by_size){view->model->compiles.items[view->order[i]], i};
    qsort(list, count, sizeof *list, larger_first);
    return list;
}

static void write_shares(struct jsonw *w, const char *key, const struct compile *compile) {
    jsonw_array(w, key);
    for (size_t i = 0; i < compile->shares.count; i++) {
        const struct kind_share *share = &compile->shares.items[i];
        jsonw_array(w, NULL);
        jsonw_u64(w, NULL, share->kind);
        jsonw_u64(w, NULL, share->records);
        jsonw_u64(w, NULL, share->bytes);
        jsonw_end_array(w);
    }
    jsonw_end_array(w);
}

static void write_by_compile(struct jsonw *w, const struct report_view *view, bool whole) {
    size_t count = view->model->compiles.count;
    struct by_size *list = by_size(view);
    uint64_t records = 0, bytes = 0;
    jsonw_array(w, "by_compile");
    for (size_t i = 0; i < count && i < BY_COMPILE_MAX; i++) {
        jsonw_object(w, NULL);
        JSON_ADD(w, "id", list[i].compile->key, "records", list[i].compile->log_records, "bytes",
                 list[i].compile->log_bytes);
        if (whole)
            write_shares(w, "kinds", list[i].compile);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    for (size_t i = BY_COMPILE_MAX; i < count; i++) {
        records += list[i].compile->log_records;
        bytes += list[i].compile->log_bytes;
    }
    jsonw_object(w, "by_compile_rest");
    JSON_ADD(w, "compiles", count > BY_COMPILE_MAX ? count - BY_COMPILE_MAX : 0, "records", records, "bytes", bytes);
    jsonw_end_object(w);
    mem_free(list);
}

static void write_files(struct jsonw *w, const struct model *model) {
    jsonw_array(w, "files");
    for (size_t i = 0; i < model->files.count; i++) {
        const struct log_file *file = &model->files.items[i];
        jsonw_object(w, NULL);
        JSON_MEMBERS(w, file, name, bytes);
        jsonw_known(w, "first_line", file->first_line ? (int64_t)file->first_line : -1);
        JSON_MEMBERS(w, file, records, damage);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    JSON_LIST(w, "unread_folders", i, model->unread_folders.count, model->unread_folders.items[i]);
    jsonw_u64(w, "missing_inputs", model_missing_inputs(model));
}

/* Writes the line in the whole log and, if the log has several files, the file and the line in it. */
static void write_fault_place(struct jsonw *w, const struct model *model, uint64_t line) {
    const struct log_file *file = model->files.count > 1 ? model_file_at(model, line) : NULL;
    jsonw_u64(w, "line", line);
    if (!file)
        return;
    JSON_ADD(w, "file", file->name, "file_line", line - (file->first_line ? file->first_line - 1 : 0));
}

static void write_processes(struct jsonw *w, const struct model *model) {
    jsonw_array(w, "processes");
    for (size_t i = 0; i < model->processes.count; i++) {
        const struct log_process *process = &model->processes.items[i];
        jsonw_object(w, NULL);
        jsonw_u64(w, "process", process->number);
        if (process->nth > 1)
            jsonw_u64(w, "nth", process->nth);
        struct slice file = model_process_file(model, process->id);
        if (file.ptr)
            jsonw_text(w, "file", file);
        JSON_MEMBERS(w, process, records, compiles, first_line);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    jsonw_u64(w, "more_process_records", model->more_process_records);
}

void log_json_add(struct jsonw *w, const struct report_view *view, bool whole) {
    const struct model *model = view->model;
    jsonw_object(w, "log");
    write_files(w, model);
    JSON_ADD(w, "empty", model->empty, "bytes", model->log_bytes);
    if (model->other_ranks_bytes)
        jsonw_u64(w, "other_ranks_bytes", model->other_ranks_bytes);
    jsonw_u64(w, "records", view->sums ? view->sums->records : model->records);
    jsonw_object(w, "counters");
    for (int counter = 0; counter < COUNTERS; counter++)
        jsonw_u64(w, counter_name(counter), view->sums ? view->sums->counters[counter] : model->counters[counter]);
    jsonw_end_object(w);
    jsonw_array(w, "kinds");
    for (size_t i = 0; i < model->kinds.count; i++) {
        const struct kind_count *kind = &model->kinds.items[i];
        jsonw_object(w, NULL);
        JSON_MEMBERS(w, kind, key, name, records, bytes);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    JSON_LIST(w, "unknown_keys", i, model->unknown_keys.count, model->unknown_keys.items[i]);
    jsonw_array(w, "faults");
    for (size_t i = 0; i < model->faults.count; i++) {
        jsonw_object(w, NULL);
        write_fault_place(w, model, model->faults.items[i].line);
        JSON_ADD(w, "what", model->faults.items[i].what, "count", model->faults.items[i].count);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    jsonw_u64(w, "more_faults", model->more_faults);
    write_processes(w, model);
    write_by_compile(w, view, whole);
    jsonw_end_object(w);
}

void log_shares_add(struct jsonw *w, const struct report_view *view) {
    struct by_size *list = by_size(view);
    jsonw_array(w, NULL);
    for (size_t i = 0; i < view->model->compiles.count && i < BY_COMPILE_MAX; i++)
        write_shares(w, NULL, list[i].compile);
    jsonw_end_array(w);
    mem_free(list);
}

#include "report/members.h"

#include "lowering/kernels.h"
#include "pages/page_parts.h"
#include "scan/library.h"
#include "sink/script.h"

enum { IN_PART = 2000 };

static void write_items(struct jsonw *w, const char *key, struct slice list) {
    struct slice item;
    jsonw_array(w, key);
    while (kernel_next_item(&list, &item))
        if (item.len)
            jsonw_text(w, NULL, item);
    jsonw_end_array(w);
}

static const char *nodes_by_name(enum kernel_nodes_by by) {
    static const char *const names[] = {NULL, "comment", "dataflow", "provenance"};
    return names[by];
}

static void write_source(struct jsonw *w, const struct kernel_source *source) {
    jsonw_object(w, NULL);
    JSON_MEMBERS(w, &source->place, file, line, function);
    jsonw_text(w, "code", source->code);
    jsonw_end_object(w);
}

/* Writes the lines of the user, then those of libraries. */
static void write_sources(struct jsonw *w, const struct kernel *kernel) {
    uint32_t count = kernel->source_count, later = 0;
    jsonw_array(w, "sources");
    for (uint32_t i = 0; i < count; i++) {
        bool library = count > 1 && is_library_file(kernel->sources[i].place.file);
        if (!library)
            write_source(w, &kernel->sources[i]);
        later += library;
    }
    for (uint32_t i = 0; i < count && later; i++)
        if (is_library_file(kernel->sources[i].place.file))
            write_source(w, &kernel->sources[i]);
    jsonw_end_array(w);
}

static void write_kernel(struct jsonw *w, const struct model *model, const struct kernel *kernel) {
    jsonw_object(w, NULL);
    JSON_ADD(w, "name", kernel->name, "kind", kernel_kind_name(kernel->kind), "heuristic", kernel->heuristic, "compile",
             model->compiles.items[kernel->compile]->key);
    JSON_MEMBERS(w, kernel, graph, artifact);
    JSON_ADD(w, "line", kernel->line ? (int64_t)kernel->line : -1, "call_line",
             kernel->call_line ? (int64_t)kernel->call_line : -1, "calls", kernel->calls);
    if (kernel->copies) {
        jsonw_object(w, "copy");
        JSON_MEMBERS(w, kernel, from, to);
        if (kernel->from.ptr)
            jsonw_bool(w, "waits", kernel->waits);
        jsonw_end_object(w);
    }
    if (kernel->outside != OUTSIDE_NOT)
        jsonw_str(w, "outside", kernel_outside_name(kernel->outside));
    if (kernel->original.file.ptr)
        place_json_write(w, "definition", &kernel->original);
    write_items(w, "ops", kernel->ops);
    write_items(w, "nodes", kernel->nodes);
    write_items(w, "post_nodes", kernel->post_nodes);
    jsonw_str(w, "nodes_by", nodes_by_name(kernel->by));
    write_sources(w, kernel);
    jsonw_known(w, "compile_time_us", kernel->compile_us);
    jsonw_raw(w, "autotune", kernel->autotune);
    if (kernel->choice != UINT32_MAX)
        jsonw_u64(w, "choice", kernel->choice);
    write_items(w, "perhaps", kernel->perhaps);
    jsonw_str(w, "nodes_unknown", kernel_unknown_text(kernel->why));
    jsonw_str(w, "lines_unknown", kernel_unknown_text(kernel_lines_unknown(kernel)));
    jsonw_end_object(w);
}

static void write_choice(struct jsonw *w, const struct model *model, const struct kernel_choice *choice) {
    jsonw_object(w, NULL);
    jsonw_text(w, "compile", model->compiles.items[choice->compile]->key);
    JSON_MEMBERS(w, choice, operation, shape, candidates, triton, winner, config, time_ns);
    jsonw_end_object(w);
}

void kernels_json_write(struct jsonw *w, const char *key, const struct model *model, bool whole) {
    const struct kernels *kernels = model->kernels;
    jsonw_object(w, key);
    for (int kind = 0; kind < KERNEL_KINDS; kind++) {
        jsonw_object(w, kernel_kind_name((enum kernel_kind)kind));
        JSON_ADD(w, "count", kernels ? kernels->counts[kind] : 0, "calls", kernels ? kernels->calls[kind] : 0);
        jsonw_end_object(w);
    }
    JSON_ADD(w, "generated", kernels_generated(kernels), "compile_time_us", kernels ? kernels->compile_us : -1,
             "listed", kernels ? kernels->list.count : 0, "more", kernels ? kernels->more : 0);
    if (kernels && kernels->choices.count) {
        jsonw_array(w, "choices");
        for (size_t i = 0; i < kernels->choices.count; i++)
            write_choice(w, model, &kernels->choices.items[i]);
        jsonw_end_array(w);
    }
    if (whole) {
        jsonw_array(w, "list");
        for (size_t i = 0; kernels && i < kernels->list.count; i++) {
            write_kernel(w, model, &kernels->list.items[i]);
        }
        jsonw_end_array(w);
    }
    jsonw_end_object(w);
}

size_t kernels_parts(const struct model *model) {
    return model->kernels ? (model->kernels->list.count + IN_PART - 1) / IN_PART : 0;
}

void kernels_parts_write(const struct model *model, struct files *files) {
    for (size_t part = 0; part < kernels_parts(model); part++) {
        AUTO_BUF json = {0};
        struct jsonw w = {.out = &json};
        jsonw_array(&w, NULL);
        for (size_t i = part * IN_PART; i < model->kernels->list.count && i < (part + 1) * IN_PART; i++)
            write_kernel(&w, model, &model->kernels->list.items[i]);
        jsonw_end_array(&w);
        script_write_part(files, "kernels", part, buf_slice(&json));
    }
}

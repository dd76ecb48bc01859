/* findings_memory.c - lines whose tensors are much of what a forward saves for its backward.
 *
 * Tried with PyTorch 2.15 (tests/data/memory/advised): with torch.utils.checkpoint around the part of the model, and with
 * activation_memory_budget, the same forwards save less. torch.compile(options=) refuses the setting. */

#include "base/text.h"
#include "findings/findings_make.h"
#include "lowering/graph_memory.h"
#include "model/set_settings.h"
#include "modules/module_records.h"

#define SAVED_BYTES_MIN INT64_C(64000000) /* smaller lines are never reported */
enum { SAVED_PART = 3 /* nor those below 1/SAVED_PART of the graph */, SAVED_LISTED = 5 };

/* A line, and the graph in which it saves most. */
struct heavy {
    const struct saved_line *line;
    const struct graph_memory *graph;
    LIST(uint32_t) compiles;
};

/* What checkpoint could save: without what the program keeps anyway. */
static int64_t own_bytes(const struct saved_line *line) {
    return line->bytes - line->result_bytes;
}

/* The line that saves most, if that is much; NULL: none. */
static const struct saved_line *heavy_line(const struct graph_memory *graph) {
    const struct saved_line *most = NULL;
    for (uint32_t i = 0; i < graph->line_count; i++)
        if (graph->lines[i].place.file.ptr && (!most || own_bytes(&graph->lines[i]) > own_bytes(most)))
            most = &graph->lines[i];
    return most && own_bytes(most) >= SAVED_BYTES_MIN && own_bytes(most) >= graph->saved / SAVED_PART ? most : NULL;
}

/* Whether the program recomputes something in this backward or has a budget for it, or the log lacks the graph that would show it. */
static bool recomputes(const struct model *model, uint32_t compile) {
    const struct all_module_records *all = model->modules;
    uint32_t place = all ? map_get(&all->compiles, slice_make((const char *)&compile, sizeof compile)) : MAP_NONE;
    const struct module_records *records = place == MAP_NONE ? NULL : &all->list.items[place];
    if (!records || records->cut || !records->graph.op_count || records->graph.budget)
        return true;
    for (uint32_t i = 0; i < records->graph.op_count; i++)
        if (slice_find(records->graph.ops[i].target, SLICE("checkpoint")) != SIZE_MAX)
            return true;
    return false;
}

/* Marks compiles whose program is logged and leaves the budget at its default. The caller frees it. */
static bool *without_budget(const struct model *model) {
    bool *marks = mem_zalloc(model->compiles.count + 1, sizeof *marks);
    const struct set_settings *set = model->set_settings;
    for (size_t i = 0; set && !set->more && i < set->programs.count; i++)
        marks[set->programs.items[i]] = true;
    for (size_t i = 0; set && i < set->list.count; i++) {
        const struct set_setting *setting = &set->list.items[i];
        bool budget = setting->kind == CONFIG_FUNCTORCH && slice_is(setting->name, "activation_memory_budget");
        for (size_t u = 0; budget && u < setting->users.count; u++)
            marks[setting->users.items[u]] = slice_is(setting->value, "1.0");
    }
    return marks;
}

static void say(struct findings *findings, const struct model *model, const struct heavy *heavy) {
    const struct saved_line *line = heavy->line;
    const struct compile *compile = model->compiles.items[heavy->graph->compile];
    struct finding *finding = finding_add(findings, FINDING_SAVED_MEMORY, SEVERITY_INFO, IMPACT_INFORMATION);
    struct buf title = {0}, why = {0};
    finding_set_place(findings, finding, compile);
    finding->place = line->place;
    finding->code = line->code;
    finding->library = is_library_file(line->place.file);
    buf_addf(&title, "%.*s:%" PRIu64 " saves ", SLICE_ARG(path_last(line->place.file)), line->place.line);
    size_add(&title, own_bytes(line));
    buf_add_lit(&title, " for the backward");
    finding->title = finding_keep(findings, &title);
    buf_addf(&why, "That is %.0f %% of the ", 100.0 * (double)own_bytes(line) / (double)heavy->graph->saved);
    size_add(&why, heavy->graph->saved);
    buf_addf(&why, " that the forward of [%.*s] keeps until its backward has run, in %" PRIu32 " tensor%s%s.",
             SLICE_ARG(compile->key), line->tensors, line->tensors == 1 ? "" : "s",
             line->symbolic ? ", for the sizes of the example inputs" : "");
    if (line->result_bytes)
        buf_add_lit(&why, " Results of the function do not count.");
    finding->why = finding_keep(findings, &why);
    finding->advice = SLICE(
        "If memory is short, recompute them in the backward: call a part of the model that computes and uses them with "
        "`torch.utils.checkpoint.checkpoint(part, x, use_reentrant=False)`, or `import torch._functorch.config` and "
        "set "
        "`torch._functorch.config.activation_memory_budget = 0.5` before the first call. Both make the backward "
        "slower.");
    finding->evidence = SLICE("output code of the forward and of the backward; Dynamo graph; fx_graph_runnable");
    for (size_t i = 0; i < heavy->compiles.count; i++)
        finding_name_compile(findings, finding, heavy->compiles.items[i]);
}

static int by_bytes(const void *a, const void *b) {
    const struct heavy *x = a, *y = b;
    int64_t x_bytes = own_bytes(x->line), y_bytes = own_bytes(y->line);
    return x_bytes != y_bytes                    ? (x_bytes < y_bytes ? 1 : -1)
         : x->graph->compile < y->graph->compile ? -1
                                                 : x->graph->compile > y->graph->compile;
}

void findings_add_memory(struct findings *findings, const struct model *model) {
    LIST(struct heavy) list = {0};
    AUTO_MAP places = {0};
    const struct graph_memories *memories = model->memories;
    if (!memories)
        return;
    bool *plain = without_budget(model);
    for (size_t i = 0; i < memories->list.count; i++) {
        const struct graph_memory *graph = &memories->list.items[i];
        const struct saved_line *line = heavy_line(graph);
        if (!line || !plain[graph->compile] || recomputes(model, graph->compile))
            continue;
        AUTO_BUF key = {0};
        bool added;
        BUF_ADD(&key, line->place.line, " ", line->place.file);
        uint32_t place = *map_put(&places, buf_slice(&key), (uint32_t)list.count, &added);
        if (added || !list.items) /* the second for clang-tidy */
            LIST_ADD(&list, (struct heavy){.line = line, .graph = graph});
        struct heavy *heavy = &list.items[place];
        ARENA_ADD(&findings->scratch, &heavy->compiles, graph->compile);
        if (own_bytes(line) > own_bytes(heavy->line)) {
            heavy->line = line;
            heavy->graph = graph;
        }
    }
    LIST_SORT(&list, by_bytes);
    for (size_t i = 0; i < list.count && i < SAVED_LISTED; i++)
        say(findings, model, &list.items[i]);
    mem_free(list.items);
    mem_free(plain);
}

#include "lowering/graph_memory.h"
#include "lowering/kernels.h"
#include "modules/op_modules.h"
#include "profile/profile.h"
#include "report/members.h"
#include "report/saved_modules.h"

enum { MODULES_MAX = 20000, ITEMS_MAX = 4096 };

/* What a module has, with those below it. */
struct sums {
    uint64_t parameters, parameter_bytes, buffers, buffer_bytes, unsized, guards, ops, exact_ops, kernels;
    int64_t run_ns, saved_bytes;
    uint32_t marked; /* the latest kernel that was counted, from 1 */
};

/* One compile. */
struct work {
    const struct report_view *view;
    const struct module_records *records;
    struct module_tree tree;
    struct op_module *ops;
    struct sums *sums;
    struct map names, lines; /* operation → its module; place → the nearest module that has all its operations */
    struct map vague;        /* places of which an operation is not known to be the module's own */
    bool saves;              /* a forward is joined with its backward */
    uint32_t *first, *next;  /* the operations of each module, in order; MODULE_NONE: none */
};

struct writer {
    struct jsonw *w;
    uint64_t count, more;
};

/* The module of a name or a line: that which has all of the operations there. */
static void put_module(struct work *work, struct map *map, struct slice key, uint32_t module) {
    bool added;
    uint32_t *place = map_put(map, key, module, &added);
    if (!added)
        *place = module_tree_common(&work->tree, *place, module);
}

static void add_line_key(struct buf *key, struct slice file, uint64_t line) {
    BUF_ADD(key, line, " ", file);
}

static void index_ops(struct work *work) {
    const struct module_graph *graph = &work->records->graph;
    uint32_t modules = (uint32_t)work->tree.list.count;
    work->first = mem_alloc(modules * sizeof *work->first);
    work->next = mem_alloc((graph->op_count + 1) * sizeof *work->next);
    for (uint32_t i = 0; i < modules; i++)
        work->first[i] = MODULE_NONE;
    for (uint32_t i = graph->op_count; i-- > 0;) {
        const struct module_op *op = &graph->ops[i];
        uint32_t module = work->ops[i].module;
        size_t slash = slice_rfind_byte(op->name, '/');
        work->next[i] = work->first[module];
        work->first[module] = i;
        work->sums[module].ops++;
        work->sums[module].exact_ops += work->ops[i].exact;
        put_module(work, &work->names, slash == SIZE_MAX ? op->name : slice_from(op->name, slash + 1), module);
        if (op->place == MODULE_NONE)
            continue;
        AUTO_BUF key = {0};
        bool added;
        add_line_key(&key, graph->places[op->place].file, graph->places[op->place].line);
        uint32_t known = map_get(&work->lines, buf_slice(&key));
        if (!work->ops[i].exact || (known != MAP_NONE && known != module))
            map_put(&work->vague, buf_slice(&key), 0, &added);
        put_module(work, &work->lines, buf_slice(&key), module);
    }
}

/* Counts the kernel for the module and those above it, once. */
static void mark_kernel(struct work *work, uint32_t module, uint32_t kernel) {
    for (; module != MODULE_NONE && work->sums[module].marked != kernel + 1;
         module = work->tree.list.items[module].parent) {
        work->sums[module].marked = kernel + 1;
        work->sums[module].kernels++;
    }
}

static void add_kernel(struct work *work, uint32_t index) {
    const struct kernel *kernel = &work->view->model->kernels->list.items[index];
    struct slice list = kernel->nodes, item;
    uint32_t common = MODULE_NONE;
    bool named = false;
    for (int i = 0; i < ITEMS_MAX && kernel_next_item(&list, &item); i++) {
        uint32_t module = map_get(&work->names, item);
        if (module == MAP_NONE)
            continue;
        named = true;
        mark_kernel(work, module, index);
        common = common == MODULE_NONE ? module : module_tree_common(&work->tree, common, module);
    }
    for (uint32_t s = 0; s < kernel->source_count && !named; s++) {
        AUTO_BUF key = {0};
        add_line_key(&key, kernel->sources[s].place.file, kernel->sources[s].place.line);
        uint32_t module = map_get(&work->lines, buf_slice(&key));
        if (module == MAP_NONE)
            continue;
        mark_kernel(work, module, index);
        common = common == MODULE_NONE ? module : module_tree_common(&work->tree, common, module);
    }
    if (common == MODULE_NONE || !work->view->profile || !work->view->profile->kernels)
        return;
    const struct run_time *time = &work->view->profile->kernels[index];
    work->sums[common].run_ns += work->view->profile->devices.count ? time->device_ns : time->ns;
}

static void add_kernels(struct work *work) {
    const struct kernels *kernels = work->view->model->kernels;
    if (!kernels || work->records->compile >= kernels->compiles.count)
        return;
    for (uint32_t k = kernels->compiles.items[work->records->compile].head; k != UINT32_MAX;
         k = kernels->list.items[k].next)
        add_kernel(work, k);
}

/* The module of the tensors that a line computes; MODULE_NONE: unknown, or none has them all. */
static uint32_t module_of_line(const struct work *work, const struct place *place, bool *exact) {
    AUTO_BUF key = {0};
    if (!place->file.ptr)
        return MODULE_NONE;
    add_line_key(&key, place->file, place->line);
    uint32_t module = map_get(&work->lines, buf_slice(&key));
    *exact = map_get(&work->vague, buf_slice(&key)) == MAP_NONE;
    return module == MAP_NONE || !work->tree.list.items[module].source.len ? MODULE_NONE : module;
}

static void add_saved_by(struct work *work, const struct saved_line *line) {
    bool exact;
    uint32_t module = module_of_line(work, &line->place, &exact);
    if (module != MODULE_NONE &&
        __builtin_add_overflow(work->sums[module].saved_bytes, line->bytes, &work->sums[module].saved_bytes))
        work->sums[module].saved_bytes = INT64_MAX; /* of a hostile log */
}

/* The modules of what the compile's forwards save. */
static void add_memory(struct work *work, struct saved_modules *saved) {
    const struct graph_memories *memories = work->view->model->memories;
    for (uint32_t i = saved_modules_first(saved, work->records->compile); i != UINT32_MAX;
         i = saved_modules_next(saved, i)) {
        const struct graph_memory *graph = &memories->list.items[i];
        work->saves |= graph->saved >= 0;
        for (uint32_t l = 0; l < graph->line_count; l++)
            add_saved_by(work, &graph->lines[l]);
        for (uint32_t v = 0; v < graph->value_count; v++) {
            bool exact;
            uint32_t module = module_of_line(work, &graph->values[v].place, &exact);
            if (module == MODULE_NONE)
                continue;
            const struct module *found = &work->tree.list.items[module];
            saved_modules_put(saved, i, v, work->tree.list.items[found->root].source, found->name, exact);
        }
    }
}

/* Adds what each module has to the one above. */
static void sum_up(struct work *work) {
    for (uint32_t i = (uint32_t)work->tree.list.count; i-- > 0;) {
        const struct module *module = &work->tree.list.items[i];
        struct sums *sums = &work->sums[i];
        sums->parameters += module->parameter_elements;
        sums->parameter_bytes += module->parameter_bytes;
        sums->buffers += module->buffer_elements;
        sums->buffer_bytes += module->buffer_bytes;
        sums->unsized += module->unsized;
        sums->guards += module->guards;
        if (module->parent == MODULE_NONE)
            continue;
        struct sums *above = &work->sums[module->parent];
        above->parameters += sums->parameters;
        above->parameter_bytes += sums->parameter_bytes;
        above->buffers += sums->buffers;
        above->buffer_bytes += sums->buffer_bytes;
        above->unsized += sums->unsized;
        above->guards += sums->guards;
        above->ops += sums->ops;
        above->exact_ops += sums->exact_ops;
        above->run_ns += sums->run_ns;
        if (__builtin_add_overflow(above->saved_bytes, sums->saved_bytes, &above->saved_bytes))
            above->saved_bytes = INT64_MAX; /* of a hostile log */
    }
}

static void write_nodes(struct jsonw *w, const char *key, const struct work *work, uint32_t module, bool exact) {
    jsonw_array(w, key);
    for (uint32_t i = work->first[module]; i != MODULE_NONE; i = work->next[i])
        if (work->ops[i].exact == exact)
            jsonw_text(w, NULL, work->records->graph.ops[i].name);
    jsonw_end_array(w);
}

/* Whether the compile is one of this very module: of its method, or of a call of it that torch.compile() wraps in a function of its own, as for
 * modules of torch.nn. PyTorch measures compiles, and no part of them by module. */
static bool is_compiled(const struct work *work, uint32_t index) {
    const struct module *module = &work->tree.list.items[index];
    const struct compile *compile = work->view->model->compiles.items[work->records->compile];
    return !index || (slice_is(module->source, "L['fn']") &&
                      slice_ends(compile->frame.file, SLICE("torch/_dynamo/external_utils.py")));
}

static void write_module(struct jsonw *w, const struct work *work, uint32_t index) {
    const struct module *module = &work->tree.list.items[index];
    const struct compile *compile = work->view->model->compiles.items[work->records->compile];
    const struct sums *sums = &work->sums[index];
    jsonw_object(w, NULL);
    jsonw_text(w, "compile", compile->key);
    jsonw_text(w, "root", work->tree.list.items[module->root].source);
    JSON_MEMBERS(w, module, name);
    jsonw_text(w, "class", module->class);
    if (sums->unsized) {
        jsonw_null(w, "parameters");
        jsonw_null(w, "parameter_bytes");
        jsonw_null(w, "buffers");
        jsonw_null(w, "buffer_bytes");
    } else {
        JSON_MEMBERS(w, sums, parameters, parameter_bytes, buffers, buffer_bytes);
    }
    JSON_MEMBERS(w, sums, ops, exact_ops, kernels, guards);
    jsonw_known(w, "compile_us", is_compiled(work, index) ? compile->time_us : -1);
    if (work->view->profile)
        jsonw_u64(w, "run_us", (uint64_t)(sums->run_ns > 0 ? (sums->run_ns + 500) / 1000 : 0));
    else
        jsonw_null(w, "run_us");
    if (work->saves)
        jsonw_i64(w, "saved_bytes", sums->saved_bytes);
    else
        jsonw_null(w, "saved_bytes");
    write_nodes(w, "exact_nodes", work, index, true);
    write_nodes(w, "nodes_within", work, index, false);
    jsonw_end_object(w);
}

static void write_compile(struct writer *writer, const struct report_view *view, const struct module_records *records,
                          struct saved_modules *saved) {
    struct work work = {.view = view, .records = records};
    module_tree_make(&work.tree, records);
    if (records->cut) {
        writer->more += work.tree.list.count - 1 + (work.tree.list.items[0].source.len > 0);
        module_tree_free(&work.tree);
        return;
    }
    work.sums = mem_zalloc(work.tree.list.count, sizeof *work.sums);
    if (work.tree.list.count > 1 || work.tree.list.items[0].source.len) {
        work.ops = op_modules_find(&work.tree, records, &view->model->compiles.items[records->compile]->frame);
        index_ops(&work);
        add_kernels(&work);
        add_memory(&work, saved);
        sum_up(&work);
        for (uint32_t i = 0; i < work.tree.list.count; i++) {
            if (!work.tree.list.items[i].source.len)
                continue;
            if (writer->count++ < MODULES_MAX)
                write_module(writer->w, &work, i);
            else
                writer->more++;
        }
    }
    writer->more += work.tree.more;
    mem_free(work.ops);
    mem_free(work.sums);
    mem_free(work.first);
    mem_free(work.next);
    map_free(&work.names);
    map_free(&work.lines);
    map_free(&work.vague);
    module_tree_free(&work.tree);
}

void modules_json_write(struct jsonw *w, const struct report_view *view, struct saved_modules *saved) {
    const struct all_module_records *all = view->model->modules;
    struct writer writer = {.w = w};
    jsonw_array(w, "modules");
    for (size_t i = 0; all && i < all->list.count; i++)
        if (view->model->compiles.items[all->list.items[i].compile]->framed)
            write_compile(&writer, view, &all->list.items[i], saved);
    jsonw_end_array(w);
    jsonw_u64(w, "more_modules", writer.more);
}

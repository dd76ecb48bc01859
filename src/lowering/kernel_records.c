#include "lowering/kernels.h"

#include "base/jsonw.h"
#include "scan/library.h"

enum {
    TRACES_MAX = 64,   /* per kernel */
    NAMED_MAX = 16384, /* kernels in one record */
};

static const uint32_t ambiguous = UINT32_MAX - 1; /* a name that several have */

static void put_name(struct map *names, struct slice name, uint32_t place) {
    bool added;
    uint32_t *known = map_put(names, name, place, &added);
    if (!added && *known != place)
        *known = ambiguous;
}

/* The kernels of the folder's latest code by the names that the log uses. A library function with several calls is
 * only known by its debug handles. */
static void name_kernels(struct map *names, const struct model *model, uint32_t first) {
    for (uint32_t i = first; i != UINT32_MAX; i = model->kernels->list.items[i].next) {
        const struct kernel *kernel = &model->kernels->list.items[i];
        struct slice handles = kernel->handle, handle;
        put_name(names, kernel->name, i);
        if (kernel->label.len) /* kernels that the user wrote */
            put_name(names, kernel->label, i);
        while (kernel_next_item(&handles, &handle))
            put_name(names, handle, i);
    }
}

/* Calls `note` for each kernel of the folder's latest code that the object has as a key, with or without its handle
 * after a colon. */
static void each_named(struct model *model, uint32_t folder, yyjson_val *object,
                       void (*note)(struct model *, struct kernel *, yyjson_val *)) {
    struct map names = {0}, handles = {0}; /* handles: number of handles of a name in the object */
    size_t i, max;
    yyjson_val *key, *value;
    if (!model->kernels || !yyjson_is_obj(object))
        return;
    name_kernels(&names, model, kernels_of_folder(model, folder)->latest);
    yyjson_obj_foreach(object, i, max, key, value) {
        struct slice name = json_text(key);
        size_t colon = slice_rfind_byte(name, ':');
        if (i < NAMED_MAX && colon != SIZE_MAX)
            ++*map_put(&handles, slice_first(name, colon), 0, NULL);
    }
    yyjson_obj_foreach(object, i, max, key, value) {
        struct slice name = json_text(key);
        size_t colon = slice_rfind_byte(name, ':');
        if (i == NAMED_MAX)
            break;
        uint32_t place = map_get(&names, name);
        if (place == MAP_NONE && colon != SIZE_MAX) {
            place = map_get(&names, slice_first(name, colon));
            /* the record may cover calls in other codes, too, so it is unknown which one this is */
            const struct kernel *kernel = place < ambiguous ? &model->kernels->list.items[place] : NULL;
            if (kernel && kernel->kind == KERNEL_EXTERN &&
                (kernel->handle.len || map_get(&handles, slice_first(name, colon)) > 1))
                place = MAP_NONE;
        }
        if (place < ambiguous)
            note(model, &model->kernels->list.items[place], value);
    }
    map_free(&handles);
    map_free(&names);
}

static void note_nodes(struct model *model, struct kernel *kernel, yyjson_val *nodes) {
    struct buf text = {0};
    size_t i, max;
    yyjson_val *node;
    if (kernel->by == NODES_BY_MAPPING) /* from another call of it */
        buf_add(&text, kernel->post_nodes);
    yyjson_arr_foreach(nodes, i, max, node) {
        kernel_add_item(&text, json_text(node));
    }
    if (text.len) {
        kernel->post_nodes = kernels_keep(model, buf_slice(&text));
        kernel->by = NODES_BY_MAPPING;
        kernel->perhaps = (struct slice){0};
        kernel->why = UNKNOWN_NOTHING;
    }
    buf_free(&text);
}

static struct slice not_in_place(struct slice op) {
    return slice_ends(op, SLICE("_")) ? slice_first(op, op.len - 1) : op;
}

/* Whether the operator, which is not of PyTorch's own code, is computed by a call in the folder's latest code, so by no
 * kernel that Inductor generates. */
static bool is_called(struct model *model, uint32_t folder, struct slice op) {
    if (slice_starts(op, SLICE("aten.")) || slice_starts(op, SLICE("prims.")))
        return false;
    for (uint32_t i = kernels_of_folder(model, folder)->latest; i != UINT32_MAX;
         i = model->kernels->list.items[i].next) {
        const struct kernel *kernel = &model->kernels->list.items[i];
        if (kernel->kind == KERNEL_EXTERN && slice_eq(not_in_place(kernel->ops), not_in_place(op)))
            return true;
    }
    return false;
}

/* Sets the operators of the nodes in the mapping, except for views. The mapping also has the operands of the kernel's
 * inputs, so nodes from its buffers take precedence. */
static void take_mapped_ops(struct model *model, uint32_t folder, struct kernel *kernel, const struct flow_graphs *post,
                            const struct map *names) {
    struct buf ops = {0};
    struct slice nodes = kernel->post_nodes, item;
    while (kernel_next_item(&nodes, &item)) {
        uint32_t place = map_get(names, item);
        if (place != MAP_NONE && post->nodes[place].kind == FLOW_COMPUTE &&
            !is_called(model, folder, kernel_operator(post->nodes[place].op)))
            kernel_add_item(&ops, kernel_operator(post->nodes[place].op));
    }
    if (ops.len && kernel->kind != KERNEL_EXTERN && !kernel->followed && !kernel->original.file.ptr)
        kernel->ops = kernels_keep(model, buf_slice(&ops));
    buf_free(&ops);
}

/* Sets operators from the nodes in the mapping, and source lines of kernels that have none. Stack traces, which come
 * later, take precedence. */
static void find_mapped_sources(struct model *model, uint32_t folder) {
    struct kernels *kernels = model->kernels;
    const struct flow_graphs *post = kernels_post_grad(model, folder);
    struct map names = {0};
    for (uint32_t i = 0; post && i < post->node_count; i++)
        map_put(&names, post->nodes[i].name, i, NULL);
    for (uint32_t i = kernels_of_folder(model, folder)->latest; post && i != UINT32_MAX;
         i = kernels->list.items[i].next) {
        struct kernel *kernel = &kernels->list.items[i];
        struct kernel_source list[KERNEL_SOURCES_MAX];
        struct slice nodes = kernel->post_nodes, node;
        uint32_t count = 0;
        if (kernel->by == NODES_BY_MAPPING)
            take_mapped_ops(model, folder, kernel, post, &names);
        if (kernel->source_count || kernel->by != NODES_BY_MAPPING)
            continue;
        while (kernel_next_item(&nodes, &node)) {
            uint32_t place = map_get(&names, node);
            if (place != MAP_NONE && post->nodes[place].source != UINT32_MAX)
                kernel_add_node_source(model, list, &count, &post->sources[post->nodes[place].source]);
        }
        kernel_keep_sources(model, kernel, list, count);
    }
    map_free(&names);
}

void kernels_note_nodes(struct model *model, uint32_t folder, yyjson_val *nodes) {
    if (!model->kernels)
        return;
    each_named(model, folder, nodes, note_nodes);
    find_mapped_sources(model, folder);
}

/* The innermost user frame in 'File "x.py", line 3, in f\n    code', otherwise the innermost frame. */
static bool user_frame(struct slice trace, struct place *place, struct slice *code) {
    struct slice line, last = {0};
    bool any = false, own = false, taken = false, library = false;
    while (slice_next_line(&trace, &line)) {
        struct slice text = slice_trim(line);
        static const struct slice head = SLICE_INIT("File \""), mid = SLICE_INIT("\", line "), in = SLICE_INIT(", in ");
        size_t quote = slice_starts(text, head) ? slice_find(text, mid) : SIZE_MAX;
        if (quote == SIZE_MAX) {
            if (taken)
                *code = text;
            taken = false;
            continue;
        }
        struct slice file = slice_from(slice_first(text, quote), head.len), rest = slice_from(text, quote + mid.len);
        if (!last.ptr || !slice_eq(file, last))
            library = is_library_file(file);
        last = file;
        taken = !library || !own;
        own |= !library;
        if (!taken)
            continue;
        size_t comma = slice_find(rest, in);
        *place = (struct place){.file = file};
        *code = (struct slice){0};
        slice_to_u64(slice_first(rest, comma == SIZE_MAX ? rest.len : comma), &place->line);
        if (comma != SIZE_MAX)
            place->function = slice_from(rest, comma + in.len);
        any = true;
    }
    return any;
}

static void note_traces(struct model *model, struct kernel *kernel, yyjson_val *traces) {
    struct kernel_source list[KERNEL_SOURCES_MAX];
    uint32_t count = 0;
    size_t i, max;
    yyjson_val *trace;
    if (kernel->traced) { /* from another call of it */
        count = kernel->source_count;
        memcpy(list, kernel->sources, count * sizeof *list);
    }
    yyjson_arr_foreach(traces, i, max, trace) {
        struct place place;
        struct slice code;
        if (i < TRACES_MAX && user_frame(json_text(trace), &place, &code))
            kernel_add_source(model, list, &count, place, code);
    }
    if (count > (kernel->traced ? kernel->source_count : 0)) {
        kernel_keep_sources(model, kernel, list, count);
        kernel->traced = true;
    }
}

void kernels_note_traces(struct model *model, uint32_t folder, yyjson_val *traces) {
    each_named(model, folder, traces, note_traces);
}

static void note_time(struct kernels *kernels, struct kernel *kernel, uint64_t us) {
    if (kernel->compile_us >= 0 || us > (uint64_t)INT64_MAX / KERNELS_MAX)
        return;
    kernel->compile_us = (int64_t)us;
    kernels->compile_us = (kernels->compile_us < 0 ? 0 : kernels->compile_us) + (int64_t)us;
}

/* An integer, even if it is stored as text. */
static bool whole(yyjson_val *value, uint64_t *number) {
    return yyjson_is_raw(value) ? slice_to_u64(slice_make(yyjson_get_raw(value), yyjson_get_len(value)), number)
                                : json_to_u64(value, number);
}

static void note_info(struct model *model, struct kernel *kernel, yyjson_val *info) {
    uint64_t us;
    struct buf json = {0};
    struct jsonw w = {.out = &json};
    yyjson_val *state = json_get(info, "autotune_cache_state"), *configs = json_get(info, "num_configs"),
               *config = json_get(info, "only_config");
    if (whole(json_get(info, "compile_time_us"), &us))
        note_time(model->kernels, kernel, us);
    if (!config)
        config = json_get(info, "best_config");
    if (!state && !configs && !config)
        return;
    jsonw_object(&w, NULL);
    /* a template has one configuration because it was chosen before (stages.h) */
    bool chosen = slice_is(kernel->heuristic, "template") && slice_is(json_text(state), "only 1 config");
    jsonw_text(&w, "state", chosen ? (struct slice){0} : json_text(state));
    if (configs && whole(configs, &us))
        jsonw_u64(&w, "configs", us);
    else
        jsonw_null(&w, "configs");
    if (config)
        jsonw_value(&w, "config", config);
    else
        jsonw_null(&w, "config");
    jsonw_end_object(&w);
    if (json.len <= POST_NODES_MAX)
        kernel->autotune = kernels_keep(model, buf_slice(&json));
    buf_free(&json);
}

void kernels_note_info(struct model *model, uint32_t folder, yyjson_val *info) {
    each_named(model, folder, info, note_info);
}

/* The kernel whose function has this name, from this index on; NULL: none, or several of one code. */
static struct kernel *find_labeled(struct kernels *kernels, uint32_t from, struct slice label) {
    struct kernel *found = NULL;
    for (uint32_t i = from; i != UINT32_MAX; i = kernels->list.items[i].next) {
        struct kernel *kernel = &kernels->list.items[i];
        if (!slice_eq(kernel->label, label) || (found && found->artifact != kernel->artifact))
            continue;
        if (found)
            return NULL;
        found = kernel;
    }
    return found;
}

/* A forward and a backward may have kernels with the same name: the first time belongs to the first kernel, the second
 * time to the second. */
void kernels_note_times(struct model *model, uint32_t folder, struct slice text) {
    struct arena arena = {0};
    struct map places = {0}; /* name → the first kernel that may still be meant */
    size_t i, max;
    yyjson_val *root, *pair;
    if (!model->kernels)
        return;
    uint32_t since = kernels_of_folder(model, folder)->since;
    kernels_of_folder(model, folder)->since = UINT32_MAX;
    if (text.len && since != UINT32_MAX && json_read(&text, JSON_NUMBERS, &arena, &root) != JSON_BAD)
        yyjson_arr_foreach(root, i, max, pair) {
            uint64_t us;
            bool added;
            struct slice name = json_text(yyjson_arr_get(pair, 0));
            if (i == NAMED_MAX)
                break;
            if (!name.len || !json_to_u64(yyjson_arr_get(pair, 1), &us))
                continue;
            uint32_t *place = map_put(&places, name, since, &added);
            struct kernel *kernel = kernel_find(model->kernels, *place, name);
            if (!kernel)
                kernel = find_labeled(model->kernels, *place, name);
            if (kernel)
                note_time(model->kernels, kernel, us);
            *place = kernel ? kernel->next : UINT32_MAX;
        }
    map_free(&places);
    arena_free(&arena);
}

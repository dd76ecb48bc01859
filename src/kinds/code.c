/* Records whose payload is code with its own page: inductor_output_code, dump_file, dynamo_guards. */
#include "kinds/records.h"

#include "kinds/fold.h"
#include "lowering/graph_memory.h"
#include "lowering/kernels.h"
#include "lowering/stages.h"
#include "model/extras.h"
#include "model/guard_sets.h"
#include "model/kept_checks.h"
#include "model/source_lines.h"
#include "modules/module_records.h"
#include "pages/code_page.h"
#include "pages/html.h"
#include "scan/autograd_graph.h"
#include "scan/graph_trace.h"
#include "scan/guard_tree.h"

static struct slice payload_of(struct fold *fold) {
    return fold->record->payload.ptr ? fold->record->payload : SLICE("");
}

static struct code_page *page_for(struct fold *fold, struct slice title, enum lang lang) {
    struct code_page *page = arena_zalloc(fold->arena, sizeof *page);
    *page = (struct code_page){.title = arena_slice(fold->arena, title),
                               .key = fold_key(fold),
                               .root = "../",
                               .lang = lang};
    return page;
}

/* "/tmp/x/cabc.py" → "cabc". */
static struct slice stem_of(struct slice path) {
    struct slice last = path_last(path);
    size_t dot = slice_rfind_byte(last, '.');
    return dot == SIZE_MAX || dot == 0 ? last : slice_first(last, dot);
}

/* Whether it is an input that the user passes in. Intermediate values are too many, and weights do not change. */
static bool is_users_input(struct slice name) {
    return (slice_starts(name, SLICE("l_")) || slice_starts(name, SLICE("L_")) || slice_starts(name, SLICE("g_")) ||
            slice_starts(name, SLICE("s_"))) &&
           slice_find(name, SLICE("_parameters_")) == SIZE_MAX && slice_find(name, SLICE("_buffers_")) == SIZE_MAX;
}

static void keep_sizes(struct fold *fold, yyjson_val *sizes) {
    size_t i, max;
    yyjson_val *key, *size;
    AUTO_BUF text = {0};
    if (!yyjson_is_obj(sizes))
        return;
    yyjson_obj_foreach(sizes, i, max, key, size) {
        AUTO_BUF item = {0};
        if (!is_users_input(json_text(key)) || !yyjson_is_arr(size))
            continue;
        buf_add_str(&item, text.len ? ", " : "{");
        json_add_string(&item, json_text(key));
        buf_add_lit(&item, ": ");
        json_add_value(&item, size);
        if (text.len + item.len < SIZES_BYTES_MAX)
            buf_add(&text, buf_slice(&item));
    }
    if (text.len) {
        buf_add_byte(&text, '}');
        fold_compile(fold)->sizes = model_copy(fold->model, buf_slice(&text));
    }
}

void output_graph_fold(struct fold *fold, const struct node *node) {
    yyjson_val *value = node->value;
    keep_sizes(fold, json_get(value, "sizes"));
    struct compile *compile = fold_compile(fold);
    compile->graph_hash = node->noise_hash ? node->noise_hash : compile->graph_hash;
    compile->graph_line = fold->line;
    compile->graph = node->counts ? node->counts->graph : (struct graph_size){0};
    compile->graph_attempt = fold->model->folders.items[fold->folder].attempt;
    model_keep_trace(fold->model, compile, node->trace);
    if (node->modules)
        modules_note_graph(fold->model, fold->folder, node->modules);
    if (!node->sources)
        return;
    kernels_note_graph(fold->model, fold->folder, node->sources);
    uint32_t owner = fold->model->folders.items[fold->folder].compile;
    for (uint32_t i = 0; i < node->sources->count; i++) {
        const struct node_source *source = &node->sources->items[i];
        if (source->op)
            source_lines_add(fold->model, &(struct source_line){.file = source->file,
                                                                .code = source->code,
                                                                .line = source->line,
                                                                .ops = 1,
                                                                .compile = owner});
    }
}

void float32_note(struct fold *fold, const struct node *node) {
    struct compile *compile = fold_compile(fold);
    compile->float32_products += node->float32_products;
    if (!compile->float32_place.file.ptr && node->float32_first.file.ptr)
        compile->float32_place = (struct place){.file = model_copy(fold->model, node->float32_first.file),
                                                .function = model_copy(fold->model, node->float32_first.function),
                                                .line = node->float32_first.line};
    if (node->cuda_capability && (!compile->cuda_capability || node->cuda_capability < compile->cuda_capability))
        compile->cuda_capability = node->cuda_capability;
}

void post_grad_fold(struct fold *fold, const struct node *node) {
    if (node->flow)
        kernels_note_post_grad(fold->model, fold->folder, node->flow);
    float32_note(fold, node);
}

void aot_graph_fold(struct fold *fold, const struct node *node) {
    (void)node;
    extras_add_aot_call(fold->model, fold->model->folders.items[fold->folder].compile);
}

void backward_graph_fold(struct fold *fold, const struct node *node) {
    extras_note_backward(fold->model, fold->model->folders.items[fold->folder].compile, node->names);
}

void autograd_graph_fold(struct fold *fold, const struct node *node) {
    const struct autograd_graph *graph = node->capture;
    if (!graph)
        return;
    struct autograd_capture capture = {
        .compile = fold->model->folders.items[fold->folder].compile,
        .nodes = graph->nodes,
        .existing = graph->existing,
        .calls = graph->calls,
        .place = {.file = graph->file, .function = graph->function, .line = graph->line},
        .code = graph->code,
        .parts = graph->parts,
        .part_count = graph->part_count,
    };
    memcpy(capture.hooks, graph->hooks, sizeof capture.hooks);
    extras_add_capture(fold->model, &capture);
}

void cpp_guards_fold(struct fold *fold, const struct node *node) {
    struct compile *compile = fold_compile(fold);
    compile->guards_hash = node->noise_hash ? node->noise_hash : compile->guards_hash;
    if (!node->counts)
        return;
    modules_note_guards(fold->model, fold->folder, node->guards);
    for (size_t i = 0; i < node->guards->lines.count; i++) {
        const struct guard_line *line = &node->guards->lines.items[i];
        source_lines_add(fold->model, &(struct source_line){.file = line->file,
                                                            .code = line->code,
                                                            .line = line->line,
                                                            .guards = line->guards});
    }
    compile->tree_guards = node->counts->guards;
    if (node->guards->checks.known)
        kept_checks_set(fold->model, compile, &node->guards->checks);
    guard_sets_keep(fold->model, compile, fold->folder, node->counts->packed);
}

struct node *output_code_decode(const struct record *record, yyjson_val *value, struct arena *arena) {
    struct node *node = node_new(arena);
    struct calls *calls = arena_zalloc(arena, sizeof *calls);
    (void)value;
    collectives_count(record->payload, calls);
    node->calls = calls;
    node->trace = graph_calls_scan(record->payload, arena);
    if (record->has_payload)
        kernels_decode(node, record, arena);
    if (node->kernels)
        node->memory = memory_scan(record->payload, node->kernels, arena);
    return node;
}

void output_code_fold(struct fold *fold, const struct node *node) {
    yyjson_val *value = node->value;
    struct slice filename = json_get_text(value, "filename");
    AUTO_BUF name = {0};
    buf_add_lit(&name, "inductor_output_code");
    if (filename.ptr)
        BUF_ADD(&name, "_", stem_of(filename));
    bool cpp = filename.ptr && (slice_ends(filename, SLICE(".cpp")) || slice_ends(filename, SLICE(".cu")) ||
                                slice_ends(filename, SLICE(".h")));
    enum lang lang = cpp ? LANG_CPP : LANG_PYTHON;
    struct making making = {.name = buf_slice(&name),
                            .suffix = ".txt",
                            .lang = lang,
                            .text = payload_of(fold),
                            .is_payload = true};
    if (!fold->options->plain_text) {
        AUTO_BUF path = {0};
        struct code_page *page = page_for(fold, making.name, lang);
        path_add_name(&path, making.name);
        buf_add_byte(&path, '/'); /* in the folder of the compile id */
        page->root = html_root_of(buf_slice(&path));
        making.suffix = ".html";
        making.render = code_page_render;
        making.data = page;
        making.is_payload = false;
    }
    struct artifact *artifact = fold_make(fold, node, &making);
    if (making.render && fold->record->has_payload && artifact->number != NUMBER_NONE)
        artifact->payload_url = fold_payload_file(fold);
    float32_note(fold, node);
    if (node->kernels) {
        kernels_add(fold->model, fold->folder, node->kernels, false);
        kernel_choices_take(fold->model, fold->folder, node->kernels);
    }
    if (node->memory)
        graph_memory_add(fold->model, fold->folder, node->memory, node->kernels);
    model_keep_calls(fold->model, fold_compile(fold), node->trace);
    if (node->calls) {
        fold->model->folders.items[fold->folder].calls = *node->calls;
        fold->model->folders.items[fold->folder].has_code = true;
    }
}

/* The name of a dumped file: "eval_with_key_7" for a name that contains "<eval_with_key>.7". */
static void add_dump_name(struct buf *out, struct slice name) {
    static const struct slice key = SLICE_INIT("<eval_with_key>.");
    size_t at = slice_find(name, key), len = 0;
    if (at != SIZE_MAX) {
        struct slice rest = slice_from(name, at + key.len);
        while (len < rest.len && rest.ptr[len] >= '0' && rest.ptr[len] <= '9')
            len++;
        if (len) {
            buf_addf(out, "eval_with_key_%.*s", SLICE_ARG(slice_first(rest, len)));
            return;
        }
    }
    buf_add(out, name);
}

void dump_file_fold(struct fold *fold, const struct node *node) {
    yyjson_val *value = node->value;
    struct slice given = json_get_text(value, "name");
    AUTO_BUF name = {0}, path = {0};
    if (!given.ptr) {
        fold_fault(fold, COUNT_FAIL_PARSER, "dump_file without a name", (struct slice){0});
        return;
    }
    add_dump_name(&name, given);
    struct making making = {.name = buf_slice(&name),
                            .suffix = ".html",
                            .lang = LANG_PYTHON,
                            .text = payload_of(fold),
                            .render = code_page_render,
                            .own_name = true,
                            .folder = SLICE("dump_file")};
    struct code_page *page = page_for(fold, given, LANG_PYTHON);
    buf_add_lit(&path, "dump_file/");
    path_add_name(&path, making.name);
    page->root = html_root_of(buf_slice(&path));
    making.data = page;
    fold_make(fold, node, &making);
    map_put_in(&fold->model->arena, &fold->model->dump_map, buf_slice(&name), 0, NULL);
}

struct node *guards_decode(const struct record *record, yyjson_val *value, struct arena *arena) {
    struct node *node = node_new(arena);
    (void)value;
    AUTO_BUF packed = {0};
    node->json_text = record->payload;
    if (record->has_payload)
        json_read(&node->json_text, JSON_NUMBERS, arena, &node->json);
    if (node->json && guard_facts_add_list(&packed, node->json)) {
        struct text_counts *counts = arena_zalloc(arena, sizeof *counts);
        counts->packed = arena_slice(arena, buf_slice(&packed));
        node->counts = counts;
    }
    return node;
}

void guards_fold(struct fold *fold, const struct node *node) {
    if (!yyjson_is_arr(node->json)) {
        fold_fault(fold, COUNT_FAIL_DYNAMO_GUARDS_JSON, "dynamo_guards payload is not a JSON list", (struct slice){0});
        return;
    }
    /* A guard tree, if logged, comes later and has more information. */
    if (node->counts && !guard_set_known(fold_compile(fold)))
        guard_sets_keep(fold->model, fold_compile(fold), fold->folder, node->counts->packed);
    struct code_page *page = page_for(fold, slice_str(node->kind->key), LANG_NONE);
    page->json = node->json;
    fold_make(fold, node,
              &(struct making){.name = slice_str(node->kind->key),
                               .suffix = ".html",
                               .lang = LANG_JSON,
                               .text = payload_of(fold),
                               .render = guards_page_render,
                               .data = page});
}

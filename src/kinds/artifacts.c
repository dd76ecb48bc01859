/* Records that carry a named text: artifact, graph_dump, optimize_ddp_split_child, link. */
#include "kinds/records.h"

#include "analysis/timeline.h"
#include "kinds/fold.h"
#include "lowering/graph_memory.h"
#include "lowering/kernels.h"
#include "pages/code_page.h"
#include "pages/html.h"

static const struct slice stack_traces = SLICE_INIT("inductor_provenance_tracking_kernel_stack_traces");

static bool is_json_artifact(yyjson_val *value) {
    return slice_is(json_get_text(value, "encoding"), "json");
}

/* Code of AOTInductor: the wrapper, and the kernels that it calls. */
static bool is_code(struct slice name) {
    return slice_find(name, SLICE("kernel_code")) != SIZE_MAX || slice_find(name, SLICE("wrapper_code")) != SIZE_MAX;
}

struct node *graph_dump_decode(const struct record *record, yyjson_val *value, struct arena *arena) {
    struct slice name = json_get_text(value, "name");
    struct node *node = named_text_decode(record, name, arena);
    if (record->has_payload && is_code(name))
        kernels_decode(node, record, arena);
    if (node->kernels && slice_is(name, "inductor_aot_wrapper_code"))
        node->memory = memory_scan(record->payload, node->kernels, arena);
    return node;
}

static struct node *json_decode(const struct record *record, struct arena *arena) {
    struct node *node = node_new(arena);
    struct buf pretty = {0};
    node->json_text = record->payload;
    if (json_read(&node->json_text, JSON_NUMBERS_RAW, arena, &node->json) == JSON_BAD)
        return node;
    if (record->details) {
        buf_reserve(&pretty, node->json_text.len + node->json_text.len / 2); /* most grow less by indentation */
        json_add_pretty(&pretty, node->json, node->json_text);
        node->json_pretty = arena_keep(arena, &pretty);
    }
    return node;
}

struct node *artifact_decode(const struct record *record, yyjson_val *value, struct arena *arena) {
    if (!is_json_artifact(value))
        return named_text_decode(record, json_get_text(value, "name"), arena);
    return record->has_payload ? json_decode(record, arena) : node_new(arena);
}

/* The stack traces of kernels get an additional readable page, which also takes a number. If there are none, the entry
 * in the directory has an empty address, as in the reference. */
static void add_readable(struct fold *fold, const struct node *node, struct artifact *artifact, bool json) {
    if (!json || !slice_starts(path_last(artifact->url), stack_traces) || artifact->number == NUMBER_NONE)
        return;
    if (!node->json) {
        artifact->readable_url = SLICE("");
        return;
    }
    struct buf path = {0};
    struct slice stem = slice_first(artifact->url, artifact->url.len - (sizeof ".json" - 1));
    buf_addf(&path, "%.*s_readable.html", SLICE_ARG(stem));
    artifact->readable_url = arena_slice(&fold->model->arena, buf_slice(&path));
    artifact->number = (int64_t)fold->model->next_number++;
    buf_free(&path);
    struct code_page *page = arena_zalloc(fold->arena, sizeof *page);
    *page = (struct code_page){.title = artifact->name,
                               .key = fold_key(fold),
                               .root = html_root_of(artifact->url),
                               .json = node->json};
    outputs_add(fold->outputs, fold->arena,
                &(struct output){.files = fold->files,
                                 .path = artifact->readable_url,
                                 .render = traces_page_render,
                                 .data = page});
}

/* A vLLM configuration is written twice, with two numbers. */
static void add_vllm(struct fold *fold, const struct node *node, const struct making *making, size_t first) {
    fold->model->vllm |= vllm_artifact(fold, node, making->name, first);
    if (slice_is(making->name, "vllm_compilation_config")) {
        struct making copy = *making;
        copy.when = MAKE_ALWAYS; /* with --export, only the copy has a number */
        if (!fold->left_out && node->json)
            fold_make(fold, node, &copy);
    }
}

/* The reference has no file for the record and counts it, which --strict needs. Its text is shown anyway. */
static void note_encoding(struct fold *fold, const struct node *node, struct slice name, struct slice encoding) {
    bool aside = fold->aside;
    if (!fold->record->has_payload) {
        fold_fault(fold, COUNT_FAIL_PARSER, "artifact with an unknown encoding and without a text", encoding);
        return;
    }
    fold->model->counters[COUNT_FAIL_PARSER]++;
    fold->model->counters[COUNT_UNKNOWN_ENCODING]++;
    fold_mention(fold, "artifact with an unknown encoding, shown as text", encoding);
    fold->aside = true;
    fold_make(fold, node,
              &(struct making){.name = name,
                               .suffix = ".txt",
                               .lang = LANG_TEXT,
                               .text = fold->record->payload,
                               .is_payload = true});
    fold->aside = aside;
}

/* For the first graph of a compile without a frame. */
static void note_symbol(struct fold *fold, const struct node *node) {
    struct compile *compile = node->graph_symbol.ptr ? fold_compile(fold) : NULL;
    if (!compile || compile->graph_symbol.ptr)
        return;
    compile->graph_symbol = model_copy(fold->model, node->graph_symbol);
    compile->graph_symbol_line = fold->line;
}

void artifact_fold(struct fold *fold, const struct node *node) {
    yyjson_val *value = node->value;
    const struct record *record = fold->record;
    struct slice name = json_get_text(value, "name"), encoding = json_get_text(value, "encoding");
    bool json = is_json_artifact(value);
    if (!name.ptr) {
        fold_fault(fold, COUNT_FAIL_PARSER, "artifact without a name", encoding);
        return;
    }
    if (!json && !slice_is(encoding, "string")) {
        note_encoding(fold, node, name, encoding);
        return;
    }
    struct slice payload = record->payload.ptr ? record->payload : SLICE("");
    struct making making = {.name = name,
                            .suffix = json ? ".json" : ".txt",
                            .lang = json ? LANG_JSON : LANG_TEXT,
                            .text = node->json_pretty.ptr ? node->json_pretty : payload,
                            .is_payload = true};
    if (!json)
        making.lang = slice_is(name, "fx_graph_runnable") ? LANG_PYTHON : is_graph_name(name) ? LANG_GRAPH : LANG_TEXT;
    size_t first = fold->model->artifacts.count;
    struct artifact *artifact = fold_make(fold, node, &making);
    add_readable(fold, node, artifact, json);
    add_vllm(fold, node, &making, first);
    if (node->trace)
        world_hints_add(&fold->model->world, &node->trace->world);
    if (node->changed_inputs)
        fold_compile(fold)->changed_inputs = node->changed_inputs;
    note_symbol(fold, node);
    if (node->flow)
        kernels_note_post_grad(fold->model, fold->folder, node->flow);
    float32_note(fold, node);
    reasons_note(fold, node, name, payload);
    extras_note(fold, node, name, payload);
}

void graph_dump_fold(struct fold *fold, const struct node *node) {
    yyjson_val *value = node->value;
    struct slice name = json_get_text(value, "name");
    if (!name.ptr) {
        fold_fault(fold, COUNT_FAIL_PARSER, "graph_dump without a name", (struct slice){0});
        return;
    }
    bool vllm = slice_starts(name, SLICE("vllm_"));
    bool known = vllm_graph(fold, name, fold->model->artifacts.count);
    fold->model->vllm |= known;
    bool cpp = is_code(name);
    struct making making = {.name = name,
                            .suffix = ".txt",
                            .lang = cpp ? LANG_CPP : LANG_GRAPH,
                            .text = fold->record->payload.ptr ? fold->record->payload : SLICE(""),
                            .is_payload = true,
                            .when = known ? MAKE_ALWAYS : MAKE_USUALLY};
    bool aside = fold->aside;
    fold->aside |= vllm && !known; /* an output that the reference does not have */
    fold_make(fold, node, &making);
    if (slice_is(name, "inductor_aot_wrapper_code") && fold->model->timeline)
        timeline_wrote_wrapper(fold->model->timeline, fold->process->track);
    float32_note(fold, node);
    if (node->kernels)
        kernels_add(fold->model, fold->folder, node->kernels, slice_find(name, SLICE("kernel_code")) != SIZE_MAX);
    if (node->memory)
        graph_memory_add(fold->model, fold->folder, node->memory, node->kernels);
    fold->aside = aside;
}

void ddp_child_fold(struct fold *fold, const struct node *node) {
    yyjson_val *value = node->value;
    AUTO_BUF name = {0};
    struct slice child = json_get_text(value, "name");
    if (!child.ptr) {
        fold_fault(fold, COUNT_FAIL_PARSER, "optimize_ddp_split_child without a name", (struct slice){0});
        return;
    }
    buf_addf(&name, "optimize_ddp_split_child_%.*s", SLICE_ARG(child));
    fold_make(fold, node,
              &(struct making){.name = buf_slice(&name),
                               .suffix = ".txt",
                               .lang = LANG_GRAPH,
                               .text = fold->record->payload.ptr ? fold->record->payload : SLICE(""),
                               .is_payload = true});
}

/* An external address: an entry without a file. Only http and https addresses become links on the page. */
void link_fold(struct fold *fold, const struct node *node) {
    yyjson_val *value = node->value;
    struct slice name = json_get_text(value, "name"), url = json_get_text(value, "url");
    if (!name.ptr || !url.ptr) {
        fold_fault(fold, COUNT_FAIL_PARSER, "link without a name or URL", (struct slice){0});
        return;
    }
    struct artifact artifact = {.name = name,
                                .kind = slice_str(node->kind->key),
                                .lang = LANG_TEXT,
                                .line = fold->line,
                                .number = NUMBER_NONE,
                                .folder = fold->folder,
                                .outer = true};
    artifact.url = model_copy(fold->model, url);
    if (!fold->aside) {
        artifact.number = (int64_t)fold->model->next_number++;
        artifact.listed = true;
    }
    model_add_artifact(fold->model, &artifact);
}

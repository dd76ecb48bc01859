#include "kinds/kind.h"

#include "kinds/export_records.h"
#include "kinds/records.h"

/* Sorted by key. Outputs are in the order of the reference. */
static const struct kind kinds[] = {
    {"aot_autograd_backward_compilation_metrics", ORDER_BACKWARD_OLD, 0, LANG_NONE, NULL, old_backward_metrics_fold},
    {"aot_backward_graph", ORDER_TEXT, KIND_TEXT, LANG_GRAPH, backward_graph_decode, backward_graph_fold},
    {"aot_forward_graph", ORDER_TEXT, KIND_TEXT, LANG_GRAPH, graph_decode, NULL},
    {"aot_inference_graph", ORDER_TEXT, KIND_TEXT, LANG_GRAPH, graph_decode, aot_graph_fold},
    {"aot_joint_graph", ORDER_TEXT, KIND_TEXT, LANG_GRAPH, graph_decode, aot_graph_fold},
    {"artifact", ORDER_ARTIFACT, 0, LANG_NONE, artifact_decode, artifact_fold},
    {"bwd_compilation_metrics", ORDER_BACKWARD, 0, LANG_NONE, NULL, backward_metrics_fold},
    {"bwd_compilation_metrics_runtime", ORDER_NO_FILE, KIND_VALUE, LANG_NONE, NULL, runtime_metrics_fold},
    {"chromium_event", ORDER_NO_FILE, KIND_EVENT, LANG_NONE, event_decode, event_fold},
    {"compilation_metrics", ORDER_METRICS, 0, LANG_NONE, NULL, metrics_fold},
    {"compilation_metrics_runtime", ORDER_NO_FILE, KIND_VALUE, LANG_NONE, NULL, runtime_metrics_fold},
    {"compiled_autograd_graph", ORDER_TEXT, KIND_TEXT, LANG_GRAPH, autograd_graph_decode, autograd_graph_fold},
    {"create_symbol", ORDER_NO_FILE, 0, LANG_NONE, NULL, create_symbol_fold},
    {"create_unbacked_symbol", ORDER_NO_FILE, 0, LANG_NONE, NULL, create_unbacked_fold},
    {"describe_source", ORDER_NO_FILE, 0, LANG_NONE, NULL, describe_source_fold},
    {"describe_storage", ORDER_NO_FILE, 0, LANG_NONE, NULL, describe_storage_fold},
    {"describe_tensor", ORDER_NO_FILE, 0, LANG_NONE, NULL, describe_tensor_fold},
    {"dump_file", ORDER_FILE, 0, LANG_NONE, NULL, dump_file_fold},
    {"dynamo_cpp_guards_str", ORDER_TEXT, KIND_TEXT, LANG_GUARDS, cpp_guards_decode, cpp_guards_fold},
    {"dynamo_guards", ORDER_GUARDS, 0, LANG_NONE, guards_decode, guards_fold},
    {"dynamo_output_graph", ORDER_TEXT, KIND_TEXT, LANG_GRAPH, output_graph_decode, output_graph_fold},
    {"dynamo_start", ORDER_NO_FILE, 0, LANG_NONE, NULL, start_fold},
    {"export", ORDER_NO_FILE, 0, LANG_TEXT, NULL, export_fold},
    {"exported_program", ORDER_NO_FILE, 0, LANG_GRAPH, NULL, exported_program_fold},
    {"expression_created", ORDER_NO_FILE, 0, LANG_NONE, NULL, expression_fold},
    {"graph_dump", ORDER_DUMP, 0, LANG_NONE, graph_dump_decode, graph_dump_fold},
    {"guard_added", ORDER_NO_FILE, 0, LANG_NONE, NULL, guard_added_fold},
    {"guard_added_fast", ORDER_NO_FILE, 0, LANG_NONE, NULL, guard_fast_fold},
    {"guard_on_data_dependent_error", ORDER_NO_FILE, KIND_VALUE, LANG_NONE, NULL, data_dependent_fold},
    {"inductor_output_code", ORDER_CODE, 0, LANG_NONE, output_code_decode, output_code_fold},
    {"inductor_post_grad_graph", ORDER_TEXT, KIND_TEXT, LANG_GRAPH, post_grad_decode, post_grad_fold},
    {"inductor_pre_grad_graph", ORDER_TEXT, KIND_TEXT, LANG_GRAPH, graph_decode, NULL},
    {"link", ORDER_LINK, 0, LANG_NONE, NULL, link_fold},
    {"memoizer_artifacts", ORDER_NO_FILE, 0, LANG_JSON, NULL, NULL},
    {"mismatched_fake_kernel", ORDER_NO_FILE, KIND_VALUE, LANG_NONE, NULL, mismatched_kernel_fold},
    {"missing_fake_kernel", ORDER_NO_FILE, KIND_VALUE, LANG_NONE, NULL, missing_kernel_fold},
    {"optimize_ddp_split_child", ORDER_DDP, 0, LANG_NONE, graph_decode, ddp_child_fold},
    {"optimize_ddp_split_graph", ORDER_TEXT, KIND_TEXT, LANG_GRAPH, graph_decode, NULL},
    {"propagate_real_tensors", ORDER_NO_FILE, KIND_VALUE, LANG_NONE, NULL, real_tensors_fold},
    {"propagate_real_tensors_provenance", ORDER_NO_FILE, KIND_VALUE, LANG_NONE, NULL, real_tensors_provenance_fold},
    {"str", ORDER_NO_FILE, KIND_TABLE, LANG_NONE, NULL, NULL},
    {"symbolic_shape_specialization", ORDER_NO_FILE, 0, LANG_NONE, NULL, specialization_fold},
};

static int compare(const void *key, const void *row) {
    return slice_cmp(*(const struct slice *)key, slice_str(((const struct kind *)row)->key));
}

/* NULL if no row has the key. */
static const struct kind *kind_find(struct slice key) {
    return bsearch(&key, kinds, sizeof kinds / sizeof *kinds, sizeof *kinds, compare);
}

/* Whether the key only gives the context of a record. */
static bool key_is_context(struct slice key) {
    static const struct slice context[] = {
        SLICE_INIT("frame_id"),    SLICE_INIT("frame_compile_id"),     SLICE_INIT("attempt"),
        SLICE_INIT("has_payload"), SLICE_INIT("compiled_autograd_id"), SLICE_INIT("rank"),
        SLICE_INIT("stack"),       SLICE_INIT("subgraph_name"),
    };
    for (size_t i = 0; i < sizeof context / sizeof *context; i++)
        if (slice_eq(key, context[i]))
            return true;
    return false;
}

struct slice record_key(yyjson_val *envelope) {
    size_t i, max;
    yyjson_val *key, *value;
    yyjson_obj_foreach(envelope, i, max, key, value) {
        if (!key_is_context(json_text(key)))
            return json_text(key);
    }
    return SLICE("");
}

/* Inserts the node after those whose outputs precede its own. */
static void insert(struct node **nodes, size_t count, struct node *node) {
    size_t at = count;
    for (; at > 0 && nodes[at - 1]->kind->order > node->kind->order; at--)
        nodes[at] = nodes[at - 1];
    nodes[at] = node;
}

const struct node *registry_decode(const struct record *record, struct arena *arena) {
    struct node *known[NODES_MAX], *unknown = NULL, *last = NULL;
    size_t i, max, count = 0;
    yyjson_val *key, *value;
    yyjson_obj_foreach(record->root, i, max, key, value) {
        struct slice name = json_text(key);
        if (key_is_context(name))
            continue;
        const struct kind *kind = kind_find(name);
        if (kind && count == NODES_MAX)
            continue;
        struct node *node = kind && kind->decode ? kind->decode(record, value, arena) : node_new(arena);
        node->kind = kind;
        node->key = name;
        node->value = value;
        if (kind)
            insert(known, count++, node);
        else if (last)
            last->next = node;
        else
            unknown = node;
        last = kind ? last : node;
    }
    const struct node *nodes = unknown;
    while (count > 0) {
        known[--count]->next = nodes;
        nodes = known[count];
    }
    return nodes;
}

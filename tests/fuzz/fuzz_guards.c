/* Any text: the list of guards is JSON and bounded, and sizes of graphs hold together. */
#define _GNU_SOURCE /* memfd_create */
#include "base/json.h"
#include "fuzz.h"
#include "model/graph_size.h"
#include "model/guard_tree.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct slice text = {(const char *)data, size};
    struct buf list = {0};
    struct arena arena = {0};
    yyjson_val *root;
    struct guard_tree tree = guard_tree_add(&list, text);
    struct slice json = buf_slice(&list);
    MUST(json_read(&json, JSON_NUMBERS, &arena, &root) == JSON_STRICT);
    size_t guards = yyjson_arr_size(json_get(root, "guards")), sources = yyjson_arr_size(json_get(root, "sources"));
    MUST(guards + tree.more == tree.count && guards <= GUARDS_MAX);
    for (size_t i = 0; i < guards && i < 1000; i++) {
        yyjson_val *source = json_get(yyjson_arr_get(json_get(root, "guards"), i), "source");
        MUST(!source || yyjson_get_uint(source) < sources);
    }
    struct graph_size graph = graph_size_of(text);
    MUST(graph.nodes >= graph.ops && graph.nodes >= graph.inputs);
    MUST(graph.graphs || !(graph.nodes || graph.inner_ops));
    MUST(kernels_count(text) <= size && instructions_count(text) <= size);
    arena_free(&arena);
    buf_free(&list);
    return 0;
}

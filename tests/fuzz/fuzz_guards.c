/* Any text: the list of guards is JSON and limited, and sizes of graphs are consistent. */
#define _GNU_SOURCE /* memfd_create */
#include "base/json.h"
#include "fuzz.h"
#include "scan/graph_size.h"
#include "scan/guard_facts.h"
#include "scan/guard_failure.h"
#include "scan/guard_prose.h"
#include "scan/guard_tree.h"

/* The items of a list of guards that are not further conditions of the check before. */
static size_t checks_in(yyjson_val *guards) {
    size_t i, max, checks = 0;
    yyjson_val *guard;
    yyjson_arr_foreach(guards, i, max, guard) checks += !json_get(guard, "part");
    return checks;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct slice text = {(const char *)data, size};
    struct buf list = {0}, packed = {0}, spelled = {0};
    struct guard_facts facts = {.out = &packed};
    struct arena arena = {0};
    yyjson_val *root;
    struct guard_notes notes = {0};
    struct guard_tree tree = guard_tree_read(text, &list, &notes, &facts);
    uint64_t with_line = 0;
    for (size_t i = 0; i < notes.lines.count; i++) {
        MUST(fuzz_inside(notes.lines.items[i].file, text) && fuzz_inside(notes.lines.items[i].code, text));
        with_line += notes.lines.items[i].guards;
    }
    MUST(with_line <= tree.count);
    for (size_t i = 0; i < notes.modules.count; i++)
        MUST(fuzz_inside(notes.modules.items[i].source, text));
    for (size_t i = 0; i < notes.accesses.count; i++)
        MUST(fuzz_inside(notes.accesses.items[i].module, text) && fuzz_inside(notes.accesses.items[i].file, text));
    guard_notes_free(&notes);
    struct slice json = buf_slice(&list);
    MUST(json_read(&json, JSON_NUMBERS, &arena, &root) == JSON_STRICT);
    size_t guards = yyjson_arr_size(json_get(root, "guards")), sources = yyjson_arr_size(json_get(root, "sources"));
    MUST(checks_in(json_get(root, "guards")) + tree.more == tree.count && guards <= GUARDS_MAX);
    for (size_t i = 0; i < guards && i < 1000; i++) {
        yyjson_val *source = json_get(yyjson_arr_get(json_get(root, "guards"), i), "source");
        MUST(!source || yyjson_get_uint(source) < sources);
    }
    uint32_t seen = 0;
    struct slice rest = buf_slice(&packed), key, value;
    for (; guard_facts_next(&rest, &key, &value); seen++) {
        struct guard_fact fact = guard_key_read(key);
        MUST(fact.aspect && key.len <= GUARD_FACT_TEXT_MAX + 2 && value.len <= GUARD_FACT_TEXT_MAX);
    }
    MUST(facts.count == seen && seen <= GUARD_FACTS_MAX && !rest.len);
    guard_plain_add(&spelled, text);
    MUST(spelled.len <= size);
    guard_readable_add(&spelled, text);
    struct guard_failure failure = guard_failure_read(text);
    MUST(failure.type < GUARD_TYPES && (failure.guard.len <= size || slice_is(failure.guard, GUARD_NOT_NAMED)));
    buf_free(&packed);
    buf_free(&spelled);
    struct graph_size graph = graph_size_of(text);
    MUST(graph.nodes >= graph.ops && graph.nodes >= graph.inputs);
    MUST(graph.graphs || !(graph.nodes || graph.inner_ops));
    MUST(instructions_count(text) <= size);
    arena_free(&arena);
    buf_free(&list);
    return 0;
}

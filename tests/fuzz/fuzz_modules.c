/* Guards, sources of tensors and a graph, between lines "----", as those of one compile: the modules are a tree, and each operation has one of
 * them. */
#define _GNU_SOURCE /* memfd_create */
#include "fuzz.h"
#include "modules/op_modules.h"
#include "scan/guard_facts.h"
#include "scan/module_source.h"

/* Removes the text up to a line "----". */
static struct slice take_part(struct slice *text) {
    static const struct slice mark = SLICE_INIT("----\n");
    size_t at = slice_find(*text, mark);
    struct slice part = slice_first(*text, at);
    *text = slice_from(*text, at == SIZE_MAX ? text->len : at + mark.len);
    return part;
}

static void read_guards(struct module_records *records, struct slice text) {
    struct guard_notes notes = {0};
    struct buf json = {0}, packed = {0};
    struct guard_facts facts = {.out = &packed};
    guard_tree_read(text, &json, &notes, &facts);
    for (size_t i = 0; i < notes.modules.count; i++)
        LIST_ADD(&records->modules, notes.modules.items[i]);
    for (size_t i = 0; i < notes.accesses.count; i++)
        LIST_ADD(&records->accesses, notes.accesses.items[i]);
    guard_notes_free(&notes);
    buf_free(&json);
    buf_free(&packed);
}

static void read_sources(struct module_records *records, struct slice text) {
    struct slice line;
    while (slice_next_line(&text, &line)) {
        struct module_source read = module_source_read(line);
        MUST(fuzz_inside(read.module, line) && fuzz_inside(read.owner, line) && fuzz_inside(read.name, line));
        if (read.step == STEP_PARAMETER || read.step == STEP_BUFFER)
            LIST_ADD(&records->inputs,
                     (struct module_input){.source = line,
                                           .tensor = {.elements = line.len, .bytes = 4 * line.len, .sized = true}});
    }
}

static void check_tree(const struct module_tree *tree) {
    MUST(tree->list.count && tree->list.items[0].parent == MODULE_NONE && tree->list.items[0].end == tree->list.count);
    for (uint32_t i = 1; i < tree->list.count; i++) {
        const struct module *module = &tree->list.items[i];
        MUST(module->parent < i && module_has(tree, module->parent, i) && module->end > i &&
             module->end <= tree->list.count);
        MUST(module->depth == tree->list.items[module->parent].depth + 1 && module->root <= i);
        MUST(module_tree_find(tree, module->source) == i);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct slice text = {(const char *)data, size};
    struct module_records records = {0};
    struct module_tree tree = {0};
    struct arena arena = {0};
    struct slice guards = take_part(&text), sources = take_part(&text);
    read_guards(&records, guards);
    read_sources(&records, sources);
    struct module_graph *graph = module_graph_scan(text, &arena);
    if (graph)
        records.graph = *graph;
    module_tree_make(&tree, &records);
    check_tree(&tree);
    struct place frame = {0};
    if (records.graph.place_count)
        frame = (struct place){.file = records.graph.places[0].file,
                               .function = records.graph.places[0].function,
                               .line = records.graph.places[0].line};
    struct op_module *ops = op_modules_find(&tree, &records, &frame);
    for (uint32_t i = 0; i < records.graph.op_count; i++)
        MUST(ops[i].module < tree.list.count);
    mem_free(ops);
    module_tree_free(&tree);
    mem_free(records.inputs.items);
    mem_free(records.modules.items);
    mem_free(records.accesses.items);
    arena_free(&arena);
    return 0;
}

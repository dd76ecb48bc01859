/* modules and scan/module_source: what sources, lines of code and known lines say. tests/modules compares with real logs. */
#define _GNU_SOURCE
#include "support.h"

#include "modules/code_line.h"
#include "modules/known_lines.h"
#include "modules/module_instances.h"
#include "modules/op_modules.h"
#include "scan/module_source.h"

static void sources_name_modules(void **state) {
    (void)state;
    struct module_source read = module_source_read(SLICE("L['self']._modules['h']._modules['0']._parameters['w']"));
    assert_slice(read.module, "L['self']._modules['h']._modules['0']");
    assert_slice(read.owner, "L['self']._modules['h']._modules['0']");
    assert_slice(read.name, "w");
    assert_int_equal(read.step, STEP_PARAMETER);
    read = module_source_read(SLICE("L['self'].__dict__['_modules']['conv'].config.sizes[0]"));
    assert_slice(read.module, "L['self'].__dict__['_modules']['conv']");
    assert_slice(read.owner, "L['self'].__dict__['_modules']['conv'].config.sizes");
    assert_int_equal(read.step, STEP_OTHER);
    read = module_source_read(SLICE("G['model']"));
    assert_slice(read.module, "G['model']");
    assert_int_equal(read.name.len + read.owner.len, 0);
    assert_null(module_source_read(SLICE("type(L['x'])")).module.ptr);
    assert_null(module_source_read(SLICE("L['x'](1)")).module.ptr);
    assert_null(module_source_read(SLICE("L['x")).module.ptr);
    assert_null(module_source_read(SLICE("L[")).module.ptr);
}

static void lines_call_modules(void **state) {
    (void)state;
    struct slice line = SLICE("y = self.act(self.layers[0] (x), torch.cos(x))");
    struct code_call call;
    assert_true(code_line_next_call(&line, &call));
    assert_slice(call.name, "act");
    assert_true(call.of_self && !call.item);
    assert_true(code_line_next_call(&line, &call));
    assert_slice(call.name, "layers");
    assert_true(call.of_self && call.item);
    assert_true(code_line_next_call(&line, &call));
    assert_slice(call.callee, "torch.cos");
    assert_false(code_line_next_call(&line, &call));
    assert_true(code_line_calls(SLICE("x = layer(x)"), SLICE("layer")));
    assert_false(code_line_calls(SLICE("x = player(x)"), SLICE("layer")));
    assert_true(code_line_calls_variable(SLICE("x = layer(x)")));
    assert_true(code_line_calls_variable(SLICE("x = self.layers[i](x)")));
    assert_false(code_line_calls_variable(SLICE("x = x.view(len(x)) + (1)")));
}

static void lines_read_attributes(void **state) {
    (void)state;
    assert_true(code_line_reads(SLICE("f(x, self.lin.weight)"), SLICE("weight")));
    assert_false(code_line_reads(SLICE("f(x, self.weights, weight)"), SLICE("weight")));
    assert_true(code_line_reads_own(SLICE("x * self.scale"), SLICE("scale"), SLICE("norm")));
    assert_false(code_line_reads_own(SLICE("x * self.scale.scale"), SLICE("scale"), SLICE("scale")));
    assert_false(code_line_reads_own(SLICE("x * myself.scale"), SLICE("scale"), SLICE("norm")));
}

static void lines_spell_operations_out(void **state) {
    (void)state;
    struct slice act = SLICE("relu");
    assert_true(code_line_spells(SLICE("x = x + y"), SLICE("operator.add"), NULL, 0, false));
    assert_false(code_line_spells(SLICE("x = f(x)"), SLICE("operator.add"), NULL, 0, false));
    assert_true(code_line_spells(SLICE("x = x.view(3)"), SLICE("view"), NULL, 0, false));
    assert_true(code_line_spells(SLICE("x = self.relu(x)"), SLICE("torch.relu"), NULL, 0, false));
    assert_false(code_line_spells(SLICE("x = self.relu(x)"), SLICE("torch.relu"), &act, 1, false));
    assert_false(code_line_spells(SLICE("x = head.flatten(x)"), SLICE("flatten"), NULL, 0, true));
    assert_true(code_line_spells(SLICE("x = torch.flatten(x)"), SLICE("torch.flatten"), NULL, 0, true));
}

/* Class 1 has lines 10 and 20, class 2 has 30, of function 5. */
static struct known_lines some_lines(void) {
    struct known_lines lines = {0};
    known_lines_add(&lines, (struct known_line){1, 30, 2, 5});
    known_lines_add(&lines, (struct known_line){1, 20, 1, 5});
    known_lines_add(&lines, (struct known_line){1, 10, 1, 5});
    known_lines_sort(&lines);
    return lines;
}

static void classes_are_contiguous(void **state) {
    (void)state;
    struct known_lines lines = some_lines();
    struct known_line at = {1, 15, 0, 5};
    struct line_range range = known_lines_around(&lines, &at);
    assert_true(line_range_proves_any(&range) && line_range_proves(&range, 1));
    at.line = 25; /* of either */
    range = known_lines_around(&lines, &at);
    assert_false(line_range_proves_any(&range));
    assert_true(line_range_allows(&lines, &range, &at, 1) && line_range_allows(&lines, &range, &at, 2));
    at.line = 40; /* class 1 ends before class 2 */
    range = known_lines_around(&lines, &at);
    assert_false(line_range_allows(&lines, &range, &at, 1));
    assert_true(line_range_allows(&lines, &range, &at, 2) && line_range_allows(&lines, &range, &at, 3));
    at.function = 6; /* perhaps a function outside of classes */
    range = known_lines_around(&lines, &at);
    assert_true(line_range_allows(&lines, &range, &at, 1));
    at = (struct known_line){2, 15, 0, 5};
    range = known_lines_around(&lines, &at);
    assert_true(line_range_allows(&lines, &range, &at, 1) && !line_range_proves_any(&range));
    known_lines_free(&lines);
}

static void add_input(struct module_records *records, const char *source, uint64_t elements) {
    LIST_ADD(&records->inputs,
             (struct module_input){.source = slice_str(source),
                                   .tensor = {.elements = elements, .bytes = 4 * elements, .sized = true}});
}

static void free_records(struct module_records *records) {
    mem_free(records->inputs.items);
    mem_free(records->modules.items);
    mem_free(records->accesses.items);
}

static void trees_have_parents_before_children(void **state) {
    (void)state;
    struct module_records records = {0};
    struct module_tree tree = {0};
    add_input(&records, "L['self']._modules['h']._modules['0']._parameters['w']", 6);
    add_input(&records, "L['self']._modules['h']._modules['0']._parameters['w']", 6); /* described again */
    add_input(&records, "L['self'].plain[1]._buffers['b']", 2);
    add_input(&records, "G['other'].__dict__['_modules']['lin']._parameters['w']", 3);
    module_tree_make(&tree, &records);
    assert_int_equal(tree.list.count, 6);
    assert_slice(tree.list.items[0].source, "L['self']");
    assert_slice(tree.list.items[2].name, "h.0");
    assert_int_equal(tree.list.items[2].parameter_elements, 6);
    assert_slice(tree.list.items[3].name, "plain[1]");
    assert_int_equal(tree.list.items[3].buffer_bytes, 8);
    assert_slice(tree.list.items[4].source, "G['other']");
    assert_int_equal(tree.list.items[4].name.len, 0);
    assert_int_equal(module_tree_find(&tree, SLICE("G['other']._modules['lin']")), 5);
    assert_int_equal(module_tree_common(&tree, 2, 3), 0);
    assert_int_equal(module_tree_common(&tree, 2, 1), 1);
    assert_true(module_has(&tree, 1, 2) && !module_has(&tree, 1, 3) && module_has(&tree, 0, 5));
    assert_false(tree.typed);
    module_tree_free(&tree);
    free_records(&records);
}

/* Compiles 0 and 1 are for one module, 2 is for another; 3 has parameters of both; 4 has none. */
static void modules_are_known_by_their_parameters(void **state) {
    (void)state;
    static const uint64_t objects[][2] = {{10, 20}, {10, 20}, {11, 21}, {10, 21}};
    static const char *const sources[] = {"L['self']._parameters['w']", "L['self']._parameters['b']"};
    struct model model = {0};
    uint32_t compiles[] = {0, 1, 2, 3, 4}, numbers[5];
    assert_int_equal(module_instances_find(&model, compiles, 5, numbers), 0);
    assert_int_equal(numbers[0], MODULE_NONE);
    for (uint32_t i = 0; i < 4; i++) {
        LIST_ADD(&model.folders, (struct folder){.compile = i});
        for (uint32_t k = 0; k < 2; k++) {
            modules_note_tensor(&model, &(struct module_tensor){.describer = i, .id = k, .object = objects[i][k]});
            modules_note_source(&model, i, i, k, slice_str(sources[k]));
        }
    }
    assert_int_equal(module_instances_find(&model, compiles, 5, numbers), 2);
    assert_true(numbers[0] == 0 && numbers[1] == 0 && numbers[2] == 1);
    assert_true(numbers[3] == MODULE_NONE && numbers[4] == MODULE_NONE);
    const struct module_records *first = &model.modules->list.items[0];
    assert_false(first->cut);
    modules_note_graph(&model, 0, &(struct module_graph){.op_count = MODULE_OPS_MAX + 1});
    assert_true(first->cut && !first->graph.op_count); /* rather than no operation */
    mem_free(model.folders.items);
    model_finish(&model);
}

/* Notes a compile whose `self` has these parameters: object, elements and name of each; object 0: none. */
static void note_parameters(struct model *model, uint32_t compile, const uint64_t objects[3], uint64_t elements) {
    static const char *const sources[] = {"L['self']._parameters['w']", "L['self']._parameters['b']",
                                          "L['self']._parameters['late']"};
    LIST_ADD(&model->folders, (struct folder){.compile = compile});
    for (uint32_t k = 0; k < 3; k++) {
        struct module_tensor tensor = {.describer = compile,
                                       .id = k,
                                       .object = objects[k],
                                       .elements = elements,
                                       .sized = true};
        if (!objects[k])
            continue;
        modules_note_tensor(model, &tensor);
        modules_note_source(model, compile, compile, k, slice_str(sources[k]));
    }
}

static void addresses_are_used_again(void **state) {
    (void)state;
    struct model model = {0};
    uint32_t compiles[] = {0, 1, 2, 3, 4, 5, 6}, numbers[7];
    note_parameters(&model, 0, (const uint64_t[]){10, 11, 0}, 4);
    note_parameters(&model, 1, (const uint64_t[]){20, 21, 0}, 4);
    note_parameters(&model, 2, (const uint64_t[]){10, 11, 0}, 8);  /* of another size */
    note_parameters(&model, 3, (const uint64_t[]){10, 11, 0}, 4);  /* the first one was gone */
    note_parameters(&model, 4, (const uint64_t[]){20, 21, 22}, 4); /* a branch reads a further one */
    note_parameters(&model, 5, (const uint64_t[]){21, 30, 0}, 4);  /* an address under another name */
    note_parameters(&model, 6, (const uint64_t[]){20, 21, 0}, 4);
    assert_int_equal(module_instances_find(&model, compiles, 7, numbers), 2);
    assert_true(numbers[0] == 0 && numbers[1] == 1 && numbers[4] == 1);
    assert_true(numbers[2] == MODULE_NONE && numbers[3] == MODULE_NONE);
    assert_true(numbers[5] == MODULE_NONE && numbers[6] == MODULE_NONE);
    mem_free(model.folders.items);
    model_finish(&model);
}

static void graphs_without_modules_have_a_tree(void **state) {
    (void)state;
    struct module_records records = {0};
    struct module_tree tree = {0};
    struct place frame = {0};
    module_tree_make(&tree, &records);
    assert_int_equal(tree.list.count, 1);
    struct op_module *ops = op_modules_find(&tree, &records, &frame);
    mem_free(ops);
    module_tree_free(&tree);
}

static void nested_graphs_run_where_they_are_called(void **state) {
    (void)state;
    AUTO_ARENA arena = {0};
    struct module_graph *graph = module_graph_scan(
        SLICE("class GraphModule(torch.nn.Module):\n"
              "    def forward(self, L_x_: \"f32[2]\", L_self_modules_lin_parameters_weight_: \"f32[2]\"):\n"
              "        l_x_ = L_x_\n"
              "        l_self_modules_lin_parameters_weight_ = L_self_modules_lin_parameters_weight_\n"
              "        # File: /m.py:7 in f, code: y = self.lin(x)\n"
              "        a: \"f32[2]\" = l_x_ + 1\n"
              "        wrap_body_0 = self.wrap_body_0\n"
              "        b = torch.ops.higher_order.wrap(wrap_body_0, a, l_self_modules_lin_parameters_weight_)\n"
              "        c = b[0]\n"
              "        return (c,)\n"
              "    class wrap_body_0(torch.nn.Module):\n"
              "        def forward(self, a: \"f32[2]\", l_self_modules_lin_parameters_weight_: \"f32[2]\"):\n"
              "            y = torch.mul(a, l_self_modules_lin_parameters_weight_)\n"
              "            return (y,)\n"),
        &arena);
    assert_non_null(graph);
    assert_int_equal(graph->op_count, 4);
    assert_slice(graph->ops[0].name, "a");
    assert_slice(graph->ops[1].name, "wrap_body_0/y");
    assert_int_equal(graph->ops[1].count, 1);
    assert_slice(graph->ops[2].name, "b");
    assert_int_equal(graph->places[graph->ops[0].place].line, 7);
    assert_null(module_graph_scan(SLICE("no graph"), &arena));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sources_name_modules),
        cmocka_unit_test(lines_call_modules),
        cmocka_unit_test(lines_read_attributes),
        cmocka_unit_test(lines_spell_operations_out),
        cmocka_unit_test(classes_are_contiguous),
        cmocka_unit_test(trees_have_parents_before_children),
        cmocka_unit_test(modules_are_known_by_their_parameters),
        cmocka_unit_test(addresses_are_used_again),
        cmocka_unit_test(graphs_without_modules_have_a_tree),
        cmocka_unit_test(nested_graphs_run_where_they_are_called),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

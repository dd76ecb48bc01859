/* Line maps of provenance pages: synthetic graphs and code, with the rules of the reference. */
#define _GNU_SOURCE
#include "support.h"

#include "codegen/provenance_find.h"
#include "pages/provenance_page.h"

/* The row as "3 5 8", or "" if there is none. */
static void assert_row(const struct relation *r, uint32_t from, const char *expected) {
    struct buf got = {0};
    const struct relation_row *row = relation_row(r, from);
    for (size_t i = 0; row && i < row->count; i++)
        buf_addf(&got, "%s%u", i ? " " : "", r->to.items[row->first + i]);
    assert_buf(&got, expected);
    buf_free(&got);
}

static void relation_keeps_order_and_the_last_row(void **state) {
    (void)state;
    struct relation r = {0};
    for (uint32_t from = 3; from > 0; from--) {
        relation_begin(&r, from);
        relation_add(&r, 7);
        relation_add(&r, from);
        relation_add(&r, 7);
        relation_end(&r);
    }
    relation_begin(&r, 2);
    relation_add(&r, 9);
    relation_end(&r);
    relation_begin(&r, 4); /* empty: no row */
    relation_end(&r);
    relation_sort(&r);
    assert_int_equal(r.rows.count, 3);
    assert_row(&r, 1, "1 7");
    assert_row(&r, 2, "9");
    assert_row(&r, 3, "3 7");
    assert_row(&r, 4, "");
    relation_free(&r);
}

static void relation_has_a_bound(void **state) {
    (void)state;
    struct relation r = {0};
    size_t added = 0;
    relation_begin(&r, 1);
    while (relation_add(&r, (uint32_t)added))
        added++;
    relation_end(&r);
    assert_int_equal(added, RELATION_MAX);
    relation_free(&r);
}

static void assert_found(const struct names *names, const struct name_lines *found, size_t name, const char *expected) {
    const struct name_lines *lines = names_lines(names, found, name);
    struct buf got = {0};
    for (size_t i = 0; i < lines->count; i++)
        buf_addf(&got, "%s%u", i ? " " : "", lines->items[i]);
    assert_buf(&got, expected);
    buf_free(&got);
}

static void names_are_found_inside_of_each_other(void **state) {
    (void)state;
    struct slice wanted[] = {SLICE("he"), SLICE("she"),     SLICE("hers"), SLICE(""),
                             SLICE("he"), SLICE("his\nhe"), SLICE("e")};
    struct names *names = names_create(wanted, 7);
    struct name_lines *found = names_find(names, SLICE("ushers he\n\nhis\nhe\nhis hers"));
    assert_found(names, found, 0, "1 4 5");
    assert_found(names, found, 1, "1");
    assert_found(names, found, 2, "1 5");
    assert_found(names, found, 3, "");
    assert_found(names, found, 4, "1 4 5"); /* the same again */
    assert_found(names, found, 5, "");      /* a line ends a name */
    assert_found(names, found, 6, "1 4 5");
    name_lines_free(names, found);
    names_destroy(names);
}

static void names_beyond_the_bound_are_ignored(void **state) {
    (void)state;
    struct buf much = {0};
    while (much.len < NAMES_BYTES)
        buf_add_lit(&much, "abcdefgh");
    struct slice wanted[] = {SLICE("kernel"), buf_slice(&much), SLICE("other")};
    struct names *names = names_create(wanted, 3);
    struct name_lines *found = names_find(names, SLICE("kernel other"));
    assert_found(names, found, 0, "1");
    assert_found(names, found, 1, "");
    assert_found(names, found, 2, "");
    name_lines_free(names, found);
    names_destroy(names);
    buf_free(&much);
}

static void nodes_precede_equals_and_colon(void **state) {
    (void)state;
    struct map nodes = {0};
    graph_nodes(&nodes, SLICE("class G(Module):\n"
                              "    # File: /a.py:15 in forward, code: add = x + 1\n"
                              "    add: \"f32[2]\" = torch.add(x, 1);  x = None\n"
                              "\n"
                              "\tvar_mean = a[0]: b\r\n"
                              "    add = twice\n"
                              "    return (add,)\n"
                              " = 1\n"));
    assert_int_equal(map_get(&nodes, SLICE("add")), 6);
    assert_int_equal(map_get(&nodes, SLICE("var_mean")), 5);
    assert_int_equal(map_get(&nodes, SLICE("return (add,)")), 7);
    assert_int_equal(map_get(&nodes, SLICE("# File")), MAP_NONE);
    assert_int_equal(map_get(&nodes, SLICE("")), MAP_NONE);
    map_free(&nodes);
}

/* Kernels of a mapping {kernel: []}, and the lines that call them. */
struct search {
    struct arena arena;
    struct kernels kernels;
    struct kernel_lines lines;
};

static void search(struct search *s, const char *mapping, const char *code, enum code_kind kind) {
    struct slice json = slice_str(mapping);
    struct map post = {0};
    yyjson_val *root;
    *s = (struct search){0};
    assert_int_equal(json_read(&json, JSON_NUMBERS, &s->arena, &root), JSON_STRICT);
    kernels_read(&s->kernels, root, NULL, &post);
    kernel_lines_find(&s->lines, &s->kernels, slice_str(code), kind);
}

static void search_end(struct search *s) {
    kernels_free(&s->kernels);
    kernel_lines_free(&s->lines);
    arena_free(&s->arena);
}

static void assert_calls(struct search *s, const char *kernel, const char *expected) {
    uint32_t place = map_get(&s->kernels.places, slice_str(kernel));
    assert_int_not_equal(place, MAP_NONE);
    assert_row(&s->lines.calls, place, expected);
}

static void python_calls(void **state) {
    (void)state;
    struct search s;
    search(&s, "{\"cppCodeToPost\": {\"mul_1\": [], \"mul_1:2\": [], \"mul_1:9\": [], \"mm:3\": [], \"none\": []}}",
           "mul_1 = async_compile.triton('mul_1', '''\n" /* 1 */
           "''')\n"
           "def call(args):\n" /* 3 */
           "    # [Provenance debug handles] mul_1:2\n"
           "    mul_1.run(x)\n" /* 5 */
           "    mul_10.run(x)\n"
           "    # mm:3\n" /* 7: nothing follows */
           "    mul_1.run(y)",
           CODE_PYTHON);
    assert_calls(&s, "mul_1", "4 5 6 8"); /* without a handle: anywhere after the first call */
    assert_calls(&s, "mul_1:2", "5");
    assert_calls(&s, "mul_1:9", "4 5 6 8"); /* its handle does not occur */
    assert_calls(&s, "mm:3", "7");
    assert_calls(&s, "none", "");
    search_end(&s);
    search(&s, "{\"cppCodeToPost\": {\"k\": []}}", "k\ndef call(self, args):\nk\n", CODE_PYTHON);
    assert_calls(&s, "k", "1 3"); /* not the searched line */
    search_end(&s);
}

static void cpp_calls(void **state) {
    (void)state;
    struct search s;
    search(&s, "{\"cppCodeToPost\": {\"k:1\": [], \"k:2\": [], \"k\": [], \"at::mm:4\": []}}",
           "void k();\n"
           "void AOTInductorModel::run_impl(\n" /* 2 */
           "static inline void call_k:1\n"
           "    // [Provenance debug handles] k:1\n" /* 4 */
           "    int64_t k_xnumel = 3;\n"
           "    auto k_xnumel_0 =  3;\n"
           "    call_k(k_xnumel);\n" /* 7 */
           "    // k:2\n"
           "    k_xnumel_1 = 2; // no type\n" /* 9 */
           "    // at::mm:4\n"
           "    at::mn(at::mm());\n", /* 11 */
           CODE_CPP);
    assert_calls(&s, "k:1", "7");
    assert_calls(&s, "k:2", "9");
    assert_calls(&s, "k", "3 4 5 6 7 8 9");
    assert_calls(&s, "at::mm:4", "11"); /* the handle follows the last colon */
    search_end(&s);
}

static void kernels_have_bodies(void **state) {
    (void)state;
    struct search s;
    search(&s, "{\"cppCodeToPost\": {\"cpp_a\": [], \"cpp_a_0\": [], \"mm\": []}}",
           "cpp_a_0 = async_compile.cpp_pybinding([], r'''\nint x;\n}\n''')\ncpp_a = async_compile.x('a''', "
           "'''b''')\ncpp_a(mm)",
           CODE_PYTHON);
    assert_int_equal(s.lines.bodies.count, 2);
    assert_int_equal(maps_body(&s.lines, 0)->from, 5);
    assert_int_equal(maps_body(&s.lines, 0)->to, 5);
    assert_int_equal(maps_body(&s.lines, 1)->to, 4);
    assert_null(maps_body(&s.lines, 2));
    search_end(&s);
    search(&s, "{\"cppCodeToPost\": {\"cpp_a:1\": [], \"cpp_b:2\": []}}",
           "extern \"C\" void cpp_a(int x,\n  int y);\nextern \"C\" void cpp_a(int x,\n  int y)\n{\n  {\n  "
           "}\n}\nstatic inline void call_cpp_b(\n) {\n",
           CODE_KERNELS);
    assert_int_equal(s.lines.calls.rows.count, 0);
    assert_int_equal(s.lines.bodies.count, 1); /* the other one has no end */
    assert_int_equal(maps_body(&s.lines, 0)->from, 3);
    assert_int_equal(maps_body(&s.lines, 0)->to, 8);
    search_end(&s);
}

static void maps_are_those_of_the_reference(void **state) {
    (void)state;
    struct artifact html = {.url = SLICE("-_0_0_0/inductor_output_code_x_4.html"), .lang = LANG_PYTHON},
                    text = {.url = SLICE("a.txt")};
    struct provenance_set set = {.pre = &text,
                                 .post = &text,
                                 .mapping = &text,
                                 .codes = {{&html, CODE_PYTHON}, {&text, CODE_CPP}},
                                 .code_count = 2};
    struct loaded loaded = {.set = &set};
    struct set_maps maps;
    struct buf json = {0};
    struct jsonw w = {.out = &json};
    struct slice mapping = SLICE(
        "{\"preToPost\": {\"a\": [\"c\", \"d\", \"c\", \"zz\", 5], \"b\": \"c\", \"zz\": [\"c\"]}, \"postToPre\": [],"
        "\"cppCodeToPost\": {\"qq\": [\"d\"], \"kk\": [\"c\"], \"mm\": [\"zz\"]},"
        "\"postToCppCode\": {\"c\": [\"kk\", \"nn\", null], \"d\": [\"qq\", \"kk\"]}, \"version\": \"two\"}");
    buf_add_lit(&loaded.pre, "a = 1\nb = 2\n");
    buf_add_lit(&loaded.post, "\nc = 1\nd = 2\n");
    buf_add_lit(&loaded.codes[0], "\nimport x\n# AOT ID: ['0_f']\ndef call(args):\n kk(qq)\n kk\n mm");
    buf_add_lit(&loaded.codes[1], "\n\nkk\nX::run_impl(\nqq\n");
    assert_int_equal(json_read(&mapping, JSON_NUMBERS, &loaded.arena, &loaded.mapping), JSON_STRICT);
    set_maps_find(&maps, &loaded);
    line_mappings_write(&w, &loaded, &maps);
    struct slice parsed = buf_slice(&json);
    yyjson_val *root;
    assert_int_equal(json_read(&parsed, JSON_NUMBERS, &loaded.arena, &root), JSON_STRICT);
    json.len = 0;
    json_add_value(&json, root);
    assert_buf(&json, "{\"preToPost\":{\"1\":[2,3]},\"postToPre\":{},"
                      "\"pyCodeToPost\":{\"3\":[3],\"4\":[2]},\"postToPyCode\":{\"2\":[3,4],\"3\":[3,4]},"
                      "\"cppCodeToPost\":{\"3\":[3]},\"postToCppCode\":{\"3\":[3]}}");
    set_maps_free(&maps);
    buf_free(&loaded.pre);
    buf_free(&loaded.post);
    buf_free(&loaded.codes[0]);
    buf_free(&loaded.codes[1]);
    arena_free(&loaded.arena);
    buf_free(&json);
}

static void add_named(struct model *model, const char *name, enum lang lang) {
    struct artifact artifact = {.name = slice_str(name),
                                .kind = SLICE("artifact"),
                                .url = SLICE("x"),
                                .lang = lang,
                                .listed = true};
    model_add_artifact(model, &artifact);
}

static void sets_follow_the_mappings(void **state) {
    (void)state;
    static const char *const names[] = {
        "before_pre_grad_graph",
        "inductor_pre_grad_graph",
        "inductor_post_grad_graph",
        "inductor_output_code_a",
        "inductor_provenance_tracking_node_mappings",
        "inductor_provenance_tracking_kernel_stack_traces",
        "inductor_post_grad_graph",
        "inductor_output_code_b",
        "f/inductor_output_code",
        "inductor_provenance_tracking_node_mappings",
        "inductor_provenance_tracking_kernel_stack_traces",
        "inductor_post_grad_graph",
    };
    struct model model = {0};
    struct provenance_sets sets;
    struct compile_id id = {COMPILE_ID_GOOD, PART_MISSING, 0, 0, 0};
    model_folder(&model, 1, &id, 1);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        add_named(&model, names[i], LANG_TEXT);
    add_named(&model, "inductor_output_code_json", LANG_JSON);
    const struct compile *compile = model.compiles.items[0];
    const struct artifact *all = model.artifacts.items;
    provenance_sets_find(&sets, &model, compile->artifacts.items, compile->artifacts.count, SLICE("-_0_0_0"));
    assert_int_equal(sets.count, 3);
    for (int i = 0; i < 3; i++)
        assert_ptr_equal(sets.items[i].pre, &all[0]);
    assert_ptr_equal(sets.items[0].post, &all[2]);
    assert_ptr_equal(sets.items[0].codes[0].artifact, &all[3]);
    assert_ptr_equal(sets.items[0].stacks, &all[5]);
    assert_ptr_equal(sets.items[1].post, &all[6]);
    assert_int_equal(sets.items[1].code_count, 1);
    assert_ptr_equal(sets.items[1].mapping, &all[9]);
    assert_ptr_equal(sets.items[1].stacks, &all[10]);
    assert_null(sets.items[2].mapping);
    assert_ptr_equal(sets.items[2].post, &all[11]);
    assert_ptr_equal(sets.latest.codes[0].artifact, &all[7]);
    assert_ptr_equal(sets.latest.post, &all[11]);
    assert_ptr_equal(sets.latest.mapping, &all[9]);
    provenance_sets_find(&sets, &model, compile->artifacts.items, compile->artifacts.count, SLICE("(unknown)"));
    assert_int_equal(sets.count, 3);
    assert_null(sets.latest.mapping);
    model_finish(&model);
}

/* After a reset, the same id is another compile: its sets have no graph of the previous one. */
static void sets_belong_to_one_compile(void **state) {
    (void)state;
    struct model model = {0};
    struct provenance_sets sets;
    struct compile_id id = {COMPILE_ID_GOOD, PART_MISSING, 0, 0, 0};
    uint32_t folder = model_folder(&model, 1, &id, 1);
    add_named(&model, "before_pre_grad_graph", LANG_TEXT);
    add_named(&model, "inductor_post_grad_graph", LANG_TEXT);
    add_named(&model, "inductor_output_code_a", LANG_TEXT);
    model_next_generation(&model, folder, 1, &id);
    add_named(&model, "inductor_output_code_b", LANG_TEXT);
    add_named(&model, "inductor_provenance_tracking_node_mappings", LANG_TEXT);
    const uint32_t order[] = {0, 1, 2, 3, 4};
    const struct artifact *all = model.artifacts.items;
    provenance_sets_find(&sets, &model, order, 5, SLICE("-_0_0_0"));
    assert_int_equal(sets.count, 2);
    assert_ptr_equal(sets.items[0].pre, &all[0]);
    assert_int_equal(sets.items[0].code_count, 1);
    assert_null(sets.items[0].mapping);
    assert_null(sets.items[1].pre);
    assert_null(sets.items[1].post);
    assert_ptr_equal(sets.items[1].codes[0].artifact, &all[3]);
    assert_ptr_equal(sets.items[1].mapping, &all[4]);
    assert_ptr_equal(sets.latest.pre, &all[0]); /* the reference has one compile per id */
    model_finish(&model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(relation_keeps_order_and_the_last_row),
        cmocka_unit_test(relation_has_a_bound),
        cmocka_unit_test(names_are_found_inside_of_each_other),
        cmocka_unit_test(names_beyond_the_bound_are_ignored),
        cmocka_unit_test(nodes_precede_equals_and_colon),
        cmocka_unit_test(python_calls),
        cmocka_unit_test(cpp_calls),
        cmocka_unit_test(kernels_have_bodies),
        cmocka_unit_test(maps_are_those_of_the_reference),
        cmocka_unit_test(sets_follow_the_mappings),
        cmocka_unit_test(sets_belong_to_one_compile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* scan/guard_tree: converts the text of guard managers to a list of guards with sources and places. */
#define _GNU_SOURCE
#include "support.h"

#include "base/json.h"
#include "scan/guard_facts.h"
#include "scan/guard_tree.h"

struct list {
    struct arena arena;
    struct buf json;
    yyjson_val *root;
    struct guard_tree tree;
    struct guard_notes notes;
};

static struct list read_list(const char *text) {
    struct list list = {0};
    struct buf packed[2] = {0};
    struct guard_facts facts = {.out = &packed[0]}, again = {.out = &packed[1]};
    list.tree = guard_tree_read(slice_str(text), &list.json, &list.notes, &facts);
    struct guard_notes brief = {0};
    assert_int_equal(guard_tree_read(slice_str(text), NULL, &brief, &again).count, list.tree.count);
    guard_notes_free(&brief);
    assert_true(slice_eq(buf_slice(&packed[0]), buf_slice(&packed[1])));
    buf_free(&packed[0]);
    buf_free(&packed[1]);

    struct slice json = buf_slice(&list.json);
    assert_int_not_equal(json_read(&json, JSON_NUMBERS, &list.arena, &list.root), JSON_BAD);
    return list;
}

static void end_list(struct list *list) {
    arena_free(&list->arena);
    buf_free(&list->json);
    guard_notes_free(&list->notes);
}

static yyjson_val *guard_at(const struct list *list, size_t i) {
    yyjson_val *guard = yyjson_arr_get(json_get(list->root, "guards"), i);
    assert_non_null(guard);
    return guard;
}

static void values_of_tensors_have_empty_lines(void **state) {
    (void)state;
    struct list list = read_list("| +- GuardManager: source=L['t'], accessed_by=DictGetItem('t')\n"
                                 "| | +- ID_MATCH: ___check_obj_id(L['t'], 1), type=tensor([[0., 1.],\n"
                                 "\n"
                                 "        [2., 3.]])  # y = f(t)  # /src/model.py:7 in forward (x.py:1 in g)\n"
                                 "| | +- NOT_NONE: L['t'] is not None  # y = f(t)  # /src/model.py:7 in forward\n"
                                 "\n"
                                 "Guard latency = 1.00 us\n");
    assert_int_equal(list.tree.count, 2);
    assert_int_equal(list.notes.lines.count, 1);
    assert_int_equal(list.notes.lines.items[0].guards, 2);
    assert_int_equal(list.notes.lines.items[0].line, 7);
    assert_true(slice_is(list.notes.lines.items[0].code, "y = f(t)") &&
                slice_is(list.notes.lines.items[0].file, "/src/model.py"));
    end_list(&list);
}

static void assert_place(yyjson_val *place, const char *file, uint64_t line, const char *function) {
    uint64_t n;
    assert_slice(json_get_text(place, "file"), file);
    assert_true(json_to_u64(json_get(place, "line"), &n));
    assert_int_equal(n, line);
    assert_slice(json_get_text(place, "function"), function);
}

static const char tree[] = "\nTREE_GUARD_MANAGER:\n"
                           "+- RootGuardManager\n"
                           "| +- DEFAULT_DEVICE: utils_device.CURRENT_DEVICE == None                           # "
                           "_dynamo/output_graph.py:1222 in init_ambient_guards\n"
                           "| +- GuardManager: source=L['x'], accessed_by=FrameLocalsGuardAccessor(key='x'), "
                           "type=<class 'torch.Tensor'>, tag_safe=(False, False)\n"
                           "| | +- TYPE_MATCH: ___check_type_id(L['x'], 94), type=<class 'torch.Tensor'>  # if "
                           "x.shape[0] > 5:  # ome/dyn.py:11 in backed (HINT: type Tensor)\n"
                           "| | +- NO_TENSOR_ALIASING\n"
                           "| | +- GuardManager: source=L['x'].grad, accessed_by=GradGuardAccessor(grad)\n"
                           "| | | +- NONE_MATCH: L['x'].grad is None\n"
                           "| +- DictGuardManager: source=G, accessed_by=GlobalsGuardAccessor, type=<class 'dict'>\n"
                           "| | +- KeyValueManager pair at index=0\n"
                           "| | | +- ValueManager: GuardManager: source=G['f'], type=<class 'function'>\n"
                           "| | | | +- ID_MATCH: ___check_obj_id(G['f'], 7)  # f(x)  # note  # a.py:3 in g\n"
                           "+- LAMBDA_GUARD: 6 <= L['x'].size()[0]  # if x.shape[0] > 5:  # ome/dyn.py:11 in backed "
                           "(_dynamo/variables/tensor.py:3083 in evaluate_expr)\n"
                           "\nGuard latency = 108.82 us\n";

static void whole_tree(void **state) {
    (void)state;
    struct list list = read_list(tree);
    double latency;
    assert_int_equal(list.tree.count, 6);
    assert_int_equal(list.tree.more, 0);
    assert_true(json_to_double(json_get(list.root, "latency_us"), &latency));
    assert_true(latency > 108.8 && latency < 108.9);
    assert_int_equal(yyjson_arr_size(json_get(list.root, "sources")), 4);
    assert_slice(json_get_text(yyjson_arr_get(json_get(list.root, "sources"), 0), "source"), "L['x']");
    assert_slice(json_get_text(yyjson_arr_get(json_get(list.root, "sources"), 0), "type"), "torch.Tensor");
    assert_place(json_get(guard_at(&list, 0), "framework"), "_dynamo/output_graph.py", 1222, "init_ambient_guards");
    assert_null(json_get(guard_at(&list, 0), "source"));
    yyjson_val *match = guard_at(&list, 1);
    assert_slice(json_get_text(match, "type"), "TYPE_MATCH");
    assert_slice(json_get_text(match, "code"), "___check_type_id(L['x'], 94), type=<class 'torch.Tensor'>");
    assert_slice(json_get_text(match, "hint"), "type Tensor");
    assert_place(json_get(match, "user"), "ome/dyn.py", 11, "backed");
    assert_slice(json_get_text(json_get(match, "user"), "code"), "if x.shape[0] > 5:");
    assert_slice(json_get_text(guard_at(&list, 2), "code"), "");
    assert_int_equal(yyjson_get_uint(json_get(guard_at(&list, 2), "source")), 0);
    assert_int_equal(yyjson_get_uint(json_get(guard_at(&list, 3), "source")), 1); /* a nested manager */
    assert_int_equal(yyjson_get_uint(json_get(guard_at(&list, 4), "source")), 3);
    assert_slice(json_get_text(json_get(guard_at(&list, 4), "user"), "code"), "f(x)  # note");
    assert_slice(json_get_text(guard_at(&list, 5), "about"), "L['x'].size()[0]");
    assert_place(json_get(guard_at(&list, 5), "framework"), "_dynamo/variables/tensor.py", 3083, "evaluate_expr");
    end_list(&list);
}

static void code_on_several_lines(void **state) {
    (void)state;
    struct list list = read_list(
        "+- RootGuardManager\n| +- EQUALS_MATCH: L['s'] == 'a\nb'  # f(s)  # a.py:1 in g\n| +- NONE_MATCH: x\n");
    assert_int_equal(list.tree.count, 2);
    assert_slice(json_get_text(guard_at(&list, 0), "code"), "L['s'] == 'a\nb'");
    assert_place(json_get(guard_at(&list, 0), "user"), "a.py", 1, "g");
    end_list(&list);
}

/* PyTorch leaves out of a path what it has in common with its own. */
static void lines_of_libraries(void **state) {
    (void)state;
    struct list list = read_list("+- RootGuardManager\n| +- NONE_MATCH: x  # f(x)  # nn/modules/conv.py:5 in forward\n"
                                 "| +- NONE_MATCH: y  # g(y)  # home/me/nn/train.py:5 in forward\n");
    assert_true(yyjson_is_true(json_get(json_get(guard_at(&list, 0), "user"), "library")));
    assert_null(json_get(json_get(guard_at(&list, 1), "user"), "library"));
    end_list(&list);
}

static void hint_without_place(void **state) {
    (void)state;
    struct list list = read_list("+- RootGuardManager\n| +- TYPE_MATCH: ___check_type_id(L['args'], 1), type=<class "
                                 "'tuple'> (HINT: type tuple)\n");
    assert_slice(json_get_text(guard_at(&list, 0), "code"), "___check_type_id(L['args'], 1), type=<class 'tuple'>");
    assert_slice(json_get_text(guard_at(&list, 0), "hint"), "type tuple");
    end_list(&list);
}

static void odd_texts(void **state) {
    static const char *const texts[] = {"",
                                        "\n",
                                        "+- ",
                                        "| | | +- X",
                                        "+- GuardManager: source=",
                                        "+- A: b  # ",
                                        "+- A: b  # c:1 in ",
                                        "+- A: b  # c:1 in f (",
                                        "+- A: L['",
                                        "+- A: L[' x\\",
                                        "Guard latency = 1.2.3 us",
                                        "Guard latency = 01 us",
                                        "+- A: b  # :1 in f (x) (y) (z:1 in q)"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct list list = read_list(texts[i]);
        assert_true(list.tree.count <= 1);
        end_list(&list);
    }
}

static void bounds(void **state) {
    struct buf text = {0};
    (void)state;
    for (int i = 0; i < GUARDS_MAX + 5; i++)
        buf_add_lit(&text, "+- A: b\n");
    buf_add_byte(&text, 0);
    struct list list = read_list(text.ptr);
    assert_int_equal(list.tree.count, GUARDS_MAX + 5);
    assert_int_equal(list.tree.more, 5);
    end_list(&list);
    text.len = 0;
    for (int i = 0; i < 3000; i++) { /* each exceeds the limit of a text, together they exceed the limit of the list */
        buf_add_lit(&text, "+- A: ");
        for (int k = 0; k < 500; k++)
            buf_add_lit(&text, "äääääääää ");
        buf_add_byte(&text, '\n');
    }
    buf_add_byte(&text, 0);
    list = read_list(text.ptr);
    assert_int_equal(list.tree.count, 3000);
    assert_true(list.tree.more > 0 && list.tree.more < 3000);
    assert_true(list.json.len < GUARDS_JSON_MAX + 3 * GUARD_TEXT_MAX);
    assert_true(json_get_text(guard_at(&list, 0), "code").len <= GUARD_TEXT_MAX + 3);
    end_list(&list);
    buf_free(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values_of_tensors_have_empty_lines),
                                       cmocka_unit_test(whole_tree),
                                       cmocka_unit_test(code_on_several_lines),
                                       cmocka_unit_test(lines_of_libraries),
                                       cmocka_unit_test(hint_without_place),
                                       cmocka_unit_test(odd_texts),
                                       cmocka_unit_test(bounds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

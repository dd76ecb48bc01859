/* trace/stack: deduplicated stacks of frames. */
#define _GNU_SOURCE
#include "support.h"

#include "trace/stack.h"

struct bench {
    struct stacks stacks;
    struct strings strings;
};

static struct bench make_bench(void) {
    struct bench bench = {0};
    strings_define(&bench.strings, 0, SLICE("/home/x/train.py"));
    strings_define(&bench.strings, 1, SLICE("/opt/torch/_dynamo/convert_frame.py"));
    strings_define(&bench.strings, 2, SLICE("/dev/shm/u/seed-nspid1_cg/x#link-tree/torch/nn.py"));
    return bench;
}

static void end(struct bench *bench) {
    stacks_finish(&bench->stacks);
    strings_finish(&bench->strings);
}

static const struct stack_node *add(struct bench *bench, const char *json, bool start) {
    yyjson_doc *doc = yyjson_read(json, strlen(json), 0);
    assert_non_null(doc);
    yyjson_val *root = yyjson_doc_get_root(doc);
    const struct stack_node *node = start ? stacks_add_start(&bench->stacks, root, &bench->strings)
                                          : stacks_add(&bench->stacks, root, &bench->strings);
    yyjson_doc_free(doc); /* no pointer into it remains */
    return node;
}

/* "f g h", outermost first. */
static void assert_functions(const struct stack_node *node, const char *expected) {
    struct buf text = {0};
    const struct stack_node *nodes[64];
    size_t count = 0;
    for (; node; node = node->parent) {
        assert_int_equal(node->depth, node->parent ? node->parent->depth + 1 : 1);
        nodes[count++] = node;
    }
    while (count--)
        buf_addf(&text, "%.*s%s", SLICE_ARG(nodes[count]->frame->function), count ? " " : "");
    assert_buf(&text, expected);
    buf_free(&text);
}

#define F(name, file) "{\"line\": 1, \"name\": \"" name "\", \"filename\": " file "}"

static void reads_frames(void **state) {
    (void)state;
    struct bench bench = make_bench();
    const struct stack_node *node = add(&bench,
                                        "[{\"line\": 12, \"name\": \"main\", \"filename\": 0, \"loc\": \"x = f(y)\"}, "
                                        "{\"line\": 3, \"name\": \"f\", \"filename\": 2}]",
                                        false);
    assert_functions(node, "main f");
    assert_slice(node->frame->file, "torch/nn.py"); /* everything up to #link-tree/ is removed */
    assert_null(node->frame->code.ptr);
    assert_slice(node->parent->frame->file, "/home/x/train.py");
    assert_slice(node->parent->frame->code, "x = f(y)");
    assert_int_equal(node->parent->frame->line, 12);
    end(&bench);
}

static void finds_the_file_name(void **state) {
    (void)state;
    struct bench bench = make_bench();
    assert_slice(add(&bench, "[{\"line\": 1, \"name\": \"f\", \"filename\": 0, \"uninterned_filename\": \"u.py\"}]",
                     false)
                     ->frame->file,
                 "u.py");
    assert_slice(add(&bench, "[{\"line\": 1, \"name\": \"f\", \"filename\": \"text.py\"}]", false)->frame->file,
                 "text.py");
    assert_slice(add(&bench, "[{\"line\": 1, \"name\": \"f\", \"uninterned_filename\": \"<eval_with_key>.7\"}]", false)
                     ->frame->file,
                 "<eval_with_key>.7");
    static const char *const unknown[] = {"99", "-1", "4000000000", "{}", "null", "1.5"};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        char json[100];
        snprintf(json, sizeof json, "[{\"line\": 1, \"name\": \"f\", \"filename\": %s}]", unknown[i]);
        assert_slice(add(&bench, json, false)->frame->file, "(unknown)");
    }
    assert_slice(add(&bench, "[{}]", false)->frame->file, "(unknown)");
    assert_slice(add(&bench, "[{\"uninterned_filename\": \"a#link-tree/b#link-tree/c\"}]", false)->frame->file,
                 "b#link-tree/c");
    assert_slice(add(&bench, "[{\"uninterned_filename\": \"a#link-tree/\"}]", false)->frame->file, "");
    end(&bench);
}

static void deduplicates_stacks(void **state) {
    (void)state;
    struct bench bench = make_bench();
    const char *json = "[" F("a", "0") ", " F("b", "0") ", " F("c", "0") "]";
    const struct stack_node *node = add(&bench, json, false);
    assert_ptr_equal(add(&bench, json, false), node);
    assert_int_equal(bench.stacks.nodes.count, 3);
    const struct stack_node *other = add(&bench, "[" F("a", "0") ", " F("b", "0") ", " F("d", "0") "]", false);
    assert_ptr_equal(other->parent, node->parent);
    assert_int_equal(bench.stacks.nodes.count, 4);
    assert_ptr_equal(add(&bench, "[" F("a", "0") ", " F("b", "0") "]", false), node->parent);
    /* The same frame below another one is another node of the same frame. */
    const struct stack_node *alone = add(&bench, "[" F("c", "0") "]", false);
    assert_ptr_not_equal(alone, node);
    assert_ptr_equal(alone->frame, node->frame);
    assert_int_equal(bench.stacks.frames.count, 4);
    for (size_t i = 0; i < bench.stacks.nodes.count; i++) {
        assert_int_equal(bench.stacks.nodes.items[i]->index, i);
        assert_true(!bench.stacks.nodes.items[i]->parent || bench.stacks.nodes.items[i]->parent->index < i);
    }
    end(&bench);
}

static void distinguishes_frames(void **state) {
    (void)state;
    struct bench bench = make_bench();
    static const char *const frames[] = {
        "{\"line\": 1, \"name\": \"f\", \"filename\": 0}",
        "{\"line\": 2, \"name\": \"f\", \"filename\": 0}",
        "{\"line\": 1, \"name\": \"g\", \"filename\": 0}",
        "{\"line\": 1, \"name\": \"f\", \"filename\": 1}",
        "{\"line\": 1, \"name\": \"f\", \"filename\": 0, \"loc\": \"\"}",
        "{\"line\": 1, \"name\": \"f\", \"filename\": 0, \"loc\": \"x\"}",
        "{\"line\": 1, \"name\": \"fx\", \"filename\": 0}",
        "{\"line\": 1, \"name\": \"\", \"uninterned_filename\": \"/home/x/train.pyf\"}",
    };
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
        char json[200];
        snprintf(json, sizeof json, "[%s]", frames[i]);
        add(&bench, json, false);
        assert_int_equal(bench.stacks.frames.count, i + 1);
    }
    end(&bench);
}

static void skips_invalid_frames(void **state) {
    (void)state;
    struct bench bench = make_bench();
    static const char *const none[] = {"[]", "{}", "\"none\"", "5", "null", "[5, null, \"x\", []]"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        assert_null(add(&bench, none[i], false));
        assert_null(add(&bench, none[i], true));
    }
    assert_null(stacks_add(&bench.stacks, NULL, &bench.strings));
    assert_null(stacks_add_start(&bench.stacks, NULL, &bench.strings));
    assert_functions(add(&bench, "[5, " F("a", "0") ", null, " F("b", "0") ", \"x\"]", false), "a b");
    const struct stack_node *odd = add(&bench, "[{\"line\": \"x\", \"filename\": {}, \"name\": 3}]", false);
    assert_int_equal(odd->frame->line, 0);
    assert_int_equal(odd->frame->function.len, 0);
    end(&bench);
}

/* Only the three innermost convert_frame frames of torch/_dynamo are removed. */
static void cuts_convert_frames(void **state) {
    (void)state;
    struct bench bench = make_bench();
    assert_functions(add(&bench, "[" F("a", "0") ", " F("c1", "1") "]", true), "a");
    assert_functions(add(&bench, "[" F("a", "0") ", " F("c1", "1") ", " F("c2", "1") ", " F("c3", "1") "]", true), "a");
    assert_functions(add(&bench,
                         "[" F("a", "0") ", " F("c1", "1") ", " F("c2", "1") ", " F("c3", "1") ", " F("c4", "1") "]",
                         true),
                     "a c1");
    assert_functions(add(&bench, "[" F("a", "0") ", " F("c1", "1") ", " F("b", "0") "]", true), "a c1 b");
    assert_functions(add(&bench, "[" F("c1", "1") ", " F("a", "0") ", " F("c2", "1") "]", true), "c1 a");
    assert_null(add(&bench, "[" F("c1", "1") ", " F("c2", "1") "]", true));
    assert_functions(add(&bench, "[" F("a", "0") ", " F("c1", "1") "]", false),
                     "a c1"); /* stacks of other records are complete */
    assert_functions(add(&bench, "[" F("a", "0") ", " F("mine", "\"/home/x/convert_frame.py\"") "]", true), "a mine");
    end(&bench);
}

static void takes_deep_stacks(void **state) {
    (void)state;
    enum { DEPTH = 20000 };
    struct bench bench = make_bench();
    struct buf json = {0};
    for (int i = 0; i < DEPTH; i++)
        buf_addf(&json, "%s{\"line\": %d, \"name\": \"f\", \"filename\": 0}", i ? ", " : "[", i);
    buf_add_lit(&json, "]\0");
    const struct stack_node *node = add(&bench, json.ptr, true);
    assert_int_equal(node->depth, DEPTH);
    assert_ptr_equal(add(&bench, json.ptr, true), node);
    assert_int_equal(bench.stacks.nodes.count, DEPTH);
    buf_free(&json);
    end(&bench);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_frames),         cmocka_unit_test(finds_the_file_name),
        cmocka_unit_test(deduplicates_stacks),  cmocka_unit_test(distinguishes_frames),
        cmocka_unit_test(skips_invalid_frames), cmocka_unit_test(cuts_convert_frames),
        cmocka_unit_test(takes_deep_stacks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

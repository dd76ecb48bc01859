/* savings/compile_time_layers: equal modules in one graph, and graphs that only look like that. */
#define _GNU_SOURCE
#include "time_lines.h"
#include "whole.h"

struct made {
    int modules;
    const char *class_of_last, *type_of_third; /* NULL: as all */
    int first;                                 /* number of the first module */
    int own;                                   /* each guards a value: 1: another one, 2: the same */
    int more;                                  /* operations that follow */
    const char *metrics;
};

static void add_guards(struct buf *out, const struct made *made) {
    buf_add_lit(out, "TREE_GUARD_MANAGER:\n+- RootGuardManager\n| +- EQUALS_MATCH: L['n'] == 1  # x\n");
    for (int i = 0; i < made->modules; i++) {
        bool last = i + 1 == made->modules;
        buf_addf(out,
                 "| +- GuardManager: source=L['self']._modules['blocks']._modules['%d'], accessed_by=X, type=<class "
                 "'%s'>\n",
                 i + made->first, last && made->class_of_last ? made->class_of_last : "app.Block");
        if (made->own)
            buf_addf(out, "| | +- EQUALS_MATCH: L['self']._modules['blocks']._modules['%d'].index == %d  # x\n",
                     i + made->first, made->own == 1 ? i : 7);
    }
}

static void add_graph(struct buf *out, const struct made *made) {
    buf_add_lit(out, "def forward(self):\n  # File: /app/m.py:3 in forward, code: x\n  x: \"f32[8]\" = l_x_ + 1\n");
    for (int i = 0; i < made->modules; i++)
        buf_addf(out,
                 "  # File: /app/m.py:7 in forward, code: a\n  a_%d: \"%s\" = x @ l_self_modules_blocks_modules_%d_w_\n"
                 "  # File: /app/m.py:8 in forward, code: b\n  b_%d: \"f32[8]\" = a_%d + 1\n",
                 i, i == 2 && made->type_of_third ? made->type_of_third : "f32[8]", i + made->first, i, i);
    for (int i = 0; i < made->more; i++)
        buf_addf(out, "  # File: /app/m.py:%d in forward, code: c\n  c_%d: \"f32[8]\" = x + 2\n", 20 + i, i);
}

static void look_at_made(const struct made *made, lines_look *look) {
    struct buf log = {0}, guards = {0}, graph = {0};
    add_guards(&guards, made);
    add_graph(&graph, made);
    buf_add_byte(&guards, 0);
    buf_add_byte(&graph, 0);
    log_graph(&log, 0, 0, graph.ptr);
    log_payload(&log, "\"dynamo_cpp_guards_str\": {}, \"frame_id\": 0, \"frame_compile_id\": 0, \"attempt\": 0",
                guards.ptr);
    log_metrics(&log, 0, 0, made->metrics ? made->metrics : "\"duration_us\": 600");
    buf_free(&guards);
    buf_free(&graph);
    look_at_lines(&log, look);
}

static void look_six(yyjson_val *time) {
    assert_line(time, "hints", "equal_modules", 600, 500);
    assert_text_of(time, "hints", "equal_modules", "title", "6 equal modules of `self.blocks` in one graph");
    assert_text_of(time, "hints", "equal_modules", "why", "(`app.Block`) has the same operations");
    assert_text_of(time, "hints", "equal_modules", "action", "`for module in self.blocks: module.compile()`");
}

static void look_five(yyjson_val *time) {
    assert_line(time, "hints", "equal_modules", 600, 480);
}

static void look_own(yyjson_val *time) {
    assert_line(time, "hints", "equal_modules", 600, -1);
    assert_text_of(time, "hints", "equal_modules", "why", "`index` is 1 in one and 2 in the next.");
    assert_int_equal(json_get_text(line_of(time, "hints", "equal_modules"), "action").len, 0);
}

static void look_none(yyjson_val *time) {
    assert_no_line(time, "hints", "equal_modules");
}

static void equal(void **state) {
    (void)state;
    look_at_made(&(struct made){.modules = 6}, look_six);
    look_at_made(&(struct made){.modules = 6, .own = 2}, look_six);
    look_at_made(&(struct made){.modules = 6, .own = 1}, look_own);
    look_at_made(&(struct made){.modules = 6, .more = 11}, look_six);
    look_at_made(&(struct made){.modules = 6, .type_of_third = "f32[16]"}, look_five);
    look_at_made(&(struct made){.modules = 6, .class_of_last = "app.Last"}, look_five);
}

static void not_equal(void **state) {
    (void)state;
    look_at_made(&(struct made){.modules = 3}, look_none);
    look_at_made(&(struct made){.modules = 4, .type_of_third = "f32[16]"}, look_none);
    look_at_made(&(struct made){.modules = 6, .more = 40}, look_none); /* most of the graph is something else */
    look_at_made(&(struct made){.modules = 6, .first = 3}, look_none); /* numbers do not begin with 0 */
    look_at_made(&(struct made){.modules = 2, .first = 0}, look_none);
    look_at_made(&(struct made){.modules = 0}, look_none);
}

/* What failed has no code to share. */
static void not_compiled(void **state) {
    (void)state;
    struct made made = {.modules = 6, .metrics = "\"duration_us\": 600, \"co_name\": \"f\", \"fail_type\": \"X\""};
    look_at_made(&made, look_none);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(equal), cmocka_unit_test(not_equal),
                                       cmocka_unit_test(not_compiled)};
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}

/* findings/findings_memory: which lines save much for the backward. */
#define _GNU_SOURCE
#include "whole.h"

#include "findings/findings_make.h"
#include "lowering/graph_memory.h"

/* Adds the issues for one line of a forward that saves `saved` bytes; the last has the text, if there is one. */
static size_t count_for(const struct model *model, struct saved_line line, int64_t saved, struct buf *text) {
    struct findings findings = {0};
    struct graph_memory graph = {.saved = saved, .lines = &line, .line_count = 1};
    struct graph_memories memories = {0}, *real = model->memories;
    struct model *changed = (struct model *)(uintptr_t)model;
    LIST_ADD(&memories.list, graph);
    changed->memories = &memories;
    findings_add_memory(&findings, model);
    changed->memories = real;
    size_t count = findings.list.count;
    text->len = 0;
    if (count)
        BUF_ADD(text, findings.list.items[0].title, ". ", findings.list.items[0].why);
    findings_finish(&findings);
    mem_free(memories.list.items);
    return count;
}

static void look(const struct model *model) {
    static const struct place place = {.file = SLICE_INIT("/home/x/a.py"), .line = 7};
    struct saved_line line = {.place = place, .code = SLICE("y = x"), .bytes = 64000000, .tensors = 1};
    struct buf text = {0};
    assert_int_equal(count_for(model, line, 64000000, &text), 1);
    assert_buf(
        &text,
        "a.py:7 saves 64.0 MB for the backward. That is 100 % of the 64.0 MB that the forward of [0/0] keeps until "
        "its backward has run, in 1 tensor.");
    assert_int_equal(count_for(model, line, 3 * 64000000, &text), 1);
    assert_int_equal(count_for(model, line, 3 * 64000001, &text), 0); /* less than a third */
    line.bytes = 63999999;
    assert_int_equal(count_for(model, line, 64000000, &text), 0);
    line.bytes = 100000000;
    line.result_bytes = 36000000;
    line.tensors = 2;
    line.symbolic = true;
    assert_int_equal(count_for(model, line, 100000000, &text), 1);
    assert_buf(
        &text,
        "a.py:7 saves 64.0 MB for the backward. That is 64 % of the 100 MB that the forward of [0/0] keeps until its "
        "backward has run, in 2 tensors, for the sizes of the example inputs. Results of the function do not count.");
    line.result_bytes = 36000001; /* the program keeps these anyway */
    assert_int_equal(count_for(model, line, 100000000, &text), 0);
    line.result_bytes = 0;
    line.place = (struct place){0}; /* of no line */
    assert_int_equal(count_for(model, line, 100000000, &text), 0);
    buf_free(&text);
}

static void reports_lines_at_the_limits(void **state) {
    (void)state;
    struct buf log = {0};
    log_payload(&log, "\"dynamo_output_graph\": {\"sizes\": {}}, " ID0,
                "class GraphModule(torch.nn.Module):\n"
                "    def forward(self, L_x_: \"f32[4]\"):\n"
                "        l_x_ = L_x_\n"
                "        # File: /home/x/a.py:7 in f, code: y = x\n"
                "        y: \"f32[4]\" = l_x_.sin();  l_x_ = None\n"
                "        return (y,)\n");
    log_artifact(&log, "fx_graph_runnable", "string", "import torch\nimport torch._inductor.config\n");
    look_at(&log, look);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(reports_lines_at_the_limits)};
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}

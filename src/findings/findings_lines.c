/* findings_lines.c - the user's lines within the compiled code that lead to a graph break in a library.
 *
 * PyTorch's traceback of the user's code leaves out the first frame of a compile in some cases. Its innermost user line
 * is then the one that calls the compiled function, which is outside of the compiled code. The stacks in dynamo_start
 * of the frames that the break splits have the missing line. */

#include "findings/findings_failures.h"
#include "scan/library.h"

enum { COMPILES_LOOKED_AT = 32, DEPTH_MAX = 1024 };

/* The outermost call of a compiled function: the frames above are not compiled. NULL: the stack does not have it. */
static const struct stack_node *entry_of(const struct compile *compile) {
    const struct stack_node *entry = NULL, *node = compile->stack;
    for (size_t depth = 0; node && depth < DEPTH_MAX; node = node->parent, depth++)
        if (slice_ends(node->frame->file, SLICE("torch/_dynamo/eval_frame.py")))
            entry = node;
    return entry;
}

static bool is_same_line(const struct frame *a, const struct frame *b) {
    return a->line == b->line && slice_eq(a->file, b->file);
}

/* Whether the line calls a compiled function, or leads to such a call. */
static bool is_outside(const struct model *model, const struct graph_break *found, const struct frame *line) {
    for (size_t i = 0; i < found->compiles.count && i < COMPILES_LOOKED_AT; i++) {
        const struct stack_node *node = entry_of(model->compiles.items[found->compiles.items[i]]);
        for (size_t depth = 0; node && depth < DEPTH_MAX; node = node->parent, depth++)
            if (is_same_line(node->frame, line))
                return true;
    }
    return slice_is(line->function, "<module>");
}

static void add_distinct(struct user_lines *lines, const struct frame *line) {
    for (size_t i = 0; i < lines->count; i++)
        if (is_same_line(lines->items[i], line))
            return;
    if (lines->count < USER_LINES_MAX)
        lines->items[lines->count++] = line;
    else
        lines->more = true;
}

struct user_lines failure_user_lines(const struct model *model, const struct graph_break *found) {
    struct user_lines lines = {0};
    for (size_t i = found->stack.count; i-- > 0;)
        if (!is_library_file(found->stack.items[i].file)) {
            if (is_outside(model, found, &found->stack.items[i]))
                break;
            add_distinct(&lines, &found->stack.items[i]);
            return lines;
        }
    for (size_t i = 0; i < found->compiles.count && i < COMPILES_LOOKED_AT; i++) {
        const struct compile *compile = model->compiles.items[found->compiles.items[i]];
        const struct stack_node *entry = entry_of(compile), *node = entry ? compile->stack : NULL;
        if (!node ||
            !is_library_file(compile->frame.file)) /* in a frame of the user, the line is where the frame begins */
            continue;
        while (node != entry && is_library_file(node->frame->file))
            node = node->parent;
        if (node != entry)
            add_distinct(&lines, node->frame);
    }
    return lines;
}

/* "a.py:3, a.py:4 and b.py:5" */
static void add_lines(struct buf *text, const struct user_lines *lines) {
    for (size_t i = 0; i < lines->count; i++)
        buf_addf(text, "%s%.*s:%" PRIu64,
                 i == 0                                  ? ""
                 : i + 1 == lines->count && !lines->more ? " and "
                                                         : ", ",
                 SLICE_ARG(path_last(lines->items[i]->file)), lines->items[i]->line);
    if (lines->more)
        buf_add_lit(text, " and others");
}

struct slice failure_captured_inside(struct findings *findings, const struct model *model,
                                     const struct graph_break *found, struct slice hint, struct slice setting) {
    const struct user_lines lines = failure_user_lines(model, found);
    struct buf text = {0};
    buf_addf(&text, "%.*s%s If the library or your code tests the result, %s", SLICE_ARG(hint),
             slice_ends(hint, SLICE(".")) ? "" : ".",
             found->skipped && slice_is(found->then_id, "GB7000") ? "the frame runs eagerly again"
                                                                  : "the graph breaks there, or an error is raised");
    if (lines.count) {
        buf_addf(&text, ": then make the call%s at ", lines.count > 1 ? "s" : "");
        add_lines(&text, &lines);
        buf_add_lit(&text, " outside of the compiled function");
    }
    buf_addf(&text, ".%s", failure_rows_note(found, setting));
    return finding_keep(findings, &text);
}

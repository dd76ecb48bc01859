#include "pages/page_parts.h"

#include "pages/html.h"
#include "trace/stack.h"

void stack_html_add(struct buf *out, const struct stack_node *stack) {
    const struct stack_node **nodes = mem_alloc((stack ? stack->depth : 0) * sizeof *nodes + 1);
    uint32_t count = 0;
    for (const struct stack_node *node = stack; node; node = node->parent)
        nodes[count++] = node;
    while (count--) {
        const struct frame *frame = nodes[count]->frame;
        html_text(out, frame->file);
        BUF_ADD(out, ":", (uint64_t)frame->line, " in ");
        html_text(out, frame->function);
        buf_add_byte(out, '\n');
        if (frame->code.len) {
            buf_add_lit(out, "    ");
            html_text(out, slice_trim(frame->code));
            buf_add_byte(out, '\n');
        }
    }
    mem_free(nodes);
}

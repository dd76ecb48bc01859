/* stack_html.h - a stack as the text of a <pre>: a line a frame, outermost first, and its line of code below it. */
#ifndef TLPARSE_REPORT_HTML_STACK_HTML_H
#define TLPARSE_REPORT_HTML_STACK_HTML_H

struct buf;
struct stack_node;

/* Nothing for NULL. */
void stack_html_add(struct buf *out, const struct stack_node *stack);

#endif

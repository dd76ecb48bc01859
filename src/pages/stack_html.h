/* stack_html.h - a stack as the text of a <pre>: one line per frame, outermost first, each followed by its source
 * line. */
#ifndef TLPARSE_PAGES_STACK_HTML_H
#define TLPARSE_PAGES_STACK_HTML_H

struct buf;
struct stack_node;

/* Adds nothing for NULL. */
void stack_html_add(struct buf *out, const struct stack_node *stack);

#endif

/* stack_table.h - the stacks referred to in a JSON file, as a table of their frames.
 *
 * Numbers are assigned on demand, parents first, so the table is written after all references. It has pointers into
 * the model, which must not change meanwhile. One thread. */
#pragma once

#include "base/jsonw.h"
#include "model/model.h"

struct stack_table {
    uint32_t *numbers; /* by index of the node */
    LIST(const struct stack_node *) nodes;
};

void stack_table_init(struct stack_table *table, const struct model *model);
/* Forgets all numbers, for the next file. */
void stack_table_clear(struct stack_table *table);
/* The number of the innermost frame; null for NULL. */
void stack_table_ref(struct jsonw *w, const char *key, struct stack_table *table, const struct stack_node *node);
/* The members of a frame: "function", "file", "line", "code", "library". */
void stack_frame_write(struct jsonw *w, const struct frame *frame);
/* A list of {"parent", "function", "file", "line", "code", "library"}. */
void stack_table_write(struct jsonw *w, const char *key, const struct stack_table *table);
void stack_table_free(struct stack_table *table);

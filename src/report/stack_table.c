#include "report/stack_table.h"

#include "scan/library.h"

#define NO_NUMBER UINT32_MAX

void stack_table_init(struct stack_table *table, const struct model *model) {
    size_t bytes = (model->stacks.nodes.count + 1) * sizeof *table->numbers;
    *table = (struct stack_table){.numbers = mem_alloc(bytes)};
    memset(table->numbers, 0xff, bytes);
}

void stack_table_clear(struct stack_table *table) {
    for (size_t i = 0; i < table->nodes.count; i++)
        table->numbers[table->nodes.items[i]->index] = NO_NUMBER;
    table->nodes.count = 0;
}

void stack_table_free(struct stack_table *table) {
    mem_free(table->numbers);
    mem_free(table->nodes.items);
    *table = (struct stack_table){0};
}

/* Numbers the nodes inwards from the outermost one without a number. */
static void add_nodes(struct stack_table *table, const struct stack_node *node) {
    size_t first = table->nodes.count;
    for (; node && table->numbers[node->index] == NO_NUMBER; node = node->parent) {
        LIST_ADD(&table->nodes, node);
        table->numbers[node->index] = 0;
    }
    for (size_t low = first, high = table->nodes.count; low + 1 < high; low++) {
        const struct stack_node *swap = table->nodes.items[low];
        table->nodes.items[low] = table->nodes.items[--high];
        table->nodes.items[high] = swap;
    }
    for (size_t i = first; i < table->nodes.count; i++)
        table->numbers[table->nodes.items[i]->index] = (uint32_t)i;
}

void stack_table_ref(struct jsonw *w, const char *key, struct stack_table *table, const struct stack_node *node) {
    if (node)
        add_nodes(table, node);
    jsonw_known(w, key, node ? (int64_t)table->numbers[node->index] : -1);
}

void stack_frame_write(struct jsonw *w, const struct frame *frame) {
    JSON_MEMBERS(w, frame, function, file, line, code);
    jsonw_bool(w, "library", is_library_file(frame->file));
}

void stack_table_write(struct jsonw *w, const char *key, const struct stack_table *table) {
    jsonw_array(w, key);
    for (size_t i = 0; i < table->nodes.count; i++) {
        const struct stack_node *node = table->nodes.items[i];
        jsonw_object(w, NULL);
        jsonw_i64(w, "parent", node->parent ? (int64_t)table->numbers[node->parent->index] : -1);
        stack_frame_write(w, node->frame);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
}

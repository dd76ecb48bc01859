#include "report/shapes_json.h"

#include <stdlib.h>

#include "base/mem.h"

#define NO_NUMBER UINT32_MAX

void stack_table_init(struct stack_table *table, const struct report *report) {
    size_t bytes = (report->stacks.nodes.count + 1) * sizeof *table->numbers;
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
    free(table->nodes.items);
    *table = (struct stack_table){0};
}

/* The nodes from the outermost without a number inwards get the next ones. */
static void add_nodes(struct stack_table *table, const struct stack_node *node) {
    size_t first = table->nodes.count;
    for (; node && table->numbers[node->index] == NO_NUMBER; node = node->parent) {
        MEM_GROW(&table->nodes);
        table->nodes.items[table->nodes.count++] = node;
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

static void write_stack(struct jsonw *w, const char *key, struct stack_table *table, const struct stack_node *node) {
    if (node)
        add_nodes(table, node);
    jsonw_known(w, key, node ? (int64_t)table->numbers[node->index] : -1);
}

void stack_table_write(struct jsonw *w, const char *key, const struct stack_table *table) {
    jsonw_array(w, key);
    for (size_t i = 0; i < table->nodes.count; i++) {
        const struct stack_node *node = table->nodes.items[i];
        jsonw_object(w, NULL);
        jsonw_i64(w, "parent", node->parent ? (int64_t)table->numbers[node->parent->index] : -1);
        jsonw_text(w, "function", node->frame->function);
        jsonw_text(w, "file", node->frame->file);
        jsonw_u64(w, "line", node->frame->line);
        jsonw_text(w, "code", node->frame->code);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
}

bool shapes_any(const struct compile *compile) {
    for (int kind = 0; kind < FACT_KINDS; kind++)
        if (compile->facts[kind].count)
            return true;
    return false;
}

void shapes_write_counts(struct jsonw *w, const char *key, const struct compile *compile) {
    jsonw_object(w, key);
    jsonw_u64(w, "symbols", compile->facts[FACT_SYMBOL].count + compile->facts[FACT_UNBACKED].count);
    jsonw_u64(w, "specializations", compile->facts[FACT_SPECIALIZATION].count);
    jsonw_u64(w, "guards", compile->facts[FACT_GUARD].count);
    jsonw_end_object(w);
}

static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* s77, u0, zf1, zuf3: letters of which the first is s, u or z, and then digits. */
static bool is_symbol(struct slice word) {
    size_t i = 0;
    if (!word.len || (word.ptr[0] != 's' && word.ptr[0] != 'u' && word.ptr[0] != 'z'))
        return false;
    while (i < word.len && word.ptr[i] >= 'a' && word.ptr[i] <= 'z')
        i++;
    if (i == word.len || i > 3)
        return false;
    for (; i < word.len; i++)
        if (word.ptr[i] < '0' || word.ptr[i] > '9')
            return false;
    return true;
}

enum { SYMBOLS_MAX = 64 }; /* of one expression */

/* Each symbol that the expression names, once. */
static void write_symbols(struct jsonw *w, struct slice expr) {
    struct slice seen[SYMBOLS_MAX];
    size_t count = 0;
    jsonw_array(w, "symbols");
    for (size_t i = 0, end; i < expr.len && count < SYMBOLS_MAX; i = end) {
        bool known = false;
        for (end = i; end < expr.len && is_word(expr.ptr[end]); end++)
            continue;
        struct slice word = slice_make(expr.ptr + i, end - i);
        end += end == i;
        for (size_t s = 0; s < count; s++)
            known |= slice_eq(seen[s], word);
        if (known || !is_symbol(word))
            continue;
        seen[count++] = word;
        jsonw_text(w, NULL, word);
    }
    jsonw_end_array(w);
}

static void write_where(struct jsonw *w, const struct report *report, struct stack_table *table,
                        const struct fact *fact) {
    jsonw_known(w, "attempt", report->folders.items[fact->folder].attempt);
    jsonw_u64(w, "line", fact->line);
    write_stack(w, "user_stack", table, fact->user_stack);
    write_stack(w, "stack", table, fact->stack);
}

static void write_symbol(struct jsonw *w, const struct fact *fact, bool unbacked) {
    jsonw_text(w, "symbol", fact->symbol);
    jsonw_bool(w, "unbacked", unbacked);
    jsonw_text(w, "value", fact->value);
    jsonw_text(w, "range", fact->range);
    jsonw_text(w, "source", fact->source);
}

static void write_fact(struct jsonw *w, enum fact_kind kind, const struct fact *fact) {
    switch (kind) {
    case FACT_SPECIALIZATION:
        jsonw_text(w, "symbol", fact->symbol);
        jsonw_text(w, "value", fact->value);
        jsonw_text(w, "source", fact->source);
        jsonw_text(w, "reason", fact->text);
        break;
    case FACT_GUARD:
        jsonw_text(w, "expr", fact->text);
        write_symbols(w, fact->text);
        break;
    default:
        write_symbol(w, fact, kind == FACT_UNBACKED);
    }
}

/* Returns how many are left out. */
static size_t write_facts(struct jsonw *w, const struct report *report, const struct compile *compile,
                          enum fact_kind kind, struct stack_table *table) {
    size_t count = 0;
    for (const struct fact *fact = compile->facts[kind].first; fact && count < SHAPES_MAX; fact = fact->next, count++) {
        jsonw_object(w, NULL);
        write_fact(w, kind, fact);
        write_where(w, report, table, fact);
        jsonw_end_object(w);
    }
    return compile->facts[kind].count - count;
}

void shapes_write(struct jsonw *w, const char *key, const struct report *report, const struct compile *compile,
                  struct stack_table *table) {
    size_t more = 0;
    jsonw_object(w, key);
    jsonw_array(w, "symbols");
    more += write_facts(w, report, compile, FACT_SYMBOL, table);
    more += write_facts(w, report, compile, FACT_UNBACKED, table);
    jsonw_end_array(w);
    jsonw_array(w, "specializations");
    more += write_facts(w, report, compile, FACT_SPECIALIZATION, table);
    jsonw_end_array(w);
    jsonw_array(w, "guards");
    more += write_facts(w, report, compile, FACT_GUARD, table);
    jsonw_end_array(w);
    jsonw_u64(w, "more", more);
    jsonw_end_object(w);
}

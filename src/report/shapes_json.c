#include "report/members.h"

#include "recompiles/dynamic.h"

bool shapes_any(const struct compile *compile) {
    for (int kind = 0; kind < SHAPE_KINDS; kind++)
        if (compile->shapes[kind].count)
            return true;
    return false;
}

void shapes_write_counts(struct jsonw *w, const char *key, const struct compile *compile) {
    jsonw_object(w, key);
    JSON_ADD(w, "symbols", compile->shapes[SHAPE_SYMBOL].count + compile->shapes[SHAPE_UNBACKED].count,
             "specializations", compile->shapes[SHAPE_SPECIALIZATION].count, "guards",
             compile->shapes[SHAPE_GUARD].count);
    jsonw_end_object(w);
}

/* s77, u0, zf1, zuf3: letters that begin with s, u or z, then digits. */
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

enum { SYMBOLS_MAX = 64 }; /* per expression */

/* Writes each symbol in the expression once. */
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

static void write_where(struct jsonw *w, const struct model *model, struct stack_table *table,
                        const struct shape_record *fact) {
    JSON_ADD(w, "attempt", model->folders.items[fact->folder].attempt, "line", fact->line);
    stack_table_ref(w, "user_stack", table, fact->user_stack);
    stack_table_ref(w, "stack", table, fact->stack);
}

static void write_symbol(struct jsonw *w, const struct compile *compile, const struct shape_record *fact,
                         bool unbacked) {
    jsonw_text(w, "symbol", fact->symbol);
    jsonw_bool(w, "unbacked", unbacked);
    JSON_MEMBERS(w, fact, value, range, source);
    JSON_ADD(w, "dynamic_by", dynamic_by_name(unbacked ? DYNAMIC_UNKNOWN : dynamic_of(compile, fact)), "dynamic_why",
             dynamic_of(compile, fact) == DYNAMIC_AUTOMATIC ? fact->dynamic_why : (struct slice){0});
}

static void write_fact(struct jsonw *w, const struct compile *compile, enum shape_kind kind,
                       const struct shape_record *fact) {
    switch (kind) {
    case SHAPE_SPECIALIZATION:
        JSON_MEMBERS(w, fact, symbol, value, source);
        jsonw_text(w, "reason", fact->text);
        break;
    case SHAPE_GUARD:
        jsonw_text(w, "expr", fact->text);
        write_symbols(w, fact->text);
        break;
    default:
        write_symbol(w, compile, fact, kind == SHAPE_UNBACKED);
    }
}

/* Returns the number of omitted records. */
static size_t write_facts(struct jsonw *w, const struct model *model, const struct compile *compile,
                          enum shape_kind kind, struct stack_table *table) {
    size_t count = 0;
    for (const struct shape_record *fact = compile->shapes[kind].first; fact && count < SHAPES_MAX;
         fact = fact->next, count++) {
        jsonw_object(w, NULL);
        write_fact(w, compile, kind, fact);
        write_where(w, model, table, fact);
        jsonw_end_object(w);
    }
    return compile->shapes[kind].count - count;
}

void shapes_write(struct jsonw *w, const char *key, const struct model *model, const struct compile *compile,
                  struct stack_table *table) {
    size_t more = 0;
    jsonw_object(w, key);
    jsonw_array(w, "symbols");
    more += write_facts(w, model, compile, SHAPE_SYMBOL, table);
    more += write_facts(w, model, compile, SHAPE_UNBACKED, table);
    jsonw_end_array(w);
    jsonw_array(w, "specializations");
    more += write_facts(w, model, compile, SHAPE_SPECIALIZATION, table);
    jsonw_end_array(w);
    jsonw_array(w, "guards");
    more += write_facts(w, model, compile, SHAPE_GUARD, table);
    jsonw_end_array(w);
    jsonw_u64(w, "more", more);
    jsonw_end_object(w);
}

#include "report/members.h"

#include "analysis/export_words.h"
#include "model/export_calls.h"
#include "pages/page_parts.h"
#include "report/stack_table.h"

static void write_pairs(struct jsonw *w, const char *key, const char *value, const struct export_pair *pairs,
                        uint32_t count) {
    jsonw_array(w, key);
    for (uint32_t i = 0; i < count; i++) {
        jsonw_object(w, NULL);
        jsonw_text(w, "name", pairs[i].name);
        jsonw_text(w, value, pairs[i].value);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
}

static void write_tree(struct jsonw *w, struct stack_table *used, const struct export_failure *failure) {
    const struct expression none = {0};
    jsonw_array(w, "tree");
    for (uint32_t i = 0; i < failure->tree_count; i++) {
        const struct tree_node *node = &failure->tree[i];
        const struct expression *expression = node->expression ? node->expression : &none;
        jsonw_object(w, NULL);
        JSON_ADD(w, "depth", node->depth, "expr", node->expression ? expression->result : node->text);
        JSON_MEMBERS(w, expression, method, arguments, range);
        stack_table_ref(w, "user_stack", used, expression->user_stack);
        stack_table_ref(w, "stack", used, expression->stack);
        JSON_MEMBERS(w, node, again, cut);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    jsonw_bool(w, "tree_cut", failure->tree_cut);
}

static void write_outcome(struct jsonw *w, const struct model *model, bool shown) {
    AUTO_BUF title = {0}, text = {0};
    if (!shown) {
        jsonw_null(w, "outcome");
        return;
    }
    bool known = export_add_outcome(&title, &text, model);
    jsonw_object(w, "outcome");
    jsonw_bool(w, "known", known);
    JSON_ADD(w, "title", buf_slice(&title), "text", buf_slice(&text));
    jsonw_end_object(w);
}

static void write_call_counts(struct jsonw *w, const struct exports *exports) {
    uint64_t counts[EXPORT_OUTCOMES] = {0};
    for (size_t i = 0; i < exports->calls.count; i++)
        counts[exports->calls.items[i].outcome]++;
    jsonw_u64(w, "call_count", exports->calls.count);
    jsonw_object(w, "outcomes");
    for (int outcome = 0; outcome < EXPORT_OUTCOMES; outcome++)
        if (counts[outcome])
            jsonw_u64(w, export_outcome_name((enum export_outcome)outcome), counts[outcome]);
    jsonw_end_object(w);
}

static void write_calls(struct jsonw *w, const struct model *model) {
    jsonw_array(w, "calls");
    for (size_t i = 0; i < model->exports->calls.count; i++) {
        const struct export_call *call = &model->exports->calls.items[i];
        jsonw_object(w, NULL);
        jsonw_str(w, "outcome", export_outcome_name(call->outcome));
        jsonw_text(w, "compile", model->compiles.items[call->compile]->key);
        place_json_write(w, "place", &call->place);
        place_json_write(w, "caller", &call->caller);
        if (call->mode == EXPORT_MODE_UNKNOWN)
            jsonw_null(w, "strict");
        else
            jsonw_bool(w, "strict", call->mode == EXPORT_STRICT);
        JSON_MEMBERS(w, call, line, failure, program);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
}

static void write_limits(struct jsonw *w, const struct export_failure *failure) {
    struct slice rest = failure->kind == EXPORT_CONSTRAINT ? failure->detail : (struct slice){0}, fix;
    jsonw_array(w, "constraints");
    for (uint32_t i = 0; i < failure->limit_count; i++) {
        jsonw_object(w, NULL);
        JSON_ADD(w, "text", failure->limits[i].says.says, "name", failure->limits[i].says.name, "expr",
                 failure->limits[i].says.expr);
        place_json_write(w, "place", &failure->limits[i].place);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    jsonw_array(w, "suggested_fixes");
    while ((fix = constraint_fix_next(&rest)).len)
        jsonw_text(w, NULL, fix);
    jsonw_end_array(w);
}

static void write_words(struct jsonw *w, const struct export_failure *failure) {
    AUTO_BUF words = {0};
    struct slice rest, line;
    export_add_title(&words, failure);
    jsonw_text(w, "title", buf_slice(&words));
    words.len = 0;
    export_add_reason(&words, failure);
    jsonw_text(w, "reason", buf_slice(&words));
    words.len = 0;
    export_add_advice(&words, failure);
    rest = buf_slice(&words);
    jsonw_array(w, "advice");
    while (slice_next_line(&rest, &line))
        jsonw_text(w, NULL, line);
    jsonw_end_array(w);
}

static void write_failure(struct jsonw *w, const struct model *model, struct stack_table *used,
                          const struct export_failure *failure) {
    jsonw_object(w, NULL);
    JSON_ADD(w, "kind", export_kind_name(failure->kind), "compile", model->compiles.items[failure->compile]->key,
             "line", failure->line ? (int64_t)failure->line : -1);
    write_words(w, failure);
    JSON_MEMBERS(w, failure, type, expr, result, op, detail);
    write_limits(w, failure);
    jsonw_text(w, "code", failure->code);
    place_json_write(w, "place", &failure->place);
    stack_table_ref(w, "user_stack", used, failure->user_stack);
    stack_table_ref(w, "stack", used, failure->stack);
    write_pairs(w, "frame_locals", "value", failure->locals, failure->local_count);
    jsonw_u64(w, "more_locals", failure->more_locals);
    write_pairs(w, "symbols", "source", failure->symbols, failure->symbol_count);
    write_tree(w, used, failure);
    jsonw_text(w, "url", failure->url);
    jsonw_end_object(w);
}

static void write_programs(struct jsonw *w, const struct model *model) {
    jsonw_array(w, "programs");
    for (size_t i = 0; i < model->exports->programs.count; i++) {
        const struct export_program *program = &model->exports->programs.items[i];
        jsonw_object(w, NULL);
        JSON_ADD(w, "compile", model->compiles.items[program->compile]->key, "artifact", program->place, "url",
                 model->artifacts.items[program->artifact].url, "bytes",
                 model->artifacts.items[program->artifact].bytes);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
}

static void write_counts(struct jsonw *w, const struct exports *exports) {
    uint64_t counts[EXPORT_KINDS] = {0};
    for (size_t i = 0; i < exports->failures.count; i++)
        counts[exports->failures.items[i]->kind]++;
    jsonw_object(w, "counts");
    for (int kind = 0; kind < EXPORT_KINDS; kind++)
        if (counts[kind])
            jsonw_u64(w, export_kind_name(kind), counts[kind]);
    jsonw_end_object(w);
}

void export_json_write(struct jsonw *w, const char *key, const struct model *model, bool whole) {
    static const struct exports none;
    bool shown = exports_shown(model);
    const struct exports *exports = shown ? model->exports : &none;
    jsonw_object(w, key);
    JSON_MEMBERS(w, exports, found, asked);
    write_counts(w, exports);
    JSON_ADD(w, "failure_count", exports->failures.count, "more_failures", exports->more_failures, "program_count",
             exports->programs.count);
    write_call_counts(w, exports);
    write_outcome(w, model, shown);
    if (whole && shown) {
        struct stack_table used;
        stack_table_init(&used, model);
        jsonw_array(w, "failures");
        for (size_t i = 0; i < exports->failures.count; i++)
            write_failure(w, model, &used, exports->failures.items[i]);
        jsonw_end_array(w);
        write_calls(w, model);
        write_programs(w, model);
        stack_table_write(w, "stacks", &used);
        stack_table_free(&used);
    } else if (whole) {
        static const char *const empty[] = {"failures", "calls", "programs", "stacks"};
        for (size_t i = 0; i < sizeof empty / sizeof *empty; i++) {
            jsonw_array(w, empty[i]);
            jsonw_end_array(w);
        }
    }
    jsonw_end_object(w);
}

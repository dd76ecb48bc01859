/* Records of torch.export and draft_export: expressions, decisions about them, fake kernels, the exported program.
 *
 * Members vary: since PyTorch 2.13, a local is a list of texts; before, it was a text. Some versions omit members. */
#include "kinds/export_records.h"

#include "model/export.h"

#include "kinds/fold.h"
#include "pages/export_page.h"

enum { LOCALS_MAX = 100, VALUE_MAX_BYTES = 2000, ARGUMENTS_MAX_BYTES = 2000 };

static struct exports *exports_here(struct fold *fold) {
    return exports_of(fold->model);
}

/* A text unchanged, a list as its items separated by commas, other values as JSON. */
static void add_value(struct buf *out, yyjson_val *value, size_t most) {
    size_t i, max;
    yyjson_val *item;
    if (yyjson_is_str(value)) {
        buf_add(out, slice_first(json_text(value), most));
    } else if (yyjson_is_arr(value)) {
        yyjson_arr_foreach(value, i, max, item) {
            if (i)
                buf_add_lit(out, ", ");
            if (out->len > most)
                break;
            if (yyjson_is_str(item))
                buf_add(out, json_text(item));
            else
                json_add_value(out, item);
        }
    } else if (value && !yyjson_is_null(value)) {
        json_add_value(out, value);
    }
    if (out->len <= most)
        return;
    out->len = utf8_first(buf_slice(out), most).len;
    buf_add_lit(out, "…");
}

/* ptr NULL if there is none. */
static struct slice value_of(struct arena *arena, yyjson_val *value) {
    struct buf text = {0};
    if (!value || yyjson_is_null(value))
        return (struct slice){0};
    add_value(&text, value, VALUE_MAX_BYTES);
    return arena_keep(arena, &text);
}

static const struct stack_node *stack_of(struct fold *fold, yyjson_val *value, const char *key) {
    return stacks_add(&fold->model->stacks, json_get(value, key), fold->strings);
}

static bool is_number(struct slice text) {
    for (size_t i = 0; i < text.len; i++)
        if ((text.ptr[i] < '0' || text.ptr[i] > '9') && text.ptr[i] != '.' && !(i == 0 && text.ptr[i] == '-'))
            return false;
    return text.len > 0;
}

/* The ids are those of the symbolic arguments. If there are as many ids as arguments that are not constants, each id
 * gets the text of its argument. */
static void name_operands(struct exports *exports, struct expression *expression, yyjson_val *arguments) {
    struct slice names[64];
    uint32_t count = 0;
    size_t i, max;
    yyjson_val *argument;
    yyjson_arr_foreach(arguments, i, max, argument) {
        struct slice text = json_text(argument);
        if (!text.ptr || is_number(text) || slice_is(text, "True") || slice_is(text, "False"))
            continue;
        if (count == sizeof names / sizeof *names)
            return;
        names[count++] = text;
    }
    if (count != expression->operand_count)
        return;
    for (i = 0; i < count; i++)
        expression->operands[i].text = exports_text(exports, names[i]);
}

void expression_fold(struct fold *fold, const struct node *node) {
    yyjson_val *value = node->value;
    struct exports *exports = exports_here(fold);
    AUTO_BUF arguments = {0};
    uint64_t id;
    size_t i, max;
    yyjson_val *argument;
    if (!json_to_u64(json_get(value, "result_id"), &id))
        return;
    struct expression *expression = exports_define(exports, fold->process->id, id);
    struct slice method = json_get_text(value, "method");
    expression->method = exports_text(exports, method.ptr ? method : SLICE("?"));
    expression->result = exports_text(exports, json_get_text(value, "result"));
    add_value(&arguments, json_get(value, "arguments"), ARGUMENTS_MAX_BYTES);
    expression->arguments = exports_text(exports, buf_slice(&arguments));
    yyjson_arr_foreach(json_get(value, "argument_ids"), i, max, argument) {
        struct operand *operand;
        if (!json_to_u64(argument, &id))
            continue;
        if (!(operand = expression_add(exports, expression)))
            break;
        operand->id = id;
    }
    name_operands(exports, expression, json_get(value, "arguments"));
    expression->user_stack = stack_of(fold, value, "user_stack");
    expression->stack = stack_of(fold, value, "stack");
}

void unbacked_note(struct fold *fold, yyjson_val *value, const struct stack_node *user_stack,
                   const struct stack_node *stack) {
    struct exports *exports = exports_here(fold);
    uint64_t id;
    if (!json_to_u64(json_get(value, "node_id"), &id))
        return;
    struct expression *expression = exports_define(exports, fold->process->id, id);
    expression->result = exports_text(exports, json_get_text(value, "symbol"));
    expression->range = exports_text(exports, json_get_text(value, "vr"));
    expression->user_stack = user_stack;
    expression->stack = stack;
}

static uint32_t read_pairs(struct arena *arena, yyjson_val *object, struct export_pair *pairs, uint32_t count) {
    size_t i, max;
    yyjson_val *key, *value;
    yyjson_obj_foreach(object, i, max, key, value) {
        if (count == LOCALS_MAX)
            break;
        bool known = false;
        for (uint32_t k = 0; k < count && !known; k++)
            known = slice_eq(pairs[k].name, json_text(key));
        if (known)
            continue;
        struct slice text = value_of(arena, value);
        pairs[count++] = (struct export_pair){value_of(arena, key), text.ptr ? text : SLICE("None")};
    }
    return count;
}

static void read_locals(struct arena *arena, struct export_failure *failure, yyjson_val *value) {
    struct export_pair pairs[LOCALS_MAX];
    yyjson_val *frame = json_get(value, "frame_locals"), *locals = json_get(frame, "locals");
    failure->code = value_of(arena, json_get(frame, "loc"));
    failure->local_count = read_pairs(arena, locals, pairs, 0);
    failure->locals = ARENA_COPY(arena, pairs, failure->local_count);
    if (yyjson_obj_size(locals) > failure->local_count)
        failure->more_locals = (uint32_t)(yyjson_obj_size(locals) - failure->local_count);
    uint32_t count = read_pairs(arena, json_get(value, "symbol_to_sources"), pairs, 0);
    failure->symbol_count = read_pairs(arena, json_get(frame, "symbols"), pairs, count);
    failure->symbols = ARENA_COPY(arena, pairs, failure->symbol_count);
}

static bool is_of_torch(const struct frame *frame) {
    return slice_find(frame->file, SLICE("/torch/")) != SIZE_MAX || slice_starts(frame->file, SLICE("torch/"));
}

/* The innermost user frame, or, if only the full stack is known, the innermost frame outside of torch. */
static void find_place(struct export_failure *failure) {
    const struct stack_node *node = failure->user_stack;
    for (const struct stack_node *at = failure->stack; !node && at; at = at->parent)
        if (!is_of_torch(at->frame))
            node = at;
    if (!node)
        return;
    failure->place = (struct place){node->frame->file, node->frame->function, node->frame->line};
    if (!failure->code.len && node->frame->code.len)
        failure->code = slice_trim(node->frame->code);
}

static struct export_failure start(struct fold *fold, enum export_kind kind) {
    return (struct export_failure){.kind = kind,
                                   .compile = fold->model->folders.items[fold->folder].compile,
                                   .folder = fold->folder,
                                   .line = fold->line};
}

static bool all_texts(yyjson_val *object) {
    size_t i, max;
    yyjson_val *key, *value;
    yyjson_obj_foreach(object, i, max, key, value) {
        if (!yyjson_is_str(value))
            return false;
    }
    return true;
}

/* The reference drops a record with a list among its locals, so such a record must not affect the numbers of other
 * files. */
static bool reference_loses(yyjson_val *value) {
    yyjson_val *frame = json_get(value, "frame_locals");
    return !all_texts(json_get(value, "symbol_to_sources")) || !all_texts(json_get(frame, "locals")) ||
           !all_texts(json_get(frame, "symbols"));
}

/* With --export: writes symbolic_guard_information_N.html, immediately or at the end. */
static void add_page(struct fold *fold, const struct node *node, struct export_failure *failure) {
    if (!fold->options->export || fold->left_out)
        return;
    failure->late = reference_loses(node->value);
    if (failure->late)
        return;
    struct export_page *page = arena_alloc(fold->arena, sizeof *page);
    *page = (struct export_page){*failure, fold_key(fold)};
    failure->url = fold_make(fold, node,
                             &(struct making){.name = EXPORT_PAGE,
                                              .suffix = ".html",
                                              .lang = LANG_TEXT,
                                              .render = export_page_render,
                                              .data = page,
                                              .when = MAKE_IN_EXPORT})
                       ->url;
}

/* Adds a decision about an expression, and how the expression was derived. */
static void add_decision(struct fold *fold, const struct node *node, struct export_failure *failure) {
    yyjson_val *value = node->value;
    struct exports *exports = exports_here(fold);
    struct arena *arena = exports_arena(exports, fold->arena);
    uint64_t id;
    failure->expr = value_of(arena, json_get(value, "expr"));
    failure->result = value_of(arena, json_get(value, "result"));
    failure->user_stack = stack_of(fold, value, "user_stack");
    failure->stack = stack_of(fold, value, "stack");
    failure->provenance = true;
    read_locals(arena, failure, value);
    find_place(failure);
    if (json_to_u64(json_get(value, "expr_node_id"), &id) || json_to_u64(json_get(value, "expr_id"), &id))
        exports_take_tree(exports, arena, failure, fold->process->id, id);
    add_page(fold, node, failure);
}

void guard_added_fold(struct fold *fold, const struct node *node) {
    yyjson_val *value = node->value;
    if (!slice_is(json_get_text(value, "prefix"), "eval"))
        return;
    struct export_failure failure = start(fold, EXPORT_GUARD);
    add_decision(fold, node, &failure);
    exports_fail(exports_here(fold), &failure);
}

/* The short form of the same decision may have been logged before. */
void real_tensors_provenance_fold(struct fold *fold, const struct node *node) {
    struct exports *exports = exports_here(fold);
    struct export_failure failure = start(fold, EXPORT_DATA_DEPENDENT);
    add_decision(fold, node, &failure);
    struct export_failure *known = failure.expr.len ? exports_recall(exports, failure.compile, failure.expr) : NULL;
    if (known && !known->provenance)
        *known = failure;
    else
        exports_fail(exports, &failure);
}

void real_tensors_fold(struct fold *fold, const struct node *node) {
    yyjson_val *value = node->value;
    struct exports *exports = exports_here(fold);
    struct export_failure failure = start(fold, EXPORT_DATA_DEPENDENT);
    struct arena *arena = exports_arena(exports, fold->arena);
    failure.expr = value_of(arena, json_get(value, "expr"));
    failure.result = value_of(arena, json_get(value, "result"));
    failure.stack = stack_of(fold, value, "stack");
    find_place(&failure);
    struct export_failure *kept = exports_fail(exports, &failure);
    if (kept && kept->expr.len)
        exports_remember(exports, kept, kept->expr);
}

/* The decision ended the trace, and the metrics of the compile report it again. */
void data_dependent_fold(struct fold *fold, const struct node *node) {
    yyjson_val *value = node->value;
    struct exports *exports = exports_here(fold);
    struct export_failure failure = start(fold, EXPORT_DATA_DEPENDENT);
    struct arena *arena = exports_arena(exports, fold->arena);
    uint64_t id;
    failure.expr = value_of(arena, json_get(value, "expr"));
    failure.stack = stack_of(fold, value, "stack");
    failure.user_stack = stack_of(fold, value, "user_stack");
    read_locals(arena, &failure, value);
    find_place(&failure);
    if (json_to_u64(json_get(value, "expr_id"), &id) || json_to_u64(json_get(value, "expr_node_id"), &id))
        exports_take_tree(exports, arena, &failure, fold->process->id, id);
    struct export_failure *kept = exports_fail(exports, &failure);
    if (kept)
        exports_remember(exports, kept, (struct slice){0});
}

static void add_kernel(struct fold *fold, enum export_kind kind, yyjson_val *value) {
    struct exports *exports = exports_here(fold);
    struct export_failure failure = start(fold, kind);
    struct arena *arena = exports_arena(exports, fold->arena);
    exports->found = true; /* only draft_export logs these */
    failure.op = value_of(arena, json_get(value, "op"));
    failure.detail = value_of(arena, json_get(value, "reason"));
    failure.user_stack = stack_of(fold, value, "user_stack");
    failure.stack = stack_of(fold, value, "stack");
    find_place(&failure);
    exports_fail(exports, &failure);
}

void missing_kernel_fold(struct fold *fold, const struct node *node) {
    yyjson_val *value = node->value;
    add_kernel(fold, EXPORT_MISSING_KERNEL, value);
}

void mismatched_kernel_fold(struct fold *fold, const struct node *node) {
    yyjson_val *value = node->value;
    add_kernel(fold, EXPORT_MISMATCHED_KERNEL, value);
}

void exported_program_fold(struct fold *fold, const struct node *node) {
    struct exports *exports = exports_here(fold);
    struct slice payload = fold->record->payload;
    exports->found = true;
    struct artifact *artifact = fold_make(fold, node,
                                          &(struct making){.name = slice_str(node->kind->key),
                                                           .suffix = ".txt",
                                                           .lang = node->kind->lang,
                                                           .text = payload.ptr ? payload : SLICE(""),
                                                           .is_payload = true,
                                                           .when = MAKE_IN_EXPORT});
    ARENA_ADD(exports->arena, &exports->programs,
              (struct export_program){.compile = fold->model->folders.items[fold->folder].compile,
                                      .artifact = (uint32_t)(artifact - fold->model->artifacts.items),
                                      .place = (uint32_t)(fold_compile(fold)->artifacts.count - 1)});
}

void export_fold(struct fold *fold, const struct node *node) {
    (void)node;
    exports_here(fold)->found = true;
    exports_here(fold)->starts++;
}

void export_note_string(struct fold *fold, struct slice text) {
    if (slice_ends(text, SLICE("torch/export/_trace.py")))
        exports_here(fold)->found = true;
}

/* Records of symbolic shapes: created symbols, guards, and specializations, with their stacks. */
#include "kinds/records.h"

#include "kinds/export_records.h"
#include "kinds/fold.h"

#include "base/word.h"
#include "model/export.h"
#include "modules/module_records.h"
#include "recompiles/dynamic.h"

static const struct stack_node *stack_of(struct fold *fold, yyjson_val *value, const char *key) {
    return stacks_add(&fold->model->stacks, json_get(value, key), fold->strings);
}

/* A text unchanged, other values as JSON; ptr NULL if there is none. In the block's arena. */
static struct slice text_of(struct fold *fold, yyjson_val *value) {
    if (!value || yyjson_is_null(value) || yyjson_is_str(value))
        return json_text(value);
    struct buf text = {0};
    json_add_value(&text, value);
    return arena_keep(fold->arena, &text);
}

static void add(struct fold *fold, enum shape_kind kind, yyjson_val *value, struct shape_record *fact) {
    fact->user_stack = stack_of(fold, value, "user_stack");
    fact->stack = stack_of(fold, value, "stack");
    fact->line = fold->line;
    fact->folder = fold->folder;
    model_add_shape_record(fold->model, fold_compile(fold), kind, fact);
    if (kind == SHAPE_UNBACKED)
        unbacked_note(fold, value, fact->user_stack, fact->stack);
}

void specialization_fold(struct fold *fold, const struct node *node) {
    yyjson_val *value = node->value;
    AUTO_BUF sources = {0};
    size_t i, max;
    yyjson_val *source;
    yyjson_arr_foreach(json_get(value, "sources"), i, max, source) {
        if (sources.len)
            buf_add_lit(&sources, ", ");
        buf_add(&sources, json_text(source));
    }
    struct shape_record fact = {.symbol = text_of(fold, json_get(value, "symbol")),
                                .value = text_of(fold, json_get(value, "value")),
                                .source = buf_slice(&sources),
                                .text = text_of(fold, json_get(value, "reason"))};
    add(fold, SHAPE_SPECIALIZATION, value, &fact);
}

void guard_fast_fold(struct fold *fold, const struct node *node) {
    yyjson_val *value = node->value;
    add(fold, SHAPE_GUARD, value, &(struct shape_record){.text = text_of(fold, json_get(value, "expr"))});
}

void describe_storage_fold(struct fold *fold, const struct node *node) {
    struct compile *compile = fold_compile(fold);
    json_to_u64(json_get(node->value, "describer_id"), &compile->describer);
    compile->described = true;
    compile->exports_ended = fold->process->exports_ended;
}

/* The tensor of a describe_ record: each describer numbers its tensors. */
static bool tensor_of(yyjson_val *value, uint64_t *describer, uint64_t *tensor) {
    return json_to_u64(json_get(value, "describer_id"), describer) && json_to_u64(json_get(value, "id"), tensor);
}

/* An export traces without dynamo_start and without metrics for its id. A compile that ended before may have had the
 * same id, with both. */
static bool may_be_of_export(const struct compile *compile) {
    return !compile->framed || compile->has_metrics;
}

/* Bytes of an element: "torch.bfloat16" has two; 0: unknown. */
static uint64_t bytes_of(struct slice dtype) {
    uint64_t bits = 0;
    size_t at = 0;
    if (slice_ends(dtype, SLICE(".bool")))
        return 1;
    while (at < dtype.len && !is_digit(dtype.ptr[at]))
        at++;
    dtype = slice_from(dtype, at);
    slice_to_u64(slice_first(dtype, digits_length(dtype)), &bits);
    return bits > 128 ? 0 : bits < 8 ? bits > 0 : bits / 8;
}

/* The address in "_CustomViewFunc(func=<built-in method _view_func_unsafe of Parameter object at 0x7f0f>)"; 0: there is none. */
static uint64_t address_in(struct slice text) {
    struct slice digits = slice_after(text, SLICE(" object at 0x"));
    uint64_t address = 0;
    for (size_t i = 0; i < digits.len && i < 16; i++) {
        char c = digits.ptr[i];
        if (!is_digit(c) && (c < 'a' || c > 'f'))
            break;
        address = address << 4 | (uint64_t)(is_digit(c) ? c - '0' : c - 'a' + 10);
    }
    return address;
}

static void note_tensor(struct model *model, uint64_t describer, uint64_t id, yyjson_val *value) {
    struct module_tensor tensor = {.describer = describer,
                                   .id = id,
                                   .elements = 1,
                                   .object = address_in(json_get_text(value, "view_func"))};
    uint64_t bytes = bytes_of(json_get_text(value, "dtype")), size;
    yyjson_val *sizes = json_get(value, "size"), *one;
    size_t i, max;
    tensor.sized = bytes && yyjson_is_arr(sizes);
    yyjson_arr_foreach(sizes, i, max, one) {
        tensor.sized =
            tensor.sized && json_to_u64(one, &size) && !__builtin_mul_overflow(tensor.elements, size, &tensor.elements);
    }
    tensor.sized = tensor.sized && !__builtin_mul_overflow(tensor.elements, bytes, &tensor.bytes);
    if (!tensor.sized)
        tensor.elements = tensor.bytes = 0;
    modules_note_tensor(model, &tensor);
}

void describe_tensor_fold(struct fold *fold, const struct node *node) {
    yyjson_val *value = node->value;
    struct slice device = json_get_text(value, "device");
    uint64_t describer, tensor, dimension;
    size_t i, max;
    yyjson_val *item;
    if (json_truthy(json_get(value, "is_parameter")) && json_truthy(json_get(value, "is_traceable_wrapper_subclass")))
        fold_compile(fold)->wraps_parameters = true;
    fold->model->cpu_tensors |= slice_starts(device, SLICE("device(type='cpu'"));
    fold->model->cuda_tensors |= slice_starts(device, SLICE("device(type='cuda'"));
    if (!tensor_of(value, &describer, &tensor))
        return;
    if (may_be_of_export(fold_compile(fold)))
        exports_note_input(exports_of(fold->model), fold->process->id, describer, tensor, json_get(value, "size"));
    note_tensor(fold->model, describer, tensor, value);
    yyjson_arr_foreach(json_get(value, "dynamo_dynamic_indices"), i, max, item) {
        if (json_to_u64(item, &dimension))
            dynamic_note_mark(fold->model, fold->folder, describer, tensor, dimension);
    }
}

void describe_source_fold(struct fold *fold, const struct node *node) {
    yyjson_val *value = node->value;
    uint64_t describer, tensor;
    struct slice source = json_get_text(value, "source");
    if (!source.len || !tensor_of(value, &describer, &tensor))
        return;
    if (may_be_of_export(fold_compile(fold)))
        exports_note_source(exports_of(fold->model), fold->process->id, describer, tensor,
                            &(struct export_input){.compile = fold_compile(fold)->index,
                                                   .line = fold->line,
                                                   .source = source});
    dynamic_note_source(fold->model, fold->folder, describer, tensor, source);
    modules_note_source(fold->model, fold->folder, describer, tensor, source);
}

void create_symbol_fold(struct fold *fold, const struct node *node) {
    yyjson_val *value = node->value;
    struct slice source = text_of(fold, json_get(value, "source"));
    add(fold, SHAPE_SYMBOL, value,
        &(struct shape_record){.symbol = text_of(fold, json_get(value, "symbol")),
                               .value = text_of(fold, json_get(value, "val")),
                               .range = text_of(fold, json_get(value, "vr")),
                               .source = source,
                               .dynamic_by = dynamic_by(fold->model, fold->folder, source),
                               .dynamic_why = dynamic_why(fold->model, fold->folder, source)});
}

void create_unbacked_fold(struct fold *fold, const struct node *node) {
    yyjson_val *value = node->value;
    add(fold, SHAPE_UNBACKED, value,
        &(struct shape_record){.symbol = text_of(fold, json_get(value, "symbol")),
                               .range = text_of(fold, json_get(value, "vr"))});
}

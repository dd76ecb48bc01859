#include "codegen/memory_scan_parts.h"

#include "base/word.h"

bool memory_refuse(struct memory_scanner *s, enum memory_unknown why) {
    if (s->scan->unknown == MEMORY_KNOWN) {
        s->scan->unknown = why;
        s->scan->unknown_line = s->line;
    }
    return false;
}

bool code_is_name(struct slice text) {
    for (size_t i = 0; i < text.len; i++)
        if (!is_word(text.ptr[i]))
            return false;
    return text.len && (text.ptr[0] < '0' || text.ptr[0] > '9');
}

/* Takes the text up to the next comma outside of brackets and quotes. Returns false at the end. */
bool code_next_item(struct slice *rest, struct slice *item) {
    unsigned depth = 0;
    char quote = 0;
    size_t i = 0;
    if (!slice_trim(*rest).len)
        return false;
    for (; i < rest->len; i++) {
        char c = rest->ptr[i];
        if (is_word(c) && !quote)
            continue;
        if (quote)
            quote = c == quote ? 0 : quote;
        else if (c == '\'' || c == '"')
            quote = c;
        else if (c == '(' || c == '[' || c == '{')
            depth++;
        else if ((c == ')' || c == ']' || c == '}') && depth)
            depth--;
        else if (c == ',' && !depth)
            break;
    }
    *item = slice_trim(slice_first(*rest, i));
    *rest = slice_from(*rest, i < rest->len ? i + 1 : i);
    return true;
}

/* The text between the first bracket and the last one. ptr NULL: none */
struct slice code_within(struct slice text, char open, char close) {
    const char *start = text.len ? memchr(text.ptr, open, text.len) : NULL;
    size_t end = slice_rfind_byte(text, close);
    if (!start || end == SIZE_MAX || start >= text.ptr + end)
        return (struct slice){0};
    return slice_make(start + 1, (size_t)(text.ptr + end - start) - 1);
}

struct code_variable *memory_find(const struct memory_scanner *s, struct slice name) {
    uint32_t place = map_get(&s->scope->names, name);
    return place == MAP_NONE ? NULL : &s->scope->variables.items[place];
}

static bool number_of(const void *data, struct slice name, int64_t *value) {
    const struct code_variable *variable = memory_find(data, name);
    if (!variable || variable->kind != NUMBER || !variable->known)
        return false;
    *value = variable->value;
    return true;
}

void memory_change(struct memory_scanner *s, uint32_t tensor, bool freed) {
    struct memory_scan *scan = s->scan;
    ARENA_ADD(s->arena, &scan->changes, (struct code_change){tensor, s->line, freed});
}

void memory_release(struct memory_scanner *s, const struct code_variable *variable) {
    if (variable->kind == ITEMS) {
        for (uint32_t i = 0; i < variable->count; i++)
            if (s->lists.items[variable->tensor + i].kind == TENSOR)
                memory_release(s, &s->lists.items[variable->tensor + i]);
    } else if (variable->kind == TENSOR && --s->references.items[variable->tensor] == 0) {
        const struct code_tensor *tensor = &s->scan->tensors.items[variable->tensor];
        if (tensor->bytes < 0 && !tensor->argument && !tensor->tuple)
            memory_refuse(s, MEMORY_SIZE);
        memory_change(s, variable->tensor, true);
    }
}

void memory_hold(struct memory_scanner *s, const struct code_variable *variable) {
    if (variable->kind == TENSOR)
        s->references.items[variable->tensor]++;
}

/* Gives a name to a value. The value is held before the old one is released, which may be the same. */
void memory_set(struct memory_scanner *s, struct slice name, struct code_variable value) {
    uint32_t *place = map_put(&s->scope->names, name, (uint32_t)s->scope->variables.count, NULL);
    memory_hold(s, &value);
    if (*place == s->scope->variables.count) {
        LIST_ADD(&s->scope->variables, value);
        return;
    }
    struct code_variable *variable = &s->scope->variables.items[*place], old = *variable;
    *variable = value;
    memory_release(s, &old);
}

uint32_t memory_device(struct memory_scanner *s, struct slice device) {
    struct memory_scan *scan = s->scan;
    size_t colon = slice_find(device, SLICE(":"));
    device = slice_first(device, colon);
    for (uint32_t i = 0; i < scan->device_count; i++)
        if (slice_eq(scan->devices[i], device))
            return i;
    if (scan->device_count == MEMORY_DEVICES_MAX || !device.len)
        return MEMORY_NONE;
    scan->devices[scan->device_count] = device;
    return scan->device_count++;
}

bool memory_new_tensor(struct memory_scanner *s, struct code_tensor tensor, struct code_variable *value) {
    struct memory_scan *scan = s->scan;
    if (scan->tensors.count == MEMORY_TENSORS_MAX)
        return memory_refuse(s, MEMORY_TOO_MANY);
    *value = (struct code_variable){.kind = TENSOR, .tensor = (uint32_t)scan->tensors.count};
    ARENA_ADD(s->arena, &scan->tensors, tensor);
    LIST_ADD(&s->references, 0);
    return true;
}

/* Sets the size of a tensor from "(512, 64)" and "(64, 1)". */
bool memory_size_tensor(struct memory_scanner *s, struct code_tensor *tensor, struct slice shape,
                        struct slice strides) {
    const struct size_names names = {number_of, s};
    struct sizes sizes, steps;
    int64_t item = dtype_bytes(tensor->dtype);
    tensor->shape = shape;
    if (!item || !sizes_read(shape, &names, &sizes) || !sizes_read(strides, &names, &steps) ||
        !sizes_bytes(&sizes, &steps, item, &tensor->bytes)) {
        tensor->bytes = -1;
        return false;
    }
    return true;
}

void memory_note_fallback(struct memory_scanner *s, struct slice name) {
    if (!s->scan->fallback.ptr)
        s->scan->fallback = name;
}

struct code_variable memory_number(struct memory_scanner *s, struct slice text) {
    const struct size_names names = {number_of, s};
    struct code_variable value = {.kind = NUMBER};
    value.known = size_value(text, &names, &value.value);
    return value;
}

/* An input of call(), as the code's benchmark makes it. */
bool memory_input(struct memory_scanner *s, struct slice name, struct code_variable *value) {
    static const struct slice make = SLICE_INIT("rand_strided(");
    uint32_t place = map_get(&s->inputs, name);
    struct slice text = place == MAP_NONE ? (struct slice){0} : s->input_texts.items[place];
    struct code_tensor tensor = {.name = name, .bytes = -1, .device = MEMORY_NONE, .argument = true};
    *value = (struct code_variable){.kind = NUMBER};
    if (text.ptr && size_value(text, NULL, &value->value)) {
        value->known = true;
        return true;
    }
    if (slice_starts(text, make)) {
        struct slice args = code_within(text, '(', ')'), shape = {0}, strides = {0}, item;
        for (uint32_t i = 0; code_next_item(&args, &item); i++)
            if (slice_cut_start(&item, SLICE("dtype=")))
                tensor.dtype = item;
            else if (slice_cut_start(&item, SLICE("device=")))
                tensor.device = memory_device(s, code_within(item, '\'', '\''));
            else if (i < 2)
                *(i ? &strides : &shape) = item;
        memory_size_tensor(s, &tensor, shape, strides);
    }
    return memory_new_tensor(s, tensor, value);
}

void memory_add_value(struct memory_scanner *s, bool result, struct slice name, const struct code_variable *value) {
    struct memory_scan *scan = s->scan;
    struct code_value item = {name, value->kind == TENSOR ? value->tensor : MEMORY_NONE, value->kind == NUMBER};
    if (result)
        ARENA_ADD(s->arena, &scan->results, item);
    else
        ARENA_ADD(s->arena, &scan->arguments, item);
}

bool memory_forget(struct memory_scanner *s, struct slice names) {
    struct slice name;
    while (code_next_item(&names, &name)) {
        struct code_variable *variable = memory_find(s, name);
        if (!variable)
            return memory_refuse(s, MEMORY_STATEMENT);
        struct code_variable old = *variable;
        variable->kind = GONE;
        memory_release(s, &old);
    }
    return true;
}

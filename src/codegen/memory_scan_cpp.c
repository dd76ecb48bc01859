/* The function of a C++ wrapper. Tensors are handles: each comes from a function of the stable interface of libtorch. */
#include "base/buf.h"
#include "codegen/memory_scan_parts.h"

enum { LINES_MAX = 1 << 18 };

struct reader {
    struct memory_scanner *s;
    struct map arrays; /* name → index in `texts` */
    LIST(struct slice) texts;
    LIST(struct code_value) results;
};

/* "(8, s0)" for "{8L, s0}": sizes as Python has them, in the arena. */
static struct slice python_sizes(struct reader *r, struct slice list) {
    AUTO_BUF text = {0};
    buf_add_byte(&text, '(');
    for (size_t i = 0; i < list.len; i++) {
        bool suffix = list.ptr[i] == 'L' && i && list.ptr[i - 1] >= '0' && list.ptr[i - 1] <= '9';
        if (!suffix)
            buf_add_byte(&text, list.ptr[i]);
    }
    buf_add_byte(&text, ')');
    return arena_slice(r->s->arena, buf_slice(&text));
}

/* "const int64_t int_array_0[] = {64L, 1024L};" */
static bool read_array(struct reader *r, struct slice text) {
    struct slice name = slice_after(text, SLICE("int64_t "));
    size_t bracket = slice_find(name, SLICE("[] = {"));
    if (!name.ptr || bracket == SIZE_MAX || !code_is_name(slice_first(name, bracket)))
        return false;
    *map_put(&r->arrays, slice_first(name, bracket), 0, NULL) = (uint32_t)r->texts.count;
    LIST_ADD(&r->texts, python_sizes(r, code_within(name, '{', '}')));
    return true;
}

static struct slice array_named(const struct reader *r, struct slice name) {
    uint32_t place = map_get(&r->arrays, name);
    return place == MAP_NONE ? (struct slice){0} : r->texts.items[place];
}

/* The tensor of "buf0", or of a call with it as its first argument. */
static const struct code_variable *tensor_in(struct reader *r, struct slice text) {
    const struct code_variable *variable = memory_find(r->s, text);
    for (unsigned depth = 0; !variable && depth < 3; depth++) {
        struct slice inner = code_within(text, '(', ')'), first;
        if (!inner.ptr || !code_next_item(&inner, &first))
            return NULL;
        text = first;
        variable = memory_find(r->s, text);
    }
    return variable && variable->kind == TENSOR ? variable : NULL;
}

/* "torch.float32" for "float32", in the arena. */
static struct slice dtype_named(struct reader *r, struct slice name) {
    AUTO_BUF dtype = {0};
    BUF_ADD(&dtype, "torch.", name);
    return arena_slice(r->s->arena, buf_slice(&dtype));
}

/* "2, int_array_0, int_array_1, cached_torch_dtype_float32, cached_torch_device_type_cpu,  0, &buf0_handle" */
static bool allocate(struct reader *r, struct slice args) {
    struct slice parts[7] = {{0}}, item;
    size_t count = 0;
    while (count < 7 && code_next_item(&args, &item))
        parts[count++] = item;
    struct code_tensor tensor = {.bytes = -1};
    struct code_variable value;
    if (count < 7 || !slice_cut_start(&parts[3], SLICE("cached_torch_dtype_")) ||
        !slice_cut_start(&parts[4], SLICE("cached_torch_device_type_")) || !slice_cut_start(&parts[6], SLICE("&")))
        return memory_refuse(r->s, MEMORY_STATEMENT);
    tensor.dtype = dtype_named(r, parts[3]);
    tensor.device = memory_device(r->s, parts[4]);
    bool scalar = slice_is(parts[0], "0");
    struct slice shape = scalar ? SLICE("()") : array_named(r, parts[1]),
                 strides = scalar ? SLICE("()") : array_named(r, parts[2]);
    if (tensor.device == MEMORY_NONE || !memory_size_tensor(r->s, &tensor, shape, strides))
        return memory_refuse(r->s, MEMORY_SIZE);
    if (!memory_new_tensor(r->s, tensor, &value))
        return false;
    memory_set(r->s, parts[6], value);
    memory_change(r->s, value.tensor, false);
    return true;
}

/* Library functions that write into a tensor of the code and allocate nothing: "aoti_torch_cpu_mm_out". */
static bool only_writes(struct slice name) {
    static const struct slice ends[] = {SLICE_INIT("_mm_out"), SLICE_INIT("_addmm_out"), SLICE_INIT("_bmm_out"),
                                        SLICE_INIT("_baddbmm_out")};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (slice_ends(name, ends[i]))
            return true;
    return false;
}

/* What it computes is new, with a size that is asserted later. */
static bool take_outputs(struct reader *r, struct slice name, struct slice args) {
    struct slice item, rest = args;
    const struct code_variable *of = code_next_item(&rest, &item) ? tensor_in(r, item) : NULL;
    struct code_tensor tensor = {.bytes = -1, .device = MEMORY_NONE, .maker = name};
    bool same = slice_ends(name, SLICE("_convolution")) || slice_ends(name, SLICE("_cumsum"));
    if (of) {
        tensor.device = r->s->scan->tensors.items[of->tensor].device;
        tensor.dtype = same ? r->s->scan->tensors.items[of->tensor].dtype : (struct slice){0};
    }
    while (code_next_item(&args, &item)) {
        struct code_variable value;
        if (!slice_cut_start(&item, SLICE("&")) || !code_is_name(item))
            continue;
        if (!memory_new_tensor(r->s, tensor, &value))
            return false;
        memory_set(r->s, item, value);
    }
    return true;
}

static void note_makers(struct reader *r, struct slice name, struct slice args) {
    struct slice item;
    while (code_next_item(&args, &item)) {
        struct slice inner = slice_after(item, SLICE(")(")); /* "(float*)(buf3.data_ptr())" */
        inner = inner.ptr ? inner : item;
        inner = slice_first(inner, slice_find(inner, SLICE(".")));
        const struct code_variable *variable = memory_find(r->s, inner);
        if (!variable || variable->kind != TENSOR)
            continue;
        struct code_tensor *tensor = &r->s->scan->tensors.items[variable->tensor];
        if (!tensor->argument && !tensor->maker.ptr)
            tensor->maker = name;
    }
}

/* "aoti_torch_cpu_mm_out(buf1, …)" in AOTI_TORCH_ERROR_CODE_CHECK() */
static bool read_checked(struct reader *r, struct slice text) {
    size_t open = slice_find(text, SLICE("("));
    struct slice name = slice_first(text, open), args = code_within(text, '(', ')'), item, last = {0}, rest = args;
    struct slice first = {0};
    while (code_next_item(&rest, &item)) {
        first = first.ptr ? first : item;
        last = item;
    }
    if (slice_is(name, "aoti_torch_empty_strided"))
        return allocate(r, args);
    if (slice_is(name, "aoti_torch_new_tensor_handle"))
        return true; /* for an argument of the next statement */
    slice_cut_start(&last, SLICE("&"));
    if (slice_starts(name, SLICE("aoti_torch_item_")) && code_is_name(last)) {
        struct code_variable value;
        bool input = slice_starts(first, SLICE("inputs["));
        if (input && !memory_input(r->s, last, &value))
            return false;
        if (input) {
            memory_add_value(r->s, false, last, &value);
            memory_note_fallback(r->s, name); /* the caller made a tensor of the number */
        }
        memory_set(r->s, last, input ? value : (struct code_variable){.kind = NUMBER});
        return true;
    }
    if (slice_is(name, "aoti_torch__alloc_from_pool")) {
        const struct code_variable *pool = tensor_in(r, first);
        if (!pool || !code_is_name(last))
            return memory_refuse(r->s, MEMORY_STATEMENT);
        memory_set(r->s, last, *pool);
        return true;
    }
    if (!slice_starts(name, SLICE("aoti_torch_")) || slice_find(name, SLICE("proxy_executor")) != SIZE_MAX)
        return memory_refuse(r->s, MEMORY_STATEMENT);
    if (!only_writes(name))
        memory_note_fallback(r->s, name);
    note_makers(r, name, args);
    return take_outputs(r, name, args);
}

/* Gives a name to a tensor, whose first one in the code is kept. */
static void name_tensor(struct reader *r, struct slice name, const struct code_variable *value) {
    struct code_tensor *tensor = &r->s->scan->tensors.items[value->tensor];
    tensor->name = tensor->name.ptr ? tensor->name : name;
    memory_set(r->s, name, *value);
}

/* "auto buf3 = …": another name, a view, an input. */
static bool read_auto(struct reader *r, struct slice text) {
    size_t is = slice_find(text, SLICE(" = "));
    struct slice name = slice_first(text, is), value = is == SIZE_MAX ? (struct slice){0} : slice_from(text, is + 3);
    struct slice inner = code_within(value, '(', ')');
    struct code_variable input;
    if (!code_is_name(name))
        return memory_refuse(r->s, MEMORY_STATEMENT);
    if (slice_starts(value, SLICE("steal_from_raw_handles")))
        return true;
    if (slice_starts(value, SLICE("std::move(inputs["))) {
        if (!memory_input(r->s, name, &input))
            return false;
        memory_add_value(r->s, false, name, &input);
        memory_set(r->s, name, input);
        return true;
    }
    const struct code_variable *of = tensor_in(r, value);
    if (of) {
        bool moved = slice_starts(value, SLICE("std::move(")) || slice_starts(value, SLICE("RAIIAtenTensorHandle("));
        name_tensor(r, name, of);
        return !moved || memory_forget(r->s, inner);
    }
    struct code_variable number = memory_number(r->s, value);
    if (!number.known)
        return memory_refuse(r->s, MEMORY_STATEMENT);
    memory_set(r->s, name, number);
    return true;
}

/* "RAIIAtenTensorHandle buf0(buf0_handle)" */
static bool read_owner(struct reader *r, struct slice text) {
    size_t open = slice_find(text, SLICE("("));
    struct slice name = slice_first(text, open), handle = code_within(text, '(', ')');
    size_t is = slice_find(name, SLICE(" = "));
    if (is != SIZE_MAX && slice_starts(slice_from(name, is + 3), SLICE("scalar_to_tensor_handle"))) {
        memory_note_fallback(r->s, SLICE("scalar_to_tensor_handle"));
        memory_set(r->s, slice_first(name, is), (struct code_variable){.kind = NUMBER});
        return true;
    }
    const struct code_variable *value = memory_find(r->s, handle);
    if (!code_is_name(name) || !value || value->kind != TENSOR)
        return memory_refuse(r->s, MEMORY_STATEMENT);
    name_tensor(r, name, value);
    return memory_forget(r->s, handle);
}

/* "output_handles[0] = buf4.release()" */
static bool read_output(struct reader *r, struct slice text) {
    uint64_t place;
    size_t is = slice_find(text, SLICE("] = "));
    struct slice name = is == SIZE_MAX ? (struct slice){0} : slice_from(text, is + 4);
    if (is == SIZE_MAX || !slice_to_u64(slice_first(text, is), &place) || place >= MEMORY_TENSORS_MAX ||
        !slice_cut_end(&name, SLICE(".release()")))
        return memory_refuse(r->s, MEMORY_STATEMENT);
    const struct code_variable *value = memory_find(r->s, name);
    if (!value)
        return memory_refuse(r->s, MEMORY_STATEMENT);
    while (r->results.count <= place)
        LIST_ADD(&r->results, (struct code_value){.tensor = MEMORY_NONE});
    bool tensor = value->kind == TENSOR;
    r->results.items[place] = (struct code_value){name, tensor ? value->tensor : MEMORY_NONE, !tensor};
    if (tensor) {
        r->s->scan->tensors.items[value->tensor].returned = true;
        r->s->references.items[value->tensor]++; /* the caller holds it */
    }
    return true;
}

/* 'assert_size_stride(buf3, {8L, 64L}, {64L, 1L}, "op")', with a type since PyTorch 2.15: 'cached_torch_dtype_float32, "torch.float32"' */
static void read_assertion(struct reader *r, struct slice args) {
    struct slice parts[5] = {{0}}, item;
    size_t count = 0;
    while (count < 5 && code_next_item(&args, &item))
        parts[count++] = item;
    const struct code_variable *variable = count >= 3 ? memory_find(r->s, parts[0]) : NULL;
    if (!variable || variable->kind != TENSOR)
        return;
    struct code_tensor *tensor = &r->s->scan->tensors.items[variable->tensor];
    if (!tensor->argument && slice_cut_start(&parts[4], SLICE("cached_torch_dtype_")))
        tensor->dtype = dtype_named(r, parts[4]);
    if (tensor->bytes < 0 && !tensor->argument &&
        memory_size_tensor(r->s, tensor, python_sizes(r, code_within(parts[1], '{', '}')),
                           python_sizes(r, code_within(parts[2], '{', '}'))))
        memory_change(r->s, variable->tensor, false);
}

/* "if (_check_aoti_runtime_check_inputs_env()) { assert_size_stride(…); }" of AOTInductor: what it asserts holds, checked or not. */
static void open_check(struct slice *text) {
    struct slice rest = *text;
    if (slice_cut_start(&rest, SLICE("if (_check_aoti_runtime_check_inputs_env()) { assert_")) &&
        slice_cut_end(&rest, SLICE("; }")))
        *text = slice_make(rest.ptr - (sizeof "assert_" - 1), rest.len + sizeof "assert_" - 1);
}

/* A block may not run, or ends the life of what it makes. */
static bool is_block(struct slice text) {
    return slice_starts(text, SLICE("if (")) || slice_starts(text, SLICE("else")) ||
           slice_starts(text, SLICE("} else")) || slice_is(text, "{") || slice_starts(text, SLICE("switch ("));
}

static bool read_statement(struct reader *r, struct slice text) {
    static const struct slice suspects[] = {SLICE_INIT("AtenTensorHandle"),
                                            SLICE_INIT("aoti_torch_"),
                                            SLICE_INIT("PyObject"),
                                            SLICE_INIT("proxy_executor"),
                                            SLICE_INIT("for ("),
                                            SLICE_INIT("while (")};
    open_check(&text);
    if (is_block(text))
        return memory_refuse(r->s, MEMORY_STATEMENT);
    struct slice name = slice_first(text, slice_find(text, SLICE("("))), rest = text;
    if (read_array(r, text))
        return true;
    if (slice_cut_start(&rest, SLICE("AOTI_TORCH_ERROR_CODE_CHECK(")))
        return read_checked(r, slice_first(rest, slice_rfind_byte(rest, ')')));
    if (slice_cut_start(&rest, SLICE("auto ")))
        return read_auto(r, rest);
    if (slice_cut_start(&rest, SLICE("RAIIAtenTensorHandle ")))
        return read_owner(r, rest);
    if (slice_cut_start(&rest, SLICE("output_handles[")))
        return read_output(r, rest);
    if (slice_cut_end(&rest, SLICE(".reset()")) && memory_find(r->s, rest))
        return memory_forget(r->s, rest);
    if (slice_is(name, "assert_size_stride")) {
        read_assertion(r, code_within(text, '(', ')'));
        return true;
    }
    if (slice_cut_start(&rest, SLICE("int64_t ")) && slice_find(rest, SLICE(" = ")) != SIZE_MAX)
        return read_auto(r, rest);
    if (slice_starts(text, SLICE("AtenTensorHandle ")) && code_is_name(slice_from(text, 17)))
        return true; /* a declaration */
    for (size_t i = 0; i < sizeof suspects / sizeof *suspects; i++)
        if (slice_find(text, suspects[i]) != SIZE_MAX)
            return memory_refuse(r->s, MEMORY_STATEMENT);
    note_makers(r, name, code_within(text, '(', ')')); /* a kernel, or what has nothing to do with tensors */
    return true;
}

/* "auto buf8 = …(buf3, …); buf3.reset()": another name, and the end of the old one. */
static bool read_line(struct reader *r, struct slice text) {
    size_t end = slice_find(text, SLICE("); "));
    struct slice rest = end == SIZE_MAX ? (struct slice){0} : slice_from(text, end + 3), name = rest;
    if (!slice_starts(text, SLICE("auto ")) || !slice_cut_end(&name, SLICE(".reset()")) || !code_is_name(name))
        return read_statement(r, text);
    return read_statement(r, slice_first(text, end + 1)) && read_statement(r, rest);
}

bool memory_read_cpp(struct memory_scanner *s, struct slice body) {
    struct reader r = {.s = s};
    struct slice line;
    bool ended = false, done = true;
    for (uint32_t lines = 0; done && !ended && slice_next_line(&body, &line); s->line++) {
        struct slice text = slice_trim(slice_first(line, slice_find(line, SLICE("//"))));
        ended = line.len && line.ptr[0] == '}';
        slice_cut_end(&text, SLICE(";"));
        if (lines++ == LINES_MAX)
            done = memory_refuse(s, MEMORY_TOO_MANY);
        else if (!ended && text.len)
            done = read_line(&r, text);
    }
    if (done && !ended)
        done = memory_refuse(s, MEMORY_STATEMENT);
    for (size_t i = 0; i < r.results.count; i++)
        ARENA_ADD(s->arena, &s->scan->results, r.results.items[i]);
    mem_free(r.results.items);
    mem_free(r.texts.items);
    map_free(&r.arrays);
    return done;
}

#include "codegen/scanned_memory.h"

#include "base/word.h"
#include "codegen/memory_scan_parts.h"

#include <stdio.h>

/* "empty_strided_cuda((8, 64), (64, 1), torch.float32)", "empty_strided((8, ), (1, ), device='cuda', dtype=…)" */
static bool allocate(struct memory_scanner *s, struct slice device, struct slice args, struct code_variable *value) {
    struct code_tensor tensor = {.bytes = -1, .device = MEMORY_NONE};
    struct slice shape = {0}, strides = {0}, item;
    uint32_t place = 0;
    for (; code_next_item(&args, &item); place++) {
        if (slice_cut_start(&item, SLICE("dtype=")) || slice_starts(item, SLICE("torch.")))
            tensor.dtype = item;
        else if (slice_cut_start(&item, SLICE("device=")))
            device = code_within(item, '\'', '\'');
        else if (place == 0)
            shape = item;
        else if (place == 1)
            strides = item;
    }
    slice_cut_end(&device, SLICE("_pinned"));
    tensor.device = memory_device(s, device);
    if (tensor.device == MEMORY_NONE || !memory_size_tensor(s, &tensor, shape, strides))
        return memory_refuse(s, MEMORY_SIZE);
    if (!memory_new_tensor(s, tensor, value))
        return false;
    memory_change(s, value->tensor, false);
    return true;
}

/* Operators that return their first argument, or a view of it. */
static bool returns_argument(struct slice op) {
    static const struct slice views[] =
        {SLICE_INIT("view"),      SLICE_INIT("view_as_real"), SLICE_INIT("view_as_complex"),  SLICE_INIT("_conj"),
         SLICE_INIT("_neg_view"), SLICE_INIT("alias"),        SLICE_INIT("as_strided"),       SLICE_INIT("permute"),
         SLICE_INIT("transpose"), SLICE_INIT("wait_tensor"),  SLICE_INIT("detach"),           SLICE_INIT("select"),
         SLICE_INIT("slice"),     SLICE_INIT("expand"),       SLICE_INIT("squeeze"),          SLICE_INIT("unsqueeze"),
         SLICE_INIT("diagonal"),  SLICE_INIT("lift_fresh"),   SLICE_INIT("split_with_sizes"), SLICE_INIT("unfold")};
    size_t space = slice_find(op, SLICE("ops."));
    if (space != SIZE_MAX)
        op = slice_after(slice_from(op, space + 4), SLICE(".")); /* "view.dtype" */
    op = slice_first(op, slice_find(op, SLICE(".")));
    for (size_t i = 0; i < sizeof views / sizeof *views; i++)
        if (slice_eq(op, views[i]))
            return true;
    return slice_ends(op, SLICE("_")) && !slice_ends(op, SLICE("__"));
}

/* Operators whose results have the type of their first argument. */
static bool keeps_dtype(struct slice op) {
    static const struct slice ops[] = {SLICE_INIT("extern_kernels.convolution"),
                                       SLICE_INIT("torch.ops.aten.convolution_backward.default"),
                                       SLICE_INIT("torch.ops._c10d_functional.all_gather_into_tensor.default"),
                                       SLICE_INIT("torch.ops._c10d_functional.reduce_scatter_tensor.default")};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (slice_eq(op, ops[i]))
            return true;
    return false;
}

/* Whether the text is an expression of numbers: a value may be unknown, but no tensor is in it. */
static bool is_number(const struct memory_scanner *s, struct slice text) {
    static const struct slice functions[] = {SLICE_INIT("max"),   SLICE_INIT("min"),  SLICE_INIT("Max"),
                                             SLICE_INIT("Min"),   SLICE_INIT("math"), SLICE_INIT("floor"),
                                             SLICE_INIT("ceil"),  SLICE_INIT("True"), SLICE_INIT("False"),
                                             SLICE_INIT("float"), SLICE_INIT("inf"),  SLICE_INIT("sqrt")};
    for (size_t i = 0; i < text.len;) {
        size_t start = i;
        while (i < text.len && is_word(text.ptr[i]))
            i++;
        struct slice word = slice_make(text.ptr + start, i - start);
        bool known = !code_is_name(word);
        const struct code_variable *variable = known ? NULL : memory_find(s, word);
        for (size_t k = 0; k < sizeof functions / sizeof *functions && !known; k++)
            known = slice_eq(word, functions[k]);
        if (!known && (!variable || variable->kind != NUMBER))
            return false;
        while (i < text.len && !is_word(text.ptr[i])) {
            if (memchr("['\"{", text.ptr[i], 4))
                return false;
            i++;
        }
    }
    return text.len;
}

/* The tensor that an argument names: "buf0", "reinterpret_tensor(buf0, (8, 64), (64, 1), 0)". MEMORY_NONE: none */
static uint32_t tensor_in(struct memory_scanner *s, struct slice text) {
    struct slice inner = code_within(text, '(', ')'), first;
    const struct code_variable *variable = memory_find(s, text);
    if (!variable && inner.ptr && code_next_item(&inner, &first))
        variable = memory_find(s, first);
    return variable && variable->kind == TENSOR ? variable->tensor : MEMORY_NONE;
}

/* The first tensors among the arguments that nothing has written are results of this call. */
static void note_maker(struct memory_scanner *s, struct slice name, struct slice args) {
    struct slice item;
    while (code_next_item(&args, &item)) {
        slice_cut_start(&item, SLICE("out="));
        uint32_t tensor = tensor_in(s, item);
        if (tensor == MEMORY_NONE || s->scan->tensors.items[tensor].argument)
            continue;
        if (!s->scan->tensors.items[tensor].maker.ptr)
            s->scan->tensors.items[tensor].maker = name;
    }
}

/* Library calls that write into a tensor of the code and allocate nothing. */
static bool only_writes(struct slice name, struct slice args) {
    static const struct slice ops[] = {SLICE_INIT("mm"), SLICE_INIT("addmm"), SLICE_INIT("bmm"), SLICE_INIT("baddbmm")};
    if (slice_find(args, SLICE("out=")) == SIZE_MAX || !slice_cut_start(&name, SLICE("extern_kernels.")))
        return false;
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (slice_eq(name, ops[i]))
            return true;
    return false;
}

static bool is_operator(struct slice name) {
    return slice_starts(name, SLICE("extern_kernels.")) || slice_starts(name, SLICE("torch.ops.")) ||
           slice_starts(name, SLICE("aten.")) || slice_starts(name, SLICE("inductor_ops.")) ||
           slice_starts(name, SLICE("_quantized."));
}

/* Statements of the code that allocate nothing. */
static bool is_harmless(struct slice name) {
    static const struct slice names[] = {SLICE_INIT("assert_alignment"),
                                         SLICE_INIT("torch.cuda.set_device"),
                                         SLICE_INIT("torch.cuda.synchronize"),
                                         SLICE_INIT("torch.xpu.set_device"),
                                         SLICE_INIT("torch._C._cuda_setDevice"),
                                         SLICE_INIT("run_intermediate_hooks"),
                                         SLICE_INIT("args.clear"),
                                         SLICE_INIT("print")};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (slice_eq(name, names[i]))
            return true;
    return false;
}

/* "assert_size_stride(buf3, (8, 64), (64, 1), 'op')", "assert_tensor_metadata(buf3, …, torch.float32, 'op')" */
static void read_assertion(struct memory_scanner *s, struct slice args) {
    struct slice parts[4] = {{0}}, item;
    uint32_t count = 0;
    while (count < 4 && code_next_item(&args, &item))
        parts[count++] = item;
    const struct code_variable *variable = count >= 3 ? memory_find(s, parts[0]) : NULL;
    if (!variable || variable->kind != TENSOR)
        return;
    struct code_tensor *tensor = &s->scan->tensors.items[variable->tensor];
    if (tensor->bytes >= 0 || tensor->argument)
        return;
    if (count == 4 && slice_starts(parts[3], SLICE("torch.")))
        tensor->dtype = parts[3];
    if (memory_size_tensor(s, tensor, parts[1], parts[2]))
        memory_change(s, variable->tensor, false);
}

/* A call whose result nobody takes. */
static bool read_call(struct memory_scanner *s, struct slice name, struct slice args) {
    struct slice kernel = name, method = name;
    if (slice_is(name, "assert_size_stride") || slice_is(name, "assert_tensor_metadata")) {
        read_assertion(s, args);
        return true;
    }
    if (is_harmless(name) || slice_starts(name, SLICE("assert_size_stride")))
        return true;
    if (slice_starts(name, SLICE("cpp_")) || slice_cut_end(&kernel, SLICE(".run"))) {
        note_maker(s, kernel, args);
        return true;
    }
    size_t dot = slice_rfind_byte(method, '.');
    if (dot != SIZE_MAX && memory_find(s, slice_first(method, dot)) && slice_ends(method, SLICE("_")))
        return true; /* "buf0.copy_(arg0_1, False)", "workspace_0.zero_()" */
    if (!is_operator(name))
        return memory_refuse(s, MEMORY_STATEMENT);
    if (!only_writes(name, args) && !slice_is(name, "torch.ops._c10d_functional.wait_tensor.default"))
        memory_note_fallback(s, name);
    note_maker(s, name, args);
    return true;
}

/* The result of an operator: its first argument, or a new tensor whose size the next statements assert. */
static bool result_of(struct memory_scanner *s, struct slice name, struct slice args, struct code_variable *value) {
    struct slice first = {0}, rest = args;
    uint32_t of = code_next_item(&rest, &first) ? tensor_in(s, first) : MEMORY_NONE;
    if (of != MEMORY_NONE && returns_argument(name)) {
        *value = (struct code_variable){.kind = TENSOR, .tensor = of};
        return true;
    }
    memory_note_fallback(s, name);
    struct code_tensor tensor = {.bytes = -1, .device = MEMORY_NONE, .maker = name};
    if (of != MEMORY_NONE) {
        tensor.device = s->scan->tensors.items[of].device;
        tensor.dtype = keeps_dtype(name) ? s->scan->tensors.items[of].dtype : (struct slice){0};
    }
    for (uint32_t i = 0; i < s->scan->device_count && tensor.device == MEMORY_NONE; i++)
        tensor.device = s->scan->device_count == 1 ? 0 : MEMORY_NONE;
    return memory_new_tensor(s, tensor, value);
}

static bool run_function(struct memory_scanner *s, const struct code_step *function, struct code_variable arguments,
                         struct code_variable *results);

/* The latest function of the code with this name; NULL: none. */
static const struct code_step *function_named(const struct kernel_scan *kernels, struct slice name) {
    for (uint32_t i = kernels->step_count; i-- > 0;)
        if (kernels->steps[i].kind == CODE_FUNCTION && slice_eq(kernels->steps[i].left, name))
            return &kernels->steps[i];
    return NULL;
}

/* "self.partitions[0](partition0_args)": `text` starts with the number. */
static bool run_partition(struct memory_scanner *s, struct slice text, struct code_variable *value) {
    struct slice number = slice_first(text, slice_find(text, SLICE("]"))), args = code_within(text, '(', ')');
    struct code_variable *list = memory_find(s, slice_trim(args));
    char name[64];
    if (!list || list->kind != ITEMS || number.len > 16)
        return memory_refuse(s, MEMORY_STATEMENT);
    int written = snprintf(name, sizeof name, "partition_%.*s", (int)number.len, number.ptr);
    const struct code_step *function = function_named(s->kernels, slice_make(name, (size_t)written));
    if (!function)
        return memory_refuse(s, MEMORY_STATEMENT);
    struct code_variable passed = *list;
    list->count = 0; /* the function clears the list */
    return run_function(s, function, passed, value);
}

/* "arg0_1, buf3," or "buf8, reinterpret_tensor(buf4, …), None, ": what is between brackets. Holds the tensors. */
static bool read_list(struct memory_scanner *s, struct slice text, struct code_variable *value) {
    struct slice item;
    *value = (struct code_variable){.kind = ITEMS, .tensor = (uint32_t)s->lists.count};
    while (code_next_item(&text, &item)) {
        const struct code_variable *named = memory_find(s, item);
        uint32_t tensor = tensor_in(s, item);
        struct code_variable part = {.kind = NUMBER};
        if (tensor != MEMORY_NONE)
            part = (struct code_variable){.kind = TENSOR, .tensor = tensor};
        else if (slice_is(item, "None"))
            part.kind = NOTHING;
        else if (named && named->kind == NUMBER)
            part = *named;
        else if (named || !is_number(s, item))
            return memory_refuse(s, MEMORY_STATEMENT);
        if (s->lists.count == MEMORY_TENSORS_MAX)
            return memory_refuse(s, MEMORY_TOO_MANY);
        memory_hold(s, &part);
        LIST_ADD(&s->lists, part);
        value->count++;
    }
    return true;
}

/* "a, b = args", "a, = args": of call() from the benchmark, of a partition from its caller. */
static bool take_arguments(struct memory_scanner *s, struct slice names) {
    struct code_variable *passed = &s->scope->arguments;
    struct slice name;
    for (uint32_t i = 0; code_next_item(&names, &name); i++) {
        struct code_variable value;
        if (!code_is_name(name) || (s->depth > 1 && i >= passed->count))
            return memory_refuse(s, MEMORY_STATEMENT);
        if (s->depth > 1) {
            memory_set(s, name, s->lists.items[passed->tensor + i]);
            continue;
        }
        if (!memory_input(s, name, &value))
            return false;
        memory_add_value(s, false, name, &value);
        memory_set(s, name, value);
    }
    memory_release(s, passed);
    passed->count = 0;
    return true;
}

/* "(buf8,) = self.partitions[0](partition0_args)" */
static bool take_results(struct memory_scanner *s, struct slice names, const struct code_variable *results) {
    struct slice name;
    for (uint32_t i = 0; code_next_item(&names, &name); i++) {
        if (!code_is_name(name) || i >= results->count)
            return memory_refuse(s, MEMORY_STATEMENT);
        memory_set(s, name, s->lists.items[results->tensor + i]);
    }
    memory_release(s, results);
    return true;
}

static struct slice name_before(struct slice text, char end) {
    const char *at = text.len ? memchr(text.ptr, end, text.len) : NULL;
    return at ? slice_first(text, (size_t)(at - text.ptr)) : (struct slice){0};
}

/* The value of a call on the right of an assignment. */
static bool call_value(struct memory_scanner *s, struct slice name, struct slice text, struct code_variable *value) {
    static const struct slice views[] = {SLICE_INIT("reinterpret_tensor"), SLICE_INIT("alloc_from_pool"),
                                         SLICE_INIT("torch.as_strided"), SLICE_INIT("as_strided")};
    struct slice args = code_within(text, '(', ')'), device = name;
    for (size_t i = 0; i < sizeof views / sizeof *views; i++)
        if (slice_eq(name, views[i])) {
            uint32_t tensor = tensor_in(s, text);
            *value = (struct code_variable){.kind = TENSOR, .tensor = tensor};
            return tensor != MEMORY_NONE || memory_refuse(s, MEMORY_STATEMENT);
        }
    if (slice_cut_start(&device, SLICE("empty_strided"))) {
        slice_cut_start(&device, SLICE("_"));
        return allocate(s, device, args, value);
    }
    if (slice_is(name, "get_raw_stream") || slice_ends(name, SLICE(".item")) || slice_is(name, "int")) {
        *value = (struct code_variable){.kind = NUMBER};
        return true;
    }
    return is_operator(name) ? result_of(s, name, args, value) : memory_refuse(s, MEMORY_STATEMENT);
}

/* "buf5[1]": an item of what an operator returned. */
static bool item_value(struct memory_scanner *s, struct slice text, struct code_variable *value) {
    uint64_t index;
    const struct code_variable *whole = memory_find(s, name_before(text, '['));
    if (!whole || whole->kind != TENSOR || !slice_to_u64(code_within(text, '[', ']'), &index))
        return false;
    const struct code_tensor *tensor = &s->scan->tensors.items[whole->tensor];
    if (tensor->bytes >= 0 || tensor->argument || !tensor->maker.ptr)
        return false;
    struct code_tensor item = {.bytes = -1, .device = tensor->device, .maker = tensor->maker, .dtype = tensor->dtype};
    s->scan->tensors.items[whole->tensor].tuple = true;
    return memory_new_tensor(s, item, value);
}

static bool read_value(struct memory_scanner *s, struct slice text, struct code_variable *value) {
    static const struct slice partition = SLICE_INIT("self.partitions[");
    const struct code_variable *named = memory_find(s, text);
    struct slice function = name_before(text, '(');
    *value = (struct code_variable){.kind = NOTHING};
    if (named) {
        *value = *named;
        return named->kind == TENSOR || named->kind == NUMBER || named->kind == NOTHING ||
               memory_refuse(s, MEMORY_STATEMENT);
    }
    if (slice_is(text, "None"))
        return true;
    if (slice_starts(text, SLICE("[")) && slice_ends(text, SLICE("]")))
        return read_list(s, code_within(text, '[', ']'), value);
    if (slice_starts(text, partition))
        return run_partition(s, slice_from(text, partition.len), value);
    if (item_value(s, text, value))
        return true;
    if (is_number(s, text)) {
        *value = memory_number(s, text);
        return true;
    }
    return slice_ends(text, SLICE(")")) && function.len ? call_value(s, function, text, value)
                                                        : memory_refuse(s, MEMORY_STATEMENT);
}

static bool assign(struct memory_scanner *s, struct slice left, struct slice right) {
    struct code_variable value;
    if (slice_is(right, "args"))
        return take_arguments(s, left);
    if (slice_starts(left, SLICE("(")))
        return slice_starts(right, SLICE("self.partitions[")) && read_value(s, right, &value)
                 ? take_results(s, code_within(left, '(', ')'), &value)
                 : memory_refuse(s, MEMORY_STATEMENT);
    if (!code_is_name(left))
        return memory_refuse(s, MEMORY_STATEMENT);
    if (!read_value(s, right, &value))
        return false;
    if (value.kind == TENSOR && !s->scan->tensors.items[value.tensor].name.ptr)
        s->scan->tensors.items[value.tensor].name = left;
    memory_set(s, left, value); /* a list holds its tensors already */
    return true;
}

static bool give_back(struct memory_scanner *s, struct slice text, struct code_variable *results) {
    struct slice list = code_within(text, '(', ')'), item;
    if (!list.ptr || !read_list(s, list, results))
        return memory_refuse(s, MEMORY_STATEMENT);
    if (s->depth > 1)
        return true;
    for (uint32_t i = 0; i < results->count && code_next_item(&list, &item); i++) {
        const struct code_variable *value = &s->lists.items[results->tensor + i];
        struct slice inner = code_within(item, '(', ')'), first = item;
        if (inner.ptr)
            code_next_item(&inner, &first);
        memory_add_value(s, true, first, value);
        if (value->kind == TENSOR)
            s->scan->tensors.items[value->tensor].returned = true;
    }
    return true;
}

/* Comments start with "#" outside of quotes. */
static struct slice without_comment(struct slice text) {
    char quote = 0;
    bool any = text.len && memchr(text.ptr, '#', text.len);
    for (size_t i = 0; i < text.len && any; i++) {
        char c = text.ptr[i];
        if (quote)
            quote = c == quote ? 0 : quote;
        else if (c == '\'' || c == '"')
            quote = c;
        else if (c == '#')
            return slice_trim(slice_first(text, i));
    }
    return text;
}

/* "buf1 = buf0; del buf0" */
static bool read_assignment(struct memory_scanner *s, struct slice text, size_t is) {
    size_t end = slice_find(text, SLICE("; "));
    struct slice right = slice_trim(slice_from(slice_first(text, end), is + 3));
    if (!assign(s, slice_first(text, is), right))
        return false;
    if (end == SIZE_MAX)
        return true;
    struct slice rest = slice_from(text, end + 2);
    return slice_cut_start(&rest, SLICE("del ")) ? memory_forget(s, rest) : memory_refuse(s, MEMORY_STATEMENT);
}

static bool read_statement(struct memory_scanner *s, struct slice text, struct code_variable *results, bool *returned) {
    bool raises = slice_starts(text, SLICE("raise "));
    if (s->expect_raise || raises) {
        bool expected = s->expect_raise && raises;
        s->expect_raise = false;
        return expected || memory_refuse(s, MEMORY_STATEMENT);
    }
    if (slice_ends(text, SLICE(":"))) {
        s->expect_raise = slice_starts(text, SLICE("if not "));
        return s->expect_raise || slice_starts(text, SLICE("with torch.")) || memory_refuse(s, MEMORY_STATEMENT);
    }
    if (slice_cut_start(&text, SLICE("del ")))
        return memory_forget(s, text);
    if (slice_cut_start(&text, SLICE("return "))) {
        *returned = true;
        return give_back(s, text, results);
    }
    size_t is = slice_find(text, SLICE(" = ")), open = slice_find(text, SLICE("("));
    if (is != SIZE_MAX && (is < open || open == 0))
        return read_assignment(s, text, is);
    struct slice name = name_before(text, '(');
    return name.len && slice_ends(text, SLICE(")")) ? read_call(s, name, code_within(text, '(', ')'))
                                                    : memory_refuse(s, MEMORY_STATEMENT);
}

/* Whether the line is in a string between statements. `quoted`: the state so far. */
static bool in_string(struct slice text, bool *quoted) {
    static const struct slice marks[] = {SLICE_INIT("'''"), SLICE_INIT("\"\"\"")};
    bool before = *quoted;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        bool starts = slice_starts(text, marks[i]), ends = slice_ends(text, marks[i]) && (!starts || text.len >= 6);
        if (!before && starts)
            *quoted = !ends;
        else if (before && (starts || ends))
            *quoted = false;
        if (!before && starts)
            return true;
    }
    return before;
}

static size_t indent_of(struct slice line) {
    size_t at = 0;
    while (at < line.len && line.ptr[at] == ' ')
        at++;
    return at;
}

/* Reads the statements of a function: lines that are indented at least as deep as its first one. */
static bool read_body(struct memory_scanner *s, struct slice body, struct code_variable *results) {
    struct slice line;
    bool returned = false, quoted = false;
    size_t indent = 0;
    for (; !returned && slice_next_line(&body, &line); s->line++) {
        struct slice text = slice_trim(line);
        size_t at = indent_of(line);
        if (in_string(text, &quoted) || !text.len || text.ptr[0] == '#')
            continue;
        indent = indent ? indent : at;
        if (at < indent)
            break;
        if (s->statements++ == STATEMENTS_MAX)
            return memory_refuse(s, MEMORY_TOO_MANY);
        if (!read_statement(s, without_comment(text), results, &returned))
            return false;
    }
    return returned || memory_refuse(s, MEMORY_STATEMENT);
}

static void leave(struct memory_scanner *s, struct code_scope *scope) {
    for (size_t i = 0; i < scope->variables.count; i++)
        memory_release(s, &scope->variables.items[i]);
    mem_free(scope->variables.items);
    map_free(&scope->names);
}

static bool run_function(struct memory_scanner *s, const struct code_step *function, struct code_variable arguments,
                         struct code_variable *results) {
    struct code_scope scope = {.arguments = arguments}, *caller = s->scope;
    uint32_t line = s->line;
    if (s->depth == NESTING_MAX)
        return memory_refuse(s, MEMORY_TOO_MANY);
    struct slice body = slice_from(s->code, (size_t)(function->left.ptr - s->code.ptr)), head;
    slice_next_line(&body, &head);
    s->depth++;
    s->scope = &scope;
    s->line = function->kernel + 1;
    bool done = read_body(s, body, results);
    leave(s, &scope);
    s->scope = caller;
    s->line = line;
    s->depth--;
    return done;
}

/* Notes the inputs of the benchmark, "arg0_1 = rand_strided(…)" and "arg1_1 = 8". */
static void read_inputs(struct memory_scanner *s, struct slice text) {
    static const struct slice starts[] = {SLICE_INIT("\ndef get_args("),
                                          SLICE_INIT("\ndef benchmark_compiled_module(")};
    struct slice line, rest = {0};
    for (size_t i = 0; i < sizeof starts / sizeof *starts && !rest.ptr; i++)
        rest = slice_after(text, starts[i]);
    slice_next_line(&rest, &line);
    while (slice_next_line(&rest, &line) && (!line.len || line.ptr[0] == ' ') && s->input_texts.count < NAMES_MAX) {
        struct slice statement = slice_trim(line);
        size_t is = slice_find(statement, SLICE(" = "));
        if (is == SIZE_MAX || !code_is_name(slice_first(statement, is)))
            continue;
        map_put(&s->inputs, slice_first(statement, is), (uint32_t)s->input_texts.count, NULL);
        LIST_ADD(&s->input_texts, slice_from(statement, is + 3));
    }
}

/* The function of a C++ wrapper that runs the graph: the line after its parameters. ptr NULL: none */
static struct slice cpp_body(struct slice code) {
    struct slice body = slice_after(code, SLICE("\nvoid inductor_entry_impl("));
    if (!body.ptr)
        body = slice_after(code, SLICE("::run_impl("));
    return slice_after(body, SLICE("\n) {\n"));
}

static uint32_t line_of(struct slice code, const char *at) {
    uint32_t line = 1;
    for (const char *next = code.ptr; (next = memchr(next, '\n', (size_t)(at - next))) && next < at; next++)
        line++;
    return line;
}

/* Runs the code in a scope of its own. */
static void scan_cpp(struct memory_scanner *s, struct slice body) {
    struct code_scope scope = {.arguments = {.kind = ITEMS}};
    s->scope = &scope;
    s->line = line_of(s->code, body.ptr);
    memory_read_cpp(s, body);
    leave(s, &scope);
}

struct memory_scan *memory_scan(struct slice code, const struct kernel_scan *kernels, struct arena *arena) {
    struct memory_scanner s = {.code = code, .kernels = kernels, .arena = arena};
    const struct code_step *call = function_named(kernels, SLICE("call"));
    struct slice body = call ? (struct slice){0} : cpp_body(code);
    struct code_variable results = {0};
    if (!call && !body.ptr && !kernels->too_long)
        return NULL;
    s.scan = arena_zalloc(arena, sizeof *s.scan);
    if (call || body.ptr) {
        read_inputs(&s, call ? slice_from(code, (size_t)(call->left.ptr - code.ptr)) : body);
        if (call)
            run_function(&s, call, (struct code_variable){.kind = ITEMS}, &results);
        else
            scan_cpp(&s, body);
    } else {
        s.scan->unknown = MEMORY_TOO_MANY;
    }
    for (size_t i = 0; i < s.scan->tensors.count && s.scan->unknown == MEMORY_KNOWN; i++) {
        const struct code_tensor *tensor = &s.scan->tensors.items[i];
        if (tensor->bytes < 0 && !tensor->argument && !tensor->tuple)
            s.scan->unknown = MEMORY_SIZE;
    }
    mem_free(s.references.items);
    mem_free(s.lists.items);
    mem_free(s.input_texts.items);
    map_free(&s.inputs);
    return s.scan;
}

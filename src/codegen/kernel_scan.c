#include "codegen/scanned_kernel.h"

#include "codegen/kernel_scan_parts.h"

enum { COMMENT_REACH = 4 }; /* lines from "Source Nodes" to the call that the comment describes */

const char *kernel_kind_name(enum kernel_kind kind) {
    static const char *const names[] = {"triton", "cpp", "extern", "other"};
    return names[kind];
}

/* Returns NULL and counts the kernel if there are too many. */
static struct scanned_kernel *new_kernel(struct scanner *s, struct slice name, enum kernel_kind kind) {
    struct kernel_scan *scan = s->scan;
    if (scan->count == KERNELS_IN_CODE_MAX) {
        scan->more++;
        return NULL;
    }
    if (scan->count == s->cap) {
        struct scanned_kernel *old = scan->items;
        s->cap = s->cap ? 2 * s->cap : 16;
        scan->items = arena_alloc(s->arena, s->cap * sizeof *scan->items);
        if (scan->count)
            memcpy(scan->items, old, scan->count * sizeof *old);
    }
    scan->items[scan->count] = (struct scanned_kernel){.kind = kind, .name = name};
    return &scan->items[scan->count++];
}

static struct scanned_kernel *kernel_of(struct scanner *s, struct slice name, enum kernel_kind kind) {
    uint32_t place = map_get(&s->names, name);
    if (place != MAP_NONE)
        return &s->scan->items[place];
    struct scanned_kernel *kernel = new_kernel(s, name, kind);
    if (kernel)
        map_put(&s->names, name, s->scan->count - 1, NULL);
    return kernel;
}

static void add_step(struct scanner *s, struct code_step step) {
    if (s->steps.count == CODE_STEPS_MAX) {
        s->steps.full = true;
        return;
    }
    LIST_ADD(&s->steps, step);
}

/* Determined by the function of AsyncCompile that gets the code. CUTLASS and similar templates are C++. */
static enum kernel_kind kind_written_by(struct slice how) {
    static const struct slice cpp[] = {SLICE_INIT("cpp"),  SLICE_INIT("cpp_pybinding"), SLICE_INIT("cutlass"),
                                       SLICE_INIT("cuda"), SLICE_INIT("xpu"),           SLICE_INIT("rocm")};
    if (slice_is(how, "triton") || slice_ends(how, SLICE("multi_kernel")))
        return KERNEL_TRITON;
    for (size_t i = 0; i < sizeof cpp / sizeof *cpp; i++)
        if (slice_eq(how, cpp[i]))
            return KERNEL_CPP;
    return KERNEL_OTHER;
}

/* Finds the Python code that autotuned the kernels of a C++ wrapper: an unused string in the wrapper's code. It defines
 * the kernels, and calls each once. */
static bool read_tuning(struct scanner *s, struct slice text) {
    bool begins = slice_starts(text, SLICE("Compile-time auto-tuning block:")),
         ends = s->tuning && slice_is(text, "\"\"\"");
    s->tuning = begins || (s->tuning && !ends);
    return begins || ends;
}

/* "name = async_compile.triton('name', '''" */
static bool read_definition(struct scanner *s, struct slice text) {
    static const struct slice compile = SLICE_INIT("async_compile.");
    size_t at = slice_find(slice_first(text, NAME_MAX_BYTES), compile);
    struct slice name = at != SIZE_MAX ? code_name_at(text, false) : (struct slice){0};
    if (at == SIZE_MAX)
        return false;
    struct slice how = code_name_at(slice_from(text, at + compile.len), false);
    if (!how.len || slice_is(how, "wait") || slice_is(how, "shutdown"))
        return false;
    if (at == 0) { /* in a comment of the C++ wrapper: the name follows the parenthesis */
        size_t quote = slice_find(text, SLICE("('"));
        name = quote != SIZE_MAX ? code_name_at(slice_from(text, quote + 2), false) : (struct slice){0};
    }
    struct scanned_kernel *kernel = name.len ? kernel_of(s, name, kind_written_by(how)) : NULL;
    if (kernel) {
        if (kernel->kind == KERNEL_OTHER)
            kernel->heuristic = how;
        size_t quote = slice_find(text, SLICE("('"));
        struct slice label = quote != SIZE_MAX ? code_name_at(slice_from(text, quote + 2), false) : (struct slice){0};
        kernel->line = s->line;
        kernel->label = slice_eq(label, name) || !label.len ? (struct slice){0} : label;
        kernel->original = s->original;
        scanner_take_comment(s, kernel, UINT32_MAX);
    }
    s->original = (struct slice){0};
    if (slice_find(text, SLICE("'''")) != SIZE_MAX) {
        s->body = kernel ? (uint32_t)(kernel - s->scan->items) + 1 : UINT32_MAX;
        if (kernel)
            kernel->written = true;
    }
    return true;
}

/* Called at the end of a C++ function's parameters. In a declaration, ";" follows. The kernel's line becomes that of
 * the definition once there is one. */
static void read_function_end(struct scanner *s, struct slice text) {
    struct scanned_kernel *kernel = &s->scan->items[s->function - 1];
    size_t close = slice_find(text, SLICE(")"));
    if (close == SIZE_MAX)
        return;
    if (kernel->declared && !slice_starts(slice_trim(slice_from(text, close + 1)), SLICE(";"))) {
        kernel->line = s->function_line;
        kernel->declared = false;
    }
    s->function = 0;
}

/* 'extern "C"  void  name(' in C++ code of AOTInductor. */
static bool read_cpp_definition(struct scanner *s, struct slice text) {
    if (!scanner_begins_function(s, text))
        return s->linkage;
    size_t at = slice_find(text, SLICE("void "));
    struct slice name = at != SIZE_MAX ? code_name_at(slice_trim(slice_from(text, at + 5)), false) : (struct slice){0};
    if (slice_starts(name, SLICE("cpp_")) || slice_starts(name, SLICE("kernel_cpp"))) {
        struct scanned_kernel *kernel = kernel_of(s, name, KERNEL_CPP);
        if (kernel && !kernel->line) {
            kernel->line = s->line;
            kernel->declared = true;
        }
        if (kernel) {
            s->function = (uint32_t)(kernel - s->scan->items) + 1;
            s->function_line = s->line;
            read_function_end(s, text);
            scanner_begin_params(s, (uint32_t)(kernel - s->scan->items), text);
        }
    }
    return true;
}

static void count_call(struct scanner *s, struct scanned_kernel *kernel, struct slice target, struct slice args) {
    if (!kernel)
        return;
    if (kernel->kind == KERNEL_EXTERN && !kernel->calls)
        kernel->ops = scanner_library_operator(s, kernel->name);
    kernel->calls++;
    kernel->in_call |= s->in_call;
    if (!kernel->call_line)
        kernel->call_line = s->line;
    if (kernel->kind == KERNEL_EXTERN && s->handle_line && s->line - s->handle_line <= COMMENT_REACH)
        kernel->handle = s->handle;
    s->handle_line = 0;
    scanner_take_comment(s, kernel, COMMENT_REACH);
    add_step(s, (struct code_step){.kind = CODE_CALL,
                                   .kernel = (uint32_t)(kernel - s->scan->items),
                                   .left = target,
                                   .right = args});
}

/* Whether this is a library function that is called by name. Functions that only inspect memory are not kernels. */
static bool is_extern(struct slice name) {
    static const struct slice heads[] = {SLICE_INIT("extern_kernels."),
                                         SLICE_INIT("torch.ops."),
                                         SLICE_INIT("aten."),
                                         SLICE_INIT("aoti_torch_cpu_"),
                                         SLICE_INIT("aoti_torch_cuda_"),
                                         SLICE_INIT("_quantized."),
                                         SLICE_INIT("inductor_ops."),
                                         SLICE_INIT("mkldnn."),
                                         SLICE_INIT("aoti_torch_xpu_"),
                                         SLICE_INIT("aoti_torch_mps_"),
                                         SLICE_INIT("aoti_torch_proxy_executor_call_")};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (slice_starts(name, heads[i]) && name.len > heads[i].len)
            return true;
    return false;
}

/* The text in the parentheses at the start, without the last closing one. */
static struct slice in_brackets(struct slice text) {
    size_t close = slice_rfind_byte(text, ')');
    return close == SIZE_MAX ? slice_from(text, 1) : slice_from(slice_first(text, close), 1);
}

/* "name = right": another name for a value or a part of it. */
static void read_alias(struct scanner *s, struct slice name, struct slice right) {
    const struct slice heads[] = {SLICE("reinterpret_tensor("), SLICE("std::move("),
                                  SLICE("wrap_with_raii_handle_if_needed(")};
    struct slice word = code_name_at(right, false), rest = slice_from(right, word.len);
    bool alias = word.len && (!rest.len || rest.ptr[0] == ';' || rest.ptr[0] == '[');
    for (size_t i = 0; i < sizeof heads / sizeof *heads && !alias; i++)
        alias = slice_starts(right, heads[i]);
    if (alias)
        add_step(s, (struct code_step){.kind = CODE_ALIAS, .left = name, .right = right});
}

/* Whether a line of C++ only allocates memory that the next call writes. */
static bool is_declaration(struct slice text) {
    const struct slice heads[] = {SLICE("static constexpr "),
                                  SLICE("const int64_t "),
                                  SLICE("int64_t "),
                                  SLICE("AtenTensorHandle "),
                                  SLICE("RAIIAtenTensorHandle "),
                                  SLICE("auto "),
                                  SLICE("AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_empty_strided")};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (slice_starts(text, heads[i]))
            return true;
    return false;
}

/* "u0 = buf0.item()", "buf2_selector = int(buf1.item())", "body_args = [buf0, buf1,]" */
static bool read_item(struct scanner *s, struct slice target, struct slice right) {
    const struct slice item = SLICE(".item()"), list = SLICE("[");
    size_t at = slice_find(right, item);
    if (at != SIZE_MAX)
        add_step(s, (struct code_step){.kind = CODE_ITEM, .left = target, .right = slice_first(right, at)});
    else if (slice_starts(right, list) && slice_ends(right, SLICE("]")) && slice_ends(target, SLICE("_args")))
        add_step(s, (struct code_step){.kind = CODE_LIST,
                                       .left = target,
                                       .right = slice_first(slice_from(right, 1), right.len - 2)});
    else
        return false;
    return true;
}

/* "buf2 = body(body_args)" */
static bool read_graph_call(struct scanner *s, struct slice target, struct slice name, struct slice rest) {
    if (!name.len || !slice_starts(rest, SLICE("(")) || map_get(&s->functions, name) == MAP_NONE)
        return false;
    add_step(s, (struct code_step){.kind = CODE_GRAPH, .left = target, .right = in_brackets(rest), .name = name});
    return true;
}

/* "(buf2,) = self.partitions[0](partition0_args)": a part of the graph, for CUDA graphs. */
static bool read_partition(struct scanner *s, struct slice text) {
    const struct slice call = SLICE("self.partitions[");
    size_t at = slice_starts(text, SLICE("(")) || slice_starts(text, call) ? slice_find(text, call) : SIZE_MAX;
    text = slice_from(text, at == SIZE_MAX ? text.len : at + call.len);
    size_t close = slice_find(text, SLICE("]("));
    if (close == SIZE_MAX)
        return false;
    s->scan->partitions++;
    add_step(s, (struct code_step){.kind = CODE_PARTITION, .left = slice_first(text, close)});
    return true;
}

/* "buf1.copy_(buf0, False)": Inductor writes this for copies between devices only. */
static bool read_copy(struct scanner *s, struct slice text) {
    const struct slice call = SLICE(".copy_("), async = SLICE(", True)"), blocking = SLICE(", False)");
    size_t at = slice_find(slice_first(text, NAME_MAX_BYTES), call);
    if (at == SIZE_MAX || !at || !(slice_ends(text, async) || slice_ends(text, blocking)))
        return false;
    struct scanned_kernel *kernel = new_kernel(s, slice_first(slice_from(text, at + 1), call.len - 2), KERNEL_EXTERN);
    if (!kernel)
        return true;
    kernel->copies = true;
    kernel->waits = slice_ends(text, blocking);
    kernel->calls = 1;
    kernel->in_call = s->in_call;
    kernel->call_line = s->line;
    add_step(s, (struct code_step){.kind = CODE_CALL,
                                   .kernel = (uint32_t)(kernel - s->scan->items),
                                   .left = slice_first(text, at),
                                   .right = in_brackets(slice_from(text, at + call.len - 1))});
    return true;
}

/* A statement whose target is not a simple name: "(buf2[0], buf2[1]) = body(body_args)", "buf2[0] = buf1". */
static bool read_parts(struct scanner *s, struct slice text) {
    size_t is = slice_find(slice_first(text, NAME_MAX_BYTES), SLICE(" = "));
    if (is == SIZE_MAX || !is || !text.len || (text.ptr[0] != '(' && text.ptr[is - 1] != ']'))
        return false;
    struct slice left = slice_first(text, is), right = slice_from(text, is + 3), name = code_name_at(right, false);
    if (text.ptr[0] == '(')
        return read_graph_call(s, left, name, slice_from(right, name.len));
    if (!name.len || name.len != right.len)
        return false;
    add_step(s, (struct code_step){.kind = CODE_ALIAS, .left = left, .right = right});
    return true;
}

/* A call: "name(…", "name.run(…", with an optional "buf3 = ". */
static void read_call(struct scanner *s, struct slice text) {
    static const struct slice check = SLICE_INIT("AOTI_TORCH_ERROR_CODE_CHECK("), wrapped = SLICE_INIT("call_"),
                              run = SLICE_INIT(".run");
    const struct slice deduced = SLICE("auto ");
    bool declaration = is_declaration(text);
    s->comment_line += s->comment_line && declaration;
    s->handle_line += s->handle_line && declaration;
    if (slice_starts(text, deduced))
        text = slice_trim(slice_from(text, deduced.len));
    struct slice name = code_name_at(text, true), rest = slice_from(text, name.len), target = {0};
    if (slice_starts(rest, SLICE(" = "))) {
        target = name;
        text = slice_from(rest, 3);
        name = code_name_at(text, true);
        rest = slice_from(text, name.len);
    }
    if (slice_starts(text, check)) {
        text = slice_from(text, check.len);
        name = code_name_at(text, true);
        rest = slice_from(text, name.len);
        if (!s->comment_line) /* the wrapper creates and inspects tensors with the same functions */
            return;
    }
    if (slice_starts(rest, SLICE("(")) && is_extern(name)) {
        count_call(s, new_kernel(s, name, KERNEL_EXTERN), target, in_brackets(rest));
        return;
    }
    slice_cut_end(&name, run);
    uint32_t place = name.len && slice_starts(rest, SLICE("(")) ? map_get(&s->names, name) : MAP_NONE;
    if (place == MAP_NONE && slice_starts(name, wrapped))
        place = map_get(&s->names, slice_from(name, wrapped.len));
    if (place != MAP_NONE)
        count_call(s, &s->scan->items[place], target, in_brackets(rest));
    else if (!read_graph_call(s, target, name, rest) && target.len && !read_item(s, target, text))
        read_alias(s, target, text);
}

/* Reads the start of a function and its return statement. */
static bool read_frame(struct scanner *s, struct slice text) {
    const struct slice def = SLICE("def "), give = SLICE("return ("), outputs = SLICE("output_handles[");
    if (slice_starts(text, def)) {
        struct slice name = code_name_at(slice_from(text, def.len), false);
        if (name.len)
            map_put(&s->functions, name, 0, NULL);
        s->in_call = slice_is(name, "call");
        add_step(s, (struct code_step){.kind = CODE_FUNCTION, .kernel = s->line, .left = name});
    } else if (slice_starts(text, give)) {
        add_step(s, (struct code_step){.kind = CODE_RETURN, .right = in_brackets(slice_from(text, give.len - 1))});
    } else if (slice_starts(text, outputs)) {
        uint64_t place;
        size_t close = slice_find(text, SLICE("]")), is = slice_find(text, SLICE(" = "));
        if (close != SIZE_MAX && is != SIZE_MAX && close > outputs.len && close < is &&
            slice_to_u64(slice_from(slice_first(text, close), outputs.len), &place) && place < CODE_STEPS_MAX)
            add_step(s, (struct code_step){.kind = CODE_OUTPUT,
                                           .kernel = (uint32_t)place,
                                           .right = slice_from(text, is + 3)});
    } else {
        return false;
    }
    return true;
}

static void read_line(struct scanner *s, struct slice line) {
    const struct slice id = SLICE("# AOT ID: ['"), handles = SLICE("[Provenance debug handles] "),
                       original = SLICE("# Original path: ");
    struct slice text = slice_trim(line);
    bool indented = line.len && (line.ptr[0] == ' ' || line.ptr[0] == '\t');
    if (s->body) {
        scanner_read_body(s, text);
        return;
    }
    if (read_tuning(s, text))
        return;
    if (s->function)
        read_function_end(s, text);
    if (!slice_ends(text, SLICE(",")) && slice_find(text, SLICE(")")) == SIZE_MAX)
        s->signature = s->function = 0; /* no parameters */
    if (slice_starts(text, id)) {
        struct slice rest = slice_from(text, id.len);
        size_t quote = slice_find(rest, SLICE("'"));
        s->scan->graph = quote != SIZE_MAX ? slice_first(rest, quote) : (struct slice){0};
    } else if (slice_starts(text, SLICE("#")) || slice_starts(text, SLICE("//"))) {
        size_t handle = slice_find(text, handles);
        if (handle != SIZE_MAX) {
            s->handle_line = s->line;
            s->handle = slice_trim(slice_from(text, handle + handles.len));
        }
        if (slice_starts(text, original))
            s->original = slice_from(text, original.len);
        if (!scanner_read_comment(s, text) && s->comment_line) {
            s->comment_line += indented; /* further comments in between are allowed */
            scanner_read_fragment(s, text);
        }
    } else if (slice_starts(line, SLICE("def benchmark_compiled_module")) ||
               slice_starts(line, SLICE("def get_args("))) {
        s->ended = true;
    } else if (s->signature) {
        scanner_read_params(s, text);
    } else if (!read_definition(s, text) && !s->tuning && !read_cpp_definition(s, text) && !read_frame(s, text) &&
               indented && !read_partition(s, text) && !read_copy(s, text) && !read_parts(s, text)) {
        read_call(s, text);
    }
}

struct kernel_scan *kernels_scan(struct slice code, struct arena *arena) {
    struct scanner s = {.arena = arena, .scan = arena_zalloc(arena, sizeof *s.scan)};
    struct slice line;
    s.scan->bytes = code.len;
    while (!s.ended && slice_next_line(&code, &line)) {
        s.line++;
        if (line.len)
            read_line(&s, line);
    }
    scanner_drop_foreign(&s);
    s.scan->too_long = s.steps.full;
    if (s.steps.count && !s.steps.full) {
        s.scan->step_count = (uint32_t)s.steps.count;
        s.scan->steps = arena_alloc(arena, s.steps.count * sizeof *s.steps.items);
        memcpy(s.scan->steps, s.steps.items, s.steps.count * sizeof *s.steps.items);
    }
    mem_free(s.steps.items);
    mem_free(s.foreign.items);
    map_free(&s.written);
    map_free(&s.functions);
    map_free(&s.names);
    return s.scan;
}

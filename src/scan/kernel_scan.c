#include "scan/kernel_scan.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/map.h"
#include "base/mem.h"

enum {
    NAME_MAX_BYTES = 300,
    LIST_MAX_BYTES = 2000, /* nodes or operators of one kernel */
    COMMENT_REACH = 4,     /* lines from "Source Nodes" to the call that the comment is about */
    PARAMS_MAX = 1024,     /* per kernel */
};

const char *kernel_kind_name(enum kernel_kind kind) {
    static const char *const names[] = {"triton", "cpp", "extern", "other"};
    return names[kind];
}

/* Consecutive loops of a C++ kernel: each is a pair of braces in the function's body. */
struct loops {
    unsigned depth;     /* nesting of braces; 0: not in a body */
    uint32_t param;     /* the only parameter that is written and used so far; UINT32_MAX: none; SEVERAL */
    uint32_t functions; /* functions that they call: bits of families */
};
#define SEVERAL (UINT32_MAX - 1)

struct scanner {
    struct arena *arena;
    struct kernel_scan *scan;
    struct map names;
    struct map functions; /* functions that the code defines */
    size_t cap;
    uint32_t line;           /* current line */
    struct slice nodes, ops; /* from the comment that precedes a kernel */
    struct slice handle;     /* from its own comment */
    uint32_t handle_line;    /* 0: none */
    bool sorted;             /* the last of the nodes is the one that is computed */
    struct {
        struct code_step *items;
        size_t count, cap;
        bool full;
    } steps;
    uint32_t signature; /* 1 + index of the kernel whose parameters are being read; 0: none */
    char params[PARAMS_MAX];
    struct slice param_names[PARAMS_MAX];
    size_t param_count;
    uint32_t function;      /* 1 + index of the kernel whose C++ function begins, until its parameters end; 0: none */
    uint32_t function_line; /* where it begins */
    bool linkage;           /* the previous line is just 'extern "C"': its function follows */
    struct loops loops;     /* of the current C++ function */
    struct map written;     /* parameters that it writes, by name */
    uint8_t called[PARAMS_MAX]; /* per parameter: scanned_kernel.own_functions */
    uint32_t comment_line;      /* 0: none */
    uint32_t body;              /* 1 + index of the kernel whose Python string is being read; 0: none */
    bool ended;                 /* the rest only benchmarks or tests the code */
};

static bool is_name_byte(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* The name at the start of the text, including dots if `dots`. */
static struct slice name_at(struct slice text, bool dots) {
    size_t len = 0;
    while (len < text.len && (is_name_byte(text.ptr[len]) || (dots && text.ptr[len] == '.')))
        len++;
    return len && len < NAME_MAX_BYTES && !(text.ptr[0] >= '0' && text.ptr[0] <= '9') ? slice_first(text, len)
                                                                                      : (struct slice){0};
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

/* ---- functions that show what code computes ------------------------------------------------------------------- */

static const struct {
    struct slice word;
    enum function_family family;
} functions[] = {
    {SLICE_INIT("exp"), FAMILY_EXP},      {SLICE_INIT("exp2"), FAMILY_EXP},    {SLICE_INIT("exp_u20"), FAMILY_EXP},
    {SLICE_INIT("fexp_u20"), FAMILY_EXP}, {SLICE_INIT("sigmoid"), FAMILY_EXP}, {SLICE_INIT("erf"), FAMILY_ERF},
    {SLICE_INIT("tanh"), FAMILY_TANH},    {SLICE_INIT("sin"), FAMILY_SIN},     {SLICE_INIT("cos"), FAMILY_COS},
    {SLICE_INIT("log"), FAMILY_LOG},      {SLICE_INIT("log2"), FAMILY_LOG},
};

enum function_family function_family_of(struct slice op) {
    static const struct {
        struct slice name;
        enum function_family family;
    } operators[] = {
        {SLICE_INIT("sqrt"), FAMILY_SQRT},   {SLICE_INIT("rsqrt"), FAMILY_SQRT}, {SLICE_INIT("exp"), FAMILY_EXP},
        {SLICE_INIT("sigmoid"), FAMILY_EXP}, {SLICE_INIT("erf"), FAMILY_ERF},    {SLICE_INIT("tanh"), FAMILY_TANH},
        {SLICE_INIT("sin"), FAMILY_SIN},     {SLICE_INIT("cos"), FAMILY_COS},    {SLICE_INIT("log"), FAMILY_LOG},
    };
    if (!slice_starts(op, SLICE("aten.")))
        return FAMILIES;
    op = slice_from(op, 5);
    size_t dot = slice_find(op, SLICE("."));
    op = slice_first(op, dot == SIZE_MAX ? op.len : dot);
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (slice_eq(op, operators[i].name))
            return operators[i].family;
    return FAMILIES;
}

/* The functions called in a line of a kernel's code: "auto tmp4 = tmp3.rsqrt();", "libdevice.rsqrt(tmp3)". */
static uint32_t functions_in(struct slice text) {
    uint32_t found = 0;
    for (size_t i = 0; i < text.len; i++) {
        size_t begin = i;
        if (text.ptr[i] != '(')
            continue;
        while (begin && is_name_byte(text.ptr[begin - 1]))
            begin--;
        struct slice word = slice_make(text.ptr + begin, i - begin);
        if (slice_find(word, SLICE("sqrt")) != SIZE_MAX) /* "rsqrt", "sqrt_rn" */
            found |= 1u << FAMILY_SQRT;
        for (size_t k = 0; word.len && k < sizeof functions / sizeof *functions; k++)
            if (slice_eq(word, functions[k].word))
                found |= 1u << functions[k].family;
    }
    return found;
}

static void add_step(struct scanner *s, struct code_step step) {
    if (s->steps.count == CODE_STEPS_MAX) {
        s->steps.full = true;
        return;
    }
    MEM_GROW(&s->steps);
    s->steps.items[s->steps.count++] = step;
}

/* Adds the items of "a, b" that the list does not have. */
static void merge(struct scanner *s, struct slice *list, struct slice more) {
    struct buf text = {0};
    if (!list->len) {
        *list = slice_first(more, LIST_MAX_BYTES);
        return;
    }
    while (more.len && list->len + text.len < LIST_MAX_BYTES) {
        size_t comma = slice_find(more, SLICE(", "));
        struct slice item = slice_first(more, comma == SIZE_MAX ? more.len : comma), rest = *list;
        bool there = false;
        more = comma == SIZE_MAX ? (struct slice){0} : slice_from(more, comma + 2);
        while (rest.len && !there) {
            size_t end = slice_find(rest, SLICE(", "));
            there = slice_eq(slice_first(rest, end == SIZE_MAX ? rest.len : end), item);
            rest = end == SIZE_MAX ? (struct slice){0} : slice_from(rest, end + 2);
        }
        if (!there && item.len) {
            buf_add_lit(&text, ", ");
            buf_add(&text, item);
        }
    }
    if (text.len) {
        struct buf whole = {0};
        buf_add(&whole, *list);
        buf_add(&whole, buf_slice(&text));
        *list = arena_slice(s->arena, buf_slice(&whole));
        buf_free(&whole);
    }
    buf_free(&text);
}

static struct slice last_item(struct slice list) {
    for (size_t comma; (comma = slice_find(list, SLICE(", "))) != SIZE_MAX;)
        list = slice_from(list, comma + 2);
    return list;
}

/* Whether the call computes the operator, or its part of one: "extern_kernels.mm" and "aoti_torch_cpu_mm_out" compute
 * "aten.mm", and part of "aten.addmm". */
static bool computes(struct slice call, struct slice op) {
    size_t dot = slice_find(op, SLICE("."));
    struct slice word = dot == SIZE_MAX ? op : slice_from(op, dot + 1), own = call;
    size_t at = word.len ? slice_find(call, word) : SIZE_MAX;
    if (at != SIZE_MAX && at && (call.ptr[at - 1] == '.' || call.ptr[at - 1] == '_') &&
        (at + word.len == call.len || call.ptr[at + word.len] == '.' || call.ptr[at + word.len] == '_'))
        return true;
    if (slice_ends(own, SLICE("_out")))
        own.len -= 4;
    while ((at = slice_rfind_byte(own, '.')) != SIZE_MAX || (at = slice_rfind_byte(own, '_')) != SIZE_MAX)
        own = slice_from(own, at + 1);
    return own.len > 1 && slice_ends(word, own);
}

/* The comment above a call also names the operands of its inputs if these are views. The call computes the last node.
 */
static void keep_last(struct scanner *s, struct scanned_kernel *kernel) {
    /* custom operators, whose names the wrapper does not have */
    bool proxy = slice_starts(kernel->name, SLICE("aoti_torch_proxy_executor_"));
    bool own = s->sorted && (proxy || computes(kernel->name, last_item(s->ops)));
    if (proxy && own)
        kernel->ops = last_item(s->ops);
    s->ops = (struct slice){0}; /* its name is more precise */
    if (!own)
        return;
    kernel->operands = s->nodes;
    s->nodes = slice_ends(s->nodes, SLICE(",")) ? (struct slice){0} : last_item(s->nodes);
}

/* The operator of a library call, from its name: "aten.mm" for "extern_kernels.mm" and "aoti_torch_cpu_mm_out",
 * "mylib.scale" for "torch.ops.mylib.scale.default". */
static struct slice library_operator(struct scanner *s, struct slice name) {
    static const struct slice heads[] = {SLICE_INIT("extern_kernels."), SLICE_INIT("aoti_torch_cpu_"),
                                         SLICE_INIT("aoti_torch_cuda_"), SLICE_INIT("aoti_torch_xpu_"),
                                         SLICE_INIT("aoti_torch_mps_")},
                              ops = SLICE_INIT("torch.ops."), bias = SLICE_INIT("bias_addmm");
    struct buf text = {0};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        if (!slice_starts(name, heads[i]))
            continue;
        name = slice_from(name, heads[i].len);
        if (i && slice_ends(name, SLICE("_out")))
            name.len -= 4;
        buf_add_lit(&text, "aten.");
        buf_add(&text, slice_starts(name, bias) ? slice_from(name, 5) : name);
        name = arena_slice(s->arena, buf_slice(&text));
        buf_free(&text);
        return name;
    }
    if (slice_starts(name, ops))
        name = slice_from(name, ops.len);
    size_t dot = slice_find(name, SLICE(".")),
           next = dot == SIZE_MAX ? dot : slice_find(slice_from(name, dot + 1), SLICE("."));
    return next == SIZE_MAX ? name : slice_first(name, dot + 1 + next);
}

static void take_comment(struct scanner *s, struct scanned_kernel *kernel, uint32_t reach) {
    if (s->comment_line && s->line - s->comment_line <= reach) {
        if (kernel->kind == KERNEL_EXTERN)
            keep_last(s, kernel);
        if (slice_ends(s->nodes, SLICE(",")))
            s->nodes.len--;
        merge(s, &kernel->nodes, s->nodes);
        merge(s, &kernel->ops, s->ops);
    }
    s->comment_line = 0;
}

/* "Topologically Sorted Source Nodes: [a, b], Original ATen: [aten.add]" */
static bool read_comment(struct scanner *s, struct slice text) {
    static const struct slice head = SLICE_INIT("Source Nodes: ["), aten = SLICE_INIT("Original ATen: [");
    size_t at = slice_find(slice_first(text, 60), head);
    if (at == SIZE_MAX)
        return false;
    struct slice rest = slice_from(text, at + head.len);
    size_t end = slice_find(rest, SLICE("]")), ops = slice_find(rest, aten);
    s->nodes =
        slice_trim(slice_first(rest, end == SIZE_MAX ? 0 : end)); /* may end with a comma: the last one has no name */
    s->sorted = slice_find(slice_first(text, at), SLICE("Topologically Sorted")) != SIZE_MAX;
    s->ops = (struct slice){0};
    if (ops != SIZE_MAX) {
        rest = slice_from(rest, ops + aten.len);
        end = slice_find(rest, SLICE("]"));
        s->ops = slice_first(rest, end == SIZE_MAX ? 0 : end);
    }
    s->comment_line = s->line;
    return true;
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

/* "name = async_compile.triton('name', '''" */
static bool read_definition(struct scanner *s, struct slice text) {
    static const struct slice compile = SLICE_INIT("async_compile.");
    size_t at = slice_find(slice_first(text, NAME_MAX_BYTES), compile);
    struct slice name = at == SIZE_MAX ? (struct slice){0} : name_at(text, false);
    if (at == SIZE_MAX)
        return false;
    struct slice how = name_at(slice_from(text, at + compile.len), false);
    if (!how.len || slice_is(how, "wait") || slice_is(how, "shutdown"))
        return false;
    if (at == 0) { /* in a comment of the C++ wrapper: the name follows the bracket */
        size_t quote = slice_find(text, SLICE("('"));
        name = quote == SIZE_MAX ? (struct slice){0} : name_at(slice_from(text, quote + 2), false);
    }
    struct scanned_kernel *kernel = name.len ? kernel_of(s, name, kind_written_by(how)) : NULL;
    if (kernel) {
        if (kernel->kind == KERNEL_OTHER)
            kernel->heuristic = how;
        kernel->line = s->line;
        take_comment(s, kernel, UINT32_MAX);
    }
    if (slice_find(text, SLICE("'''")) != SIZE_MAX) {
        s->body = kernel ? (uint32_t)(kernel - s->scan->items) + 1 : UINT32_MAX;
        if (kernel)
            kernel->written = true;
    }
    return true;
}

/* "const float* in_ptr0", "in_out_ptr0", "const int64_t ks0": the direction of a parameter, from its name or, in
 * templates ("float* output"), from its C++ type: what is not const is written, and perhaps read. */
static char param_of(struct slice text) {
    const struct {
        struct slice name;
        char letter;
    } names[] = {{SLICE("in_out_ptr"), 'b'}, {SLICE("in_ptr"), 'i'}, {SLICE("out_ptr"), 'o'}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t at = slice_find(text, names[i].name);
        if (at != SIZE_MAX && !(at && is_name_byte(text.ptr[at - 1])))
            return names[i].letter;
    }
    size_t star = slice_find(text, SLICE("*"));
    if (star == SIZE_MAX || !star || slice_find(slice_from(text, star + 1), SLICE("*")) != SIZE_MAX ||
        !is_name_byte(text.ptr[star - 1]))
        return '-';
    return slice_starts(text, SLICE("const ")) ? 'i' : 'b';
}

/* "in_ptr0" of "const float* __restrict__ in_ptr0" */
static struct slice param_name(struct slice text) {
    size_t begin = text.len;
    while (begin && is_name_byte(text.ptr[begin - 1]))
        begin--;
    return slice_from(text, begin);
}

/* The number of leading parameters that have the names of flex attention operands in its C++ template
 * (cpp_flex_attention_template.py). */
static uint32_t attention_operands(const struct scanner *s) {
    const struct slice names[] = {SLICE("query"),          SLICE("key"),        SLICE("value"),
                                  SLICE("kv_num_blocks"),  SLICE("kv_indices"), SLICE("full_kv_num_blocks"),
                                  SLICE("full_kv_indices")};
    uint32_t count = 0;
    while (count < sizeof names / sizeof *names && count < s->param_count &&
           slice_eq(s->param_names[count], names[count]))
        count++;
    return count < 5 ? 0 : count;
}

/* Starts the body of the function whose parameters were read, to find which of the written parameters its loops use. */
static void begin_loops(struct scanner *s, bool open) {
    map_free(&s->written);
    memset(s->called, 0, s->param_count);
    s->loops = (struct loops){.depth = open, .param = UINT32_MAX};
    for (size_t i = 0; i < s->param_count; i++)
        if (s->params[i] == 'o' || s->params[i] == 'b')
            map_put(&s->written, s->param_names[i], (uint32_t)i, NULL);
}

static void use_param(struct scanner *s, struct slice name) {
    uint32_t param = map_get(&s->written, name), *own = &s->loops.param;
    if (param != MAP_NONE)
        *own = *own == UINT32_MAX || *own == param ? param : SEVERAL;
    else if (slice_find(name, SLICE("out_ptr")) != SIZE_MAX) /* another name for one of these */
        *own = SEVERAL;
}

/* Reads a line of the body: brackets, functions and names of memory. */
static void read_loops(struct scanner *s, struct slice text) {
    struct scanned_kernel *kernel = &s->scan->items[s->body - 1];
    s->loops.functions |= functions_in(text);
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '{') {
            if (++s->loops.depth == 2)
                s->loops = (struct loops){.depth = 2, .param = UINT32_MAX};
        } else if (text.ptr[i] == '}' && s->loops.depth) {
            if (--s->loops.depth == 1 && s->loops.param < s->param_count)
                s->called[s->loops.param] |= (uint8_t)s->loops.functions;
            if (!s->loops.depth) {
                uint8_t *own = arena_alloc(s->arena, s->param_count + 1);
                memcpy(own, s->called, s->param_count);
                kernel->own_functions = own;
                map_free(&s->written);
                return;
            }
        } else if (is_name_byte(text.ptr[i])) {
            struct slice name = slice_from(text, i);
            size_t len = 0;
            while (len < name.len && is_name_byte(name.ptr[len]))
                len++;
            use_param(s, slice_first(name, len));
            i += len - 1;
        }
    }
}

/* Reads parameters up to the closing bracket, perhaps over many lines. */
static void read_params(struct scanner *s, struct slice text) {
    struct scanned_kernel *kernel = &s->scan->items[s->signature - 1];
    size_t close = slice_find(text, SLICE(")"));
    struct slice rest = slice_first(text, close == SIZE_MAX ? text.len : close);
    while ((rest = slice_trim(rest)).len && s->param_count < PARAMS_MAX) {
        size_t comma = slice_find(rest, SLICE(","));
        struct slice param = slice_trim(slice_first(rest, comma == SIZE_MAX ? rest.len : comma));
        s->param_names[s->param_count] = param_name(param);
        s->params[s->param_count++] = param_of(param);
        rest = comma == SIZE_MAX ? (struct slice){0} : slice_from(rest, comma + 1);
    }
    if (close == SIZE_MAX)
        return;
    if (s->param_count < PARAMS_MAX) {
        kernel->params = arena_slice(s->arena, slice_make(s->params, s->param_count));
        kernel->attention = attention_operands(s);
        if (s->body && kernel->kind == KERNEL_CPP)
            begin_loops(s, slice_find(slice_from(text, close), SLICE("{")) != SIZE_MAX);
    }
    s->signature = 0;
}

/* The parameter list of this kernel begins in this line. */
static void begin_params(struct scanner *s, uint32_t kernel, struct slice text) {
    size_t open = slice_find(text, SLICE("("));
    if (open == SIZE_MAX || s->scan->items[kernel].params.ptr)
        return;
    s->signature = kernel + 1;
    s->param_count = 0;
    read_params(s, slice_from(text, open + 1));
}

/* 'extern "C"  void  kernel(', on one line or two. */
static bool begins_function(struct scanner *s, struct slice text) {
    const struct slice head = SLICE("extern \"C\"");
    bool here = slice_starts(text, head), behind = s->linkage && slice_starts(text, SLICE("void "));
    s->linkage = here && !slice_trim(slice_from(text, head.len)).len;
    return (here && !s->linkage) || behind;
}

static void read_body(struct scanner *s, struct slice text) {
    static const struct slice heuristics = SLICE_INIT("@triton_heuristics.");
    if (slice_starts(text, SLICE("'''"))) {
        s->body = s->signature = 0;
        s->linkage = false;
        map_free(&s->written);
    } else if (s->body == UINT32_MAX) {
        return;
    } else if (s->signature) {
        read_params(s, text);
    } else if (slice_starts(text, heuristics)) {
        s->scan->items[s->body - 1].heuristic = name_at(slice_from(text, heuristics.len), false);
    } else if (begins_function(s, text) || slice_starts(text, SLICE("def triton_"))) {
        begin_params(s, s->body - 1, text);
    } else {
        s->scan->items[s->body - 1].functions |= functions_in(text);
        if (s->written.head)
            read_loops(s, text);
    }
}

/* At the end of a C++ function's parameters. A declaration goes on with ";"; the kernel's line is that of the definition as
 * soon as there is one. */
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
    if (!begins_function(s, text))
        return s->linkage;
    size_t at = slice_find(text, SLICE("void "));
    struct slice name = at == SIZE_MAX ? (struct slice){0} : name_at(slice_trim(slice_from(text, at + 5)), false);
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
            begin_params(s, (uint32_t)(kernel - s->scan->items), text);
        }
    }
    return true;
}

static void count_call(struct scanner *s, struct scanned_kernel *kernel, struct slice target, struct slice args) {
    if (!kernel)
        return;
    if (kernel->kind == KERNEL_EXTERN && !kernel->calls)
        kernel->ops = library_operator(s, kernel->name);
    kernel->calls++;
    if (!kernel->call_line)
        kernel->call_line = s->line;
    if (kernel->kind == KERNEL_EXTERN && s->handle_line && s->line - s->handle_line <= COMMENT_REACH)
        kernel->handle = s->handle;
    s->handle_line = 0;
    take_comment(s, kernel, COMMENT_REACH);
    add_step(s, (struct code_step){.kind = CODE_CALL,
                                   .kernel = (uint32_t)(kernel - s->scan->items),
                                   .left = target,
                                   .right = args});
}

/* Libraries that are called by name. Functions that only inspect memory are not kernels. */
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

/* The text in the brackets at the start, without the last closing bracket. */
static struct slice in_brackets(struct slice text) {
    size_t close = slice_rfind_byte(text, ')');
    return close == SIZE_MAX ? slice_from(text, 1) : slice_from(slice_first(text, close), 1);
}

/* "name = right": another name for a value or a part of it. */
static void read_alias(struct scanner *s, struct slice name, struct slice right) {
    const struct slice heads[] = {SLICE("reinterpret_tensor("), SLICE("std::move("),
                                  SLICE("wrap_with_raii_handle_if_needed(")};
    struct slice word = name_at(right, false), rest = slice_from(right, word.len);
    bool alias = word.len && (!rest.len || rest.ptr[0] == ';' || rest.ptr[0] == '[');
    for (size_t i = 0; i < sizeof heads / sizeof *heads && !alias; i++)
        alias = slice_starts(right, heads[i]);
    if (alias)
        add_step(s, (struct code_step){.kind = CODE_ALIAS, .left = name, .right = right});
}

/* A line of C++ that only allocates what the next call writes. */
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

/* A statement whose target is not a simple name: "(buf2[0], buf2[1]) = body(body_args)", "buf2[0] = buf1". */
static bool read_parts(struct scanner *s, struct slice text) {
    size_t is = slice_find(slice_first(text, NAME_MAX_BYTES), SLICE(" = "));
    if (is == SIZE_MAX || !is || !text.len || (text.ptr[0] != '(' && text.ptr[is - 1] != ']'))
        return false;
    struct slice left = slice_first(text, is), right = slice_from(text, is + 3), name = name_at(right, false);
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
    struct slice name = name_at(text, true), rest = slice_from(text, name.len), target = {0};
    if (slice_starts(rest, SLICE(" = "))) {
        target = name;
        text = slice_from(rest, 3);
        name = name_at(text, true);
        rest = slice_from(text, name.len);
    }
    if (slice_starts(text, check)) {
        text = slice_from(text, check.len);
        name = name_at(text, true);
        rest = slice_from(text, name.len);
        if (!s->comment_line) /* the wrapper creates and inspects tensors with the same functions */
            return;
    }
    if (slice_starts(rest, SLICE("(")) && is_extern(name)) {
        count_call(s, new_kernel(s, name, KERNEL_EXTERN), target, in_brackets(rest));
        return;
    }
    if (slice_ends(name, run))
        name.len -= run.len;
    uint32_t place = name.len && slice_starts(rest, SLICE("(")) ? map_get(&s->names, name) : MAP_NONE;
    if (place == MAP_NONE && slice_starts(name, wrapped))
        place = map_get(&s->names, slice_from(name, wrapped.len));
    if (place != MAP_NONE)
        count_call(s, &s->scan->items[place], target, in_brackets(rest));
    else if (!read_graph_call(s, target, name, rest) && target.len && !read_item(s, target, text))
        read_alias(s, target, text);
}

/* Reads where a function of the code begins, and what it returns. */
static bool read_frame(struct scanner *s, struct slice text) {
    const struct slice def = SLICE("def "), give = SLICE("return ("), outputs = SLICE("output_handles[");
    if (slice_starts(text, def)) {
        struct slice name = name_at(slice_from(text, def.len), false);
        if (name.len)
            map_put(&s->functions, name, 0, NULL);
        add_step(s, (struct code_step){.kind = CODE_FUNCTION, .left = name});
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
    const struct slice id = SLICE("# AOT ID: ['"), handles = SLICE("[Provenance debug handles] ");
    struct slice text = slice_trim(line);
    bool indented = line.len && (line.ptr[0] == ' ' || line.ptr[0] == '\t');
    if (s->body) {
        read_body(s, text);
        return;
    }
    if (s->function)
        read_function_end(s, text);
    if (!slice_ends(text, SLICE(",")) && slice_find(text, SLICE(")")) == SIZE_MAX)
        s->signature = s->function = 0; /* no parameters */
    if (slice_starts(text, id)) {
        struct slice rest = slice_from(text, id.len);
        size_t quote = slice_find(rest, SLICE("'"));
        s->scan->graph = quote == SIZE_MAX ? (struct slice){0} : slice_first(rest, quote);
    } else if (slice_starts(text, SLICE("#")) || slice_starts(text, SLICE("//"))) {
        size_t handle = slice_find(text, handles);
        if (handle != SIZE_MAX) {
            s->handle_line = s->line;
            s->handle = slice_trim(slice_from(text, handle + handles.len));
        }
        if (!read_comment(s, text) && s->comment_line)
            s->comment_line += indented; /* further comments in between are allowed */
    } else if (slice_starts(line, SLICE("def benchmark_compiled_module")) ||
               slice_starts(line, SLICE("def get_args("))) {
        s->ended = true;
    } else if (s->signature) {
        read_params(s, text);
    } else if (!read_definition(s, text) && !read_cpp_definition(s, text) && !read_frame(s, text) && indented &&
               !read_parts(s, text)) {
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
    s.scan->too_long = s.steps.full;
    if (s.steps.count && !s.steps.full) {
        s.scan->step_count = (uint32_t)s.steps.count;
        s.scan->steps = arena_alloc(arena, s.steps.count * sizeof *s.steps.items);
        memcpy(s.scan->steps, s.steps.items, s.steps.count * sizeof *s.steps.items);
    }
    free(s.steps.items);
    map_free(&s.written);
    map_free(&s.functions);
    map_free(&s.names);
    return s.scan;
}

void node_source_read(struct slice text, struct node_source *source) {
    const struct slice head = SLICE(" File: "), in = SLICE(" in "), code = SLICE(", code: ");
    size_t at = slice_find(text, head); /* "Annotation: {…}" may precede it */
    if (at == SIZE_MAX && slice_find(text, SLICE(" No stacktrace")) != SIZE_MAX)
        *source = (struct node_source){0};
    if (at == SIZE_MAX)
        return;
    struct slice rest = slice_from(text, at + head.len), place = rest;
    at = slice_find(rest, code);
    *source = (struct node_source){0};
    if (at != SIZE_MAX) {
        source->code = slice_first(slice_from(rest, at + code.len), NAME_MAX_BYTES);
        place = slice_first(rest, at);
    }
    at = slice_find(place, in);
    if (at != SIZE_MAX) {
        source->function = slice_from(place, at + in.len);
        place = slice_first(place, at);
    }
    uint64_t number;
    at = slice_rfind_byte(place, ':');
    if (at == SIZE_MAX || !slice_to_u64(slice_from(place, at + 1), &number) || number > UINT32_MAX)
        return;
    source->file = slice_first(place, at);
    source->line = (uint32_t)number;
}

struct node_sources *node_sources_scan(struct slice graph, struct arena *arena) {
    struct node_sources *sources = arena_zalloc(arena, sizeof *sources);
    struct {
        struct node_source *items;
        size_t count, cap;
    } list = {0};
    struct node_source now = {0};
    struct slice line;
    while (list.count < NODE_SOURCES_MAX && slice_next_line(&graph, &line)) {
        struct slice text = slice_trim(line);
        if (slice_starts(text, SLICE("#"))) {
            node_source_read(text, &now);
            continue;
        }
        now.node = name_at(text, false);
        struct slice rest = slice_from(text, now.node.len);
        if (!now.node.len || !now.file.ptr || !(slice_starts(rest, SLICE(": \"")) || slice_starts(rest, SLICE(" = "))))
            continue;
        MEM_GROW(&list);
        list.items[list.count++] = now;
    }
    if (list.count) {
        sources->items = arena_alloc(arena, list.count * sizeof *list.items);
        memcpy(sources->items, list.items, list.count * sizeof *list.items);
        sources->count = (uint32_t)list.count;
    }
    free(list.items);
    return sources;
}

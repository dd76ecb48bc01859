/* The code of a kernel itself: its parameters, the functions that it calls, and the loops in C++. */
#include "codegen/kernel_scan_parts.h"
#include "codegen/scanned_kernel.h"

enum { CONFIG_MAX_BYTES = 2000 };

#define SEVERAL (UINT32_MAX - 1)

/* "const float* in_ptr0", "in_out_ptr0", "const int64_t ks0": the direction of a parameter, from its name or, in
 * templates ("float* output"), from its C++ type: a parameter that is not const is written, and perhaps read. */
static char param_of(struct slice text) {
    const struct {
        struct slice name;
        char letter;
    } names[] = {{SLICE("in_out_ptr"), 'b'}, {SLICE("in_ptr"), 'i'}, {SLICE("out_ptr"), 'o'}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t at = slice_find(text, names[i].name);
        if (at != SIZE_MAX && !(at && is_word(text.ptr[at - 1])))
            return names[i].letter;
    }
    size_t star = slice_find(text, SLICE("*"));
    if (star == SIZE_MAX || !star || slice_find(slice_from(text, star + 1), SLICE("*")) != SIZE_MAX ||
        !is_word(text.ptr[star - 1]))
        return '-';
    return slice_starts(text, SLICE("const ")) ? 'i' : 'b';
}

/* "in_ptr0" of "const float* __restrict__ in_ptr0" */
static struct slice param_name(struct slice text) {
    size_t begin = text.len;
    while (begin && is_word(text.ptr[begin - 1]))
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

/* A bit that few other names have. */
static uint64_t mark_of(struct slice name) {
    return UINT64_C(1) << ((name.len * 8 + (unsigned char)name.ptr[name.len - 1]) & 63);
}

/* Starts the body of the function whose parameters were read, to find which of the written parameters its loops use. */
static void begin_loops(struct scanner *s, bool open) {
    map_free(&s->written);
    s->written_marks = 0;
    memset(s->called, 0, s->param_count);
    s->loops = (struct loops){.depth = open, .param = UINT32_MAX};
    for (size_t i = 0; i < s->param_count; i++)
        if (s->param_names[i].len && (s->params[i] == 'o' || s->params[i] == 'b')) {
            map_put(&s->written, s->param_names[i], (uint32_t)i, NULL);
            s->written_marks |= mark_of(s->param_names[i]);
        }
}

static void use_param(struct scanner *s, struct slice name) {
    static const struct slice other = SLICE_INIT("out_ptr"); /* another name for one of these has it */
    uint32_t param = s->written_marks & mark_of(name) ? map_get(&s->written, name) : MAP_NONE, *own = &s->loops.param;
    if (param != MAP_NONE)
        *own = *own == UINT32_MAX || *own == param ? param : SEVERAL;
    else if (name.len >= other.len && slice_find(name, other) != SIZE_MAX)
        *own = SEVERAL;
}

/* Reads a line of the body: brackets, functions and names of memory. */
static void read_loops(struct scanner *s, struct slice text) {
    struct scanned_kernel *kernel = &s->scan->items[s->body - 1];
    s->loops.functions |= function_families_in(text);
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
        } else if (is_word(text.ptr[i])) {
            struct slice name = slice_from(text, i);
            size_t len = 0;
            while (len < name.len && is_word(name.ptr[len]))
                len++;
            use_param(s, slice_first(name, len));
            i += len - 1;
        }
    }
}

void scanner_read_params(struct scanner *s, struct slice text) {
    struct scanned_kernel *kernel = &s->scan->items[s->signature - 1];
    size_t close = slice_find(text, SLICE(")"));
    struct slice rest = slice_first(text, close == SIZE_MAX ? text.len : close);
    while ((rest = slice_trim(rest)).len && s->param_count < PARAMS_MAX) {
        size_t comma = slice_find(rest, SLICE(","));
        struct slice param = slice_trim(slice_first(rest, comma == SIZE_MAX ? rest.len : comma));
        s->param_names[s->param_count] = param_name(param);
        s->params[s->param_count++] = param_of(param);
        rest = comma != SIZE_MAX ? slice_from(rest, comma + 1) : (struct slice){0};
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

void scanner_begin_params(struct scanner *s, uint32_t kernel, struct slice text) {
    size_t open = slice_find(text, SLICE("("));
    if (open == SIZE_MAX || s->scan->items[kernel].params.ptr)
        return;
    s->signature = kernel + 1;
    s->param_count = 0;
    scanner_read_params(s, slice_from(text, open + 1));
}

bool scanner_begins_function(struct scanner *s, struct slice text) {
    const struct slice head = SLICE("extern \"C\"");
    bool here = slice_starts(text, head), behind = s->linkage && slice_starts(text, SLICE("void "));
    s->linkage = here && !slice_trim(slice_from(text, head.len)).len;
    return (here && !s->linkage) || behind;
}

/* Reads the arguments of a template's instance: "num_warps=8,", "BLOCK_M : tl.constexpr = 64". */
static void read_config(struct scanner *s, struct scanned_kernel *kernel, struct slice text) {
    const struct slice constant = SLICE(" : tl.constexpr = "), number = SLICE("num_");
    struct slice name = code_name_at(text, false), rest = slice_from(text, name.len);
    struct buf item = {0};
    if (!name.len || kernel->config.len > CONFIG_MAX_BYTES)
        return;
    if (slice_starts(rest, constant))
        rest = slice_from(rest, constant.len);
    else if (slice_starts(name, number) && slice_starts(rest, SLICE("=")) && slice_ends(rest, SLICE(",")))
        rest = slice_first(slice_from(rest, 1), rest.len - 2);
    else
        return;
    buf_add(&item, kernel->config);
    if (item.len)
        buf_add_lit(&item, ", ");
    BUF_ADD(&item, name, "=", slice_first(rest, NAME_MAX_BYTES));
    kernel->config = arena_keep(s->arena, &item);
}

void scanner_read_body(struct scanner *s, struct slice text) {
    static const struct slice heuristics = SLICE_INIT("@triton_heuristics.");
    if (slice_starts(text, SLICE("'''"))) {
        s->body = s->signature = 0;
        s->linkage = false;
        map_free(&s->written);
    } else if (s->body == UINT32_MAX) {
        return;
    } else if (s->signature) {
        scanner_read_params(s, text);
    } else if (slice_starts(text, heuristics)) {
        s->scan->items[s->body - 1].heuristic = code_name_at(slice_from(text, heuristics.len), false);
    } else if (scanner_begins_function(s, text) || slice_starts(text, SLICE("def triton_"))) {
        scanner_begin_params(s, s->body - 1, text);
    } else {
        s->scan->items[s->body - 1].functions |= function_families_in(text);
        if (slice_is(s->scan->items[s->body - 1].heuristic, "template"))
            read_config(s, &s->scan->items[s->body - 1], text);
        if (s->written.count)
            read_loops(s, text);
    }
}

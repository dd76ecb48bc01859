#include "model/kernel_scan.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/map.h"
#include "base/mem.h"

enum {
    NAME_MAX_BYTES = 300,
    LIST_MAX_BYTES = 2000, /* of nodes or operators of one kernel */
    COMMENT_REACH = 4,     /* lines between "Source Nodes" and the call that it speaks of */
};

const char *kernel_kind_name(enum kernel_kind kind) {
    static const char *const names[] = {"triton", "cpp", "extern"};
    return names[kind];
}

struct scanner {
    struct arena *arena;
    struct kernel_scan *scan;
    struct map names;
    size_t cap;
    uint32_t line;           /* the current one */
    struct slice nodes, ops; /* of the comment that waits for its kernel */
    uint32_t comment_line;   /* 0: none waits */
    uint32_t body;           /* the kernel whose Python text is passed, from 1; 0: none */
    bool ended;              /* what follows measures or tests the code */
};

static bool is_name_byte(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* The name at the start of the text; dots belong to it where `dots`. */
static struct slice name_at(struct slice text, bool dots) {
    size_t len = 0;
    while (len < text.len && (is_name_byte(text.ptr[len]) || (dots && text.ptr[len] == '.')))
        len++;
    return len && len < NAME_MAX_BYTES && !(text.ptr[0] >= '0' && text.ptr[0] <= '9') ? slice_first(text, len)
                                                                                      : (struct slice){0};
}

static struct scanned_kernel *kernel_of(struct scanner *s, struct slice name, enum kernel_kind kind) {
    struct kernel_scan *scan = s->scan;
    bool added;
    if (map_get(&s->names, name) == MAP_NONE && scan->count == KERNELS_IN_CODE_MAX) {
        scan->more++;
        return NULL;
    }
    uint32_t place = *map_put(&s->names, name, scan->count, &added);
    if (added) {
        if (scan->count == s->cap) {
            struct scanned_kernel *old = scan->items;
            s->cap = s->cap ? 2 * s->cap : 16;
            scan->items = arena_alloc(s->arena, s->cap * sizeof *scan->items);
            if (scan->count)
                memcpy(scan->items, old, scan->count * sizeof *old);
        }
        scan->items[scan->count++] = (struct scanned_kernel){.kind = kind, .name = name};
    }
    return &scan->items[place];
}

/* Adds the items of "a, b" that the list has not yet. */
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

static void take_comment(struct scanner *s, struct scanned_kernel *kernel, uint32_t reach) {
    if (s->comment_line && s->line - s->comment_line <= reach) {
        merge(s, &kernel->nodes, s->nodes);
        merge(s, &kernel->ops, s->ops);
    }
    s->comment_line = 0;
}

/* "Topologically Sorted Source Nodes: [a, b], Original ATen: [aten.add]" */
static bool read_comment(struct scanner *s, struct slice text) {
    static const struct slice head = {"Source Nodes: [", 15}, aten = {"Original ATen: [", 16};
    size_t at = slice_find(slice_first(text, 60), head);
    if (at == SIZE_MAX)
        return false;
    struct slice rest = slice_from(text, at + head.len);
    size_t end = slice_find(rest, SLICE("]")), ops = slice_find(rest, aten);
    s->nodes = slice_trim(slice_first(rest, end == SIZE_MAX ? 0 : end));
    if (slice_ends(s->nodes, SLICE(",")))
        s->nodes.len--;
    s->ops = (struct slice){0};
    if (ops != SIZE_MAX) {
        rest = slice_from(rest, ops + aten.len);
        end = slice_find(rest, SLICE("]"));
        s->ops = slice_first(rest, end == SIZE_MAX ? 0 : end);
    }
    s->comment_line = s->line;
    return true;
}

/* "name = async_compile.triton('name', '''" */
static bool read_definition(struct scanner *s, struct slice text) {
    static const struct slice compile = {"async_compile.", 14};
    size_t at = slice_find(slice_first(text, NAME_MAX_BYTES), compile);
    struct slice name = at == SIZE_MAX ? (struct slice){0} : name_at(text, false);
    if (at == SIZE_MAX)
        return false;
    struct slice how = name_at(slice_from(text, at + compile.len), false);
    bool triton = slice_is(how, "triton") || slice_is(how, "multi_kernel");
    if (!how.len || slice_is(how, "wait") || slice_is(how, "shutdown"))
        return false;
    if (at == 0) { /* in a comment of the C++ wrapper: the name stands behind the bracket */
        size_t quote = slice_find(text, SLICE("('"));
        name = quote == SIZE_MAX ? (struct slice){0} : name_at(slice_from(text, quote + 2), false);
    }
    struct scanned_kernel *kernel = name.len ? kernel_of(s, name, triton ? KERNEL_TRITON : KERNEL_CPP) : NULL;
    if (kernel) {
        kernel->line = s->line;
        take_comment(s, kernel, UINT32_MAX);
    }
    if (slice_find(text, SLICE("'''")) != SIZE_MAX)
        s->body = kernel ? (uint32_t)(kernel - s->scan->items) + 1 : UINT32_MAX;
    return true;
}

static void read_body(struct scanner *s, struct slice text) {
    static const struct slice heuristics = {"@triton_heuristics.", 19};
    if (slice_starts(text, SLICE("'''")))
        s->body = 0;
    else if (s->body != UINT32_MAX && slice_starts(text, heuristics))
        s->scan->items[s->body - 1].heuristic = name_at(slice_from(text, heuristics.len), false);
}

/* 'extern "C"  void  name(': in C++ that AOTInductor wrote. */
static bool read_cpp_definition(struct scanner *s, struct slice text) {
    if (!slice_starts(text, SLICE("extern \"C\"")))
        return false;
    size_t at = slice_find(text, SLICE("void "));
    struct slice name = at == SIZE_MAX ? (struct slice){0} : name_at(slice_trim(slice_from(text, at + 5)), false);
    if (slice_starts(name, SLICE("cpp_")) || slice_starts(name, SLICE("kernel_cpp"))) {
        struct scanned_kernel *kernel = kernel_of(s, name, KERNEL_CPP);
        if (kernel && !kernel->line)
            kernel->line = s->line;
    }
    return true;
}

static void count_call(struct scanner *s, struct scanned_kernel *kernel) {
    if (!kernel)
        return;
    kernel->calls++;
    if (!kernel->call_line)
        kernel->call_line = s->line;
    take_comment(s, kernel, COMMENT_REACH);
}

/* Libraries that are called by their names. What only looks at memory is no kernel. */
static bool is_extern(struct slice name) {
    static const struct slice heads[] =
        {{"extern_kernels.", 15},  {"torch.ops.", 10},  {"aten.", 5},          {"aoti_torch_cpu_", 15},
         {"aoti_torch_cuda_", 16}, {"_quantized.", 11}, {"inductor_ops.", 13}, {"mkldnn.", 7}};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (slice_starts(name, heads[i]) && name.len > heads[i].len)
            return true;
    return false;
}

/* A call: "name(…", "name.run(…", perhaps behind "buf3 = ". */
static void read_call(struct scanner *s, struct slice text) {
    static const struct slice check = {"AOTI_TORCH_ERROR_CODE_CHECK(", 28}, wrapped = {"call_", 5}, run = {".run", 4};
    struct slice name = name_at(text, true), rest = slice_from(text, name.len);
    if (slice_starts(rest, SLICE(" = "))) {
        text = slice_from(rest, 3);
        name = name_at(text, true);
        rest = slice_from(text, name.len);
    }
    if (slice_starts(text, check)) {
        text = slice_from(text, check.len);
        name = name_at(text, true);
        rest = slice_from(text, name.len);
        if (!s->comment_line) /* the wrapper makes and looks at tensors in the same way */
            return;
    }
    if (!name.len || !slice_starts(rest, SLICE("(")))
        return;
    if (is_extern(name)) {
        count_call(s, kernel_of(s, name, KERNEL_EXTERN));
        return;
    }
    if (slice_ends(name, run))
        name.len -= run.len;
    uint32_t place = map_get(&s->names, name);
    if (place == MAP_NONE && slice_starts(name, wrapped))
        place = map_get(&s->names, slice_from(name, wrapped.len));
    if (place != MAP_NONE)
        count_call(s, &s->scan->items[place]);
}

static void read_line(struct scanner *s, struct slice line) {
    static const struct slice id = {"# AOT ID: ['", 12};
    struct slice text = slice_trim(line);
    bool indented = line.len && (line.ptr[0] == ' ' || line.ptr[0] == '\t');
    if (s->body) {
        read_body(s, text);
        return;
    }
    if (slice_starts(text, id)) {
        struct slice rest = slice_from(text, id.len);
        size_t quote = slice_find(rest, SLICE("'"));
        s->scan->graph = quote == SIZE_MAX ? (struct slice){0} : slice_first(rest, quote);
    } else if (slice_starts(text, SLICE("#")) || slice_starts(text, SLICE("//"))) {
        if (!read_comment(s, text) && s->comment_line)
            s->comment_line += indented; /* further comments do not part them */
    } else if (slice_starts(line, SLICE("def benchmark_compiled_module")) ||
               slice_starts(line, SLICE("def get_args("))) {
        s->ended = true;
    } else if (!read_definition(s, text) && !read_cpp_definition(s, text) && indented) {
        read_call(s, text);
    }
}

struct kernel_scan *kernels_scan(struct slice code, struct arena *arena) {
    struct scanner s = {.arena = arena, .scan = arena_zalloc(arena, sizeof *s.scan)};
    struct slice line;
    while (!s.ended && slice_next_line(&code, &line)) {
        s.line++;
        if (line.len)
            read_line(&s, line);
    }
    map_free(&s.names);
    return s.scan;
}

bool node_source_read(struct slice text, struct node_source *source) {
    static const struct slice head = {"# File: ", 8}, in = {" in ", 4}, code = {", code: ", 8};
    if (!slice_starts(text, head))
        return false;
    struct slice rest = slice_from(text, head.len), place = rest;
    size_t at = slice_find(rest, code);
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
        return false;
    source->file = slice_first(place, at);
    source->line = (uint32_t)number;
    return true;
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

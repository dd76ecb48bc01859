/* The comments above a kernel or a call, and the operators of library calls. */
#include "base/buf.h"
#include "scan/kernel_scan_parts.h"

enum { LIST_MAX_BYTES = 2000 }; /* nodes or operators of one kernel */

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
        more = comma != SIZE_MAX ? slice_from(more, comma + 2) : (struct slice){0};
        while (rest.len && !there) {
            size_t end = slice_find(rest, SLICE(", "));
            there = slice_eq(slice_first(rest, end == SIZE_MAX ? rest.len : end), item);
            rest = end != SIZE_MAX ? slice_from(rest, end + 2) : (struct slice){0};
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
    s->nodes = !slice_ends(s->nodes, SLICE(",")) ? last_item(s->nodes) : (struct slice){0};
}

struct slice scanner_library_operator(struct scanner *s, struct slice name) {
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

void scanner_take_comment(struct scanner *s, struct scanned_kernel *kernel, uint32_t reach) {
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

bool scanner_read_comment(struct scanner *s, struct slice text) {
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

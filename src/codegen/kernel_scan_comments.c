/* The comments above a kernel or a call, and the operators of library calls. */

#include "codegen/kernel_scan_parts.h"
#include "scan/fx_graph.h"

struct slice code_name_at(struct slice text, bool dots) {
    size_t len = 0;
    while (len < text.len && (is_word(text.ptr[len]) || (dots && text.ptr[len] == '.')))
        len++;
    return len && len < NAME_MAX_BYTES && !(text.ptr[0] >= '0' && text.ptr[0] <= '9') ? slice_first(text, len)
                                                                                      : (struct slice){0};
}

enum { LIST_MAX_BYTES = 2000 }; /* nodes or operators of one kernel */

/* Adds the items of "a, b" that the list does not have. */
static void merge(struct scanner *s, struct slice *list, struct slice more) {
    AUTO_BUF text = {0};
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
        if (!there && item.len)
            BUF_ADD(&text, ", ", item);
    }
    if (text.len) {
        struct buf whole = {0};
        BUF_ADD(&whole, *list, buf_slice(&text));
        *list = arena_keep(s->arena, &whole);
    }
}

static struct slice last_item(struct slice list) {
    for (size_t comma; (comma = slice_find(list, SLICE(", "))) != SIZE_MAX;)
        list = slice_from(list, comma + 2);
    return list;
}

/* Whether the call computes the operator, or its part of the operator: "extern_kernels.mm" and "aoti_torch_cpu_mm_out"
 * compute "aten.mm", and part of "aten.addmm". */
static bool computes(struct slice call, struct slice op) {
    size_t dot = slice_find(op, SLICE("."));
    struct slice word = dot == SIZE_MAX ? op : slice_from(op, dot + 1), own = call;
    size_t at = word.len ? slice_find(call, word) : SIZE_MAX;
    if (at != SIZE_MAX && at && (call.ptr[at - 1] == '.' || call.ptr[at - 1] == '_') &&
        (at + word.len == call.len || call.ptr[at + word.len] == '.' || call.ptr[at + word.len] == '_'))
        return true;
    slice_cut_end(&own, SLICE("_out"));
    while ((at = slice_rfind_byte(own, '.')) != SIZE_MAX || (at = slice_rfind_byte(own, '_')) != SIZE_MAX)
        own = slice_from(own, at + 1);
    return own.len > 1 && slice_ends(word, own);
}

/* If the inputs of a call are views, the comment above the call also names the operands of the views. The call computes
 * the last node. */
static void keep_last(struct scanner *s, struct scanned_kernel *kernel) {
    /* custom operators, whose names are missing in the wrapper */
    bool proxy = slice_starts(kernel->name, SLICE("aoti_torch_proxy_executor_"));
    bool own = s->sorted && (proxy || computes(kernel->name, last_item(s->ops)));
    if (proxy && own)
        kernel->ops = last_item(s->ops);
    s->ops = (struct slice){0}; /* the kernel's own name is more precise */
    if (!own)
        return;
    kernel->operands = s->nodes;
    s->nodes = !slice_ends(s->nodes, SLICE(",")) ? last_item(s->nodes) : (struct slice){0};
}

/* The comment above the call of a user's kernel also names the nodes that compute its arguments. The kernel has no ATen
 * operator: the operators in the comment belong to the arguments. */
static void keep_call(struct scanner *s) {
    s->ops = (struct slice){0};
    s->nodes = s->sorted && !slice_ends(s->nodes, SLICE(",")) ? last_item(s->nodes) : (struct slice){0};
}

/* Whether the user wrote the kernel in Triton. */
static bool scanned_kernel_by_user(const struct scanned_kernel *kernel) {
    return slice_is(kernel->heuristic, "user_autotune");
}

/* "mine.unsafe" for "torch.ops.mine.unsafe.default", unless code that Inductor generates computes it; empty for the
 * user's Triton kernel. */
static bool is_foreign(struct slice target, struct slice *op) {
    const struct slice ops = SLICE("torch.ops."), own[] = {SLICE("aten."), SLICE("prims."), SLICE("inductor.")},
                       wrapper = SLICE("higher_order.triton_kernel_wrapper_");
    if (!slice_cut_start(&target, ops))
        return false;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (slice_starts(target, own[i]))
            return false;
    size_t dot = slice_find(target, SLICE(".")),
           next = dot == SIZE_MAX ? dot : slice_find(slice_from(target, dot + 1), SLICE("."));
    bool user = slice_starts(target, wrapper);
    *op = user || next == SIZE_MAX ? (struct slice){0} : slice_first(target, dot + 1 + next);
    return user || next != SIZE_MAX;
}

void scanner_read_fragment(struct scanner *s, struct slice text) {
    const struct slice hash = SLICE("#"), slashes = SLICE("//"), call = SLICE("call_function[target=");
    text = slice_trim(slice_from(text, slice_starts(text, hash) ? hash.len : slashes.len));
    size_t at = slice_find(slice_first(text, NAME_MAX_BYTES), SLICE(" => "));
    if (at != SIZE_MAX && text.ptr[0] != '%') {
        uint32_t place = s->fragment.source_count;
        if (place == FRAGMENT_MAX)
            return;
        s->fragment.sources[place] = slice_first(text, at);
        s->fragment.targets[place] = slice_from(text, at + 4);
        s->fragment.source_count++;
        return;
    }
    struct fx_item item;
    if (s->fragment.node_count == FRAGMENT_MAX || !fx_node_read(text, &item) || !slice_starts(item.right, call))
        return;
    struct foreign_node node = {.node = item.name};
    if (is_foreign(code_name_at(slice_from(item.right, call.len), true), &node.op))
        s->fragment.nodes[s->fragment.node_count++] = node;
}

/* The node of the graph if it is foreign; else NULL. */
static const struct foreign_node *foreign_of(const struct scanner *s, struct slice node) {
    for (uint32_t i = 0; i < s->fragment.node_count; i++)
        if (slice_eq(s->fragment.nodes[i].node, node))
            return &s->fragment.nodes[i];
    return NULL;
}

/* Notes the source nodes that consist of a single node of the graph, a foreign one. */
static void note_foreign(struct scanner *s, const struct scanned_kernel *kernel) {
    for (uint32_t i = 0; i < s->fragment.source_count; i++) {
        const struct foreign_node *node = foreign_of(s, s->fragment.targets[i]);
        if (!node)
            continue;
        LIST_ADD(&s->foreign, (struct foreign_node){.kernel = (uint32_t)(kernel - s->scan->items),
                                                    .node = s->fragment.sources[i],
                                                    .op = node->op});
    }
    s->fragment.source_count = s->fragment.node_count = 0;
}

/* "mine.all_reduce" for its in-place variant "mine.all_reduce_". */
static struct slice not_in_place(struct slice op) {
    return slice_ends(op, SLICE("_")) ? slice_first(op, op.len - 1) : op;
}

/* Whether the code calls the operator, possibly in place. */
static bool is_called(const struct kernel_scan *scan, struct slice op) {
    for (uint32_t i = 0; i < scan->count; i++) {
        struct slice own = scan->items[i].ops;
        if (scan->items[i].kind == KERNEL_EXTERN && slice_eq(not_in_place(own), not_in_place(op)))
            return true;
    }
    return false;
}

/* Removes an item from "a, b". */
static void drop_item(struct scanner *s, struct slice *list, struct slice item) {
    AUTO_BUF kept = {0};
    struct slice rest = *list;
    while (rest.len) {
        size_t comma = slice_find(rest, SLICE(", "));
        struct slice next = slice_first(rest, comma == SIZE_MAX ? rest.len : comma);
        rest = comma != SIZE_MAX ? slice_from(rest, comma + 2) : (struct slice){0};
        if (slice_eq(next, item))
            continue;
        if (kept.len)
            buf_add_lit(&kept, ", ");
        buf_add(&kept, next);
    }
    if (kept.len != list->len)
        *list = arena_slice(s->arena, buf_slice(&kept));
}

void scanner_drop_foreign(struct scanner *s) {
    for (size_t i = 0; i < s->foreign.count; i++) {
        const struct foreign_node *foreign = &s->foreign.items[i];
        struct scanned_kernel *kernel = &s->scan->items[foreign->kernel];
        if (foreign->op.len && !is_called(s->scan, foreign->op))
            continue;
        drop_item(s, &kernel->nodes, foreign->node);
        drop_item(s, &kernel->ops, foreign->op);
        drop_item(s, &kernel->ops, not_in_place(foreign->op)); /* as in the source */
    }
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
        BUF_ADD(&text, "aten.", slice_starts(name, bias) ? slice_from(name, 5) : name);
        name = arena_keep(s->arena, &text);
        return name;
    }
    slice_cut_start(&name, ops);
    size_t dot = slice_find(name, SLICE(".")),
           next = dot == SIZE_MAX ? dot : slice_find(slice_from(name, dot + 1), SLICE("."));
    return next == SIZE_MAX ? name : slice_first(name, dot + 1 + next);
}

void scanner_take_comment(struct scanner *s, struct scanned_kernel *kernel, uint32_t reach) {
    if (s->comment_line && s->line - s->comment_line <= reach) {
        if (kernel->kind == KERNEL_EXTERN)
            keep_last(s, kernel);
        else if (scanned_kernel_by_user(kernel))
            keep_call(s);
        else
            note_foreign(s, kernel);
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
        slice_trim(slice_first(rest, end == SIZE_MAX ? 0 : end)); /* may end with a comma if the last one has no name */
    s->sorted = slice_find(slice_first(text, at), SLICE("Topologically Sorted")) != SIZE_MAX;
    s->ops = (struct slice){0};
    if (ops != SIZE_MAX) {
        rest = slice_from(rest, ops + aten.len);
        end = slice_find(rest, SLICE("]"));
        s->ops = slice_first(rest, end == SIZE_MAX ? 0 : end);
    }
    s->comment_line = s->line;
    s->fragment.source_count = s->fragment.node_count = 0;
    return true;
}

#include "scan/autograd_graph.h"

#include "scan/fx_graph.h"

const char *autograd_hook_name(enum autograd_hook type) {
    static const char *const names[AUTOGRAD_HOOKS] = {
        [HOOK_TENSOR_PRE] = "tensor_pre_hook",         [HOOK_PRE] = "pre_hook",       [HOOK_POST] = "post_hook",
        [HOOK_POST_ACCUMULATE] = "post_acc_grad_hook", [HOOK_UNPACK] = "unpack_hook",
    };
    return names[type];
}

/* "# File: …/compiled_autograd.py:1606 in set_node_origin, code: TanhBackward0 (NodeCall 2)": keeps the name by its
 * number. A node may be named several times, in any order. */
static void read_node(struct slice names[AUTOGRAD_NODES_MAX], struct slice line) {
    static const struct slice code = SLICE_INIT(", code: "), call = SLICE_INIT(" (NodeCall ");
    size_t at = slice_starts(line, SLICE("# File: ")) ? slice_find(line, code) : SIZE_MAX;
    struct slice name = at == SIZE_MAX ? (struct slice){0} : slice_from(line, at + code.len);
    size_t end = slice_find(name, call);
    uint64_t number;
    if (end == SIZE_MAX)
        return;
    struct slice digits = slice_from(name, end + call.len);
    if (slice_to_u64(slice_first(digits, slice_find(digits, SLICE(")"))), &number) && number < AUTOGRAD_NODES_MAX)
        names[number] = slice_first(name, end);
}

/* "call_accumulate_grad_1 = torch…call_accumulate_grad(getitem_4, getitem_5, t, False)": the second argument is the
 * existing gradient, or None. */
static void count_gradient(struct autograd_graph *graph, struct slice line) {
    static const struct slice call = SLICE_INIT("call_accumulate_grad("), comma = SLICE_INIT(", ");
    size_t at = slice_find(line, call);
    struct slice rest = at == SIZE_MAX ? (struct slice){0} : slice_from(line, at + call.len);
    size_t before = slice_find(rest, comma);
    if (before == SIZE_MAX)
        return;
    graph->existing += !slice_starts(slice_from(rest, before + comma.len), SLICE("None,"));
}

/* "torch…call_hook(getitem_12, t, hook_type = 'tensor_pre_hook')", and other calls. */
static void read_call(struct autograd_graph *graph, struct slice right) {
    static const struct slice type = SLICE_INIT("hook_type = '");
    size_t open = slice_find(right, SLICE("(")), hook = slice_find(right, type);
    struct slice called = slice_first(right, open);
    if (open == SIZE_MAX || slice_find(called, SLICE("[")) != SIZE_MAX)
        return;
    if (hook == SIZE_MAX || !slice_ends(called, SLICE("call_hook"))) {
        graph->calls = hash_mix(graph->calls, noise_hash(called));
        return;
    }
    struct slice name = slice_from(right, hook + type.len);
    for (size_t i = 0; i < AUTOGRAD_HOOKS; i++)
        graph->hooks[i] +=
            slice_is(slice_first(name, slice_find(name, SLICE("'"))), autograd_hook_name((enum autograd_hook)i));
}

/* "# Backward of forward node: File: a.py:9 in step, code: net(x).sum().backward()" */
static void read_forward(struct autograd_graph *graph, struct slice line) {
    static const struct slice begin = SLICE_INIT("# Backward of forward node: File: "), in = SLICE_INIT(" in "),
                              code = SLICE_INIT(", code: ");
    uint64_t number;
    struct slice rest = slice_starts(line, begin) ? slice_from(line, begin.len) : (struct slice){0};
    size_t name = slice_find(rest, in), end = slice_find(rest, code);
    if (graph->file.ptr || name == SIZE_MAX || end == SIZE_MAX || end < name + in.len)
        return;
    struct slice place = slice_first(rest, name);
    size_t colon = slice_rfind_byte(place, ':');
    if (colon == SIZE_MAX || !slice_to_u64(slice_from(place, colon + 1), &number) || number > INT32_MAX)
        return;
    graph->file = slice_first(place, colon);
    graph->line = (uint32_t)number;
    graph->function = slice_make(rest.ptr + name + in.len, end - name - in.len);
    graph->code = slice_from(rest, end + code.len);
}

/* Reads the number at the start and the "_" after it. */
static bool read_number(struct slice *text, uint64_t *number) {
    size_t len = digits_length(*text);
    struct slice rest = slice_from(*text, len);
    if (!len || !slice_starts(rest, SLICE("_")) || !slice_to_u64(slice_first(*text, len), number))
        return false;
    *text = slice_from(rest, 1);
    return true;
}

/* "aot2_mm" → 2, 0, "mm"; "aot2_1_mm" → 2, 1, "mm" */
static bool read_part_name(struct slice *name, struct autograd_part *part) {
    static const struct slice prefix = SLICE_INIT("aot");
    if (!slice_cut_start(name, prefix))
        return false;
    if (!read_number(name, &part->number))
        return false;
    read_number(name, &part->copy);
    return name->len > 0;
}

static void read_part(struct autograd_graph *graph, struct autograd_part parts[AUTOGRAD_PARTS_MAX], struct slice name) {
    struct autograd_part part = {0};
    uint32_t i = 0;
    if (!read_part_name(&name, &part))
        return;
    while (i < graph->part_count && (parts[i].number != part.number || parts[i].copy != part.copy))
        i++;
    if (i == AUTOGRAD_PARTS_MAX)
        return;
    if (i == graph->part_count)
        parts[graph->part_count++] = part;
    parts[i].names += noise_hash(name);
}

uint64_t backward_names_hash(struct slice graph) {
    struct fx_reader reader = {.rest = graph};
    struct fx_item item;
    uint64_t sum = 0;
    uint32_t graphs = 0; /* inputs of nested graphs are values of the first one */
    while (fx_next(&reader, &item)) {
        graphs += item.kind == FX_FORWARD;
        if (item.kind == FX_STATEMENT || (item.kind == FX_PARAMETER && graphs == 1))
            sum += item.name.len ? noise_hash(item.name) : 0;
    }
    return sum;
}

struct autograd_graph *autograd_graph_scan(struct slice graph, struct arena *arena) {
    struct autograd_graph found = {0}, *kept = NULL;
    struct slice *names = arena_zalloc(arena, AUTOGRAD_NODES_MAX * sizeof *names);
    struct fx_reader reader = {.rest = graph};
    struct fx_item item;
    struct autograd_part *parts = arena_zalloc(arena, AUTOGRAD_PARTS_MAX * sizeof *parts);
    AUTO_BUF nodes = {0};
    while (fx_next(&reader, &item)) {
        if (item.kind == FX_COMMENT) {
            read_node(names, item.text);
            read_forward(&found, item.text);
        } else if (item.kind == FX_STATEMENT) {
            count_gradient(&found, item.right);
            read_call(&found, item.right);
            read_part(&found, parts, item.name);
        }
    }
    for (size_t i = 0; i < AUTOGRAD_NODES_MAX; i++)
        if (names[i].len)
            BUF_ADD(&nodes, nodes.len ? " " : "", names[i]);
    if (nodes.len) {
        found.parts = parts;
        found.nodes = arena_slice(arena, buf_slice(&nodes));
        kept = arena_zalloc(arena, sizeof *kept);
        *kept = found;
    }
    return kept;
}

#include "scan/fx_graph.h"
#include "scan/node_sources.h"

static bool is_product(struct slice call) {
    static const struct slice calls[] = {SLICE_INIT("torch.ops.aten.mm.default("),
                                         SLICE_INIT("torch.ops.aten.addmm.default("),
                                         SLICE_INIT("torch.ops.aten.bmm.default("),
                                         SLICE_INIT("torch.ops.aten.baddbmm.default(")};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (slice_starts(call, calls[i]))
            return true;
    return false;
}

/* Whether the beginning of a line ends with the call of a product: mm: "f32[16, 32][32, 1]cuda:0" = torch.ops.aten.mm.default( */
static bool is_float32(struct slice line) {
    struct fx_item item;
    return fx_statement_read(slice_trim(line), &item) && slice_starts(item.type, SLICE("f32[")) &&
           slice_find(item.type, SLICE("]cuda")) != SIZE_MAX && is_product(item.right);
}

/* The source of the node after this text: from the last comment that states it, or states that there is none. */
static void find_source(struct slice before, struct node_source *source) {
    static const struct slice none = SLICE_INIT("# No stacktrace");
    *source = (struct node_source){0};
    while (before.len && !source->file.ptr) {
        size_t end = slice_rfind_byte(before, '\n');
        struct slice line = slice_trim(slice_from(before, end == SIZE_MAX ? 0 : end + 1));
        before = slice_first(before, end == SIZE_MAX ? 0 : end);
        if (slice_starts(line, none))
            return;
        if (slice_starts(line, SLICE("#")))
            node_source_read(line, source);
    }
}

uint32_t float32_products(struct slice graph, struct node_source *first) {
    static const struct slice name = SLICE_INIT("mm.default("); /* all of them end with this */
    struct slice rest = graph;
    uint32_t count = 0;
    for (size_t at = slice_find(rest, name); at != SIZE_MAX; at = slice_find(rest, name)) {
        struct slice head = slice_first(rest, at + name.len);
        size_t before = slice_rfind_byte(head, '\n');
        bool found = is_float32(slice_from(head, before == SIZE_MAX ? 0 : before + 1));
        rest = slice_from(rest, head.len);
        if (found && !count++)
            find_source(slice_first(graph, graph.len - rest.len - head.len + (before == SIZE_MAX ? 0 : before)), first);
    }
    return count;
}

uint32_t cuda_capability(struct slice code) {
    static const struct slice device = SLICE_INIT("DeviceProperties(type='cuda'"), name = SLICE_INIT(" cc=");
    uint32_t lowest = 0;
    for (size_t at = slice_find(code, device); at != SIZE_MAX; at = slice_find(code, device)) {
        struct slice line, rest;
        code = slice_from(code, at + device.len);
        rest = code;
        slice_next_line(&rest, &line);
        size_t value = slice_find(line, name), len = 0;
        uint64_t number;
        if (value == SIZE_MAX)
            continue;
        line = slice_from(line, value + name.len);
        while (len < line.len && line.ptr[len] >= '0' && line.ptr[len] <= '9')
            len++;
        if (slice_to_u64(slice_first(line, len), &number) && number && number <= 1000 && (!lowest || number < lowest))
            lowest = (uint32_t)number;
    }
    return lowest;
}

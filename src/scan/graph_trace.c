#include "scan/graph_trace.h"

#include "scan/fx_graph.h"
#include "scan/node_sources.h"

enum { MESH_BYTES_MAX = 4096, GROUP_NAME_MAX = 256, GROUPS_MAX = 64 };

void world_hints_add(struct world_hints *hints, const struct world_hints *more) {
    if (more->size) {
        hints->contradicts |= hints->size && hints->size != more->size;
        hints->size = more->size > hints->size ? more->size : hints->size;
    }
    hints->contradicts |= more->contradicts;
    if (more->at_least > hints->at_least) {
        hints->at_least = more->at_least;
        hints->at_least_from = more->at_least_from;
    }
}

static void note_group(struct world_hints *world, uint64_t size, struct slice group) {
    if (!size || size > WORLD_SIZE_MAX)
        return;
    /* init_process_group() names the first group of a process, which has all ranks, "0". */
    if (slice_is(group, "0"))
        world_hints_add(world, &(struct world_hints){.size = size});
    else
        world_hints_add(world, &(struct world_hints){.at_least = size, .at_least_from = "a process group"});
}

/* After "all_gather_into_tensor(": "x, 4, '0')". The size is the number before the group's name. */
static void note_group_size(struct world_hints *world, struct slice args) {
    for (size_t i = 1; i < args.len && args.ptr[i] != ';'; i++) {
        char quote = args.ptr[i];
        size_t digits = i, end = i + 1;
        uint64_t size;
        if ((quote != '\'' && quote != '"') || args.ptr[i - 1] != ' ')
            continue;
        while (end < args.len && end < i + GROUP_NAME_MAX && args.ptr[end] != quote)
            end++;
        if (digits < 3 || args.ptr[digits - 2] != ',') {
            i = end;
            continue;
        }
        digits -= 2;
        size_t from = digits;
        while (from > 0 && is_digit(args.ptr[from - 1]))
            from--;
        if (end < args.len && args.ptr[end] == quote &&
            slice_to_u64(slice_make(args.ptr + from, digits - from), &size)) {
            note_group(world, size, slice_make(args.ptr + i + 1, end - i - 1));
            return;
        }
        i = end;
    }
}

/* After "DeviceMesh(": "'cuda', [[0, 1], [2, 3]])" has ranks, "(dp=2, tp=2), …)" the sizes of its dimensions. */
static void note_mesh(struct world_hints *world, struct slice args) {
    uint64_t highest = 0, product = 1;
    bool ranks = false, sizes = false;
    int open = 1, lists = 0;
    args = slice_first(args, MESH_BYTES_MAX);
    for (size_t i = 0; i < args.len && open > 0; i++) {
        char c = args.ptr[i];
        if (c == '\'' || c == '"') {
            for (i++; i < args.len && args.ptr[i] != c; i++)
                ;
            continue;
        }
        open += (c == '(') - (c == ')');
        lists += (c == '[') - (c == ']');
        if (!is_digit(c) || (i && (args.ptr[i - 1] == '_' || is_digit(args.ptr[i - 1]))))
            continue;
        size_t end = i;
        uint64_t number;
        while (end < args.len && is_digit(args.ptr[end]))
            end++;
        if (!slice_to_u64(slice_make(args.ptr + i, end - i), &number) || number > WORLD_SIZE_MAX)
            return;
        if (lists > 0) {
            ranks = true;
            highest = number > highest ? number : highest;
        } else if (i && args.ptr[i - 1] == '=' && open == 2) {
            sizes = true;
            product *= number;
            if (product > WORLD_SIZE_MAX)
                return;
        }
        i = end - 1;
    }
    if (open > 0 || (!ranks && !sizes)) /* truncated, or neither format */
        return;
    world_hints_add(world,
                    &(struct world_hints){.at_least = ranks ? highest + 1 : product, .at_least_from = "a device mesh"});
}

struct calls_list {
    LIST(struct slice) list;
};

static void scan_line(struct slice line, struct calls_list *calls, struct world_hints *world) {
    static const struct slice head = SLICE_INIT("torch.ops._c10d_functional."), mesh = SLICE_INIT("DeviceMesh(");
    struct slice rest = line;
    for (size_t at; (at = slice_find(rest, head)) != SIZE_MAX;) {
        rest = slice_from(rest, at + head.len);
        size_t end = 0;
        while (end < rest.len &&
               ((rest.ptr[end] >= 'a' && rest.ptr[end] <= 'z') || rest.ptr[end] == '_' || is_digit(rest.ptr[end])))
            end++;
        struct slice op = slice_first(rest, end), args = slice_from(rest, end);
        if (slice_starts(args, SLICE(".default")))
            args = slice_from(args, sizeof ".default" - 1);
        if (!slice_starts(args, SLICE("(")) || !op.len)
            continue;
        if (slice_find(op, SLICE("wait_tensor")) != SIZE_MAX)
            continue;
        if (calls->list.count < GRAPH_CALLS_MAX)
            LIST_ADD(&calls->list, op);
        if (slice_starts(op, SLICE("all_gather")) || slice_starts(op, SLICE("reduce_scatter")))
            note_group_size(world, slice_from(args, 1));
    }
    rest = line;
    for (size_t at; (at = slice_find(rest, mesh)) != SIZE_MAX;) {
        rest = slice_from(rest, at + mesh.len);
        note_mesh(world, rest);
    }
}

static void scan_calls(struct graph_trace *trace, struct slice text, struct arena *arena) {
    struct calls_list calls = {0};
    struct slice line;
    /* A part of "_c10d_functional" whose ends are rare, which is found faster. */
    if (slice_find(text, SLICE("10d_func")) == SIZE_MAX && slice_find(text, SLICE("DeviceMesh(")) == SIZE_MAX)
        return;
    while (slice_next_line(&text, &line)) {
        struct slice trimmed = slice_trim(line);
        if (!slice_starts(trimmed, SLICE("#")))
            scan_line(trimmed, &calls, &trace->world);
    }
    trace->calls = ARENA_COPY(arena, calls.list.items, calls.list.count);
    trace->call_count = (uint32_t)calls.list.count;
    mem_free(calls.list.items);
}

struct graph_trace *graph_calls_scan(struct slice text, struct arena *arena) {
    struct graph_trace *trace = arena_zalloc(arena, sizeof *trace);
    scan_calls(trace, text, arena);
    return trace->call_count || trace->world.size || trace->world.at_least ? trace : NULL;
}

/* Takes the quoted text at the start. Returns false if there is none. */
static bool take_quoted(struct slice *text, struct slice *quoted) {
    if (!text->len || (text->ptr[0] != '\'' && text->ptr[0] != '"'))
        return false;
    size_t end = 1;
    while (end < text->len && text->ptr[end] != text->ptr[0])
        end++;
    if (end == text->len)
        return false;
    *quoted = slice_make(text->ptr + 1, end - 1);
    *text = slice_from(*text, end + 1);
    return true;
}

/* "{'0': {'size': 4, 'rank': 1}, 'tp': {'size': 2, 'rank': 1}})" */
static void note_groups(struct world_hints *world, struct slice text) {
    struct slice name;
    for (size_t groups = 0; groups < GROUPS_MAX; groups++) {
        while (text.len && (text.ptr[0] == '{' || text.ptr[0] == ',' || text.ptr[0] == ' '))
            text = slice_from(text, 1);
        size_t digits = 0;
        uint64_t size;
        if (!take_quoted(&text, &name) || !slice_starts(text, SLICE(": {'size': ")))
            return;
        text = slice_from(text, sizeof ": {'size': " - 1);
        while (digits < text.len && is_digit(text.ptr[digits]))
            digits++;
        if (!slice_to_u64(slice_first(text, digits), &size))
            return;
        note_group(world, size, name);
        size_t close = slice_find(text, SLICE("}"));
        text = slice_from(text, close == SIZE_MAX ? text.len : close + 1);
    }
}

struct graph_trace *runnable_groups_scan(struct slice text, struct arena *arena) {
    static const struct slice head = SLICE_INIT("setup_fake_process_groups({");
    struct graph_trace *trace = arena_zalloc(arena, sizeof *trace);
    struct slice line;
    if (slice_find(text, head) == SIZE_MAX)
        return NULL;
    while (slice_next_line(&text, &line)) {
        line = slice_trim(line);
        if (slice_starts(line, head)) /* comments and strings do not begin like this */
            note_groups(&trace->world, slice_from(line, head.len));
    }
    return trace->world.size || trace->world.at_least ? trace : NULL;
}

/* The process groups named in a graph, in order. */
struct groups {
    struct slice names[GROUPS_MAX];
    uint32_t count;
};

/* The position of the group's name in "…_c10d_functional.all_reduce(x, 'sum', '3')": the last quoted argument. */
static bool group_name_find(struct slice line, size_t *from, size_t *len) {
    size_t at = slice_find(line, SLICE("_c10d_functional."));
    char open = 0;
    bool found = false;
    if (at == SIZE_MAX || slice_starts(slice_from(line, at + sizeof "_c10d_functional." - 1), SLICE("wait_tensor")))
        return false;
    for (size_t start = at; at < line.len && (open || line.ptr[at] != ';'); at++) {
        char c = line.ptr[at];
        if (open && c == open) {
            *from = start;
            *len = at - start;
            found = true;
            open = 0;
        } else if (!open && (c == '\'' || c == '"')) {
            open = c;
            start = at + 1;
        }
    }
    return found && *len <= GROUP_NAME_MAX;
}

/* The line with its group replaced by a number, in the buffer, or the line itself if it has no group. */
static struct slice without_group(struct groups *groups, struct slice line, struct buf *scratch) {
    size_t from = 0, len = 0;
    uint32_t at = 0;
    if (!group_name_find(line, &from, &len))
        return line;
    struct slice name = slice_make(line.ptr + from, len);
    if (slice_is(name, "0"))
        return line;
    while (at < groups->count && !slice_eq(groups->names[at], name))
        at++;
    if (at == groups->count && at < GROUPS_MAX)
        groups->names[groups->count++] = name;
    scratch->len = 0;
    buf_add(scratch, slice_first(line, from));
    buf_addf(scratch, "group %u", at);
    buf_add(scratch, slice_from(line, from + len));
    return buf_slice(scratch);
}

uint64_t graph_text_hash(struct slice graph) {
    struct groups groups = {0};
    AUTO_BUF plain = {0}, scratch = {0};
    struct slice line, rest = graph;
    if (slice_find(graph, SLICE("_c10d_functional.")) == SIZE_MAX)
        return noise_hash(graph);
    while (slice_next_line(&rest, &line))
        BUF_ADD(&plain, without_group(&groups, line, &scratch), "\n");
    uint64_t hash = noise_hash(buf_slice(&plain));
    return hash;
}

struct steps {
    LIST(struct graph_step) list;
    struct groups groups;
    struct buf scratch;
};

static bool same_source(const struct graph_step *step, const struct node_source *source) {
    return step->line == source->line && slice_eq(step->file, source->file) &&
           slice_eq(step->function, source->function);
}

static void add_operation(struct steps *steps, const struct node_source *now, const struct fx_item *item) {
    struct slice value = fx_value(item->right);
    size_t count = steps->list.count;
    if (!count || !same_source(&steps->list.items[count - 1], now)) {
        LIST_ADD(&steps->list, (struct graph_step){.file = now->file,
                                                   .function = now->function,
                                                   .code = now->code,
                                                   .line = now->line,
                                                   .type = item->type,
                                                   .text = slice_first(item->name, 0)});
    }
    struct graph_step *step = &steps->list.items[steps->list.count - 1];
    step->text.len = (size_t)(value.ptr + value.len - step->text.ptr);
    value = without_group(&steps->groups, value, &steps->scratch);
    step->ops = hash_mix(hash_mix(step->ops, noise_hash(item->name)), noise_hash(value));
    step->types = hash_mix(step->types, noise_hash(item->type));
}

static void scan_steps(struct graph_trace *trace, struct slice graph, struct arena *arena) {
    struct steps steps = {0};
    struct node_source now = {0};
    struct fx_reader reader = {.rest = graph};
    struct fx_item item;
    while (fx_next(&reader, &item)) {
        if (item.kind == FX_COMMENT)
            node_source_read(item.text, &now);
        if (item.kind != FX_STATEMENT || !item.name.len || (!now.file.ptr && !steps.list.count))
            continue; /* inputs come first, in the order of their use */
        if (steps.list.count == GRAPH_STEPS_MAX) {
            trace->cut = true;
            break;
        }
        add_operation(&steps, &now, &item);
    }
    trace->steps = ARENA_COPY(arena, steps.list.items, steps.list.count);
    trace->count = (uint32_t)steps.list.count;
    mem_free(steps.list.items);
    buf_free(&steps.scratch);
}

struct graph_trace *graph_trace_scan(struct slice graph, struct arena *arena) {
    struct graph_trace *trace = arena_zalloc(arena, sizeof *trace);
    scan_calls(trace, graph, arena);
    scan_steps(trace, graph, arena);
    return trace;
}

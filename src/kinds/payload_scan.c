/* Scans payloads on the workers: sizes of graphs, guards, kernels, bytecode. */
#include "kinds/records.h"

#include "codegen/kernel_flow.h"
#include "kinds/fold.h"
#include "lowering/passes.h"
#include "modules/module_graph.h"
#include "scan/autograd_graph.h"
#include "scan/graph_trace.h"
#include "scan/guard_facts.h"
#include "scan/guard_tree.h"
#include "scan/node_sources.h"

bool is_graph_name(struct slice name) {
    return (slice_find(name, SLICE("graph")) != SIZE_MAX || slice_starts(name, SLICE("vllm_submod_"))) &&
           !slice_ends(name, SLICE("metadata")) && !slice_ends(name, SLICE("_reason"));
}

static struct text_counts *counts_of(struct node *node, struct arena *arena) {
    struct text_counts *counts = arena_zalloc(arena, sizeof *counts);
    node->counts = counts;
    return counts;
}

static void count_graph(struct node *node, const struct record *record, struct arena *arena) {
    struct graph_size size = graph_size_of(record->payload);
    if (!size.graphs)
        return;
    struct text_counts *counts = counts_of(node, arena);
    counts->graph = size;
    if (!node->trace)
        node->trace = graph_calls_scan(record->payload, arena);
    counts->graph_hash = node->noise_hash ? node->noise_hash : noise_hash(slice_trim(record->payload));
}

/* Words of a guard that precede rank-specific text. */
enum guard_word { WORD_COMMENT, WORD_DEVICE, WORD_BUILTINS, WORD_GROUP, WORD_RANK, WORD_RANK_ITEM, GUARD_WORDS };

/* The length of the rank-specific text after the word. */
static size_t own_len(enum guard_word word, struct slice rest, const struct record *record) {
    size_t len = 0;
    uint64_t number;
    if (word == WORD_COMMENT || word == WORD_GROUP) {
        while (len < rest.len && rest.ptr[len] != '\n' && (word == WORD_COMMENT || rest.ptr[len] != '\''))
            len++;
        return len;
    }
    while (len < rest.len && is_digit(rest.ptr[len]))
        len++;
    bool is_rank = word == WORD_RANK || word == WORD_RANK_ITEM;
    bool own = record->has_rank && slice_to_u64(slice_first(rest, len), &number) && number == record->rank;
    return is_rank && !own ? 0 : len;
}

/* Removes the parts of guards that differ between ranks: the device number, the name of a process group, the rank, and
 * a counter of builtins dictionaries. Also removes the comment after a guard: it shows one of the lines that need the
 * guard, and not always the same one. */
static uint64_t guards_hash(const struct record *record) {
    static const struct slice words[GUARD_WORDS] = {
        [WORD_COMMENT] = SLICE_INIT("  # "),
        [WORD_DEVICE] = SLICE_INIT(", device="),
        [WORD_BUILTINS] = SLICE_INIT("__builtins_dict___"),
        [WORD_GROUP] = SLICE_INIT(".group_name == '"),
        [WORD_RANK] = SLICE_INIT("rank == "),
        [WORD_RANK_ITEM] = SLICE_INIT("rank'] == "),
    };
    struct slice payload = record->payload;
    AUTO_BUF plain = {0};
    size_t at[GUARD_WORDS] = {0}; /* position of the next occurrence of each word */
    size_t done = 0;              /* the text before it is in `plain` or was skipped */
    bool sought[GUARD_WORDS] = {0};
    for (;;) {
        size_t next = WORD_COMMENT;
        for (size_t w = 0; w < GUARD_WORDS; w++) {
            if (!sought[w] || at[w] < done) {
                size_t found = slice_find(slice_from(payload, done), words[w]);
                at[w] = found == SIZE_MAX ? found : done + found;
                sought[w] = true;
            }
            next = at[w] < at[next] ? w : next;
        }
        if (at[next] == SIZE_MAX)
            break;
        size_t end = at[next] + (next == WORD_COMMENT ? 0 : words[next].len);
        buf_add(&plain, slice_make(payload.ptr + done, end - done));
        done = end + own_len((enum guard_word)next, slice_from(payload, end), record);
    }
    buf_add(&plain, slice_from(payload, done));
    uint64_t hash = noise_hash(buf_slice(&plain));
    return hash;
}

struct node *graph_decode(const struct record *record, yyjson_val *value, struct arena *arena) {
    struct node *node = node_new(arena);
    (void)value;
    count_graph(node, record, arena);
    return node;
}

struct node *output_graph_decode(const struct record *record, yyjson_val *value, struct arena *arena) {
    struct node *node = node_new(arena);
    (void)value;
    if (record->has_payload) {
        node->noise_hash = graph_text_hash(record->payload);
        node->trace = graph_trace_scan(record->payload, arena);
        node->sources = node_sources_scan(record->payload, arena);
        node->modules = module_graph_scan(record->payload, arena);
    }
    count_graph(node, record, arena);
    return node;
}

struct node *backward_graph_decode(const struct record *record, yyjson_val *value, struct arena *arena) {
    struct node *node = graph_decode(record, value, arena);
    if (record->has_payload)
        node->names = backward_names_hash(record->payload);
    return node;
}

struct node *autograd_graph_decode(const struct record *record, yyjson_val *value, struct arena *arena) {
    struct node *node = graph_decode(record, value, arena);
    if (record->has_payload)
        node->capture = autograd_graph_scan(record->payload, arena);
    return node;
}

static void note_products(struct node *node, struct slice graph, struct arena *arena) {
    struct node_source first = {0};
    node->float32_products = float32_products(graph, &first);
    if (first.file.ptr)
        node->float32_first = (struct node_source){.file = arena_slice(arena, first.file),
                                                   .function = arena_slice(arena, first.function),
                                                   .line = first.line};
}

/* Newer versions log the graph as an artifact with this name, older versions as a separate kind of record. */
struct node *post_grad_decode(const struct record *record, yyjson_val *value, struct arena *arena) {
    struct node *node = graph_decode(record, value, arena);
    if (record->has_payload) {
        node->flow = flow_graphs_scan(record->payload, arena);
        note_products(node, record->payload, arena);
    }
    return node;
}

static struct guard_notes *kept_notes(const struct guard_notes *notes, struct arena *arena) {
    struct guard_notes *kept = arena_zalloc(arena, sizeof *kept);
    kept->lines.items = ARENA_COPY(arena, notes->lines.items, notes->lines.count);
    kept->lines.count = notes->lines.count;
    kept->modules.items = ARENA_COPY(arena, notes->modules.items, notes->modules.count);
    kept->modules.count = notes->modules.count;
    kept->accesses.items = ARENA_COPY(arena, notes->accesses.items, notes->accesses.count);
    kept->accesses.count = notes->accesses.count;
    kept->checks = notes->checks;
    kept->checks.kinds.items = ARENA_COPY(arena, notes->checks.kinds.items, notes->checks.kinds.count);
    kept->checks.modules.items = ARENA_COPY(arena, notes->checks.modules.items, notes->checks.modules.count);
    kept->checks.lines.items = ARENA_COPY(arena, notes->checks.lines.items, notes->checks.lines.count);
    return kept;
}

struct node *cpp_guards_decode(const struct record *record, yyjson_val *value, struct arena *arena) {
    struct node *node = node_new(arena);
    struct guard_notes notes = {0};
    AUTO_BUF list = {0}, packed = {0};
    struct guard_facts facts = {.out = &packed};
    (void)value;
    if (record->has_payload)
        node->noise_hash = guards_hash(record);
    struct guard_tree tree = guard_tree_read(record->payload, record->details ? &list : NULL, &notes, &facts);

    node->guards = kept_notes(&notes, arena);
    guard_notes_free(&notes);
    /* A filter can leave a tree without checks. */
    if (tree.count || slice_find(record->payload, SLICE("\nTREE_GUARD_MANAGER:\n")) < 2) {
        struct text_counts *counts = counts_of(node, arena);
        counts->guards = tree.count;
        counts->more_guards = tree.more;
        if (record->details)
            counts->list = arena_slice(arena, buf_slice(&list));
        if (facts.count)
            counts->packed = arena_slice(arena, buf_slice(&packed));
    }
    return node;
}

/* The number of inputs that the graph mutates, from "InputAliasInfo(…, mutates_data=True, …". */
static uint32_t changed_inputs(struct slice metadata) {
    static const struct slice mark = SLICE_INIT("mutates_data=True");
    uint32_t count = 0;
    metadata = slice_first(metadata, slice_find(metadata, SLICE("output_info="))); /* inputs come first */
    for (size_t at; (at = slice_find(metadata, mark)) != SIZE_MAX && count < UINT32_MAX; count++)
        metadata = slice_from(metadata, at + mark.len);
    return count;
}

/* The first symbolic size of inputs: "s31" of `def forward(self, input: "f32[s31, 4][4, 1]cpu"):`. */
static struct slice graph_symbol(struct slice graph) {
    static const struct slice start = SLICE_INIT("def forward(");
    size_t at = slice_find(graph, start), end;
    struct slice inputs = slice_from(graph, at == SIZE_MAX ? graph.len : at + start.len);
    inputs = slice_first(inputs, slice_find(inputs, SLICE("):\n")));
    while ((at = slice_find(inputs, SLICE("[s"))) != SIZE_MAX) {
        inputs = slice_from(inputs, at + 1);
        for (end = 1; end < inputs.len && is_digit(inputs.ptr[end]);)
            end++;
        if (end > 1 && end < inputs.len && (inputs.ptr[end] == ',' || inputs.ptr[end] == ']'))
            return slice_first(inputs, end);
    }
    return (struct slice){0};
}

struct node *named_text_decode(const struct record *record, struct slice name, struct arena *arena) {
    struct node *node = node_new(arena);
    if (slice_ends(name, SLICE("_ORIGINAL_BYTECODE")) || slice_ends(name, SLICE("_MODIFIED_BYTECODE"))) {
        uint32_t count = instructions_count(record->payload);
        if (count)
            counts_of(node, arena)->instructions = count;
    } else if (slice_is(name, "fx_graph_runnable")) {
        if (record->has_payload)
            node->trace = runnable_groups_scan(record->payload, arena);
    } else if (slice_is(name, "aot_forward_graph_fw_metadata")) {
        node->changed_inputs = changed_inputs(record->payload);
    } else if (is_graph_name(name) || passes_name(name)) {
        count_graph(node, record, arena);
        if (record->id.state == COMPILE_ID_NONE && record->has_payload && slice_is(name, "before_pre_grad_graph"))
            node->graph_symbol = graph_symbol(record->payload);
        if (!node->counts && passes_name(name) && record->has_payload)
            counts_of(node, arena)->graph_hash = noise_hash(slice_trim(record->payload));
        if (record->has_payload &&
            (slice_is(name, "inductor_post_grad_graph") || slice_is(name, "after_post_grad_graph")))
            node->flow = flow_graphs_scan(record->payload, arena);
        if (record->has_payload && slice_is(name, "inductor_post_grad_graph"))
            note_products(node, record->payload, arena);
    }
    return node;
}

void kernels_decode(struct node *node, const struct record *record, struct arena *arena) {
    uint32_t count = 0, first = 0;
    node->cuda_capability = cuda_capability(record->payload);
    node->kernels = kernels_scan(record->payload, arena);
    for (uint32_t i = 0; i < node->kernels->count; i++) {
        const struct scanned_kernel *kernel = &node->kernels->items[i];
        if (kernel->kind == KERNEL_EXTERN || !kernel->line)
            continue;
        count++;
        if (!first || kernel->line < first)
            first = kernel->line;
    }
    if (count) {
        struct text_counts *counts = counts_of(node, arena);
        counts->kernels = count;
        counts->kernel_line = first;
    }
}

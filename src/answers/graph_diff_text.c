#include "answers/graph_answer.h"
#include "base/name_ranges.h"

enum { LISTED_SIZES = 12, LISTED_PLACES = 3 };

static void add_title(struct term *term, const struct graph_diff *diff, const struct graph_subject subjects[2]) {
    AUTO_BUF text = {0};
    bool sources = !slice_eq(subjects[0].source, subjects[1].source),
         stages = !slice_eq(subjects[0].artifact, subjects[1].artifact);
    for (int i = 0; i < 2; i++) {
        if (sources)
            BUF_ADD(&text, subjects[i].source, " ");
        buf_add(&text, subjects[i].compile);
        if (stages)
            BUF_ADD(&text, " ", subjects[i].artifact);
        if (!i)
            buf_add_lit(&text, " → ");
    }
    term_add(term, TERM_BOLD, buf_slice(&text));
    text.len = 0;
    buf_add_lit(&text, "  ");
    if (!stages)
        BUF_ADD(&text, subjects[0].artifact, "  ");
    unit_add_count(&text, graph_ops(diff->a));
    buf_add_lit(&text, " → ");
    unit_add_plural(&text, graph_ops(diff->b), "op", NULL);
    term_add(term, TERM_DIM, buf_slice(&text));
    term_newline(term);
}

static void add_part(struct buf *text, uint64_t count, const char *what) {
    if (!count)
        return;
    if (text->len)
        buf_add_lit(text, ", ");
    unit_add_count(text, count);
    BUF_ADD(text, " ", what);
}

static void add_totals(struct term *term, const struct graph_diff *diff) {
    AUTO_BUF text = {0};
    for (int change = 0; change < GRAPH_CHANGES; change++)
        add_part(&text, diff->counts[change], graph_change_name((enum graph_change)change));
    if (!text.len)
        buf_add_lit(&text, "no op added, removed or changed");
    add_part(&text, diff->same, "the same");
    add_part(&text, diff->resized, "with other sizes");
    add_part(&text, diff->rewired, "that read what was added or replaced");
    add_part(&text, diff->restrided, "with other strides");
    add_part(&text, diff->retyped, "with another type");
    add_part(&text, diff->inputs, diff->inputs == 1 ? "input or output" : "inputs and outputs");
    term_prose(term, TERM_PLAIN, buf_slice(&text), (struct term_box){0});
}

/* A line for each pair, most frequent first. */
static void add_pairs(struct term *term, const char *title, const struct size_change *pairs, size_t count) {
    AUTO_BUF text = {0};
    if (!count)
        return;
    term_newline(term);
    term_add(term, TERM_BOLD, slice_str(title));
    term_newline(term);
    for (size_t i = 0; i < count && i < LISTED_SIZES; i++) {
        text.len = 0;
        BUF_ADD(&text, "  ", pairs[i].from, " → ", pairs[i].to, "  ");
        term_add(term, TERM_PLAIN, buf_slice(&text));
        text.len = 0;
        unit_add_plural(&text, pairs[i].nodes, "node", NULL);
        term_add(term, TERM_DIM, buf_slice(&text));
        term_newline(term);
    }
    if (count <= LISTED_SIZES)
        return;
    text.len = 0;
    buf_add_lit(&text, "  and ");
    unit_add_count(&text, count - LISTED_SIZES);
    buf_add_lit(&text, " more");
    term_add(term, TERM_DIM, buf_slice(&text));
    term_newline(term);
}

/* How much of the lines of a changed node is the same at their beginning, and may be left out; 0 if both fit. */
static size_t common_part(const struct term *term, const struct buf *one, const struct buf *other) {
    enum { CONTEXT = 12, MARK = 4 };
    size_t same = 0, most = one->len < other->len ? one->len : other->len;
    while (same < most && one->ptr[same] == other->ptr[same])
        same++;
    bool fits = one->len + MARK <= term->width && other->len + MARK <= term->width;
    return fits || same < 2 * CONTEXT ? 0 : same - CONTEXT;
}

/* Adds the line of a node. `cut`: what of its value is left out, behind its name. */
static void add_node(struct term *term, const struct op_graph *graph, uint32_t index, const char *mark,
                     enum term_style style, size_t cut) {
    const struct op_node *node = &graph->nodes.items[index];
    AUTO_BUF text = {0}, value = {0};
    term_add(term, style, slice_str(mark));
    if (node->graph)
        BUF_ADD(&text, graph->graphs.items[node->graph].name, ": ");
    if (node->name.len)
        BUF_ADD(&text, node->name, " = ");
    graph_add_call(&value, node);
    BUF_ADD(&text, cut ? SLICE("… ") : (struct slice){0}, slice_from(buf_slice(&value), cut));
    term_line(term, style, buf_slice(&text), 4);
    term_newline(term);
}

static void add_source(struct term *term, const struct op_graph *graph, uint32_t index) {
    const struct op_node *node = &graph->nodes.items[index];
    AUTO_BUF text = {0};
    if (node->source == OP_NONE)
        return;
    graph_add_place(&text, graph, node);
    BUF_ADD(&text, "  ", graph->sources.items[node->source].code);
    term_spaces(term, 6);
    term_line(term, TERM_DIM, buf_slice(&text), 6);
    term_newline(term);
}

static void add_edit(struct term *term, const struct graph_diff *diff, const struct graph_edit *edit) {
    const uint32_t *members = diff->members.items;
    bool moved = edit->change == CHANGE_MOVED;
    size_t cut = 0;
    if (edit->change == CHANGE_CHANGED) {
        AUTO_BUF one = {0}, other = {0};
        graph_add_call(&one, &diff->a->nodes.items[members[edit->first_a]]);
        graph_add_call(&other, &diff->b->nodes.items[members[edit->first_b]]);
        cut = common_part(term, &one, &other);
    }
    for (uint32_t i = 0; i < edit->count_a && !moved; i++)
        add_node(term, diff->a, members[edit->first_a + i], "  - ", TERM_ERROR, cut);
    for (uint32_t i = 0; i < edit->count_b; i++)
        add_node(term, diff->b, members[edit->first_b + i], moved ? "  ~ " : "  + ", moved ? TERM_WARNING : TERM_GOOD,
                 cut);
    if (edit->count_b)
        add_source(term, diff->b, members[edit->first_b + edit->count_b - 1]);
    else
        add_source(term, diff->a, members[edit->first_a + edit->count_a - 1]);
}

typedef LIST(struct slice) slices;

/* The modules of equal changes or, if one of them is unknown, the names of the nodes. */
struct edit_places {
    slices modules, names;
    struct arena arena;
    bool unknown;
};

static void find_place(struct edit_places *places, const struct graph_diff *diff, const struct graph_edit *edit,
                       const struct graph_subject subjects[2]) {
    bool of_b = edit->count_b > 0;
    const struct op_graph *graph = of_b ? diff->b : diff->a;
    uint32_t member = of_b ? edit->first_b + edit->count_b - 1 : edit->first_a + edit->count_a - 1;
    const struct op_node *node = &graph->nodes.items[diff->members.items[member]];
    struct graph_module module = graph_module_of(graph, node, &subjects[of_b]);
    AUTO_BUF text = {0};
    graph_module_add(&text, &module, true);
    places->unknown |= !text.len;
    LIST_ADD(&places->modules, arena_slice(&places->arena, buf_slice(&text)));
    if (node->name.len)
        LIST_ADD(&places->names, node->name);
}

/* Adds where a change and those that are equal to it are: "in transformer.h.0–11.attn", "relu_1, relu_4". */
static void add_places(struct buf *out, const struct graph_diff *diff, const struct graph_edit *edit,
                       const struct graph_subject subjects[2]) {
    struct edit_places places = {0};
    for (uint32_t e = edit->equal_to; e != OP_NONE; e = diff->edits.items[e].next)
        find_place(&places, diff, &diff->edits.items[e], subjects);
    if (!places.unknown)
        buf_add_lit(out, "in ");
    const slices *list = places.unknown ? &places.names : &places.modules;
    name_ranges_add(out, list->items, list->count, LISTED_PLACES);
    mem_free(places.modules.items);
    mem_free(places.names.items);
    arena_free(&places.arena);
}

/* How often a change occurs, and where, behind its place. */
static void add_times(struct term *term, const struct graph_diff *diff, const struct graph_edit *edit,
                      const struct graph_subject subjects[2]) {
    AUTO_BUF text = {0};
    buf_add_lit(&text, "×");
    unit_add_count(&text, edit->times);
    term_spaces(term, 6);
    term_add(term, TERM_BOLD, buf_slice(&text));
    text.len = 0;
    buf_add_lit(&text, "  ");
    add_places(&text, diff, edit, subjects);
    term_line(term, TERM_DIM, buf_slice(&text), 10);
    term_newline(term);
}

void graph_diff_add_text(struct term *term, const struct graph_diff *diff, const struct graph_subject subjects[2],
                         bool all) {
    add_title(term, diff, subjects);
    add_totals(term, diff);
    add_pairs(term, "Sizes", diff->sizes.items, diff->sizes.count);
    add_pairs(term, "Types", diff->types.items, diff->types.count);
    if (!diff->edits.count)
        return;
    term_newline(term);
    term_add(term, TERM_BOLD, SLICE("Nodes"));
    term_newline(term);
    bool folded = false;
    for (size_t i = 0; i < diff->edits.count; i++) {
        const struct graph_edit *edit = &diff->edits.items[i];
        if (!edit->times && !all)
            continue;
        add_edit(term, diff, edit);
        if (edit->times < 2 || all)
            continue;
        add_times(term, diff, edit, subjects);
        folded = true;
    }
    if (!folded)
        return;
    term_newline(term);
    term_prose(term, TERM_DIM,
               SLICE(
                   "×: changes that differ in numbers in names only, such as those of equal layers; --all prints each"),
               (struct term_box){.indent = 2});
}

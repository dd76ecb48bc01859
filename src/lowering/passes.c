#include "lowering/passes.h"

/* A graph whose pass has begun, or the last graph of a chain. */
struct open {
    struct slice name; /* of the pass; for a chain, its key */
    uint32_t place, folder;
    bool closed; /* its pass has ended; a later graph of the chain may still start from it */
};

struct walk {
    struct passes *passes;
    const struct model *model;
    const struct compile *compile;
    LIST(struct open) open;
};

enum { OPEN_LIMIT = 512 }; /* names in a log are untrusted: unfinished passes are limited */

static const struct slice before_prefix = SLICE_INIT("before_"), after_prefix = SLICE_INIT("after_");
static const struct slice before_suffix = SLICE_INIT("_before"), after_suffix = SLICE_INIT("_after");
static const struct slice pre_suffix = SLICE_INIT("_pre_grad"), post_suffix = SLICE_INIT("_post_grad");
static const struct slice vllm_prefix = SLICE_INIT("vllm_post_grad.");
static const struct slice dynamo_graph = SLICE_INIT("dynamo_output_graph");
static const struct slice ddp_piece = SLICE_INIT("optimize_ddp_split_child_"), vllm_piece = SLICE_INIT("vllm_submod_");
static const struct slice inference_graph = SLICE_INIT("aot_inference_graph");
static const struct slice reordering = SLICE_INIT("compiled_autograd_graph_pre_reordering");
/* From _inductor/fx_passes/decomp_comms.py. */
static const struct slice decomp_before = {"pre_decomp_comms", sizeof "pre_decomp_comms" - 1};
static const struct slice decomp_after = {"post_decomp_comms", sizeof "post_decomp_comms" - 1};

bool passes_name(struct slice name) {
    return slice_starts(name, before_prefix) || slice_starts(name, after_prefix) || slice_ends(name, before_suffix) ||
           slice_ends(name, after_suffix) || slice_ends(name, pre_suffix) || slice_ends(name, post_suffix) ||
           slice_starts(name, vllm_prefix) || slice_starts(name, vllm_piece) || slice_starts(name, ddp_piece) ||
           slice_eq(name, decomp_before) || slice_eq(name, decomp_after);
}

static const struct artifact *artifact_at(const struct walk *walk, uint32_t place) {
    return &walk->model->artifacts.items[walk->compile->artifacts.items[place]];
}

static uint64_t hash_at(const struct walk *walk, uint32_t place) {
    const struct artifact *artifact = artifact_at(walk, place);
    return artifact->counts ? artifact->counts->graph_hash : 0;
}

static struct slice without(struct slice name, struct slice suffix) {
    return slice_ends(name, suffix) ? slice_first(name, name.len - suffix.len) : name;
}

static enum pass_stage stage_of(struct slice name) {
    static const struct {
        struct slice word;
        enum pass_stage stage;
    } words[] = {{SLICE_INIT("pre_grad"), PASS_PRE_GRAD},
                 {SLICE_INIT("joint"), PASS_JOINT},
                 {SLICE_INIT("post_grad"), PASS_POST_GRAD},
                 {SLICE_INIT("overlap_scheduling"), PASS_POST_GRAD},
                 {SLICE_INIT("bucketing"), PASS_POST_GRAD},
                 {{"decomp_comms", sizeof "decomp_comms" - 1}, PASS_POST_GRAD},
                 {SLICE_INIT("compiled_autograd"), PASS_AUTOGRAD}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (slice_find(name, words[i].word) != SIZE_MAX)
            return words[i].stage;
    return PASS_OTHER;
}

/* The most recently opened one; NULL: none. */
static struct open *find(struct walk *walk, struct slice name, uint32_t folder) {
    for (size_t i = walk->open.count; i--;) {
        struct open *open = &walk->open.items[i];
        if (open->folder == folder && slice_eq(open->name, name))
            return open;
    }
    return NULL;
}

static void begin(struct walk *walk, struct slice name, uint32_t place) {
    uint32_t folder = artifact_at(walk, place)->folder;
    struct open *open = find(walk, name, folder);
    if (!open) {
        if (walk->open.count == OPEN_LIMIT)
            return;
        MEM_GROW(&walk->open);
        open = &walk->open.items[walk->open.count++];
    }
    *open = (struct open){.name = name, .place = place, .folder = folder};
}

static void add(struct walk *walk, struct pass pass) {
    uint64_t before = hash_at(walk, pass.before), after = hash_at(walk, pass.after);
    if (!artifact_at(walk, pass.before)->has_text || !artifact_at(walk, pass.after)->has_text)
        return;
    pass.changed = before != after || !before;
    LIST_ADD(&walk->passes->list, pass);
}

static void end(struct walk *walk, struct slice name, uint32_t place) {
    struct open *open = find(walk, name, artifact_at(walk, place)->folder);
    if (!open || open->closed)
        return;
    open->closed = true;
    add(walk, (struct pass){.name = slice_eq(name, reordering) ? SLICE("reordering") : without(name, SLICE("_graph")),
                            .stage = stage_of(name),
                            .before = open->place,
                            .after = place});
}

/* Links the graphs of a chain: each is the result of a pass over the previous one, or over the graph at the start of
 * the stage. */
static void link(struct walk *walk, struct slice chain, struct slice root, struct slice name, enum pass_stage stage,
                 uint32_t place) {
    uint32_t folder = artifact_at(walk, place)->folder;
    struct open *last = find(walk, chain, folder), *first = find(walk, root, folder);
    if (first && (!last || last->place < first->place))
        last = first;
    if (last)
        add(walk, (struct pass){.name = name, .stage = stage, .before = last->place, .after = place});
    begin(walk, chain, place);
}

static void add_step(struct walk *walk, const struct open *from, const char *name, uint32_t place) {
    if (from && !from->closed)
        add(walk, (struct pass){.name = slice_str(name),
                                .stage = PASS_AOT,
                                .step = true,
                                .before = from->place,
                                .after = place});
}

/* The graph that AOTAutograd traces: Dynamo's graph, or a piece of it that DDP or vLLM compiles separately. */
static const struct open *traced_graph(struct walk *walk, uint32_t place) {
    const struct artifact *artifact = artifact_at(walk, place);
    struct open *dynamo = find(walk, dynamo_graph, artifact->folder), *piece = NULL;
    for (size_t i = walk->open.count; i-- && artifact->subgraph.len && !piece;) {
        struct open *open = &walk->open.items[i];
        if (open->folder == artifact->folder && slice_starts(open->name, ddp_piece) &&
            slice_eq(slice_from(open->name, ddp_piece.len), artifact->subgraph))
            piece = open;
    }
    if (!piece && dynamo && dynamo->closed && !artifact->subgraph.len)
        piece = find(walk, vllm_piece, artifact->folder);
    return dynamo && !dynamo->closed ? dynamo : piece;
}

/* Notes that Dynamo's graph is split, so it is not compiled as a whole. */
static void split(struct walk *walk, uint32_t place) {
    struct open *dynamo = find(walk, dynamo_graph, artifact_at(walk, place)->folder);
    if (dynamo)
        dynamo->closed = true;
}

/* Records the graphs at the start and end of a stage. */
static bool visit_steps(struct walk *walk, struct slice name, uint32_t place) {
    static const struct slice joint_graph = SLICE_INIT("aot_joint_graph");
    const struct open *joint = find(walk, joint_graph, artifact_at(walk, place)->folder);
    if (slice_eq(name, dynamo_graph) || slice_starts(name, ddp_piece)) {
        begin(walk, name, place);
    } else if (slice_is(name, "optimize_ddp_split_graph") || slice_is(name, "vllm_piecewise_split_graph")) {
        split(walk, place);
    } else if (slice_starts(name, vllm_piece)) {
        begin(walk, vllm_piece, place);
    } else if (slice_eq(name, joint_graph)) {
        add_step(walk, traced_graph(walk, place), "AOTAutograd", place);
        begin(walk, joint_graph, place);
    } else if (slice_eq(name, inference_graph) || (slice_is(name, "aot_forward_graph") && !joint)) {
        add_step(walk, traced_graph(walk, place), "AOTAutograd", place);
        if (slice_eq(name, inference_graph))
            begin(walk, inference_graph, place);
    } else if (slice_is(name, "aot_forward_graph")) {
        add_step(walk, joint, "Partitioner, forward", place);
    } else if (slice_is(name, "aot_backward_graph")) {
        add_step(walk, joint, "Partitioner, backward", place);
    } else {
        return false;
    }
    return true;
}

/* Whether freezing was on: AOTAutograd's cache bypasses such a graph, and logs that. */
static bool is_frozen(const struct compile *compile) {
    for (size_t i = 0; i < compile->caches.count; i++)
        if (slice_find(compile->caches.items[i].reason, SLICE("freezing enabled")) != SIZE_MAX)
            return true;
    return false;
}

/* Adds a step for the joint passes and freezing of an inference graph, if the log has no graphs of its joint passes. */
static void visit_inference(struct walk *walk, struct slice name, uint32_t place) {
    bool joint = slice_is(name, "before_joint_graph"), post = slice_is(name, "before_post_grad_graph");
    struct open *graph = joint || post ? find(walk, inference_graph, artifact_at(walk, place)->folder) : NULL;
    if (!graph || graph->closed)
        return;
    graph->closed = true;
    if (post)
        add(walk, (struct pass){.name = is_frozen(walk->compile) ? SLICE("joint graph passes and freezing")
                                                                 : SLICE("joint graph passes"),
                                .stage = PASS_JOINT,
                                .step = true,
                                .before = graph->place,
                                .after = place});
}

static void visit(struct walk *walk, uint32_t place) {
    struct slice name = artifact_at(walk, place)->name;
    if (visit_steps(walk, name, place))
        return;
    visit_inference(walk, name, place);
    if (slice_is(name, "inductor_post_grad_graph"))
        end(walk, SLICE("post_grad_graph"), place);
    else if (slice_eq(name, reordering))
        begin(walk, reordering, place);
    else if (slice_is(name, "compiled_autograd_graph"))
        end(walk, reordering, place);
    else if (slice_eq(name, decomp_before))
        begin(walk, slice_from(name, SLICE("pre_").len), place);
    else if (slice_eq(name, decomp_after))
        end(walk, slice_from(name, SLICE("post_").len), place);
    else if (slice_starts(name, before_prefix))
        begin(walk, slice_from(name, before_prefix.len), place);
    else if (slice_starts(name, after_prefix))
        end(walk, slice_from(name, after_prefix.len), place);
    else if (slice_ends(name, before_suffix))
        begin(walk, without(name, before_suffix), place);
    else if (slice_ends(name, after_suffix))
        end(walk, without(name, after_suffix), place);
    else if (slice_starts(name, vllm_prefix))
        link(walk, vllm_prefix, SLICE("post_grad_graph"), slice_from(name, vllm_prefix.len), PASS_POST_GRAD, place);
    else if (slice_ends(name, pre_suffix))
        link(walk, pre_suffix, SLICE("pre_grad_graph"), without(name, pre_suffix), PASS_PRE_GRAD, place);
    else if (slice_ends(name, post_suffix))
        link(walk, post_suffix, SLICE("post_grad_graph"), without(name, post_suffix), PASS_POST_GRAD, place);
}

void passes_of(struct passes *passes, const struct model *model, const struct compile *compile) {
    struct walk walk = {.passes = passes, .model = model, .compile = compile};
    *passes = (struct passes){0};
    for (size_t i = 0; i < compile->artifacts.count; i++)
        visit(&walk, (uint32_t)i);
    mem_free(walk.open.items);
}

void passes_free(struct passes *passes) {
    mem_free(passes->list.items);
}

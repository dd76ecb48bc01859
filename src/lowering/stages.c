#include "lowering/stages.h"

#include "model/extras.h"

static const char cached_graph[] = "AOTAutograd cache hit; the text is from the compile that filled the cache";
static const char ends_with_aot[] = "the backend ends with AOTAutograd's graph, as aot_eager does";
static const char made_ahead[] = "compiled with the forward, whose times include these stages";
/* AOTAutograd compiles a backward that takes sizes (num_symints_saved_for_bw) immediately, and others when they first
 * run. */
static const char made_for_sizes[] = "compiled with the forward, as its graph takes sizes; the backend ends with "
                                     "AOTAutograd's graph, as aot_eager does";
static const char captured[] = "captured by Compiled Autograd at run time, in a compile whose id begins with !, or its "
                               "first run is not in the log";
static const char cached_code[] = "FX graph cache hit; the text is from the compile that filled the cache";

/* The stage of an artifact; STAGES: none. Inductor's artifacts count as the forward's. */
static enum stage stage_of(const struct artifact *artifact) {
    struct slice name = artifact->name;
    if (slice_ends(name, SLICE("_ORIGINAL_BYTECODE")) || slice_ends(name, SLICE("_MODIFIED_BYTECODE")))
        return STAGE_BYTECODE;
    if (slice_is(artifact->kind, "inductor_output_code"))
        return STAGE_CODE;
    if (!slice_is(artifact->kind, "artifact") && !slice_is(artifact->kind, "graph_dump") &&
        !slice_ends(artifact->kind, SLICE("_graph")))
        return STAGES;
    if (slice_is(name, "dynamo_output_graph") || slice_is(name, "compiled_autograd_graph"))
        return STAGE_DYNAMO;
    if (slice_ends(name, SLICE("pre_grad_graph")))
        return STAGE_PRE_GRAD;
    if (slice_ends(name, SLICE("joint_graph")))
        return STAGE_JOINT;
    if (slice_is(name, "aot_forward_graph") || slice_is(name, "aot_inference_graph"))
        return STAGE_FORWARD;
    if (slice_is(name, "aot_backward_graph"))
        return STAGE_BACKWARD;
    if (slice_ends(name, SLICE("post_grad_graph")))
        return STAGE_POST_GRAD;
    if (slice_is(name, "inductor_aot_wrapper_code") || slice_is(name, "inductor_aot_kernel_code"))
        return STAGE_CODE;
    return STAGES;
}

/* Inductor compiles graphs in sequence, each from fx_graph_runnable (or its first graph) to its code. The forward
 * graphs come first. If there is a backward graph, further graphs belong to the backward. */
struct walk {
    struct stages *stages;
    const struct model *model;
    const struct compile *compile;
    int64_t attempt;
    uint32_t forwards, sessions;
    bool open;     /* a session has begun and has no code yet */
    bool runnable; /* it began with fx_graph_runnable */
    bool backward, inference;
    bool over;  /* the forward has ended: its metrics were logged */
    bool ahead; /* code of the backward came before them */
    bool late;  /* the backward could not be compiled with the forward */
};

static void forget(struct stages *stages, int from) {
    for (int stage = from; stage < STAGES; stage++)
        stages->rows[stage].artifacts.count = 0;
}

static void begin_anew(struct walk *walk) {
    forget(walk->stages, STAGE_DYNAMO);
    walk->forwards = walk->sessions = 0;
    walk->open = walk->runnable = walk->backward = walk->inference = walk->over = walk->ahead = walk->late = false;
}

static void add(struct walk *walk, enum stage stage, uint32_t place) {
    struct stage_row *row = &walk->stages->rows[stage];
    LIST_ADD(&row->artifacts, place);
}

static void open_session(struct walk *walk, bool runnable) {
    if (walk->open && !runnable)
        return;
    walk->open = true;
    walk->runnable = runnable;
    walk->sessions++;
}

static bool of_backward(const struct walk *walk) {
    return walk->backward && walk->sessions > walk->forwards;
}

static void visit(struct walk *walk, uint32_t place) {
    const struct artifact *artifact = &walk->model->artifacts.items[walk->compile->artifacts.items[place]];
    int64_t attempt = walk->model->folders.items[artifact->folder].attempt;
    enum stage stage = stage_of(artifact);
    if (attempt > walk->attempt) {
        begin_anew(walk);
        walk->attempt = attempt;
    }
    walk->over |= slice_is(artifact->kind, "compilation_metrics");
    walk->late |= slice_is(artifact->name, "eager_compile_backwards_failure");
    if (slice_is(artifact->name, "fx_graph_runnable"))
        open_session(walk, true);
    switch (stage) {
    case STAGES:
        return;
    case STAGE_DYNAMO:
        if (slice_is(artifact->name, "dynamo_output_graph"))
            begin_anew(walk);
        break;
    case STAGE_FORWARD:
        walk->forwards++;
        walk->inference |= slice_is(artifact->name, "aot_inference_graph");
        break;
    case STAGE_BACKWARD:
        walk->backward = true;
        break;
    case STAGE_POST_GRAD:
    case STAGE_CODE:
        open_session(walk, false);
        if (of_backward(walk))
            stage = stage == STAGE_CODE ? STAGE_BACKWARD_CODE : STAGE_BACKWARD_POST_GRAD;
        if (stage == STAGE_CODE || stage == STAGE_BACKWARD_CODE) {
            bool kernels = artifact->counts && artifact->counts->kernels;
            walk->ahead |= stage == STAGE_BACKWARD_CODE && !walk->over;
            walk->open = false;
            if (kernels)
                add(walk, stage == STAGE_CODE ? STAGE_KERNELS : STAGE_BACKWARD_KERNELS, place);
        }
        break;
    default:
        break;
    }
    add(walk, stage, place);
}

/* Measures the result of a stage: its last graph or code, including others with the same name. */
static void measure(struct stage_row *row, const struct model *model, const struct compile *compile) {
    const struct artifact *last = NULL;
    for (size_t i = row->artifacts.count; i-- > 0;) {
        const struct artifact *artifact = &model->artifacts.items[compile->artifacts.items[row->artifacts.items[i]]];
        bool code = slice_is(artifact->kind, "inductor_output_code");
        if (!last)
            last = artifact;
        if (code != slice_is(last->kind, "inductor_output_code") || (!code && !slice_eq(artifact->name, last->name)))
            continue; /* output code is named after its hash */
        row->parts++;
        if (!artifact->counts)
            continue;
        row->kernels += artifact->counts->kernels;
        row->graph.graphs += artifact->counts->graph.graphs;
        row->graph.sizes += artifact->counts->graph.sizes;
        row->graph.inputs += artifact->counts->graph.inputs;
        row->graph.ops += artifact->counts->graph.ops;
        row->graph.nodes += artifact->counts->graph.nodes;
        row->graph.inner_ops += artifact->counts->graph.inner_ops;
    }
}

/* A timer minus nested timers. If these are larger, they were not nested. */
static int64_t own_time(int64_t whole, const int64_t *phases, const enum phase *within, size_t count) {
    int64_t inner = 0;
    for (size_t i = 0; i < count; i++)
        inner += phases[within[i]] > 0 ? phases[within[i]] : 0;
    return whole >= inner ? whole - inner : whole;
}

static void take_times(struct stages *stages, const struct compile *compile) {
    static const enum phase of_dynamo[] = {PHASE_AOT}, of_aot[] = {PHASE_INDUCTOR, PHASE_JOINT, PHASE_PRE_GRAD},
                            of_inductor[] = {PHASE_CODEGEN, PHASE_POST_GRAD};
    const int64_t *forward = compile->phases_us, *backward = compile->backward_phases_us;
    struct stage_row *rows = stages->rows;
    for (int stage = 0; stage < STAGES; stage++)
        rows[stage].time_us = -1;
    rows[STAGE_DYNAMO].time_us = own_time(forward[PHASE_DYNAMO], forward, of_dynamo, 1);
    rows[STAGE_PRE_GRAD].time_us = forward[PHASE_PRE_GRAD];
    rows[STAGE_JOINT].time_us = forward[PHASE_JOINT];
    rows[STAGE_FORWARD].time_us = own_time(forward[PHASE_AOT], forward, of_aot, 3);
    rows[STAGE_POST_GRAD].time_us = forward[PHASE_POST_GRAD];
    rows[STAGE_CODE].time_us = own_time(forward[PHASE_INDUCTOR], forward, of_inductor, 2);
    rows[STAGE_KERNELS].time_us = forward[PHASE_CODEGEN];
    rows[STAGE_BACKWARD_POST_GRAD].time_us = backward[PHASE_POST_GRAD];
    rows[STAGE_BACKWARD_CODE].time_us = own_time(backward[PHASE_INDUCTOR], backward, of_inductor, 2);
    rows[STAGE_BACKWARD_KERNELS].time_us = backward[PHASE_CODEGEN];
}

/* Whether all lookups of this cache were hits. */
static bool has_cache(const struct compile *compile, enum cache cache) {
    bool hit = false;
    for (size_t i = 0; i < compile->caches.count; i++) {
        if (compile->caches.items[i].cache != cache)
            continue;
        hit = compile->caches.items[i].outcome == OUTCOME_HIT;
        if (!hit)
            break;
    }
    return hit;
}

static bool reached(const struct stages *stages, int stage) {
    return stages->rows[stage].artifacts.count > 0;
}

static bool any_reached(const struct stages *stages, int from, int to) {
    for (int stage = from; stage <= to; stage++)
        if (reached(stages, stage))
            return true;
    return false;
}

static void set(struct stage_row *row, enum stage_state state, const char *why) {
    row->state = state;
    row->why = why;
}

/* Why the compile did not run the stage; NULL: unknown. `ahead`: it ran a later stage. */
static const char *why_not_run(const struct walk *walk, int stage, bool inductor, bool ahead) {
    static const char for_inference[] = "traced for inference";
    if (stage == STAGE_JOINT && walk->inference)
        return for_inference;
    if (!ahead && !inductor && reached(walk->stages, STAGE_FORWARD))
        return ends_with_aot;
    if (!ahead && !inductor && reached(walk->stages, STAGE_DYNAMO))
        return "the backend takes Dynamo's graph as it is, as eager does";
    if (!inductor && stage == STAGE_PRE_GRAD)
        return "Inductor is not the backend";
    if (!inductor && stage == STAGE_JOINT)
        return for_inference;
    return NULL;
}

/* Explains a stage of the forward without an artifact, in a compile that did not fail. */
static void explain_missing(const struct walk *walk, int stage) {
    const struct stages *stages = walk->stages;
    const struct compile *compile = walk->compile;
    struct stage_row *row = &walk->stages->rows[stage];
    bool inductor =
             reached(stages, STAGE_POST_GRAD) || reached(stages, STAGE_CODE) || compile->phases_us[PHASE_INDUCTOR] > 0,
         ahead = any_reached(stages, stage + 1, STAGE_KERNELS);
    if (stage == STAGE_KERNELS && reached(stages, STAGE_CODE))
        set(row, STAGE_DONE, "the code defines no kernel: it only calls existing operators");
    else if (has_cache(compile, CACHE_AOTAUTOGRAD) && stage > STAGE_DYNAMO)
        set(row, STAGE_CACHED, "AOTAutograd cache hit");
    else if (extras_has_cache(compile, CACHE_FX_GRAPH_BUNDLED, OUTCOME_HIT) && stage > STAGE_DYNAMO)
        set(row, STAGE_CACHED, "AOTAutograd cache hit; the entry bundles the code");
    else if (has_cache(compile, CACHE_FX_GRAPH) && stage >= STAGE_POST_GRAD)
        set(row, STAGE_CACHED, "FX graph cache hit");
    else if (stage == STAGE_DYNAMO && !compile->framed)
        set(row, STAGE_SKIPPED, "no frame that Dynamo traced");
    else if (!compile->has_metrics && compile->framed && !ahead)
        set(row, STAGE_UNKNOWN, "the log ends before this stage");
    else if (stage > STAGE_DYNAMO && !ahead && compile_is_interrupted(walk->model, compile))
        set(row, STAGE_UNKNOWN, "the compile was interrupted");
    else if (compile->empty && !any_reached(stages, STAGE_PRE_GRAD, STAGE_KERNELS))
        set(row, STAGE_SKIPPED, stage == STAGE_DYNAMO ? "Dynamo traced no tensor operation" : "the graph is empty");
    else if (stage == STAGE_JOINT && walk->inference && row->time_us > 0)
        set(row, STAGE_DONE, "traced for inference; the joint graph passes ran on the inference graph");
    else if (stage == STAGE_JOINT && walk->inference && inductor)
        set(row, STAGE_UNKNOWN, "traced for inference; the metrics have no time of the joint graph passes");
    else {
        const char *why = why_not_run(walk, stage, inductor, ahead);
        set(row, why ? STAGE_SKIPPED : STAGE_UNKNOWN, why);
    }
}

/* Whether these are the stages of Inductor. Another backend has none of them. */
static bool is_inductor(const struct stages *stages, int from, int to, const struct failure *failure) {
    for (int stage = from; stage <= to; stage++)
        if (stage != STAGE_JOINT && stage != STAGE_FORWARD && stage != STAGE_BACKWARD && stage != STAGE_DYNAMO &&
            reached(stages, stage))
            return true;
    return slice_is(failure->type, "InductorError");
}

/* Explains a failure: the compile did not get past the stage after the last one with an artifact. A backend without
 * Inductor's artifacts may have failed in any stage, or have no such stages. */
static void explain_failure(struct stages *stages, int from, int to, const struct failure *failure) {
    int last = from - 1;
    if (!failure)
        return;
    for (int stage = from; stage <= to; stage++)
        if (reached(stages, stage))
            last = stage;
    bool backend = last >= from && !is_inductor(stages, from, to, failure);
    for (int stage = last + 1; stage <= to; stage++)
        if (backend)
            set(&stages->rows[stage], STAGE_FAILED,
                last == STAGE_DYNAMO ? "the backend failed on Dynamo's graph and logged no graph of its own"
                                     : "the backend failed on this graph and logged nothing after it");
        else
            set(&stages->rows[stage], stage == last + 1 ? STAGE_FAILED : STAGE_SKIPPED,
                stage == last + 1 ? "the compile failed here" : "the compile failed earlier");
}

static const struct failure *failure_at(const struct model *model, int64_t place) {
    return place >= 0 ? &model->failures.items[place] : NULL;
}

/* Explains a stage of a backward whose compile is not in the log. */
static void explain_unlogged(const struct walk *walk, struct stage_row *row) {
    const struct stage_row *rows = walk->stages->rows;
    if (rows[STAGE_BACKWARD].graph.sizes && !walk->late && rows[STAGE_CODE].why == ends_with_aot)
        set(row, STAGE_SKIPPED, made_for_sizes);
    else if (walk->compile->captured)
        set(row, STAGE_SKIPPED, walk->compile->captured);
    else if (walk->model->autograd_captures)
        set(row, STAGE_UNKNOWN, captured);
    else
        set(row, STAGE_UNKNOWN, "the backward is compiled at its first run, which is not in the log");
}

static void explain_backward(const struct walk *walk) {
    struct stages *stages = walk->stages;
    const struct compile *compile = walk->compile;
    struct stage_row *rows = stages->rows;
    bool shown = any_reached(stages, STAGE_BACKWARD, STAGE_BACKWARD_KERNELS) || compile->has_backward_metrics ||
                 compile->backward_failure >= 0;
    bool inductor = any_reached(stages, STAGE_BACKWARD_POST_GRAD, STAGE_BACKWARD_CODE) ||
                    compile->backward_phases_us[PHASE_INDUCTOR] > 0,
         ahead = walk->ahead && walk->over && !compile->has_backward_metrics;
    for (int stage = STAGE_BACKWARD; stage < STAGES; stage++) {
        rows[stage].shown = shown;
        if (stage == STAGE_BACKWARD && reached(stages, stage) && has_cache(compile, CACHE_AOTAUTOGRAD))
            set(&rows[stage], STAGE_CACHED, cached_graph);
        if (stage > STAGE_BACKWARD && reached(stages, stage) && has_cache(compile, CACHE_FX_GRAPH))
            set(&rows[stage], STAGE_CACHED, cached_code);
        if (stage == STAGE_BACKWARD && reached(stages, stage) && rows[stage].state == STAGE_DONE && ahead)
            rows[stage].why = made_ahead;
        if (stage == STAGE_BACKWARD && reached(stages, stage) && !rows[stage].why)
            rows[stage].why = compile->captured;
        if (!shown || reached(stages, stage))
            continue;
        if (stage == STAGE_BACKWARD)
            set(&rows[stage], STAGE_UNKNOWN, NULL);
        else if (stage == STAGE_BACKWARD_KERNELS && reached(stages, STAGE_BACKWARD_CODE))
            set(&rows[stage], STAGE_DONE, "the code defines no kernel: it only calls existing operators");
        else if (!inductor && compile->has_backward_metrics && rows[STAGE_CODE].why == ends_with_aot)
            set(&rows[stage], STAGE_SKIPPED, ends_with_aot); /* one backend compiles both graphs */
        else if (inductor || compile->has_backward_metrics)
            set(&rows[stage], has_cache(compile, CACHE_FX_GRAPH) ? STAGE_CACHED : STAGE_UNKNOWN,
                has_cache(compile, CACHE_FX_GRAPH) ? "FX graph cache hit" : NULL);
        else
            explain_unlogged(walk, &rows[stage]);
    }
    explain_failure(stages, STAGE_BACKWARD, STAGE_BACKWARD_KERNELS, failure_at(walk->model, compile->backward_failure));
}

static void explain(const struct walk *walk) {
    struct stages *stages = walk->stages;
    const struct compile *compile = walk->compile;
    struct stage_row *rows = stages->rows;
    bool hit = has_cache(compile, CACHE_FX_GRAPH);
    rows[STAGE_BYTECODE].shown = reached(stages, STAGE_BYTECODE);
    for (int stage = STAGE_DYNAMO; stage <= STAGE_KERNELS; stage++) {
        rows[stage].shown = true;
        if (!reached(stages, stage))
            explain_missing(walk, stage);
        else if (stage >= STAGE_POST_GRAD && hit)
            set(&rows[stage], STAGE_CACHED, cached_code);
        else if (stage > STAGE_DYNAMO && has_cache(compile, CACHE_AOTAUTOGRAD))
            set(&rows[stage], STAGE_CACHED, cached_graph);
        else if (stage == STAGE_DYNAMO && compile->autograd_id != PART_MISSING)
            rows[stage].why = compile->captured;
    }
    explain_failure(stages, STAGE_DYNAMO, STAGE_KERNELS, failure_at(walk->model, compile->failure));
    explain_backward(walk);
}

void stages_of(struct stages *stages, const struct model *model, const struct compile *compile) {
    struct walk walk = {.stages = stages, .model = model, .compile = compile, .attempt = PART_MISSING};
    *stages = (struct stages){0};
    for (size_t i = 0; i < compile->artifacts.count; i++)
        visit(&walk, (uint32_t)i);
    take_times(stages, compile);
    for (int stage = 0; stage < STAGES; stage++)
        measure(&stages->rows[stage], model, compile);
    if (compile->framed || any_reached(stages, STAGE_PRE_GRAD, STAGE_BACKWARD_KERNELS))
        explain(&walk);
}

void stages_free(struct stages *stages) {
    for (int stage = 0; stage < STAGES; stage++)
        mem_free(stages->rows[stage].artifacts.items);
    *stages = (struct stages){0};
}

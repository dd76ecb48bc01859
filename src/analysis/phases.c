#include "analysis/phases.h"

static int64_t known(int64_t us) {
    return us > 0 ? us : 0;
}

/* A timer minus its nested timers, but at least 0: nested timers are read slightly later and may add up to slightly
 * more. */
static int64_t without(int64_t whole, int64_t inner) {
    return whole > inner ? whole - inner : 0;
}

/* Takes time out of a phase. Returns the time that the phase does not have. */
static int64_t take(int64_t *own, int64_t us) {
    int64_t part = us < *own ? us : *own;
    *own -= part;
    return us - part;
}

void phases_own(const int64_t timers[PHASES], int64_t own[PHASES]) {
    int64_t t[PHASES];
    for (int phase = 0; phase < PHASES; phase++)
        own[phase] = t[phase] = known(timers[phase]);
    int64_t inductor = t[PHASE_INDUCTOR] ? t[PHASE_INDUCTOR] : t[PHASE_CODEGEN];
    own[PHASE_DYNAMO] = without(t[PHASE_DYNAMO], t[PHASE_AOT] ? t[PHASE_AOT] : inductor);
    own[PHASE_AOT] = without(t[PHASE_AOT], inductor + t[PHASE_JOINT] + t[PHASE_PRE_GRAD]);
    own[PHASE_INDUCTOR] = without(t[PHASE_INDUCTOR], t[PHASE_CODEGEN] + t[PHASE_POST_GRAD]);
    /* The kernels of a cached graph are loaded outside of code generation, which then has no timer. */
    int64_t triton = take(&own[PHASE_CODEGEN], t[PHASE_TRITON]);
    triton = take(&own[PHASE_INDUCTOR], triton);
    triton = take(&own[PHASE_AOT], triton);
    take(&own[PHASE_DYNAMO], triton);
    /* If nested timers add up to slightly more, the parts must still sum to the whole. A larger overlap is a
     * contradiction, which checks.c reports. */
    int64_t over = t[PHASE_CODEGEN] + t[PHASE_POST_GRAD] - t[PHASE_INDUCTOR];
    if (t[PHASE_INDUCTOR] && over > 0 && over <= t[PHASE_INDUCTOR] / 100 + 1000)
        own[PHASE_CODEGEN] = without(own[PHASE_CODEGEN], over);
}

void phases_add(int64_t timers[PHASES], const int64_t more[PHASES]) {
    for (int phase = 0; phase < PHASES; phase++)
        if (more[phase] >= 0)
            timers[phase] = known(timers[phase]) + more[phase];
}

bool phases_has(const struct compile *compile, enum phase phase) {
    return compile->phases_us[phase] >= 0 || (phase == PHASE_BACKWARD && compile->backward_us >= 0);
}

int phase_of_span(struct slice name) {
    static const struct {
        const char *name;
        enum phase phase;
    } spans[] = {
        {"fullgraph_capture", PHASE_DYNAMO},
        {"backend_compile", PHASE_AOT},
        {"compile_fx_aot", PHASE_AOT}, /* AOTInductor's call of the backend */
        {"_recursive_pre_grad_passes", PHASE_PRE_GRAD},
        {"_recursive_joint_graph_passes", PHASE_JOINT},
        {"_recursive_post_grad_passes", PHASE_POST_GRAD},
        {"inductor_compile", PHASE_INDUCTOR},
        {"code_gen", PHASE_CODEGEN},
        {"GraphLowering.compile_to_fn", PHASE_CODEGEN}, /* for AOTInductor: writes the code and runs the C++ compiler */
        {"async_compile.precompile", PHASE_TRITON},
        {"async_compile.wait", PHASE_TRITON},
    };
    for (size_t i = 0; i < sizeof spans / sizeof *spans; i++)
        if (slice_is(name, spans[i].name))
            return (int)spans[i].phase;
    return NO_PHASE;
}

/* The outermost span first: in versions that have both, entire_frame_compile is within dynamo. */
static const struct {
    const char *name;
    enum phase phase;
} compile_spans[] = {
    {"dynamo", PHASE_DYNAMO},
    {"entire_frame_compile", PHASE_DYNAMO},
    {"entire_backward_compile", PHASE_BACKWARD},
};

bool is_compile_span(struct slice name) {
    for (size_t i = 0; i < sizeof compile_spans / sizeof *compile_spans; i++)
        if (slice_is(name, compile_spans[i].name))
            return true;
    return false;
}

bool is_timer_span(struct slice name) {
    return slice_is(name, "entire_frame_compile") || slice_is(name, "entire_backward_compile");
}

int phase_within(struct slice name, int around) {
    int own = phase_of_span(name);
    if (own != NO_PHASE)
        return own;
    for (size_t i = 0; i < sizeof compile_spans / sizeof *compile_spans; i++)
        if (slice_is(name, compile_spans[i].name))
            return (int)compile_spans[i].phase;
    return around;
}

int64_t phases_split(const struct compile *compile, int64_t own[PHASES]) {
    int64_t inside = 0;
    phases_own(compile->phases_us, own);
    if (compile->backward_us >= 0)
        own[PHASE_BACKWARD] = compile->backward_us;
    for (int phase = 0; phase < PHASES; phase++)
        inside += own[phase];
    return without(known(compile->time_us), inside);
}

/* Time of all graphs in AOTAutograd and Inductor, forward and backward; -1: not logged. */
static int64_t phase_time(const struct compile *compile, enum phase phase) {
    int64_t us = -1;
    add_known(&us, compile->phases_us[phase]);
    add_known(&us, compile->backward_phases_us[phase]);
    return us;
}

int64_t phases_skippable(const struct compile *compile, enum cache cache, enum cache_outcome outcome) {
    /* The timers of AOTAutograd, and of Inductor within it, are those of the forward. */
    int64_t taken = -1, aot = compile->phases_us[PHASE_AOT], within = compile->phases_us[PHASE_INDUCTOR];
    bool only = true;
    for (size_t i = 0; i < compile->caches.count; i++) {
        const struct cache_result *result = &compile->caches.items[i];
        if (result->cache != cache)
            continue;
        only &= result->outcome == outcome;
        if (cache == CACHE_FX_GRAPH && result->outcome == outcome && outcome != OUTCOME_HIT)
            add_known(&taken, result->time_us);
    }
    if (taken >= 0 || !only)
        return taken;
    if (cache == CACHE_FX_GRAPH)
        return phase_time(compile, PHASE_INDUCTOR);
    return aot > 0 && within >= 0 && aot >= within ? aot - within : -1;
}

/* In the order of enum shown_phase, in which they are shown. */
static const struct shown_phase_info shown_phases[SHOWN_PHASES] = {
    {"dynamo", "Dynamo", "tracing Python code and building guards", {PHASE_DYNAMO, PHASES, PHASES}, NO_PHASE},
    {"aot", "AOTAutograd", "functionalization, joint graph, partitioner", {PHASE_AOT, PHASES, PHASES}, NO_PHASE},
    {"backend",
     "backend",
     "the call of the backend, with AOTAutograd where it uses it",
     {PHASES, PHASES, PHASES},
     SHOWN_AOT},
    {"passes",
     "graph passes",
     "pre-grad, joint and post-grad passes",
     {PHASE_PRE_GRAD, PHASE_JOINT, PHASE_POST_GRAD},
     NO_PHASE},
    {"inductor", "Inductor", "cache lookup and lowering", {PHASE_INDUCTOR, PHASES, PHASES}, NO_PHASE},
    {"codegen",
     "code and compiler",
     "scheduling and fusion, writing the kernels, and compiling them",
     {PHASE_CODEGEN, PHASES, PHASES},
     NO_PHASE},
    /* PyTorch's timer, triton_compile_time_us, also runs while other processes compile C++ kernels, without Triton. */
    {"triton",
     "kernel compilation",
     "compiling kernels, and waiting for those that other processes compile",
     {PHASE_TRITON, PHASES, PHASES},
     NO_PHASE},
    {"backward",
     "backward",
     "compiling the backward graph later, when it first ran",
     {PHASE_BACKWARD, PHASES, PHASES},
     NO_PHASE},
    {"other", "other", "compile time in none of these phases", {PHASES, PHASES, PHASES}, NO_PHASE},
    {"not_logged",
     "phases not logged",
     "the log has neither timers nor complete events of its phases",
     {PHASES, PHASES, PHASES},
     SHOWN_OTHER},
};

const struct shown_phase_info *shown_phase_info(enum shown_phase phase) {
    return &shown_phases[phase];
}

void phases_shown(const int64_t own[PHASES], int64_t other_us, int64_t shown[SHOWN_PHASES]) {
    int64_t logged = 0;
    bool inductor =
        own[PHASE_PRE_GRAD] || own[PHASE_JOINT] || own[PHASE_POST_GRAD] || own[PHASE_INDUCTOR] || own[PHASE_CODEGEN];
    for (int phase = 0; phase < SHOWN_PHASES; phase++) {
        shown[phase] = 0;
        for (size_t i = 0; i < 3 && shown_phases[phase].of[i] != PHASES; i++)
            shown[phase] += own[shown_phases[phase].of[i]];
        logged += shown[phase];
    }
    if (!inductor) {
        shown[SHOWN_BACKEND] = shown[SHOWN_AOT];
        shown[SHOWN_AOT] = 0;
    }
    shown[logged ? SHOWN_OTHER : SHOWN_NOT_LOGGED] = other_us;
}

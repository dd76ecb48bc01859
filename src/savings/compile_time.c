#include "savings/compile_time.h"

#include "analysis/phases.h"
#include "analysis/setting_values.h"
#include "analysis/timeline.h"
#include "findings/findings_make.h"
#include "lowering/kernels.h"

#define FIRST_MIN_US INT64_C(1000000) /* a line that saves less is not suggested as the first change */

/* Parts that are taken out of phases: by spend, and traces that restarts discarded. */
enum { TAKEN_DISCARDED = SPENDS, TAKEN };

struct taken {
    struct time_line line;
    uint64_t spans;
    int64_t parallel_us; /* all except the longest span of each compile */
    int64_t broken_us;   /* time of discarded traces in compiles with graph breaks */
    int64_t advised_us;  /* part of that, and time of other discarded traces, with an issue that gives advice */
};

static const struct {
    const char *key, *why, *spans, *search; /* in the timeline */
} kinds[TAKEN] = {
    [SPEND_KERNELS] = {"cpp_kernels", "The C++ compiler builds the kernels and their precompiled header.",
                       "`compile_file`", "compile_file"},
    [SPEND_PACKAGE] = {"aotinductor",
                       "The C++ compiler builds precompiled headers, the wrapper and the kernels, one after the other. "
                       "The FX graph cache is not used for it.",
                       "`compile_file` in `AotCodeCompiler.compile`", "compile_file"},
    [SPEND_PROBES] = {"cpu_probes",
                      "Inductor builds small programs to test which vector instructions work, and loads each in a new "
                      "Python process. "
                      "The cache directory keeps the results.",
                      "`compile_file` in `GraphLowering.run` or `Scheduler.codegen`, and the time up to the next one",
                      "compile_file"},
    [SPEND_AUTOTUNE] = {"autotuning", "`max_autotune` compiles and benchmarks several kernels for one operation.",
                        "of autotuning", "_template_"},
    [SPEND_BENCHMARKS] = {"benchmarks", "Inductor runs kernels in several configurations to choose one.",
                          "of benchmarks", "benchmark"},
    [SPEND_GUARDS] = {"guards", "Dynamo builds and compiles the guards of each frame, in every process.",
                      "`build_guards`", "build_guards"},
    [SPEND_KEYS] = {"cache_keys", "Inductor hashes the sources of PyTorch and Triton, once per process.",
                    "`triton_key` and `torch_key`", "_key"},
    [SPEND_SHAPES] = {"dynamic_shapes", "PyTorch looks in each graph for assertions about symbolic sizes to add.",
                      "`insert_deferred_runtime_asserts`", "insert_deferred"},
    [SPEND_FUSION] = {"fusion", "Inductor decides which operations share a kernel.", "`Scheduler.__init__`, and within",
                      "Scheduler"},
    [SPEND_SOURCES] = {"sources", "Inductor writes the source of each kernel.", "`Scheduler.codegen`, and within",
                       "Scheduler"},
    [TAKEN_DISCARDED] = {"discarded", "Dynamo restarted these traces, so this time was spent in vain.", NULL, NULL},
};

static int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* The phase whose timer includes the time of another phase: itself, or the nearest enclosing phase with a timer. */
static enum phase timed_phase(const struct compile *compile, enum phase phase) {
    static const enum phase around[PHASES] = {
        [PHASE_DYNAMO] = PHASE_DYNAMO,    [PHASE_AOT] = PHASE_DYNAMO,     [PHASE_PRE_GRAD] = PHASE_AOT,
        [PHASE_JOINT] = PHASE_AOT,        [PHASE_INDUCTOR] = PHASE_AOT,   [PHASE_POST_GRAD] = PHASE_INDUCTOR,
        [PHASE_CODEGEN] = PHASE_INDUCTOR, [PHASE_TRITON] = PHASE_CODEGEN, [PHASE_BACKWARD] = PHASE_BACKWARD,
    };
    while (compile->phases_us[phase] <= 0 && around[phase] != phase)
        phase = around[phase];
    return phase;
}

/* Takes up to `us` out of a phase. Returns the time taken. */
static int64_t take(int64_t own[PHASES], enum phase phase, int64_t us) {
    int64_t taken = least(own[phase], us);
    own[phase] -= taken;
    return taken;
}

/* The same for discarded traces, from the phases of their spans: a joint graph pass may restart Dynamo, too. Without
 * spans, the time is Dynamo's. `spent` may be NULL. */
static int64_t take_discarded(const struct compile *compile, const struct spent *spent, int64_t own[PHASES],
                              int64_t us) {
    int64_t taken = 0;
    for (int phase = 0; spent && phase < PHASE_BACKWARD; phase++)
        taken += take(own, timed_phase(compile, (enum phase)phase), least(spent->discarded_us[phase], us - taken));
    for (int phase = 0; phase < PHASE_BACKWARD; phase++)
        taken += take(own, (enum phase)phase, us - taken);
    return taken;
}

/* The phases of a compile, which must not exceed its time. Returns the rest. */
static int64_t phases_of(const struct compile *compile, int64_t own[PHASES]) {
    int64_t time_us = compile->time_us > 0 ? compile->time_us : 0, sum = 0, rest = phases_split(compile, own);
    for (int phase = 0; phase < PHASES; phase++)
        sum += own[phase];
    for (int phase = PHASES; phase-- > 0 && sum > time_us;) {
        int64_t over = least(own[phase], sum - time_us);
        own[phase] -= over;
        sum -= over;
    }
    return compile->time_us > 0 ? rest : 0;
}

/* Whether a graph of the compile has several C++ kernels, which worker processes can compile at the same time. A single
 * kernel has consecutive spans: for the precompiled header, and for the kernel itself. */
static bool has_parallel_kernels(const struct model *model, const struct compile *compile) {
    const struct kernels *kernels = model->kernels;
    uint32_t artifact = UINT32_MAX, count = 0;
    if (!kernels || kernels->more)
        return kernels != NULL; /* not all are listed */
    for (uint32_t k = kernels_first(kernels, compile->index); k != UINT32_MAX; k = kernels->list.items[k].next) {
        const struct kernel *kernel = &kernels->list.items[k];
        if (kernel->kind != KERNEL_CPP)
            continue;
        count = kernel->artifact == artifact ? count + 1 : 1;
        artifact = kernel->artifact;
        if (count > 1)
            return true;
    }
    return false;
}

static void take_spent(struct compile_time *time, struct taken taken[TAKEN], const struct spent *spent,
                       const struct model *model, const struct compile *compile, int64_t own[PHASES]) {
    for (int spend = 0; spend < SPENDS; spend++) {
        int64_t us = 0;
        for (int phase = 0; phase < PHASES; phase++)
            us += take(own, timed_phase(compile, (enum phase)phase), spent->us[spend][phase]);
        if (!us)
            continue;
        taken[spend].spans += spent->count[spend];
        if (us > spent->longest_us[spend] && has_parallel_kernels(model, compile))
            taken[spend].parallel_us += us - spent->longest_us[spend];
        time_line_add(time, &taken[spend].line, compile->index, us);
    }
}

static struct slice joined(struct compile_time *time, const char *before, const char *word) {
    struct buf text = {0};
    BUF_ADD(&text, before, word);
    return time_text(time, &text);
}

static void say_taken(struct compile_time *time, struct taken *taken, int kind, const struct model *model) {
    struct time_line *line = &taken->line;
    struct buf evidence = {0};
    line->key = kinds[kind].key;
    line->title = kind == TAKEN_DISCARDED ? SLICE("discarded traces") : slice_str(spend_title((enum spend)kind));
    line->why = slice_str(kinds[kind].why);
    if (kinds[kind].spans)
        buf_addf(&evidence, "%" PRIu64 " %s %s", taken->spans, taken->spans == 1 ? "span" : "spans", kinds[kind].spans);
    else
        buf_add_lit(&evidence, "`dynamo_time_before_restart_s` of the compiles");
    if (kind == SPEND_PROBES && model->timeline &&
        map_get(&model->timeline->name_map, SLICE("AotCodeCompiler.compile")) != MAP_NONE)
        buf_add_lit(&evidence, "; in `AotCodeCompiler.compile`, those before the record of the wrapper's code");
    line->link = joined(time, "#/timeline?q=", kinds[kind].search ? kinds[kind].search : "");
    if (kind == SPEND_KERNELS && has_cpp_wrapper(model))
        line->why = SLICE("The C++ compiler builds the wrapper that `cpp_wrapper` asks for, the kernels, and their "
                          "precompiled header.");
    if (kind == SPEND_KERNELS && taken->parallel_us > 0 &&
        setting_is(model, CONFIG_INDUCTOR, SLICE("\"compile_threads\":"), SLICE("1"))) {
        line->saves_us = taken->parallel_us;
        line->action =
            SLICE("Set `TORCHINDUCTOR_COMPILE_THREADS` above 1, up to the number of free cores: worker processes then "
                  "compile the kernels of a graph in parallel. The longest one limits what this saves.");
        buf_add_lit(&evidence, "; `compile_threads` is 1");
    } else if (kind == SPEND_PROBES) {
        /* Even with the setting, some instructions are tested: Intel's AMX and VNNI. */
        bool is_set = setting_is(model, CONFIG_INDUCTOR, SLICE("\"cpp.vec_isa_ok\":"), SLICE("true"));
        if (cache_is_kept(model)) {
            line->why = joined(time, kinds[kind].why,
                               " A process found what another one or an earlier run stored, so it is kept already.");
        } else {
            line->saves_us = line->us;
            line->action =
                is_set
                    ? SLICE(
                          "Keep `TORCHINDUCTOR_CACHE_DIR` between runs. `cpp.vec_isa_ok` is true: these builds happen "
                          "nevertheless.")
                    : SLICE("Keep `TORCHINDUCTOR_CACHE_DIR` between runs, or set `TORCHINDUCTOR_VEC_ISA_OK=1` if "
                            "the C++ compiler is known to support the instructions of this CPU, which "
                            "leaves out some of these builds.");
        }
    } else if (kind == SPEND_PACKAGE && model->timeline && model->timeline->headers_us > 0) {
        line->saves_us = least(line->us, model->timeline->headers_us);
        line->action = SLICE("Keep `precompiled_headers` in PyTorch's default cache directory between runs "
                             "(`torchinductor_USER` in the folder for temporary files, also with another "
                             "`TORCHINDUCTOR_CACHE_DIR`).");
        buf_add_lit(&evidence, ", of them `aoti_precompile_header`");
    } else if (kind == SPEND_AUTOTUNE) { /* kernels of the winning templates are also saved, so there is no limit to
                                          * state */
        line->action = SLICE("Compile without `max_autotune` where the faster kernels do not make up for this time.");
    } else if (kind == TAKEN_DISCARDED) {
        line->link = SLICE("#/failures");
        if (taken->advised_us) {
            line->saves_us = taken->advised_us;
            line->action = SLICE("Remove what restarted traces, such as graph breaks: the issues name each.");
            buf_add_str(&evidence, taken->broken_us ? "; `dynamo_graph_break_reason`" : "");
        }
    }
    line->evidence = time_text(time, &evidence);
}

static void add_part(struct compile_time *time, const struct time_line *line) {
    ARENA_ADD(&time->arena, &time->parts, *line);
}

/* Whether a compile got as far as its guards: false if all failed before, as far as the log shows. */
static bool has_built_guards(const struct model *model) {
    for (size_t i = 0; i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[i];
        if (compile->phases_us[PHASE_DYNAMO] > 0 && (!compile->failed || compile_guards(compile) >= 0))
            return true;
    }
    return false;
}

/* Adds the rest of the phases: under the name of the phase if no part was taken out of it. */
static void add_phases(struct compile_time *time, const int64_t own[PHASES], int64_t other_us,
                       const struct totals *totals, const struct model *model) {
    const struct timeline *timeline = model->timeline;
    int64_t all[SHOWN_PHASES], left[SHOWN_PHASES];
    phases_shown(totals->own, totals->other_us, all);
    phases_shown(own, other_us, left);
    if (all[SHOWN_AOT]) { /* phases_shown() chooses by which phases have time */
        left[SHOWN_AOT] += left[SHOWN_BACKEND];
        left[SHOWN_BACKEND] = 0;
    }
    for (int phase = 0; phase < SHOWN_PHASES; phase++) {
        const struct shown_phase_info *info = shown_phase_info((enum shown_phase)phase);
        if (!left[phase])
            continue;
        struct time_line line = {.key = info->key,
                                 .title = slice_str(info->title),
                                 .why = slice_str(info->description),
                                 .us = left[phase],
                                 .saves_us = -1,
                                 .evidence = SLICE("timers in the metrics, or spans of the phase"),
                                 .link = SLICE("#/compiles")};
        if (phase == SHOWN_NOT_LOGGED)
            line.evidence = SLICE("metrics of the compiles");
        if (timeline && timeline->ids.count && info->of[0] != PHASES)
            line.link = joined(time, "#/timeline?q=phase:", info->key);
        if (left[phase] < all[phase] && phase == SHOWN_DYNAMO) {
            line.title = SLICE("tracing and other work of Dynamo");
            line.why =
                SLICE("Dynamo traces the Python code of each frame, and writes the bytecode that calls the graphs.");
        } else if (phase == SHOWN_DYNAMO && !has_built_guards(model)) {
            line.why = SLICE("tracing Python code, in compiles that failed");
        } else if (left[phase] < all[phase]) {
            line.title = joined(time, "rest of ", info->title);
            if (phase == SHOWN_CODEGEN)
                line.why = SLICE("Code generation that is none of the other parts.");
        }
        add_part(time, &line);
    }
}

static int longest_first(const void *a, const void *b) {
    const struct time_line *x = a, *y = b;
    return x->us != y->us ? (x->us > y->us ? -1 : 1) : slice_cmp(x->title, y->title);
}

/* The gain of the line's action, for comparison: what it saves or, if unknown, the line's time. 0: no action. */
static int64_t gain_us(const struct time_line *line) {
    return !line || !line->action.len ? 0 : line->saves_us > 0 ? line->saves_us : line->us;
}

/* Takes a line as the first change if its action gains more than any before. Graph breaks are left to the issues, each
 * of which has its fix. */
static void consider(struct compile_time *time, const struct time_line *line) {
    if (strcmp(line->key, "discarded") == 0 || strcmp(line->key, "graph_breaks") == 0)
        return;
    if (gain_us(line) > gain_us(time->first_line))
        time->first_line = line;
}

static const struct finding *first_to_change(const struct findings *findings) {
    const struct finding *items = findings->list.items;
    for (size_t i = 0; items && i < findings->list.count; i++)
        if (finding_can_change(&items[i]))
            return &items[i];
    return NULL;
}

static void choose_first(struct compile_time *time, const struct findings *findings) {
    if (findings->list.count && finding_is_broken(&findings->list.items[0])) {
        time->first_finding = &findings->list.items[0];
        return;
    }
    const struct finding *best = first_to_change(findings);
    for (size_t i = 0; i < time->hints.count; i++)
        consider(time, &time->hints.items[i]);
    for (size_t i = 0; i < time->parts.count; i++)
        consider(time, &time->parts.items[i]);
    int64_t line_us = gain_us(time->first_line);
    bool saves_more = best && finding_group(best) == FINDING_SAVES && finding_saves_us(best) >= line_us;
    bool alone = best && line_us < FIRST_MIN_US;
    if (saves_more || alone)
        time->first_finding = best;
    if (time->first_finding || line_us < FIRST_MIN_US)
        time->first_line = NULL;
}

/* Per compile: whether an issue has advice to prevent a restart of its trace. */
static bool *advised_restarts(struct compile_time *time, const struct model *model, const struct findings *findings) {
    bool *advised = arena_zalloc(&time->arena, (model->compiles.count + 1) * sizeof *advised);
    for (size_t i = 0; i < findings->list.count; i++) {
        const struct finding *finding = &findings->list.items[i];
        for (size_t c = 0; c < finding->compiles.count && finding->kind == FINDING_RESTART && finding->advice.len; c++)
            advised[finding->compiles.items[c]] = true;
    }
    return advised;
}

/* Whether a graph break of the compile is unintended. */
static bool has_break_to_fix(const struct compile *compile, const struct findings *findings) {
    for (size_t i = 0; i < compile->breaks.count; i++)
        if (!findings->list.items[findings->of_breaks[compile->breaks.items[i]]].expected)
            return true;
    return false;
}

void compile_time_find(struct compile_time *time, const struct model *model, const struct chains *chains,
                       const struct findings *findings, const struct totals *totals) {
    struct taken taken[TAKEN] = {0};
    int64_t left[PHASES] = {0}, other_us = 0;
    struct map keys = {0};
    const struct timeline *timeline = model->timeline;
    bool *advised = advised_restarts(time, model, findings);
    time->total_us = totals->time_us;
    timeline_map_ids(&keys, timeline, &time->arena);
    for (uint32_t i = 0; i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[i];
        int64_t own[PHASES], lost_us = compile_lost_us(compile);
        uint32_t id = timeline ? map_get(&keys, compile->key) : MAP_NONE;
        const struct spent *spent = id == MAP_NONE ? NULL : timeline->spent.items[id];
        other_us += phases_of(compile, own);
        if (lost_us > 0 && (lost_us = take_discarded(compile, spent, own, lost_us)) > 0) {
            time_line_add(time, &taken[TAKEN_DISCARDED].line, i, lost_us);
            bool broken = has_break_to_fix(compile, findings);
            taken[TAKEN_DISCARDED].broken_us += broken ? lost_us : 0;
            taken[TAKEN_DISCARDED].advised_us += broken || advised[i] ? lost_us : 0;
        }
        if (spent)
            take_spent(time, taken, spent, model, compile, own);
        for (int phase = 0; phase < PHASES; phase++)
            left[phase] += own[phase];
    }
    for (int kind = 0; kind < TAKEN; kind++) {
        taken[kind].line.saves_us = -1;
        if (!taken[kind].line.us)
            continue;
        say_taken(time, &taken[kind], kind, model);
        add_part(time, &taken[kind].line);
    }
    add_phases(time, left, other_us, totals, model);
    compile_time_hints(time, model, chains, findings);
    if (time->parts.count)
        qsort(time->parts.items, time->parts.count, sizeof *time->parts.items, longest_first);
    if (time->hints.count)
        qsort(time->hints.items, time->hints.count, sizeof *time->hints.items, longest_first);
    choose_first(time, findings);
}

void compile_time_finish(struct compile_time *time) {
    arena_free(&time->arena);
    *time = (struct compile_time){0};
}

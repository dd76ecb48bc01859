#include "analysis/spend.h"

/* The names are those of dynamo_timed() in PyTorch. */
static const struct {
    struct slice name;
    enum spend spend;
} spans[] = {
    {SLICE_INIT("build_guards"), SPEND_GUARDS},
    {SLICE_INIT("CacheBase.get_system.triton_key"), SPEND_KEYS},
    {SLICE_INIT("inductor_codecache_torch_key"), SPEND_KEYS},
    {SLICE_INIT("insert_deferred_runtime_asserts"), SPEND_SHAPES},
    {SLICE_INIT("benchmark_fused_nodes"), SPEND_BENCHMARKS},
    {SLICE_INIT("benchmark_codegened_module"), SPEND_BENCHMARKS},
    {SLICE_INIT("CachingAutotuner.benchmark_all_configs"), SPEND_BENCHMARKS},
    {SLICE_INIT("CachingAutotuner.coordinate_descent_tuning"), SPEND_BENCHMARKS},
    {SLICE_INIT("CachingAutotuner.combo_sequential_autotune"), SPEND_BENCHMARKS},
    {SLICE_INIT("collective_compute_do_bench"), SPEND_BENCHMARKS},
    {SLICE_INIT("PyCodeCache.load_by_key_path"), SPEND_LOADING},
    {SLICE_INIT("GraphLowering.compile_to_module"), SPEND_LOADING},
    {SLICE_INIT("AotCodeCompiler.compile"), SPEND_PACKAGING},
    {SLICE_INIT("async_compile.wait"), SPEND_LOADING},
    {SLICE_INIT("Scheduler.__init__"), SPEND_FUSION},
    {SLICE_INIT("Scheduler.codegen"), SPEND_SOURCES},
    {SLICE_INIT("GraphLowering.run"), SPEND_LOWERING},
};

static const char *const titles[SPENDS] = {
    [SPEND_KERNELS] = "C++ kernels",
    [SPEND_PACKAGE] = "C++ of AOTInductor",
    [SPEND_PROBES] = "C++ test builds",
    [SPEND_AUTOTUNE] = "autotuning",
    [SPEND_BENCHMARKS] = "benchmarks of kernels",
    [SPEND_GUARDS] = "guards",
    [SPEND_KEYS] = "hashes for cache keys",
    [SPEND_SHAPES] = "assertions of dynamic shapes",
    [SPEND_FUSION] = "scheduling and fusion",
    [SPEND_SOURCES] = "writing kernels",
};

const char *spend_title(enum spend spend) {
    return titles[spend];
}

/* Whether Inductor checks there which vector instructions work; max_autotune's templates do so first. */
static bool may_probe(enum spend around) {
    return around == SPEND_LOWERING || around == SPEND_SOURCES || around == SPEND_PROBES;
}

enum spend spend_within(struct slice name, enum spend around) {
    if (around == SPEND_AUTOTUNE || slice_ends(name, SLICE("_template_autotuning")) ||
        slice_ends(name, SLICE("_template_precompiling")))
        return SPEND_AUTOTUNE;
    if (around == SPEND_BENCHMARKS)
        return around;
    if (slice_is(name, "compile_file"))
        return may_probe(around)                                    ? SPEND_PROBES
             : around == SPEND_PACKAGING || around == SPEND_PACKAGE ? SPEND_PACKAGE
                                                                    : SPEND_KERNELS;
    for (size_t i = 0; i < sizeof spans / sizeof *spans; i++)
        if (slice_eq(name, spans[i].name))
            return spans[i].spend;
    return around;
}

bool attempt_is(struct slice name, bool *again) {
    static const struct slice start = SLICE_INIT("compile_attempt_");
    if (!slice_starts(name, start))
        return false;
    *again = !slice_is(slice_from(name, start.len), "0");
    return true;
}

void attempt_begin(struct attempt *attempt, struct spent *spent, bool again) {
    if (again && attempt->open) {
        for (int phase = 0; phase < PHASES; phase++)
            attempt->before.discarded_us[phase] += attempt->us[phase];
        *spent = attempt->before;
    }
    *attempt = (struct attempt){.open = true, .before = *spent};
}

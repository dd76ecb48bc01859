
#include "facts/run_facts.h"

#include <pthread.h>

#include "analysis/phases.h"
#include "base/match.h"
#include "lowering/graph_memory.h"
#include "lowering/kernels.h"
#include "model/extras.h"
#include "report/members.h"

struct run_texts {
    pthread_mutex_t lock;
    struct map map;
};

struct run_texts *run_texts_create(void) {
    struct run_texts *texts = mem_zalloc(1, sizeof *texts);
    pthread_mutex_init(&texts->lock, NULL);
    return texts;
}

void run_texts_destroy(struct run_texts *texts) {
    if (!texts)
        return;
    map_free(&texts->map);
    pthread_mutex_destroy(&texts->lock);
    mem_free(texts);
}

static struct slice shared_text(struct run_texts *texts, struct slice text) {
    bool added;
    pthread_mutex_lock(&texts->lock);
    map_put(&texts->map, text, 0, &added);
    struct slice kept = map_key(&texts->map, text);
    pthread_mutex_unlock(&texts->lock);
    return kept;
}

static struct slice copy(struct run_facts *facts, struct slice text) {
    return text.ptr ? arena_slice(&facts->arena, text) : text;
}

static struct slice take_buf(struct run_facts *facts, struct buf *text) {
    struct slice kept = arena_slice(&facts->arena, buf_slice(text));
    buf_free(text);
    return kept;
}

static struct place copy_place(struct run_facts *facts, const struct place *place) {
    return (struct place){copy(facts, place->file), copy(facts, place->function), place->line};
}

/* "2 times in 1.5 s" → "# times in # s". */
static void add_without_numbers(struct buf *out, struct slice text) {
    for (size_t i = 0; i < text.len;) {
        if (!is_digit(text.ptr[i])) {
            buf_add_byte(out, text.ptr[i++]);
            continue;
        }
        while (i < text.len && is_digit(text.ptr[i]))
            i++;
        if (i + 1 < text.len && text.ptr[i] == '.' && is_digit(text.ptr[i + 1]))
            for (i++; i < text.len && is_digit(text.ptr[i]); i++)
                ;
        buf_add_byte(out, '#');
    }
}

/* Identifies a place independently of line numbers and the program's folder. */
static void add_place(struct buf *out, const struct place *place) {
    BUF_ADD(out, path_last(place->file), " ");
    name_add_without_lines(out, place->function);
}

static void add_known_u64(uint64_t *sum, int64_t more) {
    *sum += more > 0 ? (uint64_t)more : 0;
}

static struct slice name_of(const struct compile *compile) {
    if (compile->frame.function.ptr)
        return compile->frame.function;
    return compile->frame.file.ptr ? SLICE("?") : SLICE("unknown frame");
}

static uint32_t function_of(struct run_facts *facts, struct map *known, const struct compile *compile) {
    AUTO_BUF key = {0}, whole = {0};
    bool added, has_frame = compile->frame.file.ptr || compile->frame.function.ptr;
    match_key_add(&key, name_of(compile), compile->frame.file);
    buf_add(&whole, buf_slice(&key));
    buf_addf(&whole, "%c%d %" PRIu64 " ", 0, has_frame, compile->frame.line);
    buf_add(&whole, name_of(compile));
    uint32_t index = *map_put(known, buf_slice(&whole), (uint32_t)facts->functions.count, &added);
    if (added) {
        ARENA_ADD(&facts->arena, &facts->functions,
                  (struct run_function){.key = arena_slice(&facts->arena, buf_slice(&key)),
                                        .name = copy(facts, name_of(compile)),
                                        .file = copy(facts, compile->frame.file),
                                        .has_line = has_frame,
                                        .line = compile->frame.line,
                                        .time_us = -1});
    }
    return index;
}

static void take_outcomes(struct run_function *function, const struct cache_result *results, size_t count) {
    for (size_t i = 0; i < count; i++)
        function->outcomes[results[i].outcome] = true;
}

static void take_reasons(struct run_facts *facts, struct run_function *function, const struct compile *compile) {
    for (size_t i = 0; i < compile->reasons.count && function->reasons.count < RUN_REASONS_MAX; i++) {
        AUTO_BUF plain = {0}, key = {0};
        struct slice text = slice_first(compile->reasons.items[i], RUN_TEXT_MAX);
        bool known = false;
        noise_add_without(&plain, text);
        add_without_numbers(&key, buf_slice(&plain));
        for (size_t k = 0; k < function->reasons.count && !known; k++)
            known = slice_eq(function->reasons.items[k].key, buf_slice(&key));
        if (!known)
            ARENA_ADD(&facts->arena, &function->reasons,
                      (struct run_text){arena_slice(&facts->arena, buf_slice(&key)), copy(facts, text)});
    }
}

static void take_compile(struct run_facts *facts, struct run_function *function, const struct model *model,
                         const struct compile *compile) {
    int64_t own[PHASES], other = phases_split(compile, own);
    if (function->compiles.count < RUN_COMPILES_MAX)
        ARENA_ADD(&facts->arena, &function->compiles,
                  (struct run_compile){copy(facts, compile->key), copy(facts, compile->id), compile->generation});
    function->compile_count++;
    add_known(&function->time_us, compile->time_us);
    for (int phase = 0; phase < PHASES; phase++)
        if (phases_has(compile, (enum phase)phase)) {
            function->has_phase[phase] = true;
            function->own_us[phase] += own[phase];
        }
    function->other_us += other;
    function->breaks += compile_graph_breaks(model, compile);
    function->failed += compile_status(compile) == STATUS_ERROR || compile->backward_failure >= 0;
    add_known_u64(&function->ops, compile->ops);
    add_known_u64(&function->guards, compile_guards(compile));
    take_outcomes(function, compile->caches.items, compile->caches.count);
    take_outcomes(function, compile->further_caches.items, compile->further_caches.count);
    take_reasons(facts, function, compile);
}

/* of: for each item of model->compiles, its function, or MAP_NONE. */
static void take_functions(struct run_facts *facts, const struct model *model, uint32_t *of) {
    AUTO_MAP known = {0};
    uint32_t *order = model_order(model);
    for (size_t i = 0; i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[order[i]];
        add_known_u64(&facts->ops, compile->ops);
        add_known_u64(&facts->guards, compile_guards(compile));
        of[order[i]] = MAP_NONE;
        if (!compile->framed)
            continue;
        of[order[i]] = function_of(facts, &known, compile);
        take_compile(facts, &facts->functions.items[of[order[i]]], model, compile);
    }
    mem_free(order);
}

static void take_kernels(struct run_facts *facts, const struct model *model, const uint32_t *of) {
    const struct kernels *kernels = model->kernels;
    facts->kernels += kernels_generated(kernels);
    for (size_t i = 0; kernels && i < kernels->list.count; i++) {
        const struct kernel *kernel = &kernels->list.items[i];
        if (kernel->kind != KERNEL_EXTERN && of[kernel->compile] != MAP_NONE)
            facts->functions.items[of[kernel->compile]].kernels++;
    }
}

static void add_memory(struct run_memory *sum, const struct graph_memory *graph) {
    bool known = graph->unknown == MEMORY_KNOWN, backward = slice_ends(graph->graph, SLICE("_backward")),
         inference = slice_ends(graph->graph, SLICE("_inference"));
    int64_t peak = graph->whole_peak >= 0 ? graph->whole_peak : graph->peak;
    sum->graphs++;
    if (!known) {
        sum->not_derived++;
        sum->saved_unknown |= !backward && !inference;
        return;
    }
    sum->peak = peak > sum->peak ? peak : sum->peak;
    /* without the forward, what it saved is missing */
    sum->peak_at_least |= graph->fallback.ptr || (!inference && backward && graph->whole_peak < 0);
    sum->saved = graph->saved > sum->saved ? graph->saved : sum->saved;
    sum->saved_unknown |= !backward && !inference && graph->saved < 0;
}

static void take_memory(struct run_facts *facts, const struct model *model, const uint32_t *of) {
    for (size_t i = 0; model->memories && i < model->memories->list.count; i++) {
        const struct graph_memory *graph = &model->memories->list.items[i];
        add_memory(&facts->memory, graph);
        if (of[graph->compile] != MAP_NONE)
            add_memory(&facts->functions.items[of[graph->compile]].memory, graph);
    }
    if (model->memories && model->memories->more)
        facts->memory.peak_at_least = facts->memory.saved_unknown = true;
}

/* A chain belongs to one function, that of its first compile. */
static void take_chains(struct run_facts *facts, const struct chains *chains, const uint32_t *of) {
    for (size_t i = 0; i < chains->list.count; i++) {
        const struct chain *chain = &chains->list.items[i];
        uint32_t function = chain->compiles.count ? of[chain->compiles.items[0]] : MAP_NONE;
        facts->recompiles += chain->recompiles;
        if (function != MAP_NONE)
            facts->functions.items[function].recompiles += chain->recompiles;
    }
}

static void take_breaks(struct run_facts *facts, const struct model *model) {
    for (size_t i = 0; i < model->breaks.count; i++) {
        const struct graph_break *found = model->breaks.items[i];
        struct buf key = {0}, plain = {0};
        if (!graph_break_counts(found)) /* it is a finding */
            continue;
        noise_add_without(&plain, slice_first(found->reason, RUN_TEXT_MAX));
        add_without_numbers(&key, buf_slice(&plain));
        buf_add_byte(&key, 0);
        add_place(&key, &found->place);
        buf_free(&plain);
        ARENA_ADD(&facts->arena, &facts->breaks,
                  (struct run_break){.key = take_buf(facts, &key),
                                     .id = copy(facts, found->gb_id),
                                     .reason = copy(facts, slice_first(found->reason, RUN_TEXT_MAX)),
                                     .place = copy_place(facts, &found->place),
                                     .count = found->count});
    }
}

/* On a tie, the order of the log decides. */
static int by_compiles(const void *a, const void *b) {
    const struct run_config *x = a, *y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->compiles != y->compiles)
        return x->compiles > y->compiles ? -1 : 1;
    return 0;
}

/* Insertion sort: it is stable, and there are few items. */
static void sort_configs(struct run_facts *facts) {
    for (size_t i = 1; i < facts->configs.count; i++)
        for (size_t at = i; at && by_compiles(&facts->configs.items[at], &facts->configs.items[at - 1]) < 0; at--) {
            struct run_config swapped = facts->configs.items[at];
            facts->configs.items[at] = facts->configs.items[at - 1];
            facts->configs.items[at - 1] = swapped;
        }
}

static void take_configs(struct run_facts *facts, const struct model *model, struct run_texts *texts) {
    uint32_t seen[CONFIG_KINDS] = {0};
    for (size_t i = 0; i < model->configs.count; i++) {
        const struct config *config = &model->configs.items[i];
        if (seen[config->kind]++ >= CONFIGS_COMPARED_MAX)
            continue;
        ARENA_ADD(&facts->arena, &facts->configs,
                  (struct run_config){config->kind, shared_text(texts, config->json), config_compiles(model, config)});
    }
    sort_configs(facts);
}

/* Settings that the modes of torch.compile() turn on: list_mode_options() of torch._inductor. */
static const struct {
    struct slice mode;
    struct slice set[3];
    size_t count;
} modes[] = {
    {SLICE_INIT("max-autotune"),
     {SLICE_INIT("coordinate_descent_tuning"), SLICE_INIT("max_autotune"), SLICE_INIT("triton.cudagraphs")},
     3},
    {SLICE_INIT("max-autotune-no-cudagraphs"),
     {SLICE_INIT("coordinate_descent_tuning"), SLICE_INIT("max_autotune")},
     2},
    {SLICE_INIT("reduce-overhead"), {SLICE_INIT("triton.cudagraphs")}, 1},
};

/* Effects are sorted by kind and name, and so are the settings of a mode. */
static struct slice mode_of(const struct run_facts *facts, const struct run_graph *graph) {
    for (size_t m = 0; m < sizeof modes / sizeof *modes; m++) {
        size_t same = 0;
        bool others = false;
        for (size_t i = 0; i < graph->effects.count && !others; i++) {
            const struct run_effect *effect = &facts->effects.items[graph->effects.items[i]];
            if (!effect->configured.ptr && effect->simple)
                continue;
            others = same == modes[m].count || !slice_is(effect->value, "true") ||
                     !slice_eq(effect->name, modes[m].set[same++]);
        }
        if (!others && same == modes[m].count)
            return modes[m].mode;
    }
    return (struct slice){0};
}

/* Whether the log shows all settings of the compile. */
static bool is_known(const struct effect_evidence *evidence) {
    return evidence->program || (evidence->not_in_key && evidence->config != EFFECT_NO_CONFIG);
}

/* Compiles with the same configuration and settings share their names. */
static uint32_t take_names(struct run_facts *facts, struct map *known, const struct setting_names *names) {
    bool added;
    uint32_t at =
        *map_put(known, slice_make((const char *)&names, sizeof names), (uint32_t)facts->not_in_key.count, &added);
    if (!added)
        return at;
    ARENA_GROW(&facts->arena, &facts->not_in_key);
    struct setting_names *kept = &facts->not_in_key.items[facts->not_in_key.count++];
    *kept = (struct setting_names){0};
    for (size_t i = 0; i < names->list.count; i++)
        ARENA_ADD(&facts->arena, &kept->list, arena_slice(&facts->arena, names->list.items[i]));
    return at;
}

/* places: for each compile, the index of its graph in its function, or MAP_NONE. */
static void take_graphs(struct run_facts *facts, const struct model *model, const struct settings_in_effect *settings,
                        const uint32_t *of, uint32_t *places, struct run_texts *texts) {
    uint32_t *order = model_order(model);
    AUTO_MAP known = {0};
    for (size_t i = 0; i < model->compiles.count; i++) {
        uint32_t at = order[i];
        const struct effect_evidence *evidence = &settings->evidence[at];
        places[at] = MAP_NONE;
        if (of[at] == MAP_NONE)
            continue;
        struct run_function *function = &facts->functions.items[of[at]];
        if (!is_known(evidence) || function->graphs.count == RUN_COMPILES_MAX) {
            function->other_graphs++;
            continue;
        }
        ARENA_GROW(&facts->arena, &function->graphs);
        places[at] = (uint32_t)function->graphs.count;
        struct run_graph *graph = &function->graphs.items[function->graphs.count++];
        *graph = (struct run_graph){.compile = arena_slice(&facts->arena, model->compiles.items[at]->key),
                                    .program = evidence->program,
                                    .not_in_key = NOT_KEYED};
        if (evidence->not_in_key)
            graph->not_in_key = take_names(facts, &known, evidence->not_in_key);
        if (evidence->config != EFFECT_NO_CONFIG)
            graph->config = shared_text(texts, model->configs.items[evidence->config].json);
    }
    mem_free(order);
}

static void take_effect(struct run_facts *facts, const struct setting_in_effect *setting, const uint32_t *of,
                        const uint32_t *places) {
    uint32_t number = (uint32_t)facts->effects.count;
    ARENA_ADD(&facts->arena, &facts->effects,
              (struct run_effect){.kind = setting->kind,
                                  .name = arena_slice(&facts->arena, setting->name),
                                  .value = arena_slice(&facts->arena, setting->value),
                                  .configured = setting->configured.ptr
                                                  ? arena_slice(&facts->arena, setting->configured)
                                                  : (struct slice){0},
                                  .simple = setting->simple});
    for (size_t i = 0; i < setting->compiles.count; i++) {
        uint32_t compile = setting->compiles.items[i];
        if (places[compile] == MAP_NONE)
            continue;
        struct run_graph *graph = &facts->functions.items[of[compile]].graphs.items[places[compile]];
        ARENA_ADD(&facts->arena, &graph->effects, number);
    }
}

static void take_effects(struct run_facts *facts, const struct model *model, const uint32_t *of,
                         struct run_texts *texts) {
    struct settings_in_effect settings;
    uint32_t *places = mem_alloc((model->compiles.count + 1) * sizeof *places);
    settings_in_effect_find(&settings, model);
    take_graphs(facts, model, &settings, of, places, texts);
    for (size_t i = 0; i < settings.list.count; i++)
        take_effect(facts, &settings.list.items[i], of, places);
    for (size_t f = 0; f < facts->functions.count; f++)
        for (size_t g = 0; g < facts->functions.items[f].graphs.count; g++) {
            struct run_graph *graph = &facts->functions.items[f].graphs.items[g];
            graph->mode = mode_of(facts, graph);
        }
    settings_in_effect_free(&settings);
    mem_free(places);
}

struct run_facts *run_facts_create(void) {
    struct arena arena = {0};
    struct run_facts *facts = arena_zalloc(&arena, sizeof *facts);
    facts->arena = arena;
    return facts;
}

struct run_facts *run_facts_take(const struct model *model, const struct chains *chains, struct run_texts *texts) {
    struct run_facts *facts = run_facts_create();
    uint32_t *of = mem_alloc((model->compiles.count + 1) * sizeof *of);
    take_functions(facts, model, of);
    take_memory(facts, model, of);
    take_kernels(facts, model, of);
    take_chains(facts, chains, of);
    take_breaks(facts, model);
    take_configs(facts, model, texts);
    take_effects(facts, model, of, texts);
    if (model->extras) {
        const struct extras *extras = model->extras;
        facts->further_hits = extras->cache_counts[CACHE_FX_GRAPH_BUNDLED][OUTCOME_HIT];
        facts->further_bypasses =
            extras->cache_counts[CACHE_PRECOMPILE][OUTCOME_BYPASS] + extras->cache_counts[CACHE_DYNAMO][OUTCOME_BYPASS];
    }
    mem_free(of);
    return facts;
}

void run_facts_add_finding(struct run_facts *facts, const struct run_finding *finding) {
    struct run_finding taken = *finding;
    struct buf key = {0};
    buf_addf(&key, "%d ", (int)finding->kind);
    add_without_numbers(&key, finding->plain);
    buf_add_byte(&key, 0);
    if (finding->place.file.ptr || finding->place.function.ptr)
        add_place(&key, &finding->place);
    taken.key = take_buf(facts, &key);
    taken.title = copy(facts, finding->title);
    taken.plain = (struct slice){0};
    taken.place = copy_place(facts, &finding->place);
    ARENA_ADD(&facts->arena, &facts->findings, taken);
}

void run_facts_destroy(struct run_facts *facts) {
    if (!facts)
        return;
    struct arena arena = facts->arena; /* the facts are in their own arena */
    arena_free(&arena);
}

#include "compare/comparison_parts.h"

bool is_notable(int64_t delta, int64_t of) {
    return (delta < 0 ? -delta : delta) > of / 20;
}

/* Whether a difference is better or worse, rather than more or less: times vary, and a few bytes matter to nobody. */
static bool is_judged(const struct figure *figure, int64_t delta) {
    enum { LEAST_BYTES = 1000 * 1000 };
    if (figure->unit == UNIT_BYTES && (delta < 0 ? -delta : delta) < LEAST_BYTES)
        return false;
    return figure->unit == UNIT_COUNT || is_notable(delta, figure->a);
}

static const char *verdict_of(const struct figure *figure) {
    int64_t delta = figure->b - figure->a;
    if (delta != 0 && figure->sides && side_values_agree(&figure->sides[0], &figure->sides[1]))
        return "within";
    if (figure->a < 0 || figure->b < 0)
        return figure->a < 0 && figure->b < 0 ? "same" : "differs";
    if (delta == 0)
        return "same";
    if (figure->worse && is_judged(figure, delta))
        return delta > 0 ? "worse" : "better";
    return delta > 0 ? "more" : "less";
}

void ranges_write(struct jsonw *w, const char *key, const struct side_value *sides) {
    jsonw_array(w, key);
    for (size_t i = 0; i < SIDES; i++) {
        jsonw_array(w, NULL);
        jsonw_known(w, NULL, sides[i].least);
        jsonw_known(w, NULL, sides[i].most);
        jsonw_end_array(w);
    }
    jsonw_end_array(w);
}

void figure_write(struct jsonw *w, const struct figure *figure) {
    bool both = figure->a >= 0 && figure->b >= 0;
    jsonw_object(w, NULL);
    JSON_MEMBERS(w, figure, name, title);
    jsonw_str(w, "unit", figure->unit == UNIT_US ? "us" : figure->unit == UNIT_BYTES ? "bytes" : "count");
    jsonw_array(w, "values");
    jsonw_known(w, NULL, figure->a);
    jsonw_known(w, NULL, figure->b);
    jsonw_end_array(w);
    if (figure->sides)
        ranges_write(w, "ranges", figure->sides);
    if (both)
        jsonw_i64(w, "delta", figure->b - figure->a);
    else
        jsonw_null(w, "delta");
    jsonw_str(w, "verdict", verdict_of(figure));
    jsonw_end_object(w);
}

void text_figure_write(struct jsonw *w, const char *name, const char *title, struct slice a, struct slice b) {
    jsonw_object(w, NULL);
    JSON_ADD(w, "name", name, "title", title, "unit", "text");
    jsonw_array(w, "values");
    jsonw_text(w, NULL, a);
    jsonw_text(w, NULL, b);
    jsonw_end_array(w);
    jsonw_null(w, "delta");
    jsonw_str(w, "verdict", !a.ptr == !b.ptr && slice_eq(a, b) ? "same" : "differs");
    jsonw_end_object(w);
}

/* Figures of a whole run, which is a log or a job. */
struct whole {
    const struct rank_facts *facts;
    bool job;
    int64_t ranks, slowest_us; /* slowest_us: the compile time of the rank with the longest compile time */
};

static struct whole whole_of(const struct rank_facts *facts) {
    struct whole whole = {facts, facts->members.count > 0, 0, 0};
    for (size_t i = 0; i < facts->members.count; i++) {
        const struct rank_member *member = &facts->members.items[i];
        if (!member->compared)
            continue;
        whole.ranks++;
        whole.slowest_us = (int64_t)member->time_us > whole.slowest_us ? (int64_t)member->time_us : whole.slowest_us;
    }
    if (!whole.job)
        whole = (struct whole){facts, false, 1, facts->totals.time_us};
    return whole;
}

enum { FIGURES_MAX = 32 };
struct figures {
    struct figure items[FIGURES_MAX];
    size_t count;
};

static void add_figure(struct figures *figures, const struct figure *figure) {
    assert(figures->count < FIGURES_MAX);
    figures->items[figures->count++] = *figure;
}

/* `worse` as in struct figure. A sum over more ranks is larger, but not worse. */
static void sum(struct figures *figures, const char *name, const char *title, const char *title_of_jobs,
                enum figure_unit unit, bool worse, const struct whole *a, const struct whole *b, int64_t one,
                int64_t other) {
    bool jobs = a->job || b->job;
    add_figure(figures, &(struct figure){name, jobs ? title_of_jobs : title, unit,
                                         worse && !(jobs && a->ranks != b->ranks), one, other, NULL});
}

/* The name of the figure, its title with and without jobs, and a member of the totals. */
#define TIME(name, title, member)                                                                                      \
    sum(figures, name, title, title ", all logs", UNIT_US, true, a, b, a->facts->totals.member, b->facts->totals.member)
#define COUNT(name, title, worse, value)                                                                               \
    sum(figures, name, title, title ", all logs", UNIT_COUNT, worse, a, b, (int64_t)value(a->facts),                   \
        (int64_t)value(b->facts))

static uint64_t compiles(const struct rank_facts *facts) {
    return facts->totals.compiles;
}

static uint64_t compiled(const struct rank_facts *facts) {
    return facts->totals.statuses[STATUS_OK] + facts->totals.statuses[STATUS_RESTART];
}

static uint64_t failures(const struct rank_facts *facts) {
    return facts->failures;
}

/* As in the totals: the number of distinct breaks, not of their occurrences. */
static uint64_t graph_breaks(const struct rank_facts *facts) {
    return facts->graph_breaks;
}

/* A sum over the logs of a job, or the value of the log. */
static uint64_t sum_over(const struct rank_facts *facts, uint64_t (*of)(const struct run_facts *run)) {
    uint64_t sum = facts->members.count ? 0 : of(facts->run);
    for (size_t i = 0; i < facts->members.count; i++)
        if (facts->members.items[i].run)
            sum += of(facts->members.items[i].run);
    return sum;
}

static uint64_t recompiles_of(const struct run_facts *run) {
    return run->recompiles;
}

static uint64_t ops_of(const struct run_facts *run) {
    return run->ops;
}

static uint64_t guards_of(const struct run_facts *run) {
    return run->guards;
}

static uint64_t kernels_of(const struct run_facts *run) {
    return run->kernels;
}

static uint64_t recompiles(const struct rank_facts *facts) {
    return sum_over(facts, recompiles_of);
}

static uint64_t ops(const struct rank_facts *facts) {
    return sum_over(facts, ops_of);
}

static uint64_t guards(const struct rank_facts *facts) {
    return sum_over(facts, guards_of);
}

static uint64_t kernels(const struct rank_facts *facts) {
    return sum_over(facts, kernels_of);
}

static uint64_t hits(const struct rank_facts *facts) {
    return facts->cache_counts[0][0] + facts->cache_counts[1][0] + facts->run->further_hits;
}

static uint64_t misses(const struct rank_facts *facts) {
    return facts->cache_counts[0][1] + facts->cache_counts[1][1];
}

static uint64_t bypasses(const struct rank_facts *facts) {
    return facts->cache_counts[0][2] + facts->cache_counts[1][2] + facts->run->further_bypasses;
}

static void write_versions(struct jsonw *w, const struct rank_facts *a, const struct rank_facts *b) {
    const struct {
        const char *name;
        struct slice a, b;
    } versions[] = {{"torch", a->torch, b->torch},
                    {"python", a->python, b->python},
                    {"cuda", a->cuda, b->cuda},
                    {"triton", a->triton, b->triton}};
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
        text_figure_write(w, versions[i].name, versions[i].name, versions[i].a, versions[i].b);
}

int64_t memory_peak(const struct run_memory *memory) {
    return memory->graphs && !memory->not_derived && !memory->peak_at_least ? memory->peak : -1;
}

int64_t memory_saved(const struct run_memory *memory) {
    return memory->graphs && !memory->saved_unknown ? memory->saved : -1;
}

/* Of one log: graphs of ranks run at the same time, on devices of their own. */
static void add_memory(struct figures *figures, const struct whole *a, const struct whole *b) {
    if (a->job || b->job)
        return;
    const struct run_memory *one = &a->facts->run->memory, *other = &b->facts->run->memory;
    if (!one->graphs && !other->graphs)
        return;
    add_figure(figures, &(struct figure){"peak_bytes", "peak memory of a graph", UNIT_BYTES, true, memory_peak(one),
                                         memory_peak(other), NULL});
    add_figure(figures, &(struct figure){"saved_bytes", "saved for a backward", UNIT_BYTES, true, memory_saved(one),
                                         memory_saved(other), NULL});
}

static int64_t step_us(const struct whole *whole) {
    int64_t ns = whole->job ? whole->facts->inside.step_ns : whole->facts->ran ? whole->facts->ran->step_ns : 0;
    return ns ? (ns + 500) / 1000 : -1;
}

/* Only if there are profiles: their steps are of the program, not of the compiler. */
static void add_step(struct figures *figures, const struct whole *a, const struct whole *b) {
    const char *title = a->job || b->job ? "step, slowest rank" : "step";
    struct figure step = {"step_time", title, UNIT_US, true, step_us(a), step_us(b), NULL};
    if (step.a >= 0 || step.b >= 0)
        add_figure(figures, &step);
}

/* The figures of two runs. */
static void collect(struct figures *figures, const struct rank_facts *first, const struct rank_facts *second) {
    const struct whole one = whole_of(first), other = whole_of(second), *a = &one, *b = &other;
    *figures = (struct figures){0};
    if (a->job || b->job) {
        add_figure(figures, &(struct figure){"ranks", "ranks", UNIT_COUNT, false, a->ranks, b->ranks, NULL});
        add_figure(figures,
                   &(struct figure){"slowest_rank", "slowest rank", UNIT_US, true, a->slowest_us, b->slowest_us, NULL});
    }
    TIME("compile_time", "compile time", time_us);
    TIME("backward_time", "backward compile time", backward_us);
    TIME("restart_time", "time in discarded traces", restart_us);
    TIME("run_time", "time logged at run time", runtime_us);
    add_step(figures, a, b);
    COUNT("compiles", "compiles", true, compiles);
    COUNT("compiled", "succeeded", false, compiled);
    COUNT("recompiles", "recompiles", true, recompiles);
    COUNT("graph_breaks", "graph breaks", true, graph_breaks);
    COUNT("failures", "failures", true, failures);
    COUNT("ops", "ops in graphs", false, ops);
    COUNT("guards", "guards", true, guards);
    COUNT("kernels", "kernels", false, kernels);
    add_memory(figures, a, b);
    COUNT("cache_hits", "cache hits", false, hits);
    COUNT("cache_misses", "cache misses", true, misses);
    COUNT("cache_bypasses", "cache bypasses", true, bypasses);
}

static const struct figure *figure_named(const struct figures *figures, const char *name) {
    for (size_t i = 0; i < figures->count; i++)
        if (strcmp(figures->items[i].name, name) == 0)
            return &figures->items[i];
    return NULL;
}

/* The values of a figure in each run of a side. Figures that a job and a log do not share, and so cannot be compared,
 * are unknown. */
static struct side_value values_of(const struct run_side *side, const struct run_side *other, bool second,
                                   const struct figure *figure) {
    int64_t *values = mem_alloc((side->count + 1) * sizeof *values);
    for (size_t i = 0; i < side->count; i++) {
        struct figures figures;
        collect(&figures, second ? other->shown : side->runs[i], second ? side->runs[i] : other->shown);
        const struct figure *same = figure_named(&figures, figure->name);
        values[i] = !same ? -1 : second ? same->b : same->a;
    }
    struct side_value value = side_value_of(values, side->count);
    mem_free(values);
    return value;
}

void figures_write(struct jsonw *w, const struct run_side *first, const struct run_side *second) {
    struct figures figures;
    collect(&figures, first->shown, second->shown);
    jsonw_array(w, "figures");
    write_versions(w, first->shown, second->shown);
    for (size_t i = 0; i < figures.count; i++) {
        struct figure *figure = &figures.items[i];
        struct side_value sides[SIDES];
        if (first->count > 1 || second->count > 1) {
            sides[0] = values_of(first, second, false, figure);
            sides[1] = values_of(second, first, true, figure);
            figure->a = sides[0].median;
            figure->b = sides[1].median;
            figure->sides = sides;
        }
        figure_write(w, figure);
    }
    jsonw_end_array(w);
}

#include "answers/check_metrics.h"

#include <math.h>

#include "answers/report_doc.h"
#include "answers/run_time.h"
#include "answers/run_time_parts.h"
#include "answers/term.h"
#include "base/map.h"

static void add(const struct check_items *to, const struct check_item *item) {
    to->add(to->context, item);
}

static bool same_place(yyjson_val *a, yyjson_val *b) {
    return report_count(a, "line") == report_count(b, "line") &&
           slice_eq(json_get_text(a, "file"), json_get_text(b, "file"));
}

/* The code of the frame at a place. */
static struct slice code_in(yyjson_val *stack, yyjson_val *place) {
    size_t i, max;
    yyjson_val *frame;
    struct slice code = {0};
    yyjson_arr_foreach(stack, i, max, frame) {
        if (same_place(frame, place))
            code = json_get_text(frame, "code");
    }
    return slice_first_line(code);
}

static void list_breaks(yyjson_val *root, const struct check_items *to) {
    size_t i, max;
    yyjson_val *item;
    yyjson_arr_foreach(json_get(root, "graph_breaks"), i, max, item) {
        yyjson_val *place = json_get(item, "place");
        if (json_truthy(json_get(item, "exception")))
            continue;
        add(to, &(struct check_item){.amount = 1,
                                     .compiles = json_get(item, "compiles"),
                                     .place = place,
                                     .label = json_get_text(item, "id"),
                                     .text = slice_first_line(json_get_text(item, "reason")),
                                     .code = code_in(json_get(item, "stack"), place)});
    }
}

/* The finding about the recompiles of a chain, whose sentence and line the page shows; NULL: none. */
static yyjson_val *finding_of(yyjson_val *root, yyjson_val *chain) {
    size_t i, max;
    yyjson_val *finding;
    struct slice first = json_text(yyjson_arr_get_first(chain));
    yyjson_arr_foreach(json_get(root, "findings"), i, max, finding) {
        yyjson_val *compile = yyjson_arr_get_first(json_get(finding, "compiles"));
        if (slice_starts(json_get_text(finding, "kind"), SLICE("recompile")) && slice_eq(json_text(compile), first))
            return finding;
    }
    return NULL;
}

/* Adds why a frame was recompiled, and at which line; without a finding, the first guard that failed. */
static void add_chain(yyjson_val *root, const struct check_items *to, yyjson_val *item, uint64_t amount) {
    yyjson_val *chain = json_get(item, "chain"), *cause = yyjson_arr_get_first(json_get(item, "causes"));
    yyjson_val *finding = finding_of(root, chain), *place = json_get(finding, "place");
    struct slice why = slice_first_line(json_get_text(finding, "why")), example = json_get_text(cause, "example");
    struct check_item made = {.amount = (int64_t)amount, .compiles = yyjson_arr_get_first(chain), .text = why};
    if (!why.len)
        made.text = slice_first_line(example.len ? example : json_get_text(cause, "guard"));
    if (yyjson_is_obj(place)) {
        made.place = place;
        made.code = slice_first_line(json_get_text(finding, "code"));
    } else if (yyjson_is_obj(json_get(item, "frame"))) {
        made.place = json_get(item, "frame");
    }
    add(to, &made);
}

static void list_chains(yyjson_val *root, const struct check_items *to, const char *member) {
    size_t i, max;
    yyjson_val *item;
    yyjson_arr_foreach(json_get(root, "recompiles"), i, max, item) {
        uint64_t amount = report_count(item, member);
        if (amount)
            add_chain(root, to, item, amount);
    }
}

static void list_recompiles(yyjson_val *root, const struct check_items *to) {
    list_chains(root, to, "recompiles");
}

static void list_refused(yyjson_val *root, const struct check_items *to) {
    list_chains(root, to, "refused");
}

static void list_failures(yyjson_val *root, const struct check_items *to) {
    static const char *const lists[] = {"failures", "backward_failures"};
    size_t i, max;
    yyjson_val *item;
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
        yyjson_arr_foreach(json_get(root, lists[l]), i, max, item) {
            struct slice type = json_get_text(item, "type"), reason = slice_first_line(json_get_text(item, "reason"));
            yyjson_val *place = json_get(item, "place");
            add(to, &(struct check_item){.amount = 1,
                                         .compiles = json_get(item, "compile"),
                                         .place = yyjson_is_obj(place) ? place : NULL,
                                         .label = type,
                                         .text = reason});
        }
}

/* Findings of a severity; NULL: of any. */
static void list_severity(yyjson_val *root, const struct check_items *to, const char *severity) {
    size_t i, max;
    yyjson_val *item;
    yyjson_arr_foreach(json_get(root, "findings"), i, max, item) {
        yyjson_val *place = json_get(item, "place");
        struct slice kind = json_get_text(item, "kind");
        if (!severity || slice_is(json_get_text(item, "severity"), severity))
            add(to, &(struct check_item){.amount = 1,
                                         .compiles = json_get(item, "compiles"),
                                         .place = yyjson_is_obj(place) ? place : NULL,
                                         .text = slice_first_line(json_get_text(item, "title")),
                                         .code = slice_first_line(json_get_text(item, "code")),
                                         .of_profile = slice_is(kind, "never_ran"),
                                         .measured = slice_is(kind, "hot_kernel") || slice_is(kind, "guard_checks")});
    }
}

static void list_findings(yyjson_val *root, const struct check_items *to) {
    list_severity(root, to, NULL);
}

static void list_errors(yyjson_val *root, const struct check_items *to) {
    list_severity(root, to, "error");
}

static void list_warnings(yyjson_val *root, const struct check_items *to) {
    list_severity(root, to, "warning");
}

/* Lists one item per compile, with the amount in one of its members. Times of a backward may belong to an id without a
 * compile. */
static void list_compiles_by(yyjson_val *root, const struct check_items *to, int64_t (*amount)(yyjson_val *compile),
                             struct slice (*text)(yyjson_val *compile)) {
    size_t i, max;
    yyjson_val *compile;
    yyjson_arr_foreach(json_get(root, "compiles"), i, max, compile) {
        int64_t n = amount(compile);
        if (n > 0)
            add(to, &(struct check_item){.amount = n,
                                         .compiles = json_get(compile, "key"),
                                         .text = text ? text(compile) : (struct slice){0}});
    }
}

static int64_t one(yyjson_val *compile) {
    return json_truthy(json_get(compile, "is_compile"));
}

static int64_t time_of(yyjson_val *compile) {
    int64_t us;
    return report_number(compile, "time_us", &us) ? us : 0;
}

static int64_t restart_time_of(yyjson_val *compile) {
    int64_t us;
    return report_number(compile, "restart_us", &us) ? us : 0;
}

static int64_t restarts_of(yyjson_val *compile) {
    return (int64_t)yyjson_arr_size(json_get(compile, "restarts"));
}

static struct slice restart_text(yyjson_val *compile) {
    return slice_first_line(json_text(yyjson_arr_get_first(json_get(compile, "restarts"))));
}

static void list_compiles(yyjson_val *root, const struct check_items *to) {
    list_compiles_by(root, to, one, NULL);
}

static void list_times(yyjson_val *root, const struct check_items *to) {
    list_compiles_by(root, to, time_of, NULL);
}

static void list_restarts(yyjson_val *root, const struct check_items *to) {
    list_compiles_by(root, to, restarts_of, restart_text);
}

static void list_restart_times(yyjson_val *root, const struct check_items *to) {
    list_compiles_by(root, to, restart_time_of, restart_text);
}

static void list_misses(yyjson_val *root, const struct check_items *to) {
    size_t i, max, r, results;
    yyjson_val *compile, *result;
    yyjson_arr_foreach(json_get(root, "compiles"), i, max, compile)
        yyjson_arr_foreach(json_get(compile, "cache"), r, results, result) {
        struct slice cache = json_get_text(result, "cache");
        /* The caches whose misses the totals count */
        bool counted = slice_is(cache, "fx_graph") || slice_is(cache, "aotautograd");
        if (counted && slice_is(json_get_text(result, "result"), "miss"))
            add(to, &(struct check_item){.amount = 1, .compiles = json_get(compile, "key")});
    }
}

static void list_kernels(yyjson_val *root, const struct check_items *to) {
    size_t i, max;
    yyjson_val *kernel;
    yyjson_arr_foreach(json_get(json_get(root, "kernels"), "list"), i, max, kernel) {
        if (!slice_is(json_get_text(kernel, "kind"), "extern"))
            add(to, &(struct check_item){.amount = 1, .compiles = json_get(kernel, "compile")});
    }
}

/* Versions of a function that the profile calls. */
struct called_function {
    LIST(struct part) parts;
};

/* Finds the versions of each function, in the order of their first compile. */
struct called_functions {
    LIST(struct called_function) list;
    struct map places;
};

static void add_called(struct called_functions *functions, yyjson_val *compile, yyjson_val *called) {
    yyjson_val *frame = json_get(compile, "frame");
    AUTO_BUF key = {0};
    bool added;
    BUF_ADD(&key, json_get_text(frame, "file"), "\n", json_get_text(frame, "function"), "\n",
            report_count(frame, "line"));
    if (!frame)
        buf_add(&key, json_get_text(called, "compile"));
    uint32_t at = *map_put(&functions->places, buf_slice(&key), (uint32_t)functions->list.count, &added);
    if (added)
        LIST_ADD(&functions->list, (struct called_function){0});
    LIST_ADD(&functions->list.items[at].parts, (struct part){.item = called, .weight = 1});
}

/* The run time of functions in the median step of the profile: all versions of each one together. */
static void add_part(const struct check_items *to, enum run_time_part part, struct measure measure,
                     const struct check_item *item) {
    struct check_item part_item = *item;
    part_item.amount = llround(measure.us);
    part_item.label = slice_str(run_time_part_name(part));
    if (part_item.amount > 0)
        add(to, &part_item);
}

/* The operator with most time outside of graphs. */
static struct slice first_operator(yyjson_val *eager) {
    return json_get_text(yyjson_arr_get_first(json_get(eager, "operators")), "name");
}

/* Lists the parts of a step, which do not overlap. */
static void list_parts(yyjson_val *profile, size_t steps, const struct check_items *to) {
    yyjson_val *graph, *eager = json_get(profile, "eager");
    size_t i, max;
    yyjson_arr_foreach(json_get(profile, "graphs"), i, max, graph) {
        bool backward = slice_is(json_get_text(graph, "direction"), "backward");
        add_part(to, backward ? RUN_TIME_BACKWARD : RUN_TIME_FORWARD,
                 run_time_measure_list(json_get(graph, "by_step_us"), steps),
                 &(struct check_item){.compiles = json_get(graph, "compile")});
    }
    add_part(to, RUN_TIME_GUARDS, run_time_measure_list(json_get(json_get(profile, "guards"), "by_step_us"), steps),
             &(struct check_item){0});
    add_part(to, RUN_TIME_OVERHEAD, run_time_measure_list(json_get(profile, "overhead_by_step_us"), steps),
             &(struct check_item){0});
    add_part(to, RUN_TIME_EAGER, run_time_measure_list(json_get(eager, "by_step_us"), steps),
             &(struct check_item){.text = first_operator(eager)});
    add_part(to, RUN_TIME_REST, run_time_measure_rest(profile, steps),
             &(struct check_item){.text = SLICE("Python code, waiting, or compiling")});
}

/* Lists the functions that are called, which may call each other. */
static void list_called(yyjson_val *root, size_t steps, const struct check_items *to) {
    struct called_functions functions = {0};
    AUTO_MAP keys = {0};
    size_t i, max;
    yyjson_val *profile = json_get(root, "profile"), *compiles = json_get(root, "compiles"), *compile;
    yyjson_arr_foreach(compiles, i, max, compile) map_put(&keys, json_get_text(compile, "key"), (uint32_t)i, NULL);
    yyjson_arr_foreach(json_get(profile, "compiles"), i, max, compile) {
        uint32_t at = map_get(&keys, json_get_text(compile, "compile"));
        add_called(&functions, at == MAP_NONE ? NULL : yyjson_arr_get(compiles, at), compile);
    }
    for (size_t f = 0; f < functions.list.count; f++) {
        struct called_function *function = &functions.list.items[f];
        yyjson_val *first = json_get(function->parts.items[0].item, "compile");
        add(to, &(struct check_item){.amount = llround(
                                         run_time_measure(function->parts.items, function->parts.count, steps).us),
                                     .compiles = first});
        mem_free(function->parts.items);
    }
    mem_free(functions.list.items);
    map_free(&functions.places);
}

/* What a step takes: on the CPU its parts. On devices, and in profiles without calls of graphs, its functions. */
static void list_step(yyjson_val *root, const struct check_items *to) {
    yyjson_val *profile = json_get(root, "profile"), *graphs = json_get(profile, "graph_calls");
    size_t steps = yyjson_arr_size(json_get(json_get(profile, "step_us"), "by_step_us"));
    if (!steps)
        return;
    if (report_count(graphs, "calls") && !json_get(graphs, "device_us"))
        list_parts(profile, steps, to);
    else
        list_called(root, steps, to);
}

enum {
    TOTAL = 1 << SCOPE_TOTAL,
    FUNCTION = 1 << SCOPE_FUNCTION,
    NEW = 1 << SCOPE_NEW,
};

/* clang-format off */
static const struct check_metric metrics[] = {
    {"cache_misses", "cache miss", "cache misses", "Misses of Inductor's FX graph cache and of AOTAutograd's cache.",
        UNIT_COUNT, TOTAL | FUNCTION, NULL, list_misses},
    {"compile_time_percent", "compile time", "compile time", "Growth of the compile time since the baseline, in percent.",
        UNIT_PERCENT, NEW, "time_us", list_times},
    {"compile_time_s", "compile time", "compile time", "Compile time, forward and backward, in seconds.",
        UNIT_TIME, TOTAL | FUNCTION, "time_us", list_times},
    {"compiles", "compile", "compiles", "Compiles.",
        UNIT_COUNT, TOTAL | FUNCTION, "compiles", list_compiles},
    {"errors", "error", "errors", "Issues with the severity error.",
        UNIT_COUNT, TOTAL | FUNCTION | NEW, NULL, list_errors},
    {"failures", "failure", "failures", "Failed forward and backward compiles.",
        UNIT_COUNT, TOTAL | FUNCTION, "failures", list_failures},
    {"findings", "issue", "issues", "Issues of any severity.",
        UNIT_COUNT, TOTAL | FUNCTION | NEW, "findings", list_findings},
    {"graph_breaks", "graph break", "graph breaks", "Graph breaks, distinct by reason and place.",
        UNIT_COUNT, TOTAL | FUNCTION | NEW, "graph_breaks", list_breaks},
    {"kernels", "kernel", "kernels", "Generated kernels, without calls of library kernels.",
        UNIT_COUNT, TOTAL | FUNCTION, NULL, list_kernels},
    {"ranks_diverging", "diverging rank", "diverging ranks", "Ranks that a root cause of rank divergence names.",
        UNIT_COUNT, TOTAL, NULL, NULL},
    {"recompiles", "recompile", "recompiles", "Recompiles.",
        UNIT_COUNT, TOTAL | FUNCTION | NEW, "recompiles", list_recompiles},
    {"recompiles_refused", "refused recompile", "refused recompiles", "Recompiles that the recompile limit refused.",
        UNIT_COUNT, TOTAL | FUNCTION, "recompiles_refused", list_refused},
    {"restart_time_s", "time lost to restarts", "time lost to restarts", "Compile time lost to restarts of compiles that did not fail, in seconds.",
        UNIT_TIME, TOTAL | FUNCTION, "restart_us", list_restart_times},
    {"restarts", "restart", "restarts", "Restarts of traces.",
        UNIT_COUNT, TOTAL | FUNCTION, "restarts", list_restarts},
    {"step_time_percent", "step time", "step time", "Growth of the time of a step in the profile since the baseline, in percent.",
        UNIT_PERCENT, NEW, NULL, NULL},
    {"step_time_s", "step time", "step time", "Median time of a step in the profile, of the slowest rank, in seconds.",
        UNIT_TIME, TOTAL, NULL, list_step},
    {"warnings", "warning", "warnings", "Issues with the severity warning.",
        UNIT_COUNT, TOTAL | FUNCTION | NEW, NULL, list_warnings},
};
/* clang-format on */
enum { METRICS = sizeof metrics / sizeof *metrics };

const struct check_metric *check_metrics(size_t *count) {
    *count = METRICS;
    return metrics;
}

const struct check_metric *check_metric_find(struct slice name, enum check_scope scope) {
    for (size_t i = 0; i < METRICS; i++)
        if (metrics[i].scopes >> scope & 1 && slice_is(name, metrics[i].name))
            return &metrics[i];
    return NULL;
}

const char *check_metric_nearest(struct slice name, enum check_scope scope) {
    const char *names[METRICS];
    for (size_t i = 0; i < METRICS; i++)
        names[i] = metrics[i].scopes >> scope & 1 ? metrics[i].name : NULL;
    return nearest_name(name, names, METRICS);
}

void check_value_add_exact(struct buf *out, const struct check_metric *metric, double value) {
    if (metric->unit == UNIT_TIME)
        buf_addf(out, value < 1000 ? "%.10g\u00a0µs" : "%.10g\u00a0s", value < 1000 ? value : value / 1e6);
    else
        buf_addf(out, "%s%.10g\u00a0%%", value < 0 ? "−" : "", fabs(value));
}

void check_value_add(struct buf *out, const struct check_metric *metric, double value) {
    switch (metric->unit) {
    case UNIT_COUNT:
        unit_add_count(out, (uint64_t)value);
        break;
    case UNIT_TIME:
        unit_add_time(out, llround(value));
        break;
    case UNIT_PERCENT:
        buf_addf(out, "%s%.*f\u00a0%%", value < 0 ? "−" : "", fabs(value) < 10 && value != round(value) ? 1 : 0,
                 fabs(value));
        break;
    }
}

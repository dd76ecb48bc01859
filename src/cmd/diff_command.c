#include "cmd/commands.h"

#include "answers/diff.h"
#include "cmd/answer.h"
#include "cmd/log_paths.h"
#include "trace/source.h"

/* The runs of the call: those before the change, then those after it. */
struct diff_call {
    struct options options; /* options of the call, with the paths of all runs */
    struct log_paths paths;
    char *base, *newer;     /* names of the sides */
    const char *reports[2]; /* finished reports of the sides, or what may be one; NULL: none */
    struct buf run_times;   /* JSON of their comparison */
    struct arena arena;     /* of what was parsed from it */
};

/* Adds the runs of a side. */
static bool add_side(struct diff_call *call, const struct options *options, size_t side, struct err *err) {
    const struct option_list *given = &options->paths;
    return (side >= given->count || log_paths_add(&call->paths, given->items[side], err)) &&
           log_paths_add_all(&call->paths, side ? &options->newer : &options->base, err);
}

static bool call_begin(struct diff_call *call, const struct options *options, struct err *err) {
    const struct option_list *given = &options->paths;
    struct log_paths *paths = &call->paths;
    *call = (struct diff_call){.options = *options};
    if (given->count == 1 && !options->base.count && !options->newer.count) {
        call->options.paths = *given; /* a report on two runs, or no run to compare it with */
    } else {
        if (!add_side(call, options, 0, err))
            return false;
        call->options.base_count = paths->count;
        if (!add_side(call, options, 1, err))
            return false;
        call->base = mem_printf("%.*s", SLICE_ARG(source_shown(paths->items[0])));
        call->newer = mem_printf("%.*s", SLICE_ARG(source_shown(paths->items[call->options.base_count])));
        call->options.paths = (struct option_list){paths->items, paths->count};
        if (paths->count == 2)
            memcpy(call->reports, paths->items, sizeof call->reports);
    }
    call->options.compare = true;
    call->options.is_diff = true;
    return true;
}

static void call_end(struct diff_call *call) {
    log_paths_finish(&call->paths);
    mem_free(call->base);
    mem_free(call->newer);
    buf_free(&call->run_times);
    arena_free(&call->arena);
}

/* The report on a log of a side, which `dir` names in the report on all; NULL: it was not read. */
static yyjson_val *part_in(const struct answer_input *input, struct slice dir) {
    for (size_t i = 0; i < input->parts.count; i++)
        if (dir.len && slice_is(dir, input->parts.items[i].dir))
            return input->parts.items[i].read ? input->parts.items[i].report.root : NULL;
    return NULL;
}

/* Compares the run times of two logs, which have them in the reports that were just made with the profiles of the call,
 * or in finished reports. */
static void compare_log(struct diff_call *call, const struct answer_input *input, yyjson_val *log) {
    yyjson_val *rank = json_get(log, "rank"), *sides[2];
    struct report_doc finished[2] = {0};
    uint64_t number;
    bool has_rank = json_to_u64(rank, &number);
    for (size_t side = 0; side < 2; side++) {
        sides[side] = part_in(input, json_text(yyjson_arr_get(json_get(log, "dirs"), side)));
        if (!sides[side] && call->reports[side] &&
            answer_report_read(&finished[side], &call->options, call->reports[side], has_rank, has_rank ? number : 0))
            sides[side] = finished[side].root;
    }
    size_t before = call->run_times.len;
    if (before > 1)
        buf_add_byte(&call->run_times, ',');
    if (!run_time_add(&call->run_times, rank, sides[0], sides[1]))
        call->run_times.len = before;
    report_doc_finish(&finished[0]);
    report_doc_finish(&finished[1]);
}

/* Returns an array; NULL: no run has a profile. */
static yyjson_val *compare_run_times(struct diff_call *call, const struct answer_input *input, yyjson_val *pair) {
    size_t i, max;
    yyjson_val *log, *root = NULL;
    buf_add_byte(&call->run_times, '[');
    yyjson_arr_foreach(json_get(pair, "logs"), i, max, log) {
        compare_log(call, input, log);
    }
    buf_add_byte(&call->run_times, ']');
    struct slice text = buf_slice(&call->run_times);
    json_read_own(&text, JSON_NUMBERS, &call->arena, &root);
    return yyjson_arr_size(root) ? root : NULL;
}

/* The names of the two sides: the paths of the call, or those in the report; for several runs, how many were read. */
static void name_sides(struct diff_request *request, struct diff_call *call, const struct report_doc *report,
                       yyjson_val *pair) {
    static const char *const fallback[] = {"base", "new"};
    char **owned[] = {&call->base, &call->newer};
    for (size_t side = 0; side < 2; side++) {
        size_t count = yyjson_arr_size(yyjson_arr_get(json_get(pair, "sides"), side));
        if (*owned[side] && count > 1) {
            char *named = mem_printf("%s (%zu runs)", *owned[side], count);
            mem_free(*owned[side]);
            *owned[side] = named;
        }
    }
    const char **names[] = {&request->base, &request->new}, *given[] = {call->base, call->newer};
    for (size_t side = 0; side < 2; side++) {
        yyjson_val *name = json_get(yyjson_arr_get(json_get(report->root, "ranks"), side), "name");
        *names[side] = given[side] ? given[side] : yyjson_is_str(name) ? yyjson_get_str(name) : fallback[side];
    }
}

static void add_answer(struct buf *out, const struct options *options, yyjson_val *pair,
                       const struct diff_request *request) {
    struct term term;
    switch ((enum answer_format)options->format) {
    case FORMAT_TEXT:
        term_init(&term, out, answer_width(), answer_color());
        diff_add_text(&term, pair, request);
        term_finish(&term);
        break;
    case FORMAT_JSON:
        diff_add_json(out, pair, request);
        break;
    case FORMAT_MARKDOWN:
        diff_add_markdown(out, pair, request);
        break;
    }
}

/* Whether a cache had any hit in one of the runs. Otherwise, the runs share no cache, and all misses are cold. */
static bool any_hits(yyjson_val *pair) {
    size_t i, max;
    yyjson_val *figure;
    yyjson_arr_foreach(json_get(pair, "figures"), i, max, figure) {
        yyjson_val *values = json_get(figure, "values");
        if (slice_is(json_get_text(figure, "name"), "cache_hits"))
            return yyjson_get_num(yyjson_arr_get(values, 0)) > 0 || yyjson_get_num(yyjson_arr_get(values, 1)) > 0;
    }
    return false;
}

static bool print_diff(struct diff_call *call, const struct answer_input *input, struct diff_limits *limits,
                       struct err *err) {
    const struct options *options = &call->options;
    const struct report_doc *report = &input->report;
    yyjson_val *pair = yyjson_arr_get_first(json_get(json_get(report->root, "comparison"), "pairs"));
    struct diff_request request = {.figures_only = options->stat, .top = (size_t)options->top.value, .limits = limits};
    AUTO_BUF out = {0};
    if (!pair)
        return err_set(err, ERR_INPUT, "nothing to compare: diff needs two runs, but %s",
                       call->options.paths.count == 1 ? "the path is one run" : "only one could be read");
    if (any_hits(pair))
        request.cache_misses = json_get(json_get(report->root, "cache_misses"), "list");
    request.run_times = compare_run_times(call, input, pair);
    request.step = diff_step_figure(request.run_times, &call->arena);
    size_t exceeded = diff_limits_check(limits, pair, request.run_times);

    name_sides(&request, call, report, pair);
    add_answer(&out, options, pair, &request);
    bool ok = answer_print(buf_slice(&out), err);
    if (ok && exceeded)
        return err_set(err, ERR_LIMIT, "%zu of %zu limits exceeded", exceeded, limits->count);
    return ok;
}

static bool check_call(const struct options *options, struct err *err) {
    size_t given = options->paths.count;
    if (given > 2)
        return err_set(err, ERR_USAGE,
                       "diff compares two runs, but %zu paths were given: use --base and --new for further runs",
                       given);
    if (!given && !options->base.count && !options->newer.count)
        return err_set(err, ERR_USAGE, "diff compares two runs, but no path was given");
    size_t bases = (given > 0) + options->base.count, newer = (given > 1) + options->newer.count;
    if (options->base.count + options->newer.count && (!bases || !newer))
        return err_set(err, ERR_USAGE, "no run %s the change was given", bases ? "after" : "before");
    if (options->profile.count && (given != 2 || options->base.count || options->newer.count))
        return err_set(err, ERR_USAGE, "--profile is for two runs, and cannot be used with %s",
                       given == 2 ? "--base and --new" : "one path");
    return true;
}

/* Reads the runs; the reports on each of them only if their profiles may be in them. */
static bool read_runs(struct answer_input *input, const struct diff_call *call, struct err *err) {
    const struct options *options = &call->options;
    return options->profile.count || options->paths.count == 1 ? answer_input_read_all(input, options, err)
                                                               : answer_input_read(input, options, err);
}

static void rename_side(char **name, const char *given) {
    mem_free(*name);
    *name = mem_strdup(given);
}

bool diff_run_named(const struct options *options, const char *const *names, const char *const *reports,
                    struct err *err) {
    struct diff_limits limits = {0};
    struct answer_input input = {0};
    struct diff_call call;
    for (size_t i = 0; i < options->fail_on.count; i++)
        if (!diff_limits_parse(&limits, options->fail_on.items[i], err))
            return false;
    if (!check_call(options, err))
        return false;
    if (options->base.count + options->newer.count && diff_limits_have(&limits, "step_time"))
        return err_set(err, ERR_USAGE, "--fail-on step_time is for two runs, and cannot be used with --base and --new");
    bool ok = call_begin(&call, options, err);
    if (ok && names) {
        rename_side(&call.base, names[0]);
        rename_side(&call.newer, names[1]);
        memcpy(call.reports, reports, sizeof call.reports);
    }
    ok = ok && read_runs(&input, &call, err) && print_diff(&call, &input, &limits, err);
    answer_input_finish(&input);
    call_end(&call);
    return ok;
}

bool diff_run(const struct options *options, struct err *err) {
    return diff_run_named(options, NULL, NULL, err);
}

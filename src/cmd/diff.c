#include "cmd/diff.h"

#include <stdlib.h>

#include "answers/diff.h"
#include "base/mem.h"
#include "base/path.h"
#include "cmd/answer.h"
#include "trace/source.h"

/* The runs of the call: those before the change, then those after it. Paths of reports are those of their folders,
 * because report.json alone does not have what is compared. */
struct diff_call {
    struct options options; /* of the call, with the paths of all runs */
    const char **paths;
    char **folders; /* owned; NULL: the path is as it was given */
    size_t count;
    char *base, *newer; /* names of the sides */
};

static void add_run(struct diff_call *call, const char *path) {
    struct slice text = slice_str(path), name = path_last(text);
    char *folder = NULL;
    if (slice_is(name, "report.json"))
        folder = name.len + 1 < text.len ? mem_printf("%.*s", (int)(text.len - name.len - 1), path)
               : name.len < text.len     ? mem_strdup("/")
                                         : mem_strdup(".");
    call->folders[call->count] = folder;
    call->paths[call->count++] = folder ? folder : path;
}

/* "before", or of several runs "before (3 runs)". */
static char *side_name(const char *const *paths, size_t count) {
    struct slice first = count ? source_shown(paths[0]) : SLICE("");
    return count > 1 ? mem_printf("%.*s (%zu runs)", SLICE_ARG(first), count) : mem_printf("%.*s", SLICE_ARG(first));
}

static void call_begin(struct diff_call *call, const struct options *options) {
    const struct option_list *given = &options->paths, *base = &options->base, *newer = &options->newer;
    size_t most = given->count + base->count + newer->count;
    *call = (struct diff_call){.options = *options};
    call->paths = mem_alloc((most + 1) * sizeof *call->paths);
    call->folders = mem_zalloc(most + 1, sizeof *call->folders);
    if (given->count == 1 && most == 1) { /* a report of two runs, or nothing to compare it with */
        call->paths[call->count++] = given->items[0];
    } else {
        for (size_t side = 0; side < 2; side++) {
            if (side < given->count)
                add_run(call, given->items[side]);
            for (size_t i = 0; i < (side ? newer : base)->count; i++)
                add_run(call, (side ? newer : base)->items[i]);
            if (!side)
                call->options.base_count = call->count;
        }
        call->base = side_name(call->paths, call->options.base_count);
        call->newer = side_name(call->paths + call->options.base_count, call->count - call->options.base_count);
    }
    call->options.paths = (struct option_list){call->paths, call->count};
    call->options.compare = true;
    call->options.is_diff = true;
}

static void call_end(struct diff_call *call) {
    for (size_t i = 0; i < call->count; i++)
        free(call->folders[i]);
    mem_free(call->folders);
    mem_free(call->paths);
    mem_free(call->base);
    mem_free(call->newer);
}

/* The names of the two sides: the paths of the call, or those in the report. */
static void name_sides(struct diff_request *request, const struct diff_call *call, const struct report_doc *report) {
    static const char *const fallback[] = {"base", "new"};
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

static bool print_diff(const struct diff_call *call, const struct report_doc *report, struct diff_limits *limits,
                       struct err *err) {
    const struct options *options = &call->options;
    yyjson_val *pair = yyjson_arr_get_first(json_get(json_get(report->root, "comparison"), "pairs"));
    struct diff_request request = {.figures_only = options->stat, .top = (size_t)options->top.value, .limits = limits};
    struct buf out = {0};
    if (!pair)
        return err_set(err, ERR_INPUT, "nothing to compare: diff needs two runs, but %s",
                       call->count == 1 ? "the path is one run" : "only one could be read");
    size_t exceeded = diff_limits_check(limits, pair);
    name_sides(&request, call, report);
    add_answer(&out, options, pair, &request);
    bool ok = answer_print(buf_slice(&out), err);
    buf_free(&out);
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
    size_t bases = (given > 0) + options->base.count, newer = (given > 1) + options->newer.count;
    if (options->base.count + options->newer.count && (!bases || !newer))
        return err_set(err, ERR_USAGE, "no run %s the change was given", bases ? "after" : "before");
    return true;
}

static void rename_side(char **name, const char *given) {
    mem_free(*name);
    *name = mem_strdup(given);
}

bool diff_run_named(const struct options *options, const char *const *names, struct err *err) {
    struct diff_limits limits = {0};
    struct answer_input input;
    struct diff_call call;
    for (size_t i = 0; i < options->fail_on.count; i++)
        if (!diff_limits_parse(&limits, options->fail_on.items[i], err))
            return false;
    if (!check_call(options, err))
        return false;
    call_begin(&call, options);
    if (names) {
        rename_side(&call.base, names[0]);
        rename_side(&call.newer, names[1]);
    }
    bool ok = answer_input_read(&input, &call.options, err) && print_diff(&call, &input.report, &limits, err);
    answer_input_finish(&input);
    call_end(&call);
    return ok;
}

bool diff_run(const struct options *options, struct err *err) {
    return diff_run_named(options, NULL, err);
}

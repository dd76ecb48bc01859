#include "cmd/diff.h"

#include "answers/diff.h"
#include "cmd/answer.h"

/* The names of the two runs: the paths of the call, or those in the report. */
static void name_runs(struct diff_request *request, const struct options *options, const struct report_doc *report) {
    static const char *const fallback[] = {"base", "new"};
    const char **names[] = {&request->base, &request->new};
    for (size_t side = 0; side < 2; side++) {
        yyjson_val *name = json_get(yyjson_arr_get(json_get(report->root, "ranks"), side), "name");
        *names[side] = options->paths.count == 2 ? options->paths.items[side]
                     : yyjson_is_str(name)       ? yyjson_get_str(name)
                                                 : fallback[side];
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

static bool print_diff(const struct options *options, const struct report_doc *report, struct diff_limits *limits,
                       struct err *err) {
    yyjson_val *pair = yyjson_arr_get_first(json_get(json_get(report->root, "comparison"), "pairs"));
    struct diff_request request = {.figures_only = options->stat, .top = (size_t)options->top.value, .limits = limits};
    struct buf out = {0};
    if (!pair)
        return err_set(err, ERR_INPUT, "nothing to compare: fewer than two runs could be read");
    size_t exceeded = diff_limits_check(limits, pair);
    name_runs(&request, options, report);
    add_answer(&out, options, pair, &request);
    bool ok = answer_print(buf_slice(&out), err);
    buf_free(&out);
    if (ok && exceeded)
        return err_set(err, ERR_LIMIT, "%zu of %zu limits exceeded", exceeded, limits->count);
    return ok;
}

bool diff_run(const struct options *options, struct err *err) {
    struct diff_limits limits = {0};
    struct answer_input input;
    struct options compared = *options;
    compared.compare = true;
    for (size_t i = 0; i < options->fail_on.count; i++)
        if (!diff_limits_parse(&limits, options->fail_on.items[i], err))
            return false;
    if (options->paths.count > 2)
        return err_set(err, ERR_USAGE, "diff compares two runs, but %zu paths were given", options->paths.count);
    bool ok = answer_input_read(&input, &compared, err) && print_diff(options, &input.report, &limits, err);
    answer_input_finish(&input);
    return ok;
}

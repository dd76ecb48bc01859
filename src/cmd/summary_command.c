#include "cmd/commands.h"

#include "answers/line_costs.h"
#include "answers/summary.h"
#include "cmd/answer.h"
#include "cmd/log_paths.h"

static void add_sarif(struct buf *out, yyjson_val *root) {
    char *project = project_root();
    const struct source_roots roots = answer_roots(project);
    line_costs_add_sarif(out, root, &roots);
    mem_free(project);
}

static void add_answer(struct buf *out, const struct options *options, const struct answer_input *input) {
    const struct summary_request request = {.name = input->name,
                                            .top = (size_t)options->top.value,
                                            .lines = options->by == SUMMARY_BY_LINE,
                                            .modules = options->by == SUMMARY_BY_MODULE};
    struct term term;
    switch ((enum answer_format)options->format) {
    case FORMAT_TEXT:
        term_init(&term, out, answer_width(), answer_color());
        summary_add_text(&term, &input->report, &request);
        term_finish(&term);
        break;
    case FORMAT_JSON:
        summary_add_json(out, &input->report, &request);
        break;
    case FORMAT_MARKDOWN:
        summary_add_markdown(out, &input->report, &request);
        break;
    }
}

bool summary_run(const struct options *options, struct err *err) {
    struct answer_input input;
    AUTO_BUF out = {0};
    bool whole = options->by != SUMMARY_BY_ISSUE;
    if (options->format == SUMMARY_SARIF && options->by != SUMMARY_BY_LINE)
        return err_set(err, ERR_USAGE, "--format sarif is for --by line");
    bool ok = whole ? answer_input_read(&input, options, err) : answer_input_read_summary(&input, options, err);
    if (ok && whole && input.report.kind != DOC_RUN)
        ok = err_set(err, ERR_USAGE, "--by %s is for one log, but %s has several",
                     options->by == SUMMARY_BY_LINE ? "line" : "module", input.name);
    if (ok) {
        if (options->format == SUMMARY_SARIF)
            add_sarif(&out, input.report.root);
        else
            add_answer(&out, options, &input);
        ok = answer_print(buf_slice(&out), err);
    }
    answer_input_finish(&input);
    return ok;
}

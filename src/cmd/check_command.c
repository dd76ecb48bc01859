#include "cmd/commands.h"

#include "answers/check.h"
#include "cmd/answer.h"
#include "cmd/log_paths.h"

/* A report with the reports inside it. */
struct checked {
    struct answer_input input;
    struct check_logs logs;
    struct report_part *parts;
};

static bool checked_read(struct checked *checked, const struct options *options, struct err *err) {
    *checked = (struct checked){0};
    if (!answer_input_read_all(&checked->input, options, err))
        return false;
    const struct answer_input *input = &checked->input;
    checked->parts = mem_zalloc(input->parts.count + 1, sizeof *checked->parts);
    for (size_t i = 0; i < input->parts.count; i++) {
        const struct answer_part *part = &input->parts.items[i];
        checked->parts[i] = (struct report_part){slice_str(part->dir), part->read ? part->report.root : NULL};
    }
    check_logs_init(&checked->logs, &input->report, checked->parts, input->parts.count, options->rank.given);
    return true;
}

static void checked_finish(struct checked *checked) {
    check_logs_finish(&checked->logs);
    mem_free(checked->parts);
    answer_input_finish(&checked->input);
}

static bool read_baseline(struct checked *baseline, const struct options *options, struct err *err) {
    struct options other = *options;
    other.paths = (struct option_list){(const char **)&options->baseline, 1};
    other.profile = (struct option_list){0};
    other.no_profiles = true;
    return checked_read(baseline, &other, err);
}

static void add_answer(struct buf *out, const struct options *options, const struct check_results *results,
                       const struct check_request *request) {
    struct term term;
    switch ((enum check_format)options->format) {
    case CHECK_TEXT:
        term_init(&term, out, answer_width(), answer_color());
        check_add_text(&term, results, request);
        term_finish(&term);
        break;
    case CHECK_GITHUB:
        check_add_github(out, results, request);
        break;
    case CHECK_JSON:
        check_add_json(out, results, request);
        break;
    case CHECK_JUNIT:
        check_add_junit(out, results, request);
        break;
    case CHECK_MARKDOWN:
        check_add_markdown(out, results, request);
        break;
    case CHECK_SARIF:
        check_add_sarif(out, results, request);
        break;
    }
}

static bool report_verdict(const struct check_results *results, struct err *err) {
    enum check_verdict verdict = check_verdict(results);
    AUTO_BUF text = {0};
    if (verdict == CHECK_PASSED)
        return true;
    check_add_counts(&text, results);
    err_set(err, verdict == CHECK_FAILED ? ERR_LIMIT : ERR_INPUT, "%.*s", (int)text.len, text.ptr);
    return false;
}

static bool print_check(const struct options *options, const struct check_rules *rules, const struct checked *checked,
                        const struct checked *baseline, struct err *err) {
    struct check_request request = {.name = checked->input.name,
                                    .top = options->top.value ? (size_t)options->top.value : 1};
    struct check_results results;
    AUTO_BUF out = {0};
    char *root = project_root();
    request.roots = answer_roots(root);

    check_run(&results, rules, &checked->logs, baseline ? &baseline->logs : NULL);
    add_answer(&out, options, &results, &request);
    bool ok = answer_print(buf_slice(&out), err) && report_verdict(&results, err);
    check_finish(&results);
    mem_free(root);
    return ok;
}

static bool needs_baseline(const struct check_rules *rules) {
    for (size_t i = 0; i < rules->count; i++)
        if (rules->items[i].scope == SCOPE_NEW)
            return true;
    return false;
}

bool check_command(const struct options *options, struct err *err) {
    struct check_rules rules = {0};
    struct checked checked = {0}, baseline = {0};
    bool ok = budget_files_read(&rules, options, err);
    if (ok && options->baseline && !needs_baseline(&rules)) {
        err_set(err, ERR_USAGE, "--baseline is not used: no budget limits what is new");
        ok = err_hint(err, "add --max new.graph_breaks=0, or \"new\" to a budget");
    }
    ok = ok && checked_read(&checked, options, err) && (!options->baseline || read_baseline(&baseline, options, err)) &&
         print_check(options, &rules, &checked, options->baseline ? &baseline : NULL, err);
    checked_finish(&baseline);
    checked_finish(&checked);
    budgets_finish(&rules);
    return ok;
}

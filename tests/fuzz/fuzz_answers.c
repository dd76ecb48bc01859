/* Any JSON as the report.json of a finished report, with the second text after a NUL as a budget: every answer about it is made
 * without trusting it. JSON answers are JSON, and no answer for a terminal has control characters. */
#define _GNU_SOURCE /* memfd_create */
#include <string.h>

#include "answers/budget.h"
#include "answers/check.h"
#include "answers/diff.h"
#include "answers/summary.h"
#include "base/mem.h"
#include "fuzz.h"
#include "share/redact.h"

static void must_be_json(const struct buf *text) {
    yyjson_doc *doc = yyjson_read(text->ptr, text->len, YYJSON_READ_BIGNUM_AS_RAW);
    MUST(doc);
    yyjson_doc_free(doc);
}

static void must_be_harmless(const struct buf *text) {
    for (size_t i = 0; i < text->len; i++)
        MUST((unsigned char)text->ptr[i] >= ' ' ? text->ptr[i] != 0x7f : text->ptr[i] == '\n');
}

static void summarize(const struct report_doc *report, size_t top) {
    struct summary_request request = {.name = "report", .top = top};
    struct buf out = {0};
    struct term term;
    term_init(&term, &out, 40 + (unsigned)top, false);
    summary_add_text(&term, report, &request);
    must_be_harmless(&out);
    term_finish(&term);
    out.len = 0;
    summary_add_json(&out, report, &request);
    must_be_json(&out);
    out.len = 0;
    summary_add_markdown(&out, report, &request);
    buf_free(&out);
}

static void compare(const struct report_doc *report, size_t top) {
    struct diff_limits limits = {0};
    struct err err = {0};
    MUST(diff_limits_parse(&limits, "compile_time>+10%,recompiles>0", &err) || err.text[0]);
    struct diff_request request = {.base = "a", .new = "b", .figures_only = top & 1, .top = top, .limits = &limits};
    yyjson_val *pair = yyjson_arr_get(json_get(json_get(report->root, "comparison"), "pairs"), 0);
    struct buf out = {0};
    struct term term;
    diff_limits_check(&limits, pair, json_get(pair, "run_time"));
    term_init(&term, &out, 80, false);
    diff_add_text(&term, pair, &request);
    must_be_harmless(&out);
    term_finish(&term);
    out.len = 0;
    diff_add_json(&out, pair, &request);
    must_be_json(&out);
    out.len = 0;
    diff_add_markdown(&out, pair, &request);
    buf_free(&out);
}

static void check(const struct report_doc *report, struct slice budget, size_t top) {
    struct check_rules rules = {0};
    struct err err = {0};
    bool good = budgets_add_file(&rules, budget, "budget", &err) && budgets_add_max(&rules, "recompiles=3", &err) &&
                budgets_add_max(&rules, "new.graph_breaks=0", &err);
    if (good) {
        struct check_logs logs;
        struct check_results results;
        struct check_request request = {.name = "report", .top = top, .roots = {SLICE("/home/user"), SLICE("")}};
        struct report_part part = {SLICE("rank_1"), report->root};
        struct buf out = {0};
        struct term term;
        check_logs_init(&logs, report, &part, top & 1, false);
        check_run(&results, &rules, &logs, top & 2 ? &logs : NULL);
        term_init(&term, &out, 80, false);
        check_add_text(&term, &results, &request);
        must_be_harmless(&out);
        term_finish(&term);
        out.len = 0;
        check_add_json(&out, &results, &request);
        must_be_json(&out);
        out.len = 0;
        check_add_sarif(&out, &results, &request);
        must_be_json(&out);
        out.len = 0;
        check_add_markdown(&out, &results, &request);
        check_add_github(&out, &results, &request);
        check_add_junit(&out, &results, &request);
        buf_free(&out);
        check_finish(&results);
        check_logs_finish(&logs);
    } else {
        MUST(err.code == ERR_USAGE);
    }
    budgets_finish(&rules);
}

static void redact(struct slice json, unsigned what) {
    struct redact state;
    struct buf out = {0};
    redact_init(&state, what);
    if (redact_learn(&state, json) && redact_json(&state, json, &out))
        must_be_json(&out);
    buf_free(&out);
    redact_finish(&state);
}

/* The first byte selects the length of lists and what is redacted. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1)
        return 0;
    struct slice json = {(const char *)data + 1, size - 1}, budget = SLICE("{\"version\": 1}");
    const char *end = size > 1 ? memchr(json.ptr, 0, json.len) : NULL;
    if (end) {
        budget = slice_from(json, (size_t)(end - json.ptr) + 1);
        json.len = (size_t)(end - json.ptr);
    }
    struct report_doc report;
    struct err err = {0};
    size_t top = 1 + data[0] % 8;
    if (report_doc_parse(&report, json, "report.json", &err)) {
        summarize(&report, top);
        compare(&report, top);
        check(&report, budget, top);
        report_doc_finish(&report);
    }
    redact(json, data[0] >> 4);
    return 0;
}


#include "answers/diff_figures.h"
#include "answers/line_costs.h"
#include "answers/module_costs.h"
#include "answers/sentences.h"
#include "answers/slowest.h"
#include "answers/summary.h"
#include "answers/table.h"
#include "answers/term.h"

enum { INDENT = 2, LABEL = 14, WHY_LINES = 4, ADVICE_LINES = 0 /* in full, because the reader should follow it */ };

/* Paragraphs behind labels in the left column. */
static void add_facts(struct term *term, const struct report_doc *report) {
    struct summary_facts facts;
    summary_facts_find(&facts, report);
    for (size_t i = 0; i < facts.items.count; i++) {
        struct slice label = slice_str(facts.items.items[i].label ? facts.items.items[i].label : "");
        unsigned columns = term_columns(term, label), gap = columns < LABEL ? LABEL - columns : 1;
        term_add(term, TERM_DIM, label);
        term_spaces(term, gap);
        term_prose(term, TERM_PLAIN, facts.items.items[i].text,
                   (struct term_box){.at = columns + gap, .indent = LABEL});
    }
    summary_facts_finish(&facts);
}

static void add_heading(struct term *term, const char *title, struct slice note) {
    term_newline(term);
    term_add(term, TERM_BOLD, slice_str(title));
    if (note.len) {
        term_spaces(term, 2);
        term_add(term, TERM_DIM, note);
    }
    term_newline(term);
}

static void add_title(struct term *term, const struct report_doc *report, const struct summary_request *request) {
    AUTO_BUF text = {0};
    term_add(term, TERM_BOLD, slice_str(request->name));
    term_newline(term);
    facts_add_run(&text, report);
    if (text.len)
        term_prose(term, TERM_DIM, buf_slice(&text), (struct term_box){0});
    term_newline(term);
}

static enum term_style style_of(yyjson_val *finding) {
    struct slice severity = json_get_text(finding, "severity");
    return slice_is(severity, "error") ? TERM_ERROR : slice_is(severity, "warning") ? TERM_WARNING : TERM_DIM;
}

/* Adds an indented paragraph; nothing if there is no text. */
static void add_prose(struct term *term, const char *label, struct slice text, unsigned lines) {
    unsigned at = INDENT;
    if (!text.len)
        return;
    term_spaces(term, INDENT);
    if (label[0]) {
        term_add(term, TERM_BOLD, slice_str(label));
        term_spaces(term, 1);
        at += term_columns(term, slice_str(label)) + 1;
    }
    term_prose(term, TERM_PLAIN, text, (struct term_box){.at = at, .indent = INDENT, .lines = lines});
}

/* Adds a line of the user's code: one line, truncated to the width. */
static void add_code(struct term *term, struct slice code) {
    struct slice line, rest = code;
    if (!slice_next_line(&rest, &line) || !slice_trim(line).len)
        return;
    term_spaces(term, 2 * INDENT);
    term_line(term, TERM_CODE, slice_trim(line), 2 * INDENT);
    term_newline(term);
}

/* Adds the place, and then the user's line that led there. */
static void add_places(struct term *term, yyjson_val *finding) {
    AUTO_BUF text = {0};
    yyjson_val *caller = json_get(finding, "caller");
    facts_add_place(&text, json_get(finding, "place"));
    if (text.len && yyjson_is_obj(caller)) {
        buf_add_lit(&text, ", called from ");
        facts_add_place(&text, caller);
    }
    add_prose(term, "", buf_slice(&text), 0);
}

/* Adds a sign, the title, and the cost: on the right, or below the title if there is no room. */
static void add_head(struct term *term, enum term_style style, const char *sign, struct slice title,
                     struct slice cost) {
    unsigned columns = INDENT + term_columns(term, title), right = cost.len ? term_columns(term, cost) : 0;
    bool fits = columns + 2 + right <= term->width;
    term_newline(term);
    term_add(term, style, slice_str(sign));
    term_spaces(term, 1);
    if (right && fits) {
        term_code(term, TERM_BOLD, title);
        term_spaces(term, term->width - right - columns);
        term_add(term, TERM_DIM, cost);
        term_newline(term);
        return;
    }
    term_prose(term, TERM_BOLD, title, (struct term_box){.at = INDENT, .indent = INDENT});
    add_prose(term, "", cost, 0);
}

static void add_finding(struct term *term, yyjson_val *root, yyjson_val *finding) {
    AUTO_BUF cost = {0}, title = {0};
    int64_t us;
    if (report_number(finding, "time_us", &us) && us > 0) {
        unit_add_time(&cost, us);
        buf_addf(&cost, " %s", facts_cost(finding));
    }
    buf_add(&title, json_get_text(finding, "title"));
    if (json_get_text(finding, "id").len)
        BUF_ADD(&title, " (", json_get_text(finding, "id"), ")");
    facts_add_owners(&title, root, finding);
    add_head(term, style_of(finding), facts_sign(finding), buf_slice(&title), buf_slice(&cost));
    add_code(term, json_get_text(finding, "code"));
    add_places(term, finding);
    add_prose(term, "", json_get_text(finding, "message"), WHY_LINES);
    add_prose(term, "", json_get_text(finding, "why"), WHY_LINES);
    add_prose(term, json_truthy(json_get(finding, "expected")) ? "Note:" : "Fix:", json_get_text(finding, "advice"),
              ADVICE_LINES);
}

static void add_more(struct term *term, size_t count, const struct summary_request *request, const char *one,
                     const char *many) {
    AUTO_BUF text = {0};
    if (count > request->top) {
        unit_add_plural(&text, count - request->top, one, many);
        if (request->all)
            buf_addf(&text, ": %s", request->all);
        else
            buf_addf(&text, ": use --top %zu", count);
        term_newline(term);
        term_add(term, TERM_DIM, buf_slice(&text));
        term_newline(term);
    }
}

static void add_findings(struct term *term, yyjson_val *root, yyjson_val *list, const struct summary_request *request) {
    size_t i, max, count = yyjson_arr_size(list);
    yyjson_val *finding;
    AUTO_BUF note = {0};
    if (!count) {
        term_newline(term);
        bool whole = !facts_missing_inputs(root);
        term_add(term, whole ? TERM_GOOD : TERM_WARNING, slice_str(facts_no_issues(whole)));
        term_newline(term);
        return;
    }
    unit_add_count(&note, count);
    if (count > 1)
        buf_add_lit(&note, ", most important first");
    add_heading(term, "Issues", buf_slice(&note));
    yyjson_arr_foreach(list, i, max, finding) {
        if (i == request->top)
            break;
        add_finding(term, root, finding);
    }
    add_more(term, count, request, "more issue", "more issues");
}

static void add_slowest(struct term *term, yyjson_val *compiles, size_t top) {
    struct slowest slowest;
    slowest_find(&slowest, compiles, top);
    if (slowest.count > 1) {
        struct table table;
        AUTO_BUF note = {0};
        if (slowest.timed > slowest.count)
            buf_addf(&note, "%zu of %zu", slowest.count, slowest.timed);
        add_heading(term, "Slowest compiles", buf_slice(&note));
        slowest_table(&table, &slowest);
        table_add_text(&table, term, INDENT);
        table_finish(&table);
    }
    slowest_finish(&slowest);
}

/* Adds what each side of a cause does: "ranks 0, 2 and 3: model.py:30 in a". */
static void add_sides(struct term *term, yyjson_val *cause) {
    size_t i, max;
    yyjson_val *side;
    uint64_t more = report_count(cause, "more_evidence");
    yyjson_arr_foreach(json_get(cause, "evidence"), i, max, side) {
        AUTO_BUF text = {0};
        facts_add_ranks(&text, json_get(side, "ranks"));
        size_t before = text.len;
        buf_add_lit(&text, ": ");
        facts_add_place(&text, json_get(side, "place"));
        if (json_get_text(side, "text").len)
            BUF_ADD(&text, text.len > before + 2 ? ", " : "", json_get_text(side, "text"));
        if (text.len > before + 2)
            add_prose(term, "", buf_slice(&text), 2);
    }
    if (more) {
        AUTO_BUF text = {0};
        unit_add_plural(&text, more, "more group of ranks", "more groups of ranks");
        add_prose(term, "", buf_slice(&text), 0);
    }
}

static void add_divergence(struct term *term, yyjson_val *root, const struct summary_request *request) {
    yyjson_val *causes = json_get(json_get(root, "divergence"), "root_causes"), *cause;
    size_t i, max, count = yyjson_arr_size(causes);
    uint64_t unlisted = report_count(json_get(root, "divergence"), "more_root_causes");
    AUTO_BUF text = {0};
    if (!count)
        return;
    unit_add_plural(&text, count + unlisted, "cause", NULL);
    if (unlisted)
        buf_addf(&text, ", of which report.json has %zu", count);
    add_heading(term, "Rank divergence", buf_slice(&text));
    yyjson_arr_foreach(causes, i, max, cause) {
        if (i == request->top)
            break;
        bool hang = json_truthy(json_get(cause, "may_hang")); /* the same signs as on the page */
        add_head(term, hang ? TERM_ERROR : TERM_WARNING, hang ? "✕" : "≠", json_get_text(cause, "title"),
                 hang ? SLICE("may hang") : (struct slice){0});
        text.len = 0;
        facts_add_place(&text, json_get(cause, "place"));
        add_prose(term, "", buf_slice(&text), 0);
        add_sides(term, cause);
    }
    add_more(term, count, request, "more cause", "more causes");
}

static void add_runs(struct term *term, yyjson_val *root) {
    struct table table;
    term_newline(term);
    runs_table(&table, json_get(root, "ranks"));
    table_add_text(&table, term, INDENT);
    table_finish(&table);
}

/* Adds the changes from the first run to each other one: the figures that `tlparse diff` prints. */
static void add_changes(struct term *term, yyjson_val *root, const struct summary_request *request) {
    struct diff_request of;
    yyjson_val *pair;
    size_t at = 0, count = 0;
    while ((pair = next_change(root, &at, &of)))
        if (count++ < request->top) {
            struct table table;
            if (count == 1)
                add_heading(term, "Changes", (struct slice){0});
            else
                term_newline(term);
            figures_table(&table, pair, &of);
            table_add_text(&table, term, INDENT);
            table_finish(&table);
        }
    add_more(term, count, request, "more run", "more runs");
}

static void add_lines(struct term *term, yyjson_val *root, const struct summary_request *request) {
    struct line_costs costs;
    AUTO_BUF note = {0};
    line_costs_find(&costs, root, request->top);
    unit_add_count(&note, costs.count);
    buf_add_lit(&note, " of ");
    unit_add_count(&note, costs.all);
    buf_add_str(&note, costs.profiled ? ", most run time first" : ", most compile time first");
    add_heading(term, "Lines", buf_slice(&note));
    if (costs.count) {
        struct table table;
        line_costs_table(&table, &costs);
        table_add_text(&table, term, INDENT);
        table_finish(&table);
    }
    line_costs_finish(&costs);
}

static void add_modules(struct term *term, yyjson_val *root, const struct summary_request *request) {
    struct module_costs costs;
    AUTO_BUF note = {0};
    module_costs_find(&costs, root, request->top);
    unit_add_count(&note, costs.list.count);
    buf_add_lit(&note, " of ");
    unit_add_count(&note, costs.all);
    buf_add_str(&note, costs.profiled ? ", most run time first" : ", most kernels first");
    add_heading(term, "Modules", buf_slice(&note));
    if (costs.list.count) {
        struct table table;
        module_costs_table(&table, &costs);
        table_add_text(&table, term, INDENT);
        table_finish(&table);
    }
    module_costs_finish(&costs);
}

void summary_add_text(struct term *term, const struct report_doc *report, const struct summary_request *request) {
    yyjson_val *root = report->root;
    add_title(term, report, request);
    if (request->lines) {
        add_lines(term, root, request);
        return;
    }
    if (request->modules) {
        add_modules(term, root, request);
        return;
    }
    add_facts(term, report);
    if (report->kind == DOC_RUNS)
        add_runs(term, root);
    if (report->kind == DOC_RANKS)
        add_divergence(term, root, request);
    add_changes(term, root, request);
    yyjson_val *findings = json_get(root, report->kind == DOC_RUN ? "findings" : "rank_findings");
    if (yyjson_arr_size(findings) || !facts_diverge(root)) /* divergence of ranks counts as an issue */
        add_findings(term, root, findings, request);
    if (report->kind == DOC_RUN)
        add_slowest(term, json_get(root, "compiles"), request->top < 5 ? request->top : 5);
}

#include "answers/check_words.h"

/* The columns of the sign, of the numbers, and of the text. */
enum { NUMBER = 9, AT = 2 + NUMBER + 2 };

static const struct {
    const char *sign;
    enum term_style style;
} signs[CHECK_VERDICTS] = {[CHECK_PASSED] = {"✓", TERM_GOOD},
                           [CHECK_FAILED] = {"✕", TERM_ERROR},
                           [CHECK_UNDECIDED] = {"?", TERM_WARNING},
                           [CHECK_SKIPPED] = {"-", TERM_DIM}};

/* Adds a number, right-aligned in its column, and returns the next column. Empties the text. */
static unsigned add_number(struct term *term, enum term_style style, struct buf *text) {
    unsigned columns = term_columns(term, buf_slice(text)), gap = columns < NUMBER ? NUMBER - columns : 0;
    term_spaces(term, gap);
    term_add(term, style, buf_slice(text));
    term_spaces(term, 2);
    text->len = 0;
    return 2 + gap + columns + 2;
}

static void add_prose(struct term *term, enum term_style style, unsigned at, unsigned indent, struct slice text,
                      unsigned lines) {
    term_prose(term, style, text, (struct term_box){.at = at, .indent = indent, .lines = lines});
}

/* An indented paragraph. */
static void add_below(struct term *term, enum term_style style, unsigned indent, struct slice text, unsigned lines) {
    if (!text.len)
        return;
    term_spaces(term, indent);
    add_prose(term, style, indent, indent, text, lines);
}

static void add_code(struct term *term, unsigned indent, struct slice code) {
    if (!code.len)
        return;
    term_spaces(term, indent);
    term_line(term, TERM_CODE, code, indent);
    term_newline(term);
}

/* "  on ranks 0–3", if there are several logs */
static void add_logs(struct buf *out, const struct check_results *results, const size_t *logs, size_t count) {
    if (!count || results->logs->count < 2)
        return;
    buf_add_lit(out, " on ");
    check_logs_add_names(out, results->logs, logs, count);
}

static void add_cause(struct term *term, const struct check_results *results, const struct check_result *result,
                      const struct check_group *group, const struct check_cause *cause) {
    AUTO_BUF text = {0};
    bool named = cause_is_at_group(cause, group); /* the line of the group shows the place */
    unsigned at = AT;
    if (!named) {
        term_spaces(term, 2);
        cause_add_amount(&text, result->rule, cause);
        at = add_number(term, TERM_PLAIN, &text);
        cause_add_place(&text, cause);
        named = text.len > 0;
        if (!named) /* adds the text itself */
            buf_add(&text, cause->text.len ? cause->text : SLICE("place not logged"));
        if (!group->function.len)
            add_logs(&text, results, cause->logs.items, cause->logs.count);
        add_prose(term, TERM_PLAIN, at, AT, buf_slice(&text), named ? 0 : 2);
        if (!named)
            return;
    }

    add_code(term, AT, cause->code);
    add_below(term, TERM_DIM, AT, cause->text, 2);
}

static void add_group(struct term *term, const struct check_results *results, const struct check_result *result,
                      const struct check_group *group, size_t top) {
    AUTO_BUF text = {0};
    if (group->function.len || group->file.len) {
        struct check_cause whole = {.amount = group->value};
        cause_add_amount(&text, result->rule, &whole);
        term_spaces(term, 2);
        unsigned at = add_number(term, TERM_PLAIN, &text);
        group_add_name(&text, group);
        add_logs(&text, results, group->logs.items, group->logs.count);
        add_prose(term, TERM_PLAIN, at, AT, buf_slice(&text), 0);
        text.len = 0;
    }
    for (size_t i = 0; i < group->causes.count && i < top; i++)
        add_cause(term, results, result, group, &group->causes.items[i]);
    if (group->causes.count > top) {
        buf_addf(&text, "%zu more: use --top %zu", group->causes.count - top, group->causes.count);
        add_below(term, TERM_DIM, AT, buf_slice(&text), 0);
    }
}

/* "recompiles, at most 3 (training)" */
static void add_rule(struct term *term, unsigned at, const struct check_rule *rule) {
    AUTO_BUF title = {0}, limit = {0};
    check_rule_add_title(&title, rule);
    buf_add_lit(&limit, ", ");
    result_add_limit(&limit, rule);
    if (rule->budget.len)
        BUF_ADD(&limit, " (", rule->budget, ")");
    if (at + term_columns(term, buf_slice(&title)) + term_columns(term, buf_slice(&limit)) <= term->width) {
        term_add(term, TERM_BOLD, buf_slice(&title));
        term_add(term, TERM_DIM, buf_slice(&limit));
        term_newline(term);
    } else {
        buf_add(&title, buf_slice(&limit));
        add_prose(term, TERM_BOLD, at, AT, buf_slice(&title), 0);
    }
}

static void add_result(struct term *term, const struct check_results *results, const struct check_result *result,
                       size_t top) {
    AUTO_BUF text = {0};
    term_add(term, signs[result->verdict].style, slice_str(signs[result->verdict].sign));
    term_spaces(term, 1);
    result_add_value(&text, result);
    unsigned at = add_number(term, TERM_BOLD, &text);
    add_rule(term, at, result->rule);
    add_below(term, TERM_DIM, AT, result->why, 0);
    for (size_t g = 0; g < result->groups.count && g < top; g++)
        add_group(term, results, result, &result->groups.items[g], top);
    if (result->groups.count > top) {
        buf_addf(&text, "%zu more functions: use --top %zu", result->groups.count - top, result->groups.count);
        add_below(term, TERM_DIM, AT, buf_slice(&text), 0);
    }
}

void check_add_text(struct term *term, const struct check_results *results, const struct check_request *request) {
    AUTO_BUF text = {0};
    term_add(term, TERM_BOLD, slice_str(request->name));
    term_newline(term);
    term_newline(term);
    for (size_t i = 0; i < results->count; i++)
        add_result(term, results, &results->items[i], request->top);
    if (check_verdict(results) == CHECK_PASSED) { /* otherwise, the error message says so */
        check_add_counts(&text, results);
        term_newline(term);
        term_add(term, TERM_GOOD, buf_slice(&text));
        term_newline(term);
    }
}

#include "answers/check_words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "answers/check_parts.h"
#include "answers/term.h"

struct slice check_words(struct arena *arena, struct buf *text) {
    struct slice words = arena_slice(arena, buf_slice(text));
    buf_free(text);
    return words;
}

void check_decide(struct check_result *result, const struct check_value *value) {
    result->known = value->known;
    result->at_least = value->known && value->at_least;
    result->value = value->value;
    result->verdict = value->known && value->value > result->rule->most ? CHECK_FAILED
                    : !value->known || value->at_least                  ? CHECK_UNDECIDED
                                                                        : CHECK_PASSED;
    if (result->verdict == CHECK_UNDECIDED || !value->at_least)
        result->why = value->why;
}

const char *verdict_word(enum check_verdict verdict) {
    static const char *const words[CHECK_VERDICTS] = {[CHECK_PASSED] = "passed",
                                                      [CHECK_FAILED] = "failed",
                                                      [CHECK_UNDECIDED] = "undecided",
                                                      [CHECK_SKIPPED] = "skipped"};
    return words[verdict];
}

/* Whether check_value_add() would round the limit. A time is shown with three digits. */
static bool is_rounded(const struct check_rule *rule) {
    char digits[40];
    if (rule->metric->unit == UNIT_PERCENT)
        snprintf(digits, sizeof digits, fabs(rule->most) < 10 ? "%.1f" : "%.0f", rule->most);
    else
        snprintf(digits, sizeof digits, "%.3g", rule->most);
    bool small = rule->metric->unit == UNIT_TIME && rule->most < 1000; /* given in nanoseconds, perhaps */
    return rule->metric->unit != UNIT_COUNT && (small || strtod(digits, NULL) != rule->most);
}

void result_add_value(struct buf *out, const struct check_result *result) {
    if (!result->known) {
        buf_add_lit(out, "–");
        return;
    }
    AUTO_BUF value = {0}, most = {0};
    check_value_add(&value, result->rule->metric, result->value);
    check_value_add(&most, result->rule->metric, result->rule->most);
    bool equal = result->verdict == CHECK_FAILED && slice_eq(buf_slice(&value), buf_slice(&most));
    if (equal || is_rounded(result->rule)) { /* not "60 s, at most 60 s" */
        value.len = 0;
        check_value_add_exact(&value, result->rule->metric, result->value);
    }
    BUF_ADD(out, result->at_least ? "≥\u00a0" : "", buf_slice(&value));
}

void result_add_limit(struct buf *out, const struct check_rule *rule) {
    buf_add_lit(out, "at most ");
    (is_rounded(rule) ? check_value_add_exact : check_value_add)(out, rule->metric, rule->most);

    buf_add_str(out, rule->scope == SCOPE_FUNCTION ? " per function" : "");
}

void result_add_sentence(struct buf *out, const struct check_result *result) {
    check_rule_add_title(out, result->rule);
    buf_add_lit(out, ": ");
    if (result->known) {
        result_add_value(out, result);
        buf_add_lit(out, ", ");
    }
    result_add_limit(out, result->rule);
    BUF_ADD(out, result->why.len ? "; " : "", result->why);
}

static void add_line(struct buf *out, struct slice file, uint64_t line) {
    buf_add(out, file);
    if (line)
        buf_addf(out, ":%" PRIu64, line);
}

void group_add_name(struct buf *out, const struct check_group *group) {
    BUF_ADD(out, group->function, group->function.len && group->file.len ? ", " : "");
    if (group->file.len)
        add_line(out, group->file, group->line);
}

void cause_add_amount(struct buf *out, const struct check_rule *rule, const struct check_cause *cause) {
    if (rule->metric->unit == UNIT_COUNT && cause->amount)
        unit_add_count(out, (uint64_t)cause->amount);
    else if (cause->amount)
        unit_add_time(out, cause->amount);
}

void cause_add_place(struct buf *out, const struct check_cause *cause) {
    if (cause->file.len)
        add_line(out, cause->file, cause->line);
    if (!cause->function.len)
        return;
    BUF_ADD(out, cause->file.len ? " in " : "", cause->function);
}

bool cause_is_at_group(const struct check_cause *cause, const struct check_group *group) {
    return group->function.len && slice_eq(cause->file, group->file) && cause->line == group->line;
}

/* "7 recompiles", "1.2 s of compile time" */
static void add_part(struct buf *out, const struct check_metric *metric, const struct check_cause *cause) {
    if (metric->unit == UNIT_COUNT) {
        unit_add_plural(out, (uint64_t)cause->amount, metric->one, metric->many);
        return;
    }
    unit_add_time(out, cause->amount);
    buf_addf(out, " of %s", metric->many);
}

bool cause_says_nothing(const struct check_cause *cause, const struct check_group *group) {
    return cause_is_at_group(cause, group) && !cause->text.len && !cause->code.len;
}

void check_cause_add_message(struct buf *out, const struct check_results *results, const struct check_result *result,
                             const struct check_cause *cause) {
    size_t start = out->len;
    if (cause->amount)
        add_part(out, result->rule->metric, cause);
    if (cause->function.len)
        BUF_ADD(out, out->len > start ? " in " : "in ", cause->function);
    if (cause->logs.count && results->logs->count > 1) {
        buf_add_lit(out, " on ");
        check_logs_add_names(out, results->logs, cause->logs.items, cause->logs.count);
    }
    BUF_ADD(out, out->len > start && cause->text.len ? ": " : "", cause->text);
}

void check_add_counts(struct buf *out, const struct check_results *results) {
    const size_t *counts = results->counts;
    if (counts[CHECK_FAILED]) {
        buf_addf(out, "%zu of ", counts[CHECK_FAILED]);
        unit_add_plural(out, results->count, "rule", NULL);
        buf_add_lit(out, " failed");
    } else {
        buf_addf(out, "%zu of ", counts[CHECK_PASSED]);
        unit_add_plural(out, results->count, "rule", NULL);
        buf_add_lit(out, " passed");
    }
    if (counts[CHECK_UNDECIDED])
        buf_addf(out, ", %zu undecided", counts[CHECK_UNDECIDED]);
    if (counts[CHECK_SKIPPED])
        buf_addf(out, ", %zu skipped", counts[CHECK_SKIPPED]);
}

/* One sanitized line. */
static void add_plain(struct buf *out, unsigned indent, struct slice text) {
    if (!text.len)
        return;
    buf_addf(out, "%*s", (int)indent, "");
    printable_add(out, text, SIZE_MAX);
    buf_add_byte(out, '\n');
}

static void add_cause(struct buf *out, const struct check_results *results, const struct check_result *result,
                      const struct check_group *group, const struct check_cause *cause) {
    unsigned indent = group->function.len ? 2 : 0;
    if (cause_says_nothing(cause, group))
        return;
    AUTO_BUF line = {0};
    cause_add_amount(&line, result->rule, cause);
    if (!cause_is_at_group(cause, group)) {
        buf_add_str(&line, line.len && (cause->file.len || cause->function.len) ? "  " : "");
        cause_add_place(&line, cause);
    }
    if (cause->logs.count && results->logs->count > 1 && !group->function.len) {
        buf_add_lit(&line, "  on ");
        check_logs_add_names(&line, results->logs, cause->logs.items, cause->logs.count);
    }
    add_plain(out, indent, buf_slice(&line));
    add_plain(out, indent + 2, cause->code);
    add_plain(out, indent + 2, cause->text);
}

void result_add_causes(struct buf *out, const struct check_results *results, const struct check_result *result,
                       size_t top) {
    AUTO_BUF line = {0};
    for (size_t g = 0; g < result->groups.count && g < top; g++) {
        const struct check_group *group = &result->groups.items[g];
        line.len = 0;
        group_add_name(&line, group);
        if (line.len && results->logs->count > 1) {
            buf_add_lit(&line, "  on ");
            check_logs_add_names(&line, results->logs, group->logs.items, group->logs.count);
        }
        add_plain(out, 0, buf_slice(&line));
        for (size_t i = 0; i < group->causes.count && i < top; i++)
            add_cause(out, results, result, group, &group->causes.items[i]);
        if (group->causes.count > top)
            buf_addf(out, "%zu more\n", group->causes.count - top);
    }
    if (result->groups.count > top)
        buf_addf(out, "%zu more functions\n", result->groups.count - top);
}

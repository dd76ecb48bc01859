/* check_words.h - texts about results that several formats share. Pure; any thread. */
#pragma once

#include "answers/check.h"

/* "passed", "failed", "undecided", "skipped" */
const char *verdict_word(enum check_verdict verdict);
/* "17", "≥ 2", "–" if there is no value */
void result_add_value(struct buf *out, const struct check_result *result);
/* "at most 3", of functions "at most 3 per function" */
void result_add_limit(struct buf *out, const struct check_rule *rule);
/* "recompiles: 17, at most 3" or "cache misses: the log has no cache results" */
void result_add_sentence(struct buf *out, const struct check_result *result);
/* "by_scalar, recompiles.py:20"; nothing for the totals */
void group_add_name(struct buf *out, const struct check_group *group);
/* "7" or "1.2 s"; nothing if the number has no parts */
void cause_add_amount(struct buf *out, const struct check_rule *rule, const struct check_cause *cause);
/* "/src/model.py:12 in forward" */
void cause_add_place(struct buf *out, const struct check_cause *cause);
/* Whether a cause is at the function of its group. */
bool cause_is_at_group(const struct check_cause *cause, const struct check_group *group);
/* Whether its group says all of it. */
bool cause_says_nothing(const struct check_cause *cause, const struct check_group *group);
/* "7 recompiles in f on rank 1: `k` changed 0 → 1" in one line, for a message beside the line of code. */
void check_cause_add_message(struct buf *out, const struct check_results *results, const struct check_result *result,
                             const struct check_cause *cause);
/* The causes of a failed rule in plain text, a line each, with their texts below, sanitized, at most `top` of each group. */
void result_add_causes(struct buf *out, const struct check_results *results, const struct check_result *result,
                       size_t top);
/* A file, relative to a root of the request if it is below one. */
struct slice request_path(const struct check_request *request, struct slice file);

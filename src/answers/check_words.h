/* check_words.h - texts about results that several formats share. Pure; any thread. */
#pragma once

#include "answers/check.h"

/* "passed", "failed", "undecided", "skipped" */
const char *verdict_word(enum check_verdict verdict);
/* Adds "17", "≥ 2", or "–" if there is no value. */
void result_add_value(struct buf *out, const struct check_result *result);
/* Adds "at most 3", or for functions, "at most 3 per function". */
void result_add_limit(struct buf *out, const struct check_rule *rule);
/* Adds "recompiles: 17, at most 3" or "cache misses: the log has no cache results". */
void result_add_sentence(struct buf *out, const struct check_result *result);
/* Adds "by_scalar, recompiles.py:20"; nothing for the totals. */
void group_add_name(struct buf *out, const struct check_group *group);
/* Adds "7" or "1.2 s"; nothing if the number has no parts. */
void cause_add_amount(struct buf *out, const struct check_rule *rule, const struct check_cause *cause);
/* Adds "/src/model.py:12 in forward". */
void cause_add_place(struct buf *out, const struct check_cause *cause);
/* Whether a cause has the place of its group's function. */
bool cause_is_at_group(const struct check_cause *cause, const struct check_group *group);
/* Whether the cause adds nothing to its group. */
bool cause_says_nothing(const struct check_cause *cause, const struct check_group *group);
/* Adds "7 recompiles in f on rank 1: `k` changed 0 → 1" on one line, for a message next to the line of code. */
void check_cause_add_message(struct buf *out, const struct check_results *results, const struct check_result *result,
                             const struct check_cause *cause);
/* Adds the causes of a failed rule as sanitized plain text: one line each, with their texts below, at most `top` per
 * group. */
void result_add_causes(struct buf *out, const struct check_results *results, const struct check_result *result,
                       size_t top);

/* redact_setting.h - settings in texts: their names, which stay, and their values, which do not.
 *
 * Names are those of PyTorch's settings (vocabulary.h), those that the log has, and words such as inductor_config. Values are found in two ways: what is
 * on a line with the name of a setting, and texts that the log has as values of settings, wherever they are. */
#pragma once

#include "share/redact_state.h"

void redact_learn_setting(struct redact *r, struct slice name);
/* Collects a text that is the value of a setting, unless the vocabulary has all of its words. */
void redact_learn_value(struct redact *r, struct slice value);
/* The length of a collected value at `at`, else 0. */
size_t redact_value_at(struct redact *r, struct slice text, size_t at);
/* Whether the word is the name of a setting. */
bool redact_is_setting(const struct redact *r, struct slice word);
/* Whether a line names a setting or an environment variable. */
bool redact_has_setting(const struct redact *r, struct slice line);

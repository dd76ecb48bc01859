/* redact_parts.h - interfaces between the parts of redaction. One thread. */
#pragma once

#include "share/redact_state.h"

/* redact_text.c - redaction of one text: settings, paths, words. See redact.h. */
/* Adds a sentence, a name, a value or source code. */
void redact_add_text(struct redact *r, struct slice text, enum redact_style style, struct buf *out);
/* Adds a value that is a path as a whole, even if it has spaces. */
void redact_add_whole_path(struct redact *r, struct slice path, struct buf *out);
/* Adds the text of an artifact, line by line: if settings are removed, a line that names a setting becomes its shape.
 */
void redact_add_lines(struct redact *r, struct slice text, struct buf *out);

/* redact_context.c - text that is removed because of its context, even if the vocabulary has all of its words: values
 * of environment variables, users, hosts, mail addresses, IP addresses.
 *
 * Pure; the time for all positions in a text is linear. */
/* The value after a word that ends at `end`: NAME=x, "NAME": 'x', NAME: x. An empty slice if there is none. Quotes are
 * not included. */
struct slice redact_value_behind(struct slice text, size_t end);
/* Whether the word from `from` to `end` names an environment variable: MASTER_ADDR. */
bool redact_is_variable(struct slice text, size_t from, size_t end);
/* Whether the word names a user or a host: USER=x, host: x. In source code, it must be an environment variable. */
bool redact_is_person(struct slice word, enum redact_style style);
/* The length of a mail address, "user@host", or an IP address that begins at `at`, else 0. In source code, @ is an operator, too. */
size_t redact_address_at(struct slice text, size_t at, enum redact_style style);

/* redact_setting.c - settings in texts: their names, which stay, and their values, which are removed.
 *
 * Names are those of PyTorch's settings (redact_word.h), those in the log, and words such as inductor_config. Values are
 * found in two ways: on a line with the name of a setting; and, anywhere, as texts that the log has as values of
 * settings. */
void redact_learn_setting(struct redact *r, struct slice name);
/* Collects a text that is the value of a setting, unless the vocabulary has all of its words. */
void redact_learn_value(struct redact *r, struct slice value);
/* The length of a collected value at `at`, else 0. */
size_t redact_value_at(struct redact *r, struct slice text, size_t at);
/* Whether the word is the name of a setting. */
bool redact_is_setting(const struct redact *r, struct slice word);
/* Whether a line names a setting or an environment variable. */
bool redact_has_setting(const struct redact *r, struct slice line);

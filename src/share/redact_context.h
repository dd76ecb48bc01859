/* redact_context.h - what is removed because of what is around it, even if the vocabulary has all of its words: values of environment variables, users,
 * hosts, mail addresses, IP addresses.
 *
 * Pure; the time for all places of a text is linear in it. */
#pragma once

#include "share/redact_state.h"

/* Where the value is that follows a word which ends at `end`: NAME=x, "NAME": 'x', NAME: x. An empty slice if there is none. Quotes are not part of it. */
struct slice redact_value_behind(struct slice text, size_t end);
/* Whether the word from `from` to `end` names an environment variable: MASTER_ADDR. */
bool redact_is_variable(struct slice text, size_t from, size_t end);
/* Whether the word names a user or a host: USER=x, host: x. In source code, it must be a variable of the environment. */
bool redact_is_person(struct slice word, enum redact_style style);
/* The length of a mail address, "user@host", or an IP address that begins at `at`, else 0. In source code, @ is an operator, too. */
size_t redact_address_at(struct slice text, size_t at, enum redact_style style);

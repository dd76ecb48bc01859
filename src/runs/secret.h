/* secret.h - removes secrets that must not be kept: passwords, tokens and keys in arguments, in the environment, and in
 * texts that show them.
 *
 * All such texts pass through this module. It guesses by name (secret_name.h) and shape (secret_view.h), and rather
 * removes too much: a value that follows the name of a secret becomes "***", and so does text with the shape of a
 * secret anywhere, including a command line, JSON, code, headers or a URL within an argument. The time is linear in the
 * text. Pure; any thread. */
#pragma once

#include "base/base.h"

/* Whether a variable may be secret: its name suggests it (HF_TOKEN), or its value contains a secret. */
bool secret_is_variable(struct slice name, struct slice value);

/* The arguments of a command, in order. Start with {0}; the arguments must outlive it. */
struct secret_command {
    struct slice before;  /* the previous argument */
    unsigned char awaits; /* private, and the rest */
    bool several, header;
};
/* Adds the next argument without the secrets in it: "--token=***", and "***" after "--token". */
void secret_add_argument(struct secret_command *command, struct buf *out, struct slice argument);

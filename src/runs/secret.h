/* secret.h - what must not be kept: passwords, tokens and keys in arguments, in the environment, and in what is shown of them.
 *
 * All of it goes through here. A guess by name (secret_name.h) and shape (secret_shape.h), in favor of leaving out too much:
 * a value that follows the name of a secret becomes "***", and so does what looks like one anywhere, also in a command line,
 * JSON, code, headers or a URL within an argument. The time is linear in the text. Pure; any thread. */
#pragma once

#include "base/base.h"

/* Whether a variable may be secret: its name says so (HF_TOKEN), or its value has a secret in it. */
bool secret_is_variable(struct slice name, struct slice value);

/* The arguments of a command, one after the other. {0} is the start; the arguments outlive it. */
struct secret_command {
    struct slice before;  /* the argument before this one */
    unsigned char awaits; /* private, and the rest */
    bool several, header;
};
/* Adds the next argument without the secrets in it: "--token=***", and "***" after "--token". */
void secret_add_argument(struct secret_command *command, struct buf *out, struct slice argument);

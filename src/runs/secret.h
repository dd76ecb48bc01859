/* secret.h - what must not be kept: passwords, tokens and keys in arguments and in the environment.
 *
 * A guess by name and shape, in favor of leaving out too much. Pure; any thread. */
#ifndef TLPARSE_RUNS_SECRET_H
#define TLPARSE_RUNS_SECRET_H

#include "base/buf.h"

/* Whether the name of a variable or an option says that its value is secret: HF_TOKEN, --api-key. */
bool secret_is_name(struct slice name);
/* Whether the value has the shape of a secret: a URL with a password, a known prefix of tokens, a private key. */
bool secret_is_value(struct slice value);
/* Adds an argument of a command without the secret in it: "--token=***". `before` is the argument before it, an empty
 * slice for the first. */
void secret_add_argument(struct buf *out, struct slice argument, struct slice before);

#endif

/* secret_name.h - names of secrets: options, variables, settings, headers and URL parameters.
 *
 * A name is split into words: --api-key, API_KEY and apiKey are equivalent. Pure; any thread. */
#pragma once

#include "runs/secret_view.h"

enum secret_name {
    SECRET_NO,
    SECRET_MAYBE, /* not secret if the value is a number: --key 8, --max-token 128 */
    SECRET_YES,
    SECRET_OF_USER, /* only secret for values such as user:password: -u */
};

/* Whether the name is that of a secret value. `text` comes from a secret_view. With `query`, it is a parameter of a
 * URL. */
enum secret_name secret_name_of(struct slice text, bool query);
/* Whether an option of this name may have several values: --api-keys. Only for names of secrets. */
bool secret_name_is_plural(struct slice text);
/* Whether the word begins a value of several words: "Bearer" in a header. */
bool secret_is_scheme(struct slice word);

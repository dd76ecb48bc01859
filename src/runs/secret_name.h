/* secret_name.h - names of what is secret: of options, variables, settings, headers and parameters of URLs.
 *
 * A name is split into words: --api-key, API_KEY and apiKey are alike. Pure; any thread. */
#pragma once

#include "runs/secret_view.h"

enum secret_name {
    SECRET_NO,
    SECRET_MAYBE, /* numbers are not secret: --key 8, --max-token 128 */
    SECRET_YES,
    SECRET_OF_USER, /* only a value such as user:password: -u */
};

/* What the name says of its value. `text` is of a secret_view. With `query`, it is a parameter of a URL. */
enum secret_name secret_name_of(struct slice text, bool query);
/* Whether an option of this name may have several values: --api-keys. Only for names that are secret. */
bool secret_name_is_plural(struct slice text);
/* Whether a word is the first one of several in a value: "Bearer" of a header. */
bool secret_is_scheme(struct slice word);

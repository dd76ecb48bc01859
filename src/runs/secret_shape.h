/* secret_shape.h - what has the shape of a secret, whatever its name: tokens of known services, passwords in URLs, keys.
 *
 * `view` is of a secret_view. Pure; any thread. */
#pragma once

#include "runs/secret_view.h"

/* What was looked for in vain, so that no text is read twice. {0} is valid; one for each view. */
struct secret_shapes {
    size_t no_at; /* up to here there is no @ in this word */
};

/* The end of a secret at `at`, and *from where it begins, which may be behind "Bearer " or "https://"; 0 if there is none. */
size_t secret_shape_at(struct secret_shapes *shapes, struct slice view, size_t at, size_t *from);

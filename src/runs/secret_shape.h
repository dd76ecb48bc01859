/* secret_shape.h - recognizes secrets by their shape, whatever their names: tokens of known services, passwords in
 * URLs, keys.
 *
 * `view` comes from a secret_view. Pure; any thread. */
#pragma once

#include "runs/secret_view.h"

/* Remembers unsuccessful searches, so no text is read twice. {0} is valid; use one for each view. */
struct secret_shapes {
    size_t no_at; /* up to here there is no @ in this word */
};

/* The end of a secret at `at`; 0 if there is none. Sets *from to its start, which may be after "Bearer " or "https://".
 */
size_t secret_shape_at(struct secret_shapes *shapes, struct slice view, size_t at, size_t *from);

/* units.h - numbers for readers, in the same form as on the page (web/src/lib/format.ts): three significant digits, a
 * no-break space (U+00A0) before the unit, which term.h prints as a space. Pure; any thread. */
#pragma once

#include "base/base.h"

/* Adds microseconds as "1.23 s", "45.6 ms", "2 min 5 s", "3 h 20 min". */
void unit_add_time(struct buf *out, int64_t us);
/* Adds bytes as "12.3 MB". */
void unit_add_bytes(struct buf *out, uint64_t bytes);
/* Adds 1234567 as "1,234,567". */
void unit_add_count(struct buf *out, uint64_t count);
/* Adds "1 compile" or "2 compiles"; many may be NULL if the plural is `one` with an "s". */
void unit_add_plural(struct buf *out, uint64_t count, const char *one, const char *many);

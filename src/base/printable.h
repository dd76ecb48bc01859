/* printable.h - text from a log or a file name, made safe to print. Pure; any thread. */
#ifndef TLPARSE_BASE_PRINTABLE_H
#define TLPARSE_BASE_PRINTABLE_H

#include "base/buf.h"

/* Adds text that cannot control a terminal: control characters, invisible characters and bidi marks become \xNN or \u{NNNN},
 * a tab becomes a space, and invalid UTF-8 becomes U+FFFD. Text longer than `max` bytes is truncated and ends in "…". */
void printable_add(struct buf *out, struct slice text, size_t max);

#endif

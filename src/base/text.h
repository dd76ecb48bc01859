/* text.h - plain text: where it ends, how it is printed, what a misspelled word was meant to be. */
#pragma once

#include "base/buf.h"
#include "base/slice.h"

/* scan.c - finds the end of plain text, sixteen bytes at a time.
 *
 * Nearly every byte of a log is written again with escapes, and nearly none needs one. Each function returns the first
 * index at or after `from` whose byte may need an escape, or the length. Pure; any thread. */
/* For a JSON string: a control character, DEL, a quote or a backslash. */
size_t scan_json(struct slice text, size_t from);
/* For HTML text: a control character (also TAB and line feed), DEL, & < > and both quotes. */
size_t scan_html(struct slice text, size_t from);

/* printable.c - text from a log or a file name, made safe to print. Pure; any thread. */
/* Adds text that cannot control a terminal: control characters, invisible characters and bidi marks become \xNN or \u{NNNN},
 * a tab becomes a space, and invalid UTF-8 becomes U+FFFD. Text longer than `max` bytes is truncated and ends in "…". */
void printable_add(struct buf *out, struct slice text, size_t max);

/* nearest.c - finds what a misspelled name was meant to be. Pure, any thread. */
/* The candidate with the fewest edits (insert, delete, replace a byte, swap two neighbors) to the name, if that is at
 * most a third of its bytes, rounded up; the first of several. NULL if there is none. Candidates that are NULL are
 * skipped. Names longer than 63 bytes have no candidate. */
const char *nearest_name(struct slice name, const char *const *candidates, size_t count);

/* scan.h - finds the end of plain text, sixteen bytes at a time.
 *
 * Nearly every byte of a log is written again with escapes, and nearly none needs one. Each function returns the first
 * index at or after `from` whose byte may need an escape, or the length. Pure; any thread. */
#ifndef TLPARSE_BASE_SCAN_H
#define TLPARSE_BASE_SCAN_H

#include "base/slice.h"

/* For a JSON string: a control character, DEL, a quote or a backslash. */
size_t scan_json(struct slice text, size_t from);
/* For HTML text: a control character (also TAB and line feed), DEL, & < > and both quotes. */
size_t scan_html(struct slice text, size_t from);

#endif

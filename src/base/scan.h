/* scan.h - how far a text stays plain, sixteen bytes at a time.
 *
 * Nearly every byte of a log is written again with escapes, and nearly none needs one. Each function gives the first place
 * at or behind `from` whose byte may have to be escaped, or the length. Pure; any thread. */
#ifndef TLPARSE_BASE_SCAN_H
#define TLPARSE_BASE_SCAN_H

#include "base/slice.h"

/* For a string of JSON: a control character, DEL, a quote or a backslash. */
size_t scan_json(struct slice text, size_t from);
/* For text of HTML: a control character (TAB and line feed too), DEL, & < > and both quotes. */
size_t scan_html(struct slice text, size_t from);

#endif

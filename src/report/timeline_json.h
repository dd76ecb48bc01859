/* timeline_json.h - the timeline as JSON: its summary in report.json, and data/timeline.js.
 *
 * The spans are in data/timeline/, which analysis/timeline.h writes while the log is read. Times are in microseconds since
 * the first event. One thread. */
#ifndef TLPARSE_REPORT_TIMELINE_JSON_H
#define TLPARSE_REPORT_TIMELINE_JSON_H

#include "analysis/timeline.h"
#include "base/jsonw.h"

/* The member `key` of report.json. NULL: a log without events. */
void timeline_json_add(struct jsonw *w, const char *key, const struct timeline *timeline);
/* Writes data/timeline.js: the names, ids and functions that the spans refer to. The timeline has ended. */
void timeline_json_write_head(const struct timeline *timeline);

#endif

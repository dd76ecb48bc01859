/* report_json.h - report.json: the model, for programs (doc/report-data.md, doc/report.schema.json).
 *
 * Written when the model is whole, by one thread. */
#ifndef TLPARSE_REPORT_JSON_REPORT_JSON_H
#define TLPARSE_REPORT_JSON_REPORT_JSON_H

#include "base/jsonw.h"
#include "report/json/view.h"
#include "sink/files.h"

/* Of a log into which several ranks wrote: what its report.json, the first rank's, says of all of them. view->sums is theirs. */
void report_json_add_together(struct jsonw *w, const char *key, const struct report_view *view);
void report_json_write(const struct report_view *view, struct files *files);

/* The same for the page's summary, which leaves out (not `whole`) what it loads when it is looked at: everything before the
 * compiles, the open object included, */
void report_json_head(struct jsonw *w, const struct report_view *view, bool whole);
/* and everything behind them, without the end of the object. */
void report_json_rest(struct jsonw *w, const struct report_view *view, bool whole);

#endif

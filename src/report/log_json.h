/* log_json.h - the member "log" of report.json: the files, the outcome of their records, and log size by record kind.
 * Pure. */
#ifndef TLPARSE_REPORT_LOG_JSON_H
#define TLPARSE_REPORT_LOG_JSON_H

#include "base/jsonw.h"
#include "report/view.h"

/* `whole`: include the kinds of each compile id, which the summary leaves out. */
void log_json_add(struct jsonw *w, const struct report_view *view, bool whole);
/* Writes only the kinds of each compile id, as a list with an item for each item of by_compile. */
void log_shares_add(struct jsonw *w, const struct report_view *view);

#endif

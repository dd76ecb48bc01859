/* log_json.h - the member "log" of report.json: the files, what became of their records, and who makes them big. Pure. */
#ifndef TLPARSE_REPORT_JSON_LOG_JSON_H
#define TLPARSE_REPORT_JSON_LOG_JSON_H

#include "base/jsonw.h"
#include "report/json/view.h"

/* `whole`: with the kinds within each compile id, which the summary leaves out. */
void log_json_add(struct jsonw *w, const struct report_view *view, bool whole);
/* The kinds within each compile id alone, as a list with an item for each of by_compile. */
void log_shares_add(struct jsonw *w, const struct report_view *view);

#endif

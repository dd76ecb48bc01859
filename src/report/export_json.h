/* export_json.h - the member "export" of report.json and of the page's summary, and data/export.js
 * (doc/report-data.md). */
#ifndef TLPARSE_REPORT_EXPORT_JSON_H
#define TLPARSE_REPORT_EXPORT_JSON_H

#include "base/jsonw.h"
#include "model/export.h"
#include "sink/files.h"

/* Writes everything if `whole`, for report.json, or else what the page's summary has. */
void export_json_write(struct jsonw *w, const char *key, const struct model *model, bool whole);

#endif

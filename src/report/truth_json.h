/* truth_json.h - the members of report.json about what the report cannot account for: checks, unfinished,
 * unattributed. */
#ifndef TLPARSE_REPORT_TRUTH_JSON_H
#define TLPARSE_REPORT_TRUTH_JSON_H

#include "base/jsonw.h"
#include "report/view.h"

void truth_json_write(struct jsonw *w, const struct report_view *view);

#endif

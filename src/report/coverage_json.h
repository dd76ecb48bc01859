/* coverage_json.h - the member coverage: functions by what runs of their compiled code. */
#ifndef TLPARSE_REPORT_COVERAGE_JSON_H
#define TLPARSE_REPORT_COVERAGE_JSON_H

#include "base/jsonw.h"
#include "findings/coverage.h"

/* Nothing if the log has no function. */
void coverage_json_write(struct jsonw *w, const char *key, const struct coverage *coverage, const struct model *model);

#endif

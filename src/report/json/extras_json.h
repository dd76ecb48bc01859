/* extras_json.h - what model/extras.h has, as members of report.json. */
#ifndef TLPARSE_REPORT_JSON_EXTRAS_JSON_H
#define TLPARSE_REPORT_JSON_EXTRAS_JSON_H

#include "base/jsonw.h"
#include "report/json/view.h"

/* The members notices, pgo, compile_workers and native_kernels of doc/report.schema.json, each where the log has any. */
void extras_json_write(struct jsonw *w, const struct model *model);
/* "record_tables" and "more_record_tables" of a compile that has any. */
void record_tables_write(struct jsonw *w, const struct model *model, const struct compile *compile);
/* The member runtime_parts_us of a compile, where it has any. */
void runtime_parts_write(struct jsonw *w, const struct compile *compile);

#endif

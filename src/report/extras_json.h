/* extras_json.h - the content of model/extras.h, as members of report.json. */
#pragma once

#include "base/jsonw.h"
#include "report/view.h"

/* Writes the members notices, pgo, compile_workers and native_kernels of doc/report.schema.json. A member is absent if
 * the log has none. */
void extras_json_write(struct jsonw *w, const struct model *model);
/* Writes "record_tables" and "more_record_tables" of a compile, if it has any. */
void record_tables_write(struct jsonw *w, const struct model *model, const struct compile *compile);
/* Writes the member runtime_parts_us of a compile, if it has any. */
void runtime_parts_write(struct jsonw *w, const struct compile *compile);

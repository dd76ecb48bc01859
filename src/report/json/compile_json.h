/* compile_json.h - one compile, for report.json and for the page.
 *
 * Written when the model is whole; any thread, one at a time for a writer. */
#ifndef TLPARSE_REPORT_JSON_COMPILE_JSON_H
#define TLPARSE_REPORT_JSON_COMPILE_JSON_H

#include "analysis/stack_table.h"
#include "base/jsonw.h"
#include "model/model.h"

/* An object. With the table of stacks: with all details, as report.json has it; NULL: as the page's summary has it. */
void compile_json_write(struct jsonw *w, const struct model *model, const struct compile *compile,
                        struct stack_table *stacks);
/* The members that only a page of the compile needs: artifacts, stages, passes, metrics. */
void compile_details_write(struct jsonw *w, const struct model *model, const struct compile *compile);

#endif

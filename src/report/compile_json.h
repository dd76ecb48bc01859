/* compile_json.h - a compile, for report.json and for the page.
 *
 * Needs the complete model. Any thread, one at a time per writer. */
#pragma once

#include "analysis/stack_table.h"
#include "base/jsonw.h"
#include "model/model.h"

/* Writes an object. If stacks is not NULL, it has all details, for report.json; otherwise only those of the page's
 * summary. */
void compile_json_write(struct jsonw *w, const struct model *model, const struct compile *compile,
                        struct stack_table *stacks);
/* Writes an object with what a summary lists of the slowest compiles. */
void compile_json_write_short(struct jsonw *w, const struct model *model, const struct compile *compile);
/* Writes the members that only the page of the compile needs: artifacts, stages, passes, metrics. */
void compile_details_write(struct jsonw *w, const struct model *model, const struct compile *compile);

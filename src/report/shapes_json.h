/* shapes_json.h - the symbols of a compile's shapes, their specializations, and the guards on them, as JSON.
 *
 * At most SHAPES_MAX records of a kind are written per compile; the rest is counted. Needs the complete model. One
 * thread. */
#pragma once

#include "analysis/stack_table.h"
#include "base/jsonw.h"
#include "model/model.h"

enum { SHAPES_MAX = 2000 };

bool shapes_any(const struct compile *compile);
/* {"symbols": n, "specializations": n, "guards": n} */
void shapes_write_counts(struct jsonw *w, const char *key, const struct compile *compile);
/* The object `shapes` of a compile in doc/report.schema.json. */
void shapes_write(struct jsonw *w, const char *key, const struct model *model, const struct compile *compile,
                  struct stack_table *table);

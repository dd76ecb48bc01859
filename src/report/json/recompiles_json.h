/* recompiles_json.h - the steps of a chain of recompiles, and what can be done about them, for report.json. Pure. */
#ifndef TLPARSE_REPORT_JSON_RECOMPILES_JSON_H
#define TLPARSE_REPORT_JSON_RECOMPILES_JSON_H

#include "analysis/chains.h"
#include "base/jsonw.h"

/* Writes `steps`, `more_steps`, `limit` and `advice` into the object that is open. Bounded: 256 steps of 64 changes, 16
 * reasons and 16 sizes. */
void recompile_steps_write(struct jsonw *w, const struct model *model, const struct chain *chain);
/* What a cause says of the values, into the cause that is open. */
void recompile_cause_write(struct jsonw *w, const struct cause *cause);

#endif

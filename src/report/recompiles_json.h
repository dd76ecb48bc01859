/* recompiles_json.h - the steps of a recompile chain and advice, for report.json. Pure. */
#ifndef TLPARSE_REPORT_RECOMPILES_JSON_H
#define TLPARSE_REPORT_RECOMPILES_JSON_H

#include "base/jsonw.h"
#include "recompiles/chains.h"

/* Writes `steps`, `more_steps`, `limit` and `advice` into the open object. At most 256 steps with 64 changes, 16
 * reasons and 16 sizes each. */
void recompile_steps_write(struct jsonw *w, const struct model *model, const struct chain *chain);
/* Writes the members about values into the open cause. */
void recompile_cause_write(struct jsonw *w, const struct cause *cause);

#endif

/* findings.h - the issues of a run: a sorted list, derived from the complete model. */
#ifndef TLPARSE_FINDINGS_FINDINGS_H
#define TLPARSE_FINDINGS_FINDINGS_H

#include "findings/finding.h"
#include "recompiles/chains.h"

void findings_find(struct findings *findings, const struct model *model, const struct chains *chains);
void findings_finish(struct findings *findings);

#endif

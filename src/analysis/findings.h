/* findings.h - the issues of a run: a sorted list, derived from the complete model. */
#ifndef TLPARSE_ANALYSIS_FINDINGS_H
#define TLPARSE_ANALYSIS_FINDINGS_H

#include "analysis/chains.h"
#include "analysis/finding.h"

void findings_find(struct findings *findings, const struct model *model, const struct chains *chains);
void findings_finish(struct findings *findings);

#endif

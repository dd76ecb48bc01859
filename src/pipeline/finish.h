/* finish.h - the files that are written when the model is whole. One thread. */
#ifndef TLPARSE_PIPELINE_FINISH_H
#define TLPARSE_PIPELINE_FINISH_H

#include "model/model.h"
#include "out/files.h"
#include "pipeline/pipeline.h"

/* extra: further members of report.json and the page's summary, each with a comma before it; may be empty. */
void finish_report(struct report *report, const struct run_options *options, struct files *files, struct slice extra);

#endif

/* finish.h - writes the files that depend on the complete model. One thread. */
#ifndef TLPARSE_PIPELINE_FINISH_H
#define TLPARSE_PIPELINE_FINISH_H

#include "kinds/run.h"
#include "model/model.h"
#include "report/json/texts.h"
#include "report/json/view.h"
#include "sink/files.h"

/* together: what report.json says about all ranks, if several wrote to the log; otherwise empty. */
/* Call it after texts_finish(). */
void finish_report(struct model *model, const struct run_options *options, struct files *files, struct texts *texts,
                   const struct view_together *together);

#endif

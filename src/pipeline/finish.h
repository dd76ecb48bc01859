/* finish.h - writes the files that depend on the complete model. One thread. */
#pragma once

#include "kinds/reading.h"
#include "model/model.h"
#include "pages/texts.h"
#include "report/view.h"
#include "sink/files.h"

/* JSON that the user's own parsers added: the member `parsers` of report.json and of the page's summary. */
struct finish_parsers {
    struct buf whole, summary; /* empty: there are none */
};

/* together: the member of report.json about all ranks if several wrote to the log; otherwise empty. */
/* Call it after texts_finish(). */
void finish_report(struct model *model, const struct reading_options *options, struct files *files, struct texts *texts,
                   const struct view_together *together, const struct finish_parsers *parsers);

/* kernels_json.h - the kernels, for report.json and for the page.
 *
 * Written when the model is whole, by one thread. */
#ifndef TLPARSE_REPORT_JSON_KERNELS_JSON_H
#define TLPARSE_REPORT_JSON_KERNELS_JSON_H

#include "base/jsonw.h"
#include "model/model.h"
#include "sink/files.h"

/* The object `kernels` of report.json; its list only where `whole`. */
void kernels_json_write(struct jsonw *w, const char *key, const struct model *model, bool whole);
/* data/kernels.<k>.js */
void kernels_parts_write(const struct model *model, struct files *files);
/* How many parts there are. */
size_t kernels_parts(const struct model *model);

#endif

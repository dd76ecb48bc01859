/* kernels_json.h - kernels, for report.json and for the page.
 *
 * Needs the complete model. One thread. */
#pragma once

#include "base/jsonw.h"
#include "model/model.h"
#include "sink/files.h"

/* Writes the object `kernels` of report.json, with its list only if `whole`. */
void kernels_json_write(struct jsonw *w, const char *key, const struct model *model, bool whole);
/* Writes data/kernels.<k>.js. */
void kernels_parts_write(const struct model *model, struct files *files);
/* The number of these files. */
size_t kernels_parts(const struct model *model);

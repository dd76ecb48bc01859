/* directory.h - compile_directory.json: the files of each compile id, as other programs read them.
 *
 * Equal to the reference's: what that does not know is in report.json only. Written when the model is whole, by one thread. */
#ifndef TLPARSE_REPORT_JSON_DIRECTORY_H
#define TLPARSE_REPORT_JSON_DIRECTORY_H

#include "model/model.h"
#include "sink/files.h"

void directory_write(const struct model *model, struct files *files);

#endif

/* directory.h - compile_directory.json: the files of each compile id, for other programs.
 *
 * Equal to the reference's: anything that the reference does not have is in report.json only. Needs the complete
 * model. One thread. */
#ifndef TLPARSE_REPORT_DIRECTORY_H
#define TLPARSE_REPORT_DIRECTORY_H

#include "model/model.h"
#include "sink/files.h"

void directory_write(const struct model *model, struct files *files);

#endif

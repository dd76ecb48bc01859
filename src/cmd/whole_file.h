/* whole_file.h - writes a file that a command makes in one piece: complete, or not at all. */
#pragma once

#include "base/base.h"

/* Fails if the file exists and may not be replaced. "-" is standard output. */
bool whole_file_check(const char *path, bool overwrite, struct err *err);
/* Writes the file under a temporary name, and renames it when it is complete. Devices and pipes are written to, not replaced. */
bool whole_file_save(const char *path, bool overwrite, struct slice bytes, struct err *err);

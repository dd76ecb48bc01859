/* compile_time_json.h - the member compile_time: parts of the compile time, hints, and what to change first. */
#ifndef TLPARSE_REPORT_COMPILE_TIME_JSON_H
#define TLPARSE_REPORT_COMPILE_TIME_JSON_H

#include "base/jsonw.h"
#include "savings/compile_time.h"

void compile_time_json_write(struct jsonw *w, const char *key, const struct compile_time *time,
                             const struct model *model);

#endif

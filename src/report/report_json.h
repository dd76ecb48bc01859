/* report_json.h - report.json, compile_directory.json, and the parts of it that the page loads (doc/report-data.md).
 *
 * Written when the model is whole, by one thread. */
#ifndef TLPARSE_REPORT_REPORT_JSON_H
#define TLPARSE_REPORT_REPORT_JSON_H

#include "report/files.h"
#include "report/findings.h"
#include "report/model.h"

struct report_view {
    const struct report *report;
    const uint32_t *order; /* of the compiles */
    const struct chains *chains;
    const struct findings *findings;
    struct slice extra; /* further members, as JSON, each with a comma before it */
};

void report_json_write(const struct report_view *view, struct files *files);
/* data/report.js, data/compiles.<k>.js, data/configs.js, data/export.js */
void page_data_write(const struct report_view *view, struct files *files);
void directory_write(const struct report *report, struct files *files);

#endif

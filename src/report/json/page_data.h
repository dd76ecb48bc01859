/* page_data.h - what the page loads of the model: data/report.js, and parts of it that are loaded when looked at.
 *
 * Written when the model is whole, by one thread. doc/report-data.md says what each holds. */
#ifndef TLPARSE_REPORT_JSON_PAGE_DATA_H
#define TLPARSE_REPORT_JSON_PAGE_DATA_H

#include "report/json/view.h"
#include "sink/files.h"

/* data/report.js, data/compiles.<k>.js, data/shapes.<k>.js, data/kernels.<k>.js, data/log.js, data/configs.js, data/export.js */
void page_data_write(const struct report_view *view, struct files *files);

#endif

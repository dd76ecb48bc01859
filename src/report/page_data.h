/* page_data.h - the data of the page: data/report.js, and parts that are loaded on demand.
 *
 * Needs the complete model. One thread. doc/report-data.md describes the files. */
#ifndef TLPARSE_REPORT_PAGE_DATA_H
#define TLPARSE_REPORT_PAGE_DATA_H

#include "report/view.h"
#include "sink/files.h"

/* Writes data/report.js, data/compiles.<k>.js, data/shapes.<k>.js, data/kernels.<k>.js, data/log.js, data/configs.js,
 * data/export.js. */
void page_data_write(const struct report_view *view, struct files *files);

#endif

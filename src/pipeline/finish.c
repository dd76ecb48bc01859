#include "pipeline/finish.h"

#include <stdlib.h>

#include "analysis/identity.h"
#include "report/html/export_page.h"
#include "report/html/pages.h"
#include "report/html/provenance.h"
#include "report/json/directory.h"
#include "report/json/page_data.h"
#include "report/json/report_json.h"

void finish_report(struct report *report, const struct run_options *options, struct files *files,
                   const struct view_together *together) {
    struct chains chains = {0};
    struct findings findings = {0};
    uint32_t *order = report_order(report);
    report_share_frames(report);
    report_find_earlier(report);
    exports_take_errors(report);
    export_pages_write(report, files);
    provenance_write(report, files, options->provenance);
    chains_find(&chains, report);
    findings_find(&findings, report, &chains);
    struct totals totals;
    struct checks checks = {0};
    totals_init(&totals);
    totals_add_report(&totals, report);
    checks_run(&checks, report, &totals);
    struct buf extra = {0};
    buf_add(&extra, buf_slice(&together->extra));
    if (together->known) {
        struct report_view all = {.report = report,
                                  .totals = &together->totals,
                                  .unfinished = buf_slice(&together->unfinished),
                                  .sums = &together->sums};
        struct jsonw w = {.out = &extra, .filled = 1}; /* inside an object that has members already */
        report_json_add_together(&w, "all_ranks", &all);
    }
    struct report_view view = {"run", report, order, &chains, &findings, &totals, &checks, buf_slice(&extra),
                               {0},   NULL};
    directory_write(report, files);
    report_json_write(&view, files);
    page_data_write(&view, files);
    failures_page_write(report, files);
    index_page_write(report, order, options->custom_header, "index.html", files);
    if (report->vllm) /* where the reference has its usual page */
        index_page_write(report, order, options->custom_header, "tlparse_index.html", files);
    checks_finish(&checks);
    buf_free(&extra);
    findings_finish(&findings);
    chains_finish(&chains);
    free(order);
}

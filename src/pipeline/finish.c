#include "pipeline/finish.h"

#include "advice/advice.h"
#include "analysis/identity.h"
#include "model/export_calls.h"
#include "pages/export_page.h"
#include "pages/page_parts.h"
#include "pages/pages.h"
#include "report/members.h"
#include "report/report_json.h"
#include "sink/script.h"

static void add_parsers(struct buf *extra, const struct buf *parsers) {
    if (parsers->len)
        buf_addf(extra, ",\"parsers\":%.*s", SLICE_ARG(buf_slice(parsers)));
}

/* Writes the page's part of the timeline, with the spans of the profile. */
static void write_timeline(struct model *model, struct files *files) {
    if (!model->timeline)
        return;
    if (model->profile && files_wanted(files))
        run_spans_add(model->timeline, model->profile, model);
    timeline_write(model->timeline);
    timeline_json_write_head(model->timeline);
}

void finish_report(struct model *model, const struct reading_options *options, struct files *files, struct texts *texts,
                   const struct view_together *together, const struct finish_parsers *parsers) {
    struct chains chains = {0};
    struct findings findings = {0};
    uint32_t *order = model_order(model);
    model_find_earlier(model);
    exports_take_errors(model);
    exports_find_calls(model);
    exports_find_limits(model);
    exports_find_bounds(model);
    struct provenance_pages *provenance = NULL;
    if (files_wanted(files)) {
        export_pages_write(model, files);
        provenance = provenance_start(model, files, texts, options->provenance);
    }
    chains_find(&chains, model);
    chains_advise(&chains, model);
    findings_find(&findings, model, &chains);
    struct totals totals;
    struct checks checks = {0};
    totals_init(&totals);
    totals_add_report(&totals, model);
    totals_add_chains(&totals, &chains);
    checks_run(&checks, model, &totals);
    struct compile_time time = {0};
    compile_time_find(&time, model, &chains, &findings, &totals);
    struct coverage coverage = {0};
    coverage_find(&coverage, model, &findings);
    struct settings_in_effect settings = {0};
    if (files->sink->keeps != SINK_SUMMARY)
        settings_in_effect_find(&settings, model);
    write_timeline(model, files);
    AUTO_BUF extra = {0}, page_extra = {0};
    buf_add(&extra, buf_slice(&together->extra));
    source_link_member_add(&extra, options->source_link);
    if (together->known) {
        struct report_view all = {.model = model,
                                  .totals = &together->totals,
                                  .unfinished = buf_slice(&together->unfinished),
                                  .sums = &together->sums};
        struct jsonw w = {.out = &extra, .filled = 1}; /* inside an object that already has members */
        report_json_add_together(&w, "all_ranks", &all);
    }
    buf_add(&page_extra, buf_slice(&extra));
    add_parsers(&extra, &parsers->whole);
    add_parsers(&page_extra, &parsers->summary);
    struct report_view view = {.kind = REPORT_RUN,
                               .model = model,
                               .order = order,
                               .chains = &chains,
                               .findings = &findings,
                               .totals = &totals,
                               .checks = &checks,
                               .extra = buf_slice(&extra),
                               .time = &time,
                               .coverage = &coverage,
                               .settings = &settings,
                               .profile = model->profile,
                               .sources = options->sources,
                               .spool = texts_spool(texts)};
    report_json_write(&view, files);
    if (files_wanted(files)) {
        directory_write(model, files);
        view.extra = buf_slice(&page_extra);
        page_data_write(&view, files);
        if (parsers->whole.len)
            script_write(files, SLICE("data/parsers.js"), SLICE("parsers"), buf_slice(&parsers->whole));
        failures_page_write(model, files);
        index_page_write(model, order, options->custom_header, options->live, "index.html", files);
        if (model->vllm) /* the reference writes its usual page under this name */
            index_page_write(model, order, options->custom_header, options->live, "tlparse_index.html", files);
    }
    if (provenance)
        provenance_finish(provenance);
    settings_in_effect_free(&settings);
    coverage_finish(&coverage);
    compile_time_finish(&time);
    checks_finish(&checks);
    findings_finish(&findings);
    chains_finish(&chains);
    mem_free(order);
}

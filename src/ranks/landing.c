#include "ranks/landing.h"

#include "analysis/timeline.h"
#include "compare/comparison.h"
#include "diverge/jobs.h"
#include "model/log_info.h"
#include "pages/html.h"
#include "ranks/ranks_json.h"
#include "report/report_json.h"
#include "sink/script.h"
#include "sink/spool.h"
#include "trace/choice.h"

enum { VERSIONS = 4 }; /* versions of torch, python, cuda and triton */

/* Adds the files of a log, as its own report lists them. */
static void add_files(struct model *model, const struct rank_facts *facts) {
    for (size_t i = 0; i < facts->files.count; i++)
        model_add_file(model, &facts->files.items[i]);
    if (!facts->files.count)
        model_add_file(model, &(struct log_file){.name = slice_str(facts->file),
                                                 .bytes = facts->bytes,
                                                 .damage = slice_str(facts->error)});
}

/* Whether no log has a rank. */
static bool are_runs(const struct rank_facts *const *facts, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (facts[i]->has_rank)
            return false;
    return true;
}

/* Whether its events belong to the job of the page, and not to an earlier log of a rank, or to another job. */
static bool is_of_job(const struct rank_facts *facts) {
    return !facts->older && !(rank_is_taken(facts) && facts->job != 0);
}

/* Sets each version if all logs that have it agree. If two logs differ, the version is unknown. */
static void add_versions(struct model *model, const struct rank_facts *facts, bool *differs) {
    const struct slice from[VERSIONS] = {facts->torch, facts->python, facts->cuda, facts->triton};
    struct slice *to[VERSIONS] = {&model->torch, &model->python, &model->cuda, &model->triton};
    for (size_t i = 0; i < VERSIONS; i++) {
        if (!from[i].ptr || differs[i])
            continue;
        if (!to[i]->ptr)
            *to[i] = model_copy(model, from[i]);
        else if ((differs[i] = !slice_eq(*to[i], from[i])))
            *to[i] = (struct slice){0};
    }
}

static void reserve_tracks(struct model *model, const struct rank_facts *const *all, size_t count) {
    size_t tracks = 0;
    for (size_t i = 0; i < count; i++)
        if (all[i]->timeline && is_of_job(all[i]))
            tracks += all[i]->timeline->tracks.count;
    if (tracks)
        timeline_sum_reserve(timeline_of(model, NULL), tracks);
}

/* Fills a report without compiles of its own: data that all ranks share replaces the data of a single log. */
static void fill_report(struct model *model, const struct rank_facts *const *all, size_t count,
                        const struct pipeline_result *total, bool runs) {
    struct buf name = {0};
    bool differs[VERSIONS] = {false};
    int64_t longest_us = 0;
    buf_addf(&name, "%zu %s", count, runs ? "runs" : "logs");
    model->empty = true;
    model->prefixes_us = -1;
    model->file_name = model_copy(model, buf_slice(&name));
    buf_free(&name);
    model->log_bytes = total->bytes;
    model->world.size = rank_world(all, count).size;
    reserve_tracks(model, all, count);
    for (size_t i = 0; i < count; i++) {
        const struct rank_facts *facts = all[i];
        model->empty &= facts->empty;
        add_files(model, facts);
        if (!is_of_job(facts))
            continue;
        add_versions(model, facts, differs);
        if (facts->run_first_us && (!model->run_first_us || facts->run_first_us < model->run_first_us))
            model->run_first_us = facts->run_first_us;
        model->run_last_us = facts->run_last_us > model->run_last_us ? facts->run_last_us : model->run_last_us;
        if (facts->timeline) {
            rank_timeline_add(timeline_of(model, NULL), facts->timeline, facts->has_rank, facts->rank,
                              slice_str(facts->dir));
            int64_t lasts_us = facts->timeline->last_us - facts->timeline->first_us;
            longest_us = lasts_us > longest_us ? lasts_us : longest_us;
        }
    }
    if (runs && model->timeline) /* runs may be days apart, and the time between them does not count */
        model->timeline->last_us = model->timeline->first_us + longest_us;
}

static void write_page(const struct rank_facts *const *all, size_t count, const struct model *model,
                       const struct reading_options *options, bool runs, struct files *files) {
    struct html_page page = {.type = PAGE_REPORT, .root = "", .title = model->file_name, .live = options->live};
    AUTO_BUF out = {0};
    html_begin(&out, &page);
    BUF_ADD(
        &out, options->custom_header,
        "<div id=\"app\"></div>\n<script src=\"assets/app.js\"></script>\n<script src=\"data/report.js\"></script>\n"
        "<noscript>\n",
        runs ? "<header><h1>Several runs</h1></header>\n<main>\n<h2>Runs</h2>\n<ul>\n"
             : "<header><h1>Several ranks</h1></header>\n<main>\n<h2>Ranks</h2>\n<ul>\n");
    for (size_t i = 0; i < count; i++) {
        buf_add_lit(&out, "<li>");
        if (all[i]->bad) {
            html_text(&out, slice_str(all[i]->dir));
            buf_add_lit(&out, ": ");
            html_text(&out, slice_str(all[i]->error));
        } else if (all[i]->no_report) {
            html_text(&out, slice_str(all[i]->dir));
            buf_add_byte(&out, ' ');
            html_text(&out, slice_str(all[i]->file));
        } else {
            buf_addf(&out, "<a href=\"%s/index.html\">%s</a> ", all[i]->dir, all[i]->dir);
            html_text(&out, slice_str(all[i]->file));
        }
        buf_add_lit(&out, "</li>\n");
    }
    buf_add_lit(&out,
                "</ul>\n<h2>Together</h2>\n<ul>\n<li><a href=\"chromium_events.json\">chromium_events.json</a></li>\n"
                "<li><a href=\"report.json\">report.json</a></li>\n</ul>\n</main>\n</noscript>\n");
    html_end(&out, &page);
    files_write(files, SLICE("index.html"), buf_slice(&out));
}

/* Writes each compared pair of runs: in full for report.json; for the page, only the pairs, and the rest in
 * data/comparison.<n>.js. */
static void write_comparison(struct buf *whole, struct buf *page, const struct rank_facts *const *facts, size_t count,
                             size_t base_count, struct files *files) {
    struct run_pairs pairs;
    AUTO_BUF json = {0};
    struct buf *const to[] = {whole, page};
    run_pairs_find(&pairs, facts, count, base_count);
    for (size_t t = 0; t < 2; t++)
        buf_add_lit(to[t], ",\"comparison\":{\"pairs\":[");
    for (size_t i = 0; i < pairs.count; i++) {
        json.len = 0;
        run_comparison_add(&json, &pairs.items[i]);
        script_write_part(files, "comparison", i, buf_slice(&json));
        BUF_ADD(whole, i ? "," : "", buf_slice(&json));
        buf_add_str(page, i ? "," : "");
        run_pair_add(page, &pairs.items[i]);
    }
    for (size_t t = 0; t < 2; t++)
        buf_addf(to[t], "],\"more\":%zu}", pairs.more);
    run_pairs_finish(&pairs);
}

static void to_spool(void *context, struct buf *out) {
    spooled_add(context, buf_slice(out));
    out->len = 0;
}

/* The data about ranks is large, and is needed twice. */
static void write_ranks(struct spooled *to, struct spool *spool, const struct rank_facts *const *facts, size_t count,
                        const struct divergences *divergences, struct slice config_differences) {
    AUTO_BUF json = {0};
    /* Inside an object that already has members */
    struct jsonw w = {.out = &json, .filled = 1, .take = to_spool, .context = to};
    spooled_start(to, spool);
    ranks_json_add(&w, facts, count, divergences, config_differences);
    spooled_add(to, buf_slice(&json));
    spooled_end(to);
}

void landing_write(const struct rank_facts *const *facts, size_t count, size_t base_count,
                   const struct pipeline_result *total, const struct reading_options *options,
                   const struct divergences *divergences, struct slice config_differences, bool inner,
                   struct files *files) {
    struct model model = {0};
    struct chains chains = {0};
    struct findings findings = {0};
    struct totals totals;
    struct checks checks = {0};
    AUTO_BUF extra = {0}, page_extra = {0}, unfinished = {0};
    struct spool *spool = spool_create(files->sink);
    struct spooled ranks = {0};
    uint32_t order = 0;
    bool runs = are_runs(facts, count);
    fill_report(&model, facts, count, total, runs);
    for (size_t i = 0; options->unread && i < options->unread->count; i++)
        model_add_unread_folder(&model, slice_str(options->unread->items[i]));
    model.inner = inner;
    ranks_unfinished_add(&unfinished, facts, count);
    write_ranks(&ranks, spool, facts, count, divergences, config_differences);
    source_link_member_add(&extra, options->source_link);
    buf_add(&page_extra, buf_slice(&extra));
    if (runs) {
        files_folder(files, SLICE("data/"));
        write_comparison(&extra, &page_extra, facts, count, base_count, files);
    }
    struct view_sums sums;
    rank_sums_add(facts, count, &totals, &sums);
    memcpy(sums.counters, total->counters, sizeof sums.counters); /* includes those of unreadable logs */
    struct report_view view = {.kind = runs ? REPORT_RUNS : REPORT_RANKS,
                               .model = &model,
                               .order = &order,
                               .chains = &chains,
                               .findings = &findings,
                               .totals = &totals,
                               .checks = &checks,
                               .extra = buf_slice(&extra),
                               .long_extra = &ranks,
                               .unfinished = buf_slice(&unfinished),
                               .sums = &sums};
    report_json_write(&view, files);
    if (files_wanted(files)) {
        view.extra = buf_slice(&page_extra);
        page_data_write(&view, files);
        write_page(facts, count, &model, options, runs, files);
    }
    spooled_free(&ranks);
    spool_destroy(spool);
    model_finish(&model);
}

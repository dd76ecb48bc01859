#include "pages/pages.h"

#include "model/log_info.h"
#include "pages/export_page.h"
#include "pages/html.h"

static void add_artifact(struct buf *out, const struct artifact *artifact) {
    buf_add_lit(out, "<li>");
    if (artifact->outer) {
        buf_add_lit(out, "<a");
        bool link = html_outer_href(out, artifact->url);
        buf_add_byte(out, '>');
        html_text(out, artifact->name);
        buf_add_lit(out, "</a>");
        if (!link) { /* shown without a link, because the scheme is not http or https */
            buf_add_byte(out, ' ');
            html_text(out, artifact->url);
        }
    } else {
        buf_add_lit(out, "<a");
        html_href(out, "", artifact->url);
        buf_add_byte(out, '>');
        html_text(out, path_last(artifact->url));
        BUF_ADD(out, "</a>", artifact_suffix(artifact));
    }
    if (artifact->readable_url.len) {
        buf_add_lit(out, " <a");
        html_href(out, "", artifact->readable_url);
        buf_add_lit(out, ">readable</a>");
    }
    buf_add_lit(out, "</li>\n");
}

static void add_compile(struct buf *out, const struct model *model, const struct compile *compile) {
    buf_add_lit(out, "<h3>[");
    html_text(out, compile->id);
    buf_add_lit(out, "]");
    if (compile->frame.function.len) {
        buf_add_byte(out, ' ');
        html_text(out, compile->frame.function);
    }
    if (compile->framed)
        buf_addf(out, " · %s",
                 compile_ops_unknown(compile) ? "operators not counted" : status_name(compile_status(compile)));
    if (compile->generation > 1)
        buf_addf(out, " · generation %" PRIu32, compile->generation);
    if (model->process_count > 1) {
        buf_add_lit(out, " · process ");
        model_add_process_name(out, model, compile->process);
    }
    buf_add_lit(out, "</h3>\n<ul>\n");
    for (size_t i = 0; i < compile->artifacts.count; i++) {
        const struct artifact *artifact = &model->artifacts.items[compile->artifacts.items[i]];
        if (artifact->url.ptr)
            add_artifact(out, artifact);
    }
    buf_add_lit(out, "</ul>\n");
}

void index_page_write(const struct model *model, const uint32_t *order, struct slice header, uint64_t live,
                      const char *name, struct files *files) {
    static const char *const whole[] = {"failures_and_restarts.html", "chromium_events.json", "compile_directory.json",
                                        "report.json", "raw.jsonl"};
    bool vllm = model->vllm && slice_is(slice_str(name), "index.html");
    struct html_page page = {.type = PAGE_REPORT,
                             .root = "",
                             .title = model->file_name,
                             .start = vllm ? "vllm" : NULL,
                             .live = live};
    struct stream stream;
    stream_open(&stream, files, name);
    struct buf *out = &stream.buf;
    html_begin(out, &page);
    BUF_ADD(
        out, header,
        "<div id=\"app\"></div>\n<script src=\"assets/app.js\"></script>\n<script src=\"data/report.js\"></script>\n"
        "<noscript>\n<header><h1>");
    html_text(out, model->file_name);
    buf_add_lit(out, "</h1></header>\n<main>\n");
    if (vllm)
        vllm_list_add(out, model);
    if (exports_shown(model))
        export_list_add(out, model);
    buf_add_lit(out, "<h2>The whole log</h2>\n<ul>\n");
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        buf_addf(out, "<li><a href=\"%s\">%s</a></li>\n", whole[i], whole[i]);
    buf_addf(out, "<li><a href=\"%sraw.log\">raw.log</a></li>\n", model->further ? "../" : "");
    buf_addf(out, "</ul>\n<h2>%" PRIu32 " compile%s</h2>\n", model->framed_count, model->framed_count == 1 ? "" : "s");
    for (size_t i = 0; i < model->compiles.count; i++) { /* compiles come before other ids */
        if (i == model->framed_count)
            buf_add_lit(out, "<h2>Records outside of compiles</h2>\n");
        add_compile(out, model, model->compiles.items[order[i]]);
        stream_flush_if_full(&stream);
    }
    buf_add_lit(out, "</main>\n</noscript>\n");
    html_end(out, &page);
    stream_close(&stream);
}

static void add_id_cell(struct buf *out, const struct model *model, uint32_t folder, struct slice url) {
    buf_add_lit(out, "<tr><td><a");
    if (url.ptr)
        html_href(out, "", url);
    buf_add_byte(out, '>');
    html_text(out, model->entries.items[model->folders.items[folder].entry].key);
    buf_add_lit(out, "</a></td><td>");
}

void failures_page_write(const struct model *model, struct files *files) {
    struct html_page page = {.type = PAGE_FAILURES, .root = "", .title = SLICE("Failures and restarts")};
    struct stream stream;
    stream_open(&stream, files, "failures_and_restarts.html");
    struct buf *out = &stream.buf;
    html_begin(out, &page);
    if (!model->failures.count && !model->restarts.count)
        buf_add_lit(out, "<p>No compile failed or restarted.</p>\n");
    buf_add_lit(
        out,
        "<table><thead><tr><th>Compile id</th><th>Kind</th><th>Reason</th><th>User frame</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < model->restarts.count; i++) {
        const struct restart *restart = &model->restarts.items[i];
        add_id_cell(out, model, restart->folder, restart->url);
        buf_add_lit(out, "restart</td><td><pre>");
        html_text(out, restart->reason);
        buf_add_lit(out, "</pre></td><td></td></tr>\n");
        stream_flush_if_full(&stream);
    }
    for (size_t i = 0; i < model->failures.count; i++) {
        const struct failure *failure = &model->failures.items[i];
        add_id_cell(out, model, failure->folder, failure->url);
        html_text(out, failure->type);
        if (failure->backward)
            buf_add_lit(out, " (backward)");
        buf_add_lit(out, "</td><td><pre>");
        html_text(out, failure->reason);
        buf_add_lit(out, "</pre></td><td>");
        if (failure->place.file.ptr) {
            html_text(out, failure->place.file);
            buf_addf(out, ":%" PRIu64, failure->place.line);
        }
        buf_add_lit(out, "</td></tr>\n");
        stream_flush_if_full(&stream);
    }
    buf_add_lit(out, "</tbody></table>\n");
    html_end(out, &page);
    stream_close(&stream);
}

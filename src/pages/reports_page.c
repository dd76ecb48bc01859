#include "pages/pages.h"

#include "pages/html.h"

static const char *const heads[REPORTS_CELLS] = {"Made",       "Kind",         "Compiles", "Compile time",
                                                 "Recompiles", "Graph breaks", "Failures", "Issues"};

static void add_row(struct buf *out, const struct reports_row *row) {
    AUTO_BUF place = {0};
    BUF_ADD(&place, row->path, "/");
    buf_add_lit(out, "<tr><td><a");
    html_href(out, "", buf_slice(&place));
    buf_add_byte(out, '>');
    html_text(out, row->path);
    buf_add_lit(out, "</a></td><td>");
    html_text(out, row->cells[0]);
    if (row->trouble.ptr) {
        buf_addf(out, "</td><td colspan=\"%d\">", REPORTS_CELLS - 1);
        html_text(out, row->trouble);
    }
    for (size_t i = 1; i < REPORTS_CELLS && !row->trouble.ptr; i++) {
        buf_add_lit(out, "</td><td>");
        html_text(out, row->cells[i]);
    }
    buf_add_lit(out, "</td></tr>\n");
}

void reports_page_add(struct buf *out, struct slice title, const struct reports_row *rows, size_t count, size_t more) {
    struct html_page page = {.type = PAGE_REPORTS, .root = "", .title = title};
    html_begin(out, &page);
    if (count)
        buf_add_lit(out, "<table><thead><tr><th>Report</th>");
    else
        buf_add_lit(out, "<p>No reports. A report that is written here appears when the page is loaded again.</p>\n");
    for (size_t i = 0; i < REPORTS_CELLS && count; i++)
        buf_addf(out, "<th>%s</th>", heads[i]);
    if (count)
        buf_add_lit(out, "</tr></thead><tbody>\n");
    for (size_t i = 0; i < count; i++)
        add_row(out, &rows[i]);
    if (count)
        buf_add_lit(out, "</tbody></table>\n");
    if (more)
        buf_addf(out, "<p>… and %zu older report%s.</p>\n", more, more == 1 ? "" : "s");
    html_end(out, &page);
}

void waiting_page_add(struct buf *out, struct slice title) {
    struct html_page page = {.type = PAGE_REPORTS, .root = "", .title = title};
    html_begin(out, &page);
    buf_add_lit(out, "<p>The report appears here when there is something to show.</p>\n");
    html_end(out, &page);
}

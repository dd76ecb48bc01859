/* html.h - the only place that emits markup.
 *
 * Text of a log goes through html_text() and html_attr(), addresses through html_href(); nothing else of a log ever
 * reaches a page. Every page has the same head: character set, Content-Security-Policy, the style sheet. Pure; any thread. */
#ifndef TLPARSE_REPORT_HTML_HTML_H
#define TLPARSE_REPORT_HTML_HTML_H

#include "base/buf.h"
#include "model/lang.h"

/* Escapes & < > " '; bytes that are no UTF-8 and control characters become U+FFFD (but not tab and newline). */
void html_text(struct buf *out, struct slice text);
/* ' href="…"' of a path of the report, percent-encoded. root is "" or "../" and so on. */
void html_href(struct buf *out, const char *root, struct slice path);
/* ' href="…" rel="noreferrer"' of an address that a log names. False, and nothing, unless it is http: or https:. */
bool html_outer_href(struct buf *out, struct slice url);

/* What a page is: data-tl-page. The report's own page is what the front end draws. */
enum page_type {
    PAGE_REPORT,
    PAGE_CODE,
    PAGE_METRICS,
    PAGE_FAILURES,
    PAGE_EXPORT,
    PAGE_GUARDS,
    PAGE_TRACES,
    PAGE_PROVENANCE,
    PAGE_TYPES,
};

struct html_page {
    enum page_type type;
    const char *start;  /* data-tl-start: the room in which the report begins, or NULL */
    enum lang lang;     /* data-tl-lang */
    const char *root;   /* from the page to the report's folder: "", "../", … */
    struct slice title; /* of the window and of the heading; text of a log is fine */
    struct slice key;   /* of the compile, for the link back: "0/0", "0/0#2", "4711:0/0"; empty: none */
};

/* Up to and with <main>, with the heading. The report's own page has neither header nor main. */
void html_begin(struct buf *out, const struct html_page *page);
void html_end(struct buf *out, const struct html_page *page);
/* The text as <pre id="code">, each line a <span id="L1">. */
void html_code(struct buf *out, struct slice text);
/* "../" for each folder of the path. The result points into a constant; the path's depth is that of path_add_name(). */
const char *html_root_of(struct slice path);

#endif

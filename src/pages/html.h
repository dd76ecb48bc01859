/* html.h - the only module that emits markup.
 *
 * Text of a log passes through html_text() and html_attr(), addresses through html_href(). Nothing else from a log
 * reaches a page. Every page has the same head: character set, Content-Security-Policy, style sheet. Pure; any thread.
 */
#pragma once

#include "model/model.h"

/* Escapes & < > " '. Invalid UTF-8 and control characters except tab and newline become U+FFFD. */
void html_text(struct buf *out, struct slice text);
/* Adds ' href="…"' for a path of the report, percent-encoded. root is "", "../", and so on. */
void html_href(struct buf *out, const char *root, struct slice path);
/* Adds ' href="…" rel="noreferrer"' for an address from a log. Adds nothing and returns false unless its scheme is http
 * or https. */
bool html_outer_href(struct buf *out, struct slice url);

/* The type of a page: data-tl-page. The front end draws the report's own page. */
enum page_type {
    PAGE_REPORT,
    PAGE_CODE,
    PAGE_METRICS,
    PAGE_FAILURES,
    PAGE_EXPORT,
    PAGE_GUARDS,
    PAGE_TRACES,
    PAGE_PROVENANCE,
    PAGE_REPORTS, /* a list of reports; not part of a report, so it links to none */
    PAGE_TYPES,
};

struct html_page {
    enum page_type type;
    const char *start;  /* data-tl-start: the page to show first, or NULL */
    enum lang lang;     /* data-tl-lang */
    const char *root;   /* relative path from the page to the report's folder: "", "../", … */
    struct slice title; /* for the window and the heading; may be text from a log */
    uint64_t live;      /* for a report that `tlparse follow --serve` renews: its number, from 1; 0: another report */
    struct slice key;   /* key of the compile, for the link back: "0/0", "0/0#2", "4711:0/0"; empty: none */
};

/* Adds everything up to <main> and the heading. The report's own page has neither header nor main. */
void html_begin(struct buf *out, const struct html_page *page);
void html_end(struct buf *out, const struct html_page *page);
/* The page of a file that contains a whole report. Its Content-Security-Policy only allows the scripts and style sheets
 * with these hashes. It also allows style attributes, because the editor sets its tab size with one, and workers from a
 * Blob, because a single file has no URL for them; their code is part of the scripts. */
struct html_one {
    struct slice title_html; /* title of the report's index.html, escaped */
    struct slice start;      /* data-tl-start; letters only, or empty */
    struct slice scripts;    /* "'sha256-…' 'sha256-…'" */
    struct slice styles;
};
void html_one_begin(struct buf *out, const struct html_one *page);
/* Packed data, as base64. */
void html_one_block(struct buf *out, struct slice packed);
/* `loader` is one of the scripts, and must not contain "</". */
void html_one_end(struct buf *out, struct slice loader);
/* The text as <pre id="code">, each line a <span id="L1">. */
void html_code(struct buf *out, struct slice text);
/* Each line in an element whose id is the prefix, of at most LINE_PREFIX_MAX characters, and the number of the line from 1. */
enum { LINE_PREFIX_MAX = 22 };
void html_lines(struct buf *out, const char *prefix, struct slice text);
/* "../" for each folder in the path, as a pointer into a constant. path_add_name() limits the depth of paths. */
const char *html_root_of(struct slice path);

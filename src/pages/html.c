#include "pages/html.h"

#include "sink/script.h"

/* The replacement of a byte, or NULL if it is unchanged. utf8 checks bytes above 0x7f. */
static const char *escape_of(unsigned char c) {
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    case '\t':
    case '\n':
        return NULL;
    default:
        return c < 0x20 || c == 0x7f ? "\xef\xbf\xbd" : NULL;
    }
}

void html_text(struct buf *out, struct slice text) {
    AUTO_BUF clean = {0};
    if (!text.len)
        return;
    if (!utf8_is_valid(text)) {
        utf8_add_clean(&clean, text);
        text = buf_slice(&clean);
    }
    size_t start = 0;
    for (size_t i = scan_html(text, 0); i < text.len; i = scan_html(text, i + 1)) {
        const char *escape = escape_of((unsigned char)text.ptr[i]);
        if (!escape)
            continue;
        BUF_ADD(out, slice_make(text.ptr + start, i - start), escape);
        start = i + 1;
    }
    buf_add(out, slice_make(text.ptr + start, text.len - start));
}

void html_href(struct buf *out, const char *root, struct slice path) {
    BUF_ADD(out, " href=\"", root);
    /* A first part with a colon would be parsed as a scheme; percent-encoding prevents that. */
    path_add_url(out, path);
    buf_add_byte(out, '"');
}

bool html_outer_href(struct buf *out, struct slice url) {
    if (!slice_starts(url, SLICE("http://")) && !slice_starts(url, SLICE("https://")))
        return false;
    buf_add_lit(out, " rel=\"noreferrer\" href=\"");
    html_text(out, url);
    buf_add_byte(out, '"');
    return true;
}

static const char *const page_type_names[PAGE_TYPES] = {
    [PAGE_REPORT] = "report",   [PAGE_CODE] = "code",     [PAGE_METRICS] = "metrics", [PAGE_FAILURES] = "failures",
    [PAGE_EXPORT] = "export",   [PAGE_GUARDS] = "guards", [PAGE_TRACES] = "traces",   [PAGE_PROVENANCE] = "provenance",
    [PAGE_REPORTS] = "reports",
};

void html_begin(struct buf *out, const struct html_page *page) {
    buf_add_lit(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                     "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'self'; "
                     "style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; worker-src blob:; "
                     "connect-src ");
    buf_add_str(out, page->live ? "'self'" : "'none'"); /* a live page asks its server for events */
    buf_add_lit(out, "; base-uri 'none'; form-action 'none'\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                     "<meta name=\"referrer\" content=\"no-referrer\">\n<title>");
    html_text(out, page->title);
    buf_addf(
        out,
        " · tlparse</title>\n<link rel=\"stylesheet\" href=\"%sassets/app.css\">\n</head>\n<body data-tl-page=\"%s\"",
        page->root, page_type_names[page->type]);
    if (page->start)
        buf_addf(out, " data-tl-start=\"%s\"", page->start);
    if (page->live)
        buf_addf(out, " data-tl-live=\"%" PRIu64 "\"", page->live);
    if (page->lang)
        buf_addf(out, " data-tl-lang=\"%s\"", lang_name(page->lang));
    buf_addf(out, " data-tl-root=\"%s\">\n", page->root);
    if (page->type == PAGE_REPORT)
        return;
    buf_add_lit(out, "<header><nav>");
    if (page->type != PAGE_REPORTS)
        buf_addf(out, "<a href=\"%sindex.html\">Report</a>", page->root);
    if (page->key.len) {
        AUTO_BUF id = {0};
        path_add_url(&id, page->key);
        buf_addf(out, " <a href=\"%sindex.html#/c/", page->root);
        for (size_t i = 0; i < id.len; i++) /* the slash belongs to the id, so it is encoded */
            id.ptr[i] == '/' ? buf_add_lit(out, "%2F") : buf_add_byte(out, id.ptr[i]);
        buf_add_lit(out, "\">[");
        html_text(out, page->key);
        buf_add_lit(out, "]</a>");
    }
    buf_add_lit(out, "</nav><h1>");
    html_text(out, page->title);
    buf_add_lit(out, "</h1></header>\n<main>\n");
}

void html_end(struct buf *out, const struct html_page *page) {
    if (page->type != PAGE_REPORT)
        buf_addf(out, "</main>\n<script src=\"%sassets/app.js\"></script>\n", page->root);
    buf_add_lit(out, "</body></html>\n");
}

void html_one_begin(struct buf *out, const struct html_one *page) {
    buf_addf(out,
             "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
             "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src %.*s; "
             "style-src %.*s; style-src-attr 'unsafe-inline'; img-src data:; worker-src blob:; base-uri 'none'; "
             "form-action 'none'\">\n"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
             "<meta name=\"referrer\" content=\"no-referrer\">\n<title>",
             SLICE_ARG(page->scripts), SLICE_ARG(page->styles));
    BUF_ADD(out, page->title_html, "</title>\n</head>\n<body data-tl-page=\"report\" data-tl-root=\"\"");
    if (page->start.len)
        buf_addf(out, " data-tl-start=\"%.*s\"", SLICE_ARG(page->start));
    buf_add_lit(out, ">\n<div id=\"app\"></div>\n<noscript><p>This report needs JavaScript.</p></noscript>\n");
}

void html_one_block(struct buf *out, struct slice packed) {
    buf_add_lit(out, "<script type=\"text/x-tlparse\">");
    script_add_base64(out, packed);
    buf_add_lit(out, "</script>\n");
}

void html_one_end(struct buf *out, struct slice loader) {
    BUF_ADD(out, "<script>", loader, "</script>\n</body></html>\n");
}

void html_code(struct buf *out, struct slice text) {
    struct slice line;
    buf_add_lit(out, "<pre id=\"code\">");
    for (uint64_t number = 1; slice_next_line(&text, &line); number++) {
        BUF_ADD(out, "<span id=\"L", (uint64_t)number, "\">");
        html_text(out, line);
        buf_add_lit(out, "</span>\n");
    }
    buf_add_lit(out, "</pre>\n");
}

const char *html_root_of(struct slice path) {
    static const char up[] = "../../../../../../../../../../../../";
    size_t depth = 0;
    for (size_t i = 0; i < path.len; i++)
        depth += path.ptr[i] == '/';
    size_t most = (sizeof up - 1) / 3;
    return up + 3 * (most - (depth < most ? depth : most));
}

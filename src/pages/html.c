#include "pages/html.h"

#include <assert.h>

#include "base/escape.h"
#include "sink/script.h"

/* The bytes that text in HTML may not have: controls, DEL, & < > and both quotes, which differ in one bit from others
 * that it may not have. */
static inline lanes special(lanes v) {
    return (lanes)((v | 1) == '\'') | (lanes)((v | 2) == '>') | (lanes)(v == '"') | (lanes)(v == 0x7f);
}

static inline lanes html_class(lanes v) {
    return special(v) | ((lanes)(v < 0x20) & (lanes)(v != '\t') & (lanes)(v != '\n'));
}

/* The same, and line feeds. */
static inline lanes code_class(lanes v) {
    return special(v) | ((lanes)(v < 0x20) & (lanes)(v != '\t'));
}

static inline size_t html_put(char *to, unsigned char c, void *state) {
    static const struct {
        char text[8];
        size_t len;
    } instead[] = {{"&amp;", 5}, {"&lt;", 4}, {"&gt;", 4}, {"&quot;", 6}, {"&#39;", 5}, {"\xef\xbf\xbd", 3}};
    int i = c == '&' ? 0 : c == '<' ? 1 : c == '>' ? 2 : c == '"' ? 3 : c == '\'' ? 4 : 5;
    (void)state;
    memcpy(to, instead[i].text, sizeof instead[i].text); /* of a constant size; what is too much is overwritten */
    return instead[i].len;
}

void html_text(struct buf *out, struct slice text) {
    if (!text.len || escape_add(out, text, html_class, html_put, NULL))
        return;
    AUTO_BUF clean = {0};
    utf8_add_clean(&clean, text);
    escape_add(out, buf_slice(&clean), html_class, html_put, NULL);
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

/* What the element of a line begins with. The number is counted in decimal. */
struct line_number {
    struct slice before; /* "<span id=\"L" */
    char digits[20];     /* right-aligned */
    size_t len;
};

static void count_line(struct line_number *number) {
    char *digit = number->digits + sizeof number->digits, *first = digit - number->len;
    while (digit > first) {
        if (*--digit < '9') {
            ++*digit;
            return;
        }
        *digit = '0';
    }
    *--first = '1';
    number->len++;
}

static size_t put_line_start(char *to, struct line_number *number) {
    static const struct slice after = SLICE_INIT("\">");
    struct slice before = number->before;
    count_line(number);
    memcpy(to, before.ptr, before.len);
    memcpy(to + before.len, number->digits + sizeof number->digits - number->len, number->len);
    memcpy(to + before.len + number->len, after.ptr, after.len);
    return before.len + number->len + after.len;
}

static const struct slice line_end = SLICE_INIT("</span>\n");

static inline size_t code_put(char *to, unsigned char c, void *number) {
    if (c != '\n')
        return html_put(to, c, NULL);
    memcpy(to, line_end.ptr, line_end.len);
    return line_end.len + put_line_start(to + line_end.len, number);
}

/* Each line in a numbered element. Returns false and adds nothing if the text is not UTF-8. */
static bool add_lines(struct buf *out, struct slice element, struct slice text) {
    struct line_number number = {.before = element};
    size_t before = out->len;
    if (!text.len)
        return true;
    text.len -= text.ptr[text.len - 1] == '\n';
    out->len += put_line_start(buf_reserve(out, ESCAPE_MOST), &number);
    if (!escape_add(out, text, code_class, code_put, &number)) {
        out->len = before;
        return false;
    }
    buf_add(out, line_end);
    return true;
}

void html_lines(struct buf *out, const char *prefix, struct slice text) {
    AUTO_BUF element = {0}, clean = {0};
    BUF_ADD(&element, "<span id=\"", prefix);
    assert(strlen(prefix) <= LINE_PREFIX_MAX);
    if (add_lines(out, buf_slice(&element), text))
        return;
    utf8_add_clean(&clean, text);
    add_lines(out, buf_slice(&element), buf_slice(&clean));
}

void html_code(struct buf *out, struct slice text) {
    buf_add_lit(out, "<pre id=\"code\">");
    html_lines(out, "L", text);
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

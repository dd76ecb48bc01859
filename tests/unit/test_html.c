/* pages/html: text, addresses and pages; nothing in a log can escape. */
#define _GNU_SOURCE
#include "support.h"

#include "pages/html.h"

static void assert_text(struct slice text, const char *expected) {
    struct buf out = {0};
    html_text(&out, text);
    assert_buf(&out, expected);
    buf_free(&out);
}

static void escapes_text(void **state) {
    (void)state;
    assert_text(SLICE("plain"), "plain");
    assert_text(SLICE("</pre><script>alert('1')</script> & \"q\""),
                "&lt;/pre&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt; &amp; &quot;q&quot;");
    assert_text(SLICE("&amp;"), "&amp;amp;");
    assert_text(SLICE("a\tb\nc"), "a\tb\nc");
    assert_text(SLICE("nul\0bell\a\x1b[31m\x7f\r"), "nul\xef\xbf\xbd"
                                                    "bell\xef\xbf\xbd\xef\xbf\xbd[31m\xef\xbf\xbd\xef\xbf\xbd");
    assert_text(SLICE("caf\xe9 \xff<"), "caf\xef\xbf\xbd \xef\xbf\xbd&lt;");
    assert_text(SLICE("ünï 😀"), "ünï 😀");
    assert_text(SLICE(""), "");
    assert_text((struct slice){0}, "");
}

static void writes_addresses(void **state) {
    (void)state;
    struct buf out = {0};
    html_href(&out, "../", SLICE("-_0_0_0/a \"<b>_1.txt"));
    assert_buf(&out, " href=\"../-_0_0_0/a%20%22%3Cb%3E_1.txt\"");
    out.len = 0;
    html_href(&out, "", SLICE("javascript:alert(1)"));
    assert_buf(&out, " href=\"javascript%3Aalert%281%29\"");
    buf_free(&out);
}

static void links_only_http(void **state) {
    (void)state;
    struct buf out = {0};
    static const char *const refused[] = {"javascript:alert(1)",
                                          " jAvAsCrIpT:alert(1)",
                                          "data:text/html,x",
                                          "file:///etc/passwd",
                                          "//x.org",
                                          "",
                                          "http:",
                                          "https:/x",
                                          " https://x",
                                          "\nhttp://x",
                                          "vbscript:x",
                                          "ftp://x"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        assert_false(html_outer_href(&out, slice_str(refused[i])));
        assert_int_equal(out.len, 0);
    }
    assert_false(html_outer_href(&out, (struct slice){0}));
    assert_true(html_outer_href(&out, SLICE("https://x.org/?a=1&b=\"><script>")));
    assert_has(buf_slice(&out), "href=\"https://x.org/?a=1&amp;b=&quot;&gt;&lt;script&gt;\"");
    assert_has(buf_slice(&out), "rel=\"noreferrer\"");
    out.len = 0;
    assert_true(html_outer_href(&out, SLICE("http://x")));
    buf_free(&out);
}

static void writes_pages(void **state) {
    (void)state;
    struct buf out = {0};
    struct html_page page = {.type = PAGE_CODE,
                             .lang = LANG_PYTHON,
                             .root = "../",
                             .title = SLICE("</title><script>"),
                             .key = SLICE("!0/1/2#2")};
    html_begin(&out, &page);
    html_end(&out, &page);
    struct slice text = buf_slice(&out);
    assert_true(slice_starts(text, SLICE("<!DOCTYPE html>\n")));
    assert_has(text, "<meta charset=\"utf-8\">");
    assert_has(
        text,
        "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'self'; style-src 'self' "
        "'unsafe-inline'; img-src 'self' data:; font-src 'self'; worker-src blob:; connect-src 'none'; base-uri "
        "'none'; form-action 'none'\"");
    assert_has(text, "<body data-tl-page=\"code\" data-tl-lang=\"python\" data-tl-root=\"../\">");
    assert_has(text, "<a href=\"../index.html\">Report</a>");
    assert_has(text, "<a href=\"../index.html#/c/%210%2F1%2F2%232\">[!0/1/2#2]</a>");
    assert_has(text, "<h1>&lt;/title&gt;&lt;script&gt;</h1>");
    assert_has(text, "<script src=\"../assets/app.js\"></script>");
    assert_has(text, "href=\"../assets/app.css\"");
    assert_has_not(text, "</title><script>");
    assert_true(slice_ends(text, SLICE("</body></html>\n")));
    out.len = 0;
    page = (struct html_page){.type = PAGE_FAILURES, .root = "", .title = SLICE("x")};
    html_begin(&out, &page);
    assert_has_not(buf_slice(&out), "data-tl-lang");
    assert_has_not(buf_slice(&out), "#/c/");
    buf_free(&out);
}

static void leaves_the_report_page_bare(void **state) {
    (void)state;
    struct buf out = {0};
    struct html_page page = {.type = PAGE_REPORT, .root = "", .title = SLICE("x")};
    html_begin(&out, &page);
    html_end(&out, &page);
    assert_has_not(buf_slice(&out), "<main>");
    assert_has_not(buf_slice(&out), "<header>");
    assert_has_not(buf_slice(&out), "</main>");
    buf_free(&out);
}

static void numbers_lines_of_code(void **state) {
    (void)state;
    struct buf out = {0};
    html_code(&out, SLICE("a < b\n\nlast"));
    assert_buf(&out, "<pre id=\"code\"><span id=\"L1\">a &lt; b</span>\n<span id=\"L2\"></span>\n<span "
                     "id=\"L3\">last</span>\n</pre>\n");
    out.len = 0;
    html_code(&out, SLICE(""));
    assert_buf(&out, "<pre id=\"code\"></pre>\n");
    out.len = 0;
    html_code(&out, SLICE("</pre>\n"));
    assert_buf(&out, "<pre id=\"code\"><span id=\"L1\">&lt;/pre&gt;</span>\n</pre>\n");
    out.len = 0;
    html_code(&out, SLICE("\n"));
    assert_buf(&out, "<pre id=\"code\"><span id=\"L1\"></span>\n</pre>\n");
    out.len = 0;
    html_code(&out, SLICE("a\x80\nb\r")); /* not UTF-8: what was written before the byte is discarded */
    assert_buf(&out,
               "<pre id=\"code\"><span id=\"L1\">a\xef\xbf\xbd</span>\n<span id=\"L2\">b\xef\xbf\xbd</span>\n</pre>\n");
    buf_free(&out);
}

static void counts_lines_beyond_999(void **state) {
    (void)state;
    struct buf text = {0}, out = {0};
    for (int i = 0; i < 1101; i++)
        buf_add_lit(&text, "x\n");
    html_code(&out, buf_slice(&text));
    for (unsigned n = 1; n <= 1101; n += n < 12 ? 1 : 89) {
        char line[64];
        snprintf(line, sizeof line, "<span id=\"L%u\">x</span>\n", n);
        assert_has(buf_slice(&out), line);
    }
    assert_has_not(buf_slice(&out), "L1102");
    buf_free(&text);
    buf_free(&out);
}

static void finds_the_root(void **state) {
    (void)state;
    assert_string_equal(html_root_of(SLICE("a.html")), "");
    assert_string_equal(html_root_of(SLICE("a/b.html")), "../");
    assert_string_equal(html_root_of(SLICE("a/b/c.html")), "../../");
    assert_string_equal(html_root_of(SLICE("-_0_0_0/1/2/3/4/5/6/7/8/x_1.html")), "../../../../../../../../../");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(escapes_text),
        cmocka_unit_test(writes_addresses),
        cmocka_unit_test(links_only_http),
        cmocka_unit_test(writes_pages),
        cmocka_unit_test(leaves_the_report_page_bare),
        cmocka_unit_test(numbers_lines_of_code),
        cmocka_unit_test(counts_lines_beyond_999),
        cmocka_unit_test(finds_the_root),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "answers/check_words.h"

/* Adds text as the content of an element, or of an attribute, in which line breaks would become spaces. Characters that
 * XML 1.0 forbids become U+FFFD. */
static void add_xml(struct buf *out, struct slice text, bool attribute) {
    AUTO_BUF clean = {0};
    utf8_add_clean(&clean, text);
    for (size_t i = 0; i < clean.len; i++) {
        char c = clean.ptr[i];
        struct slice rest = slice_from(buf_slice(&clean), i);
        if (slice_starts(rest, SLICE("\xEF\xBF\xBE")) ||
            slice_starts(rest, SLICE("\xEF\xBF\xBF"))) { /* U+FFFE, U+FFFF */
            buf_add_lit(out, "\uFFFD");
            i += 2;
        } else if (c == '<')
            buf_add_lit(out, "&lt;");
        else if (c == '>')
            buf_add_lit(out, "&gt;");
        else if (c == '&')
            buf_add_lit(out, "&amp;");
        else if (c == '"')
            buf_add_lit(out, "&quot;");
        else if (c == '\t' || c == '\r' || (c == '\n' && attribute))
            buf_addf(out, "&#%d;", c);
        else if ((unsigned char)c < 0x20 && c != '\n')
            buf_add_lit(out, "\uFFFD");
        else
            buf_add_byte(out, c);
    }
}

static void add_attribute(struct buf *out, const char *name, struct slice value) {
    AUTO_BUF clean = {0};
    printable_add(&clean, value, SIZE_MAX);
    buf_addf(out, " %s=\"", name);
    add_xml(out, buf_slice(&clean), true);
    buf_add_byte(out, '"');
}

static void add_counts(struct buf *out, const struct check_results *results) {
    buf_addf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\"", results->count, results->counts[CHECK_FAILED],
             results->counts[CHECK_UNDECIDED]);
}

/* <failure> or <error>, with the causes as text. */
static void add_outcome(struct buf *out, const struct check_results *results, const struct check_request *request,
                        const struct check_result *result) {
    AUTO_BUF sentence = {0}, causes = {0};
    const char *element = result->verdict == CHECK_FAILED ? "failure" : "error";
    result_add_sentence(&sentence, result);
    result_add_causes(&causes, results, result, request->top);
    buf_addf(out, "      <%s", element);
    add_attribute(out, "type", result->verdict == CHECK_FAILED ? SLICE("over budget") : SLICE("undecided"));
    add_attribute(out, "message", buf_slice(&sentence));
    buf_add_byte(out, '>');
    add_xml(out, buf_slice(&causes), false);
    buf_addf(out, "</%s>\n", element);
}

static void add_case(struct buf *out, const struct check_results *results, const struct check_request *request,
                     const struct check_result *result) {
    struct buf text = {0};
    buf_add_lit(out, "    <testcase");
    check_rule_add_title(&text, result->rule);
    add_attribute(out, "name", buf_slice(&text));
    text.len = 0;
    buf_add_lit(&text, "tlparse.");
    check_rule_add_id(&text, result->rule);
    add_attribute(out, "classname", buf_slice(&text));
    buf_free(&text);
    if (result->verdict == CHECK_PASSED) {
        buf_add_lit(out, "/>\n");
        return;
    }
    buf_add_lit(out, ">\n");
    if (result->verdict == CHECK_SKIPPED) {
        buf_add_lit(out, "      <skipped>");
        add_xml(out, result->why, false);
        buf_add_lit(out, "</skipped>\n");
    } else {
        add_outcome(out, results, request, result);
    }
    buf_add_lit(out, "    </testcase>\n");
}

void check_add_junit(struct buf *out, const struct check_results *results, const struct check_request *request) {
    buf_add_lit(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"tlparse check\"");
    add_counts(out, results);
    buf_add_lit(out, ">\n  <testsuite");
    add_attribute(out, "name", slice_str(request->name));
    add_counts(out, results);
    buf_addf(out, " skipped=\"%zu\">\n", results->counts[CHECK_SKIPPED]);
    for (size_t i = 0; i < results->count; i++)
        add_case(out, results, request, &results->items[i]);
    buf_add_lit(out, "  </testsuite>\n</testsuites>\n");
}

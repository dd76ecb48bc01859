
#include "answers/check_words.h"

/* Adds text to a workflow command. Escapes the characters of the command's syntax. Other control characters must not
 * reach the terminal that shows the workflow's log. */
static void add_escaped(struct buf *out, struct slice text, bool property) {
    AUTO_BUF escaped = {0};
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ',')))
            buf_addf(&escaped, "%%%02X", (unsigned)(unsigned char)c);
        else
            buf_add_byte(&escaped, c);
    }
    printable_add(out, buf_slice(&escaped), SIZE_MAX);
}

static void add_property(struct buf *out, const char *name, struct slice value) {
    if (!value.len)
        return;
    BUF_ADD(out, out->len && out->ptr[out->len - 1] == ' ' ? "" : ",", name, "=");
    add_escaped(out, value, true);
}

static void add_command(struct buf *out, const char *command, struct slice file, uint64_t line, struct slice title,
                        struct slice message) {
    buf_addf(out, "::%s ", command);
    add_property(out, "file", file);
    if (file.len && line) {
        char number[24];
        int len = snprintf(number, sizeof number, "%" PRIu64, line);
        add_property(out, "line", slice_make(number, (size_t)len));
    }
    add_property(out, "title", title);
    buf_add_lit(out, "::");
    add_escaped(out, message, false);
    buf_add_byte(out, '\n');
}

static void add_cause(struct buf *out, const struct check_results *results, const struct check_request *request,
                      const struct check_result *result, const struct check_cause *cause) {
    AUTO_BUF title = {0}, message = {0};
    result_add_sentence(&title, result);
    check_cause_add_message(&message, results, result, cause);
    add_command(out, "error", source_roots_path(&request->roots, cause->file), cause->line, buf_slice(&title),
                buf_slice(&message));
}

static void add_result(struct buf *out, const struct check_results *results, const struct check_request *request,
                       const struct check_result *result) {
    AUTO_BUF sentence = {0};
    bool listed = false;
    for (size_t g = 0; g < result->groups.count && g < request->top; g++) {
        const struct check_group *group = &result->groups.items[g];
        for (size_t i = 0; i < group->causes.count && i < request->top; i++) {
            add_cause(out, results, request, result, &group->causes.items[i]);
            listed = true;
        }
    }
    if (listed || result->verdict == CHECK_PASSED || result->verdict == CHECK_SKIPPED)
        return;
    result_add_sentence(&sentence, result);
    add_command(out, result->verdict == CHECK_FAILED ? "error" : "warning", (struct slice){0}, 0,
                SLICE("tlparse check"), buf_slice(&sentence));
}

void check_add_github(struct buf *out, const struct check_results *results, const struct check_request *request) {
    for (size_t i = 0; i < results->count; i++)
        add_result(out, results, request, &results->items[i]);
    buf_add_lit(out, "tlparse: ");
    check_add_counts(out, results);
    buf_add_byte(out, '\n');
}

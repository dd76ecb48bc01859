#define PCRE2_CODE_UNIT_WIDTH 8
#include "base/pattern.h"

#include <pcre2.h>

#include "base/mem.h"

/* A search that needs more steps is abandoned: names are short, so only a pattern with unbounded backtracking needs
 * more. */
enum { SEARCH_STEPS = 100000, SEARCH_KIB = 4096, PATTERN_BYTES = 4096 };

struct pattern {
    pcre2_code *code;
    pcre2_match_context *limits;
};

/* PCRE2 without Unicode, as in a wheel, searches bytes instead. */
static uint32_t options(void) {
    uint32_t unicode = 0;
    (void)pcre2_config(PCRE2_CONFIG_UNICODE, &unicode);
    return PCRE2_NEVER_BACKSLASH_C | (unicode ? PCRE2_UTF | PCRE2_MATCH_INVALID_UTF : 0);
}

struct pattern *pattern_create(struct slice text, struct buf *why) {
    int error = 0;
    PCRE2_SIZE at = 0;
    PCRE2_UCHAR message[200] = "";
    if (text.len > PATTERN_BYTES) {
        buf_addf(why, "it is longer than %d bytes", PATTERN_BYTES);
        return NULL;
    }
    pcre2_code *code = pcre2_compile((PCRE2_SPTR)text.ptr, text.len, options(), &error, &at, NULL);
    if (!code) {
        pcre2_get_error_message(error, message, sizeof message);
        buf_addf(why, "%s at character %zu", (const char *)message, (size_t)at + 1);
        return NULL;
    }
    struct pattern *pattern = mem_zalloc(1, sizeof *pattern);
    *pattern = (struct pattern){code, pcre2_match_context_create(NULL)};
    if (!pattern->limits)
        mem_exhausted();
    pcre2_set_match_limit(pattern->limits, SEARCH_STEPS);
    pcre2_set_heap_limit(pattern->limits, SEARCH_KIB);
    return pattern;
}

enum pattern_found pattern_search(const struct pattern *pattern, struct slice text) {
    pcre2_match_data *data = pcre2_match_data_create(1, NULL);
    if (!data)
        mem_exhausted();
    int result =
        pcre2_match(pattern->code, (PCRE2_SPTR)(text.ptr ? text.ptr : ""), text.len, 0, 0, data, pattern->limits);
    pcre2_match_data_free(data);
    return result >= 0 ? PATTERN_FOUND : result == PCRE2_ERROR_NOMATCH ? PATTERN_ABSENT : PATTERN_TOO_EXPENSIVE;
}

void pattern_destroy(struct pattern *pattern) {
    if (!pattern)
        return;
    pcre2_match_context_free(pattern->limits);
    pcre2_code_free(pattern->code);
    mem_free(pattern);
}

/* word.h - words and strings in lines of Python, for the parsers of graphs and code. Pure; any thread. */
#pragma once

#include "base/slice.h"

static inline bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* The number of digits at the start of the text. */
static inline size_t digits_length(struct slice text) {
    size_t len = 0;
    while (len < text.len && is_digit(text.ptr[len]))
        len++;
    return len;
}

/* Digits with an optional minus, such as "-12". */
static inline bool is_integer(struct slice text) {
    size_t minus = text.len && text.ptr[0] == '-';
    return text.len > minus && digits_length(slice_from(text, minus)) == text.len - minus;
}

/* A letter, a digit or "_". Python identifiers may use any script, so bytes beyond ASCII count as letters. */
extern const bool word_bytes[256]; /* by byte, without a sign */
static inline bool is_word(char c) {
    return word_bytes[(unsigned char)c];
}

/* The length of the word at the start of the text. */
static inline size_t word_length(struct slice text) {
    size_t len = 0;
    while (len < text.len && is_word(text.ptr[len]))
        len++;
    return len;
}

/* Whether the text contains the word as a whole word. */
static inline bool has_word(struct slice text, struct slice word) {
    for (size_t i = 0, length; i < text.len && word.len; i += length ? length : 1) {
        length = word_length(slice_from(text, i));
        if (length == word.len && slice_eq(slice_make(text.ptr + i, length), word))
            return true;
    }
    return false;
}

/* The index after "name(" where the text calls the function `name`, which is neither a method nor the end of a longer
 * name. SIZE_MAX: it does not. */
static inline size_t call_of(struct slice text, struct slice name) {
    size_t from = 0, at;
    while ((at = slice_find(slice_from(text, from), name)) != SIZE_MAX) {
        size_t start = from + at, end = start + name.len;
        if (end < text.len && text.ptr[end] == '(' &&
            (!start || (text.ptr[start - 1] != '.' && !is_word(text.ptr[start - 1]))))
            return end + 1;
        from = end;
    }
    return SIZE_MAX;
}

/* The text up to the closing parenthesis of a call, starting inside it: "a, f(b)" of "a, f(b)) + c". */
static inline struct slice arguments_of(struct slice text) {
    size_t depth = 0, at = 0;
    for (; at < text.len && (depth || text.ptr[at] != ')'); at++)
        depth += (size_t)(text.ptr[at] == '(') - (size_t)(text.ptr[at] == ')');
    return slice_first(text, at);
}

/* The index after the string whose opening quote is at `at`, or the end of the text if the string is not closed. */
static inline size_t behind_string(struct slice text, size_t at) {
    char quote = text.ptr[at++];
    const char *end = at < text.len ? memchr(text.ptr + at, quote, text.len - at) : NULL;
    if (end && !memchr(text.ptr + at, '\\', (size_t)(end - text.ptr) - at)) /* nearly all */
        return (size_t)(end - text.ptr) + 1;
    while (at < text.len && text.ptr[at] != quote)
        at += text.ptr[at] == '\\' ? 2 : 1;
    return at < text.len ? at + 1 : text.len;
}

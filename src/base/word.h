/* word.h - words and strings in lines of Python: the readers of graphs and code share them. Pure; any thread. */
#ifndef TLPARSE_BASE_WORD_H
#define TLPARSE_BASE_WORD_H

#include "base/slice.h"

static inline bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Of the digits at the start of the text. */
static inline size_t digits_length(struct slice text) {
    size_t len = 0;
    while (len < text.len && is_digit(text.ptr[len]))
        len++;
    return len;
}

/* "-12": digits, perhaps behind a minus. */
static inline bool is_integer(struct slice text) {
    size_t minus = text.len && text.ptr[0] == '-';
    return text.len > minus && digits_length(slice_from(text, minus)) == text.len - minus;
}

/* A letter, a digit or "_". Python's names may be of any script: a byte beyond ASCII is part of one. */
static inline bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || (c & 0x80);
}

/* Of the word at the start of the text. */
static inline size_t word_length(struct slice text) {
    size_t len = 0;
    while (len < text.len && is_word(text.ptr[len]))
        len++;
    return len;
}

/* Behind the string whose quote is at `at`; the end of the text where it does not end. */
static inline size_t behind_string(struct slice text, size_t at) {
    char quote = text.ptr[at++];
    while (at < text.len && text.ptr[at] != quote)
        at += text.ptr[at] == '\\' ? 2 : 1;
    return at < text.len ? at + 1 : text.len;
}

#endif

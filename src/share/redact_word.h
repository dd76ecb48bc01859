/* redact_word.h - the words of a text, and which words redaction keeps: those of the vocabulary. Pure.
 *
 * A word consists of letters, digits, underscores, escapes of these (\u00e9, %c3%a9, &#233;), and everything outside of
 * ASCII that is not known to be a sign: letters of any script, accents, zero-width characters, emoji, malformed bytes.
 * It has at least one letter, so "_0_1" is not a word. */
#pragma once

#include "base/base.h"

/* The next word at or after *at, as *from and *at; false if there is none. */
bool redact_next_word(struct slice text, size_t *at, size_t *from);
/* The end of the word-like run at `from`, which may have no letter; `from` if there is none. */
size_t redact_word_end(struct slice text, size_t from);
/* The length of a sign outside of ASCII at `at` that is never part of a name, such as an arrow; else 0. */
size_t redact_sign_at(struct slice text, size_t at);
/* The length of a terminal's control sequence at `at`, raw or escaped (\x1b[31m), else 0. */
size_t redact_control_at(struct slice text, size_t at);
bool redact_has_letter(struct slice text);
/* Whether redaction keeps the word: it is in the vocabulary, with or without the number that the compiler adds, a number, or a symbol (s77). */
bool redact_is_kept(struct slice word);
/* Whether all words of the text are kept. */
bool redact_is_plain(struct slice text);
/* The same for words that are kept in PyTorch's own files and links. */
bool redact_is_torch_word(struct slice word);
bool redact_is_torch_text(struct slice text);
/* Turns the bytes into their shape, in place: letters become x, digits become 0. */
void redact_shape(char *bytes, size_t len);

static inline bool redact_is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static inline bool redact_is_digit(char c) {
    return c >= '0' && c <= '9';
}

static inline bool redact_is_word_byte(char c) {
    return redact_is_letter(c) || redact_is_digit(c) || c == '_';
}

static inline bool redact_is_in(char c, const char *set) {
    return c && strchr(set, c);
}

/* vocabulary.c - the words that a redacted report may contain (vocabulary.txt, made by tools/vocabulary.py): those of our own messages and schemas,
 * and PyTorch's names. No word comes from a log. Pure; any thread. */
/* Whether the word, possibly capitalized at the start of a sentence, is in the list. */
bool vocabulary_has(struct slice word);
/* Whether the word is the name of one of PyTorch's settings (settings.txt), and has an underscore: "debug" may be
 * anything. */
bool vocabulary_is_setting(struct slice word);
/* Whether the word is one of torch_names.txt: a module, function or name of PyTorch's own files that vocabulary_has()
 * does not have. A program may use it for anything, so it counts only in PyTorch's files. */
bool vocabulary_is_torch(struct slice word);

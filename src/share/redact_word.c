#include "share/redact_word.h"

#include "share/vocabulary.h"

/* Everything outside of ASCII that is none of these may be part of a name. */
size_t redact_sign_at(struct slice text, size_t at) {
    const unsigned char *c = (const unsigned char *)text.ptr + at;
    size_t left = text.len - at;
    if (left >= 2 && ((c[0] == 0xc2 && c[1] != 0xaa && c[1] != 0xb5 && c[1] != 0xba) || (c[0] == 0xc3 && c[1] == 0x97)))
        return 2;
    if (left >= 3 && c[0] == 0xe2)
        return 3;
    if (left >= 3 && c[0] == 0xef && c[1] == 0xb8 && c[2] == 0x8f)
        return 3;
    return left >= 4 && c[0] == 0xf0 && c[1] == 0x9f ? 4 : 0;
}

static unsigned digit_of(char c) {
    if (redact_is_digit(c))
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f')
        return (unsigned)(c - 'a' + 10);
    return c >= 'A' && c <= 'F' ? (unsigned)(c - 'A' + 10) : 99;
}

/* The length of an escape with a number at `at`, such as \u00e9, \xe9 or \303, and its value; else 0. */
static size_t escape_at(struct slice text, size_t at, uint32_t *value) {
    if (text.len - at < 4 || text.ptr[at] != '\\')
        return 0;
    char c = text.ptr[at + 1];
    bool is_octal = c >= '0' && c <= '3';
    size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : is_octal ? 3 : 0, from = at + (is_octal ? 1 : 2);
    if (!digits || text.len - from < digits)
        return 0;
    *value = 0;
    for (size_t i = from; i < from + digits; i++) {
        unsigned digit = digit_of(text.ptr[i]), base = is_octal ? 8 : 16;
        if (digit >= base)
            return 0;
        *value = *value * base + digit;
    }
    return from + digits - at;
}

/* The length of an escape that may be part of a name, else 0. Escapes of signs are not. */
static size_t name_escape_at(struct slice text, size_t at) {
    uint32_t value;
    size_t len = escape_at(text, at, &value);
    bool is_ascii = len && value < 0x80;
    if (!len || (value >= 0x2000 && value < 0x2c00) ||
        (is_ascii && !redact_is_letter((char)value) && !redact_is_digit((char)value) && value != '_'))
        return 0;
    return len;
}

size_t redact_word_end(struct slice text, size_t from) {
    while (from < text.len) {
        char c = text.ptr[from];
        size_t escape = c == '\\' ? name_escape_at(text, from) : 0;
        bool is_part =
            redact_is_letter(c) || redact_is_digit(c) || c == '_' || (c & 0x80 && !redact_sign_at(text, from));
        if (!escape && !is_part)
            break;
        from += escape ? escape : 1;
    }
    return from;
}

/* A digit or underscore alone makes no word; the backslash of an escape does. */
static bool has_letter(struct slice run) {
    for (size_t i = 0; i < run.len; i++)
        if (redact_is_letter(run.ptr[i]) || run.ptr[i] & 0x80 || run.ptr[i] == '\\')
            return true;
    return false;
}

bool redact_next_word(struct slice text, size_t *at, size_t *from) {
    for (size_t i = *at, end; i < text.len; i = end) {
        size_t sign = redact_sign_at(text, i);
        end = sign ? i : redact_word_end(text, i);
        if (end > i && has_letter(slice_make(text.ptr + i, end - i))) {
            *from = i;
            *at = end;
            return true;
        }
        if (end == i)
            end += sign ? sign : 1;
    }
    *at = text.len;
    return false;
}

size_t redact_control_at(struct slice text, size_t at) {
    uint32_t value = 0;
    size_t len = text.ptr[at] == 0x1b ? 1 : escape_at(text, at, &value);
    if (!len || (text.ptr[at] == '\\' && value != 0x1b))
        return 0;
    size_t end = at + len;
    if (end >= text.len || text.ptr[end] != '[')
        return len;
    for (end++; end < text.len && end - at < 40; end++)
        if (text.ptr[end] >= 0x40 && text.ptr[end] <= 0x7e)
            return end + 1 - at;
    return len;
}

bool redact_has_letter(struct slice text) {
    size_t at = 0, from;
    return redact_next_word(text, &at, &from);
}

/* Number-like: "0x7f", "1e", "21T00", "05Z". */
static bool is_number(struct slice word) {
    size_t letters = 0;
    for (size_t i = 0; i < word.len; i++)
        letters += !redact_is_digit(word.ptr[i]) && word.ptr[i] != '_';
    return redact_is_digit(word.ptr[0]) && letters <= 2;
}

/* The word without the number that the compiler adds: mul_3, arg0_1, dynamo_output_graph_2. */
static struct slice without_number(struct slice word) {
    while (word.len && (redact_is_digit(word.ptr[word.len - 1]) || word.ptr[word.len - 1] == '_'))
        word.len--;
    return word;
}

static bool is_listed(struct slice word) {
    struct slice stem = without_number(word);
    return stem.len <= 1 || vocabulary_has(word) || vocabulary_has(stem);
}

/* Names that Inductor makes of operators: triton_poi_fused_add_relu_0. Operators have underscores, so the longest ones are tried first. */
static bool is_fused(struct slice word) {
    static const struct slice prefixes[] = {SLICE_INIT("triton_"), SLICE_INIT("cpp_fused_")};
    bool made = slice_starts(word, prefixes[0]) || slice_starts(word, prefixes[1]);
    for (size_t at = 0; made && at < word.len;) {
        size_t end = word.len;
        while (end > at &&
               !((end == word.len || word.ptr[end] == '_') && is_listed(slice_make(word.ptr + at, end - at))))
            end--;
        if (end == at && word.ptr[at] != '_')
            return false;
        at = end == at ? at + 1 : end + 1;
    }
    return made;
}

bool redact_is_kept(struct slice word) {
    return is_number(word) || is_listed(word) || is_fused(word);
}

bool redact_is_plain(struct slice text) {
    for (size_t at = 0, from; redact_next_word(text, &at, &from);)
        if (!redact_is_kept(slice_make(text.ptr + from, at - from)))
            return false;
    return true;
}

void redact_shape(char *bytes, size_t len) {
    for (size_t i = 0; i < len; i++) {
        char c = bytes[i];
        bytes[i] = redact_is_letter(c) || c & 0x80 ? 'x' : redact_is_digit(c) ? '0' : c;
    }
}

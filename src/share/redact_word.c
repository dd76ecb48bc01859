#include "share/redact_word.h"

enum { SYMBOL_DIGITS = 4, PART_DIGITS = 4, LISTED_MAX = 80 };

/* The code point of well-formed UTF-8 at `at`, and its length; else 0. */
static size_t code_point_at(struct slice text, size_t at, uint32_t *value) {
    const unsigned char *c = (const unsigned char *)text.ptr + at;
    size_t len = c[0] >= 0xf0 ? 4 : c[0] >= 0xe0 ? 3 : c[0] >= 0xc2 ? 2 : 0;
    if (!len || text.len - at < len)
        return 0;
    *value = c[0] & (0xffu >> (len + 1));
    for (size_t i = 1; i < len; i++) {
        if ((c[i] & 0xc0) != 0x80)
            return 0;
        *value = *value << 6 | (c[i] & 0x3f);
    }
    return len;
}

/* Whether the character is never part of a name: punctuation, arrows, operators, boxes. Everything else outside of
 * ASCII may be part of a name, even zero-width characters. */
static bool is_sign(uint32_t c) {
    static const struct {
        uint32_t from, to;
    } ranges[] = {
        {0xa7, 0xa9},     {0xab, 0xac},     {0xae, 0xb4},     {0xb6, 0xb8},     {0xbb, 0xbf},     {0xd7, 0xd7},
        {0xf7, 0xf7},     {0x2010, 0x2027}, {0x2030, 0x203a}, {0x2190, 0x22ff}, {0x2500, 0x25ff}, {0x2705, 0x2705},
        {0x2713, 0x2717}, {0x274c, 0x274c}, {0x2753, 0x2757}, {0x2795, 0x2797},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (c >= ranges[i].from && c <= ranges[i].to)
            return true;
    return false;
}

size_t redact_sign_at(struct slice text, size_t at) {
    uint32_t value = 0;
    size_t len = text.ptr[at] & 0x80 ? code_point_at(text, at, &value) : 0;
    return len && is_sign(value) ? len : 0;
}

static unsigned digit_of(char c) {
    if (redact_is_digit(c))
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f')
        return (unsigned)(c - 'a' + 10);
    return c >= 'A' && c <= 'F' ? (unsigned)(c - 'A' + 10) : 99;
}

/* Reads up to `most` digits at `from`; returns their count. */
static size_t read_digits(struct slice text, size_t from, size_t most, unsigned base, uint32_t *value) {
    size_t count = 0;
    for (*value = 0; count < most && from + count < text.len; count++) {
        unsigned digit = digit_of(text.ptr[from + count]);
        if (digit >= base)
            break;
        *value = *value * base + digit;
    }
    return count;
}

/* The length of "{1f980}" or "1f980;" with digits, 0 if there is none. */
static size_t closed_at(struct slice text, size_t from, char close, unsigned base, uint32_t *value) {
    size_t count = read_digits(text, from, 7, base, value);
    return count && from + count < text.len && text.ptr[from + count] == close ? count + 1 : 0;
}

/* The length of an escape with a number at `at`, and its value; else 0: \u00e9, \u{e9}, \xe9, \303, &#233;, &#xe9;, %c3. */
static size_t escape_at(struct slice text, size_t at, uint32_t *value) {
    char c = text.ptr[at], kind = at + 1 < text.len ? text.ptr[at + 1] : '\0',
         third = at + 2 < text.len ? text.ptr[at + 2] : '\0';
    size_t len = 0, digits = kind == 'x' ? 2 : kind == 'u' ? 4 : 8;
    if (c == '%')
        return read_digits(text, at + 1, 2, 16, value) == 2 ? 3 : 0;
    if (c == '&' && kind == '#') {
        bool is_hex = third == 'x' || third == 'X';
        size_t before = is_hex ? 3 : 2;
        return (len = closed_at(text, at + before, ';', is_hex ? 16 : 10, value)) ? before + len : 0;
    }
    if (c != '\\')
        return 0;
    if (kind >= '0' && kind <= '3')
        return read_digits(text, at + 1, 3, 8, value) == 3 ? 4 : 0;
    if (!redact_is_in(kind, "xuU"))
        return 0;
    if (third == '{')
        return (len = closed_at(text, at + 3, '}', 16, value)) ? 3 + len : 0;
    return read_digits(text, at + 2, digits, 16, value) == digits ? digits + 2 : 0;
}

/* The length of an escape that may be part of a name, else 0. Escapes of signs are not. */
static size_t name_escape_at(struct slice text, size_t at) {
    uint32_t value;
    size_t len = redact_is_in(text.ptr[at], "\\&%") ? escape_at(text, at, &value) : 0;
    bool is_ascii = len && value < 0x80;
    if (!len || is_sign(value) ||
        (is_ascii && !redact_is_letter((char)value) && !redact_is_digit((char)value) && value != '_'))
        return 0;
    return len;
}

size_t redact_word_end(struct slice text, size_t from) {
    while (from < text.len) {
        char c = text.ptr[from];
        bool is_part =
            redact_is_letter(c) || redact_is_digit(c) || c == '_' || (c & 0x80 && !redact_sign_at(text, from));
        size_t escape = is_part ? 0 : name_escape_at(text, from);
        if (!escape && !is_part)
            break;
        from += escape ? escape : 1;
    }
    return from;
}

/* A word needs a letter or an escape; digits and underscores are not enough. */
static bool has_letter(struct slice run) {
    for (size_t i = 0; i < run.len; i++)
        if (redact_is_letter(run.ptr[i]) || run.ptr[i] & 0x80 || redact_is_in(run.ptr[i], "\\&%"))
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
    size_t len = text.ptr[at] == 0x1b ? 1 : text.ptr[at] == '\\' ? escape_at(text, at, &value) : 0;
    if (!len || (text.ptr[at] == '\\' && value != 0x1b))
        return 0;
    size_t end = at + len;
    if (end >= text.len || text.ptr[end] != '[')
        return len;
    for (end++; end < text.len && end - at < 40 && (redact_is_digit(text.ptr[end]) || text.ptr[end] == ';');)
        end++;
    return end < text.len && redact_is_letter(text.ptr[end]) ? end + 1 - at : len;
}

bool redact_has_letter(struct slice text) {
    size_t at = 0, from;
    return redact_next_word(text, &at, &from);
}

static size_t digits_end(struct slice word, size_t from) {
    while (from < word.len && (redact_is_digit(word.ptr[from]) || word.ptr[from] == '_'))
        from++;
    return from;
}

/* A number, including characters that numbers have: "0x7f", "1e", "1e10", "21T00", "05Z", "3ms", "16GB", "0a0". */
static bool is_number(struct slice word) {
    static const char *const units[] = {"x", "d",  "D",  "e",  "E",  "f",  "h",  "k",  "K",  "m",   "M",   "G",   "T",
                                        "s", "ms", "us", "ns", "B",  "KB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "TiB",
                                        "Z", "th", "st", "nd", "rd", "L",  "U",  "UL", "LL", "ULL", "j",   "p"};
    static const char *const between[] = {"e", "E", "T", "a", "b", "rc", "x"};
    size_t end = digits_end(word, 0), last;
    if (!end || !redact_is_digit(word.ptr[0]))
        return false;
    struct slice rest = slice_from(word, end);
    if (!rest.len)
        return true;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (slice_is(rest, units[i]))
            return true;
    if (word.ptr[0] == '0' && end == 1 && rest.ptr[0] == 'x') { /* an address or a text would be longer */
        for (last = 1; last < rest.len && digit_of(rest.ptr[last]) < 16;)
            last++;
        return last == rest.len && last <= 5;
    }
    for (size_t i = 0; i < sizeof between / sizeof *between; i++) {
        size_t len = strlen(between[i]);
        if (slice_starts(rest, slice_str(between[i])) && rest.len > len && digits_end(rest, len) == rest.len &&
            end <= PART_DIGITS && rest.len - len <= PART_DIGITS)
            return true;
    }
    return false;
}

/* The word without the number that the compiler adds: mul_3, arg0_1, dynamo_output_graph_2. */
static struct slice without_number(struct slice word) {
    while (word.len && (redact_is_digit(word.ptr[word.len - 1]) || word.ptr[word.len - 1] == '_'))
        word.len--;
    return word;
}

/* s77, p_1 and x are symbols; b1234567 may be a user name. */
static bool is_symbol(struct slice word, struct slice stem) {
    size_t digits = 0;
    for (size_t i = stem.len; i < word.len; i++)
        digits += redact_is_digit(word.ptr[i]);
    return stem.len <= 1 && (!stem.len || (!(stem.ptr[0] & 0x80) && digits <= SYMBOL_DIGITS));
}

static bool is_listed(struct slice word) {
    struct slice stem = without_number(word);
    return is_symbol(word, stem) || vocabulary_has(word) || vocabulary_has(stem);
}

bool redact_is_torch_word(struct slice word) {
    return redact_is_kept(word) || vocabulary_is_torch(word) || vocabulary_is_torch(without_number(word));
}

/* Names that Inductor composes from operators: triton_poi_fused_add_relu_0. Operators contain underscores, so the
 * longest ones are tried first. */
static bool is_fused(struct slice word) {
    static const struct slice prefixes[] = {SLICE_INIT("triton_"), SLICE_INIT("cpp_fused_")};
    bool made = slice_starts(word, prefixes[0]) || slice_starts(word, prefixes[1]);
    for (size_t at = 0; made && at < word.len;) {
        size_t end = word.len - at > LISTED_MAX ? at + LISTED_MAX : word.len; /* all listed words are shorter */
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

static bool has_only(struct slice text, bool (*is_known)(struct slice)) {
    for (size_t at = 0, from; redact_next_word(text, &at, &from);)
        if (!is_known(slice_make(text.ptr + from, at - from)))
            return false;
    return true;
}

bool redact_is_plain(struct slice text) {
    return has_only(text, redact_is_kept);
}

bool redact_is_torch_text(struct slice text) {
    return has_only(text, redact_is_torch_word);
}

void redact_shape(char *bytes, size_t len) {
    for (size_t i = 0; i < len; i++) {
        char c = bytes[i];
        bytes[i] = redact_is_letter(c) || c & 0x80 ? 'x' : redact_is_digit(c) ? '0' : c;
    }
}

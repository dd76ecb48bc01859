#include "base/noise.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/sixteen.h"
#include "base/word.h"

/* A word at which noise begins, and how far the noise extends. */
struct word {
    struct slice after, chars; /* chars: the bytes that belong to the noise, or, with `until`, the bytes that end it */
    bool until;
    struct slice instead;
};

/* Defines words, ID_DIGITS, id_instead, and `second`: for each first byte of noise, the second byte of its word, or 1
 * if it does not begin a word. begins_word() and begins_number() do the same for sixteen bytes, of which `next` follow;
 * the words of the second begin with a digit. */
#include "noise_rules.inc"

static size_t digits_at(struct slice s, size_t from) {
    size_t len = from;
    while (len < s.len && is_digit(s.ptr[len]))
        len++;
    return len;
}

/* The length of the noise that begins with a word here, or 0. */
static size_t word_at(struct slice s, struct slice *instead) {
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const struct word *word = &words[i];
        size_t len = word->after.len;
        if (!slice_starts(s, word->after))
            continue;
        while (len < s.len && !memchr(word->chars.ptr, s.ptr[len], word->chars.len) == word->until)
            len++;
        *instead = word->instead;
        return len;
    }
    return 0;
}

/* Whether the digits at `at` follow a decimal point, as in "0.06666666666666667": a constant, not an id. */
static bool is_fraction(struct slice text, size_t at) {
    return at > 1 && text.ptr[at - 1] == '.' && is_digit(text.ptr[at - 2]);
}

/* 64 bytes: a bit for each, the first byte the lowest. */
struct window {
    uint64_t digits, words, numbers;
};

/* Reads 65 bytes. */
static struct window window_at(const char *p) {
    struct window w = {0};
    for (int k = 0; k < 64; k += 16) {
        lanes v = lanes_load(p + k), next = lanes_load(p + k + 1);
        w.digits |= (uint64_t)lanes_bits((lanes)((lanes)(v - '0') < 10)) << k;
        w.words |= (uint64_t)lanes_bits(begins_word(v, next)) << k;
        w.numbers |= (uint64_t)lanes_bits(begins_number(v, next)) << k;
    }
    return w;
}

/* Where at least ID_DIGITS digits begin. */
static uint64_t ids_of(uint64_t digits) {
    uint64_t ids = digits;
    for (unsigned have = 1, more; have < ID_DIGITS; have += more) {
        more = have < ID_DIGITS - have ? have : ID_DIGITS - have;
        ids &= ids >> more;
    }
    return ids;
}

/* The first place at or after i where noise may begin. No digits may end at i. Near the end of the text, and in very
 * long numbers, a place before it. */
static size_t skip_plain(struct slice text, size_t i) {
    while (i + 65 <= text.len) {
        struct window w = window_at(text.ptr + i);
        uint64_t found = ids_of(w.digits) | w.words | (w.numbers & ~(w.digits << 1));
        if (found)
            return i + (size_t)__builtin_ctzll(found);
        if (w.digits == UINT64_MAX)
            return i;
        i += 64 - (size_t)__builtin_clzll(~w.digits); /* what ends the window may be the beginning of an id */
    }
    return i;
}

/* Finds the next noise of the text at or after `at`. Returns false if there is none. The text before it is plain. */
static bool noise_next(struct slice text, size_t at, size_t *start, size_t *end, struct slice *instead) {
    const char *p = text.ptr;
    for (size_t i = at;;) {
        i = skip_plain(text, i);
        while (i < text.len && !second[(unsigned char)p[i]])
            i++;
        if (i >= text.len)
            return false;
        *start = i;
        bool likely = i + 1 < text.len && p[i + 1] == second[(unsigned char)p[i]];
        size_t len = likely ? word_at(slice_from(text, i), instead) : 0;
        if (len) {
            *end = i + len;
            return true;
        }
        if (!is_digit(p[i])) {
            i++;
            continue;
        }
        i = digits_at(text, i);
        if (i - *start >= ID_DIGITS && !is_fraction(text, *start)) {
            *end = i;
            *instead = id_instead;
            return true;
        }
    }
}

void noise_add_without(struct buf *out, struct slice text) {
    size_t at = 0, start, end;
    struct slice instead;
    for (; noise_next(text, at, &start, &end, &instead); at = end)
        BUF_ADD(out, slice_make(text.ptr + at, start - at), instead);
    buf_add(out, slice_from(text, at));
}

uint64_t noise_hash(struct slice text) {
    XXH3_state_t state;
    XXH3_64bits_reset(&state);
    size_t at = 0, start, end;
    struct slice instead;
    for (; noise_next(text, at, &start, &end, &instead); at = end) {
        XXH3_64bits_update(&state, text.ptr + at, start - at);
        XXH3_64bits_update(&state, instead.ptr, instead.len);
    }
    struct slice rest = slice_from(text, at);
    if (rest.len)
        XXH3_64bits_update(&state, rest.ptr, rest.len);
    uint64_t hash = XXH3_64bits_digest(&state);
    return hash ? hash : 1;
}

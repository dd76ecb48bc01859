#include "base/noise.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/word.h"

enum { ID_DIGITS = 10 };

static bool is_hex(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool ends_path(char c) {
    return c == ' ' || c == '\n' || c == '"' || c == '\'' || c == ')' || c == ']' || c == ',' || c == ':';
}

/* With which bytes noise may begin, and the second byte of the word it then is: this is asked for every byte of every graph. */
enum { ANY = 1 };
static const char second[256] = {
    ['0'] = ANY, ['1'] = ANY, ['2'] = ANY, ['3'] = ANY, ['4'] = ANY, ['5'] = ANY, ['6'] = ANY, ['7'] = ANY,
    ['8'] = ANY, ['9'] = ANY, ['/'] = 't', ['G'] = 'u', ['c'] = 'u', ['x'] = 'p', ['h'] = 'p', ['n'] = 'p',
};

static size_t digits_at(struct slice s, size_t from) {
    size_t len = from;
    while (len < s.len && is_digit(s.ptr[len]))
        len++;
    return len;
}

/* The words that a number or a path follows. */
static size_t word_at(struct slice s, struct slice *instead) {
    static const struct slice devices[] = {SLICE_INIT("cuda:"), SLICE_INIT("xpu:"), SLICE_INIT("hpu:"),
                                           SLICE_INIT("npu:")};
    static const struct slice latency = SLICE_INIT("Guard latency = "), temporary = SLICE_INIT("/tmp/");
    size_t len = 0;
    if (slice_starts(s, temporary)) {
        for (len = temporary.len; len < s.len && !ends_path(s.ptr[len]); len++)
            ;
        *instead = SLICE("/tmp/…");
        return len;
    }
    if (slice_starts(s, latency)) { /* behind the guards in C++: how long they took once */
        for (len = latency.len; len < s.len && (is_digit(s.ptr[len]) || s.ptr[len] == '.'); len++)
            ;
        *instead = latency;
        return len;
    }
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        if (slice_starts(s, devices[i])) {
            *instead = devices[i];
            return digits_at(s, devices[i].len);
        }
    return 0;
}

/* The next noise of the text at or behind `at`: false where there is none. What stands before it is plain. */
static bool noise_next(struct slice text, size_t at, size_t *start, size_t *end, struct slice *instead) {
    const char *p = text.ptr;
    size_t i = at;
    for (;;) {
        while (i < text.len && !second[(unsigned char)p[i]])
            i++;
        if (i >= text.len)
            return false;
        *start = i;
        if (!is_digit(p[i])) {
            bool likely = i + 1 < text.len && p[i + 1] == second[(unsigned char)p[i]];
            size_t len = likely ? word_at(slice_from(text, i), instead) : 0;
            if (len) {
                *end = i + len;
                return true;
            }
            i++;
        } else if (p[i] == '0' && i + 1 < text.len && p[i + 1] == 'x') {
            for (i += 2; i < text.len && is_hex(p[i]); i++)
                ;
            *end = i;
            *instead = SLICE("0x");
            return true;
        } else {
            i = digits_at(text, i);
            if (i - *start >= ID_DIGITS) {
                *end = i;
                *instead = SLICE("#");
                return true;
            }
        }
    }
}

void noise_add_without(struct buf *out, struct slice text) {
    size_t at = 0, start, end;
    struct slice instead;
    for (; noise_next(text, at, &start, &end, &instead); at = end) {
        buf_add(out, slice_make(text.ptr + at, start - at));
        buf_add(out, instead);
    }
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

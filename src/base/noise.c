#include "base/noise.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { ID_DIGITS = 10 };

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_hex(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool ends_path(char c) {
    return c == ' ' || c == '\n' || c == '"' || c == '\'' || c == ')' || c == ']' || c == ',' || c == ':';
}

/* How many bytes at s are noise, and what stands for them. */
static size_t noise_at(struct slice s, struct slice *instead) {
    static const struct slice devices[] = {{"cuda:", 5}, {"xpu:", 4}, {"hpu:", 4}, {"npu:", 4}};
    static const struct slice latency = {"Guard latency = ", 16};
    size_t len = 0;
    char c = s.ptr[0];
    if (is_digit(c)) {
        if (slice_starts(s, SLICE("0x"))) {
            for (len = 2; len < s.len && is_hex(s.ptr[len]); len++)
                ;
            *instead = SLICE("0x");
            return len;
        }
        while (len < s.len && is_digit(s.ptr[len]))
            len++;
        *instead = len >= ID_DIGITS ? SLICE("#") : slice_first(s, len);
        return len;
    }
    if (c == '/' && slice_starts(s, SLICE("/tmp/"))) {
        for (len = 5; len < s.len && !ends_path(s.ptr[len]); len++)
            ;
        *instead = SLICE("/tmp/…");
        return len;
    }
    if (c == 'G' && slice_starts(s, latency)) { /* behind the guards in C++: how long they took once */
        for (len = latency.len; len < s.len && (is_digit(s.ptr[len]) || s.ptr[len] == '.'); len++)
            ;
        *instead = latency;
        return len;
    }
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        if (c == devices[i].ptr[0] && slice_starts(s, devices[i])) {
            for (len = devices[i].len; len < s.len && is_digit(s.ptr[len]); len++)
                ;
            *instead = devices[i];
            return len;
        }
    return 0;
}

void noise_add_without(struct buf *out, struct slice text) {
    size_t start = 0;
    for (size_t i = 0; i < text.len;) {
        struct slice instead;
        size_t noise = noise_at(slice_from(text, i), &instead);
        if (!noise) {
            i++;
            continue;
        }
        buf_add(out, slice_make(text.ptr + start, i - start));
        buf_add(out, instead);
        start = i += noise;
    }
    buf_add(out, slice_from(text, start));
}

uint64_t noise_hash(struct slice text) {
    struct buf plain = {0};
    noise_add_without(&plain, text);
    uint64_t hash = XXH3_64bits(plain.ptr ? plain.ptr : "", plain.len);
    buf_free(&plain);
    return hash ? hash : 1;
}

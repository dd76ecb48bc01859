#include "base/slice.h"

#include "base/compat.h"
#include "base/processor.h"
#include "base/sixteen.h"
#if defined __x86_64__
#include <immintrin.h>
#endif

int slice_cmp(struct slice a, struct slice b) {
    size_t len = a.len < b.len ? a.len : b.len;
    int order = len ? memcmp(a.ptr, b.ptr, len) : 0;
    if (order)
        return order;
    return a.len < b.len ? -1 : a.len > b.len;
}

/* Finds a needle of at least two characters in [from, end). */
static size_t find_in(struct slice a, struct slice needle, size_t from, size_t end) {
    size_t last = needle.len - 1;
    for (size_t i = from; i < end; i++)
        if (a.ptr[i] == needle.ptr[0] && a.ptr[i + last] == needle.ptr[last] &&
            memcmp(a.ptr + i + 1, needle.ptr + 1, last - 1) == 0)
            return i;
    return SIZE_MAX;
}

/* The first of these positions where the whole needle is; SIZE_MAX: at none. */
static inline size_t find_at(struct slice a, struct slice needle, size_t from, uint64_t bits) {
    for (; bits; bits &= bits - 1) {
        size_t at = from + (size_t)__builtin_ctzll(bits);
        if (memcmp(a.ptr + at + 1, needle.ptr + 1, needle.len - 2) == 0)
            return at;
    }
    return SIZE_MAX;
}

/* Most needles are words. For those, the system's search builds a table at each call or compares byte by byte. This
 * search may take time proportional to the needle's length, so long needles are left to the system. */
static size_t find_short(struct slice a, struct slice needle) {
    size_t last = needle.len - 1, end = a.len - last, found = SIZE_MAX;
    unsigned char first_byte = (unsigned char)needle.ptr[0], last_byte = (unsigned char)needle.ptr[last];
    if (end < sizeof(lanes))
        return find_in(a, needle, 0, end);
    for (size_t i = 0; i < end && found == SIZE_MAX; i += sizeof(lanes)) {
        size_t from = i + sizeof(lanes) <= end ? i : end - sizeof(lanes); /* the last block overlaps the one before */
        lanes likely =
            (lanes)(lanes_load(a.ptr + from) == first_byte) & (lanes)(lanes_load(a.ptr + from + last) == last_byte);
        found = find_at(a, needle, from, lanes_bits(likely));
    }
    return found;
}

#if defined __x86_64__
/* The 32 positions from here that have the first byte, and the last one at its distance. */
__attribute__((target("avx2"))) static inline uint64_t likely_32(const char *text, size_t last, __m256i first_byte,
                                                                 __m256i last_byte) {
    __m256i starts = _mm256_loadu_si256((const void *)text), ends = _mm256_loadu_si256((const void *)(text + last));
    return (uint32_t)_mm256_movemask_epi8(
        _mm256_and_si256(_mm256_cmpeq_epi8(starts, first_byte), _mm256_cmpeq_epi8(ends, last_byte)));
}

/* The same as find_short(), 64 and 32 bytes at a time, if there are at least 32 positions. */
__attribute__((target("avx2"))) static size_t find_short_wide(struct slice a, struct slice needle) {
    enum { WIDTH = sizeof(__m256i) };
    size_t last = needle.len - 1, end = a.len - last, i = 0, found = SIZE_MAX;
    const __m256i first_byte = _mm256_set1_epi8(needle.ptr[0]), last_byte = _mm256_set1_epi8(needle.ptr[last]);
    for (; i + 2 * WIDTH <= end; i += 2 * WIDTH) {
        uint64_t bits = likely_32(a.ptr + i, last, first_byte, last_byte) |
                        likely_32(a.ptr + i + WIDTH, last, first_byte, last_byte) << WIDTH;
        if (bits && (found = find_at(a, needle, i, bits)) != SIZE_MAX)
            return found;
    }
    for (; i < end && found == SIZE_MAX; i += WIDTH) {
        size_t from = i + WIDTH <= end ? i : end - WIDTH;
        found = find_at(a, needle, from, likely_32(a.ptr + from, last, first_byte, last_byte));
    }
    return found;
}
#endif

size_t slice_find(struct slice a, struct slice needle) {
    enum { SHORT_MAX = 64, WIDE_MIN = 32 };
    if (needle.len == 0)
        return 0;
    if (a.len < needle.len)
        return SIZE_MAX;
#if defined __x86_64__
    if (needle.len > 1 && needle.len <= SHORT_MAX && a.len - needle.len >= WIDE_MIN && processor_lanes() >= 8)
        return find_short_wide(a, needle);
#endif
    if (needle.len > 1 && needle.len <= SHORT_MAX)
        return find_short(a, needle);
    const char *found = compat_find(a.ptr, a.len, needle.ptr, needle.len);
    return found ? (size_t)(found - a.ptr) : SIZE_MAX;
}

struct slice slice_after(struct slice a, struct slice mark) {
    size_t at = slice_find(a, mark);
    return at != SIZE_MAX ? slice_from(a, at + mark.len) : (struct slice){0};
}

size_t slice_rfind_byte(struct slice a, char c) {
    /* Not memrchr(): sanitizers check its whole range at each call, and line starts are searched for from the end of
     * large blocks. */
    size_t i = a.len;
    while (i >= sizeof(lanes) && !lanes_any((lanes)(lanes_load(a.ptr + i - sizeof(lanes)) == (unsigned char)c)))
        i -= sizeof(lanes);
    while (i > 0 && a.ptr[i - 1] != c)
        i--;
    return i ? i - 1 : SIZE_MAX;
}

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool is_eight_spaces(const char *text) {
    uint64_t eight;
    memcpy(&eight, text, sizeof eight);
    return eight == UINT64_C(0x2020202020202020);
}

struct slice slice_trim(struct slice a) {
    size_t from = 0, to = a.len;
    while (to - from >= sizeof(uint64_t) && is_eight_spaces(a.ptr + from)) /* code is indented by that */
        from += sizeof(uint64_t);
    while (from < to && is_space(a.ptr[from]))
        from++;
    while (to > from && is_space(a.ptr[to - 1]))
        to--;
    return slice_make(from ? a.ptr + from : a.ptr, to - from);
}

bool slice_next_line(struct slice *rest, struct slice *line) {
    if (rest->len == 0)
        return false;
    const char *end = memchr(rest->ptr, '\n', rest->len);
    size_t len = end ? (size_t)(end - rest->ptr) : rest->len;
    *line = slice_make(rest->ptr, len);
    *rest = slice_from(*rest, end ? len + 1 : len);
    return true;
}

struct slice slice_first_line(struct slice text) {
    struct slice line = {0};
    slice_next_line(&text, &line);
    return slice_trim(line);
}

bool slice_to_u64(struct slice a, uint64_t *value) {
    uint64_t n = 0;
    if (a.len == 0)
        return false;
    for (size_t i = 0; i < a.len; i++) {
        unsigned digit = (unsigned char)a.ptr[i] - '0';
        if (digit > 9 || n > (UINT64_MAX - digit) / 10)
            return false;
        n = n * 10 + digit;
    }
    *value = n;
    return true;
}

/* sixteen.h - compares sixteen bytes at once with one byte. The compiler vectorizes it. Pure; any thread. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#if defined __SSE2__
#include <emmintrin.h>
#endif

typedef unsigned char lanes __attribute__((vector_size(16)));

/* The sixteen bytes at p, which need not be aligned. */
static inline lanes lanes_load(const char *p) {
    lanes v;
    memcpy(&v, p, sizeof v);
    return v;
}

/* Whether a comparison, such as (lanes)(v == 'x'), is true for any byte. */
static inline bool lanes_any(lanes v) {
    uint64_t half[2];
    memcpy(half, &v, sizeof half);
    return (half[0] | half[1]) != 0;
}

/* A bit for each byte: its highest bit, of the first byte the lowest. */
static inline unsigned lanes_bits(lanes v) {
#if defined __SSE2__
    return (unsigned)_mm_movemask_epi8((__m128i)v);
#else
    const uint64_t highest = UINT64_C(0x8080808080808080), gather = UINT64_C(0x0002040810204081);
    uint64_t half[2];
    memcpy(half, &v, sizeof half);
    return (unsigned)((half[0] & highest) * gather >> 56 | (half[1] & highest) * gather >> 56 << 8);
#endif
}

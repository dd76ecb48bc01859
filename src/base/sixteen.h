/* sixteen.h - compares sixteen bytes at once with one byte. The compiler vectorizes it. Pure; any thread. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

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

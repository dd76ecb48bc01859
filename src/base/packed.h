/* packed.h - variable-length numbers (LEB128): seven bits per byte, lowest first; the highest bit of a byte says that
 * more bytes follow. Small numbers take one byte. Pure. */
#pragma once

#include <stdint.h>

enum { PACKED_BYTES_MAX = 10 }; /* of a number */

/* Writes the number, and returns the end. */
static inline unsigned char *pack_u64(unsigned char *to, uint64_t number) {
    for (; number >= 0x80; number >>= 7)
        *to++ = (unsigned char)(number | 0x80);
    *to++ = (unsigned char)number;
    return to;
}

/* Reads a number and advances past it. */
static inline uint64_t unpack_u64(const unsigned char **from) {
    uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        unsigned char byte = *(*from)++;
        number |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            break;
    }
    return number;
}

/* The same for signed numbers; the sign becomes the lowest bit. */
static inline unsigned char *pack_i64(unsigned char *to, int64_t number) {
    return pack_u64(to, number < 0 ? ~((uint64_t)number << 1) : (uint64_t)number << 1);
}

static inline int64_t unpack_i64(const unsigned char **from) {
    uint64_t number = unpack_u64(from);
    return number & 1 ? (int64_t) ~(number >> 1) : (int64_t)(number >> 1);
}

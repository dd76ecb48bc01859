/* noise.h - what differs between two runs of the same program though nothing is different.
 *
 * Addresses, ids of objects, numbers of devices and temporary paths are left out before texts of two ranks or runs are compared.
 * The rules are in noise.json, of which the build makes a table; the page reads the same file. Pure; any thread. */
#ifndef TLPARSE_BASE_NOISE_H
#define TLPARSE_BASE_NOISE_H

#include "base/buf.h"

/* Adds the text; what is noise is replaced: 0x7f… by "0x", ten digits and more by "#", "cuda:3" by "cuda:", what follows
 * "/tmp/" up to the next blank, quote or bracket by "…", and the number of "Guard latency = 161.84 us" is left out. */
void noise_add_without(struct buf *out, struct slice text);
/* A hash of the text without its noise; never 0. */
uint64_t noise_hash(struct slice text);
/* A hash of a hash and what follows it. */
static inline uint64_t hash_mix(uint64_t a, uint64_t b) {
    return (a ^ (b + UINT64_C(0x9e3779b97f4a7c15) + (a << 6) + (a >> 2))) * UINT64_C(0xff51afd7ed558ccd);
}

#endif

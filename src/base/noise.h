/* noise.h - removes noise: text that differs between two runs of the same program.
 *
 * Addresses, object ids, device numbers and temporary paths are removed before texts of two ranks or runs are
 * compared. The rules are in noise.json, from which the build generates a table. The page reads the same file. Pure;
 * any thread. */
#pragma once

#include "base/buf.h"

/* Adds the text with noise replaced: 0x7f… by "0x", ten or more digits by "#" unless they follow a decimal point,
 * "cuda:3" by "cuda:", and the rest of a path after "/tmp/", up to the next space, quote or bracket, by "…". The number
 * in "Guard latency = 161.84 us" is removed. */
void noise_add_without(struct buf *out, struct slice text);
/* A hash of the text without its noise; never 0. */
uint64_t noise_hash(struct slice text);
/* Combines a hash with another one. */
static inline uint64_t hash_mix(uint64_t a, uint64_t b) {
    return (a ^ (b + UINT64_C(0x9e3779b97f4a7c15) + (a << 6) + (a >> 2))) * UINT64_C(0xff51afd7ed558ccd);
}

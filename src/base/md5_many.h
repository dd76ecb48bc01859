/* md5_many.h - the MD5 of several texts at once.
 *
 * A step of MD5 needs the result of the previous one, so that one text takes as long as the steps follow each other.
 * The lanes of a vector hold a text each. The widest vectors that the processor has are used: 16 lanes with AVX-512, 8
 * with AVX2, otherwise 4, or one on a big-endian processor. Pure; any thread. */
#pragma once

#include "base/slice.h"

enum { MD5_BYTES = 16 };

struct md5_text {
    struct slice text;
    unsigned char md5[MD5_BYTES]; /* the result */
};

/* Computes the MD5 of each text. */
void md5_many(struct md5_text *texts, size_t count);
/* The same with 1, 4, 8 or 16 lanes. Returns false if the processor has none of that width. For tests. */
bool md5_many_with(unsigned lanes, struct md5_text *texts, size_t count);

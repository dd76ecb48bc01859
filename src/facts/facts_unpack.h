/* facts_unpack.h - the texts of facts files, decompressed ahead by several threads.
 *
 * Only for files on disk that are whole and as tlparse writes them; all others are left to the general reader
 * (trace/source.h), which is slower, and says what is wrong. One caller. */
#pragma once

#include "base/base.h"

struct unpacker;

/* Keeps the paths. Begins to read with so many threads; 0: unpacker_next() reads. */
struct unpacker *unpacker_create(const char *const *paths, size_t count, unsigned workers);
/* The text of the next file, in the order of the paths, until the next call. ptr NULL: it is left to the general
 * reader. Call it once per path. */
struct slice unpacker_next(struct unpacker *unpacker);
void unpacker_destroy(struct unpacker *unpacker);

/* rank_words.h - ranks as words: "rank 3", "ranks 0–2 and 7". Pure. */
#ifndef TLPARSE_RANKS_RANK_WORDS_H
#define TLPARSE_RANKS_RANK_WORDS_H

#include "base/buf.h"
#include "ranks/facts.h"

/* The places are in order of rank; of many ranges the first are named, and how many ranks there are more. */
void rank_words_add(struct buf *out, const struct rank_facts *const *facts, const uint32_t *places, size_t count);

#endif

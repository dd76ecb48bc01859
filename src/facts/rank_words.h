/* rank_words.h - describes ranks: "rank 3", "ranks 0–2 and 7". Pure. */
#ifndef TLPARSE_FACTS_RANK_WORDS_H
#define TLPARSE_FACTS_RANK_WORDS_H

#include "base/buf.h"
#include "facts/rank_facts.h"

/* The indices are in order of rank. If there are many ranges, adds the first ones and the number of further ranks. */
void rank_words_add(struct buf *out, const struct rank_facts *const *facts, const uint32_t *places, size_t count);

#endif

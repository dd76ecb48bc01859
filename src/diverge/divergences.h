/* divergences.h - all differences between ranks: the aspects (diverge.h) and their root causes (causes.h). */
#ifndef TLPARSE_DIVERGE_DIVERGENCES_H
#define TLPARSE_DIVERGE_DIVERGENCES_H

#include "diverge/diverge.h"

void divergences_find(struct divergences *divergences, const struct rank_facts *const *facts, size_t count);
void divergences_finish(struct divergences *divergences);

#endif

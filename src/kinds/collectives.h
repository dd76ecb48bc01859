/* collectives.h - collectives in code. */
#ifndef TLPARSE_KINDS_COLLECTIVES_H
#define TLPARSE_KINDS_COLLECTIVES_H

#include "scan/text_counts.h"

/* The kind of collective of an operator; COLLECTIVES if it is none. */
enum collective collective_of(struct slice op);
/* Counts the calls of torch.ops._c10d_functional in code, ignoring comments. */
void collectives_count(struct slice code, struct calls *calls);

#endif

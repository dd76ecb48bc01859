/* collectives.h - collectives in code. */
#ifndef TLPARSE_KINDS_COLLECTIVES_H
#define TLPARSE_KINDS_COLLECTIVES_H

#include "scan/text_counts.h"

/* What kind of collective an operator is; COLLECTIVES for none. */
enum collective collective_of(struct slice op);
/* The calls of torch.ops._c10d_functional in code, comments left out. */
void collectives_count(struct slice code, struct calls *calls);

#endif

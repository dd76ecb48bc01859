/* choice_ranks.h - the ranks of chosen logs, also of those whose names do not have them: PyTorch names a log when it
 * creates it, which may be before the process knows its rank. */
#pragma once

#include "trace/choice.h"

struct choice_rank {
    bool known, named; /* named: by the name of the file */
    uint64_t rank;
};

/* Sets a rank for each chosen log. The first records of a log without one in its name count, unless another log has the
 * same rank: then it may be of another process of the rank, or of another run. Opens such logs briefly. */
void choice_ranks_find(const struct choice *choice, struct choice_rank *ranks);

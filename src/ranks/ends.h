/* ends.h - where the logs of the ranks end: one picture of what each rank was inside when its log stopped. */
#ifndef TLPARSE_RANKS_ENDS_H
#define TLPARSE_RANKS_ENDS_H

#include "base/jsonw.h"
#include "ranks/facts.h"

/* The span that a rank's log ends in, the innermost; NULL: all have ended. */
const struct rank_span *rank_end(const struct rank_facts *facts);

/* "rank_ends": groups of ranks that end in the same span of the same function, and one of those that ended in none, with the time
 * of the last event of each; those that did not finish first. Empty where no rank's log has events. How long a compile is open is told by
 * its rank's own clock; how long before the last event of all ranks a log ends compares the clocks of hosts. */
void rank_ends_json_write(struct jsonw *w, const struct rank_facts *const *facts, size_t count);

#endif

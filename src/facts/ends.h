/* ends.h - where the logs of the ranks end: what each rank was doing when its log stopped. */
#ifndef TLPARSE_FACTS_ENDS_H
#define TLPARSE_FACTS_ENDS_H

#include "base/jsonw.h"
#include "facts/rank_facts.h"

/* The innermost span that was open at the end of a rank's log; NULL: none. */
const struct rank_span *rank_end(const struct rank_facts *facts);

/* "rank_ends": groups of ranks whose logs end in the same span of the same function, and one for those that end
 * outside of spans, with the times of their last events. Those that did not finish come first. Empty if no log has
 * events. The time for which a compile was open is by its rank's own clock. The time before the last event of all
 * ranks compares the clocks of hosts. */
void rank_ends_json_write(struct jsonw *w, const struct rank_facts *const *facts, size_t count);

#endif

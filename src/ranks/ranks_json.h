/* ranks_json.h - the members of report.json about several ranks (doc/report-data.md, "Several ranks").
 *
 * Facts are in the order of ranks, those without a rank last. Pure. */
#ifndef TLPARSE_RANKS_RANKS_JSON_H
#define TLPARSE_RANKS_RANKS_JSON_H

#include "diverge/diverge.h"

/* Adds ,"ranks":[…],"divergence":{…},"rank_config_differences":[…] (as rank_settings_compare() gives them),"matrix":{…},"runtime":{…},"schedules":{…},"execution":{…},"rank_findings":[…] */
void ranks_json_add(struct jsonw *w, const struct rank_facts *const *facts, size_t count,
                    const struct divergences *divergences, struct slice config_differences);
/* The array "unfinished" of all ranks: as for one, with the rank and its folder. */
void ranks_unfinished_add(struct buf *out, const struct rank_facts *const *facts, size_t count);
/* Finds the missing ranks from 0 to the highest one, or to the known minimum of the world size. Stores at most `most`
 * of them and returns their number. */
uint64_t ranks_missing(const struct rank_facts *const *facts, size_t count, uint64_t *missing, size_t most);

#endif

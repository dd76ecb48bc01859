/* ranks_json.h - what several ranks have to say together, as members of report.json (doc/report-data.md, "Several ranks").
 *
 * Facts in the order of ranks, those of no rank behind. Pure. */
#ifndef TLPARSE_RANKS_RANKS_JSON_H
#define TLPARSE_RANKS_RANKS_JSON_H

#include "ranks/diverge.h"

/* Adds ,"ranks":[…],"divergence":{…},"rank_config_differences":[…] (as rank_settings_compare() gives them),"matrix":{…},"runtime":{…},"schedules":{…},"execution":{…},"rank_findings":[…] */
void ranks_json_add(struct buf *out, const struct rank_facts *const *facts, size_t count,
                    const struct divergences *divergences, struct slice config_differences);
/* The array "unfinished" of all ranks: as of one, with the rank and its folder. */
void ranks_unfinished_add(struct buf *out, const struct rank_facts *const *facts, size_t count);
/* The ranks that are not there between 0 and the highest, or the last that the world has at least, at most `most` of them; returns how many there are. */
uint64_t ranks_missing(const struct rank_facts *const *facts, size_t count, uint64_t *missing, size_t most);

#endif

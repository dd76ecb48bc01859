/* ranks_json.h - the members of report.json about several ranks (doc/report-data.md, "Several ranks").
 *
 * Facts are in the order of ranks, with facts without a rank last. Pure. */
#pragma once

#include "diverge/diverge.h"

/* Adds ,"ranks":[…],"divergence":{…},"rank_config_differences":[…] (as rank_settings_compare() gives them),"matrix":{…},"runtime":{…},"schedules":{…},"execution":{…},"rank_findings":[…] */
void ranks_json_add(struct jsonw *w, const struct rank_facts *const *facts, size_t count,
                    const struct divergences *divergences, struct slice config_differences);
/* The array "unfinished" of all ranks: as for one rank, with the rank and its folder. */
void ranks_unfinished_add(struct buf *out, const struct rank_facts *const *facts, size_t count);

/* "runtime". Graphs are matched by their compiles. */
void runtime_json_write(struct jsonw *w, const struct rank_facts *const *facts, size_t count);
/* "schedules": each distinct schedule once, and the graphs of each rank that have it. */
void schedules_json_write(struct jsonw *w, const struct rank_facts *const *facts, size_t count, enum calls_from from);
/* "execution": the order of each rank, and the positions at which the collectives or cache results of the ranks' graphs
 * differ. */
void execution_json_write(struct jsonw *w, const struct rank_facts *const *facts, size_t count, enum calls_from from);

/* rank_place.h - what the page of one rank says of all: <dir>/data/ranks.js (doc/report-data.md, "Several ranks").
 *
 * Written when all ranks are compared, since the report of a rank is whole before that. One thread. */
#ifndef TLPARSE_RANKS_RANK_PLACE_H
#define TLPARSE_RANKS_RANK_PLACE_H

#include "ranks/diverge.h"
#include "sink/files.h"

/* For each log that has a folder of its own, compared or not. Facts in the order of ranks, and where those part. */
void rank_places_write(const struct rank_facts *const *facts, size_t count, const struct divergences *divergences,
                       struct files *files);

#endif

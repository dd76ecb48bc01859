/* rank_place.h - the comparison from the side of one rank, for its own page: <dir>/data/ranks.js (doc/report-data.md,
 * "Several ranks").
 *
 * Written after all ranks were compared, because the report of a rank is complete before. One thread. */
#ifndef TLPARSE_DIVERGE_RANK_PLACE_H
#define TLPARSE_DIVERGE_RANK_PLACE_H

#include "diverge/diverge.h"
#include "sink/files.h"

/* Writes it for each log with its own folder, compared or not. Facts are in the order of ranks. */
void rank_places_write(const struct rank_facts *const *facts, size_t count, const struct divergences *divergences,
                       struct files *files);

#endif

/* json_parts.h - members of the report.json of several ranks that have their own files. For src/ranks only. */
#ifndef TLPARSE_DIVERGE_JSON_PARTS_H
#define TLPARSE_DIVERGE_JSON_PARTS_H

#include "base/jsonw.h"
#include "diverge/causes.h"

/* "rank": its number, or null. */
static inline void rank_number_write(struct jsonw *w, const struct rank_facts *facts) {
    jsonw_known(w, "rank", facts->has_rank ? (int64_t)facts->rank : -1);
}

/* "runtime". Graphs are matched by their compiles. */
void runtime_json_write(struct jsonw *w, const struct rank_facts *const *facts, size_t count);
/* "schedules": each distinct one once, and which graph of which rank has it. */
void schedules_json_write(struct jsonw *w, const struct rank_facts *const *facts, size_t count, enum calls_from from);
/* "execution": the order of each rank, and where collectives or cache results of the graphs at the same position
 * differ. */
void execution_json_write(struct jsonw *w, const struct rank_facts *const *facts, size_t count, enum calls_from from);
/* "root_causes", a member of "divergence". */
void causes_json_write(struct jsonw *w, const struct rank_facts *const *facts, const struct root_causes *causes);

#endif

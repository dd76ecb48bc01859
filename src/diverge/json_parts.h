/* json_parts.h - shared by the writers of report.json for several ranks. */
#pragma once

#include "base/jsonw.h"
#include "diverge/cause.h"

/* "rank": its number, or null. */
static inline void rank_number_write(struct jsonw *w, const struct rank_facts *facts) {
    jsonw_known(w, "rank", facts->has_rank ? (int64_t)facts->rank : -1);
}

/* "root_causes", a member of "divergence". */
void causes_json_write(struct jsonw *w, const struct rank_facts *const *facts, const struct root_causes *causes);

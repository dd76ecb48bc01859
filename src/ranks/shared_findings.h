/* shared_findings.h - findings that several ranks share are one, with its ranks. Pure; borrows the facts. */
#ifndef TLPARSE_RANKS_SHARED_FINDINGS_H
#define TLPARSE_RANKS_SHARED_FINDINGS_H

#include "base/mem.h"
#include "ranks/facts.h"

struct shared_finding {
    const struct rank_finding *finding; /* that of the rank where it took longest */
    uint32_t of;                        /* the place of that rank among the facts */
    bool why_differs, advice_differs;   /* between the ranks */
    LIST(uint32_t) ranks;               /* places among the facts */
};

struct shared_findings {
    struct arena arena;
    struct shared_finding *items; /* by severity, then in the order of ranks */
    size_t count, cap;
};

void shared_findings_find(struct shared_findings *shared, const struct rank_facts *const *facts, size_t count);
void shared_findings_finish(struct shared_findings *shared);

#endif

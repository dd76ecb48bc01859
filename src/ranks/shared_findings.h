/* shared_findings.h - merges findings that several ranks share. Pure; borrows the facts. */
#ifndef TLPARSE_RANKS_SHARED_FINDINGS_H
#define TLPARSE_RANKS_SHARED_FINDINGS_H

#include "base/mem.h"
#include "ranks/facts.h"

struct shared_finding {
    const struct rank_finding *finding; /* that of the rank with the highest cost */
    uint32_t of;                        /* index of that rank into the facts */
    struct slice title;                 /* what is true of all: "took long", not "much longer than most others" */
    bool why_differs, advice_differs;   /* the texts differ between the ranks */
    LIST(uint32_t) ranks;               /* indices into the facts */
};

struct shared_findings {
    struct arena arena;
    struct shared_finding *items; /* by severity, then in the order of ranks */
    size_t count, cap;
};

void shared_findings_find(struct shared_findings *shared, const struct rank_facts *const *facts, size_t count);
void shared_findings_finish(struct shared_findings *shared);

#endif

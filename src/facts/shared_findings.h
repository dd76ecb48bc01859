/* shared_findings.h - merges findings that several ranks share. Pure; borrows the facts. */
#pragma once

#include "facts/rank_facts.h"

struct shared_finding {
    const struct rank_finding *finding; /* the one of the rank with the highest cost */
    uint32_t of;                        /* index of that rank in the facts */
    int64_t saves_us;                   /* finding_saves_us() of that finding */
    struct slice title; /* the part that is true for all ranks: "took long", not "much longer than most others" */
    bool why_differs, advice_differs; /* the texts differ between the ranks */
    LIST(uint32_t) ranks;             /* indices into the facts */
};

struct shared_findings {
    struct arena arena;
    struct shared_finding *items; /* in the order of finding_order(), then of ranks */
    size_t count, cap;
    size_t first; /* index of the one to change first, or `count`: none */
};

void shared_findings_find(struct shared_findings *shared, const struct rank_facts *const *facts, size_t count);
void shared_findings_finish(struct shared_findings *shared);

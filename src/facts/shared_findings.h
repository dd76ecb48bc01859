/* shared_findings.h - merges findings that several ranks share. Pure; borrows the facts. */
#pragma once

#include "facts/rank_facts.h"

struct shared_finding {
    const struct rank_finding *finding; /* that of the rank with the highest cost */
    uint32_t of;                        /* index of that rank into the facts */
    int64_t saves_us;                   /* finding_saves_us() of that one */
    struct slice title;                 /* what is true of all: "took long", not "much longer than most others" */
    bool why_differs, advice_differs;   /* the texts differ between the ranks */
    LIST(uint32_t) ranks;               /* indices into the facts */
};

struct shared_findings {
    struct arena arena;
    struct shared_finding *items; /* in the order of finding_order(), then in that of ranks */
    size_t count, cap;
    size_t first; /* what to change first: an index, or `count`: none */
};

void shared_findings_find(struct shared_findings *shared, const struct rank_facts *const *facts, size_t count);
void shared_findings_finish(struct shared_findings *shared);

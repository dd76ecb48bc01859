/* cause_finder.h - what the files that look for root causes share. For cause*.c only.
 *
 * A finder lives while causes are looked for; what it finds goes to its `causes`, whose arena holds all texts. Places of ranks are
 * those in the facts. A split gives each rank its side, in order of rank, or NO_SIDE. One thread. */
#ifndef TLPARSE_RANKS_CAUSE_FINDER_H
#define TLPARSE_RANKS_CAUSE_FINDER_H

#include "base/buf.h"
#include "ranks/cause.h"

#define NO_SIDE UINT32_MAX
#define NO_SLOT UINT32_MAX

enum { CAUSE_TEXT_MAX = 300, SPAN_NAME_MAX = 120 };

/* Compiles of all ranks that answer to each other. */
struct slot {
    const struct rank_compile **of; /* by place of the facts; NULL: the rank has none */
    uint32_t have;                  /* so many ranks */
};

struct finder {
    struct arena arena;   /* of the finder itself */
    struct arena scratch; /* emptied for each slot */
    struct root_causes *causes;
    const struct rank_facts *const *facts;
    const struct divergences *divergences;
    size_t count, compared;
    bool *silent;              /* aspect × rank */
    uint32_t **slot_of;        /* by rank and place among its compiles */
    uint64_t **calls, **metas; /* the same: hashes of collectives and of tensor metadata; 0: none */
    LIST(struct slot) slots;
    int64_t *last_of;               /* by rank: the place of its last slot in the order, -1: it has none */
    bool *stopped;                  /* by rank: that its compiles end there is a cause */
    struct root_cause *parts;       /* groups of ranks compile functions of their own; NULL: they do not */
    uint32_t *order;                /* the slots in log order */
    size_t at;                      /* that under way, in it */
    LIST(struct root_cause *) here; /* those that the slot under way has part in */
};

/* cause_slots.c: all slots, in an order that follows that of each rank. */
void slots_find(struct finder *f);
/* The slot's compile of the first rank that has one, and that rank; NULL: none has. */
const struct rank_compile *slot_any(const struct finder *f, const struct slot *slot, size_t *rank);
/* Its place among the rank's compiles. */
size_t slot_place(const struct finder *f, const struct slot *slot, size_t rank);

/* cause_values.c */
void values_prepare(struct finder *f);
/* What a rank's compile has of an aspect, as a number; 0: the log does not say. */
uint64_t value_of(const struct finder *f, size_t rank, const struct rank_compile *c, enum aspect aspect);
/* Ranks of the value 0 are on no side; returns how many sides there are. */
uint32_t split(struct finder *f, const uint64_t *values, uint32_t *side_of);
uint32_t split_by(struct finder *f, const struct slot *slot, enum aspect aspect, uint32_t *side_of);

/* cause_list.c: the causes found so far. */
bool same_place(const struct place *a, const struct place *b);
bool same_sides(const struct finder *f, const uint32_t *a, const uint32_t *b);
/* That of the kind, with these sides, and at the place where that is not NULL. */
struct root_cause *cause_find(const struct finder *f, enum root_cause_kind kind, const uint32_t *side_of,
                              const struct place *place);
/* The first cause that parts the same ranks in the same way; function: of that function, or NULL: of any. */
struct root_cause *cause_find_between(const struct finder *f, const uint32_t *side_of, const struct place *function);
/* NULL beyond the bound. */
struct root_cause *cause_add(struct finder *f, enum root_cause_kind kind, enum aspect aspect, const uint32_t *side_of);
/* Of a draft, which is of one slot, or of a cause that is kept. */
void draft_fill_sides(struct finder *f, struct root_cause *draft, const uint32_t *side_of);
/* Its sides' compiles are those of the slot, its place is where the odd side, or else any, has it. */
void cause_fill_compiles(struct root_cause *cause, const struct slot *slot);
/* The slot under way has part in it; NULL is ignored. */
void cause_add_here(struct finder *f, struct root_cause *cause);
/* Takes the text. */
void cause_add_consequence(struct finder *f, struct root_cause *cause, enum aspect aspect, struct slice compile,
                           struct buf *first);
struct slice text_keep(struct finder *f, struct buf *text);
/* The compile's function, or its id. */
void function_add(struct buf *out, const struct rank_compile *c);
/* "2/0: k == 2      # return x + k  # f.py:32 in g" → "2/0: k == 2" */
struct slice reason_words(struct slice reason);

/* cause_parts.c: after look_at_stops() and before all slots. */
void look_at_parts(struct finder *f);
/* Leaves of the values of ranks those of groups in which some ranks have the slot and others not; false: there are none, it is a part. */
bool parts_narrow(struct finder *f, const struct slot *slot, const struct rank_compile *c, uint64_t *values);
/* Whether sides of which none is usual take the weights of other modules each, by a text of operations for each side. */
bool are_parts(const struct root_cause *draft, const struct slice *texts);

/* What a slot differs in, each in the file of its concern. */
void look_at_presence(struct finder *f, const struct slot *slot); /* not all ranks have it */
/* Before all slots: ranks that compile nothing more while the others go on. */
void look_at_stops(struct finder *f);
void look_at_failures(struct finder *f, const struct slot *slot);
/* graphs: by rank, 0 where it has none. */
void look_at_graphs(struct finder *f, const struct slot *slot, const uint64_t *graphs);
/* graphs: the side of each rank by its graph. */
void look_at_aspect(struct finder *f, const struct slot *slot, const uint32_t *graphs, uint32_t graph_count,
                    enum root_cause_kind kind, enum aspect aspect);

/* After all else: the same compile takes some ranks much longer. */
void look_at_time(struct finder *f, const struct slot *slot);

/* cause_logs.c: in what the logs as a whole differ. */
void look_at_configuration(struct finder *f);
void look_at_ends(struct finder *f);
void look_at_order(struct finder *f, bool runs);
void look_at_ids(struct finder *f, struct root_cause *cause);

/* causes_text.c: gives the cause its title. */
void cause_name(struct root_causes *causes, struct root_cause *cause, const struct rank_facts *const *facts);

#endif

/* cause_finder.h - shared by the files that search for root causes. Only for cause*.c.
 *
 * A finder exists during the search. Its results go to `causes`, whose arena has all texts. Ranks are indices into
 * the facts. A split assigns a side to each rank, in order of rank, or NO_SIDE. One thread. */
#pragma once

#include "diverge/cause.h"
#include "scan/guard_failure.h"

#define NO_SIDE UINT32_MAX
#define NO_SLOT UINT32_MAX

#define CAUSE_GRAPH_ENDS "the graph ends"

enum { CAUSE_TEXT_MAX = 300, SPAN_NAME_MAX = 120 };

/* Matching compiles of all ranks. */
struct slot {
    uint32_t have; /* number of ranks that have it */
    uint32_t cap;  /* room in the lists, which are sorted by rank */
    uint32_t first;
    uint32_t *ranks; /* their indices into the facts; NULL: first, first + 1, … */
    const struct rank_compile **compiles;
};

/* The index in the facts of the i-th rank that has the slot. */
static inline uint32_t slot_rank(const struct slot *slot, size_t i) {
    return slot->ranks ? slot->ranks[i] : slot->first + (uint32_t)i;
}

/* The compile of a rank; NULL: the rank does not have it. */
static inline const struct rank_compile *slot_at(const struct slot *slot, size_t rank) {
    size_t from = rank - slot->first;
    if (!slot->have || rank < slot->first)
        return NULL;
    if (!slot->ranks)
        return from < slot->have ? slot->compiles[from] : NULL;
    /* The rank's index in the list is its distance from the first rank, minus the gaps in between. There are usually
     * few gaps. */
    size_t gaps = slot->ranks[slot->have - 1] - slot->first + 1 - slot->have;
    size_t low = from > gaps ? from - gaps : 0, high = from < slot->have ? from + 1 : slot->have;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (slot->ranks[middle] < rank)
            low = middle + 1;
        else
            high = middle;
    }
    return low < slot->have && slot->ranks[low] == rank ? slot->compiles[low] : NULL;
}

struct finder {
    struct arena arena;   /* of the finder itself */
    struct arena scratch; /* emptied for each slot */
    struct root_causes *causes;
    const struct rank_facts *const *facts;
    const struct divergences *divergences;
    size_t count, compared;
    bool *silent;              /* aspect × rank */
    uint32_t **slot_of;        /* by rank and index of a compile */
    uint64_t **calls, **metas; /* likewise: hashes of collectives and of tensor metadata; 0: none */
    uint32_t *calls_group;     /* by rank: its group in the divergence of collectives; NO_SIDE: none */
    LIST(struct slot) slots;
    int64_t *last_of;         /* by rank: the position of its last slot in the order of slots; -1: none */
    bool *stopped;            /* by rank: the end of its compiles is a cause of its own */
    struct root_cause *parts; /* groups of ranks that compile different functions; NULL: there are none */
    uint32_t *order;          /* the slots, in log order */
    size_t at;                /* position of the current slot in the order */
    bool *begun;              /* by rank: has only the beginning of the current slot's compile; NULL: no rank does */
    LIST(struct root_cause *) here; /* causes that the current slot belongs to */
};

/* cause_slots.c */
/* Finds all slots, and orders them consistently with the order on each rank. */
void slots_find(struct finder *f);
/* The slot's compile on the first rank that has it, and that rank; NULL: none. */
const struct rank_compile *slot_any(const struct finder *f, const struct slot *slot, size_t *rank);
/* The index of the slot's compile among the rank's compiles. */
size_t slot_place(const struct finder *f, const struct slot *slot, size_t rank);

/* cause_values.c */
void values_prepare(struct finder *f, const uint32_t *alike);
/* For each rank, the state of its compile in an aspect, as a number; 0: not logged. In the scratch arena. */
uint64_t *slot_values(struct finder *f, const struct slot *slot, enum aspect aspect);
/* Ranks with the value 0 are on no side. Returns the number of sides. */
uint32_t split(struct finder *f, const uint64_t *values, uint32_t *side_of);
uint32_t split_by(struct finder *f, const struct slot *slot, enum aspect aspect, uint32_t *side_of);

/* cause_backward.c */
/* Finds the ranks that have only the beginning of a slot's compile, and sets `begun`. */
void look_at_backward(struct finder *f, const struct slot *slot);

/* cause_find.c */
/* The causes found so far. */
bool same_place(const struct place *a, const struct place *b);
bool same_sides(const struct finder *f, const uint32_t *a, const uint32_t *b);
/* The cause of this kind with these sides, and with this place unless it is NULL. */
struct root_cause *cause_find(const struct finder *f, enum root_cause_kind kind, const uint32_t *side_of,
                              const struct place *place);

/* cause_list.c */
/* The first cause that splits the ranks in the same way and may explain the current slot. function: limits the search
 * to this function; NULL: any. */
struct root_cause *cause_find_between(const struct finder *f, const uint32_t *side_of, const struct place *function);
/* NULL beyond the limit. */
struct root_cause *cause_add(struct finder *f, enum root_cause_kind kind, enum aspect aspect, const uint32_t *side_of);
/* Fills in the sides of a draft, which covers one slot, or of a cause that is kept. */
void draft_fill_sides(struct finder *f, struct root_cause *draft, const uint32_t *side_of);
/* Sets the compiles of its sides to those of the slot, and its place to the place of the outlying side, or else of any
 * side. */
void cause_fill_compiles(struct root_cause *cause, const struct slot *slot);
/* Notes that the current slot belongs to the cause. NULL is ignored. */
void cause_add_here(struct finder *f, struct root_cause *cause);
/* Takes ownership of the text. */
void cause_add_consequence(struct finder *f, struct root_cause *cause, enum aspect aspect, struct slice compile,
                           struct buf *first);
struct slice text_keep(struct finder *f, struct buf *text);
/* Adds the compile's function, or its id. */
void function_add(struct buf *out, const struct rank_compile *c);
/* The same, marked as code within a sentence. */
void function_add_code(struct buf *out, const struct rank_compile *c);
/* "2/0: k == 2      # return x + k  # f.py:32 in g" → "2/0: k == 2" */
struct slice reason_words(struct slice reason);

/* cause_versions.c */
/* Consequences of earlier versions of the current slot's function. */
/* Whether the ranks of the cause have this compile after that of the current slot. */
bool cause_is_later(const struct finder *f, const struct root_cause *cause);
/* The cause that ranks have the function's versions in different orders; NULL: they do not. */
struct root_cause *cause_of_order(const struct finder *f, const uint32_t *side_of);
/* The reason why a size is dynamic only on some ranks: these had other sizes before; NULL: unknown. */
struct root_cause *cause_of_dynamic(const struct finder *f, const uint32_t *side_of);

/* cause_parts.c */
/* Call it after look_at_stops() and before the slots. */
void look_at_parts(struct finder *f);
/* Restricts the values to ranks of groups in which some ranks have the slot and others do not. Returns false if there
 * are none: the slot then belongs to a part. */
bool parts_narrow(struct finder *f, const struct slot *slot, const struct rank_compile *c, uint64_t *values);
/* Whether each side uses the weights of different modules, as its operations show, and no side is the majority. */
bool are_parts(const struct root_cause *draft, const struct slice *texts);

/* cause_presence.c */
/* Differences of a slot, each in the file of its concern. */
void look_at_presence(struct finder *f, const struct slot *slot); /* not all ranks have it */
/* Finds ranks that stop compiling while others continue. Call it before the slots. */
void look_at_stops(struct finder *f);

/* cause_aspects.c */
void look_at_failures(struct finder *f, const struct slot *slot);
/* graphs: the side of each rank according to its graph. */
void look_at_aspect(struct finder *f, const struct slot *slot, const uint32_t *graphs, uint32_t graph_count,
                    enum root_cause_kind kind, enum aspect aspect);
/* Reads the recompile reason of each side. Returns whether they differ only in the new value of the same property of
 * the same tensor: one has a batch of 8, another a batch of 9. False for more than SIDES_MAX sides. */
bool cause_same_guard(const struct root_cause *cause, struct guard_failure of[SIDES_MAX]);

/* cause_graphs.c */
/* graphs: by rank; 0: it has no graph. */
void look_at_graphs(struct finder *f, const struct slot *slot, const uint64_t *graphs);

/* cause_further.c */
/* A step of the compile's graph; NULL: the graph has fewer steps. Equal steps have the same address. */
const struct graph_step *step_of(const struct rank_compile *c, size_t at);
uint64_t step_value(const struct graph_step *step);
/* Lists the differences between two sides after this step. */
void note_further(struct finder *f, const struct slot *slot, struct root_cause *cause, const struct root_cause *draft,
                  size_t at);

/* cause_time.c */
/* Call it last: finds compiles that take much longer on some ranks. */
void look_at_time(struct finder *f, const struct slot *slot);

/* cause_logs.c */
/* Differences between whole logs. */
void look_at_configuration(struct finder *f);
void look_at_ends(struct finder *f);
void look_at_order(struct finder *f, bool runs);
void look_at_ids(struct finder *f, struct root_cause *cause);

/* causes_text.c */
/* Sets the title of the cause. */
void cause_name(struct root_causes *causes, struct root_cause *cause, const struct rank_facts *const *facts);

/* compile_time.h - where the compile time of a run goes, and how much each part could save at most.
 *
 * The parts are disjoint: their times add up to the compile time of the totals. Hints describe the same time from other
 * perspectives (caches, recompiles), so they overlap with parts and with each other. A line gives advice only if the
 * log has the evidence. One thread. */
#pragma once

#include "findings/finding.h"
#include "recompiles/chains.h"
#include "savings/checks.h"

enum { TIME_COMPILES_MAX = 20 }; /* listed per line, in log order */

struct time_line {
    const char *key;                                 /* a constant: "cpp_kernels", "dynamo", … */
    struct slice title, why, action, evidence, link; /* ptr NULL: none */
    int64_t us, saves_us;                            /* saves_us -1: no savings, or unknown */
    LIST(uint32_t) compiles;                         /* at most TIME_COMPILES_MAX */
    size_t compile_count;
};

struct compile_time {
    int64_t total_us;                    /* -1: unknown; there are no lines then */
    LIST(struct time_line) parts, hints; /* longest first */
    const struct time_line *first_line;  /* what to change first, if it is a line and not a finding */
    const struct finding *first_finding; /* both NULL: nothing */
    struct arena arena;
};

void compile_time_find(struct compile_time *time, const struct model *model, const struct chains *chains,
                       const struct findings *findings, const struct totals *totals);
void compile_time_finish(struct compile_time *time);

/* compile_time_hints.c: adds the hints, in any order. */
void compile_time_hints(struct compile_time *time, const struct model *model, const struct chains *chains,
                        const struct findings *findings);
/* compile_time_layers.c: adds the hint about equal modules in one graph. */
void compile_time_layers(struct compile_time *time, const struct model *model);
/* compile_time_sizes.c: adds the hint about dynamic sizes. */
void compile_time_sizes(struct compile_time *time, const struct model *model, const struct chains *chains);
/* time_lines.c */
/* Whether a lookup in the cache had this outcome. */
bool compile_had(const struct compile *compile, enum cache cache, enum cache_outcome outcome);
/* Whether a lookup in Inductor's or AOTAutograd's cache was a hit. */
bool compile_had_hit(const struct compile *compile);
/* Keeps the text as long as the lines. Frees the buffer. */
struct slice time_text(struct compile_time *time, struct buf *text);
/* Adds a compile to the line. */
void time_line_add(struct compile_time *time, struct time_line *line, uint32_t compile, int64_t us);

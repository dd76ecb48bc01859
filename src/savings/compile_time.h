/* compile_time.h - where the compile time of a run goes, and what each part would save at most.
 *
 * The parts are disjoint: their times add up to the compile time of the totals. Hints describe the same time from
 * another side (caches, recompiles), so they overlap with parts and with each other. A line that saves something says
 * what to do only if the log has the evidence. One thread. */
#pragma once

#include "findings/finding.h"
#include "recompiles/chains.h"
#include "savings/checks.h"

enum { TIME_COMPILES_MAX = 20 }; /* listed per line, in log order */

struct time_line {
    const char *key;                                 /* a constant: "cpp_kernels", "dynamo", … */
    struct slice title, why, action, evidence, link; /* ptr NULL: none */
    int64_t us, saves_us;                            /* saves_us -1: nothing, or unknown */
    LIST(uint32_t) compiles;                         /* at most TIME_COMPILES_MAX */
    size_t compile_count;
};

struct compile_time {
    int64_t total_us;                    /* -1: unknown, and no lines */
    LIST(struct time_line) parts, hints; /* longest first */
    const struct time_line *first_line;  /* what to change first, unless it is a finding */
    const struct finding *first_finding; /* both NULL: nothing */
    struct arena arena;
};

void compile_time_find(struct compile_time *time, const struct model *model, const struct chains *chains,
                       const struct findings *findings, const struct totals *totals);
void compile_time_finish(struct compile_time *time);

/* compile_time_hints.c: adds the hints, in any order. */
void compile_time_hints(struct compile_time *time, const struct model *model, const struct chains *chains,
                        const struct findings *findings);
/* compile_time_layers.c: adds the hint on equal modules in one graph. */
void compile_time_layers(struct compile_time *time, const struct model *model);
/* compile_time_sizes.c: adds the hint on dynamic sizes. */
void compile_time_sizes(struct compile_time *time, const struct model *model, const struct chains *chains);
/* time_lines.c */
/* Whether a look-up in the cache ended like this. */
bool compile_had(const struct compile *compile, enum cache cache, enum cache_outcome outcome);
/* Whether it found results in Inductor's or AOTAutograd's cache. */
bool compile_had_hit(const struct compile *compile);
/* The text, kept as long as the lines. Frees the buffer. */
struct slice time_text(struct compile_time *time, struct buf *text);
/* Adds a compile to the line. */
void time_line_add(struct compile_time *time, struct time_line *line, uint32_t compile, int64_t us);

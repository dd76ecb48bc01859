/* comparison_parts.h - the parts of a comparison of two runs, each in its own file. For src/compare only. */
#pragma once

#include "base/jsonw.h"
#include "base/match.h"
#include "base/renames.h"
#include "compare/run_sides.h"
#include "facts/rank_facts.h"

enum figure_unit { UNIT_COUNT, UNIT_US, UNIT_BYTES };

/* A figure of two runs. */
struct figure {
    const char *name, *title;
    enum figure_unit unit;
    bool worse;   /* a larger number is worse */
    int64_t a, b; /* negative: unknown; for a side with several runs, the median */
    /* Array with one item per side, if a side has several runs; NULL: each has one run */
    const struct side_value *sides;
};

/* Whether a time changed notably: by more than 5 %. Smaller differences also occur between identical runs. */
bool is_notable(int64_t delta, int64_t of);
/* The peak and the saved bytes of graphs: -1 unless they are exact. */
int64_t memory_peak(const struct run_memory *memory);
int64_t memory_saved(const struct run_memory *memory);
/* {"name", "title", "unit", "values", "ranges", "delta", "verdict"}; "ranges" only if a side has several runs */
void figure_write(struct jsonw *w, const struct figure *figure);
/* The same for texts; ptr NULL: unknown. */
void text_figure_write(struct jsonw *w, const char *name, const char *title, struct slice a, struct slice b);

/* "figures": numbers about whole runs. */
void figures_write(struct jsonw *w, const struct run_side *first, const struct run_side *second);
/* "findings" and "graph_breaks": those that are new or gone, and the number of those that stayed the same */
void findings_compare(struct jsonw *w, const struct run_side *a, const struct run_side *b,
                      const struct renames *renames);
void breaks_compare(struct jsonw *w, const struct side_logs *one, const struct side_logs *other,
                    const struct renames *renames);
/* "functions" and "function_counts", "more_functions" */
void functions_compare(struct jsonw *w, const struct side_logs *a, const struct side_logs *b,
                       const struct renames *renames);
/* Matches the functions of two logs. The caller calls matches_finish(). */
void functions_match(struct matches *matches, const struct run_facts *a, const struct run_facts *b);
/* Adds the functions that were renamed from a to b. */
void functions_renamed(struct renames *renames, const struct run_facts *a, const struct run_facts *b);
/* [least, most] of each side: "ranges" of figures, "ranges_us" of functions. */
void ranges_write(struct jsonw *w, const char *key, const struct side_value *sides);
/* "settings", null if a log has no settings, and "more_settings" */
void settings_compare(struct jsonw *w, const struct run_facts *a, const struct run_facts *b);
/* "settings_in_effect", null if a log does not show the settings of its graphs, and "more_settings_in_effect". Only for
 * functions that both logs have, and only settings that the configurations do not show. */
void effects_compare(struct jsonw *w, const struct run_facts *a, const struct run_facts *b);

/* comparison_parts.h - the parts of a comparison of two runs, each in its own file. For src/ranks only. */
#ifndef TLPARSE_RANKS_COMPARISON_PARTS_H
#define TLPARSE_RANKS_COMPARISON_PARTS_H

#include "base/jsonw.h"
#include "ranks/facts.h"
#include "ranks/run_facts.h"

enum figure_unit { UNIT_COUNT, UNIT_US };

/* A number of both runs. */
struct figure {
    const char *name, *title;
    enum figure_unit unit;
    bool worse;   /* a larger number is worse */
    int64_t a, b; /* negative: unknown */
};

/* Whether a time changed notably: by more than 5 %. Smaller differences occur between equal runs. */
bool is_notable(int64_t delta, int64_t of);
/* {"name", "title", "unit", "values", "delta", "verdict"} */
void figure_write(struct jsonw *w, const struct figure *figure);
/* The same for texts; ptr NULL: unknown. */
void text_figure_write(struct jsonw *w, const char *name, const char *title, struct slice a, struct slice b);

/* "figures": numbers of whole runs. */
void figures_write(struct jsonw *w, const struct rank_facts *first, const struct rank_facts *second);
/* "functions" and "function_counts", "more_functions" */
void functions_compare(struct jsonw *w, const struct run_facts *a, const struct run_facts *b);
/* "settings", null if a log does not have its settings, and "more_settings" */
void settings_compare(struct jsonw *w, const struct run_facts *a, const struct run_facts *b);

#endif

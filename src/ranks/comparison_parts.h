/* comparison_parts.h - the parts of a comparison of two runs, each by a file of its own. For src/ranks only. */
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
    bool worse;   /* more of it is worse */
    int64_t a, b; /* negative: not known */
};

/* Times differ a little from run to run: what is less than a twentieth is neither slower nor faster. */
bool is_notable(int64_t delta, int64_t of);
/* {"name", "title", "unit", "values", "delta", "verdict"} */
void figure_write(struct jsonw *w, const struct figure *figure);
/* The same of texts; ptr NULL: not known. */
void text_figure_write(struct jsonw *w, const char *name, const char *title, struct slice a, struct slice b);

/* "figures": what one counts of a run. */
void figures_write(struct jsonw *w, const struct rank_facts *a, const struct rank_facts *b);
/* "functions" and "function_counts", "more_functions" */
void functions_compare(struct jsonw *w, const struct run_facts *a, const struct run_facts *b);
/* "settings", null where a log does not tell its own, and "more_settings" */
void settings_compare(struct jsonw *w, const struct run_facts *a, const struct run_facts *b);

#endif

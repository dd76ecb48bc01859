/* summary.h - a report on one screen: the compiles and their outcomes, where the time went, and the issues, most
 * important first.
 *
 * For one run, for the ranks of a job (where they diverge, and the issues of all ranks) and for several runs (one line
 * each). Everything comes from report.json; only the order of the slowest compiles is computed here. Pure; one thread.
 */
#pragma once

#include "answers/report_doc.h"
#include "answers/term.h"

struct summary_request {
    const char *name; /* name of the report or the log, as the user gave it */
    size_t top;       /* number of issues and compiles to list, at least 1 */
    const char *all;  /* for text: how to list the rest; NULL: --top */
    bool modules;     /* modules, in the same way */
    bool lines;       /* what lines of source cost, in place of issues and compiles; in JSON beside them */
};

/* summary_facts.c - the facts in the head of a summary, which text and markdown print. Their texts are in the list's arena. */
struct summary_fact {
    const char *label; /* NULL: continues the fact above */
    struct slice text;
};
struct summary_facts {
    LIST(struct summary_fact) items;
    struct arena arena;
};
void summary_facts_find(struct summary_facts *facts, const struct report_doc *report);
void summary_facts_finish(struct summary_facts *facts);

void summary_add_text(struct term *term, const struct report_doc *report, const struct summary_request *request);
/* Adds GitHub-flavored markdown. Text from the log is escaped. */
void summary_add_markdown(struct buf *out, const struct report_doc *report, const struct summary_request *request);
/* Adds the format of doc/summary.schema.json, with a newline. */
void summary_add_json(struct buf *out, const struct report_doc *report, const struct summary_request *request);

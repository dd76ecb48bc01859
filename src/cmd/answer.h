/* answer.h - what the commands that print answers share: where the report comes from, and where the text goes. */
#ifndef TLPARSE_CMD_ANSWER_H
#define TLPARSE_CMD_ANSWER_H

#include "answers/report_doc.h"
#include "cmd/options.h"

/* A report, and the name that its readers know it by. */
struct answer_input {
    struct report_doc report;
    char *name;
};

/* Reads what the paths of the call name: a report.json, the folder of a finished report, else logs, of which only report.json is made,
 * in memory. Messages go to stderr. The caller finishes it, also after a failure. */
bool answer_input_read(struct answer_input *input, const struct options *options, struct err *err);
void answer_input_finish(struct answer_input *input);

/* The width to print in: that of the terminal, $COLUMNS, else 80. */
unsigned answer_width(void);
/* Whether standard output is a terminal that wants color: not with NO_COLOR, nor TERM=dumb. */
bool answer_color(void);
/* Writes the text to standard output. */
bool answer_print(struct slice text, struct err *err);

#endif

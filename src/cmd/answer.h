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

/* Reads the report that a path names: a report.json, the folder of a finished report, else logs, which are read into memory. Messages go
 * to stderr. The caller finishes it, also after a failure. */
bool answer_input_read(struct answer_input *input, const struct options *options, const char *const *paths,
                       size_t path_count, struct err *err);
void answer_input_finish(struct answer_input *input);

/* The width to print in: that of the terminal, $COLUMNS, else 80. */
unsigned answer_width(void);
/* Whether standard output is a terminal that wants color: not with NO_COLOR, nor TERM=dumb. */
bool answer_color(void);
/* Writes the text to standard output. */
bool answer_print(struct slice text, struct err *err);

#endif

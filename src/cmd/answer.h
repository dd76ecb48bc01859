/* answer.h - what the commands that print answers share: where the report comes from, and where the text goes. */
#pragma once

#include "answers/report_doc.h"
#include "cmd/options.h"

/* The report of a rank or a run, inside the report. */
struct answer_part {
    char *dir; /* relative to the report */
    struct report_doc report;
    bool read; /* false: it could not be */
};

/* A report, and the name that its readers know it by. */
struct answer_input {
    struct report_doc report;
    char *name;
    LIST(struct answer_part) parts; /* of answer_input_read_all() */
};

/* Reads what the paths of the call name: a report.json, the folder of a finished report, else logs, of which only report.json is made,
 * in memory. Messages go to stderr. The caller finishes it, also after a failure. */
bool answer_input_read(struct answer_input *input, const struct options *options, struct err *err);
/* The same, for a summary: the report.json that is made of logs has only what a summary prints. */
bool answer_input_read_summary(struct answer_input *input, const struct options *options, struct err *err);
/* As answer_input_read(), and the reports inside it. One that cannot be read is listed without a document. */
bool answer_input_read_all(struct answer_input *input, const struct options *options, struct err *err);
void answer_input_finish(struct answer_input *input);

/* The width to print in: that of the terminal, $COLUMNS, else 80. */
unsigned answer_width(void);
/* Whether standard output is a terminal that wants color: not with NO_COLOR, nor TERM=dumb. */
bool answer_color(void);
/* Writes the text to standard output. */
bool answer_print(struct slice text, struct err *err);

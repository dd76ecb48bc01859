/* answer.h - shared by the commands that print answers: reads the report, and prints the text. */
#pragma once

#include "answers/report_doc.h"
#include "answers/sarif.h"
#include "cmd/options.h"

/* The report on a rank or a run, inside another report. */
struct answer_part {
    char *dir; /* relative to the report */
    struct report_doc report;
    bool read; /* false: it could not be */
};

/* A report, and its name for readers. */
struct answer_input {
    struct report_doc report;
    char *name;
    LIST(struct answer_part) parts; /* set by answer_input_read_all() */
    /* Set by answer_input_read_texts(): where the files of the report are. */
    char *folder;      /* with its "/": of a finished report or, in memory, of the report of a rank; NULL: none */
    struct sink *sink; /* in memory; NULL: in a folder */
};

/* Reads the input that the paths of the call name: a report.json, the folder of a finished report, or logs, from which
 * only report.json is made, in memory. Messages go to stderr. The caller finishes the input, even after a failure. */
bool answer_input_read(struct answer_input *input, const struct options *options, struct err *err);
/* The same for a summary: a report.json that is made from logs has only the members that a summary prints. */
bool answer_input_read_summary(struct answer_input *input, const struct options *options, struct err *err);
/* Like answer_input_read(), including the reports inside it. One that cannot be read is listed without a document. */
bool answer_input_read_all(struct answer_input *input, const struct options *options, struct err *err);
/* Like answer_input_read(), so that answer_input_text() can read files of the report. `folders`: the beginnings of the names of
 * the folders with these files; they outlive the input. With --rank, it is the report of that rank. */
bool answer_input_read_texts(struct answer_input *input, const struct options *options, const char *const *folders,
                             size_t count, struct err *err);
/* Adds the content of a file of the report, whose path it names. False if it is not there. */
bool answer_input_text(const struct answer_input *input, const struct options *options, struct slice path,
                       struct buf *out, struct err *err);
/* Reads report.json of the finished report at the path: a report.json or a folder. has_rank: that of a rank, inside of it.
 * False if there is none, or it cannot be read. */
/* Annotations name files relative to the repository: the workspace of a GitHub workflow, or the project, which outlives it. */
struct source_roots answer_roots(const char *project);
bool answer_report_read(struct report_doc *report, const struct options *options, const char *path, bool has_rank,
                        uint64_t rank);
void answer_input_finish(struct answer_input *input);

/* The width for printing: that of the terminal, $COLUMNS, or else 80. */
unsigned answer_width(void);
/* Whether standard output is a terminal with color: not with NO_COLOR or TERM=dumb. */
bool answer_color(void);
/* Writes the text to standard output. */
bool answer_print(struct slice text, struct err *err);

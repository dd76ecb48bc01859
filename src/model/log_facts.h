/* log_facts.h - what a report knows of its log: its files, and the processes that wrote it. */
#ifndef TLPARSE_MODEL_LOG_FACTS_H
#define TLPARSE_MODEL_LOG_FACTS_H

#include "model/model.h"

/* A record of the process begins in that line; `counts` is 0 for what only defines a string, else 1. */
void report_count_process(struct report *report, uint64_t process, uint64_t line, unsigned counts);
/* Counts the compiles of each process. Called when nothing more is added. */
void report_end_processes(struct report *report);
/* The texts are copied. */
void report_add_file(struct report *report, const struct log_file *file);
/* The file that holds a line of the log; NULL where files are not known. */
const struct log_file *report_file_at(const struct report *report, uint64_t line);

#endif

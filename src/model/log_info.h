/* log_info.h - what a report knows of its log: its files, and the processes that wrote it. */
#ifndef TLPARSE_MODEL_LOG_INFO_H
#define TLPARSE_MODEL_LOG_INFO_H

#include "model/model.h"
#include "trace/process.h"

/* A record of the process begins in that line; `counts` is 0 for what only defines a string, else 1. */
void model_count_process(struct model *model, const struct process *process, uint64_t line, unsigned counts);
/* Of a process that wrote records; a constant with the id as its number where there are too many. */
struct log_process model_process(const struct model *model, uint64_t process);
/* "4711", or "4711.2" of the second process with that number. */
void model_add_process_name(struct buf *out, const struct model *model, uint64_t process);
/* The file in which the process wrote first, where the log is several files and processes have the same number; else ptr NULL. */
struct slice model_process_file(const struct model *model, uint64_t process);
/* Counts the compiles of each process. Called when nothing more is added. */
void model_end_processes(struct model *model);
/* The texts are copied. */
void model_add_file(struct model *model, const struct log_file *file);
/* The file that holds a line of the log; NULL where files are not known. */
const struct log_file *model_file_at(const struct model *model, uint64_t line);

#endif

/* log_info.h - the files of a log, and the processes that wrote it. */
#pragma once

#include "model/model.h"
#include "trace/process.h"

/* A record of the process begins at this line. `counts` is 0 for a record that only defines a string, otherwise 1. */
void model_count_process(struct model *model, const struct process *process, uint64_t line, unsigned counts);
/* A process that wrote records. If it is not listed because there are too many, a placeholder with the id as its
 * number. */
struct log_process model_process(const struct model *model, uint64_t process);
/* "4711", or "4711.2" for the second process with this number. */
void model_add_process_name(struct buf *out, const struct model *model, uint64_t process);
/* The file with the process's first record, if the log has several files and processes share a number; otherwise ptr
 * NULL. */
struct slice model_process_file(const struct model *model, uint64_t process);
/* Counts the compiles of each process. Call it when the log is complete. */
void model_end_processes(struct model *model);
/* Copies the texts. */
void model_add_file(struct model *model, const struct log_file *file);
void model_add_unread_folder(struct model *model, struct slice text);
/* The number of files that could not be read completely, and of folders that could not be searched. */
uint64_t model_missing_inputs(const struct model *model);
/* The file that contains a line of the log; NULL if files are unknown. */
const struct log_file *model_file_at(const struct model *model, uint64_t line);

/* clean_log.h - the records of a log without paths and names, as a log that gives the same counts.
 *
 * The words that stay are those of PyTorch, as in a redacted report (share/redact.h): names of operators, kernels, guards, settings. All others
 * become name7, the same one everywhere, and a path becomes path7.py. What is not in a record is left out: the output
 * of the program, and what a launcher writes before each line.
 *
 * Life cycle: {0}, clean_log_begin, clean_log_learn for all records, clean_log_add for all records, clean_log_finish. One thread. */
#pragma once

#include "share/redact.h"
#include "trace/record.h"

struct clean_log {
    struct redact redact;
    struct buf payload;
    uint64_t unreadable; /* records that are no JSON, which were left out */
};

void clean_log_begin(struct clean_log *log);
void clean_log_learn(struct clean_log *log, const struct record *record);
/* Adds the record, if it can be read. */
void clean_log_add(struct clean_log *log, const struct record *record, struct buf *out);
void clean_log_finish(struct clean_log *log);

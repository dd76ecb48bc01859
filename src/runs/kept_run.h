/* kept_run.h - the run that this program is a part of, from its start to its end.
 *
 * A run has one process, which is this program and the command that it runs; or one per rank, if a launcher starts
 * `tlparse run` for each (job.h). The first process creates the run, the others join it. The last one that ends makes the
 * report: nobody waits for the others, except that a process that ends before all ranks of this machine have joined
 * waits up to PROCESS_JOIN_MS for them.
 *
 * Life cycle: process_begin .. process_finish. One thread, unless a function says otherwise. */
#pragma once

#include "runs/job.h"
#include "runs/store.h"

struct child_end;

enum { PROCESS_JOIN_MS = 5000, PROCESS_REPORT_MS = 120000 };

struct process_request {
    const char *const *command; /* ends with NULL */
    const char *trace;          /* absolute: the user's TORCH_TRACE; NULL: logs are kept in the store */
    const char *report;         /* where the report goes; NULL: in the store */
};

struct process {
    const struct store *store; /* the caller's */
    char id[RUN_ID_LEN + 1];
    int run;      /* its folder */
    int alive;    /* its lock */
    size_t n;     /* which process of the run it is */
    char *logs;   /* absolute */
    char *report; /* absolute */
    struct job job;
};

bool process_begin(struct process *process, const struct store *store, const struct process_request *request,
                   struct err *err);
/* Adds the commit and the packages to run.json. May run on a thread of its own, while the others are not called. */
void process_add_surroundings(struct process *process, const char *command);
/* Says how the command ended. Returns true if this process is the last one of the run. */
bool process_end(struct process *process, const struct child_end *end);
/* Locks the report of the run. Returns the descriptor that the caller closes afterwards; -1 if another process still makes
 * a report after PROCESS_REPORT_MS. */
int process_lock_report(const struct process *process);
/* Adds what the report says: totals and versions. report_json is the root of its report.json; NULL: there is no report. */
void process_add_report(struct process *process, yyjson_val *report_json);
/* Ends the life of the process. The run stays. */
void process_finish(struct process *process);
/* For a command that could not be started, and is not a rank of a job, which others may have joined: removes the run, then
 * finishes. */
void process_forget(struct process *process);

/* Whether the program was started by the command of a run that still lives: TLPARSE_RUN names it. */
bool process_is_nested(const struct store *store);

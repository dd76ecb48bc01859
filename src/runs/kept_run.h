/* kept_run.h - the run that this program belongs to, from its start to its end.
 *
 * A run has one process, which is this program and the command that it runs; or one per rank, if a launcher starts
 * `tlparse run` for each (job.h). The first process creates the run, the others join it. The last process to end makes
 * the report. No process waits for others, with one exception: a process that ends before all ranks of this machine
 * have joined waits for them, up to PROCESS_JOIN_MS.
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
    const char *report;         /* destination of the report; NULL: the store */
};

struct process {
    const struct store *store; /* the caller's */
    char id[RUN_ID_LEN + 1];
    int run;      /* its folder */
    int alive;    /* its lock */
    size_t n;     /* number of this process within the run */
    char *logs;   /* absolute */
    char *report; /* absolute */
    struct job job;
};

bool process_begin(struct process *process, const struct store *store, const struct process_request *request,
                   struct err *err);
/* Adds the commit and the packages to run.json. May run on its own thread while no other function is called. */
void process_add_surroundings(struct process *process, const char *command);
/* Records how the command ended. Returns true if this process is the last one of the run. */
bool process_end(struct process *process, const struct child_end *end);
/* Locks the report of the run. Returns the descriptor that the caller closes afterwards; -1 if another process is still
 * making a report after PROCESS_REPORT_MS. */
int process_lock_report(const struct process *process);
/* Adds totals and versions from the report. report_json is the root of its report.json; NULL: there is no report. */
void process_add_report(struct process *process, yyjson_val *report_json);
/* Ends this process's part. The run stays. */
void process_finish(struct process *process);
/* For a command that could not be started: removes the run, then finishes. Not for a rank of a job, because others may
 * have joined the run. */
void process_forget(struct process *process);

/* Whether the command of a run that still lives started this program: TLPARSE_RUN names that run. */
bool process_is_nested(const struct store *store);

/* process.h - the processes that wrote the records of a stream of files, and their interned strings.
 *
 * A process is identified by the number after the timestamp, but only within a file: containers and hosts number their
 * own processes. The same number in another file is another process, unless the strings of that file continue the
 * table of an earlier one (log_start_continues()). A process normally has one file, but PyTorch opens another one after
 * its handler was closed and for each draft_export() call; logs are also rotated. A fork writes under its own number.
 *
 * One log may have records of many processes, and one process may write several logs: readers of consecutive logs
 * share this object. Processes do not move until processes_finish(). One thread. */
#pragma once

#include "trace/log_head.h"
#include "trace/strings.h"

struct process {
    uint64_t id;            /* unique: the number itself for the first process that has it */
    uint64_t number;        /* the number after the timestamp of its records */
    uint32_t nth;           /* counts the processes with this number from 1 */
    uint32_t file;          /* the latest file that it wrote to, from 1 */
    uint64_t track;         /* the id under which its spans are joined: that of the process with this number that
                             * preceded it in the same file */
    size_t before;          /* index of an earlier process with the number; SIZE_MAX: none */
    bool named;             /* for the writer of events: whether its name has been written */
    uint32_t exports_ended; /* for the fold: number of metrics without a compile id */
    struct strings strings;
};

struct processes {
    struct process **items; /* in the order of their first records */
    size_t count, cap;
    struct strings_family family;
    size_t last;                /* the process found last: usually, there is only one */
    struct map newest, current; /* number → index: of the newest process, and of the one that wrote last */
    uint32_t file;              /* the current file, from 1; 0: processes_next_file() was not called */
    const char *path;           /* of the current file */
    bool looked;                /* the start of the file has been read */
    struct log_starts starts;
};

/* Call it when the following records come from another file. The path must be valid until the next call, or until
 * processes_finish(). */
void processes_next_file(struct processes *processes, const char *path);
/* The process with this number in the current file. Creates it if it is unknown. Never NULL: beyond a limit, processes
 * share one. */
struct process *process_of(struct processes *processes, uint64_t number);
/* Creates another process with the same number in the current file: logs of two processes were concatenated. */
struct process *process_renew(struct processes *processes, const struct process *old);
void processes_finish(struct processes *processes);

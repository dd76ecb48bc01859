/* process.h - the processes that wrote the records of one stream of files, and the interned strings of each.
 *
 * A process is known by the number after the time stamp, but numbers come again: containers and hosts count their own. So a process
 * is a number within a file, and the number in another file is another process, unless the strings of that file say that it goes on
 * with the table of an earlier one (log_start_continues()): PyTorch gives a process one file, but opens another one after
 * its handler was closed, for each draft_export() call, and where a log was rotated. A fork writes under a number of its own.
 *
 * One log may hold records of many processes, and one process may write several logs: whoever reads these one after the other lets
 * them share this. Processes stay where they are until processes_finish(). One thread. */
#ifndef TLPARSE_TRACE_PROCESS_H
#define TLPARSE_TRACE_PROCESS_H

#include "base/map.h"
#include "trace/log_head.h"
#include "trace/strings.h"

struct process {
    uint64_t id;     /* of no other process: the number, of the first process that has it */
    uint64_t number; /* after the time stamp of its records */
    uint32_t nth;    /* of the processes with this number, from 1 */
    uint32_t file;   /* the latest in which it wrote, from 1 */
    uint64_t track;  /* the id under which its spans are joined: that of the process before it in the same file */
    size_t before;   /* the place of an earlier process with the number; SIZE_MAX: none */
    bool named;      /* its name is among the events: their writer's */
    struct strings strings;
};

struct processes {
    struct process **items; /* in the order of their first records */
    size_t count, cap;
    struct strings_family family;
    size_t last;                /* the one found last: mostly there is only one */
    struct map newest, current; /* number → place: of the newest process, and of the one that wrote last */
    uint32_t file;              /* the file being read, from 1; 0: processes_next_file() was not called */
    const char *path;           /* of that file */
    bool looked;                /* into the file for starts */
    struct log_starts starts;
};

/* Records of another file follow. The path must stay good until the next call, or until no process is asked for. */
void processes_next_file(struct processes *processes, const char *path);
/* The process of that number in the current file; a new one where it is unknown. Never NULL: past a bound, processes share one. */
struct process *process_of(struct processes *processes, uint64_t number);
/* In the current file another process with the number of this one begins: logs of two were put into one file. */
struct process *process_renew(struct processes *processes, const struct process *old);
void processes_finish(struct processes *processes);

#endif

/* child.h - runs another program from an array of arguments, never through a shell.
 *
 * The program gets the default action for SIGPIPE and SIGXFSZ, which this program ignores; other ignored signals stay
 * ignored. Files without O_CLOEXEC are inherited. Input and output go through one loop, so neither side can block the
 * other. The caller ignores SIGPIPE.
 *
 * Life cycle: child_start(), [child_write() or child_read()]…, child_finish(). Every child that was started must be
 * finished; child_finish() waits for it to end. One thread per child. */
#pragma once

#include <signal.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/err.h"

enum { CHILD_SAID_BYTES = 2048 };

enum child_stream {
    CHILD_INHERIT, /* the same stream as this program's */
    CHILD_PIPE,    /* of standard error, the last CHILD_SAID_BYTES are kept in child.said */
    CHILD_NULL,    /* /dev/null */
};

struct child_request {
    const char *const *argv;         /* ends with NULL; a name without a slash is looked up in $PATH */
    const char *const *env;          /* "NAME=value" is added to the environment of this program or replaces it there,
                                      * "NAME" is removed; ends with NULL. NULL: no changes */
    enum child_stream in, out, errs; /* errs: standard error */
    size_t out_max;                  /* bytes of output; a program that prints more is killed. 0: no limit */
    int64_t limit_ms;                /* the program is killed if it runs longer. 0: no limit */
    int64_t silence_ms;              /* the program is killed if it prints nothing for this long while child_read() or
                                      * child_finish() waits for it. 0: no limit */
    bool group;                      /* gets its own process group, which is killed and signaled as a whole; terminal
                                      * stop signals are blocked in it */
    const sigset_t *mask;            /* blocked signals; NULL: none */
};

enum child_cut {
    CHILD_WHOLE, /* ended on its own, or by a signal from elsewhere */
    CHILD_LATE,  /* killed after limit_ms */
    CHILD_QUIET, /* killed after silence_ms */
    CHILD_BIG,   /* killed after out_max bytes */
};

struct child_end {
    bool signaled;      /* ended by a signal */
    int number;         /* the signal, or the exit status */
    enum child_cut cut; /* why it was killed */
};

struct child {
    pid_t pid;
    int in, out, errs;            /* this program's ends of the pipes, non-blocking; -1: none, or closed */
    struct buf said;              /* the tail of its standard error; the caller frees it after child_finish() */
    int watch;                    /* readable once the program has ended; -1: the system has no such descriptor */
    bool group, ended;            /* ended: its exit status was collected */
    size_t out_max;               /* 0: no limit */
    int64_t deadline_ms;          /* on the clock of child_clock_ms(); 0: none */
    int64_t silence_ms, heard_ms; /* silence_ms 0: no limit; heard_ms: start of the silence */
    struct child_end end;
};

/* Milliseconds of a clock that only moves forward. */
int64_t child_clock_ms(void);

/* Fails with ERR_SYSTEM if the program could not be started; errno is then ENOENT if it was not found. */
bool child_start(struct child *child, const struct child_request *request, struct err *err);
/* Writes all of the input, and adds output that arrives meanwhile to `out`. Returns false if the program no longer
 * reads, or was killed; child_finish() says why. */
bool child_write(struct child *child, struct slice input, struct buf *out);
/* Waits for output, and returns up to `bytes` of it; 0 at its end, or if the program was killed: child_finish() says
 * why. Call it only if there is no input, or all of it was written. */
size_t child_read(struct child *child, char *to, size_t bytes);
/* Closes the input, adds the rest of the output to `out` (NULL: there is no pipe), and waits for the end. Output that
 * other processes write to the pipe after the program has ended is not read. Returns true if it exited with status 0.
 */
bool child_finish(struct child *child, struct buf *out, struct child_end *end);

/* What has happened to the program; does not wait. For callers without pipes that wait for signals. */
enum child_state {
    CHILD_RUNS,
    CHILD_STOPPED, /* by a signal such as SIGTSTP: *number */
    CHILD_ENDED,   /* child_finish() says how, and returns at once */
    CHILD_SAME,    /* no change since the last call */
};
enum child_state child_look(struct child *child, int *number);
/* Sends a signal to the program, or to its group. Does nothing if the program has ended. */
void child_signal(const struct child *child, int number);

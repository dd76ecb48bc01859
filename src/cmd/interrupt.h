/* interrupt.h - removes the unfinished report when a signal ends the program.
 *
 * From interrupt_begin() to interrupt_end(), SIGINT, SIGTERM and SIGHUP are blocked in the calling thread and in the
 * threads that it starts, and until interrupt_hold() a dedicated thread waits for them. On a signal it removes the
 * staging folder (outdir_interrupt) and ends the process with the signal's default action, so that the shell sees the
 * right status. The thread does the same when there is no memory left: see mem_exhausted(). Signals that the parent process ignores (nohup) stay ignored.
 *
 * A report is moved into place between interrupt_hold() and interrupt_end(): a signal before the hold changes nothing
 * at the place, even if the thread that waits for it has not run yet; a signal after it ends the process when the move
 * is complete.
 *
 * Life cycle: interrupt_begin before any other thread starts and before outdir_begin(); interrupt_hold before
 * outdir_commit() or another move; interrupt_end before outdir_finish(). */
#pragma once

#include "base/base.h"
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

struct outdir;

struct interrupt {
    struct outdir *outdir;
    sigset_t signals;  /* the ones that are not ignored */
    sigset_t before;   /* signal mask of the caller */
    bool blocked;      /* from interrupt_begin() to interrupt_end() */
    void *reserve;     /* memory for the removal */
    bool waits;        /* the thread runs */
    atomic_bool holds; /* interrupt_hold() stops the thread */
    pthread_t thread;
};

bool interrupt_begin(struct interrupt *interrupt, struct outdir *outdir, struct err *err);
/* Ends the process if a signal has arrived. Those that arrive later wait for interrupt_end(). */
void interrupt_hold(struct interrupt *interrupt);
void interrupt_end(struct interrupt *interrupt);

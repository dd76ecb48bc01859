/* interrupt.h - removes the unfinished report when a signal ends the program.
 *
 * From interrupt_begin() to interrupt_end(), SIGINT, SIGTERM and SIGHUP are blocked in the calling thread and in the
 * threads that it starts, and until interrupt_hold() a dedicated thread waits for them. On a signal, it removes the
 * staging folder (outdir_interrupt) and ends the process with the signal's default action, so the shell sees the right
 * status. The thread does the same if memory is exhausted: see mem_exhausted(). Signals that the parent process ignores
 * (nohup) stay ignored.
 *
 * A report is moved into place between interrupt_hold() and interrupt_end(): after a signal before the hold, nothing at
 * the place changes, even if the waiting thread has not run yet; a signal after the hold ends the process when the move
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
    sigset_t signals;  /* those that are not ignored */
    sigset_t before;   /* signal mask of the caller */
    bool blocked;      /* from interrupt_begin() to interrupt_end() */
    void *reserve;     /* memory for the removal */
    bool waits;        /* the thread runs */
    atomic_bool holds; /* interrupt_hold() stops the thread */
    pthread_t thread;
};

bool interrupt_begin(struct interrupt *interrupt, struct outdir *outdir, struct err *err);
/* Ends the process if a signal has arrived. Later signals wait for interrupt_end(). */
void interrupt_hold(struct interrupt *interrupt);
void interrupt_end(struct interrupt *interrupt);

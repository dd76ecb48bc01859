/* interrupt.h - removes the unfinished report when a signal ends the program.
 *
 * From interrupt_begin() to interrupt_end(), SIGINT, SIGTERM and SIGHUP are blocked in the calling thread and in the
 * threads that it starts, and a dedicated thread waits for them. On a signal it removes the staging folder
 * (outdir_interrupt) and ends the process with the signal's default action, so that the shell sees the right status.
 * Signals that the parent process ignores (nohup) stay ignored.
 *
 * Life cycle: interrupt_begin before any other thread starts and before outdir_begin(); interrupt_end before
 * outdir_finish(). */
#ifndef TLPARSE_CMD_INTERRUPT_H
#define TLPARSE_CMD_INTERRUPT_H

#include <pthread.h>
#include <signal.h>

#include "base/err.h"

struct outdir;

struct interrupt {
    struct outdir *outdir;
    sigset_t signals; /* the ones that are not ignored */
    sigset_t before;  /* signal mask of the caller */
    int any;          /* one of `signals`; 0: all are ignored, and there is no thread */
    pthread_t thread;
};

bool interrupt_begin(struct interrupt *interrupt, struct outdir *outdir, struct err *err);
void interrupt_end(struct interrupt *interrupt);

#endif

/* interrupt.h - a signal that ends the program takes the half-made report with it.
 *
 * From interrupt_begin() to interrupt_end() SIGINT, SIGTERM and SIGHUP are blocked in the calling thread and in those
 * that it starts, and a thread of its own waits for them. When one comes it removes the staging folder
 * (outdir_interrupt) and ends the process by that signal's default action, so that the shell sees what it was. A signal
 * that the caller's parent has set to be ignored (nohup) stays ignored.
 *
 * Life cycle: interrupt_begin before any other thread starts, and before outdir_begin(); interrupt_end before
 * outdir_finish(). */
#ifndef TLPARSE_CMD_INTERRUPT_H
#define TLPARSE_CMD_INTERRUPT_H

#include <pthread.h>
#include <signal.h>

#include "base/err.h"

struct outdir;

struct interrupt {
    struct outdir *outdir;
    sigset_t signals; /* those of the three that are not ignored */
    sigset_t before;  /* the caller's mask */
    int any;          /* one of them, 0 when there is none: then there is no thread */
    pthread_t thread;
};

bool interrupt_begin(struct interrupt *interrupt, struct outdir *outdir, struct err *err);
void interrupt_end(struct interrupt *interrupt);

#endif

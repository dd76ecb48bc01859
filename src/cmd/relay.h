/* relay.h - waits for a command that this program runs in its place, and passes signals on.
 *
 * The command stays in the process group of this program, so the terminal treats both as one job, as in a pipeline. A
 * signal for the whole group (Ctrl-C, Ctrl-Z, a launcher that ends its workers) reaches the command without help, and
 * must not arrive twice: a second SIGINT or SIGTERM often means "at once". A signal for this process alone is passed on.
 * The system does not say which is which. So a small process of the same group, the witness, blocks all signals and is
 * asked whether it got the signal, too.
 *
 * When the command stops (Ctrl-Z, or reading from the terminal in the background), this program stops the same way, so
 * that the shell sees the job stop; when it continues, so does the command. Signals that this program's parent ignores
 * (nohup) stay ignored in both.
 *
 * Life cycle: relay_begin, child_start() with relay.before as its mask, relay_wait, relay_end. relay_begin before any
 * thread starts. One thread; threads that are started meanwhile have the signals blocked. */
#pragma once

#include <signal.h>

#include "base/child.h"

struct relay {
    sigset_t signals; /* what is passed on, and SIGCHLD */
    sigset_t before;  /* signal mask of the caller */
    pid_t witness;
    int line;       /* a socket to the witness, which ends when it is closed */
    unsigned asked; /* questions to the witness so far */
};

bool relay_begin(struct relay *relay, struct err *err);
/* Returns when the command has ended; child_finish() says how. */
void relay_wait(struct relay *relay, struct child *child);
void relay_end(struct relay *relay);

/* Ends this process by the signal, without a core file: the command's is the one that matters. */
_Noreturn void relay_die(int number);

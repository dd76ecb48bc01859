/* relay.h - waits for the command that this program runs, and passes signals on to it.
 *
 * The command stays in the process group of this program, so the terminal treats both as one job, as in a pipeline. A
 * signal for the whole group (Ctrl-C, Ctrl-Z, a launcher that ends its workers) reaches the command without help, and
 * must not arrive twice: a second SIGINT or SIGTERM often means "at once". A signal for this process alone is passed on.
 * The system does not tell the two apart. So a small process in the same group, the witness, blocks all signals and is
 * asked whether it received the signal, too.
 *
 * When the command stops (Ctrl-Z, or reading from the terminal in the background), this program stops in the same way,
 * so the shell sees the job stop; when it continues, so does the command. Signals that this program's parent ignores
 * (nohup) stay ignored in both.
 *
 * Life cycle: relay_begin, child_start() with relay.before as its mask, relay_wait, relay_end. Call relay_begin before
 * any thread starts. One thread; threads that start meanwhile have the signals blocked. */
#pragma once

#include <signal.h>

#include "base/child.h"

struct relay {
    sigset_t signals; /* signals to pass on, and SIGCHLD */
    sigset_t before;  /* signal mask of the caller */
    pid_t witness;
    int line;       /* a socket to the witness, which ends when the socket is closed */
    unsigned asked; /* number of questions to the witness so far */
};

bool relay_begin(struct relay *relay, struct err *err);
/* Returns when the command has ended; child_finish() says how. */
void relay_wait(struct relay *relay, struct child *child);
void relay_end(struct relay *relay);

/* Ends this process by the signal, without a core file, because only the command's matters. */
_Noreturn void relay_die(int number);

#include "cmd/interrupt.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/compat.h"
#include "sink/outdir.h"

static _Noreturn void end_process(int number) {
    struct sigaction standard = {.sa_handler = SIG_DFL};
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, number);
    sigaction(number, &standard, NULL);
    pthread_sigmask(SIG_UNBLOCK, &only, NULL);
    kill(getpid(), number);
    _exit(128 + number);
}

/* Without stdio, whose locks another thread may hold. On a terminal, the line may show the progress. */
static void print_removal(void) {
    static const char clear[] = "\r\033[K", text[] = "tlparse: interrupted: removing the partial report\n";
    ssize_t cleared = isatty(STDERR_FILENO) ? write(STDERR_FILENO, clear, strlen(clear)) : 0;
    ssize_t written = write(STDERR_FILENO, text, strlen(text));
    (void)cleared;
    (void)written;
}

static _Noreturn void interrupted(struct interrupt *in, int number) {
    outdir_interrupt(in->outdir, print_removal);
    end_process(number);
}

/* interrupt_hold() stops this thread with a signal. It is the only one that the process sends to itself, so the sender's
 * PID distinguishes it from signals that must not be lost. (si_code would be SI_TKILL, but not on every kernel.) A system that does
 * not name the sender loses a signal that arrives in that moment. */
static void *wait_for_signal(void *arg) {
    struct interrupt *in = arg;
    for (;;) {
        pid_t sender;
        int number = compat_wait_signal(&in->signals, &sender);
        if (number < 0)
            continue;
        if (sender == getpid() || (sender < 0 && atomic_load(&in->holds)))
            return NULL;
        interrupted(in, number);
    }
}

static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};

bool interrupt_begin(struct interrupt *in, struct outdir *outdir, struct err *err) {
    *in = (struct interrupt){.outdir = outdir};
    sigemptyset(&in->signals);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction now;
        if (sigaction(numbers[i], NULL, &now) != 0 || now.sa_handler == SIG_IGN)
            continue;
        sigaddset(&in->signals, numbers[i]);
        in->any = numbers[i];
    }
    if (!in->any)
        return true;
    pthread_sigmask(SIG_BLOCK, &in->signals, &in->before);
    int failed = pthread_create(&in->thread, NULL, wait_for_signal, in);
    in->waits = !failed;
    if (!failed)
        return true;
    in->any = 0;
    pthread_sigmask(SIG_SETMASK, &in->before, NULL);
    errno = failed;
    return err_errno(err, "cannot start a thread");
}

static void end_if_pending(struct interrupt *in) {
    sigset_t pending;
    sigpending(&pending);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (sigismember(&in->signals, numbers[i]) && sigismember(&pending, numbers[i]))
            interrupted(in, numbers[i]);
}

/* A thread receives its own signals before those of its process, so one of these may be pending when it ends. */
void interrupt_hold(struct interrupt *in) {
    if (!in->waits)
        return;
    atomic_store(&in->holds, true);
    pthread_kill(in->thread, in->any);
    pthread_join(in->thread, NULL);
    in->waits = false;
    end_if_pending(in);
}

void interrupt_end(struct interrupt *in) {
    if (!in->any)
        return;
    interrupt_hold(in);
    end_if_pending(in);
    pthread_sigmask(SIG_SETMASK, &in->before, NULL);
    in->any = 0;
}

#include "cmd/interrupt.h"

#include <unistd.h>

#include "sink/outdir.h"

enum { RESERVE_BYTES = 512 * 1024 };

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

/* Without stdio, whose locks another thread may hold. On a terminal, the line may contain the progress. */
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

/* mem_exhausted() has printed the message. Removal needs a little memory. */
static _Noreturn void exhausted(struct interrupt *in) {
    mem_free(in->reserve);
    outdir_interrupt(in->outdir, NULL);
    _exit(MEM_EXHAUSTED_STATUS);
}

/* Only this process sends MEM_EXHAUSTED_SIGNAL, to itself, because it uses no virtual timer. interrupt_hold() uses it
 * to stop this thread, too. */
static void *wait_for_signal(void *arg) {
    struct interrupt *in = arg;
    for (;;) {
        int number;
        if (sigwait(&in->signals, &number) != 0)
            continue;
        if (number == MEM_EXHAUSTED_SIGNAL && atomic_load(&in->holds))
            return NULL;
        if (number == MEM_EXHAUSTED_SIGNAL)
            exhausted(in);
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
    }
    sigaddset(&in->signals, MEM_EXHAUSTED_SIGNAL);
    in->blocked = true;
    in->reserve = mem_zalloc(1, RESERVE_BYTES);
    pthread_sigmask(SIG_BLOCK, &in->signals, &in->before);
    int failed = pthread_create(&in->thread, NULL, wait_for_signal, in);
    in->waits = !failed;
    if (!failed)
        return true;
    mem_free(in->reserve);
    in->blocked = false;
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

/* A thread receives signals sent to itself before those sent to the process, so one of the latter may be pending when
 * the thread ends. */
void interrupt_hold(struct interrupt *in) {
    if (!in->waits)
        return;
    atomic_store(&in->holds, true);
    pthread_kill(in->thread, MEM_EXHAUSTED_SIGNAL);
    pthread_join(in->thread, NULL);
    in->waits = false;
    sigset_t nobody_waits_for;
    sigemptyset(&nobody_waits_for);
    sigaddset(&nobody_waits_for, MEM_EXHAUSTED_SIGNAL);
    pthread_sigmask(SIG_UNBLOCK, &nobody_waits_for, NULL);
    end_if_pending(in);
}

void interrupt_end(struct interrupt *in) {
    if (!in->blocked)
        return;
    interrupt_hold(in);
    end_if_pending(in);
    pthread_sigmask(SIG_SETMASK, &in->before, NULL);
    mem_free(in->reserve);
    in->blocked = false;
}

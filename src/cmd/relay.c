#define _GNU_SOURCE /* sigtimedwait, SYS_close_range */
#include "cmd/relay.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A signal for several processes that are not a group (all of a service) reaches them within some milliseconds. */
enum { GROUP_MS = 50, ASK_MS = 5, FILES_MAX = 1024 };

static const int passed_on[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGCONT, SIGTSTP, SIGWINCH};

/* ---- The witness */

static void close_files_from(unsigned first) {
#ifdef SYS_close_range
    if (syscall(SYS_close_range, first, UINT_MAX, 0) == 0)
        return;
#endif
    for (unsigned fd = first; fd < FILES_MAX; fd++)
        close((int)fd);
}

struct answer {
    unsigned char number, arrived;
};

/* Answers whether a signal has arrived since the last question about it. Between fork() and _exit(): only functions that
 * are safe in signal handlers. */
static _Noreturn void be_witness(int line) {
    unsigned char number;
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    dup2(line, STDIN_FILENO);
    close_files_from(STDIN_FILENO + 1); /* a pipe of the command must end with the command */
    for (;;) {
        ssize_t n = read(STDIN_FILENO, &number, 1);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            _exit(0);
        const struct timespec now = {0};
        sigset_t one;
        sigemptyset(&one);
        sigaddset(&one, number);
        const struct answer answer = {number, sigtimedwait(&one, NULL, &now) == number};
        if (send(STDIN_FILENO, &answer, sizeof answer, MSG_NOSIGNAL) != sizeof answer)
            _exit(0);
    }
}

static bool start_witness(struct relay *relay) {
    int line[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, line) != 0)
        return false;
    relay->witness = fork();
    if (relay->witness == 0) {
        close(line[0]);
        be_witness(line[1]);
    }
    close(line[1]);
    relay->line = line[0];
    if (relay->witness > 0)
        return true;
    close(line[0]);
    return false;
}

/* Whether the witness got the signal; false if it does not answer until the limit, because it is stopped. */
static bool ask_witness(const struct relay *relay, int number, int64_t limit) {
    unsigned char question = (unsigned char)number;
    struct answer answer = {0};
    if (send(relay->line, &question, 1, MSG_NOSIGNAL) != 1)
        return false;
    while (answer.number != question) { /* an older answer may have come too late */
        struct pollfd polls = {.fd = relay->line, .events = POLLIN};
        int64_t left = limit - child_clock_ms();
        if (left < 0 || (poll(&polls, 1, (int)left) < 0 && errno != EINTR))
            return false;
        if (polls.revents && recv(relay->line, &answer, sizeof answer, MSG_DONTWAIT) != sizeof answer)
            return false;
    }
    return answer.arrived;
}

static bool was_for_group(const struct relay *relay, int number) {
    int64_t limit = child_clock_ms() + GROUP_MS;
    while (!ask_witness(relay, number, limit)) {
        const struct timespec pause = {.tv_nsec = ASK_MS * 1000000L};
        if (child_clock_ms() >= limit)
            return false;
        nanosleep(&pause, NULL);
    }
    return true;
}

/* ---- The command */

bool relay_begin(struct relay *relay, struct err *err) {
    *relay = (struct relay){.line = -1};
    sigemptyset(&relay->signals);
    sigaddset(&relay->signals, SIGCHLD);
    for (size_t i = 0; i < sizeof passed_on / sizeof *passed_on; i++) {
        struct sigaction now;
        if (sigaction(passed_on[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
            sigaddset(&relay->signals, passed_on[i]);
    }
    sigprocmask(SIG_BLOCK, &relay->signals, &relay->before);
    if (start_witness(relay))
        return true;
    err_errno(err, "cannot start a process");
    sigprocmask(SIG_SETMASK, &relay->before, NULL);
    return false;
}

/* Stops this program as the command was stopped. The system ignores this where nobody could continue it. */
static void stop_too(int number) {
    const struct sigaction standard = {.sa_handler = SIG_DFL};
    struct sigaction before;
    sigset_t one, mask;
    if (number != SIGTSTP && number != SIGTTIN && number != SIGTTOU)
        return; /* SIGSTOP was for the command alone: a debugger, a test */
    sigemptyset(&one);
    sigaddset(&one, number);
    sigaction(number, &standard, &before);
    raise(number);
    sigprocmask(SIG_UNBLOCK, &one, &mask); /* stops here */
    sigprocmask(SIG_SETMASK, &mask, NULL);
    sigaction(number, &before, NULL);
}

/* Follows what the command does. Returns false when it has ended. */
static bool follow(struct child *child, bool *stopped) {
    int number = 0;
    for (;;) {
        switch (child_look(child, &number)) {
        case CHILD_ENDED:
            return false;
        case CHILD_SAME:
            return true;
        case CHILD_RUNS:
            *stopped = false;
            break;
        case CHILD_STOPPED:
            *stopped = true;
            stop_too(number);
            break;
        }
    }
}

void relay_wait(struct relay *relay, struct child *child) {
    bool stopped = false;
    while (follow(child, &stopped)) {
        int number = sigwaitinfo(&relay->signals, NULL);
        if (number <= 0 || number == SIGCHLD)
            continue;
        bool group = was_for_group(relay, number);
        if (!follow(child, &stopped))
            return;
        if (!group || (number == SIGCONT && stopped))
            child_signal(child, number);
    }
}

void relay_end(struct relay *relay) {
    const struct timespec now = {0};
    close(relay->line);
    kill(relay->witness, SIGKILL); /* it may be stopped */
    while (waitpid(relay->witness, NULL, 0) < 0 && errno == EINTR)
        ;
    while (sigtimedwait(&relay->signals, NULL, &now) > 0)
        ; /* signals for the command that came when it had ended */
    sigprocmask(SIG_SETMASK, &relay->before, NULL);
}

_Noreturn void relay_die(int number) {
    const struct sigaction standard = {.sa_handler = SIG_DFL};
    const struct rlimit none = {0};
    sigset_t only;
    setrlimit(RLIMIT_CORE, &none);
    sigaction(number, &standard, NULL);
    sigemptyset(&only);
    sigaddset(&only, number);
    sigprocmask(SIG_UNBLOCK, &only, NULL);
    kill(getpid(), number);
    _exit(128 + number);
}

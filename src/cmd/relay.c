#include "cmd/relay.h"

#include "base/base.h"

#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/compat.h"

/* A signal for several processes that do not form a group (all of a service) reaches them within a few milliseconds. */
enum { GROUP_MS = 50, ASK_MS = 5 };

enum { FORGET = 0 }; /* instead of a signal: the witness forgets all signals that have arrived */

static const int passed_on[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGCONT, SIGTSTP, SIGWINCH};

/* ---- The witness */

struct question {
    unsigned id;
    int number; /* number of the signal, or FORGET */
};

struct answer {
    unsigned id; /* that of the question */
    int arrived;
};

/* Takes the signal, or all signals, if any have arrived. */
static bool take_signal(int number) {
    sigset_t wanted;
    bool any = false;
    sigfillset(&wanted);
    if (number != FORGET) {
        sigemptyset(&wanted);
        sigaddset(&wanted, number);
    }
    while (compat_take_signal(&wanted) > 0)
        any = true;
    return any;
}

/* Answers whether a signal has arrived since the last question about it. Runs between fork() and _exit(), so it only
 * calls functions that are safe in signal handlers. */
static _Noreturn void be_witness(int line) {
    struct question question;
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    dup2(line, STDIN_FILENO);
    compat_close_from(STDIN_FILENO + 1); /* a pipe of the command must end when the command ends */
    for (;;) {
        ssize_t n = read(STDIN_FILENO, &question, sizeof question);
        if (n < 0 && errno == EINTR)
            continue;
        if (n != sizeof question)
            _exit(0);
        const struct answer answer = {question.id, take_signal(question.number)};
        if (send(STDIN_FILENO, &answer, sizeof answer, MSG_NOSIGNAL) != sizeof answer)
            _exit(0);
    }
}

static bool is_stopped(pid_t pid) {
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)pid, &info, WSTOPPED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid;
}

/* Whether the witness received the signal. A stopped witness cannot answer, and on a busy machine, an answer may take
 * long. */
static bool ask_witness(struct relay *relay, int number) {
    const struct question question = {++relay->asked, number};
    struct answer answer = {0};
    if (send(relay->line, &question, sizeof question, MSG_NOSIGNAL) != sizeof question)
        return false;
    while (answer.id != question.id) { /* answers to older questions may come first */
        struct pollfd polls = {.fd = relay->line, .events = POLLIN};
        if (poll(&polls, 1, ASK_MS) > 0) {
            if (recv(relay->line, &answer, sizeof answer, MSG_DONTWAIT) != sizeof answer)
                return false;
        } else if (is_stopped(relay->witness)) {
            return false;
        }
    }
    return answer.arrived;
}

static bool start_witness(struct relay *relay) {
    int line[2];
    if (compat_socket_pair(line) != 0)
        return false;
    relay->witness = fork();
    if (relay->witness == 0) {
        close(line[0]);
        be_witness(line[1]);
    }
    close(line[1]);
    relay->line = line[0];
    if (relay->witness < 0) {
        close(line[0]);
        return false;
    }
    ask_witness(relay, FORGET); /* from here on, it holds none of our files open, neither pipes nor locks */
    return true;
}

static bool was_for_group(struct relay *relay, int number) {
    int64_t limit = child_clock_ms() + GROUP_MS;
    while (is_stopped(relay->witness) || !ask_witness(relay, number)) {
        const struct timespec pause = {.tv_nsec = ASK_MS * 1000000L};
        if (child_clock_ms() >= limit)
            return false;
        nanosleep(&pause, NULL);
    }
    return true;
}

/* Call it after SIGCONT for this process alone: a witness that was stopped with the group must answer again. Signals
 * that reached it meanwhile also reached the command. */
static void wake_witness(struct relay *relay) {
    if (!is_stopped(relay->witness))
        return;
    kill(relay->witness, SIGCONT);
    ask_witness(relay, FORGET);
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

/* Stops this program in the same way as the command. The system ignores this if nobody could continue it. */
static void stop_too(int number) {
    const struct sigaction standard = {.sa_handler = SIG_DFL};
    struct sigaction before;
    sigset_t one, mask;
    if (number != SIGTSTP && number != SIGTTIN && number != SIGTTOU)
        return; /* SIGSTOP was meant for the command alone: a debugger, or a test */
    sigemptyset(&one);
    sigaddset(&one, number);
    sigaction(number, &standard, &before);
    raise(number);
    sigprocmask(SIG_UNBLOCK, &one, &mask); /* stops here */
    sigprocmask(SIG_SETMASK, &mask, NULL);
    sigaction(number, &before, NULL);
}

/* Follows the state of the command. Returns false when it has ended. */
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
        pid_t sender;
        int number = compat_wait_signal(&relay->signals, &sender);
        if (number <= 0 || number == SIGCHLD)
            continue;
        bool group = was_for_group(relay, number);
        if (number == SIGCONT && !group)
            wake_witness(relay);
        if (!follow(child, &stopped))
            return;
        if (!group || (number == SIGCONT && stopped))
            child_signal(child, number);
    }
}

void relay_end(struct relay *relay) {
    close(relay->line);
    kill(relay->witness, SIGKILL); /* it may be stopped */
    while (waitpid(relay->witness, NULL, 0) < 0 && errno == EINTR)
        ;
    while (compat_take_signal(&relay->signals) > 0)
        ; /* signals for the command that arrived after it ended */
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

#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/compat.h"
#include "base/mem.h"

enum { READ_BYTES = 1 << 16, LOOK_MS = 20, STATUS_LOST = 255 };

int64_t child_clock_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- Start */

static bool is_changed(const char *variable, const char *const *changes) {
    size_t len = strcspn(variable, "=");
    for (size_t i = 0; changes && changes[i]; i++)
        if (strcspn(changes[i], "=") == len && strncmp(changes[i], variable, len) == 0)
            return true;
    return false;
}

/* The caller frees the list, but not its strings. */
static char **environment(const char *const *changes) {
    size_t most = 1, count = 0;
    for (size_t i = 0; environ && environ[i]; i++)
        most++;
    for (size_t i = 0; changes && changes[i]; i++)
        most++;
    char **list = mem_alloc(most * sizeof *list);
    for (size_t i = 0; environ && environ[i]; i++)
        if (!is_changed(environ[i], changes))
            list[count++] = environ[i];
    for (size_t i = 0; changes && changes[i]; i++)
        if (strchr(changes[i], '='))
            list[count++] = (char *)(uintptr_t)changes[i]; /* posix_spawn() does not change them */
    list[count] = NULL;
    return list;
}

static void close_end(int *fd) {
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* Sets the program's descriptor `target`. */
static void add_stream(posix_spawn_file_actions_t *files, enum child_stream stream, int pipe_end, int target) {
    if (stream == CHILD_NULL)
        posix_spawn_file_actions_addopen(files, target, "/dev/null", target == STDIN_FILENO ? O_RDONLY : O_WRONLY, 0);
    else if (stream == CHILD_PIPE)
        posix_spawn_file_actions_adddup2(files, pipe_end, target);
}

static int spawn(struct child *child, const struct child_request *request, const int ends[3]) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t blocked, standard;
    short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    sigemptyset(&blocked);
    if (request->mask)
        blocked = *request->mask;
    sigemptyset(&standard);
    sigaddset(&standard, SIGPIPE);
    sigaddset(&standard, SIGXFSZ);
    posix_spawn_file_actions_init(&files);
    add_stream(&files, request->in, ends[0], STDIN_FILENO);
    add_stream(&files, request->out, ends[1], STDOUT_FILENO);
    add_stream(&files, request->errs, ends[2], STDERR_FILENO);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &standard);
    if (request->group) {
        /* A stop signal for the group of this program can reach the new process before it leaves that group. The
         * process would stop before exec, while posix_spawn() waits for the exec, and nobody would continue it. */
        sigaddset(&blocked, SIGTSTP);
        sigaddset(&blocked, SIGTTIN);
        sigaddset(&blocked, SIGTTOU);
        flags |= POSIX_SPAWN_SETPGROUP;
        posix_spawnattr_setpgroup(&attributes, 0);
    }
    posix_spawnattr_setsigmask(&attributes, &blocked);
    posix_spawnattr_setflags(&attributes, flags);
    char **variables = environment(request->env);
    int failed = posix_spawnp(&child->pid, request->argv[0], &files, &attributes,
                              (char *const *)(uintptr_t)request->argv, variables);
    mem_free(variables);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return failed;
}

/* Creates the pipes; ours[i] is this program's end, theirs[i] that of the other. i is 0 for input, 1 for output and 2
 * for errors. The descriptors are above 2: a pipe's end must not take the number of a closed standard stream, which
 * dup2() would overwrite. */
static bool open_pipes(const struct child_request *request, int ours[3], int theirs[3]) {
    const enum child_stream streams[] = {request->in, request->out, request->errs};
    for (int i = 0; i < 3; i++) {
        int ends[2];
        if (streams[i] != CHILD_PIPE)
            continue;
        if (compat_pipe(ends) != 0)
            return false;
        ours[i] = fcntl(ends[!i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        theirs[i] = fcntl(ends[i > 0], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        close(ends[0]);
        close(ends[1]);
        if (ours[i] < 0 || theirs[i] < 0 || fcntl(ours[i], F_SETFL, O_NONBLOCK) != 0)
            return false;
    }
    return true;
}

/* A parent may have started this program with SIGCHLD ignored. The system would then discard the status. */
static void keep_statuses(void) {
    const struct sigaction standard = {.sa_handler = SIG_DFL};
    struct sigaction now;
    if (sigaction(SIGCHLD, NULL, &now) == 0 && now.sa_handler == SIG_IGN)
        sigaction(SIGCHLD, &standard, NULL);
}

bool child_start(struct child *child, const struct child_request *request, struct err *err) {
    int ours[3] = {-1, -1, -1}, theirs[3] = {-1, -1, -1};
    int failed = open_pipes(request, ours, theirs) ? 0 : errno;
    *child = (struct child){.in = -1,
                            .out = -1,
                            .errs = -1,
                            .watch = -1,
                            .group = request->group,
                            .out_max = request->out_max,
                            .silence_ms = request->silence_ms};
    keep_statuses();
    if (!failed)
        failed = spawn(child, request, theirs);
    for (int i = 0; i < 3; i++)
        close_end(&theirs[i]);
    if (failed) {
        for (int i = 0; i < 3; i++)
            close_end(&ours[i]);
        errno = failed;
        err_errno(err, "cannot run %s", request->argv[0]);
        errno = failed;
        return false;
    }
    child->in = ours[0];
    child->out = ours[1];
    child->errs = ours[2];
    child->heard_ms = child_clock_ms();
    child->watch = compat_open_process(child->pid);
    child->deadline_ms = request->limit_ms > 0 ? child_clock_ms() + request->limit_ms : 0;
    return true;
}

/* ---- Signals and the end */

void child_signal(const struct child *child, int number) {
    if (!child->ended)
        kill(child->group ? -child->pid : child->pid, number);
}

enum child_state child_look(struct child *child, int *number) {
    siginfo_t info = {0};
    if (child->ended)
        return CHILD_ENDED;
    int failed;
    do
        failed = waitid(P_PID, (id_t)child->pid, &info, WEXITED | WSTOPPED | WCONTINUED | WNOHANG);
    while (failed && errno == EINTR);
    if (failed) { /* someone else has waited for it, so how it ended is lost */
        child->ended = true;
        child->end.number = STATUS_LOST;
        return CHILD_ENDED;
    }
    if (info.si_pid == 0)
        return CHILD_SAME;
    *number = info.si_status;
    switch (info.si_code) {
    case CLD_STOPPED:
    case CLD_TRAPPED:
        return CHILD_STOPPED;
    case CLD_CONTINUED:
        return CHILD_RUNS;
    default:
        child->ended = true;
        child->end.signaled = info.si_code != CLD_EXITED;
        child->end.number = info.si_status;
        return CHILD_ENDED;
    }
}

/* Collects the status if the program has ended. */
static bool has_ended(struct child *child) {
    int ignored;
    enum child_state state = child_look(child, &ignored);
    while (state == CHILD_STOPPED || state == CHILD_RUNS)
        state = child_look(child, &ignored);
    return state == CHILD_ENDED;
}

static void cut(struct child *child, enum child_cut why) {
    if (child->end.cut == CHILD_WHOLE && !child->ended)
        child->end.cut = why;
    child_signal(child, SIGKILL);
    close_end(&child->in);
    close_end(&child->out);
}

/* ---- Pipes */

/* Writes what fits. A program may end, or close its input, before it has read everything. */
static void write_some(struct child *child, struct slice *input) {
    ssize_t n = write(child->in, input->ptr, input->len);
    if (n > 0)
        *input = slice_from(*input, (size_t)n);
    else if (n < 0 && errno != EAGAIN && errno != EINTR)
        close_end(&child->in);
}

/* Reads available standard error, and keeps the tail. Returns false when read_some() does. */
static bool hear_some(struct child *child) {
    struct buf *said = &child->said;
    ssize_t n = read(child->errs, buf_reserve(said, READ_BYTES), READ_BYTES);
    if (n <= 0) {
        if (n == 0 || (errno != EAGAIN && errno != EINTR))
            close_end(&child->errs);
        return n < 0 && errno == EINTR;
    }
    said->len += (size_t)n;
    if (said->len > CHILD_SAID_BYTES) {
        memmove(said->ptr, said->ptr + said->len - CHILD_SAID_BYTES, CHILD_SAID_BYTES);
        said->len = CHILD_SAID_BYTES;
    }
    return true;
}

/* Reads available output. Returns false at the end, or if nothing is available now. */
static bool read_some(struct child *child, struct buf *out) {
    ssize_t n = read(child->out, buf_reserve(out, READ_BYTES), READ_BYTES);
    if (n <= 0) {
        if (n == 0 || (errno != EAGAIN && errno != EINTR))
            close_end(&child->out);
        return n < 0 && errno == EINTR;
    }
    out->len += (size_t)n;
    child->heard_ms = child_clock_ms();
    if (!child->out_max || out->len <= child->out_max)
        return true;
    out->len = child->out_max;
    cut(child, CHILD_BIG);
    return false;
}

/* When the program will be killed unless it does something first. 0: never. */
static int64_t due_ms(const struct child *child) {
    int64_t quiet = child->silence_ms ? child->heard_ms + child->silence_ms : 0;
    return !quiet || (child->deadline_ms && child->deadline_ms < quiet) ? child->deadline_ms : quiet;
}

static int time_left(const struct child *child) {
    int64_t most = child->watch < 0 ? LOOK_MS : -1, due = due_ms(child);
    if (!due)
        return (int)most;
    int64_t left = due - child_clock_ms();
    left = left < 0 ? 0 : left > INT32_MAX ? INT32_MAX : left;
    return (int)(most >= 0 && most < left ? most : left);
}

enum { POLLS = 4 };

/* Whether the program has exceeded its time. It has not if it ended or printed something in time and this program,
 * which may have been stopped or starved, only notices now. */
static bool is_overdue(struct child *child, const struct pollfd polls[POLLS]) {
    int64_t due = due_ms(child);
    if (!due || child_clock_ms() < due || (due != child->deadline_ms && polls[1].revents))
        return false;
    return !has_ended(child);
}

/* Waits for a pipe, for the end of the program, or for its deadline. Returns false after the deadline. */
static bool wait_for(struct child *child, struct pollfd polls[POLLS]) {
    polls[0] = (struct pollfd){.fd = child->in, .events = POLLOUT};
    polls[1] = (struct pollfd){.fd = child->out, .events = POLLIN};
    polls[2] = (struct pollfd){.fd = child->errs, .events = POLLIN};
    polls[3] = (struct pollfd){.fd = child->watch, .events = POLLIN};
    if (poll(polls, POLLS, time_left(child)) < 0) { /* EINTR */
        polls[0].revents = polls[1].revents = polls[2].revents = 0;
        return true;
    }
    if (polls[2].revents && child->errs >= 0)
        hear_some(child);
    if (!is_overdue(child, polls))
        return true;
    cut(child, due_ms(child) == child->deadline_ms ? CHILD_LATE : CHILD_QUIET);
    return false;
}

bool child_write(struct child *child, struct slice input, struct buf *out) {
    while (input.len && child->in >= 0) {
        struct pollfd polls[POLLS];
        if (!wait_for(child, polls))
            return false;
        if (polls[1].revents && child->out >= 0)
            read_some(child, out);
        if (polls[0].revents && child->in >= 0)
            write_some(child, &input);
        if (has_ended(child))
            close_end(&child->in); /* processes that it started may hold the pipe and never read */
    }
    return input.len == 0;
}

/* Reads available output. Returns 0 if nothing is available now, and closes the pipe at its end. */
static size_t take(struct child *child, char *to, size_t bytes) {
    ssize_t n = read(child->out, to, bytes);
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
        close_end(&child->out);
    return n > 0 ? (size_t)n : 0;
}

size_t child_read(struct child *child, char *to, size_t bytes) {
    size_t got = 0;
    child->heard_ms = child_clock_ms(); /* time that the caller spent before does not count as silence */
    while (!got && child->out >= 0) {
        struct pollfd polls[POLLS];
        bool ended = has_ended(child);
        got = take(child, to, bytes);
        if (got || child->out < 0)
            break;
        if (ended)
            close_end(&child->out); /* output that other processes write to the pipe later does not count */
        else if (!wait_for(child, polls))
            break;
    }
    return got;
}

bool child_finish(struct child *child, struct buf *out, struct child_end *end) {
    close_end(&child->in);
    while (!has_ended(child)) {
        struct pollfd polls[POLLS];
        if (child->end.cut != CHILD_WHOLE)
            child->deadline_ms = child->silence_ms = 0; /* it was killed */
        if (wait_for(child, polls) && polls[1].revents && child->out >= 0)
            read_some(child, out);
    }
    while (child->out >= 0 && read_some(child, out))
        ;
    while (child->errs >= 0 && hear_some(child))
        ;
    close_end(&child->out);
    close_end(&child->errs);
    close_end(&child->watch);
    *end = child->end;
    return !end->signaled && end->number == 0 && end->cut == CHILD_WHOLE;
}

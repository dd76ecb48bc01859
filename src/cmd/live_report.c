#include "cmd/live_report.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/compat.h"
#include "base/dir.h"
#include "base/fd.h"
#include "cmd/messages.h"
#include "cmd/options.h"
#include "cmd/parse_command.h"

enum { NICE = 5, SAID_BYTES = 4096 };

bool live_report_init(struct live_report *live, const struct options *options, struct err *err) {
    const char *base = getenv("TMPDIR");
    *live = (struct live_report){.options = options, .said = -1};
    live->above = mem_printf("%s/tlparse-follow-XXXXXX", base && base[0] ? base : "/tmp");
    if (!mkdtemp(live->above)) {
        err_errno(err, "cannot create the folder %s", live->above);
        mem_free(live->above);
        live->above = NULL;
        return false;
    }
    live->folder = mem_printf("%s/report", live->above);
    return true;
}

/* ---- the process ------------------------------------------------------------------------------------------------ */

/* Sets what the caller of a program would set: this process is a new program in all but its code. */
static void become_plain(int said, pid_t parent) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    const struct sigaction standard = {.sa_handler = SIG_DFL};
    sigset_t none;
    setpgid(0, 0); /* Ctrl-C is for the parent, which ends this process */
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaction(numbers[i], &standard, NULL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    compat_die_with_parent(SIGTERM);
    if (getppid() != parent)
        _exit(1);
    dup2(said, STDERR_FILENO);
    int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    compat_close_from(STDERR_FILENO + 1); /* above all, sockets of clients */
    if (nice(NICE) == -1)
        errno = 0; /* if that fails, the process keeps its priority */
}

static _Noreturn void make_report(const struct live_report *live, pid_t parent) {
    struct options options = *live->options;
    struct err err = {0};
    become_plain(live->said, parent);
    options.out = live->folder;
    options.overwrite = options.no_browser = true;
    options.serve = false;
    options.live = live->begun;
    bool ok = parse_run(&options, &err);
    if (!ok)
        messages_print(stderr, err.text);
    _exit(ok ? 0 : 1); /* not exit(): buffers and handlers are the parent's */
}

/* A file without a name, for the messages of the process. */
static int open_messages(const struct live_report *live) {
    char *path = mem_printf("%s/messages", live->above);
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd >= 0)
        unlink(path);
    mem_free(path);
    return fd;
}

static bool begin(struct live_report *live, const struct live_state *state, struct err *err) {
    pid_t parent = getpid();
    live->said = open_messages(live);
    live->begun = live->made + 1;
    live->bytes = state->bytes;
    live->began_ms = state->now_ms;
    live->child = live->said < 0 ? -1 : fork();
    if (live->child == 0)
        make_report(live, parent);
    if (live->child > 0)
        return true;
    live->child = 0;
    return err_errno(err, "cannot start making a report");
}

/* Prints the last line that begins with "tlparse: ". */
static void print_reason(const struct live_report *live) {
    char text[SAID_BYTES + 1];
    off_t size = lseek(live->said, 0, SEEK_END);
    ssize_t len = fd_read_at(live->said, text, SAID_BYTES, size > SAID_BYTES ? (uint64_t)size - SAID_BYTES : 0);
    const char *last = NULL, *said;
    text[len > 0 ? len : 0] = '\0';
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        last = (said = str_after(line, "tlparse: ")) ? said : last;
    char *whole = mem_printf("the report could not be made: %s", last ? last : "its process ended early");
    messages_print(stderr, whole);
    mem_free(whole);
}

static void end(struct live_report *live, int status, const struct rusage *use, int64_t now_ms, bool *news) {
    bool ok = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    live->cpu_ms =
        (use->ru_utime.tv_sec + use->ru_stime.tv_sec) * 1000 + (use->ru_utime.tv_usec + use->ru_stime.tv_usec) / 1000;
    live->took_ms = now_ms - live->began_ms;
    live->made_bytes = live->bytes;
    live->child = 0;
    if (!ok && !live->failed)
        print_reason(live);
    live->failed = !ok;
    if (ok)
        live->made = live->begun;
    *news = ok;
    close(live->said);
    live->said = -1;
}

/* ---- when ------------------------------------------------------------------------------------------------------- */

static bool is_due(const struct live_report *live, const struct live_state *state) {
    bool affordable = state->now_ms - live->began_ms >= LIVE_SHARE * live->cpu_ms;
    bool quiet = state->quiet_ms >= LIVE_QUIET_MS && state->quiet_ms >= live->took_ms;
    return state->bytes > live->made_bytes && (!live->began_ms || affordable || quiet);
}

bool live_report_tick(struct live_report *live, const struct live_state *state, bool *news, struct err *err) {
    struct rusage use;
    int status;
    *news = false;
    if (live->child && compat_wait(live->child, &status, WNOHANG, &use) == live->child)
        end(live, status, &use, state->now_ms, news);
    return live->child || !is_due(live, state) || begin(live, state, err);
}

void live_report_finish(struct live_report *live) {
    int status;
    if (live->child) { /* the process removes its staging folder */
        kill(live->child, SIGTERM);
        while (waitpid(live->child, &status, 0) < 0 && errno == EINTR)
            ;
    }
    if (live->said >= 0)
        close(live->said);
    if (live->above)
        dir_remove(AT_FDCWD, live->above);
    mem_free(live->above);
    mem_free(live->folder);
    *live = (struct live_report){.said = -1};
}

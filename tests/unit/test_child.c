/* base/child: programs that are started, written to, read from, limited and signaled. */
#define _GNU_SOURCE
#include "support.h"

#include <errno.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child.h"

#define SHELL(script) ((const char *const[]){"sh", "-c", script, NULL})

static struct child_end run(struct child_request request, struct slice input, struct buf *out) {
    struct child child;
    struct child_end end;
    struct err err = {0};
    if (!child_start(&child, &request, &err))
        fail_msg("%s", err.text);
    child_write(&child, input, out);
    bool good = child_finish(&child, out, &end);
    assert_int_equal(good, !end.signaled && end.number == 0 && end.cut == CHILD_WHOLE);
    return end;
}

static void test_status(void **state) {
    (void)state;
    struct child_end end = run((struct child_request){.argv = SHELL("exit 7")}, SLICE(""), NULL);
    assert_false(end.signaled);
    assert_int_equal(end.number, 7);
    end = run((struct child_request){.argv = SHELL("kill -9 $$")}, SLICE(""), NULL);
    assert_true(end.signaled);
    assert_int_equal(end.number, SIGKILL);
    assert_int_equal(end.cut, CHILD_WHOLE);
}

static void test_status_if_the_parent_ignores_sigchld(void **state) {
    (void)state;
    signal(SIGCHLD, SIG_IGN);
    assert_int_equal(run((struct child_request){.argv = SHELL("exit 7")}, SLICE(""), NULL).number, 7);
}

static void test_arguments_are_no_shell_text(void **state) {
    (void)state;
    struct buf out = {0};
    run((struct child_request){.argv = (const char *const[]){"printf", "%s|", "a b", "$(id)", "", NULL},
                               .out = CHILD_PIPE},
        SLICE(""), &out);
    assert_slice(buf_slice(&out), "a b|$(id)||");
    buf_free(&out);
}

static void test_missing_programs(void **state) {
    (void)state;
    struct child child;
    struct err err = {0};
    struct child_request request = {.argv = (const char *const[]){"no-such-program-here", NULL}, .in = CHILD_PIPE};
    assert_false(child_start(&child, &request, &err));
    assert_int_equal(errno, ENOENT);
    assert_string_equal(err.text, "cannot run no-such-program-here: No such file or directory");
    request.argv = (const char *const[]){"/etc", NULL};
    assert_false(child_start(&child, &request, &err));
    assert_int_equal(errno, EACCES);
}

/* More than a pipe holds, in both directions at once. */
static void test_pipes_do_not_block_each_other(void **state) {
    (void)state;
    struct buf input = {0}, out = {0};
    for (int i = 0; i < 200000; i++)
        buf_addf(&input, "line %d\n", i);
    run((struct child_request){.argv = SHELL("cat"), .in = CHILD_PIPE, .out = CHILD_PIPE}, buf_slice(&input), &out);
    assert_slices(buf_slice(&out), buf_slice(&input));
    out.len = 0;
    struct child_end end =
        run((struct child_request){.argv = SHELL("exec <&-; echo done"), .in = CHILD_PIPE, .out = CHILD_PIPE},
            buf_slice(&input), &out);
    assert_slice(buf_slice(&out), "done\n");
    assert_int_equal(end.number, 0);
    buf_free(&input);
    buf_free(&out);
}

static void test_answers_arrive_between_questions(void **state) {
    (void)state;
    struct child child;
    struct child_end end;
    struct buf out = {0};
    struct err err = {0};
    const struct child_request request = {.argv = SHELL("read a; echo $a; read b; echo $b"),
                                          .in = CHILD_PIPE,
                                          .out = CHILD_PIPE};
    assert_true(child_start(&child, &request, &err));
    assert_true(child_write(&child, SLICE("one\n"), &out));
    assert_true(child_write(&child, SLICE("two\n"), &out));
    assert_true(child_finish(&child, &out, &end));
    assert_slice(buf_slice(&out), "one\ntwo\n");
    buf_free(&out);
}

/* The limit ends the program and what it has started, also if that keeps the pipe open and ignores SIGTERM. It begins when
 * the program has, which takes time on a busy machine. */
static void test_limit(void **state) {
    (void)state;
    char begun[10];
    struct child child;
    struct child_end end;
    struct err err = {0};
    struct buf out = {0};
    const struct child_request request = {.argv = SHELL("trap '' TERM; sleep 1000 & echo begun; sleep 1000 & wait"),
                                          .out = CHILD_PIPE,
                                          .group = true};
    assert_true(child_start(&child, &request, &err));
    assert_slice(slice_make(begun, child_read(&child, begun, sizeof begun)), "begun\n");
    int64_t deadline_ms = child_clock_ms() + 100;
    child.deadline_ms = deadline_ms;
    assert_false(child_finish(&child, &out, &end));
    assert_true(child_clock_ms() >= deadline_ms);
    assert_int_equal(end.cut, CHILD_LATE);
    assert_int_equal(out.len, 0);
    buf_free(&out);
}

static void test_limit_while_writing(void **state) {
    (void)state;
    struct buf input = {0}, out = {0};
    int64_t begin = child_clock_ms();
    for (int i = 0; i < 100000; i++)
        buf_add_lit(&input, "more than a pipe holds\n");
    struct child_end end = run((struct child_request){.argv = SHELL("exec sleep 1000"),
                                                      .in = CHILD_PIPE,
                                                      .out = CHILD_PIPE,
                                                      .limit_ms = 200,
                                                      .group = true},
                               buf_slice(&input), &out);
    assert_int_equal(end.cut, CHILD_LATE);
    assert_true(child_clock_ms() - begin >= 200);
    buf_free(&input);
    buf_free(&out);
}

/* Starts a program, and looks only when it has ended and its limit is over. */
static void start_late(struct child *child, const struct child_request *request) {
    struct err err = {0};
    siginfo_t info;
    int64_t begin = child_clock_ms();
    assert_true(child_start(child, request, &err));
    assert_int_equal(waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOWAIT), 0);
    while (child_clock_ms() - begin <= request->limit_ms)
        usleep(1000);
}

/* As on a busy machine, where this program may be starved. */
static void test_a_program_that_ended_in_time_is_not_late(void **state) {
    (void)state;
    struct child child;
    struct child_end end;
    struct buf out = {0};
    struct child_request request = {.argv = SHELL("echo done"), .in = CHILD_PIPE, .out = CHILD_PIPE, .limit_ms = 1};
    start_late(&child, &request);
    child_write(&child, SLICE("more"), &out);
    child_finish(&child, &out, &end);
    assert_int_equal(end.cut, CHILD_WHOLE);
    assert_int_equal(end.number, 0);
    assert_slice(buf_slice(&out), "done\n");
    buf_free(&out);
}

static void test_output_that_came_in_time_ends_a_silence(void **state) {
    (void)state;
    struct child child;
    struct child_end end;
    struct err err = {0};
    struct buf out = {0};
    const struct child_request request = {.argv = SHELL("echo a; exec sleep 1000"),
                                          .out = CHILD_PIPE,
                                          .silence_ms = 20};
    assert_true(child_start(&child, &request, &err));
    struct pollfd output = {.fd = child.out, .events = POLLIN};
    assert_int_equal(poll(&output, 1, -1), 1);
    while (child_clock_ms() - child.heard_ms <= request.silence_ms)
        usleep(1000);
    assert_false(child_finish(&child, &out, &end));
    assert_int_equal(end.cut, CHILD_QUIET); /* afterwards */
    assert_slice(buf_slice(&out), "a\n");
    buf_free(&out);
}

/* What it has started holds the pipe, and reads nothing. */
static void test_does_not_write_to_a_program_that_ended(void **state) {
    (void)state;
    struct buf input = {0}, out = {0};
    for (int i = 0; i < 100000; i++)
        buf_add_lit(&input, "more than a pipe holds\n");
    struct child_end end = run((struct child_request){.argv = SHELL("exec 3<&0; sleep 1000 <&3 >&- & echo $!"),
                                                      .in = CHILD_PIPE,
                                                      .out = CHILD_PIPE},
                               buf_slice(&input), &out);
    assert_int_equal(end.number, 0);
    buf_add_byte(&out, '\0');
    assert_int_equal(kill((pid_t)strtol(out.ptr, NULL, 10), SIGKILL), 0);
    buf_free(&input);
    buf_free(&out);
}

static void test_output_is_bounded(void **state) {
    (void)state;
    struct buf out = {0};
    struct child_end end = run((struct child_request){.argv = SHELL("while :; do echo y; done"),
                                                      .out = CHILD_PIPE,
                                                      .out_max = 100000,
                                                      .group = true},
                               SLICE(""), &out);
    assert_int_equal(end.cut, CHILD_BIG);
    assert_int_equal(out.len, 100000);
    buf_free(&out);
}

static void test_does_not_wait_for_what_runs_on(void **state) {
    (void)state;
    struct buf out = {0};
    struct child_end end =
        run((struct child_request){.argv = SHELL("sleep 1000 & echo $!"), .out = CHILD_PIPE}, SLICE(""), &out);
    assert_int_equal(end.number, 0);
    buf_add_byte(&out, '\0');
    assert_int_equal(kill((pid_t)strtol(out.ptr, NULL, 10), SIGKILL), 0); /* it does run on */
    buf_free(&out);
}

static void test_environment(void **state) {
    (void)state;
    struct buf out = {0};
    setenv("CHILD_A", "old", 1);
    setenv("CHILD_B", "kept", 1);
    setenv("CHILD_C", "gone", 1);
    run((struct child_request){.argv = SHELL("echo $CHILD_A $CHILD_B ${CHILD_C-none} $CHILD_D"),
                               .env = (const char *const[]){"CHILD_A=new", "CHILD_C", "CHILD_D=more", NULL},
                               .out = CHILD_PIPE},
        SLICE(""), &out);
    assert_slice(buf_slice(&out), "new kept none more\n");
    buf_free(&out);
}

/* Blocked and ignored signals of this program are not the child's, except for the mask that it is given. */
static void test_signals_are_fresh(void **state) {
    (void)state;
    struct buf out = {0};
    sigset_t usr1;
    sigemptyset(&usr1);
    sigaddset(&usr1, SIGUSR1);
    sigprocmask(SIG_BLOCK, &usr1, NULL);
    struct child_end end =
        run((struct child_request){.argv = SHELL("kill -USR1 $$; echo alive"), .out = CHILD_PIPE}, SLICE(""), &out);
    assert_true(end.signaled && end.number == SIGUSR1);
    end = run((struct child_request){.argv = SHELL("kill -USR1 $$; echo alive"), .out = CHILD_PIPE, .mask = &usr1},
              SLICE(""), &out);
    assert_int_equal(end.number, 0);
    assert_slice(buf_slice(&out), "alive\n");
    end = run((struct child_request){.argv = SHELL("kill -PIPE $$; echo alive")}, SLICE(""), NULL);
    assert_true(end.signaled && end.number == SIGPIPE);
    sigprocmask(SIG_UNBLOCK, &usr1, NULL);
    buf_free(&out);
}

static enum child_state look_until(struct child *child, enum child_state wanted, int *number) {
    enum child_state state;
    do
        state = child_look(child, number);
    while (state != wanted && state != CHILD_ENDED);
    return state;
}

static void test_states(void **state) {
    (void)state;
    struct child child;
    struct child_end end;
    struct err err = {0};
    int number = 0;
    const struct child_request request = {.argv = SHELL("kill -STOP $$; exit 3"), .group = true};
    assert_true(child_start(&child, &request, &err));
    assert_int_equal(look_until(&child, CHILD_STOPPED, &number), CHILD_STOPPED);
    assert_int_equal(number, SIGSTOP);
    child_signal(&child, SIGCONT);
    assert_int_equal(look_until(&child, CHILD_ENDED, &number), CHILD_ENDED);
    assert_false(child_finish(&child, NULL, &end));
    assert_int_equal(end.number, 3);
}

static void test_null_streams(void **state) {
    (void)state;
    struct buf out = {0};
    run((struct child_request){.argv = SHELL("cat; echo lost >&2; echo end"),
                               .in = CHILD_NULL,
                               .out = CHILD_PIPE,
                               .errs = CHILD_NULL},
        SLICE(""), &out);
    assert_slice(buf_slice(&out), "end\n");
    buf_free(&out);
}

/* What it prints to standard error does not block it, and the end is kept. */
static void test_end_of_the_errors_is_kept(void **state) {
    (void)state;
    struct child child;
    struct child_end end;
    struct err err = {0};
    const struct child_request request = {.argv = SHELL("yes | head -c 300000 >&2; echo last >&2; echo out"),
                                          .out = CHILD_PIPE,
                                          .errs = CHILD_PIPE};
    struct buf out = {0};
    assert_true(child_start(&child, &request, &err));
    assert_true(child_finish(&child, &out, &end));
    assert_slice(buf_slice(&out), "out\n");
    assert_int_equal(child.said.len, CHILD_SAID_BYTES);
    assert_true(slice_ends(buf_slice(&child.said), SLICE("y\nlast\n")));
    buf_free(&child.said);
    buf_free(&out);
}

static size_t read_all(const struct child_request *request, struct child_end *end) {
    struct child child;
    struct err err = {0};
    struct buf rest = {0};
    char bytes[1000];
    size_t all = 0, got;
    assert_true(child_start(&child, request, &err));
    while ((got = child_read(&child, bytes, sizeof bytes)))
        all += got;
    child_finish(&child, &rest, end);
    assert_int_equal(rest.len, 0);
    buf_free(&rest);
    buf_free(&child.said);
    return all;
}

static void test_output_is_read_as_a_stream(void **state) {
    (void)state;
    struct child_end end;
    struct child_request request = {.argv = SHELL("yes | head -c 1234567; exit 3"), .out = CHILD_PIPE};
    assert_int_equal(read_all(&request, &end), 1234567);
    assert_int_equal(end.number, 3);
    request.argv = SHELL("echo a; sleep 60 2>/dev/null & exit 0"); /* others keep the pipe open */
    assert_int_equal(read_all(&request, &end), 2);
    assert_int_equal(end.number, 0);
}

static void test_silence_ends_a_program(void **state) {
    (void)state;
    char bytes[10];
    struct child child;
    struct child_end end;
    struct err err = {0};
    struct child_request request = {.argv = SHELL("echo a; exec sleep 1000"), .out = CHILD_PIPE};
    assert_true(child_start(&child, &request, &err));
    assert_int_equal(child_read(&child, bytes, sizeof bytes), 2);
    child.silence_ms = 100; /* the program has begun */
    assert_int_equal(child_read(&child, bytes, sizeof bytes), 0);
    child_finish(&child, NULL, &end);
    assert_int_equal(end.cut, CHILD_QUIET);
    request.argv = SHELL("exec >&-; exec sleep 1000"); /* also after the end of its output */
    request.silence_ms = 100;
    assert_int_equal(read_all(&request, &end), 0);
    assert_int_equal(end.cut, CHILD_QUIET);
}

/* Sends stop signals to its group until it is killed. */
static _Noreturn void stop_group(void) {
    for (;;) {
        kill(0, SIGTSTP);
        usleep(20);
    }
}

/* As a job of a shell: a process group whose leader has a parent in another group of the same session. Elsewhere, the
 * system ignores stop signals. */
static int start_programs_while_the_group_stops(void) {
    enum { PROGRAMS = 400 };
    sigset_t stops;
    sigemptyset(&stops);
    sigaddset(&stops, SIGTSTP);
    sigprocmask(SIG_BLOCK, &stops, NULL);
    setpgid(0, 0);
    pid_t sender = fork();
    if (sender == 0)
        stop_group();
    int good = 0;
    for (int i = 0; i < PROGRAMS; i++) {
        const struct child_request request = {.argv = (const char *const[]){"true", NULL}, .group = true};
        struct child child;
        struct child_end end;
        struct err err = {0};
        good += child_start(&child, &request, &err) && child_finish(&child, NULL, &end);
    }
    kill(sender, SIGKILL);
    waitpid(sender, NULL, 0);
    return good == PROGRAMS ? 0 : 1;
}

static void test_a_stop_of_our_group_stops_no_program_that_starts(void **state) {
    (void)state;
    enum { LIMIT_MS = 60000, LOOK_US = 5000 };
    int status = 0;
    pid_t ended = 0, job = fork();
    if (job == 0)
        _exit(start_programs_while_the_group_stops());
    for (int64_t start = child_clock_ms(); ended == 0 && child_clock_ms() - start < LIMIT_MS; usleep(LOOK_US))
        ended = waitpid(job, &status, WNOHANG);
    if (!ended) { /* within posix_spawn(), all other signals are blocked */
        kill(-job, SIGKILL);
        waitpid(job, NULL, 0);
    }
    assert_int_equal(ended, job);
    assert_int_equal(status, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_status),
        cmocka_unit_test(test_status_if_the_parent_ignores_sigchld),
        cmocka_unit_test(test_arguments_are_no_shell_text),
        cmocka_unit_test(test_missing_programs),
        cmocka_unit_test(test_pipes_do_not_block_each_other),
        cmocka_unit_test(test_answers_arrive_between_questions),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_limit_while_writing),
        cmocka_unit_test(test_a_program_that_ended_in_time_is_not_late),
        cmocka_unit_test(test_output_that_came_in_time_ends_a_silence),
        cmocka_unit_test(test_does_not_write_to_a_program_that_ended),
        cmocka_unit_test(test_output_is_bounded),
        cmocka_unit_test(test_does_not_wait_for_what_runs_on),
        cmocka_unit_test(test_environment),
        cmocka_unit_test(test_signals_are_fresh),
        cmocka_unit_test(test_a_stop_of_our_group_stops_no_program_that_starts),
        cmocka_unit_test(test_states),
        cmocka_unit_test(test_null_streams),
        cmocka_unit_test(test_end_of_the_errors_is_kept),
        cmocka_unit_test(test_output_is_read_as_a_stream),
        cmocka_unit_test(test_silence_ends_a_program),
    };
    signal(SIGPIPE, SIG_IGN); /* as main() does */
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "cmd/commands.h"

#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/compat.h"
#include "cmd/answer.h"
#include "cmd/follow_end.h"
#include "cmd/live.h"
#include "cmd/log_paths.h"
#include "cmd/messages.h"
#include "cmd/options.h"
#include "cmd/parse_command.h"
#include "follow/follower.h"
#include "follow/lines.h"
#include "trace/choose.h"

enum { SOON_MS = 50, SOON_AFTER_MS = 1000 };

struct follow {
    const struct options *options;
    const char *path;
    struct follower *follower;
    struct lines lines;
    struct term term;
    struct buf out;
    struct messages messages;
    bool announce; /* name logs that appear; those that exist at the start are not named */
};

/* ---- what is printed -------------------------------------------------------------------------------------------- */

static void print_notice(const struct follow_event *event) {
    AUTO_BUF text = {0};
    lines_add_notice(&text, event);
    buf_add_byte(&text, '\0');
    messages_print(stderr, text.ptr);
}

static void on_event(void *context, const struct follow_event *event) {
    struct follow *follow = context;
    if (event->kind < FOLLOW_COMPILE && (event->kind != FOLLOW_LOG || follow->announce))
        print_notice(event);
    if (follow->options->format == FORMAT_JSON)
        lines_add_json(&follow->out, event);
    else
        lines_add_text(&follow->lines, &follow->term, event);
}

static void on_fault(void *context, const char *path, const char *kind, uint64_t line, struct slice detail) {
    struct follow *follow = context;
    follow->messages.file = path;
    messages_fault(&follow->messages, kind, line, detail);
}

static bool flush(struct follow *follow, struct err *err) {
    bool ok = !follow->out.len || answer_print(buf_slice(&follow->out), err);
    follow->out.len = 0;
    return ok;
}

/* ---- the start -------------------------------------------------------------------------------------------------- */

/* Whether the path may appear later: its parent folder exists. */
static bool may_come(const char *path) {
    struct slice last = path_last(slice_str(path));
    size_t above = strlen(path) - last.len;
    char *folder = above ? mem_printf("%.*s", (int)above, path) : mem_strdup(".");
    bool there = access(folder, X_OK) == 0;
    mem_free(folder);
    return there;
}

static void say_waiting(const char *path) {
    AUTO_BUF text = {0};
    buf_addf(&text, "waiting for logs in %s", path);
    buf_add_byte(&text, '\0');
    messages_print(stderr, text.ptr);
}

/* Chooses the existing logs; *any is false if there are none yet. */
static bool choose(const struct options *options, const char *path, struct choice *choice, bool *any, struct err *err) {
    struct stat st;
    bool there = stat(path, &st) == 0;
    *any = false;
    if (!there && !(errno == ENOENT && may_come(path)))
        return err_errno(err, "cannot follow %s", path) ||
               err_hint(err, "name the folder of TORCH_TRACE, or a log in it");
    if (there && !S_ISDIR(st.st_mode) && !S_ISREG(st.st_mode))
        return err_set(err, ERR_INPUT, "cannot follow %s: it is neither a folder nor a file", path);
    struct err none = {0};
    *any = there && input_choose(options, choice, &none);
    if (!*any && none.code == ERR_USAGE) {
        *err = none;
        return false;
    }
    if (!*any)
        say_waiting(path);
    return true;
}

static bool find_path(const struct options *options, const char **path, struct err *err) {
    const char *fallback = getenv("TORCH_TRACE");
    if (options->paths.count > 1)
        return err_set(err, ERR_USAGE, "follow reads one folder or log, but %zu paths were given",
                       options->paths.count);
    if (!options->paths.count && !(fallback && fallback[0]))
        return err_set(err, ERR_USAGE, "no folder given") ||
               err_hint(err, "name the folder of TORCH_TRACE, or a log in it");
    *path = options->paths.count ? options->paths.items[0] : fallback;
    if (strcmp(*path, "-") == 0)
        return err_set(err, ERR_USAGE, "follow cannot read standard input");
    return true;
}

static bool start(struct follow *follow, const struct follow_listener *listener, struct err *err) {
    const struct options *options = follow->options;
    struct choice choice;
    bool any;
    if (!choose(options, follow->path, &choice, &any, err))
        return false;
    const struct follower_options how = {.path = follow->path,
                                         .choice = any ? &choice : NULL,
                                         .listener = listener,
                                         .has_only_rank = options->rank.given,
                                         .only_rank = options->rank.value,
                                         .slow_us = (int64_t)options->slow.value * 1000000,
                                         .poll = options->poll};
    follow->announce = !any;
    follow->follower = follower_create(&how);
    follow->announce = true;
    if (any)
        choice_finish(&choice);
    return true;
}

/* ---- following -------------------------------------------------------------------------------------------------- */

/* Whether --until-idle ends the command. */
static bool is_idle(const struct follow *follow) {
    return follow->options->until_idle.given &&
           follower_quiet_ms(follow->follower) >= (int64_t)follow->options->until_idle.value * 1000;
}

static int wait_ms(const struct follow *follow) {
    return follow->options->until_idle.given || follower_quiet_ms(follow->follower) < SOON_AFTER_MS ? SOON_MS
                                                                                                    : FOLLOWER_TICK_MS;
}

/* Blocks SIGINT and SIGTERM, unless they are ignored. */
static void block_signals(sigset_t *set, sigset_t *before) {
    static const int numbers[] = {SIGINT, SIGTERM};
    sigemptyset(set);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction now;
        if (sigaction(numbers[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
            sigaddset(set, numbers[i]);
    }
    sigprocmask(SIG_BLOCK, set, before);
}

/* Reads new records and prints their events. */
static bool step(void *context, bool *more, bool *end, struct err *err) {
    struct follow *follow = context;
    bool ok = follower_tick(follow->follower, more, err) && flush(follow, err);
    *end = ok && !*more && is_idle(follow);
    return ok;
}

static bool serve_logs(struct follow *follow, struct err *err) {
    const struct live_request request = {.options = follow->options,
                                         .path = follow->path,
                                         .follower = follow->follower,
                                         .context = follow,
                                         .step = step};
    return live_serve(&request, err);
}

/* Follows the logs until a signal arrives, or until they are idle. */
static bool follow_logs(struct follow *follow, const sigset_t *set, int signals, struct err *err) {
    struct pollfd wait[] = {{.fd = signals, .events = POLLIN}, {.fd = follower_fd(follow->follower), .events = POLLIN}};
    bool ok = true, more = true, ended = false;
    while (ok && !ended) {
        bool idle;
        ended = compat_take_signal(set) > 0;
        ok = step(follow, &more, &idle, err);
        ended |= idle;
        if (ok && !ended && !more)
            poll(wait, 2, wait_ms(follow));
    }
    return ok;
}

/* Signals are held back from the first message on, so Ctrl-C always ends with the totals. */
static bool follow_until_signal(struct follow *follow, const struct follow_listener *listener, struct err *err) {
    sigset_t set, before;
    block_signals(&set, &before);
    int signals = compat_signal_fd(&set); /* without it, a signal is noticed after the next wait_ms() */
    bool ok = start(follow, listener, err) && follow_logs(follow, &set, signals, err);
    if (signals >= 0)
        close(signals);
    sigprocmask(SIG_SETMASK, &before, NULL); /* a second Ctrl-C ends the program while the totals are being made */
    return ok;
}

/* Writes the report, if one is wanted, then the totals. */
static bool finish(struct follow *follow, struct err *err) {
    struct follow_end_request request = {.options = follow->options, .path = follow->path, .term = &follow->term};
    struct err why = {0};
    if (!follower_end(follow->follower, &request.json, err))
        return false;
    request.any = follower_bytes(follow->follower) > 0;
    bool written, ok = follow_end(&request, &written, err), printed = flush(follow, &why);
    if (written) {
        char *page = mem_printf("%s/index.html", follow->options->out);
        messages_report(stderr, page);
        mem_free(page);
    }
    if (ok && !printed)
        *err = why;
    return ok && printed && follower_check(follow->follower, err);
}

bool follow_run(const struct options *options, struct err *err) {
    struct follow follow = {.options = options, .messages = {.to = stderr}};
    const struct follow_listener listener = {.context = &follow, .event = on_event, .fault = on_fault};
    if (!find_path(options, &follow.path, err) || (options->out && !parse_check_out(options, options->out, err)))
        return false;
    bool wide = !isatty(STDOUT_FILENO) && !getenv("COLUMNS"); /* a file or a pipe: lines may be long */
    term_init(&follow.term, &follow.out, wide ? TERM_WIDTH_MAX : answer_width(), answer_color());
    bool ok = options->serve ? start(&follow, &listener, err) && serve_logs(&follow, err)
                             : follow_until_signal(&follow, &listener, err);
    if (ok && wide)
        follow.term.width = answer_width();
    ok = ok && finish(&follow, err);
    follower_destroy(follow.follower);
    messages_finish(&follow.messages);
    term_finish(&follow.term);
    buf_free(&follow.out);
    return ok;
}

#include "hooks/hooks.h"

enum { SAID_SHOWN = 400, SAID_LINES = 3 };

/* Adds the last lines of its standard error, as one line. */
static void add_said(struct buf *out, const struct buf *said) {
    struct slice text = slice_trim(buf_slice(said)), rest = text, line;
    size_t lines = 1;
    for (size_t i = 0; i < text.len; i++)
        lines += text.ptr[i] == '\n';
    AUTO_BUF joined = {0};
    for (size_t n = 0; slice_next_line(&rest, &line); n++) {
        line = slice_trim(line);
        if (n + SAID_LINES < lines || !line.len)
            continue;
        BUF_ADD(&joined, joined.len ? " / " : "", line);
    }
    if (joined.len) {
        struct slice end = buf_slice(&joined); /* errors come last */
        if (end.len > SAID_SHOWN)
            end = slice_from(end, end.len - SAID_SHOWN);
        buf_add_lit(out, ": ");
        printable_add(out, end, SAID_SHOWN);
    }
}

static void add_seconds(struct buf *out, int64_t ms) {
    buf_addf(out, "%g s", (double)ms / 1000);
}

bool hook_failed(const char *what, const char *program, const struct child_request *request, const struct child *child,
                 const struct child_end *end, struct err *err) {
    AUTO_BUF why = {0};
    if (strcmp(what, program) != 0)
        buf_addf(&why, "%s: ", program);
    if (end->cut == CHILD_LATE || end->cut == CHILD_QUIET) {
        buf_add_str(&why, end->cut == CHILD_LATE ? "stopped after " : "stopped, because it printed nothing for ");
        add_seconds(&why, end->cut == CHILD_LATE ? request->limit_ms : request->silence_ms);
    } else if (end->cut == CHILD_BIG) {
        buf_addf(&why, "stopped after %zu bytes of output", request->out_max);
    } else if (end->signaled) {
        buf_addf(&why, "ended by signal %d (%s)", end->number, strsignal(end->number));
    } else {
        buf_addf(&why, "exit status %d", end->number);
    }
    add_said(&why, &child->said);
    err_set(err, ERR_INPUT, "%s: %.*s", what, SLICE_ARG(buf_slice(&why)));
    return false;
}

bool hook_run(const char *what, const struct child_request *request, struct slice input, struct buf *out,
              struct err *err) {
    struct child child;
    struct child_end end;
    struct err why = {0};
    if (!child_start(&child, request, &why))
        return err_set(err, ERR_INPUT, "%s: %s", what, why.text);
    child_write(&child, input, out); /* a program may succeed without reading everything */
    bool ok = child_finish(&child, out, &end);
    if (!ok)
        hook_failed(what, request->argv[0], request, &child, &end, err);
    buf_free(&child.said);
    return ok;
}

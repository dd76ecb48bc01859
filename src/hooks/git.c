#include "hooks/git.h"

#include "base/child.h"
#include "base/mem.h"
#include "hooks/run.h"

enum { ARGUMENTS_MAX = 16, LIMIT_MS = 30000, OUTPUT_MAX = 64 << 20 };

bool git_read(const char *directory, const char *const *arguments, struct buf *out, struct err *err) {
    const char *argv[ARGUMENTS_MAX] = {"git", "-C", directory};
    for (size_t i = 0; arguments[i] && i + 4 < ARGUMENTS_MAX; i++)
        argv[i + 3] = arguments[i];
    const struct child_request request = {.argv = argv,
                                          .in = CHILD_NULL,
                                          .out = CHILD_PIPE,
                                          .errs = CHILD_PIPE,
                                          .out_max = OUTPUT_MAX,
                                          .limit_ms = LIMIT_MS};
    return hook_run("git", &request, (struct slice){0}, out, err);
}

static char *line_of(struct slice *rest) {
    struct slice line = {0};
    slice_next_line(rest, &line);
    return mem_printf("%.*s", SLICE_ARG(line));
}

bool git_head(const char *directory, char **root, char **commit, struct err *err) {
    static const char *const arguments[] = {"rev-parse", "--show-toplevel", "HEAD", NULL};
    struct buf out = {0};
    bool ok = git_read(directory, arguments, &out, err);
    if (ok) {
        struct slice rest = buf_slice(&out);
        *root = line_of(&rest);
        *commit = line_of(&rest);
    }
    buf_free(&out);
    return ok;
}

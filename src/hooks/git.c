#include "hooks/hooks.h"

#include "base/child.h"

enum { ARGUMENTS_MAX = 32, LIMIT_MS = 30000, OUTPUT_MAX = 64 << 20 };

/* The configuration of a repository is untrusted: it may name programs that git runs to fetch a missing object, to ask
 * for a password, or to watch files. Without any protocol, git fetches nothing, and GIT_ALLOW_PROTOCOL overrides the
 * configuration. A bare repository inside another one does not count (git 2.38). */
static const char *const options[] = {"-c", "safe.bareRepository=explicit",
                                      "-c", "core.fsmonitor=false",
                                      "-c", "core.hooksPath=/dev/null",
                                      "-c", "core.sshCommand=false",
                                      "-c", "core.pager=cat",
                                      "-c", "credential.helper="};
static const char *const environment[] = {"GIT_ALLOW_PROTOCOL=",
                                          "GIT_NO_LAZY_FETCH=1", /* git 2.44 */
                                          "GIT_TERMINAL_PROMPT=0",
                                          "GIT_OPTIONAL_LOCKS=0",
                                          "GIT_PROTOCOL_FROM_USER=0",
                                          "GIT_ASKPASS=false",
                                          "GIT_DIR", /* set in git hooks, which may run this program */
                                          "GIT_WORK_TREE",
                                          "GIT_INDEX_FILE",
                                          "GIT_EXTERNAL_DIFF",
                                          NULL};

bool git_read(const char *directory, const char *const *arguments, struct buf *out, struct err *err) {
    const char *argv[ARGUMENTS_MAX] = {"git", "-C", directory};
    size_t count = 3;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        argv[count++] = options[i];
    for (size_t i = 0; arguments[i] && count + 1 < ARGUMENTS_MAX; i++)
        argv[count++] = arguments[i];
    const struct child_request request = {.argv = argv,
                                          .env = environment,
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
    AUTO_BUF out = {0};
    bool ok = git_read(directory, arguments, &out, err);
    if (ok) {
        struct slice rest = buf_slice(&out);
        *root = line_of(&rest);
        *commit = line_of(&rest);
    }
    return ok;
}

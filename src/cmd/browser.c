#include "cmd/browser.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

#include "base/compat.h"

static bool is_set(const char *variable) {
    const char *value = getenv(variable);
    return value && value[0];
}

bool browser_is_there(void) {
    if (is_set("BROWSER") || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY"))
        return true;
#ifdef __APPLE__
    return !is_set("SSH_CONNECTION");
#else
    return is_set("WSL_DISTRO_NAME") && !is_set("SSH_CONNECTION");
#endif
}

void browser_add_url(struct buf *out, struct slice path) {
    buf_add_lit(out, "file://");
    path_add_url(out, path);
}

/* Starts the program in a new session, so that closing the terminal does not close the browser, and with the default
 * signal handlers. */
static bool start(const char *program, const char *url) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    pid_t pid;
    char *arguments[] = {mem_strdup(program), mem_strdup(url), NULL};
    short flags = (short)(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | compat_spawn_session());
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, flags);
    bool ok = posix_spawnp(&pid, program, &files, &attributes, arguments, environ) == 0;
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    mem_free(arguments[0]);
    mem_free(arguments[1]);
    return ok;
}

bool browser_open_url(const char *url) {
    static const char *const openers[] = {
#ifdef __APPLE__
        "open",
#endif
        "xdg-open", "sensible-browser", "x-www-browser", "wslview",
    };
    const char *own = getenv("BROWSER");
    /* BROWSER may have arguments, or be a list: xdg-open and sensible-browser parse it then. */
    bool ok = own && own[0] && !strpbrk(own, " %:") && start(own, url);
    for (size_t i = 0; i < sizeof openers / sizeof *openers && !ok; i++)
        ok = start(openers[i], url);
    return ok;
}

bool browser_open(const char *file) {
    char *real = realpath(file, NULL);
    AUTO_BUF url = {0};
    if (!real)
        return false;
    browser_add_url(&url, slice_str(real));
    buf_add_byte(&url, '\0');
    bool ok = browser_open_url(url.ptr);
    mem_free(real);
    return ok;
}

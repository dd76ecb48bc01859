/* The program `tlparse` of a wheel: runs `tlp` in its own folder, which is the program proper.
 *
 * A wheel has no links, so a second name costs a second file; this one has a few kilobytes. Another package may replace `tlparse`,
 * but not `tlp`. */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/compat.h"
#include "base/path.h"

/* Read by `tlparse --version` in the file. */
const char launcher_mark[] = LAUNCHER_MARK;

/* Not with printf(), which would be the largest part of the program. */
static int fail(const char *what) {
    int error = errno;
    const char *const parts[] = {"tlparse: cannot run ", what, ": ", strerror(error),
                                 "\nhint: reinstall the package tlparse-c\n"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (write(STDERR_FILENO, parts[i], strlen(parts[i])) < 0)
            break;
    return error == ENOENT ? 127 : 126;
}

int main(int argc, char **argv) {
    static const char name[] = "tlp";
    char path[PATH_MAX + sizeof name];
    (void)argc;
    if (!compat_program(path))
        return fail(launcher_mark);
    char *slash = strrchr(path, '/');
    memcpy(slash ? slash + 1 : path, name, sizeof name);
    execv(path, argv);
    return fail(path);
}

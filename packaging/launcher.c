/* The program `tlparse` of a wheel: runs `tlp` in its own folder, which is the program proper.
 *
 * A wheel has no links, so a second name costs a second file; this one has a few kilobytes. Another package may replace `tlparse`,
 * but not `tlp`. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/compat.h"
#include "base/launcher.h"

/* Read by `tlparse --version` in the file. */
const char launcher_mark[] = LAUNCHER_MARK;

static int fail(const char *what, const char *path) {
    fprintf(stderr, "tlparse: cannot run %s: %s\nhint: reinstall the package tlparse-c\n", path[0] ? path : what,
            strerror(errno));
    return errno == ENOENT ? 127 : 126;
}

int main(int argc, char **argv) {
    char own[PATH_MAX], path[PATH_MAX + 8] = "";
    (void)argc;
    if (!compat_program(own))
        return fail(launcher_mark, path);
    snprintf(path, sizeof path, "%.*s/tlp", (int)(strrchr(own, '/') - own), own);
    execv(path, argv);
    return fail(launcher_mark, path);
}

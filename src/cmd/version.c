#include "cmd/commands.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/compat.h"
#include "base/dir.h"
#include "base/fd.h"
#include "cmd/messages.h"

bool version_find(const char *path, struct buf *found) {
    while (path) {
        size_t len = strcspn(path, ":");
        struct stat st;
        found->len = 0;
        buf_addf(found, "%.*s/tlparse", (int)len, path);
        buf_add_byte(found, '\0');
        if (path[0] == '/' && stat(found->ptr, &st) == 0 && S_ISREG(st.st_mode) && access(found->ptr, X_OK) == 0)
            return true;
        path = path[len] ? path + len + 1 : NULL;
    }
    found->len = 0;
    return false;
}

/* Whether the file is the launcher of a wheel, in the folder of this program. */
static bool is_launcher(const char *path, const char *own) {
    char real[PATH_MAX], *bytes;
    struct stat st;
    size_t above = (size_t)(strrchr(own, '/') - own);
    if (!realpath(path, real) || strncmp(real, own, above + 1) != 0 || strchr(real + above + 1, '/'))
        return false;
    int fd = open(real, O_RDONLY | O_CLOEXEC);
    ssize_t len = -1;
    bytes = mem_alloc(LAUNCHER_MAX_BYTES);
    if (fd >= 0 && fstat(fd, &st) == 0 && st.st_size <= LAUNCHER_MAX_BYTES)
        len = fd_read_at(fd, bytes, LAUNCHER_MAX_BYTES, 0);
    bool is = len > 0 && compat_find(bytes, (size_t)len, LAUNCHER_MARK, sizeof LAUNCHER_MARK);
    if (fd >= 0)
        close(fd);
    mem_free(bytes);
    return is;
}

static bool is_this(const char *path) {
    char own[PATH_MAX];
    struct stat mine, theirs;
    if (!compat_program(own) || stat(own, &mine) != 0 || stat(path, &theirs) != 0)
        return true; /* unknown, so not known to be different */
    return dir_is_same(&mine, &theirs) || is_launcher(path, own);
}

void version_print(FILE *to) {
    AUTO_BUF found = {0}, line = {0};
    fputs("tlparse " TLPARSE_VERSION "\n", to);
    if (version_find(getenv("PATH"), &found) && !is_this(found.ptr)) {
        buf_addf(&line, "warning: the first tlparse on PATH is another program: %s", found.ptr);
        buf_add_byte(&line, '\0');
        fflush(to);
        messages_print(stderr, line.ptr);
    }
}

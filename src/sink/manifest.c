#include "sink/manifest.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/mem.h"
#include "base/walk.h"
#include "sink/staging_name.h"

#define FOLDER "data"
enum { DEEPEST = 2 }; /* run_1/rank_0 */
#define HEAD "tlparse-manifest 1\n"

/* Opens the folder `path`, if it contains this file. -1: it does not, or cannot be read. */
static int open_with(int fd, const char *path, const char *file) {
    char *there = mem_printf("%s%s", path, file);
    bool found = faccessat(fd, there, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
    mem_free(there);
    return found ? openat(fd, path, DIR_OPEN | O_NOFOLLOW) : -1;
}

/* ---- writing ---------------------------------------------------------------------------------------------------- */

struct writer {
    int fd;
    FILE *file;
};

static enum walk_next write_line(void *data, const char *path, enum walk_type type) {
    const struct writer *writer = data;
    if (type == WALK_OTHER) {
        errno = EINVAL; /* a report has none */
        return WALK_STOP;
    }
    if (fputs(path, writer->file) < 0 || putc('\n', writer->file) == EOF)
        return WALK_STOP;
    int inner = type == WALK_FOLDER ? open_with(writer->fd, path, "report.json") : -1;
    if (inner < 0)
        return WALK_ON;
    bool ok = manifest_write(inner);
    close(inner);
    return ok ? WALK_SKIP : WALK_STOP;
}

bool manifest_write(int fd) {
    if (mkdirat(fd, FOLDER, 0777) != 0 && errno != EEXIST)
        return false;
    int made = openat(fd, MANIFEST_PATH, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
    FILE *file = made < 0 ? NULL : fdopen(made, "w");
    if (!file) {
        int why = errno;
        if (made >= 0)
            close(made);
        errno = why;
        return false;
    }
    struct writer writer = {fd, file};
    bool ok = fputs(HEAD, file) >= 0 && walk_folder(fd, write_line, &writer) == WALK_DONE;
    int why = errno;
    if (fclose(file) != 0)
        return false;
    errno = why;
    return ok;
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

struct check {
    int fd;
    unsigned depth; /* of reports in reports */
    FILE *file;
    const char *name;
    struct buf *foreign;
    char line[PATH_MAX +
              2]; /* not yet matched; without its newline. "" at the end: comes before every path, but is the last */
    bool ended;
};

/* A line that is too long for a path is none: it matches nothing. */
static void next_line(struct check *check) {
    check->ended = !fgets(check->line, sizeof check->line, check->file);
    check->line[check->ended ? 0 : strcspn(check->line, "\n")] = '\0';
}

static enum manifest_verdict check_folder(int fd, const char *name, unsigned depth, struct buf *foreign);

/* A folder that is listed, and may be a report of its own. */
static enum walk_next check_inner(const struct check *check, const char *path) {
    int inner = open_with(check->fd, path, MANIFEST_PATH);
    if (inner < 0)
        return WALK_ON;
    size_t len = check->foreign->len;
    buf_add_str(check->foreign, path);
    bool covers =
        check->depth < DEEPEST && check_folder(inner, "", check->depth + 1, check->foreign) == MANIFEST_COVERS;
    close(inner);
    if (covers)
        check->foreign->len = len;
    return covers ? WALK_SKIP : WALK_STOP;
}

static enum walk_next check_entry(void *data, const char *path, enum walk_type type) {
    struct check *check = data;
    struct slice at = slice_str(path);
    if (type == WALK_FOLDER && staging_is_of(slice_first(at, at.len - 1), check->name))
        return WALK_SKIP;
    while (!check->ended && walk_order(slice_str(check->line), at) < 0)
        next_line(check);
    if (type == WALK_OTHER || check->ended || !slice_is(at, check->line)) {
        buf_add(check->foreign, slice_first(at, at.len - (type == WALK_FOLDER)));
        return WALK_STOP;
    }
    return type == WALK_FOLDER ? check_inner(check, path) : WALK_ON;
}

static enum manifest_verdict check_folder(int fd, const char *name, unsigned depth, struct buf *foreign) {
    struct check check = {.fd = fd, .depth = depth, .name = name, .foreign = foreign};
    struct stat st;
    int opened = openat(fd, MANIFEST_PATH, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (opened < 0 && (errno == ENOENT || errno == ENOTDIR))
        return MANIFEST_MISSING;
    bool regular = opened >= 0 && fstat(opened, &st) == 0 && S_ISREG(st.st_mode);
    check.file = regular ? fdopen(opened, "r") : NULL;
    if (!check.file) {
        if (opened >= 0)
            close(opened);
        buf_add_lit(foreign, MANIFEST_PATH);
        return MANIFEST_FOREIGN;
    }
    next_line(&check);
    bool known = slice_is(slice_first(SLICE(HEAD), sizeof HEAD - 2), check.line);
    if (known)
        next_line(&check);
    else
        buf_add_lit(foreign, MANIFEST_PATH);
    bool covers = known && walk_folder(fd, check_entry, &check) == WALK_DONE && !ferror(check.file);
    fclose(check.file);
    return covers ? MANIFEST_COVERS : MANIFEST_FOREIGN;
}

enum manifest_verdict manifest_check(int fd, const char *name, struct buf *foreign) {
    return check_folder(fd, name, 0, foreign);
}

#include "sink/manifest.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/walk.h"
#include "sink/sinks.h"

#define FOLDER "data"
enum { DEEPEST = 2 }; /* run_1/rank_0 */
#define HEAD "tlparse-manifest 1\n"

/* Opens the folder `path`, if it contains this file; otherwise *inner is -1. Returns false with errno if it cannot be read. */
static bool open_with(int fd, const char *path, const char *file, int *inner) {
    char *there = mem_printf("%s%s", path, file);
    bool found = faccessat(fd, there, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
    int why = errno;
    mem_free(there);
    *inner = found ? openat(fd, path, DIR_OPEN | O_NOFOLLOW) : -1;
    if (!found)
        errno = why;
    return *inner >= 0 || (!found && (why == ENOENT || why == ENOTDIR));
}

/* ---- writing ---------------------------------------------------------------------------------------------------- */

struct writer {
    int fd;
    FILE *file;
};

static enum walk_next write_line(void *data, const char *path, enum walk_type type) {
    const struct writer *writer = data;
    if (staging_is_deleted(slice_str(path)))
        return WALK_SKIP;
    if (type == WALK_OTHER) {
        errno = EINVAL; /* a report has none */
        return WALK_STOP;
    }
    if (fputs(path, writer->file) < 0 || putc('\n', writer->file) == EOF)
        return WALK_STOP;
    int inner = -1;
    if (type == WALK_FOLDER && !open_with(writer->fd, path, "report.json", &inner))
        return WALK_STOP;
    if (inner < 0)
        return WALK_ON;
    bool ok = manifest_write(inner);
    int why = errno;
    close(inner);
    errno = why;
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
    int why;                 /* errno of the last read; 0: none */
    char line[PATH_MAX + 2]; /* not yet matched; without its newline. "": the end, which sorts after every path */
    bool ended;
};

/* A line that is too long for a path matches nothing. */
static void next_line(struct check *check) {
    check->ended = !fgets(check->line, sizeof check->line, check->file);
    check->line[check->ended ? 0 : strcspn(check->line, "\n")] = '\0';
}

static enum manifest_verdict check_folder(int fd, const char *name, unsigned depth, struct buf *foreign);

/* A listed folder, which may contain a report of its own. */
static enum walk_next check_inner(struct check *check, const char *path) {
    int inner;
    if (!open_with(check->fd, path, MANIFEST_PATH, &inner)) {
        check->why = errno;
        return WALK_STOP;
    }
    if (inner < 0)
        return WALK_ON;
    size_t len = check->foreign->len;
    buf_add_str(check->foreign, path);
    enum manifest_verdict verdict =
        check->depth < DEEPEST ? check_folder(inner, "", check->depth + 1, check->foreign) : MANIFEST_FOREIGN;
    check->why = verdict == MANIFEST_UNREADABLE ? errno : 0;
    close(inner);
    if (verdict != MANIFEST_FOREIGN)
        check->foreign->len = len;
    return verdict == MANIFEST_COVERS ? WALK_SKIP : WALK_STOP;
}

static enum walk_next check_entry(void *data, const char *path, enum walk_type type) {
    struct check *check = data;
    struct slice at = slice_str(path);
    if (type == WALK_FOLDER && staging_is_of(slice_first(at, at.len - 1), check->name))
        return WALK_SKIP;
    if (type == WALK_FILE && staging_is_deleted(at))
        return WALK_ON;
    while (!check->ended && walk_order(slice_str(check->line), at) < 0)
        next_line(check);
    if (type == WALK_OTHER || check->ended || !slice_is(at, check->line)) {
        buf_add(check->foreign, slice_first(at, at.len - (type == WALK_FOLDER)));
        return WALK_STOP;
    }
    return type == WALK_FOLDER ? check_inner(check, path) : WALK_ON;
}

/* Reads the manifest. */
static enum manifest_verdict check_lines(struct check *check) {
    enum manifest_verdict verdict = MANIFEST_FOREIGN;
    next_line(check);
    if (!slice_is(slice_first(SLICE(HEAD), sizeof HEAD - 2), check->line)) {
        check->why = ferror(check->file) ? errno : 0;
        if (!check->why)
            buf_add_lit(check->foreign, MANIFEST_PATH);
    } else {
        next_line(check);
        enum walk_result result = walk_folder(check->fd, check_entry, check);
        if (result == WALK_FAILED)
            check->why = errno;
        else if (ferror(check->file)) /* lines would seem to be missing */
            check->why = EIO;
        verdict = result == WALK_DONE ? MANIFEST_COVERS : MANIFEST_FOREIGN;
    }
    return check->why ? MANIFEST_UNREADABLE : verdict;
}

static enum manifest_verdict check_folder(int fd, const char *name, unsigned depth, struct buf *foreign) {
    struct check check = {.fd = fd, .depth = depth, .name = name, .foreign = foreign};
    FILE *file = NULL;
    struct stat st;
    int opened = openat(fd, MANIFEST_PATH, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (opened < 0 && (errno == ENOENT || errno == ENOTDIR))
        return MANIFEST_MISSING;
    bool known = opened >= 0 && fstat(opened, &st) == 0;
    bool regular = known && S_ISREG(st.st_mode);
    if ((opened < 0 && errno != ELOOP && errno != ENXIO) || (opened >= 0 && !known) ||
        (regular && !(file = fdopen(opened, "r")))) {
        int why = errno;
        if (opened >= 0)
            close(opened);
        errno = why;
        return MANIFEST_UNREADABLE;
    }
    if (!regular) { /* a link, or a device */
        if (opened >= 0)
            close(opened);
        buf_add_lit(foreign, MANIFEST_PATH);
        return MANIFEST_FOREIGN;
    }
    check.file = file;
    enum manifest_verdict verdict = check_lines(&check);
    fclose(file);
    errno = check.why;
    return verdict;
}

enum manifest_verdict manifest_check(int fd, const char *name, struct buf *foreign) {
    return check_folder(fd, name, 0, foreign);
}

#include "serve/static_file.h"

#include <fcntl.h>
#include <strings.h>
#include <unistd.h>

enum {
    FOLDER = O_RDONLY | O_DIRECTORY | O_CLOEXEC,
    FILE_FLAGS = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC,
    REPLACED_MAX = 100, /* attempts to open a file in a folder that is being replaced again and again */
};

static const char index_name[] = "index.html";

/* Browsers show plain text instead of downloading it, so text without markup or scripts, such as .py and .jsonl, is
 * plain text. */
static const struct {
    const char *extension, *type;
} types[] = {
    {"css", "text/css; charset=utf-8"},
    {"gif", "image/gif"},
    {"htm", "text/html; charset=utf-8"},
    {"html", "text/html; charset=utf-8"},
    {"ico", "image/x-icon"},
    {"jpeg", "image/jpeg"},
    {"jpg", "image/jpeg"},
    {"js", "text/javascript; charset=utf-8"},
    {"json", "application/json; charset=utf-8"},
    {"jsonl", "text/plain; charset=utf-8"},
    {"log", "text/plain; charset=utf-8"},
    {"mjs", "text/javascript; charset=utf-8"},
    {"png", "image/png"},
    {"py", "text/plain; charset=utf-8"},
    {"svg", "image/svg+xml; charset=utf-8"},
    {"txt", "text/plain; charset=utf-8"},
    {"wasm", "application/wasm"},
};

const char *static_file_type(struct slice name) {
    size_t dot = slice_rfind_byte(name, '.');
    struct slice extension = dot == SIZE_MAX ? SLICE("") : slice_from(name, dot + 1);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strlen(types[i].extension) == extension.len &&
            strncasecmp(types[i].extension, extension.ptr, extension.len) == 0)
            return types[i].type;
    return "application/octet-stream";
}

bool static_root_open(struct static_root *root, const char *path, struct err *err) {
    *root = (struct static_root){path, open(path, FOLDER)};
    return root->fd >= 0 || err_errno(err, "cannot open %s", path);
}

void static_root_close(struct static_root *root) {
    if (root->fd >= 0)
        close(root->fd);
    root->fd = -1;
}

bool static_root_follow(struct static_root *root) {
    struct stat held, there;
    if (fstat(root->fd, &held) != 0 || stat(root->path, &there) != 0 ||
        (held.st_dev == there.st_dev && held.st_ino == there.st_ino))
        return false;
    int fd = open(root->path, FOLDER);
    if (fd < 0)
        return false;
    close(root->fd);
    root->fd = fd;
    return true;
}

/* Opens the folder of the path's last part and returns that part. Returns -1 with errno on failure. Modifies path. */
static int open_parent(int root, char *path, char **last) {
    int fd = fcntl(root, F_DUPFD_CLOEXEC, 0);
    for (char *slash; fd >= 0 && (slash = strchr(path, '/')); path = slash + 1) {
        *slash = '\0';
        int next = openat(fd, path, FOLDER | O_NOFOLLOW), failed = errno;
        close(fd);
        fd = next;
        errno = failed;
    }
    *last = path;
    return fd;
}

/* Opens a file, or checks that a folder has an index.html. Anything else, such as a link or a pipe, counts as missing.
 * Returns -1 with errno on failure; EISDIR for a folder with an index.html. */
static int open_last(int parent, const char *name, struct stat *st) {
    if (fstatat(parent, name, st, AT_SYMLINK_NOFOLLOW) != 0)
        return -1;
    errno = ENOENT;
    if (S_ISDIR(st->st_mode)) {
        int fd = openat(parent, name, FOLDER | O_NOFOLLOW);
        if (fd < 0)
            return -1;
        bool has_index = fstatat(fd, index_name, st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st->st_mode);
        close(fd);
        errno = has_index ? EISDIR : ENOENT;
        return -1;
    }
    if (!S_ISREG(st->st_mode))
        return -1;
    int fd = openat(parent, name, FILE_FLAGS);
    if (fd < 0 || (fstat(fd, st) == 0 && S_ISREG(st->st_mode)))
        return fd;
    close(fd);
    errno = ENOENT;
    return -1;
}

static enum static_result result_of(int error) {
    switch (error) {
    case EISDIR:
        return STATIC_FOLDER;
    case ENOENT:
    case ENOTDIR:
    case ELOOP:
    case ENAMETOOLONG:
        return STATIC_NOWHERE;
    case EACCES:
    case EPERM:
        return STATIC_FORBIDDEN;
    case EMFILE:
    case ENFILE:
    case ENOMEM:
        return STATIC_BUSY;
    default:
        return STATIC_FAILED;
    }
}

static enum static_result open_in(const struct static_root *root, struct slice path, bool folder,
                                  struct static_file *file) {
    AUTO_BUF whole = {0};
    struct stat st;
    char *name;
    buf_add(&whole, path);
    if (folder)
        buf_addf(&whole, "%s%s", path.len ? "/" : "", index_name);
    buf_add_byte(&whole, '\0');
    int parent = open_parent(root->fd, whole.ptr, &name);
    int fd = parent < 0 ? -1 : open_last(parent, name, &st), failed = errno;
    if (parent >= 0)
        close(parent);
    if (fd >= 0) {
        *file =
            (struct static_file){.fd = fd, .bytes = (uint64_t)st.st_size, .type = static_file_type(slice_str(name))};
        validator_init(&file->validator, &st);
    }
    if (fd < 0 && folder && failed == EISDIR) /* index.html is itself a folder */
        return STATIC_NOWHERE;
    return fd >= 0 ? STATIC_FILE : result_of(failed);
}

enum static_result static_file_open(struct static_root *root, struct slice path, bool folder,
                                    struct static_file *file) {
    static_root_follow(root);
    enum static_result result = open_in(root, path, folder, file);
    /* The folder may have been replaced since it was opened, and the old one removed. */
    for (int i = 0; i < REPLACED_MAX && result != STATIC_FILE && static_root_follow(root); i++)
        result = open_in(root, path, folder, file);
    return result;
}

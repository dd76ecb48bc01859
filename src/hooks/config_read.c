#include "hooks/config.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_BYTES_MAX = 1 << 20, FETCH_MS = 60000, UPLOAD_MS = 600000, NOTIFY_MS = 10000, PARSERS_MS = 60000 };

/* Whether the file does not exist as far as this user can see: another user's home may be inaccessible. */
static bool is_absent(const char *path, int error) {
    struct stat st;
    return error == ENOENT || error == ENOTDIR || (error == EACCES && lstat(path, &st) != 0 && errno == EACCES);
}

/* Reads a file that may be absent. */
static bool read_text(struct config_file *file, const char *path, struct err *err) {
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    int failed = errno;
    if (fd < 0 && is_absent(path, failed))
        return true;
    errno = failed;
    if (fd < 0)
        return err_errno(err, "cannot read %s", path);
    bool ok = fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
    ssize_t got = 0;
    while (ok && file->text.len <= FILE_BYTES_MAX) {
        got = read(fd, buf_reserve(&file->text, 1 << 14), 1 << 14);
        if (got <= 0)
            break;
        file->text.len += (size_t)got;
    }
    file->path = mem_strdup(path);
    file->folder = mem_printf("%.*s", (int)slice_rfind_byte(slice_str(path), '/'), path);
    if (!ok)
        err_set(err, ERR_USAGE, "cannot read %s: it is not a file", path);
    else if (got < 0)
        ok = err_errno(err, "cannot read %s", path);
    else if (file->text.len > FILE_BYTES_MAX)
        ok = err_set(err, ERR_USAGE, "cannot read %s: it is larger than 1 MiB", path);
    close(fd);
    return ok;
}

static bool parse(struct config_file *file, struct err *err) {
    yyjson_read_err failed;
    buf_add(&file->parsed, buf_slice(&file->text));
    memset(buf_reserve(&file->parsed, YYJSON_PADDING_SIZE), 0, YYJSON_PADDING_SIZE);
    file->doc = yyjson_read_opts(file->parsed.ptr, file->parsed.len, YYJSON_READ_INSITU, &json_allocator, &failed);
    if (!file->doc)
        return err_set(err, ERR_USAGE, "%s:%zu: not JSON: %s", file->path, config_line_at(file, failed.pos),
                       failed.msg);
    if (!yyjson_is_obj(yyjson_doc_get_root(file->doc)))
        return config_fail(file, NULL, err, "expected an object");
    return true;
}

static bool read_user(struct user_config *config, struct err *err) {
    const char *folder = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    char *path = folder && folder[0] == '/' ? mem_printf("%s/tlparse/config.json", folder)
               : home && home[0] == '/'     ? mem_printf("%s/.config/tlparse/config.json", home)
                                            : NULL;
    bool ok = !path || read_text(&config->user, path, err);
    mem_free(path);
    if (!ok || !config->user.path)
        return ok;
    return parse(&config->user, err) && config_keys_read(config, &config->user, true, err);
}

static bool exists(const char *folder, const char *name) {
    struct stat st;
    char *path = mem_printf("%s/%s", folder, name);
    bool found = lstat(path, &st) == 0;
    mem_free(path);
    return found;
}

/* The folder whose .tlparse.json applies, or NULL. */
static char *find_project(const char *directory) {
    char *folder = realpath(directory, NULL), *nearest = NULL;
    bool repository = false, at_start = true;
    while (folder && !repository) {
        if (!nearest && exists(folder, ".tlparse.json"))
            nearest = mem_strdup(folder);
        if (at_start && nearest)
            break; /* the current directory counts even outside of a repository */
        at_start = false;
        repository = exists(folder, ".git");
        char *slash = strrchr(folder, '/');
        if (!slash || slash == folder)
            break;
        *slash = '\0';
    }
    mem_free(folder);
    if (nearest && !repository && !at_start) {
        mem_free(nearest);
        nearest = NULL;
    }
    return nearest;
}

static bool read_project(struct user_config *config, const char *directory, struct err *err) {
    char *folder = find_project(directory);
    if (!folder)
        return true;
    char *path = mem_printf("%s/.tlparse.json", strcmp(folder, "/") == 0 ? "" : folder);
    bool ok = read_text(&config->project, path, err);
    mem_free(path);
    mem_free(folder);
    if (!ok || !config->project.path)
        return ok;
    return parse(&config->project, err) && config_keys_read(config, &config->project, false, err);
}

bool config_read(struct user_config *config, const char *directory, struct err *err) {
    *config = (struct user_config){.timeouts = {FETCH_MS, UPLOAD_MS, NOTIFY_MS, PARSERS_MS}};
    return read_user(config, err) && read_project(config, directory, err);
}

#include "cmd/log_paths.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/messages.h"

enum { FILE_BYTES_MAX = 1 << 20 };

static const char config_name[] = ".tlparse.json";

static bool read_all(int fd, const char *name, struct buf *out, struct err *err) {
    ssize_t got = 1;
    while (got > 0 && out->len <= FILE_BYTES_MAX) {
        got = read(fd, buf_reserve(out, 1 << 12), 1 << 12);
        if (got > 0)
            out->len += (size_t)got;
        else if (got < 0 && errno == EINTR)
            got = 1;
    }
    if (got < 0)
        return err_errno(err, "cannot read %s", name);
    if (out->len > FILE_BYTES_MAX)
        return err_set(err, ERR_USAGE, "invalid budget %s: it is larger than 1 MiB", name);
    return true;
}

/* A file of --budget may be a pipe; a .tlparse.json that was searched for must be a regular file, because opening it
 * could block. */
static bool add_file(struct check_rules *rules, const char *path, bool found, struct err *err) {
    AUTO_BUF text = {0};
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | (found ? O_NONBLOCK : 0));
    if (fd < 0)
        return err_errno(err, "cannot read %s", path);
    bool ok = !found || (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) ||
              err_set(err, ERR_USAGE, "cannot read %s: it is not a regular file", path);
    ok = ok && read_all(fd, path, &text, err) && budgets_add_file(rules, buf_slice(&text), path, err);
    close(fd);
    return ok;
}

static bool exists_in(const char *directory, size_t len, const char *name) {
    char *path = mem_printf("%.*s/%s", (int)len, directory, name);
    bool exists = access(path, F_OK) == 0;
    mem_free(path);
    return exists;
}

/* The length of the parent directory's path; 0 for that of "/". */
static size_t parent_of(const char *path, size_t len) {
    while (len > 0 && path[--len] != '/')
        ;
    return len;
}

/* The length of the root's path within the path of the current directory. */
static size_t root_of(const char *here) {
    for (size_t len = strlen(here);; len = parent_of(here, len)) {
        if (exists_in(here, len, ".git"))
            return len;
        if (len == 0)
            return strlen(here);
    }
}

static char *current_directory(void) {
    char *here = getcwd(NULL, 0);
    if (here && strcmp(here, "/") == 0)
        here[0] = '\0';
    return here;
}

char *project_root(void) {
    char *here = current_directory();
    if (here)
        here[root_of(here)] = '\0';
    return here;
}

/* The .tlparse.json of the current directory or of the nearest parent up to the root of the git work tree; NULL if there is none. */
static char *find_config(void) {
    char *here = current_directory(), *found = NULL;
    size_t root = here ? root_of(here) : 0;
    for (size_t len = here ? strlen(here) : 0; here && !found; len = parent_of(here, len)) {
        if (exists_in(here, len, config_name))
            found = mem_printf("%.*s/%s", (int)len, here, config_name);
        if (len <= root)
            break;
    }
    mem_free(here);
    return found;
}

static bool add_config(struct check_rules *rules, struct err *err) {
    char *path = find_config();
    bool ok = !path || add_file(rules, path, true, err);
    if (ok && rules->count) {
        char *note = mem_printf("reading budgets from %s", path);
        messages_print(stderr, note);
        mem_free(note);
    }
    mem_free(path);
    return ok;
}

bool budget_files_read(struct check_rules *rules, const struct options *options, struct err *err) {
    if (!options->budgets.count && !add_config(rules, err))
        return false;
    for (size_t i = 0; i < options->budgets.count; i++)
        if (!add_file(rules, options->budgets.items[i], false, err))
            return false;
    for (size_t i = 0; i < options->max.count; i++)
        if (!budgets_add_max(rules, options->max.items[i], err))
            return false;
    if (rules->count)
        return true;
    err_set(err, ERR_USAGE, "nothing to check: there is no budget");
    return err_hint(err, "use --max recompiles=3, --budget FILE.json, or a .tlparse.json with budgets");
}

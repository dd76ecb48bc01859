#include "share/tree.h"

#include <unistd.h>

#include "base/dir.h"

enum { READ_BYTES = 1 << 18, DEEPEST = 32 };

/* The end of a run of digits, and the end of its leading zeros. */
static const char *number_end(const char *at, const char **first) {
    while (*at == '0' && is_digit(at[1]))
        at++;
    *first = at;
    while (is_digit(*at))
        at++;
    return at;
}

static int compare_paths(const char *a, const char *b) {
    const char *whole_a = a, *whole_b = b;
    while (*a && *b) {
        if (is_digit(*a) && is_digit(*b)) {
            const char *first_a, *first_b;
            const char *end_a = number_end(a, &first_a), *end_b = number_end(b, &first_b);
            if (end_a - first_a != end_b - first_b)
                return end_a - first_a < end_b - first_b ? -1 : 1;
            int order = memcmp(first_a, first_b, (size_t)(end_a - first_a));
            if (order)
                return order;
            a = end_a;
            b = end_b;
        } else if (*a != *b) {
            return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
        } else {
            a++;
            b++;
        }
    }
    return *a ? 1 : *b ? -1 : strcmp(whole_a, whole_b); /* "07" and "7" */
}

static int by_path(const void *a, const void *b) {
    return compare_paths(((const struct tree_file *)a)->path, ((const struct tree_file *)b)->path);
}

/* Adds the content of a folder. Returns false with errno if it cannot be read. A report is only a few levels deep. */
static bool add_folder(struct tree *tree, int fd, const char *prefix, unsigned depth) {
    struct names names = {0};
    bool good = depth < DEEPEST && names_list(fd, &names);
    if (depth == DEEPEST)
        errno = ELOOP;
    for (size_t i = 0; i < names.count && good; i++) {
        struct stat st;
        char *path = mem_printf("%s%s", prefix, names.items[i]);
        good = fstatat(fd, names.items[i], &st, AT_SYMLINK_NOFOLLOW) == 0;
        if (good && S_ISDIR(st.st_mode)) {
            char *below = mem_printf("%s/", path);
            int folder = openat(fd, names.items[i], DIR_OPEN | O_NOFOLLOW);
            good = folder >= 0 && add_folder(tree, folder, below, depth + 1);
            if (folder >= 0)
                close(folder);
            mem_free(below);
        }
        if (good && S_ISREG(st.st_mode)) {
            LIST_ADD(&tree->files, (struct tree_file){path, (uint64_t)st.st_size});
        } else {
            mem_free(path);
        }
    }
    names_free(&names);
    return good;
}

bool tree_open(struct tree *tree, int fd, const char *name, struct err *err) {
    *tree = (struct tree){.fd = openat(fd, ".", DIR_OPEN), .name = mem_strdup(name)};
    if (tree->fd < 0 || !add_folder(tree, tree->fd, "", 0)) {
        err_errno(err, "cannot read folder %s", name);
        tree_close(tree);
        return false;
    }
    if (tree->files.count)
        qsort(tree->files.items, tree->files.count, sizeof *tree->files.items, by_path);
    return true;
}

void tree_close(struct tree *tree) {
    for (size_t i = 0; i < tree->files.count; i++)
        mem_free(tree->files.items[i].path);
    mem_free(tree->files.items);
    mem_free(tree->name);
    if (tree->fd >= 0)
        close(tree->fd);
    *tree = (struct tree){.fd = -1};
}

size_t tree_find(const struct tree *tree, const char *path) {
    size_t at = 0;
    SEARCH(at, tree->files.count, middle, compare_paths(tree->files.items[middle].path, path) < 0);
    return at < tree->files.count && !compare_paths(tree->files.items[at].path, path) ? at : SIZE_MAX;
}

int tree_open_file(const struct tree *tree, size_t i, struct err *err) {
    const char *path = tree->files.items[i].path;
    int fd = openat(tree->fd, path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        err_errno(err, "cannot read %s/%s", tree->name, path);
    return fd;
}

bool tree_read(const struct tree *tree, size_t i, struct buf *out, struct err *err) {
    int fd = tree_open_file(tree, i, err);
    if (fd < 0)
        return false;
    ssize_t got = 1;
    while (got > 0) {
        char *to = buf_reserve(out, READ_BYTES);
        got = read(fd, to, READ_BYTES);
        if (got > 0)
            out->len += (size_t)got;
        else if (got < 0 && errno == EINTR)
            got = 1;
    }
    if (got < 0)
        err_errno(err, "cannot read %s/%s", tree->name, tree->files.items[i].path);
    close(fd);
    return got == 0;
}

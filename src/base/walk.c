#include "base/walk.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/compat.h"
#include "base/dir.h"
#include "base/mem.h"

static struct slice first_part(struct slice path) {
    const char *end = path.len ? memchr(path.ptr, '/', path.len) : NULL;
    return end ? slice_first(path, (size_t)(end - path.ptr)) : path;
}

int walk_order(struct slice a, struct slice b) {
    for (;;) {
        struct slice x = first_part(a), y = first_part(b);
        int order = dir_name_order(x, y);
        if (order)
            return order;
        if (x.len == a.len || y.len == b.len)
            return (x.len < a.len) - (y.len < b.len);
        a = slice_from(a, x.len + 1);
        b = slice_from(b, y.len + 1);
    }
}

struct walk {
    int top;
    walk_visit *visit;
    void *data;
    struct buf path; /* path of the visited folder: empty, or ends in '/' */
};

struct entries {
    LIST(struct entry {
        char *name;
        enum walk_type type;
    })
    list;
};

static void free_entries(struct entries *entries) {
    for (size_t i = 0; i < entries->list.count; i++)
        mem_free(entries->list.items[i].name);
    mem_free(entries->list.items);
}

static int by_name(const void *a, const void *b) {
    return dir_name_order(slice_str(((const struct entry *)a)->name), slice_str(((const struct entry *)b)->name));
}

static enum walk_type type_of(int fd, const struct dirent *entry) {
    struct stat st;
    mode_t known = compat_entry_type(entry);
    if (known == 0 && fstatat(fd, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0)
        known = st.st_mode & S_IFMT;
    return known == S_IFREG ? WALK_FILE : known == S_IFDIR ? WALK_FOLDER : WALK_OTHER;
}

/* Closes the folder afterwards, so the number of open files does not grow with the depth. */
static bool list_entries(struct walk *walk, struct entries *entries) {
    buf_add_byte(&walk->path, '\0');
    int fd = openat(walk->top, --walk->path.len ? walk->path.ptr : ".", DIR_OPEN | O_NOFOLLOW);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    if (!dir) {
        int why = errno;
        if (fd >= 0)
            close(fd);
        errno = why;
        return false;
    }
    errno = 0;
    for (const struct dirent *entry; (entry = readdir(dir)); errno = 0) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        LIST_ADD(&entries->list, (struct entry){mem_strdup(entry->d_name), type_of(fd, entry)});
    }
    int why = errno;
    closedir(dir);
    if (entries->list.count)
        qsort(entries->list.items, entries->list.count, sizeof *entries->list.items, by_name);
    errno = why;
    return why == 0;
}

static enum walk_result visit_folder(struct walk *walk);

static enum walk_result visit_entry(struct walk *walk, const char *name, enum walk_type type) {
    size_t len = walk->path.len;
    buf_add(&walk->path, slice_str(name));
    if (type == WALK_FOLDER)
        buf_add_byte(&walk->path, '/');
    buf_add_byte(&walk->path, '\0');
    walk->path.len--;
    enum walk_next next = walk->visit(walk->data, walk->path.ptr, type);
    enum walk_result result = next == WALK_STOP ? WALK_STOPPED : WALK_DONE;
    if (next == WALK_ON && type == WALK_FOLDER)
        result = visit_folder(walk);
    walk->path.len = len;
    return result;
}

static enum walk_result visit_folder(struct walk *walk) {
    struct entries entries = {0};
    enum walk_result result = list_entries(walk, &entries) ? WALK_DONE : WALK_FAILED;
    for (size_t i = 0; i < entries.list.count && result == WALK_DONE; i++)
        result = visit_entry(walk, entries.list.items[i].name, entries.list.items[i].type);
    int why = errno;
    free_entries(&entries);
    errno = why;
    return result;
}

enum walk_result walk_folder(int fd, walk_visit *visit, void *data) {
    struct walk walk = {.top = fd, .visit = visit, .data = data};
    enum walk_result result = visit_folder(&walk);
    int why = errno;
    buf_free(&walk.path);
    errno = why;
    return result;
}

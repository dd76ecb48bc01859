#include "scan/source_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/fd.h"
#include "base/text.h"

enum {
    DEPTH_MAX = 64, /* folders of a path */
    PART_MAX = 255, /* bytes of a name */
    PATH_BYTES = 4096,
    FILE_FLAGS = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC,
};

bool source_folders_open(struct source_folders *folders, const char *const *paths, size_t count, struct err *err) {
    for (size_t i = 0; i < count; i++) {
        int fd = open(paths[i], DIR_OPEN);
        if (fd < 0)
            return err_set(err, ERR_USAGE, "--source %s: %s", paths[i], strerror(errno));
        LIST_ADD(&folders->list, (struct source_folder){paths[i], fd});
    }
    return true;
}

void source_folders_close(struct source_folders *folders) {
    for (size_t i = 0; i < folders->list.count; i++)
        close(folders->list.items[i].fd);
    for (size_t i = 0; i < folders->named.count; i++)
        mem_free(folders->named.items[i]);
    mem_free(folders->list.items);
    mem_free(folders->named.items);
    mem_free(folders->outcomes.items);
    map_free(&folders->files);
    pthread_mutex_destroy(&folders->lock);
}

/* ---- paths of a log --------------------------------------------------------------------------------------------- */

/* A path of Windows, "C:\work\model.py", has its own separator. */
static bool is_separator(struct slice path, char c) {
    return c == '/' || (c == '\\' && path.len > 2 && path.ptr[1] == ':');
}

/* The parts of the path; 0: it has one that no file is looked up by. */
static size_t split(struct slice path, struct slice parts[DEPTH_MAX]) {
    size_t count = 0;
    for (size_t at = 0, end; at < path.len; at = end + 1) {
        for (end = at; end < path.len && !is_separator(path, path.ptr[end]);)
            end++;
        struct slice part = slice_first(slice_from(path, at), end - at);
        if (!part.len && !at)
            continue; /* the root */
        if (!part.len || part.len > PART_MAX || slice_is(part, ".") || slice_is(part, "..") ||
            memchr(part.ptr, '\0', part.len) || count == DEPTH_MAX)
            return 0;
        parts[count++] = part;
    }
    return count;
}

bool source_path_is_good(struct slice path) {
    struct slice parts[DEPTH_MAX];
    return path.len < PATH_BYTES && slice_ends(path, SLICE(".py")) && split(path, parts) > 0;
}

/* ---- files ------------------------------------------------------------------------------------------------------ */

static int open_part(int folder, struct slice part, int flags) {
    char name[PART_MAX + 1];
    memcpy(name, part.ptr, part.len);
    name[part.len] = '\0';
    return openat(folder, name, flags);
}

static int open_below(int root, const struct slice *parts, size_t count) {
    int fd = root;
    for (size_t i = 0; i < count; i++) {
        int next = open_part(fd, parts[i], i + 1 < count ? DIR_OPEN | O_NOFOLLOW : FILE_FLAGS);
        if (fd != root)
            close(fd);
        if (next < 0)
            return -1;
        fd = next;
    }
    return fd;
}

static bool read_text(int fd, struct buf *out) {
    static const struct slice mark = SLICE_INIT("\xef\xbb\xbf"); /* of UTF-8 */
    struct stat st;
    out->len = 0;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size > SOURCE_FILE_MAX)
        return false;
    size_t bytes = (size_t)st.st_size;
    buf_reserve(out, bytes + 1);
    ssize_t got = fd_read_at(fd, out->ptr, bytes, 0);
    if (got < 0)
        return false;
    out->len = (size_t)got;
    if (slice_starts(buf_slice(out), mark)) {
        out->len -= mark.len;
        memmove(out->ptr, out->ptr + mark.len, out->len);
    }
    return !memchr(out->ptr, '\0', out->len) && utf8_is_valid(buf_slice(out));
}

bool source_folders_next(const struct source_folders *folders, struct slice path, struct source_candidate *candidate,
                         struct buf *out) {
    struct slice parts[DEPTH_MAX];
    size_t count = source_path_is_good(path) ? split(path, parts) : 0, folders_count = folders->list.count;
    while (candidate->next < count * folders_count) {
        size_t first = candidate->next / folders_count, folder = candidate->next % folders_count;
        candidate->next++;
        int fd = open_below(folders->list.items[folder].fd, parts + first, count - first);
        if (fd < 0)
            continue;
        bool ok = read_text(fd, out);
        close(fd);
        candidate->folder = folder;
        candidate->below = slice_from(path, (size_t)(parts[first].ptr - path.ptr));
        if (ok)
            return true;
    }
    return false;
}

/* ---- what was found --------------------------------------------------------------------------------------------- */

void source_folders_count(struct source_folders *folders, struct slice path, enum source_outcome outcome,
                          struct slice why) {
    bool added;
    pthread_mutex_lock(&folders->lock);
    uint32_t place = *map_put(&folders->files, path, (uint32_t)folders->outcomes.count, &added);
    if (added)
        LIST_ADD(&folders->outcomes, 0);
    else
        folders->counts[folders->outcomes.items[place]]--;
    if (why.len && (added || folders->outcomes.items[place] != outcome) && folders->named.count < SOURCE_NAMED_MAX)
        LIST_ADD(&folders->named, mem_printf("%.*s", SLICE_ARG(why)));
    folders->outcomes.items[place] = (unsigned char)outcome;
    folders->counts[outcome]++;
    pthread_mutex_unlock(&folders->lock);
}

void source_folders_add_note(const struct source_folders *folders, struct buf *out) {
    size_t all = folders->outcomes.count, used = folders->counts[SOURCE_AGREES], named = folders->named.count;
    if (!folders->list.count || used == all)
        return;
    if (used)
        buf_addf(out, "--source has %zu of %zu files of the program", used, all);
    else
        buf_add_lit(out, "--source has no file of the program");
    for (size_t i = 0; i < named; i++)
        buf_addf(out, "; %s", folders->named.items[i]);
    if (all - used > named)
        buf_addf(out, "; and %zu more", all - used - named);
}

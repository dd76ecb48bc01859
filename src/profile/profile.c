#include "profile/profile.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/pool.h"
#include "base/walk.h"
#include "trace/source.h"

enum { FILES_MAX = 4096 };

#define SUM_MAX_NS (INT64_C(1) << 61) /* 73 years */

/* Notes which file it is. Returns whether it was read before, by this or another path. */
static bool is_known(const struct profiles *profiles, struct profile_file *file) {
    struct stat st;
    if (stat(file->path, &st) || !S_ISREG(st.st_mode))
        return false;
    file->device = st.st_dev;
    file->inode = st.st_ino;
    for (size_t i = 0; i < profiles->files.count; i++)
        if (profiles->files.items[i].inode == file->inode && profiles->files.items[i].device == file->device)
            return true;
    return false;
}

/* A copy has another name, or is packed in another way. */
static bool is_copy(const struct profiles *profiles, const struct profile_trace *trace) {
    for (size_t i = 0; i < profiles->files.count; i++) {
        const struct profile_trace *other = &profiles->files.items[i].trace;
        if (trace->events.count && other->events.count == trace->events.count && other->sum_ns == trace->sum_ns &&
            other->events.items[0].start_ns == trace->events.items[0].start_ns)
            return true;
    }
    return false;
}

static bool read_file(struct profiles *profiles, const char *path, struct err *err) {
    struct profile_file file = {.path = path};
    struct source source = {0};
    struct err why = {0};
    if (is_known(profiles, &file)) {
        file.refused = mem_strdup("is given twice");
        LIST_ADD(&profiles->files, file);
        return true;
    }
    if (!source_open(&source, path, err))
        return false;
    if (!profile_read(&file.trace, &source, profiles->pool, 0, &why))
        file.refused = mem_strdup(why.text);
    else if (is_copy(profiles, &file.trace))
        file.refused = mem_strdup("is given twice");
    else if (profiles->sum_ns + file.trace.sum_ns >= SUM_MAX_NS)
        file.refused = mem_strdup("has, with the profiles before it, more time than can be added");
    else
        profiles->sum_ns += file.trace.sum_ns;
    source_close(&source);
    LIST_ADD(&profiles->files, file);
    return true;
}

struct trace_folder {
    struct profiles *profiles;
    const char *path;
    struct err *err;
};

static bool is_trace_name(struct slice name) {
    static const struct slice ends[] = {SLICE_INIT(".json"), SLICE_INIT(".json.gz"), SLICE_INIT(".json.zst")};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (slice_ends(name, ends[i]))
            return true;
    return false;
}

/* A folder may have other JSON, which nobody meant. */
static void drop_other_json(struct profiles *profiles) {
    struct profile_file *last = &profiles->files.items[profiles->files.count - 1];
    if (last->trace.listed)
        return;
    profile_trace_free(&last->trace);
    mem_free(last->refused);
    profiles->files.count--;
}

static enum walk_next visit(void *data, const char *path, enum walk_type type) {
    const struct trace_folder *folder = data;
    if (type != WALK_FILE || !is_trace_name(slice_str(path)))
        return WALK_ON;
    char *whole = mem_printf("%s/%s", folder->path, path);
    LIST_ADD(&folder->profiles->owned, whole);
    if (folder->profiles->files.count == FILES_MAX)
        err_set(folder->err, ERR_INPUT, "%s has more than %d profiles", folder->path, FILES_MAX);
    else if (read_file(folder->profiles, whole, folder->err))
        drop_other_json(folder->profiles);
    return folder->err->code ? WALK_STOP : WALK_ON;
}

static bool read_folder(struct profiles *profiles, const char *path, struct err *err) {
    size_t before = profiles->files.count;
    struct err why = {0};
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    enum walk_result result =
        fd < 0 ? WALK_FAILED : walk_folder(fd, visit, &(struct trace_folder){profiles, path, &why});
    if (result == WALK_FAILED)
        err_errno(&why, "cannot read %s", path);
    else if (!why.code && profiles->files.count == before)
        err_set(&why, ERR_INPUT, "%s has no profile: no .json or .json.gz in it has traceEvents", path);
    if (fd >= 0)
        close(fd);
    if (why.code)
        *err = why;
    return !why.code;
}

bool profiles_read(struct profiles *profiles, const char *const *paths, size_t count, unsigned workers,
                   struct err *err) {
    bool good = true;
    pthread_mutex_init(&profiles->lock, NULL);
    profiles->locks = true;
    profiles->pool = count && workers ? pool_create(1, err) : NULL;
    if (count && workers && !profiles->pool)
        return false;
    for (size_t i = 0; good && i < count; i++) {
        struct stat status;
        bool folder = stat(paths[i], &status) == 0 && S_ISDIR(status.st_mode);
        good = folder ? read_folder(profiles, paths[i], err) : read_file(profiles, paths[i], err);
    }
    if (profiles->pool)
        pool_destroy(profiles->pool);
    profiles->pool = NULL;
    return good;
}

const char *profiles_complaint(const struct profiles *profiles, size_t n) {
    const struct profile_file *file = &profiles->files.items[n];
    return file->used ? NULL : file->refused ? file->refused : file->why;
}

void profiles_free(struct profiles *profiles) {
    for (size_t i = 0; i < profiles->files.count; i++) {
        profile_trace_free(&profiles->files.items[i].trace);
        mem_free(profiles->files.items[i].refused);
    }
    for (size_t i = 0; i < profiles->owned.count; i++)
        mem_free(profiles->owned.items[i]);
    mem_free(profiles->files.items);
    mem_free(profiles->owned.items);
    if (profiles->locks)
        pthread_mutex_destroy(&profiles->lock);
    *profiles = (struct profiles){0};
}

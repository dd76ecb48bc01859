#include "profile/profile.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/walk.h"
#include "trace/source.h"

enum { FILES_MAX = 4096 };

static void read_file(struct profiles *profiles, const char *path) {
    struct profile_file file = {.path = path};
    struct source source = {0};
    struct err err = {0};
    if (!source_open(&source, path, &err))
        file.refused = mem_printf("cannot be read: %s", err.text);
    else if (!profile_read(&file.trace, &source, &err))
        file.refused = mem_strdup(err.text);
    source_close(&source);
    LIST_ADD(&profiles->files, file);
}

struct trace_folder {
    struct profiles *profiles;
    const char *path;
};

static bool is_trace_name(struct slice name) {
    static const struct slice ends[] = {SLICE_INIT(".json"), SLICE_INIT(".json.gz"), SLICE_INIT(".json.zst")};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (slice_ends(name, ends[i]))
            return true;
    return false;
}

static enum walk_next visit(void *data, const char *path, enum walk_type type) {
    const struct trace_folder *folder = data;
    if (type == WALK_FILE && is_trace_name(slice_str(path))) {
        char *whole = mem_printf("%s/%s", folder->path, path);
        LIST_ADD(&folder->profiles->owned, whole);
        read_file(folder->profiles, whole);
    }
    return folder->profiles->files.count < FILES_MAX ? WALK_ON : WALK_STOP;
}

static void read_folder(struct profiles *profiles, const char *path) {
    size_t before = profiles->files.count;
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    enum walk_result result = fd < 0 ? WALK_FAILED : walk_folder(fd, visit, &(struct trace_folder){profiles, path});
    const char *why = result == WALK_FAILED ? strerror(errno) : "it has no *.json or *.json.gz";
    if (fd >= 0)
        close(fd);
    if (profiles->files.count == before)
        LIST_ADD(&profiles->files,
                 (struct profile_file){.path = path, .refused = mem_printf("cannot be read: %s", why)});
}

void profiles_read(struct profiles *profiles, const char *const *paths, size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct stat status;
        if (stat(paths[i], &status) == 0 && S_ISDIR(status.st_mode))
            read_folder(profiles, paths[i]);
        else
            read_file(profiles, paths[i]);
    }
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
    *profiles = (struct profiles){0};
}

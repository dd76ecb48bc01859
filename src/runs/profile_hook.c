#include "runs/profile_hook.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/dir.h"
#include "profile_recorder.inc"
#include "profile_site.inc"

enum { NOTE_BYTES = 400, TRACES_MAX = 4096 };

static bool make_folder(int parent, const char *name) {
    return mkdirat(parent, name, 0700) == 0 || errno == EEXIST;
}

static bool write_bytes(int fd, const unsigned char *bytes, size_t count) {
    size_t done = 0;
    while (done < count) {
        ssize_t wrote = write(fd, bytes + done, count - done);
        if (wrote < 0 && errno != EINTR)
            return false;
        done += wrote < 0 ? 0 : (size_t)wrote;
    }
    return true;
}

/* Atomically: other ranks may write the same, and programs read it. */
static bool write_file(int run, const char *name, const unsigned char *bytes, size_t count) {
    char *part = mem_printf("hook/part-%ld", (long)getpid());
    int fd = openat(run, part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    bool ok = fd >= 0 && write_bytes(fd, bytes, count);
    if (fd >= 0)
        ok = close(fd) == 0 && ok;
    ok = ok && renameat(run, part, run, name) == 0;
    mem_free(part);
    return ok;
}

bool profile_hook_write(int run) {
    return make_folder(run, "hook") && make_folder(run, "profile") && make_folder(run, "profile/own") &&
           write_file(run, "hook/tlparse_recorder.py", profile_recorder, sizeof profile_recorder) &&
           write_file(run, "hook/sitecustomize.py", profile_site, sizeof profile_site);
}

static bool is_file(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, R_OK) == 0;
}

/* The files in the folder whose names start so; where links lead. */
static void add_files(struct profile_traces *traces, const char *folder, const char *start) {
    struct names names = {0};
    int fd = open(folder, DIR_OPEN | O_NOFOLLOW);
    if (fd < 0)
        return;
    names_list(fd, &names);
    for (size_t i = 0; i < names.count && traces->paths.count < TRACES_MAX; i++) {
        char target[PATH_MAX], *path = mem_printf("%s/%s", folder, names.items[i]);
        if (slice_starts(slice_str(names.items[i]), slice_str(start)) && realpath(path, target) && is_file(target))
            LIST_ADD(&traces->paths, mem_strdup(target));
        mem_free(path);
    }
    names_free(&names);
    close(fd);
}

static char *first_line(const char *path) {
    char text[NOTE_BYTES];
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    ssize_t got = fd < 0 ? 0 : read(fd, text, sizeof text);
    if (fd >= 0)
        close(fd);
    struct slice line, rest = slice_make(text, got < 0 ? 0 : (size_t)got);
    return slice_next_line(&rest, &line) && line.len ? mem_printf("%.*s", SLICE_ARG(line)) : NULL;
}

static void find_note(struct profile_traces *traces, const char *folder) {
    struct profile_traces notes = {0};
    add_files(&notes, folder, "note-");
    if (notes.paths.count)
        traces->note = first_line(notes.paths.items[0]);
    profile_traces_free(&notes);
}

void profile_traces_find(struct profile_traces *traces, const char *path) {
    char *folder = mem_printf("%s/profile", path), *own = mem_printf("%s/own", folder);
    *traces = (struct profile_traces){0};
    add_files(traces, own, "");
    if (!traces->paths.count) {
        add_files(traces, folder, "trace-");
        find_note(traces, folder);
    }
    mem_free(own);
    mem_free(folder);
}

void profile_traces_free(struct profile_traces *traces) {
    for (size_t i = 0; i < traces->paths.count; i++)
        mem_free(traces->paths.items[i]);
    mem_free(traces->paths.items);
    mem_free(traces->note);
    *traces = (struct profile_traces){0};
}

/* A folder of files with any names and beginnings: whatever is chosen is in the folder, once; and any text as the manifest of
 * that folder: it covers only what it lists.
 *
 * The input is a list of files: name, 0x1f, content, 0x1e. The first byte selects the options. */
#define _GNU_SOURCE /* nftw */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "fuzz.h"
#include "sink/manifest.h"
#include "sink/sinks.h"
#include "trace/choose.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);

enum { FILES_MAX = 12, NAME_MAX_BYTES = 60 };

static char folder[256];

static int drop(const char *path, const struct stat *stat, int type, struct FTW *ftw) {
    (void)stat, (void)type;
    return ftw->level == 0 ? 0 : remove(path);
}

static void remove_folder(void) {
    nftw(folder, drop, 16, FTW_DEPTH | FTW_PHYS);
    rmdir(folder);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    const char *memory = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(folder, sizeof folder, "%s/fuzz-choose-XXXXXX", memory);
    MUST(mkdtemp(folder));
    atexit(remove_folder);
    return 0;
}

/* Each part of the name but the last is a folder. Returns false if the name cannot be one. */
static bool write_file(int dirfd, struct slice name, struct slice content) {
    char path[NAME_MAX_BYTES + 1];
    if (!name.len || name.len > NAME_MAX_BYTES || memchr(name.ptr, 0, name.len) || name.ptr[0] == '/' ||
        slice_find(name, SLICE("..")) != SIZE_MAX)
        return false;
    memcpy(path, name.ptr, name.len);
    path[name.len] = 0;
    for (char *slash = path; (slash = strchr(slash, '/')); slash++) {
        *slash = 0;
        mkdirat(dirfd, path, 0777);
        *slash = '/';
    }
    int fd = openat(dirfd, path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd < 0)
        return false;
    MUST(write(fd, content.ptr, content.len) == (ssize_t)content.len);
    close(fd);
    return true;
}

static void choose(unsigned options) {
    const char *path = folder;
    struct choose_request request = {.paths = &path,
                                     .path_count = 1,
                                     .latest = options & 1,
                                     .compare = options & 2,
                                     .all_ranks = options & 4,
                                     .one_run = options & 8};
    struct choice choice;
    struct err err = {0};
    if (!choose_logs(&request, &choice, &err)) {
        MUST(err.code != ERR_NONE && err.text[0]);
        return;
    }
    MUST(choice.count && choice.groups.count);
    for (size_t i = 0; i < choice.count; i++) {
        struct stat stat;
        MUST(strncmp(choice.items[i].path, folder, strlen(folder)) == 0);
        MUST(lstat(choice.items[i].path, &stat) == 0 && S_ISREG(stat.st_mode));
        for (size_t j = 0; j < i; j++)
            MUST(strcmp(choice.items[i].path, choice.items[j].path) != 0);
    }
    size_t next = 0;
    for (size_t g = 0; g < choice.groups.count; g++) {
        MUST(choice.groups.items[g].first == next && choice.groups.items[g].count);
        next += choice.groups.items[g].count;
    }
    MUST(next == choice.count);
    choice_finish(&choice);
}

static struct slice manifest; /* of the current execution */

/* Folders may have a manifest of their own. */
static int must_be_listed(const char *path, const struct stat *stat, int type, struct FTW *ftw) {
    const char *name = path + strlen(folder) + 1;
    struct buf line = {0};
    (void)stat;
    if (type != FTW_F || ftw->level != 1)
        return 0;
    buf_addf(&line, "\n%s\n", name);
    MUST(slice_find(manifest, buf_slice(&line)) != SIZE_MAX);
    buf_free(&line);
    return 0;
}

static void judge(int dirfd) {
    struct buf foreign = {0};
    if (manifest_check(dirfd, "report", &foreign) == MANIFEST_COVERS)
        nftw(folder, must_be_listed, 16, FTW_PHYS);
    foreign.len = 0;
    verdict_on(dirfd, "report", &foreign);
    buf_free(&foreign);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1)
        return 0;
    struct slice rest = {(const char *)data + 1, size - 1};
    int dirfd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    MUST(dirfd >= 0);
    manifest = (struct slice){0};
    for (int i = 0; i < FILES_MAX && rest.len; i++) {
        const char *end = memchr(rest.ptr, 0x1e, rest.len);
        struct slice file = slice_first(rest, end ? (size_t)(end - rest.ptr) : rest.len);
        rest = slice_from(rest, file.len + (end ? 1 : 0));
        const char *comma = file.len ? memchr(file.ptr, 0x1f, file.len) : NULL;
        struct slice name = slice_first(file, comma ? (size_t)(comma - file.ptr) : file.len);
        struct slice content = slice_from(file, name.len + (comma ? 1 : 0));
        if (write_file(dirfd, name, content) && slice_is(name, MANIFEST_PATH))
            manifest = content;
    }
    choose(data[0]);
    judge(dirfd);
    close(dirfd);
    MUST(nftw(folder, drop, 16, FTW_DEPTH | FTW_PHYS) == 0);
    return 0;
}

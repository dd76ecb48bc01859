#include "sink/staging.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "base/compat.h"
#include "base/dir.h"
#include "base/mem.h"

enum { NAME_SHOWN = 200, RANDOM_CHARS = 6 };

static const struct slice staging_mark = SLICE_INIT(".tlparse-");

bool staging_is_name(struct slice name) {
    size_t tail = staging_mark.len + RANDOM_CHARS;
    return name.len > tail && name.ptr[0] == '.' && slice_starts(slice_from(name, name.len - tail), staging_mark);
}

/* Whether the entry is a staging folder of the place with this name. */
static bool is_staging_of(struct slice entry, const char *name) {
    size_t shown = strnlen(name, NAME_SHOWN);
    return staging_is_name(entry) && entry.len == 1 + shown + staging_mark.len + RANDOM_CHARS &&
           memcmp(entry.ptr + 1, name, shown) == 0;
}

static char *staging_name(const char *name) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz012345";
    unsigned char random[RANDOM_CHARS];
    char text[RANDOM_CHARS + 1] = "";
    if (!compat_random(random, sizeof random)) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        uint64_t mix = (uint64_t)now.tv_nsec * 2654435761u ^ (uint64_t)getpid();
        memcpy(random, &mix, sizeof random);
    }
    for (int i = 0; i < RANDOM_CHARS; i++)
        text[i] = letters[random[i] % 32];
    return mem_printf(".%.*s%s%s", NAME_SHOWN, name, staging_mark.ptr, text);
}

/* Another run may remove it as abandoned before it is locked: retry. */
int staging_make(int parent, const char *name, char **staging) {
    for (int tries = 0; tries < 100; tries++) {
        struct stat made, there;
        char *fresh = staging_name(name);
        if (mkdirat(parent, fresh, 0777) == 0) {
            int fd = openat(parent, fresh, DIR_OPEN | O_NOFOLLOW);
            bool ours = fd >= 0 && (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK);
            if (ours && fstat(fd, &made) == 0 && fstatat(parent, fresh, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
                dir_is_same(&made, &there)) {
                *staging = fresh;
                return fd;
            }
            if (fd >= 0)
                close(fd);
            unlinkat(parent, fresh, AT_REMOVEDIR);
        } else if (errno != EEXIST) {
            free(fresh);
            return -1;
        }
        free(fresh);
    }
    return -1;
}

void staging_remove_stale(int parent, const char *name) {
    struct names names = {0};
    struct stat st;
    names_list(parent, &names);
    for (size_t i = 0; i < names.count; i++) {
        if (!is_staging_of(slice_str(names.items[i]), name))
            continue;
        int fd = openat(parent, names.items[i], DIR_OPEN | O_NOFOLLOW);
        if (fd < 0)
            continue;
        if (fstat(fd, &st) == 0 && st.st_uid == geteuid() && flock(fd, LOCK_EX | LOCK_NB) == 0)
            dir_remove(parent, names.items[i]);
        close(fd);
    }
    names_free(&names);
}

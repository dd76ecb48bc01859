/* dir.h - folders by file descriptor: what lies in one, and how one is removed with all that lies in it.
 *
 * No link is ever followed while removing, no mount point entered; neither the stack nor the number of open files grows with what
 * is removed. Nothing here is shared between threads. Functions that return bool leave the reason in errno when false. */
#ifndef TLPARSE_BASE_DIR_H
#define TLPARSE_BASE_DIR_H

#include <fcntl.h>
#include <sys/stat.h>

#include "base/slice.h"

/* Flags to open a folder with; the includer defines _GNU_SOURCE. */
#define DIR_OPEN (O_RDONLY | O_DIRECTORY | O_CLOEXEC)

struct names {
    char **items;
    size_t count, cap;
};

/* All entries but "." and "..", sorted; index.html comes last, so that a page that can be opened has all that it needs when they
 * are moved in this order. names must be {0}. */
bool names_list(int fd, struct names *names);
void names_free(struct names *names);

bool dir_is_mount_point(int fd);
static inline bool dir_is_same(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Removes a file or an empty folder; true when it is gone. errno ENOTEMPTY for a folder that is not empty. */
bool dir_remove_simple(int fd, const char *name);
/* Removes the folder `name` of parent with all that is in it; true when it is gone. */
bool dir_remove(int parent, const char *name);

#endif

/* dir.h - lists and removes folders by file descriptor.
 *
 * Removal never follows a link or enters a mount point. Neither the stack nor the number of open files grows with the
 * size of the tree. No shared state. Functions that return bool set errno on failure. */
#pragma once

#include <fcntl.h>
#include <sys/stat.h>

#include "base/slice.h"

/* Flags to open a folder. */
#define DIR_OPEN (O_RDONLY | O_DIRECTORY | O_CLOEXEC)

struct names {
    char **items;
    size_t count, cap;
};

/* Lists all entries except "." and "..", in the order of dir_name_order(). names must be {0}. Returns false if the folder cannot
 * be read to its end; the list then has the names before the failure. */
bool names_list(int fd, struct names *names);
void names_free(struct names *names);
/* As strcmp(), but index.html comes last: if entries are moved in this order, the report is complete as soon as its
 * page can be opened. */
int dir_name_order(struct slice a, struct slice b);

bool dir_is_mount_point(int fd);
static inline bool dir_is_same(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Creates the folder and its missing parents. Succeeds if the folder exists. */
bool dir_make(const char *path, mode_t mode);

/* Removes a file or an empty folder. Returns true if it is gone. errno is ENOTEMPTY for a folder that is not empty. */
bool dir_remove_simple(int fd, const char *name);
/* Removes the folder `name` of parent and its contents, without allocating memory on Linux. Returns true if it is gone. */
bool dir_remove(int parent, const char *name);

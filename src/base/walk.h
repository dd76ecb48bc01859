/* walk.h - visits everything in a folder.
 *
 * Does not follow links. The number of open files does not grow with the depth. The stack does, up to the maximum
 * length of a path. No shared state. */
#pragma once

#include "base/slice.h"

enum walk_type {
    WALK_FILE, /* a regular one */
    WALK_FOLDER,
    WALK_OTHER, /* a link, a device, ... */
};

enum walk_next {
    WALK_STOP,
    WALK_SKIP, /* do not enter this folder */
    WALK_ON,
};

/* `path` is relative to the walked folder. The path of a folder ends in '/'. */
typedef enum walk_next walk_visit(void *data, const char *path, enum walk_type type);

enum walk_result { WALK_DONE, WALK_STOPPED, WALK_FAILED };

/* Visits the entries of the folder, sorted by walk_order(), so a folder comes before its content. WALK_FAILED: an entry
 * cannot be read, see errno. */
enum walk_result walk_folder(int fd, walk_visit *visit, void *data);

/* Compares two paths part by part, with dir_name_order(). */
int walk_order(struct slice a, struct slice b);

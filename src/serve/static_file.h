/* static_file.h - opens the file for a path of the report.
 *
 * Nothing outside of the folder is ever opened: the path is resolved part by part from the folder, without following
 * symbolic links. So neither names nor concurrent changes of the folder can lead outside. Only regular files are
 * opened.
 *
 * The folder is kept open. If another report replaces it (tlparse --overwrite), the new one is served. One thread. */
#pragma once

#include "serve/conditions.h"

struct static_root {
    const char *path; /* owned by the caller; valid until static_root_close() */
    int fd;
};

struct static_file {
    int fd; /* the caller of static_file_open() closes it */
    uint64_t bytes;
    const char *type; /* for Content-Type */
    struct validator validator;
};

enum static_result {
    STATIC_FILE,
    STATIC_FOLDER,    /* a folder with an index.html that was requested without its trailing '/' */
    STATIC_NOWHERE,   /* no such file, or not a regular file: 404 */
    STATIC_FORBIDDEN, /* permission denied: 403 */
    STATIC_BUSY,      /* too many open files or no memory: 503 */
    STATIC_FAILED,    /* another system error: 500 */
};

bool static_root_open(struct static_root *root, const char *path, struct err *err);
void static_root_close(struct static_root *root);
/* Reopens the folder if the path now refers to another one. Returns whether it did. static_file_open() calls it. */
bool static_root_follow(struct static_root *root);

/* path: the path of a target. For a folder, opens its index.html. Sets *file only for STATIC_FILE. */
enum static_result static_file_open(struct static_root *root, struct slice path, bool folder, struct static_file *file);
/* The type for the name's extension; "application/octet-stream" if it is unknown. */
const char *static_file_type(struct slice name);

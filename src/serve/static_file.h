/* static_file.h - a path below the report becomes an open file.
 *
 * Nothing outside of the folder is ever opened: the path is walked part by part from the folder, and no symbolic link
 * is followed, so it does not matter what its names are or who changes the folder meanwhile. Only regular files are
 * opened.
 *
 * The folder is held open. When another report takes its place (tlparse --overwrite), that one is served from then on.
 * One thread. */
#ifndef TLPARSE_SERVE_STATIC_FILE_H
#define TLPARSE_SERVE_STATIC_FILE_H

#include "base/err.h"
#include "base/slice.h"
#include "serve/conditions.h"

struct static_root {
    const char *path; /* the caller's; alive until static_root_close() */
    int fd;
};

struct static_file {
    int fd; /* who opened the file closes it */
    uint64_t bytes;
    const char *type; /* for Content-Type */
    struct validator validator;
};

enum static_result {
    STATIC_FILE,
    STATIC_FOLDER,    /* a folder with an index.html, asked for without '/' at its end */
    STATIC_NOWHERE,   /* no such file, or nothing to be served: 404 */
    STATIC_FORBIDDEN, /* may not be read: 403 */
    STATIC_BUSY,      /* too many open files or no memory: 503 */
    STATIC_FAILED,    /* the system refused something else: 500 */
};

bool static_root_open(struct static_root *root, const char *path, struct err *err);
void static_root_close(struct static_root *root);

/* path: a target's. Of a folder its index.html is opened. *file is set for STATIC_FILE only. */
enum static_result static_file_open(struct static_root *root, struct slice path, bool folder, struct static_file *file);
/* By the name's extension; "application/octet-stream" for what is not known. */
const char *static_file_type(struct slice name);

#endif

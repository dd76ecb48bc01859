/* tree.h - the files of a finished report, read from its folder.
 *
 * Only regular files count: links are not followed, and nothing outside of the folder is read. Paths are relative,
 * "data/report.js", and sorted by bytes, but with numbers by value (rank_2 before rank_10). One thread.
 *
 * Life cycle: tree_open, tree_read…, tree_close. */
#pragma once

#include "base/base.h"

struct tree {
    int fd;
    char *name; /* name of the folder, for messages */
    LIST(struct tree_file {
        char *path;
        uint64_t bytes;
    })
    files;
};

/* Lists the files of an open folder. The tree keeps its own descriptor. Fails if a folder cannot be read. */
bool tree_open(struct tree *tree, int fd, const char *name, struct err *err);
void tree_close(struct tree *tree);
/* The index of a path, or SIZE_MAX. */
size_t tree_find(const struct tree *tree, const char *path);
/* A descriptor for reading the i-th file, or -1. The caller closes it. */
int tree_open_file(const struct tree *tree, size_t i, struct err *err);
/* Adds the content of the i-th file. */
bool tree_read(const struct tree *tree, size_t i, struct buf *out, struct err *err);

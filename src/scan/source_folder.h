/* source_folder.h - files of source below folders that the user named (--source), found by the paths of a log.
 *
 * A path of a log is not trusted. Only regular files with the ending .py are read, of at most SOURCE_FILE_MAX bytes, in UTF-8, below the
 * folder, and through no symbolic link. Reading needs no lock; what was found is counted under one, because several logs may be read at
 * the same time. */
#pragma once

#include <pthread.h>

#include "base/base.h"

enum { SOURCE_FILE_MAX = 4 << 20, SOURCE_NAMED_MAX = 3 };

enum source_outcome { SOURCE_AGREES, SOURCE_DIFFERS, SOURCE_MISSING, SOURCE_LEFT_OUT, SOURCE_OUTCOMES };

struct source_folder {
    const char *path; /* as the user gave it; not owned */
    int fd;
};

struct source_folders {
    LIST(struct source_folder) list;
    pthread_mutex_t lock;
    /* By source_folders_count(): */
    struct map files; /* path in the log → index in `outcomes` */
    LIST(unsigned char) outcomes;
    size_t counts[SOURCE_OUTCOMES];
    LIST(char *) named; /* why files are not used, at most SOURCE_NAMED_MAX sentences */
};

/* Opens the folders; `folders` is {.lock = PTHREAD_MUTEX_INITIALIZER}. Sets an error (ERR_USAGE) if one cannot be opened;
 * source_folders_close() is needed even then. */
bool source_folders_open(struct source_folders *folders, const char *const *paths, size_t count, struct err *err);
void source_folders_close(struct source_folders *folders);

/* A file that may be the one of the log. */
struct source_candidate {
    size_t folder;      /* that it is below */
    struct slice below; /* its path there: the end of that of the log */
    size_t next;        /* where the search goes on: {0} before the first one */
};
/* Whether the log's path can be that of a file that is read. */
bool source_path_is_good(struct slice path);
/* The next file, by the length of the part of the path that is the same, and then by folders; its text replaces that of `out`.
 * Returns false at the end. */
bool source_folders_next(const struct source_folders *folders, struct slice path, struct source_candidate *candidate,
                         struct buf *out);

/* Counts the file of this path, which ranks of a job have, too: the latest outcome is that of the file. why: for the user, why it is not used;
 * empty: it is. */
void source_folders_count(struct source_folders *folders, struct slice path, enum source_outcome outcome,
                          struct slice why);
/* A line for the user about files that were not used; adds nothing if all were. */
void source_folders_add_note(const struct source_folders *folders, struct buf *out);

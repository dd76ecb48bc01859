/* outdir.h - builds the folder of a report in a staging folder, and moves it into place when it is complete.
 *
 * Invariants
 *   - Before outdir_commit(), nothing changes at the place, even on failure: a full disk, a signal, a bug.
 *   - A run without a report leaves nothing, not even if memory is exhausted: the staging folder is removed, and so are the parents that
 *     were created for it.
 *   - Existing content is removed only if `overwrite` is set and it is nothing but a report (sinks.h): all of it is listed in
 *     its manifest, or it has no manifest and only what the reference writes. The home folder, the root, and folders that contain
 *     an input or the current folder are never removed. This is checked at the start and before the old report is
 *     moved; its content once more when it has been moved out of the way, where nobody adds to it.
 *   - Several processes may write to the same place at the same time: each report is whole, and the last one stays.
 *   - An existing empty folder is filled. It keeps its mode and owner. A link to a folder is kept, and its target is
 *     used.
 *   - Removal never follows a link or enters a mount point. Neither the stack nor the number of open files grows with
 *     the size of the tree.
 *
 * The staging folder has the hidden name .NAME.tlparse-XXXXXX. It is next to the place, or inside of it if the place
 * itself cannot be renamed (the current folder, a mount point, a parent without write permission). In the latter case
 * the entries are moved one by one, index.html last; if a process is killed in this moment, the next call finishes that
 * (staging.h). There is no fsync(): if the machine crashes within seconds, the report may be incomplete.
 *
 * The staging folder is locked (flock) while its process lives, so a staging folder that can be locked was left by a
 * killed run: outdir_begin() removes those of the same place. Other hosts may not see the lock. On a file system that
 * they may write to, outdir_begin() only removes staging folders of its own host, as their names tell.
 *
 * Life cycle: outdir_init, outdir_begin, [write to outdir_fd()], outdir_commit, outdir_finish. outdir_finish() may be
 * called at any time after outdir_init() and removes what was not committed. One thread, except for
 * outdir_interrupt(). */
#pragma once

#include "base/base.h"
#include <pthread.h>
#include <sys/types.h>

struct outdir_request {
    const char *path; /* the place; missing parents are created */
    bool overwrite;
    const char *const *inputs; /* files that must not be inside anything that is removed */
    size_t input_count;
};

enum { OUTDIR_SPARES = 4 };

struct outdir {
    pthread_mutex_t lock;          /* held while the fields or the folders change */
    struct outdir_request request; /* owned by the caller; valid until outdir_finish() */
    int parent;                    /* the folder that contains the staging folder */
    int fd;                        /* the staging folder, or -1; only its owner may enter it */
    mode_t mode;                   /* of a new folder */
    int spares[OUTDIR_SPARES];     /* reserved descriptors: closed before a report is moved or removed */
    char *staging;                 /* its name in parent; NULL if there is nothing to remove */
    char *name;                    /* name of the place in its parent, for the names of staging folders */
    bool inside;                   /* parent is the place itself */
    char *parents;                 /* the folder that contains the place, if it did not exist */
    unsigned made; /* how many of the last parts of `parents` this run created, and removes if there is no report */
    char *aside;   /* during a commit: a name for the old report */
    struct outdir_moved *moved; /* what a commit has moved but not yet checked, or NULL */
    bool leftover; /* the staging folder or the old report could not be removed completely: hidden files are left */
};

void outdir_init(struct outdir *o);
/* Fails with ERR_SYSTEM and a message that names the existing content. */
bool outdir_begin(struct outdir *o, const struct outdir_request *request, struct err *err);
/* The staging folder, which only its owner may enter: it may contain data that a redacted file omits. Valid until
 * outdir_finish(). */
int outdir_fd(const struct outdir *o);
/* Moves the report into place. If this fails, the old report is unchanged. */
bool outdir_commit(struct outdir *o, struct err *err);
/* Removes the staging folder after the caller has taken what it needs from it. */
void outdir_discard(struct outdir *o);
void outdir_finish(struct outdir *o);

/* For the thread that receives a signal: removes the staging folder, even while others write to it, and blocks every
 * later call of the other functions. A commit in progress is finished first. Calls `removing` (NULL: nothing) before it
 * removes a folder, which may take seconds. The caller then ends the process. */
void outdir_interrupt(struct outdir *o, void (*removing)(void));

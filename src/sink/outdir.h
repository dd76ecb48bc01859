/* outdir.h - the folder of a report: built beside its place, and moved there when it is whole.
 *
 * Invariants
 *   - Until outdir_commit() nothing at the place changes, whatever fails: a full disk, a signal, a bug.
 *   - What is in the way is removed only when `overwrite` was asked for and it is a report and nothing else: every
 *     entry at its top has a name and type that a report of this program or of the reference has, and one of them tells
 *     it from any other folder. Never the home folder, the root, or a folder that holds an input or the current folder.
 *     This is checked at the begin, and again right before the old report goes.
 *   - An empty folder in the way is filled; it keeps its mode and owner. A link to a folder stays, its folder is worked
 *     on.
 *   - No link is ever followed while removing, no mount point entered; neither the stack nor the number of open files
 *     grows with what is removed.
 *
 * The staging folder has the hidden name .NAME.tlparse-XXXXXX. It stands beside the place, or inside of it where the
 * place itself cannot be renamed (the current folder, a mount point, a parent that may not be written to); then the
 * entries are moved one by one, index.html last. It is locked (flock) while its maker lives, so one that can be locked
 * was left by a run that was killed: outdir_begin() removes those of the same place.
 *
 * Life cycle: outdir_init, outdir_begin, [write into outdir_fd()], outdir_commit, outdir_finish; outdir_finish may be
 * called at any time after outdir_init and removes what was not committed. One thread, but for outdir_interrupt(). */
#ifndef TLPARSE_SINK_OUTDIR_H
#define TLPARSE_SINK_OUTDIR_H

#include <pthread.h>

#include "base/err.h"
#include "base/slice.h"

struct outdir_request {
    const char *path; /* the place; missing parents are made */
    bool overwrite;
    const char *const *inputs; /* files that must not lie inside of what is removed */
    size_t input_count;
};

struct outdir {
    pthread_mutex_t lock;          /* held while the fields or the folders change */
    struct outdir_request request; /* the caller's; alive until outdir_finish() */
    int parent;                    /* the folder that holds the staging folder */
    int fd;                        /* the staging folder, -1 when there is none */
    char *staging;                 /* its name in parent; NULL when there is nothing to remove */
    char *name;                    /* of the place in its own parent, for names of staging folders */
    bool inside;                   /* parent is the place itself */
    bool leftover; /* after a commit: the old report could not be removed whole; hidden rests are left */
};

void outdir_init(struct outdir *o);
/* ERR_SYSTEM with a message that names what is in the way. */
bool outdir_begin(struct outdir *o, const struct outdir_request *request, struct err *err);
/* The staging folder. Valid until outdir_finish(). */
int outdir_fd(const struct outdir *o);
/* Puts the report in its place. When it fails the old one is where it was. */
bool outdir_commit(struct outdir *o, struct err *err);
void outdir_finish(struct outdir *o);

/* For the thread that is told of a signal: removes the staging folder, even while others write into it, and makes every
 * later call of the other functions wait for ever. A commit that has begun is ended first. The caller ends the
 * process. */
void outdir_interrupt(struct outdir *o);

#endif

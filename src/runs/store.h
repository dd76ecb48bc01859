/* store.h - the folder in which `tlparse run` keeps its runs.
 *
 *     $XDG_STATE_HOME/tlparse/runs/   otherwise ~/.local/state/tlparse/runs
 *       <id>/                         a run; the id is 8 hexadecimal digits
 *         run.json                    its metadata, see run_file.h
 *         alive.<n>                   locked (flock) by process n of the run as long as it lives
 *         logs/ report/               unless the user wanted them elsewhere
 *         pinned                      the run is never removed on its own
 *       jobs/                         the run that the processes of a distributed job share, see job.h
 *       .new-<id>/, .gone-<id>/       a run that is being created or removed
 *
 * Folders have the mode 0700 and files 0600: logs contain source code. Any number of programs may use a store at the
 * same time. A run appears and disappears atomically, with rename(). The system releases the lock of an open file if
 * its program is killed, so an unfinished run whose lock nobody holds was interrupted.
 *
 * Life cycle: store_open .. store_close. One thread. */
#pragma once

#include "base/base.h"
#include "base/dir.h"

enum { RUN_ID_LEN = 8 };

struct store {
    char *path; /* absolute */
    int fd;     /* -1: the folder does not exist */
};

/* Opens the store. Creates the folder if `create` is true; otherwise, a missing folder is an empty store. */
bool store_open(struct store *store, bool create, struct err *err);
void store_close(struct store *store);

bool store_is_id(struct slice name);
/* The ids of all runs, in arbitrary order. names must be {0}. */
bool store_list(const struct store *store, struct names *ids, struct err *err);
/* Creates an empty run, which is invisible to others until store_publish_run(). id has room for RUN_ID_LEN + 1 bytes.
 * Returns a descriptor of its folder, or -1. */
int store_create_run(const struct store *store, char *id, struct err *err);
/* Returns false with errno. */
bool store_publish_run(const struct store *store, const char *id);
/* A descriptor of the folder of a run, or -1 with errno. */
int store_open_run(const struct store *store, const char *id);
/* Removes a run and the content of its folder. Returns false with errno if it still exists. */
bool store_remove_run(const struct store *store, const char *id);
/* Removes the remains of removals that were killed. */
void store_sweep(const struct store *store);
/* Size of all files of the run, in bytes. Links are not followed. */
uint64_t store_run_bytes(const struct store *store, const char *id);

/* Locks alive.<n> until the descriptor is closed, or this program ends. Returns -1 with errno. */
int store_hold(int run, size_t n);
/* Whether another program holds alive.<n>. */
bool store_is_held(int run, size_t n);

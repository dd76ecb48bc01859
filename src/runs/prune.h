/* prune.h - keeps the store small. One thread. */
#ifndef TLPARSE_RUNS_PRUNE_H
#define TLPARSE_RUNS_PRUNE_H

#include "runs/kept.h"

enum { PRUNE_KEEP = 50 };                /* runs */
#define PRUNE_BYTES (UINT64_C(10) << 30) /* 10 GiB: of all runs, without logs and reports that are elsewhere */

/* Removes the oldest runs until at most `keep` are left, and at most PRUNE_BYTES. Runs that are pinned or not over, and the
 * run `own`, are never removed, but count. Returns how many were removed. */
size_t prune(const struct store *store, size_t keep, const char *own);

#endif

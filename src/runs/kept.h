/* kept.h - a kept run as commands show it: the content of run.json, and what follows from it and from which processes
 * still live.
 *
 * Life cycle: kept_runs_read .. kept_runs_finish. One thread. */
#pragma once

#include "answers/term.h"
#include "base/json.h"
#include "base/jsonw.h"
#include "runs/store.h"

enum kept_state {
    KEPT_RUNNING,
    KEPT_ENDED,
    KEPT_INTERRUPTED, /* no process lives, and at least one left no exit status: it was killed */
};

struct kept {
    char id[RUN_ID_LEN + 1];
    yyjson_doc *doc;  /* NULL: run.json is missing or damaged */
    yyjson_val *root; /* NULL with doc */
    enum kept_state state;
    bool pinned;
    int64_t started_us;  /* since 1970; for a damaged run: when its folder last changed */
    int64_t duration_us; /* until the last process ended; -1: unknown, or not ended */
    int64_t status;      /* exit status; -1: none, or still running */
    struct slice signal; /* "SIGTERM", of `doc`; empty: none */
    int64_t failed_rank; /* the rank with that status; -1: there is only one process, or all succeeded */
    uint64_t bytes;      /* in the store */
    char *logs, *report; /* absolute paths; report is NULL if there is none */
};

struct kept_runs {
    struct kept *items; /* the newest first */
    size_t count, cap;
};

bool kept_runs_read(struct kept_runs *runs, const struct store *store, struct err *err);
void kept_runs_finish(struct kept_runs *runs);

/* The run that a user names: by its id, a unique beginning of its id, "last" (the newest run), or "last~1" (the
 * previous one). NULL with ERR_USAGE if there is none. */
const struct kept *kept_runs_find(const struct kept_runs *runs, const char *name, struct err *err);

/* Adds an argument as a word for a shell, quoted if necessary. */
void kept_add_word(struct buf *out, struct slice argument);
/* Adds the command as a line for a shell. */
void kept_add_command(struct buf *out, const struct kept *kept);
/* Adds the object of doc/runs.schema.json. */
void kept_add_json(struct jsonw *w, const struct kept *kept);
const char *kept_state_name(enum kept_state state);

/* kept_text.c - kept runs as text for a terminal: a table of all runs, or the details of one. Their content is
 * untrusted; term.h sanitizes it. Times are local. One thread. */
void kept_add_list(struct term *term, const struct kept_runs *runs, const struct store *store);
void kept_add_details(struct term *term, const struct kept *run);
/* Adds the object of doc/runs.schema.json, with a newline: at most `count` runs, starting with `first`. */
void kept_add_runs_json(struct buf *out, const struct store *store, const struct kept *first, size_t count);

/* prune.c - keeps the store small. One thread. */
enum { PRUNE_KEEP = 50 };                /* runs */
#define PRUNE_BYTES (UINT64_C(10) << 30) /* 10 GiB: for all runs together, without logs and reports elsewhere */

/* Removes the oldest runs until at most `keep` runs with at most PRUNE_BYTES are left. Pinned and unfinished runs, and
 * the run `own`, are never removed, but count. Returns the number of removed runs. */
size_t prune(const struct store *store, size_t keep, const char *own);

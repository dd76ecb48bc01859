/* run.h - how one log is to be read and written, and whom to tell of it.
 *
 * The caller of pipeline_run() fills both and owns what they point to until it returns. */
#ifndef TLPARSE_KINDS_RUN_H
#define TLPARSE_KINDS_RUN_H

#include "base/slice.h"

struct processes;
struct sink;
struct spooled;
struct model;
struct view_together;
struct process_ranks;

struct run_options {
    bool plain_text;            /* -p: code as .txt */
    struct slice custom_header; /* HTML of the caller's own, put at the top of index.html as it is */
    unsigned workers;           /* 0: all in the calling thread */
    size_t block_bytes;         /* 0: the usual size */
    bool export;                /* --export: the reference's files of an export, and no numbers for the others */
    bool provenance;            /* -i: provenance pages even where the log holds no mappings */
    bool split;                 /* further ranks in the log get reports of their own, below rank_<N>/ */
    bool has_only_rank;         /* take the records of this rank (and of none), and leave all others without a word */
    uint64_t only_rank;
    const struct process_ranks
        *process_ranks;          /* whose records without a rank are, for split and only_rank; NULL: not known */
    struct processes *processes; /* tables of strings shared with other logs of these processes; NULL: none */
    struct spooled
        *shared_events; /* takes the events once more, with events_pid as their pid and a comma between two: for those
                                    * who put the events of several ranks together; NULL: nobody does. Started by the caller,
                                    * ended by the pipeline */
    uint64_t events_pid;
    struct sink *assets; /* another report that has the front end already: it is shared; NULL: none */
};

/* Whom to tell; every function may be NULL. Called by the thread of pipeline_run() only. */
struct run_watcher {
    void *context;
    /* A fault of the log: its kind (the same text each time, reads as a sentence), the 1-based line, and what stands there
     * (detail may be empty; perhaps no UTF-8). */
    void (*fault)(void *context, const char *kind, uint64_t line, struct slice detail);
    /* A report's model is whole; it is freed afterwards. dir is its folder below the sink, "" for the folder itself, which comes
     * last: of it, together can be filled with what report.json says of all of them. */
    void (*whole)(void *context, struct model *model, const char *dir, struct view_together *together);
    /* How many bytes of the log (unpacked) have been read. Called for each block. */
    void (*progress)(void *context, uint64_t bytes);
};

#endif

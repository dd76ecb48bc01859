/* reading.h - options for reading and writing one log, and callbacks.
 *
 * The caller of pipeline_run() fills both, and keeps everything that they point to alive until it returns. */
#pragma once

#include "base/base.h"

struct fold;
struct parsers;
struct profiles;
struct source_folders;
struct source_remote;
struct processes;
struct sink;
struct spooled;
struct model;
struct view_together;
struct process_ranks;
struct choice_paths;

struct reading_options {
    bool plain_text;                    /* -p: code as .txt */
    struct slice custom_header;         /* trusted HTML from the caller, inserted unescaped at the top of index.html */
    uint64_t live;                      /* html.h */
    struct slice source_link;           /* JSON value of the member in report.json; ptr NULL: none */
    const struct parsers *parsers;      /* the user's own parsers; NULL: none */
    struct profiles *profiles;          /* traces of the program while it ran; NULL: none */
    struct source_folders *sources;     /* folders with source of the program; NULL: none */
    const struct source_remote *remote; /* reads logs that are addresses; NULL: addresses cannot be read */
    uint64_t output_max;                /* size of the report in bytes at which reading stops; 0: the default */
    size_t record_max;                  /* larger records are left out; 0: the default */
    unsigned workers;                   /* 0: do all work in the calling thread */
    size_t block_bytes;                 /* 0: the default size */
    bool export;                        /* --export: number the reference's files of an export, and no others */
    bool provenance;                    /* -i: provenance pages even if the log has no mappings */
    bool split;                         /* other ranks in the log get their own reports, in rank_<N>/ */
    bool has_only_rank; /* read the records of this rank and those without a rank, and silently ignore all others */
    uint64_t only_rank;
    const struct process_ranks
        *process_ranks;            /* ranks of records without a rank, for split and only_rank; NULL: unknown */
    struct processes *processes;   /* string tables shared with other logs of these processes; NULL: none */
    struct spooled *shared_events; /* receives the events a second time, with events_pid as their pid and
                                    * separated by commas, for callers that merge the events of several ranks;
                                    * NULL: none. The caller starts the stream, the pipeline ends it */
    uint64_t events_pid;
    const struct choice_paths *unread; /* folders that could not be searched for logs, with reasons; NULL: none */
    struct sink *assets;               /* another report whose copy of the front end is shared; NULL: none */
};

/* Callbacks, called only on the thread of pipeline_run(). Every function may be NULL. */
struct reading_watcher {
    void *context;
    /* An error in the log: its kind (a constant text that can be shown as a message), the line from 1, and the text
     * found there (detail, which may be empty or not UTF-8). */
    void (*fault)(void *context, const char *kind, uint64_t line, struct slice detail);
    /* A record was folded: fold->record, and the model so far. */
    void (*folded)(void *context, struct fold *fold);
    /* The model of a report is complete; it is freed afterwards. `dir` is its folder in the sink. "", the sink itself,
     * comes last; for it, `together` can be set to the member of report.json about all reports. */
    void (*whole)(void *context, struct model *model, const char *dir, struct view_together *together);
    /* A program of the user failed, or its answer could not be parsed: a line for the user. */
    void (*hook)(void *context, const char *text);
    /* The number of decompressed bytes of the log read so far. Called for each block. */
    void (*progress)(void *context, uint64_t bytes);
};

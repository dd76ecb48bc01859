/* news.h - what a record adds to the model of a log that is followed: compiles that end, recompiles, graph breaks, and compiles that run
 * for longer than any before them.
 *
 * After each record, the compile of that record is compared with what was seen of it before, so the cost does not grow with the log. An
 * entry per compile and process is kept.
 *
 * Time is that of the records' own clock. How long a compile has been running is the time from its first record to the last one of its process,
 * by the records' clock, plus the time since that record was read, by ours: clocks of hosts are not compared.
 *
 * {0} after news_init(); one log; one thread. */
#pragma once

#include "follow/event.h"
#include "follow/running.h"

struct fold;
struct lanes;

/* What was seen of a compile. */
struct news_compile {
    bool started, ended, recompile, refused, unfinished;
    uint32_t breaks;
    int64_t backward_us;
    bool backward_failed, backward_unfinished;
};

/* A model: there is one per rank that wrote to the log. */
struct news_model {
    const struct model *model;
    LIST(struct news_compile) compiles; /* by index */
    struct map frames;                  /* frame and epoch → its first compile */
};

struct news_process {
    uint64_t id;
    struct running running;
    bool unfinished;    /* a compile without an id was passed as unfinished; its metrics will come as another compile */
    int64_t last_us;    /* of the last record; time of day, -1: unknown */
    int64_t read_ms;    /* when that record was read, by our clock */
    int64_t longest_us; /* of the compiles and backwards that ended; -1: none */
};

struct news {
    const struct follow_listener *listener;
    const char *path;
    bool has_rank; /* from the name of the log; records say it, too */
    uint64_t rank;
    int64_t slow_us; /* a compile is not named before */
    int64_t now_ms;  /* our clock, monotonic; the caller sets it */
    LIST(struct news_model *) models;
    LIST(struct news_process) processes;
};

/* reading_watcher.folded. context is a struct news. */
void news_folded(void *context, struct fold *fold);
/* When the log is read to its end: passes compiles that have been running for long; again each time that the time has doubled. */
void news_tick(struct news *news);
/* The models are gone; the log begins again. */
void news_forget(struct news *news);
void news_finish(struct news *news);

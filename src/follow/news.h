/* news.h - finds the events that a record adds to a followed log: compiles that end, recompiles, graph breaks, and
 * compiles that run longer than any earlier one.
 *
 * After each record, its compile is compared with its previous state, so the cost does not grow with the log. One entry
 * is kept per compile and process.
 *
 * Times use the records' clock. A compile's running time is the time from its first record to the last record of its
 * process, by the records' clock, plus the time since that record was read, by our clock. Clocks of different hosts are
 * never compared.
 *
 * {0} after news_init(); one log; one thread. */
#pragma once

#include "follow/event.h"
#include "follow/running.h"

struct fold;
struct lanes;

/* The previous state of a compile. */
struct news_compile {
    bool started, ended, recompile, refused, unfinished;
    uint32_t breaks;
    int64_t backward_us;
    bool backward_failed, backward_unfinished;
};

/* The state for a model. A log has one model per rank that wrote to it. */
struct news_model {
    const struct model *model;
    LIST(struct news_compile) compiles; /* by index */
    struct map frames;                  /* frame and epoch → the frame's first compile */
};

struct news_process {
    uint64_t id;
    struct running running;
    bool unfinished;    /* a compile without an id was reported as unfinished; its metrics will appear as another
                         * compile */
    int64_t last_us;    /* time of day of the last record; -1: unknown */
    int64_t read_ms;    /* when that record was read, by our clock */
    int64_t longest_us; /* the longest compile or backward that has ended; -1: none */
};

struct news {
    const struct follow_listener *listener;
    const char *path;
    bool has_rank; /* the name of the log has the rank; records may have one, too */
    uint64_t rank;
    int64_t slow_us; /* a compile is not reported before this time */
    int64_t now_ms;  /* our monotonic clock; set by the caller */
    LIST(struct news_model *) models;
    LIST(struct news_process) processes;
};

/* reading_watcher.folded. context is a struct news. */
void news_folded(void *context, struct fold *fold);
/* Call it when the log has been read to its end. Reports compiles that have been running for long, and again each time
 * their running time has doubled. */
void news_tick(struct news *news);
/* Forgets everything, because the models are gone: the log starts again. */
void news_forget(struct news *news);
void news_finish(struct news *news);

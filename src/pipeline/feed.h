/* feed.h - one log whose records arrive piece by piece: the decode and the fold of the pipeline, on the calling thread.
 *
 * Writes no files; at the end, it can produce the report.json of the log. The model is the same as for a report on the
 * same bytes, so memory grows with the model, not with the log. A feed is one log file: a rotated log continues with a
 * new feed that shares the processes.
 *
 * Life cycle: feed_create, feed_add…, feed_end, feed_destroy. One thread. */
#pragma once

#include "kinds/reading.h"
#include "pipeline/lanes.h"

struct feed;

struct feed_options {
    const char *path;            /* path of the log, for names in the model; copied */
    struct processes *processes; /* valid until feed_destroy() */
    bool has_only_rank;          /* --rank */
    uint64_t only_rank;
};

/* Calls the watcher's `folded` and `fault`. Valid until feed_destroy(). */
struct feed *feed_create(const struct feed_options *options, const struct reading_watcher *watcher, struct err *err);
/* Adds whole records and text outside of records. Modifies the bytes. */
void feed_add(struct feed *feed, struct slice bytes);
/* Counts bytes of the log that are skipped because a line is too long. */
void feed_leave_out(struct feed *feed, uint64_t bytes);
/* The lanes so far: more than one if several ranks wrote to the log. Valid until feed_end(). */
const struct lanes *feed_lanes(const struct feed *feed);
uint64_t feed_bytes(const struct feed *feed);
/* Ends the log. Sets *json to its report.json, valid until feed_destroy(). Call it once. */
bool feed_end(struct feed *feed, struct slice *json, struct err *err);
void feed_destroy(struct feed *feed);

/* sinks.h - the sinks of this program. */
#pragma once

#include "sink/sink.h"

/* directory_sink.c - a sink that writes files to a directory. */
/* The caller owns the descriptor and keeps it open until sink_destroy(). */
struct sink *directory_sink_create(int dirfd);

/* memory_sink.c - a sink that keeps files in memory. It fails where a directory fails: for a file in a directory that
 * was not created, or if something else has the path. */
struct sink *memory_sink_create(void);
/* Keeps report.json only (SINK_REPORT_JSON). It is the report.json of a whole report, except that no compile has a provenance page. */
struct sink *report_sink_create(void);
/* Keeps what a summary prints of report.json (SINK_SUMMARY): a compile has 250 bytes of it, not 4 KB. */
struct sink *summary_sink_create(void);

struct memory_file {
    struct slice path, content;
};

/* Lists all files, including those of sinks below, sorted by path, and returns their number. The caller frees *files
 * with mem_free(). The contents live until the next write to the sink or until it is destroyed. Only for a sink of
 * memory_sink_create(). */
size_t memory_sink_list(const struct sink *sink, struct memory_file **files);

/* null_sink.c - a sink that accepts everything and keeps nothing. Reading a log into it fills the same model. */
struct sink *null_sink_create(void);

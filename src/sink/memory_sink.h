/* memory_sink.h - a sink whose files are bytes in memory. It refuses what a directory refuses: a file in a directory that was not
 * made, or a path that is taken by something else. */
#ifndef TLPARSE_SINK_MEMORY_SINK_H
#define TLPARSE_SINK_MEMORY_SINK_H

#include "sink/sink.h"

struct sink *memory_sink_create(void);
/* Keeps report.json only (SINK_REPORT_JSON). It is the report.json of a whole report, except that no compile has a provenance page. */
struct sink *report_sink_create(void);

struct memory_file {
    struct slice path, content;
};

/* All files, also those of the sinks below, sorted by path; returns how many. The caller frees *files with mem_free(); what they
 * point to lives until something is written to the sink or it is destroyed. For a sink of memory_sink_create(). */
size_t memory_sink_list(const struct sink *sink, struct memory_file **files);

#endif

/* sink.h - where the files of a report go: an interface.
 *
 *     directory_sink.h   files below a directory that is open
 *     null_sink.h        nowhere: only the model of a log is wanted
 *     memory_sink.h      in memory: for tests, a report in a single file, and commands that only need report.json
 *
 * A sink takes whole files, from their start to their end. Nothing reads back what was written: what is needed again later is
 * kept in a spool (spool.h). struct files (files.h) is what the writers of a report use; it checks paths, makes directories, and
 * keeps the first failure.
 *
 * Paths are relative to the sink, without "..". Functions that return bool or a pointer leave the reason in errno when they fail. Any
 * thread, as long as a file is written by one thread at a time.
 *
 * Life cycle: the constructor of an implementation or sink_below(), files, sink_destroy(). A sink outlives those below it. */
#ifndef TLPARSE_SINK_SINK_H
#define TLPARSE_SINK_SINK_H

#include "base/slice.h"

struct sink;

/* A file being written. */
struct sink_file {
    struct sink *sink;
    intptr_t handle; /* of the implementation */
};

struct sink_ops {
    /* Makes a directory; one that exists is no failure, but anything else of that name is. */
    bool (*make_directory)(struct sink *sink, const char *path);
    /* Begins a file and replaces an older one of that path. Nothing is opened through a symbolic link. */
    bool (*create)(struct sink *sink, const char *path, struct sink_file *file);
    bool (*write)(struct sink_file *file, struct slice content);
    bool (*close)(struct sink_file *file);
    /* Makes the file `path` of another sink of the same implementation also a file of this one. False where that is not
     * possible: then it has to be written again. */
    bool (*share)(struct sink *sink, struct sink *from, const char *path);
    /* Makes a directory, which must not exist yet, and returns a sink for what goes below it; NULL: failed. */
    struct sink *(*below)(struct sink *sink, const char *directory);
    /* Opens an empty file without a name, for reading and writing, beside the report; -1: failed. NULL: there is no such place, and what
     * is kept aside stays in memory. */
    int (*open_scratch)(struct sink *sink);
    void (*destroy)(struct sink *sink);
};

/* Which files a sink keeps. Writers need not render the others. */
enum sink_keeps {
    SINK_EVERYTHING,
    SINK_REPORT_JSON, /* only report.json, of the report and of the reports inside it */
    SINK_NOTHING,
};

/* The first member of each implementation. */
struct sink {
    const struct sink_ops *ops;
    enum sink_keeps keeps;
};

static inline struct sink *sink_below(struct sink *sink, const char *directory) {
    return sink->ops->below(sink, directory);
}

/* NULL is allowed. */
static inline void sink_destroy(struct sink *sink) {
    if (sink)
        sink->ops->destroy(sink);
}

#endif

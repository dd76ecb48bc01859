/* sink.h - the interface for the destination of a report's files.
 *
 *     directory_sink.c   files in an open directory
 *     null_sink.c        discards files, if only the model of a log is needed
 *     memory_sink.c      in memory: for tests, single-file reports, and commands that only need report.json
 *
 * sinks.h declares their constructors.
 *
 * A sink accepts whole files, from start to end. Nothing reads back what was written: a spool (spool.h) keeps what is
 * needed again. The writers of a report use struct files (files.h), which checks paths, creates directories, and keeps
 * the first failure.
 *
 * Paths are relative to the sink, without "..". Functions that return bool or a pointer set errno on failure. Any
 * thread, as long as only one thread at a time writes to a file.
 *
 * Life cycle: the constructor of an implementation or sink_below(), files, sink_destroy(). A sink must outlive those
 * below it. */
#pragma once

#include "base/base.h"

struct sink;

/* A file that is being written. */
struct sink_file {
    struct sink *sink;
    intptr_t handle; /* for the implementation */
};

struct sink_ops {
    /* Creates a directory. It is not an error if it exists, but it is if something else has the name. */
    bool (*make_directory)(struct sink *sink, const char *path);
    /* Begins a file. Replaces an older one. Never follows a symbolic link. */
    bool (*create)(struct sink *sink, const char *path, struct sink_file *file);
    bool (*write)(struct sink_file *file, struct slice content);
    bool (*close)(struct sink_file *file);
    /* Whether something has this name, or one that the file system takes for the same: some ignore case. A NULL
     * function: only an equal name is the same. */
    bool (*is_taken)(struct sink *sink, const char *path);
    /* Shares the file `path` of another sink of the same implementation. Returns false if that is not possible; the
     * caller then writes it again. */
    bool (*share)(struct sink *sink, struct sink *from, const char *path);
    /* Creates a directory, which must not exist, and returns a sink for its content. NULL on failure. */
    struct sink *(*below)(struct sink *sink, const char *directory);
    /* Opens an empty file without a name for reading and writing, on the file system of the report. Returns -1 on
     * failure. A NULL function: the sink has no file system, and spools stay in memory. */
    int (*open_scratch)(struct sink *sink);
    void (*destroy)(struct sink *sink);
};

/* Which files a sink keeps. Writers need not render the others. */
enum sink_keeps {
    SINK_EVERYTHING,
    SINK_REPORT_JSON, /* only report.json, that of the report and those of the reports inside it */
    SINK_SUMMARY,     /* only report.json with the members that a summary prints; nothing of the reports inside it */
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

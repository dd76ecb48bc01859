/* sinks.h - the sinks of this program, and the folders that a report goes to: what is in one, and how
 * staging folders are named. */
#pragma once

#include "base/base.h"
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

/* verdict.c - determines whether a folder is nothing but a report. Read-only.
 *
 * A report of this program is what its manifest lists. One of the reference has no manifest: all of its names are among those
 * that the reference gives. */
enum verdict {
    VERDICT_UNREADABLE, /* errno is why */
    VERDICT_FOREIGN,    /* something in it is not part of a report */
    VERDICT_PART,       /* all of it may be part of a report, but other folders have such names, too */
    VERDICT_REPORT,
};

/* `name` is that of the place: its staging folders are ignored. With VERDICT_FOREIGN, adds the path of the first foreign entry to
 * `foreign`, or nothing if it is unknown. */
enum verdict verdict_on(int fd, const char *name, struct buf *foreign);

/* staging_name.c - the names of staging folders (staging.h) and of what is aside. Pure, but for random letters and the name of
 * the host. */
/* What a name says: a staging folder, or that of an old report that is aside. The values are the last characters of names. */
enum staging_kind { STAGING_NEW = 0, STAGING_WHOLE_ASIDE = '~', STAGING_ENTRIES_ASIDE = '+' };

/* Whether an entry has a name that belongs to the place `name`. Sets *kind if so. */
bool staging_name_parse(struct slice entry, const char *name, enum staging_kind *kind);
/* The same, of any kind. */
bool staging_is_of(struct slice entry, const char *name);
/* Whether a path ends in the name that a client of NFS gives a removed file until nobody has it open. Nobody can remove it before. */
bool staging_is_deleted(struct slice path);
/* A new name: its last characters are four that tell this host from others, and eight that are random. The caller frees it. */
char *staging_name_make(const char *name);
/* Whether a name that belongs to a place is one of this host. */
bool staging_name_is_ours(struct slice entry);

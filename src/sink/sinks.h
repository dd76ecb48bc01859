/* sinks.h - the sinks of this program, and report folders: what a folder contains, and how staging folders are named.
 */
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
/* Keeps the members of report.json that a summary prints (SINK_SUMMARY): about 250 bytes for each compile instead of 4
 * KB. */
struct sink *summary_sink_create(void);

/* Keeps report.json, and the files of folders whose names begin with one of these, which outlive the sink; also those of ranks.
 * Others are empty. */
struct sink *folders_sink_create(const char *const *folders, size_t count);

struct memory_file {
    struct slice path, content;
};

/* Lists all files, including those of sinks below, sorted by path, and returns their number. The caller frees *files
 * with mem_free(). The contents live until the next write to the sink or until it is destroyed. Only for a sink of
 * memory_sink_create(). */
size_t memory_sink_list(const struct sink *sink, struct memory_file **files);

/* null_sink.c - a sink that accepts everything and keeps nothing. The model is the same as with any other sink. */
struct sink *null_sink_create(void);

/* verdict.c - determines whether a folder is nothing but a report. Read-only.
 *
 * A report of this program is what its manifest lists. A report of the reference has no manifest: it is recognized if
 * it only has names that the reference gives. */
enum verdict {
    VERDICT_UNREADABLE, /* errno is why */
    VERDICT_FOREIGN,    /* something in it is not part of a report */
    VERDICT_PART,       /* all of it may be part of a report, but other folders have such names as well */
    VERDICT_REPORT,
};

/* `name` is the name of the place, whose staging folders are ignored. With VERDICT_FOREIGN, adds the path of the first
 * foreign entry to `foreign`, or nothing if the path is unknown. */
enum verdict verdict_on(int fd, const char *name, struct buf *foreign);

/* staging_name.c - the names of staging folders and of old reports that are aside (staging.h). Pure, except for random
 * letters and the name of the host. */
/* What a name identifies: a staging folder, or an old report that is aside. The values are the last characters of
 * names. */
enum staging_kind { STAGING_NEW = 0, STAGING_WHOLE_ASIDE = '~', STAGING_ENTRIES_ASIDE = '+' };

/* Whether an entry has a name that belongs to the place `name`. Sets *kind if so. */
bool staging_name_parse(struct slice entry, const char *name, enum staging_kind *kind);
/* The same for any kind. */
bool staging_is_of(struct slice entry, const char *name);
/* Whether a path ends in the name that an NFS client gives to a removed file that is still open. The file cannot be
 * removed until it is closed. */
bool staging_is_deleted(struct slice path);
/* A new name: it ends in four characters that identify this host, and eight random ones. The caller frees it. */
char *staging_name_make(const char *name);
/* Whether a name that belongs to a place is from this host. */
bool staging_name_is_ours(struct slice entry);

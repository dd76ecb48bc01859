/* run_file.h - run.json: what is known about a run.
 *
 * doc/runs.schema.json describes it. On disk, logs and report are relative to the folder of the run if they are in it,
 * and what follows from the rest is missing (state, status, signal, duration_us, pinned; kept.h derives it). Nothing in
 * a file is trusted: others may have written it.
 *
 * A change reads the file, changes the document, and replaces the file, under a lock. While a process of the run has no
 * end, room for the next change is reserved, so that a full disk does not keep the end from being written. One thread
 * per document. */
#pragma once

#include "base/base.h"
#include "base/json.h"

/* Reads run.json in the folder `run`. NULL with errno, which is EBADMSG if it is not the file of a run. */
yyjson_doc *run_file_read(int run);

/* Changes the object; false: leave the file as it is. */
typedef bool run_file_edit(yyjson_mut_doc *doc, yyjson_mut_val *root, void *context);
/* Creates the file if it is missing. Returns false with errno. */
bool run_file_change(int run, run_file_edit *edit, void *context);

/* Members of an object that is being written. Keys are constants; values are copied, and bytes that are not UTF-8
 * become U+FFFD. An older member of the name is replaced. text.ptr NULL becomes null. */
void run_put_text(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key, struct slice text);
void run_put_number(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key, int64_t number);
void run_put(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key, yyjson_mut_val *value);
/* A text as a value. */
yyjson_mut_val *run_text(yyjson_mut_doc *doc, struct slice text);
/* The time now, or a time in microseconds since 1970: "2026-11-22T12:03:01.123456Z". */
void run_put_time(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key, int64_t us);
int64_t run_now_us(void);
/* Parses it; -1 if it is no such time. */
int64_t run_time_us(struct slice text);

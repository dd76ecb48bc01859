/* run_file.h - run.json: the metadata of a run.
 *
 * doc/runs.schema.json describes it. On disk, the paths of logs and report are relative to the run's folder if they are
 * in it, and derived members are missing (state, status, signal, duration_us, pinned; see kept.h). The file is
 * untrusted: others may have written it.
 *
 * A change reads the file, changes the document, and replaces the file, under a lock. While a process of the run has
 * not ended, space for the next change is reserved, so its end can be written even if the disk is full. One thread per
 * document. */
#pragma once

#include "base/base.h"
#include "base/json.h"

/* Reads run.json in the folder `run`. NULL with errno; EBADMSG: not the file of a run. */
yyjson_doc *run_file_read(int run);

/* Changes the object. Returns false to leave the file unchanged. */
typedef bool run_file_edit(yyjson_mut_doc *doc, yyjson_mut_val *root, void *context);
/* Creates the file if it is missing. Returns false with errno. */
bool run_file_change(int run, run_file_edit *edit, void *context);

/* These add members to an object that is being written. Keys are constants; values are copied, with invalid UTF-8
 * replaced by U+FFFD. A member of the same name is replaced. text.ptr NULL becomes null. */
void run_put_text(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key, struct slice text);
void run_put_number(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key, int64_t number);
void run_put(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key, yyjson_mut_val *value);
/* A text as a value. */
yyjson_mut_val *run_text(yyjson_mut_doc *doc, struct slice text);
/* The current time, or a time in microseconds since 1970: "2026-11-22T12:03:01.123456Z". */
void run_put_time(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key, int64_t us);
int64_t run_now_us(void);
/* Parses such a time; -1 if it is invalid. */
int64_t run_time_us(struct slice text);

/* pipeline.h - processes one log, from reading to writing.
 *
 *     source ─▶ blocks ─▶ decode (workers) ─▶ fold (this thread, log order) ─▶ render and write (workers)
 *
 * The only caller of the registry of kinds. The thread that calls pipeline_run() reads, folds, and calls the watcher.
 * Workers decode and write. Blocks use a fixed number of buffers, so memory grows only with the model, not with the
 * log. The output is the same for any number of workers and any block size.
 *
 * The caller owns all arguments and frees the result with pipeline_result_finish(). */
#pragma once

#include "kinds/reading.h"
#include "pipeline/result.h"

struct sink;
struct source;

/* Reads the whole source and writes the report to the sink, which is empty. Returns false if a system call failed (see
 * err). A malformed log is not an error. If the sink discards files, none is rendered, but the watcher's whole() still
 * gets the model. */
bool pipeline_run(struct source *source, struct sink *sink, const struct reading_options *options,
                  const struct reading_watcher *watcher, struct pipeline_result *result, struct err *err);

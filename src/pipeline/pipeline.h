/* pipeline.h - one log from the reader to its files.
 *
 *     source ─▶ blocks ─▶ decode (workers) ─▶ fold (this thread, log order) ─▶ render and write (workers)
 *
 * The only caller of the registry of kinds. The thread that calls pipeline_run() reads, folds and talks to the watcher;
 * workers decode and write. Blocks are a fixed number of buffers, so memory does not grow with the log, only with what
 * the model keeps. What is written is the same for any number of workers and any size of block.
 *
 * Ownership: the caller owns all that it passes and frees the result with pipeline_result_finish(). */
#ifndef TLPARSE_PIPELINE_PIPELINE_H
#define TLPARSE_PIPELINE_PIPELINE_H

#include "base/err.h"
#include "kinds/run.h"
#include "pipeline/result.h"

struct sink;
struct source;

/* Reads the whole source and writes the report into the sink, which is empty. False when the system refused something (err says
 * what); a log that is bad in any way is no failure. A sink that discards costs no work for files: the watcher's whole() is given
 * the model, and that is all. */
bool pipeline_run(struct source *source, struct sink *sink, const struct run_options *options,
                  const struct run_watcher *watcher, struct pipeline_result *result, struct err *err);
#endif

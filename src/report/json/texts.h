/* texts.h - the texts of artifacts, for the page.
 *
 * Each folder has one stream of bytes, its artifacts' texts one after the other, cut into chunks of about CHUNK_BYTES. A
 * chunk becomes one script, data/<folder>.<k>.js (doc/report-data.md). A text that fits into a chunk is not cut.
 *
 * Chunks of few folders are open at a time, so memory is bounded; which are closed depends on the order of the texts alone,
 * never on time. texts_add() is the fold's; chunks are packed and written by the pool. */
#ifndef TLPARSE_REPORT_JSON_TEXTS_H
#define TLPARSE_REPORT_JSON_TEXTS_H

#include "base/pool.h"
#include "model/model.h"
#include "sink/files.h"

struct texts;

/* `open` chunks at most stay open at a time, 1 to TEXTS_OPEN_MAX: memory is about a megabyte for each, and some more. */
enum { TEXTS_OPEN_MAX = 10 };
struct texts *texts_create(struct model *model, struct files *files, struct pool *pool, int open);
/* Adds the text to the stream of the index-th folder; returns its offset there. */
uint64_t texts_add(struct texts *texts, uint32_t index, struct slice text);
/* Writes what is open, waits for all of it, and frees. */
void texts_destroy(struct texts *texts);

#endif

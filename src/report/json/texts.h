/* texts.h - the texts of artifacts, for the page.
 *
 * Each folder has one stream of bytes, its artifacts' texts one after the other, cut into chunks of about CHUNK_BYTES. A
 * chunk becomes one script, data/<folder>.<k>.js (doc/report-data.md). A text that fits into a chunk is not cut.
 *
 * Chunks of few folders are open at a time, so memory is bounded; which are closed depends on the order of the texts alone,
 * never on time. texts_add() is the fold's; chunks are packed and written by the pool.
 *
 * Chunks with texts that a later page shows are kept, packed as they are written, in a spool: texts_read() gives such a text again. */
#ifndef TLPARSE_REPORT_JSON_TEXTS_H
#define TLPARSE_REPORT_JSON_TEXTS_H

#include "base/pool.h"
#include "model/model.h"
#include "sink/spool.h"

struct texts;

/* `open` chunks at most stay open at a time, 1 to TEXTS_OPEN_MAX: memory is about a megabyte for each, and some more. */
enum { TEXTS_OPEN_MAX = 10 };
/* All that is passed must outlive the texts, but for the pool: texts_finish() is the last to use it. */
struct texts *texts_create(struct model *model, struct files *files, struct spool *spool, struct pool *pool, int open);
/* Adds the text to the stream of the index-th folder; returns its offset there. keep: it will be read again. */
uint64_t texts_add(struct texts *texts, uint32_t index, struct slice text, bool keep);
/* Writes what is open and waits for all of it. Once, before anything is read. */
void texts_finish(struct texts *texts);
/* Adds a text that was kept to the buffer; false, and nothing, where it was not. That the spool cannot be read is a failure of the
 * report. One thread. */
bool texts_read(struct texts *texts, const struct artifact *artifact, struct buf *out);
void texts_destroy(struct texts *texts);

#endif

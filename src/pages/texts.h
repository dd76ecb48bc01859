/* texts.h - the texts of artifacts, for the page.
 *
 * Each folder has one stream of bytes, the concatenated texts of its artifacts, split into chunks of about
 * CHUNK_BYTES. A chunk becomes one script, data/<folder>.<k>.js (doc/report-data.md). A text that fits into a chunk is
 * not split.
 *
 * The number of open chunks is limited, so memory is bounded. Which chunks are closed depends only on the order of the
 * texts, never on timing. The fold calls texts_add(); the pool packs and writes chunks.
 *
 * Chunks with texts for a later page are kept in a spool, in the packed form in which they are written. texts_read()
 * returns such a text. */
#pragma once

#include "base/pool.h"
#include "model/model.h"
#include "sink/spool.h"

struct texts;

/* At most `open` chunks are open at a time, 1 to TEXTS_OPEN_MAX. Each uses slightly more than a megabyte. */
enum { TEXTS_OPEN_MAX = 10 };
/* All arguments must outlive the texts. */
struct texts *texts_create(struct model *model, struct files *files, struct spool *spool, struct pool *pool, int open);
/* Adds the text to the stream of the index-th folder and returns its offset. keep: texts_read() will be called for it.
 */
uint64_t texts_add(struct texts *texts, uint32_t index, struct slice text, bool keep);
/* Writes the open chunks and waits for them. Call it once, before texts_read(). */
void texts_finish(struct texts *texts);
/* Adds a kept text to the buffer. Adds nothing and returns false if it was not kept. If the spool cannot be read, the
 * report fails. Any thread. */
bool texts_read(struct texts *texts, const struct artifact *artifact, struct buf *out);
struct pool *texts_pool(const struct texts *texts);
struct spool *texts_spool(const struct texts *texts);
void texts_destroy(struct texts *texts);

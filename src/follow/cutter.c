#include "follow/cutter.h"

#include "trace/block.h"
#include "trace/record.h"

/* Enough bytes to tell whether a line starts a record, and to show the line. */
enum { LOOK_BYTES = 64 << 10 };

char *cutter_room(struct cutter *cutter, size_t bytes) {
    return buf_reserve(&cutter->waiting, bytes);
}

/* Moves the first bytes to *records. */
static void take(struct cutter *cutter, size_t cut, struct buf *records) {
    struct buf *waiting = &cutter->waiting;
    if (!cut)
        return;
    buf_add(records, slice_first(buf_slice(waiting), cut));
    memmove(waiting->ptr, waiting->ptr + cut, waiting->len - cut);
    waiting->len -= cut;
    cutter->judged -= cutter->judged < cut ? cutter->judged : cut;
    cutter->searched -= cutter->searched < cut ? cutter->searched : cut;
    cutter->junk = 0;
}

/* The start of the last record, if it is not also the first. Judges the lines that have ended since the last call. An
 * unfinished line may already show that it starts a record, but never that it does not. */
static size_t last_start(struct cutter *cutter) {
    struct slice all = buf_slice(&cutter->waiting);
    size_t cut = 0;
    for (;;) {
        const char *from = all.ptr + cutter->searched, *end = memchr(from, '\n', all.len - cutter->searched);
        size_t stop = end ? (size_t)(end - all.ptr) : all.len;
        if (cutter->judged && block_starts_record(slice_make(all.ptr + cutter->judged, stop - cutter->judged)))
            cut = cutter->judged;
        if (!end)
            break;
        cutter->judged = cutter->searched = stop + 1;
    }
    cutter->searched = all.len;
    return cut;
}

/* The last `bytes` of the waiting bytes continue a line whose rest is skipped: drops them up to the line's end. */
static void skip(struct cutter *cutter, size_t bytes) {
    struct buf *waiting = &cutter->waiting;
    char *from = waiting->ptr + waiting->len - bytes, *end = memchr(from, '\n', bytes);
    size_t rest = end ? bytes - (size_t)(end - from) : 0;
    if (end)
        memmove(from, end, rest);
    waiting->len -= bytes - rest;
    cutter->left_out += bytes - rest;
    cutter->skipping = !end;
}

/* Skips the rest of the only line, if it is too long. */
static void limit_line(struct cutter *cutter) {
    struct buf *waiting = &cutter->waiting;
    if (cutter->judged || waiting->len < BLOCK_JUNK_BYTES)
        return;
    bool record = block_starts_record(slice_first(buf_slice(waiting), LOOK_BYTES));
    size_t kept = record ? BLOCK_HEAD_MAX + LOOK_BYTES : LOOK_BYTES;
    if (waiting->len <= kept)
        return;
    cutter->left_out += waiting->len - kept;
    waiting->len = cutter->searched = kept;
    cutter->skipping = true;
}

void cutter_added(struct cutter *cutter, size_t bytes, struct buf *records) {
    struct buf *waiting = &cutter->waiting;
    if (!bytes)
        return;
    waiting->len += bytes;
    cutter->proven = false;
    if (cutter->skipping)
        skip(cutter, bytes);
    take(cutter, last_start(cutter), records);
    if (waiting->len >= BLOCK_JUNK_BYTES && waiting->len >= cutter->junk) {
        cutter->junk = 2 * waiting->len; /* on average, a byte is examined at most twice */
        take(cutter, block_junk_start(buf_slice(waiting)), records);
    }
    limit_line(cutter);
    if (waiting->len >= BLOCK_RECORD_MAX)
        take(cutter, waiting->len, records);
}

/* Whether the bytes are a complete record. */
static bool is_whole(struct slice bytes) {
    struct buf copy = {0}; /* decoding modifies it */
    AUTO_ARENA arena = {0};
    struct records records = {0};
    buf_add(&copy, bytes);
    decode_block(buf_slice(&copy), &arena, NULL, &records);
    const struct record *last = records.count ? &records.items[records.count - 1] : NULL;
    bool whole = !last || !last->has_payload || last->payload_good;
    records_finish(&records);
    buf_free(&copy);
    return whole;
}

void cutter_prove(struct cutter *cutter, struct buf *records) {
    struct slice lines = slice_first(buf_slice(&cutter->waiting), cutter->judged); /* those that have ended */
    if (cutter->proven || !lines.len)
        return;
    cutter->proven = true;
    if (is_whole(lines))
        take(cutter, lines.len, records);
}

void cutter_flush(struct cutter *cutter, struct buf *records) {
    take(cutter, cutter->waiting.len, records);
}

void cutter_free(struct cutter *cutter) {
    buf_free(&cutter->waiting);
    *cutter = (struct cutter){0};
}

#include "trace/block.h"

#include "trace/glog.h"

/* Enough bytes to tell whether a line starts a record. */
enum { LOOK_BYTES = 64 << 10 };

static size_t min(size_t a, size_t b) {
    return a < b ? a : b;
}

bool block_starts_record(struct slice line) {
    struct glog glog;
    return line.len && line.ptr[0] != '\t' && glog_parse(line, &glog);
}

/* The start of the last record of the block, or 0. */
static size_t last_start(struct slice block) {
    size_t end = block.len;
    for (;;) {
        size_t newline = slice_rfind_byte(slice_first(block, end), '\n');
        if (newline == SIZE_MAX)
            return 0;
        struct slice line = slice_make(block.ptr + newline + 1, end - newline - 1);
        if (block_starts_record(line))
            return newline + 1;
        end = newline;
    }
}

static bool is_payload(struct slice line, struct slice lead) {
    if (line.len == 0 || slice_is(line, "\r") || line.ptr[0] == '\t')
        return true;
    return lead.len && slice_starts(line, lead) && line.len > lead.len && line.ptr[lead.len] == '\t';
}

/* The payload ends at a line that is neither empty nor payload. */
size_t block_junk_start(struct slice region) {
    struct slice rest = region, line;
    struct glog glog = {0};
    if (!slice_next_line(&rest, &line))
        return 0;
    bool payload = line.len && line.ptr[0] != '\t' && glog_parse(line, &glog) &&
                   slice_find(glog.rest, SLICE("\"has_payload\"")) != SIZE_MAX;
    while (payload && slice_next_line(&rest, &line))
        payload = is_payload(line, glog.lead);
    if (payload)
        return 0;
    if (!rest.len && line.len >= LOOK_BYTES && line.ptr > region.ptr) /* enough of a possibly long line */
        return (size_t)(line.ptr - region.ptr);
    size_t newline = slice_rfind_byte(rest, '\n'), start = (size_t)(rest.ptr - region.ptr);
    if (newline != SIZE_MAX)
        return start + newline + 1;
    return region.ptr[start - 1] == '\n' ? start : 0; /* one line, possibly long */
}

static bool fill(struct block_reader *reader, struct buf *bytes, size_t want, struct err *err) {
    while (!reader->ended && bytes->len < want) {
        char *to = buf_reserve(bytes, want - bytes->len);
        ssize_t got = source_read(reader->source, to, want - bytes->len, err);
        if (got < 0)
            return false;
        reader->ended = got == 0;
        if (reader->tee && got)
            reader->ended = !reader->tee(reader->context, slice_make(to, (size_t)got));
        bytes->len += (size_t)got;
    }
    return true;
}

/* ---- oversized content --------------------------------------------------------------------------------------------
 */

/* The number of bytes to skip from `at` on. The remaining bytes cannot be judged until more is read. */
static size_t skip_lines(struct block_reader *reader, struct slice bytes) {
    struct block_skip *skip = &reader->skip;
    size_t at = 0;
    while (skip->on && at < bytes.len) {
        struct slice rest = slice_from(bytes, at);
        const char *newline = memchr(rest.ptr, '\n', rest.len);
        struct slice line = slice_first(rest, newline ? (size_t)(newline - rest.ptr) : rest.len);
        if (!skip->in_line) {
            if (!newline && rest.len < LOOK_BYTES && !reader->ended)
                break; /* not enough to tell */
            skip->on = is_payload(line, buf_slice(&skip->lead)) &&
                       !block_starts_record(slice_first(line, min(line.len, LOOK_BYTES)));
            if (!skip->on)
                break;
            skip->lines++;
        }
        at += line.len + (newline ? 1 : 0);
        skip->in_line = !newline;
        if (newline && !skip->payload)
            skip->on = false;
    }
    return at;
}

/* Reads on to the end of the skipped content. `bytes` then begins with what follows it. */
static bool skip_rest(struct block_reader *reader, struct buf *bytes, struct err *err) {
    while (reader->skip.on) {
        size_t skipped = skip_lines(reader, buf_slice(bytes));
        if (skipped)
            memmove(bytes->ptr, bytes->ptr + skipped, bytes->len - skipped);
        bytes->len -= skipped;
        if (!reader->skip.on || (reader->ended && !bytes->len))
            break;
        if (reader->ended && !skipped)
            break;
        if (!fill(reader, bytes, bytes->len + LOOK_BYTES + reader->block_bytes, err))
            return false;
    }
    reader->skip.on = false;
    return true;
}

/* The block is the start of one record or one line. Starts to skip everything after its first line. Bytes that cannot
 * be judged until more is read go to the carry. Returns the number of bytes judged, including the first line. */
static size_t begin_skip(struct block_reader *reader, struct slice all) {
    const char *newline = memchr(all.ptr, '\n', min(all.len, BLOCK_HEAD_MAX));
    size_t line = newline ? (size_t)(newline - all.ptr) + 1 : all.len;
    struct slice start = slice_first(all, min(line, LOOK_BYTES));
    struct glog glog = {0};
    reader->skip.on = true;
    reader->skip.payload = block_starts_record(start) && glog_parse(start, &glog);
    reader->skip.in_line = !newline;
    reader->skip.lead.len = 0;
    buf_add(&reader->skip.lead, glog.lead);
    size_t end = line + skip_lines(reader, slice_from(all, line));
    buf_add(&reader->carry, slice_from(all, end));
    return end;
}

/* The block, which is one record or one line, is too large: keeps the start of its first line, and skips the rest. */
static void leave_out(struct block_reader *reader, struct buf *bytes) {
    const char *newline = memchr(bytes->ptr, '\n', min(bytes->len, BLOCK_HEAD_MAX));
    bytes->len = min(newline ? (size_t)(newline - bytes->ptr) + 1 : bytes->len, LOOK_BYTES);
    reader->too_large = !reader->skip.payload ? NULL : newline ? BLOCK_RECORD_TOO_LARGE : BLOCK_HEAD_TOO_LARGE;
    held_drop(&reader->held);
}

static size_t record_max(const struct block_reader *reader) {
    return reader->record_max ? reader->record_max : BLOCK_RECORD_MAX;
}

/* Whether the block, which has no record start except at its first byte, must not grow further because its first line
 * does not end. */
static bool is_long_line(const struct block_reader *reader, struct slice bytes) {
    if (bytes.len >= BLOCK_HEAD_MAX || bytes.len >= record_max(reader) + LOOK_BYTES)
        return true;
    return bytes.len >= BLOCK_JUNK_BYTES && !block_starts_record(slice_first(bytes, LOOK_BYTES));
}

/* The block is the start of a record that continues: reads the record to its end, or until it is too large, without
 * keeping all of it in memory. */
static bool read_long_record(struct block_reader *reader, struct buf *bytes, struct err *err) {
    size_t total = bytes->len = begin_skip(reader, buf_slice(bytes));
    struct buf *next = &reader->carry;
    for (size_t len = 1; reader->skip.on && total <= record_max(reader) && len; total += len) {
        if (!fill(reader, next, next->len + LOOK_BYTES + reader->block_bytes, err))
            return false;
        len = skip_lines(reader, buf_slice(next));
        if (!held_add(&reader->held, bytes, slice_first(buf_slice(next), len), err))
            return false;
        memmove(next->ptr, next->ptr + len, next->len - len);
        next->len -= len;
    }
    if (total > record_max(reader)) {
        leave_out(reader, bytes);
        return true;
    }
    reader->skip.on = false;
    reader->skip.lines = 0;
    return held_take(&reader->held, bytes, err);
}

/* ---- reading ------------------------------------------------------------------------------------------------------- */

/* The extra bytes show that a record of exactly record_max bytes has ended: that takes the start of the next line. */
static size_t most_in_memory(const struct block_reader *reader) {
    return min(reader->held_from ? reader->held_from : BLOCK_HELD_FROM, record_max(reader) + LOOK_BYTES);
}

bool block_read(struct block_reader *reader, struct buf *bytes, bool *more, struct err *err) {
    size_t want = reader->block_bytes, cut = 0, most = most_in_memory(reader);
    bytes->len = 0;
    buf_add(bytes, buf_slice(&reader->carry));
    reader->carry.len = 0;
    reader->too_large = NULL;
    if (!skip_rest(reader, bytes, err))
        return false;
    reader->lines_before = reader->skip.lines;
    reader->skip.lines = 0;
    while (want <= bytes->len)
        want *= 2;
    for (;; want *= 2) {
        if (!fill(reader, bytes, want < most || bytes->len >= most ? want : most, err))
            return false;
        cut = reader->ended ? bytes->len : last_start(buf_slice(bytes));
        if (!cut && bytes->len >= BLOCK_JUNK_BYTES)
            cut = block_junk_start(buf_slice(bytes));
        if (cut || reader->ended)
            break;
        *more = true;
        if (memchr(bytes->ptr, '\n', min(bytes->len, BLOCK_HEAD_MAX))) {
            if (bytes->len >= most)
                return read_long_record(reader, bytes, err);
        } else if (is_long_line(reader, buf_slice(bytes))) {
            begin_skip(reader, buf_slice(bytes));
            leave_out(reader, bytes);
            return true;
        }
    }
    buf_add(&reader->carry, slice_from(buf_slice(bytes), cut));
    bytes->len = cut;
    *more = cut > 0;
    return true;
}

void block_reader_finish(struct block_reader *reader) {
    held_close(&reader->held);
    buf_free(&reader->carry);
    buf_free(&reader->skip.lead);
    *reader = (struct block_reader){0};
}

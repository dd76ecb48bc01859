#include "trace/block.h"

#include "trace/glog.h"

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

/* A line that is neither empty nor payload ends the payload. */
size_t block_junk_start(struct slice region) {
    struct slice rest = region, line;
    struct glog glog = {0};
    if (!slice_next_line(&rest, &line))
        return 0;
    bool payload = line.len && line.ptr[0] != '\t' && glog_parse(line, &glog) &&
                   slice_find(glog.rest, SLICE("\"has_payload\"")) != SIZE_MAX;
    while (payload && slice_next_line(&rest, &line)) {
        bool mine = line.len == 0 || slice_is(line, "\r") || line.ptr[0] == '\t';
        if (!mine && glog.lead.len && slice_starts(line, glog.lead))
            mine = line.len > glog.lead.len && line.ptr[glog.lead.len] == '\t';
        payload = mine;
    }
    if (payload)
        return 0;
    size_t newline = slice_rfind_byte(rest, '\n');
    return newline == SIZE_MAX ? 0 : (size_t)(rest.ptr - region.ptr) + newline + 1;
}

static bool fill(struct block_reader *reader, struct buf *bytes, size_t want, struct err *err) {
    while (!reader->ended && bytes->len < want) {
        ssize_t got = source_read(reader->source, buf_reserve(bytes, want - bytes->len), want - bytes->len, err);
        if (got < 0)
            return false;
        reader->ended = got == 0;
        bytes->len += (size_t)got;
    }
    return true;
}

bool block_read(struct block_reader *reader, struct buf *bytes, bool *more, struct err *err) {
    size_t want = reader->block_bytes, cut = 0;
    bytes->len = 0;
    buf_add(bytes, buf_slice(&reader->carry));
    reader->carry.len = 0;
    while (want <= bytes->len)
        want *= 2;
    for (;; want *= 2) {
        if (!fill(reader, bytes, want, err))
            return false;
        if (reader->ended) {
            cut = bytes->len;
            break;
        }
        cut = last_start(buf_slice(bytes));
        if (!cut && bytes->len >= BLOCK_JUNK_BYTES)
            cut = block_junk_start(buf_slice(bytes));
        if (!cut && bytes->len >= BLOCK_RECORD_MAX)
            cut = bytes->len;
        if (cut)
            break;
    }
    buf_add(&reader->carry, slice_from(buf_slice(bytes), cut));
    bytes->len = cut;
    *more = cut > 0;
    return true;
}

void block_reader_finish(struct block_reader *reader) {
    buf_free(&reader->carry);
    *reader = (struct block_reader){0};
}

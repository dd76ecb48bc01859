/* A log that grows in any pieces: the records are those of the whole log, in order, and what is made of them is the same. */
#define _GNU_SOURCE /* memfd_create */
#include <string.h>

#include "base/json.h"
#include "follow/cutter.h"
#include "fuzz.h"
#include "pipeline/feed.h"

/* The report.json of what was fed in pieces of at most `most` bytes. *continued: whether a payload with the announced MD5
 * goes on after it was taken for whole. libFuzzer finds such an MD5, because it sees what is compared. */
static struct buf follow(struct slice log, size_t most, bool prove, bool *continued) {
    static const struct reading_watcher watcher;
    struct cutter cutter = {0};
    struct buf records = {0}, all = {0}, kept = {0};
    struct err err = {0};
    struct slice json;
    struct processes processes = {0};
    struct feed_options options = {.path = "a.log", .processes = &processes};
    struct feed *feed = feed_create(&options, &watcher, &err);
    MUST(feed);
    for (size_t at = 0; at <= log.len; at += most) {
        struct slice piece = slice_first(slice_from(log, at), most);
        if (piece.len) {
            memcpy(cutter_room(&cutter, piece.len), piece.ptr, piece.len);
            cutter_added(&cutter, piece.len, &records);
        }
        size_t before = records.len;
        if (prove)
            cutter_prove(&cutter, &records);
        if (records.len > before)
            *continued |= slice_starts(slice_from(log, all.len + records.len), SLICE("\t"));
        if (at + most > log.len)
            cutter_flush(&cutter, &records);
        buf_add(&all, buf_slice(&records));
        feed_add(feed, buf_slice(&records)); /* modifies them */
        records.len = 0;
    }
    MUST(slice_eq(buf_slice(&all), log));
    MUST(feed_bytes(feed) == log.len);
    MUST(feed_end(feed, &json, &err));
    yyjson_doc *doc = yyjson_read(json.ptr, json.len, YYJSON_READ_BIGNUM_AS_RAW);
    MUST(doc);
    yyjson_doc_free(doc);
    buf_add(&kept, json);
    feed_destroy(feed);
    processes_finish(&processes);
    cutter_free(&cutter);
    buf_free(&records);
    buf_free(&all);
    return kept;
}

/* The first byte selects the size of the pieces. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1)
        return 0;
    struct slice log = {(const char *)data + 1, size - 1};
    bool continued = false;
    struct buf whole = follow(log, log.len + 1, false, &continued),
               pieces = follow(log, 1 + data[0] / 2, data[0] & 1, &continued);
    MUST(continued || slice_eq(buf_slice(&whole), buf_slice(&pieces)));
    buf_free(&whole);
    buf_free(&pieces);
    return 0;
}

/* record.h - one record of a log, decoded.
 *
 * decode_block() turns the bytes of a block into records. It is pure: it needs nothing but the block, so any worker may
 * do it. It takes the TABs off the payloads in place, which changes the block's bytes. All slices of a record point into
 * the block or into its arena, and live as long as these. */
#ifndef TLPARSE_TRACE_RECORD_H
#define TLPARSE_TRACE_RECORD_H

#include "trace/compile_id.h"
#include "trace/glog.h"

enum { MD5_BYTES = 16 };

struct node; /* the record_decoder's */

struct record {
    uint32_t line;      /* in the block, from 0 */
    uint32_t log_bytes; /* all that the record takes in the log; saturates */
    struct glog glog;
    struct slice envelope; /* the JSON text, mended where it had to be */
    yyjson_val *root;      /* an object, or NULL: no JSON, or no object */
    struct compile_id id;
    bool has_rank;
    uint64_t rank;
    bool has_payload;     /* the envelope has the key has_payload */
    bool payload_good;    /* and the payload has that MD5 */
    struct slice claimed; /* the value of has_payload */
    struct slice payload;
    unsigned char md5[MD5_BYTES]; /* of the payload */
    const struct node *nodes;     /* what the record_decoder returned; NULL: nothing */
};

/* Lines that belong to no record, one after the other. */
struct stray {
    uint32_t line;
    uint32_t count;
    struct slice text; /* of the first */
};

struct records {
    struct record *items;
    size_t count, cap;
    struct {
        struct stray *items;
        size_t count, cap;
    } strays;
    uint32_t lines; /* of the block */
};

/* What else there is in a record whose root is an object, in the arena; called by the same worker. */
typedef const struct node *record_decoder(const struct record *record, struct arena *arena);

/* Drops what *records held. The arrays are malloc'ed and kept for the next block; records_finish() frees them. */
void decode_block(struct slice block, struct arena *arena, record_decoder *decoder, struct records *records);
void records_finish(struct records *records);
void md5_of(struct slice text, unsigned char md5[MD5_BYTES]);
/* 32 lower-case hex digits. */
void md5_add_hex(struct buf *out, const unsigned char md5[MD5_BYTES]);

#endif

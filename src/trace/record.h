/* record.h - a decoded record of a log.
 *
 * decode_block() converts the bytes of a block to records. It is pure and depends on nothing but the block, so any
 * worker may run it. It removes the TABs of payloads in place, which modifies the block's bytes. Its three steps can be
 * taken one by one, because payloads are hashed faster if those of several blocks are hashed at once. All slices of a
 * record point into the block or its arena, and live as long as they do. */
#pragma once

#include "base/md5_many.h"
#include "trace/compile_id.h"
#include "trace/glog.h"

struct node; /* of the record_decoder */

struct record {
    uint32_t line;      /* in the block, from 0 */
    uint32_t log_bytes; /* size of the record in the log, including its payload; saturates */
    struct glog glog;
    struct slice envelope; /* the JSON text, repaired if necessary */
    yyjson_val *root;      /* an object, or NULL if the envelope is not JSON or not an object */
    struct compile_id id;
    bool has_rank;
    uint64_t rank;
    const char
        *too_large;    /* what is too large, so that the record is left out; NULL: nothing. decode_block() sets it only
                    * for values */
    bool has_payload;  /* the envelope has the key has_payload */
    bool details;      /* whether the record_decoder is to make what only pages and report.json show */
    bool payload_good; /* the payload has the MD5 in `claimed` */
    struct slice claimed; /* the value of has_payload */
    struct slice payload;
    unsigned char md5[MD5_BYTES]; /* of the payload */
    const struct node *nodes;     /* what the record_decoder returned; NULL: nothing */
};

/* Adjacent lines outside of records. */
struct stray {
    uint32_t line;
    uint32_t count;
    struct slice text, last; /* of the first and the last line */
};

struct records {
    struct record *items;
    size_t count, cap;
    LIST(struct stray) strays;
    uint32_t lines; /* number of lines in the block */
};

/* Returns the nodes of a record whose root is an object, in the arena. Called on the same worker. */
typedef const struct node *record_decoder(const struct record *record, struct arena *arena);

/* Discards the previous content of *records. The arrays are malloc'ed and reused for the next block; records_finish()
 * frees them. */
void decode_block(struct slice block, struct arena *arena, record_decoder *decoder, struct records *records);
/* The steps: splits the block and reads the envelopes, hashes the payloads of several blocks, checks them and calls the
 * decoder. details: see struct record; decode_block() sets it. */
void split_block(struct slice block, struct arena *arena, struct records *records);
void hash_payloads(struct records *const *blocks, size_t count);
void decode_records(struct records *records, struct arena *arena, record_decoder *decoder, bool details);
void records_finish(struct records *records);
void md5_of(struct slice text, unsigned char md5[MD5_BYTES]);
/* 32 lower-case hexadecimal digits. */
void md5_add_hex(struct buf *out, const unsigned char md5[MD5_BYTES]);

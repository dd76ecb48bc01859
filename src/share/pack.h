/* pack.h - files, packed into the blocks of one.h. One thread.
 *
 * Life cycle: {0}, pack_add…, pack_end_block, pack_free. */
#pragma once

#include "base/base.h"

enum { PACK_BLOCK_BYTES = 4 << 20 };

struct pack {
    struct buf open; /* the block being filled */
    LIST(struct buf) blocks;
    LIST(struct pack_file {
        char *path;
        size_t block;
        size_t offset;
        size_t bytes;
    })
    files;
    uint64_t bytes; /* size of all blocks as base64 */
};

/* Adds a file, and ends the block if it is full. */
void pack_add(struct pack *pack, const char *path, struct slice content);
/* Makes the next file begin a new block. */
void pack_end_block(struct pack *pack);
/* Moves the blocks and files of another pack, whose blocks must be ended, to the end of this one. */
void pack_append(struct pack *pack, struct pack *more);
void pack_free(struct pack *pack);
/* Adds the bytes as a frame of zstd. */
void pack_bytes(struct buf *out, struct slice bytes);

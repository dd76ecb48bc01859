/* held.h - the bytes of a record whose end has not been found yet.
 *
 * A record that turns out to be larger than the limit is left out, so its bytes need not be in memory. Until that is known they are in
 * a file without a name. If there can be none, or it cannot be written, they are in memory.
 *
 * The caller owns the struct and uses it on one thread. {0} holds everything in memory. */
#pragma once

#include "base/base.h"

struct held {
    /* Opens a file without a name, read and write, which held_close() closes. -1: there can be none. NULL: as that. */
    int (*open)(void *context);
    void *context;
    bool opened;
    bool refused; /* everything else goes to memory */
    int fd;
    uint64_t bytes; /* in the file */
};

/* Adds to the file, or else to `memory`, which has the bytes before these. Returns false if what is in the file cannot be read. */
bool held_add(struct held *held, struct buf *memory, struct slice bytes, struct err *err);
/* Moves all bytes from the file to the end of `memory`. Returns false if they cannot be read. */
bool held_take(struct held *held, struct buf *memory, struct err *err);
/* Forgets the bytes in the file. */
void held_drop(struct held *held);
void held_close(struct held *held);

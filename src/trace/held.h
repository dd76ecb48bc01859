/* held.h - the bytes of a record whose end has not been found yet.
 *
 * A record that turns out to exceed the limit is skipped, so its bytes need not be in memory. Until its size is known,
 * they are kept in a file without a name, or in memory if there can be no such file or it cannot be written.
 *
 * The caller owns the struct and uses it on one thread. {0} holds everything in memory. */
#pragma once

#include "base/base.h"

struct held {
    /* Opens a file without a name, read and write, which held_close() closes. -1: there can be none. A NULL function
     * means the same. */
    int (*open)(void *context);
    void *context;
    bool opened;
    bool refused; /* the file failed: all further bytes go to memory */
    int fd;
    uint64_t bytes; /* in the file */
};

/* Adds bytes to the file, or else to `memory`, which has the preceding bytes. Returns false if the content of the file
 * cannot be read back. */
bool held_add(struct held *held, struct buf *memory, struct slice bytes, struct err *err);
/* Moves all bytes from the file to the end of `memory`. Returns false if they cannot be read. */
bool held_take(struct held *held, struct buf *memory, struct err *err);
/* Forgets the bytes in the file. */
void held_drop(struct held *held);
void held_close(struct held *held);

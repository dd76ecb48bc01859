#include "trace/held.h"

#include <unistd.h>

#include "base/fd.h"

static bool store(struct held *held, struct slice bytes) {
    if (held->refused || !held->open)
        return false;
    if (!held->opened) {
        held->fd = held->open(held->context);
        held->opened = held->fd >= 0;
    }
    if (!held->opened || !fd_write_at(held->fd, bytes.ptr, bytes.len, held->bytes))
        return false;
    held->bytes += bytes.len;
    return true;
}

bool held_add(struct held *held, struct buf *memory, struct slice bytes, struct err *err) {
    if (store(held, bytes))
        return true;
    held->refused = true;
    if (!held_take(held, memory, err))
        return false;
    buf_add(memory, bytes);
    return true;
}

bool held_take(struct held *held, struct buf *memory, struct err *err) {
    size_t len = (size_t)held->bytes;
    if (!len)
        return true;
    ssize_t got = fd_read_at(held->fd, buf_reserve(memory, len), len, 0);
    if (got >= 0 && (size_t)got < len)
        errno = EIO; /* it was written */
    if (got < 0 || (size_t)got < len)
        return err_errno(err, "cannot read a temporary file next to the report");
    memory->len += len;
    held_drop(held);
    return true;
}

void held_drop(struct held *held) {
    if (held->opened && held->bytes)
        held->refused |= ftruncate(held->fd, 0) != 0; /* bytes that stay take up space: add no more */
    held->bytes = 0;
}

void held_close(struct held *held) {
    if (held->opened)
        close(held->fd);
    *held = (struct held){0};
}

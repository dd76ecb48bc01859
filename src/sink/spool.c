#include "sink/spool.h"

#include <pthread.h>
#include <unistd.h>

#include "base/fd.h"

enum { PIECE_BYTES = 256 * 1024 };

struct spool {
    struct sink *beside;
    pthread_mutex_t lock; /* protects all members below */
    struct buf memory;    /* the content while fd is -1 */
    int fd;
    uint64_t bytes;
    int failure; /* errno of the first failed write, or 0 */
    int unread;  /* errno of the first failed read, or 0 */
};

struct spool *spool_create(struct sink *beside) {
    struct spool *spool = mem_zalloc(1, sizeof *spool);
    spool->beside = beside;
    spool->fd = -1;
    pthread_mutex_init(&spool->lock, NULL);
    return spool;
}

void spool_destroy(struct spool *spool) {
    if (spool->fd >= 0)
        close(spool->fd);
    buf_free(&spool->memory);
    pthread_mutex_destroy(&spool->lock);
    mem_free(spool);
}

static bool read_at(int fd, char *to, size_t len, uint64_t offset) {
    ssize_t got = fd_read_at(fd, to, len, offset);
    if (got >= 0 && (size_t)got < len)
        errno = EIO; /* it was written */
    return got >= 0 && (size_t)got == len;
}

/* Moves the content from memory to a file. */
static bool move_to_file(struct spool *spool) {
    spool->fd = spool->beside->ops->open_scratch(spool->beside);
    if (spool->fd < 0 || !fd_write_at(spool->fd, spool->memory.ptr, spool->memory.len, 0))
        return false;
    buf_free(&spool->memory);
    return true;
}

/* The caller holds the lock. */
static bool keep(struct spool *spool, struct slice bytes) {
    bool small = bytes.len <= SPOOL_BYTES && spool->bytes <= SPOOL_BYTES - bytes.len;
    if (spool->failure) {
        errno = spool->failure;
        return false;
    }
    if (spool->fd < 0 && (small || !spool->beside->ops->open_scratch)) {
        buf_add(&spool->memory, bytes);
        return true;
    }
    return (spool->fd >= 0 || move_to_file(spool)) && fd_write_at(spool->fd, bytes.ptr, bytes.len, spool->bytes);
}

bool spool_add(struct spool *spool, struct slice bytes, uint64_t *offset) {
    pthread_mutex_lock(&spool->lock);
    bool good = keep(spool, bytes);
    *offset = spool->bytes;
    if (good)
        spool->bytes += bytes.len;
    else
        spool->failure = errno;
    pthread_mutex_unlock(&spool->lock);
    return good;
}

/* Keeps errno. */
static void note_unread(struct spool *spool, int failure) {
    pthread_mutex_lock(&spool->lock);
    spool->unread = spool->unread ? spool->unread : failure;
    pthread_mutex_unlock(&spool->lock);
    errno = failure;
}

bool spool_read(struct spool *spool, uint64_t offset, size_t len, struct buf *out) {
    char *to = buf_reserve(out, len);
    pthread_mutex_lock(&spool->lock);
    bool there = offset <= spool->bytes && len <= spool->bytes - offset;
    int fd = spool->fd, failure = spool->failure;
    if (there && fd < 0 && len)
        memcpy(to, spool->memory.ptr + offset, len);
    pthread_mutex_unlock(&spool->lock);
    if (!there)
        errno = failure ? failure : EIO;
    if (!there || (fd >= 0 && !read_at(fd, to, len, offset))) {
        note_unread(spool, errno);
        return false;
    }
    out->len += len;
    return true;
}

bool spool_good(struct spool *spool, struct err *err) {
    pthread_mutex_lock(&spool->lock);
    int failure = spool->failure, unread = spool->unread;
    pthread_mutex_unlock(&spool->lock);
    errno = failure ? failure : unread;
    return !errno || err_errno(err, "cannot %s a temporary file next to the report", failure ? "write" : "read");
}

/* ---- sequences -------------------------------------------------------------------------------------------------- */

void spooled_start(struct spooled *spooled, struct spool *spool) {
    *spooled = (struct spooled){.spool = spool};
}

static void add_piece(struct spooled *spooled, struct slice content) {
    struct spooled_piece piece = {.len = content.len};
    if (!content.len)
        return;
    if (spooled->spool)
        spool_add(spooled->spool, content,
                  &piece.offset); /* the spool remembers the failure, and later reads report it */
    LIST_ADD(&spooled->pieces, piece);
    spooled->bytes += content.len;
}

static void flush(struct spooled *spooled) {
    add_piece(spooled, buf_slice(&spooled->buf));
    spooled->buf.len = 0;
}

void spooled_flush_if_full(struct spooled *spooled) {
    if (spooled->buf.len >= PIECE_BYTES)
        flush(spooled);
}

void spooled_add(struct spooled *spooled, struct slice content) {
    if (!spooled->spool)
        return;
    if (content.len >= PIECE_BYTES) {
        flush(spooled);
        add_piece(spooled, content);
        return;
    }
    buf_add(&spooled->buf, content);
    spooled_flush_if_full(spooled);
}

void spooled_end(struct spooled *spooled) {
    flush(spooled);
    buf_free(&spooled->buf);
}

bool spooled_read(const struct spooled *spooled, size_t i, struct buf *out) {
    const struct spooled_piece *piece = &spooled->pieces.items[i];
    return spool_read(spooled->spool, piece->offset, piece->len, out);
}

void spooled_copy(const struct spooled *spooled, struct stream *to) {
    AUTO_BUF piece = {0};
    for (size_t i = 0; i < spooled->pieces.count; i++) {
        piece.len = 0;
        if (!spooled_read(spooled, i, &piece)) {
            files_fail(to->files, "write", slice_str(to->path));
            break;
        }
        stream_add(to, buf_slice(&piece));
    }
}

void spooled_free(struct spooled *spooled) {
    buf_free(&spooled->buf);
    mem_free(spooled->pieces.items);
    *spooled = (struct spooled){0};
}

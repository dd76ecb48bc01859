#include "facts/facts_file.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zstd.h>

#include "base/fd.h"
#include "base/pool.h"
#include "trace/source.h"

/* Larger files would take too much memory as a whole, and so would frames whose text is many times as long, of which
 * small files can have any number: the general reader has a limit for them. */
enum { PACKED_MAX = 16 << 20, TEXT_MAX = 64 << 20, TIMES_MAX = 200, WORKERS_MAX = 16 };

/* A file that is being read ahead, or has been. */
struct ahead {
    struct job job;
    struct unpacker *unpacker;
    const char *path;
    ZSTD_DCtx *with;
    struct buf packed, text;
    bool done, good;
};

struct unpacker {
    const char *const *paths;
    size_t count, given; /* given: number of texts that the caller has received; it may still use the last one */
    struct ahead *ring;
    size_t ring_count;
    struct pool *pool;
    pthread_mutex_t lock; /* protects `done` */
    pthread_cond_t changed;
};

static bool read_packed(struct buf *packed, const char *path) {
    struct stat st;
    int fd = source_is_address(path) ? -1 : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool good = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0 && st.st_size <= PACKED_MAX;
    packed->len = 0;
    if (good) {
        char *to = buf_reserve(packed, (size_t)st.st_size);
        ssize_t got = fd_read_at(fd, to, (size_t)st.st_size, 0);
        good = got == (ssize_t)st.st_size;
        packed->len = good ? (size_t)got : 0;
    }
    if (fd >= 0)
        close(fd);
    return good;
}

/* Adds the text of a frame. Returns the number of packed bytes; 0: it cannot be decompressed, or it does not state the
 * size of its text. */
static size_t add_frame(ZSTD_DCtx *with, struct slice packed, struct buf *text) {
    size_t used = ZSTD_findFrameCompressedSize(packed.ptr, packed.len);
    unsigned long long size = ZSTD_isError(used) ? 0 : ZSTD_getFrameContentSize(packed.ptr, used);
    if (!size || size > TEXT_MAX - text->len || size / TIMES_MAX > used) /* an unknown size is a larger number */
        return 0;
    if (ZSTD_decompressDCtx(with, buf_reserve(text, size), size, packed.ptr, used) != size)
        return 0;
    text->len += size;
    return used;
}

static bool unpack(struct ahead *file) {
    file->text.len = 0;
    if (!file->with || !read_packed(&file->packed, file->path))
        return false;
    for (struct slice rest = buf_slice(&file->packed); rest.len;) {
        size_t used = add_frame(file->with, rest, &file->text);
        if (!used)
            return false;
        rest = slice_from(rest, used);
    }
    return file->text.len > 0;
}

static void run(struct job *job) {
    struct ahead *file = (struct ahead *)job; /* its first member */
    bool good = unpack(file);
    pthread_mutex_lock(&file->unpacker->lock);
    file->good = good;
    file->done = true;
    pthread_cond_signal(&file->unpacker->changed);
    pthread_mutex_unlock(&file->unpacker->lock);
}

/* Starts to read a file, in the slot of one that the caller no longer needs. */
static void start(struct unpacker *u, size_t at) {
    struct ahead *file = &u->ring[at % u->ring_count];
    if (at >= u->count)
        return;
    file->path = u->paths[at];
    file->done = false;
    pool_run(u->pool, &file->job);
}

struct unpacker *unpacker_create(const char *const *paths, size_t count, unsigned workers) {
    struct err err = {0};
    struct unpacker *u = mem_zalloc(1, sizeof *u);
    u->paths = paths;
    u->count = count;
    pthread_mutex_init(&u->lock, NULL);
    pthread_cond_init(&u->changed, NULL);
    workers = workers < WORKERS_MAX ? workers : WORKERS_MAX;
    u->pool = pool_create(workers, &err);
    if (!u->pool)
        u->pool = pool_create(0, &err); /* without threads, this cannot fail */
    u->ring_count = 2 * (size_t)workers + 1;
    u->ring = mem_zalloc(u->ring_count, sizeof *u->ring);
    for (size_t i = 0; i < u->ring_count; i++) {
        u->ring[i].job.run = run;
        u->ring[i].unpacker = u;
        u->ring[i].with = ZSTD_createDCtx();
    }
    for (size_t i = 0; i + 1 < u->ring_count; i++)
        start(u, i);
    return u;
}

/* The caller used the file of the previous call until now. */
struct slice unpacker_next(struct unpacker *u) {
    struct ahead *file = &u->ring[u->given % u->ring_count];
    start(u, u->given + u->ring_count - 1);
    pthread_mutex_lock(&u->lock);
    while (!file->done)
        pthread_cond_wait(&u->changed, &u->lock);
    pthread_mutex_unlock(&u->lock);
    u->given++;
    return file->good ? buf_slice(&file->text) : (struct slice){0};
}

void unpacker_destroy(struct unpacker *u) {
    pool_destroy(u->pool);
    for (size_t i = 0; i < u->ring_count; i++) {
        buf_free(&u->ring[i].packed);
        buf_free(&u->ring[i].text);
        ZSTD_freeDCtx(u->ring[i].with);
    }
    pthread_cond_destroy(&u->changed);
    pthread_mutex_destroy(&u->lock);
    mem_free(u->ring);
    mem_free(u);
}

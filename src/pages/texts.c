#include "pages/texts.h"

#include <pthread.h>

#include "sink/script.h"

enum { CHUNK_BYTES = 1 << 20, SLOTS = TEXTS_OPEN_MAX + 4, UNPACKED = 4 };

enum slot_state { SLOT_FREE, SLOT_OPEN, SLOT_BUSY };

struct slot {
    struct job job;
    struct texts *texts;
    enum slot_state state; /* BUSY; the return to FREE is protected by the lock */
    uint32_t folder;
    uint64_t used;   /* counter value when a text was last added */
    size_t len;      /* of the chunk */
    struct buf text; /* the chunk, unless the sink discards files */
    struct buf path, key;
    bool keep;   /* the chunk has a text that will be read again */
    size_t kept; /* if keep: its index among the kept chunks */
};

/* A chunk in the spool. */
struct kept_chunk {
    uint32_t folder;
    size_t number; /* index among the folder's chunks */
    uint64_t offset;
    size_t packed_len; /* 0: it could not be stored */
};

/* A chunk that was read recently. */
struct unpacked {
    const struct kept_chunk *chunk; /* NULL: none */
    uint64_t used;
    struct buf text;
};

struct texts {
    struct model *model;
    struct files *files;
    struct spool *spool;
    struct pool *pool;
    LIST(struct kept_chunk) kept; /* protected by the lock; sorted by texts_finish() */
    struct unpacked unpacked[UNPACKED];
    pthread_mutex_t lock;
    pthread_cond_t freed;
    uint64_t clock;
    int open_max;
    struct slot slots[SLOTS];
};

static void write_chunk(struct job *job) {
    struct slot *slot = (struct slot *)job;
    struct texts *texts = slot->texts;
    struct buf packed = {0}, script = {0};
    uint64_t offset = 0;
    script_pack(&packed, buf_slice(&slot->text));
    bool kept = slot->keep && spool_add(texts->spool, buf_slice(&packed), &offset);
    size_t packed_len = packed.len;
    script_add_packed(&script, buf_slice(&slot->key), buf_slice(&packed));
    buf_free(&packed);
    files_write(texts->files, buf_slice(&slot->path), buf_slice(&script));
    buf_free(&script);
    pthread_mutex_lock(&texts->lock);
    if (kept) {
        texts->kept.items[slot->kept].offset = offset;
        texts->kept.items[slot->kept].packed_len = packed_len;
    }
    slot->state = SLOT_FREE;
    pthread_cond_signal(&texts->freed);
    pthread_mutex_unlock(&texts->lock);
}

struct texts *texts_create(struct model *model, struct files *files, struct spool *spool, struct pool *pool, int open) {
    struct texts *texts = mem_zalloc(1, sizeof *texts);
    texts->model = model;
    texts->files = files;
    texts->spool = spool;
    texts->pool = pool;
    texts->open_max = open;
    pthread_mutex_init(&texts->lock, NULL);
    pthread_cond_init(&texts->freed, NULL);
    for (int i = 0; i < SLOTS; i++)
        texts->slots[i] = (struct slot){.job.run = write_chunk, .texts = texts};
    return texts;
}

static void close_slot(struct texts *texts, struct slot *slot) {
    struct folder *folder = &texts->model->folders.items[slot->folder];
    folder->open_chunk = UINT32_MAX;
    slot->path.len = slot->key.len = 0;
    size_t number = folder->chunks.count - 1;
    bool wanted = files_wanted(texts->files);
    buf_addf(&slot->path, "data/%.*s.%zu.js", SLICE_ARG(folder->name), number);
    buf_addf(&slot->key, "%.*s/%zu", SLICE_ARG(folder->name), number);
    pthread_mutex_lock(&texts->lock);
    slot->state = wanted ? SLOT_BUSY : SLOT_FREE;
    if (wanted && slot->keep) {
        slot->kept = texts->kept.count;
        LIST_ADD(&texts->kept, (struct kept_chunk){.folder = slot->folder, .number = number});
    }
    pthread_mutex_unlock(&texts->lock);
    if (!wanted)
        return;
    pool_run(texts->pool, &slot->job);
}

/* Waits until a slot is free. */
static struct slot *free_slot(struct texts *texts) {
    struct slot *found = NULL;
    pthread_mutex_lock(&texts->lock);
    while (!found) {
        for (int i = 0; i < SLOTS && !found; i++)
            if (texts->slots[i].state == SLOT_FREE)
                found = &texts->slots[i];
        if (!found)
            pthread_cond_wait(&texts->freed, &texts->lock);
    }
    pthread_mutex_unlock(&texts->lock);
    return found;
}

/* If too many chunks are open, closes the least recently extended one. */
static void make_room(struct texts *texts) {
    struct slot *oldest = NULL;
    int open = 0;
    pthread_mutex_lock(&texts->lock);
    for (int i = 0; i < SLOTS; i++) {
        struct slot *slot = &texts->slots[i];
        if (slot->state != SLOT_OPEN)
            continue;
        open++;
        if (!oldest || slot->used < oldest->used)
            oldest = slot;
    }
    pthread_mutex_unlock(&texts->lock);
    if (oldest && open == texts->open_max)
        close_slot(texts, oldest);
}

static struct slot *open_slot(struct texts *texts, uint32_t index) {
    make_room(texts);
    struct slot *slot = free_slot(texts);
    struct folder *folder = &texts->model->folders.items[index];
    slot->state = SLOT_OPEN;
    slot->folder = index;
    slot->text.len = slot->len = 0;
    slot->keep = false;
    if (files_wanted(texts->files))
        buf_reserve(&slot->text, 64 * 1024);
    folder->open_chunk = (uint32_t)(slot - texts->slots);
    ARENA_ADD(&texts->model->arena, &folder->chunks, folder->text_bytes);
    return slot;
}

uint64_t texts_add(struct texts *texts, uint32_t index, struct slice text, bool keep) {
    uint64_t offset = texts->model->folders.items[index].text_bytes;
    while (text.len) {
        struct folder *folder = &texts->model->folders.items[index];
        struct slot *slot =
            folder->open_chunk == UINT32_MAX ? open_slot(texts, index) : &texts->slots[folder->open_chunk];
        size_t room = CHUNK_BYTES - slot->len;
        if (slot->len && text.len > room) {
            close_slot(texts, slot);
            continue;
        }
        struct slice piece = slice_first(text, room);
        slot->used = ++texts->clock;
        slot->keep |= keep;
        slot->len += piece.len;
        if (files_wanted(texts->files))
            buf_add(&slot->text, piece);
        folder->text_bytes += piece.len;
        text = slice_from(text, piece.len);
        if (slot->len == CHUNK_BYTES)
            close_slot(texts, slot);
    }
    return offset;
}

static int by_place(const void *a, const void *b) {
    const struct kept_chunk *x = a, *y = b;
    return x->folder != y->folder ? (x->folder < y->folder ? -1 : 1)
         : x->number != y->number ? (x->number < y->number ? -1 : 1)
                                  : 0;
}

void texts_finish(struct texts *texts) {
    for (int i = 0; i < SLOTS; i++) {
        pthread_mutex_lock(&texts->lock);
        bool open = texts->slots[i].state == SLOT_OPEN;
        pthread_mutex_unlock(&texts->lock);
        if (open)
            close_slot(texts, &texts->slots[i]);
    }
    for (int i = 0; i < SLOTS; i++) {
        struct slot *slot = &texts->slots[i];
        pthread_mutex_lock(&texts->lock);
        while (slot->state != SLOT_FREE)
            pthread_cond_wait(&texts->freed, &texts->lock);
        pthread_mutex_unlock(&texts->lock);
        buf_free(&slot->text);
        buf_free(&slot->path);
        buf_free(&slot->key);
    }
    if (texts->kept.count)
        qsort(texts->kept.items, texts->kept.count, sizeof *texts->kept.items, by_place);
}

/* The offset of the folder's k-th chunk, or the length of the stream for k after the last chunk. */
static uint64_t chunk_start(const struct folder *folder, size_t k) {
    return k < folder->chunks.count ? folder->chunks.items[k] : folder->text_bytes;
}

/* The index of the chunk that contains the byte at the offset. */
static size_t chunk_at(const struct folder *folder, uint64_t offset) {
    size_t behind = 1;
    SEARCH(behind, folder->chunks.count, middle, folder->chunks.items[middle] <= offset);
    return behind - 1;
}

static bool unpack(struct texts *texts, const struct kept_chunk *chunk, size_t len, struct buf *text) {
    AUTO_BUF packed = {0};
    text->len = 0;
    bool good = chunk->packed_len && spool_read(texts->spool, chunk->offset, chunk->packed_len, &packed);
    if (good && !script_unpack(text, buf_slice(&packed), len)) {
        errno = EIO;
        good = false;
    }
    if (!good)
        files_fail(texts->files, "read a text again for", SLICE("provenance"));
    return good;
}

/* The content of the folder's k-th chunk, or NULL if it was not kept. */
static const struct buf *unpacked_chunk(struct texts *texts, uint32_t index, size_t k) {
    const struct folder *folder = &texts->model->folders.items[index];
    const struct kept_chunk key = {.folder = index, .number = k};
    const struct kept_chunk *chunk =
        texts->kept.count ? bsearch(&key, texts->kept.items, texts->kept.count, sizeof *texts->kept.items, by_place)
                          : NULL;
    struct unpacked *place = &texts->unpacked[0];
    if (!chunk)
        return NULL;
    for (int i = 0; i < UNPACKED; i++) {
        struct unpacked *one = &texts->unpacked[i];
        if (one->chunk == chunk) {
            one->used = ++texts->clock;
            return &one->text;
        }
        if (one->used < place->used)
            place = one;
    }
    bool good = unpack(texts, chunk, (size_t)(chunk_start(folder, k + 1) - chunk_start(folder, k)), &place->text);
    place->chunk = good ? chunk : NULL;
    place->used = ++texts->clock;
    return good ? &place->text : NULL;
}

static bool read_text(struct texts *texts, const struct artifact *artifact, struct buf *out) {
    const struct folder *folder = &texts->model->folders.items[artifact->folder];
    uint64_t at = artifact->text_offset, end = at + artifact->bytes;
    size_t before = out->len;
    if (!artifact->has_text)
        return false;
    for (size_t k = chunk_at(folder, at); at < end; k++) {
        const struct buf *chunk = unpacked_chunk(texts, artifact->folder, k);
        if (!chunk) {
            out->len = before;
            return false;
        }
        struct slice rest = slice_from(buf_slice(chunk), (size_t)(at - chunk_start(folder, k)));
        struct slice piece = slice_first(rest, end - at < rest.len ? (size_t)(end - at) : rest.len);
        buf_add(out, piece);
        at += piece.len;
    }
    return true;
}

bool texts_read(struct texts *texts, const struct artifact *artifact, struct buf *out) {
    pthread_mutex_lock(&texts->lock);
    bool good = read_text(texts, artifact, out);
    pthread_mutex_unlock(&texts->lock);
    return good;
}

struct pool *texts_pool(const struct texts *texts) {
    return texts->pool;
}

struct spool *texts_spool(const struct texts *texts) {
    return texts->spool;
}

void texts_destroy(struct texts *texts) {
    for (int i = 0; i < UNPACKED; i++)
        buf_free(&texts->unpacked[i].text);
    mem_free(texts->kept.items);
    pthread_cond_destroy(&texts->freed);
    pthread_mutex_destroy(&texts->lock);
    mem_free(texts);
}

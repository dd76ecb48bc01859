#include "report/json/texts.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/mem.h"
#include "sink/script.h"

enum { CHUNK_BYTES = 1 << 20, SLOTS = TEXTS_OPEN_MAX + 4 };

enum slot_state { SLOT_FREE, SLOT_OPEN, SLOT_BUSY };

struct slot {
    struct job job;
    struct texts *texts;
    enum slot_state state; /* BUSY and back to FREE under the lock */
    uint32_t folder;
    uint64_t used; /* when a text was last added, in texts */
    struct buf text;
    struct buf path, key;
};

struct texts {
    struct model *model;
    struct files *files;
    struct pool *pool;
    pthread_mutex_t lock;
    pthread_cond_t freed;
    uint64_t clock;
    int open_max;
    struct slot slots[SLOTS];
};

static void write_chunk(struct job *job) {
    struct slot *slot = (struct slot *)job;
    script_write(slot->texts->files, buf_slice(&slot->path), buf_slice(&slot->key), buf_slice(&slot->text));
    pthread_mutex_lock(&slot->texts->lock);
    slot->state = SLOT_FREE;
    pthread_cond_signal(&slot->texts->freed);
    pthread_mutex_unlock(&slot->texts->lock);
}

struct texts *texts_create(struct model *model, struct files *files, struct pool *pool, int open) {
    struct texts *texts = mem_zalloc(1, sizeof *texts);
    texts->model = model;
    texts->files = files;
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
    buf_addf(&slot->path, "data/%.*s.%zu.js", SLICE_ARG(folder->name), number);
    buf_addf(&slot->key, "%.*s/%zu", SLICE_ARG(folder->name), number);
    pthread_mutex_lock(&texts->lock);
    slot->state = SLOT_BUSY;
    pthread_mutex_unlock(&texts->lock);
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

/* Closes the chunk that was not added to for longest, when too many are open. */
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
    slot->text.len = 0;
    buf_reserve(&slot->text, 64 * 1024);
    folder->open_chunk = (uint32_t)(slot - texts->slots);
    ARENA_GROW(&texts->model->arena, &folder->chunks);
    folder->chunks.items[folder->chunks.count++] = folder->text_bytes;
    return slot;
}

uint64_t texts_add(struct texts *texts, uint32_t index, struct slice text) {
    uint64_t offset = texts->model->folders.items[index].text_bytes;
    while (text.len) {
        struct folder *folder = &texts->model->folders.items[index];
        struct slot *slot =
            folder->open_chunk == UINT32_MAX ? open_slot(texts, index) : &texts->slots[folder->open_chunk];
        size_t room = CHUNK_BYTES - slot->text.len;
        if (slot->text.len && text.len > room) {
            close_slot(texts, slot);
            continue;
        }
        struct slice piece = slice_first(text, room);
        slot->used = ++texts->clock;
        buf_add(&slot->text, piece);
        folder->text_bytes += piece.len;
        text = slice_from(text, piece.len);
        if (slot->text.len == CHUNK_BYTES)
            close_slot(texts, slot);
    }
    return offset;
}

void texts_destroy(struct texts *texts) {
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
    pthread_cond_destroy(&texts->freed);
    pthread_mutex_destroy(&texts->lock);
    free(texts);
}

#include "pipeline/pipeline.h"

#include <pthread.h>

#include "kinds/kind.h"
#include "pipeline/lanes.h"
#include "trace/block.h"

enum { BLOCK_BYTES = 1024 * 1024 };

static const uint64_t OUTPUT_BYTES = UINT64_C(256) << 30;

/* The states of a block: read → split → decoded → folded → written → free. */
enum slot_state { SLOT_FREE, SLOT_SPLITTING, SLOT_SPLIT, SLOT_DECODING, SLOT_DECODED, SLOT_WRITING };

struct slot {
    struct job job;
    struct run *run;
    enum slot_state state; /* protected by the lock */
    struct buf bytes;
    struct arena arena;
    struct records records;
    struct outputs outputs;
    uint64_t end;          /* bytes of the log read up to the end of the block */
    uint64_t lines_before; /* number of skipped lines before the block */
    const char *too_large; /* if the block is the start of a skipped record: why; NULL: it is not */
};

struct run {
    struct source *source;
    struct pool *pool;
    struct lanes lanes;
    struct stream raw;
    const struct reading_watcher *watcher;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t slot_count;
    struct slot *slots;
    size_t head, queued; /* the blocks that were read but not folded: a ring over the slots, in log order */
    size_t *ring;        /* its capacity is slot_count */
    uint64_t line;       /* the first line of the next block to fold, from 1 */
    uint64_t bytes;      /* read so far */
    size_t record_max;
    uint64_t output_max;
    bool details; /* see struct record */
    bool full;    /* the log is not read on */
};

static void set_state(struct slot *slot, enum slot_state state) {
    pthread_mutex_lock(&slot->run->lock);
    slot->state = state;
    pthread_cond_broadcast(&slot->run->changed);
    pthread_mutex_unlock(&slot->run->lock);
}

static void decode(struct job *job) {
    struct slot *slot = (struct slot *)job;
    struct records *records = &slot->records;
    decode_records(records, &slot->arena, registry_decode, slot->run->details);
    for (size_t i = 0; i < records->count; i++) {
        struct record *record = &records->items[i];
        if (slot->too_large)
            record->too_large = slot->too_large;
        else if (record->log_bytes > slot->run->record_max)
            record->too_large = BLOCK_RECORD_TOO_LARGE;
        else if (record->glog.rest.len > BLOCK_HEAD_MAX)
            record->too_large = BLOCK_HEAD_TOO_LARGE;
    }
    set_state(slot, SLOT_DECODED);
}

/* Takes all blocks that are split, unless another will soon be. Returns their number. */
static size_t take_split(struct run *run, struct slot *slot, struct slot **taken) {
    size_t count = 0;
    bool more = false;
    pthread_mutex_lock(&run->lock);
    slot->state = SLOT_SPLIT;
    for (size_t i = 0; i < run->slot_count; i++)
        more |= run->slots[i].state == SLOT_SPLITTING;
    for (size_t i = 0; i < run->slot_count && !more; i++)
        if (run->slots[i].state == SLOT_SPLIT) {
            run->slots[i].state = SLOT_DECODING;
            taken[count++] = &run->slots[i];
        }
    pthread_mutex_unlock(&run->lock);
    return count;
}

/* Splits a block. The worker that splits the last one of those that have been read hashes the payloads of all. */
static void split(struct job *job) {
    struct slot *slot = (struct slot *)job;
    struct run *run = slot->run;
    split_block(buf_slice(&slot->bytes), &slot->arena, &slot->records);
    struct slot **taken = mem_alloc(run->slot_count * sizeof *taken);
    struct records **blocks = mem_alloc(run->slot_count * sizeof *blocks);
    size_t count = take_split(run, slot, taken);
    for (size_t i = 0; i < count; i++)
        blocks[i] = &taken[i]->records;
    hash_payloads(blocks, count);
    for (size_t i = 0; i < count; i++) {
        taken[i]->job.run = decode;
        pool_run(run->pool, &taken[i]->job);
    }
    mem_free(taken);
    mem_free(blocks);
}

static void write_files(struct job *job) {
    struct slot *slot = (struct slot *)job;
    outputs_write(&slot->outputs);
    arena_reset(&slot->arena);
    set_state(slot, SLOT_FREE);
}

static void wait_for(struct slot *slot, enum slot_state state) {
    pthread_mutex_lock(&slot->run->lock);
    while (slot->state != state)
        pthread_cond_wait(&slot->run->changed, &slot->run->lock);
    pthread_mutex_unlock(&slot->run->lock);
}

static void fold_block(struct run *run, struct slot *slot) {
    outputs_init(&slot->outputs);
    if (run->full)
        return;
    run->line += slot->lines_before;
    uint64_t room = run->output_max > slot->end ? run->output_max - slot->end : 0;
    struct lanes_block block = {&slot->outputs, &slot->arena, run->line, room};
    uint64_t folded = lanes_fold_block(&run->lanes, &block, &slot->records);
    run->line += folded;
    run->full |= folded < slot->records.lines;
}

/* Folds the oldest block and passes it to a worker for writing. */
static void fold_next(struct run *run) {
    struct slot *slot = &run->slots[run->ring[run->head]];
    run->head = (run->head + 1) % run->slot_count;
    run->queued--;
    wait_for(slot, SLOT_DECODED);
    fold_block(run, slot);
    slot->job.run = write_files;
    set_state(slot, SLOT_WRITING);
    pool_run(run->pool, &slot->job);
}

/* A free slot, or NULL. */
static struct slot *look_for_free(struct run *run) {
    struct slot *found = NULL;
    pthread_mutex_lock(&run->lock);
    for (size_t i = 0; i < run->slot_count && !found; i++)
        if (run->slots[i].state == SLOT_FREE)
            found = &run->slots[i];
    pthread_mutex_unlock(&run->lock);
    return found;
}

static struct slot *take_free(struct run *run) {
    struct slot *slot;
    while (!(slot = look_for_free(run))) {
        if (run->queued) {
            fold_next(run);
            continue;
        }
        pthread_mutex_lock(&run->lock);
        bool any = false;
        for (size_t i = 0; i < run->slot_count; i++)
            any |= run->slots[i].state == SLOT_FREE;
        if (!any)
            pthread_cond_wait(&run->changed, &run->lock);
        pthread_mutex_unlock(&run->lock);
    }
    return slot;
}

static bool head_is_decoded(struct run *run) {
    pthread_mutex_lock(&run->lock);
    bool decoded = run->queued && run->slots[run->ring[run->head]].state == SLOT_DECODED;
    pthread_mutex_unlock(&run->lock);
    return decoded;
}

/* Receives all bytes read, including those skipped later. */
static bool add_raw(void *context, struct slice bytes) {
    struct run *run = context;
    stream_add(&run->raw, bytes);
    run->bytes += bytes.len;
    run->full |= run->bytes > run->output_max;
    return !run->full;
}

/* Whether the report has reached its maximum size. Reading is ahead of folding by a number of blocks that depends on
 * the workers. Near the limit, it is not, so raw.log always ends at the same line. */
static bool is_full(struct run *run) {
    if (run->bytes + run->lanes.written > run->output_max / 2)
        while (run->queued)
            fold_next(run);
    return run->full;
}

static void tell_full(struct run *run) {
    char why[96];
    snprintf(why, sizeof why, "the report has the %" PRIu64 " bytes that --max-output allows", run->output_max);
    source_leave_rest(run->source, run->line, why);
}

static int open_held(void *context) {
    struct sink *sink = context;
    return sink->ops->open_scratch ? sink->ops->open_scratch(sink) : -1;
}

static bool read_blocks(struct run *run, struct sink *sink, size_t block_bytes, struct err *err) {
    struct block_reader reader = {.source = run->source,
                                  .block_bytes = block_bytes,
                                  .record_max = run->record_max,
                                  .tee = add_raw,
                                  .context = run,
                                  .held = {.open = open_held, .context = sink}};
    bool good = true, more = true;
    while (good && more) {
        struct slot *slot = take_free(run);
        good = block_read(&reader, &slot->bytes, &more, err) && lanes_good(&run->lanes, err);
        if (!good || !more || is_full(run))
            break;
        slot->end = run->bytes;
        slot->lines_before = reader.lines_before;
        slot->too_large = reader.too_large;
        if (run->watcher && run->watcher->progress)
            run->watcher->progress(run->watcher->context, run->bytes);
        run->ring[(run->head + run->queued++) % run->slot_count] = (size_t)(slot - run->slots);
        slot->job.run = split;
        set_state(slot, SLOT_SPLITTING);
        pool_run(run->pool, &slot->job);
        while (head_is_decoded(run))
            fold_next(run);
    }
    while (run->queued)
        fold_next(run);
    for (size_t i = 0; i < run->slot_count; i++)
        wait_for(&run->slots[i], SLOT_FREE);
    if (run->full)
        tell_full(run);
    block_reader_finish(&reader);
    return good;
}

static void start(struct run *run, struct source *source, struct sink *sink, const struct reading_options *options,
                  const struct reading_watcher *watcher) {
    run->source = source;
    run->watcher = watcher;
    run->line = 1;
    run->record_max = options->record_max ? options->record_max : BLOCK_RECORD_MAX;
    run->output_max = options->output_max ? options->output_max : OUTPUT_BYTES;
    pthread_mutex_init(&run->lock, NULL);
    pthread_cond_init(&run->changed, NULL);
    /* Each worker has a block, and two more are being read and folded. With twice as many, a report takes 1 % less wall
     * time, and each of the others takes up to 4 MiB. */
    run->slot_count = options->workers ? (size_t)options->workers + 2 : 1;
    run->slots = mem_zalloc(run->slot_count, sizeof *run->slots);
    run->ring = mem_alloc(run->slot_count * sizeof *run->ring);
    for (size_t i = 0; i < run->slot_count; i++)
        run->slots[i].run = run;
    lanes_start(&run->lanes, source, sink, options, watcher, run->pool);
    run->details = sink->keeps != SINK_SUMMARY;
    stream_open(&run->raw, lanes_files(&run->lanes), "raw.log");
}

/* What ends the report needs the memory. */
static void free_slots(struct run *run) {
    for (size_t i = 0; i < run->slot_count; i++) {
        buf_free(&run->slots[i].bytes);
        arena_free(&run->slots[i].arena);
        records_finish(&run->slots[i].records);
    }
    mem_free(run->slots);
}

static void end(struct run *run) {
    pool_destroy(run->pool);
    mem_free(run->ring);
    pthread_cond_destroy(&run->changed);
    pthread_mutex_destroy(&run->lock);
    mem_free(run);
}

bool pipeline_run(struct source *source, struct sink *sink, const struct reading_options *options,
                  const struct reading_watcher *watcher, struct pipeline_result *result, struct err *err) {
    struct run *run = mem_zalloc(1, sizeof *run);
    run->pool = pool_create(options->workers, err);
    if (!run->pool) {
        mem_free(run);
        return false;
    }
    start(run, source, sink, options, watcher);
    bool good = read_blocks(run, sink, options->block_bytes ? options->block_bytes : BLOCK_BYTES, err);
    stream_close(&run->raw);
    free_slots(run);
    good = lanes_end(&run->lanes, run->bytes, good, result, err) && good;
    end(run);
    return good;
}

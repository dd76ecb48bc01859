#define _GNU_SOURCE
#include "pipeline/pipeline.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "base/mem.h"
#include "base/path.h"
#include "envelope/registry.h"
#include "pipeline/finish.h"
#include "trace/block.h"

enum { BLOCK_BYTES = 512 * 1024, SLOTS_MAX = 18 };

/* A block on its way: read → decoded → folded → written → free. */
enum slot_state { SLOT_FREE, SLOT_DECODING, SLOT_DECODED, SLOT_WRITING };

struct slot {
    struct job job;
    struct run *run;
    enum slot_state state; /* under the lock */
    struct buf bytes;
    struct arena arena;
    struct records records;
    struct outputs outputs;
};

struct run {
    struct source *source;
    struct pool *pool;
    struct files files;
    struct report report;
    struct fold fold;
    struct stream raw;
    const struct pipeline_watcher *watcher;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t slot_count;
    struct slot slots[SLOTS_MAX];
    size_t head, queued; /* the blocks that are read and not yet folded: a ring over the slots, in log order */
    size_t ring[SLOTS_MAX];
};

static void set_state(struct slot *slot, enum slot_state state) {
    pthread_mutex_lock(&slot->run->lock);
    slot->state = state;
    pthread_cond_broadcast(&slot->run->changed);
    pthread_mutex_unlock(&slot->run->lock);
}

static void decode(struct job *job) {
    struct slot *slot = (struct slot *)job;
    decode_block(buf_slice(&slot->bytes), &slot->arena, registry_decode, &slot->records);
    set_state(slot, SLOT_DECODED);
}

static void write_files(struct job *job) {
    struct slot *slot = (struct slot *)job;
    outputs_write(&slot->outputs, &slot->run->files);
    arena_reset(&slot->arena);
    set_state(slot, SLOT_FREE);
}

static void wait_for(struct slot *slot, enum slot_state state) {
    pthread_mutex_lock(&slot->run->lock);
    while (slot->state != state)
        pthread_cond_wait(&slot->run->changed, &slot->run->lock);
    pthread_mutex_unlock(&slot->run->lock);
}

/* Records and stray lines of a block in the order of their lines. */
static void fold_block(struct run *run, struct slot *slot) {
    const struct records *records = &slot->records;
    size_t r = 0, s = 0;
    outputs_init(&slot->outputs);
    run->fold.outputs = &slot->outputs;
    run->fold.arena = &slot->arena;
    while (r < records->count || s < records->strays.count) {
        bool stray = r == records->count || (s < records->strays.count && records->strays.items[s].line < records->items[r].line);
        if (stray)
            fold_strays(&run->fold, &records->strays.items[s++]);
        else
            fold_record(&run->fold, &records->items[r++]);
    }
    run->fold.block_line += records->lines;
}

/* Folds the oldest block and sends it to be written. */
static void fold_next(struct run *run) {
    struct slot *slot = &run->slots[run->ring[run->head]];
    run->head = (run->head + 1) % SLOTS_MAX;
    run->queued--;
    wait_for(slot, SLOT_DECODED);
    fold_block(run, slot);
    slot->job.run = write_files;
    set_state(slot, SLOT_WRITING);
    pool_run(run->pool, &slot->job);
}

/* A slot that is free now, or NULL. */
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

static bool read_blocks(struct run *run, size_t block_bytes, struct err *err) {
    struct block_reader reader = {.source = run->source, .block_bytes = block_bytes};
    bool good = true, more = true;
    while (good && more) {
        struct slot *slot = take_free(run);
        good = block_read(&reader, &slot->bytes, &more, err) && files_good(&run->files, err);
        if (!good || !more)
            break;
        stream_add(&run->raw, buf_slice(&slot->bytes));
        run->report.log_bytes += slot->bytes.len;
        if (run->watcher && run->watcher->progress)
            run->watcher->progress(run->watcher->context, run->report.log_bytes);
        run->ring[(run->head + run->queued++) % SLOTS_MAX] = (size_t)(slot - run->slots);
        slot->job.run = decode;
        set_state(slot, SLOT_DECODING);
        pool_run(run->pool, &slot->job);
        while (head_is_decoded(run))
            fold_next(run);
    }
    while (run->queued)
        fold_next(run);
    for (size_t i = 0; i < run->slot_count; i++)
        wait_for(&run->slots[i], SLOT_FREE);
    block_reader_finish(&reader);
    return good;
}

static int year_of(time_t when) {
    struct tm tm;
    return localtime_r(&when, &tm) ? tm.tm_year + 1900 : 1970;
}

static void start(struct run *run, struct source *source, int dirfd, const struct pipeline_options *options,
                  const struct pipeline_watcher *watcher) {
    run->source = source;
    run->watcher = watcher;
    pthread_mutex_init(&run->lock, NULL);
    pthread_cond_init(&run->changed, NULL);
    files_init(&run->files, dirfd);
    run->slot_count = options->workers ? 2 * options->workers + 2 : 1;
    if (run->slot_count > SLOTS_MAX)
        run->slot_count = SLOTS_MAX;
    for (size_t i = 0; i < run->slot_count; i++)
        run->slots[i].run = run;
    run->report.file_name = report_copy(&run->report, path_last(slice_str(source->name)));
    stream_open(&run->raw, &run->files, "raw.log");
    files_folder(&run->files, SLICE("data/"));
    run->fold = (struct fold){.report = &run->report, .files = &run->files, .options = options, .watcher = watcher,
                              .year = year_of(source->modified), .block_line = 1};
    run->fold.texts = texts_create(&run->report, &run->files, run->pool);
    fold_start(&run->fold);
}

static void fill_result(struct run *run, struct pipeline_result *result) {
    struct report *report = &run->report;
    *result = (struct pipeline_result){.no_compile_id = run->fold.no_compile_id,
                                       .no_compile_id_line = run->fold.no_compile_id_line,
                                       .compiles = report->compiles.count,
                                       .artifacts = report->artifacts.count,
                                       .bytes = report->log_bytes,
                                       .has_rank = report->has_rank,
                                       .rank = report->rank,
                                       .unknown_key_count = report->unknown_keys.count};
    memcpy(result->counters, report->counters, sizeof result->counters);
    result->unknown_keys = mem_zalloc(report->unknown_keys.count + 1, sizeof *result->unknown_keys);
    for (size_t i = 0; i < report->unknown_keys.count; i++)
        result->unknown_keys[i] = mem_printf("%.*s", SLICE_ARG(report->unknown_keys.items[i]));
}

static void end(struct run *run) {
    pool_destroy(run->pool);
    for (size_t i = 0; i < run->slot_count; i++) {
        buf_free(&run->slots[i].bytes);
        arena_free(&run->slots[i].arena);
        records_finish(&run->slots[i].records);
    }
    report_finish(&run->report);
    files_finish(&run->files);
    pthread_cond_destroy(&run->changed);
    pthread_mutex_destroy(&run->lock);
    free(run);
}

bool pipeline_run(struct source *source, int dirfd, const struct pipeline_options *options,
                  const struct pipeline_watcher *watcher, struct pipeline_result *result, struct err *err) {
    struct run *run = mem_zalloc(1, sizeof *run);
    run->pool = pool_create(options->workers, err);
    if (!run->pool) {
        free(run);
        return false;
    }
    start(run, source, dirfd, options, watcher);
    bool good = read_blocks(run, options->block_bytes ? options->block_bytes : BLOCK_BYTES, err);
    texts_destroy(run->fold.texts);
    stream_close(&run->raw);
    fold_finish(&run->fold);
    if (good)
        finish_report(&run->report, options, &run->files);
    good = good && files_good(&run->files, err);
    fill_result(run, result);
    end(run);
    return good;
}

void pipeline_result_finish(struct pipeline_result *result) {
    for (size_t i = 0; i < result->unknown_key_count; i++)
        free(result->unknown_keys[i]);
    free(result->unknown_keys);
    *result = (struct pipeline_result){0};
}

#include "pipeline/feed.h"

#include <sys/stat.h>

#include "base/pool.h"
#include "kinds/kind.h"
#include "sink/sinks.h"
#include "trace/block.h"
#include "trace/source.h"

struct feed {
    struct source source; /* describes the file for the lanes; never read */
    struct sink *sink;
    struct pool *pool;
    struct reading_options options;
    struct lanes lanes;
    struct arena arena;
    struct records records;
    struct outputs outputs;
    struct memory_file *made;
    uint64_t line, bytes;
    bool ended;
};

static void describe_file(struct source *source, const char *path) {
    struct stat st;
    *source = (struct source){.name = mem_strdup(path), .fd = -1, .file_count = 1};
    source->files = mem_zalloc(1, sizeof *source->files);
    source->files[0].path = mem_strdup(path);
    source->files[0].label = path_last(slice_str(source->files[0].path)).ptr;
    source->files[0].first_line = 1;
    source->modified = stat(path, &st) == 0 ? st.st_mtime : time(NULL);
}

struct feed *feed_create(const struct feed_options *options, const struct reading_watcher *watcher, struct err *err) {
    struct feed *feed = mem_zalloc(1, sizeof *feed);
    feed->pool = pool_create(0, err);
    if (!feed->pool) {
        mem_free(feed);
        return NULL;
    }
    feed->options = (struct reading_options){.split = !options->has_only_rank,
                                             .processes = options->processes,
                                             .has_only_rank = options->has_only_rank,
                                             .only_rank = options->only_rank};
    describe_file(&feed->source, options->path);
    feed->sink = report_sink_create();
    feed->line = 1;
    lanes_start(&feed->lanes, &feed->source, feed->sink, &feed->options, watcher, feed->pool);
    return feed;
}

static void count_bytes(struct feed *feed, uint64_t bytes) {
    feed->bytes += bytes;
    feed->source.files[0].bytes += bytes;
}

void feed_add(struct feed *feed, struct slice bytes) {
    struct lanes_block block = {&feed->outputs, &feed->arena, feed->line, UINT64_MAX};
    outputs_init(&feed->outputs);
    decode_block(bytes, &feed->arena, registry_decode, &feed->records);
    for (size_t i = 0; i < feed->records.count; i++)
        if (feed->records.items[i].glog.rest.len > BLOCK_HEAD_MAX)
            feed->records.items[i].too_large = BLOCK_HEAD_TOO_LARGE;
    lanes_fold_block(&feed->lanes, &block, &feed->records);
    outputs_write(&feed->outputs);
    arena_reset(&feed->arena);
    feed->line += feed->records.lines;
    count_bytes(feed, bytes.len);
}

void feed_leave_out(struct feed *feed, uint64_t bytes) {
    count_bytes(feed, bytes);
}

const struct lanes *feed_lanes(const struct feed *feed) {
    return &feed->lanes;
}

uint64_t feed_bytes(const struct feed *feed) {
    return feed->bytes;
}

static bool end_lanes(struct feed *feed, bool write, struct err *err) {
    struct pipeline_result result;
    bool good = lanes_end(&feed->lanes, feed->bytes, write, &result, err);
    pipeline_result_finish(&result);
    feed->ended = true;
    return good;
}

bool feed_end(struct feed *feed, struct slice *json, struct err *err) {
    if (!end_lanes(feed, true, err))
        return false;
    size_t count = memory_sink_list(feed->sink, &feed->made);
    for (size_t i = 0; i < count; i++)
        if (slice_is(feed->made[i].path, "report.json")) {
            *json = feed->made[i].content;
            return true;
        }
    return err_set(err, ERR_SYSTEM, "cannot make the totals of %s", feed->source.name);
}

void feed_destroy(struct feed *feed) {
    struct err ignored = {0};
    if (!feed)
        return;
    if (!feed->ended)
        end_lanes(feed, false, &ignored);
    pool_destroy(feed->pool);
    arena_free(&feed->arena);
    records_finish(&feed->records);
    mem_free(feed->made);
    sink_destroy(feed->sink);
    source_close(&feed->source);
    mem_free(feed);
}

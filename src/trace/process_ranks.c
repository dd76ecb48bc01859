#include "trace/process_ranks.h"

#include <sys/stat.h>

#include "base/json.h"
#include "trace/block.h"
#include "trace/glog.h"

enum {
    BLOCK = 512 * 1024,
    ONE_PROCESS_BYTES = 4 << 20,
    MANY_BYTES = 64 << 20, /* for all files */
    FILE_BYTES = 256 * 1024,
    RECORD_BYTES = 16 << 20,
    WRITERS_MAX = 4096,
};

static struct slice key_of(const uint64_t *file_and_process) {
    return slice_make((const char *)file_and_process, 2 * sizeof *file_and_process);
}

static struct process_rank *writer_of(struct process_ranks *process_ranks, uint64_t file, uint64_t process) {
    const uint64_t key[2] = {file, process};
    uint32_t place = map_get(&process_ranks->map, key_of(key));
    if (place != MAP_NONE)
        return &process_ranks->items[place];
    if (process_ranks->count == WRITERS_MAX)
        return NULL;
    map_put(&process_ranks->map, key_of(key), (uint32_t)process_ranks->count, NULL);
    MEM_GROW(process_ranks);
    process_ranks->items[process_ranks->count] = (struct process_rank){.file = file, .process = process};
    return &process_ranks->items[process_ranks->count++];
}

static void look_at(struct process_ranks *process_ranks, uint64_t file, struct slice line, struct arena *arena) {
    struct glog glog;
    yyjson_val *root = NULL;
    uint64_t rank;
    if (line.len == 0 || line.ptr[0] == '\t' || !glog_parse(line, &glog))
        return;
    struct slice envelope = slice_trim(glog.rest);
    if (envelope.len == 0 || envelope.ptr[0] != '{')
        return; /* a line from another logger */
    struct process_rank *writer = writer_of(process_ranks, file, glog.thread);
    if (!writer || slice_find(envelope, SLICE("\"rank\"")) == SIZE_MAX)
        return;
    json_read(&envelope, JSON_NUMBERS, arena, &root);
    if (yyjson_is_obj(root) && json_to_u64(json_get(root, "rank"), &rank)) {
        process_ranks->shared_numbers |= writer->has_rank && writer->rank != rank;
        if (!writer->has_rank)
            writer->rank = rank;
        writer->has_rank = true;
        if (!process_ranks->has_first)
            process_ranks->first_rank = rank;
        process_ranks->has_first = true;
    }
    arena_reset(arena);
}

/* Ends the log after the permitted number of bytes, skipped ones included. */
static bool allow(void *context, struct slice bytes) {
    uint64_t *left = context;
    *left -= *left < bytes.len ? *left : bytes.len;
    return *left > 0;
}

/* Reads about `enough` bytes of the file, or `most` if several processes wrote it. Only heads are needed, so records
 * with large payloads are not kept in memory. */
static void look_through(struct process_ranks *process_ranks, uint64_t file, struct source *source, uint64_t enough,
                         uint64_t most) {
    uint64_t bytes = 0, left = most + RECORD_BYTES;
    struct block_reader reader = {.source = source,
                                  .block_bytes = enough < BLOCK ? (size_t)enough : BLOCK,
                                  .record_max = RECORD_BYTES,
                                  .tee = allow,
                                  .context = &left};
    AUTO_BUF block = {0};
    AUTO_ARENA arena = {0};
    struct err err = {0};
    bool more = true;
    size_t before = process_ranks->count;
    while (bytes < (process_ranks->count > before + 1 ? most : enough) && block_read(&reader, &block, &more, &err) &&
           more) {
        struct slice rest = buf_slice(&block), line;
        while (slice_next_line(&rest, &line))
            look_at(process_ranks, file, line, &arena);
        bytes += block.len;
    }
    block_reader_finish(&reader);
}

void process_ranks_find(struct process_ranks *process_ranks, const char *const *paths, size_t count) {
    uint64_t share = count ? MANY_BYTES / count : 0, most = share > FILE_BYTES ? share : FILE_BYTES;
    *process_ranks = (struct process_ranks){0};
    for (size_t i = 0; i < count; i++) {
        struct stat st;
        struct source source;
        struct err err = {0};
        if (stat(paths[i], &st) != 0 || !S_ISREG(st.st_mode) || !source_open(&source, paths[i], &err))
            continue;
        look_through(process_ranks, i, &source, most < ONE_PROCESS_BYTES ? most : ONE_PROCESS_BYTES, most);
        source_close(&source);
    }
}

bool process_ranks_get(const struct process_ranks *process_ranks, size_t file, uint64_t process, uint64_t *rank) {
    const uint64_t key[2] = {file, process};
    uint32_t place = map_get(&process_ranks->map, key_of(key));
    if (place == MAP_NONE)
        return false;
    *rank = process_ranks->items[place].rank;
    return process_ranks->items[place].has_rank;
}

void process_ranks_finish(struct process_ranks *process_ranks) {
    mem_free(process_ranks->items);
    map_free(&process_ranks->map);
    *process_ranks = (struct process_ranks){0};
}

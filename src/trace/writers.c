#define _GNU_SOURCE /* stat under -std=c17 */
#include "trace/writers.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/mem.h"
#include "trace/block.h"
#include "trace/glog.h"

enum {
    BLOCK = 512 * 1024,
    ONE_PROCESS_BYTES = 4 << 20,
    MANY_BYTES = 64 << 20, /* of all files */
    FILE_BYTES = 256 * 1024,
    WRITERS_MAX = 4096,
};

static struct slice key_of(const uint64_t *file_and_process) {
    return slice_make((const char *)file_and_process, 2 * sizeof *file_and_process);
}

static struct writer *writer_of(struct writers *writers, uint64_t file, uint64_t process) {
    const uint64_t key[2] = {file, process};
    uint32_t place = map_get(&writers->map, key_of(key));
    if (place != MAP_NONE)
        return &writers->items[place];
    if (writers->count == WRITERS_MAX)
        return NULL;
    map_put(&writers->map, key_of(key), (uint32_t)writers->count, NULL);
    MEM_GROW(writers);
    writers->items[writers->count] = (struct writer){.file = file, .process = process};
    return &writers->items[writers->count++];
}

static void look_at(struct writers *writers, uint64_t file, struct slice line, struct arena *arena) {
    struct glog glog;
    yyjson_val *root = NULL;
    uint64_t rank;
    if (line.len == 0 || line.ptr[0] == '\t' || !glog_parse(line, &glog))
        return;
    struct slice envelope = slice_trim(glog.rest);
    if (envelope.len == 0 || envelope.ptr[0] != '{')
        return; /* a line of another logger */
    struct writer *writer = writer_of(writers, file, glog.thread);
    if (!writer || slice_find(envelope, SLICE("\"rank\"")) == SIZE_MAX)
        return;
    json_read(&envelope, JSON_NUMBERS, arena, &root);
    if (yyjson_is_obj(root) && json_to_u64(json_get(root, "rank"), &rank)) {
        writers->shared_numbers |= writer->has_rank && writer->rank != rank;
        if (!writer->has_rank)
            writer->rank = rank;
        writer->has_rank = true;
        if (!writers->has_first)
            writers->first_rank = rank;
        writers->has_first = true;
    }
    arena_reset(arena);
}

/* Up to so many bytes of the file; of one by several processes, up to `most`. */
static void look_through(struct writers *writers, uint64_t file, struct source *source, uint64_t enough,
                         uint64_t most) {
    struct block_reader reader = {.source = source, .block_bytes = enough < BLOCK ? (size_t)enough : BLOCK};
    struct buf block = {0};
    struct arena arena = {0};
    struct err err = {0};
    bool more = true;
    uint64_t bytes = 0;
    size_t before = writers->count;
    while (bytes < (writers->count > before + 1 ? most : enough) && block_read(&reader, &block, &more, &err) && more) {
        struct slice rest = buf_slice(&block), line;
        while (slice_next_line(&rest, &line))
            look_at(writers, file, line, &arena);
        bytes += block.len;
    }
    block_reader_finish(&reader);
    arena_free(&arena);
    buf_free(&block);
}

void writers_find(struct writers *writers, const char *const *paths, size_t count) {
    uint64_t share = count ? MANY_BYTES / count : 0, most = share > FILE_BYTES ? share : FILE_BYTES;
    *writers = (struct writers){0};
    for (size_t i = 0; i < count; i++) {
        struct stat st;
        struct source source;
        struct err err = {0};
        if (stat(paths[i], &st) != 0 || !S_ISREG(st.st_mode) || !source_open(&source, paths[i], &err))
            continue;
        look_through(writers, i, &source, most < ONE_PROCESS_BYTES ? most : ONE_PROCESS_BYTES, most);
        source_close(&source);
    }
}

bool writers_rank(const struct writers *writers, size_t file, uint64_t process, uint64_t *rank) {
    const uint64_t key[2] = {file, process};
    uint32_t place = map_get(&writers->map, key_of(key));
    if (place == MAP_NONE)
        return false;
    *rank = writers->items[place].rank;
    return writers->items[place].has_rank;
}

void writers_finish(struct writers *writers) {
    free(writers->items);
    map_free(&writers->map);
    *writers = (struct writers){0};
}

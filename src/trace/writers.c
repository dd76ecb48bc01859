#define _GNU_SOURCE /* stat under -std=c17 */
#include "trace/writers.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/mem.h"
#include "trace/block.h"
#include "trace/glog.h"

enum { BLOCK = 512 * 1024, ONE_PROCESS_BYTES = 4 << 20, MANY_BYTES = 64 << 20, WRITERS_MAX = 4096 };

static struct writer *writer_of(struct writers *writers, uint64_t process) {
    for (size_t i = 0; i < writers->count; i++)
        if (writers->items[i].process == process)
            return &writers->items[i];
    if (writers->count == WRITERS_MAX)
        return NULL;
    MEM_GROW(writers);
    writers->items[writers->count] = (struct writer){.process = process};
    return &writers->items[writers->count++];
}

static void look_at(struct writers *writers, struct slice line, struct arena *arena) {
    struct glog glog;
    yyjson_val *root = NULL;
    uint64_t rank;
    if (line.len == 0 || line.ptr[0] == '\t' || !glog_parse(line, &glog))
        return;
    struct slice envelope = slice_trim(glog.rest);
    if (envelope.len == 0 || envelope.ptr[0] != '{')
        return; /* a line of another logger */
    struct writer *writer = writer_of(writers, glog.thread);
    if (!writer || writer->has_rank)
        return;
    json_read(&envelope, JSON_NUMBERS, arena, &root);
    if (yyjson_is_obj(root) && json_to_u64(json_get(root, "rank"), &rank)) {
        writer->has_rank = true;
        writer->rank = rank;
        if (!writers->has_first)
            writers->first_rank = rank;
        writers->has_first = true;
    }
    arena_reset(arena);
}

static void look_through(struct writers *writers, struct source *source) {
    struct block_reader reader = {.source = source, .block_bytes = BLOCK};
    struct buf block = {0};
    struct arena arena = {0};
    struct err err = {0};
    bool more = true;
    uint64_t bytes = 0;
    while (bytes < (writers->count > 1 ? MANY_BYTES : ONE_PROCESS_BYTES) && block_read(&reader, &block, &more, &err) &&
           more) {
        struct slice rest = buf_slice(&block), line;
        while (slice_next_line(&rest, &line))
            look_at(writers, line, &arena);
        bytes += block.len;
    }
    block_reader_finish(&reader);
    arena_free(&arena);
    buf_free(&block);
}

void writers_find(struct writers *writers, const char *const *paths, size_t count) {
    struct stat st;
    struct source source;
    struct err err = {0};
    *writers = (struct writers){0};
    for (size_t i = 0; i < count; i++)
        if (stat(paths[i], &st) != 0 || !S_ISREG(st.st_mode))
            return;
    if (!source_open_all(&source, "", paths, count, &err))
        return;
    look_through(writers, &source);
    source_close(&source);
}

bool writers_rank(const struct writers *writers, uint64_t process, uint64_t *rank) {
    for (size_t i = 0; i < writers->count; i++)
        if (writers->items[i].process == process) {
            *rank = writers->items[i].rank;
            return writers->items[i].has_rank;
        }
    return false;
}

void writers_finish(struct writers *writers) {
    free(writers->items);
    *writers = (struct writers){0};
}

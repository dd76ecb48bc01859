#include "share/pack.h"

#include "sink/script.h"

/* In blocks of this size, it makes files 30 % smaller than gzip at its best level, in a thirtieth of the time. The next
 * level that makes them smaller takes three times as long. */
enum { LEVEL = 3 };

void pack_bytes(struct buf *out, struct slice bytes) {
    zstd_add(out, bytes, LEVEL);
}

void pack_end_block(struct pack *pack) {
    struct buf packed = {0};
    if (!pack->open.len)
        return;
    pack_bytes(&packed, buf_slice(&pack->open));
    pack->bytes += (packed.len + 2) / 3 * 4;
    LIST_ADD(&pack->blocks, packed);
    pack->open.len = 0;
}

void pack_add(struct pack *pack, const char *path, struct slice content) {
    if (pack->open.len && pack->open.len + content.len > PACK_BLOCK_BYTES)
        pack_end_block(pack);
    LIST_ADD(&pack->files, (struct pack_file){mem_strdup(path), pack->blocks.count, pack->open.len, content.len});
    buf_add(&pack->open, content);
}

void pack_append(struct pack *pack, struct pack *more) {
    for (size_t i = 0; i < more->files.count; i++) {
        MEM_GROW(&pack->files);
        pack->files.items[pack->files.count] = more->files.items[i];
        pack->files.items[pack->files.count++].block += pack->blocks.count;
    }
    for (size_t i = 0; i < more->blocks.count; i++)
        LIST_ADD(&pack->blocks, more->blocks.items[i]);
    pack->bytes += more->bytes;
    more->files.count = more->blocks.count = 0;
    pack_free(more);
}

void pack_free(struct pack *pack) {
    for (size_t i = 0; i < pack->files.count; i++)
        mem_free(pack->files.items[i].path);
    for (size_t i = 0; i < pack->blocks.count; i++)
        buf_free(&pack->blocks.items[i]);
    mem_free(pack->files.items);
    mem_free(pack->blocks.items);
    buf_free(&pack->open);
    *pack = (struct pack){0};
}

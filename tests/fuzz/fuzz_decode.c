/* Any bytes as a log: records and strays cover all lines, and are the same for any block size. */
#define _GNU_SOURCE /* memfd_create */
#include <sys/types.h>

#include "fuzz.h"
#include "kinds/kind.h"
#include "kinds/node.h"
#include "trace/block.h"

/* What must be equal for any blocks. */
struct summary {
    struct buf text;
    uint64_t line; /* line of the log at which the block begins */
};

static void check_record(const struct record *record, size_t bytes) {
    unsigned char md5[MD5_BYTES];
    struct buf hex = {0};
    MUST(record->payload.len <= bytes && record->log_bytes <= bytes && record->log_bytes > 0);
    if (!record->has_payload) {
        MUST(!record->payload.ptr && !record->payload_good);
        return;
    }
    md5_of(record->payload, md5);
    MUST(memcmp(md5, record->md5, sizeof md5) == 0);
    md5_add_hex(&hex, md5);
    MUST(record->payload_good == slice_eq(record->claimed, buf_slice(&hex)));
    buf_free(&hex);
}

static void add_record(struct summary *summary, const struct record *record) {
    struct buf *out = &summary->text;
    buf_addf(out, "%llu record %u ", (unsigned long long)summary->line + record->line, record->log_bytes);
    buf_add(out, record->glog.lead);
    buf_add(out, record->envelope);
    buf_addf(out, " %d %d %d ", record->root != NULL, record->has_payload, record->payload_good);
    compile_id_add_key(out, &record->id);
    buf_add(out, record->payload.ptr ? record->payload : SLICE("(none)"));
    for (const struct node *node = record->nodes; node; node = node->next) {
        buf_addf(out, " json %d ", node->json != NULL);
        buf_add(out, node->json_text);
        buf_add(out, node->json_pretty);
    }
    buf_add_byte(out, '\n');
}

/* Strays line by line, because blocks may split them. */
static void add_stray(struct summary *summary, const struct stray *stray) {
    for (uint32_t i = 0; i < stray->count; i++)
        buf_addf(&summary->text, "%llu stray\n", (unsigned long long)summary->line + stray->line + i);
}

static void add_block(struct summary *summary, struct slice bytes) {
    struct arena arena = {0};
    struct records records = {0};
    size_t r = 0, s = 0, lines = 0, taken = 0;
    uint32_t next = 0;
    for (size_t i = 0; i < bytes.len; i++)
        lines += bytes.ptr[i] == '\n' || i + 1 == bytes.len;
    decode_block(bytes, &arena, registry_decode, &records);
    MUST(records.lines == lines);
    while (r < records.count || s < records.strays.count) {
        const struct record *record = r < records.count ? &records.items[r] : NULL;
        const struct stray *stray = s < records.strays.count ? &records.strays.items[s] : NULL;
        if (stray && (!record || stray->line < record->line)) {
            MUST(stray->line >= next && stray->count > 0);
            next = stray->line + stray->count;
            add_stray(summary, stray);
            s++;
        } else {
            MUST(record && record->line >= next);
            next = record->line + 1;
            taken += record->log_bytes;
            check_record(record, bytes.len);
            add_record(summary, record);
            r++;
        }
    }
    MUST(next <= lines && taken <= bytes.len);
    summary->line += records.lines;
    records_finish(&records);
    arena_free(&arena);
}

/* Reads blocks of that size. Returns false if the bytes are not a plain log. */
static bool add_blocks(struct summary *summary, struct slice bytes, size_t block_bytes) {
    char path[32];
    struct source source;
    struct err err = {0};
    struct buf block = {0};
    bool more = false, plain = false;
    int fd = fuzz_file(bytes, path);
    if (source_open(&source, path, &err)) {
        struct block_reader reader = {.source = &source, .block_bytes = block_bytes};
        size_t total = 0;
        plain = !source.unpacker;
        while (plain && block_read(&reader, &block, &more, &err) && more) {
            MUST(block.len > 0 && total + block.len <= bytes.len);
            MUST(memcmp(block.ptr, bytes.ptr + total, block.len) == 0);
            total += block.len;
            add_block(summary, buf_slice(&block));
        }
        MUST(!plain || (total == bytes.len && err.code == ERR_NONE));
        block_reader_finish(&reader);
        source_close(&source);
    }
    close(fd);
    buf_free(&block);
    return plain;
}

/* The first byte selects the block size. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1)
        return 0;
    struct slice bytes = {(const char *)data + 1, size - 1};
    struct summary whole = {0}, cut = {0};
    struct buf copy = {0};
    if (add_blocks(&cut, bytes, (size_t)1 + data[0] * (data[0] & 1 ? 1u : 8u))) {
        buf_add(&copy, bytes);
        if (copy.len)
            add_block(&whole, buf_slice(&copy));
        MUST(slice_eq(buf_slice(&whole.text), buf_slice(&cut.text)));
    }
    buf_free(&copy);
    buf_free(&whole.text);
    buf_free(&cut.text);
    return 0;
}
